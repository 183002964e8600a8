package load

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Server is a process that serves, as the servers in chapters/ch18_whole/programs do: the
// first line that it prints is its address, and it ends when its standard input does.
type Server struct {
	Addr string

	cmd    *exec.Cmd
	stdin  io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
	stop   func() (string, error)
}

// Ours starts the program in file on the course's scheduler for a version of Go, with so many
// Ps, and with further arguments. binary is the command in autograder/load/ours.
func Ours(ctx context.Context, binary, file, version string, procs int, args ...string) (*Server, error) {
	args = append([]string{version, strconv.Itoa(procs), file, "-addr", "127.0.0.1:0"}, args...)
	return start(exec.CommandContext(ctx, binary, args...))
}

// Exercises is Ours on the scheduler of the exercises. binary is the command in
// exercises/play.
func Exercises(ctx context.Context, binary, file, version string, procs int, args ...string) (*Server, error) {
	args = append([]string{"--go", version, "--procs", strconv.Itoa(procs), "--net", "host", "--mem", "256",
		"--", file, "-addr", "127.0.0.1:0"}, args...)
	return start(exec.CommandContext(ctx, binary, args...))
}

// Go starts a program that Go has built, with so many Ps.
func Go(ctx context.Context, binary string, procs int, args ...string) (*Server, error) {
	cmd := exec.CommandContext(ctx, binary, append([]string{"-addr", "127.0.0.1:0"}, args...)...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(procs))
	return start(cmd)
}

func start(cmd *exec.Cmd) (*Server, error) {
	s := &Server{cmd: cmd}
	s.stop = sync.OnceValues(s.end)
	cmd.Stderr = &s.stderr
	var err error
	if s.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s.out = bufio.NewReader(out)
	line, err := s.out.ReadString('\n')
	if err != nil {
		s.stop()
		return nil, fmt.Errorf("the server did not start: %s", s.Said())
	}
	s.Addr = strings.TrimSpace(line)
	return s, nil
}

// A Usage is what a server has at a moment.
type Usage struct {
	Goroutines int
	Bytes      int // of the objects in use, right after a collection
	Files      int // descriptors of the process, 0 where that cannot be told: only on Linux it can
	Threads    int // of the process, likewise
}

// Usage asks the server what it has.
func (s *Server) Usage() (Usage, error) { return s.ask("") }

// CloseListener lets the server accept no more connections, and asks it what it then has.
func (s *Server) CloseListener() (Usage, error) { return s.ask("close") }

func (s *Server) ask(line string) (u Usage, err error) {
	if _, err = fmt.Fprintln(s.stdin, line); err == nil {
		_, err = fmt.Fscanln(s.out, &u.Goroutines, &u.Bytes)
	}
	if err != nil {
		return Usage{}, s.because(fmt.Errorf("the server does not say what it has: %w", err))
	}
	u.Files, u.Threads = s.count("fd"), s.count("task")
	return u, nil
}

// count returns how many entries a folder of the process has.
func (s *Server) count(dir string) int {
	entries, _ := os.ReadDir(fmt.Sprintf("/proc/%d/%s", s.cmd.Process.Pid, dir))
	return len(entries)
}

// What a server may keep. Each connection that it has had at once has a place in a table, in both
// its program and its scheduler; its buffers, which it may not keep, are at least twice as large.
const (
	bytesPerConn = 2 << 10
	bytesBesides = 64 << 10
)

// maxThreads is how many threads a server with so many Ps may have that has had so many
// connections at once. For a connection it needs none: a call on a socket never waits. Besides those
// that run goroutines there are its monitor, one that waits for the network, one that reads
// standard input, and those of Go's scheduler below the machine's. And one is made whenever
// another one loses its P within a call, since the host takes the CPU away at that moment: so how
// many there are depends on how busy the host is, too. On one with ten times as many threads to run
// as CPUs a server with 1,000 connections had 50.
func maxThreads(procs, conns int) int { return 4*procs + 32 + conns/10 }

// kept says what a server with so many Ps has kept of what it took since it had u. So many
// connections have been open at once.
func (u Usage) kept(now Usage, procs, conns int) error {
	switch {
	case now.Goroutines != u.Goroutines:
		return fmt.Errorf("the server has %d goroutines in the end, and had %d", now.Goroutines, u.Goroutines)
	case now.Files > u.Files:
		return fmt.Errorf("the server has %d descriptors in the end, and had %d", now.Files, u.Files)
	case now.Threads > maxThreads(procs, conns):
		return fmt.Errorf("the server has %d threads in the end, and needs no more than %d, with %d Ps and at most %d connections at once", now.Threads, maxThreads(procs, conns), procs, conns)
	case now.Bytes > u.Bytes+bytesBesides+conns*bytesPerConn:
		return fmt.Errorf("the server uses %d bytes in the end, and used %d", now.Bytes, u.Bytes)
	}
	return nil
}

// settles is for how long a server that has nothing to do may still be busy with the last clients.
const settles = 2 * time.Second

// settle asks the server what it has until that is right. If it is not, and the server has given
// nothing back in a hundred answers, nor for so long, the error says what is wrong.
func (s *Server) settle(quiet time.Duration, wrong func(Usage) error) (Usage, error) {
	const answers = 100
	least := Usage{Goroutines: math.MaxInt, Files: math.MaxInt, Bytes: math.MaxInt}
	same, since := 0, time.Now()
	for {
		u, err := s.Usage()
		if err != nil {
			return u, err
		}
		err = wrong(u)
		if err == nil {
			return u, nil
		}
		if u.Goroutines < least.Goroutines || u.Files < least.Files || u.Bytes < least.Bytes {
			same, since = 0, time.Now()
		}
		least = Usage{Goroutines: min(u.Goroutines, least.Goroutines), Files: min(u.Files, least.Files), Bytes: min(u.Bytes, least.Bytes)}
		if same++; same > answers && time.Since(since) > quiet {
			return u, err
		}
		time.Sleep(quiet / answers)
	}
}

// because is err, or why the server has ended, if it has: its clients only see the end.
func (s *Server) because(err error) error {
	if _, ended := s.Stop(); ended != nil {
		return ended
	}
	return err
}

// Stop ends the server, and returns what else it has printed.
func (s *Server) Stop() (string, error) { return s.stop() }

func (s *Server) end() (string, error) {
	s.stdin.Close()
	hangs := time.AfterFunc(Patience, func() { s.cmd.Process.Kill() })
	rest, _ := io.ReadAll(s.out)
	err := s.cmd.Wait()
	if !hangs.Stop() {
		return "", fmt.Errorf("the server has not ended %v after the end of its standard input", Patience)
	}
	if err != nil {
		return "", fmt.Errorf("the server: %w: %s", err, s.Said())
	}
	return strings.TrimSpace(string(rest)), nil
}

// Said is what the server has written to standard error. It may be called after Stop.
func (s *Server) Said() string { return strings.TrimSpace(s.stderr.String()) }
