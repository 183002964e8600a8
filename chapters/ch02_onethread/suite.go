// Package ch02 is the conformance suite of chapter 2: a scheduler of one thread
// and one queue.
package ch02

import (
	"embed"
	"time"

	"gosched/chapters/check"
)

//go:embed programs/*.go
var embedded embed.FS

// Deadlines: of checks that take a few milliseconds, nearly all of which a part blocks that
// takes a lock twice; and of large models, which take up to a second on a computer with
// nothing else to do, and now and then had six times as long on a busy one.
const (
	blocks   = 5 * time.Second
	explores = time.Minute
)

// Suite is the chapter's suite.
var Suite = &check.Suite{
	ID:       "ch02",
	Dir:      "ch02_onethread",
	Title:    "One thread",
	Go:       "0.x",
	Parts:    []string{"Boot", "Loop", "Submission", "GlobalQueue", "Deadlock"},
	Programs: check.Programs(embedded),
	Checks: []check.Check{
		{
			Name: "queue-fifo", Kind: check.Unit, Points: 5, Deadline: blocks,
			Methods:  []string{"Globrunqput", "Globrunqget"},
			Property: "The global queue gives Gs back in the order in which they were put, and nil when it is empty.",
			Hint:     "Draw the list with Head and Tail for three Gs, then take them all, then put one more. What does Tail point to when the last G has left, and what reads it next?",
			Book:     "queue", Run: queueFIFO,
		},
		{
			Name: "queue-head", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Globrunqputhead"},
			Property: "A G put at the head is the next one taken; those behind it keep their order.",
			Hint:     "In an empty queue the first G is also the last one.",
			Book:     "queue", Run: queueHead,
		},
		{
			Name: "queue-links", Kind: check.Unit, Points: 5, Deadline: blocks,
			Methods:  []string{"Globrunqput", "Globrunqputhead", "Globrunqget"},
			Property: "After any sequence of calls Head, Tail, Size and the Schedlinks agree, Tail is nil if the queue is empty, and a G that has left points to no other G.",
			Hint:     "The message shows the shortest sequence that goes wrong. Chapter 7 moves whole lists on and off this queue and trusts all three fields.",
			Book:     "queue", Run: queueLinks,
		},
		{
			Name: "queue-lock", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Globrunqput", "Globrunqputhead", "Globrunqget"},
			Property: "The queue never touches s.Lock: its caller holds it.",
			Hint:     "The lock is not reentrant. An M that takes it twice waits for itself.",
			Book:     "lock", Run: queueLock,
		},
		{
			Name: "execute-links", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Execute"},
			Property: "Execute makes the G the current one of its M, linked both ways and running, through Casgstatus.",
			Hint:     "Two pointers and one change of state, which comes last. There is a part that checks changes of state.",
			Book:     "loop", Run: executeLinks,
		},
		{
			Name: "schedule-head", Kind: check.Unit, Points: 5, Deadline: blocks,
			Methods:  []string{"Schedule"},
			Property: "Schedule takes the G at the head off the queue, releases the lock, and executes the G.",
			Hint:     "A running G is on no queue: it leaves the queue before it runs, not when it has finished.",
			Book:     "invariant", Run: scheduleHead,
		},
		{
			Name: "schedule-empty", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Schedule"},
			Property: "With an empty queue Schedule calls Checkdead, with s.Lock held, and runs nothing.",
			Hint:     "One thread, nothing runnable: what could ever make a G runnable again?",
			Book:     "deadlock", Run: scheduleEmpty,
		},
		{
			Name: "schedule-over", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Schedule"},
			Property: "When the program is over, Schedule returns and leaves the queue alone.",
			Hint:     "Sched knows whether the program has exited.",
			Book:     "main-exit", Run: scheduleOver,
		},
		{
			Name: "schedule-race", Kind: check.Model, Points: 5, Deadline: explores,
			Methods:  []string{"Schedule", "Execute"},
			Property: "When several Ms schedule at once, each G goes to one of them; what is found empty under s.Lock is still empty when Checkdead is called; and a G is linked to its M before its state says that it runs.",
			Hint:     "The look at the queue and what follows from it are one step: one section under the lock. And which of the three changes in Execute tells others that the G runs?",
			Book:     "loop", Run: model(scheduleRace),
		},
		{
			Name: "newproc-tail", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Newproc"},
			Property: "A go statement makes one G, with the caller's G and saved pc, and queues it at the tail; the caller goes on.",
			Hint:     "A go statement is not a call: nothing switches. At boot there is no caller, and nil has no saved pc.",
			Book:     "submission", Run: newprocTail,
		},
		{
			Name: "ready-queues", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Ready"},
			Property: "Ready makes a waiting G runnable, then queues it at the tail; it throws for any other G.",
			Hint:     "State first, queue second. Which of the two makes the G visible to others?",
			Book:     "submission", Run: readyQueues,
		},
		{
			Name: "gosched-tail", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"GoschedImpl"},
			Property: "A G that yields, or is made to, leaves its M and goes to the end of the queue, and the first one there runs.",
			Hint:     "Four things in order: its state, the links between M and G, the queue, the next G.",
			Book:     "submission", Run: goschedTail,
		},
		{
			Name: "submit-lock", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Newproc", "Ready", "GoschedImpl"},
			Property: "s.Lock is held while the queue is touched, and not a moment longer.",
			Hint:     "Schedule takes the lock itself. Making a G needs no lock at all.",
			Book:     "lock", Run: submitLock,
		},
		{
			Name: "submit-race", Kind: check.Model, Points: 4, Deadline: explores,
			Methods:  []string{"Newproc", "Ready"},
			Property: "Two Ms may submit Gs at once, and another M may run a G to its end as soon as s.Lock is free: an M that has queued a G no longer touches it.",
			Hint:     "The queue is the publication. What do you still do with the G once it is there, and what in it should another M already find?",
			Book:     "submission", Run: model(submitRace),
		},
		{
			Name: "yield-race", Kind: check.Model, Points: 4, Deadline: blocks,
			Methods:  []string{"GoschedImpl"},
			Property: "As soon as a G that yields is queued, another M may run it: by then it is runnable, and its M has let go of it. And as long as its state says that it runs, it is linked to its M.",
			Hint:     "State, links, queue: in which order does nothing half done ever show, neither to an M that takes the G from the queue nor to one that looks at a running G?",
			Book:     "submission", Run: model(yieldRace),
		},
		{
			Name: "boot-order", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Schedinit"},
			Property: "Schedinit leaves an empty scheduler with one runnable G, number 1, for s.Mainfn; it runs nothing.",
			Hint:     "Everything empty, then one go statement. The router shows what calls Schedule next.",
			Book:     "boot", Run: bootOrder,
		},
		{
			Name: "main-exit", Kind: check.Unit, Points: 5, Deadline: blocks,
			Methods:  []string{"MainExit"},
			Property: "MainExit runs the exit hooks, the last one first and each one once, even if a hook ends the program itself, and then ends the program.",
			Hint:     "Hooks are added in the order in which things were set up. In what order are those taken down? And what does os.Exit find on the list when a hook calls it?",
			Book:     "main-exit", Run: mainExit,
		},
		{
			Name: "deadlock-words", Kind: check.Unit, Points: 5, Deadline: blocks,
			Methods:  []string{"Checkdead"},
			Property: "Checkdead throws what fits: all Gs asleep, none left, or a G that could run, or does run, and that the scheduler has lost.",
			Hint:     "A dead G is neither asleep nor left. A runnable one is worse than a deadlock, and so is one that is said to run. And the scan bit may be set beside the state.",
			Book:     "deadlock", Run: deadlockWords,
		},
		{
			Name: "spawn-order", Kind: check.Program, Points: 3, Deadline: blocks,
			Methods:  []string{"Newproc", "Schedule", "Globrunqput", "Globrunqget"},
			Property: "Goroutines first run in the order of their go statements, after the one that started them has let go.",
			Hint:     "order.go is in programs/. Play it and step through its timeline.",
			Book:     "order", Run: spawnOrder,
		},
		{
			Name: "yield-rounds", Kind: check.Program, Points: 3, Deadline: blocks,
			Methods:  []string{"GoschedImpl", "Schedule"},
			Property: "Goroutines that yield after each line take turns, round by round.",
			Hint:     "A G that yields goes behind all others that can run, not just behind one.",
			Book:     "rounds", Run: yieldRounds,
		},
		{
			Name: "main-cuts", Kind: check.Program, Points: 3, Deadline: blocks,
			Methods:  []string{"MainExit", "Schedule"},
			Property: "When main returns, or any goroutine calls os.Exit, no goroutine runs another instruction.",
			Hint:     "main's return is not the end of one goroutine among others.",
			Book:     "main-exit", Run: mainCuts,
		},
		{
			Name: "goexit-deadlock", Kind: check.Program, Points: 2, Deadline: blocks,
			Methods:  []string{"Schedule", "Checkdead"},
			Property: "When main has left by Goexit and all others have ended, the program ends as Go's does.",
			Hint:     "No goroutine is left to return from main: the program cannot end well.",
			Book:     "deadlock", Run: goexitDeadlock,
		},
		{
			Name: "interrupted", Kind: check.Program, Points: 5, Deadline: time.Minute,
			Methods:  []string{"GoschedImpl", "Schedule", "Newproc", "Globrunqput", "Globrunqget"},
			Property: "Random trees of goroutines print the same lines, whether they are left alone or interrupted after every k instructions, for each k up to 50.",
			Hint:     "A G that is interrupted did not ask for it, but it must still come back.",
			Book:     "rounds", Run: interrupted,
		},
		{
			Name: "visible", Kind: check.Unit, Points: 1, Deadline: blocks,
			Methods:  []string{"Globrunqget"},
			Property: "What Ms share is in atomic variables, mutexes and Cells of package machine, so that the models see it.",
			Hint:     "All Ms share a field of a part. If you need one, make it a machine.Cell under s.Lock, or a machine.Pointer, Uint32 or the like.",
			Book:     "lock", Run: visible,
		},
		{
			Name: "mine", Kind: check.Mine, Points: 5,
			Methods:  []string{"mine"},
			Property: "Your own test passes on a correct global queue and fails on each of the wrong ones.",
			Hint:     "Most mistakes in a queue show when it becomes empty, or stops being empty.",
			Book:     "mine",
		},
		{
			Name: "predict", Kind: check.Predict, Points: 2,
			Property: "You know in advance what a small change would do.",
			Hint:     "Think of another M that comes between any two lines. Does it get s.Lock there, and what does it find?",
			Book:     "invariant",
		},
	},
}
