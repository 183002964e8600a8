package main

import "fmt"

type Weekday int

const (
	Sunday Weekday = iota
	Monday
	Tuesday
	_
	Thursday
)

const (
	KB = 1 << (10 * (iota + 1))
	MB
	GB
)

const (
	a, b = iota, iota * 10
	c, d
	e, f
)

const huge = 1 << 100
const name = "con" + "stant"
const pi = 3.14159
const r = 'x'

func main() {
	fmt.Println(Sunday, Monday, Tuesday, Thursday)
	fmt.Println(KB, MB, GB)
	fmt.Println(a, b, c, d, e, f)
	fmt.Println(huge>>98, name, len(name), r, pi*2)
	var x uint8 = 'a' + 1
	fmt.Println(x, string(rune(x)), 07, 0b1010, 0xFF, 1_000_000, 0o17)
	const typed int64 = 5
	fmt.Println(typed*typed, -5%3, 5.0/2, 5/2, 1/3.0)
	fmt.Println(0xFFFFFFFFFFFFFFFF == uint64(1<<64-1), -1<<63)
	var f32 float32 = 1.0 / 3
	fmt.Println(f32, float64(f32) == 1.0/3)
	fmt.Println(^0, ^uint8(0), ^uint32(1))
}
