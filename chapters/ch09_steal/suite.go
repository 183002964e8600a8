// Package ch09 is the conformance suite of chapter 9: stealing.
package ch09

import (
	"embed"
	"time"

	"gosched/chapters/check"
)

//go:embed programs/*.go
var embedded embed.FS

// The deadlines. The unit checks take milliseconds, the others a second or two; a wrong
// part may loop for ever.
const (
	brief = 5 * time.Second
	long  = time.Minute
)

// methods is what all checks grade: there is one method in this chapter.
var methods = []string{"StealWork"}

// Suite is the chapter's suite.
var Suite = &check.Suite{
	ID:       "ch09",
	Dir:      "ch09_steal",
	Title:    "Stealing",
	Go:       "1.1",
	Parts:    []string{"Stealing"},
	Programs: check.Programs(embedded),
	Checks: []check.Check{
		{
			Name: "stolen", Kind: check.Unit, Points: 5, Deadline: brief, Methods: methods,
			Property: "Half of what a victim has goes to the thief: the last G of it is returned, without a time slice to inherit, and the others are on the thief's ring.",
			Hint:     "Runqsteal does all of that. What is left for StealWork is to ask.",
			Book:     "half", Run: stolen,
		},
		{
			Name: "alone", Kind: check.Unit, Points: 2, Deadline: brief, Methods: methods,
			Property: "With one P there is no other to ask, and nothing is found.",
			Hint:     "What is a random number modulo the number of others, if that is 0?",
			Book:     "once", Run: alone,
		},
		{
			Name: "each-once", Kind: check.Unit, Points: 6, Deadline: brief, Methods: methods,
			Property: "Each pass asks each other P once, whatever their number is now, and whatever the random numbers are.",
			Hint:     "From a random P on, in steps of a random size, modulo the number of Ps. With 6 Ps, which step sizes visit every P?",
			Book:     "once", Run: eachOnce,
		},
		{
			Name: "not-own", Kind: check.Unit, Points: 3, Deadline: brief, Methods: methods,
			Property: "A thief does not ask itself, and what is stolen goes to its own P.",
			Hint:     "The order also visits the thief's own P. Runqsteal(pp, p2, …): pp gets, p2 gives.",
			Book:     "once", Run: notOwn,
		},
		{
			Name: "first-found", Kind: check.Unit, Points: 5, Deadline: brief, Methods: methods,
			Property: "The first G that is found is returned at once, in whichever pass.",
			Hint:     "Leave both loops.",
			Book:     "passes", Run: firstFound,
		},
		{
			Name: "four-passes", Kind: check.Unit, Points: 5, Deadline: brief, Methods: methods,
			Property: "A thief that finds nothing asks every other P four times, and says that there was nothing.",
			Hint:     "Count passes, not Ps.",
			Book:     "passes", Run: fourPasses,
		},
		{
			Name: "next-last", Kind: check.Unit, Points: 5, Deadline: brief, Methods: methods,
			Property: "A G in Runnext is taken in the last pass, and not before.",
			Hint:     "Which pass is the last, if you count from 0?",
			Book:     "last", Run: nextLast,
		},
		{
			Name: "random-first", Kind: check.Unit, Points: 5, Deadline: brief, Methods: methods,
			Property: "Each other P may be the first one asked, and none is much less likely than the others.",
			Hint:     "Where does your order start, and where does that number come from?",
			Book:     "random", Run: randomFirst,
		},
		{
			Name: "random-order", Kind: check.Unit, Points: 7, Deadline: brief, Methods: methods,
			Property: "Which P is asked after which other P differs, from call to call and from pass to pass.",
			Hint:     "The start is random. The size of the step must be, too; and each pass needs a random number of its own.",
			Book:     "random", Run: randomOrder,
		},
		{
			Name: "own-random", Kind: check.Unit, Points: 3, Deadline: brief, Methods: methods,
			Property: "The order depends on the thief's own random numbers and on nothing else.",
			Hint:     "mp.Cheaprand. A generator shared by all would be a place where all thieves meet, and a run could not be repeated.",
			Book:     "random", Run: ownRandom,
		},
		{
			Name: "stops", Kind: check.Unit, Points: 4, Deadline: brief, Methods: methods,
			Property: "When the world is to stop, a thief asks no further P, and says that there is something new.",
			Hint:     "Look at s.Gcwaiting before each P, not once.",
			Book:     "stops", Run: stops,
		},
		{
			Name: "no-lock", Kind: check.Unit, Points: 3, Deadline: brief, Methods: methods,
			Property: "A thief holds no lock and takes none.",
			Hint:     "s.Allp changes only while the world is stopped, and it is not stopped as long as the thief has a P.",
			Book:     "half", Run: noLock,
		},
		{
			Name: "timers-last", Kind: check.Unit, Points: 5, Deadline: brief, Methods: methods,
			Property: "The timers of each other P are run once, in the last pass, before that P is asked for a G.",
			Hint:     "In the last pass there are two things to do for a P. In which order?",
			Book:     "timers", Run: timersLast,
		},
		{
			Name: "timer-ready", Kind: check.Unit, Points: 4, Deadline: brief, Methods: methods,
			Property: "If timers ran, the thief's own queue is looked at first.",
			Hint:     "A timer puts its G on the queue of the M that runs it. What does Runqsteal do with a ring that is not empty?",
			Book:     "timers", Run: timerReady,
		},
		{
			Name: "new-work", Kind: check.Unit, Points: 4, Deadline: brief, Methods: methods,
			Property: "If timers ran and no G was found, StealWork goes on to the end, and says that there may be new work.",
			Hint:     "Other thieves steal from you, too. Remember that timers ran.",
			Book:     "timers", Run: newWork,
		},
		{
			Name: "poll-until", Kind: check.Unit, Points: 4, Deadline: brief, Methods: methods,
			Property: "StealWork says when the first of all the timers that it has seen is due.",
			Hint:     "0 says that there is none. It is not the smallest time.",
			Book:     "timers", Run: pollUntil,
		},
		{
			Name: "looks-once", Kind: check.Unit, Points: 2, Deadline: brief, Methods: methods,
			Property: "The clock is read once at most, and the caller learns the time.",
			Hint:     "CheckTimers returns the time. Where do you keep it?",
			Book:     "timers", Run: looksOnce,
		},
		{
			Name: "race-owner", Kind: check.Model, Points: 3, Deadline: long, Methods: methods,
			Property: "While an owner puts and takes, two thieves steal from it and from each other, and each G comes out once.",
			Hint:     "Runqsteal is safe among thieves. Do you touch the ring of a P yourself?",
			Book:     "half", Run: raceOwner,
		},
		{
			Name: "race-next", Kind: check.Model, Points: 2, Deadline: long, Methods: methods,
			Property: "A thief and the owner are after the same Runnext, and one of them gets it.",
			Hint:     "Leave it to Runqsteal, with stealRunNext set.",
			Book:     "last", Run: raceNext,
		},
		{
			Name: "race-timer", Kind: check.Model, Points: 2, Deadline: long, Methods: methods,
			Property: "What a timer has made ready may be stolen from the thief before it looks.",
			Hint:     "What if Runqget returns nil although a timer ran?",
			Book:     "timers", Run: raceTimer,
		},
		{
			Name: "visible", Kind: check.Unit, Points: 1, Deadline: brief, Methods: methods,
			Property: "What thieves share is in atomic variables, mutexes and Cells of package machine, so that the models see it.",
			Hint:     "The message names the field. What belongs to one thief goes into a gmp.PerP; a list that is made once for all must be remade when the number of Ps changes, and then others read it.",
			Book:     "random", Run: visible,
		},
		{
			Name: "spread", Kind: check.Program, Points: 2, Deadline: long, Methods: methods,
			Property: "Two hundred Gs in the queue of one P get to all four, and take less than half the time.",
			Hint:     "The run is in the evidence. Which P runs what, and which one steals?",
			Book:     "half", Run: spread,
		},
		{
			Name: "interleaved", Kind: check.Program, Points: 2, Deadline: long, Methods: methods,
			Property: "A program that forks and joins comes to its end on 1 to 8 CPUs, whichever is first.",
			Hint:     "First the unit checks. Then: the message names the number of CPUs and the seed, with which everything happens again.",
			Book:     "half", Run: interleaved,
		},
		{
			Name: "fork-join", Kind: check.Program, Points: 2, Deadline: long, Methods: methods,
			Property: "A tree of Gs runs 24 times as fast on 64 CPUs as on one.",
			Hint:     "How many Ps does a thief ask before it gives up?",
			Book:     "fork-join", Run: forkJoin,
		},
		{
			Name: "stress", Kind: check.Stress, Points: 1, Deadline: long, Methods: methods,
			Property: "On real threads, too, each of many Gs comes out once.",
			Hint:     "What a single thief does alone is checked first. If that is right and the models pass, the mistake needs more Gs than a model has: the evidence tells what came out twice, or never, and where.",
			Book:     "half", Run: stress,
		},
		{
			Name: "threads", Kind: check.Stress, Points: 1, Deadline: long, Methods: methods,
			Property: "A program comes to its end on real threads.",
			Hint:     "See the check interleaved; there it can be repeated.",
			Book:     "half", Run: threads,
		},
		{
			Name: "mine", Kind: check.Mine, Points: 4, Deadline: long,
			Methods:  []string{"mine"},
			Property: "Your own test of StealWork passes on a correct one, and fails on each of the given mutants.",
			Hint:     "Put one G on one P, steal, and look at what came; for each P, and with many random numbers. Then a G in Runnext, and then Gcwaiting.",
			Book:     "mine",
		},
		{
			Name: "mend-next", Kind: check.Mended, Points: 2, Deadline: long,
			Property: "A thief that takes Runnext itself, and lost a G, is mended with the smallest change, and you know which two steps met.",
			Hint:     "Between a look and the action that follows it there is room for the owner.",
			Book:     "last",
		},
		{
			Name: "mend-ring", Kind: check.Mended, Points: 2, Deadline: long,
			Property: "A thief that takes half of a ring itself, and took what another one had, is mended with the smallest change, and you know which two steps met.",
			Hint:     "What has the thief seen of the head, and what may it be by now? A thief that is beaten must look again.",
			Book:     "half",
		},
		{
			Name: "mend-own", Kind: check.Mended, Points: 2, Deadline: long,
			Property: "A thief that was robbed of the G that it returns is mended with the smallest change, and you know which two steps met.",
			Hint:     "A thief is the owner of its own ring. What does a store to its tail tell the others?",
			Book:     "half",
		},
		{
			Name: "predict", Kind: check.Predict, Points: 2, Deadline: long,
			Property: "You know in advance what a small change would do.",
			Hint:     "Think it through with few Ps, one by one; then name the check that would see it.",
			Book:     "once",
		},
	},
}
