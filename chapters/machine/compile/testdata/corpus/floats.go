package main

import "fmt"

func sqrt(x float64) float64 {
	z := 1.0
	for range 20 {
		z -= (z*z - x) / (2 * z)
	}
	return z
}

func mean(xs ...float64) float64 {
	t := 0.0
	for _, x := range xs {
		t += x
	}
	return t / float64(len(xs))
}

func main() {
	a, b := 1.5, -2.25
	fmt.Println(a+b, a-b, a*b, a/b, -a, a < b, a > b, a <= b, a >= b, a == b, a != b)
	fmt.Println(sqrt(2), sqrt(144), mean(1, 2, 3.5))
	zero := 0.0
	inf, nan := 1/zero, zero/zero
	fmt.Println(inf, -inf, nan, nan == nan, nan != nan, nan < 1, nan > 1, nan <= nan, inf > 1e308)
	if nan < 1 {
		fmt.Println("no")
	} else {
		fmt.Println("else")
	}
	if !(nan >= 1) {
		fmt.Println("not")
	}
	for x := 0.0; x < 1; x += 0.25 {
		fmt.Print(x, " ")
	}
	fmt.Println()
	fmt.Println(int(a), int(b), int64(a*1e9), uint8(a*100), float64(7)/2, float64(1<<53+1))
	f := float32(0.1)
	g := f * f
	fmt.Println(f, g, f+0.2, float64(f), float32(1)/3, f == 0.1, float64(f) == 0.1)
	i := 7
	u := uint64(1<<63 + 12345)
	fmt.Println(float64(i)/2, float64(u), float32(i), uint64(float64(u)), float32(u))
	x := 0.1
	x += 0.2
	fmt.Println(x, x == 0.3, 0.1+0.2 == 0.3)
	fmt.Println(min(1.5, 0.5, 2), max(1.5, 0.5, 2), min(nan, 1), max(a, nan), min(f, 0.05))
	var fs [4]float32
	for i := range fs {
		fs[i] = float32(i) / 3
	}
	fmt.Println(fs, len(fs))
	t := 1e300
	fmt.Println(t*t, -t*t, t*t-t*t, 5e-324/2)
	var neg0 = -zero
	fmt.Println(1/neg0, neg0)
}
