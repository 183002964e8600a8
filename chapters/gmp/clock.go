package gmp

import "gosched/chapters/machine"

// This file is the clock of a run on one thread. Time is virtual: an instruction
// takes 1 ns, and while nothing can run, the clock jumps to the next timer. So a
// run can be repeated, and nobody waits for a program that sleeps.

// Nanotime is the time since the program began, in ns. It ends short of MaxWhen.
// The runtime's nanotime.
func (s *Sched) Nanotime() int64 { return s.run.now }

// Walltime is the time since 1970, in seconds and the ns of the last one. The
// runtime's walltime.
func (s *Sched) Walltime() (sec int64, nsec int32) { return walltime(s.run.now) }

func walltime(now int64) (sec int64, nsec int32) {
	return machine.Epoch + now/1e9, int32(now % 1e9)
}

// pass counts n instructions, and the time that they take.
func (r *run) pass(n int64) {
	r.executed += n
	r.now = min(r.now, MaxWhen-1-n) + n
}

// A timedLoop runs the timers that are due before its Loop looks for a G, and
// lets time pass when there is none. It stands around the Loop of the versions
// that have no Finder; a Finder asks for timers itself.
//
// So Schedule finds an empty queue only if no timer can help, and Checkdead says
// what it said before there were timers. The runtime has virtual time, too, built
// with the tag faketime as for the Go Playground; there checkdead makes the jump.
type timedLoop struct {
	Loop
	s *Sched
}

func (t *timedLoop) Schedule(mp *M) {
	if t.s.Timerlist.Len.Load() > 0 && !t.s.Exited() {
		t.runTimers(mp)
	}
	t.Loop.Schedule(mp)
}

// runTimers makes one jump at most. After it there is a G to run, or else the
// scheduler has lost one, which is for Checkdead to say.
func (t *timedLoop) runTimers(mp *M) {
	s := t.s
	s.CheckTimers(mp, nil, s.run.now)
	s.Lock.Lock()
	idle := s.Runq.Head == nil
	s.Lock.Unlock()
	if !idle {
		return
	}
	if next := s.CheckTimersNoP(mp, nil, 0); next != 0 {
		s.run.now = next
		s.CheckTimers(mp, nil, next)
	}
}
