package gmp

import (
	"gosched/chapters/machine"
	"gosched/chapters/trace"
)

// This file is what package time finds in the scheduler, and what the parts of
// chapter 15 find in place: the timers that a program has made, and what timers
// do when they fire.

// A program knows a timer by its time.runtimeTimer. These are its words.
const (
	timerNumber = iota // its number here, 0 until it is first set
	timerChan          // the channel to send the time on, or 0
	timerFunc          // the function to start a goroutine with, or 0
	timerTime          // room for the time that is being sent: a time.Time
)

// timer returns the Timer of the time.runtimeTimer at addr. It makes one when
// that is first set.
func (s *Sched) timer(addr machine.Addr) *Timer {
	field := func(i int) uint64 { return s.Machine.Word(addr + machine.Addr(8*i)) }
	if number := field(timerNumber); number != 0 {
		return s.run.timers.at(number)
	}
	var t *Timer
	if c := s.Hchan(machine.Addr(field(timerChan))); c != nil {
		t = s.NewTimer(sendTime, timeChan{c, addr + 8*timerTime})
		t.C, c.Timer = c, t
	} else {
		t = s.NewTimer(goFunc, machine.Addr(field(timerFunc)))
	}
	s.Machine.SetWord(addr, s.run.timers.add(t, addr))
	return t
}

// NewTimer makes a timer that is not set, and calls f(arg) when it fires. Any M may call it.
// The runtime's timer.init.
func (s *Sched) NewTimer(f TimerFunc, arg any) *Timer {
	t := &Timer{F: f, Arg: arg}
	lock(s.Machine, &t.Mu, timerLock)
	lock(s.Machine, &t.SendLock, timerSendLock)
	t.together()
	return t
}

// GoroutineReady is the TimerFunc of a sleep: arg is the *G. The runtime's
// goroutineReady.
func GoroutineReady(s *Sched, mp *M, arg any, delay int64) {
	gp := arg.(*G)
	s.record(mp, trace.Event{Kind: trace.Fire, G: gp.Goid.Get(), Text: "sleep"})
	s.Goready(mp, gp)
}

// A timeChan is where sendTime sends: the channel, and the address of a time.Time
// that nothing else uses.
type timeChan struct {
	c  *Hchan
	at machine.Addr
}

// sendTime sends the time at which the timer was due, unless the last one is
// still there: then no G has been waiting, and it is dropped. time.sendTime.
func sendTime(s *Sched, mp *M, arg any, delay int64) {
	to := arg.(timeChan)
	due := s.Nanotime() - delay
	sec, nsec := walltime(due)
	for i, v := range [...]int64{sec, int64(nsec), due} {
		s.Machine.SetWord(to.at+machine.Addr(8*i), uint64(v))
	}
	s.record(mp, trace.Event{Kind: trace.Fire, G: trace.None, Text: "channel"})
	s.Chansend(mp, nil, to.c, to.at, false)
}

// goFunc starts a goroutine with the function of an AfterFunc. A collection needs no word of it,
// although it does not scan the new G's stack: the function is found through its
// time.runtimeTimer, which was shaded when the collection began or when the timer was set.
// time.goFunc.
func goFunc(s *Sched, mp *M, arg any, delay int64) {
	s.record(mp, trace.Event{Kind: trace.Fire, G: trace.None, Text: "func"})
	s.Newproc(mp, arg.(machine.Addr))
}

// timed puts around the parts what they must know of timers, because they are of versions in
// which there was nothing to know. A program that never sets one goes without. prog is nil or
// has no code in a check, which may do anything.
func (s *Sched) timed(prog *machine.Program) {
	calls := func(traps ...machine.Trap) bool { return prog == nil || len(prog.Code) == 0 || prog.Calls(traps...) }
	v := &s.run.version
	if v.TimerChans != nil && calls(machine.TrapResetTimer) {
		s.Channels = &timedChannels{s.Channels, s}
		s.Select = &timedSelect{s.Select, s}
		s.Parking = &timedParking{s.Parking, s}
	}
	if v.TimerChans != nil && v.Procs != nil {
		s.Procs = &timedProcs{s.Procs, s}
	}
	if v.Finder == nil && v.Threads == nil && prog != nil && calls(machine.TrapSleep, machine.TrapResetTimer, machine.TrapPollOpen) {
		s.Loop = &timedLoop{s.Loop, s}
	}
}

// timedChannels lets the timer of a channel fire before a G looks whether it has. In the
// runtime chanrecv does so.
type timedChannels struct {
	Channels
	s *Sched
}

func (p *timedChannels) Chanrecv(mp *M, gp *G, c *Hchan, elem machine.Addr, block bool) (selected, received bool) {
	if c != nil && c.Timer != nil {
		p.s.MaybeRunChan(mp, c)
	}
	return p.Channels.Chanrecv(mp, gp, c, elem, block)
}

func (p *timedChannels) ChanrecvDone(mp *M, gp *G) {
	p.s.unblock(gp)
	p.Channels.ChanrecvDone(mp, gp)
}

// timedSelect does the same for a select. In the runtime selectgo does so.
type timedSelect struct {
	Select
	s *Sched
}

func (p *timedSelect) Selectgo(mp *M, gp *G, cases []Scase, block bool) (chosen int, received bool) {
	for i := range cases {
		if c := cases[i].C; c != nil && c.Timer != nil {
			p.s.MaybeRunChan(mp, c)
		}
	}
	return p.Select.Selectgo(mp, gp, cases, block)
}

func (p *timedSelect) SelectgoDone(mp *M, gp *G) {
	p.s.unblock(gp)
	p.Select.SelectgoDone(mp, gp)
}

// unblock tells timers that gp no longer waits for their channels.
func (s *Sched) unblock(gp *G) {
	for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
		if c := sg.C.Get(); c.Timer != nil {
			s.UnblockTimerChan(c)
		}
	}
}

// timedParking tells timers that a G is about to wait for their channels, which are locked, as
// all of a select are. In the runtime chanrecv and selectgo do so, before they park.
type timedParking struct {
	Parking
	s *Sched
}

func (p *timedParking) Gopark(mp *M, gp *G, unlockf func(gp *G, lock any) bool, lock any, reason WaitReason) {
	if reason == WaitReasonChanReceive || reason == WaitReasonSelect {
		for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
			if c := sg.C.Get(); c.Timer != nil {
				p.s.BlockTimerChan(mp, c)
			}
		}
	}
	p.Parking.Gopark(mp, gp, unlockf, lock, reason)
}

// timedProcs gives the timers of Ps that die to the P that mp has. In the runtime p.destroy does
// so.
type timedProcs struct {
	Procs
	s *Sched
}

func (p *timedProcs) Procresize(mp *M, nprocs int32) *P {
	old := p.s.Allp.Get()
	runnable := p.Procs.Procresize(mp, nprocs)
	for _, pp := range p.s.Allp.Get() {
		if int(pp.ID) >= len(old) {
			lock(p.s.Machine, &pp.Timers.Mu, timersLock)
		}
	}
	for _, pp := range old[min(int(nprocs), len(old)):] {
		p.s.TakeTimers(&mp.P.Get().Timers, &pp.Timers)
	}
	return runnable
}
