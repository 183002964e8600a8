package main

import "fmt"

func roman(n int) (s string) {
	vals := [...]int{1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1}
	syms := [...]string{"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"}
	for i, v := range vals {
		for n >= v {
			s += syms[i]
			n -= v
		}
	}
	return
}

func value(c byte) int {
	switch c {
	case 'I':
		return 1
	case 'V':
		return 5
	case 'X':
		return 10
	case 'L':
		return 50
	case 'C':
		return 100
	case 'D':
		return 500
	case 'M':
		return 1000
	}
	panic("bad digit")
}

func parse(s string) (n int) {
	for i := range len(s) {
		v := value(s[i])
		if i+1 < len(s) && value(s[i+1]) > v {
			n -= v
		} else {
			n += v
		}
	}
	return
}

func words(n int) string {
	switch {
	case n < 0:
		return "minus " + words(-n)
	case n < 20:
		return [...]string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"}[n]
	case n < 100:
		tens := [...]string{2: "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}
		if n%10 == 0 {
			return tens[n/10]
		}
		return tens[n/10] + "-" + words(n%10)
	case n < 1000:
		s := words(n/100) + " hundred"
		if n%100 != 0 {
			s += " and " + words(n%100)
		}
		return s
	}
	s := words(n/1000) + " thousand"
	if n%1000 != 0 {
		s += " " + words(n%1000)
	}
	return s
}

func days(m, y int) int {
	switch m {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			return 29
		}
		return 28
	default:
		return 31
	}
}

func main() {
	for _, n := range []int{1, 4, 9, 14, 40, 90, 400, 1994, 2024, 3999} {
		fmt.Println(n, roman(n), parse(roman(n)))
	}
	for _, n := range []int{0, 7, 13, 20, 42, 100, 115, 999, 1000, 12345, -56} {
		fmt.Println(n, words(n))
	}
	for y := range []int{1900, 2000, 2023, 2024} {
		fmt.Print(days(2, []int{1900, 2000, 2023, 2024}[y]), " ")
	}
	total := 0
	for m := 1; m <= 12; m++ {
		total += days(m, 2024)
	}
	fmt.Println(total)
	for i := 1; i <= 15; i++ {
		switch {
		case i%15 == 0:
			fmt.Print("FizzBuzz ")
		case i%3 == 0:
			fmt.Print("Fizz ")
		case i%5 == 0:
			fmt.Print("Buzz ")
		default:
			fmt.Print(i, " ")
		}
	}
	fmt.Println()
}
