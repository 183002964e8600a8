package bench

import (
	"fmt"
	"net"
	"slices"
	"sync"
)

// This file is the other end of a program's connections. It lies in this process, so that
// each of the two needs one descriptor for a connection.

// spareFiles is how many descriptors a process needs besides those of the connections.
const spareFiles = 100

// prepared gives p what it needs from outside, until done is called. If there are too few
// descriptors it makes N smaller, and says so in note.
func (p Program) prepared() (_ Program, note string, done func(), err error) {
	if !p.Outside {
		return p, "", func() {}, nil
	}
	if most := openFiles() - spareFiles; most < p.N {
		note = fmt.Sprintf("%d connections instead of %d: a process may open no more than %d files here", most, p.N, openFiles())
		p.N = most
	}
	far, err := farEnds()
	if err != nil {
		return p, "", nil, err
	}
	p.Args = append(slices.Clone(p.Args), far.Addr().String())
	return p, note, func() { far.Close() }, nil
}

// farEnds accepts connections, and keeps each until its other end is closed.
func farEnds() (net.Listener, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go func() {
		var open sync.WaitGroup
		defer open.Wait()
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			open.Go(func() {
				c.Read(make([]byte, 1))
				// Otherwise the kernel would keep the port for a minute, and there are fewer than
				// the rounds need.
				c.(*net.TCPConn).SetLinger(0)
				c.Close()
			})
		}
	}()
	return l, nil
}
