//go:build gosched

// Package bufio reads and writes in larger pieces than its callers.
package bufio

import (
	"errors"
	"internal/oserror"
	"io"
)

const defaultSize = 4096

// ErrBufferFull is a delimiter that ReadSlice did not find within a buffer.
var ErrBufferFull = errors.New("bufio: buffer full")

// A Reader reads ahead.
type Reader struct {
	from io.Reader
	buf  []byte
	r, w int // what is unread is buf[r:w]
	err  error
}

// NewReader returns a Reader of r.
func NewReader(r io.Reader) *Reader { return NewReaderSize(r, defaultSize) }

// NewReaderSize returns a Reader of r whose buffer has size bytes, at least 16.
func NewReaderSize(r io.Reader, size int) *Reader {
	return &Reader{from: r, buf: make([]byte, max(size, 16))}
}

// Reset lets b read from r, with nothing read ahead.
func (b *Reader) Reset(r io.Reader) { *b = Reader{from: r, buf: b.buf} }

// Size returns the size of the buffer, Buffered how much of it is unread.
func (b *Reader) Size() int     { return len(b.buf) }
func (b *Reader) Buffered() int { return b.w - b.r }

// fill reads some more.
func (b *Reader) fill() {
	if b.r > 0 {
		b.w = copy(b.buf, b.buf[b.r:b.w])
		b.r = 0
	}
	for range 100 {
		n, err := b.from.Read(b.buf[b.w:])
		b.w += n
		if err != nil {
			b.err = err
			return
		}
		if n > 0 {
			return
		}
	}
	b.err = oserror.ErrNoProgress
}

func (b *Reader) takeErr() error {
	err := b.err
	b.err = nil
	return err
}

// Peek returns the next n bytes without taking them.
func (b *Reader) Peek(n int) ([]byte, error) {
	for b.w-b.r < n && b.w-b.r < len(b.buf) && b.err == nil {
		b.fill()
	}
	if n > len(b.buf) {
		return b.buf[b.r:b.w], ErrBufferFull
	}
	if have := b.w - b.r; have < n {
		err := b.takeErr()
		if err == nil {
			err = ErrBufferFull
		}
		return b.buf[b.r:b.w], err
	}
	return b.buf[b.r : b.r+n], nil
}

// Read reads once at most from below.
func (b *Reader) Read(p []byte) (n int, err error) {
	if len(p) == 0 {
		if b.Buffered() > 0 {
			return 0, nil
		}
		return 0, b.takeErr()
	}
	if b.r == b.w {
		if b.err != nil {
			return 0, b.takeErr()
		}
		if len(p) >= len(b.buf) {
			n, b.err = b.from.Read(p)
			return n, b.takeErr()
		}
		b.r, b.w = 0, 0
		n, b.err = b.from.Read(b.buf)
		if n == 0 {
			return 0, b.takeErr()
		}
		b.w = n
	}
	n = copy(p, b.buf[b.r:b.w])
	b.r += n
	return n, nil
}

// ReadByte reads one byte.
func (b *Reader) ReadByte() (byte, error) {
	for b.r == b.w {
		if b.err != nil {
			return 0, b.takeErr()
		}
		b.fill()
	}
	c := b.buf[b.r]
	b.r++
	return c, nil
}

// ReadSlice reads up to and including delim. What it returns is in the buffer, until the
// next call.
func (b *Reader) ReadSlice(delim byte) (line []byte, err error) {
	looked := 0
	for {
		for i := b.r + looked; i < b.w; i++ {
			if b.buf[i] == delim {
				line = b.buf[b.r : i+1]
				b.r = i + 1
				return line, nil
			}
		}
		looked = b.w - b.r
		if b.err != nil {
			line = b.buf[b.r:b.w]
			b.r = b.w
			return line, b.takeErr()
		}
		if looked >= len(b.buf) {
			b.r = b.w
			return b.buf, ErrBufferFull
		}
		b.fill()
	}
}

