// Package ch04 is the conformance suite of chapter 4: select, and what sync's locks
// sleep on.
package ch04

import (
	"embed"
	"time"

	"gosched/chapters/check"
)

//go:embed programs/*.go
var embedded embed.FS

// The deadlines: of the checks that take a few milliseconds, and of those that play
// programs, which take about a second. A part that forgets to unlock something, or
// goes round in a queue, blocks many of them.
const (
	blocks = 15 * time.Second
	plays  = 20 * time.Second
)

// Suite is the chapter's suite.
var Suite = &check.Suite{
	ID:       "ch04",
	Dir:      "ch04_select",
	Title:    "Waiting for several things",
	Go:       "0.x",
	Parts:    []string{"Waitqs", "Select", "Semaphores", "NotifyLists"},
	Programs: check.Programs(embedded),
	Checks: []check.Check{
		{
			Name: "one-winner", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Dequeue"},
			Property: "Of the cases of a select one is dequeued; the others are passed over.",
			Hint:     "Two senders on two channels hold two different locks. Which word do both of them look at?",
			Book:     "winner", Run: waitqOneWinner,
		},
		{
			Name: "no-select", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Dequeue"},
			Property: "Waiters that are in no select leave in the order in which they came.",
			Hint:     "First ask the sudog whether it stands for a select.",
			Book:     "winner", Run: waitqPlain,
		},
		{
			Name: "queue-links", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Dequeue"},
			Property: "The queue is linked both ways, and stays so, whichever sudog is taken, passed over or leaves from the middle.",
			Hint:     "A sudog that leaves has two neighbours, or is the first or the last. How many links lead to it?",
			Book:     "winner", Run: waitqLinks,
		},
		{
			Name: "winner-race", Kind: check.Model, Points: 3, Deadline: blocks,
			Methods:  []string{"Dequeue"},
			Property: "Two threads find one select on two channels at the same moment: exactly one gets it.",
			Hint:     "Looking and then setting are two steps. Which operation is both?",
			Book:     "winner", Run: meeting(bothFind),
		},
		{
			Name: "select-ready", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Selectgo"},
			Property: "A case that can go on is done at once: from or to a waiter, the buffer, or a closed channel.",
			Hint:     "It is Chansend and Chanrecv without the waiting. Which channels do you unlock, if Send already unlocks one?",
			Book:     "select", Run: selectReady,
		},
		{
			Name: "select-buffer", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Selectgo"},
			Property: "Select sends into a buffer and receives from it in the channel's order; what is in the buffer of a closed channel is received first.",
			Hint:     "Closed and empty are two questions. Which one does a receive ask first? And the buffer is a ring.",
			Book:     "select", Run: selectBuffer,
		},
		{
			Name: "select-default", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Selectgo"},
			Property: "With a default a select never waits, and leaves nothing behind.",
			Hint:     "The answer is -1. Two cases may have the same channel: it has one lock.",
			Book:     "select", Run: selectDefault,
		},
		{
			Name: "select-waits", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Selectgo"},
			Property: "A select that has to wait is on the queues of all its channels, which stay locked until it waits.",
			Hint:     "The order of gp.Waiting is that of the locks: code that locks again later has nothing else to go by.",
			Book:     "select", Run: selectWaits,
		},
		{
			Name: "select-locks", Kind: check.Model, Points: 3, Deadline: blocks,
			Methods:  []string{"Selectgo", "SelectgoDone"},
			Property: "A select locks its channels in the order of their addresses, each once, before it looks and again after it was woken.",
			Hint:     "A channel that two cases share is in the list of cases twice, side by side if the list is sorted.",
			Book:     "select", Run: meeting(lockOrder),
		},
		{
			Name: "select-done", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"SelectgoDone"},
			Property: "A woken select leaves the queues of all losers, stores its results, and can start again.",
			Hint:     "What would a sender find on the queue of a losing case? And what does SelectDone say to the next select of this G?",
			Book:     "losers", Run: selectDone,
		},
		{
			Name: "select-late", Kind: check.Model, Points: 2, Deadline: blocks,
			Methods:  []string{"SelectgoDone"},
			Property: "An operation that comes to a losing case while the woken select is about to leave it does not get it.",
			Hint:     "SelectDone may be 0 again only when none of the sudogs can be found: when all channels are locked.",
			Book:     "losers", Run: meeting(lateSender),
		},
		{
			Name: "select-partners", Kind: check.Model, Points: 2, Deadline: blocks,
			Methods:  []string{"Dequeue", "Selectgo", "SelectgoDone"},
			Property: "A select meets the partners of two of its cases at once, on two Ms: one of them is served, and the other keeps waiting, with its value.",
			Hint:     "Each partner holds only the lock of its own channel. What do both look at? And once the select is ready, another M may run it to its end: what must have been done before?",
			Book:     "losers", Run: meeting(oneWinner),
		},
		{
			Name: "select-close-race", Kind: check.Model, Points: 2, Deadline: blocks,
			Methods:  []string{"Dequeue", "Selectgo", "SelectgoDone"},
			Property: "A select meets closes of its channels, and a sender: a case is done, or the select panics, but not both.",
			Hint:     "A close takes the sudogs off its channel as a sender does, by Dequeue, and may come too late.",
			Book:     "losers", Run: meeting(closes),
		},
		{
			Name: "select-selects", Kind: check.Model, Points: 2, Deadline: blocks,
			Methods:  []string{"Dequeue", "Selectgo", "SelectgoDone"},
			Property: "Two selects meet that list the same two channels in different orders: one sends what the other receives.",
			Hint:     "With all channels locked in one order, one of the two looks first, finds nothing, and waits; then the other finds it.",
			Book:     "select", Run: meeting(selectsMeet),
		},
		{
			Name: "select-buffer-race", Kind: check.Model, Points: 1, Deadline: blocks,
			Methods:  []string{"Selectgo", "SelectgoDone"},
			Property: "A select sends into a buffer, or receives from it, while another M does the opposite: the value goes over.",
			Hint:     "The buffer, its count and its two places are under the channel's lock.",
			Book:     "select", Run: meetingAt(1, throughBuffer),
		},
		{
			Name: "select-moved", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Selectgo", "SelectgoDone"},
			Property: "Values and results find their places when the stack of the waiting G has moved.",
			Hint:     "Copystack follows gp.Waiting, and gp.Selects. An address that you keep anywhere else does not change.",
			Book:     "losers", Run: selectMoved,
		},
		{
			Name: "select-closed", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Selectgo", "SelectgoDone"},
			Property: "A close wakes a select: a receive gets a zero value, a send panics, when its G runs.",
			Hint:     "The winner's sudog says whether a value went over.",
			Book:     "losers", Run: selectClosed,
		},
		{
			Name: "select-fair", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Selectgo"},
			Property: "If several cases can go on, each is as likely as any other.",
			Hint:     "Shuffle, instead of starting at a random place: how often is the case behind one that cannot go on picked?",
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
			Name: "sema-queue", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"SemaQueue", "SemaDequeue"},
			Property: "The waiters of an address leave in the order in which they came, except that those with lifo come first; a waiter that leaves is blank except for its G.",
			Hint:     "It is about the list of one address: what becomes of the others when the first one leaves, or when a new first one comes?",
			Book:     "treap", Run: semaQueue,
		},
		{
			Name: "sema-tree", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"SemaQueue", "SemaDequeue"},
			Property: "What SemaQueue and SemaDequeue keep is the treap of Go 1.9 and later: a tree by address that is a heap by ticket; each node is the first of its list.",
			Hint:     "Draw three nodes and rotate. How many pointers change? Each link down has a matching one up.",
			Book:     "treap", Run: semaTree,
		},
		{
			Name: "sema-flat", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"SemaQueue"},
			Property: "The treap stays flat, whatever the order of the addresses.",
			Hint:     "Tickets that rise or fall with the addresses turn it into a list.",
			Book:     "treap", Run: semaFlat,
		},
		{
			Name: "sema-acquire", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Semacquire1", "SemacquireDone", "Semrelease1"},
			Property: "A G that finds a count of 0 waits, counted and queued, until a release.",
			Hint:     "Nwait counts those that wait at this root, or are about to.",
			Book:     "sema", Run: semaAcquire,
		},
		{
			Name: "sema-missed", Kind: check.Model, Points: 3, Deadline: blocks,
			Methods:  []string{"Semacquire1", "Semrelease1"},
			Property: "However an acquire and a release meet, the acquirer gets the count, or is woken.",
			Hint:     "The message tells in which order it went wrong. Each of the two says something and then looks for what the other says; if one looks first, both may see nothing.",
			Book:     "missed", Run: counting(missed),
		},
		{
			Name: "sema-barging", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"SemacquireDone"},
			Property: "A waiter that was woken without a hand-over has nothing yet: another G may be quicker, and then it waits again, where and for what it first asked.",
			Hint:     "The count is there for any G to take from the moment of the release.",
			Book:     "handoff", Run: semaBarging,
		},
		{
			Name: "sema-handoff", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"SemacquireDone", "Semrelease1"},
			Property: "A hand-over gives the count to the waiter, and no other G can take it; the G that hands over yields.",
			Hint:     "Take it for the waiter, before any other G can. How does the waiter learn of it?",
			Book:     "handoff", Run: semaHandoff,
		},
		{
			Name: "sema-quicker", Kind: check.Model, Points: 3, Deadline: blocks,
			Methods:  []string{"Semacquire1", "SemacquireDone", "Semrelease1"},
			Property: "One G waits, another comes to acquire, a third releases, with or without handing over: one of the two gets the count.",
			Hint:     "When a waiter is ready, another M may run it to its end. What must its sudog say by then? And a waiter that is woken and finds nothing must wait again.",
			Book:     "handoff", Run: counting(quicker),
		},
		{
			Name: "sema-two", Kind: check.Model, Points: 2, Deadline: blocks,
			Methods:  []string{"Semacquire1", "SemacquireDone", "Semrelease1"},
			Property: "Two wait, and two release at once: both waiters go on, and nothing is left.",
			Hint:     "Each release wakes at most one. What wakes the other?",
			Book:     "missed", Run: counting(twoAndTwo),
		},
		{
			Name: "sema-order", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Semacquire1", "Semrelease1"},
			Property: "Waiters of one address leave in the order in which they came, after those with lifo; those of other addresses stay.",
			Hint:     "A root has the waiters of many addresses. If there is none for this one, Nwait stays the same.",
			Book:     "sema", Run: semaOrder,
		},
		{
			Name: "notify-one", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"NotifyListAdd", "NotifyListWait", "NotifyListWaitDone", "NotifyListNotifyOne"},
			Property: "Each notification goes to the oldest ticket, even if its holder has not come to wait yet, or came late; tickets may wrap around.",
			Hint:     "Compare tickets by their difference, as a signed number.",
			Book:     "cond", Run: notifyOne,
		},
		{
			Name: "notify-all", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"NotifyListAdd", "NotifyListWait", "NotifyListNotifyAll"},
			Property: "NotifyListNotifyAll notifies every ticket that has been taken, and none that is taken later.",
			Hint:     "Notify jumps to Wait, under the lock.",
			Book:     "cond", Run: notifyAll,
		},
		{
			Name: "notify-missed", Kind: check.Model, Points: 2, Deadline: blocks,
			Methods:  []string{"NotifyListWait", "NotifyListNotifyOne", "NotifyListNotifyAll"},
			Property: "However a wait and a notification meet, the waiter goes on.",
			Hint:     "What was true before you had the lock need not be true any more.",
			Book:     "cond", Run: notifying(oneComes),
		},
		{
			Name: "notify-tickets", Kind: check.Model, Points: 2, Deadline: blocks,
			Methods:  []string{"NotifyListAdd", "NotifyListWait", "NotifyListNotifyOne", "NotifyListNotifyAll"},
			Property: "Two take tickets and wait while a third notifies: those whose tickets are notified go on, and no others.",
			Hint:     "What you read before you had the lock may be out of date by the time you use it.",
			Book:     "cond", Run: notifying(twoCome),
		},
		{
			Name: "notify-twice", Kind: check.Model, Points: 2, Deadline: blocks,
			Methods:  []string{"NotifyListWait", "NotifyListNotifyOne", "NotifyListNotifyAll"},
			Property: "Two notify at once: each ticket that was taken is notified, and no ticket that was not.",
			Hint:     "Look at Notify and move it on under a single hold of the lock.",
			Book:     "cond", Run: notifying(twoNotify),
		},
		{
			Name: "programs", Kind: check.Program, Points: 2, Deadline: plays,
			Methods:  []string{"Dequeue", "Selectgo", "SelectgoDone", "Semacquire1", "SemacquireDone", "Semrelease1"},
			Property: "Dining philosophers, a bounded pool of workers and a buffer on conditions print what they print under Go.",
			Hint:     "They are in programs/. Play the one that fails, and step through its timeline.",
			Book:     "pool", Run: programsRun,
		},
		{
			Name: "select-program", Kind: check.Program, Points: 2, Deadline: plays,
			Methods:  []string{"Dequeue", "Selectgo", "SelectgoDone"},
			Property: "A program full of selects prints what it prints under Go, even if it is interrupted after every k instructions, for each k up to 50.",
			Hint:     "Play it, and step through its timeline.",
			Book:     "select", Run: selectProgram,
		},
		{
			Name: "sync-program", Kind: check.Program, Points: 2, Deadline: plays,
			Methods:  []string{"Semacquire1", "SemacquireDone", "Semrelease1", "SemaQueue", "SemaDequeue", "NotifyListAdd", "NotifyListWait", "NotifyListWaitDone", "NotifyListNotifyOne", "NotifyListNotifyAll"},
			Property: "sync's Mutex, RWMutex, WaitGroup, Once and Cond work on these semaphores, under every interruption.",
			Hint:     "They are ordinary Go programs on top of your parts. Which of the five fails?",
			Book:     "mutex", Run: syncProgram,
		},
		{
			Name: "starving", Kind: check.Program, Points: 2, Deadline: plays,
			Methods:  []string{"SemacquireDone", "Semrelease1"},
			Property: "A goroutine that takes a mutex again and again cannot keep another out for ever: the mutex goes into starvation mode, and is handed over.",
			Hint:     "sync.Mutex asks for the hand-over. Which G runs after a Semrelease1 that hands over?",
			Book:     "mutex", Run: starving,
		},
		{
			Name: "asleep", Kind: check.Program, Points: 2, Deadline: blocks,
			Methods:  []string{"Selectgo", "Semacquire1", "NotifyListWait"},
			Property: "When all Gs wait, the report says of each G what it waits for, in Go's words.",
			Hint:     "The reason is the last argument of Gopark.",
			Book:     "asleep", Run: asleep,
		},
		{
			Name: "visible", Kind: check.Unit, Points: 1, Deadline: blocks,
			Methods:  []string{"Dequeue"},
			Property: "What Ms share is in atomic variables, mutexes and Cells of package machine, so that the models see it.",
			Hint:     "Does it belong to the G, to the channel or to the list? Then it has a field there. If you need a field of your own that several Ms use, make it a machine.Cell, or a machine.Uint32 or the like.",
			Book:     "winner", Run: visible,
		},
		{
			Name: "mine", Kind: check.Mine, Points: 4,
			Methods:  []string{"mine"},
			Property: "Your own test passes on correct waiters of semaphores and fails on each of the wrong ones.",
			Hint:     "Let several Gs wait for each of several addresses, and take them out in an order other than that of the addresses. Which one must come, and which must stay?",
			Book:     "mine",
		},
		{
			Name: "mend-acquire", Kind: check.Mended, Points: 2, Deadline: plays,
			Property: "Semacquire1, which slept although there was something to take, is mended with the smallest change, and you know which two steps met.",
			Hint:     "Each of the two says something and looks for what the other says. In which order does each of them do it?",
			Book:     "missed",
		},
		{
			Name: "mend-wait", Kind: check.Mended, Points: 2, Deadline: plays,
			Property: "NotifyListWait, which slept although its ticket was notified, is mended with the smallest change, and you know which two steps met.",
			Hint:     "For how long is what was seen in Notify true?",
			Book:     "cond",
		},
		{
			Name: "predict", Kind: check.Predict, Points: 2, Deadline: plays,
			Property: "You know in advance what a small change would do.",
			Hint:     "Think it through with two Ms, line by line: which lock does each hold? Then name the check that would see it, if there is one.",
			Book:     "mine",
		},
	},
}
