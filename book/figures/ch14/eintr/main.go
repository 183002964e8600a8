//go:build unix

// Eintr runs ../calls.go, and sends the thread of its main goroutine a signal every millisecond:
// under the installed Go, and on the scheduler of Go 1.14 of the course.
//
//	go run ./book/figures/ch14/eintr
package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"gosched/book/figures/ch14"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/solutions"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	theirs, err := golang()
	if err != nil {
		return err
	}
	fmt.Printf("The installed Go\n%s\n", theirs)
	ours, err := course()
	if err != nil {
		return err
	}
	fmt.Printf("Go 1.14 of the course\n%s", ours)
	return nil
}

// golang is what the program prints under the installed Go. The kernel gives a signal for a
// process to its first thread, as long as that one can take it.
func golang() (string, error) {
	binary, remove, err := ch14.Build(ch14.Calls)
	if err != nil {
		return "", err
	}
	defer remove()
	var out strings.Builder
	cmd := exec.Command(binary)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return "", err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			return out.String(), err
		case <-time.After(time.Millisecond):
			_ = cmd.Process.Signal(syscall.SIGURG) // it may have ended
		}
	}
}

// course is what the program prints on our scheduler, on real threads. There the signal goes to
// every M, and says nothing: no goroutine was asked to stop.
func course() (string, error) {
	v, err := solutions.Go("1.14")
	if err != nil {
		return "", err
	}
	prog, err := compile.Compile([]machine.File{{Name: "calls.go", Source: ch14.Calls}})
	if err != nil {
		return "", err
	}
	var out strings.Builder
	s, err := gmp.New(v, prog, gmp.Options{Machine: machine.Options{Stdout: &out, Stderr: io.Discard}, Procs: 2, Seed: 1})
	if err != nil {
		return "", err
	}
	var over atomic.Bool
	sent := make(chan bool)
	go func() {
		defer close(sent)
		for !over.Load() {
			time.Sleep(time.Millisecond)
			for mp := s.Allm.Load(); mp != nil; mp = mp.Alllink.Peek() {
				s.PreemptM(nil, mp)
			}
		}
	}()
	result := s.Main()
	over.Store(true)
	<-sent
	return out.String(), result.Err
}
