// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch12

// Package ch12 is the monitor: chapter 12, Go 1.1.
//
// A G that computes gives its P back when it likes, and an M that sleeps in the kernel cannot
// give anything back. The monitor is a thread that needs no P, and so comes by in any case:
// often while there is something to do, seldom when there is not.
package ch12

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Parts are the parts of this chapter.
var Parts = gmp.Version{Monitor: NewMonitor}

// monitor keeps of its own only when it printed for the first time. What it knows of a P
// stands in Sysmontick.
//
// Monitor watches over the Ps from a thread without one. A P is the right to run Go code,
// and a G that has it gives it back only in a call into the runtime. If none comes, someone
// else must see to it; and whoever does may not need a P for that.
//
// The monitor's M, which is mp in these methods, has no P, runs no G and is on no list. The
// router makes it, before the first G runs, without an ID (trace.None), and it is counted
// nowhere, neither in Mnext nor in Nmsys; so Checkdead is right without knowing of it. (In
// the runtime it is an M like the others, mostly M1, which Nmsys takes out of the count
// again.) When the world stops the monitor does not. So whatever changes while the world is
// stopped, such as Allp and Gomaxprocs, it reads with s.Lock held.
//
// What the monitor sees of a running P may be over before it acts. It looks without waiting
// (Owned.Look and atomic loads), and makes sure only that acting on an old look does no
// harm.
type monitor struct {
	s     *gmp.Sched
	since machine.Cell[int64] // when Schedtrace was first called; only the monitor uses it
}

// NewMonitor makes the Monitor of s.
func NewMonitor(s *gmp.Sched) gmp.Monitor { return &monitor{s: s} }

// How long the monitor sleeps between two rounds, in µs, and after how many idle ones it
// begins to sleep longer.
const (
	shortest = 20
	longest  = 10_000
	patience = 50
)

// pollPeriod is how long no M looks at the network at most, in ns.
const pollPeriod = 10_000_000

// Sysmon is the monitor's life: it goes round and round until the program is over. It asks that
// (Exited) at least once in each round, between any two steps. A round is, in this order: a
// sleep; SysmonSleep; SysmonPoll; s.ScavengerWake; Retake; s.ForceGC. All that want the time
// are told the same one, that after SysmonSleep. Times are ns by s.Nanotime, which begins with
// the program; machine.Nanotime does not.
//
// If lines are asked for, which is so if the ns of s.SchedtraceEvery are above 0,
// SysmonSleep is left out, since a line is to come in time, and Schedtrace comes at the
// end of the first round, and of each round whose time is at least that many ns after
// that of the last line. detailed is the other result of SchedtraceEvery.
//
// The sleep is machine.Usleep, in µs. A round is idle if Retake returns 0. The sleep is
// 20 µs as long as no more than 50 rounds in succession have been idle; from then on it
// is twice as long as the one before, but never longer than 10 ms. If SysmonSleep has
// been woken, the count of idle rounds and the sleep begin afresh. The round goes on, and
// is the first idle one if its Retake returns 0.
//
// The runtime's sysmon, which also watches the CPU limit of its container.
func (p *monitor) Sysmon(mp *gmp.M) {
	// Holds: While there is something to do the monitor is there every 20 µs;
	//        while there is not, it takes next to no time of the computer.
	// Question: A program computes for an hour without a call. How often has
	//           the monitor come by, and what has it cost?
	panic(gmp.TODO("Sysmon"))
}

// SysmonSleep lets the monitor sleep for longer if there is nothing to watch: if all Ps
// are idle (Npidle is Gomaxprocs) or the world is to stop (Gcwaiting). It reports
// whether another M has woken it (either, if one does as its time is over), and returns
// false at once if there is no reason to sleep.
//
// An M that lets a P become active while Sysmonwait is set clears it, and signals
// Sysmonnote, both with s.Lock held: Entersyscall, ExitsyscallPidle, ExitsyscallNoP,
// StartTheWorldWithSema. So that none is missed the reason is looked for with s.Lock
// held, and Sysmonwait is set under the same lock; a look before that, to spare the
// lock, decides nothing. (Gomaxprocs and TimeSleepUntil are for those who hold the lock;
// without it any idle P is enough for a second look.)
//
// It sleeps on Sysmonnote, without the lock, for half of ForceGCPeriod at most, and no
// longer than until the next timer is due (s.TimeSleepUntil, by s.Nanotime); not at all
// if one is due already. Afterwards Sysmonwait is false and the note clear, for the next
// time. That is done with s.Lock held: an M may be about to signal the note although the
// time is over.
//
// The runtime does this in sysmon.
func (p *monitor) SysmonSleep(mp *gmp.M) bool {
	// Holds: If a P becomes active in a way that the monitor must know of, it
	//        is awake: either it has not seen all Ps idle, or that M has seen
	//        Sysmonwait.
	// Question: An M takes an idle P between your look and your sleep. Which
	//           of the two sees the other, and what makes sure of that?
	panic(gmp.TODO("SysmonSleep"))
}

// SysmonPoll looks at the network if no M has for more than 10 ms: if Lastpoll is not 0,
// which would mean that an M waits there now, and Lastpoll plus 10 ms is less than now.
// now is the time. It sets Lastpoll to now, but only if it is still what it was: otherwise
// an M is there by now, and whether the monitor still looks does not matter. Before or after
// that it asks the network for what is ready, without waiting (Netpoll with 0), and gives that
// to Injectglist. s.Lock is held for none of this.
//
// Meanwhile no M may know of these Gs: they neither wait nor run nor are on a queue. An
// M that goes to sleep then would find a deadlock. So before Injectglist the monitor
// takes one from Nmidlelocked (Incidlelocked), as if there were one more M awake, and
// gives it back afterwards. (For the time between the two, NetpollAnyWaiters of chapter 16 is
// enough.) If nothing is ready, it calls neither of them.
//
// The runtime does this in sysmon.
func (p *monitor) SysmonPoll(mp *gmp.M, now int64) {
	// Holds: Lastpoll stays 0 while an M waits for the network; and while the
	//        monitor brings Gs, until an M comes for them, Checkdead does not
	//        find a deadlock.
	// Question: The last M that is awake goes to sleep while you hold the Gs.
	//           What does it see of them?
	panic(gmp.TODO("SysmonPoll"))
}

// Schedtrace prints the state of the scheduler, by s.Print, with s.Lock held, as the
// runtime does with GODEBUG=schedtrace=1000. What s.Lock protects is as it was at one
// moment; rings and ticks change meanwhile. Of a ring the head is read before the tail, so that
// the one is never beyond the other. It is one line:
//
//	SCHED 0ms: gomaxprocs=2 idleprocs=1 threads=3 spinningthreads=0 needspinning=0 idlethreads=1 runqueue=0 [ 4 0 ] schedticks=[ 12 7 ]
//
// 0ms is the time since the first call, rounded down. threads is the number of Ms that
// were made and are not gone (Mnext, Nmfreed); needspinning is 1 if that is set, and 0 if
// not. The first brackets have the length of each P's ring, Runqtail less Runqhead, the
// second ones its Schedtick.
//
// With detailed set the line ends after runqueue with
//
//	gcwaiting=false nmidlelocked=0 stopwait=0 sysmonwait=false
//
// and a line follows for each P, M and G: that is s.SchedDetail. The runtime's schedtrace.
func (p *monitor) Schedtrace(detailed bool) {
	// Holds: Nothing that this method reads is waited for, except s.Lock.
	panic(gmp.TODO("Schedtrace"))
}
