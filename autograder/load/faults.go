package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
)

// A Fault is something that goes wrong between a server and its clients. Those clients that have
// no part in it are served all the same; and when it is over, the server has given back what it
// took: goroutines, descriptors, memory; and it has not more threads than it needs.
type Fault struct {
	Program string // the server that meets it
	Name    string // what goes wrong, with "a client" or "the listener" as the subject
	meet    func(m *meeting) error
}

// Faults are what Run can do, in an order in which a reader understands them.
var Faults = []Fault{
	{"http", "a client vanishes in the middle of a request", many(unlimited, vanishes)},
	{"http", "a client vanishes while its answer comes", many(unlimited, vanishesLater)},
	{"http", "a client asks, and sends no more", many(unlimited, sendsNoMore)},
	{"http", "a client says nothing", many(limited, saysNothing)},
	{"http", "a client asks, and is silent from then on", many(limited, isSilent)},
	{"http", "a client sends a byte now and then", many(limited, trickles)},
	{"http", "a client sends the second half too late", many(limited, isLate)},
	{"http", "a client does not read", many(limited, doesNotRead)},
	{"http", "the listener is closed under load", closes},
	{"echo", "the listener is closed under load", closes},
	{"http", "the server is stopped under load", stops},
	{"echo", "the server is stopped under load", stops},
	{"chat", "a guest vanishes while others talk", vanishingGuests},
	{"chat", "a guest does not listen", deafGuests},
}

// A Start starts the server of a fault, with further arguments.
type Start func(ctx context.Context, program string, args ...string) (*Server, error)

// Whether the server ends those who have a fault by its time limits.
const unlimited, limited = false, true

// The shortest time limit of a server, and the longest: a computer that is too busy even for this
// one can test no time limits.
const (
	minLimit = 500 * time.Millisecond
	maxLimit = time.Minute
)

// How many clients take part in a fault at once, and how many do not; each of these sends a few
// requests. All that happens several times.
const (
	faulty   = 20
	others   = 20
	requests = 10
	times    = 3
)

// A meeting is that of a server with a fault.
type meeting struct {
	ctx     context.Context
	start   Start
	program string
	procs   int
	limit   time.Duration // of the server, for faults that it ends so
	closed  atomic.Bool   // the listener is closed
}

// Run has a server with so many Ps meet the fault. The error says what was wrong. If this computer
// is so busy that others exceed the server's time limit, too, it tries again with a longer one.
func (f Fault) Run(ctx context.Context, start Start, procs int) error {
	m := &meeting{ctx: ctx, start: start, program: f.Program, procs: procs}
	for m.limit = minLimit; ; m.limit *= 2 {
		if err := f.meet(m); !errors.Is(err, errBusy) || 2*m.limit > maxLimit {
			return err
		}
	}
}

// serve starts the server. limit is how long a connection may be idle, and a request may take to
// come, 0 if that is no matter.
func (m *meeting) serve(limit time.Duration) (*Server, error) {
	ms := strconv.FormatInt(limit.Milliseconds(), 10)
	if limit == 0 {
		ms = strconv.Itoa(math.MaxInt32) // 25 days
	}
	switch m.program {
	case "http":
		return m.start(m.ctx, m.program, "-idle", ms, "-request", ms)
	case "echo":
		return m.start(m.ctx, m.program, "-idle", ms)
	}
	return m.start(m.ctx, m.program)
}

// A client is one with a fault, connected to a server with a time limit, at the time when it
// began to connect. It returns when the server has nothing more to do with it.
type client func(c *net.TCPConn, began time.Time, limit time.Duration) error

// many is a fault that many clients have.
func many(limits bool, fault client) func(m *meeting) error {
	return func(m *meeting) error {
		limit := time.Duration(0)
		if limits {
			limit = m.limit
		}
		s, err := m.serve(limit)
		if err != nil {
			return err
		}
		defer s.Stop()
		first, err := s.Usage()
		if err != nil {
			return err
		}
		for range times {
			clients, ctx := errgroup.WithContext(m.ctx)
			clients.Go(func() error {
				_, err := Load{Protocol: Protocols[m.program], Conns: others, Requests: others * requests, limit: limit}.Run(ctx, s.Addr)
				if err != nil {
					err = fmt.Errorf("others are not served: %w", err)
				}
				return err
			})
			for range faulty {
				clients.Go(func() error {
					began := time.Now()
					c, err := dial(ctx, s.Addr)
					if err != nil {
						return err
					}
					defer c.Close()
					return fault(c, began, limit)
				})
			}
			err := clients.Wait()
			if err == nil {
				_, err = s.settle(settles+2*limit, func(u Usage) error { return first.kept(u, m.procs, faulty+others) })
			}
			if err != nil {
				if errors.Is(err, errBusy) {
					return err
				}
				return s.because(err)
			}
		}
		_, err = s.Stop()
		return err
	}
}

