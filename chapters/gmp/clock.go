package gmp

import (
	"errors"
	"sync/atomic"

	"gosched/chapters/machine"
	"gosched/chapters/trace"
)

// This file is the clock of a run. With many Ms it is that of the machine, a real
// one or that of a simulation. With one M time is virtual: an instruction takes
// 1 ns, and while nothing can run, the clock jumps to the next timer. So a run can
// be repeated, and nobody waits for a program that sleeps.

// Nanotime is the time since the program began, in ns. It ends short of MaxWhen.
// Any M may call it. The runtime's nanotime.
func (s *Sched) Nanotime() int64 {
	if s.run.many {
		return machine.Nanotime() - s.run.began
	}
	return s.run.now
}

// eventTime is the time of an event that happens now, for the trace: Nanotime. But one M
// on a simulated CPU also has the time that its scheduler takes, of which the program's
// clock knows nothing; and what that clock has skipped counts, too.
func (s *Sched) eventTime() int64 { return s.timeBy(machine.Nanotime) }

// timeBy is eventTime by the given clock of the machine.
func (s *Sched) timeBy(nanotime func() int64) int64 {
	switch {
	case s.run.many:
		return nanotime() - s.run.began
	case !s.run.hooked && !machine.Hooked():
		return s.run.now
	}
	return min(nanotime()-s.run.began, MaxWhen-1-s.run.skipped) + s.run.skipped
}

// Walltime is the time since 1970, in seconds and the ns of the last one. It begins
// at machine.Epoch. Any M may call it. The runtime's walltime.
func (s *Sched) Walltime() (sec int64, nsec int32) { return walltime(s.Nanotime()) }

func walltime(now int64) (sec int64, nsec int32) {
	return machine.Epoch + now/1e9, int32(now % 1e9)
}

// passed counts n instructions of mp and the time that they took.
func (s *Sched) passed(mp *M, n int64) {
	mp.executed += n
	if !s.run.many {
		s.run.now = min(s.run.now, MaxWhen-1-n) + n
	}
}

// sleptAlone lets the clock of one M go on by ns, in which it slept in a system call.
func (s *Sched) sleptAlone(ns int64) {
	ns = min(ns, MaxWhen-1-s.run.now)
	s.run.now += ns
	s.run.skipped += ns
}

// A timedLoop runs the timers that are due before its Loop looks for a G, and
// lets time pass when there is none. It stands around the Loop of the versions
// that have neither a Finder nor Threads; a Finder asks for timers itself.
//
// So Schedule finds an empty queue only if no timer can help, and Checkdead says
// what it said before there were timers. The runtime has virtual time, too, built
// with the tag faketime as for the Go Playground; there checkdead makes the jump.
type timedLoop struct {
	Loop
	s *Sched
}

func (t *timedLoop) Schedule(mp *M) {
	if !t.s.Exited() && (t.s.Timerlist.Len.Load() > 0 || t.s.run.polling.used.Load()) {
		t.wait(mp)
	}
	t.Loop.Schedule(mp)
}

// wait runs the timers that are due and takes what the network has. If there is still no G
// to run, it waits for the first of the two. The network counts as long as something may
// come from there, and then time is real; otherwise it makes one jump. After that there is
// a G to run, or else the scheduler has lost one, which is for Checkdead to say.
func (t *timedLoop) wait(mp *M) {
	s := t.s
	for !s.Exited() {
		s.CheckTimers(mp, nil, s.run.now)
		waiters := s.run.polling.used.Load() && s.NetpollAnyWaiters()
		if waiters {
			s.Injectglist(mp, s.Netpoll(mp, 0))
		}
		s.Lock.Lock()
		idle := s.Runq.Get().Head == nil
		s.Lock.Unlock()
		if !idle {
			return
		}
		next := s.CheckTimersNoP(mp, nil, 0)
		waiters = waiters && s.NetpollAnyWaiters()
		switch {
		case waiters && s.Machine.NetworkAlive():
			t.waitForNetwork(mp, next)
			continue
		case next != 0:
			s.run.skipped += next - s.run.now
			s.run.now = next
			s.CheckTimers(mp, nil, next)
			if s.run.polling.used.Load() {
				continue // a deadline may have passed for which no G waits any more
			}
		case waiters:
			s.fail(mp, errNetworkStuck)
		}
		return
	}
}

