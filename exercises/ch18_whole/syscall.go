// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch18

package ch18

import (
	"gosched/chapters/gmp"
)

// wanted is how long, in ns, an M in a call may keep a P that no M needs.
const wanted = 10_000_000

// syscalls keeps nothing of its own: that a P may be taken stands in the state of a G.
//
// Syscalls is what happens around a system call. An M that is in one sleeps perhaps, in
// the kernel, and its G with it. Its P need not: others may take it.
//
// In Go 1.26 the P stays Prunning, and linked to its M, while that is in a call. G and M stay
// together, too: gp is Gsyscall, mp.Curg is gp, gp.M is mp. Whether the P may be taken is
// decided by the state of the G alone. An M that is in a call touches neither its P nor the
// link to it, until it has changed gp from Gsyscall to Grunning. Whoever wants the P sets the
// scan bit of gp, by a compare-and-swap from Gsyscall to Gsyscall|Gscan: gp cannot leave the
// call as long as the bit is set. Whoever does this has come to gp by pp.M and mp.Curg (Look:
// others may be writing them). So with the bit set it looks once more whether gp.M is mp and
// mp.P is pp. If so, the three belong to it until it clears the bit, and it may part M and P as
// if it were mp: pp.M and mp.P are nil, pp is Pidle or Pgcstop, and Syscalltick is incremented.
// If not, it clears the bit, and nothing has happened. No lock is taken with the bit set: an M
// that is back goes round in a loop all that time, and may hold what it is waited for. The
// runtime's setBlockOnExitSyscall, and the methods takeP, gcstopP, releaseP and resume of
// syscallingThread.
type syscalls struct {
	s *gmp.Sched
}

// NewSyscalls makes the Syscalls of s in the form of this chapter.
func NewSyscalls(s *gmp.Sched) gmp.Syscalls { return &syscalls{s: s} }

// A syscallingThread is an M that is in a call and cannot leave it, because somebody holds the
// scan bit of its G; with that G, and the P that it had. The three belong to whoever holds the
// bit, until resume. The runtime's syscallingThread.
type syscallingThread struct {
	gp *gmp.G
	mp *gmp.M
	pp *gmp.P
}

// setBlockOnExitSyscall stops the G that is in a call with pp from leaving that, and reports
// whether there is one. Nothing needs to be held. If it reports false nothing has changed; if
// true, resume must follow soon. The runtime's setBlockOnExitSyscall.
func setBlockOnExitSyscall(pp *gmp.P) (t syscallingThread, ok bool) {
	// Holds: If it reports true, G, M and P are linked to each other, the G is
	//        Gsyscall, and none of this changes until the scan bit is cleared.
	// Question: You have read which M has pp, and which G that M runs. Before
	//           your next step, that M leaves the call, loses pp, and is in
	//           another call with another P. What do you have in your hands?
	panic(gmp.TODO("setBlockOnExitSyscall"))
}

// releaseP parts P and M, and says what the P is then: Pidle or Pgcstop. The P belongs to the
// caller. The runtime's releaseP.
func (t syscallingThread) releaseP(status uint32) {
	// Holds: When the M is back it finds that it has no P; and whoever reads
	//        Syscalltick finds that this call no longer has the P.
	panic(gmp.TODO("releaseP"))
}

// resume lets the G leave its call. From then on nothing of M and G may be touched. The runtime's
// resume.
func (t syscallingThread) resume() {
	panic(gmp.TODO("resume"))
}

