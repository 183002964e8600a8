package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// say prints an error and what it is.
func say(what string, err error) {
	fmt.Println(what, "-", err)
	if p, ok := err.(*os.PathError); ok {
		fmt.Println(" ", p.Op, p.Path, p.Err == os.ErrClosed, p.Err == syscall.EPIPE)
	}
	fmt.Println(" ", err == io.EOF, errors.Is(err, os.ErrClosed), errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.EBADF))
}

func main() {
	r, w, err := os.Pipe()
	fmt.Println(r.Name(), w.Name(), err)

	n, err := w.Write([]byte("hello, pipe"))
	fmt.Println(n, err)
	n, err = w.WriteString(" and more")
	fmt.Println(n, err)
	n, err = w.Write(nil)
	fmt.Println(n, err)

	var five [5]byte
	for range 2 {
		n, err = r.Read(five[:])
		fmt.Printf("%q %v\n", five[:n], err)
	}
	n, err = r.Read(nil)
	fmt.Println(n, err)
	_, err = r.Write(five[:])
	say("write to the end for reading", err)
	_, err = w.Read(five[:])
	say("read from the end for writing", err)

	say("close", w.Close())
	say("close again", w.Close())
	_, err = w.Write(five[:])
	say("write after close", err)
	_, err = w.WriteString("x")
	say("write a string after close", err)
	rest, err := io.ReadAll(r)
	fmt.Printf("%q %v\n", rest, err)
	n, err = r.Read(five[:])
	say("read at the end", err)
	r.Close()
	n, err = r.Read(five[:])
	say("read after close", err)

	r, w, _ = os.Pipe()
	r.Close()
	n, err = w.Write([]byte("nobody reads this"))
	fmt.Println(n)
	say("write without a reader", err)

	// A full pipe takes as much as it has room for, to the byte.
	r, w, _ = os.Pipe()
	big := make([]byte, 64<<10)
	for i := range big {
		big[i] = byte(i * 7)
	}
	n, err = w.Write(big)
	fmt.Println(n, err)
	w.Close()
	back, err := io.ReadAll(r)
	fmt.Println(len(back), err, string(back) == string(big))

	var none *os.File
	_, err = none.Read(five[:])
	say("nil", err)
	say("nil", none.Close())
}
