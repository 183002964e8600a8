// Package ch15 is the conformance suite of chapter 15: timers.
package ch15

import (
	"embed"
	"time"

	"gosched/chapters/check"
)

//go:embed programs/*.go
var embedded embed.FS

// The deadlines. A check with right parts takes a second or two at most.
const (
	brief = 10 * time.Second
	ages  = time.Minute
)

// Suite is the chapter's suite.
var Suite = &check.Suite{
	ID:       "ch15",
	Dir:      "ch15_timer",
	Title:    "Timers",
	Go:       "1.14",
	Parts:    []string{"Timers", "TimerHeap", "TimerChans"},
	Programs: check.Programs(embedded),
	Checks: []check.Check{
		{
			Name: "heap", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"AddHeap", "DeleteMin"},
			Property: "Entries are in the order of a heap with four children per node, and the first one is published.",
			Hint:     "The children of entry i are entries 4i+1 to 4i+4. The message shows the heap.",
			Book:     "heap", Run: addAndDelete,
		},
		{
			Name: "update", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"UpdateHeap"},
			Property: "The first timer does what its State asks for: it leaves, or finds its place.",
			Hint:     "A zombie may be modified as well. What is left of its State?",
			Book:     "lazy", Run: update,
		},
		{
			Name: "clean", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"CleanHead"},
			Property: "The first entry counts, and zombies at the end are gone.",
			Hint:     "The end comes before each look at the first entry.",
			Book:     "lazy", Run: clean,
		},
		{
			Name: "adjust", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"Adjust"},
			Property: "All entries are right afterwards, and only timers that were changed are locked.",
			Hint:     "An entry that takes the place of a zombie has not been looked at.",
			Book:     "adjust", Run: adjust,
		},
		{
			Name: "take", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"TakeTimers"},
			Property: "A P that goes away leaves no timer behind.",
			Hint:     "What of a timer's State is about the heap that it is no longer in?",
			Book:     "take", Run: take,
		},
		{
			Name: "add", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"MaybeAdd"},
			Property: "A timer that must be in a heap is added to that of the own P, and whoever sleeps learns of it.",
			Hint:     "When is a timer earlier than anything that was there?",
			Book:     "sleep", Run: add,
		},
		{
			Name: "sleep", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"TimeSleep"},
			Property: "A G sleeps with a timer of its own, which is set when the G waits.",
			Hint:     "Who calls unlockf, and in which state is G1 then?",
			Book:     "sleep", Run: sleep,
		},
		{
			Name: "set", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"ModTimer"},
			Property: "A timer in a heap gets a mark and stays where it is; one in no heap is added.",
			Hint:     "The heap may be another P's. Which of its fields may you write without its lock?",
			Book:     "lazy", Run: set,
		},
		{
			Name: "stop", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"StopTimer"},
			Property: "A timer that is stopped is a zombie, counted once.",
			Hint:     "What if it was stopped before?",
			Book:     "lazy", Run: stop,
		},
		{
			Name: "stale", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"ModTimer", "StopTimer"},
			Property: "After a stop or a change nothing old is in the channel, and nothing old will come.",
			Hint:     "There are three places for what is old: When, a send that is decided on, and the buffer.",
			Book:     "stale", Run: stale,
		},
		{
			Name: "due", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"CheckTimers"},
			Property: "What is due fires, the earliest first, with nothing locked.",
			Hint:     "The message has the timers of P0, and the time.",
			Book:     "run", Run: due,
		},
		{
			Name: "quiet", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"CheckTimers"},
			Property: "When nothing is due no lock is taken, and zombies are removed from the own heap alone.",
			Hint:     "What does WakeTime say? And how many zombies are too many?",
			Book:     "run", Run: quiet,
		},
		{
			Name: "fire", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"UnlockAndRun"},
			Property: "A timer fires unlocked, after it has left the heap or has its next time.",
			Hint:     "List what must be over before F is called, and what is still to do after it.",
			Book:     "run", Run: fire,
		},
		{
			Name: "no-p", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"CheckTimersNoP"},
			Property: "An M without a P finds out until when it may sleep.",
			Hint:     "It takes no lock.",
			Book:     "sleep", Run: noP,
		},
		{
			Name: "lazy", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"MaybeRunChan", "BlockTimerChan", "UnblockTimerChan"},
			Property: "The timer of a channel is in a heap only while a G waits for the channel.",
			Hint:     "What is the difference between a timer that was stopped and one for which no G waits?",
			Book:     "chan", Run: lazy,
		},
		{
			Name: "visible", Kind: check.Unit, Points: 1, Deadline: brief,
			Methods:  []string{"StopTimer"},
			Property: "What threads share is in atomic variables, mutexes and Cells of package machine, so that the models see it.",
			Hint:     "The message names the field.",
			Book:     "run", Run: visible,
		},
		{
			Name: "race-stop", Kind: check.Model, Points: 3, Deadline: ages,
			Methods:  []string{"StopTimer", "UnlockAndRun"},
			Property: "A timer is stopped while it fires: no value comes, and Stop says so.",
			Hint:     "The M that fires has let go of the timer's lock, and has not sent yet. How does it learn of the stop?",
			Book:     "stale", Run: raceStop,
		},
		{
			Name: "race-reset", Kind: check.Model, Points: 3, Deadline: ages,
			Methods:  []string{"ModTimer", "UnlockAndRun"},
			Property: "A timer is set anew while it fires: the new value comes, and only that.",
			Hint:     "As in race-stop. And is the timer in a heap at the end?",
			Book:     "stale", Run: raceReset,
		},
		{
			Name: "race-thieves", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"CheckTimers", "UnlockAndRun", "BlockTimerChan"},
			Property: "Two Ms run the timers of one P, and each fires once, and not before it is due.",
			Hint:     "What must be written before the lock of the list is free? And what may have changed before that of the timer is yours?",
			Book:     "run", Run: raceThieves,
		},
		{
			Name: "race-adjust", Kind: check.Model, Points: 3, Deadline: ages,
			Methods:  []string{"Adjust", "ModTimer"},
			Property: "While a heap is corrected WakeTime is never too late, and no change is lost.",
			Hint:     "Four steps in Adjust, two in ModTimer. Which order does the contract have?",
			Book:     "adjust", Run: raceAdjust,
		},
		{
			Name: "race-sleep", Kind: check.Model, Points: 3, Deadline: ages,
			Methods:  []string{"ModTimer", "MaybeAdd", "CheckTimersNoP"},
			Property: "An M that falls asleep until a later time is told of an earlier one.",
			Hint:     "What must others see when Wakenetpoller is called?",
			Book:     "sleep", Run: raceSleep,
		},
		{
			Name: "race-wait", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"BlockTimerChan", "UnblockTimerChan", "MaybeAdd"},
			Property: "Two Gs wait for one timer, one goes on, and the timer stays in one heap.",
			Hint:     "Between the look at the timer and its place in the heap it was not locked.",
			Book:     "chan", Run: raceWait,
		},
		{
			Name: "race-change", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"BlockTimerChan", "ModTimer", "MaybeAdd"},
			Property: "A timer is set by two Gs at once, or while a G stops it or begins to wait for it, and is in one heap at most.",
			Hint:     "Both find that it must be added. Or neither? And in which order does each of them lock?",
			Book:     "chan", Run: raceChange,
		},
		{
			Name: "race-marks", Kind: check.Model, Points: 1, Deadline: ages,
			Methods:  []string{"ModTimer", "StopTimer", "Adjust", "CleanHead", "BlockTimerChan"},
			Property: "Whoever changes timers of one heap at the same time, none of the changes is lost.",
			Hint:     "Zombies and MinWhenModified are written without the lock of the list.",
			Book:     "lazy", Run: raceMarks,
		},
		{
			Name: "race-look", Kind: check.Model, Points: 1, Deadline: ages,
			Methods:  []string{"MaybeRunChan", "BlockTimerChan"},
			Property: "A G looks at a channel while another one begins to wait, and the timer fires once; or stops the timer, and no value comes.",
			Hint:     "What was seen without the lock must be looked at again.",
			Book:     "chan", Run: raceLook,
		},
		{
			Name: "race-len", Kind: check.Model, Points: 1, Deadline: ages,
			Methods:  []string{"MaybeAdd", "CheckTimers"},
			Property: "A timer that leaves the heap and comes back was never away.",
			Hint:     "Who writes Len, and when?",
			Book:     "run", Run: raceLen,
		},
		{
			Name: "race-take", Kind: check.Model, Points: 1, Deadline: ages,
			Methods:  []string{"TakeTimers"},
			Property: "While timers move to another P, an M without a P that looks at the old one first finds them.",
			Hint:     "Which list changes first?",
			Book:     "take", Run: raceTake,
		},
		{
			Name: "race-nap", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"TimeSleep"},
			Property: "A sleep is over before the park returns.",
			Hint:     "From which moment on can another M have G1?",
			Book:     "sleep", Run: raceNap,
		},
		{
			Name: "stale-value", Kind: check.Program, Points: 1, Deadline: ages,
			Methods:  []string{"ModTimer", "StopTimer", "MaybeRunChan"},
			Property: "A value that was not received before a stop does not come after it.",
			Hint:     "First the unit checks.",
			Book:     "stale", Run: plays("stale.go", 1, 4),
		},
		{
			Name: "ticks", Kind: check.Program, Points: 1, Deadline: ages,
			Methods:  []string{"ModTimer", "StopTimer", "CheckTimers"},
			Property: "Tickers tick, and timeouts come in time.",
			Hint:     "First the unit checks.",
			Book:     "run", Run: plays("ticks.go", 1, 2),
		},
		{
			Name: "storm", Kind: check.Program, Points: 1, Deadline: ages,
			Methods:  []string{"ModTimer", "StopTimer", "CheckTimers"},
			Property: "Of a thousand functions those that were not stopped are called once.",
			Hint:     "First the unit checks.",
			Book:     "run", Run: plays("storm.go", 1, 8),
		},
		{
			Name: "resize", Kind: check.Program, Points: 1, Deadline: ages,
			Methods:  []string{"TakeTimers"},
			Property: "Timers survive their P.",
			Hint:     "First the check take.",
			Book:     "take", Run: plays("resize.go", 8, 3),
		},
		{
			Name: "busy", Kind: check.Program, Points: 1, Deadline: ages,
			Methods:  []string{"CheckTimers", "MaybeAdd"},
			Property: "The timers of a P that computes are run by others.",
			Hint:     "First the unit checks. Who is asleep, and until when?",
			Book:     "sleep", Run: plays("busy.go", 2, 4),
		},
		{
			Name: "threads", Kind: check.Stress, Points: 1, Deadline: ages,
			Methods:  []string{"ModTimer", "StopTimer", "CheckTimers"},
			Property: "The same holds on real threads.",
			Hint:     "Look at the models first.",
			Book:     "run", Run: threads,
		},
		{
			Name: "mine", Kind: check.Mine, Points: 3,
			Methods:  []string{"mine"},
			Property: "Your own test of UnlockAndRun passes on a correct one, and fails on each of the given mutants.",
			Hint:     "One case for each of: once, with a period, in a heap, with a channel.",
			Book:     "mine",
		},
		{
			Name: "mend-sleep", Kind: check.Mended, Points: 2, Deadline: ages,
			Property: "TimeSleep, which a timer ended before it had begun, is mended with the smallest change, and you know which two steps met.",
			Hint:     "What does the timer's function ask of G1?",
			Book:     "sleep",
		},
		{
			Name: "mend-add", Kind: check.Mended, Points: 2, Deadline: ages,
			Property: "MaybeAdd, which added a timer twice, is mended with the smallest change, and you know which two steps met.",
			Hint:     "What M0 found with the timer locked: is it still so when it has the lock again?",
			Book:     "chan",
		},
		{
			Name: "mend-take", Kind: check.Mended, Points: 2, Deadline: ages,
			Property: "TakeTimers, during which timers were nowhere, is mended with the smallest change, and you know which two steps met.",
			Hint:     "M2 looks at one list after the other.",
			Book:     "take",
		},
		{
			Name: "predict", Kind: check.Predict, Points: 2, Deadline: ages,
			Property: "You know in advance what a small change would do.",
			Hint:     "Think of the other M. Then name the check that would see it.",
			Book:     "lazy",
		},
	},
}
