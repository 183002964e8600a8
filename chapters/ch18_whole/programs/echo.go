//go:build ignore

// A server answers each line with the same line. Without arguments it serves a few clients
// of its own; with -addr it serves the world, until its standard input ends. To each line of
// standard input it says how many goroutines there are, and how much memory is in use.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"runtime"
	"sync"
	"time"
)

// longest is how long a line may be, with its end.
const longest = 4096

// A server serves the connections of one listener.
type server struct {
	l    net.Listener
	idle time.Duration // how long a client may say nothing

	serving sync.WaitGroup
	mu      sync.Mutex
	open    map[net.Conn]bool
	lines   int
}

func main() {
	addr := flag.String("addr", "", "the `address` to serve the world at")
	idle := flag.Int("idle", 10_000, "after how many `milliseconds` of silence a client is left")
	flag.Parse()
	at := *addr
	if at == "" {
		at = "127.0.0.1:0"
	}
	l, err := net.Listen("tcp", at)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	s := &server{l: l, idle: time.Duration(*idle) * time.Millisecond, open: map[net.Conn]bool{}}
	accepting := make(chan bool)
	go func() {
		s.accept()
		close(accepting)
	}()
	if *addr == "" {
		visit(l.Addr().String())
	} else {
		fmt.Println(l.Addr())
		answerQuestions(l)
	}
	l.Close()
	<-accepting
	s.closeAll()
	s.serving.Wait()
	fmt.Println(s.lines, "lines")
}

// accept serves each connection in a goroutine of its own, until the listener is closed.
func (s *server) accept() {
	for {
		c, err := s.l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // such as too many open files: soon there may be fewer
			time.Sleep(5 * time.Millisecond)
			continue
		}
		s.mu.Lock()
		s.open[c] = true
		s.mu.Unlock()
		s.serving.Go(func() {
			lines := s.echo(c)
			c.Close()
			s.mu.Lock()
			delete(s.open, c)
			s.lines += lines
			s.mu.Unlock()
		})
	}
}

// echo serves one connection, and returns how many lines it has answered.
func (s *server) echo(c net.Conn) (lines int) {
	in := bufio.NewReaderSize(c, longest)
	for {
		c.SetDeadline(time.Now().Add(s.idle))
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			fmt.Fprintf(c, "error: a line of more than %d bytes\n", longest)
			return lines
		}
		if err != nil {
			return lines
		}
		if _, err := c.Write(line); err != nil {
			return lines
		}
		lines++
	}
}

// closeAll ends the connections that are still open. No more may come in.
func (s *server) closeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.open {
		c.Close()
	}
}

// answerQuestions answers each line of standard input, up to its end. After the line "close" no
// more connections are accepted.
func answerQuestions(l net.Listener) {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		if in.Text() == "close" {
			l.Close()
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		fmt.Println(runtime.NumGoroutine(), m.HeapAlloc)
	}
}

// visit is a few clients.
func visit(addr string) {
	const clients, lines = 20, 10
	var all sync.WaitGroup
	answers := make([]int, clients)
	for i := range clients {
		all.Go(func() {
			c, err := net.Dial("tcp", addr)
			if err != nil {
				fmt.Println(err)
				return
			}
			defer c.Close()
			in := bufio.NewReader(c)
			for j := range lines {
				line := fmt.Sprintf("line %d of client %d\n", j, i)
				fmt.Fprint(c, line)
				if answer, err := in.ReadString('\n'); err == nil && answer == line {
					answers[i]++
				}
			}
		})
	}
	all.Wait()
	right := 0
	for _, n := range answers {
		right += n
	}
	fmt.Println(right, "answers are right")
}
