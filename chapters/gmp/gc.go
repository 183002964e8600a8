package gmp

import (
	"math"
	"slices"
	"sync"

	"gosched/chapters/machine"
)

// This file is the scheduler's half of the garbage collector: when a collection begins, how
// the world is stopped for it, and where it begins to mark. The machine marks and sweeps.
//
// A collection begins when an allocation finds that the heap has grown by GCPercent since
// the last one; in runtime.GC; and when there is no room for an object. The G that
// allocates stops the world and collects, all in one. It stands before its allocation, which has
// had no effect yet, so nothing is on its way but what its frame holds.
//
// The roots, from which all is found that the program can still reach:
//
//   - Package variables: Program.Pointers.
//   - The stack of each G that lives: what is live in its frames; see stackMap in package
//     machine. Deferred calls hang on a slot of a frame, a panic on the argument of a frame,
//     the cases of a select lie in a frame.
//   - The registers in G.Sched: the closure that a function has just been called with,
//     as that of a G that has not run yet; the text of a runtime error that is about to become a
//     panic.
//   - Sudogs of a G that waits: where its value lies, and the channel.
//   - Timers in a heap: their time.runtimeTimer, which leads to the function of an AfterFunc, or
//     to the channel, and has room for the time that is sent. A timer that is set and in no heap,
//     since no G waits for its channel (chapter 15), can fire only when a G looks there: it is
//     kept by the channel, so that it goes when nothing else knows of either.
//   - Finalizers and cleanups: their closures, and what an object with a finalizer leads to;
//     and those that are waiting to be called.
//
// What a G has passed to the kernel is in its frame, too: a system call holds no address
// beyond its return. Host functions hold addresses only during one instruction. A PollDesc
// holds none at all, nor do its timers: the Gs that wait for it, or on Worldqueue, are found
// like all others.
//
// The program knows channels, timers and lists of sync.Cond as objects that hold a
// number, from which nothing leads on: what a channel holds is in its own buffer. When the object
// goes, so does what bears the number. A descriptor is a number, too, but no object: it has
// its number until it is closed.

// A collector is the state of the collector between two collections. It is written by the
// one that has stopped the world, and otherwise under the lock.
type collector struct {
	mu      sync.Mutex
	percent int64 // GCPercent; negative: off
	queue   []machine.Finalizer
	fing    *G   // that calls finalizers, when it has once waited for one
	created bool // it was created, or is about to be
	waits   bool // it waits for one
	roots   []*G // whose stacks are still to be scanned, where that is done in slices
}

// The heap below which no collection begins, at GCPercent 100: the runtime's heapMinimum.
const heapMinimum = 4 << 20

// gcinit lets collections begin. Models and explorations have none.
func (s *Sched) gcinit() {
	s.run.gc.percent = 100
	s.gcSetTrigger(0)
}

// gcSetTrigger says at which size of the heap the next collection begins, when the last one has
// kept live bytes.
func (s *Sched) gcSetTrigger(live uint64) {
	if machine.Explored() {
		return
	}
	trigger := uint64(math.MaxUint64)
	if p := s.run.gc.percent; p >= 0 {
		trigger = max(live+live*uint64(p)/100, heapMinimum*uint64(p)/100)
		// Stacks need room, too, and a channel that finds none ends the program.
		trigger = min(trigger, live+uint64(s.Machine.Size()-s.Machine.InUse())/2)
	}
	s.Machine.GCTrigger(trigger)
}

// gc collects for gp, whose allocation on mp has asked for it, unless another G has collected
// by the time that the world stands still. If it cannot be done now, gp goes on without.
func (s *Sched) gc(mp *M, gp *G) { s.stopAndCollect(mp, gp, (*Sched).gcAsked, (*Sched).allocates) }

// gcAsked collects, or does a part of it, if that is still asked for.
func (s *Sched) gcAsked() {
	switch {
	case !s.Machine.GCAsked():
	case s.Machine.Options.GCSlice > 0:
		s.collectSlice(s.Machine.Options.GCSlice)
	default:
		s.collect()
	}
}

// allocates lets gp make its object, on the M that it has come to.
func (s *Sched) allocates(mp *M, gp *G) { mp.Thread.GCPass() }