func vanishes(c *net.TCPConn, _ time.Time, _ time.Duration) error {
	_, err := io.WriteString(c, "POST /echo HTTP/1.1\r\nHost: h")
	c.SetLinger(0) // so that Close resets it
	return err
}

func vanishesLater(c *net.TCPConn, _ time.Time, _ time.Duration) error {
	body := strings.Repeat("a", 1<<19)
	fmt.Fprintf(c, "POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	err := gets(c, answer("200 OK", body)[:100])
	c.SetLinger(0)
	return err
}

const hello = "GET / HTTP/1.1\r\nHost: here\r\n\r\n"

// half is a request that is not all there, and rest what lacks.
const half, rest = "POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 10\r\n\r\n01234", "56789"

func sendsNoMore(c *net.TCPConn, _ time.Time, _ time.Duration) error {
	io.WriteString(c, hello)
	c.CloseWrite()
	if err := gets(c, answer("200 OK", "Hello.\n")); err != nil {
		return err
	}
	return ends(c)
}

func saysNothing(c *net.TCPConn, began time.Time, limit time.Duration) error {
	if err := ends(c); err != nil {
		return err
	}
	return after(began, limit)
}

func isSilent(c *net.TCPConn, _ time.Time, limit time.Duration) error {
	sent := time.Now()
	io.WriteString(c, hello)
	if err := gets(c, answer("200 OK", "Hello.\n")); err != nil {
		return busy(err, sent, limit)
	}
	if err := ends(c); err != nil {
		return err
	}
	return after(sent, limit)
}

// trickles sends bytes of a request that has more of them than the server has time for: the time
// limit passes while data comes.
func trickles(c *net.TCPConn, _ time.Time, limit time.Duration) error {
	sent := time.Now()
	if _, err := fmt.Fprintf(c, "POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n\r\n", 1<<20); err != nil {
		return err
	}
	answered := make(chan bool)
	var sender errgroup.Group
	sender.Go(func() error {
		pause := time.NewTicker(limit / 1000)
		defer pause.Stop()
		for {
			select {
			case <-answered:
				return nil
			case <-pause.C:
				if _, err := io.WriteString(c, "a"); err != nil {
					return nil // whether the answer has come is what counts
				}
			}
		}
	})
	err := gets(c, timedOut)
	close(answered)
	sender.Wait()
	if err != nil {
		return busy(err, sent, 2*limit) // it may have waited for the end, and then reset
	}
	return after(sent, limit)
}

// isLate sends a request, and half of one. The first is answered, and the other is too late.
func isLate(c *net.TCPConn, _ time.Time, limit time.Duration) error {
	sent := time.Now()
	if _, err := io.WriteString(c, hello+half); err != nil {
		return err
	}
	if err := gets(c, answer("200 OK", "Hello.\n")+timedOut); err != nil {
		return busy(err, sent, 2*limit)
	}
	if err := after(sent, limit); err != nil {
		return err
	}
	late := time.Now()
	io.WriteString(c, rest)
	c.CloseWrite()
	if err := ends(c); err != nil {
		return busy(err, late, limit)
	}
	return nil
}

// doesNotRead sends requests until the server takes no more. It must not wait for ever.
func doesNotRead(c *net.TCPConn, _ time.Time, limit time.Duration) error {
	c.SetReadBuffer(4096)
	body := strings.Repeat("a", 1<<16)
	request := fmt.Appendf(nil, "POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	for sent := range 10_000 {
		c.SetDeadline(time.Now().Add(min(30*limit, Patience)))
		n, err := c.Write(request)
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			return readsAfterAll(c, request[n:], (sent+1)*len(answer("200 OK", body)))
		case err != nil && !gone(err):
			return err
		case err != nil:
			return nil
		}
	}
	return errors.New("the server has taken everything from a client that does not read")
}

// readsAfterAll ends its last request and reads what has waited for so long. That the server
// takes nothing does not show that it waits: if it had read all that was there when it closed the
// connection, the end stands behind answers for which the client has no room, and does not
// arrive. A server that has waited answers everything.
func readsAfterAll(c *net.TCPConn, rest []byte, all int) error {
	c.SetDeadline(time.Now().Add(Patience))
	var sender errgroup.Group
	sender.Go(func() error {
		c.Write(rest) // an error shows in the answers
		return nil
	})
	n, err := io.CopyN(io.Discard, c, int64(all))
	c.Close()
	sender.Wait()
	if err == nil || !gone(err) {
		return fmt.Errorf("the server waits for a client that does not read: of %d bytes that it had to answer %d came when the client read after all (%v)", all, n, err)
	}
	return nil
}

