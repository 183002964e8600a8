// Real runs itself with GODEBUG=schedtrace=20 and GOMAXPROCS=1: two goroutines that compute.
//
//	go run ./book/figures/ch12/real
package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

//go:noinline
func step(x int) int { return (x*1103515245 + 12345) & 0x7fffffff }

func main() {
	if len(os.Args) > 1 {
		hogs()
		return
	}
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	cmd := exec.Command(self, "child")
	cmd.Env = append(os.Environ(), "GODEBUG=schedtrace=20", "GOMAXPROCS=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, line := range strings.SplitAfter(string(out), "\n") {
		fmt.Print(line)
	}
}

func hogs() {
	began, done := time.Now(), make(chan int)
	for range 2 {
		go func() {
			x := 1
			for time.Since(began) < 110*time.Millisecond {
				for range 1000 {
					x = step(x)
				}
			}
			done <- x
		}()
	}
	<-done
	<-done
}
