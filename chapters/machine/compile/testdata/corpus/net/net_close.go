package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"syscall"
)

// say prints an error with the addresses of l and its connections made the same each time.
func say(what string, err error) {
	if op, ok := err.(*net.OpError); ok {
		addr := ""
		if op.Source != nil {
			addr = " " + op.Source.Network() + "->"
		}
		rest := err.Error()
		if i := strings.LastIndex(rest, ": "+op.Err.Error()); i >= 0 {
			rest = rest[i:]
		}
		fmt.Println(what, op.Op, op.Net+addr+rest, errors.Is(err, net.ErrClosed))
		return
	}
	fmt.Println(what, err)
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	addr := l.Addr().String()

	// Two of them wait for connections when the listener is closed.
	var accepting sync.WaitGroup
	errs := make(chan error, 2)
	conns := make(chan net.Conn, 2)
	for range 2 {
		accepting.Go(func() {
			for {
				c, err := l.Accept()
				if err != nil {
					errs <- err
					return
				}
				conns <- c
			}
		})
	}
	a, err := net.Dial("tcp", addr)
	if err != nil {
		panic(err)
	}
	b := <-conns
	fmt.Println(a.LocalAddr().String() == b.RemoteAddr().String(), a.RemoteAddr().String() == addr)
	l.Close()
	accepting.Wait()
	say("accept", <-errs)
	say("accept", <-errs)
	_, err = l.Accept()
	say("accept", err)
	say("close", l.Close())
	_, err = net.Dial("tcp", addr)
	say("dial", err)
	fmt.Println(errors.Is(err, syscall.ECONNREFUSED))

	// One reads and one writes when the connection is closed.
	var waiting sync.WaitGroup
	ended := false
	waiting.Go(func() {
		_, err := a.Read(make([]byte, 1))
		say("read", err)
	})
	waiting.Go(func() {
		for {
			if _, err := b.Read(make([]byte, 1)); err != nil {
				ended = err == io.EOF || errors.Is(err, syscall.ECONNRESET)
				return
			}
		}
	})
	b.Write([]byte{}) // nothing
	a.Close()
	waiting.Wait()
	fmt.Println("the other end has", ended)
	_, err = a.Read(make([]byte, 1))
	say("read", err)
	_, err = a.Write(make([]byte, 1))
	say("write", err)
	say("close", a.Close())
	b.Close()

	// What cannot be.
	for _, c := range [][2]string{{"udp6x", "127.0.0.1:1"}, {"tcp", "127.0.0.1"}, {"tcp", "127.0.0.1:1:2"}} {
		_, err := net.Dial(c[0], c[1])
		fmt.Println(err)
	}
	l1, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	_, err = net.Listen("tcp", l1.Addr().String())
	say("twice", err)
	fmt.Println(errors.Is(err, syscall.EADDRINUSE))
}
