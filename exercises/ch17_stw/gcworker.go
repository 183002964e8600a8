// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch17

package ch17

import (
	"gosched/chapters/gmp"
)

// GcBgMarkWorker is one turn of the worker gp, which is Grunning on mp: it marks, and then waits
// in the pool for the next turn. Throws "gcBgMarkWorker: blackening not enabled" if
// BlackenEnabled is not set, and "gcBgMarkWorker: unexpected gcMarkWorkerMode" if the P has
// none.
//
// GcMarkWorkerStartTime of the P is the time; gp is counted in Working before it takes
// anything to mark. While it marks (GcDrain) gp is Gwaiting, for WaitReasonGCWorkerActive:
// another worker may want to look at its stack, or to stop it. How long it marks depends on
// the mode:
//
//   - dedicated: until it is asked to stop (gp.Preempt). Then it puts all Gs of its P's queue on
//     the global one (Runqdrain, Globrunqputbatch), since others can run them, and goes on. Now it
//     stops only if it is asked and, besides, the world is to stop (Gcwaiting) or its P has
//     RunSafePointFn set. It does not clear gp.Preempt, so it may be asked from the beginning.
//     How often GcDrain is called is free: without anything left it does nothing.
//   - fractional: until it is asked to stop; or the time of all its P's turns, with this one
//     up to now, is more than 1.2 times FractionalUtilizationGoal of the time since
//     MarkStartTime.
//   - idle: until it is asked to stop, or there is something else to do: on its P's queue, or
//     on the global one (Runqsize).
//
// After that it is Grunning, gives its place back (DedicatedMarkWorkersNeeded,
// IdleMarkWorkers) or adds its time to GcFractionalMarkTime, and the mode of its P is
// GcMarkWorkerNotWorker. Then it is no longer counted in Working. If it was the last one,
// and there is nothing left to mark, it calls GcMarkDone, which may change gp.Cont. At the end
// gp.Cont is GcBgMarkWorker again and gp parks, for WaitReasonGCWorkerIdle. It is in the pool only
// when it waits: from then on it may run elsewhere.
//
// The runtime's gcBgMarkWorker, which is a loop. It counts those who do not work (work.nwait).
func (p *gcWork) GcBgMarkWorker(mp *gmp.M, gp *gmp.G) {
	// Holds: Whatever is in a worker's hands, that worker is counted in
	//        Working; and the last one that stops counting itself looks
	//        whether that was all.
	// Question: Two workers stop at the same time, and nothing is left. Which
	//           of the two calls GcMarkDone?
	panic(gmp.TODO("GcBgMarkWorker"))
}

// GcMarkDone ends marking, if that is over: no worker works and nothing is left to mark. gp, a
// worker that does not work any more, is Grunning on mp; no lock is held. If it has
// ended, GcMarkTermination was called once, with the world stopped and BlackenEnabled false.
// For a worker that comes too late there is nothing to do: if BlackenEnabled is false when it
// comes, another one has ended this collection.
//
// One M does that at a time: whoever changes MarkDoneSema to true, and back to false. Another
// one goes away, and does not wait. So whoever has given it back looks once more: the other one may
// have seen the end of it, which it had not. If marking is over it is given back before
// GcMarkTermination, which starts the world again.
//
// That nothing is left can be seen only when each P has given away what it keeps to
// itself (GcFlush, by ForEachP, for WaitReasonGCMarkTermination). If one had something, start
// over. If none had, stop the world (StopTheWorldWithSema), and check once more, GcFlush of each
// P included: a P may have found something since, and kept it. If so, start the world again
// (StartTheWorldWithSema), and start over. To start over is to ask again whether marking is
// over, with MarkDoneSema in hand or after it has been given back.
//
// The runtime's gcMarkDone, where markDoneSema is a semaphore as in chapter 4.
func (p *gcWork) GcMarkDone(mp *gmp.M, gp *gmp.G) {
	// Holds: Marking ends once, and only when nothing is left anywhere; and if
	//        nothing is left it ends.
	// Question: You have seen that something is left, and are about to go.
	//           Meanwhile another worker has marked it, has come here, and
	//           found you. Who ends the collection?
	panic(gmp.TODO("GcMarkDone"))
}
