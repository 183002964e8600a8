package main

import "fmt"

func classify(n int) string {
	switch {
	case n < 0:
		return "negative"
	case n == 0:
		return "zero"
	case n < 10, n == 100:
		return "small"
	default:
		return "large"
	}
}

func day(d int) (s string) {
	switch d {
	case 0, 6:
		s = "weekend"
	case 1:
		s = "monday"
		fallthrough
	case 2:
		s += " early"
	case 3:
		break
	default:
		s = "other"
	}
	return
}

func word(s string) int {
	switch s {
	case "one":
		return 1
	case "two":
		return 2
	}
	return -1
}

func main() {
	for _, n := range []int{-5, 0, 5, 50, 100} {
		fmt.Println(classify(n))
	}
	for d := range 8 {
		fmt.Printf("%d %q\n", d, day(d))
	}
	fmt.Println(word("one"), word("two"), word("three"))
	i := 0
	for {
		i++
		if i%2 == 0 {
			continue
		}
		if i > 7 {
			break
		}
		fmt.Print(i, " ")
	}
	fmt.Println()
	for i < 12 {
		i += 2
	}
	fmt.Println(i)
	for a, b := 0, 10; a < b; a, b = a+1, b-1 {
		fmt.Print(a, b, " ")
	}
	fmt.Println()
	if x := i * 2; x > 20 {
		fmt.Println("big", x)
	} else if y := x - 1; y > 5 {
		fmt.Println("mid", x, y)
	} else {
		fmt.Println("low", x, y)
	}
	switch x := i % 3; x {
	case 0:
		fmt.Println("zero")
	case 1:
		fmt.Println("one")
	case 2:
		fmt.Println("two")
	}
	switch {
	default:
		fmt.Println("default first")
	case i > 1000:
		fmt.Println("no")
	}
	b := true
	switch b {
	case true:
		fmt.Println("true")
	case false:
		fmt.Println("false")
	}
	fmt.Println(i > 3 && i < 100, i > 100 || b, !b, b != (i == 2))
}
