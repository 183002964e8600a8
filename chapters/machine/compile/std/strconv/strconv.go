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
	n, err := parseInt("Atoi", s, 10, 64)
	return int(n), err
}

// ParseInt returns the number s in the given base, from 2 to 36, of at most
// bitSize bits; 0 bits are 64. In base 0 the number says itself, as in a program:
// 0x1f, 0b101, 0o17, 017, and with underscores. If there are too many bits it
// returns the number that is nearest.
func ParseInt(s string, base, bitSize int) (int64, error) {
	return parseInt("ParseInt", s, base, bitSize)
}

// ParseUint is ParseInt for numbers without a sign.
func ParseUint(s string, base, bitSize int) (uint64, error) {
	return parseUint("ParseUint", s, s, base, bitSize)
}

func parseInt(fn, s string, base, bitSize int) (int64, error) {
	digits, negative := s, false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		digits, negative = s[1:], s[0] == '-'
	}
	n, err := parseUint(fn, s, digits, base, bitSize)
	if err != nil && err.(*NumError).Err != ErrRange {
		return 0, err
	}
	if bitSize == 0 {
		bitSize = 64
	}
	most := uint64(1) << (bitSize - 1)
	switch {
	case negative && n > most:
		return -int64(most), &NumError{fn, s, ErrRange}
	case negative:
		return -int64(n), nil
	case n >= most:
		return int64(most - 1), &NumError{fn, s, ErrRange}
	}
	return int64(n), nil
}

// parseUint parses digits, which is s without a sign.
func parseUint(fn, s, digits string, base, bitSize int) (uint64, error) {
	fail := func(err error) (uint64, error) { return 0, &NumError{fn, s, err} }
	if digits == "" {
		return fail(ErrSyntax)
	}
	byPrefix := base == 0
	switch {
	case byPrefix:
		base, digits = prefix(digits)
	case base < 2 || base > 36:
		return fail(errors.New("invalid base " + Itoa(base)))
	}
	switch {
	case bitSize == 0:
		bitSize = 64
	case bitSize < 0 || bitSize > 64:
		return fail(errors.New("invalid bit size " + Itoa(bitSize)))
	}
	limit := ^uint64(0) >> (64 - bitSize)
	n, separated := uint64(0), true // an underscore may follow: a digit was there, or the prefix
	if byPrefix && base == 10 {
		separated = false
	}
	for i := range len(digits) {
		if digits[i] == '_' && byPrefix {
			if !separated || i+1 == len(digits) {
				return fail(ErrSyntax)
			}
			separated = false
			continue
		}
		separated = true
		d := digit(digits[i])
		if d >= uint64(base) {
			return fail(ErrSyntax)
		}
		if n > (limit-d)/uint64(base) { // what follows is not looked at
			return limit, &NumError{fn, s, ErrRange}
		}
		n = n*uint64(base) + d
	}
	return n, nil
}

// prefix tells the base of a number from its first digits, and returns the rest.
func prefix(s string) (base int, digits string) {
	if s[0] != '0' {
		return 10, s
	}
	if len(s) > 2 {
		switch s[1] | 0x20 {
		case 'b':
			return 2, s[2:]
		case 'o':
			return 8, s[2:]
		case 'x':
			return 16, s[2:]
		}
	}
	return 8, s[1:]
}

// digit is the value of c as a digit, at least 36 if it is none.
func digit(c byte) uint64 {
	switch lower := c | 0x20; {
	case '0' <= c && c <= '9':
		return uint64(c - '0')
	case 'a' <= lower && lower <= 'z':
		return uint64(lower-'a') + 10
	}
	return 255
}

// ParseBool returns the truth value s: 1, t, T, true, TRUE, True, or such a form
// of false.
func ParseBool(s string) (bool, error) {
	switch s {
	case "1", "t", "T", "true", "TRUE", "True":
		return true, nil
	case "0", "f", "F", "false", "FALSE", "False":
		return false, nil
	}
	return false, &NumError{"ParseBool", s, ErrSyntax}
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