// ReadBytes reads up to and including delim.
func (b *Reader) ReadBytes(delim byte) ([]byte, error) {
	var all []byte
	for {
		part, err := b.ReadSlice(delim)
		all = append(all, part...)
		if err != ErrBufferFull {
			return all, err
		}
	}
}

// ReadString reads up to and including delim.
func (b *Reader) ReadString(delim byte) (string, error) {
	p, err := b.ReadBytes(delim)
	return string(p), err
}

// ReadLine reads a line without its end. If it is longer than the buffer isPrefix says so,
// and the rest comes later.
func (b *Reader) ReadLine() (line []byte, isPrefix bool, err error) {
	line, err = b.ReadSlice('\n')
	if err == ErrBufferFull {
		if len(line) > 0 && line[len(line)-1] == '\r' {
			b.r-- // its \n may come
			line = line[:len(line)-1]
		}
		return line, true, nil
	}
	if len(line) == 0 {
		if err != nil {
			line = nil
		}
		return line, false, err
	}
	return withoutEnd(line), false, nil
}

func withoutEnd(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
		if n > 1 && line[n-2] == '\r' {
			line = line[:n-2]
		}
	}
	return line
}

// Discard skips n bytes.
func (b *Reader) Discard(n int) (discarded int, err error) {
	for discarded < n {
		if b.r == b.w {
			if b.err != nil {
				return discarded, b.takeErr()
			}
			b.fill()
			continue
		}
		skip := min(n-discarded, b.w-b.r)
		b.r += skip
		discarded += skip
	}
	return discarded, nil
}

// A Writer collects what is written until Flush.
type Writer struct {
	to  io.Writer
	buf []byte
	n   int
	err error
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return NewWriterSize(w, defaultSize) }

// NewWriterSize returns a Writer to w whose buffer has size bytes.
func NewWriterSize(w io.Writer, size int) *Writer {
	if size <= 0 {
		size = defaultSize
	}
	return &Writer{to: w, buf: make([]byte, size)}
}

// Reset lets b write to w, with nothing collected.
func (b *Writer) Reset(w io.Writer) { *b = Writer{to: w, buf: b.buf} }

func (b *Writer) Size() int      { return len(b.buf) }
func (b *Writer) Available() int { return len(b.buf) - b.n }
func (b *Writer) Buffered() int  { return b.n }

// Flush writes what was collected.
func (b *Writer) Flush() error {
	if b.err != nil || b.n == 0 {
		return b.err
	}
	n, err := b.to.Write(b.buf[:b.n])
	if n < b.n && err == nil {
		err = io.ErrShortWrite
	}
	if err != nil {
		b.n = copy(b.buf, b.buf[n:b.n])
		b.err = err
		return err
	}
	b.n = 0
	return nil
}

func (b *Writer) Write(p []byte) (done int, err error) {
	for len(p) > b.Available() && b.err == nil {
		var n int
		if b.n == 0 {
			n, b.err = b.to.Write(p)
		} else {
			n = copy(b.buf[b.n:], p)
			b.n += n
			b.Flush()
		}
		done += n
		p = p[n:]
	}
	if b.err != nil {
		return done, b.err
	}
	n := copy(b.buf[b.n:], p)
	b.n += n
	return done + n, nil
}

func (b *Writer) WriteString(s string) (int, error) { return b.Write([]byte(s)) }
func (b *Writer) WriteRune(r rune) (int, error)     { return b.WriteString(string(r)) }

func (b *Writer) WriteByte(c byte) error {
	if b.Available() <= 0 && b.Flush() != nil {
		return b.err
	}
	if b.err != nil {
		return b.err
	}
	b.buf[b.n] = c
	b.n++
	return nil
}

// A ReadWriter is both.
type ReadWriter struct {
	*Reader
	*Writer
}

// NewReadWriter returns a ReadWriter of r and w.
func NewReadWriter(r *Reader, w *Writer) *ReadWriter { return &ReadWriter{r, w} }
