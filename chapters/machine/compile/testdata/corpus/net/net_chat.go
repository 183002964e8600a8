package main

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"
)

// A room has one goroutine, which alone knows who is there.
type room struct {
	enter chan *guest
	leave chan *guest
	say   chan string
}

type guest struct {
	name string
	out  chan string
}

func (r *room) run() {
	guests := map[*guest]bool{}
	tell := func(s string) {
		for g := range guests {
			g.out <- s
		}
	}
	for {
		select {
		case g := <-r.enter:
			tell(g.name + " comes")
			guests[g] = true
			g.out <- fmt.Sprint("welcome, you are number ", len(guests))
		case g := <-r.leave:
			delete(guests, g)
			close(g.out)
			tell(g.name + " goes")
		case s := <-r.say:
			tell(s)
		}
	}
}

func (r *room) serve(c net.Conn) {
	defer c.Close()
	in := bufio.NewScanner(c)
	if !in.Scan() {
		return
	}
	g := &guest{strings.TrimSpace(in.Text()), make(chan string, 32)}
	var writing sync.WaitGroup
	writing.Go(func() {
		for s := range g.out {
			fmt.Fprintln(c, s)
		}
	})
	r.enter <- g
	for in.Scan() {
		r.say <- g.name + ": " + in.Text()
	}
	r.leave <- g
	writing.Wait()
}

type client struct {
	net.Conn
	in *bufio.Reader
}

func join(addr net.Addr, name string) *client {
	c, err := net.Dial(addr.Network(), addr.String())
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(c, name)
	return &client{c, bufio.NewReader(c)}
}

func (c *client) hears() string {
	s, err := c.in.ReadString('\n')
	if err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(s, "\n")
}

func main() {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		panic(err)
	}
	r := &room{make(chan *guest), make(chan *guest), make(chan string)}
	go r.run()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go r.serve(c)
		}
	}()
	names := []string{"Ann", "Ben", "Cem", "Dora"}
	var all []*client
	for _, name := range names {
		c := join(l.Addr(), name)
		fmt.Println(name, "hears", c.hears())
		for _, other := range all {
			fmt.Println("the others hear", other.hears())
		}
		all = append(all, c)
	}
	for i, c := range all {
		fmt.Fprintf(c, "hello from %d\n", i)
		for j, other := range all {
			fmt.Println(names[j], "hears", other.hears())
		}
	}
	all[1].Close()
	for _, j := range []int{0, 2, 3} {
		fmt.Println(names[j], "hears", all[j].hears())
	}
}
