package solutions_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/machine/sim"
)

// newCaller makes a scheduler for a program that makes system calls.
func newCaller(t *testing.T, v gmp.Version, opt gmp.Options, src string) (*gmp.Sched, *bytes.Buffer) {
	prog, err := compile.Compile([]machine.File{{Name: "prog.go", Source: src}})
	require.NoError(t, err)
	out := new(bytes.Buffer)
	opt.Machine.MemBytes, opt.Machine.Stdout = someMemory, out
	opt.Check = true
	s, err := gmp.New(v, prog, opt)
	require.NoError(t, err)
	return s, out
}

// With one M time is virtual: a long sleep takes none, and what was due meanwhile
// happens after it.
func TestNanosleepWithOneM(t *testing.T) {
	s, out := newCaller(t, goVersion(t, "0.x"), gmp.Options{}, `package main

import (
	"fmt"
	"syscall"
	"time"
)

func main() {
	began := time.Now()
	fired := time.After(time.Hour)
	ts := syscall.Timespec{Sec: 2 * 3600}
	err := syscall.Nanosleep(&ts, nil)
	fmt.Println(err, time.Since(began).Round(time.Millisecond))
	at := <-fired
	fmt.Println(at.Sub(began).Round(time.Minute), time.Since(began).Round(time.Millisecond))
	ts.Sec = 1<<63 - 1
	syscall.Nanosleep(&ts, nil)
	fmt.Println(time.Since(began) > 200*365*24*time.Hour)
}
`)
	res := s.Main()
	require.NoError(t, res.Err)
	assert.Equal(t, "<nil> 2h0m0s\n1h0m0s 2h0m0s\ntrue\n", out.String())
}

// With one M a call that would wait for another goroutine can never end. That is said,
// and who reads from outside is not meant.
func TestStuckWithOneM(t *testing.T) {
	for want, statement := range map[string]string{
		"goroutine 1 waits for data in an empty pipe": "r.Read(make([]byte, 1))",
		"goroutine 1 waits for room in a full pipe":   "w.Write(make([]byte, 70000))",
		"goroutine 2 waits for data in an empty pipe": "go r.Read(make([]byte, 1)); runtime.Gosched()",
	} {
		s, _ := newCaller(t, goVersion(t, "0.x"), gmp.Options{}, `package main

import (
	"os"
	"runtime"
)

func main() {
	r, w, _ := os.Pipe()
	`+statement+`
	r, w = w, r
	runtime.Gosched()
}
`)
		res := s.Main()
		assert.EqualError(t, res.Err, want+" in a system call that can never end: the only M of Go 0.x sleeps in it, so no other goroutine runs; "+
			"let the other one go first, or run the program on Go 1.0 or later")
		assert.Equal(t, 2, res.Status)
	}
}

// Standard input comes from Options, on threads and on simulated CPUs.
func TestStdin(t *testing.T) {
	const src = `package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	fmt.Printf("%q %v\n", text, err)
}
`
	for _, release := range []string{"0.x", "1.1"} {
		for name, main := range map[string]mainFunc{"threads": (*gmp.Sched).Main, "sim": onCPUs(t, 2, nil)} {
			in := gmp.Options{Machine: machine.Options{Stdin: strings.NewReader("one\ntwo\n")}}
			s, out := newCaller(t, goVersion(t, release), in, src)
			res := main(s)
			require.NoError(t, res.Err)
			assert.Equal(t, "\"one\\ntwo\\n\" <nil>\n", out.String(), "%s, %s", release, name)
		}
	}
}

// onCPUs is Main on simulated CPUs, beside another thread if that is not nil.
func onCPUs(t *testing.T, cpus int, beside func(s *gmp.Sched)) mainFunc {
	return func(s *gmp.Sched) (res gmp.Result) {
		_, err := sim.Run(sim.Options{CPUs: cpus, Seed: 1, Limit: sim.Second}, func() {
			if beside != nil {
				machine.Newosproc("beside", func() { beside(s) })
			}
			res = s.Main()
		})
		require.NoError(t, err)
		return res
	}
}

// signalAll signals every M.
func signalAll(s *gmp.Sched) {
	for mp := s.Allm.Load(); mp != nil; mp = mp.Alllink.Get() {
		mp.Thread.Signal.Send()
	}
}

const signalled = `package main

import (
	"fmt"
	"os"
	"syscall"
)

func main() {
	r, w, _ := os.Pipe()
	done := make(chan string)
	go func() {
		b := make([]byte, 4)
		n, err := r.Read(b) // begins again
		done <- fmt.Sprint("read ", n, " ", err)
	}()
	ts, left := syscall.Timespec{Sec: 1000}, syscall.Timespec{}
	err := syscall.Nanosleep(&ts, &left)
	fmt.Println(err, left.Sec >= 900 && left.Sec < 1000)
	sum := 0
	for i := range 30_000 {
		sum += i
	}
	fmt.Println(sum)
	w.Write([]byte("x"))
	fmt.Println(<-done)
}
`

