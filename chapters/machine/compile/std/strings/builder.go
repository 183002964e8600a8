//go:build gosched

package strings

import "io"

// A Builder makes a string of parts. Its zero value is empty.
type Builder struct{ buf []byte }

func (b *Builder) String() string { return string(b.buf) }
func (b *Builder) Len() int       { return len(b.buf) }
func (b *Builder) Cap() int       { return cap(b.buf) }
func (b *Builder) Reset()         { b.buf = nil }

// Grow makes room for n more bytes.
func (b *Builder) Grow(n int) {
	if n < 0 {
		panic("strings.Builder.Grow: negative count")
	}
	if cap(b.buf)-len(b.buf) < n {
		b.buf = append(make([]byte, 0, 2*cap(b.buf)+n), b.buf...)
	}
}

func (b *Builder) Write(p []byte) (int, error) {
	b.buf = append(b.buf, p...)
	return len(p), nil
}

func (b *Builder) WriteString(s string) (int, error) {
	b.buf = append(b.buf, s...)
	return len(s), nil
}

func (b *Builder) WriteByte(c byte) error {
	b.buf = append(b.buf, c)
	return nil
}

func (b *Builder) WriteRune(r rune) (int, error) {
	n := len(b.buf)
	b.buf = append(b.buf, string(r)...)
	return len(b.buf) - n, nil
}

// A Reader reads a string.
type Reader struct{ rest string }

// NewReader returns a Reader of s.
func NewReader(s string) *Reader { return &Reader{s} }

// Len returns how much is unread.
func (r *Reader) Len() int { return len(r.rest) }

func (r *Reader) Read(p []byte) (int, error) {
	if r.rest == "" {
		return 0, io.EOF
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (r *Reader) ReadByte() (byte, error) {
	if r.rest == "" {
		return 0, io.EOF
	}
	c := r.rest[0]
	r.rest = r.rest[1:]
	return c, nil
}
