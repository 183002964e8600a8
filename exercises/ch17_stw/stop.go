// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch17

// Package ch17 is what stops the world: chapter 17, Go 1.2 to 1.26.
//
// Nobody can take a P from an M that runs. So the world is not stopped: it stops, each P by
// whoever owns it at that moment, and the one who wants it counts.
package ch17

import "gosched/chapters/gmp"

// Parts are the parts of this chapter.
var Parts = gmp.Version{World: NewWorld, GCWork: NewGCWork}

// again is after how many ns those are asked once more that have not stopped: a request may
// have come too early.
const again = 100_000

// world keeps nothing of its own: what is to stop, and has, stands in gmp.Sched.
//
// World stops and starts all Ps.
//
// In a stopped world no G runs and no M has a P, but for one: so that one may change what
// otherwise belongs to the owners of the Ps, or look at all of it at one moment. It is asked
// for by one M at a time, the holder of Worldsema. Each P stops where it is safe, and is
// counted down in Stopwait when it does, once, by whoever owns it at that moment:
//
//   - that of the caller, by the caller;
//   - one on the list of idle Ps, by the caller, who takes it off;
//   - one whose M is in a system call, by whoever wins it (GcstopSyscall): the caller, or that
//     M itself in Entersyscall, which comes too late for the caller's look and sees Gcwaiting;
//   - one that runs, by its M, in Gcstopm, when it comes to look for a G, or in Handoffp;
//   - one in the hands of an M that is about to hand it over (Startm), by the M that gets it.
//
// Gcwaiting is set, and Stopwait and all lists change, with s.Lock held. So an M that has the
// lock and finds Gcwaiting false may put its P where the caller will find it.
//
// A ragged barrier is less, and stops nobody: each P passes a safe point, each at a moment of
// its own.
type world struct {
	s *gmp.Sched
}

// NewWorld makes the World of s.
func NewWorld(s *gmp.Sched) gmp.World { return &world{s: s} }

// StopTheWorld stops the world for gp, which is Grunning on mp, and then calls then, in
// which mp is the only M with a P; then, or what it leads to, ends with StartTheWorld on
// the same mp. reason is for messages.
//
// There is one who stops the world at a time: whoever has Worldsema, which is read and
// written with Worldlock held. If another G has it, gp waits on Worldqueue, behind those
// that wait already, parked for WaitReasonSemacquire, and StopTheWorld returns when mp runs
// another G. When gp runs again it has Worldsema, since StartTheWorld has handed it over,
// and the world is stopped then, and then is called, by gp.Cont, with the M that runs gp.
//
// The runtime's stopTheWorld, where worldsema is a semaphore as in chapter 4, and whose
// caller goes on when the world has stopped.
func (p *world) StopTheWorld(mp *gmp.M, gp *gmp.G, reason string, then func(s *gmp.Sched, mp *gmp.M, gp *gmp.G)) {
	// Holds: Of all Gs that want to stop the world, one does; each of the
	//        others is on the queue, and will be handed the right to do so.
	// Question: gp is on the queue. From when on may another M make it ready,
	//           and where is mp by then?
	panic(gmp.TODO("StopTheWorld"))
}

// StartTheWorld lets the world go on (StartTheWorldWithSema), and after that gives
// Worldsema up, or to the first G on Worldqueue, if there is one, which it makes ready
// (Goready). As long as a G waits, Worldsema is never free: one that stops the world in a
// loop does not keep others from it. Worldlock is not held while the world is started, nor
// when a G is made ready.
//
// The runtime's startTheWorld.
func (p *world) StartTheWorld(mp *gmp.M) {
	// Holds: Worldsema is free only if nobody waits for it.
	// Question: A G stops the world, starts it, and stops it again, in a loop.
	//           When does another one that wants to have its turn?
	panic(gmp.TODO("StartTheWorld"))
}

// StopTheWorldWithSema returns when no G runs but mp's own, and no M but mp has a P:
// all Ps are Pgcstop, on no list, and mp keeps its own, which is Pgcstop, too. Stopwait
// is 0, Stopnote clear, and Gcwaiting set. mp holds Worldsema, and no lock. reason is for
// messages.
//
// mp's G, if it has one, is Gwaiting meanwhile, for WaitReasonStoppingTheWorld, and
// Grunning again at the end: another M may want to suspend it (SuspendG), and would wait
// for a G that runs, and that waits for the P of this other M. Waitreason is written
// before the state changes. That is done without s.Lock, since Casgstatus waits while somebody
// suspends the G.
//
// With s.Lock held Stopwait becomes Gomaxprocs, and Gcwaiting is set; all Ps are asked to
// stop (Preemptall); and then those are stopped, and counted down, that need no M for it:
// mp's own, those in system calls, and the idle ones. If Stopwait is then not 0, it sleeps
// on Stopnote, without the lock. A request to stop may have come too early: to a P whose M
// had no G at that moment, and has one now that knows of nothing. So it sleeps for 100 µs
// at a time, and then asks all of them once more (Preemptall, with or without the lock). At
// the end the note is cleared, for the next stop.
//
// In a version without Syscalls no P is in a call, and in one without Monitor nobody is
// asked: s.Version says what there is.
//
// Throws "stopTheWorld: not stopped (stopwait != 0)", or "stopTheWorld: not stopped (status
// != _Pgcstop)" if a P is something else at the end.
//
// The runtime's stopTheWorldWithSema; Go 1.1 asks nobody, and waits.
func (p *world) StopTheWorldWithSema(mp *gmp.M, reason string) {
	// Holds: When it returns no M but mp has a P, or can get one; each P was
	//        counted once; and the note is as clear as before.
	// Question: Between your look at a P and the sleep, that P changes hands,
	//           becomes idle, or its M enters a system call. Who counts it
	//           then?
	panic(gmp.TODO("StopTheWorldWithSema"))
}

// Gcstopm stops mp's P for a stopping world, and lets mp sleep until it has a P
// again (Stopm). mp runs no G. If mp spins, it stops spinning, and is taken out of
// Nmspinning; no other need look in its stead, since StartTheWorldWithSema wakes one.
//
// It gives up its P (Releasep); with s.Lock held the P becomes Pgcstop and is counted down
// in Stopwait, and whoever counts the last one signals Stopnote. When the lock is free
// again the P belongs to the M that stops the world.
//
// Throws "gcstopm: not waiting for gc" if Gcwaiting is not set, and "gcstopm: negative
// nmspinning". The runtime's gcstopm.
func (p *world) Gcstopm(mp *gmp.M) {
	// Holds: mp's P is stopped, and counted, and mp is on the list of idle Ms
	//        or about to be; whoever counts the last P wakes the one who
	//        waits.
	// Question: As soon as you release s.Lock the world may have stopped, and
	//           have been started again. What of what you do after that needs
	//           the P?
	panic(gmp.TODO("Gcstopm"))
}
