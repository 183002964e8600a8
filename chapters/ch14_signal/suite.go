// Package ch14 is the conformance suite of chapter 14: signals.
package ch14

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
	ID:       "ch14",
	Dir:      "ch14_signal",
	Title:    "Signals",
	Go:       "1.14",
	Parts:    []string{"ScanBits", "Signals"},
	Programs: check.Programs(embedded),
	Checks: []check.Check{
		{
			Name: "scan", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"Castogscanstatus", "CasfromGscanstatus"},
			Property: "The scan bit is set in four states, by one M, and cleared by it.",
			Hint:     "Which states may a stack be looked at in? What must the two arguments have in common?",
			Book:     "bits", Run: scan,
		},
		{
			Name: "preempted-bits", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"CasGToPreemptScan", "CasGFromPreempted"},
			Property: "A G stops with its state locked, and one M claims it.",
			Hint:     "Whoever claims a G in vain has written nothing.",
			Book:     "bits", Run: preemptedBits,
		},
		{
			Name: "send", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"PreemptM"},
			Property: "A signal is sent, unless one is under way.",
			Hint:     "SignalPending goes from 0 to 1 in one step, and whoever has done it sends.",
			Book:     "send", Run: send,
		},
		{
			Name: "want", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"WantAsyncPreempt"},
			Property: "A G is to stop if it was asked, or its P, and if it runs.",
			Hint:     "The scan bit says nothing about whether a G runs. And an M may have no P.",
			Book:     "answer", Run: want,
		},
		{
			Name: "safe", Kind: check.Unit, Points: 6, Deadline: brief,
			Methods:  []string{"IsAsyncSafePoint"},
			Property: "A G may be stopped anywhere but where its M, its call or the instruction forbid it.",
			Hint:     "The message names the reason. Each of the four is enough.",
			Book:     "safe", Run: safe,
		},
		{
			Name: "answer", Kind: check.Unit, Points: 6, Deadline: brief,
			Methods:  []string{"DoSigPreempt"},
			Property: "Every signal is answered, and a G that is to stop, and may, stops.",
			Hint:     "What comes first: is the signal answered, or does the G stop?",
			Book:     "answer", Run: answer,
		},
		{
			Name: "stop", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"Asyncpreempt2"},
			Property: "A G is stopped between two instructions, and remembers that until it goes on.",
			Hint:     "Who clears AsyncSafe, and when? G.Cont is called when G goes on.",
			Book:     "answer", Run: stop,
		},
		{
			Name: "park", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"PreemptPark"},
			Property: "A G stops for whoever suspends it, and its M lets go of it in between.",
			Hint:     "Two steps, and Dropg between them.",
			Book:     "park", Run: park,
		},
		{
			Name: "suspend", Kind: check.Unit, Points: 6, Deadline: brief,
			Methods:  []string{"SuspendG"},
			Property: "A G that does not run is locked, and its requests are served.",
			Hint:     "The message has the state of G1. What does the contract say for it?",
			Book:     "suspend", Run: suspend,
		},
		{
			Name: "suspend-running", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"SuspendG"},
			Property: "A G that runs is asked, and asked again when a signal was answered in vain, or the request was lost.",
			Hint:     "When do you know that it was asked already? There are four things to look at.",
			Book:     "suspend", Run: suspendRunning,
		},
		{
			Name: "suspend-over", Kind: check.Unit, Points: 1, Deadline: brief,
			Methods:  []string{"SuspendG"},
			Property: "When the program is over, whoever suspends a G that runs does not wait for it.",
			Hint:     "Exited.",
			Book:     "suspend", Run: suspendOver,
		},
		{
			Name: "resume", Kind: check.Unit, Points: 4, Deadline: brief,
			Methods:  []string{"ResumeG"},
			Property: "What was suspended goes on.",
			Hint:     "Only a G that had stopped for a SuspendG must be made ready.",
			Book:     "suspend", Run: resume,
		},
		{
			Name: "visible", Kind: check.Unit, Points: 1, Deadline: brief,
			Methods:  []string{"WantAsyncPreempt"},
			Property: "What threads share is in atomic variables, mutexes and Cells of package machine, so that the models see it.",
			Hint:     "The message names the field.",
			Book:     "answer", Run: visible,
		},
		{
			Name: "race-signal", Kind: check.Model, Points: 6, Deadline: ages,
			Methods:  []string{"DoSigPreempt", "PreemptM"},
			Property: "Whoever waits for the answer to a signal gets one, whatever signals are under way.",
			Hint:     "The one who waits has seen PreemptGen, and found a signal under way. Which of the two did you change first?",
			Book:     "order", Run: raceSignal,
		},
		{
			Name: "race-late", Kind: check.Model, Points: 4, Deadline: ages,
			Methods:  []string{"DoSigPreempt", "PreemptM"},
			Property: "Two Ms send a signal, and it is answered once or twice, never lost.",
			Hint:     "Of two that find SignalPending 0, one may send.",
			Book:     "send", Run: raceLate,
		},
		{
			Name: "race-end", Kind: check.Model, Points: 4, Deadline: ages,
			Methods:  []string{"SuspendG", "ResumeG"},
			Property: "A G is stopped by a signal, or yields, runs elsewhere and ends while it is suspended; nobody looks at its stack while it runs.",
			Hint:     "What do you read of gp without its scan bit?",
			Book:     "suspend", Run: raceEnd,
		},
		{
			Name: "race-call", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"SuspendG", "ResumeG"},
			Property: "A G leaves a system call, and moves its stack, while it is suspended.",
			Hint:     "When may you take for granted that it is still in the call?",
			Book:     "suspend", Run: raceCall,
		},
		{
			Name: "race-asked", Kind: check.Model, Points: 2, Deadline: ages,
			Methods:  []string{"SuspendG"},
			Property: "A G that answers a signal in vain gets another one, and none before it has answered.",
			Hint:     "Is PreemptGen read before the signal is sent, or after it? Somebody else may have asked the G already.",
			Book:     "suspend", Run: raceAsked,
		},
		{
			Name: "race-two", Kind: check.Model, Points: 3, Deadline: ages,
			Methods:  []string{"SuspendG", "ResumeG", "CasGFromPreempted"},
			Property: "Two Ms claim a G that has stopped, and the one that wins makes it ready, once.",
			Hint:     "Who has won CasGFromPreempted?",
			Book:     "suspend", Run: raceTwo,
		},
		{
			Name: "race-park", Kind: check.Model, Points: 4, Deadline: ages,
			Methods:  []string{"PreemptPark", "CasGToPreemptScan"},
			Property: "A G that stops is claimed, made ready and run before PreemptPark returns.",
			Hint:     "The message has the step that came too late, or too early.",
			Book:     "park", Run: racePark,
		},
		{
			Name: "loop", Kind: check.Program, Points: 3, Deadline: ages,
			Methods:  []string{"PreemptM", "DoSigPreempt", "WantAsyncPreempt", "IsAsyncSafePoint", "Asyncpreempt2"},
			Property: "for {} beside others: each of its slices ends after 10 to 20 ms.",
			Hint:     "First the unit checks. The run is in the evidence.",
			Book:     "loop", Run: loop,
		},
		{
			Name: "everywhere", Kind: check.Program, Points: 2, Deadline: ages,
			Methods:  []string{"PreemptM", "DoSigPreempt", "WantAsyncPreempt", "IsAsyncSafePoint", "Asyncpreempt2"},
			Property: "A program does not notice where it is stopped.",
			Hint:     "First the unit checks.",
			Book:     "safe", Run: everywhere,
		},
		{
			Name: "threads", Kind: check.Stress, Points: 1, Deadline: ages,
			Methods:  []string{"PreemptM", "DoSigPreempt", "WantAsyncPreempt", "IsAsyncSafePoint", "Asyncpreempt2"},
			Property: "The same holds on real threads.",
			Hint:     "Look at the models first.",
			Book:     "loop", Run: threads,
		},
		{
			Name: "mine", Kind: check.Mine, Points: 3,
			Methods:  []string{"mine"},
			Property: "Your own test of IsAsyncSafePoint passes on a correct one, and fails on each of the given mutants.",
			Hint:     "One case for each reason, and one without any.",
			Book:     "mine",
		},
		{
			Name: "mend-answer", Kind: check.Mended, Points: 2, Deadline: ages,
			Property: "DoSigPreempt, after which a suspender waits for ever, is mended with the smallest change, and you know which two steps met.",
			Hint:     "The suspender found a signal under way. Was it answered before or after that?",
			Book:     "order",
		},
		{
			Name: "mend-park", Kind: check.Mended, Points: 2, Deadline: ages,
			Property: "PreemptPark, which let go of a G that another M had, is mended with the smallest change, and you know which two steps met.",
			Hint:     "From which step on can another M have G1?",
			Book:     "park",
		},
		{
			Name: "mend-send", Kind: check.Mended, Points: 2, Deadline: ages,
			Property: "PreemptM, which sent two signals at a time, is mended with the smallest change, and you know which two steps met.",
			Hint:     "Between the look and the write there is room for another M.",
			Book:     "send",
		},
		{
			Name: "predict", Kind: check.Predict, Points: 2, Deadline: ages,
			Property: "You know in advance what a small change would do.",
			Hint:     "Think of the other M. Then name the check that would see it.",
			Book:     "order",
		},
	},
}
