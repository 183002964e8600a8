package load

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// A Server is a process that serves, as the servers in chapters/ch18_whole/programs do: the
// first line that it prints is its address, and it ends when its standard input does.
type Server struct {
	Addr string

	cmd    *exec.Cmd
	stdin  io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
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
func Go(ctx context.Context, binary string, procs int) (*Server, error) {
	cmd := exec.CommandContext(ctx, binary, "-addr", "127.0.0.1:0")
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(procs))
	return start(cmd)
}

func start(cmd *exec.Cmd) (*Server, error) {
	s := &Server{cmd: cmd}
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
		s.stdin.Close()
		cmd.Wait()
		return nil, fmt.Errorf("the server did not start: %s", bytes.TrimSpace(s.stderr.Bytes()))
	}
	s.Addr = strings.TrimSpace(line)
	return s, nil
}

// Usage asks the server how many goroutines it has, and how many bytes are in use.
func (s *Server) Usage() (goroutines, bytes int, err error) {
	if _, err := io.WriteString(s.stdin, "\n"); err != nil {
		return 0, 0, err
	}
	_, err = fmt.Fscanln(s.out, &goroutines, &bytes)
	return goroutines, bytes, err
}

// Pid is the number of the server's process.
func (s *Server) Pid() int { return s.cmd.Process.Pid }

// Stop ends the server, and returns what else it has printed.
func (s *Server) Stop() (string, error) {
	s.stdin.Close()
	rest, _ := io.ReadAll(s.out)
	if err := s.cmd.Wait(); err != nil {
		return "", fmt.Errorf("the server: %w: %s", err, bytes.TrimSpace(s.stderr.Bytes()))
	}
	return strings.TrimSpace(string(rest)), nil
}
