package load

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// How a Chat goes: in each round each talker says some lines at once, and the next round begins
// when everybody has heard them all. Fewer lines are under way than chat.go has queued for a guest
// when it drops it as too slow, and as many more may be as there are talkers.
const (
	talkers = 4
	burst   = 3
)

// A Chat is work for chat.go: guests enter one after the other, and then talk. Everybody must
// hear everything that is said after they came, all in the same order, and what one says in the
// order in which it was said.
type Chat struct {
	Guests int
	Lines  int // that each hears, rounded up to whole rounds
}

func (c Chat) conns() int { return c.Guests }

// A room is what a Chat knows of one that is going on.
type room struct {
	guests []*guest
	said   []int // how many lines each talker has said
	length int   // of a line, at least
}

// A guest is a client that listens.
type guest struct {
	name string
	conn net.Conn
	in   *bufio.Reader
}

// enter has a guest enter. Everybody must hear of it.
func (r *room) enter(ctx context.Context, addr, name string) error {
	c, err := dial(ctx, addr)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	g := &guest{name, c, bufio.NewReader(c)}
	r.guests = append(r.guests, g)
	if _, err := fmt.Fprintln(c, name); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return r.all(func(g *guest) error { return g.hears("* " + name + " is here\n") })
}

// all does something for all guests at once.
func (r *room) all(do func(g *guest) error) error {
	var guests errgroup.Group
	for _, g := range r.guests {
		guests.Go(func() error { return do(g) })
	}
	return guests.Wait()
}

// hear returns the next line that g hears.
func (g *guest) hear() (string, error) {
	g.conn.SetDeadline(time.Now().Add(Patience))
	line, err := g.in.ReadString('\n')
	if err != nil {
		return line, fmt.Errorf("%s hears %q: %w", g.name, line, err)
	}
	return line, nil
}

// hears says what is wrong if the next line that g hears is not want.
func (g *guest) hears(want string) error {
	line, err := g.hear()
	if err == nil && line != want {
		return fmt.Errorf("%s hears %q, not %q", g.name, line, want)
	}
	return err
}

// round is one in which each talker says so many lines, while something else happens of which
// everybody hears in so many notes at least: lines that begin with an asterisk. It returns what
// all have heard, and how long each line took to each of them.
func (r *room) round(lines, notes int, meanwhile func() error) (heard []string, latencies [][]time.Duration, err error) {
	n := min(talkers, len(r.guests))
	for len(r.said) < n {
		r.said = append(r.said, 0)
	}
	var said [talkers][burst]time.Time
	var others errgroup.Group
	others.Go(meanwhile)
	for k := range lines {
		for i, g := range r.guests[:n] {
			said[i][k] = time.Now()
			if _, err := io.WriteString(g.conn, r.line(i, r.said[i]+k)); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", g.name, err)
			}
		}
	}
	type hearing struct {
		lines []string
		at    []time.Time
	}
	hearings := make([]hearing, len(r.guests))
	var guests errgroup.Group
	for j, g := range r.guests {
		guests.Go(func() error {
			h := &hearings[j]
			for left, notes := n*lines, notes; left > 0 || notes > 0; {
				line, err := g.hear()
				if err != nil {
					return err
				}
				h.lines, h.at = append(h.lines, line), append(h.at, time.Now())
				if strings.HasPrefix(line, "*") {
					notes--
				} else {
					left--
				}
			}
			return nil
		})
	}
	if err := guests.Wait(); err != nil {
		return nil, nil, err
	}
	if err := others.Wait(); err != nil {
		return nil, nil, err
	}
	heard = hearings[0].lines
	next := make([]int, n)
	var when []time.Time // each of heard was said; zero for those with an asterisk
	for _, line := range heard {
		at := time.Time{}
		if !strings.HasPrefix(line, "*") {
			i := slices.IndexFunc(r.guests[:n], func(g *guest) bool { return strings.HasPrefix(line, g.name+": ") })
			if i < 0 || next[i] == lines || line != r.guests[i].name+": "+r.line(i, r.said[i]+next[i]) {
				return nil, nil, fmt.Errorf("%s hears %q, which is not the next line of anybody", r.guests[0].name, line)
			}
			at = said[i][next[i]]
			next[i]++
		}
		when = append(when, at)
	}
	for j, h := range hearings {
		if !slices.Equal(h.lines, heard) {
			return nil, nil, fmt.Errorf("%s hears %q, and %s hears %q", r.guests[0].name, heard, r.guests[j].name, h.lines)
		}
		var took []time.Duration
		for k, at := range when {
			if !at.IsZero() {
				took = append(took, h.at[k].Sub(at))
			}
		}
		latencies = append(latencies, took)
	}
	for i := range r.said {
		r.said[i] += lines
	}
	return heard, latencies, nil
}

// line is the k-th line that the i-th guest says.
func (r *room) line(i, k int) string {
	text := fmt.Sprintf("line %d of %s ", k, r.guests[i].name)
	return text + strings.Repeat(".", max(r.length-len(text), 0)) + "\n"
}

// nothing happens meanwhile.
func nothing() error { return nil }

// Run has the guests enter the chat at addr, and talk.
func (c Chat) Run(ctx context.Context, addr string) (Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var r room
	for i := range c.Guests {
		if err := r.enter(ctx, addr, fmt.Sprint("guest", i)); err != nil {
			return Result{}, err
		}
	}
	defer r.leave()
	var latencies [][]time.Duration
	started := time.Now()
	for heard := 0; heard < c.Lines; heard += min(talkers, c.Guests) * burst {
		_, took, err := r.round(burst, 0, nothing)
		if err != nil {
			return Result{}, err
		}
		latencies = append(latencies, took...)
	}
	return result(latencies, time.Since(started)), nil
}

// leave has all guests leave.
func (r *room) leave() {
	for _, g := range r.guests {
		g.conn.Close()
	}
}
