// Package ch06 is the conformance suite of chapter 6: the P.
package ch06

import (
	"embed"
	"time"

	"gosched/chapters/check"
)

//go:embed programs/*.go
var embedded embed.FS

// blocks is the deadline of the unit checks, each of which takes milliseconds: a part
// that takes a lock twice blocks many of them. A program's check may take a second or
// two, and has more.
const (
	blocks = 5 * time.Second
	plays  = 60 * time.Second
)

// Suite is the chapter's suite.
var Suite = &check.Suite{
	ID:       "ch06",
	Dir:      "ch06_p",
	Title:    "The P",
	Go:       "1.1",
	Parts:    []string{"Boot", "Freelists", "Procs", "Sudogs"},
	Programs: check.Programs(embedded),
	Checks: []check.Check{
		{
			Name: "wirep", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Wirep"},
			Property: "Wirep links an M and a P both ways, and the P is running.",
			Hint:     "Three fields.",
			Book:     "wire", Run: wirep,
		},
		{
			Name: "wirep-throws", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Wirep"},
			Property: "An M has at most one P, and a P at most one M; a P that is not idle cannot be taken.",
			Hint:     "Two things can be wrong with the P. Check everything before you change anything.",
			Book:     "wire", Run: wirepThrows,
		},
		{
			Name: "acquirep", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Acquirep"},
			Property: "Acquirep is Wirep, called through s.",
			Hint:     "One line.",
			Book:     "wire", Run: acquirep,
		},
		{
			Name: "releasep", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Releasep"},
			Property: "Releasep unlinks both, and returns the P, idle, on no list, with everything that is on it; the M goes on.",
			Hint:     "Undo what Wirep does, and nothing else. Which M gets the P is for the caller to say.",
			Book:     "wire", Run: releasep,
		},
		{
			Name: "releasep-throws", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Releasep"},
			Property: "Only a P that is running, and really belongs to the M, can be taken away.",
			Hint:     "An M without a P is one mistake, a P that disagrees is another.",
			Book:     "wire", Run: releasepThrows,
		},
		{
			Name: "idle-list", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Pidleput", "Pidleget"},
			Property: "The P that became idle last is the first to be taken; a P that is taken no longer counts as idle and points to no other.",
			Hint:     "Like the list of idle Ms in chapter 5. The state of a P does not change here.",
			Book:     "idle", Run: idleList,
		},
		{
			Name: "idle-rules", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Pidleput", "Pidleget"},
			Property: "A P with work is refused; the time comes back as it was given, or is read if it was 0.",
			Hint:     "When there is no P, there is no need to know the time.",
			Book:     "idle", Run: idleRules,
		},
		{
			Name: "race-idle", Kind: check.Model, Points: 4, Deadline: plays,
			Methods:  []string{"Pidleput", "Pidleget", "Acquirep", "Releasep"},
			Property: "Three Ms come for two idle Ps: in no order do two of them get the same one, and none is lost.",
			Hint:     "From when on can no other M find the P? Before the lock is released, or after?",
			Book:     "idle", Run: idleRace,
		},
		{
			Name: "race-handover", Kind: check.Model, Points: 4, Deadline: plays,
			Methods:  []string{"Acquirep", "Releasep", "Pidleput", "Pidleget"},
			Property: "A P passes from an M that gives up to one that is woken, by Nextp: an M that sleeps has no P, and an M that runs has no Nextp.",
			Hint:     "Startm and Stopm are given. What do they find when they call your methods?",
			Book:     "nextp", Run: handOver,
		},
		{
			Name: "resize-first", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Procresize"},
			Property: "From no P to many: they are in order of ID, M0 has the first, and the others are idle, the lowest first.",
			Hint:     "The list of idle Ps has one end. In which order must they be put there?",
			Book:     "resize", Run: resizeFirst,
		},
		{
			Name: "resize-again", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Procresize"},
			Property: "1, 4, 2, 300, 1, 3000, 4: a P that dies is kept, and is used again with nothing on it.",
			Hint:     "The array of s.Allp may be longer than s.Allp. What is beyond its end?",
			Book:     "resize", Run: resizeAgain,
		},
		{
			Name: "resize-queue", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Procresize"},
			Property: "The Gs of a P that dies come first in the global queue, in their order.",
			Hint:     "If you put the first of them at the head first, where is it in the end?",
			Book:     "resize", Run: resizeQueue,
		},
		{
			Name: "resize-caches", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Procresize"},
			Property: "The dead Gs and the sudogs of a P that dies go to the shared lists, and none is lost.",
			Hint:     "There are two lists of dead Gs. Each shared list has its own lock.",
			Book:     "resize", Run: resizeCaches,
		},
		{
			Name: "resize-mine", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Procresize"},
			Property: "The M that changes the number keeps its P, or takes P0 if its own has to go or it had none.",
			Hint:     "Its old P may still believe that it has an M.",
			Book:     "resize", Run: resizeMine,
		},
		{
			Name: "resize-work", Kind: check.Unit, Points: 4, Deadline: blocks,
			Methods:  []string{"Procresize"},
			Property: "Ps with work are not idle: they are returned, in order of ID, so that the caller can give each an M.",
			Hint:     "Pidleput refuses them. Link them like the idle ones, into a list of their own.",
			Book:     "resize", Run: resizeWork,
		},
		{
			Name: "free-own", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Gfget", "Gfput"},
			Property: "A G that ends is on its P, for the next M to hold that P, and needs no lock there.",
			Hint:     "mp.P.GFree; s.GFree is for the surplus.",
			Book:     "caches", Run: freeOwn,
		},
		{
			Name: "free-stacks", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Gfget", "Gfput"},
			Property: "A stack that has grown is freed, a G without one gets one, and only a dead G is taken.",
			Hint:     "As in chapter 1.",
			Book:     "caches", Run: freeStacks,
		},
		{
			Name: "free-balance", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Gfget", "Gfput"},
			Property: "A P with 64 dead Gs keeps 31, and one with none fetches 32, those with a stack first; nothing is lost.",
			Hint:     "One visit to the shared list pays for about thirty Gs.",
			Book:     "caches", Run: freeBalance,
		},
		{
			Name: "race-free", Kind: check.Model, Points: 4, Deadline: plays,
			Methods:  []string{"Gfget", "Gfput"},
			Property: "Three Ps come to the shared list at the same time: in no order is a G lost or on two lists.",
			Hint:     "What you have seen without the lock need no longer be true.",
			Book:     "caches", Run: freeRace,
		},
		{
			Name: "sudog-own", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"AcquireSudog", "ReleaseSudog"},
			Property: "Free sudogs are on the P, blank, for the M that holds it, and need no lock there.",
			Hint:     "mp.P.Sudogcache. What does the last user leave in a sudog?",
			Book:     "caches", Run: sudogOwn,
		},
		{
			Name: "sudog-throws", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"ReleaseSudog"},
			Property: "A sudog that is still in use is refused.",
			Hint:     "As in chapter 3.",
			Book:     "caches", Run: sudogThrows,
		},
		{
			Name: "sudog-balance", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"AcquireSudog", "ReleaseSudog"},
			Property: "A P without room gives half away, and one with none fetches half of what it has room for: what goes to another P comes back.",
			Hint:     "cap(pp.Sudogcache) is the room.",
			Book:     "caches", Run: sudogBalance,
		},
		{
			Name: "race-sudog", Kind: check.Model, Points: 4, Deadline: plays,
			Methods:  []string{"AcquireSudog", "ReleaseSudog"},
			Property: "Three Ps come to the shared list of sudogs at the same time: in no order is a sudog lost, or given to two Ps.",
			Hint:     "s.Sudogcache is under s.Sudoglock, even for a look, and so is the Next of a sudog on it.",
			Book:     "caches", Run: sudogRace,
		},
		{
			Name: "race-dying", Kind: check.Model, Points: 2, Deadline: plays,
			Methods:  []string{"Procresize"},
			Property: "While a P dies, an M without a P, which a stopped world does not stop, works on the shared lists: their locks keep the two apart.",
			Hint:     "s.Lock does not guard s.GFree or s.Sudogcache.",
			Book:     "resize", Run: dyingRace,
		},
		{
			Name: "schedinit", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Schedinit"},
			Property: "Schedinit empties the lists, makes the Ps under the lock, and only then makes the main goroutine.",
			Hint:     "Where does Newproc put a G?",
			Book:     "boot", Run: schedinit,
		},
		{
			Name: "main-exit", Kind: check.Unit, Points: 1, Deadline: blocks,
			Methods:  []string{"MainExit"},
			Property: "MainExit runs the exit hooks, the last one added first, and then ends the program.",
			Hint:     "Sched.RunExithooks, Sched.Exit.",
			Book:     "boot", Run: mainExit,
		},
		{
			Name: "resizes", Kind: check.Program, Points: 3, Deadline: plays,
			Methods:  []string{"Schedinit", "Procresize", "Acquirep", "Releasep", "Wirep", "Pidleput", "Pidleget"},
			Property: "While goroutines run, GOMAXPROCS goes up and down: no G is lost, and none runs on a dead P.",
			Hint:     "The message names the number of CPUs and the seed, with which everything happens again. The run is in the evidence.",
			Book:     "world", Run: resizes,
		},
		{
			Name: "locks", Kind: check.Program, Points: 1, Deadline: plays,
			Methods:  []string{"Gfget", "Gfput", "AcquireSudog", "ReleaseSudog"},
			Property: "Goroutines that come and go seldom need the locks of the shared lists: one visit moves as many as can be used.",
			Hint:     "How many Gs, or sudogs, does one visit move?",
			Book:     "caches", Run: seldomLocked,
		},
		{
			Name: "visible", Kind: check.Unit, Points: 1, Deadline: blocks,
			Methods:  []string{"Wirep"},
			Property: "What threads share is in atomic variables, mutexes and Cells of package machine, so that the models see it.",
			Hint:     "What belongs to a P can be in a gmp.PerP; what several Ms use must be a machine.Cell, or a machine.Uint32 or the like.",
			Book:     "caches", Run: visible,
		},
		{
			Name: "threads", Kind: check.Stress, Points: 2, Deadline: plays,
			Methods:  []string{"Procresize", "Acquirep", "Releasep", "Wirep", "Pidleput", "Pidleget", "Gfget", "Gfput", "AcquireSudog", "ReleaseSudog"},
			Property: "The same holds on real threads.",
			Hint:     "Is it only slow? Otherwise look for what is touched without the P, or without the lock.",
			Book:     "world", Run: threads,
		},
		{
			Name: "mine", Kind: check.Mine, Points: 4,
			Methods:  []string{"mine"},
			Property: "Your own test of a P that dies passes on a correct Procresize, and fails on each of the given mutants.",
			Hint:     "Whatever you put on the P must be somewhere afterwards.",
			Book:     "mine",
		},
		{
			Name: "mend-idle", Kind: check.Mended, Points: 2, Deadline: plays,
			Property: "Pidleget, which lost a P, is mended with the smallest change, and you know which two steps met.",
			Hint:     "Seeing which P is the first, and taking it off, is one step.",
			Book:     "idle",
		},
		{
			Name: "mend-free", Kind: check.Mended, Points: 2, Deadline: plays,
			Property: "Gfget, which fetched what was gone, is mended with the smallest change, and you know which two steps met.",
			Hint:     "What guards the number of dead Gs on the shared lists?",
			Book:     "caches",
		},
		{
			Name: "mend-sudog", Kind: check.Mended, Points: 2, Deadline: plays,
			Property: "ReleaseSudog, which linked to a sudog that was gone, is mended with the smallest change, and you know which two steps met.",
			Hint:     "The chain is yours alone until it is on the list. Is all of it?",
			Book:     "caches",
		},
		{
			Name: "predict", Kind: check.Predict, Points: 2, Deadline: plays,
			Property: "You know in advance what a small change would do.",
			Hint:     "Where is the P, and who may touch what is on it? Then name the check that would see it, if there is one.",
			Book:     "mine",
		},
	},
}
