//course:omit
package ch12_test

import (
	"fmt"
	"slices"
	"testing"

	suite "gosched/chapters/ch12_sysmon"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
	"gosched/solutions/ch12_sysmon"
)

// TestAlternatives plays the suite on other right solutions.
func TestAlternatives(t *testing.T) {
	suite.Suite.TestAlternatives(t, solutions.Base("ch12"), map[string]gmp.Version{
		"backwards":   of(func(m gmp.Monitor, s *gmp.Sched) gmp.Monitor { return &backwards{m, s} }),
		"own-memory":  of(func(m gmp.Monitor, s *gmp.Sched) gmp.Monitor { return &ownMemory{Monitor: m, s: s} }),
		"locks-more":  of(func(m gmp.Monitor, s *gmp.Sched) gmp.Monitor { return &locksMore{m, s} }),
		"one-by-one":  of(func(m gmp.Monitor, s *gmp.Sched) gmp.Monitor { return &oneByOne{m, s} }),
		"other-order": of(func(m gmp.Monitor, s *gmp.Sched) gmp.Monitor { return &otherOrder{m, s} }),
		"counts-down": of(func(m gmp.Monitor, s *gmp.Sched) gmp.Monitor { return &countsDown{m, s} }),
		"prints-once": of(func(m gmp.Monitor, s *gmp.Sched) gmp.Monitor { return &printsOnce{m, s, 0} }),
		"polls-first": of(func(m gmp.Monitor, s *gmp.Sched) gmp.Monitor { return &pollsFirst{m, s} }),
		"late-reader": of(func(m gmp.Monitor, s *gmp.Sched) gmp.Monitor { return &lateReader{m, s, -1, -1} }),
	})
}

func of(make func(m gmp.Monitor, s *gmp.Sched) gmp.Monitor) gmp.Version {
	return gmp.Version{Monitor: func(s *gmp.Sched) gmp.Monitor { return make(ch12.NewMonitor(s), s) }}
}

// backwards sets either half of a request only if it is not there yet, asks the last P first, and
// asks of the world after it has asked of the Ps.
type backwards struct {
	gmp.Monitor
	s *gmp.Sched
}

func (p *backwards) Preemptone(mp *gmp.M, pp *gmp.P) bool {
	if target := pp.M.Look(); target != nil && target != mp {
		if gp := target.Curg.Look(); gp != nil {
			switch gp.Atomicstatus.Load() {
			case gmp.Gsyscall, gmp.Gsyscall | gmp.Gscan:
				return false
			}
			if !gp.Preempt.Get() {
				gp.Preempt.Set(true)
			}
			if gp.Sched.Guard.Load() != machine.StackPreempt {
				gp.Sched.Guard.Store(machine.StackPreempt)
			}
			if p.s.Version().Signals != nil {
				pp.Preempt.Set(true)
				p.s.PreemptM(mp, target)
			}
			return true
		}
	}
	return false
}

func (p *backwards) Preemptall(mp *gmp.M) bool {
	asked := 0
	for _, pp := range slices.Backward(p.s.Allp.Get()) {
		if pp.Status.Load() == gmp.Prunning && p.s.Preemptone(mp, pp) {
			asked++
		}
	}
	return asked > 0
}

func (p *backwards) SysmonSleep(mp *gmp.M) bool {
	s := p.s
	if s.Npidle.Load() == 0 && !s.Gcwaiting.Load() {
		return false
	}
	s.Lock.Lock()
	defer s.Lock.Unlock()
	if s.Npidle.Load() < s.Gomaxprocs.Get() && !s.Gcwaiting.Load() {
		return false
	}
	for wait := p.wait(); wait > 0; {
		s.Sysmonwait.Store(true)
		s.Lock.Unlock()
		woken := s.Sysmonnote.SleepTimeout(wait)
		s.Lock.Lock()
		s.Sysmonnote.Clear()
		s.Sysmonwait.Store(false)
		return woken
	}
	return false
}

func (p *backwards) wait() int64 {
	return min(gmp.ForceGCPeriod/2, p.s.TimeSleepUntil()-p.s.Nanotime())
}

// ownMemory remembers slices in a table of its own, and tells RetakeSyscall by Sysmontick
// only what that needs.
type ownMemory struct {
	gmp.Monitor
	s     *gmp.Sched
	since gmp.PerP[machine.Cell[gmp.Sysmontick]]
}

