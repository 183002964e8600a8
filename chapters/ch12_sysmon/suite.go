// Package ch12 is the conformance suite of chapter 12: the monitor.
package ch12

import (
	"embed"
	"time"

	"gosched/chapters/check"
)

//go:embed programs/*.go
var embedded embed.FS

// The deadlines. A check with right parts takes a second or two at most; a wrong one may
// sleep for ever.
const (
	brief = 10 * time.Second
	ages  = time.Minute
)

// Suite is the chapter's suite.
var Suite = &check.Suite{
	ID:       "ch12",
	Dir:      "ch12_sysmon",
	Title:    "The monitor",
	Go:       "1.1",
	Parts:    []string{"Monitor"},
	Programs: check.Programs(embedded),
	Checks: []check.Check{
		{
			Name: "ask", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"Preemptone"},
			Property: "A G that runs is asked to stop, by Preempt and by its guard; one that cannot answer is left alone.",
			Hint:     "From the P to its M, from the M to its G: each of them may be missing.",
			Book:     "ask", Run: ask,
		},
		{
			Name: "ask-signal", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"Preemptone"},
			Property: "In a Go that has signals one is sent as well.",
			Hint:     "s.Version().Signals is nil if it has none.",
			Book:     "ask", Run: askBySignal,
		},
		{
			Name: "ask-all", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Preemptall"},
			Property: "All Gs that run are asked.",
			Hint:     "Does your loop end with the first one that could be asked?",
			Book:     "ask", Run: askAll,
		},
		{
			Name: "slice", Kind: check.Unit, Points: 6, Deadline: brief,
			Methods:  []string{"Retake"},
			Property: "A slice that has lasted for 10 ms, as far as the monitor knows, is over, until another one begins.",
			Hint:     "Sysmontick has the number of the slice at the last look, and when that number was first seen.",
			Book:     "slice", Run: slice,
		},
		{
			Name: "states", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Retake"},
			Property: "Only Ps that run, or whose M is in a system call, are looked at.",
			Hint:     "There are five states of a P. Which of them has a slice?",
			Book:     "slice", Run: states,
		},
		{
			Name: "calls", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"Retake"},
			Property: "RetakeSyscall is asked for each P that runs or is in a system call, and told whether its slice is over; what it notes stays.",
			Hint:     "Both halves of Sysmontick are written during one look. Which copy of it do you write back, and when?",
			Book:     "calls", Run: calls,
		},
		{
			Name: "poll", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"SysmonPoll"},
			Property: "If no M has looked at the network for more than 10 ms, the monitor does, and brings what is ready.",
			Hint:     "Lastpoll has two meanings. And what does Nmidlelocked say while the Gs are in your hands?",
			Book:     "network", Run: poll,
		},
		{
			Name: "deep", Kind: check.Unit, Points: 6, Deadline: brief,
			Methods:  []string{"SysmonSleep"},
			Property: "While there is nothing to watch the monitor sleeps: until it is woken, or the next timer is due, or for a minute.",
			Hint:     "The message says how things were, and how long the sleep was to be.",
			Book:     "deep", Run: deep,
		},
		{
			Name: "back-off", Kind: check.Unit, Points: 6, Deadline: brief,
			Methods:  []string{"Sysmon"},
			Property: "The sleep between two rounds is 20 µs; when more than 50 in succession were idle it doubles each time, up to 10 ms.",
			Hint:     "Which rounds are idle, and what sets the sleep back? The message has the number of the round.",
			Book:     "back-off", Run: backOff,
		},
		{
			Name: "duties", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"Sysmon"},
			Property: "Each round has its duties, in order, and one time for all.",
			Hint:     "A sleep may last for a minute. When do you read the clock, and which one?",
			Book:     "duties", Run: duties,
		},
		{
			Name: "traces", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Sysmon"},
			Property: "If somebody wants to watch, a line comes as often as asked for, and the monitor does not sleep past it.",
			Hint:     "Compare with the time of the last line. The first line comes in the first round.",
			Book:     "schedtrace", Run: traces,
		},
		{
			Name: "long", Kind: check.Unit, Points: 2, Deadline: ages,
			Methods:  []string{"Sysmon"},
			Property: "A hundred thousand rounds in which there is nothing to do take a quarter of an hour, and next to no work.",
			Hint:     "What becomes of the sleep when it is doubled again and again?",
			Book:     "back-off", Run: long,
		},
		{
			Name: "line", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Schedtrace"},
			Property: "The line is the one that GODEBUG=schedtrace prints, to the byte.",
			Hint:     "Compare the two lines of the message from the left. Who writes Schedtick, and who may look at it?",
			Book:     "schedtrace", Run: line,
		},
		{
			Name: "visible", Kind: check.Unit, Points: 1, Deadline: brief,
			Methods:  []string{"Preemptone"},
			Property: "What threads share is in atomic variables, mutexes and Cells of package machine, so that the models see it.",
			Hint:     "The message names the field. What only the monitor uses can be a machine.Cell.",
			Book:     "ask", Run: visible,
		},
		{
			Name: "race-sleep", Kind: check.Model, Points: 5, Deadline: ages,
			Methods:  []string{"SysmonSleep"},
			Property: "A P becomes active while the monitor falls asleep: either the monitor sees that, or the M sees Sysmonwait.",
			Hint:     "Both sides hold s.Lock. What must happen under one and the same lock on yours?",
			Book:     "deep", Run: race("race-sleep"),
		},
		{
			Name: "race-timeout", Kind: check.Model, Points: 4, Deadline: ages,
			Methods:  []string{"SysmonSleep"},
			Property: "The monitor is woken at the moment when its time is over, and everything is ready for the next sleep.",
			Hint:     "Between clearing Sysmonwait and signalling the note the other M holds the lock. Do you hold it while you clear the two?",
			Book:     "deep", Run: race("race-timeout"),
		},
		{
			Name: "race-resize", Kind: check.Model, Points: 3, Deadline: ages,
			Methods:  []string{"Retake", "SysmonSleep"},
			Property: "The number of Ps may change while the monitor looks.",
			Hint:     "The monitor does not stop with the world. Which fields change while that is stopped, and what protects them?",
			Book:     "slice", Run: race("race-resize"),
		},
		{
			Name: "race-guard", Kind: check.Model, Points: 4, Deadline: ages,
			Methods:  []string{"Preemptone"},
			Property: "The guard may be set anew while a G is asked to stop, and the request is not lost.",
			Hint:     "The M writes the guard and reads Preempt. In which order must you write the two?",
			Book:     "ask", Run: race("race-guard"),
		},
		{
			Name: "race-switch", Kind: check.Model, Points: 5, Deadline: ages,
			Methods:  []string{"Preemptone", "Retake"},
			Property: "While a G is asked to stop it may yield, run elsewhere, and end, and its P may go to another M.",
			Hint:     "Look is for those who do not own a thing, Get for its owner. And what one Look found, the next one may not find.",
			Book:     "ask", Run: theNextG,
		},
		{
			Name: "race-line", Kind: check.Model, Points: 1, Deadline: ages,
			Methods:  []string{"Schedtrace"},
			Property: "A line says how things were at one moment.",
			Hint:     "From the first thing that you read under s.Lock to the last one, who else may have it?",
			Book:     "schedtrace", Run: lineAtOnce,
		},
		{
			Name: "race-poll", Kind: check.Model, Points: 3, Deadline: ages,
			Methods:  []string{"SysmonPoll"},
			Property: "If an M begins to wait for the network meanwhile, Lastpoll says so afterwards.",
			Hint:     "Between your look at Lastpoll and your write there is room for another M.",
			Book:     "network", Run: race("race-poll"),
		},
		{
			Name: "race-inject", Kind: check.Model, Points: 4, Deadline: ages,
			Methods:  []string{"SysmonPoll"},
			Property: "The last M goes to sleep while the monitor has a P in its hands, and no deadlock is reported.",
			Hint:     "Of whom does Checkdead know? From when until when must there be one more?",
			Book:     "network", Run: race("race-inject"),
		},
		{
			Name: "hogs", Kind: check.Program, Points: 2, Deadline: ages,
			Methods:  []string{"Sysmon", "Retake", "Preemptone"},
			Property: "Goroutines that compute take turns: each slice ends after 10 to 20 ms.",
			Hint:     "First the unit checks. The run is in the evidence: which slice was not ended, and when did the monitor look?",
			Book:     "hogs", Run: hogs,
		},
		{
			Name: "ring", Kind: check.Program, Points: 2, Deadline: ages,
			Methods:  []string{"Sysmon", "Retake", "Preemptone"},
			Property: "Two goroutines that wake each other share one slice, and when it ends the others run.",
			Hint:     "Schedtick stays the same while they play.",
			Book:     "ring", Run: ring,
		},
		{
			Name: "blocked", Kind: check.Program, Points: 2, Deadline: ages,
			Methods:  []string{"Sysmon", "Retake"},
			Property: "A P whose M sleeps in the kernel is used again after two looks of the monitor.",
			Hint:     "Is RetakeSyscall called for a P in each round?",
			Book:     "calls", Run: blocked,
		},
		{
			Name: "threads", Kind: check.Stress, Points: 1, Deadline: ages,
			Methods:  []string{"Sysmon", "SysmonSleep", "Retake", "Preemptone"},
			Property: "The same holds on real threads.",
			Hint:     "Is it only slow? Otherwise look for what is read without Look.",
			Book:     "hogs", Run: threads,
		},
		{
			Name: "mine", Kind: check.Mine, Points: 4,
			Methods:  []string{"mine"},
			Property: "Your own test of Retake passes on a correct one, and fails on each of the given mutants.",
			Hint:     "Call Retake with times of your choice. When must it call Preemptone for the first time, and when again?",
			Book:     "mine",
		},
		{
			Name: "mend-guard", Kind: check.Mended, Points: 2, Deadline: ages,
			Property: "Preemptone, whose request was lost, is mended with the smallest change, and you know which two steps met.",
			Hint:     "M0 overwrote the guard, and looked at Preempt. What did it find?",
			Book:     "ask",
		},
		{
			Name: "mend-sleep", Kind: check.Mended, Points: 2, Deadline: ages,
			Property: "SysmonSleep, which fell asleep beside a busy P, is mended with the smallest change, and you know which two steps met.",
			Hint:     "M0 looked at Sysmonwait under the lock. When was it set?",
			Book:     "deep",
		},
		{
			Name: "mend-poll", Kind: check.Mended, Points: 2, Deadline: ages,
			Property: "SysmonPoll, which wrote over the sign of an M, is mended with the smallest change, and you know which two steps met.",
			Hint:     "Between the look and the write there is room for another M.",
			Book:     "network",
		},
		{
			Name: "predict", Kind: check.Predict, Points: 2, Deadline: ages,
			Property: "You know in advance what a small change would do.",
			Hint:     "Think it through with the clock in your hand: when does the monitor look, and what does it remember? Then name the check that would see it.",
			Book:     "back-off",
		},
	},
}
