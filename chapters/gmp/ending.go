package gmp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"gosched/chapters/machine"
	"gosched/chapters/stacks"
	"gosched/chapters/trace"
)

// This file is how somebody outside ends a run: a person with Ctrl-C, a pipe that nobody reads, a
// limit. The program has no say in it, and no M need come by: all may sleep, one may write where
// nobody takes it, a part may loop. So the end is noted as any other is, Ms that sleep are ended
// by Machine.Halt, and a goroutine of the host that is no M waits until all are at rest, and
// then tells where they stand. For Ms that do not come to rest it does not wait long.

// An Ending is why a run is ended from outside: the cause with which a context ends, or the error of a
// writer to which the program writes.
type Ending struct {
	Why    string // the first words of the report: "interrupt"
	Status int    // the exit status
	Silent bool   // without a report: nobody would read it
}

func (e Ending) Error() string { return e.Why }

// endingOf is why ctx has ended.
func endingOf(ctx context.Context) Ending {
	cause := context.Cause(ctx)
	if e, ok := errors.AsType[Ending](cause); ok {
		return e
	}
	return Ending{Why: cause.Error(), Status: 2}
}

// How a run has ended: values of run.exited.
const (
	goesOn   = iota
	byItself // the program or the scheduler ended it, on an M
	fromOutside
)

// patience is how long Ms that are told to stop may take. They stop after aWhile of instructions, and
// after what a part does for one trap: it is for a computer with much else to do, and only a part
// that loops uses it up.
const patience = 2 * time.Second

// A Simulation runs main on simulated CPUs, and ends early when stop is closed. It returns the time
// at the end, in ns.
type Simulation func(main func(), stop <-chan struct{}) (now int64)

// MainUntil is Main of a program that somebody outside may end: it ends with ctx, or with an
// Ending that a write to its output returns. Then standard error tells where each M and each G
// stands, and the result has the status of the Ending and the trace up to there. The program
// runs on threads if simulate is nil. If the simulation ends before the program the result has
// nothing but the trace.
func (s *Sched) MainUntil(ctx context.Context, simulate Simulation) Result {
	var result Result
	if ctx.Done() == nil {
		if simulate == nil {
			return s.Main()
		}
		simulate(func() { result = s.Main() }, nil)
		return result
	}
	s.run.stop = make(chan struct{})
	s.run.moving.add(1)
	s.NetPoller = notedPoller{s.NetPoller}
	now := int64(0)
	over := make(chan struct{})
	go func() {
		defer close(over)
		main := func() { result = s.Main() }
		if simulate == nil {
			main()
		} else {
			now = simulate(main, s.run.stop)
		}
	}()
	select {
	case <-over:
	case <-s.run.stop:
	case <-ctx.Done():
		s.endNow(endingOf(ctx))
	}
	if s.run.exited.Load() != fromOutside {
		within(patience, over) // without Ctrl-C it is here already
		select {
		case <-over:
			if s.run.exited.Load() == goesOn {
				result.Log = s.cutTrace(now)
			}
			return result
		default: // its end is held up, perhaps by a reader who does not read
			return Result{Status: endingOf(ctx).Status}
		}
	}
	if simulate == nil {
		s.Machine.Halt()
		if s.run.many {
			s.run.over.Wakeup()
		}
	}
	if s.rests(over) && now > 0 {
		return s.conclude(func() int64 { return now })
	}
	return s.conclude(machine.PeekNanotime)
}

// cutTrace is the trace, if there is one, of a program that had not ended when the simulation did, at
// the time now: its threads sleep for ever, or one panicked.
func (s *Sched) cutTrace(now int64) *trace.Log {
	if !s.run.tracer.on {
		return nil
	}
	at := s.timeBy(func() int64 { return now })
	s.add(nil, trace.Event{T: at, Kind: trace.End, M: trace.None, P: trace.None, G: trace.None, N: 2, Text: "the simulation has ended"})
	return s.finishTrace()
}

// A notedPoller notes which M waits for the network.
type notedPoller struct{ NetPoller }

func (n notedPoller) Netpoll(mp *M, delay int64) GList {
	mp.polls.Store(delay != 0)
	list := n.NetPoller.Netpoll(mp, delay)
	mp.polls.Store(false)
	return list
}

