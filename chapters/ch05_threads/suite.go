// Package ch05 is the conformance suite of chapter 5: many threads, one lock.
package ch05

import (
	"embed"
	"time"

	"gosched/chapters/check"
)

//go:embed programs/*.go
var embedded embed.FS

// blocks is the deadline of the unit checks, each of which takes milliseconds. A part
// that forgets to unlock, or sleeps for ever, blocks many of them. A program's check
// may take a second or two, and has more.
const (
	blocks = 5 * time.Second
	plays  = 60 * time.Second
)

// Suite is the chapter's suite.
var Suite = &check.Suite{
	ID:       "ch05",
	Dir:      "ch05_threads",
	Title:    "Many threads, one lock",
	Go:       "1.0",
	Parts:    []string{"Loop", "Submission", "Deadlock", "Threads", "Matching"},
	Programs: check.Programs(embedded),
	Checks: []check.Check{
		{
			Name: "idle-list", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Mput", "Mget"},
			Property: "The M that went idle last is the first to be taken; an M that is taken no longer counts as idle and points to no other.",
			Hint:     "A linked list with one end. How many idle Ms does s.Nmidle say there are?",
			Book:     "idle", Run: idleList,
		},
		{
			Name: "idle-asks", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Mput"},
			Property: "An M that goes idle asks whether it was the last: Mput calls Checkdead, once, after the M is counted.",
			Hint:     "If all Ms sleep, which of them could notice?",
			Book:     "deadlock", Run: idleDead,
		},
		{
			Name: "reserve", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"MReserveID"},
			Property: "IDs are given out in order, each once, and from then on an M counts.",
			Hint:     "s.Mnext is both the next ID and the number of Ms.",
			Book:     "newm", Run: reserve,
		},
		{
			Name: "mcount", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Checkmcount"},
			Property: "10,000 Ms are allowed, and one more ends the program with a line that says so; Ms that are gone do not count.",
			Hint:     "Mind the limit itself. Where does the line go, and what comes after it?",
			Book:     "newm", Run: mcount,
		},
		{
			Name: "newm", Kind: check.Model, Points: 4, Deadline: plays,
			Methods:  []string{"Newm"},
			Property: "A new M runs on a thread of its own, which may be faster than the one that starts it: first fn, then it takes its P, then it schedules.",
			Hint:     "The router does all three, if it finds them when the thread starts. See mstart in chapters/gmp/life.go for where it looks.",
			Book:     "newm", Run: newm,
		},
		{
			Name: "mpark", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"MPark"},
			Property: "An M sleeps until it is woken; a wake-up that comes first is kept, and afterwards the note is clear again.",
			Hint:     "A wake-up can come between Mput and Sleep. Where must Clear not be?",
			Book:     "idle", Run: mpark,
		},
		{
			Name: "execute", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Execute"},
			Property: "Execute links M and G both ways and makes the G running.",
			Hint:     "As in chapter 2.",
			Book:     "loop", Run: executeLinks,
		},
		{
			Name: "schedule", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Schedule"},
			Property: "Schedule runs the G that NextGAndUnlock returns, without the lock; when the program is over it returns.",
			Hint:     "NextGAndUnlock releases a lock. Where is it taken?",
			Book:     "loop", Run: scheduleRuns,
		},
		{
			Name: "next-head", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"NextGAndUnlock"},
			Property: "An M that has let go of its G takes the one at the head, and the number of Ms that run stays the same.",
			Hint:     "One less, one more.",
			Book:     "next", Run: nextHead,
		},
		{
			Name: "next-given", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"NextGAndUnlock"},
			Property: "An M that was given a G runs that one, and is not counted again.",
			Hint:     "Whatever set Nextg has counted the M.",
			Book:     "next", Run: nextGiven,
		},
		{
			Name: "next-sleeps", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"NextGAndUnlock"},
			Property: "An M that finds nothing is idle: it is on the list, no longer counts as running, sleeps without the lock, and wakes with a G.",
			Hint:     "Three things change when an M goes idle. All of them are done by the time the lock is free again, and the sleep comes after that.",
			Book:     "next", Run: nextSleeps,
		},
		{
			Name: "next-limit", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"NextGAndUnlock"},
			Property: "If more Ms run than may, one that lets go of its G sleeps, although there are others to run.",
			Hint:     "GOMAXPROCS may have been lowered since mp took its last G.",
			Book:     "next", Run: nextLimit,
		},
		{
			Name: "match-idle", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Matchmg"},
			Property: "Queued Gs are handed to idle Ms, which are woken and counted, as long as more may run.",
			Hint:     "Two things pass from M to M: Nextg and the wake-up. Which one first?",
			Book:     "match", Run: matchIdle,
		},
		{
			Name: "match-new", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Matchmg"},
			Property: "When no M is idle, a new one is started, with its G, and counts at once.",
			Hint:     "The new M's first act can be a function of yours.",
			Book:     "match", Run: matchNew,
		},
		{
			Name: "match-full", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Matchmg"},
			Property: "No M is woken when as many run as may, or when nothing is queued.",
			Hint:     "Two reasons to stop. Check both before you take anything.",
			Book:     "match", Run: matchFull,
		},
		{
			Name: "newproc", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Newproc"},
			Property: "The go statement makes the G without the lock, queues it under the lock, and lets an M come for it.",
			Hint:     "Chapter 2's Newproc, and one more call. Inside the lock, or outside?",
			Book:     "submit", Run: newproc,
		},
		{
			Name: "ready", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Ready"},
			Property: "A G that waits, and no other, is made ready: it is queued under the lock, and an M comes for it.",
			Hint:     "Idle Ms do not look at the queue. They are called.",
			Book:     "submit", Run: ready,
		},
		{
			Name: "yield", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"GoschedImpl"},
			Property: "A G that yields has let go of its M by the time it is queued, and no M is woken for it.",
			Hint:     "From the moment when it is queued another M can run it.",
			Book:     "submit", Run: yield,
		},
		{
			Name: "dead-counts", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Checkdead"},
			Property: "As long as an M is awake, or about to start, there is no deadlock.",
			Hint:     "From all that were made or reserved subtract those from which nothing can be expected.",
			Book:     "deadlock", Run: deadCounts,
		},
		{
			Name: "dead-gs", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Checkdead"},
			Property: "When all Ms are idle, Checkdead reports a deadlock, an exit of all Gs, and a G that was lost.",
			Hint:     "As in chapter 2.",
			Book:     "deadlock", Run: deadGs,
		},
		{
			Name: "dead-timers", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Checkdead"},
			Property: "As long as there is a timer, there is no deadlock, whatever the Gs look like.",
			Hint:     "A thread that is not an M runs the timers. In which states may it leave a G for a moment?",
			Book:     "deadlock", Run: deadTimers,
		},
		{
			Name: "every-order", Kind: check.Model, Points: 4, Deadline: plays,
			Methods:  []string{"Schedule", "Execute", "Mput", "Mget", "MPark", "Matchmg", "NextGAndUnlock", "Ready"},
			Property: "Two Ms make a G ready while a third goes to sleep: in every order of their steps an M comes for each G, once.",
			Hint:     "Read the schedule from the end: which M sleeps, and which was to wake it? When did that one last look? And an M that has given something away must not touch it any more.",
			Book:     "next", Run: inEveryOrder(3, everyOrder),
		},
		{
			Name: "one-rule", Kind: check.Model, Points: 3, Deadline: plays,
			Methods:  []string{"Ready", "Newproc", "Matchmg", "MReserveID"},
			Property: "Whenever s.Lock is free, either no G is queued, or as many Ms run as may.",
			Hint:     "Queueing a G breaks the rule, and Matchmg mends it. Is the lock free in between?",
			Book:     "match", Run: inEveryOrder(2, oneRule),
		},
		{
			Name: "race-yield", Kind: check.Model, Points: 2, Deadline: plays,
			Methods:  []string{"Schedule", "Execute", "GoschedImpl", "NextGAndUnlock"},
			Property: "A G that yields may be run by another M, and end there, as soon as it is queued and the lock is free.",
			Hint:     "What does GoschedImpl still do with gp when the lock is free?",
			Book:     "submit", Run: inEveryOrder(2, yieldRace),
		},
		{
			Name: "parallel", Kind: check.Program, Points: 2, Deadline: plays,
			Methods:  []string{"Schedule", "Execute", "Newproc", "Ready", "Newm", "Matchmg", "NextGAndUnlock"},
			Property: "Three workers on three CPUs take less than half the time that one CPU takes, and three Ms are enough.",
			Hint:     "The run is in the evidence. When does the second M come, and what does it run?",
			Book:     "match", Run: parallel,
		},
		{
			Name: "interleaved", Kind: check.Program, Points: 3, Deadline: plays,
			Methods:  []string{"Schedule", "Execute", "Newproc", "Ready", "GoschedImpl", "Newm", "Mput", "Mget", "MReserveID", "MPark", "Matchmg", "NextGAndUnlock"},
			Property: "Whatever the order, no G is lost and none runs twice.",
			Hint:     "First the unit checks. Then: the message names the number of CPUs and the seed, with which everything happens again.",
			Book:     "next", Run: interleaved,
		},
		{
			Name: "few-threads", Kind: check.Program, Points: 2, Deadline: plays,
			Methods:  []string{"Newproc", "Ready", "Matchmg", "NextGAndUnlock", "Newm"},
			Property: "A thousand Gs that wait need no thread: there are no more Ms than GOMAXPROCS.",
			Hint:     "What starts an M, and what does it look at first?",
			Book:     "match", Run: fewThreads,
		},
		{
			Name: "gomaxprocs", Kind: check.Program, Points: 2, Deadline: plays,
			Methods:  []string{"Schedule", "Newproc", "Matchmg", "NextGAndUnlock", "GoschedImpl"},
			Property: "As many Gs run at the same time as GOMAXPROCS says, even when the program changes it.",
			Hint:     "The call runs Matchmg after it has raised s.Mcpumax, and yields after it has lowered it. What does NextGAndUnlock do then?",
			Book:     "gomaxprocs", Run: gomaxprocs,
		},
		{
			Name: "stuck", Kind: check.Program, Points: 2, Deadline: plays,
			Methods:  []string{"Checkdead", "Mput", "NextGAndUnlock"},
			Property: "A deadlock is reported when the last M goes idle, on however many CPUs.",
			Hint:     "Which M is the last, and what has it counted?",
			Book:     "deadlock", Run: stuck,
		},
		{
			Name: "sleeping", Kind: check.Program, Points: 1, Deadline: plays,
			Methods:  []string{"Checkdead", "Ready", "NextGAndUnlock"},
			Property: "A program whose goroutines all sleep goes on when the time has come.",
			Hint:     "All Ms are idle then. What else could still happen?",
			Book:     "deadlock", Run: sleeping,
		},
		{
			Name: "visible", Kind: check.Unit, Points: 1, Deadline: blocks,
			Methods:  []string{"MReserveID"},
			Property: "What threads share is in atomic variables, mutexes and Cells of package machine, so that the models see it.",
			Hint:     "A field of your part that several Ms use must be a machine.Cell, or a machine.Uint32 or the like.",
			Book:     "next", Run: visible,
		},
		{
			Name: "threads", Kind: check.Stress, Points: 1, Deadline: plays,
			Methods:  []string{"Schedule", "Execute", "Newproc", "Ready", "Newm", "MPark", "Matchmg", "NextGAndUnlock", "Checkdead"},
			Property: "The same holds on real threads.",
			Hint:     "Is it only slow? Otherwise look for what is touched without the lock.",
			Book:     "next", Run: threads,
		},
		{
			Name: "mine", Kind: check.Mine, Points: 4,
			Methods:  []string{"mine"},
			Property: "Your own test of the list of idle Ms passes on a correct one, and fails on each of the given mutants.",
			Hint:     "Take what you have put, count, and take once more than you put.",
			Book:     "mine",
		},
		{
			Name: "mend-match", Kind: check.Mended, Points: 2, Deadline: plays,
			Property: "Matchmg, which woke an M without a G, is mended with the smallest change, and you know which two steps met.",
			Hint:     "What does an M do first when it is woken, and does it need the lock for that?",
			Book:     "match",
		},
		{
			Name: "mend-next", Kind: check.Mended, Points: 2, Deadline: plays,
			Property: "NextGAndUnlock, which lost count, is mended with the smallest change, and you know which two steps met.",
			Hint:     "Which field do both touch, and what does each of them hold at that moment?",
			Book:     "next",
		},
		{
			Name: "mend-yield", Kind: check.Mended, Points: 2, Deadline: plays,
			Property: "GoschedImpl, which touched a G that another M had, is mended with the smallest change, and you know which two steps met.",
			Hint:     "Whose is a queued G when the lock is free?",
			Book:     "submit",
		},
		{
			Name: "predict", Kind: check.Predict, Points: 2, Deadline: plays,
			Property: "You know in advance what a small change would do.",
			Hint:     "Think it through with two Ms: which holds the lock, which is counted, which sleeps? Then name the check that would see it, if there is one.",
			Book:     "mine",
		},
	},
}