const signalledOut = "interrupted system call true\n449985000\nread 1 <nil>\n"

// Signals to all Ms all the time: a sleep ends with its rest, a read of a pipe begins
// again, and whatever runs goes on where it was.
func TestSignalsOfAllMs(t *testing.T) {
	for _, release := range []string{"1.0", "1.1", "1.5"} {
		opt := gmp.Options{Procs: 4}
		s, out := newCaller(t, goVersion(t, release), opt, signalled)
		over, ended := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			for {
				select {
				case <-over:
					return
				default:
					signalAll(s)
					time.Sleep(100 * time.Microsecond)
				}
			}
		}()
		res := s.Main()
		close(over)
		<-ended
		require.NoError(t, res.Err)
		assert.Equal(t, signalledOut, out.String(), "%s on threads", release)

		s, out = newCaller(t, goVersion(t, release), opt, signalled)
		res = onCPUs(t, 2, func(s *gmp.Sched) {
			for {
				machine.Usleep(50)
				signalAll(s)
			}
		})(s)
		require.NoError(t, res.Err)
		assert.Equal(t, signalledOut, out.String(), "%s on simulated CPUs", release)
	}
}

// tellTale is a part that writes down what the router tells it, and what it has stored.
type tellTale struct {
	gmp.Syscalls
	s    *gmp.Sched
	said *[]string
}

func (p *tellTale) note(what string, gp *gmp.G) {
	block := gp.Sched.Args
	*p.said = append(*p.said, fmt.Sprint(what, " ", p.s.Machine.Word(block), ": ", int64(p.s.Machine.Word(block+32)), " ", p.s.Machine.Word(block+40)))
}

func (p *tellTale) Entersyscall(mp *gmp.M, gp *gmp.G) {
	block := gp.Sched.Args
	p.s.Machine.SetWord(block+32, 77) // no result yet
	p.s.Machine.SetWord(block+40, 77)
	p.note("enter", gp)
	if p.Syscalls != nil {
		p.Syscalls.Entersyscall(mp, gp)
	} else {
		p.s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
	}
}

func (p *tellTale) Exitsyscall(mp *gmp.M, gp *gmp.G) {
	p.note("exit", gp)
	if p.Syscalls != nil {
		p.Syscalls.Exitsyscall(mp, gp)
	} else {
		p.s.Casgstatus(gp, gmp.Gsyscall, gmp.Grunning)
	}
}

// Before a system call the router calls Entersyscall, and Exitsyscall when the results
// are stored; not around one that cannot block.
func TestRouterTellsOfSystemCalls(t *testing.T) {
	for _, release := range []string{"0.x", "1.1"} {
		var said []string
		v := goVersion(t, release)
		right := v.Syscalls
		v.Syscalls = func(s *gmp.Sched) gmp.Syscalls {
			p := &tellTale{s: s, said: &said}
			if right != nil {
				p.Syscalls = right(s)
			}
			return p
		}
		s, out := newCaller(t, v, gmp.Options{}, `package main

import (
	"fmt"
	"syscall"
)

func main() {
	fmt.Println(syscall.Getpid() > 0)
	var p [2]int
	syscall.Pipe(p[:])
	n, err := syscall.Write(p[1], []byte("abc"))
	fmt.Println(n, err)
	fmt.Println(syscall.Close(77))
}
`)
		res := s.Main()
		require.NoError(t, res.Err)
		assert.Equal(t, "true\n3 <nil>\nbad file descriptor\n", out.String())
		assert.Equal(t, []string{
			"enter 22: 77 77", "exit 22: 0 0",
			"enter 1: 77 77", "exit 1: 3 0",
			"enter 3: 77 77", "exit 3: -1 9",
		}, said, release)
	}
}

// What a program writes by a system call to its standard output is in the log of the
// run like what it prints.
func TestLogHasSystemCallsThatWrite(t *testing.T) {
	s, _ := newCaller(t, goVersion(t, "0.x"), gmp.Options{Trace: true}, `package main

import "syscall"

func main() { syscall.Write(1, []byte("hello")) }
`)
	res := s.Main()
	require.NoError(t, res.Err)
	var log bytes.Buffer
	_, err := res.Log.WriteTo(&log)
	require.NoError(t, err)
	assert.Contains(t, log.String(), `"hello"`)
}
