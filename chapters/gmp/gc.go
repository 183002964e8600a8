package gmp

import (
	"math"
	"slices"
	"sync/atomic"

	"gosched/chapters/machine"
	"gosched/chapters/trace"
)

// This file is the scheduler's half of the garbage collector, which is given: when a collection
// begins, where it begins to mark, and how it ends. The machine marks and sweeps. Which P marks,
// and when, is GCWork, of chapter 17.
//
// A collection begins when an allocation finds that the heap has grown by GCPercent since
// the last one; in runtime.GC; when there was none for two minutes; and when there is no room for an
// object. The G that asks for it stops the world. It stands before its allocation, which has
// had no effect yet, so nothing is on its way but what its frame holds.
//
// Where there is no GCWork that G collects, all in one, while the world is stopped; and so it does if
// there is no room left. Otherwise it only begins: what is not on a stack is shaded, and the
// world goes on, with workers that scan one stack after the other, and mark. GcMarkDone notices that
// nothing is left, and stops the world once more; then what is left is freed.
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
//   - Sudogs of a G that waits: the channel, for what it holds. Where the value lies is in a
//     frame, whose slots are live since their address is taken; and it is not the worker's to
//     read, because whoever serves the G writes there under the lock of the channel.
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

// A Collector is the given half of the collector, as GCWork sees it. Checks put in their own.
type Collector interface {
	// GcTest reports whether a collection is due because of trigger; now is the time. Any M may call
	// it. The runtime's gcTrigger.test.
	GcTest(trigger GcTrigger, now int64) bool
	// GcStart stops the world for gp, which is Grunning on mp, and begins a collection, if
	// trigger still asks for one then; in any case then is called, as by StopTheWorld, when the world
	// runs again. The runtime's gcStart.
	GcStart(mp *M, gp *G, trigger GcTrigger, then func(s *Sched, mp *M, gp *G))
	// GcMarkWorkAvailable reports whether there is something to mark that is not in the hands of a
	// worker or a P. Any M may call it, with locks held. The runtime's gcMarkWorkAvailable.
	GcMarkWorkAvailable() bool
	// GcDrain marks, on mp, until stop returns true or nothing is left that it can
	// have. stop is asked before anything else, and again after some 16 KiB, with no lock held. The
	// caller's G does not count as running. The runtime's gcDrain.
	GcDrain(mp *M, stop func() bool)
	// GcFlush gives what pp has found, and not marked, to all, and reports whether there was
	// anything. Called at a safe point of pp. (The machine of this course has one list for all, so
	// there never is; that of the checks keeps things with Ps, as the runtime does.)
	GcFlush(pp *P) bool
	// GcMarkTermination ends the collection: it sweeps, and starts the world, which mp has
	// stopped. gp, a worker, is Grunning on mp, before it and after it. The runtime's
	// gcMarkTermination.
	GcMarkTermination(mp *M, gp *G)
}

// A GcTrigger is why a collection begins. The runtime's gcTriggerKind.
type GcTrigger uint8

const (
	GcTriggerHeap  GcTrigger = iota // an allocation finds that the heap has grown
	GcTriggerTime                   // there was none for ForceGCPeriod
	GcTriggerCycle                  // runtime.GC
)

// theCollector is the Collector of a scheduler with a machine.
type theCollector struct{ s *Sched }

// A collector is the state of the collector between two collections and within one. It is
// written by the one that has stopped the world, unless a comment says otherwise.
type collector struct {
	percent int64               // GCPercent; negative: off. Under mu
	queue   []machine.Finalizer // that are to be called. Under Fing.Lock

	used    atomic.Bool   // there was a collection
	roots   []*G          // whose stacks are to be scanned
	scanned atomic.Int64  // how many of them are, or are being
	workers int           // that were made
	mu      machine.Mutex // protects what follows
	running bool          // a collection is under way
	waiting GQueue        // that wait for its end
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
func (s *Sched) gc(mp *M, gp *G) { s.GcStart(mp, gp, GcTriggerHeap, (*Sched).allocates) }

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
	s.GcStart(mp, gp, GcTriggerCycle, (*Sched).gcWait)
}