// within waits for c, but no longer than so long.
func within(limit time.Duration, c <-chan struct{}) {
	select {
	case <-c:
	case <-time.After(limit):
	}
}

// endNow ends the run from outside. Any thread may call it, and any goroutine that is none. Nothing
// happens if the run has ended.
func (s *Sched) endNow(e Ending) {
	if s.run.stop == nil || !s.run.exited.CompareAndSwap(goesOn, fromOutside) {
		return
	}
	s.run.ending = e
	close(s.run.stop)
}

// rests waits until nothing of the scheduler changes any more, or for patience. It reports whether
// the run is over: Main has returned, or the simulation was ended.
func (s *Sched) rests(over <-chan struct{}) bool {
	still := make(chan struct{})
	s.run.moving.await(still)
	select {
	case <-over:
		return true
	case <-still:
	case <-time.After(patience):
	}
	select {
	case <-over:
		return true
	default:
		return false
	}
}

// conclude tells how things stand, and returns the result. nanotime is the machine's clock. Nothing of
// it disturbs a thread that has not come to rest, or a Hook.
func (s *Sched) conclude(nanotime func() int64) Result {
	e := s.run.ending
	at := s.timeBy(nanotime)
	if !e.Silent {
		told := make(chan struct{})
		go func() {
			defer close(told)
			io.WriteString(s.Stderr(), s.stands(e.Why, at))
		}()
		within(patience, told) // perhaps nobody reads it; then there is still the trace
	}
	r := Result{Status: e.Status, Ended: e.Why}
	for mp := range s.allms() {
		r.Instructions += mp.executed
	}
	if s.run.tracer.on {
		s.add(nil, trace.Event{T: at, Kind: trace.End, M: trace.None, P: trace.None, G: trace.None, N: int64(e.Status), Text: e.Why})
		r.Log = s.finishTrace()
	}
	return r
}

// moving counts the threads that may change the scheduler.
type moving struct {
	mu    sync.Mutex
	n     int
	still chan<- struct{} // to be closed when there is none; nil if nobody waits
}

func (m *moving) add(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.n += n
	m.look()
}

// await has still closed when nothing moves any more.
func (m *moving) await(still chan<- struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.still = still
	m.look()
}

func (m *moving) look() {
	if m.n == 0 && m.still != nil {
		close(m.still)
		m.still = nil
	}
}

// moves is moving.add for a thread that begins, 1, or ends, -1.
func (s *Sched) moves(n int) {
	if !s.run.hooked {
		s.run.moving.add(n)
	}
}

// goesOutside is called by an M before it waits for somebody outside of the machine, who may never
// come. It is at rest until it calls comesBack. mp is nil if the caller does not know.
func (s *Sched) goesOutside(mp *M) {
	if mp != nil {
		mp.outside.Store(true)
	}
	s.run.moving.add(-1)
}

// comesBack is called when that is over. If somebody has ended the run meanwhile, the M goes no
// further.
func (s *Sched) comesBack(mp *M) {
	s.run.moving.add(1)
	if s.run.exited.Load() == fromOutside {
		panic(machine.Halted{})
	}
	if mp != nil {
		mp.outside.Store(false)
	}
}

// An input is the program's standard input. On simulated CPUs all wait for it.
type input struct {
	from io.Reader
	s    *Sched
}

func (in *input) Read(p []byte) (int, error) {
	if in.s.run.hooked {
		in.s.goesOutside(nil)
		defer in.s.comesBack(nil)
	}
	return in.from.Read(p)
}

// stands says where each M and each G stands.
func (s *Sched) stands(why string, at int64) string {
	var b strings.Builder
	clock := ""
	if !s.run.many || s.run.hooked {
		clock = " of virtual time"
	}
	fmt.Fprintf(&b, "%s: the run was ended after %v%s\n\n", why, time.Duration(at), clock)
	threads := stacks.All()
	for mp := range s.allms() {
		fmt.Fprintf(&b, "M%d", mp.ID)
		if pp := mp.P.Peek(); pp != nil {
			fmt.Fprintf(&b, " with P%d", pp.ID)
		}
		fmt.Fprintf(&b, ": %s\n", s.does(mp, threads))
	}
	s.standsOfGs(&b)
	return b.String()
}

