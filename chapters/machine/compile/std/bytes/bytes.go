//go:build gosched

// Package bytes is what package strings is, for slices of bytes, as far as it is needed
// here, and a Buffer.
package bytes

import "io"

func Equal(a, b []byte) bool          { return string(a) == string(b) }
func HasPrefix(s, prefix []byte) bool { return len(s) >= len(prefix) && Equal(s[:len(prefix)], prefix) }
func HasSuffix(s, suffix []byte) bool {
	return len(s) >= len(suffix) && Equal(s[len(s)-len(suffix):], suffix)
}

// Index returns where sep first is in s, -1 if it is not.
func Index(s, sep []byte) int {
	for i := 0; i+len(sep) <= len(s); i++ {
		if Equal(s[i:i+len(sep)], sep) {
			return i
		}
	}
	return -1
}

// IndexByte returns where c first is in s, -1 if it is not.
func IndexByte(s []byte, c byte) int {
	for i, b := range s {
		if b == c {
			return i
		}
	}
	return -1
}

func Contains(s, sep []byte) bool { return Index(s, sep) >= 0 }

// Cut returns what is before and after the first sep.
func Cut(s, sep []byte) (before, after []byte, found bool) {
	if i := Index(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, nil, false
}

// Clone returns a copy of b.
func Clone(b []byte) []byte {
	if b == nil {
		return nil
	}
	return append([]byte{}, b...)
}

// TrimSpace takes white space of ASCII off both ends.
func TrimSpace(s []byte) []byte {
	space := func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
	for len(s) > 0 && space(s[0]) {
		s = s[1:]
	}
	for len(s) > 0 && space(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// ToUpper and ToLower change letters of ASCII.
func ToUpper(s []byte) []byte { return shifted(s, 'a', 'z', 'A') }
func ToLower(s []byte) []byte { return shifted(s, 'A', 'Z', 'a') }

func shifted(s []byte, from, to, base byte) []byte {
	t := make([]byte, len(s))
	for i, c := range s {
		if from <= c && c <= to {
			c = c - from + base
		}
		t[i] = c
	}
	return t
}

// A Buffer holds bytes that were written and not yet read. Its zero value is empty.
type Buffer struct{ buf []byte }

// NewBuffer returns a Buffer that begins with buf, NewBufferString one that begins with s.
func NewBuffer(buf []byte) *Buffer     { return &Buffer{buf} }
func NewBufferString(s string) *Buffer { return &Buffer{[]byte(s)} }

func (b *Buffer) Bytes() []byte { return b.buf }
func (b *Buffer) Len() int      { return len(b.buf) }
func (b *Buffer) Reset()        { b.buf = b.buf[:0] }

func (b *Buffer) String() string {
	if b == nil {
		return "<nil>"
	}
	return string(b.buf)
}

// Truncate leaves the first n bytes.
func (b *Buffer) Truncate(n int) { b.buf = b.buf[:n] }

func (b *Buffer) Write(p []byte) (int, error) {
	b.buf = append(b.buf, p...)
	return len(p), nil
}

func (b *Buffer) WriteString(s string) (int, error) {
	b.buf = append(b.buf, s...)
	return len(s), nil
}

func (b *Buffer) WriteByte(c byte) error {
	b.buf = append(b.buf, c)
	return nil
}

func (b *Buffer) Read(p []byte) (int, error) {
	if len(b.buf) == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	n := copy(p, b.buf)
	b.buf = b.buf[n:]
	return n, nil
}

func (b *Buffer) ReadByte() (byte, error) {
	if len(b.buf) == 0 {
		return 0, io.EOF
	}
	c := b.buf[0]
	b.buf = b.buf[1:]
	return c, nil
}

// Next returns the next n bytes, or those that there are.
func (b *Buffer) Next(n int) []byte {
	n = min(n, len(b.buf))
	p := b.buf[:n]
	b.buf = b.buf[n:]
	return p
}