func (p *ownMemory) Retake(mp *gmp.M, now int64) (taken uint32) {
	p.s.Lock.Lock()
	all := append([]*gmp.P(nil), p.s.Allp.Get()...)
	p.s.Lock.Unlock()
	for _, pp := range all {
		switch pp.Status.Load() {
		case gmp.Prunning, gmp.Psyscall:
			known := p.since.Of(pp)
			tick := known.Get()
			number := pp.Schedtick.Look()
			fresh := tick.Schedtick != number
			if fresh {
				tick.Schedtick, tick.Schedwhen = number, now
				known.Set(tick)
				seen := pp.Sysmontick.Get()
				seen.Schedtick, seen.Schedwhen = number, now
				pp.Sysmontick.Set(seen)
			}
			due := !fresh && now-tick.Schedwhen >= 10_000_000
			if due {
				p.s.Preemptone(mp, pp)
			}
			if p.s.RetakeSyscall(mp, pp, now, due) {
				taken++
			}
		}
	}
	return taken
}

// locksMore takes the lock for each P anew, and always before it sleeps.
type locksMore struct {
	gmp.Monitor
	s *gmp.Sched
}

func (p *locksMore) at(i int) *gmp.P {
	p.s.Lock.Lock()
	defer p.s.Lock.Unlock()
	if all := p.s.Allp.Get(); i < len(all) {
		return all[i]
	}
	return nil
}

func (p *locksMore) Retake(mp *gmp.M, now int64) (taken uint32) {
	for i := 0; ; i++ {
		pp := p.at(i)
		if pp == nil {
			return taken
		}
		st := pp.Status.Load()
		if st == gmp.Pidle || st == gmp.Pgcstop || st == gmp.Pdead {
			continue
		}
		due := false
		if t, tick := pp.Schedtick.Look(), pp.Sysmontick.Get(); t == tick.Schedtick {
			due = now >= tick.Schedwhen+10_000_000
		} else {
			tick.Schedtick, tick.Schedwhen = t, now
			pp.Sysmontick.Set(tick)
		}
		if due {
			p.s.Preemptone(mp, pp)
		}
		if p.s.RetakeSyscall(mp, pp, now, due) {
			taken++
		}
	}
}

func (p *locksMore) SysmonSleep(mp *gmp.M) (woken bool) {
	s := p.s
	s.Lock.Lock()
	if now, next := s.Nanotime(), s.TimeSleepUntil(); (s.Gcwaiting.Load() || s.Npidle.Load() == s.Gomaxprocs.Get()) && now < next {
		s.Sysmonwait.Store(true)
		s.Lock.Unlock()
		woken = s.Sysmonnote.SleepTimeout(min(next-now, gmp.ForceGCPeriod/2))
		s.Lock.Lock()
		s.Sysmonwait.Store(false)
		s.Sysmonnote.Clear()
	}
	s.Lock.Unlock()
	return woken
}

// oneByOne first asks all whose slices are over, and then looks after system calls.
type oneByOne struct {
	gmp.Monitor
	s *gmp.Sched
}

func (p *oneByOne) Retake(mp *gmp.M, now int64) (taken uint32) {
	p.s.Lock.Lock()
	all := p.s.Allp.Get()
	p.s.Lock.Unlock()
	due := make([]bool, len(all))
	for i, pp := range all {
		if st := pp.Status.Load(); st != gmp.Prunning && st != gmp.Psyscall {
			continue
		}
		tick := pp.Sysmontick.Get()
		if t := pp.Schedtick.Look(); t != tick.Schedtick {
			tick.Schedtick, tick.Schedwhen = t, now
			pp.Sysmontick.Set(tick)
			continue
		}
		if due[i] = now-tick.Schedwhen >= 10_000_000; due[i] {
			p.s.Preemptone(mp, pp)
		}
	}
	for i, pp := range all {
		if st := pp.Status.Load(); (st == gmp.Prunning || st == gmp.Psyscall) && p.s.RetakeSyscall(mp, pp, now, due[i]) {
			taken++
		}
	}
	return taken
}

// otherOrder counts itself before it looks at the network, and uncounts itself if nothing is
// ready; and it does not look if another M has come to wait there.
type otherOrder struct {
	gmp.Monitor
	s *gmp.Sched
}

func (p *otherOrder) SysmonPoll(mp *gmp.M, now int64) {
	s := p.s
	if last := s.Lastpoll.Load(); last != 0 && now-last > 10_000_000 && s.Lastpoll.CompareAndSwap(last, now) {
		if list := s.Netpoll(mp, 0); list.Head != nil {
			s.Incidlelocked(-1)
			defer s.Incidlelocked(1)
			s.Injectglist(mp, list)
		}
	}
}

// countsDown counts how many quick rounds are left.
type countsDown struct {
	gmp.Monitor
	s *gmp.Sched
}

