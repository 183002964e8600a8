//go:build ignore

// A chat: what one says all hear. Each client has a queue of what it has yet to hear; one that
// reads so slowly that the queue is full is dropped, so that it does not hold up the others.
// Without arguments a few clients of its own talk; with -addr it serves the world, until its
// standard input ends. To each line of standard input it says how many goroutines there are, and
// how much memory is in use.
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
	"strings"
	"sync"
	"time"
)

const (
	queued   = 16              // lines that may wait for a client
	longest  = 1024            // bytes of a line
	patience = 5 * time.Second // for a client that takes nothing, or does not say its name
)

// A client is someone in the room.
type client struct {
	name string
	conn net.Conn
	todo chan string // what it has yet to hear; the room closes it
}

// A room is where clients talk. Its goroutine alone knows who is in it.
type room struct {
	enter chan *client
	leave chan *client
	say   chan string
}

// run is the room's goroutine. It ends when enter is closed, and sends away all who are left.
func (r *room) run() {
	in := map[*client]bool{}
	drop := func(c *client) {
		delete(in, c)
		close(c.todo)
	}
	// tell tells all in the room, and then, in their turn, that some were too slow.
	tell := func(line string) {
		for lines := []string{line}; len(lines) > 0; lines = lines[1:] {
			for c := range in {
				select {
				case c.todo <- lines[0]:
				default:
					drop(c)
					c.conn.Close() // its writer waits for it
					lines = append(lines, fmt.Sprintf("* %s was too slow\n", c.name))
				}
			}
		}
	}
	for {
		select {
		case c, ok := <-r.enter:
			if !ok {
				for c := range in {
					drop(c)
				}
				return
			}
			in[c] = true
			tell(fmt.Sprintf("* %s is here\n", c.name))
		case c := <-r.leave:
			if in[c] {
				drop(c)
				tell(fmt.Sprintf("* %s has left\n", c.name))
			}
		case line := <-r.say:
			tell(line)
		}
	}
}

// serve lets a connection take part: its first line is its name.
func (r *room) serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewScanner(conn)
	in.Buffer(make([]byte, longest), longest)
	conn.SetReadDeadline(time.Now().Add(patience))
	if !in.Scan() || strings.TrimSpace(in.Text()) == "" {
		fmt.Fprintln(conn, "error: the first line must be a name")
		return
	}
	conn.SetReadDeadline(time.Time{})
	c := &client{name: strings.TrimSpace(in.Text()), conn: conn, todo: make(chan string, queued)}
	written := make(chan bool)
	go func() {
		c.write()
		close(written)
	}()
	r.enter <- c
	for in.Scan() {
		r.say <- c.name + ": " + in.Text() + "\n"
	}
	if errors.Is(in.Err(), bufio.ErrTooLong) {
		r.say <- fmt.Sprintf("* %s said more than %d bytes at once\n", c.name, longest)
	}
	r.leave <- c
	<-written
}

// write sends c what it has to hear.
func (c *client) write() {
	for line := range c.todo {
		c.conn.SetWriteDeadline(time.Now().Add(patience))
		if _, err := io.WriteString(c.conn, line); err != nil {
			c.conn.Close() // its reader will leave the room
			break
		}
	}
	for range c.todo { // until the room has dropped it
	}
}

func main() {
	addr := flag.String("addr", "", "the `address` to serve the world at")
	flag.Parse()
	r := &room{enter: make(chan *client), leave: make(chan *client), say: make(chan string)}
	var running sync.WaitGroup
	running.Go(r.run)
	if *addr == "" {
		talk(r)
	} else if err := serveWorld(r, *addr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	close(r.enter)
	running.Wait()
	fmt.Println("the room is closed")
}

// serveWorld serves the connections at an address until standard input ends.
func serveWorld(r *room, addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	var serving sync.WaitGroup
	var mu sync.Mutex
	open := map[net.Conn]bool{}
	accepting := make(chan bool)
	go func() {
		defer close(accepting)
		for {
			c, err := l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil {
				time.Sleep(5 * time.Millisecond)
				continue
			}
			mu.Lock()
			open[c] = true
			mu.Unlock()
			serving.Go(func() {
				r.serve(c)
				mu.Lock()
				delete(open, c)
				mu.Unlock()
			})
		}
	}()
	answerQuestions(l)
	l.Close()
	<-accepting // no more come in
	mu.Lock()
	for c := range open {
		c.Close()
	}
	mu.Unlock()
	serving.Wait()
	return nil
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

// A guest is the other end of a client.
type guest struct {
	net.Conn
	in *bufio.Reader
}

// invite lets a guest enter.
func (r *room) invite(serving *sync.WaitGroup, name string) *guest {
	mine, theirs := net.Pipe()
	serving.Go(func() { r.serve(theirs) })
	fmt.Fprintln(mine, name)
	return &guest{mine, bufio.NewReader(mine)}
}

// hear returns the next line that g hears, or why there is none.
func (g *guest) hear() string {
	line, err := g.in.ReadString('\n')
	if err != nil {
		return err.Error() + "\n"
	}
	return line
}

// talk is a few guests: one of them never listens.
func talk(r *room) {
	var serving sync.WaitGroup
	ada := r.invite(&serving, "Ada")
	fmt.Print(ada.hear())
	slow := r.invite(&serving, "Slow")
	fmt.Print(ada.hear())
	ben := r.invite(&serving, "Ben")
	fmt.Print(ada.hear(), ben.hear())
	for i := range 2 * queued {
		fmt.Fprintln(ada, "line", i)
		line := ada.hear()
		if ben.hear() != line {
			fmt.Println("Ben has heard something else")
		}
		if strings.HasPrefix(line, "*") {
			fmt.Print(line)
			ada.hear() // its last line
			ben.hear()
			break
		}
	}
	_, err := slow.Read(make([]byte, 1))
	fmt.Println("Slow:", err)
	ben.Close()
	fmt.Print(ada.hear())
	ada.Close()
	serving.Wait()
}
