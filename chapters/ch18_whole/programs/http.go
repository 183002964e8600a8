//go:build ignore

// A server for HTTP/1.1: requests with bodies of known length, connections that are kept,
// requests that come before the last one's answer, limits, and time limits. Without arguments
// it prints what it answers to some requests of its own; with -addr it serves the world, until
// its standard input ends. To each line of standard input it says how many goroutines there
// are, and how much memory is in use.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The limits of a request.
const (
	maxLine    = 4096 // bytes of a line of its head
	maxHeaders = 64
	maxBody    = 1 << 20 // bytes
)

// A request is what a client asks.
type request struct {
	method, target string
	minor          int               // of the version: HTTP/1.minor
	headers        map[string]string // by name, in lower case
	body           []byte
}

// keep reports whether the connection is to be kept.
func (r *request) keep() bool {
	connection := strings.ToLower(r.headers["connection"])
	return r.minor > 0 && connection != "close" || connection == "keep-alive"
}

// A status is a request that cannot be served, as an error.
type status int

func (s status) Error() string { return fmt.Sprint(int(s), " ", s.text()) }

func (s status) text() string {
	switch s {
	case 200:
		return "OK"
	case 400:
		return "Bad Request"
	case 404:
		return "Not Found"
	case 405:
		return "Method Not Allowed"
	case 408:
		return "Request Timeout"
	case 413:
		return "Content Too Large"
	case 414:
		return "URI Too Long"
	case 431:
		return "Request Header Fields Too Large"
	case 501:
		return "Not Implemented"
	case 505:
		return "HTTP Version Not Supported"
	}
	return "Internal Server Error"
}

// A handler answers a request.
type handler func(r *request) (status, string)

func hello(r *request) (status, string) {
	if r.method != "GET" && r.method != "HEAD" {
		return 405, "only GET\n"
	}
	return 200, "Hello.\n"
}

func echo(r *request) (status, string) {
	if r.method != "POST" {
		return 405, "only POST\n"
	}
	return 200, string(r.body)
}

// A server serves the connections of one listener.
type server struct {
	handlers   map[string]handler
	idle, head time.Duration // how long a connection may be idle, and a request may take to come

	serving  sync.WaitGroup
	mu       sync.Mutex
	open     map[net.Conn]bool
	requests int
}

// accept serves each connection in a goroutine of its own, until l is closed.
func (s *server) accept(l net.Listener) {
	for {
		c, err := l.Accept()
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
			requests := s.serve(c)
			c.Close()
			s.mu.Lock()
			delete(s.open, c)
			s.requests += requests
			s.mu.Unlock()
		})
	}
}

// serve serves one connection, and returns how many requests it has answered.
func (s *server) serve(c net.Conn) (requests int) {
	in, out := bufio.NewReaderSize(c, maxLine), bufio.NewWriter(c)
	for {
		c.SetReadDeadline(time.Now().Add(s.idle))
		if _, err := in.Peek(1); err != nil {
			return requests // it has gone, or has nothing more to ask
		}
		c.SetDeadline(time.Now().Add(s.head))
		r, err := read(in, out)
		c.SetWriteDeadline(time.Now().Add(s.head)) // it may have come at the last moment
		var why status
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			why = 408
		case err != nil && !errors.As(err, &why):
			return requests
		}
		if why != 0 { // where the next request begins is not known
			answer(out, why, why.Error()+"\n", "GET", false)
			out.Flush()
			c.SetReadDeadline(time.Now().Add(s.head))
			hangUp(c)
			return requests
		}
		code, body := status(404), "nothing is at "+r.target+"\n"
		path, _, _ := strings.Cut(r.target, "?")
		if h := s.handlers[path]; h != nil {
			code, body = h(r)
		}
		answer(out, code, body, r.method, r.keep())
		requests++
		// If the next request is there already, their answers leave together.
		if in.Buffered() == 0 || !r.keep() {
			if err := out.Flush(); err != nil {
				return requests
			}
		}
		if !r.keep() {
			return requests
		}
	}
}

// hangUp ends a connection whose client may still be sending. To close it at once would reset
// it, and take the answer away from the client.
func hangUp(c net.Conn) {
	if c, ok := c.(*net.TCPConn); ok {
		c.CloseWrite()
		io.CopyN(io.Discard, c, maxBody)
	}
}

