package main

import "fmt"

func reverse(s string) string {
	r := ""
	for i := len(s) - 1; i >= 0; i-- {
		r += string(s[i])
	}
	return r
}

func contains(s, sub string) bool {
	for i := 0; i+len(sub) <= len(s); i++ {
		if s[i:i+len(sub)] == sub {
			return true
		}
	}
	return false
}

func split(s string, sep byte) []string {
	var out []string
	start := 0
	for i := 0; i < len(s); i++ {
		if s[i] == sep {
			out = append(out, s[start:i])
			start = i + 1
		}
	}
	return append(out, s[start:])
}

func join(a []string, sep string) string {
	s := ""
	for i, x := range a {
		if i > 0 {
			s += sep
		}
		s += x
	}
	return s
}

func main() {
	s := "hello, world"
	fmt.Println(len(s), s[0], s[1:5], s[7:], s[:5], s[:])
	fmt.Println(reverse(s), contains(s, "wor"), contains(s, "xyz"), contains(s, ""))
	fmt.Println(split("a,b,,c,", ','), len(split("", ',')))
	fmt.Println(join(split("x y z", ' '), "--"))
	fmt.Println("a" < "b", "abc" < "abd", "ab" < "abc", "b" > "abc", "a" <= "a", "a" >= "b", "x" == "x", "x" != "y", "" == s[:0])
	t := s
	t += "!"
	fmt.Println(s, t, t == s+"!", s+"", ""+s)
	var e string
	fmt.Println(e == "", len(e), e+"x")
	fmt.Printf("%q %v %s|%10s|%-10s|%.3s|%x|% x|%X\n", s, s, s, "right", "left", s, "hex", "hex", "hex")
	b := []byte(s)
	b[0] = 'H'
	fmt.Println(string(b), s, b[1], len(b))
	for i := range "abc" {
		fmt.Print(i)
	}
	fmt.Println()
}
