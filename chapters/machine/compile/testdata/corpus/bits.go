package main

import "fmt"

func popcount(x uint64) (n int) {
	for ; x != 0; x &= x - 1 {
		n++
	}
	return
}

func reverse(x uint8) (r uint8) {
	for range 8 {
		r = r<<1 | x&1
		x >>= 1
	}
	return
}

func log2(x uint32) int {
	n := -1
	for x > 0 {
		x >>= 1
		n++
	}
	return n
}

func gray(n uint) uint { return n ^ n>>1 }

func abs(x int32) int32 {
	m := x >> 31
	return (x ^ m) - m
}

func isqrt(n uint64) uint64 {
	var r uint64
	for b := uint64(1) << 31; b > 0; b >>= 1 {
		if t := r | b; t*t <= n {
			r = t
		}
	}
	return r
}

func mulhi(a, b uint64) (hi, lo uint64) {
	a0, a1 := a&0xffffffff, a>>32
	b0, b1 := b&0xffffffff, b>>32
	w0 := a0 * b0
	t := a1*b0 + w0>>32
	w1 := t&0xffffffff + a0*b1
	return a1*b1 + t>>32 + w1>>32, a * b
}

type flags uint16

const (
	read flags = 1 << iota
	write
	exec
)

func (f flags) has(g flags) bool { return f&g == g }
func (f *flags) set(g flags)     { *f |= g }
func (f *flags) clear(g flags)   { *f &^= g }

type bitset []uint64

func (b bitset) set(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bitset) has(i int) bool { return b[i/64]&(1<<uint(i%64)) != 0 }

func main() {
	fmt.Println(popcount(0xff00ff), popcount(1<<63), reverse(0b11010000), log2(1000), log2(0))
	for i := range uint(8) {
		fmt.Printf("%03b ", gray(i))
	}
	fmt.Println(abs(-5), abs(7), abs(-1<<31), isqrt(1<<40), isqrt(99))
	hi, lo := mulhi(0xfedcba9876543210, 0x0123456789abcdef)
	fmt.Printf("%x %x\n", hi, lo)
	var f flags
	f.set(read | exec)
	fmt.Println(f, f.has(read), f.has(write), f.has(read|exec))
	f.clear(read)
	fmt.Printf("%03b %v\n", f, ^f)
	b := make(bitset, 4)
	for i := 0; i < 256; i += 37 {
		b.set(i)
	}
	fmt.Println(b.has(74), b.has(75), b)
	x := int8(-128)
	fmt.Println(x, -x, x>>1, uint8(x), uint8(x)>>1, x/-1, x*-1, x-1, ^x, x&0x7f, x|1)
	y := uint16(0xabcd)
	fmt.Printf("%x %x %x %x\n", y<<4, y>>4, y<<8|y>>8, ^y)
	z := int64(-1)
	fmt.Println(uint32(z), z>>63, uint64(z)>>63, z<<63, int32(z>>1), z&^0xff)
	var s uint = 65
	fmt.Println(1<<s == 0, int64(1)<<s, int32(-1)>>s, uint8(1)<<(s-62))
	fmt.Println(7&-7, 12&-12, -7/2, -7>>1, -7%3, 7%-3, -8/3, 8/-3)
}
