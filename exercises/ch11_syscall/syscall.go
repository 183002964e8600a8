// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch11

// Package ch11 is system calls and locked threads: chapter 11, Go 1.1 to 1.26.
//
// A call may last a nanosecond or a day, and which it will be is not known in advance. So an M
// that enters one neither keeps its P nor gives it away: it leaves it where others may take it,
// and looks when it is back whether they have. Both ways are one atomic operation as long as
// they have not.
package ch11

import (
	"gosched/chapters/gmp"
)

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	Loop:          NewLoop,
	Syscalls:      NewSyscalls,
	LockedThreads: NewLockedThreads,
}

// syscalls keeps nothing of its own: whose a P is stands in its Status.
//
// Syscalls is what happens around a system call. An M that is in one sleeps perhaps, in
// the kernel, and its G with it. Its P need not: others may take it.
//
// This is the form of Go 1.1 to 1.25, which the chapter asks for. An M that enters a
// call lets go of its P, which is then Psyscall. From that moment the P belongs to
// whoever changes its Status from Psyscall to something else by a compare-and-swap: to
// the M itself, when it is back; to another M that is back from a call and had the same
// P before; to the monitor, if the call lasts; or to the M that stops the world. An M that
// has lost, or has not won yet, changes nothing of the P but Status, since others may have
// done anything with it meanwhile. The monitor alone reads more before it tries, by Look and
// atomic loads: Syscalltick, and whether the queue is empty. A P's Syscalltick says which
// call it is: whoever ends the time during which a P is Psyscall increments it, and so does
// Exitsyscall for an idle P that it has got instead.
//
// G and M stay together in the call: gp is Gsyscall, mp.Curg is gp, gp.M is mp.
type syscalls struct {
	s *gmp.Sched
}

// NewSyscalls makes the Syscalls of s, in the form of Go 1.1 to 1.25.
func NewSyscalls(s *gmp.Sched) gmp.Syscalls { return &syscalls{s: s} }

// Entersyscall is called before gp, which is Grunning on mp, enters the kernel. When
// it returns, mp makes the call, without a P.
//
// Where gp stands, Sched.PC and Sched.SP, is noted in SyscallPC and SyscallSP, and
// gp becomes Gsyscall, linked to mp. If the monitor sleeps (Sysmonwait), it is
// woken: Sysmonwait is looked at once more, and cleared, under s.Lock, and then
// Sysmonnote is signalled. mp notes its P in Oldp and the P's Syscalltick in its
// own; M and P let go of each other; and the last thing is that the P becomes
// Psyscall. mp may look at Oldp for itself, but the P is no longer its own.
//
// If the world is to stop (Gcwaiting, looked at after that), it may be that no M
// comes for the P in time. So mp stops it itself, under s.Lock: if Stopwait is
// positive, and if it still wins the P, that becomes Pgcstop, with its Syscalltick
// incremented and Stopwait decremented; if that was the last one, Stopnote is
// signalled.
//
// The runtime's entersyscall and reentersyscall, with entersyscall_sysmon and
// entersyscall_gcwait.
func (p *syscalls) Entersyscall(mp *gmp.M, gp *gmp.G) {
	// Holds: From the moment when the P is Psyscall another M may have it,
	//        give it to others, and run Gs with it; and a world that is to
	//        stop waits for this P no longer than until Entersyscall returns.
	// Question: As soon as the P is Psyscall another M has taken it, and run a
	//           hundred Gs on it. Which of your lines after that still looks
	//           at it, and what may it find?
	panic(gmp.TODO("Entersyscall"))
}