// gcWait lets gp wait until no collection is under way.
func (s *Sched) gcWait(mp *M, gp *G) {
	g := &s.run.gc
	g.mu.Lock()
	if !g.running {
		g.mu.Unlock()
		return
	}
	g.waiting.PushBack(gp)
	s.Gopark(mp, gp, func(*G, any) bool {
		g.mu.Unlock()
		return true
	}, nil, WaitReasonGarbageCollection)
}

func (c *theCollector) GcTest(trigger GcTrigger, now int64) bool {
	s := c.s
	switch {
	case s.GcController.BlackenEnabled.Load():
		return false
	case trigger == GcTriggerHeap:
		return s.Machine.GCAsked()
	case trigger == GcTriggerTime:
		last := s.GcController.LastGC.Load()
		return last != 0 && now-last > ForceGCPeriod
	}
	return true
}

func (c *theCollector) GcStart(mp *M, gp *G, trigger GcTrigger, then func(s *Sched, mp *M, gp *G)) {
	c.s.stopAndCollect(mp, gp, func(s *Sched, mp *M) {
		switch {
		case !s.GcTest(trigger, s.Nanotime()):
		case trigger == GcTriggerHeap && s.run.opt.Machine.GCSlice > 0:
			s.collectSlice(mp, s.run.opt.Machine.GCSlice)
		case s.gcConcurrent():
			s.gcBegin(mp, trigger)
		default:
			s.collect(mp)
		}
	}, then)
}