// gets reads what must come.
func gets(c net.Conn, want string) error {
	got := make([]byte, len(want))
	if n, err := io.ReadFull(c, got); err != nil {
		return fmt.Errorf("%w after %q; %q should have come", err, short(got[:n]), short([]byte(want)))
	}
	if string(got) != want {
		return fmt.Errorf("the answer is %q, not %q", short(got), short([]byte(want)))
	}
	return nil
}

// short is the beginning of a text.
func short(b []byte) []byte { return b[:min(len(b), 200)] }

// ends reads the end.
func ends(c net.Conn) error {
	if rest, err := io.ReadAll(io.LimitReader(c, 1<<20)); err != nil || len(rest) > 0 {
		return fmt.Errorf("instead of the end comes %q, and %v", short(rest), err)
	}
	return nil
}

// after is an error if a time limit that began after since has passed too early.
func after(since time.Time, limit time.Duration) error {
	if took := time.Since(since); took < limit {
		return fmt.Errorf("the time limit of %v has passed after %v", limit, took)
	}
	return nil
}

// busy is err, or errBusy if a time limit has passed since then.
func busy(err error, since time.Time, limit time.Duration) error {
	if time.Since(since) >= limit {
		return errBusy
	}
	return err
}

// gone reports whether the other end has gone: an end, or a reset.
func gone(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// closes closes the listener when half of the requests are answered. Those who are connected are
// served to the end. Those who come then are served, or refused; and in the end they are refused.
func closes(m *meeting) error {
	s, err := m.serve(0)
	if err != nil {
		return err
	}
	defer s.Stop()
	first, err := s.Usage()
	if err != nil {
		return err
	}
	clients, ctx := errgroup.WithContext(m.ctx)
	l := Load{Protocol: Protocols[m.program], Conns: others, Requests: 10 * others * requests}
	l.answered = func(n int64) {
		if n == int64(l.Requests/2) {
			clients.Go(func() error {
				_, err := s.CloseListener()
				m.closed.Store(true)
				return err
			})
		}
	}
	clients.Go(func() error {
		_, err := l.Run(ctx, s.Addr)
		return err
	})
	for i := range faulty {
		clients.Go(func() error { return m.comesAndGoes(ctx, s.Addr, i) })
	}
	if err := clients.Wait(); err != nil {
		return s.because(err)
	}
	first.Goroutines--                 // it accepts no more
	first.Files -= min(first.Files, 1) // nor has it a listener
	if _, err := s.settle(settles, func(u Usage) error { return first.kept(u, m.procs, faulty+others) }); err != nil {
		return s.because(err)
	}
	_, err = s.Stop()
	return err
}

// comesAndGoes connects, asks, and goes, until it is refused.
func (m *meeting) comesAndGoes(ctx context.Context, addr string, i int) error {
	for j := 0; ; j++ {
		closed := m.closed.Load()
		c, err := dial(ctx, addr)
		switch {
		case err == nil && closed:
			c.Close()
			return errors.New("a client is connected to a listener that was closed before")
		case errors.Is(err, syscall.ECONNREFUSED):
			return nil
		case err != nil && gone(err):
			continue // the listener was closed when it had just been accepted by the host
		case err != nil:
			return err
		}
		send, want := Protocols[m.program](others+i, j)
		c.SetLinger(0) // so that the host has no memory of all these connections
		io.WriteString(c, send)
		got, err := io.ReadAll(io.LimitReader(c, int64(len(want))))
		c.Close()
		if string(got) != want && !(len(got) == 0 && (err == nil || gone(err))) {
			return fmt.Errorf("the answer is %q, and %v; it should be %q, or nothing from a listener that is closed", got, err, want)
		}
	}
}

// stops stops the server when some requests have been answered. It has counted those, its clients
// get no half answer that is wrong, and it ends.
func stops(m *meeting) error {
	s, err := m.serve(0)
	if err != nil {
		return err
	}
	defer s.Stop()
	var answers atomic.Int64
	clients, ctx := errgroup.WithContext(m.ctx)
	var printed string
	stop := func() (err error) {
		printed, err = s.Stop()
		m.closed.Store(true)
		return err
	}
	protocol := Protocols[m.program]
	for i := range others {
		clients.Go(func() error {
			c, err := dial(ctx, s.Addr)
			if err != nil {
				return err
			}
			defer c.Close()
			for j := 0; ; j++ {
				send, want := protocol(i, j)
				c.SetDeadline(time.Now().Add(Patience))
				_, err := io.WriteString(c, send)
				got := make([]byte, len(want))
				n := 0
				if err == nil {
					n, err = io.ReadFull(c, got)
				}
				if err != nil && !gone(err) {
					return err
				}
				if !bytes.HasPrefix([]byte(want), got[:n]) {
					return fmt.Errorf("client %d, request %d: the answer is %q, not %q", i, j, got[:n], want)
				}
				if err != nil {
					return nil
				}
				if answers.Add(1) == others*requests {
					clients.Go(stop)
				}
			}
		})
	}
	for i := range faulty {
		clients.Go(func() error { return m.comesAndGoes(ctx, s.Addr, i) })
	}
	if err := clients.Wait(); err != nil {
		return s.because(err)
	}
	word, _, _ := strings.Cut(printed, " ")
	if counted, err := strconv.ParseInt(word, 10, 64); err != nil || counted < answers.Load() {
		return fmt.Errorf("the server says %q in the end, and %d requests were answered", printed, answers.Load())
	}
	return nil
}

// chats has a few guests talk, and something happen to others.
func (m *meeting) chats(happens func(r *room, addr string) error) error {
	s, err := m.serve(0)
	if err != nil {
		return err
	}
	defer s.Stop()
	first, err := s.Usage()
	if err != nil {
		return err
	}
	var r room
	defer func() { r.leave() }()
	for i := range others / 2 {
		if err := r.enter(m.ctx, s.Addr, fmt.Sprint("guest", i)); err != nil {
			return s.because(err)
		}
	}
	for range times {
		if err := happens(&r, s.Addr); err != nil {
			return s.because(err)
		}
		if _, _, err := r.round(burst, 0, nothing); err != nil {
			return s.because(err)
		}
	}
	r.leave()
	if _, err := s.settle(settles, func(u Usage) error { return first.kept(u, m.procs, faulty+others) }); err != nil {
		return s.because(err)
	}
	_, err = s.Stop()
	return err
}

// vanishingGuests has some guests vanish while others talk. The others hear that they have left.
func vanishingGuests(m *meeting) error {
	return m.chats(func(r *room, addr string) error {
		const n = 8
		stay := len(r.guests)
		for i := range n {
			if err := r.enter(m.ctx, addr, fmt.Sprint("vanishing", i)); err != nil {
				return err
			}
		}
		vanishing := r.guests[stay:]
		r.guests = r.guests[:stay]
		heard, _, err := r.round(1, n, func() error {
			for _, g := range vanishing {
				g.conn.(*net.TCPConn).SetLinger(0)
				g.conn.Close()
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, g := range vanishing {
			if line := "* " + g.name + " has left\n"; count(heard, line) != 1 {
				return fmt.Errorf("the others hear %q, and should hear %q once", heard, line)
			}
		}
		return nil
	})
}

// deafGuests has some guests who do not listen, while others talk. They are dropped, and the others
// hear of it, and lose nothing. What they were sent until then is what all have heard.
func deafGuests(m *meeting) error {
	return m.chats(func(r *room, addr string) error {
		const n = 3 // see burst
		stay := len(r.guests)
		for i := range n {
			if err := r.enter(m.ctx, addr, fmt.Sprint("deaf", i)); err != nil {
				return err
			}
		}
		deaf := r.guests[stay:]
		r.guests = r.guests[:stay]
		var heard strings.Builder
		r.length = 900
		defer func() { r.length = 0 }()
		dropped := 0
		for dropped < n {
			if heard.Len() > 64<<20 {
				return fmt.Errorf("%d of %d guests who do not listen have not been dropped after %d bytes", n-dropped, n, heard.Len())
			}
			lines, _, err := r.round(burst, 0, nothing)
			if err != nil {
				return err
			}
			for _, line := range lines {
				heard.WriteString(line)
			}
			for _, g := range deaf {
				dropped += count(lines, "* "+g.name+" was too slow\n")
				dropped += count(lines, "* "+g.name+" has left\n") // as it took nothing for too long
			}
		}
		for _, g := range deaf {
			g.conn.SetDeadline(time.Now().Add(Patience))
			got, err := io.ReadAll(g.in)
			if err != nil && !gone(err) {
				return err
			}
			if !strings.HasPrefix(heard.String(), string(got)) {
				return fmt.Errorf("%s has been sent something else than all have heard", g.name)
			}
		}
		return nil
	})
}

// count is how often a line is among others.
func count(lines []string, line string) (n int) {
	for _, l := range lines {
		if l == line {
			n++
		}
	}
	return n
}
