//go:build ignore

// Waits starts copies of itself, which do nothing, and waits for each in a goroutine: in
// a system call that blocks its thread. It tells how many threads there are then.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"time"
)

const children = 20

func main() {
	if len(os.Args) > 1 { // a copy: it ends when its standard input does
		io.Copy(io.Discard, os.Stdin)
		return
	}
	runtime.GOMAXPROCS(2)
	fmt.Println("GOMAXPROCS 2; threads made at first:", threads())
	in, hold, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	ended := make(chan bool)
	for range children {
		child, err := os.StartProcess(os.Args[0], []string{os.Args[0], "child"}, &os.ProcAttr{Files: []*os.File{in, nil, nil}})
		if err != nil {
			panic(err)
		}
		go func() {
			child.Wait()
			ended <- true
		}()
	}
	for range 500 { // until all wait, but not for ever
		if threads() > children {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	fmt.Println("with", children, "goroutines in a system call that blocks:", threads())
	hold.Close()
	for range children {
		<-ended
	}
	fmt.Println("GOMAXPROCS is still", runtime.GOMAXPROCS(0))
}

// threads is how many threads the runtime has made.
func threads() int { return pprof.Lookup("threadcreate").Count() }
