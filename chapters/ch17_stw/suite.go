// Package ch17 is the conformance suite of chapter 17: stopping the world.
package ch17

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
	ID:       "ch17",
	Dir:      "ch17_stw",
	Title:    "Stopping the world",
	Go:       "1.1–1.26",
	Parts:    []string{"World"},
	Programs: check.Programs(embedded),
	Checks: []check.Check{
		{
			Name: "sema", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"StopTheWorld"},
			Property: "One G at a time may stop the world; the others wait in order.",
			Hint:     "What does gp do when it runs again? gp.Cont says so, and must be set before anybody finds gp on the queue.",
			Book:     "sema", Run: sema,
		},
		{
			Name: "handover", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"StartTheWorld"},
			Property: "Whoever starts the world hands the right to stop it to the first one that waits.",
			Hint:     "If a G waits, Worldsema stays true.",
			Book:     "sema", Run: handover,
		},
		{
			Name: "gcstopm", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"Gcstopm"},
			Property: "An M stops its P, counts it, and sleeps; the last one wakes whoever waits.",
			Hint:     "Give up the P first. The state and the count change in one step under the lock.",
			Book:     "stop", Run: gcstopm,
		},
		{
			Name: "stop", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"StopTheWorldWithSema"},
			Property: "Ps that need nobody are stopped at once, and the others are asked until they have.",
			Hint:     "The message says where a P was. Those are four places; who counts it in each?",
			Book:     "stop", Run: stop,
		},
		{
			Name: "stop-less", Kind: check.Unit, Points: 1, Deadline: brief,
			Methods:  []string{"StopTheWorldWithSema"},
			Property: "A version without system calls and without a monitor can be stopped.",
			Hint:     "s.Version().Syscalls and s.Version().Monitor may be nil.",
			Book:     "stop", Run: stopLess,
		},
		{
			Name: "sure", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"StopTheWorldWithSema"},
			Property: "A world that has not stopped is not taken for stopped.",
			Hint:     "Look at the count and at each P before you return.",
			Book:     "stop", Run: sure,
		},
		{
			Name: "start", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"StartTheWorldWithSema"},
			Property: "Each P with work gets an M, and one more M looks for the rest.",
			Hint:     "As soon as an M is started for a P, that M may change its Link.",
			Book:     "start", Run: start,
		},
		{
			Name: "wakes", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"StartTheWorldWithSema"},
			Property: "The monitor is woken, and the network asked.",
			Hint:     "The network comes first: what is ready there is work for the Ps.",
			Book:     "start", Run: wakes,
		},
		{
			Name: "safe-point", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"RunSafePointFn"},
			Property: "The function is called once for each P, and counted when it has returned.",
			Hint:     "Who changes RunSafePointFn from 1 to 0 calls it. Nobody else does.",
			Book:     "each", Run: safePoint,
		},
		{
			Name: "each", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"ForEachP", "RunSafePointFn"},
			Property: "The function is called for each P, wherever it is.",
			Hint:     "The message says where the P was.",
			Book:     "each", Run: each,
		},
		{
			Name: "late-call", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"ForEachP", "RunSafePointFn"},
			Property: "A P that enters a system call while ForEachP waits is taken from it.",
			Hint:     "Each time you ask once more, look at the calls once more.",
			Book:     "each", Run: lateCall,
		},
		{
			Name: "each-sure", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"ForEachP"},
			Property: "ForEachP does not return before all is done, and not twice at a time.",
			Hint:     "Three things are to be looked at, one at the beginning.",
			Book:     "each", Run: eachSure,
		},
		{
			Name: "visible", Kind: check.Unit, Points: 1, Deadline: brief,
			Methods:  []string{"StopTheWorldWithSema"},
			Property: "What threads share is in atomic variables, mutexes and Cells of package machine, so that the models see it.",
			Hint:     "The message names the field.",
			Book:     "stop", Run: visible,
		},
		{
			Name: "race-sema", Kind: check.Model, Points: 4, Deadline: ages,
			Methods:  []string{"StopTheWorld", "StartTheWorld"},
			Property: "Two Gs want to stop the world, and one does at a time; none waits for ever.",
			Hint:     "From which step on can another M make gp ready? And where must gp be by then?",
			Book:     "sema", Run: raceSema,
		},
		{
			Name: "race-idle", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"StopTheWorldWithSema", "Gcstopm", "StartTheWorldWithSema"},
			Property: "An M that has nothing to do stops, or becomes idle, and its P is counted once.",
			Hint:     "Which lock is held when a P becomes idle, and which when you look for idle ones?",
			Book:     "counts", Run: race("race-idle"),
		},
		{
			Name: "race-last", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"Gcstopm", "StopTheWorldWithSema"},
			Property: "Of two Ms that stop, the last one wakes whoever waits, and no other.",
			Hint:     "Who may count between your count and your look at it?",
			Book:     "counts", Run: race("race-last"),
		},
		{
			Name: "race-enter", Kind: check.Model, Points: 4, Deadline: ages,
			Methods:  []string{"StopTheWorldWithSema"},
			Property: "A P whose M enters a system call meanwhile is stopped, by one of the two.",
			Hint:     "The M looks at Gcwaiting when its P can be won. What have you done by then?",
			Book:     "counts", Run: race("race-enter"),
		},
		{
			Name: "race-return", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"StopTheWorldWithSema", "StartTheWorldWithSema"},
			Property: "An M that returns from a system call meanwhile has its P, or waits for one.",
			Hint:     "The message says where the P is in the end.",
			Book:     "counts", Run: race("race-return"),
		},
		{
			Name: "race-retake", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"StopTheWorldWithSema"},
			Property: "The monitor takes a P from a call meanwhile, and the P is counted once.",
			Hint:     "Whoever wins the P counts it, or gives it to an M that does.",
			Book:     "counts", Run: race("race-retake"),
		},
		{
			Name: "race-startm", Kind: check.Model, Points: 3, Deadline: ages,
			Methods:  []string{"StopTheWorldWithSema", "Gcstopm"},
			Property: "A P that is on its way to an M stops when it has arrived.",
			Hint:     "A spinning M stops, too. Is it still counted?",
			Book:     "counts", Run: race("race-startm"),
		},
		{
			Name: "race-twice", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"StopTheWorldWithSema", "Gcstopm", "StartTheWorldWithSema"},
			Property: "The world is stopped twice, and nothing is left of the first time.",
			Hint:     "What must be as before when the world has been started?",
			Book:     "counts", Run: race("race-twice"),
		},
		{
			Name: "race-work", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"StartTheWorldWithSema", "Gcstopm"},
			Property: "The work that a P had when the world stopped is done when it runs again.",
			Hint:     "Procresize returns Ps with work. Whose are they?",
			Book:     "start", Run: race("race-work"),
		},
		{
			Name: "race-spin", Kind: check.Model, Points: 3, Deadline: ages,
			Methods:  []string{"StartTheWorldWithSema"},
			Property: "An M that spun stops, and another one looks for what it was to find.",
			Hint:     "Others have woken nobody, since an M spun.",
			Book:     "start", Run: race("race-spin"),
		},
		{
			Name: "race-monitor", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"StartTheWorldWithSema"},
			Property: "The monitor does not sleep when the world runs again, and is woken once.",
			Hint:     "Others wake it, too. What do they hold, and what has to be over before?",
			Book:     "start", Run: race("race-monitor"),
		},
		{
			Name: "race-suspend", Kind: check.Model, Points: 3, Deadline: ages,
			Methods:  []string{"StopTheWorldWithSema"},
			Property: "An M suspends the G that stops the world, and both come to an end.",
			Hint:     "Each of the two waits for the other one to stop. Which of them can be told that it has?",
			Book:     "stop", Run: race("race-suspend"),
		},
		{
			Name: "race-each-idle", Kind: check.Model, Points: 3, Deadline: ages,
			Methods:  []string{"ForEachP", "RunSafePointFn"},
			Property: "A P that becomes idle meanwhile is not forgotten, and runs the function once.",
			Hint:     "In which order does the M read what you write?",
			Book:     "each", Run: race("race-each-idle"),
		},
		{
			Name: "race-each-call", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"ForEachP", "RunSafePointFn"},
			Property: "A P is taken from a system call, and its M is back, and never uses it while the function runs.",
			Hint:     "When is the P somebody else's?",
			Book:     "each", Run: race("race-each-call"),
		},
		{
			Name: "race-each-enter", Kind: check.Model, Points: 3, Deadline: ages,
			Methods:  []string{"ForEachP", "RunSafePointFn"},
			Property: "A P whose M enters a system call meanwhile is not forgotten.",
			Hint:     "You have looked, and it was not in a call. And now it is.",
			Book:     "each", Run: race("race-each-enter"),
		},
		{
			Name: "race-each-carried", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"ForEachP", "RunSafePointFn"},
			Property: "A P that an M takes from the list of idle ones meanwhile is not forgotten.",
			Hint:     "s.Lock keeps the list as it is. For how long do you need that?",
			Book:     "each", Run: race("race-each-carried"),
		},
		{
			Name: "race-each-two", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"ForEachP", "RunSafePointFn"},
			Property: "Two Ps run the function at the same time, one of which is taken from a system call, and both are counted.",
			Hint:     "Which lock is held when SafePointWait changes?",
			Book:     "each", Run: race("race-each-two"),
		},
		{
			Name: "pauses", Kind: check.Program, Points: 3, Deadline: ages,
			Methods:  []string{"StopTheWorld", "StartTheWorld", "StopTheWorldWithSema", "StartTheWorldWithSema", "Gcstopm"},
			Property: "With signals the world stops at once beside for {}, and without them at the next call.",
			Hint:     "First the unit checks. The run is in the evidence.",
			Book:     "run", Run: pauses,
		},
		{
			Name: "resize", Kind: check.Program, Points: 2, Deadline: ages,
			Methods:  []string{"StopTheWorld", "StartTheWorld", "StopTheWorldWithSema", "StartTheWorldWithSema", "Gcstopm"},
			Property: "GOMAXPROCS changes while others compute, talk and sleep, and nothing is lost.",
			Hint:     "First the models.",
			Book:     "run", Run: resize,
		},
		{
			Name: "everywhere", Kind: check.Program, Points: 1, Deadline: ages,
			Methods:  []string{"ForEachP", "RunSafePointFn"},
			Property: "While a program runs, ForEachP comes to all Ps, wherever they are.",
			Hint:     "First the models.",
			Book:     "each", Run: everywhere,
		},
		{
			Name: "threads", Kind: check.Stress, Points: 1, Deadline: ages,
			Methods:  []string{"StopTheWorld", "StartTheWorld", "StopTheWorldWithSema", "StartTheWorldWithSema", "Gcstopm"},
			Property: "The same holds on real threads.",
			Hint:     "Look at the models first.",
			Book:     "run", Run: threads,
		},
		{
			Name: "mine", Kind: check.Mine, Points: 3,
			Methods:  []string{"mine"},
			Property: "Your own test of RunSafePointFn passes on a correct one, and fails on each of the given mutants.",
			Hint:     "Two Ps, and three calls: for one that need not, for the first, and for the last.",
			Book:     "mine",
		},
		{
			Name: "mend-wait", Kind: check.Mended, Points: 2, Deadline: ages,
			Property: "StopTheWorld, whose G was made ready before it waited, is mended with the smallest change, and you know which two steps met.",
			Hint:     "Until when may nobody find the G on the queue?",
			Book:     "sema",
		},
		{
			Name: "mend-last", Kind: check.Mended, Points: 2, Deadline: ages,
			Property: "Gcstopm, after which two Ms thought that they were the last, is mended with the smallest change, and you know which two steps met.",
			Hint:     "The count changes under the lock. Is it looked at there?",
			Book:     "counts",
		},
		{
			Name: "mend-count", Kind: check.Mended, Points: 2, Deadline: ages,
			Property: "RunSafePointFn, after which ForEachP returned too early, is mended with the smallest change, and you know which two steps met.",
			Hint:     "What does the count say to whoever waits?",
			Book:     "each",
		},
		{
			Name: "predict", Kind: check.Predict, Points: 2, Deadline: ages,
			Property: "You know in advance what a small change would do.",
			Hint:     "Think of the other M. Then name the check that would see it.",
			Book:     "counts",
		},
	},
}
