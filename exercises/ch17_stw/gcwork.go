// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch17

package ch17

import (
	"gosched/chapters/gmp"
)

// gcWork is what the collector asks of the scheduler. It keeps nothing of its own.
//
// GCWork is what the garbage collector asks of the scheduler: which P runs a mark worker, and
// when; and who begins a collection that no allocation asks for. A worker is a G: it waits in
// GcController.Pool, and each time it runs it marks for a while, on the P that has taken it. The
// collector itself is given (Collector).
//
// A collection holds Worldsema from its first stop of the world to its end, so nobody else stops the
// world meanwhile. It begins and ends with a stop; in between GcController.BlackenEnabled is
// set. It changes only while the world is stopped: an M that has seen it set can rely on it as long
// as it keeps its P, and no longer.
type gcWork struct {
	s *gmp.Sched
}

// NewGCWork makes the GCWork of s.
func NewGCWork(s *gmp.Sched) gmp.GCWork { return &gcWork{s: s} }

// Which share of the Ps' time the workers are to have; how far from it dedicated workers alone
// may be; and by how much the turns of a fractional worker may exceed its share.
const (
	backgroundUtilization = 0.25
	maxUtilError          = 0.3
	fractionalSlack       = 1.2
)

// GcControllerStartCycle says how many workers a collection has, on procs Ps. They are to have
// a quarter of the Ps' time. The world is stopped, now is the time, and trigger is why
// the collection begins.
//
// DedicatedMarkWorkersNeeded is a quarter of procs, rounded, halves up: so many Ps run nothing
// but a worker. If that is more than 30 % away from a quarter, FractionalUtilizationGoal is
// not 0: DedicatedMarkWorkersNeeded is one less if it was too many, and the goal is what
// is missing to a quarter, divided by procs: the share of its time that each P gives.
// MaxIdleMarkWorkers is procs less DedicatedMarkWorkersNeeded; but for GcTriggerTime, where nothing
// is urgent, 0, or 1 if there is no dedicated worker: there must be one that goes on to the
// end. MarkStartTime is now, and GcFractionalMarkTime of each P 0.
//
// The runtime's gcControllerState.startCycle, 1.5 with other rounding.
func (p *gcWork) GcControllerStartCycle(now int64, procs int32, trigger gmp.GcTrigger) {
	// Holds: All workers together have about a quarter of the Ps' time; and at
	//        least one of them can always go on to the end.
	// Question: A quarter of 6 Ps is 1.5. How much of the time would 1
	//           dedicated worker take, and how much would 2?
	panic(gmp.TODO("GcControllerStartCycle"))
}

// FindRunnableGCWorker returns a worker that pp, which mp holds, runs now, nil if none.
// It returns now, too, or the time if now is 0 and it had to look. The worker is
// Grunnable then, has left the pool, and pp's GcMarkWorkerMode says how it works. The caller
// holds no lock. Throws "gcControllerState.findRunnable: blackening not enabled" if
// BlackenEnabled is not set.
//
// There is none if nothing is to be marked (GcMarkWorkAvailable), or none waits in the
// pool. If dedicated workers are missing, it takes one's place: DedicatedMarkWorkersNeeded
// falls by one, and never below 0, however many Ms are here at the same time
// (GcMarkWorkerDedicatedMode). If not, and FractionalUtilizationGoal is not 0, pp runs one
// as long as GcFractionalMarkTime, of the time since MarkStartTime, is no more than that
// share (GcMarkWorkerFractionalMode). Whoever has not found both, a place and a worker,
// leaves both as they were. If no dedicated worker is missing and that goal is 0, there is
// no place to be had, and the pool is left alone: another M may need the worker at that
// moment (IdleGCWorker). The runtime's gcControllerState.findRunnableGCWorker.
func (p *gcWork) FindRunnableGCWorker(mp *gmp.M, pp *gmp.P, now int64) (*gmp.G, int64) {
	// Holds: A worker that it returns is in nobody else's hands, and has one
	//        place; a place without a worker is given back, and so is a worker
	//        without a place.
	// Question: Two Ms are here at the same time, and one dedicated worker is
	//           missing. At which step is it decided which of the two gets it?
	panic(gmp.TODO("FindRunnableGCWorker"))
}

// IdleGCWorker returns a worker for pp, which mp holds and which has nothing else to do; nil if
// there is none in the pool, nothing to be marked, BlackenEnabled is not set, or
// IdleMarkWorkers is MaxIdleMarkWorkers. It is counted in IdleMarkWorkers, which never, not for a
// moment, is more than that; and Grunnable, and pp's mode is GcMarkWorkerIdleMode. The
// caller holds no lock. In the runtime it is part of findRunnable.
func (p *gcWork) IdleGCWorker(mp *gmp.M, pp *gmp.P) *gmp.G {
	// Holds: There are never more idle workers than may be.
	panic(gmp.TODO("IdleGCWorker"))
}

// CheckIdleGCNoP is the last look of mp, which has put its P on the list of idle ones: somebody
// may have found something to mark since it looked. If there is something (BlackenEnabled and
// GcMarkWorkAvailable say so), it takes, with s.Lock held, an idle P (PidlegetSpinning), and a
// worker for that on the conditions of IdleGCWorker, which it cannot call there; if there is
// nothing it takes neither the lock nor a P. It returns both, or neither: then the P is on the
// list again when the lock is released, since a stop of the world counts what is on the list.
// Whatever it saw before it had a P may be over by then. The P is mp's, which has not wired it;
// the state of the worker changes without s.Lock. The caller holds no lock. The runtime's
// checkIdleGCNoP.
func (p *gcWork) CheckIdleGCNoP(mp *gmp.M) (*gmp.P, *gmp.G) {
	// Holds: The P that it takes comes with a worker, or is back on the list.
	//        And marking is still under way.
	// Question: Without a P the world may stop at any moment, and the
	//           collection end. From which step on can it not?
	panic(gmp.TODO("CheckIdleGCNoP"))
}
