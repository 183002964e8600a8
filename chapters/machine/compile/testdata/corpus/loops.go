package main

import "fmt"

func main() {
	s := []int{1, 2, 3}
	for i, v := range s {
		s = append(s, v*10)
		s[i] = 0
	}
	fmt.Println(s)
	a := [3]int{1, 2, 3}
	for i, v := range a {
		a[2] = 10
		if i == 2 {
			fmt.Println(v)
		}
	}
	for i, v := range &a {
		a[2] = 20
		if i == 2 {
			fmt.Println(v)
		}
	}
	n := 3
	for i := range n {
		n = 10
		fmt.Print(i)
	}
	fmt.Println(n)
	for i := 0; i < 3; i++ {
		i := i * 2
		fmt.Print(i)
	}
	fmt.Println()
	for i := 10; i > 0; i -= 3 {
		fmt.Print(i, " ")
	}
	fmt.Println()
	for i := uint8(250); i >= 250; i++ {
		fmt.Print(i, " ")
	}
	fmt.Println()
	for i := int8(0); i >= 0; i += 50 {
		fmt.Print(i, " ")
	}
	fmt.Println()
	var k int
	for k = range s {
	}
	fmt.Println(k)
	for range 2 {
		fmt.Print("x")
	}
	for i := range uint8(3) {
		fmt.Printf("%d%T ", i, i)
	}
	fmt.Println()
	i, j := 0, 0
	for i < 3 {
		for j = i; j < 3; j++ {
			if j == 1 {
				continue
			}
			fmt.Print(i, j, ";")
		}
		i++
	}
	fmt.Println(i, j)
	var fs [3]func() int
	for i := 0; i < 3; i++ {
		fs[i] = func() int { i *= 2; return i }
		i += 0
	}
	fmt.Println(fs[0](), fs[1](), fs[2](), fs[2]())
	x := 0
	for {
		x++
		if x > 100 {
			break
		}
		if x%2 == 0 {
			continue
		}
		x *= 2
	}
	fmt.Println(x)
	str := "aé"
	for i, r := range str {
		str = "changed"
		fmt.Print(i, string(r), " ")
	}
	fmt.Println(str)
	var nilp *[3]int
	for i := range nilp {
		fmt.Print(i)
	}
	fmt.Println(len(nilp))
	sum := 0
outer:
	for i := range 10 {
		for j := range 10 {
			switch {
			case j > i:
				continue outer
			case i+j > 14:
				break outer
			}
			sum += i * j
		}
	}
	fmt.Println(sum)
	total := 0
	for a, b, c := 1, 1, 0; c < 10; a, b, c = b, a+b, c+1 {
		total += a
	}
	fmt.Println(total)
}
