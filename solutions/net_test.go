package solutions_test

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/machine/sim"
	"gosched/chapters/sample"
	"gosched/solutions"
)

// server is a program that a process outside can talk to. It prints its address, answers
// each line in capitals, and ends when it is told to.
const server = `
package main

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(l.Addr())
	var serving sync.WaitGroup
	var mu sync.Mutex
	served := 0
	for {
		c, err := l.Accept()
		if err != nil {
			break
		}
		serving.Go(func() {
			defer c.Close()
			in := bufio.NewScanner(c)
			in.Buffer(make([]byte, 128), 128)
			for in.Scan() {
				if in.Text() == "end" {
					l.Close()
					return
				}
				c.Write([]byte(strings.ToUpper(in.Text()) + "\n"))
				mu.Lock()
				served++
				mu.Unlock()
			}
		})
	}
	serving.Wait()
	fmt.Println(served, "served")
}
`

// printed collects what a program prints, and tells its first line.
type printed struct {
	mu    sync.Mutex
	all   bytes.Buffer
	first chan string
}

func (p *printed) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	had := strings.Contains(p.all.String(), "\n")
	p.all.Write(text)
	if line, _, ok := strings.Cut(p.all.String(), "\n"); ok && !had {
		p.first <- line
	}
	return len(text), nil
}

// A program serves a client outside: 200 connections, 5,000 requests, and nothing is lost;
// then it gives everything back that it had of the host.
func TestServesTheWorld(t *testing.T) {
	const conns, requests = 200, 25
	prog, err := compile.Compile([]machine.File{{Name: "server.go", Source: server}})
	require.NoError(t, err)
	before := openFiles()
	versions := sample.Deal(0, len(solutions.Versions())/2+1, solutions.Versions())
	for _, release := range versions {
		t.Run(release, func(t *testing.T) {
			v, err := solutions.Go(release)
			require.NoError(t, err)
			out := &printed{first: make(chan string, 1)}
			s, err := gmp.New(v, prog, gmp.Options{Procs: 2, Check: true, Machine: machine.Options{Stdout: out, Network: machine.HostNetwork, MemBytes: 256 << 20}})
			if err != nil {
				t.Skip(err)
			}
			ended := make(chan gmp.Result)
			go func() { ended <- s.Main() }()
			addr := <-out.first
			var clients errgroup.Group
			clients.SetLimit(100)
			for i := range conns {
				clients.Go(func() error { return ask(addr, i, requests) })
			}
			assert.NoError(t, clients.Wait())
			c, err := net.Dial("tcp", addr)
			require.NoError(t, err)
			fmt.Fprintln(c, "end")
			res := <-ended
			c.Close()
			require.NoError(t, res.Err)
			assert.Zero(t, res.Status, res.Fatal)
			_, rest, _ := strings.Cut(out.all.String(), "\n")
			assert.Equal(t, fmt.Sprintln(conns*requests, "served"), rest)
		})
	}
	if before >= 0 {
		assert.LessOrEqual(t, openFiles(), before+1, "open files of this process") // Go's own poller
	}
}

// ask is one client, the i-th.
func ask(addr string, i, requests int) error {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer c.Close()
	in := bufio.NewReader(c)
	for j := range requests {
		if _, err := fmt.Fprintf(c, "request %d of client %d\n", j, i); err != nil {
			return err
		}
		answer, err := in.ReadString('\n')
		if want := fmt.Sprintf("REQUEST %d OF CLIENT %d\n", j, i); err != nil || answer != want {
			return fmt.Errorf("%q instead of %q, %v", answer, want, err)
		}
	}
	return nil
}

// openFiles is how many files this process has open, -1 if nobody says.
func openFiles() int {
	dir, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return -1
	}
	return len(dir)
}

// playNet runs a program on a version, on the machine's own network.
func playNet(t *testing.T, release, source string, procs int, main func(s *gmp.Sched) gmp.Result) (gmp.Result, string) {
	prog, err := compile.Compile([]machine.File{{Name: "prog.go", Source: source}})
	require.NoError(t, err)
	v, err := solutions.Go(release)
	require.NoError(t, err)
	var out bytes.Buffer
	s, err := gmp.New(v, prog, gmp.Options{Procs: procs, Check: true, Machine: machine.Options{Stdout: &out, Network: machine.OwnNetwork}})
	require.NoError(t, err)
	return main(s), out.String()
}

// A program that ends while others wait for the network leaves nobody behind.
func TestEndsWhileOthersWait(t *testing.T) {
	const source = `
package main

import "net"

func main() {
	l, _ := net.Listen("tcp", "127.0.0.1:0")
	go l.Accept()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	go c.Read(make([]byte, 1))
	println(err == nil)
}
`
	for _, release := range solutions.Versions() {
		res, _ := playNet(t, release, source, 2, (*gmp.Sched).Main)
		assert.NoError(t, res.Err, release)
		assert.Zero(t, res.Status, release)
	}
}

// A goroutine that waits for the network is no deadlock, as long as something may come: with
// many Ms one of them waits there. With one M on the machine's own network nothing can come,
// and the run says so instead of waiting for ever.
func TestWaitingForTheNetworkIsNoDeadlock(t *testing.T) {
	const source = `
package main

import (
	"fmt"
	"net"
	"time"
)

func main() {
	l, _ := net.Listen("tcp", "127.0.0.1:0")
	if SLEEP {
		go func() {
			time.Sleep(2 * time.Millisecond)
			net.Dial("tcp", l.Addr().String())
		}()
	}
	_, err := l.Accept()
	fmt.Println(err)
}
`
	for _, release := range solutions.Versions() {
		res, out := playNet(t, release, strings.Replace(source, "SLEEP", "true", 1), 2, (*gmp.Sched).Main)
		assert.NoError(t, res.Err, release)
		assert.Equal(t, "<nil>\n", out, release)
	}
	res, _ := playNet(t, "0.x", strings.Replace(source, "SLEEP", "false", 1), 1, (*gmp.Sched).Main)
	assert.ErrorContains(t, res.Err, "all goroutines wait for the network")

	// With many Ms it waits for ever, as real Go does; on simulated CPUs one can see that.
	for _, release := range []string{"1.0", "1.14"} {
		var err error
		playNet(t, release, strings.Replace(source, "SLEEP", "false", 1), 2, func(s *gmp.Sched) (res gmp.Result) {
			_, err = sim.Run(sim.Options{CPUs: 2, Limit: sim.Second}, func() { res = s.Main() })
			return res
		})
		assert.Error(t, err, release)
	}
}

// Descriptors run out: the error is the one of real Go, and closing helps.
func TestTooManyOpenFiles(t *testing.T) {
	const source = `
package main

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

func main() {
	l, _ := net.Listen("tcp", "127.0.0.1:0")
	go func() {
		for {
			if _, err := l.Accept(); err != nil {
				return
			}
		}
	}()
	var all []net.Conn
	for {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			fmt.Println(errors.Is(err, syscall.EMFILE), err.(*net.OpError).Err, len(all) > 400)
			break
		}
		all = append(all, c)
	}
	for _, c := range all {
		c.Close()
	}
	_, err := net.Listen("tcp", "127.0.0.1:0")
	fmt.Println(err)
}
`
	res, out := playNet(t, "1.14", source, 2, (*gmp.Sched).Main)
	assert.NoError(t, res.Err)
	assert.Equal(t, "true socket: too many open files true\n<nil>\n", out)
}
