package ch02

import (
	"fmt"
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"

	"github.com/google/go-cmp/cmp"
)

// newGs makes n Gs in state st, numbered from 1. They are in the list of all Gs
// and on no queue. They have no stack: nobody runs them.
func newGs(s *gmp.Sched, n int, st uint32) []*gmp.G {
	gs := make([]*gmp.G, n)
	for i := range gs {
		gs[i] = newG(s, st)
	}
	return gs
}

// newG makes one more.
func newG(s *gmp.Sched, st uint32) *gmp.G {
	gp := s.Malg(0)
	gp.Goid = s.Goidgen.Add(1)
	gp.Atomicstatus.Store(st)
	s.Allgadd(gp)
	return gp
}

// queue puts gs on the global queue.
func queue(s *gmp.Sched, gs ...*gmp.G) {
	s.Lock.Lock()
	for _, gp := range gs {
		s.Globrunqput(gp)
	}
	s.Lock.Unlock()
}

// drain takes all Gs off the global queue, at most a hundred.
func drain(s *gmp.Sched) []*gmp.G {
	var gs []*gmp.G
	s.Lock.Lock()
	for gp := s.Globrunqget(); gp != nil && len(gs) < 100; gp = s.Globrunqget() {
		gs = append(gs, gp)
	}
	s.Lock.Unlock()
	return gs
}

// run makes gp the current G of mp by hand.
func run(mp *gmp.M, gp *gmp.G) {
	gp.Atomicstatus.Store(gmp.Grunning)
	gp.M, mp.Curg = mp, gp
}

// diff compares what a program printed with what it should.
func diff(want, got []string) string {
	// go-cmp mixes in no-break spaces, at random, so that nobody relies on its form.
	return strings.ReplaceAll(cmp.Diff(want, got), "\u00a0", " ")
}

// wantFree checks that s.Lock is free after a method that takes it itself.
func wantFree(t *check.T, s *gmp.Sched, after string) {
	t.Helper()
	if check.Held(&s.Lock) {
		t.Fatalf("%s returned with s.Lock held; it must give back what it took", after)
	}
}

// wantQueued checks that the global queue holds just want, in that order, and
// empties it.
func wantQueued(t *check.T, s *gmp.Sched, after string, want ...*gmp.G) {
	t.Helper()
	if got := drain(s); check.Names(got) != check.Names(want) {
		t.Errorf("after %s the global queue holds %s; want %s", after, check.Names(got), check.Names(want))
	}
}

// wantCurrent checks that mp runs gp, or nothing if gp is nil.
func wantCurrent(t *check.T, mp *gmp.M, after string, gp *gmp.G) {
	t.Helper()
	if mp.Curg != gp {
		t.Errorf("after %s mp.Curg is %s; want %s", after, check.Name(mp.Curg), check.Name(gp))
	}
}

// A tape records what parts are called with, and whether s.Lock was held then.
// It wraps the parts of a Sched on which nothing has run yet.
type tape struct {
	s     *gmp.Sched
	calls []call
	idle  bool // Schedule is recorded only
}

// A call is one call of a method.
type call struct {
	method string
	gp     *gmp.G // that it was about, if any
	status uint32 // its state at that moment
	locked bool   // s.Lock was held
	flag   bool   // Execute's inheritTime
}

func (c call) String() string {
	if c.gp == nil {
		return c.method
	}
	return fmt.Sprintf("%s(%s)", c.method, check.Name(c.gp))
}

// record wraps the parts of s.
func record(s *gmp.Sched) *tape {
	tp := &tape{s: s}
	s.GlobalQueue = &tapedQueue{s.GlobalQueue, tp}
	s.Loop = &tapedLoop{s.Loop, tp}
	s.Submission = &tapedSubmission{s.Submission, tp}
	return tp
}

func (tp *tape) add(method string, gp *gmp.G, flag bool) {
	c := call{method: method, gp: gp, locked: check.Held(&tp.s.Lock), flag: flag}
	if gp != nil {
		c.status = gp.Atomicstatus.Load()
	}
	tp.calls = append(tp.calls, c)
}

// of returns the calls of some methods.
func (tp *tape) of(methods ...string) []call {
	var found []call
	for _, c := range tp.calls {
		if slices.Contains(methods, c.method) {
			found = append(found, c)
		}
	}
	return found
}

type tapedQueue struct {
	gmp.GlobalQueue
	tp *tape
}

func (q *tapedQueue) Globrunqput(gp *gmp.G) {
	q.tp.add("Globrunqput", gp, false)
	q.GlobalQueue.Globrunqput(gp)
}

func (q *tapedQueue) Globrunqputhead(gp *gmp.G) {
	q.tp.add("Globrunqputhead", gp, false)
	q.GlobalQueue.Globrunqputhead(gp)
}

func (q *tapedQueue) Globrunqget() *gmp.G {
	q.tp.add("Globrunqget", nil, false)
	return q.GlobalQueue.Globrunqget()
}

type tapedLoop struct {
	gmp.Loop
	tp *tape
}

func (l *tapedLoop) Schedule(mp *gmp.M) {
	l.tp.add("Schedule", nil, false)
	if !l.tp.idle {
		l.Loop.Schedule(mp)
	}
}

func (l *tapedLoop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	l.tp.add("Execute", gp, inheritTime)
	l.Loop.Execute(mp, gp, inheritTime)
}

type tapedSubmission struct {
	gmp.Submission
	tp *tape
}

func (s *tapedSubmission) Newproc(mp *gmp.M, fn machine.Addr) {
	s.tp.add("Newproc", nil, false)
	s.Submission.Newproc(mp, fn)
}

// A maker stands in for chapter 1: its Newproc1 makes Gs that nobody will run,
// and remembers what it was asked for.
type maker struct {
	gmp.Goroutines
	s     *gmp.Sched
	asked []order
}

// An order is one call of Newproc1.
type order struct {
	fn       machine.Addr
	callergp *gmp.G
	callerpc machine.PC
	locked   bool   // s.Lock was held
	made     *gmp.G // the result
}

// standIn puts a maker in the place of the Goroutines of s.
func standIn(s *gmp.Sched) *maker {
	m := &maker{Goroutines: s.Goroutines, s: s}
	s.Goroutines = m
	return m
}

func (m *maker) Newproc1(mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
	gp := newG(m.s, gmp.Grunnable)
	m.asked = append(m.asked, order{fn, callergp, callerpc, check.Held(&m.s.Lock), gp})
	return gp
}
