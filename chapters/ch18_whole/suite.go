// Package ch18 is the conformance suite of chapter 18: the whole scheduler.
package ch18

import (
	"embed"
	"time"

	"gosched/chapters/ch05_threads"
	"gosched/chapters/ch08_loop"
	"gosched/chapters/ch09_steal"
	"gosched/chapters/ch10_spin"
	"gosched/chapters/ch11_syscall"
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

// Suite is the chapter's suite. What an older chapter checks as well it checks with the check of that
// one.
var Suite = &check.Suite{
	ID:       "ch18",
	Dir:      "ch18_whole",
	Title:    "The whole scheduler",
	Go:       "1.26",
	Parts:    []string{"Loop", "Deadlock", "Finder", "Stealing", "Masks", "Syscalls"},
	Programs: check.Programs(embedded),
	Checks: []check.Check{
		{
			Name: "bits", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"MaskIdle", "MaskBusy"},
			Property: "The masks say which Ps are idle, and which may have timers, and nothing of the others changes.",
			Hint:     "Two bits for each P. One of the four writes has a condition.",
			Book:     "masks", Run: bits,
		},
		{
			Name: "filters", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"BusyPs", "TimerPs"},
			Property: "Of the given Ps those are left that the given mask does not rule out.",
			Hint:     "One mask says which Ps have nothing, the other one which have something.",
			Book:     "masks", Run: filters,
		},
		{
			Name: "steal-masks", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"StealWork"},
			Property: "A thief leaves the queues of idle Ps alone, and the timers of Ps that have none; but an idle P may have timers.",
			Hint:     "Two conditions, each for one of the two things that you ask a P for. Read the bit just before you ask.",
			Book:     "masks", Run: stealMasks,
		},
		{
			Name: "steal-passes", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"StealWork"},
			Property: "Four passes, each of which asks each other P once; a Runnext may be taken in the last one alone.",
			Hint:     "As in chapter 9.",
			Book:     "masks", Run: steals("stolen", "each-once", "not-own", "first-found", "four-passes", "next-last", "random-first", "random-order", "own-random", "stops", "no-lock"),
		},
		{
			Name: "steal-timers", Kind: check.Unit, Points: 1, Deadline: brief,
			Methods:  []string{"StealWork"},
			Property: "In the last pass the timers of others are run, and what they make ready here is looked for.",
			Hint:     "As in chapter 9.",
			Book:     "masks", Run: steals("alone", "timers-last", "timer-ready", "new-work", "poll-until", "looks-once"),
		},
		{
			Name: "step-log", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"FindRunnable"},
			Property: "The sources are asked in the order of the contract, and the first that has a G decides.",
			Hint:     "The message lists what you did. Which of the lists in the contract differs from it first?",
			Book:     "steps", Run: stepLog,
		},
		{
			Name: "stops", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"FindRunnable"},
			Property: "Before all sources, and once more before the P is given back, M0 stops if it is to, and runs what P0 is to run.",
			Hint:     "Both can be asked for at any moment. Until which moment does somebody rely on M0 for that?",
			Book:     "steps", Run: stops,
		},
		{
			Name: "tick", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"FindRunnable"},
			Property: "At every 61st tick the global queue comes first, for one G; and a finalizer goroutine with work is made ready.",
			Hint:     "The tick is the P's. The finalizer goroutine is to run next: an argument says so.",
			Book:     "steps", Run: tick,
		},
		{
			Name: "quietly", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"FindRunnable"},
			Property: "One M at a time looks at the network without waiting, and none if one waits there.",
			Hint:     "Three conditions. The third one is written by the same step that reads it.",
			Book:     "network", Run: quietly,
		},
		{
			Name: "spinner-cap", Kind: check.Unit, Points: 1, Deadline: brief,
			Methods:  []string{"FindRunnable"},
			Property: "An M begins to spin only as long as twice the number of spinning Ms is less than the number of busy Ps.",
			Hint:     "As in chapter 10.",
			Book:     "steps", Run: spinnerCap,
		},
		{
			Name: "last-look", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"FindRunnable"},
			Property: "Under the lock M0 looks at the global queue and at Needspinning, before it gives its P back.",
			Hint:     "As in chapter 10.",
			Book:     "steps", Run: lastLook,
		},
		{
			Name: "give-up", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"FindRunnable"},
			Property: "M0 looks for the last time when it is no longer counted, and only if it was.",
			Hint:     "First out of the count. Both the field and the number.",
			Book:     "recheck", Run: giveUp,
		},
		{
			Name: "snapshot", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"FindRunnable", "BusyPs", "TimerPs"},
			Property: "Without a P M0 looks at the Ps, and at the masks, that there were while it had one.",
			Hint:     "Three fields belong together, and change together when the number of Ps does. When may you read them?",
			Book:     "recheck", Run: masked,
		},
		{
			Name: "after-all", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"FindRunnable"},
			Property: "An M that finds work in its last look spins again, with a P.",
			Hint:     "There are three things that it can find. One of them comes with its P, one with its G, and one with both.",
			Book:     "recheck", Run: func(t *check.T) { afterAll(t); both(t) },
		},
		{
			Name: "waits", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"FindRunnable"},
			Property: "The M that waits says so, and until when, and waits no longer than to the first timer.",
			Hint:     "Two fields of Sched. What must each of them be before, during and after the wait?",
			Book:     "network", Run: waits,
		},
		{
			Name: "brings", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"FindRunnable"},
			Property: "Of what has come M0 runs the first, if it gets a P, and all is queued if it does not.",
			Hint:     "Injectglist needs to know whether M0 has a P.",
			Book:     "network", Run: brings,
		},
		{
			Name: "another", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"FindRunnable"},
			Property: "If another M waits already, M0 sleeps; and it wakes that one if it would wait for too long.",
			Hint:     "PollUntil 0 means for ever.",
			Book:     "network", Run: another,
		},
		again("execute", 1, "A G that runs is linked to its M, and was not asked to stop.", "As in chapters 8 and 11.", "loop", ch08.Suite, "execute", "Execute"),
		again("slices", 1, "A new time slice is counted, an inherited one is not.", "As in chapter 8.", "loop", ch08.Suite, "execute-tick", "Execute"),
		again("loop-locked", 1, "A locked M runs its own G alone, and a G that is locked to another M goes there.", "As in chapter 11.", "loop", ch11.Suite, "loop-locked", "Schedule"),
		again("loop-ordinary", 1, "An M that runs a G does not spin, and another is woken if FindRunnable wants it.", "As in chapter 11.", "loop", ch11.Suite, "loop-ordinary", "Schedule", "Execute"),
		{
			Name: "schedule", Kind: check.Unit, Points: 1, Deadline: brief,
			Methods:  []string{"Schedule", "FindRunnable"},
			Property: "A P that looks for a G is no longer asked to stop; and an M that holds locks does not schedule.",
			Hint:     "Both come before FindRunnable.",
			Book:     "loop", Run: schedule,
		},
		again("dead-counts", 1, "As long as an M is left that may make a G ready nothing is reported.", "As in chapter 5.", "deadlock", ch05.Suite, "dead-counts", "Checkdead"),
		again("dead-gs", 1, "What is reported depends on the Gs.", "As in chapter 5.", "deadlock", ch05.Suite, "dead-gs", "Checkdead"),
		{
			Name: "dead", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"Checkdead"},
			Property: "A program that dies is not stuck; and a timer matters only for a G that waits.",
			Hint:     "What is looked at first, and what last?",
			Book:     "deadlock", Run: dead,
		},
		race("race-submit", 2, "A G that is queued while M1 gives up is run.", "First out of the count, then look. And which Ps does the mask leave you?", "recheck", ch10.Models, "FindRunnable", "BusyPs"),
		race("race-global", 1, "A G on the global queue is not forgotten.", "Look there once more, under the lock, when M1 is not counted any more.", "recheck", ch10.Models, "FindRunnable"),
		race("race-unspun", 1, "A G that is queued under the lock is seen by an M that does not spin.", "The last look and giving back the P are one, under the lock.", "recheck", ch10.Models, "FindRunnable"),
		race("race-network", 1, "An M that knows of work and finds no P is not forgotten.", "Look at Needspinning under the lock.", "recheck", ch10.Models, "FindRunnable"),
		race("race-both", 1, "An M that finds a G in its last look lets another M look for more.", "It must spin when it returns.", "recheck", ch10.Models, "FindRunnable"),
		race("race-stop", 1, "A world that is to stop does.", "Look at Gcwaiting under the lock; and what may change when the world has stopped?", "recheck", ch10.Models, "FindRunnable"),
		race("race-masks", 2, "A G on a P that was idle a moment ago is found.", "When must the bit be clear: before or after the P is in somebody's hands? And when do you read it?", "masks", ch10.Whole, "FindRunnable", "MaskIdle", "MaskBusy", "BusyPs"),
		race("race-timer", 2, "An M waits for a timer that was left on an idle P.", "Which P has it, and what does its bit say?", "masks", ch10.Whole, "FindRunnable", "MaskIdle", "MaskBusy", "TimerPs"),
		race("race-sooner", 2, "Whoever waits for a later timer learns of an earlier one.", "The M that sets it reads Lastpoll, and then PollUntil. In which order do you write them, and when do you look at the timers?", "network", ch10.Whole, "FindRunnable", "TimerPs"),
		race("race-poller", 2, "Of two Ms one waits for the network, and one at a time looks there.", "A look and a write in one step.", "network", ch10.Whole, "FindRunnable"),
		race("race-marker", 1, "A collection that begins finds an idle P.", "Look once more when you are not counted any more.", "recheck", ch10.Whole, "FindRunnable"),
		race("race-safe", 1, "No P becomes idle with a function to run.", "It is asked for under the lock.", "steps", ch10.Whole, "FindRunnable"),
		call("call-enter", 1, "As long as its G runs an M notes what it needs of its P, and calls what ForEachP wants of it; then the G is in a call, and that is all.", "What of this do you still write when G1 is Gsyscall? Another M may have P0 by then.", "enter", ch11.WiredEnter, "Entersyscall"),
		call("call-enter-stop", 1, "An M that enters a call while the world is to stop stops its own P first.", "M0 may part from P0 only while G1 runs. Under the lock Stopwait says whether the world still waits.", "enter", ch11.WiredEnterStop, "Entersyscall"),
		call("call-monitor", 1, "An M that enters a call, or takes an idle P after one, wakes the monitor if it sleeps.", "As in chapter 11.", "enter", ch11.Suite.Check("monitor").Run, "Entersyscall", "ExitsyscallPidle", "ExitsyscallNoP"),
		call("call-block", 1, "Before a call that is known to block, the P is handed off while the G still runs.", "Who looks for a G that is Gsyscall, and what does it do with the P?", "enter", ch11.WiredBlock, "Entersyscallblock"),
		call("call-own", 1, "An M that has not lost its P changes one word, and goes on.", "First G1 runs, and only then do you look at M0.P.", "back", ch11.WiredExitOwn, "Exitsyscall"),
		call("call-other", 1, "An M that has lost its P takes it from another M's call, or an idle one.", "P0 may be in five states, and in one of them you may take it. Part it from the other M first, and let that go on.", "back", ch11.WiredExitOther, "Exitsyscall", "ExitsyscallFast", "ExitsyscallPidle"),
		call("call-none", 1, "A G that is back and finds no P waits on the global queue, and its M sleeps.", "As in chapter 11; but G1 is Grunning by then.", "back", ch11.Suite.Check("exit-none").Run, "Exitsyscall", "ExitsyscallNoP"),
		call("call-guess", 2, "Whoever wants the P of a call looks once more when the scan bit is set, and leaves everything as it was if it has guessed wrong.", "You have read P0.M and M0.Curg, one after the other. What may both be by now? Also the bit must be as before.", "guess", ch11.WiredGuess, "GcstopSyscall"),
		call("call-retake", 1, "The monitor takes a P from a call that it sees for the second time, lets the M go on, and hands the P off.", "Nothing that takes a lock may be called while the scan bit is set.", "guess", ch11.WiredRetake, "RetakeSyscall"),
		call("call-unneeded", 1, "A P that no M needs is left in its call for 10 ms.", "As in chapter 11.", "guess", ch11.Suite.Check("retake-unneeded").Run, "RetakeSyscall"),
		call("handoff", 1, "An M is started for a P that is handed off in each case in which FindRunnable would find work with it.", "As in chapter 11; and the collector may have work.", "guess", ch11.WiredHandoff, "Handoffp"),
		raceCall("race-call", ch11.Models, "race-retake", "An M enters a call and returns while the monitor wants its P: one of them has it at each moment, and the G runs.", "Until G1 runs, M0.P is not M0's to read.", "back", "Entersyscall", "Exitsyscall", "ExitsyscallFast", "ExitsyscallPidle", "ExitsyscallNoP", "RetakeSyscall"),
		raceCall("race-again", ch11.Wired, "race-again", "An M is back, loses its P, and is in another call, while the P is taken from the first: the second keeps nothing, and loses nothing.", "The looks that count are those after the scan bit is set.", "guess", "GcstopSyscall"),
		raceCall("race-steal", ch11.Models, "race-steal", "Two Ms return that had the same P: one gets it, and both Gs run.", "Before one has taken the P from the other, nobody may come back with it.", "back", "ExitsyscallFast", "ExitsyscallNoP"),
		raceCall("race-enter-stop", ch11.Wired, "race-stop-late", "The world stops while an M enters a call that lasts: in the end the P is stopped, and counted once.", "Either M0 finds Gcwaiting, or the M that stops the world finds G1 Gsyscall, or the monitor does.", "enter", "Entersyscall", "GcstopSyscall", "RetakeSyscall", "Handoffp"),
		raceCall("race-enter-both", ch11.Wired, "race-stop-both", "Two Ms enter calls while the world is to stop: each P is counted once, and the last M wakes the one that waits.", "Who else changes s.Stopwait, and what does it hold then?", "enter", "Entersyscall"),
		raceCall("race-three", ch11.Models, "race-stop-retake", "Three want a P: its M, which is back, the monitor, and the M that stops the world. It is counted once.", "One of the last two holds the scan bit at a time.", "guess", "RetakeSyscall", "Handoffp", "GcstopSyscall", "ExitsyscallFast"),
		raceCall("race-idle", ch11.Models, "race-idle", "An M is back without a P while another gives one up: the G runs, and no M touches it but its own.", "As in chapter 11.", "back", "ExitsyscallNoP"),
		raceCall("race-monitor", ch11.Models, "race-monitor", "Two Ms want to wake the monitor, and one does.", "A note may be signalled once. Look again under the lock.", "enter", "Entersyscall", "ExitsyscallPidle"),
		raceCall("race-dead", ch11.Models, "race-dead", "While the monitor has the last P in its hands no deadlock is reported.", "Which Ms does Checkdead count when M0 has gone to sleep?", "guess", "RetakeSyscall", "ExitsyscallNoP"),
		raceCall("race-handoff", ch11.Models, "race-handoff", "While a P is handed off another M makes a G ready: the P is not idle beside it.", "As in chapter 11.", "guess", "Handoffp"),
		raceCall("race-handoff-global", ch11.Models, "race-handoff-global", "While a P is handed off an M is back from a call, finds no P, and queues its G: the P is not idle beside it.", "As in chapter 11.", "guess", "Handoffp"),
		raceCall("race-handoff-count", ch11.Models, "race-handoff-count", "Handoffp and Wakep each start an M that spins, and both are counted.", "As in chapter 11.", "guess", "Handoffp"),
		raceCall("race-handoff-stop", ch11.Models, "race-handoff-stop", "The world is to stop while a P is handed off: the P stops, or is found on the list of idle Ps.", "As in chapter 11.", "guess", "Handoffp", "GcstopSyscall"),
		{
			Name: "talks", Kind: check.Program, Points: 1, Deadline: long,
			Methods:  []string{"FindRunnable", "Schedule", "Execute", "StealWork", "MaskIdle", "MaskBusy"},
			Property: "Goroutines that wait in every way there is all finish.",
			Hint:     "First the unit checks and the models. The message names the seed.",
			Book:     "steps", Run: talks,
		},
		{
			Name: "system", Kind: check.Program, Points: 1, Deadline: long,
			Methods:  []string{"Checkdead", "FindRunnable"},
			Property: "A program of which only the goroutines of the system are left is over.",
			Hint:     "IsSystemGoroutine.",
			Book:     "deadlock", Run: system,
		},
		{
			Name: "visible", Kind: check.Unit, Points: 1, Deadline: brief,
			Methods:  []string{"MaskBusy"},
			Property: "What your parts share between Ms is atomic, or a Cell.",
			Hint:     "The message names the field.",
			Book:     "masks", Run: visible,
		},
		{
			Name: "threads", Kind: check.Stress, Points: 1, Deadline: long,
			Methods:  []string{"FindRunnable", "Schedule", "Execute", "StealWork", "MaskIdle", "MaskBusy", "Checkdead"},
			Property: "The same holds on real threads.",
			Hint:     "Is it only slow? Otherwise look for what is touched without the lock.",
			Book:     "steps", Run: threads,
		},
		{
			Name: "mine", Kind: check.Mine, Points: 2,
			Methods:  []string{"mine"},
			Property: "Your own test of the masks passes on correct ones, and fails on each of the given mutants.",
			Hint:     "Two Ps are enough, one with a timer. Look at both bits of both after each call.",
			Book:     "mine",
		},
		{
			Name: "mend-mask", Kind: check.Mended, Points: 2, Deadline: long,
			Property: "MaskIdle, which let a timer be forgotten, is mended with the smallest change, and you know which two steps met.",
			Hint:     "Who would have looked at the timer, and what has kept it from that?",
			Book:     "masks",
		},
		{
			Name: "mend-idle", Kind: check.Mended, Points: 2, Deadline: long,
			Property: "TimerPs, which left out an idle P with a timer, is mended with the smallest change, and you know which two steps met.",
			Hint:     "The M that has set the timer has nothing else to do. Where is the timer then?",
			Book:     "masks",
		},
		{
			Name: "mend-busy", Kind: check.Mended, Points: 2, Deadline: long,
			Property: "MaskBusy, which left a G on a P that seemed to be idle, is mended with the smallest change, and you know which two steps met.",
			Hint:     "Which M reads the bit, and on which M does the other one rely?",
			Book:     "masks",
		},
		{
			Name: "predict", Kind: check.Predict, Points: 2, Deadline: long,
			Property: "You know in advance what a small change would do.",
			Hint:     "Think it through with two Ms, line by line. Then name the check that would see it.",
			Book:     "predict",
		},
	},
}