// stopAndCollect stops the world, calls do, and starts the world, unless do has begun a
// collection, which then holds Worldsema. Then it calls then, with the M that gp, which runs on
// mp, has by then: it may have waited for another G that had stopped the world. Where
// nothing can be collected now it only calls then.
func (s *Sched) stopAndCollect(mp *M, gp *G, do func(s *Sched, mp *M), then func(s *Sched, mp *M, gp *G)) {
	switch {
	case machine.Explored():
	case s.run.version.World != nil:
		s.StopTheWorld(mp, gp, "GC", func(s *Sched, mp *M, gp *G) {
			do(s, mp)
			if s.GcController.BlackenEnabled.Load() {
				s.StartTheWorldWithSema(mp, 0)
			} else {
				s.StartTheWorld(mp)
			}
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
			do(s, mp)
		}
		s.Lock.Unlock()
		s.Timerlist.Unlock()
	case s.run.many:
	default: // one M: while it is here, the world stands still
		do(s, mp)
	}
	s.wakefing(mp)
	then(s, mp, gp)
}

// wakefing makes the G ready that calls finalizers, if it waits and there are some, where no
// FindRunnable does so.
func (s *Sched) wakefing(mp *M) {
	if s.hasGCWork() {
		return
	}
	if s.Fing.Status.CompareAndSwap(FingCreated|FingWait|FingWake, FingCreated) {
		s.Goready(mp, s.Fing.G.Get())
	}
}

// hasGCWork reports whether there is a GCWork of chapter 17.
func (s *Sched) hasGCWork() bool {
	if s.run.version.GCWork == nil {
		return false
	}
	_, none := s.run.version.GCWork(s).(noGCWork)
	return !none
}

// collect marks and sweeps on mp. Nothing of the program runs.
func (s *Sched) collect(mp *M) {
	if s.Machine.GCMarking() { // in slices
		s.gcStacks(mp)
		s.gcEnd(mp)
	}
	s.Machine.GCStart()
	s.gcShade(mp)
	s.gcRoots()
	s.gcStacks(mp)
	s.gcEnd(mp)
}

// collectSlice begins a collection, goes on with one for about n bytes, or ends it. The world
// is stopped by mp, and runs between two calls. Every other collection scans the stacks as late
// as it can, so that objects are black while stacks are grey, and the others as early as that.
func (s *Sched) collectSlice(mp *M, n int64) {
	m, g := s.Machine, &s.run.gc
	if !m.GCMarking() {
		m.GCStart()
		s.gcShade(mp)
		s.gcRoots()
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
	case done && last < 0:
		s.gcEnd(mp)
	}
}

// gcRoots makes all that have a stack roots.
func (s *Sched) gcRoots() {
	g := &s.run.gc
	g.roots = g.roots[:0]
	s.ForEachG(func(gp *G) {
		if !gp.native {
			g.roots = append(g.roots, gp)
		}
	})
}

// gcStacks scans the stacks of the roots, all at once.
func (s *Sched) gcStacks(mp *M) {
	g := &s.run.gc
	for _, gp := range g.roots {
		s.gcSpend(mp, s.gcStack(gp))
	}
	g.roots = g.roots[:0]
}

// gcConcurrent reports whether workers mark while the program runs.
func (s *Sched) gcConcurrent() bool {
	return s.hasGCWork() && s.run.version.Signals != nil && s.run.opt.Machine.GCEvery == 0
}

// gcBegin begins a collection, while the world is stopped by mp: from when it starts again, workers
// mark. The middle of the runtime's gcStart.
func (s *Sched) gcBegin(mp *M, trigger GcTrigger) {
	g := &s.run.gc
	g.used.Store(true)
	procs := s.Gomaxprocs.Get()
	if s.Forcegc.G.Get() == nil {
		helper := s.native("runtime.forcegchelper", (*Sched).Forcegchelper)
		s.Forcegc.G.Set(helper)
		s.Casgstatus(helper, Gwaiting, Grunnable)
		s.Lock.Lock()
		s.Globrunqput(helper)
		s.Lock.Unlock()
	}
	for ; g.workers < int(procs); g.workers++ {
		s.GcController.Pool.Push(s.native("runtime.gcBgMarkWorker", (*Sched).GcBgMarkWorker))
	}
	s.Machine.GCStart()
	s.gcShade(mp)
	s.gcRoots()
	g.scanned.Store(0)
	g.running = true
	s.GcControllerStartCycle(s.Nanotime(), procs, trigger)
	s.GcController.BlackenEnabled.Store(true)
	// Whoever allocates more than that waits, for Worldsema, until the collection has ended.
	s.Machine.GCTrigger(s.Machine.HeapBytes() + uint64(s.Machine.Size()-s.Machine.InUse())/2)
}

// native makes a G of the system's own, which waits, and calls run whenever it runs.
func (s *Sched) native(name string, run func(s *Sched, mp *M, gp *G)) *G {
	gp := s.Malg(0)
	gp.native = true
	gp.Sched.PC = machine.PC(len(s.run.prog.Code))
	gp.Goid.Set(s.Goidgen.Add(1))
	gp.Cont.Set(run)
	gp.Atomicstatus.Store(Gwaiting)
	s.Ngsys.Add(1)
	s.Allgadd(gp)
	s.record(nil, trace.Event{Kind: trace.Create, G: gp.Goid.Get(), Text: name})
	return gp
}

func (c *theCollector) GcMarkWorkAvailable() bool {
	g := &c.s.run.gc
	return g.scanned.Load() < int64(len(g.roots)) || c.s.Machine.GCWorkAvailable()
}

// slice is how many bytes a worker marks between two looks.
const slice = 16 << 10

func (c *theCollector) GcDrain(mp *M, stop func() bool) {
	s, g := c.s, &c.s.run.gc
	for !s.Exited() && !stop() && c.GcMarkWorkAvailable() {
		if i := g.scanned.Add(1) - 1; i < int64(len(g.roots)) {
			s.gcScan(mp, g.roots[i])
		} else {
			g.scanned.Store(int64(len(g.roots)))
			n, _ := s.Machine.GCMark(slice)
			s.gcSpend(mp, n)
		}
		if s.Npidle.Load() > 0 && c.GcMarkWorkAvailable() {
			s.Wakep(mp)
		}
	}
}

func (c *theCollector) GcFlush(pp *P) bool { return false }

// gcScan scans the stack of gp, which it stops for that, and shrinks it if it can. The runtime's
// markroot of a stack.
func (s *Sched) gcScan(mp *M, gp *G) {
	state := s.SuspendG(mp, gp)
	if !state.Dead {
		if s.IsShrinkStackSafe(gp) {
			s.Shrinkstack(gp)
		} else {
			gp.PreemptShrink.Set(true)
		}
		s.gcSpend(mp, s.gcStack(gp))
	}
	s.ResumeG(mp, state)
}

func (c *theCollector) GcMarkTermination(mp *M, gp *G) {
	s, g := c.s, &c.s.run.gc
	s.gcShade(mp) // what came there since
	s.gcEnd(mp)
	g.mu.Lock()
	g.running = false
	waiting := g.waiting
	g.waiting = GQueue{}
	g.mu.Unlock()
	s.StartTheWorld(mp)
	for gp := waiting.Pop(); gp != nil; gp = waiting.Pop() {
		s.Goready(mp, gp)
	}
}

// gcEnd marks what is left, and sweeps, on mp, which has stopped the world.
func (s *Sched) gcEnd(mp *M) {
	m := s.Machine
	s.mark(mp)
	s.run.timers.all(func(t *Timer, addr machine.Addr) {
		if t.C != nil && t.When.Get() != 0 && m.GCMarked(t.C.Addr) {
			m.GCShade(addr) // which leads to nothing else than that channel
		}
	})
	s.mark(mp)
	if all := m.GCFinalizers(); len(all) > 0 {
		s.Fing.Lock.Lock()
		s.run.gc.queue = append(s.run.gc.queue, all...)
		s.Fing.Lock.Unlock()
		s.Fing.Status.Or(FingWake)
		s.run.gc.used.Store(true)
	}
	s.run.hchans.sweep(m.GCMarked)
	s.run.lists.sweep(m.GCMarked)
	s.run.timers.sweep(m.GCMarked)
	m.GCSweep()
	s.gcSetTrigger(m.Stats().Live)
	s.GcController.LastGC.Store(max(s.Nanotime(), 1))
}

// mark marks until nothing is left to mark.
func (s *Sched) mark(mp *M) {
	for done := false; !done; {
		var n int64
		n, done = s.Machine.GCMark(math.MaxInt64)
		s.gcSpend(mp, n)
	}
}

// gcSpend lets the time pass in which mp scans n bytes, where time is simulated.
func (s *Sched) gcSpend(mp *M, n int64) {
	machine.GCScanned(n)
	if !s.run.many {
		s.run.now = min(s.run.now, MaxWhen-1-n) + n/machine.GCRate
	}
}

// gcShade shades the roots that are on no stack.
func (s *Sched) gcShade(mp *M) {
	m := s.Machine
	s.gcSpend(mp, m.GCData())
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
}

// gcStack shades what gp, which does not run, can reach, and returns how many bytes it has scanned.
func (s *Sched) gcStack(gp *G) (scanned int64) {
	if st := gp.Atomicstatus.Load() &^ Gscan; st == Gdead || st == Gidle || gp.native {
		return 0
	}
	m := s.Machine
	scanned = m.GCStack(&gp.Sched)
	for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
		if c := sg.C.Get(); c != nil {
			m.GCShade(c.Addr)
		}
	}
	return scanned
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
	if !s.GcController.BlackenEnabled.Load() {
		s.gcSetTrigger(s.Machine.Stats().Live)
	}
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
	// The G that calls finalizers is the program's while it does so.
	return gp.native || s.Fing.Status.Load()&FingWait != 0 && gp == s.Fing.G.Get()
}