var errNetworkStuck = errors.New("all goroutines wait for the network, and nothing will come from there: nobody outside can reach the machine's own one. Real Go would wait for ever; let one goroutine close or write something, or set a deadline")

// waitForNetwork waits until something comes, but no longer than until the time next, if
// that is not 0.
func (t *timedLoop) waitForNetwork(mp *M, next int64) {
	s := t.s
	delay := int64(-1)
	if next != 0 {
		delay = max(1, next-s.run.now)
	}
	began := machine.Nanotime()
	list := s.Netpoll(mp, delay)
	waited := machine.Nanotime() - began
	if delay > 0 {
		waited = min(waited, delay)
	}
	s.sleptAlone(waited)
	s.Injectglist(mp, list)
}

// Wakenetpoller is called on mp when a timer was set to fire at when: whoever sleeps
// until a later one shall look again, and if nobody does, another M shall come and
// look. s.Lock is not held; other locks may be. The runtime's wakeNetPoller.
func (s *Sched) Wakenetpoller(mp *M, when int64) {
	switch {
	case !s.run.many: // nobody sleeps; the clock will jump
	case s.run.version.Finder == nil:
		s.run.timerproc.wake(s)
	case s.Lastpoll.Load() == 0:
		if until := s.PollUntil.Load(); until == 0 || until > when {
			s.NetpollBreak()
		}
	default:
		s.Wakep(mp)
	}
}

// Netpolluntil is for an M without a P, and without work: it waits in Netpoll until
// the time when, for ever if when is 0, and returns the Gs that became ready. One M
// does so at a time. If another one is there already, polled is false; that one
// looks again if it would sleep too long. now is the time, or 0 if the caller did
// not look. No lock is held. The last part of the runtime's findRunnable.
func (s *Sched) Netpolluntil(mp *M, when, now int64) (list GList, polled bool) {
	if s.Lastpoll.Swap(0) == 0 {
		if until := s.PollUntil.Load(); when != 0 && (until == 0 || until > when) {
			s.NetpollBreak()
		}
		return GList{}, false
	}
	// From here on who sets a timer finds Lastpoll 0. Until PollUntil is stored it
	// breaks the poll in any case, which costs one round more.
	s.PollUntil.Store(when)
	delay := int64(-1)
	if when != 0 {
		if now == 0 {
			now = s.Nanotime()
		}
		delay = max(when-now, 0)
	}
	list = s.Netpoll(mp, delay)
	s.PollUntil.Store(0)
	s.Lastpoll.Store(max(s.Nanotime(), 1)) // not 0: nobody polls
	return list, true
}

// A timerproc is a thread that runs timers, in versions that have many Ms and no
// Finder: the first timer starts it. It stands for the goroutine of that name
// which Go had up to 1.13 (from 1.10 on, up to 64 of them). Its M is on no list
// and runs no G.
type timerproc struct {
	started atomic.Bool
	mp      *M
	asleep  machine.Bool // whoever makes it false wakes it
	note    machine.Note
}

func (t *timerproc) wake(s *Sched) {
	if t.started.CompareAndSwap(false, true) {
		t.mp = &M{ID: trace.None}
		t.note.On(s.Machine)
		s.Machine.OneCPU(false)
		s.newosproc("timerproc", func() { t.run(s) })
	}
	if t.asleep.CompareAndSwap(true, false) {
		t.note.Wakeup()
	}
}

func (t *timerproc) run(s *Sched) {
	defer s.mdead(t.mp)
	for !s.Exited() {
		t.asleep.Store(true) // first, so that no timer that comes now is missed
		now, next, _ := s.CheckTimers(t.mp, nil, 0)
		wait := int64(-1)
		if next != 0 {
			wait = max(next-now, 0)
		} else {
			// As long as there was a timer, nobody could tell a deadlock.
			s.Lock.Lock()
			s.Checkdead()
			s.Lock.Unlock()
		}
		t.note.SleepTimeout(wait)
		if !t.asleep.CompareAndSwap(true, false) {
			t.note.Sleep() // somebody is about to wake it, or has
		}
		t.note.Clear()
	}
}
