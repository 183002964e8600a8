package main

import (
	"bufio"
	"fmt"
	"net"
	"time"
)

func main() {
	a, b := net.Pipe()
	fmt.Println(a.LocalAddr(), a.RemoteAddr().Network())
	go func() {
		in := bufio.NewScanner(b)
		for in.Scan() {
			fmt.Fprintf(b, "<%s>\n", in.Text())
		}
		b.Close()
	}()
	in := bufio.NewReader(a)
	for i := range 3 {
		fmt.Fprintf(a, "line %d\n", i)
		s, err := in.ReadString('\n')
		fmt.Printf("%q %v\n", s, err)
	}
	a.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
	_, err := a.Read(make([]byte, 1))
	fmt.Println(err, err.(net.Error).Timeout())
	a.SetReadDeadline(time.Time{})
	fmt.Fprintln(a, "again")
	s, err := in.ReadString('\n')
	fmt.Printf("%q %v\n", s, err)
	a.Close()
	_, err = a.Read(make([]byte, 1))
	fmt.Println(err)
	_, err = a.Write(make([]byte, 1))
	fmt.Println(err)
	fmt.Println(a.SetDeadline(time.Now()))

	c, d := net.Pipe()
	go c.Close()
	_, err = d.Read(make([]byte, 1))
	fmt.Println(err)
	_, err = d.Write(make([]byte, 1))
	fmt.Println(err)
}
