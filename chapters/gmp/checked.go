package gmp

import (
	"fmt"
	"sync"

	"gosched/chapters/machine"
)

// A Breach says that something that must always hold did not.
type Breach struct {
	Rule string // "a runnable G is on exactly one queue"
	What string // what happened instead
}

func (b Breach) Error() string { return b.What + " (the rule: " + b.Rule + ")" }

// place is where the watcher saw a G last.
type place uint8

const (
	nowhere place = iota // dead, or in the hands of a part
	queued               // on the global queue
	local                // on the queue of a P
	onM                  // running
	parked               // it called Gopark, and nobody has made it ready since
	inCall               // in a system call
)

// A watcher follows each G through the hands of the parts. It decorates them,
// and is called with whatever they are called with, by all Ms. A G is in the hands
// of one at a time, so what is known of it is in order; mu only guards the maps.
type watcher struct {
	s     *Sched
	mu    sync.Mutex // guards what follows
	place map[*G]place
	owner map[*P]*M  // who holds a P
	onq   int        // how many Gs are queued
	gets  int        // how many Gs were taken off the global queue
	since map[*G]int // gets when a G was queued

	// The world is stopped, and Ps die: whoever ends them may take their Gs from their
	// rings himself. Written and read by that M, with s.Lock.
	resizing bool
}

// at returns where gp was seen last.
func (w *watcher) at(gp *G) place {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.place[gp]
}

// seen notes that gp is there now.
func (w *watcher) seen(gp *G, there place) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.place[gp] == queued {
		w.onq--
	}
	w.place[gp] = there
	if there == queued {
		w.onq++
		w.since[gp] = w.gets
	}
}

// noneQueued reports whether no G was seen to be queued last. With many Ms the queue is
// often empty, and there are many Gs to look at.
func (w *watcher) noneQueued() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.onq == 0
}

// checked wraps parts so that a breach of what must always hold ends the run.
func checked(s *Sched, p Parts) Parts {
	w := &watcher{s: s, place: map[*G]place{}, since: map[*G]int{}, owner: map[*P]*M{}}
	s.run.watcher = w
	p.GlobalQueue = &checkedQueue{p.GlobalQueue, w}
	p.Loop = &checkedLoop{p.Loop, w}
	p.Submission = &checkedSubmission{p.Submission, w}
	p.Goroutines = &checkedGoroutines{p.Goroutines, w}
	p.Deadlock = &checkedDeadlock{p.Deadlock, w}
	p.Parking = &checkedParking{p.Parking, w}
	p.NetPoller = &checkedNetPoller{p.NetPoller, w}
	if s.run.version.Procs != nil {
		p.Procs = &checkedProcs{p.Procs, w}
		p.RunQueue = &checkedRunQueue{p.RunQueue, w}
		p.Threads = &checkedThreads{p.Threads, w}
	}
	if s.run.version.Syscalls != nil {
		p.Syscalls = &checkedSyscalls{p.Syscalls, w}
	}
	if s.run.version.Signals != nil {
		p.Signals = &checkedSignals{p.Signals, w}
	}
	p.GCWork = &checkedGCWork{p.GCWork, w}
	return p
}

func (w *watcher) breach(rule, format string, args ...any) {
	panic(Breach{rule, fmt.Sprintf(format, args...)})
}

// status checks that gp is in state want when a part hands it on.
func (w *watcher) status(who string, gp *G, want uint32) {
	if got := gp.Atomicstatus.Load() &^ Gscan; got != want {
		w.breach("the state of a G says where it is", "%s: G%d is %s, not %s", who, gp.Goid.Get(), StatusName(got), StatusName(want))
	}
}

const (
	ruleOneQueue = "a runnable G is on exactly one queue"
	ruleNoneLost = "no runnable G is lost"
	ruleParked   = "a parked G is on no run queue, and no M runs it"
	ruleOneP     = "a P has at most one M, and an M at most one P"
)

type checkedQueue struct {
	GlobalQueue
	w *watcher
}

func (c *checkedQueue) put(gp *G, who string) {
	if gp == nil {
		c.w.breach(ruleOneQueue, "%s was given a nil G", who)
	}
	c.w.status(who, gp, Grunnable)
	c.w.put(gp, queued, who)
}