// gcForRoom collects for gp, for whose allocation on mp there is no room. It reports false if
// that has been done already.
func (s *Sched) gcForRoom(mp *M, gp *G) bool {
	if mp.starved > 0 && mp.executed <= mp.starved+1 { // it has tried once more
		return false
	}
	s.stopAndCollect(mp, gp, (*Sched).collect, func(s *Sched, mp *M, gp *G) {
		mp.starved = mp.executed
		mp.Thread.GCPass()
	})
	return true
}

// gcNow is runtime.GC, called by gp on mp.
func (s *Sched) gcNow(mp *M, gp *G) {
	s.stopAndCollect(mp, gp, (*Sched).collect, func(*Sched, *M, *G) {})
}

// stopAndCollect stops the world, calls do, and then calls then, with the
// M that gp, which runs on mp, has by then: it may have waited for another G that had stopped
// the world. Where nothing can be collected now it only calls then.
func (s *Sched) stopAndCollect(mp *M, gp *G, do func(s *Sched), then func(s *Sched, mp *M, gp *G)) {
	switch {
	case machine.Explored():
	case s.run.version.World != nil:
		s.StopTheWorld(mp, gp, "GC", func(s *Sched, mp *M, gp *G) {
			do(s)
			s.StartTheWorld(mp)
			s.wakefing(mp)
			then(s, mp, gp)
		})
		return
	case s.run.version.Matching != nil:
		// Go 1.0 has no World here. If no other M runs a G now, none will as long as the
		// lock is held, and timers fire under theirs.
		s.Timerlist.Lock()
		s.Lock.Lock()
		if s.Mcpu.Get() == 1 {
			do(s)
		}
		s.Lock.Unlock()
		s.Timerlist.Unlock()
	case s.run.many:
	default: // one M: while it is here, the world stands still
		do(s)
	}
	s.wakefing(mp)
	then(s, mp, gp)
}

// wakefing makes the G ready that calls finalizers, if it waits and there are some. The
// runtime's wakefing.
func (s *Sched) wakefing(mp *M) {
	g := &s.run.gc
	g.mu.Lock()
	wake := g.waits && len(g.queue) > 0
	if wake {
		g.waits = false
	}
	g.mu.Unlock()
	if wake {
		s.Goready(mp, g.fing)
	}
}

// collect marks and sweeps. Nothing of the program runs. On simulated CPUs it takes no time.
func (s *Sched) collect() {
	if s.Machine.GCMarking() {
		s.gcEnd()
	}
	s.gcBegin()
	s.gcEnd()
}

// collectSlice begins a collection, goes on with one for about n bytes, or ends it. Between
// its calls the program runs. Every other collection scans the stacks as late as it can, so
// that objects are black while stacks are grey, and the others as early as that.
func (s *Sched) collectSlice(n int64) {
	m, g := s.Machine, &s.run.gc
	if !m.GCMarking() {
		s.gcBegin()
		return
	}
	late := m.Stats().NumGC%2 == 0
	done := false
	if late || len(g.roots) == 0 {
		_, done = m.GCMark(n)
	}
	switch last := len(g.roots) - 1; {
	case last >= 0 && (done || !late):
		s.gcStack(g.roots[last])
		g.roots = g.roots[:last]
	case done:
		s.gcEnd()
	}
}

// gcBegin begins a collection: what is left are the stacks of g.roots, and to mark.
func (s *Sched) gcBegin() {
	m := s.Machine
	m.GCStart()
	m.GCData()
	m.GCSpecials()
	for _, f := range s.run.gc.queue {
		m.GCShade(f.Closure)
		m.GCShade(f.Object)
	}
	s.run.timers.all(func(t *Timer, addr machine.Addr) {
		if s.inHeap(t) {
			m.GCShade(addr)
		}
	})
	s.ForEachG(func(gp *G) { s.run.gc.roots = append(s.run.gc.roots, gp) })
}

// gcEnd ends the collection that has begun.
func (s *Sched) gcEnd() {
	m := s.Machine
	for _, gp := range s.run.gc.roots {
		s.gcStack(gp)
	}
	s.run.gc.roots = s.run.gc.roots[:0]
	s.mark()
	s.run.timers.all(func(t *Timer, addr machine.Addr) {
		if t.C != nil && t.When.Get() != 0 && m.GCMarked(t.C.Addr) {
			m.GCShade(addr) // which leads to nothing else than that channel
		}
	})
	s.mark()
	s.run.gc.queue = append(s.run.gc.queue, m.GCFinalizers()...)
	s.run.hchans.sweep(m.GCMarked)
	s.run.lists.sweep(m.GCMarked)
	s.run.timers.sweep(m.GCMarked)
	m.GCSweep()
	s.gcSetTrigger(m.Stats().Live)
}

