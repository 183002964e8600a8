// Package ch04 is the conformance suite of chapter 4: select, and what sync's locks
// sleep on.
package ch04

import (
	"embed"
	"io/fs"
	"time"

	"gosched/chapters/check"
)

//go:embed programs/*.go
var embedded embed.FS

// programs returns the folder of the Go programs.
func programs() fs.FS {
	dir, err := fs.Sub(embedded, "programs")
	if err != nil {
		panic(err) // the path is a constant
	}
	return dir
}

// blocks is the deadline of the checks, each of which takes a few milliseconds. A
// part that forgets to unlock something blocks many of them.
const blocks = 5 * time.Second

// Suite is the chapter's suite.
var Suite = &check.Suite{
	ID:       "ch04",
	Dir:      "ch04_select",
	Title:    "Waiting for several things",
	Go:       "0.x",
	Parts:    []string{"Waitqs", "Select", "Semaphores", "NotifyLists"},
	Programs: programs(),
	Checks: []check.Check{
		{
			Name: "one-winner", Kind: check.Unit, Points: 5, Deadline: blocks,
			Methods:  []string{"Dequeue"},
			Property: "Of the cases of a select one is dequeued; the others are passed over.",
			Hint:     "Two senders on two channels hold two different locks. Which word do both of them look at?",
			Book:     "winner", Run: waitqOneWinner,
		},
		{
			Name: "no-select", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Dequeue"},
			Property: "Waiters that are in no select leave in the order in which they came.",
			Hint:     "Ask the sudog first whether it stands for a select.",
			Book:     "winner", Run: waitqPlain,
		},
		{
			Name: "select-ready", Kind: check.Unit, Points: 5, Deadline: blocks,
			Methods:  []string{"Selectgo"},
			Property: "A case that can go on is done at once: from or to a waiter, the buffer, or a closed channel.",
			Hint:     "It is Chansend and Chanrecv without the waiting. Who unlocks which channels, if Send unlocks one?",
			Book:     "select", Run: selectReady,
		},
		{
			Name: "select-default", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Selectgo"},
			Property: "With a default a select never waits, and leaves nothing behind.",
			Hint:     "The answer is -1. Two cases may have the same channel: it has one lock.",
			Book:     "select", Run: selectDefault,
		},
		{
			Name: "select-waits", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Selectgo"},
			Property: "A select that has to wait stands on the queues of all its channels, which stay locked until it waits.",
			Hint:     "The order of gp.Waiting is that of the locks: those who lock again later have nothing else to go by.",
			Book:     "select", Run: selectWaits,
		},
		{
			Name: "select-done", Kind: check.Unit, Points: 5, Deadline: blocks,
			Methods:  []string{"SelectgoDone"},
			Property: "A woken select leaves the queues of all losers, stores its results, and can begin again.",
			Hint:     "What would a sender find on the queue of a losing case? And what does SelectDone say to the next select of this G?",
			Book:     "losers", Run: selectDone,
		},
		{
			Name: "select-closed", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Selectgo", "SelectgoDone"},
			Property: "A close wakes a select: a receive gets a zero value, a send panics, when its G runs.",
			Hint:     "The winner's sudog says whether a value went over.",
			Book:     "losers", Run: selectClosed,
		},
		{
			Name: "select-fair", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Selectgo"},
			Property: "If several cases can go on, each is as likely as any other.",
			Hint:     "Shuffle, rather than begin at a random place: how often is the case behind one that cannot go on?",
			Book:     "shuffle", Run: selectFair,
		},
		{
			Name: "select-nil", Kind: check.Unit, Points: 1, Deadline: blocks,
			Methods:  []string{"Selectgo"},
			Property: "A select without a channel waits for ever, and says whether it has cases.",
			Hint:     "A nil channel is in neither order.",
			Book:     "select", Run: selectNil,
		},
		{
			Name: "sema-tree", Kind: check.Unit, Points: 6, Deadline: blocks,
			Methods:  []string{"SemaQueue", "SemaDequeue"},
			Property: "The waiters hang in a tree by address that is a heap by ticket; each node is the first of its list.",
			Hint:     "Draw three nodes and rotate. How many pointers change? Each link down has one up.",
			Book:     "treap", Run: semaTree,
		},
		{
			Name: "sema-flat", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"SemaQueue"},
			Property: "The tree stays flat, whatever the order of the addresses.",
			Hint:     "Tickets that rise or fall with the addresses make a list of it.",
			Book:     "treap", Run: semaFlat,
		},
		{
			Name: "sema-acquire", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Semacquire1", "SemacquireDone", "Semrelease1"},
			Property: "Who finds a count of 0 waits, counted and queued, until a release.",
			Hint:     "Nwait counts those who wait at this root, or are about to.",
			Book:     "sema", Run: semaAcquire,
		},
		{
			Name: "sema-recheck", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Semacquire1"},
			Property: "A release between the first look and the lock is not missed.",
			Hint:     "Look once more, when you hold the lock and are counted.",
			Book:     "missed", Run: semaRecheck,
		},
		{
			Name: "sema-barging", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"SemacquireDone"},
			Property: "Who was woken without a hand-over has nothing yet: somebody may be quicker, and then it waits again.",
			Hint:     "The count is free for all from the moment of the release on.",
			Book:     "handoff", Run: semaBarging,
		},
		{
			Name: "sema-handoff", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"SemacquireDone", "Semrelease1"},
			Property: "A hand-over gives the count to the waiter, and nobody else can take it; who hands over yields.",
			Hint:     "Take it for the waiter, before anybody else can. How does the waiter learn of it?",
			Book:     "handoff", Run: semaHandoff,
		},
		{
			Name: "sema-order", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Semacquire1", "Semrelease1"},
			Property: "Waiters of one address leave in the order in which they came, after those with lifo; those of other addresses stay.",
			Hint:     "A root has the waiters of many addresses. If there is none for this one, Nwait stays.",
			Book:     "sema", Run: semaOrder,
		},
		{
			Name: "notify-one", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"NotifyListAdd", "NotifyListWait", "NotifyListWaitDone", "NotifyListNotifyOne"},
			Property: "Each notification goes to the oldest ticket, even if its holder has not come to wait, or came late; tickets may go round.",
			Hint:     "Compare tickets by their difference, as a signed number.",
			Book:     "cond", Run: notifyOne,
		},
		{
			Name: "notify-all", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"NotifyListAdd", "NotifyListWait", "NotifyListNotifyAll"},
			Property: "NotifyListNotifyAll notifies every ticket that was taken, and none that will be.",
			Hint:     "Notify jumps to Wait, under the lock.",
			Book:     "cond", Run: notifyAll,
		},
		{
			Name: "select-program", Kind: check.Program, Points: 4, Deadline: time.Minute,
			Methods:  []string{"Dequeue", "Selectgo", "SelectgoDone"},
			Property: "A program full of selects prints what it prints under Go, also if it is interrupted after every k instructions, for each k up to 50.",
			Hint:     "Play it, and step through its timeline.",
			Book:     "select", Run: selectProgram,
		},
		{
			Name: "sync-program", Kind: check.Program, Points: 4, Deadline: time.Minute,
			Methods:  []string{"Semacquire1", "SemacquireDone", "Semrelease1", "SemaQueue", "SemaDequeue", "NotifyListAdd", "NotifyListWait", "NotifyListNotifyOne", "NotifyListNotifyAll"},
			Property: "sync's Mutex, RWMutex, WaitGroup, Once and Cond work on these semaphores, under every interruption.",
			Hint:     "They are ordinary Go programs on top of your parts. Which of the five fails?",
			Book:     "mutex", Run: syncProgram,
		},
	},
}
