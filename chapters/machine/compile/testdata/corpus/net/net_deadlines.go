package main

import (
	"fmt"
	"net"
	"time"
)

// say prints an error without the addresses, which are others each time.
func say(what string, err error) {
	op, ok := err.(*net.OpError)
	if !ok {
		fmt.Println(what, err)
		return
	}
	ne := err.(net.Error)
	fmt.Println(what, op.Op, op.Net, op.Err, ne.Timeout(), ne.Temporary())
}

func pair() (a, b net.Conn) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer l.Close()
	got := make(chan net.Conn)
	go func() {
		c, _ := l.Accept()
		got <- c
	}()
	if a, err = net.Dial("tcp", l.Addr().String()); err != nil {
		panic(err)
	}
	return a, <-got
}

func main() {
	a, b := pair()
	buf := make([]byte, 10)

	// It passes while a goroutine waits, and stays.
	began := time.Now()
	a.SetReadDeadline(began.Add(20 * time.Millisecond))
	_, err := a.Read(buf)
	say("waits", err)
	fmt.Println(time.Since(began) >= 20*time.Millisecond)
	_, err = a.Read(buf)
	say("at once", err)
	_, err = a.Write([]byte("x"))
	say("writes", err)

	// It is taken back.
	a.SetReadDeadline(time.Time{})
	go func() {
		time.Sleep(10 * time.Millisecond)
		b.Write([]byte("data"))
	}()
	n, err := a.Read(buf)
	fmt.Println(string(buf[:n]), err)

	// It has passed already; then even what is there cannot be read.
	b.Write([]byte("more"))
	a.SetDeadline(time.Now().Add(-time.Second))
	_, err = a.Read(buf)
	say("too late", err)
	_, err = a.Write([]byte("x"))
	say("too late", err)
	a.SetDeadline(time.Time{})
	n, err = a.Read(buf)
	fmt.Println(string(buf[:n]), err)

	// It is moved while a goroutine waits: forward, and backward.
	done := make(chan error)
	a.SetReadDeadline(time.Now().Add(time.Hour))
	go func() {
		_, err := a.Read(buf)
		done <- err
	}()
	time.Sleep(5 * time.Millisecond)
	a.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
	say("earlier", <-done)
	a.SetReadDeadline(time.Now().Add(30 * time.Millisecond))
	go func() {
		n, err := a.Read(buf)
		fmt.Println("later", n, err)
		done <- nil
	}()
	a.SetReadDeadline(time.Now().Add(time.Hour))
	time.Sleep(60 * time.Millisecond)
	b.Write([]byte("abc"))
	<-done

	// It passes while data comes, again and again: nothing is lost.
	const all = 200
	go func() {
		for i := range all {
			b.Write([]byte{byte(i)})
			time.Sleep(100 * time.Microsecond)
		}
	}()
	got := 0
	for right := true; got < all && right; {
		a.SetReadDeadline(time.Now().Add(300 * time.Microsecond))
		n, err := a.Read(buf[:1])
		if n == 1 {
			right = buf[0] == byte(got)
			got++
		} else if !err.(net.Error).Timeout() {
			right = false
		}
	}
	fmt.Println(got)

	// That of a listener, and of a write for which there is no room.
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	l.(*net.TCPListener).SetDeadline(time.Now().Add(10 * time.Millisecond))
	_, err = l.Accept()
	say("nobody comes", err)
	l.Close()
	a.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
	chunk := make([]byte, 50_000)
	for err = nil; err == nil; {
		_, err = a.Write(chunk)
	}
	say("nobody reads", err)
	b.Close()
	a.Close()
	say("closed", a.SetDeadline(time.Now()))
}
