// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch15

// Package ch15 is timers: chapter 15, Go 1.14 in the form of 1.23.
//
// Each P has a heap of timers, and whoever looks for work runs what is due. Only the M that holds
// the lock of a heap moves anything in it; all others change the timer, and leave a mark for that
// M to find.
package ch15

import "gosched/chapters/gmp"

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	Timers:     NewTimers,
	TimerHeap:  NewTimerHeap,
	TimerChans: NewTimerChans,
}

// timers are what package time and the Finder ask for.
//
// Timers is what package time and the Finder ask for. The caller of a method holds no lock,
// unless it says otherwise. Times are ns on the clock of Sched.Nanotime.
//
// What a program can rely on is what Go 1.23 promises, in all versions: after
// StopTimer or ModTimer nothing that t has sent before is in its channel.
//
// Of timers that are due at the same time any may fire first.
type timers struct {
	s *gmp.Sched
}

// NewTimers makes the Timers of s.
func NewTimers(s *gmp.Sched) gmp.Timers { return &timers{s: s} }

// TimeSleep parks gp, which is Grunning on mp, for ns nanoseconds, for
// WaitReasonSleep; not at all if ns is not positive. An end that does not fit is
// MaxWhen. The timer is gp.Timer, made by NewTimer at the first sleep, and calls
// GoroutineReady. It is set by the unlockf of the park, and not before: it may fire at
// once, on another M, and gp must be waiting then. The runtime's timeSleep.
func (p *timers) TimeSleep(mp *gmp.M, gp *gmp.G, ns int64) {
	// Holds: The timer fires when gp waits, not before, and nothing of gp is
	//        touched after that.
	// Question: The sleep lasts 1 ns, and a thief looks at this P's timers all
	//           the time. When is the first moment at which the timer may be
	//           found?
	panic(gmp.TODO("TimeSleep"))
}

// ModTimer sets t to fire at when, and then each period if that is not 0, whatever it
// was set to before. It reports whether that was still to come: whether t was set, or
// is about to send and now will not (IsSending, if it had no period), or there was a
// value in its channel. Throws "timer when must be positive" and "timer period must be
// non-negative", before it locks anything.
//
// If t is in a heap, perhaps another P's, it stays where it is: TimerModified says that
// its entry is wrong, and it is no zombie any more, even if no G waits for its channel: then
// that heap fires it. If MinWhenModified is later than when, or 0, that becomes when, whatever
// the entry says. Before this is lowered Astate must say TimerModified: see
// Adjust. If it was lowered, whoever sleeps must learn of it: Wakenetpoller is called once,
// when nothing is locked any more. If it was not, Wakenetpoller is not called.
//
// If it is in none, and it must be (see MaybeAdd), it is added without locks held.
//
// If t has a channel, Seq grows, so that a send which was decided on before does not
// come, and whatever is in the channel is dropped: Qcount is 0, with C.Lock (and not by
// Chanrecv, which may fire t and so wants SendLock). C.Lock is never taken with t locked, since
// BlockTimerChan locks t with C locked. SendLock is
// held from before t is locked until the channel is empty, and released before MaybeAdd or
// Wakenetpoller is called. The runtime's timer.modify.
func (p *timers) ModTimer(mp *gmp.M, t *gmp.Timer, when, period int64) bool {
	// Holds: From its return on t fires at when, and not for anything that was
	//        set before; and an M that sleeps until a later time has been
	//        told.
	// Question: t is in the heap of another P, whose M may be about to run it.
	//           What may you write, and how does that M learn of it?
	panic(gmp.TODO("ModTimer"))
}

// StopTimer keeps t from firing again: When is 0. It reports what ModTimer does. If t is
// in a heap it stays there as a zombie, modified and counted in Zombies. What ModTimer does
// about a channel it does, too. The runtime's timer.stop.
func (p *timers) StopTimer(mp *gmp.M, t *gmp.Timer) bool {
	// Holds: From its return on t does not fire, and its channel is empty.
	// Question: Who removes t from its heap, and what must be counted so that
	//           it does not wait for that too long?
	panic(gmp.TODO("StopTimer"))
}

// CheckTimers runs the timers of pp, mp's own P or another one, that are due, those
// with the earliest times first. now is the time, or 0 if the caller did not look; rnow
// is now, or s.Nanotime if it had to look, which it does not if there are no timers.
// pollUntil is when the next timer is due, whether its entry is right or was modified before
// (WakeTime), 0 if there is none: it is enough to check again then. ran: one has fired, so
// there may be Gs to run.
//
// While a timer fires, others may be set. One that is in the heap already, and is set to an
// earlier time, may be overlooked: it need not fire in this call, even if it is due, nor
// count for pollUntil. But what ModTimer has noted must not be lost (WakeTime): the M that
// set the timer has told the M that sleeps, and CheckTimersNoP still finds it. It is the
// same in the runtime, which overlooks one that was modified before as well.
//
// Most of the time nothing is due: then it takes no lock. But if pp is mp's own, and more than
// a quarter of its timers (Len, or those in the heap) are zombies, it removes those (Adjust,
// with force), after it has run what is due. Otherwise it leaves all zombies but those that
// come to the front. While a timer fires the list is not locked. The runtime's timers.check.
func (p *timers) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	// Holds: What was due when the list was locked has been run, by this M or
	//        another one. pollUntil is no later than anything that remains and
	//        that nobody has set meanwhile.
	// Question: This is called in each round of the scheduler, by each M, for
	//           its own P, and by thieves for all others. What does it cost
	//           when nothing is due?
	panic(gmp.TODO("CheckTimers"))
}

// CheckTimersNoP returns when the next timer of allp is due that makes a G
// runnable, or pollUntil if that is sooner and not 0; 0 if there is nothing to
// wait for. mp has no P, and takes no lock of a TimerList that belongs to one. A timer
// whose channel no G waits for is not one of them: WakeTime knows. s.Allp, which may have
// other Ps than allp by now, is not read. The runtime's checkTimersNoP.
func (p *timers) CheckTimersNoP(mp *gmp.M, allp []*gmp.P, pollUntil int64) int64 {
	// Question: mp has no P. What of a TimerList may it read?
	panic(gmp.TODO("CheckTimersNoP"))
}
