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
			Name: "sema", Kind: check.Unit, Points: 4, Deadline: brief,
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
			Name: "gcstopm", Kind: check.Unit, Points: 5, Deadline: brief,
			Methods:  []string{"Gcstopm"},
			Property: "An M stops its P, counts it, and sleeps; the last one wakes whoever waits.",
			Hint:     "Give up the P first. The state and the count change in one step under the lock.",
			Book:     "stop", Run: gcstopm,
		},
		{
			Name: "stop", Kind: check.Unit, Points: 8, Deadline: brief,
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
			Name: "start", Kind: check.Unit, Points: 6, Deadline: brief,
			Methods:  []string{"StartTheWorldWithSema"},
			Property: "Each P with work gets an M, and one more M looks for the rest.",
			Hint:     "As soon as an M is started for a P, that M may change its Link.",
			Book:     "start", Run: start,
		},
		{
			Name: "wakes", Kind: check.Unit, Points: 4, Deadline: brief,
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
			Name: "each", Kind: check.Unit, Points: 6, Deadline: brief,
			Methods:  []string{"ForEachP", "RunSafePointFn"},
			Property: "The function is called for each P, wherever it is.",
			Hint:     "The message says where the P was.",
			Book:     "each", Run: each,
		},
		{
			Name: "late-call", Kind: check.Unit, Points: 3, Deadline: brief,
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
	},
}
