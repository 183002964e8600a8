package main

import "fmt"

func ops8(a, b int8) {
	fmt.Println("int8", a+b, a-b, a*b, a&b, a|b, a^b, a&^b, -a, ^a)
	if b != 0 {
		fmt.Println(" ", a/b, a%b)
	}
}

func opsU8(a, b uint8) {
	fmt.Println("uint8", a+b, a-b, a*b, a&b, a|b, a^b, a&^b, -a, ^a)
	if b != 0 {
		fmt.Println(" ", a/b, a%b)
	}
}

func ops16(a, b int16) {
	fmt.Println("int16", a+b, a-b, a*b, -a, ^a)
	if b != 0 {
		fmt.Println(" ", a/b, a%b)
	}
}

func opsU16(a, b uint16) {
	fmt.Println("uint16", a+b, a-b, a*b, -a, ^a)
	if b != 0 {
		fmt.Println(" ", a/b, a%b)
	}
}

func ops32(a, b int32) {
	fmt.Println("int32", a+b, a-b, a*b, -a, ^a)
	if b != 0 {
		fmt.Println(" ", a/b, a%b)
	}
}

func opsU32(a, b uint32) {
	fmt.Println("uint32", a+b, a-b, a*b, -a, ^a)
	if b != 0 {
		fmt.Println(" ", a/b, a%b)
	}
}

func ops64(a, b int64) {
	fmt.Println("int64", a+b, a-b, a*b, -a, ^a)
	if b != 0 {
		fmt.Println(" ", a/b, a%b)
	}
}

func opsU64(a, b uint64) {
	fmt.Println("uint64", a+b, a-b, a*b, -a, ^a)
	if b != 0 {
		fmt.Println(" ", a/b, a%b)
	}
}

func main() {
	edge := []int64{0, 1, -1, 2, -2, 7, 100, 127, 128, -128, -129, 255, 256, 32767, -32768, 65535, 1<<31 - 1, -1 << 31, 1<<32 - 1, 1<<63 - 1, -1 << 63}
	for _, a := range edge {
		for _, b := range edge {
			ops8(int8(a), int8(b))
			opsU8(uint8(a), uint8(b))
			ops16(int16(a), int16(b))
			opsU16(uint16(a), uint16(b))
			ops32(int32(a), int32(b))
			opsU32(uint32(a), uint32(b))
			ops64(a, b)
			opsU64(uint64(a), uint64(b))
		}
	}
}