// Entersyscall is called before gp, which is Grunning on mp, enters the kernel. When
// it returns, mp makes the call, and may lose its P at any time.
//
// As long as gp is Grunning the P is mp's. mp notes its Syscalltick, and the P itself in
// Oldp; if P.RunSafePointFn is not 0 it calls RunSafePointFn; and where gp stands,
// Sched.PC and Sched.SP, is noted in SyscallPC and SyscallSP. If the world is to stop
// (Gcwaiting), mp stops its P itself, under s.Lock: if Stopwait is positive, mp and P
// let go of each other, the P becomes Pgcstop, its Syscalltick is incremented, and
// Stopwait decremented; if that was the last one, Stopnote is signalled. Then gp
// becomes Gsyscall, and mp touches the P no more. If the monitor sleeps by now
// (Sysmonwait), it is woken: Sysmonwait is looked at once more, and cleared, under
// s.Lock, and then Sysmonnote is signalled.
//
// Whoever stops the world after the look at Gcwaiting, and looks at gp before that is
// Gsyscall, does not get the P. Then the monitor takes it and stops it in Handoffp, when it
// has seen the call twice or the slice is over; as long as Gcwaiting is set it looks once
// each time it wakes.
//
// The runtime's reentersyscall, with entersyscallHandleGCWait and
// entersyscallWakeSysmon.
func (p *syscalls) Entersyscall(mp *gmp.M, gp *gmp.G) {
	// Holds: Before gp is Gsyscall the P is mp's, and afterwards mp touches
	//        nothing of it; and a world that is to stop need not wait for a
	//        call that has seen it.
	// Question: gp is Gsyscall, and another M has taken the P and changed
	//           mp.P. Which of your lines after that still reads mp.P?
	panic(gmp.TODO("Entersyscall"))
}

// Entersyscallblock is Entersyscall for a call that is known to block. mp notes the P's
// Syscalltick, increments it, and hands the P off (Releasep, Handoffp); Oldp is nil.
// Only then does gp become Gsyscall, since whoever sees that takes P and M for linked.
// It notes where gp stands before that, and it need not wake the monitor: there is no
// P to take. The runtime's entersyscallblock.
func (p *syscalls) Entersyscallblock(mp *gmp.M, gp *gmp.G) {
	// Holds: When gp is Gsyscall mp has no P, and remembers none.
	// Question: The monitor sees gp Gsyscall while the P is still linked to
	//           mp, and both of you hand it off. In which order can that not
	//           be?
	panic(gmp.TODO("Entersyscallblock"))
}

// Exitsyscall brings gp back from its call, in which it was Gsyscall on mp. mp.Oldp
// is nil afterwards.
//
// First gp becomes Grunning (Casgstatus, which waits as long as the scan bit is set).
// Before that mp.P may be changed by others; afterwards it is mp's. If mp still has
// its P, gp goes on with it; otherwise ExitsyscallFast may get one. With a P, its
// Syscalltick is incremented, and SyscallSP is 0. If gp was asked to stop meanwhile
// (gp.Preempt), its guard is StackPreempt, so that it does so at its next call;
// otherwise the guard is as it was. If there is no P, ExitsyscallNoP does the rest.
//
// The runtime's exitsyscall.
func (p *syscalls) Exitsyscall(mp *gmp.M, gp *gmp.G) {
	// Holds: gp runs on mp, with a P; or it is where another M with a P finds
	//        it.
	// Question: Somebody holds the scan bit, and is about to part mp and its
	//           P. What may you read before gp is Grunning?
	panic(gmp.TODO("Exitsyscall"))
}

// ExitsyscallFast gives mp, which has lost its P in a call and whose G is Grunning, a P
// without waiting, and reports whether it could. That is oldp, if oldp is not nil, and
// if another M is in a call with it: mp parts the two (Pidle), lets that M go on, and
// takes the P (Acquirep). Otherwise it is an idle one, by ExitsyscallPidle, which is
// called only if Npidle says that there is one. The runtime's exitsyscallTryGetP.
func (p *syscalls) ExitsyscallFast(mp *gmp.M, oldp *gmp.P) bool {
	// Holds: mp has a P that no other M has, or none.
	// Question: oldp was taken from mp. Who may have it now, and in which of
	//           these cases may mp take it back?
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
	panic(gmp.TODO("ExitsyscallNoP"))
}