// isSystem is IsSystemGoroutine for a report.
func (s *Sched) isSystem(gp *G) bool {
	return gp.native || s.Fing.Status.Peek()&FingWait != 0 && gp == s.Fing.G.Peek()
}

// createfing reports whether the caller must create the goroutine that calls finalizers:
// it is the first. The runtime's createfing.
func (s *Sched) createfing() bool {
	first := s.Fing.Status.Or(FingCreated)&FingCreated == 0
	if first {
		s.Ngsys.Add(1)
	}
	return first
}

// nextFinalizer gives gp, the goroutine that calls finalizers, the next one, or lets it
// wait. The lock is released when gp waits, and says so: what comes later finds it.
func (s *Sched) nextFinalizer(mp *M, gp *G) {
	g := &s.run.gc
	s.Fing.Lock.Lock()
	if s.Fing.G.Get() == nil {
		s.Fing.G.Set(gp)
	}
	if len(g.queue) == 0 {
		s.setResult(gp, 0, 0) // its last one lies there
		s.setResult(gp, 1, 0)
		gp.Cont.Set((*Sched).nextFinalizer)
		s.Gopark(mp, gp, func(*G, any) bool {
			s.Fing.Status.Or(FingWait)
			s.Fing.Lock.Unlock()
			return true
		}, nil, WaitReasonFinalizerWait)
		return
	}
	f := g.queue[0]
	g.queue = slices.Delete(g.queue, 0, 1)
	s.Fing.Lock.Unlock()
	s.setResult(gp, 0, uint64(f.Closure))
	s.setResult(gp, 1, uint64(f.Object))
}
