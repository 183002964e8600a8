// Package ch12 is the monitor: chapter 12, Go 1.1.
//
// A G that computes gives its P back when it likes, and an M that sleeps in the kernel cannot
// give anything back. The monitor is a thread that needs no P, and so comes by in any case:
// often while there is something to do, seldom when there is not.
package ch12

import (
	"fmt"
	"strings"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Parts are the parts of this chapter.
var Parts = gmp.Version{Monitor: NewMonitor}

// monitor keeps of its own only when it printed for the first time. What it knows of a P
// stands in Sysmontick.
type monitor struct {
	s     *gmp.Sched
	since machine.Cell[int64] // when Schedtrace was first called; only the monitor uses it
}

// NewMonitor makes the Monitor of s.
func NewMonitor(s *gmp.Sched) gmp.Monitor { return &monitor{s: s} }

// How long the monitor sleeps between two rounds, in µs, and after how many idle ones it
// begins to sleep longer.
const (
	shortest = 20
	longest  = 10_000
	patience = 50
)

// pollPeriod is how long no M looks at the network at most, in ns.
const pollPeriod = 10_000_000

// Sysmon goes round and round.
//
//course:exercise
func (p *monitor) Sysmon(mp *gmp.M) {
	//course:holds While there is something to do the monitor is there every 20 µs; while there is not, it takes next to no time of the computer.
	//course:question A program computes for an hour without a call. How often has the monitor come by, and what has it cost?
	//course:lead Two things must be remembered from one round to the next: how many in succession were idle, and how long the last sleep was. What sets each of them back?
	s := p.s
	every, detailed := s.SchedtraceEvery()
	idle, delay, next := 0, uint32(0), int64(0)
	for !s.Exited() {
		//course:step How long to sleep: 20 µs after a round in which there was something to do; after more than 50 others twice as long as the last time, up to 10 ms.
		switch {
		case idle == 0:
			delay = shortest
		case idle > patience:
			delay = min(2*delay, longest)
		}
		machine.Usleep(delay)
		//course:step If there is nothing to watch, sleep until there is. If another M has woken the monitor, be quick again.
		if every == 0 && s.SysmonSleep(mp) {
			idle, delay = 0, shortest
		}
		//course:step The time is that after the sleep. First the network, then memory, then the Ps; a round is idle if no P was taken.
		now := s.Nanotime()
		s.SysmonPoll(mp, now)
		s.ScavengerWake(mp)
		if s.Retake(mp, now) != 0 {
			idle = 0
		} else {
			idle++
		}
		//course:step Then the collector, and the line of those who want to watch.
		s.ForceGC(mp, now)
		if every > 0 && next <= now {
			next = now + every
			s.Schedtrace(detailed)
		}
	}
}

// SysmonSleep sleeps as long as there is nothing to watch.
//
//course:exercise
func (p *monitor) SysmonSleep(mp *gmp.M) bool {
	//course:holds If a P becomes active in a way that the monitor must know of, it is awake: either it has not seen all Ps idle, or that M has seen Sysmonwait.
	//course:question An M takes an idle P between your look and your sleep. Which of the two sees the other, and what makes sure of that?
	//course:lead Whoever wakes you clears Sysmonwait and signals the note, in one step under the lock. What if your time is over just then?
	s := p.s
	//course:step A look without the lock, which is taken only if there may be a reason.
	if !s.Gcwaiting.Load() && s.Npidle.Load() == 0 {
		return false
	}
	//course:step The look that counts, with the lock: whoever changes this later holds it, too, and finds Sysmonwait.
	woken := false
	s.Lock.Lock()
	if s.Gcwaiting.Load() || s.Npidle.Load() == s.Gomaxprocs.Get() {
		now := s.Nanotime()
		if next := s.TimeSleepUntil(); next > now {
			//course:step Say that you sleep, and sleep: until the next timer at most, when Ps will be busy again, and no longer than half of what a collection may be late.
			s.Sysmonwait.Store(true)
			s.Lock.Unlock()
			woken = s.Sysmonnote.SleepTimeout(min(next-now, gmp.ForceGCPeriod/2))
			//course:step Make everything ready for the next time, with the lock: an M that finds Sysmonwait set signals the note before it gives the lock back.
			s.Lock.Lock()
			s.Sysmonwait.Store(false)
			s.Sysmonnote.Clear()
		}
	}
	s.Lock.Unlock()
	return woken
}

// SysmonPoll looks at the network if nobody does.
//
//course:exercise
func (p *monitor) SysmonPoll(mp *gmp.M, now int64) {
	//course:holds Lastpoll stays 0 while an M waits for the network; and while the monitor brings Gs, until an M comes for them, Checkdead does not find a deadlock.
	//course:question The last M that is awake goes to sleep while you hold the Gs. What does it see of them?
	s := p.s
	//course:step An M that waits there, or has looked not long ago, is enough.
	last := s.Lastpoll.Load()
	if last == 0 || last+pollPeriod >= now {
		return
	}
	//course:step An M may begin to wait at this moment: it sets Lastpoll to 0, and relies on that. So set it only if it is still what it was.
	s.Lastpoll.CompareAndSwap(last, now)
	list := s.Netpoll(mp, 0)
	if list.Head == nil {
		return
	}
	//course:step Until an M is on its way for these Gs, let it look as if one more were awake.
	s.Incidlelocked(-1)
	s.Injectglist(mp, list)
	s.Incidlelocked(1)
}

// Schedtrace prints how things stand.
//
//course:exercise
func (p *monitor) Schedtrace(detailed bool) {
	//course:holds Nothing that this method reads is waited for, except s.Lock.
	s := p.s
	//course:step The first line is at 0 ms.
	now := s.Nanotime()
	if p.since.Get() == 0 {
		p.since.Set(now)
	}
	s.Lock.Lock()
	defer s.Lock.Unlock()
	//course:step What all share.
	var b strings.Builder
	fmt.Fprintf(&b, "SCHED %dms: gomaxprocs=%d idleprocs=%d threads=%d spinningthreads=%d needspinning=%d idlethreads=%d runqueue=%d",
		(now-p.since.Get())/1e6, s.Gomaxprocs.Get(), s.Npidle.Load(), s.Mnext.Get()-s.Nmfreed.Get(),
		s.Nmspinning.Load(), bit(s.Needspinning.Load()), s.Nmidle.Get(), s.Runq.Get().Size)
	//course:step In detail there is a line for each P, M and G.
	if detailed {
		fmt.Fprintf(&b, " gcwaiting=%t nmidlelocked=%d stopwait=%d sysmonwait=%t\n",
			s.Gcwaiting.Load(), s.Nmidlelocked.Get(), s.Stopwait.Get(), s.Sysmonwait.Load())
		s.Print(b.String())
		s.SchedDetail()
		return
	}
	//course:step Otherwise two numbers for each P: how many Gs are on its ring, and how many slices have begun there.
	b.WriteString(" [ ")
	for _, pp := range s.Allp.Get() {
		head := pp.Runqhead.Load() // first: it never overtakes the tail
		fmt.Fprint(&b, pp.Runqtail.Load()-head, " ")
	}
	b.WriteString("] schedticks=[ ")
	for _, pp := range s.Allp.Get() {
		fmt.Fprint(&b, pp.Schedtick.Look(), " ")
	}
	b.WriteString("]\n")
	s.Print(b.String())
}

// bit is how the runtime prints a flag that was a number once.
//
//course:omit
func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
