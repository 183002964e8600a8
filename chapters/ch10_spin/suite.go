// Package ch10 is the conformance suite of chapter 10: spinning and parking.
package ch10

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
	ID:       "ch10",
	Dir:      "ch10_spin",
	Title:    "Spinning and parking",
	Go:       "1.1–1.20",
	Parts:    []string{"Finder", "Wakeups"},
	Programs: check.Programs(embedded),
	Checks: []check.Check{
		{
			Name: "become", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"BecomeSpinning"},
			Property: "An M that begins to spin says so and is counted, and the request for a spinner is cleared.",
			Hint:     "Three fields. The third one is about the Ms that could not get a P.",
			Book:     "become", Run: become,
		},
		{
			Name: "idle-p", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"PidlegetSpinning"},
			Property: "An M that knows of work and finds no idle P leaves a sign.",
			Hint:     "It is Pidleget, and one more line.",
			Book:     "needspinning", Run: idleP,
		},
		{
			Name: "reset", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Resetspinning"},
			Property: "An M that has found a G no longer spins, and if it was the last one that did, it lets another look.",
			Hint:     "First take M0 out of the count. Which code in Wakep looks at it?",
			Book:     "chain", Run: reset,
		},
		{
			Name: "stop", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Stopm"},
			Property: "An M that sleeps is on the list of idle Ms, and wakes with the P that it was given.",
			Hint:     "Onto the list, under the lock; then sleep, without it. What may happen in between?",
			Book:     "park", Run: stop,
		},
		{
			Name: "start-idle", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Startm"},
			Property: "An idle M is given the P, is told whether it spins, and is woken.",
			Hint:     "What the M is to find when it wakes must be there beforehand.",
			Book:     "start", Run: startIdle,
		},
		{
			Name: "start-new", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Startm"},
			Property: "If no M is idle a new one is made, whose ID is reserved under the lock, and whose thread is made without it.",
			Hint:     "The first thing that a new M does can be a function of yours.",
			Book:     "start", Run: startNew,
		},
		{
			Name: "start-p", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Startm"},
			Property: "Without a P an idle one is taken, if there is one; and the mistakes of callers are reported.",
			Hint:     "The contract lists what it throws. Code that takes no M need not give one back.",
			Book:     "start", Run: startP,
		},
		{
			Name: "wake", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Wakep"},
			Property: "Work brings one M that spins, if none does and a P is idle; otherwise the count stays as it was.",
			Hint:     "There are three cases. In which of them did you count an M that will not come?",
			Book:     "wakep", Run: wakes,
		},
		{
			Name: "check-runqs", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"CheckRunqsNoP"},
			Property: "An M without a P that sees a G anywhere gets an idle P, and never the busy one that has the G.",
			Hint:     "The P that has the G already has an M. What does yours need?",
			Book:     "recheck", Run: runqs,
		},
		{
			Name: "find-order", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"FindRunnable"},
			Property: "An M looks near before far, and sleeps last.",
			Hint:     "The order is in the contract. The message lists what you did.",
			Book:     "find", Run: findOrder,
		},
		{
			Name: "find-steal", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"FindRunnable"},
			Property: "A stolen G is run by an M that still spins; and if timers have run, everything starts afresh.",
			Hint:     "Where does the spinning of an M that has found a G end? Look at Schedule, in chapter 8.",
			Book:     "find", Run: findSteal,
		},
		{
			Name: "spinner-cap", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"FindRunnable"},
			Property: "An M begins to spin only as long as twice the number of spinning Ms is less than the number of busy Ps; an M that already spins goes on.",
			Hint:     "Busy Ps are s.Gomaxprocs less s.Npidle.",
			Book:     "cap", Run: spinnerCap,
		},
		{
			Name: "last-look", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"FindRunnable"},
			Property: "Before an M gives its P back it looks, under the lock, at the world, at the global queue, and at Needspinning.",
			Hint:     "All three may have changed while it looked at others. The lock is held until the P is on the list.",
			Book:     "give-up", Run: lastLook,
		},
		{
			Name: "give-up", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"FindRunnable"},
			Property: "An M that has spun gives its P back, then takes itself out of the count, and only then looks once more.",
			Hint:     "Imagine that another M queues a G between any two of your lines. Which M sees the other?",
			Book:     "give-up", Run: giveUp,
		},
		{
			Name: "found-after-all", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"FindRunnable"},
			Property: "An M that finds work in its last look, and a P for it, spins again.",
			Hint:     "There may be more than one G. How does Resetspinning get to know of that?",
			Book:     "recheck", Run: foundAfterAll,
		},
		{
			Name: "poll", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"FindRunnable"},
			Property: "An M without work waits for the first timer and for the network, without a P, and goes on where it was if nothing came.",
			Hint:     "Of three times the earliest counts. Sched.Netpolluntil does the rest.",
			Book:     "poll", Run: poll,
		},
		{
			Name: "race-submit", Kind: check.Model, Points: 4, Deadline: long,
			Methods:  []string{"FindRunnable", "Wakep", "PidlegetSpinning", "BecomeSpinning", "CheckRunqsNoP"},
			Property: "While an M gives up, a G is queued: one of the two sees the other.",
			Hint:     "Follow the lanes. Which M looked at the queue, which looked at Nmspinning, and what was written in between?",
			Book:     "handshake", Run: race("race-submit"),
		},
		{
			Name: "race-global", Kind: check.Model, Points: 2, Deadline: long,
			Methods:  []string{"FindRunnable", "Wakep"},
			Property: "The same holds for the global queue.",
			Hint:     "The M that queues has looked at Nmspinning, and saw an M that spins. Where must that M look afterwards?",
			Book:     "recheck", Run: race("race-global"),
		},
		{
			Name: "race-unspun", Kind: check.Model, Points: 1, Deadline: long,
			Methods:  []string{"FindRunnable"},
			Property: "An M that has not spun misses no G on the global queue: either it finds the G there, or its P is on the list when the G comes.",
			Hint:     "Do you release the lock between your last look at the global queue and Pidleput?",
			Book:     "give-up", Run: race("race-unspun"),
		},
		{
			Name: "race-network", Kind: check.Model, Points: 4, Deadline: long,
			Methods:  []string{"FindRunnable", "PidlegetSpinning", "BecomeSpinning", "CheckRunqsNoP"},
			Property: "Nor is a G lost when a third M snatches the P from the one that has seen the G.",
			Hint:     "Which M knows of the work and has no P? And which is just about to give one back, and has not looked?",
			Book:     "needspinning", Run: race("race-network"),
		},
		{
			Name: "race-both", Kind: check.Model, Points: 2, Deadline: long,
			Methods:  []string{"FindRunnable"},
			Property: "Two Gs come to the global queue while an M gives up: it comes for the first, and makes sure that another M comes for the second.",
			Hint:     "An M that finds work in its last look spins again, wherever it has found it. What else would call Resetspinning for it?",
			Book:     "recheck", Run: race("race-both"),
		},
		{
			Name: "race-wake", Kind: check.Model, Points: 2, Deadline: long,
			Methods:  []string{"Wakep"},
			Property: "Of two Ms that call Wakep at the same time one wakes an M, and the other relies on that.",
			Hint:     "Both may find that no M spins. Which single operation lets one of them go on?",
			Book:     "wakep", Run: race("race-wake"),
		},
		{
			Name: "race-two", Kind: check.Model, Points: 3, Deadline: long,
			Methods:  []string{"Wakep", "PidlegetSpinning"},
			Property: "Two make a G ready at the same time, while an M gives up, and both Gs run.",
			Hint:     "One of the two relies on the M that the other has counted. What if that M does not come?",
			Book:     "wakep", Run: race("race-two"),
		},
		{
			Name: "race-chain", Kind: check.Model, Points: 4, Deadline: long,
			Methods:  []string{"Resetspinning", "Wakep"},
			Property: "Two Gs are queued, one M comes for the first, and another for the second.",
			Hint:     "When the second G was queued an M was already spinning.",
			Book:     "chain", Run: race("race-chain"),
		},
		{
			Name: "race-new-m", Kind: check.Model, Points: 3, Deadline: long,
			Methods:  []string{"Startm"},
			Property: "While a new M is about to be made, the last M that is awake goes to sleep, and no deadlock is reported.",
			Hint:     "From which moment does the new M count? And which M may take the lock before that?",
			Book:     "start", Run: race("race-new-m"),
		},
		{
			Name: "race-stop", Kind: check.Model, Points: 3, Deadline: long,
			Methods:  []string{"FindRunnable"},
			Property: "The world may be stopped while an M gives up: the M stops as well, or its P is found on the list; and without a P it looks at nothing that changes then.",
			Hint:     "Look at Gcwaiting under the lock under which you give the P back. s.Allp and s.Gomaxprocs belong to the M that has stopped the world; what your last look needs of them must be read before.",
			Book:     "recheck", Run: race("race-stop"),
		},
		{
			Name: "visible", Kind: check.Unit, Points: 1, Deadline: brief,
			Methods:  []string{"BecomeSpinning"},
			Property: "What threads share is in atomic variables, mutexes and Cells of package machine, so that the models see it.",
			Hint:     "The message names the field. If all Ms use it, it must be a machine.Int32, a machine.Cell or the like; if only one M does, put it into a gmp.PerM.",
			Book:     "handshake", Run: visible,
		},
		{
			Name: "conserve", Kind: check.Program, Points: 4, Deadline: long,
			Methods:  []string{"FindRunnable", "Wakep", "Resetspinning", "CheckRunqsNoP"},
			Property: "As long as no M spins, no P idles beside a G that waits.",
			Hint:     "First the models. The message has the seed and the arguments with which it happens again.",
			Book:     "conserve", Run: Conserves(10),
		},
		{
			Name: "chain", Kind: check.Program, Points: 3, Deadline: long,
			Methods:  []string{"FindRunnable", "Wakep", "Resetspinning", "Startm"},
			Property: "When eight goroutines are started at once, all Ps come to work, each waking the next.",
			Hint:     "The run is in the evidence. Which M is woken, and which one does it wake?",
			Book:     "chain", Run: chain,
		},
		{
			Name: "parked", Kind: check.Program, Points: 2, Deadline: long,
			Methods:  []string{"FindRunnable", "Startm", "Stopm"},
			Property: "Ms that have nothing to do are parked and used again, and few spin.",
			Hint:     "Is there an idle M when you make a new one?",
			Book:     "threads", Run: parked,
		},
		{
			Name: "talks", Kind: check.Program, Points: 2, Deadline: long,
			Methods:  []string{"FindRunnable", "Wakep", "Startm", "Stopm", "Resetspinning"},
			Property: "Whatever the order, all goroutines finish.",
			Hint:     "First the unit checks and the models. The message names the seed.",
			Book:     "handshake", Run: talks,
		},
		{
			Name: "threads", Kind: check.Stress, Points: 1, Deadline: long,
			Methods:  []string{"FindRunnable", "Wakep", "Startm", "Stopm", "Resetspinning"},
			Property: "The same holds on real threads.",
			Hint:     "Is it only slow? Otherwise look for what is touched without the lock.",
			Book:     "handshake", Run: threads,
		},
		{
			Name: "mine", Kind: check.Mine, Points: 4,
			Methods:  []string{"mine"},
			Property: "Your own test of Wakep passes on a correct one, and fails on each of the given mutants.",
			Hint:     "Three cases: an M spins, no P is idle, an M and a P are idle. Look at everything that Wakep may have changed.",
			Book:     "mine",
		},
		{
			Name: "mend-wake", Kind: check.Mended, Points: 2, Deadline: long,
			Property: "Wakep, which woke two Ms where one would do, is mended with the smallest change, and you know which two steps met.",
			Hint:     "Between a look and the action that follows it there is room for another M.",
			Book:     "wakep",
		},
		{
			Name: "mend-reset", Kind: check.Mended, Points: 2, Deadline: long,
			Property: "Resetspinning, which left a G beside an idle P, is mended with the smallest change, and you know which two steps met.",
			Hint:     "M0 relied on M1. When did M1 look at the queues for the last time, and when did it leave the count?",
			Book:     "chain",
		},
		{
			Name: "mend-stop", Kind: check.Mended, Points: 2, Deadline: long,
			Property: "Stopm, which slept through its wake-up, is mended with the smallest change, and you know which two steps met.",
			Hint:     "From which moment on may another M wake this one? Whose is its note from then on?",
			Book:     "park",
		},
		{
			Name: "predict", Kind: check.Predict, Points: 2, Deadline: long,
			Property: "You know in advance what a small change would do.",
			Hint:     "Think it through with two Ms, line by line: one that queues a G, and one that gives up. Then name the check that would see it.",
			Book:     "handshake",
		},
	},
}
