//go:build gosched

// Package strconv converts numbers to text and back.
package strconv

import "errors"

var (
	ErrRange  = errors.New("value out of range")
	ErrSyntax = errors.New("invalid syntax")
)

// quote returns s as a string literal.
func quote(s string) string

// A NumError is a conversion that failed.
type NumError struct {
	Func string
	Num  string
	Err  error
}

func (e *NumError) Error() string {
	return "strconv." + e.Func + ": parsing " + quote(e.Num) + ": " + e.Err.Error()
}

func (e *NumError) Unwrap() error { return e.Err }

// Itoa returns n in decimal.
func Itoa(n int) string {
	if n == 0 {
		return "0"
	}
	var digits [20]byte
	at := len(digits)
	rest := uint64(n)
	if n < 0 {
		rest = -rest
	}
	for ; rest > 0; rest /= 10 {
		at--
		digits[at] = '0' + byte(rest%10)
	}
	if n < 0 {
		at--
		digits[at] = '-'
	}
	return string(digits[at:])
}

// Atoi returns the decimal number s.
func Atoi(s string) (int, error) {
	const biggest = 1<<63 - 1
	digits := s
	negative := false
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		digits, negative = s[1:], s[0] == '-'
	}
	if digits == "" {
		return 0, &NumError{"Atoi", s, ErrSyntax}
	}
	limit := uint64(biggest)
	if negative {
		limit++
	}
	n := uint64(0)
	for i := range len(digits) {
		c := uint64(digits[i] - '0')
		if c > 9 {
			return 0, &NumError{"Atoi", s, ErrSyntax}
		}
		if n > (1<<64-1-c)/10 { // what follows is not looked at
			n = 1<<64 - 1
			break
		}
		n = n*10 + c
	}
	switch {
	case n > limit && negative:
		return -biggest - 1, &NumError{"Atoi", s, ErrRange}
	case n > limit:
		return biggest, &NumError{"Atoi", s, ErrRange}
	case negative:
		return int(-n), nil
	}
	return int(n), nil
}

// Quote returns s as a string literal.
func Quote(s string) string { return quote(s) }

// FormatBool returns "true" or "false".
func FormatBool(b bool) string {
	if b {
		return "true"
	}
	return "false"
}
