//course:omit
package ch12_test

import (
	"fmt"
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
	})
}

func of(make func(m gmp.Monitor, s *gmp.Sched) gmp.Monitor) gmp.Version {
	return gmp.Version{Monitor: func(s *gmp.Sched) gmp.Monitor { return make(ch12.NewMonitor(s), s) }}
}

// backwards sets the second half of a request only if the first one is not there yet, and
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
