package main

import "fmt"

func main() {
	one := 1
	for s := uint(0); s < 70; s += 7 {
		fmt.Println(s, one<<s, -8>>s, uint64(1<<63)>>s, int8(one)<<s, uint8(255)>>s, int8(-128)>>s, uint16(1)<<s, int32(1)<<s, uint32(1<<31)>>s)
	}
	var n uint8 = 200
	fmt.Println(one<<n, one<<(n>>6), uint32(1)<<(n&31))
	i := 5
	fmt.Println(1<<i, int64(-1)<<i, -1>>i, uint8(1)<<i)
	var x uint64 = 0x8000000000000001
	fmt.Printf("%x %x\n", x<<1|x>>63, x>>1|x<<63)
	var y uint32 = 0x80000001
	for k := 0; k < 5; k++ {
		y = y<<1 | y>>31
		fmt.Printf("%08x ", y)
	}
	fmt.Println()
	y <<= 40
	fmt.Println(y)
	var h uint32 = 2166136261
	for _, c := range []byte("hello") {
		h ^= uint32(c)
		h *= 16777619
	}
	fmt.Println(h)
}
