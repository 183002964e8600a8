package main

import "fmt"

type Builder struct{ buf []byte }

func (b *Builder) WriteString(s string) *Builder { b.buf = append(b.buf, s...); return b }
func (b *Builder) WriteByte(c byte) *Builder     { b.buf = append(b.buf, c); return b }
func (b *Builder) WriteInt(n int) *Builder {
	if n < 0 {
		b.WriteByte('-')
		n = -n
	}
	if n >= 10 {
		b.WriteInt(n / 10)
	}
	return b.WriteByte('0' + byte(n%10))
}
func (b *Builder) WriteRune(r rune) *Builder { b.buf = append(b.buf, string(r)...); return b }
func (b *Builder) Len() int                  { return len(b.buf) }
func (b Builder) Text() string               { return string(b.buf) }
func (b *Builder) Insert(i int, s string) {
	b.buf = append(b.buf[:i], append([]byte(s), b.buf[i:]...)...)
}

func repeat(s string, n int) (out string) {
	for range n {
		out += s
	}
	return
}

func pad(s string, n int) string {
	if len(s) >= n {
		return s
	}
	return repeat(" ", n-len(s)) + s
}

func replace(s, old, new string) string {
	var b Builder
	for i := 0; i < len(s); {
		if i+len(old) <= len(s) && s[i:i+len(old)] == old {
			b.WriteString(new)
			i += len(old)
		} else {
			b.WriteByte(s[i])
			i++
		}
	}
	return b.Text()
}

func isPalindrome(s string) bool {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		if r[i] != r[j] {
			return false
		}
	}
	return true
}

func caesar(s string, k rune) string {
	out := []rune(s)
	for i, r := range out {
		switch {
		case r >= 'a' && r <= 'z':
			out[i] = 'a' + (r-'a'+k+26)%26
		case r >= 'A' && r <= 'Z':
			out[i] = 'A' + (r-'A'+k+26)%26
		}
	}
	return string(out)
}

func atoi(s string) (n int, ok bool) {
	sign := 1
	for i, c := range s {
		if i == 0 && c == '-' {
			sign = -1
			continue
		}
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return sign * n, s != "" && s != "-"
}

func main() {
	var b Builder
	b.WriteString("x=").WriteInt(-1205).WriteByte(',').WriteRune('é').WriteInt(0)
	b.Insert(2, "[")
	b.WriteDone()
	fmt.Println(b.Text(), b.Len())
	fmt.Println(pad("abc", 6)+"|", repeat("=-", 5), replace("a-b-c", "-", "::"))
	fmt.Println(isPalindrome("racecar"), isPalindrome("été"), isPalindrome("ab"))
	e := caesar("Hello, World!", 3)
	fmt.Println(e, caesar(e, -3))
	for _, s := range []string{"42", "-7", "4x", "", "-"} {
		fmt.Println(atoi(s))
	}
}

func (b *Builder) WriteDone() {}
