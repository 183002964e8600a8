// Threads counts the threads that wait beside goroutines in Read: of connections, for which the
// netpoller waits, and of files in blocking mode, for which a thread does.
//
//	go run ./book/figures/ch16/threads
package main

import (
	"fmt"
	"net"
	"os"
	"runtime/pprof"
	"sync"
	"time"
)

const many = 500

// waiting starts a goroutine for each read, and returns how many threads were made meanwhile.
func waiting(reads []func()) int {
	before := pprof.Lookup("threadcreate").Count()
	var began sync.WaitGroup
	for _, read := range reads {
		began.Add(1)
		go func() {
			began.Done()
			read()
		}()
	}
	began.Wait()
	time.Sleep(200 * time.Millisecond)
	return pprof.Lookup("threadcreate").Count() - before
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func main() {
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	var sockets, pipes []func()
	for range many {
		c := must(net.Dial("tcp", l.Addr().String()))
		defer must(l.Accept()).Close()
		sockets = append(sockets, func() { c.Read(make([]byte, 1)) })
		r, w, err := os.Pipe()
		if err != nil {
			panic(err)
		}
		defer w.Close()
		r.Fd() // in blocking mode from now on
		pipes = append(pipes, func() { r.Read(make([]byte, 1)) })
	}
	fmt.Printf("goroutines in Read  new threads\n")
	fmt.Printf("%d of sockets     %d\n", many, waiting(sockets))
	fmt.Printf("%d of pipes       %d\n", many, waiting(pipes))
}