// does says what mp does. threads are the stacks of all threads.
func (s *Sched) does(mp *M, threads []string) string {
	gp := mp.Curg.Peek()
	part := partOf(mp, threads)
	switch locked := mp.Lockedg.Peek(); {
	case gp != nil && mp.outside.Load():
		return s.inG("in a write of", gp)
	case !mp.rests.Load() && !s.run.hooked:
		return fmt.Sprintf("in the scheduler%s, and has not come back within %v", part, patience)
	case gp != nil && mp.calls:
		return s.inG("in the system call "+callName(mp.call.Num)+" of", gp)
	case gp != nil && gp.native:
		return "works for the collector"
	case gp != nil:
		return s.inG("runs", gp)
	case s.isIdle(mp):
		return "parked, since there was no work for it"
	case locked != nil:
		return fmt.Sprintf("parked, until goroutine %d can run, which is locked to it", locked.Goid.Peek())
	case mp.Spinning.Peek():
		return "spinning: it looks for work"
	case mp.polls.Load():
		return "waits for the network, and for timers"
	}
	return "in the scheduler" + part
}

// partOf says where in a part the thread of mp stands, if it does: it has not come to rest.
func partOf(mp *M, threads []string) string {
	id := mp.host.Load()
	if id == nil {
		return ""
	}
	at := slices.IndexFunc(threads, func(stack string) bool { return strings.HasPrefix(stack, *id) })
	if at < 0 {
		return ""
	}
	place, function, ok := stacks.Part(threads[at])
	if !ok {
		return ""
	}
	return fmt.Sprintf(", in %s (%s)", function[strings.LastIndexByte(function, '.')+1:], ShortFile(place))
}

// inG says what an M does in gp, and where in the program's own source that is.
func (s *Sched) inG(does string, gp *G) string {
	text := fmt.Sprintf("%s goroutine %d", does, gp.Goid.Peek())
	places := s.places(gp)
	own := slices.IndexFunc(places, func(p machine.Place) bool { return strings.HasPrefix(p.Func, "main.") })
	if len(places) > 0 {
		at := places[max(own, 0)]
		text += ", " + at.Func + " (" + s.at(at) + ")"
	}
	return text
}

// isIdle reports whether mp is on the list of idle Ms.
func (s *Sched) isIdle(mp *M) bool {
	for idle := s.Midle.Peek(); idle != nil; idle = idle.Schedlink.Peek() {
		if idle == mp {
			return true
		}
	}
	return false
}

// maxStacks is how many goroutines are shown with their stacks.
const maxStacks = 100

// standsOfGs says where each G stands that is the program's: those that an M runs come first.
func (s *Sched) standsOfGs(b *strings.Builder) {
	var running, others []*G
	for gp := s.Allgs.Peek(); gp != nil; gp = gp.Alllink.Peek() {
		switch st := gp.Atomicstatus.Peek() &^ Gscan; {
		case st == Gdead || st == Gidle || s.isSystem(gp):
		case st == Grunning || st == Gsyscall:
			running = append(running, gp)
		default:
			others = append(others, gp)
		}
	}
	all := append(running, others...)
	for _, gp := range all[:min(len(all), maxStacks)] {
		s.traceback(b, gp)
	}
	more := map[string]int{}
	for _, gp := range all[min(len(all), maxStacks):] {
		more[s.state(gp)]++
	}
	if len(more) > 0 {
		b.WriteString("\n")
	}
	for _, state := range slices.Sorted(maps.Keys(more)) {
		fmt.Fprintf(b, "...and %d more [%s]\n", more[state], state)
	}
}

// allms are the Ms that have not ended, from M0 on.
func (s *Sched) allms() iter.Seq[*M] {
	var all []*M
	for mp := s.Allm.Peek(); mp != nil; mp = mp.Alllink.Peek() {
		if !mp.ended.Load() {
			all = append(all, mp)
		}
	}
	slices.SortFunc(all, func(a, b *M) int { return cmp.Compare(a.ID, b.ID) })
	return slices.Values(all)
}
