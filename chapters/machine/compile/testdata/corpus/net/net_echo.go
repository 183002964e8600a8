package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
)

// A server that answers in capitals, clients that talk to it by turns, and one that sends
// more than a connection holds.
func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(l.Addr().Network(), strings.HasPrefix(l.Addr().String(), "127.0.0.1:"))
	var served sync.WaitGroup
	accepting := make(chan bool)
	go func() {
		defer close(accepting)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			served.Go(func() {
				defer c.Close()
				in := bufio.NewScanner(c)
				for in.Scan() {
					fmt.Fprintln(c, strings.ToUpper(in.Text()))
				}
			})
		}
	}()
	var clients sync.WaitGroup
	results := make([]string, 6)
	for i := range results {
		clients.Go(func() {
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				results[i] = err.Error()
				return
			}
			defer c.Close()
			in := bufio.NewReader(c)
			right := 0
			for j := range 10 {
				fmt.Fprintf(c, "line %d of %d\n", j, i)
				answer, err := in.ReadString('\n')
				if err == nil && answer == fmt.Sprintf("LINE %d OF %d\n", j, i) {
					right++
				}
			}
			results[i] = fmt.Sprint(right, " right")
		})
	}
	clients.Wait()
	fmt.Println(results)

	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		fmt.Println(err)
		return
	}
	const lines, width = 70, 1000
	go func() {
		line := strings.Repeat("abcde", width/5)
		for range lines {
			fmt.Fprintln(c, line)
		}
		c.(*net.TCPConn).CloseWrite()
	}()
	all, err := io.ReadAll(c)
	fmt.Println(len(all), strings.Count(string(all), "ABCDE"), err)
	c.Close()
	l.Close()
	<-accepting
	served.Wait()
}