// read reads a request. Its error is a status if the client is to be told.
func read(in *bufio.Reader, out *bufio.Writer) (*request, error) {
	text, err := line(in, 414)
	if err != nil {
		return nil, err
	}
	words := strings.Split(text, " ")
	if len(words) != 3 || words[0] == "" || words[1] == "" {
		return nil, status(400)
	}
	r := &request{method: words[0], target: words[1], headers: map[string]string{}}
	switch words[2] {
	case "HTTP/1.1":
		r.minor = 1
	case "HTTP/1.0":
	default:
		if strings.HasPrefix(words[2], "HTTP/") {
			return nil, status(505)
		}
		return nil, status(400)
	}
	for {
		text, err := line(in, 431)
		if err != nil {
			return nil, err
		}
		if text == "" {
			break
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok || name == "" || strings.ContainsAny(name, " \t") {
			return nil, status(400)
		}
		if len(r.headers) == maxHeaders {
			return nil, status(431)
		}
		name, value = strings.ToLower(name), strings.TrimSpace(value)
		if was, ok := r.headers[name]; ok && name == "content-length" && was != value {
			return nil, status(400) // where does it end?
		}
		r.headers[name] = value
	}
	if _, ok := r.headers["host"]; !ok && r.minor > 0 {
		return nil, status(400)
	}
	return r, r.readBody(in, out)
}

// readBody reads as many bytes as the head says.
func (r *request) readBody(in *bufio.Reader, out *bufio.Writer) error {
	if _, ok := r.headers["transfer-encoding"]; ok {
		return status(501)
	}
	length, ok := r.headers["content-length"]
	if !ok {
		return nil
	}
	n, err := strconv.ParseUint(length, 10, 63)
	if err != nil {
		return status(400)
	}
	if n > maxBody {
		return status(413)
	}
	if strings.ToLower(r.headers["expect"]) == "100-continue" {
		out.WriteString("HTTP/1.1 100 Continue\r\n\r\n")
		out.Flush()
	}
	r.body = make([]byte, n)
	_, err = io.ReadFull(in, r.body)
	return err
}

// line reads a line of a head. If it is too long the error is tooLong.
func line(in *bufio.Reader, tooLong status) (string, error) {
	text, err := in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return "", tooLong
	}
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(string(text[:len(text)-1]), "\r"), nil
}

// answer writes an answer.
func answer(out *bufio.Writer, code status, body, method string, keep bool) {
	connection := ""
	if !keep {
		connection = "Connection: close\r\n"
	}
	fmt.Fprintf(out, "HTTP/1.1 %d %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n%s\r\n", int(code), code.text(), len(body), connection)
	if method != "HEAD" {
		out.WriteString(body)
	}
}

func main() {
	addr := flag.String("addr", "", "the `address` to serve the world at")
	idle := flag.Int("idle", 10_000, "how many `milliseconds` a connection may be idle")
	head := flag.Int("request", 2_000, "how many `milliseconds` a request may take to come")
	flag.Parse()
	s := &server{
		handlers: map[string]handler{"/": hello, "/echo": echo},
		idle:     time.Duration(*idle) * time.Millisecond,
		head:     time.Duration(*head) * time.Millisecond,
		open:     map[net.Conn]bool{},
	}
	if *addr == "" {
		s.head = 20 * time.Millisecond
		show(s)
		return
	}
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(l.Addr())
	accepting := make(chan bool)
	go func() {
		s.accept(l)
		close(accepting)
	}()
	answerQuestions(l)
	l.Close()
	<-accepting // no more come in
	s.mu.Lock()
	for c := range s.open {
		c.Close()
	}
	s.mu.Unlock()
	s.serving.Wait()
	fmt.Println(s.requests, "requests")
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

// show prints what s answers.
func show(s *server) {
	for _, sent := range []string{
		"GET / HTTP/1.1\r\nHost: here\r\n\r\n",
		"GET /nothing HTTP/1.1\r\nHost: here\r\n\r\n",
		"POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\n\r\nabcde" + // and the next before the answer:
			"HEAD / HTTP/1.1\r\nHost: here\r\n\r\n" +
			"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n",
		"GET / HTTP/1.0\r\n\r\n",
		"GET / HTTP/2.0\r\n\r\n",
		"GET / HTTP/1.1\r\n\r\n",
		"GET  /\r\n\r\n",
		"GET /" + strings.Repeat("a", maxLine) + " HTTP/1.1\r\n\r\n",
		"GET / HTTP/1.1\r\n" + strings.Repeat("A: b\r\n", 3) + "Big: " + strings.Repeat("a", maxLine) + "\r\n\r\n",
		"POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 99999999\r\n\r\n",
		"POST /echo HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n",
		"POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\n\r\nabc", // the rest never comes
	} {
		client, conn := net.Pipe()
		served := make(chan int)
		s.idle = 20 * time.Millisecond
		go func() {
			n := s.serve(conn)
			conn.Close()
			served <- n
		}()
		go io.WriteString(client, sent) // the server may hang up before it has read all
		answers, _ := io.ReadAll(client)
		first, _, _ := strings.Cut(sent, "\r\n")
		if len(first) > 30 {
			first = first[:30] + "…"
		}
		fmt.Printf("%s: %d answered\n", first, <-served)
		for _, line := range strings.Split(strings.ReplaceAll(string(answers), "\r\n", "\n"), "\n") {
			fmt.Println("   ", line)
		}
		client.Close()
	}
}
