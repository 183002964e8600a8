// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch11

package ch11

import "gosched/chapters/gmp"

// wanted is how long, in ns, an M in a call may keep a P that no M needs.
const wanted = 10_000_000

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
func (p *syscalls) Handoffp(mp *gmp.M, pp *gmp.P) {
	// Holds: No G that FindRunnable would find with pp waits beside it while
	//        it idles: not one that was there before, and not one that comes
	//        meanwhile.
	// Question: Go through FindRunnable of chapter 10, from its first look to
	//           its last. Which of these looks is missing here, and which must
	//           come again under the lock?
	panic(gmp.TODO("Handoffp"))
}

// RetakeSyscall takes pp away from an M that has been in a call for too long, and
// reports whether it has. Called by the monitor, mp, over and over, for each P; now
// is the time. pp.Sysmontick is the monitor's: no other M reads or writes it.
//
// Nothing happens if pp is not Psyscall. If Syscalltick is not what it was at the
// last look, it is another call: the monitor notes Syscalltick, and now in
// Syscallwhen, and that is all. Otherwise the call lasts for one look at least, and
// the P is taken; but if no M needs it, because its queue is empty and an M spins or
// a P is idle, not before 10 ms are over. due says that the time slice is over
// anyway: then it need not be the same call.
//
// To take the P is to win it, from Psyscall to Pidle, and to increment Syscalltick;
// then Handoffp. Meanwhile the monitor, which is no M that counts, has the P, and no
// M may be able to run: so before it tries to win the P it takes one from
// Nmidlelocked (Incidlelocked), as if there were one more M awake, and gives it back
// after Handoffp, or if it did not win.
//
// The runtime does this in retake.
func (p *syscalls) RetakeSyscall(mp *gmp.M, pp *gmp.P, now int64, due bool) bool {
	// Holds: A G that waits in the queue of a P whose M is in a call waits for
	//        two looks of the monitor; and while the P is in the monitor's
	//        hands no deadlock is reported.
	// Question: You have won the P. Before you hand it off, its M comes back,
	//           finds no P, queues its G, and goes to sleep as the last one.
	//           What does Checkdead count?
	panic(gmp.TODO("RetakeSyscall"))
}

// GcstopSyscall takes pp for a world that is to stop, and reports whether it could:
// if it is Psyscall, and won, it becomes Pgcstop, with its Syscalltick incremented
// and Stopwait decremented. Called with s.Lock held, after Gcwaiting is set, by the M that
// stops the world, which sees Stopwait and does not sleep if it is 0, or by one that
// signals Stopnote then; GcstopSyscall itself does not. The runtime does this in
// stopTheWorldWithSema.
func (p *syscalls) GcstopSyscall(pp *gmp.P) bool {
	// Holds: pp is counted down in Stopwait once, whoever else tries.
	panic(gmp.TODO("GcstopSyscall"))
}
