package ch15

import "gosched/chapters/gmp"

// timerChans is what receiving from the channel of a timer does.
type timerChans struct {
	s *gmp.Sched
}

// NewTimerChans makes the TimerChans of s.
func NewTimerChans(s *gmp.Sched) gmp.TimerChans { return &timerChans{s: s} }

// MaybeRunChan fires the timer of c if it is due and no heap will.
//
//course:exercise
func (p *timerChans) MaybeRunChan(mp *gmp.M, c *gmp.Hchan) {
	//course:question A timer that no G waits for is in no heap. How does a program that only looks, again and again, ever see it fire?
	t := c.Timer
	//course:step In a heap: that is the business of whoever runs the heap.
	if t.Astate.Load()&gmp.TimerHeaped != 0 {
		return
	}
	//course:step Look again with the lock.
	t.Lock()
	now := p.s.Nanotime()
	if t.State.Get()&gmp.TimerHeaped != 0 || t.When.Get() == 0 || t.When.Get() > now {
		t.Unlock()
		return
	}
	p.s.UnlockAndRun(mp, t, now)
}

// BlockTimerChan puts the timer of c into a heap, if it is not there.
//
//course:exercise
func (p *timerChans) BlockTimerChan(mp *gmp.M, c *gmp.Hchan) {
	//course:holds As long as a G waits for c, a timer that is set is in a heap, and is no zombie there.
	t := c.Timer
	t.Lock()
	t.Blocked.Set(t.Blocked.Get() + 1)
	//course:step It may still be there as a zombie, from the last wait; but not if it was stopped.
	if t.State.Get()&gmp.TimerZombie != 0 && t.When.Get() > 0 {
		t.State.Set(t.State.Get() &^ gmp.TimerZombie)
		t.Ts.Get().Zombies.Add(-1)
	}
	//course:step Add it when it is unlocked.
	add := needsAdd(t)
	t.Unlock()
	if add {
		p.s.MaybeAdd(mp, t)
	}
}

// UnblockTimerChan lets the timer of c leave its heap, if no G waits for it any more.
//
//course:exercise
func (p *timerChans) UnblockTimerChan(c *gmp.Hchan) {
	t := c.Timer
	t.Lock()
	if t.Blocked.Get() == 0 {
		p.s.Throw(corrupt)
	}
	t.Blocked.Set(t.Blocked.Get() - 1)
	//course:step It is not stopped: When stays as it is, and once it has left the heap a look at the channel may fire it.
	if t.Blocked.Get() == 0 && t.State.Get()&gmp.TimerHeaped != 0 {
		bury(t)
	}
	t.Unlock()
}

// drain empties c, the channel of a timer, whose buffer has one slot. It reports whether there was
// anything in it. The runtime's timerchandrain.
//
//course:omit
func drain(c *gmp.Hchan) bool {
	c.Lock.Lock()
	defer c.Lock.Unlock()
	full := c.Qcount.Get() > 0
	c.Qcount.Set(0)
	return full
}