func (p *countsDown) Sysmon(mp *gmp.M) {
	s := p.s
	every, detailed := s.SchedtraceEvery()
	const quick = 51
	left, sleep := quick, uint32(20)
	last := -every
	for !s.Exited() {
		machine.Usleep(sleep)
		if every <= 0 && s.SysmonSleep(mp) {
			left = quick
		}
		now := s.Nanotime()
		s.SysmonPoll(mp, now)
		s.ScavengerWake(mp)
		if left--; s.Retake(mp, now) > 0 {
			left = quick
		}
		if sleep = 20; left <= 0 {
			sleep = uint32(min(20<<min(1-left, 10), 10_000))
		}
		s.ForceGC(mp, now)
		if every > 0 && now >= last+every {
			s.Schedtrace(detailed)
			last = now
		}
	}
}

// printsOnce makes the line piece by piece, and keeps the time of the first one in a plain
// field: only the monitor uses it.
type printsOnce struct {
	gmp.Monitor
	s     *gmp.Sched
	first int64 // chapter 12 keeps it in a Cell
}

func (p *printsOnce) Schedtrace(detailed bool) {
	s := p.s
	if p.first == 0 {
		p.first = s.Nanotime()
	}
	passed := (s.Nanotime() - p.first) / 1e6
	s.Lock.Lock()
	defer s.Lock.Unlock()
	needed := map[bool]int{true: 1}[s.Needspinning.Load()]
	s.Print(fmt.Sprintf("SCHED %dms: gomaxprocs=%d idleprocs=%d threads=%d", passed, s.Gomaxprocs.Get(), s.Npidle.Load(), s.Mnext.Get()-s.Nmfreed.Get()))
	s.Print(fmt.Sprintf(" spinningthreads=%d needspinning=%d idlethreads=%d runqueue=%d", s.Nmspinning.Load(), needed, s.Nmidle.Get(), s.Runq.Get().Size))
	if detailed {
		s.Print(fmt.Sprintf(" gcwaiting=%v nmidlelocked=%d stopwait=%d sysmonwait=%v\n", s.Gcwaiting.Load(), s.Nmidlelocked.Get(), s.Stopwait.Get(), s.Sysmonwait.Load()))
		s.SchedDetail()
		return
	}
	s.Print(" [")
	for _, pp := range s.Allp.Get() {
		head := pp.Runqhead.Load()
		s.Print(fmt.Sprintf(" %d", pp.Runqtail.Load()-head))
	}
	s.Print(" ] schedticks=[")
	for _, pp := range s.Allp.Get() {
		s.Print(fmt.Sprintf(" %d", pp.Schedtick.Look()))
	}
	s.Print(" ]\n")
}

// pollsFirst looks at the network before it says so, and before it asks whether the program is
// over; and it sends the signal before it poisons the guard.
type pollsFirst struct {
	gmp.Monitor
	s *gmp.Sched
}

func (p *pollsFirst) Sysmon(mp *gmp.M) {
	s := p.s
	idle, sleep := 0, uint32(20)
	every, detailed := s.SchedtraceEvery()
	next := int64(0)
	for {
		machine.Usleep(sleep)
		if every <= 0 && s.SysmonSleep(mp) {
			idle, sleep = 0, 20
		}
		now := s.Nanotime()
		s.SysmonPoll(mp, now)
		if s.Exited() {
			return
		}
		s.ScavengerWake(mp)
		if idle++; s.Retake(mp, now) != 0 {
			idle = 0
		}
		if sleep = min(2*sleep, 10_000); idle <= 50 {
			sleep = 20
		}
		if s.ForceGC(mp, now); every > 0 && now >= next {
			s.Schedtrace(detailed)
			next = now + every
		}
	}
}

func (p *pollsFirst) SysmonPoll(mp *gmp.M, now int64) {
	s := p.s
	last := s.Lastpoll.Load()
	if last == 0 || now <= last+10_000_000 {
		return
	}
	list := s.Netpoll(mp, 0)
	s.Lastpoll.CompareAndSwap(last, now)
	if list.Head == nil {
		return
	}
	s.Incidlelocked(-1)
	s.Injectglist(mp, list)
	s.Incidlelocked(1)
}

func (p *pollsFirst) Preemptone(mp *gmp.M, pp *gmp.P) bool {
	target := pp.M.Look()
	if target == nil || target == mp {
		return false
	}
	gp := target.Curg.Look()
	if gp == nil || gp.Atomicstatus.Load()&^gmp.Gscan == gmp.Gsyscall {
		return false
	}
	gp.Preempt.Set(true)
	if p.s.Version().Signals != nil {
		pp.Preempt.Set(true)
		p.s.PreemptM(mp, target)
	}
	gp.Sched.Guard.Store(machine.StackPreempt)
	return true
}