// steals are some checks of chapter 9, one after the other.
func steals(names ...string) func(t *check.T) {
	return func(t *check.T) {
		for _, name := range names {
			ch09.Suite.Check(name).Run(t)
		}
	}
}

// again is a check of an earlier chapter, where its name is was.
func again(name string, points int, property, hint, book string, chapter *check.Suite, was string, methods ...string) check.Check {
	return check.Check{
		Name: name, Kind: check.Unit, Points: points, Deadline: brief,
		Methods: methods, Property: property, Hint: hint, Book: book, Run: chapter.Check(was).Run,
	}
}

// race is the check that explores the model of that name.
func race(name string, points int, property, hint, book string, models check.Races, methods ...string) check.Check {
	return check.Check{
		Name: name, Kind: check.Model, Points: points, Deadline: long,
		Methods: methods, Property: property, Hint: hint, Book: book, Run: models.Check(name),
	}
}

// call is a check of a method of Syscalls.
func call(name string, points int, property, hint, book string, run func(t *check.T), methods ...string) check.Check {
	return check.Check{
		Name: name, Kind: check.Unit, Points: points, Deadline: brief,
		Methods: methods, Property: property, Hint: hint, Book: book, Run: run,
	}
}

// raceCall is the check that explores a model of chapter 11.
func raceCall(name string, models check.Races, model, property, hint, book string, methods ...string) check.Check {
	return check.Check{
		Name: name, Kind: check.Model, Points: 1, Deadline: long,
		Methods: methods, Property: property, Hint: hint, Book: book, Run: models.Check(model),
	}
}

// visible checks that the models see what the parts share.
func visible(t *check.T) {
	w := newWorld(t, 1)
	check.Locked(t, w.s, "MaskBusy", func() { w.masks.MaskBusy(w.p0) })
	t.Visible()
}
