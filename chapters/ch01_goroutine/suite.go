// Package ch01 checks chapter 1: the life of a goroutine, from Newproc1 to
// Goexit0, the states between them, and the free list that it ends on.
package ch01

import (
	"embed"
	"io/fs"
	"time"

	"gosched/chapters/check"
)

//go:embed programs/*.go
var files embed.FS

// programs are the Go programs that the checks run.
var programs = func() fs.FS {
	sub, err := fs.Sub(files, "programs")
	if err != nil {
		panic(err)
	}
	return sub
}()

// Suite is the conformance suite of chapter 1.
var Suite = &check.Suite{
	ID:       "ch01",
	Dir:      "ch01_goroutine",
	Title:    "Life of a goroutine",
	Parts:    []string{"Goroutines", "Statuses", "Freelists"},
	Programs: programs,
	Checks: []check.Check{
		{
			Name:     "status-edges",
			Kind:     check.Unit,
			Points:   5,
			Methods:  []string{"Casgstatus"},
			Property: "Casgstatus moves a G along every edge of the diagram.",
			Hint:     "Go through the arrows of the diagram one by one. Do you have the rarely used ones: into and out of copystack and preempted, from dead straight to waiting, from waiting straight to running?",
			Book:     "legal-edges",
			Run:      statusEdges,
		},
		{
			Name:     "status-illegal",
			Kind:     check.Unit,
			Points:   6,
			Methods:  []string{"Casgstatus"},
			Property: "Casgstatus throws, and leaves the G as it was, for every move that is not an arrow of the diagram, and for arguments that hold the scan bit.",
			Hint:     "Which states may follow this one? Write the answer down as data, one row per state, and have Casgstatus look it up before it touches the G.",
			Book:     "legal-edges",
			Run:      statusIllegal,
		},
		{
			Name:     "status-wrong-state",
			Kind:     check.Unit,
			Points:   5,
			Methods:  []string{"Casgstatus"},
			Property: "Casgstatus throws, and leaves the G as it was, if the G is not in the state that the caller names.",
			Hint:     "A compare-and-swap that fails has not told you why. Load the state and look: can waiting help, or is the caller simply wrong?",
			Book:     "one-atomic-step",
			Deadline: 5 * time.Second,
			Run:      statusWrongState,
		},
		{
			Name:     "status-race",
			Kind:     check.Model,
			Points:   4,
			Methods:  []string{"Casgstatus"},
			Property: "When two Ms move the same G from the same state, one of them succeeds, and Casgstatus throws for the other.",
			Hint:     "Between a load that finds the right state and a store of the new one, the other M can do the same. Which operation looks and changes in one step?",
			Book:     "one-atomic-step",
			Run:      model(statusRace),
		},
		{
			Name:     "status-scan",
			Kind:     check.Model,
			Points:   4,
			Methods:  []string{"Casgstatus"},
			Property: "While another M holds the scan bit Casgstatus waits; when the bit is cleared, it makes its move.",
			Hint:     "The scan bit is a lock on the state, held by another M. What do you do when you find a lock taken that is only ever held for a moment? The models see that you wait if you do it with machine.Procyield, machine.Osyield or machine.Usleep.",
			Book:     "scan-bit",
			Run:      model(statusScan),
		},
		{
			Name:     "free-reuse",
			Kind:     check.Unit,
			Points:   6,
			Methods:  []string{"Gfget", "Gfput"},
			Property: "The free list gives back the very Gs that were put on it, the last one first, counts them in GFree.N, and accepts only dead ones.",
			Hint:     "A list that is linked through the Gs themselves needs no memory. At which end are putting and getting a matter of two assignments? And what must the link of a G be once it has left the list?",
			Book:     "free-list",
			Run:      freeReuse,
		},
		{
			Name:     "free-stacks",
			Kind:     check.Unit,
			Points:   5,
			Methods:  []string{"Gfget", "Gfput"},
			Property: "A grown stack is freed, not kept; a G with a stack is given out before one without; and one without a stack gets a new stack and its guard.",
			Hint:     "After Gfput, who owns the memory of the grown stack, and can the G still find it? Before Gfget returns, can the caller use the G at once?",
			Book:     "free-list",
			Run:      freeStacks,
		},
		{
			Name:     "free-race",
			Kind:     check.Model,
			Points:   5,
			Methods:  []string{"Gfget", "Gfput"},
			Property: "Several Ms may use the free list at once: each G on it is given out once, what they share changes only under GFree.Lock, and whoever holds that lock finds as many Gs as GFree.N says.",
			Hint:     "There is one thread now, but from chapter 5 on there are many, and all of them share this list. During which stretch is a G yours alone: before Gfput has put it on the list, or after?",
			Book:     "free-list",
			Run:      model(freeRace),
		},
		{
			Name:     "new-context",
			Kind:     check.Unit,
			Points:   6,
			Methods:  []string{"Newproc1"},
			Property: "A new G resumes at the first instruction of its function, on its own stack, and the function returns to goexit.",
			Hint:     "What does the stack of a function look like right after the call? Gostartcall pushes one word and sets the pc. What must the context say beforehand, so that the word is the address of goexit and lies at the top of the stack?",
			Book:     "first-instruction",
			Run:      newContext,
		},
		{
			Name:     "new-identity",
			Kind:     check.Unit,
			Points:   5,
			Methods:  []string{"Newproc1"},
			Property: "A new G is runnable, belongs to no M, has the next Goid from 1, knows what it runs and who created it, and is on the list of all Gs exactly once, before it is runnable.",
			Hint:     "Compare with the fields of gmp.G, one by one. The main goroutine has no creator.",
			Book:     "first-instruction",
			Run:      newIdentity,
		},
		{
			Name:     "new-second-life",
			Kind:     check.Unit,
			Points:   5,
			Methods:  []string{"Newproc1"},
			Property: "A G from the free list starts as clean as a new one: a new Goid, a new creator, an empty context, and a guard that is not poisoned.",
			Hint:     "What did the last life leave in the saved context? Its stack pointer is deep in the stack, its last trap is still recorded, its guard may hold StackPreempt.",
			Book:     "second-life",
			Run:      newSecondLife,
		},
		{
			Name:     "new-nil",
			Kind:     check.Program,
			Points:   3,
			Methods:  []string{"Newproc1"},
			Property: "A go statement with a nil function ends the program: fatal error: go of nil func value.",
			Hint:     "The program cannot recover from this: it is a throw, not a panic.",
			Book:     "first-instruction",
			Run:      newNil,
		},
		{
			Name:     "new-creator",
			Kind:     check.Program,
			Points:   3,
			Methods:  []string{"Newproc1"},
			Property: "A traceback says which function created a goroutine, and in which goroutine that function ran.",
			Hint:     "The traceback reads Gopc and Parentgoid. Which G is the parent: the one that executes go, or the one that it makes?",
			Book:     "first-instruction",
			Run:      newCreator,
		},
		{
			Name:     "new-race",
			Kind:     check.Model,
			Points:   5,
			Methods:  []string{"Newproc1"},
			Property: "Two Ms may make Gs at once: each gets a G of its own, with a Goid of its own; and an M that finds a new G runnable finds all of it: what it runs, who made it, and its context.",
			Hint:     "The change to runnable is the publication. Everything that others may read comes before it, and nothing comes after.",
			Book:     "publish-last",
			Run:      model(newRace),
		},
		{
			Name:     "exit-forgets",
			Kind:     check.Unit,
			Points:   6,
			Methods:  []string{"Goexit0"},
			Property: "A G that has ended is dead and has forgotten what its life was about, but it is still on the list of all Gs and keeps its stack.",
			Hint:     "Go through the fields of gmp.G. Which of them would the next life act upon? Which would keep memory alive? And which belong to the G itself, not to one of its lives?",
			Book:     "goexit",
			Run:      exitForgets,
		},
		{
			Name:     "exit-order",
			Kind:     check.Unit,
			Points:   5,
			Methods:  []string{"Goexit0"},
			Property: "Goexit0 puts the G on the free list only when it is dead and no M holds it; then, last and exactly once, it schedules.",
			Hint:     "From the moment the G is on the free list, another M may make it a new goroutine. What would go wrong if something still remained to be done with it?",
			Book:     "goexit",
			Run:      exitOrder,
		},
		{
			Name:     "exit-race",
			Kind:     check.Model,
			Points:   5,
			Methods:  []string{"Goexit0"},
			Property: "Gs may end on two Ms at once, and as soon as one is on the free list its next life may begin: Goexit0 no longer touches it. As long as its state says that it runs, it is linked to its M.",
			Hint:     "The free list is the publication: another M takes the G from there and runs it while your M is still between two statements. So what belongs to its last life is cleared before. And its state changes before it is unlinked.",
			Book:     "publish-last",
			Run:      model(exitRace),
		},
		{
			Name:     "runs",
			Kind:     check.Program,
			Points:   3,
			Methods:  []string{"Newproc1", "Goexit0"},
			Property: "A program's goroutines run, keep their own stacks, and end.",
			Hint:     "Look at the trace in the evidence: which goroutine was created, and did it run and exit once? If values are wrong, ask whether two goroutines could have had the same stack.",
			Book:     "goexit",
			Run:      runs,
		},
		{
			Name:     "waves",
			Kind:     check.Program,
			Points:   4,
			Methods:  []string{"Newproc1", "Goexit0", "Gfget", "Gfput"},
			Property: "A program that starts 10,000 goroutines, ten at a time, needs no more than a dozen Gs.",
			Hint:     "Follow one G: does Goexit0 put it on the free list, and does Newproc1 look there first?",
			Book:     "free-list",
			Run:      waves,
		},
		{
			Name:     "visible",
			Kind:     check.Unit,
			Points:   1,
			Methods:  []string{"Gfget"},
			Property: "What Ms share is in atomic variables, mutexes and Cells of package machine, so that the models see it.",
			Hint:     "All Ms share a field of a part. If you need one, make it a machine.Cell under a lock, or a machine.Pointer, Uint32 or the like.",
			Book:     "publish-last",
			Run:      visible,
		},
		{
			Name:     "mine",
			Kind:     check.Mine,
			Points:   7,
			Methods:  []string{"mine"},
			Property: "Your own test passes on the correct parts and fails on each of the given wrong ones.",
			Hint:     "Take one wrong part at a time and finish the sentence: with this one, I could observe that …",
			Book:     "exercise",
		},
		{
			Name:     "predict",
			Kind:     check.Predict,
			Points:   2,
			Property: "You know in advance what a small change would do.",
			Hint:     "Think of another M that looks at the G between any two lines: through which of them can it find the G, and what does it then do with it?",
			Book:     "publish-last",
		},
	},
}