// mark marks until nothing is left to mark.
func (s *Sched) mark() {
	s.Machine.GCMark(math.MaxInt64)
}

// gcStack shades what the stack of gp holds, and the sudogs with which it waits.
func (s *Sched) gcStack(gp *G) {
	m := s.Machine
	if st := gp.Atomicstatus.Load() &^ Gscan; st == Gdead || st == Gidle {
		return
	}
	m.GCStack(&gp.Sched)
	for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
		m.GCShade(sg.Elem.Get())
		if c := sg.C.Get(); c != nil {
			m.GCShade(c.Addr)
		}
	}
}

// inHeap reports whether t is in a heap, from which it will fire.
func (s *Sched) inHeap(t *Timer) bool {
	if s.run.version.TimerHeap == nil { // Timerlist has all that are set
		return t.When.Get() != 0
	}
	return t.State.Get()&(TimerHeaped|TimerZombie) == TimerHeaped
}

// setGCPercent is debug.SetGCPercent.
func (s *Sched) setGCPercent(percent int64) (old int64) {
	g := &s.run.gc
	g.mu.Lock()
	defer g.mu.Unlock()
	old, g.percent = g.percent, max(percent, -1)
	s.gcSetTrigger(s.Machine.Stats().Live)
	return old
}

// setFinalizer is runtime.SetFinalizer: the object at addr is of the type with the number typ,
// and fn, of the type fnTyp, is what is to be called; both 0 for nothing.
func (s *Sched) setFinalizer(typ uint64, addr machine.Addr, fnTyp uint64, fn machine.Addr) (create bool) {
	types := s.run.prog.Types
	switch {
	case typ == 0:
		s.Throw("runtime.SetFinalizer: first argument is nil")
	case types[typ].Kind != machine.KindPointer:
		s.Throwf("runtime.SetFinalizer: first argument is %s, not pointer", types[typ].Name)
	case addr == 0:
		s.Throw("nil elem type!")
	case fnTyp != 0 && types[fnTyp].Kind != machine.KindFunc:
		s.Throwf("runtime.SetFinalizer: second argument is %s, not a function", types[fnTyp].Name)
	}
	if fnTyp == 0 {
		fn = 0
	}
	if !s.Machine.SetFinalizer(addr, fn) {
		s.Throw("runtime.SetFinalizer: pointer not at beginning of allocated block")
	}
	return fn != 0 && s.createfing()
}

// IsSystemGoroutine reports whether gp belongs to the scheduler and not to the program: it is in no
// traceback, and whether it waits says nothing about a deadlock. Any M may call it. The runtime's
// isSystemGoroutine.
func (s *Sched) IsSystemGoroutine(gp *G) bool {
	g := &s.run.gc
	g.mu.Lock()
	defer g.mu.Unlock()
	return gp == g.fing
}

// createfing reports whether the caller must create the goroutine that calls finalizers:
// it is the first. The runtime's createfing.
func (s *Sched) createfing() bool {
	g := &s.run.gc
	g.mu.Lock()
	defer g.mu.Unlock()
	first := !g.created
	if g.created = true; first {
		s.Ngsys.Add(1)
	}
	return first
}

// nextFinalizer gives gp, the goroutine that calls finalizers, the next one, or lets it
// wait.
func (s *Sched) nextFinalizer(mp *M, gp *G) {
	g := &s.run.gc
	g.mu.Lock()
	g.fing = gp
	if len(g.queue) == 0 {
		g.waits = true
		g.mu.Unlock()
		s.setResult(gp, 0, 0) // its last one lies there
		s.setResult(gp, 1, 0)
		gp.Cont.Set((*Sched).nextFinalizer)
		s.Gopark(mp, gp, nil, nil, WaitReasonFinalizerWait)
		return
	}
	f := g.queue[0]
	g.queue = slices.Delete(g.queue, 0, 1)
	g.mu.Unlock()
	s.setResult(gp, 0, uint64(f.Closure))
	s.setResult(gp, 1, uint64(f.Object))
}
