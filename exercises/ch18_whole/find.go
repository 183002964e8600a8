// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch18

// Package ch18 is the whole scheduler: chapter 18, Go 1.26.
//
// Each source of work has had a chapter of its own. Here is the one function that asks all of them,
// in an order that a good program never notices and a bad one depends on; and what the sources
// need so that asking is cheap: a bit for each P that says whether it is worth a look.
package ch18

import "gosched/chapters/gmp"

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	Finder:   NewFinder,
	Loop:     NewLoop,
	Stealing: NewStealing,
	Masks:    NewMasks,
	Deadlock: NewDeadlock,
	Syscalls: NewSyscalls,
}

// finder looks for work wherever there may be some.
type finder struct {
	s *gmp.Sched
}

// NewFinder makes the Finder of s in the form of this chapter.
func NewFinder(s *gmp.Sched) gmp.Finder { return &finder{s: s} }

// FindRunnable returns a G for mp, which holds a P, to run. As long as there is
// none it gives its P back and sleeps; so when it returns mp may hold a different
// one. It returns nil only if the program is over (Sched.Exited). The caller
// holds no lock.
//
// First of all it stops, by Gcstopm, if the world is to stop (Gcwaiting). Then it looks,
// in this order: at the timers of its P, running those that are due; at its Sources, by
// Nearby; at other Ps, by StealWork. Then, all with s.Lock held, it looks once more
// whether the world is to stop, which waits for mp, and at the global queue, before it
// puts its P on the list of idle Ps. Then it waits in Sched.Netpolluntil for the next
// timer and for the network, if there is anything to wait for, or sleeps by Stopm. After
// Netpolluntil it takes an idle P again (Pidleget), if there is one, and then gives
// whatever has come to Injectglist, with a P or without. If it gets a P, a new round
// begins; if not, it sleeps by Stopm, as it does if another M already polls, and has a P
// when it wakes. Each round begins with the P that mp has by then. (The runtime runs the
// first G that has come itself, if it has a P.)
//
// From chapter 10 on mp steals only if it spins, or may begin to: as long as twice the
// number of spinning Ms is less than the number of busy Ps, s.Gomaxprocs less s.Npidle.
// If it does not spin and Needspinning is set, it does not give its P back, but begins
// to spin. When it gives up, having been spinning, it is no longer counted in Nmspinning
// when it looks once more, at the global queue and at all Ps (CheckRunqsNoP). For work
// on the global queue it takes a P by PidlegetSpinning, as CheckRunqsNoP does for work
// on a P. If there is work and a P for it, it spins again, and either returns a G of the
// global queue at once or begins a new round. If not, CheckTimersNoP says when the first
// of all timers is due: that is not work, but the time until which mp waits. An M that
// has not spun need not look once more: nothing has relied on it. If it has waited for
// the network, which has brought nothing, and has a P and spun before, it spins again,
// too. It reads s.Allp and s.Gomaxprocs only while it holds a P or s.Lock; otherwise the
// world may stop, and they may change.
//
// Looking twice is allowed anywhere, and so is an extra Wakep: they cost time, and
// change nothing.
//
// From chapter 18 on it is the whole of Go 1.26, with what was Nearby written out and not
// called. What is new is in the order: it looks
//
//  1. whether the world is to stop (Gcstopm), and whether its P is to run a function at a safe
//     point (P.RunSafePointFn, RunSafePointFn);
//  2. at the timers of its P;
//  3. for a GC worker, if BlackenEnabled is set (FindRunnableGCWorker), with which it
//     returns tryWakeP;
//  4. when the P's Schedtick is a multiple of 61, at the global queue, for one G; and in each
//     round, at whether the finalizer goroutine has work (Wakefing): it makes that ready
//     (Ready, with next set);
//  5. at the queue of its P; at the global queue, for a batch (Globrunqgetlocal); neither
//     takes s.Lock while Runqsize says that the global queue is empty;
//  6. at the network, without waiting, if a G waits for it, no M waits there (Lastpoll),
//     and no other M looks (PollingNet, which it sets meanwhile): the first G is returned, the
//     others go to Injectglist;
//  7. at other Ps, by StealWork, as long as it spins or may begin to;
//  8. for a worker that marks when nothing else is to be done (IdleGCWorker).
//
// It keeps what s.Allp, s.Idlepmask and s.Timerpmask are. Then, with s.Lock held, as before:
// whether the world is to stop, or its P to run a function, in which case it starts afresh;
// the global queue; if Needspinning is set, it begins to spin instead of giving its P back,
// unless it spins; and it gives its P back. Without a P, if it has been spinning:
//
//  9. it is no longer counted, and looks at the global queue, the queues of all Ps that are not
//     idle (BusyPs, CheckRunqsNoP), for a marker (CheckIdleGCNoP), which it returns, spinning
//     again, and at the timers of those Ps that may have some (TimerPs, CheckTimersNoP);
//  10. if there is something to wait for, and Lastpoll, which it sets to 0 in the same step, was
//     not 0, it waits (Netpoll) until the first timer, PollUntil, is due. It sets PollUntil
//     before it waits, and afterwards to 0; then Lastpoll to the time, which is not 0. Then it
//     takes an idle P, and if it gets one, returns the first G that has come, and the others go to
//     Injectglist; without a G it starts afresh, spinning if it did before. If it gets no P,
//     all go to Injectglist. If another M waits already, but for longer (PollUntil is later,
//     or 0), it wakes that one (NetpollBreak). Then it sleeps (Stopm).
//
// A G that waited becomes Grunnable before it is returned. Throws "findRunnable: negative
// nmspinning" if mp spins and was not counted. Of the runtime's sources the
// reader of the execution trace is missing here, and the goroutines that run cleanups: what
// calls finalizers runs those, too.
//
// inheritTime: the G continues the time slice of the one before it. Nearby (from chapter 18
// on, Runqget) and StealWork say whether it does; a G from the global queue, or a stolen
// one, does not. tryWakeP: it is not an ordinary G, so another P should be woken; none is
// before chapter 18. Both are false without a G. The runtime's findRunnable.
func (p *finder) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	// Holds: Whatever becomes runnable, and whichever source it is in, is
	//        found by mp; or whoever put it there sees that no M looks for
	//        work, and wakes one.
	// Question: For each of the ten steps: who puts something there, and at
	//           what does that M look afterwards? Which of your steps does it
	//           meet?
	panic(gmp.TODO("FindRunnable"))
}
