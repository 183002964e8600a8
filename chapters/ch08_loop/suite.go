// Package ch08 is the conformance suite of chapter 8: the loop and its fairness.
package ch08

import (
	"embed"
	"time"

	"gosched/chapters/check"
)

//go:embed programs/*.go
var embedded embed.FS

// blocks is the deadline of the unit checks, each of which takes milliseconds. A
// program's check, or a model, may take a second or two, and has more.
const (
	blocks = 5 * time.Second
	plays  = 60 * time.Second
)

// Suite is the chapter's suite.
var Suite = &check.Suite{
	ID:       "ch08",
	Dir:      "ch08_loop",
	Title:    "The loop and its fairness",
	Go:       "1.2–1.5",
	Parts:    []string{"Loop", "Submission", "Sources", "Finder"},
	Programs: check.Programs(embedded),
	Checks: []check.Check{
		{
			Name: "execute", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Execute"},
			Property: "Execute links M and G both ways, and then makes the G running.",
			Hint:     "As in chapter 5. Mind the order: an M that sees a running G may want to know which M it runs on.",
			Book:     "loop", Run: executeLinks,
		},
		{
			Name: "execute-tick", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Execute"},
			Property: "P.Schedtick counts time slices: it rises by one unless the G continues the slice of the one before it.",
			Hint:     "One parameter of Execute says exactly that.",
			Book:     "inherit", Run: executeTick,
		},
		{
			Name: "execute-request", Kind: check.Unit, Points: 1, Deadline: blocks,
			Methods:  []string{"Execute"},
			Property: "A request to stop ends with the slice that it was for: a G that begins to run was not asked to stop.",
			Hint:     "Two fields say that a G is to stop. Both are old when it runs again.",
			Book:     "loop", Run: executeRequest,
		},
		{
			Name: "schedule", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Schedule"},
			Property: "Schedule executes the G that FindRunnable returns, with its inheritTime; if there is none, it returns.",
			Hint:     "FindRunnable has three results. Which one is for Execute?",
			Book:     "loop", Run: scheduleRuns,
		},
		{
			Name: "schedule-wakes", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Schedule"},
			Property: "Before the G runs, an M that spins says that it no longer does, and a P is woken if FindRunnable wants it.",
			Hint:     "In the runtime nothing that comes after execute is ever reached.",
			Book:     "loop", Run: scheduleWakes,
		},
		{
			Name: "ready", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Ready"},
			Property: "A G that is made ready is put on the P of the M that does it, next if its caller says so; then an M is woken if a P is idle.",
			Hint:     "State, queue, wake: each may let another M see the G.",
			Book:     "submit", Run: ready,
		},
		{
			Name: "newproc", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Newproc"},
			Property: "A new G runs next on the P of its maker; then an M is woken if a P is idle, but not for the main goroutine.",
			Hint:     "Once the G is queued, it may already have ended on another M. What in it may you still look at?",
			Book:     "submit", Run: newproc,
		},
		{
			Name: "yield", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"GoschedImpl"},
			Property: "A G that yields, or is preempted, goes to the tail of the global queue after its M has let go of it.",
			Hint:     "Why not to the tail of its P's own ring? And from when on can another M run the G?",
			Book:     "gosched", Run: yield,
		},
		{
			Name: "nearby-order", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Nearby", "Globrunqgetlocal"},
			Property: "Nearby takes a G from the first place that has one: at the tick the global queue, Runnext, the ring, the global queue, the network.",
			Hint:     "Write the places down in order, and return from each.",
			Book:     "sources", Run: nearbyOrder,
		},
		{
			Name: "nearby-tick", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Nearby"},
			Property: "When Schedtick is a multiple of 61, one G of the global queue comes before the P's own, and the others stay there.",
			Hint:     "0 is a multiple, too. How many does Globrunqget take?",
			Book:     "tick", Run: nearbyTick,
		},
		{
			Name: "nearby-free", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Nearby"},
			Property: "As long as the global queue is empty, no M takes its lock.",
			Hint:     "s.Runqsize is there for that.",
			Book:     "tick", Run: nearbyFree,
		},
		{
			Name: "nearby-batch", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Nearby", "Globrunqgetlocal"},
			Property: "A P without work takes its share of the global queue, runs the first G and keeps the others.",
			Hint:     "That is the other getter. Where do the others go?",
			Book:     "batch", Run: nearbyBatch,
		},
		{
			Name: "nearby-late", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"Nearby", "Globrunqgetlocal"},
			Property: "If others have emptied the global queue meanwhile, Nearby goes on to the next place.",
			Hint:     "Runqsize is a hint: it was true a moment ago. What do you return if there turns out to be nothing under the lock?",
			Book:     "sources", Run: nearbyLate,
		},
		{
			Name: "local-batch", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Globrunqgetlocal"},
			Property: "A batch is min(128, n, n/P+1) of the n Gs on the global queue: half a ring at most, and a share that leaves some for the other Ps.",
			Hint:     "Globrunqgetbatch knows the share. What must it be asked for?",
			Book:     "batch", Run: localBatch,
		},
		{
			Name: "nearby-net", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"Nearby"},
			Property: "The first G from the network is taken, and is then runnable; the others are for Injectglist; the network is not polled in vain.",
			Hint:     "A list has a Pop. In which state is a G that waited?",
			Book:     "sources", Run: nearbyNet,
		},
		{
			Name: "find-each", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"FindRunnable"},
			Property: "FindRunnable runs the timers of its P, and returns the G that it finds nearby, or steals.",
			Hint:     "Pass on what Nearby says of inheritTime, and what StealWork says: it knows whether the G was stolen, or was made ready by a timer.",
			Book:     "find", Run: findEach,
		},
		{
			Name: "find-order", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"FindRunnable"},
			Property: "If there is nothing, it looks at the timers, nearby, and at other Ps, in this order, and only then gives its P back and sleeps.",
			Hint:     "From what is cheap to what disturbs others.",
			Book:     "find", Run: findOrder,
		},
		{
			Name: "find-again", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"FindRunnable"},
			Property: "What comes while it looks is not missed: after newWork it starts again, and under the lock it looks at the global queue once more.",
			Hint:     "An M that puts a G there wakes no other if no P is idle. Is yours idle at that moment?",
			Book:     "last-look", Run: findAgain,
		},
		{
			Name: "find-idle", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"FindRunnable"},
			Property: "An M sleeps without a P and without the lock, and looks again when it is woken; FindRunnable returns nil when the program is over.",
			Hint:     "Whatever woke it has brought a P, and perhaps another M has taken the G meanwhile.",
			Book:     "find", Run: findIdle,
		},
		{
			Name: "find-waits", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"FindRunnable"},
			Property: "If a timer is to come, or a G waits for the network, it waits for that, no longer than until the first timer, and then takes a P again.",
			Hint:     "There are two times: CheckTimers returns one, StealWork the other; 0 means none. And when it is awake again, there may be no idle P.",
			Book:     "find", Run: findWaits,
		},
		{
			Name: "find-stops", Kind: check.Unit, Points: 2, Deadline: blocks,
			Methods:  []string{"FindRunnable"},
			Property: "If the world is to stop, the M stops, with its P, before it looks and before it sleeps.",
			Hint:     "Gcwaiting is checked in two places, the second time under the lock.",
			Book:     "find", Run: findStops,
		},
		{
			Name: "find-rounds", Kind: check.Unit, Points: 3, Deadline: blocks,
			Methods:  []string{"FindRunnable"},
			Property: "Each round starts afresh: with the P that the M has then, and with the timers that exist then.",
			Hint:     "Which of your variables are set before the loop, or keep their value from one round to the next?",
			Book:     "find", Run: findRounds,
		},
		{
			Name: "race-ready", Kind: check.Model, Points: 1, Deadline: plays,
			Methods:  []string{"Ready"},
			Property: "A G that was made ready may run and end on another M as soon as it is queued; Ready no longer touches it.",
			Hint:     "The report names the two lines. Whatever you still have to read or write in a G must be done before it is put on a queue, from which others may run it.",
			Book:     "submit", Run: submits(readies),
		},
		{
			Name: "race-newproc", Kind: check.Model, Points: 1, Deadline: plays,
			Methods:  []string{"Newproc"},
			Property: "A new G may run and end on another M as soon as it is queued; Newproc no longer touches it.",
			Hint:     "The report names the two lines. Whatever you still have to read or write in a G must be done before it is put on a queue, from which others may run it.",
			Book:     "submit", Run: submits(starts),
		},
		{
			Name: "race-gosched", Kind: check.Model, Points: 1, Deadline: plays,
			Methods:  []string{"GoschedImpl"},
			Property: "A G that yields may run and end on another M as soon as it is queued and the lock is free; GoschedImpl no longer touches it.",
			Hint:     "The report names the two lines. Whatever you still have to read or write in a G must be done before it is put on a queue, from which others may run it.",
			Book:     "gosched", Run: submits(yields),
		},
		{
			Name: "race-stop", Kind: check.Model, Points: 3, Deadline: plays,
			Methods:  []string{"FindRunnable", "Schedule"},
			Property: "An M that gives its P back while the world is being stopped is waited for, or has already given it back: no M waits for ever.",
			Hint:     "The M that stops the world sets Gcwaiting and takes all idle Ps, in one step under the lock. What may be true of yours when you have the lock?",
			Book:     "last-look", Run: raceStop,
		},
		{
			Name: "race-yield", Kind: check.Model, Points: 3, Deadline: plays,
			Methods:  []string{"GoschedImpl", "FindRunnable", "Schedule", "Execute"},
			Property: "A G yields while another M gives up: an M comes for the G, although its own M has others to run.",
			Hint:     "Read the lanes: where does M1 look for the last time, and when is the G queued?",
			Book:     "last-look", Run: raceYield,
		},
		{
			Name: "race-overflow", Kind: check.Model, Points: 3, Deadline: plays,
			Methods:  []string{"Ready", "FindRunnable", "Schedule", "Execute", "Globrunqgetlocal"},
			Property: "Gs overflow to the global queue while an M gives up: an M comes for them, although their maker is busy.",
			Hint:     "Finding the queue empty, and being on the list of idle Ps, must be one step.",
			Book:     "last-look", Run: raceOverflow,
		},
		{
			Name: "turns", Kind: check.Program, Points: 2, Deadline: plays,
			Methods:  []string{"Schedule", "Execute", "Newproc", "GoschedImpl", "Nearby", "FindRunnable"},
			Property: "On a P that has work, exactly every 61st time slice begins with a G from the global queue.",
			Hint:     "First the unit checks of the tick.",
			Book:     "gosched", Run: turns,
		},
		{
			Name: "fair", Kind: check.Program, Points: 2, Deadline: plays,
			Methods:  []string{"Schedule", "Execute", "Ready", "GoschedImpl", "Nearby", "FindRunnable"},
			Property: "Gs that wake each other on one P do not keep another on the global queue from its turn.",
			Hint:     "Which of the Gs starts a new slice when it runs, and what counts it?",
			Book:     "tick", Run: fair,
		},
		{
			Name: "one-slice", Kind: check.Program, Points: 2, Deadline: plays,
			Methods:  []string{"Schedule", "Execute", "Ready", "Nearby", "FindRunnable"},
			Property: "A ping-pong over Runnext is one time slice, however long it lasts.",
			Hint:     "inheritTime goes from Runqget to Nearby, FindRunnable, Schedule and Execute. Where does it get lost?",
			Book:     "inherit", Run: oneSlice,
		},
		{
			Name: "queue-trace", Kind: check.Program, Points: 2, Deadline: plays,
			Methods:  []string{"Newproc", "GoschedImpl", "Nearby", "Globrunqgetlocal", "FindRunnable"},
			Property: "The global queue gets what a full ring gives away and the Gs that yield, and gives one G at the tick and a batch to a P without work.",
			Hint:     "The log is in the evidence: look for put and get with q global.",
			Book:     "producers", Run: queueTrace,
		},
		{
			Name: "points", Kind: check.Program, Points: 1, Deadline: plays,
			Methods:  []string{"Schedule", "Execute", "Newproc", "Ready", "GoschedImpl"},
			Property: "A G stops where it parks, yields or ends, and nowhere else: not where it starts or wakes others.",
			Hint:     "What calls Schedule?",
			Book:     "points", Run: points,
		},
		{
			Name: "interleaved", Kind: check.Program, Points: 2, Deadline: plays,
			Methods:  []string{"Schedule", "Execute", "Newproc", "Ready", "GoschedImpl", "Nearby", "Globrunqgetlocal", "FindRunnable"},
			Property: "On any number of CPUs no G is lost and none runs twice.",
			Hint:     "First the unit checks. Then: the message names the number of CPUs and the seed, with which everything happens again.",
			Book:     "last-look", Run: interleaved,
		},
		{
			Name: "wedged", Kind: check.Program, Points: 1, Deadline: plays,
			Methods:  []string{"Schedule", "FindRunnable"},
			Property: "A deadlock is reported when the last M goes to sleep.",
			Hint:     "Checkdead is called by Mput, and Mput by Stopm. What calls Stopm, and what does it hold?",
			Book:     "find", Run: wedged,
		},
		{
			Name: "dozing", Kind: check.Program, Points: 1, Deadline: plays,
			Methods:  []string{"Schedule", "Ready", "FindRunnable"},
			Property: "A program that only timers keep alive goes on when they are due.",
			Hint:     "An M must sleep until then, and no longer: see Sched.Netpolluntil.",
			Book:     "find", Run: dozing,
		},
		{
			Name: "visible", Kind: check.Unit, Points: 1, Deadline: blocks,
			Methods:  []string{"Execute"},
			Property: "What threads share is in atomic variables, mutexes and Cells of package machine, so that the models see it.",
			Hint:     "Does it belong to an M or to a P? Then put it into a gmp.PerM or gmp.PerP. Otherwise it must be a machine.Cell, Uint32, Pointer or the like.",
			Book:     "last-look", Run: visible,
		},
		{
			Name: "threads", Kind: check.Stress, Points: 1, Deadline: plays,
			Methods:  []string{"Schedule", "Execute", "Newproc", "Ready", "GoschedImpl", "Nearby", "Globrunqgetlocal", "FindRunnable"},
			Property: "The same holds on real threads.",
			Hint:     "Is it only slow? Otherwise look for what is touched without the lock.",
			Book:     "last-look", Run: threads,
		},
		{
			Name: "mine", Kind: check.Mine, Points: 4,
			Methods:  []string{"mine"},
			Property: "Your own test of the tick passes on a correct Nearby, and fails on each of the given mutants.",
			Hint:     "Let Schedtick be each number from 0 to 130, and look at what comes and at what is left.",
			Book:     "mine",
		},
		{
			Name: "mend-ready", Kind: check.Mended, Points: 2, Deadline: plays,
			Property: "Ready, which left Gs beside an idle P, is mended with the smallest change, and you know which two steps met.",
			Hint:     "Two things are to be done. For an M that is about to sleep: which of them does it see, and by which of them is it seen?",
			Book:     "submit",
		},
		{
			Name: "mend-newproc", Kind: check.Mended, Points: 2, Deadline: plays,
			Property: "Newproc, which looked at another M's G, is mended with the smallest change, and you know which two steps met.",
			Hint:     "From which line on may the new G run, and end? What of it is looked at afterwards?",
			Book:     "submit",
		},
		{
			Name: "mend-yield", Kind: check.Mended, Points: 2, Deadline: plays,
			Property: "GoschedImpl, which left a G beside an idle P, is mended with the smallest change, and you know which two steps met.",
			Hint:     "M0 looks for a G next, and may find a different one. Which M comes for this one?",
			Book:     "gosched",
		},
		{
			Name: "predict", Kind: check.Predict, Points: 2, Deadline: plays,
			Property: "You know in advance what a small change would do.",
			Hint:     "Think it through with two Ms, line by line; then name the check that would see it.",
			Book:     "last-look",
		},
	},
}
