// Package ch13 is the conformance suite of chapter 13: stacks and cooperation.
package ch13

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
	long  = time.Minute
)

// Suite is the chapter's suite.
var Suite = &check.Suite{
	ID:       "ch13",
	Dir:      "ch13_stack",
	Title:    "Stacks and cooperation",
	Go:       "1.2–1.4",
	Parts:    []string{"Stacks"},
	Programs: check.Programs(embedded),
	Checks: []check.Check{
		{
			Name: "context", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Adjustctxt"},
			Property: "The saved context follows the stack: SP always, the other addresses if they point into it.",
			Hint:     "Four fields of G.Sched hold addresses. A stack of which nothing is in use has SP at its high end, which is no longer in it.",
			Book:     "adjust", Run: context,
		},
		{
			Name: "frame", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Adjustframe"},
			Property: "Of a frame, the slots that may hold an address are looked at, and no others.",
			Hint:     "Frame.Pointers has the addresses of these slots. What stands there may be the address of something else.",
			Book:     "adjust", Run: oneFrame,
		},
		{
			Name: "sudogs", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Adjustsudogs"},
			Property: "What others know of a waiting G's stack is adjusted: all its sudogs, and the cases of its select.",
			Hint:     "Where does a sender find the place for its value? And where does the select itself look when it wakes?",
			Book:     "sudogs", Run: sudogs,
		},
		{
			Name: "copy", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"Copystack"},
			Property: "What is in use stands at the end of the new stack, the guard is right, and the old stack is freed, once.",
			Hint:     "Distances from the high end stay as they are.",
			Book:     "copy", Run: copyUsed,
		},
		{
			Name: "copy-frames", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"Copystack", "Adjustframe"},
			Property: "Each address in the old stack is adjusted, whichever frame it is in; numbers that only look like one are not.",
			Hint:     "Machine.Frames calls you for each frame, from a context that is adjusted already. Which slot is met twice?",
			Book:     "adjust", Run: frames,
		},
		{
			Name: "copy-guard", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Copystack"},
			Property: "A request to stop outlives the stack that it was written for.",
			Hint:     "The guard belongs to a stack; Preempt belongs to the G.",
			Book:     "lost", Run: copyGuard,
		},
		{
			Name: "copy-locks", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"Copystack"},
			Property: "The channels that a G waits on are locked while its values move, each once.",
			Hint:     "A channel may be on the list twice; then the two are neighbours.",
			Book:     "sudogs", Run: locks,
		},
		{
			Name: "grow", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Newstack"},
			Property: "A stack that is too small is replaced by one of twice the size; the G is Gcopystack meanwhile, and goes on.",
			Hint:     "Look at what the message says of G1 before and after.",
			Book:     "grow", Run: grow,
		},
		{
			Name: "grow-fit", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Newstack"},
			Property: "A large frame gets room in one step: the size is doubled as often as it takes, and the stack is copied once.",
			Hint:     "Three things must fit: what is in use, the frame, and StackGuard. Func.Frame is in words.",
			Book:     "grow", Run: growFit,
		},
		{
			Name: "grow-limit", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Newstack"},
			Property: "A stack that would exceed the limit ends the program, in Go's words.",
			Hint:     "Two lines to s.Stderr(), and a throw. A stack of exactly the limit would be allowed.",
			Book:     "limit", Run: growLimit,
		},
		{
			Name: "force-move", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"Newstack"},
			Property: "A test can have a stack moved without being enlarged.",
			Hint:     "It is the same as growing, with another size.",
			Book:     "poison", Run: forceMove,
		},
		{
			Name: "can-preempt", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"CanPreemptM"},
			Property: "An M may be interrupted if it has no reason against it, and its P is running.",
			Hint:     "Two conditions, both needed.",
			Book:     "preempt", Run: canPreempt,
		},
		{
			Name: "preempt", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"Newstack"},
			Property: "A G that was asked to stop gives its M away at its next prologue, and its stack does not grow for that.",
			Hint:     "The guard says why the prologue has called.",
			Book:     "preempt", Run: preempt,
		},
		{
			Name: "not-now", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"Newstack"},
			Property: "If the M may not be interrupted the G goes on, with a guard that lets it, and the request is remembered.",
			Hint:     "If the guard stays poisoned the same prologue calls again, at once, for ever.",
			Book:     "preempt", Run: notNow,
		},
		{
			Name: "preempt-shrink", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"Newstack"},
			Property: "A G that is to shrink its stack does so where it stops.",
			Hint:     "Before it gives its M away: after that it is no longer yours.",
			Book:     "shrink", Run: preemptShrink,
		},
		{
			Name: "preempt-stop", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"Newstack"},
			Property: "A G that is to stop for one that looks at its stack is not queued, but parked by PreemptPark.",
			Hint:     "PreemptStop decides between two ways to stop.",
			Book:     "preempt", Run: preemptStop,
		},
		{
			Name: "shrink", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Shrinkstack"},
			Property: "A stack of which less than a quarter is used shrinks by half, but never below that of a new G.",
			Hint:     "The machine's StackSmall counts as used. Half the size, not a quarter.",
			Book:     "shrink", Run: shrink,
		},
		{
			Name: "shrink-safe", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Shrinkstack", "IsShrinkStackSafe"},
			Property: "A stack into which something unknown may point is not moved, nor that of a G that the caller does not hold.",
			Hint:     "Each of the three throws has its own condition; the contract has the words.",
			Book:     "shrink", Run: shrinkSafe,
		},
		{
			Name: "race-not-now", Kind: check.Model, Points: 1, Deadline: long,
			Methods:  []string{"Newstack"},
			Property: "A G whose M may not be interrupted is asked to stop while Newstack is under way: it goes on.",
			Hint:     "How often do you read the guard, and what may it be the second time?",
			Book:     "preempt", Run: raceNotNow,
		},
		{
			Name: "race-ask", Kind: check.Model, Points: 3, Deadline: long,
			Methods:  []string{"Newstack", "Copystack"},
			Property: "While a stack grows the G is asked to stop: it stops, or does so at its next prologue.",
			Hint:     "Follow the lanes: who wrote the guard last? What could the G look at after its own store?",
			Book:     "lost", Run: raceAsk,
		},
		{
			Name: "race-yield", Kind: check.Model, Points: 4, Deadline: long,
			Methods:  []string{"Newstack"},
			Property: "A G that has given its M away may run on another M at once, and nothing of it is touched any more.",
			Hint:     "Which of your lines come after GoschedImpl?",
			Book:     "preempt", Run: raceYield,
		},
		{
			Name: "race-chan", Kind: check.Model, Points: 4, Deadline: long,
			Methods:  []string{"Copystack", "Adjustsudogs"},
			Property: "A value that is sent to a G while its stack moves arrives.",
			Hint:     "Where is Elem when the sender reads it, and was that word copied before or after it writes?",
			Book:     "sudogs", Run: raceChan,
		},
		{
			Name: "race-send", Kind: check.Model, Points: 2, Deadline: long,
			Methods:  []string{"Copystack", "Adjustsudogs"},
			Property: "Nor does a receiver read from a stack that is freed.",
			Hint:     "Until when does a receiver find the old address?",
			Book:     "sudogs", Run: raceSend,
		},
		{
			Name: "race-select", Kind: check.Model, Points: 3, Deadline: long,
			Methods:  []string{"Copystack", "Adjustsudogs"},
			Property: "That holds for each channel of a select.",
			Hint:     "How many channels does the G wait on, and how many of them are locked?",
			Book:     "sudogs", Run: raceSelect,
		},
		{
			Name: "visible", Kind: check.Unit, Points: 1, Deadline: brief,
			Methods:  []string{"IsShrinkStackSafe"},
			Property: "What threads share is in atomic variables, mutexes and Cells of package machine, so that the models see it.",
			Hint:     "The message names the field. Stacks needs none.",
			Book:     "lost", Run: visible,
		},
		{
			Name: "deep", Kind: check.Program, Points: 3, Deadline: long,
			Methods:  []string{"Newstack", "Copystack", "Adjustframe"},
			Property: "A recursion 5000 deep computes the right result, and its stack is copied about ten times.",
			Hint:     "First the unit checks.",
			Book:     "grow", Run: deep,
		},
		{
			Name: "disturbed", Kind: check.Program, Points: 3, Deadline: long,
			Methods:  []string{"Newstack", "Copystack", "Adjustframe", "Adjustctxt", "Adjustsudogs", "Shrinkstack"},
			Property: "Programs do not notice when their stacks move, when they shrink, and when they are stopped, at every call.",
			Hint:     "-2401166626336712788 is 0xdead57acdead57ac, the poison of a freed stack.",
			Book:     "poison", Run: disturbed,
		},
		{
			Name: "random", Kind: check.Program, Points: 3, Deadline: long,
			Methods:  []string{"Newstack", "Copystack", "Adjustframe", "Adjustctxt", "Adjustsudogs", "Shrinkstack"},
			Property: "Nor do random programs.",
			Hint:     "The message has the seed and the program.",
			Book:     "poison", Run: random,
		},
		{
			Name: "stopped", Kind: check.Program, Points: 3, Deadline: long,
			Methods:  []string{"Newstack"},
			Property: "A goroutine that calls a function all the time does not keep its thread.",
			Hint:     "The run is in the evidence: was the goroutine ever preempted?",
			Book:     "preempt", Run: stopped,
		},
		{
			Name: "overflow", Kind: check.Program, Points: 2, Deadline: long,
			Methods:  []string{"Newstack"},
			Property: "A recursion without an end ends at the limit.",
			Hint:     "First grow-limit.",
			Book:     "limit", Run: overflow,
		},
		{
			Name: "threads", Kind: check.Stress, Points: 1, Deadline: long,
			Methods:  []string{"Newstack", "Copystack", "Adjustframe", "Adjustctxt", "Adjustsudogs", "Shrinkstack"},
			Property: "The same holds on real threads.",
			Hint:     "Look at the models first.",
			Book:     "poison", Run: threads,
		},
		{
			Name: "mine", Kind: check.Mine, Points: 4,
			Methods:  []string{"mine"},
			Property: "Your own test of Shrinkstack passes on a correct one, and fails on each of the given mutants.",
			Hint:     "How large is the stack afterwards? Try one that is nearly empty, one that is exactly a quarter full, one that cannot become smaller, and look at what stands on it.",
			Book:     "mine",
		},
		{
			Name: "mend-guard", Kind: check.Mended, Points: 2, Deadline: long,
			Property: "Newstack, which lost a request to stop, is mended with the smallest change, and you know which two steps met.",
			Hint:     "Who has stored a guard already, and may have poisoned it again?",
			Book:     "lost",
		},
		{
			Name: "mend-yield", Kind: check.Mended, Points: 2, Deadline: long,
			Property: "Newstack, which took away a request that was not its own, is mended with the smallest change, and you know which two steps met.",
			Hint:     "Whose is G1 after GoschedImpl?",
			Book:     "preempt",
		},
		{
			Name: "mend-chan", Kind: check.Mended, Points: 2, Deadline: long,
			Property: "Copystack, which lost a value, is mended with the smallest change, and you know which two steps met.",
			Hint:     "To which stack does the sender write, and which one was copied when?",
			Book:     "sudogs",
		},
		{
			Name: "predict", Kind: check.Predict, Points: 2, Deadline: long,
			Property: "You know in advance what a small change would do.",
			Hint:     "Think of the other M: the one that asks, and the one that sends. Then name the check that would see it.",
			Book:     "lost",
		},
	},
}

// visible checks that the models see all shared state.
func visible(t *check.T) {
	w := newWorld(t, 2048)
	w.s.IsShrinkStackSafe(w.gp)
	t.Visible()
}
