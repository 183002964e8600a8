package main

import "fmt"

func main() {
	vals := []int64{0, 1, -1, 127, 128, 255, 256, -128, -129, 32767, 32768, 65535, 65536, 1 << 31, 1<<31 - 1, -1 << 31, 1<<32 - 1, 1 << 32, 1<<63 - 1, -1 << 63, 0x123456789abcdef}
	for _, v := range vals {
		fmt.Println(v, int8(v), int16(v), int32(v), int(v), uint8(v), uint16(v), uint32(v), uint64(v), uint(v), uintptr(v))
		i8, u8, i16, u16, i32, u32 := int8(v), uint8(v), int16(v), uint16(v), int32(v), uint32(v)
		fmt.Println(int16(i8), uint16(i8), int32(i8), uint32(i8), int64(i8), uint64(i8))
		fmt.Println(int16(u8), uint16(u8), int8(u8), int32(u8), int64(u8), uint64(u8))
		fmt.Println(int8(i16), uint8(i16), uint16(i16), uint32(i16), uint64(i16), int64(i16))
		fmt.Println(int8(u16), int16(u16), int32(u16), int64(u16), uint64(u16))
		fmt.Println(int8(i32), uint32(i32), uint64(i32), int64(i32), uint16(i32))
		fmt.Println(int8(u32), int32(u32), uint64(u32), int64(u32), uint16(u32))
	}
}
