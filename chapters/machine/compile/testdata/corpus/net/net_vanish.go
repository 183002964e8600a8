package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"syscall"
	"time"
)

// Clients that go away: having said all, in the middle, without reading the answer, and
// while the server writes.
func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	conns := make(chan net.Conn)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				close(conns)
				return
			}
			conns <- c
		}
	}()
	dial := func() (client, server net.Conn) {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			panic(err)
		}
		return c, <-conns
	}

	c, s := dial()
	c.Write([]byte("all"))
	c.Close()
	text, err := io.ReadAll(s)
	fmt.Println(string(text), err)
	s.Close()

	c, s = dial()
	c.Write([]byte("ha"))
	c.Close()
	n, err := io.ReadFull(s, make([]byte, 4))
	fmt.Println(n, err)
	s.Close()

	c, s = dial()
	s.Write([]byte("unread"))
	time.Sleep(5 * time.Millisecond) // it arrives
	c.Close()
	_, err = s.Read(make([]byte, 1))
	fmt.Println(errors.Is(err, syscall.ECONNRESET))
	s.Close()

	c, s = dial()
	writes, chunk := make(chan error), make([]byte, 10_000)
	go func() {
		for {
			if _, err := s.Write(chunk); err != nil {
				writes <- err
				return
			}
		}
	}()
	time.Sleep(5 * time.Millisecond) // there is no room any more
	c.Close()
	err = <-writes
	fmt.Println(errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE))
	s.Close()

	// Half of a connection ends, the other half goes on.
	c, s = dial()
	var both sync.WaitGroup
	both.Go(func() {
		text, err := io.ReadAll(s)
		fmt.Fprintf(s, "you said %q, %v", text, err)
		s.Close()
	})
	fmt.Fprint(c, "that is all")
	c.(*net.TCPConn).CloseWrite()
	_, err = c.Write([]byte("x"))
	fmt.Println(errors.Is(err, syscall.EPIPE))
	text, err = io.ReadAll(c)
	fmt.Println(string(text), err)
	both.Wait()
	l.Close()
	_, open := <-conns
	fmt.Println(open)
}
