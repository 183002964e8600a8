package main

import "fmt"

func main() {
	a, b := 17, 5
	fmt.Println(a+b, a-b, a*b, a/b, a%b, -a/b, -a%b, a/-b, a%-b)
	fmt.Println(a&b, a|b, a^b, a&^b, ^a, -a, +a)
	fmt.Println(a<<3, a>>1, -a>>1, uint(a)<<60, uint(a)>>2)
	x := 1 << 62
	fmt.Println(x, x*2, x*4, -x*2-1, x+x+x)
	a += 3
	a -= 1
	a *= 2
	a /= 3
	a %= 7
	a <<= 4
	a >>= 1
	a |= 1
	a &= 0x7f
	a ^= 0x55
	a &^= 4
	fmt.Println(a)
	a++
	b--
	fmt.Println(a, b)
	var u8 uint8 = 250
	u8 += 10
	var i8 int8 = 127
	i8++
	fmt.Println(u8, i8, u8-5, -i8, u8*u8, i8*i8)
	var u uint = 3
	fmt.Println(u-4, ^u, u/2, u%2)
	const big = 1 << 40
	fmt.Println(big, big>>38, big*3)
}
