package ch02

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// A queueModel does to a slice what it does to the global queue, and compares.
// It holds s.Lock during each call, as callers of the queue must.
type queueModel struct {
	t    *check.T
	s    *gmp.Sched
	want []*gmp.G
	done []string // the operations so far
}

func newQueueModel(t *check.T) *queueModel {
	s, _ := t.Sched()
	return &queueModel{t: t, s: s}
}

func (q *queueModel) did(format string, args ...any) {
	q.done = append(q.done, fmt.Sprintf(format, args...))
}

// after names the operations so far.
func (q *queueModel) after() string { return "after " + strings.Join(q.done, ", ") }

func (q *queueModel) put(gp *gmp.G) {
	q.did("Globrunqput(%s)", check.Name(gp))
	q.want = append(q.want, gp)
	q.s.Lock.Lock()
	q.s.Globrunqput(gp)
	q.unlock("Globrunqput")
}

func (q *queueModel) head(gp *gmp.G) {
	q.did("Globrunqputhead(%s)", check.Name(gp))
	q.want = append([]*gmp.G{gp}, q.want...)
	q.s.Lock.Lock()
	q.s.Globrunqputhead(gp)
	q.unlock("Globrunqputhead")
}

// get takes a G and checks that it is the right one.
func (q *queueModel) get() *gmp.G {
	var want *gmp.G
	if len(q.want) > 0 {
		want, q.want = q.want[0], q.want[1:]
	}
	q.s.Lock.Lock()
	got := q.s.Globrunqget()
	q.unlock("Globrunqget")
	if got != want {
		after := "on an empty queue"
		if len(q.done) > 0 {
			after = q.after()
		}
		q.t.Fatalf("%s: Globrunqget returns %s; want %s", after, check.Name(got), check.Name(want))
	}
	q.did("Globrunqget")
	return got
}

// unlock gives the lock back; the method must have left it alone.
func (q *queueModel) unlock(method string) {
	if !check.Held(&q.s.Lock) {
		q.t.Fatalf("%s released s.Lock, which its caller took and still needs", method)
	}
	q.s.Lock.Unlock()
}

// links compares s.Runq with the model.
func (q *queueModel) links() {
	var found []*gmp.G
	for gp := q.s.Runq.Get().Head; gp != nil && len(found) < len(q.want)+3; gp = gp.Schedlink.Get() {
		found = append(found, gp)
	}
	var last *gmp.G
	if n := len(q.want); n > 0 {
		last = q.want[n-1]
	}
	got := describe(found, q.s.Runq.Get().Tail, q.s.Runq.Get().Size)
	want := describe(q.want, last, int32(len(q.want)))
	if got != want {
		q.t.Fatalf("%s:\ns.Runq is %s\nwant      %s", q.after(), got, want)
	}
}

// describe says what a queue looks like from outside.
func describe(gs []*gmp.G, tail *gmp.G, size int32) string {
	return fmt.Sprintf("Head and the Schedlinks: %s; Tail: %s; Size: %d", check.Names(gs), check.Name(tail), size)
}

// queueFIFO checks first in, first out, also after the queue was empty.
func queueFIFO(t *check.T) {
	q := newQueueModel(t)
	g := newGs(q.s, 5, gmp.Grunnable)
	q.get()
	for _, gp := range g[:3] {
		q.put(gp)
	}
	for range 4 {
		q.get()
	}
	q.put(g[3])
	q.put(g[4])
	q.get()
	q.put(g[0])
	for range 3 {
		q.get()
	}
}

// queueHead checks that a G put at the head is the next one, wherever the others
// are, and that the tail still works after it.
func queueHead(t *check.T) {
	q := newQueueModel(t)
	g := newGs(q.s, 4, gmp.Grunnable)
	q.head(g[0])
	q.put(g[1])
	q.head(g[2])
	for range 4 {
		q.get()
	}
	q.put(g[3])
	q.head(g[0])
	q.head(g[1])
	for range 4 {
		q.get()
	}
}

// queueLinks checks the list itself after each step of random sequences. The
// short ones come first, so that the first to fail is easy to read. Each begins
// and ends with an empty queue.
func queueLinks(t *check.T) {
	rng := rand.New(rand.NewPCG(2, t.Seed(0)))
	q := newQueueModel(t)
	free, other := newGs(q.s, 6, gmp.Grunnable), check.NewG(q.s, gmp.Grunnable)
	take := func() {
		gp := q.get()
		if gp == nil {
			return
		}
		if gp.Schedlink.Get() != nil {
			t.Fatalf("%s: the Schedlink of %s, which has left the queue, still points to %s; want nil", q.after(), check.Name(gp), check.Name(gp.Schedlink.Get()))
		}
		free = append(free, gp)
	}
	for n := range 200 {
		q.done = nil
		for range 1 + n/5 {
			switch op := rng.IntN(5); {
			case op < 2 && len(free) > 0:
				free[0].Schedlink.Set(other) // left from some other list
				q.put(free[0])
				free = free[1:]
			case op == 2 && len(free) > 0:
				free[0].Schedlink.Set(other)
				q.head(free[0])
				free = free[1:]
			default:
				take()
			}
			q.links()
		}
		for len(q.want) > 0 {
			take()
			q.links()
		}
	}
}

// queueLock checks that the queue leaves s.Lock to its callers. A method that
// takes the lock blocks here for ever; the deadline tells where.
func queueLock(t *check.T) {
	q := newQueueModel(t)
	g := newGs(q.s, 2, gmp.Grunnable)
	q.put(g[0])
	q.head(g[1])
	q.get()
	q.get()
	q.get()
}
