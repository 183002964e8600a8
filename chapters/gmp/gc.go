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
//   - Timers that are set: their time.runtimeTimer, which leads to the function of an
//     AfterFunc, or to the channel, and has room for the time that is sent. (Since Go 1.23 a timer
//     of which only the scheduler knows is collected. Here it fires first.)
//   - Finalizers and cleanups: their closures, and what an object with a finalizer leads to;
//     and those that are waiting to be called.
//
// What a G has passed to the kernel is in its frame, too: a system call holds no address
// beyond its return. Host functions hold addresses only during one instruction.
//
// The program knows channels, timers and lists of sync.Cond as objects that hold a
// number, from which nothing leads on: what a channel holds is in its own buffer. When the object
// goes, so does what bears the number.

// A collector is the state of the collector between two collections. It is written by the
// one that has stopped the world, and otherwise under the lock.
type collector struct {
	mu      sync.Mutex
	percent int64 // GCPercent; negative: off
	queue   []machine.Finalizer
	fing    *G   // that calls finalizers, when it has once waited for one
	created bool // it was created, or is about to be
	waits   bool // it waits for one
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

// gc collects for gp, whose allocation on mp has asked for it. If it cannot be done now,
// gp goes on without.
func (s *Sched) gc(mp *M, gp *G) { s.stopAndCollect(mp, gp) }

// gcForRoom collects for gp, for whose allocation on mp there is no room. It reports false if
// that has been done already, or cannot be.
func (s *Sched) gcForRoom(mp *M, gp *G) bool {
	if mp.starved > 0 && mp.executed <= mp.starved+1 { // it has tried once more
		return false
	}
	done, yielded := s.stopAndCollect(mp, gp)
	if done {
		mp.starved = mp.executed
	}
	return done || yielded
}

// gcNow is runtime.GC, called by gp on mp.
func (s *Sched) gcNow(mp *M, gp *G) {
	if _, yielded := s.stopAndCollect(mp, gp); yielded {
		gp.Cont.Set((*Sched).gcNow)
	}
}

// stopAndCollect stops the world and collects. If another G is doing the same, or changes
// GOMAXPROCS, gp yields: it must let go of its P, which the other may be waiting for.
func (s *Sched) stopAndCollect(mp *M, gp *G) (done, yielded bool) {
	switch {
	case machine.Explored():
		return false, false
	case s.run.version.World != nil:
		if !s.Worldsema.CompareAndSwap(false, true) {
			s.GoschedImpl(mp, gp, false)
			return false, true
		}
		s.StopTheWorldWithSema(mp, "GC")
		s.collect()
		s.StartTheWorldWithSema(mp, 0)
		s.Worldsema.Store(false)
	case s.run.version.Matching != nil:
		// Go 1.0 has no World here. If no other M runs a G now, none will as long as the
		// lock is held, and timers fire under theirs.
		s.Timerlist.Lock.Lock()
		s.Lock.Lock()
		if done = s.Mcpu.Get() == 1; done {
			s.collect()
		}
		s.Lock.Unlock()
		s.Timerlist.Lock.Unlock()
		if !done {
			return false, false
		}
	case s.run.many:
		return false, false
	default: // one M: while it is here, the world stands still
		s.collect()
	}
	if s.run.gc.waits && len(s.run.gc.queue) > 0 {
		s.run.gc.waits = false
		s.Goready(mp, s.run.gc.fing)
	}
	return true, false
}

// collect marks and sweeps. Nothing of the program runs. On simulated CPUs it takes no time.
func (s *Sched) collect() {
	m := s.Machine
	m.GCStart()
	s.gcRoots()
	for !m.GCMark(math.MaxInt64) {
	}
	s.run.gc.queue = append(s.run.gc.queue, m.GCFinalizers()...)
	s.run.hchans.sweep(m.GCMarked)
	s.run.lists.sweep(m.GCMarked)
	s.run.timers.sweep(m.GCMarked)
	m.GCSweep()
	s.gcSetTrigger(m.Stats().Live)
}

// gcRoots shades the roots.
func (s *Sched) gcRoots() {
	m := s.Machine
	m.GCData()
	m.GCSpecials()
	for _, f := range s.run.gc.queue {
		m.GCShade(f.Closure)
		m.GCShade(f.Object)
	}
	s.ForEachG(func(gp *G) {
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
	})
	s.run.timers.all(func(t *Timer, addr machine.Addr) {
		if t.When.Get() != 0 {
			m.GCShade(addr)
		}
	})
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

// memStats are the results of TrapReadMemStats on mp. What other Ms have in their
// allocation caches counts as objects, since only they know it.
func (s *Sched) memStats(mp *M) [7]uint64 {
	unused, st := mp.Thread.Unused(), s.Machine.Stats()
	return [...]uint64{
		s.Machine.HeapBytes() - unused, st.TotalAlloc - unused, uint64(s.Machine.Size()),
		st.Mallocs, st.Frees, uint64(st.NumGC), s.Machine.NextGC(),
	}
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