// Entersyscallblock is Entersyscall for a call that is known to block: it does not
// wait for others to take the P, but increments its Syscalltick, and hands it off
// (Releasep, Handoffp). It may do so before or after gp becomes Gsyscall: no M comes
// from G to P. Oldp is nil. It need not wake the monitor: there is no P to take. The
// runtime's entersyscallblock; since Go 1.26, where Gsyscall says that the P may be taken,
// the P is handed off first.
func (p *syscalls) Entersyscallblock(mp *gmp.M, gp *gmp.G) {
	// Holds: When it returns mp has no P and remembers none, and the P has an
	//        M, or is idle.
	panic(gmp.TODO("Entersyscallblock"))
}

// Exitsyscall brings gp back from its call, in which it was Gsyscall on mp. mp.Oldp
// is nil afterwards.
//
// If ExitsyscallFast gets a P, gp goes on at once on mp: the Syscalltick of this P, the
// old one or another, is incremented, gp is Grunning, and SyscallSP is 0. If gp was asked
// to stop meanwhile (gp.Preempt), its guard is StackPreempt, so that it does so at its
// next call; otherwise the guard is as it was. If there is no P, ExitsyscallNoP does the
// rest.
//
// The runtime's exitsyscall.
func (p *syscalls) Exitsyscall(mp *gmp.M, gp *gmp.G) {
	// Holds: gp runs on mp, with a P; or it is where another M with a P finds
	//        it.
	// Question: What may you still touch of gp when ExitsyscallNoP has
	//           returned?
	panic(gmp.TODO("Exitsyscall"))
}

// ExitsyscallFast gives mp a P without waiting, and reports whether it could. That
// is oldp, whatever mp.Oldp is by now, if oldp is not nil and still Psyscall, and if mp
// wins it: it becomes Pidle and is then wired to mp (Wirep). Otherwise it is an idle one, by
// ExitsyscallPidle, which is called only if Npidle says that there is one. It may
// turn out that oldp has been taken and is Psyscall again, because of another M's
// call; that M then loses it. The runtime's exitsyscallfast.
func (p *syscalls) ExitsyscallFast(mp *gmp.M, oldp *gmp.P) bool {
	// Holds: mp has a P that no other M has, or none.
	// Question: Two Ms may try to take this P at the same time, and the
	//           monitor as well. Which single operation decides?
	panic(gmp.TODO("ExitsyscallFast"))
}

// ExitsyscallPidle gives mp an idle P (Pidleget, Acquirep), and reports whether
// there was one. If there was, it wakes the monitor, as Entersyscall does, if that
// sleeps. The runtime's exitsyscallfast_pidle; since Go 1.26 it is a part of
// exitsyscallTryGetP.
func (p *syscalls) ExitsyscallPidle(mp *gmp.M) bool {
	// Holds: If a P was idle, mp has it, and the monitor is awake.
	panic(gmp.TODO("ExitsyscallPidle"))
}

// ExitsyscallNoP is for gp, Gsyscall on mp (in chapter 18, Grunning), which is back
// from its call and has found no P. gp becomes Grunnable, with SyscallSP 0, and mp and
// gp let go of each other. Then, under s.Lock, it looks for an idle P once more. If
// there is one, it wakes the monitor, if that sleeps, and mp executes gp on that P
// (Acquirep, Execute, a new time slice). If not, gp goes on the global queue under the
// same lock, so that whoever puts a P on the list of idle ones afterwards finds it.
// Then mp sleeps (Stopm) and when it wakes, schedules. But if gp is locked to mp, it
// waits for gp (Stoplockedm), and executes it.
//
// As soon as gp is on the queue and s.Lock is free, gp belongs to another M. The
// runtime's exitsyscall0, which is called exitsyscallNoP since Go 1.26.
func (p *syscalls) ExitsyscallNoP(mp *gmp.M, gp *gmp.G) {
	// Holds: gp runs on mp, or it is on the global queue, and then no P was
	//        idle; whatever mp does next, it does not touch a G that another M
	//        may have.
	// Question: s.Lock is free, and gp on the queue: another M runs it, and it
	//           calls UnlockOSThread. What did you have to know before?
	panic(gmp.TODO("ExitsyscallNoP"))
}
