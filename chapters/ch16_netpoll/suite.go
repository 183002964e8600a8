// Package ch16 is the conformance suite of chapter 16: the netpoller.
package ch16

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

// all are the methods that a program needs: what is not written yet would have a network of
// its own.
var all = []string{
	"Netpollblock", "NetpollblockDone", "Netpollunblock", "Netpollready",
	"PollSetDeadline", "Netpolldeadline", "PollUnblock", "Netpoll", "NetpollBreak", "Injectglist",
}

// Suite is the chapter's suite.
var Suite = &check.Suite{
	ID:       "ch16",
	Dir:      "ch16_netpoll",
	Title:    "Netpoll",
	Go:       "1.1",
	Parts:    []string{"NetPoller"},
	Programs: check.Programs(embedded),
	Checks: []check.Check{
		{
			Name: "block", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"Netpollblock"},
			Property: "A G waits in its half, unless something has come, or there is a reason not to.",
			Hint:     "nil, PdWait, G: each of these steps can fail. What has happened then?",
			Book:     "halves", Run: block,
		},
		{
			Name: "done", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"NetpollblockDone", "Netpollblock"}, // which count together
			Property: "When a wait is over its half is nil, PdReady is used up, and the G no longer counts as one that waits.",
			Hint:     "One atomic operation empties the half and says what was there.",
			Book:     "halves", Run: blockDone,
		},
		{
			Name: "unblock", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"Netpollunblock", "Netpollblock"},
			Property: "Whatever is in a half, it becomes what it should, and only a G that waits is returned.",
			Hint:     "Make the table: four states, with ioready and without.",
			Book:     "halves", Run: unblock,
		},
		{
			Name: "ready", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"Netpollready"},
			Property: "The Gs that wait in the modes that are meant are added to the list.",
			Hint:     "'r'+'w' is a mode, too.",
			Book:     "halves", Run: ready,
		},
		{
			Name: "set-deadline", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"PollSetDeadline"},
			Property: "The deadline, what is published of it, and the timer are what they should be; and if it is over, no G waits.",
			Hint:     "The order is: write, publish, unlock; then the timer and the Gs.",
			Book:     "deadlines", Run: setDeadline,
		},
		{
			Name: "deadline", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"Netpolldeadline"},
			Property: "When the timer of a deadline fires, the G that waits becomes ready, unless the deadline is another one by now.",
			Hint:     "What does the deadline say about itself, and what time is it?",
			Book:     "deadlines", Run: deadline,
		},
		{
			Name: "close", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"PollUnblock"},
			Property: "A descriptor that is being closed has no timers, and no G waits for it.",
			Hint:     "There are two modes.",
			Book:     "deadlines", Run: unblockAll,
		},
		{
			Name: "break", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"Netpoll", "NetpollBreak"},
			Property: "A break ends a Netpoll that waits, once, and is left alone by one that does not wait.",
			Hint:     "Who clears the break, and what must be possible then?",
			Book:     "break", Run: breaks,
		},
		{
			Name: "events", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"Netpoll"},
			Property: "Netpoll returns the Gs that wait for what has happened.",
			Hint:     "An event has bits. Which ones concern a G that reads, and which one that writes?",
			Book:     "events", Run: events,
		},
		{
			Name: "stale", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"Netpoll"},
			Property: "An event of a descriptor that was closed is dropped.",
			Hint:     "A PollDesc is used again. When do you ask whose event it is?",
			Book:     "events", Run: stale,
		},
		{
			Name: "many", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"Netpoll"},
			Property: "When many descriptors become ready at once, all of their Gs are returned, up to 128 at a time.",
			Hint:     "What Wait has returned is not reported again.",
			Book:     "events", Run: many,
		},
		{
			Name: "inject", Kind: check.Unit, Points: 6, Deadline: brief,
			Methods:  []string{"Injectglist"},
			Property: "One G for each idle P goes on the global queue, and an M comes for it; the rest stay here.",
			Hint:     "The message says how many Ps were idle, and whether M0 had one.",
			Book:     "inject", Run: inject,
		},
		{
			Name: "visible", Kind: check.Unit, Points: 1, Deadline: brief,
			Methods:  []string{"NetpollBreak"},
			Property: "What threads share is in atomic variables, mutexes and Cells of package machine, so that the models see it.",
			Hint:     "The message names the field.",
			Book:     "halves", Run: visible,
		},
		{
			Name: "race-block", Kind: check.Model, Points: 5, Deadline: ages,
			Methods:  []string{"Netpollblock", "Netpollunblock", "PollUnblock"},
			Property: "A G begins to wait while its descriptor becomes ready, or is closed, or its deadline ends: it does not sleep past that.",
			Hint:     "G1 writes its half and looks at PollInfo; the other M writes PollInfo and looks at the half.",
			Book:     "halves", Run: raceBlock,
		},
		{
			Name: "race-ready", Kind: check.Model, Points: 4, Deadline: ages,
			Methods:  []string{"NetpollblockDone", "Netpollunblock"},
			Property: "When a descriptor becomes ready while something else ends the wait, that is not forgotten, and not counted twice.",
			Hint:     "Which step takes PdReady out of the half, and does it see what it takes?",
			Book:     "halves", Run: raceReady,
		},
		{
			Name: "race-ends", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"PollUnblock", "Netpolldeadline"},
			Property: "A close and a deadline end a wait at the same time, and the G becomes ready once.",
			Hint:     "Of two that find the G in its half, one takes it out.",
			Book:     "deadlines", Run: raceEnds,
		},
		{
			Name: "race-modes", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"Netpollready", "PollUnblock"},
			Property: "Two Gs wait, an event means both, and the descriptor is closed: both become ready, once.",
			Hint:     "After the first one is ready it may do anything.",
			Book:     "halves", Run: raceModes,
		},
		{
			Name: "race-moved", Kind: check.Model, Points: 3, Deadline: ages,
			Methods:  []string{"Netpolldeadline", "PollSetDeadline"},
			Property: "A deadline that is moved, or whose descriptor is closed, while its timer fires does not end a wait that begins afterwards.",
			Hint:     "Under which lock does Netpolldeadline look what the deadline is, and when does it say that it is over?",
			Book:     "deadlines", Run: raceMoved,
		},
		{
			Name: "race-event", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"Netpoll", "Netpollblock"},
			Property: "A G begins to wait while an M fetches the event that it waits for.",
			Hint:     "First race-block.",
			Book:     "events", Run: raceEvent,
		},
		{
			Name: "race-deadlock", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"Netpoll", "Netpollblock", "NetpollblockDone", "Netpollunblock"},
			Property: "While the monitor has a G in its hands that it has got from the network, the last M that is awake does not find a deadlock.",
			Hint:     "The G is not in its half any more, and on no queue yet. Until when does it count as one that waits?",
			Book:     "waiters", Run: raceDeadlock,
		},
		{
			Name: "race-break", Kind: check.Model, Points: 4, Deadline: ages,
			Methods:  []string{"Netpoll", "NetpollBreak"},
			Property: "An M that waits for the network is woken for all that others did before they called NetpollBreak.",
			Hint:     "Between ClearBreak and the moment when sig is false, what may a NetpollBreak do?",
			Book:     "break", Run: raceBreak,
		},
		{
			Name: "race-init", Kind: check.Model, Points: 1, Deadline: ages,
			Methods:  []string{"Netpoll", "NetpollBreak"},
			Property: "The same while another M makes the Epoll.",
			Hint:     "First race-break.",
			Book:     "break", Run: raceInit,
		},
		{
			Name: "race-inject", Kind: check.Model, Points: 4, Deadline: ages,
			Methods:  []string{"Injectglist"},
			Property: "A P becomes idle while Gs are dealt out, and no G waits beside an idle P.",
			Hint:     "You counted the idle Ps before you queued anything.",
			Book:     "inject", Run: raceInject,
		},
		{
			Name: "echo", Kind: check.Program, Points: 1, Deadline: ages,
			Methods:  all,
			Property: "A server answers many clients.",
			Hint:     "First the unit checks.",
			Book:     "events", Run: plays("echo.go", 1, 4),
		},
		{
			Name: "timeouts", Kind: check.Program, Points: 1, Deadline: ages,
			Methods:  all,
			Property: "A read ends at its deadline, and goes on when there is another one.",
			Hint:     "First the unit checks.",
			Book:     "deadlines", Run: plays("timeouts.go", 1, 2),
		},
		{
			Name: "closes", Kind: check.Program, Points: 1, Deadline: ages,
			Methods:  all,
			Property: "Whoever waits for a connection that is closed learns of it.",
			Hint:     "First the unit checks.",
			Book:     "deadlines", Run: plays("closes.go", 1, 4),
		},
		{
			Name: "threads", Kind: check.Stress, Points: 1, Deadline: ages,
			Methods:  all,
			Property: "The same holds on real threads.",
			Hint:     "Look at the models first.",
			Book:     "events", Run: threads,
		},
		{
			Name: "mine", Kind: check.Mine, Points: 3,
			Methods:  []string{"mine"},
			Property: "Your own test of Netpollunblock passes on a correct one, and fails on each of the given mutants.",
			Hint:     "One case for each of: nil, PdReady, PdWait, a G; with ioready, and without it.",
			Book:     "mine",
		},
		{
			Name: "mend-close", Kind: check.Mended, Points: 2, Deadline: ages,
			Property: "PollUnblock, past which a G slept, is mended with the smallest change, and you know which two steps met.",
			Hint:     "What did G1 look at last before it parked?",
			Book:     "deadlines",
		},
		{
			Name: "mend-done", Kind: check.Mended, Points: 2, Deadline: ages,
			Property: "NetpollblockDone, which forgot an event, is mended with the smallest change, and you know which two steps met.",
			Hint:     "Who has written PdReady, and who has written nil over it?",
			Book:     "halves",
		},
		{
			Name: "mend-inject", Kind: check.Mended, Points: 2, Deadline: ages,
			Property: "Injectglist, which left a G beside an idle P, is mended with the smallest change, and you know which two steps met.",
			Hint:     "When did M0 look at Npidle, and who changes it after that?",
			Book:     "inject",
		},
		{
			Name: "predict", Kind: check.Predict, Points: 2, Deadline: ages,
			Property: "You know in advance what a small change would do.",
			Hint:     "Think of the other M. Then name the check that would see it.",
			Book:     "halves",
		},
	},
}
