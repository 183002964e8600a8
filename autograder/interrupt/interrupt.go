// Package interrupt ends the command when somebody asks it to: with Ctrl-C or SIGTERM, or by no
// longer reading what it writes.
package interrupt

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"gosched/chapters/gmp"
)

// Context returns a context that ends when the process is asked to end. The cause is a
// gmp.Ending with the status that a shell reports of a process that such a signal has ended. Whoever
// asks a second time does not want to wait for what is still to be written: the process ends at
// once.
func Context() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	asked := make(chan gmp.Ending)
	go func() {
		for sig := range signals {
			asked <- ending(sig)
		}
	}()
	go func() {
		if underGoRun() { // which is ended by SIGTERM, and tells us nothing
			awaitParent()
			asked <- gmp.Ending{Why: "go run was ended", Status: 128 + int(syscall.SIGTERM)}
		}
	}()
	go func() {
		cancel(<-asked)
		again := <-asked
		unfinished.remove()
		os.Exit(again.Status)
	}()
	return ctx
}

// ending is how a signal ends the process.
func ending(sig os.Signal) gmp.Ending {
	number, _ := sig.(syscall.Signal)
	return gmp.Ending{Why: sig.String(), Status: 128 + int(number)}
}

// Output is w, a standard output or error. Once it is called, a pipe that nobody reads is an
// error of a write to any of them, and not the end of the process; the error is a gmp.Ending.
func Output(w io.Writer) io.Writer {
	keepPipes()
	return output{w}
}

var keepPipes = sync.OnceFunc(func() { signal.Notify(make(chan os.Signal, 1), sigpipe) })

type output struct{ w io.Writer }

func (o output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		e := ending(sigpipe)
		e.Silent = true
		return n, e
	}
	return n, err
}

// sigpipe is what a process gets that writes to a pipe without a reader. It has this number wherever
// there is one.
const sigpipe = syscall.Signal(13)

// unfinished are files that are not whole yet.
var unfinished files

type files struct {
	mu    sync.Mutex
	names map[string]bool
}

// Unfinished says that the file of this name is not whole until the caller calls done. If the process
// is ended before, it leaves no part of the file behind.
func Unfinished(name string) (done func()) {
	f := &unfinished
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.names == nil {
		f.names = map[string]bool{}
	}
	f.names[name] = true
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.names, name)
	}
}

// remove removes them. No file can be finished after that.
func (f *files) remove() {
	f.mu.Lock()
	for name := range f.names {
		_ = os.RemoveAll(name)
	}
}
