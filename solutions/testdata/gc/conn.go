package main

import (
	"fmt"
	"net"
	"time"
)

type thing struct{ name string }

// read is the only one that knows of its connection, its buffer and its thing, while it
// waits in the poller: for data, or for its deadline to pass.
func read(c net.Conn, i int, d time.Duration, done chan string) {
	mine := &thing{fmt.Sprint("mine ", i)}
	buf := make([]byte, 32)
	c.SetReadDeadline(time.Now().Add(d))
	n, err := c.Read(buf)
	text := fmt.Sprint(mine.name, " ", string(buf[:n]))
	if err != nil {
		text += fmt.Sprint(err.(net.Error).Timeout())
	}
	done <- text
	c.Close()
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	done := make(chan string)
	late := make([]chan string, 3)
	var others []net.Conn
	for i := range 6 {
		a, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			panic(err)
		}
		b, err := l.Accept()
		if err != nil {
			panic(err)
		}
		others = append(others, b)
		if i < 3 {
			go read(a, i, time.Hour, done)
		} else {
			late[i-3] = make(chan string)
			go read(a, i, time.Millisecond, late[i-3])
		}
	}
	time.Sleep(100 * time.Microsecond)
	n := 0
	for i := range 300 {
		n += len(fmt.Sprint("garbage", i, &thing{"x"}))
	}
	for i := range 3 {
		fmt.Fprint(others[i], "data ", i)
		fmt.Println(<-done)
	}
	for _, done := range late {
		fmt.Println(<-done)
	}
}
