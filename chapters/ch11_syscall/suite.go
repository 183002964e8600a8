// Package ch11 is the conformance suite of chapter 11: system calls and locked threads.
package ch11

import (
	"embed"
	"time"

	"gosched/chapters/check"
)

//go:embed programs/*.go
var embedded embed.FS

// The deadlines. A check with right parts takes a second or two at most; a wrong one may
// sleep for ever.
const (
	brief = 10 * time.Second
	long  = time.Minute
)

// Suite is the chapter's suite.
var Suite = &check.Suite{
	ID:       "ch11",
	Dir:      "ch11_syscall",
	Title:    "Syscalls and locked threads",
	Go:       "1.1–1.26",
	Parts:    []string{"Syscalls", "LockedThreads", "Loop"},
	Programs: check.Programs(embedded),
	Checks: []check.Check{
		{
			Name: "enter", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Entersyscall"},
			Property: "An M that enters a call notes where its G stands and which P it had, and leaves the P behind.",
			Hint:     "What is needed of the P after the call must be noted while the P still belongs to M0. What is the last thing to write?",
			Book:     "enter", Run: enter,
		},
		{
			Name: "enter-stop", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"Entersyscall"},
			Property: "An M that enters a call while the world is to stop stops its own P.",
			Hint:     "Whoever stops the world may have looked at this P before it was Psyscall. Under the lock Stopwait says whether it still waits.",
			Book:     "stop", Run: enterStop,
		},
		{
			Name: "monitor", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"Entersyscall", "ExitsyscallPidle", "ExitsyscallNoP"},
			Property: "An M that enters a call, or takes an idle P after one, wakes the monitor if it sleeps.",
			Hint:     "Look at Sysmonwait again under s.Lock, clear it, and signal Sysmonnote.",
			Book:     "monitor", Run: monitor,
		},
		{
			Name: "block", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"Entersyscallblock"},
			Property: "Before a call that is known to block, the P is handed off at once.",
			Hint:     "There is nothing to come back to: Oldp stays nil.",
			Book:     "enter", Run: block,
		},
		{
			Name: "exit-own", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Exitsyscall", "ExitsyscallFast"},
			Property: "An M whose P no M has taken goes on with it, without any lock.",
			Hint:     "The P goes from Psyscall to Pidle in one atomic step, and then to M0 by Wirep. G1 may have been asked to stop meanwhile.",
			Book:     "exit", Run: exitOwn,
		},
		{
			Name: "exit-idle", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"Exitsyscall", "ExitsyscallFast", "ExitsyscallPidle"},
			Property: "An M whose P was taken goes on with an idle one, and touches nothing of the old one.",
			Hint:     "Only a P that is Psyscall may be taken. Is there an idle one? Npidle says so without the lock.",
			Book:     "exit", Run: exitIdle,
		},
		{
			Name: "exit-none", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Exitsyscall", "ExitsyscallNoP"},
			Property: "A G that is back and finds no P waits on the global queue, and its M sleeps.",
			Hint:     "Look for an idle P and queue G1 under the same lock. If G1 is locked to M0, M0 waits for nothing else.",
			Book:     "exit", Run: exitNone,
		},
		{
			Name: "handoff-work", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"Handoffp"},
			Property: "If there is a G for the P, an M is started for it.",
			Hint:     "There are two queues.",
			Book:     "handoff", Run: handoffWork,
		},
		{
			Name: "handoff-spin", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Handoffp"},
			Property: "If no M looks for work, and no P is idle to look with, or if one was wanted, an M that spins is started for the P.",
			Hint:     "Count it first, once, as Wakep does. And under the lock look at the sign that Wakep leaves if it finds no P.",
			Book:     "handoff", Run: handoffSpin,
		},
		{
			Name: "handoff-stop", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"Handoffp"},
			Property: "If the world is to stop, the P stops.",
			Hint:     "Whoever stops the world sleeps until Stopwait is 0.",
			Book:     "handoff", Run: handoffStop,
		},
		{
			Name: "handoff-last", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"Handoffp"},
			Property: "The last P gets an M that waits for the network, if no other does; any other P becomes idle, and an M is told of its timers.",
			Hint:     "Wakenetpoller may start an M, so it cannot be called with s.Lock. But after it is released the P may belong to another M.",
			Book:     "handoff", Run: handoffLast,
		},
		{
			Name: "retake", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"RetakeSyscall"},
			Property: "The monitor takes a P from a call that it sees for the second time, and hands it off.",
			Hint:     "Syscalltick says whether it is the same call. Before the P is taken, say that an M is awake.",
			Book:     "retake", Run: retake,
		},
		{
			Name: "retake-unneeded", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"RetakeSyscall"},
			Property: "A P that no M needs is left in its call for 10 ms.",
			Hint:     "Three things make it needed: a G in its queue, or that no M spins and no P is idle, or that it has been too long.",
			Book:     "retake", Run: unneeded,
		},
		{
			Name: "gcstop", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"GcstopSyscall"},
			Property: "A P whose M is in a call is stopped, and counted.",
			Hint:     "Only if you win it.",
			Book:     "stop", Run: gcstop,
		},
		{
			Name: "lock", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"LockOSThread", "UnlockOSThread"},
			Property: "LockOSThread nests; the last UnlockOSThread unlocks.",
			Hint:     "The message says after which calls. LockedExt is a uint32.",
			Book:     "lock", Run: lockNests,
		},
		{
			Name: "idle-locked", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"Incidlelocked"},
			Property: "An M that begins to wait for its G counts, and if it was the last one awake that is noticed.",
			Hint:     "Checkdead is to see the new number.",
			Book:     "lock", Run: idleLocked,
		},
		{
			Name: "stop-locked", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"Stoplockedm"},
			Property: "An M that waits for its G has handed off its P, is on no list, and wakes with the P that it is given.",
			Hint:     "It is like Stopm, without Mput. What is counted, and before what?",
			Book:     "lock", Run: stopLocked,
		},
		{
			Name: "start-locked", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"Startlockedm"},
			Property: "An M that finds the G of another M gives its P to that one, wakes it, and sleeps.",
			Hint:     "What the other M is to find when it wakes must be there beforehand.",
			Book:     "lock", Run: startLocked,
		},
		{
			Name: "loop-locked", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Schedule"},
			Property: "A locked M waits for its G, an M that finds a locked G leaves it to the other, and an M whose locked G has ended ends.",
			Hint:     "What is true of mp is asked before FindRunnable, and what is true of the G after it. Startlockedm returns.",
			Book:     "loop", Run: loopLocked,
		},
		{
			Name: "loop-ordinary", Kind: check.Unit, Points: 1, Deadline: brief,
			Methods:  []string{"Schedule", "Execute"},
			Property: "For all others Schedule and Execute do what they did in chapter 8.",
			Hint:     "You may copy your own.",
			Book:     "loop", Run: loopOrdinary,
		},
		{
			Name: "exit-m", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"Mexit"},
			Property: "An M that ends hands off its P, and then no longer counts. M0 sleeps for ever.",
			Hint:     "The message says what was not so when what was called.",
			Book:     "loop", Run: exitM,
		},
		{
			Name: "race-retake", Kind: check.Model, Points: 4, Deadline: long,
			Methods:  []string{"Entersyscall", "Exitsyscall", "ExitsyscallFast", "ExitsyscallPidle", "ExitsyscallNoP", "RetakeSyscall"},
			Property: "An M enters a call and returns while the monitor wants its P: one of them has it at each moment, and the G runs.",
			Hint:     "After the P is Psyscall it is not M0's. If the report is of a race, it names both lines: which of them comes too late?",
			Book:     "race", Run: race("race-retake"),
		},
		{
			Name: "race-steal", Kind: check.Model, Points: 2, Deadline: long,
			Methods:  []string{"ExitsyscallFast", "ExitsyscallNoP"},
			Property: "Two Ms return that had the same P: one gets it, and both Gs run.",
			Hint:     "A look and then a store are two steps. Which operation is one?",
			Book:     "race", Run: race("race-steal"),
		},
		{
			Name: "race-stop", Kind: check.Model, Points: 3, Deadline: long,
			Methods:  []string{"Entersyscall", "GcstopSyscall"},
			Property: "The world stops while an M enters a call that lasts: it does not wait for that, and the P is counted once.",
			Hint:     "Either the M that stops the world finds the P Psyscall, or M0 finds Gcwaiting. Could it be neither? Could it be both?",
			Book:     "stop", Run: race("race-stop"),
		},
		{
			Name: "race-stop-retake", Kind: check.Model, Points: 3, Deadline: long,
			Methods:  []string{"RetakeSyscall", "Handoffp", "GcstopSyscall", "ExitsyscallFast"},
			Property: "Three want a P: its M, which is back, the monitor, and the M that stops the world. It is counted once.",
			Hint:     "If the monitor has won it, the M that stops the world waits for whoever has it then.",
			Book:     "stop", Run: race("race-stop-retake"),
		},
		{
			Name: "race-idle", Kind: check.Model, Points: 3, Deadline: long,
			Methods:  []string{"ExitsyscallNoP"},
			Property: "An M is back without a P while another gives one up: the G runs, and no M touches it but its own.",
			Hint:     "Is there a moment between your look for an idle P and the queue? And do you ask G1 for anything when the lock is free?",
			Book:     "exit", Run: race("race-idle"),
		},
		{
			Name: "race-monitor", Kind: check.Model, Points: 1, Deadline: long,
			Methods:  []string{"Entersyscall", "ExitsyscallPidle"},
			Property: "Two Ms want to wake the monitor, and one does.",
			Hint:     "A note may be signalled once. Look again under the lock.",
			Book:     "monitor", Run: race("race-monitor"),
		},
		{
			Name: "race-dead", Kind: check.Model, Points: 3, Deadline: long,
			Methods:  []string{"RetakeSyscall", "Incidlelocked", "ExitsyscallNoP"},
			Property: "While the monitor has the last P in its hands no deadlock is reported.",
			Hint:     "Which Ms does Checkdead count when M0 has gone to sleep?",
			Book:     "retake", Run: race("race-dead"),
		},
		{
			Name: "race-handoff", Kind: check.Model, Points: 3, Deadline: long,
			Methods:  []string{"Handoffp"},
			Property: "While a P is handed off another M makes a G ready: the P is not idle beside it.",
			Hint:     "The other M calls Wakep, and finds no idle P. What does it leave behind, and where do you look for that?",
			Book:     "handoff", Run: race("race-handoff"),
		},
		{
			Name: "race-handoff-global", Kind: check.Model, Points: 2, Deadline: long,
			Methods:  []string{"Handoffp"},
			Property: "While a P is handed off an M is back from a call, finds no P, and queues its G: the P is not idle beside it.",
			Hint:     "You have looked at the global queue without the lock. What may have come since? Whoever queues a G there after a call wakes no M.",
			Book:     "handoff", Run: race("race-handoff-global"),
		},
		{
			Name: "race-handoff-count", Kind: check.Model, Points: 1, Deadline: long,
			Methods:  []string{"Handoffp"},
			Property: "Handoffp and Wakep each start an M that spins, and both are counted.",
			Hint:     "Wakep counts without a lock.",
			Book:     "handoff", Run: race("race-handoff-count"),
		},
		{
			Name: "race-handoff-stop", Kind: check.Model, Points: 1, Deadline: long,
			Methods:  []string{"Handoffp", "GcstopSyscall"},
			Property: "The world is to stop while a P is handed off: the P stops, or is found on the list of idle Ps.",
			Hint:     "Whoever stops the world sets Gcwaiting and looks for idle Ps, under the lock. Under which lock do you look, and put the P on the list?",
			Book:     "handoff", Run: race("race-handoff-stop"),
		},
		{
			Name: "race-locked", Kind: check.Model, Points: 3, Deadline: long,
			Methods:  []string{"Stoplockedm", "Startlockedm", "Schedule"},
			Property: "An M goes to sleep to wait for its G, while another M finds that G: it runs, on its own M.",
			Hint:     "The note keeps a signal that comes first. What else does the woken M need by then, and who is counted as awake?",
			Book:     "lock", Run: race("race-locked"),
		},
		{
			Name: "race-exit", Kind: check.Model, Points: 2, Deadline: long,
			Methods:  []string{"Mexit"},
			Property: "An M ends while the last G comes back from a call: somebody runs it, and no deadlock is reported.",
			Hint:     "As long as it has a P in its hands an M is not gone.",
			Book:     "loop", Run: race("race-exit"),
		},
		{
			Name: "visible", Kind: check.Unit, Points: 1, Deadline: brief,
			Methods:  []string{"GcstopSyscall"},
			Property: "What threads share is in atomic variables, mutexes and Cells of package machine, so that the models see it.",
			Hint:     "The message names the field. If all Ms use it, it must be a machine.Int32, a machine.Cell or the like; if only one M does, put it into a gmp.PerM.",
			Book:     "race", Run: visible,
		},
		{
			Name: "reads", Kind: check.Program, Points: 3, Deadline: long,
			Methods:  []string{"Entersyscall", "Exitsyscall", "RetakeSyscall", "Handoffp"},
			Property: "While eight goroutines wait in system calls, others run, and all come back.",
			Hint:     "First the unit checks and the models. The message names the seed.",
			Book:     "retake", Run: reads,
		},
		{
			Name: "short", Kind: check.Program, Points: 2, Deadline: long,
			Methods:  []string{"Entersyscall", "Exitsyscall"},
			Property: "Calls that do not block take no lock.",
			Hint:     "Does anything happen to the P before somebody needs it?",
			Book:     "exit", Run: short,
		},
		{
			Name: "locked", Kind: check.Program, Points: 2, Deadline: long,
			Methods:  []string{"LockOSThread", "Stoplockedm", "Startlockedm", "Mexit", "Schedule"},
			Property: "A locked goroutine talks with others, and runs on its own M only; one that ends locked takes its M with it.",
			Hint:     "The run is in the evidence. On which M was the goroutine that is locked?",
			Book:     "lock", Run: locked,
		},
		{
			Name: "stops", Kind: check.Program, Points: 2, Deadline: long,
			Methods:  []string{"Entersyscall", "GcstopSyscall", "Handoffp"},
			Property: "The world stops beside a call that lasts, for another number of Ps, and goes on.",
			Hint:     "Which P is waited for, and whose is it?",
			Book:     "stop", Run: stops,
		},
		{
			Name: "threads", Kind: check.Stress, Points: 1, Deadline: long,
			Methods:  []string{"Entersyscall", "Exitsyscall", "Handoffp", "Schedule"},
			Property: "All of this holds on real threads.",
			Hint:     "Is it only slow? Otherwise look for what is touched when it belongs to another M.",
			Book:     "race", Run: threads,
		},
		{
			Name: "mine", Kind: check.Mine, Points: 4,
			Methods:  []string{"mine"},
			Property: "Your own test of ExitsyscallFast passes on a correct one, and fails on each of the given mutants.",
			Hint:     "Three cases: no M has taken the old P; another M runs with it, and a third P is idle; there is none at all. Look at everything that an M with a P has.",
			Book:     "mine",
		},
		{
			Name: "mend-enter", Kind: check.Mended, Points: 2, Deadline: long,
			Property: "Entersyscall, for which a stopping world waited for ever, is mended with the smallest change, and you know which two steps met.",
			Hint:     "Each of the two has looked at what the other writes. When?",
			Book:     "stop",
		},
		{
			Name: "mend-monitor", Kind: check.Mended, Points: 1, Deadline: long,
			Property: "Entersyscall, which signalled the monitor's note a second time, is mended with the smallest change, and you know which two steps met.",
			Hint:     "M0 acts on something that it has seen. When did that stop being true?",
			Book:     "monitor",
		},
		{
			Name: "mend-handoff", Kind: check.Mended, Points: 2, Deadline: long,
			Property: "Handoffp, which left a G beside an idle P, is mended with the smallest change, and you know which two steps met.",
			Hint:     "Which look came too early, and what has made it wrong?",
			Book:     "handoff",
		},
		{
			Name: "predict", Kind: check.Predict, Points: 2, Deadline: long,
			Property: "You know in advance what a small change would do.",
			Hint:     "Think it through with two Ms, line by line: one that is in a call, and one that wants its P. Then name the check that would see it.",
			Book:     "race",
		},
	},
}
