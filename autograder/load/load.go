// Package load asks a server more than it is used to, from outside its process: many clients at
// once, and clients that fail. It serves programs with the same source on the course's scheduler
// and under Go, and compares them. It never grades.
package load

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// Programs are the servers in chapters/ch18_whole/programs that can be put under load.
var Programs = []string{"chat", "echo", "http"}

// A Protocol is what a client sends as the request with a number, and what it must get.
type Protocol func(client, request int) (send, want string)

// Protocols are those of the servers that answer requests, by the program's name.
var Protocols = map[string]Protocol{"echo": Lines, "http": HTTP}

// Lines is the protocol of echo.go.
func Lines(client, request int) (send, want string) {
	line := fmt.Sprintf("request %d of client %d\n", request, client)
	return line, line
}

// HTTP is the protocol of http.go: each tenth request is for a page that does not exist.
func HTTP(client, request int) (send, want string) {
	if request%10 == 9 {
		path := fmt.Sprintf("/%d/%d", client, request)
		return fmt.Sprintf("GET %s HTTP/1.1\r\nHost: here\r\n\r\n", path), answer("404 Not Found", "nothing is at "+path+"\n")
	}
	body, _ := Lines(client, request)
	return fmt.Sprintf("POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n\r\n%s", len(body), body), answer("200 OK", body)
}

// answer is how http.go answers, with further lines in its head.
func answer(status, body string, head ...string) string {
	text := fmt.Sprintf("HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n", status, len(body))
	for _, line := range head {
		text += line + "\r\n"
	}
	return text + "\r\n" + body
}

// timedOut is how http.go answers a request that takes too long to come.
var timedOut = answer("408 Request Timeout", "408 Request Timeout\n", "Connection: close")

// Patience is after what time without an answer something is lost, and not just late. Tests that
// lose something set it to less.
var Patience = 2 * time.Minute

// A Work is what clients do with a server.
type Work interface {
	// Run does it with the server at addr. The error says what was lost, or wrong.
	Run(ctx context.Context, addr string) (Result, error)
	// conns is how many connections there are at once.
	conns() int
}

// Of is the work for a program: so many connections at once, and so many answers in all.
func Of(program string, conns, requests int) Work {
	if program == "chat" {
		return Chat{Guests: conns, Lines: requests / conns}
	}
	return Load{Protocol: Protocols[program], Conns: conns, Requests: requests}
}

// A Load is how much a server is asked that answers requests.
type Load struct {
	Protocol Protocol
	Conns    int // connections, all open at once; each sends a request when it has its answer
	Requests int // in all, a multiple of Conns

	// limit is how long a connection of the server may be idle, and a request may take to come; 0
	// if that is no matter. If a client has been slower than that, Run returns errBusy.
	limit time.Duration
	// answered is called with the number of answers that there are, after each one; it may be nil.
	answered func(n int64)
}

// errBusy says that a client without a fault has exceeded the server's time limit.
var errBusy = errors.New("this computer is too busy for the time limit of the server")

// A Result is how a server did.
type Result struct {
	PerSecond float64       // requests answered, or lines heard
	P50, P99  time.Duration // from a request to its answer
	Threads   int           // that the server had in the end, 0 where that cannot be told
}

// result is the Result of answers that came within a time.
func result(latencies [][]time.Duration, took time.Duration) Result {
	all := slices.Concat(latencies...)
	slices.Sort(all)
	return Result{
		PerSecond: float64(len(all)) / took.Seconds(),
		P50:       all[(len(all)-1)/2],
		P99:       all[(len(all)-1)*99/100],
	}
}

// MaxConns is how many connections a server can have: the machine has 1024 descriptors, as a
// process on Linux has by default, and some are for other files.
const MaxConns = 1000

// Serve starts a server with so many Ps, does the work, and stops the server. When the work is
// done the server must have given everything back that it took for it.
func Serve(ctx context.Context, w Work, start func() (*Server, error), procs int) (Result, error) {
	s, err := start()
	if err != nil {
		return Result{}, err
	}
	defer s.Stop()
	before, err := s.Usage()
	if err != nil {
		return Result{}, err
	}
	r, err := w.Run(ctx, s.Addr)
	if err != nil {
		return Result{}, s.because(err)
	}
	after, err := s.settle(settles, func(u Usage) error { return before.kept(u, procs, w.conns()) })
	if err != nil {
		return Result{}, err
	}
	r.Threads = after.Threads
	_, err = s.Stop()
	return r, err
}

func (l Load) conns() int { return l.Conns }

// dial connects. The connection ends with ctx, and a client that gets nothing for Patience has lost it.
func dial(ctx context.Context, addr string) (*net.TCPConn, error) {
	c, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { c.Close() })
	return c.(*net.TCPConn), c.SetDeadline(time.Now().Add(Patience))
}

// Run puts the load on the server at addr. All requests must be answered, each with its own
// answer, in the order in which they were sent; the error says what was not.
func (l Load) Run(ctx context.Context, addr string) (Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	conns := make([]*net.TCPConn, l.Conns)
	for i := range conns {
		c, err := dial(ctx, addr)
		if err != nil {
			return Result{}, fmt.Errorf("connection %d of %d: %w", i+1, l.Conns, err)
		}
		defer c.Close()
		conns[i] = c
	}
	each := l.Requests / l.Conns
	latencies := make([][]time.Duration, l.Conns)
	var answers atomic.Int64
	var clients errgroup.Group
	started := time.Now()
	for i, c := range conns {
		clients.Go(func() (err error) {
			latencies[i], err = l.client(i, c, each, started, &answers)
			return err
		})
	}
	if err := clients.Wait(); err != nil {
		return Result{}, err
	}
	return result(latencies, time.Since(started)), nil
}

// client is the i-th client, connected at some time. It returns how long it has waited for each
// answer.
func (l Load) client(i int, c net.Conn, requests int, connected time.Time, answers *atomic.Int64) ([]time.Duration, error) {
	in := bufio.NewReader(c)
	latencies := make([]time.Duration, requests)
	idle := connected // since when the server may have found the connection idle
	for j := range latencies {
		send, want := l.Protocol(i, j)
		sent := time.Now()
		c.SetDeadline(sent.Add(Patience))
		_, err := io.WriteString(c, send)
		got := make([]byte, len(want))
		n := 0
		if err == nil {
			n, err = io.ReadFull(in, got)
		}
		took := time.Since(sent)
		switch {
		case l.limit > 0 && err != nil && n == 0 && time.Since(idle) >= l.limit,
			l.limit > 0 && took >= l.limit && bytes.HasPrefix([]byte(timedOut), got[:min(n, 12)]):
			return nil, errBusy
		case err != nil:
			return nil, fmt.Errorf("client %d, request %d: %w after %q", i, j, err, got[:n])
		case !bytes.Equal(got, []byte(want)):
			return nil, fmt.Errorf("client %d, request %d: the answer is %q, not %q", i, j, got, want)
		}
		latencies[j], idle = took, sent
		if l.answered != nil {
			l.answered(answers.Add(1))
		}
	}
	return latencies, nil
}
