package ch07

import (
	"fmt"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// A bench is a scheduler with two Ps, and Gs made by hand. It notes what is done,
// for messages.
type bench struct {
	t      *check.T
	s      *gmp.Sched
	p0, p1 *gmp.P
	first  uint32 // where the heads and the tails begin
	goid   int64
	done   []string
}

// newBench makes a bench with rings of n slots.
func newBench(t *check.T, n int) *bench { return newBenchAt(t, n, 0) }

// newBenchAt lets the numbers of the Gs in the rings begin with first.
func newBenchAt(t *check.T, n int, first uint32) *bench {
	b := &bench{t: t, s: t.Bare(nil), p0: gmp.NewP(0, n), p1: gmp.NewP(1, n), first: first}
	b.s.Gomaxprocs.Set(2)
	for _, pp := range []*gmp.P{b.p0, b.p1} {
		pp.Runqhead.Store(first)
		pp.Runqtail.Store(first)
	}
	return b
}

// newG makes a G that can run, on no queue.
func newG(goid int64) *gmp.G {
	gp := &gmp.G{Goid: machine.CellOf(goid)}
	gp.Atomicstatus.Store(gmp.Grunnable)
	return gp
}

func (b *bench) newG() *gmp.G {
	b.goid++
	return newG(b.goid)
}

// gs makes n Gs.
func (b *bench) gs(n int) []*gmp.G {
	list := make([]*gmp.G, n)
	for i := range list {
		list[i] = b.newG()
	}
	return list
}

func (b *bench) did(format string, args ...any) {
	b.done = append(b.done, fmt.Sprintf(format, args...))
}

// fatalf ends the check; what was done stands before the message.
func (b *bench) fatalf(format string, args ...any) {
	b.t.Helper()
	b.t.Fatalf("%s%s%s", b.after(), fmt.Sprintf(format, args...), b.numbers())
}

// after is what was done.
func (b *bench) after() string {
	if len(b.done) == 0 {
		return ""
	}
	return "after " + strings.Join(folded(b.done), ", ") + ": "
}

// numbers are the head and the tail, where they are what the check is about.
func (b *bench) numbers() string {
	if b.first == 0 {
		return ""
	}
	return fmt.Sprintf("\nThe head and the tail of P0 started at %d, %d before they wrap around, and are now %d and %d", b.first, -b.first, b.p0.Runqhead.Load(), b.p0.Runqtail.Load())
}

// told calls fn. If a part throws or panics in it, what was done before is reported as well.
func (b *bench) told(fn func()) {
	b.t.Helper()
	returned := false
	defer func() {
		if !returned && !b.t.Failed() {
			b.t.Logf("%sa part panicked", b.after())
		}
	}()
	if msg := b.t.Throws(fn); msg != "" {
		b.fatalf("the last of these throws %q", msg)
	}
	returned = true
}

// folded leaves out the middle of a long list.
func folded(list []string) []string {
	const ends = 4
	if len(list) <= 2*ends+2 {
		return list
	}
	short := append([]string(nil), list[:ends]...)
	short = append(short, fmt.Sprintf("… (%d more)", len(list)-2*ends))
	return append(short, list[len(list)-ends:]...)
}

// put lets p0's owner put gp.
func (b *bench) put(gp *gmp.G, next bool) {
	b.did("Runqput(%s, %v)", check.Name(gp), next)
	b.s.Runqput(b.p0, gp, next)
}

// putAll puts Gs at the tail of p0.
func (b *bench) putAll(gs []*gmp.G) {
	for _, gp := range gs {
		b.put(gp, false)
	}
}

// get lets p0's owner take a G, which must be want.
func (b *bench) get(want *gmp.G) (inheritTime bool) {
	b.t.Helper()
	b.did("Runqget")
	got, inheritTime := b.s.Runqget(b.p0)
	if got != want {
		b.fatalf("it returns %s; want %s", check.Name(got), check.Name(want))
	}
	if got == nil && inheritTime {
		b.fatalf("it returns no G, and says that this inherits the time slice; without a G inheritTime is false")
	}
	return inheritTime
}

// rest takes all Gs that pp has, one by one, as its owner would.
func (b *bench) rest(pp *gmp.P) []*gmp.G {
	var gs []*gmp.G
	for len(gs) <= 1000 {
		gp, _ := b.s.Runqget(pp)
		if gp == nil {
			break
		}
		gs = append(gs, gp)
	}
	return gs
}

// global takes all Gs off the global queue.
func (b *bench) global() []*gmp.G { return listed(&b.s.Runq) }

// listed takes all Gs off q, and sees to it that its fields agree.
func listed(q interface{ Pop() *gmp.G }) []*gmp.G {
	var gs []*gmp.G
	for len(gs) <= 1000 {
		gp := q.Pop()
		if gp == nil {
			break
		}
		gs = append(gs, gp)
	}
	return gs
}

// queueOf makes a queue of Gs.
func queueOf(gs []*gmp.G) gmp.GQueue {
	var q gmp.GQueue
	for _, gp := range gs {
		q.PushBack(gp)
	}
	return q
}

// checkQueue checks a queue that a method returns or leaves: its Gs, its tail and
// its size.
func (b *bench) checkQueue(what string, q gmp.GQueue, want []*gmp.G) {
	b.t.Helper()
	tail, size := q.Tail, q.Size
	got := listed(&q)
	if check.Names(got) != check.Names(want) {
		b.fatalf("%s is %s; want %s", what, check.Names(got), check.Names(want))
	}
	var last *gmp.G
	if len(want) > 0 {
		last = want[len(want)-1]
	}
	if tail != last || int(size) != len(want) {
		b.fatalf("%s holds %s, but its Tail is %s and its Size %d", what, check.Names(got), check.Name(tail), size)
	}
}

// want checks a list of Gs.
func (b *bench) want(what string, got, want []*gmp.G) {
	b.t.Helper()
	if check.Names(got) != check.Names(want) {
		b.fatalf("%s: %s\nwant %s", what, check.Names(got), check.Names(want))
	}
}
