// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch11

package ch11

import "gosched/chapters/gmp"

// lockedThreads keeps nothing of its own.
//
// LockedThreads binds a G to an M: no other M runs it, and that M runs no other G.
// gp.Lockedm and mp.Lockedg point to each other, and mp.LockedExt is how often
// LockOSThread was called and not undone. While its G cannot run, the M sleeps on its
// note, and is on no list; Nmidlelocked is the number of such Ms.
type lockedThreads struct {
	s *gmp.Sched
}

// NewLockedThreads makes the LockedThreads of s.
func NewLockedThreads(s *gmp.Sched) gmp.LockedThreads { return &lockedThreads{s: s} }

// LockOSThread locks gp, which runs on mp, to it. Calls nest: LockedExt counts them.
// If it would overflow, it stays as it is, and gp panics with "LockOSThread nesting
// overflow", by Sched.PanicPlain. The runtime's LockOSThread.
func (p *lockedThreads) LockOSThread(mp *gmp.M, gp *gmp.G) {
	panic(gmp.TODO("LockOSThread"))
}

// UnlockOSThread undoes one LockOSThread of gp, which runs on mp; the last one
// unlocks the two. It does nothing if they are not locked. The runtime's
// UnlockOSThread, where calls have nested since Go 1.10.
func (p *lockedThreads) UnlockOSThread(mp *gmp.M, gp *gmp.G) {
	panic(gmp.TODO("UnlockOSThread"))
}

// Stoplockedm lets mp, which runs no G and is locked to one that cannot run, sleep
// until that one can. If mp has a P, it hands it off (Releasep, Handoffp). It counts
// itself by Incidlelocked, sleeps by MPark, and has, when it is woken, a P in Nextp,
// which it takes. The caller then executes the G. Throws "stoplockedm: inconsistent
// locking" if mp is locked to no G, or that one not to mp; and "stoplockedm: not
// runnable" if when it wakes the G is not Grunnable. (The scan bit does not matter.)
// The runtime's stoplockedm.
func (p *lockedThreads) Stoplockedm(mp *gmp.M) {
	// Holds: The M that finds mp's G wakes mp, whether mp sleeps already or
	//        not, and mp finds the P that it was given.
	// Question: mp's G may be runnable already when you are called, and the M
	//           that has found it may have signalled mp's note. Which of your
	//           steps may come after that?
	panic(gmp.TODO("Stoplockedm"))
}

// Startlockedm gives mp's P to the M that gp is locked to, which sleeps in
// Stoplockedm, or is about to. mp has taken gp off a queue, and runs no G and does
// not spin. It takes the other M out of Nmidlelocked (Incidlelocked), gives it the P
// in Nextp and then wakes it, and sleeps itself (Stopm). When it returns mp has a P,
// perhaps another one, and looks for a G anew. Throws "startlockedm: locked to me"
// and, if that M has a Nextp, "startlockedm: m has p". The runtime's startlockedm.
func (p *lockedThreads) Startlockedm(mp *gmp.M, gp *gmp.G) {
	// Holds: The other M runs gp, with the P that was mp's; and at every
	//        moment Checkdead counts one of the two as awake.
	// Question: As soon as you signal the note the other M runs gp. What must
	//           be true by then, and what of gp may you still touch?
	panic(gmp.TODO("Startlockedm"))
}

// Incidlelocked adds v to Nmidlelocked, under s.Lock. If v is positive, an M less is
// awake, and it calls Checkdead under the same lock. The runtime's incidlelocked.
func (p *lockedThreads) Incidlelocked(v int32) {
	// Holds: If no M is left that could make a G ready, that is noticed, by
	//        whichever M went to sleep last.
	panic(gmp.TODO("Incidlelocked"))
}

// Mexit ends mp, which has no G and holds a P: its G has ended without
// UnlockOSThread, and whatever it has done to its thread must not surprise another
// G. mp's P is handed off; then, with s.Lock held, mp is counted in Nmfreed, and
// Checkdead is called, since it may have been the last one. mp.Gone is set: when the
// caller returns to the router, the thread ends. But M0 is the program's first
// thread, which must not end: instead, it sleeps for ever (MPark), and throws
// "locked m0 woke up" if it does not. The runtime's mexit, since Go 1.10; before,
// the thread was used again.
func (p *lockedThreads) Mexit(mp *gmp.M) {
	// Holds: The P that was mp's has an M, or is idle, before mp is gone; and
	//        if mp was the last M awake a deadlock is reported.
	// Question: Why must the P be handed off before mp is counted among those
	//           that are gone?
	panic(gmp.TODO("Mexit"))
}
