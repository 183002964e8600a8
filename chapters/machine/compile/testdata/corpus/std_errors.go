package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"
)

type notFound struct{ name string }

func (e *notFound) Error() string { return "no " + e.name }

type code int

func (c code) Error() string { return fmt.Sprint("code ", int(c)) }

type coded struct{}

func (coded) Error() string { return "coded" }
func (coded) As(target any) bool {
	if c, ok := target.(*code); ok {
		*c = 7
		return true
	}
	return false
}

func main() {
	err := fmt.Errorf("get: %w", &notFound{"page"})
	var nf *notFound
	fmt.Println(errors.As(err, &nf), nf.name)
	var c code
	fmt.Println(errors.As(err, &c), errors.As(fmt.Errorf("x: %w", code(3)), &c), c)
	fmt.Println(errors.As(coded{}, &c), c)
	var t interface{ Timeout() bool }
	fmt.Println(errors.As(err, &t), errors.As(nil, &t))

	joined := errors.Join(nil, io.EOF, err)
	fmt.Println(joined, errors.Is(joined, io.EOF), errors.Is(joined, io.ErrClosedPipe), errors.As(joined, &nf), errors.Unwrap(joined))
	fmt.Println(errors.Join(nil, nil) == nil)
	e, ok := errors.AsType[*notFound](joined)
	fmt.Println(e, ok)

	buf := make([]byte, 4)
	fmt.Println(io.ReadAtLeast(strings.NewReader("abcdef"), buf, 2))
	fmt.Println(io.ReadAtLeast(strings.NewReader("a"), buf, 2))
	fmt.Println(io.ReadAtLeast(strings.NewReader(""), buf, 2))
	fmt.Println(io.ReadAtLeast(strings.NewReader("abcdef"), buf, 5))
	fmt.Println(io.ErrNoProgress, errors.Is(nil, io.EOF))

	a, b := net.Pipe()
	a.SetReadDeadline(time.Now().Add(-time.Second))
	_, err = a.Read(buf)
	var ne net.Error
	fmt.Println(err, errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &ne) && ne.Timeout())
	b.Close()
	_, err = b.Read(buf)
	fmt.Println(err, err == io.ErrClosedPipe)
}
