//go:build gosched

// Package io is what all that reads and writes has in common.
package io

import "errors"

// EOF is what Read returns at the end. It comes as it is, never wrapped.
var EOF = errors.New("EOF")

// ErrUnexpectedEOF is an end in the middle of something.
var ErrUnexpectedEOF = errors.New("unexpected EOF")

// ErrShortWrite is a Write that took less than it was given and did not say why.
var ErrShortWrite = errors.New("short write")

// ErrClosedPipe is a use of a pipe that is closed, ErrNoProgress a Reader that returns nothing,
// and no error, again and again, and ErrShortBuffer a buffer that holds too little. Package
// internal/sentinel sets them.
var ErrClosedPipe, ErrNoProgress, ErrShortBuffer error

type Reader interface {
	Read(p []byte) (n int, err error)
}

type Writer interface {
	Write(p []byte) (n int, err error)
}

type Closer interface{ Close() error }

type ByteReader interface{ ReadByte() (byte, error) }

type ByteWriter interface{ WriteByte(c byte) error }

type ReaderFrom interface {
	ReadFrom(r Reader) (n int64, err error)
}

type WriterTo interface {
	WriteTo(w Writer) (n int64, err error)
}

type StringWriter interface {
	WriteString(s string) (n int, err error)
}

type ReadWriter interface {
	Reader
	Writer
}

type ReadCloser interface {
	Reader
	Closer
}

type WriteCloser interface {
	Writer
	Closer
}

type ReadWriteCloser interface {
	Reader
	Writer
	Closer
}

// WriteString writes s to w.
func WriteString(w Writer, s string) (n int, err error) {
	if w, ok := w.(StringWriter); ok {
		return w.WriteString(s)
	}
	return w.Write([]byte(s))
}

// Copy copies from src to dst up to the end of src.
func Copy(dst Writer, src Reader) (written int64, err error) {
	buf := make([]byte, 32*1024)
	for {
		n, err := src.Read(buf)
		if n > 0 {
			took, failed := dst.Write(buf[:n])
			written += int64(took)
			if failed != nil {
				return written, failed
			}
			if took < n {
				return written, ErrShortWrite
			}
		}
		if err == EOF {
			return written, nil
		}
		if err != nil {
			return written, err
		}
	}
}

// ReadAll reads r up to its end.
func ReadAll(r Reader) ([]byte, error) {
	b := make([]byte, 0, 512)
	for {
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == EOF {
			return b, nil
		}
		if err != nil {
			return b, err
		}
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
	}
}

// ReadFull reads as much as buf holds. The error is EOF only if there was nothing.
func ReadFull(r Reader, buf []byte) (n int, err error) {
	for n < len(buf) && err == nil {
		var more int
		more, err = r.Read(buf[n:])
		n += more
	}
	switch {
	case n >= len(buf):
		return n, nil
	case n > 0 && err == EOF:
		return n, ErrUnexpectedEOF
	}
	return n, err
}

// ReadAtLeast reads at least min bytes into buf. The error is EOF only if there was nothing,
// and ErrShortBuffer if buf holds less than min.
func ReadAtLeast(r Reader, buf []byte, min int) (n int, err error) {
	if len(buf) < min {
		return 0, ErrShortBuffer
	}
	for n < min && err == nil {
		var more int
		more, err = r.Read(buf[n:])
		n += more
	}
	switch {
	case n >= min:
		return n, nil
	case n > 0 && err == EOF:
		return n, ErrUnexpectedEOF
	}
	return n, err
}

type discard struct{}

func (discard) Write(p []byte) (int, error)       { return len(p), nil }
func (discard) WriteString(s string) (int, error) { return len(s), nil }

// Discard takes everything, and keeps nothing.
var Discard Writer = discard{}

// CopyN copies n bytes, fewer only with an error.
func CopyN(dst Writer, src Reader, n int64) (written int64, err error) {
	written, err = Copy(dst, LimitReader(src, n))
	if written < n && err == nil {
		err = EOF
	}
	return written, err
}

// A LimitedReader reads from R, but no more than N bytes.
type LimitedReader struct {
	R Reader
	N int64
}

// LimitReader returns a Reader of the first n bytes of r.
func LimitReader(r Reader, n int64) Reader { return &LimitedReader{r, n} }

func (l *LimitedReader) Read(p []byte) (n int, err error) {
	if l.N <= 0 {
		return 0, EOF
	}
	if int64(len(p)) > l.N {
		p = p[:l.N]
	}
	n, err = l.R.Read(p)
	l.N -= int64(n)
	return n, err
}

// TeeReader returns a Reader of r that writes what it reads to w.
func TeeReader(r Reader, w Writer) Reader { return &tee{r, w} }

type tee struct {
	r Reader
	w Writer
}

func (t *tee) Read(p []byte) (n int, err error) {
	n, err = t.r.Read(p)
	if n > 0 {
		if n, err := t.w.Write(p[:n]); err != nil {
			return n, err
		}
	}
	return n, err
}

// MultiWriter returns a Writer that writes to all of writers, one after the other.
func MultiWriter(writers ...Writer) Writer {
	return multiWriter(append([]Writer(nil), writers...))
}

type multiWriter []Writer

func (m multiWriter) Write(p []byte) (n int, err error) {
	for _, w := range m {
		n, err = w.Write(p)
		if err == nil && n != len(p) {
			err = ErrShortWrite
		}
		if err != nil {
			return n, err
		}
	}
	return len(p), nil
}

// MultiReader returns a Reader of all readers, one after the other.
func MultiReader(readers ...Reader) Reader {
	m := multiReader(append([]Reader(nil), readers...))
	return &m
}

type multiReader []Reader

func (m *multiReader) Read(p []byte) (n int, err error) {
	for len(*m) > 0 {
		n, err = (*m)[0].Read(p)
		if err == EOF {
			*m = (*m)[1:]
		}
		if n > 0 || err != EOF {
			if err == EOF && len(*m) > 0 {
				err = nil
			}
			return n, err
		}
	}
	return 0, EOF
}
