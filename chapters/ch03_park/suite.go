// Package ch03 is the conformance suite of chapter 3: parking, and channels.
package ch03

import (
	"embed"
	"time"

	"gosched/chapters/check"
)

//go:embed programs/*.go
var embedded embed.FS

// blocks is the deadline of the checks, each of which takes a few milliseconds. A
// part that forgets to unlock a channel blocks many of them.
const blocks = 5 * time.Second

// Suite is the chapter's suite.
var Suite = &check.Suite{
	ID:       "ch03",
	Dir:      "ch03_park",
	Title:    "Park and ready",
	Go:       "0.x",
	Parts:    []string{"Parking", "Sudogs", "Waitqs", "Channels"},
	Programs: check.Programs(embedded),
	Checks: []check.Check{
		{
			Name: "park-waits", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Gopark"},
			Property: "A G that parks is waiting, says why, is on no run queue and has no M; the M schedules.",
			Hint:     "It is GoschedImpl without the queue. Who knows the G now?",
			Book:     "park", Run: parkWaits,
		},
		{
			Name: "park-unlockf", Kind: check.Unit, Points: 5, Deadline: blocks,
			Methods:  []string{"Gopark"},
			Property: "unlockf is called once, when the G is waiting and its M has let go of it, before the next G runs.",
			Hint:     "Imagine a second thread that does nothing but wait for that lock. What does it find, and what will it do, in the very moment in which it gets it?",
			Book:     "unlockf", Run: parkUnlockf,
		},
		{
			Name: "park-goes-on", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Gopark"},
			Property: "If unlockf returns false, the G goes on at once, with the time slice it had.",
			Hint:     "It waits on nobody's queue, so nobody will wake it. From which state can a G be executed?",
			Book:     "unlockf", Run: parkGoesOn,
		},
		{
			Name: "park-race", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Gopark"},
			Property: "A G may be made ready, run and end while its unlockf is still at work; Gopark does not touch it afterwards.",
			Hint:     "When unlockf has said yes, whose is the G?",
			Book:     "unlockf", Run: parkRace,
		},
		{
			Name: "ready-next", Kind: check.Unit, Points: 1, Deadline: blocks,
			Methods:  []string{"Goready"},
			Property: "Goready is Ready with next set; its caller goes on.",
			Hint:     "One call. The flag asks for a place that only later schedulers have.",
			Book:     "park", Run: readyNext,
		},
		{
			Name: "sudog-clean", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"AcquireSudog", "ReleaseSudog"},
			Property: "A sudog that is handed out is blank and nobody else's, and those that were released are used again.",
			Hint:     "A chain of free sudogs hangs together by Next. What does the one that you take off still point to? And what did its last user leave in it?",
			Book:     "sudog", Run: sudogClean,
		},
		{
			Name: "sudog-throws", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"ReleaseSudog"},
			Property: "A sudog that is still on a queue, or refers to a value or a channel, cannot be released.",
			Hint:     "Each of the six fields is a way by which somebody else would come to write into a sudog that is not his any more.",
			Book:     "sudog", Run: sudogThrows,
		},
		{
			Name: "waitq-fifo", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Enqueue", "Dequeue"},
			Property: "Who came first leaves first, also after the queue has been empty.",
			Hint:     "As in chapter 2, with two links: draw three sudogs, take all, add one.",
			Book:     "waitq", Run: waitqFIFO,
		},
		{
			Name: "waitq-middle", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"DequeueSudoG"},
			Property: "A sudog leaves from the head, the tail, the middle or as the only one; if it is not there, nothing changes.",
			Hint:     "Next and Prev of a sudog that is alone on a queue are nil. So are those of one that is on none. What tells them apart?",
			Book:     "waitq", Run: waitqMiddle,
		},
		{
			Name: "waitq-links", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Enqueue", "Dequeue", "DequeueSudoG"},
			Property: "After any sequence of calls, First and Next, and Last and Prev, tell the same, and who has left points to nobody.",
			Hint:     "The message shows a short sequence that went wrong.",
			Book:     "waitq", Run: waitqLinks,
		},
		{
			Name: "makechan", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Makechan"},
			Property: "Makechan makes a channel by NewHchan, or panics if the buffer cannot exist.",
			Hint:     "Divide instead of multiplying, and mind what has no bytes.",
			Book:     "chan", Run: makechan,
		},
		{
			Name: "buffer", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Chansend", "Chanrecv"},
			Property: "While there is room nobody waits, and elements leave the buffer in the order in which they came, round and round.",
			Hint:     "Sendx is the slot to fill next, Recvx the one to empty next. Both go round at Dataqsiz. Qcount tells full from empty.",
			Book:     "chan", Run: buffer,
		},
		{
			Name: "send-waits", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Chansend"},
			Property: "A sender without room parks on Sendq, with the address of its value; the channel stays locked until it waits.",
			Hint:     "Everything must be in its place before Gopark: the sudog on the queue and on gp.Waiting, and what is left to do in gp.Cont. Who unlocks, and when?",
			Book:     "wait", Run: sendWaits,
		},
		{
			Name: "recv-waits", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Chanrecv"},
			Property: "A receiver that finds nothing parks on Recvq, with the address for its value; the channel stays locked until it waits.",
			Hint:     "The same as in Chansend, on the other queue. An empty, closed channel is another matter.",
			Book:     "wait", Run: recvWaits,
		},
		{
			Name: "hand-over", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Chansend", "Send"},
			Property: "A sender that finds a receiver waiting writes into its slot, past the buffer, unlocks, and makes it ready.",
			Hint:     "The receiver sleeps, so it cannot do anything: all it would have done must be done for it, and noted in its sudog, before it is ready.",
			Book:     "hand-over", Run: handOver,
		},
		{
			Name: "take-over", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Chanrecv", "Recv"},
			Property: "A receiver that finds a sender waiting takes the oldest value: the sender's own without a buffer, else the head, and the sender's goes to the tail.",
			Hint:     "If somebody waits to send, the buffer is full. Which element has been there longest, and which slot is free when it is gone?",
			Book:     "hand-over", Run: takeOver,
		},
		{
			Name: "pieces", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Send", "Recv"},
			Property: "Send and Recv work with a locked channel and a dequeued sudog, whether a value is wanted or dropped.",
			Hint:     "An address of 0 is not a place in memory. The order is: value, sudog, unlock, ready.",
			Book:     "hand-over", Run: pieces,
		},
		{
			Name: "moved-stack", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Chansend", "Chanrecv", "ChanrecvDone"},
			Property: "Values and results find their places when the stack of the sleeping G has moved.",
			Hint:     "An address that you keep in a variable does not move with the stack. Copystack finds the sudogs on gp.Waiting; the results stand where gp's context says, at the moment.",
			Book:     "moved", Run: movedStack,
		},
		{
			Name: "done", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"ChansendDone", "ChanrecvDone"},
			Property: "A woken G forgets what it waited for, gives its sudog back, and stores its result, or panics.",
			Hint:     "Read the sudog before you give it back. It still names a channel.",
			Book:     "continuation", Run: done,
		},
		{
			Name: "close-wakes", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Closechan"},
			Property: "A close wakes all receivers, with zero values, and all senders, which panic; when it does, the channel is unlocked.",
			Hint:     "First take all of them off the queues, then unlock, then make them ready. Where can you keep them in between, without allocating?",
			Book:     "close", Run: closeWakes,
		},
		{
			Name: "closed", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Chansend", "Chanrecv", "Closechan"},
			Property: "On a closed channel a receive gets what is in the buffer and then zero values, a send panics, and so does another close.",
			Hint:     "Closed does not mean empty. And a panic leaves by another door: what do you hold in your hand?",
			Book:     "close", Run: closedChannel,
		},
		{
			Name: "close-nil", Kind: check.Unit, Points: 1, Deadline: blocks,
			Methods:  []string{"Closechan"},
			Property: "The close of a nil channel panics.",
			Hint:     "A nil channel has no lock either.",
			Book:     "close", Run: closeNil,
		},
		{
			Name: "nil-channel", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Chansend", "Chanrecv"},
			Property: "On a nil channel a G waits for ever, and says so; without block it goes on.",
			Hint:     "There is nobody to be found by, so it needs neither sudog nor unlockf.",
			Book:     "nil", Run: nilChannel,
		},
		{
			Name: "no-block", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Chansend", "Chanrecv"},
			Property: "With block unset an operation is done now, or not at all, and leaves nothing behind.",
			Hint:     "It is the same path, with one more exit just before the waiting begins.",
			Book:     "chan", Run: nonblocking,
		},
		{
			Name: "sizes", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Chansend", "Chanrecv", "Send", "Recv"},
			Property: "Elements of any size, also of none, arrive whole, and nothing beside them is written.",
			Hint:     "c.Elem knows how many bytes an element has; Typedmemmove and Typedmemclr ask it.",
			Book:     "chan", Run: sizes,
		},
		{
			Name: "random", Kind: check.Unit, Points: 5, Deadline: 30 * time.Second,
			Methods:  []string{"Chansend", "ChansendDone", "Chanrecv", "ChanrecvDone", "Closechan", "Send", "Recv"},
			Property: "Any sequence of operations of several Gs on one channel, with stacks that move, ends as the language says.",
			Hint:     "The message tells the whole story of a channel, and the last thing in it is where it went wrong. Play it on paper.",
			Book:     "chan", Run: random,
		},
		{
			Name: "programs", Kind: check.Program, Points: 3, Deadline: blocks,
			Methods:  []string{"Gopark", "Goready", "Makechan", "Chansend", "ChansendDone", "Chanrecv", "ChanrecvDone", "Closechan", "Send", "Recv"},
			Property: "A ping-pong, a pipeline, a prime sieve, a fan-in and a close print what they print under Go.",
			Hint:     "They are in programs/. Play the one that fails, and step through its timeline.",
			Book:     "sieve", Run: programsRun,
		},
		{
			Name: "ping-pong", Kind: check.Program, Points: 2, Deadline: blocks,
			Methods:  []string{"Gopark", "Goready", "Chansend", "Chanrecv"},
			Property: "Who waits does not run, each wait ends with one wake-up, and nobody waits without need.",
			Hint:     "A G that finds its partner waiting does not wait.",
			Book:     "ping-pong", Run: pingPong,
		},
		{
			Name: "deadlock", Kind: check.Program, Points: 2, Deadline: blocks,
			Methods:  []string{"Gopark", "Chansend", "Chanrecv"},
			Property: "When all wait, the program ends as Go's does, and says of each G what it waits for.",
			Hint:     "The words come from Waitreason.",
			Book:     "deadlock", Run: deadlocked,
		},
		{
			Name: "gone", Kind: check.Program, Points: 2, Deadline: blocks,
			Methods:  []string{"Closechan", "ChansendDone"},
			Property: "A sender that waits when the channel is closed panics, and the one who closed goes on.",
			Hint:     "Whose panic is it? It happens when the sender runs again.",
			Book:     "close", Run: goneWhileWaiting,
		},
		{
			Name: "many-waiters", Kind: check.Program, Points: 3, Deadline: 30 * time.Second,
			Methods:  []string{"Gopark", "Chanrecv", "Closechan"},
			Property: "Ten thousand goroutines wait, and there is one thread.",
			Hint:     "What waits is a G and a sudog, not an M.",
			Book:     "threads", Run: manyWaiters,
		},
		{
			Name: "interrupted", Kind: check.Program, Points: 4, Deadline: time.Minute,
			Methods:  []string{"Gopark", "Goready", "Chansend", "ChansendDone", "Chanrecv", "ChanrecvDone", "Closechan"},
			Property: "The programs print the same if they are interrupted after every k instructions, for each k up to 50.",
			Hint:     "Between two operations anybody may run. Within one nobody does.",
			Book:     "sieve", Run: interrupted,
		},
		{
			Name: "race-rendezvous", Kind: check.Model, Points: 3,
			Methods:  []string{"Chansend", "Chanrecv", "Send", "Recv", "ChansendDone", "ChanrecvDone"},
			Property: "A sender and a receiver come at the same time, on two Ms: the value goes over, and neither touches what the other one has been made ready with.",
			Hint:     "As soon as a G is ready another M may run it to its end, and its sudog may serve somebody else. What is left to do for it must be done before.",
			Book:     "hand-over", Run: together(0, sendAndReceive),
		},
		{
			Name: "race-close-receive", Kind: check.Model, Points: 2,
			Methods:  []string{"Closechan", "Chanrecv", "ChanrecvDone"},
			Property: "A receiver comes while another M closes the channel: it goes on with a zero value.",
			Hint:     "Both look at the channel, and both change it. Under which lock?",
			Book:     "close", Run: together(0, closeAndReceive),
		},
		{
			Name: "race-close-send", Kind: check.Model, Points: 2,
			Methods:  []string{"Closechan", "Chansend", "ChansendDone"},
			Property: "A sender comes while another M closes the channel: it panics, before it waits or after.",
			Hint:     "Is Closed read, and set, under the lock?",
			Book:     "close", Run: together(0, closeAndSend),
		},
		{
			Name: "mine", Kind: check.Mine, Points: 5,
			Methods:  []string{"mine"},
			Property: "Your own test passes on right queues of waiters and fails on each of the wrong ones.",
			Hint:     "A queue with two links can be right forward and wrong backward. Walk it both ways, and let somebody leave who is not there.",
			Book:     "mine",
		},
	},
}
