// Package load asks a server more than it is used to: many clients at once, from outside its
// process. It serves two servers with the same source, one on the course's scheduler and one
// under Go, and compares them. It never grades.
package load

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// A Protocol is what a client sends as the request with a number, and what it must get.
type Protocol func(client, request int) (send, want string)

// Protocols are those of the servers in chapters/ch18_whole/programs, by the program's name.
var Protocols = map[string]Protocol{"echo": Lines, "http": HTTP}

// Lines is the protocol of echo.go.
func Lines(client, request int) (send, want string) {
	line := fmt.Sprintf("request %d of client %d\n", request, client)
	return line, line
}

// HTTP is the protocol of http.go: each tenth request is for a page that does not exist.
func HTTP(client, request int) (send, want string) {
	const answer = "HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s"
	if request%10 == 9 {
		path := fmt.Sprintf("/%d/%d", client, request)
		body := "nothing is at " + path + "\n"
		return fmt.Sprintf("GET %s HTTP/1.1\r\nHost: here\r\n\r\n", path), fmt.Sprintf(answer, "404 Not Found", len(body), body)
	}
	body, _ := Lines(client, request)
	return fmt.Sprintf("POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n\r\n%s", len(body), body), fmt.Sprintf(answer, "200 OK", len(body), body)
}

// A Load is how much a server is asked.
type Load struct {
	Protocol Protocol
	Conns    int // connections, all open at once; each sends a request when it has its answer
	Requests int // in all, a multiple of Conns
}

// A Result is how a server did.
type Result struct {
	PerSecond float64       // requests answered
	P50, P99  time.Duration // from a request to its answer
}

// MaxConns is how many connections a server can have: the machine has 1024 descriptors, as a
// process on Linux has by default, and some are for other files.
const MaxConns = 1000

// Serve starts a server, puts the load on it, and stops it.
func (l Load) Serve(ctx context.Context, start func() (*Server, error)) (Result, error) {
	s, err := start()
	if err != nil {
		return Result{}, err
	}
	result, err := l.Run(ctx, s.Addr)
	if _, stopped := s.Stop(); err == nil {
		err = stopped
	}
	return result, err
}

// Run puts the load on the server at addr. All requests must be answered, each with its own
// answer, in the order in which they were sent; the error says what was not.
func (l Load) Run(ctx context.Context, addr string) (Result, error) {
	conns := make([]net.Conn, l.Conns)
	defer func() {
		for _, c := range conns {
			if c != nil {
				c.Close()
			}
		}
	}()
	var dialer net.Dialer
	for i := range conns {
		c, err := dialer.DialContext(ctx, "tcp", addr)
		if err != nil {
			return Result{}, fmt.Errorf("connection %d of %d: %w", i+1, l.Conns, err)
		}
		conns[i] = c
		if deadline, ok := ctx.Deadline(); ok {
			c.SetDeadline(deadline)
		}
	}
	each := l.Requests / l.Conns
	latencies := make([][]time.Duration, l.Conns)
	var clients errgroup.Group
	started := time.Now()
	for i, c := range conns {
		clients.Go(func() (err error) {
			latencies[i], err = l.client(i, c, each)
			return err
		})
	}
	if err := clients.Wait(); err != nil {
		return Result{}, err
	}
	took := time.Since(started)
	all := slices.Concat(latencies...)
	slices.Sort(all)
	return Result{
		PerSecond: float64(len(all)) / took.Seconds(),
		P50:       all[(len(all)-1)/2],
		P99:       all[(len(all)-1)*99/100],
	}, nil
}

// client is the i-th client. It returns how long it has waited for each answer.
func (l Load) client(i int, c net.Conn, requests int) ([]time.Duration, error) {
	in := bufio.NewReader(c)
	latencies := make([]time.Duration, requests)
	for j := range latencies {
		send, want := l.Protocol(i, j)
		sent := time.Now()
		if _, err := io.WriteString(c, send); err != nil {
			return nil, fmt.Errorf("client %d, request %d: %w", i, j, err)
		}
		answer := make([]byte, len(want))
		if n, err := io.ReadFull(in, answer); err != nil {
			return nil, fmt.Errorf("client %d, request %d: %w after %q", i, j, err, answer[:n])
		}
		latencies[j] = time.Since(sent)
		if !bytes.Equal(answer, []byte(want)) {
			return nil, fmt.Errorf("client %d, request %d: the answer is %q, not %q", i, j, answer, want)
		}
	}
	return latencies, nil
}
