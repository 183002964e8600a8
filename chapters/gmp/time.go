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
	t := &Timer{F: goFunc, Arg: machine.Addr(field(timerFunc))}
	t.together()
	if c := s.Hchan(machine.Addr(field(timerChan))); c != nil {
		t.F, t.Arg = sendTime, timeChan{c, addr + 8*timerTime}
		t.C, c.Timer = c, t
	}
	s.Machine.SetWord(addr, s.run.timers.add(t, addr))
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

// goFunc starts a goroutine with the function of an AfterFunc. time.goFunc.
func goFunc(s *Sched, mp *M, arg any, delay int64) {
	s.record(mp, trace.Event{Kind: trace.Fire, G: trace.None, Text: "func"})
	s.Newproc(mp, arg.(machine.Addr))
}