// put notes that gp, which was on no queue, is put on one.
func (w *watcher) put(gp *G, there place, who string) {
	onto := map[place]string{queued: "the global queue", local: "the queue of a P"}
	switch at := w.at(gp); at {
	case there:
		w.breach(ruleOneQueue, "%s puts G%d on %s, where it already is", who, gp.Goid.Get(), onto[there])
	case queued, local:
		w.breach(ruleOneQueue, "%s puts G%d on %s, but it is on %s", who, gp.Goid.Get(), onto[there], onto[at])
	case parked:
		w.breach(ruleParked, "%s puts G%d on %s; it has parked, and Ready was not called for it", who, gp.Goid.Get(), onto[there])
	}
	w.seen(gp, there)
}

// taken notes that who took gp, which may be nil, off a queue.
func (w *watcher) taken(gp *G, from place, who string) {
	if gp == nil {
		return
	}
	if w.at(gp) != from {
		w.breach(ruleOneQueue, "%s returned G%d, which is not on the queue", who, gp.Goid.Get())
	}
	w.seen(gp, nowhere)
}

// took counts n Gs that were taken off the global queue.
func (w *watcher) took(n int) {
	w.mu.Lock()
	w.gets += n
	w.mu.Unlock()
}

func (c *checkedQueue) Globrunqput(gp *G) {
	c.put(gp, "Globrunqput")
	c.GlobalQueue.Globrunqput(gp)
}

func (c *checkedQueue) Globrunqputhead(gp *G) {
	if c.w.resizing && c.w.at(gp) == local {
		c.w.seen(gp, nowhere)
	}
	c.put(gp, "Globrunqputhead")
	c.GlobalQueue.Globrunqputhead(gp)
}

func (c *checkedQueue) Globrunqget() *G {
	gp := c.GlobalQueue.Globrunqget()
	if gp == nil {
		if c.w.noneQueued() {
			return nil
		}
		c.w.s.ForEachG(func(gp *G) {
			if c.w.at(gp) == queued {
				c.w.breach(ruleNoneLost, "G%d was put on the global queue and never taken off, and now the queue is empty", gp.Goid.Get())
			}
		})
		return nil
	}
	c.w.took(1)
	c.w.taken(gp, queued, "Globrunqget")
	return gp
}

// overlooked is how many Gs may be taken off the global queue before one that
// was put on it. A right queue takes as many as there are Gs.
const overlooked = 10_000

// starved returns the breach that explains why a program does not come to its
// end: a G that the queue never gives back. It is nil if there is none.
func (w *watcher) starved() error {
	var found error
	w.s.ForEachG(func(gp *G) {
		w.mu.Lock()
		n := w.gets - w.since[gp]
		w.mu.Unlock()
		if found == nil && w.at(gp) == queued && n > overlooked {
			found = Breach{ruleNoneLost, fmt.Sprintf("G%d was put on the global queue; %d other Gs have been taken off it since, but not this one", gp.Goid.Get(), n)}
		}
	})
	return found
}

type checkedLoop struct {
	Loop
	w *watcher
}

func (c *checkedLoop) Execute(mp *M, gp *G, inheritTime bool) {
	c.w.status("Execute", gp, Grunnable)
	switch c.w.at(gp) {
	case queued:
		c.w.breach(ruleOneQueue, "Execute was given G%d, which is still on the global queue", gp.Goid.Get())
	case local:
		c.w.breach(ruleOneQueue, "Execute was given G%d, which is still on the queue of a P", gp.Goid.Get())
	case onM:
		c.w.breach("a G runs on one M at a time", "Execute was given G%d on M%d, but it already runs", gp.Goid.Get(), mp.ID)
	}
	if c.w.s.run.version.Procs != nil && (mp.P.Get() == nil || mp.Nextp.Get() != nil) {
		c.w.breach("an M that runs a G has a P, and no other P in Nextp", "M%d executes G%d with P %s and Nextp %s", mp.ID, gp.Goid.Get(), pname(mp.P.Get()), pname(mp.Nextp.Get()))
	}
	if lockedm, lockedg := gp.Lockedm.Peek(), mp.Lockedg.Peek(); lockedm != nil && lockedm != mp || lockedg != nil && lockedg != gp {
		c.w.breach(ruleLocked, "Execute was given G%d on M%d; the one is locked to M %s, the other to G %s", gp.Goid.Get(), mp.ID, mname(lockedm), gname(lockedg))
	}
	if cur := mp.Curg.Get(); cur != nil && cur.Atomicstatus.Load() == Grunning {
		c.w.breach("an M runs one G at a time", "Execute was given G%d while M%d runs G%d", gp.Goid.Get(), mp.ID, cur.Goid.Get())
	}
	c.Loop.Execute(mp, gp, inheritTime)
	c.w.status("after Execute", gp, Grunning)
	if mp.Curg.Get() != gp || gp.M.Get() != mp {
		c.w.breach("an M and its G point to each other", "after Execute of G%d on M%d, mp.Curg or gp.M is not set", gp.Goid.Get(), mp.ID)
	}
	c.w.seen(gp, onM)
}

