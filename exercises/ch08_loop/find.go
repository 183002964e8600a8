// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch08

package ch08

import "gosched/chapters/gmp"

// finder looks for work, and does not spin: an M that finds nothing sleeps at once.
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
// Looking twice is allowed anywhere, and so is an extra Wakep: they cost time, and
// change nothing.
//
// inheritTime: the G continues the time slice of the one before it. Nearby and
// StealWork say whether it does; a G from the global queue, or a stolen one, does not.
// tryWakeP: it is not an ordinary G, so another P should be woken; none is before
// chapter 17. Both are false without a G. The runtime's findRunnable.
func (p *finder) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	// Holds: A G that comes onto the global queue while mp gives up is found
	//        by mp, or the M that puts it there finds mp's P on the list. And
	//        the M that stops the world finds either mp, which stops, or its P
	//        on the list.
	// Question: You have looked everywhere, and there was nothing. What may
	//           have come since, at each of the places, and what would tell
	//           you?
	panic(gmp.TODO("FindRunnable"))
}