// Handoffp finds something to do for pp, which belongs to the caller, is Pidle, and
// has no M: because its M blocks or ends. It starts an M for it (Startm) in each
// case in which FindRunnable would find a G with it; otherwise it puts it on the
// list of idle Ps. mp is the M that executes the call; it may be the monitor. The
// caller holds no lock.
//
// In this order: An M is started, not spinning, if there is a G on pp's queue or on
// the global one (Runqsize). If no M spins and no P is idle, others may rely on
// somebody who looks for work: so if Handoffp counts that M, from 0 to 1 as in
// Wakep, it clears Needspinning and starts an M that spins. Then, with s.Lock held:
// if the world is to stop, pp becomes Pgcstop, Stopwait is decremented, and the last
// one signals Stopnote. If there is now a G on the global queue, an M is started for
// it; likewise if all other Ps are idle and no M waits for the network (Lastpoll is
// not 0): somebody must. If Needspinning is set, an M has seen work and got no P for
// it: Handoffp clears it, counts an M that spins, and starts that. Otherwise
// Pidleput. When the lock is free again and pp has timers (Timers.WakeTime, read under
// the lock), Wakenetpoller is told when the first of them is due. No M is started
// with s.Lock held.
//
// The runtime's handoffp. That also asks whether there is work for the garbage
// collector, for the tracer, and for forEachP; and it does not look at needspinning
// under the lock.
//
// In chapter 18 it asks for the collector, too, before it asks whether an M spins: if
// objects are marked (GcController.BlackenEnabled), and there is some work that no
// worker has (GcMarkWorkAvailable), an M is started, not spinning. What ForEachP wants
// to be called for an idle P is called in Pidleput.
func (p *syscalls) Handoffp(mp *gmp.M, pp *gmp.P) {
	// Holds: No work that FindRunnable would find with pp waits beside it
	//        while it idles: not what was there before, and not what comes
	//        meanwhile.
	panic(gmp.TODO("Handoffp"))
}

// RetakeSyscall takes pp away from an M that has been in a call for too long, and
// reports whether it has. Called by the monitor, mp, over and over, for each P; now
// is the time. pp.Sysmontick is the monitor's: no other M reads or writes it.
//
// Nothing happens if pp is not Prunning. Otherwise the monitor stops the G that is in a
// call with pp from leaving it; if there is none, nothing else happens. If Syscalltick is
// not what it was at the last look, it is another call: the monitor notes Syscalltick, and
// now in Syscallwhen, and that is all. Otherwise the call lasts for one look at least, and
// the P is taken; but if no M needs it, because its queue is empty and an M spins or a P is
// idle, not before 10 ms are over. due says that the time slice is over anyway: then it
// need not be the same call. In each case the G may leave its call again before anything
// else, as Handoffp, is called.
//
// While the monitor, which is no M that counts, has the P, no M may be able to run: so
// it takes one from Nmidlelocked (Incidlelocked), as if there were one more M awake,
// before it sets the scan bit (Incidlelocked takes s.Lock), and gives it back after
// Handoffp, or if it did not take the P.
//
// The runtime does this in retake.
func (p *syscalls) RetakeSyscall(mp *gmp.M, pp *gmp.P, now int64, due bool) bool {
	// Holds: A G that waits in the queue of a P whose M is in a call waits for
	//        two looks of the monitor; while the P is in the monitor's hands
	//        no deadlock is reported; and no M waits for the monitor that
	//        waits for a lock.
	// Question: With the scan bit in your hands you want to take s.Lock. Its M
	//           is back, and waits for the bit. What if it is another one that
	//           waits for it, and that one holds s.Lock?
	panic(gmp.TODO("RetakeSyscall"))
}

// GcstopSyscall takes pp for a world that is to stop, and reports whether it could: if pp
// is Prunning and its M is in a call with it, the two are parted, pp becomes Pgcstop, with
// its Syscalltick incremented, and Stopwait is decremented. What counts is how things are
// when the scan bit is set: pp is Prunning, gp.M is that M, and its P is pp. Otherwise G, M
// and P are as before, with the scan bit if somebody else has set it. Called by the M that
// stops the world, with s.Lock held, after Gcwaiting is set. ForEachP takes a P from a call
// by it, too. The runtime does this in stopTheWorldWithSema, by gcstopP, and in forEachP,
// by takeP.
func (p *syscalls) GcstopSyscall(pp *gmp.P) bool {
	// Holds: pp is counted down in Stopwait once, whoever else tries.
	panic(gmp.TODO("GcstopSyscall"))
}
