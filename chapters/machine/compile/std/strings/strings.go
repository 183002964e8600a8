//go:build gosched

// Package strings takes strings apart and puts them together.
package strings

// Index returns where substr first is in s, -1 if it is not.
func Index(s, substr string) int {
	for i := 0; i+len(substr) <= len(s); i++ {
		if s[i:i+len(substr)] == substr {
			return i
		}
	}
	return -1
}

// LastIndex returns where substr last is in s, -1 if it is not.
func LastIndex(s, substr string) int {
	for i := len(s) - len(substr); i >= 0; i-- {
		if s[i:i+len(substr)] == substr {
			return i
		}
	}
	return -1
}

// IndexByte returns where c first is in s, -1 if it is not.
func IndexByte(s string, c byte) int {
	for i := range len(s) {
		if s[i] == c {
			return i
		}
	}
	return -1
}

// IndexRune returns where r first is in s, -1 if it is not.
func IndexRune(s string, r rune) int {
	return IndexFunc(s, func(c rune) bool { return c == r })
}

// IndexAny returns where the first of chars is in s, -1 if none is.
func IndexAny(s, chars string) int {
	return IndexFunc(s, func(c rune) bool { return IndexRune(chars, c) >= 0 })
}

// IndexFunc returns where the first rune of s is for which f is true, -1 if none is.
func IndexFunc(s string, f func(rune) bool) int {
	for i, c := range s {
		if f(c) {
			return i
		}
	}
	return -1
}

func Contains(s, substr string) bool     { return Index(s, substr) >= 0 }
func ContainsRune(s string, r rune) bool { return IndexRune(s, r) >= 0 }
func ContainsAny(s, chars string) bool   { return IndexAny(s, chars) >= 0 }

func HasPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && s[:len(prefix)] == prefix
}

func HasSuffix(s, suffix string) bool {
	return len(s) >= len(suffix) && s[len(s)-len(suffix):] == suffix
}

// Cut returns what is before and after the first sep.
func Cut(s, sep string) (before, after string, found bool) {
	if i := Index(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func CutPrefix(s, prefix string) (after string, found bool) {
	if !HasPrefix(s, prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

func CutSuffix(s, suffix string) (before string, found bool) {
	if !HasSuffix(s, suffix) {
		return s, false
	}
	return s[:len(s)-len(suffix)], true
}

func TrimPrefix(s, prefix string) string {
	s, _ = CutPrefix(s, prefix)
	return s
}

func TrimSuffix(s, suffix string) string {
	s, _ = CutSuffix(s, suffix)
	return s
}

// Count returns how often substr is in s, without overlapping.
func Count(s, substr string) int {
	if substr == "" {
		n := 1
		for range s {
			n++
		}
		return n
	}
	n := 0
	for {
		_, after, found := Cut(s, substr)
		if !found {
			return n
		}
		n++
		s = after
	}
}

// Split returns what is between the seps in s.
func Split(s, sep string) []string { return SplitN(s, sep, -1) }

// SplitN returns at most n parts, the last of which is the rest; all if n is negative.
func SplitN(s, sep string, n int) []string {
	if n == 0 {
		return nil
	}
	if sep == "" {
		return explode(s, n)
	}
	var parts []string
	for n < 0 || len(parts) < n-1 {
		before, after, found := Cut(s, sep)
		if !found {
			break
		}
		parts = append(parts, before)
		s = after
	}
	return append(parts, s)
}

func explode(s string, n int) []string {
	parts := []string{}
	for s != "" && (n < 0 || len(parts) < n-1) {
		size := len(s)
		for i := range s {
			if i > 0 {
				size = i
				break
			}
		}
		parts = append(parts, s[:size])
		s = s[size:]
	}
	if s != "" {
		parts = append(parts, s)
	}
	return parts
}

func isSpace(c rune) bool {
	switch c {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000:
		return true
	}
	return 0x2000 <= c && c <= 0x200a
}

// Fields returns what is between stretches of white space.
func Fields(s string) []string { return FieldsFunc(s, isSpace) }

// FieldsFunc returns what is between stretches of runes for which f is true.
func FieldsFunc(s string, f func(rune) bool) []string {
	fields := []string{}
	began := -1
	for i, c := range s {
		switch {
		case f(c):
			if began >= 0 {
				fields = append(fields, s[began:i])
			}
			began = -1
		case began < 0:
			began = i
		}
	}
	if began >= 0 {
		fields = append(fields, s[began:])
	}
	return fields
}

// TrimLeftFunc and TrimRightFunc take runes off for which f is true.
func TrimLeftFunc(s string, f func(rune) bool) string {
	for i, c := range s {
		if !f(c) {
			return s[i:]
		}
	}
	return ""
}

func TrimRightFunc(s string, f func(rune) bool) string {
	end := 0
	for i, c := range s {
		if !f(c) {
			end = i + len(string(c))
			if c == 0xfffd { // perhaps a byte that is no rune
				end = i + 1
				for end < len(s) && s[end]&0xc0 == 0x80 {
					end++
				}
			}
		}
	}
	return s[:end]
}

func TrimFunc(s string, f func(rune) bool) string { return TrimRightFunc(TrimLeftFunc(s, f), f) }

// TrimSpace takes white space off both ends.
func TrimSpace(s string) string { return TrimFunc(s, isSpace) }

func of(cutset string) func(rune) bool {
	return func(c rune) bool { return IndexRune(cutset, c) >= 0 }
}

func Trim(s, cutset string) string      { return TrimFunc(s, of(cutset)) }
func TrimLeft(s, cutset string) string  { return TrimLeftFunc(s, of(cutset)) }
func TrimRight(s, cutset string) string { return TrimRightFunc(s, of(cutset)) }

// Join puts sep between elems.
func Join(elems []string, sep string) string {
	var b Builder
	for i, e := range elems {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(e)
	}
	return b.String()
}

// Repeat returns s so many times.
func Repeat(s string, count int) string {
	if count < 0 {
		panic("strings: negative Repeat count")
	}
	var b Builder
	b.Grow(len(s) * count)
	for range count {
		b.WriteString(s)
	}
	return b.String()
}

// Replace replaces the first n olds, all if n is negative.
func Replace(s, old, new string, n int) string {
	var b Builder
	for ; n != 0; n-- {
		if old == "" {
			break
		}
		before, after, found := Cut(s, old)
		if !found {
			break
		}
		b.WriteString(before)
		b.WriteString(new)
		s = after
	}
	b.WriteString(s)
	return b.String()
}

// ReplaceAll replaces all olds, of which none is empty.
func ReplaceAll(s, old, new string) string { return Replace(s, old, new, -1) }

// Map returns s with each rune replaced, or dropped if mapping returns a negative one.
func Map(mapping func(rune) rune, s string) string {
	var b Builder
	for _, c := range s {
		if c = mapping(c); c >= 0 {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// ToLower and ToUpper change letters of ASCII.
func ToLower(s string) string { return Map(lower, s) }
func ToUpper(s string) string { return Map(upper, s) }

func lower(c rune) rune {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func upper(c rune) rune {
	if 'a' <= c && c <= 'z' {
		return c + 'A' - 'a'
	}
	return c
}

// EqualFold reports whether s and t are the same but for upper and lower case of ASCII.
func EqualFold(s, t string) bool { return ToLower(s) == ToLower(t) }

// Compare returns -1, 0 or 1.
func Compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
