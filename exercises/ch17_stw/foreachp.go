// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch17

package ch17

import "gosched/chapters/gmp"

// ForEachP returns when fn was called for each P, once, at a safe point of that P, and
// after ForEachP began: whatever the P did before that, it has done. That is the ragged
// barrier. mp holds Worldsema, so that neither the Ps nor their number change, and no lock;
// fn touches what belongs to the P that it is given, and takes no lock. mp's G, if it has
// one, is Gwaiting for reason meanwhile, as in StopTheWorldWithSema.
//
// With s.Lock held SafePointWait becomes the number of the other Ps, SafePointFn is fn, and
// RunSafePointFn of each other P is 1; then all are asked to stop (Preemptall). From then on
// whoever changes RunSafePointFn of a P from 1 to 0 calls fn for it (the method
// RunSafePointFn). That is
//
//   - for one that is idle, ForEachP, with the lock still held;
//   - for mp's own, ForEachP, without the lock, and without a count;
//   - for one that is about to become idle, the M that puts it on the list (Pidleput), with
//     the lock held;
//   - for one that runs, its M, before it looks for the next G (FindRunnable);
//   - for one whose M is in a system call, ForEachP, which takes it away for that,
//     before it first sleeps.
//
// Only these two looks of others are needed, and the scheduler makes them in every Go that
// has ForEachP. To take a P from a call, s.Lock is held, and it is taken by GcstopSyscall,
// as if to stop it: whoever has won it owns it, and Stopwait, which that counts down, is set
// back. fn is called for it there. Then it is Pidle, and without the lock it is handed off
// (Handoffp).
//
// Then it sleeps on SafePointNote, for 100 µs at a time, and each time it asks all Ps once more
// (Preemptall, with or without the lock) and takes those that are in calls by then: a P may
// have entered its call after the first look. At the end the note is cleared, and SafePointFn
// is nil again.
//
// Throws "forEachP: sched.safePointWait != 0" if one is under way, and at the end "forEachP:
// not done" if SafePointWait is not 0 and "forEachP: P did not run fn" if RunSafePointFn is set.
//
// The runtime's forEachP, since Go 1.5. There an M looks as well when it enters a call, and
// a P that is in one by then is taken once only; if the two miss each other, the monitor
// hands the P off later.
func (p *world) ForEachP(mp *gmp.M, reason gmp.WaitReason, fn func(pp *gmp.P)) {
	// Holds: fn was called for each P, once, while nobody else used that P,
	//        and after ForEachP began.
	// Question: A P runs while you look at it, and is in a system call, or
	//           idle, a moment later. Who calls fn for it?
	panic(gmp.TODO("ForEachP"))
}

// RunSafePointFn calls SafePointFn for pp, unless another M has done so: it does nothing if
// RunSafePointFn of pp is not 1. Of all that try, the one that changes it from 1 to 0 calls
// the function. Then SafePointWait is counted down, with s.Lock held, and whoever counts the
// last one signals SafePointNote. pp belongs to the caller, or is idle. lockheld says that
// the caller holds s.Lock, and goes on holding it; otherwise fn is called without it.
//
// The runtime's runSafePointFn; with the lock held, a part of handoffp.
func (p *world) RunSafePointFn(pp *gmp.P, lockheld bool) {
	// Holds: Of all that try, one calls it; and when it is counted it was
	//        called.
	panic(gmp.TODO("RunSafePointFn"))
}
