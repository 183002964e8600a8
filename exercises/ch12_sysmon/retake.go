// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch12

package ch12

import (
	"gosched/chapters/gmp"
)

// slice is how long a G, or several that wake each other, may keep a P, in ns: the runtime's
// forcePreemptNS.
const slice = 10_000_000

// Retake looks at each P, in the order of Allp, and returns how many it has taken from
// system calls. now is the time, and it asks no clock. Of interest are those that run
// (Prunning) or whose M is in a system call (Psyscall).
//
// If a P's Schedtick is not what it was at the last look, a new time slice has begun
// since: Retake notes Schedtick, and now in Schedwhen. If it is the same and 10 ms have
// passed since Schedwhen, the slice is over: Preemptone, for a P in either state, in this
// round and in each one that follows, until it has helped.
//
// Then, whether the slice is over or not, RetakeSyscall, which does nothing for a P that is
// in no call. due tells it whether the slice is over, whatever Preemptone has returned. It
// comes after Preemptone because a P that was taken from a call may already run a G that
// has just begun.
//
// pp.Sysmontick is where the monitor remembers this, and nobody else reads or writes it;
// RetakeSyscall, which belongs to the monitor too, writes the other half. s.Lock is not
// held, except to read Allp; a P may die or change hands at any moment.
//
// The runtime's retake.
func (p *monitor) Retake(mp *gmp.M, now int64) uint32 {
	// Holds: A slice that has lasted for 10 ms is asked to end, and no P stays
	//        in a system call while a G waits for it; a slice that has just
	//        begun is left alone.
	// Question: Between two rounds a G ends its slice, and another one begins.
	//           How do you tell that from one that never ended?
	panic(gmp.TODO("Retake"))
}

// Preemptone asks the G that runs on pp to stop, and reports whether it has. That is a
// request, and no more: the G may not have a prologue for a long time, may not notice it
// (Newstack), or be a different G by then. It costs that one nothing but its turn.
//
// It does not if pp has no M, or that of the caller, mp, or if that M runs no G, or one
// that is in a system call (Gsyscall; the scan bit does not matter). Each is looked at only
// once (Look), and nothing else of M and G is touched.
//
// The request is gp.Preempt, and then machine.StackPreempt as gp.Sched.Guard. In this
// order: the M that runs gp may set the guard anew, since the stack grows, or since a
// call has ended, and looks at Preempt afterwards.
//
// From Go 1.14 on (s.HasSignals) pp.Preempt is set, too, and when gp.Preempt and pp.Preempt
// are, PreemptM is called for that same M, so that a G stops that calls nothing.
//
// The runtime's preemptone.
func (p *monitor) Preemptone(mp *gmp.M, pp *gmp.P) bool {
	// Holds: If the G that was seen there goes on with this slice, it finds
	//        the request at its next prologue, whatever its M does with the
	//        guard meanwhile.
	// Question: Its M sets the guard anew between your two steps, and then
	//           looks at Preempt. What does it find, and what if you take the
	//           steps the other way round?
	panic(gmp.TODO("Preemptone"))
}

// Preemptall calls Preemptone for each P that is Prunning, all of them, and reports
// whether any G was asked. It does not take s.Lock: its caller, who stops the world, may hold
// it, and nobody else could change Allp. The runtime's preemptall.
func (p *monitor) Preemptall(mp *gmp.M) bool {
	panic(gmp.TODO("Preemptall"))
}