// lateReader reads each thing where it needs it, once more if need be: the program's end before
// and after the sleep, how often a line is asked for in each round, the time before it has the
// lock, the number of Ps from their list, whether it was woken from Sysmonwait, and the time of a
// line when that is printed. It notes the slices of idle Ps, too.
type lateReader struct {
	gmp.Monitor
	s           *gmp.Sched
	line, first int64 // the times of the last line, on the program's clock, and of the first one, on the machine's; -1 if there was none
}

func (p *lateReader) Sysmon(mp *gmp.M) {
	s := p.s
	idle, sleep := 0, uint32(20)
	for !s.Exited() {
		machine.Usleep(sleep)
		if s.Exited() {
			return
		}
		every, detailed := s.SchedtraceEvery()
		woken := every <= 0 && s.SysmonSleep(mp)
		now := s.Nanotime()
		s.SysmonPoll(mp, now)
		s.ScavengerWake(mp)
		taken := s.Retake(mp, now) > 0
		switch {
		case taken:
			idle = 0
		case woken:
			idle = 1
		default:
			idle++
		}
		if idle <= 50 {
			sleep = 20
		} else if sleep *= 2; sleep > 10_000 {
			sleep = 10_000
		}
		s.ForceGC(mp, now)
		if every > 0 && (p.line < 0 || s.Nanotime()-p.line >= every) {
			p.line = s.Nanotime()
			s.Schedtrace(detailed)
		}
	}
}

func (p *lateReader) SysmonSleep(mp *gmp.M) bool {
	s := p.s
	now := s.Nanotime()
	s.Lock.Lock()
	defer s.Lock.Unlock()
	next := s.TimeSleepUntil()
	if int(s.Npidle.Load()) != len(s.Allp.Get()) && !s.Gcwaiting.Load() || next <= now {
		return false
	}
	s.Sysmonwait.Store(true)
	s.Lock.Unlock()
	s.Sysmonnote.SleepTimeout(min(next-now, gmp.ForceGCPeriod/2))
	s.Lock.Lock()
	woken := !s.Sysmonwait.Load()
	s.Sysmonwait.Store(false)
	s.Sysmonnote.Clear()
	return woken
}

func (p *lateReader) Retake(mp *gmp.M, now int64) (taken uint32) {
	s := p.s
	s.Lock.Lock()
	all := s.Allp.Get()[:s.Gomaxprocs.Get()]
	s.Lock.Unlock()
	for _, pp := range all {
		t, tick := pp.Schedtick.Look(), pp.Sysmontick.Get()
		begins := t != tick.Schedtick
		if begins {
			tick.Schedtick, tick.Schedwhen = t, now
			pp.Sysmontick.Set(tick)
		}
		due := !begins && now >= tick.Schedwhen+10_000_000
		if st := pp.Status.Load(); st != gmp.Prunning && st != gmp.Psyscall {
			continue
		}
		if due {
			s.Preemptone(mp, pp)
		}
		if s.RetakeSyscall(mp, pp, now, due) {
			taken++
		}
	}
	return taken
}

func (p *lateReader) Schedtrace(detailed bool) {
	s := p.s
	s.Lock.Lock()
	defer s.Lock.Unlock()
	if p.first < 0 {
		p.first = machine.Nanotime()
	}
	spins := 0
	if s.Needspinning.Load() {
		spins = 1
	}
	text := fmt.Sprintf("SCHED %dms: gomaxprocs=%d idleprocs=%d threads=%d spinningthreads=%d needspinning=%d idlethreads=%d runqueue=%d",
		(machine.Nanotime()-p.first)/1e6, len(s.Allp.Get()), s.Npidle.Load(), s.Mnext.Get()-s.Nmfreed.Get(), s.Nmspinning.Load(), spins, s.Nmidle.Get(), s.Runqsize.Load())
	if detailed {
		s.Print(text + fmt.Sprintf(" gcwaiting=%t nmidlelocked=%d stopwait=%d sysmonwait=%t\n", s.Gcwaiting.Load(), s.Nmidlelocked.Get(), s.Stopwait.Get(), s.Sysmonwait.Load()))
		s.SchedDetail()
		return
	}
	lengths, ticks := "", ""
	for _, pp := range s.Allp.Get() {
		head := pp.Runqhead.Load()
		lengths += fmt.Sprint(pp.Runqtail.Load()-head) + " "
		ticks += fmt.Sprint(pp.Schedtick.Look()) + " "
	}
	s.Print(text + " [ " + lengths + "] schedticks=[ " + ticks + "]\n")
}
