// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch16

package ch16

import "gosched/chapters/gmp"

// Injectglist makes all of list, which may be empty, runnable. mp may be without a P:
// then all Gs go on the global queue; otherwise one for each idle P goes there, and
// the rest go on the queue of mp's P, as far as there is room. It starts an M for each G
// that goes on the global queue, as long as Ps are idle (Startm, not spinning). If mp has a
// P, Wakep comes last: a P may have become idle since it counted. In versions without Ps
// (s.Version().Procs is nil) it is Ready for each of them. s.Lock is not held; the caller
// may hold a lock of its own. The runtime's injectglist.
func (p *poller) Injectglist(mp *gmp.M, list gmp.GList) {
	// Holds: When it returns no G of list waits on a queue while a P is idle,
	//        unless an M is on its way.
	// Question: You have counted the idle Ps, and one more becomes idle before
	//           you have queued anything. Who will tell it?
	panic(gmp.TODO("Injectglist"))
}