type checkedSubmission struct {
	Submission
	w *watcher
}

func (c *checkedSubmission) Ready(mp *M, gp *G, next bool) {
	if c.w.at(gp) == parked {
		c.w.seen(gp, nowhere)
	}
	c.Submission.Ready(mp, gp, next)
}

func (c *checkedSubmission) GoschedImpl(mp *M, gp *G, preempted bool) {
	c.w.seen(gp, nowhere)
	c.Submission.GoschedImpl(mp, gp, preempted)
}

type checkedGoroutines struct {
	Goroutines
	w *watcher
}

func (c *checkedGoroutines) Newproc1(mp *M, fn machine.Addr, callergp *G, callerpc machine.PC) *G {
	gp := c.Goroutines.Newproc1(mp, fn, callergp, callerpc)
	if gp == nil {
		c.w.breach("the go statement makes a G", "Newproc1 returned nil")
	}
	c.w.status("after Newproc1", gp, Grunnable)
	if c.w.at(gp) != nowhere {
		c.w.breach("only a dead G is used again", "Newproc1 returned G%d, which is in use", gp.Goid.Get())
	}
	return gp
}

func (c *checkedGoroutines) Goexit0(mp *M, gp *G) {
	c.w.seen(gp, nowhere)
	c.Goroutines.Goexit0(mp, gp)
}

type checkedParking struct {
	Parking
	w *watcher
}

func (c *checkedParking) Gopark(mp *M, gp *G, unlockf func(gp *G, lock any) bool, lock any, reason WaitReason) {
	c.w.status("Gopark", gp, Grunning)
	c.w.seen(gp, parked)
	watched := unlockf
	if unlockf != nil {
		watched = func(gp *G, lock any) bool {
			c.w.status("unlockf, called by Gopark", gp, Gwaiting)
			return unlockf(gp, lock)
		}
	}
	c.Parking.Gopark(mp, gp, watched, lock, reason)
	if mp.Curg.Get() == gp && c.w.at(gp) == parked {
		c.w.breach(ruleParked, "Gopark returned, and M%d still runs G%d", mp.ID, gp.Goid.Get())
	}
}

type checkedNetPoller struct {
	NetPoller
	w *watcher
}

// Netpoll gives its caller Gs that have parked: they are in its hands, as after Ready.
func (c *checkedNetPoller) Netpoll(mp *M, delay int64) GList {
	list := c.NetPoller.Netpoll(mp, delay)
	n := int32(0)
	for gp := list.Head; gp != nil; gp = gp.Schedlink.Get() {
		c.w.status("Netpoll", gp, Gwaiting)
		if c.w.at(gp) != parked {
			c.w.breach(ruleParked, "Netpoll returned G%d, which has not parked, or was made ready since", gp.Goid.Get())
		}
		if c.w.s.run.version.Procs != nil { // otherwise Ready is called for it
			c.w.seen(gp, nowhere)
		}
		n++
	}
	if n != list.Size {
		c.w.breach(ruleNoneLost, "Netpoll returned a list that says it has %d Gs, and has %d", list.Size, n)
	}
	return list
}

type checkedDeadlock struct {
	Deadlock
	w *watcher
}

// Checkdead is called when nothing is left to run: the moment of quiescence, at
// which no runnable G may be anywhere. With many Ms that is so only if it throws.
func (c *checkedDeadlock) Checkdead() {
	if !c.w.s.run.many {
		c.noneLost()
		c.Deadlock.Checkdead()
		return
	}
	defer func() {
		if v := recover(); v != nil {
			if _, ok := v.(Fatal); ok {
				c.noneLost()
			}
			panic(v)
		}
	}()
	c.Deadlock.Checkdead()
}

func (c *checkedDeadlock) noneLost() {
	c.w.s.forEachGAfterThrow(func(gp *G) {
		if gp.Atomicstatus.Load() != Grunnable {
			return
		}
		switch c.w.at(gp) {
		case queued:
		case local:
			c.w.breach(ruleNoneLost, "G%d is on the queue of a P, and all Ms sleep", gp.Goid.Get())
		default:
			c.w.breach(ruleNoneLost, "G%d is runnable, but it is on no queue and nothing is left to run", gp.Goid.Get())
		}
	})
}
