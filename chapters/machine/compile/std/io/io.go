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

type Reader interface {
	Read(p []byte) (n int, err error)
}

type Writer interface {
	Write(p []byte) (n int, err error)
}

type Closer interface{ Close() error }

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

type discard struct{}

func (discard) Write(p []byte) (int, error)       { return len(p), nil }
func (discard) WriteString(s string) (int, error) { return len(s), nil }

// Discard takes everything, and keeps nothing.
var Discard Writer = discard{}
