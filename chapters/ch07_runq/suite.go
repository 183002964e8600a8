// Package ch07 is the conformance suite of chapter 7: the run queue of a P.
package ch07

import (
	"embed"
	"time"

	"gosched/chapters/check"
)

//go:embed programs/*.go
var embedded embed.FS

// The deadlines. A check with a right part takes a second at most; a wrong one may
// loop for ever.
const (
	brief = 10 * time.Second
	long  = time.Minute
)

// Suite is the chapter's suite.
var Suite = &check.Suite{
	ID:       "ch07",
	Dir:      "ch07_runq",
	Title:    "The run queue",
	Go:       "1.1–1.5",
	Parts:    []string{"RunQueue"},
	Programs: check.Programs(embedded),
	Checks: []check.Check{
		{
			Name: "put-tail", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Runqput", "Runqget"},
			Property: "Gs that are put at the tail come out in the same order, round and round the ring.",
			Hint:     "Head and tail are numbers that only go up; the slot of number i is i modulo the length. They are unsigned, so tail-head is right even when the tail has wrapped around at 2^32.",
			Book:     "ring", Run: putTail,
		},
		{
			Name: "put-next", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Runqput", "Runqget"},
			Property: "A G put next runs next, and kicks the one that was there to the tail; it alone inherits the time slice.",
			Hint:     "Runqput with next set has two Gs in its hands: the one that came, and the one that has to go. Which one goes on?",
			Book:     "runnext", Run: putNext,
		},
		{
			Name: "spawn-order", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"Runqput", "Runqget"},
			Property: "Of five Gs that one spawns, number 4 runs first, and 0 to 3 follow in order.",
			Hint:     "Each new G takes Runnext and kicks out the one before it.",
			Book:     "last-first", Run: spawnOrder,
		},
		{
			Name: "overflow", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Runqput", "Runqputslow"},
			Property: "A G that finds the ring full goes to the global queue behind the older half of the ring, under the lock.",
			Hint:     "The half starts at the head. The lock is for the global queue, and is taken once.",
			Book:     "overflow", Run: overflow,
		},
		{
			Name: "put-slow", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Runqputslow"},
			Property: "Runqputslow does nothing if the head has moved meanwhile, and throws if the ring was not full.",
			Hint:     "h and t are what the caller saw. Which operation takes the Gs only if the head is still h?",
			Book:     "overflow", Run: putSlow,
		},
		{
			Name: "spawn-overflow", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Runqput", "Runqputslow", "Runqget", "Runqputbatch", "Globrunqgetbatch"},
			Property: "Of 258 Gs that one spawns, numbered from 0, number 257 runs first, then 128, and 256 last.",
			Hint:     "It takes all the methods that put and get. Make sure that the checks of each pass first.",
			Book:     "last-first", Run: spawnOverflow,
		},
		{
			Name: "put-batch", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Runqputbatch"},
			Property: "Of a batch, as many Gs as there is room for go to the tail, in order, and the others come back.",
			Hint:     "q is a copy that you may empty: what you have not popped is what you return.",
			Book:     "batches", Run: putBatch,
		},
		{
			Name: "drain", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Runqdrain"},
			Property: "Runqdrain takes Runnext and then the whole ring, in order, and leaves nothing.",
			Hint:     "All Gs in the ring can be taken by one move of the head.",
			Book:     "drain", Run: drain,
		},
		{
			Name: "empty", Kind: check.Unit, Points: 1, Deadline: brief,
			Methods:  []string{"Runqempty"},
			Property: "A P is empty if it has nothing in the ring and nothing in Runnext.",
			Hint:     "Two places to look at.",
			Book:     "empty", Run: empty,
		},
		{
			Name: "global-batch", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Globrunqputbatch", "Globrunqgetbatch"},
			Property: "A batch goes to the tail of the global queue, and a P takes its share from the head: one G at least, and no more than it asks for.",
			Hint:     "min(n, size, size/GOMAXPROCS+1), of which the first is to run. Mind empty queues, at both ends.",
			Book:     "batches", Run: globalBatch,
		},
		{
			Name: "grab-half", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Runqgrab"},
			Property: "A thief gets half of the ring, rounded up, from the head, in order.",
			Hint:     "Half of one is one. The batch is a ring, too: the number batchHead+i is in slot (batchHead+i) modulo its length.",
			Book:     "steal", Run: grabHalf,
		},
		{
			Name: "grab-next", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Runqgrab"},
			Property: "Runnext is stolen only if the ring is empty, and only by a thief that may.",
			Hint:     "Its owner is most likely about to run it. So it is the last thing to take.",
			Book:     "steal-next", Run: grabNext,
		},
		{
			Name: "steal", Kind: check.Unit, Points: 3, Deadline: brief,
			Methods:  []string{"Runqsteal"},
			Property: "Of what is stolen, the last G is returned to run, and the others are on the thief's ring, in order.",
			Hint:     "Runqgrab can put them where they belong: on your own ring, behind the tail. Then the tail has to move, past all but the last.",
			Book:     "steal", Run: steal,
		},
		{
			Name: "steal-overflow", Kind: check.Unit, Points: 1, Deadline: brief,
			Methods:  []string{"Runqsteal"},
			Property: "Runqsteal throws if what it has stolen, including the G that it returns, does not fit on the thief's ring.",
			Hint:     "How many are on it, how many came, and how many slots are there? All that came were in the ring, including the one that you return.",
			Book:     "steal", Run: stealOverflow,
		},
		{
			Name: "random", Kind: check.Unit, Points: 2, Deadline: long,
			Methods:  []string{"Runqput", "Runqputslow", "Runqputbatch", "Runqget", "Runqdrain", "Runqempty", "Runqgrab", "Globrunqputbatch", "Globrunqgetbatch"},
			Property: "Any sequence of operations, one after another, gives the same results as plain slices.",
			Hint:     "The message tells what was done; the last thing is where it went wrong.",
			Book:     "ring", Run: random,
		},
		{
			Name: "wrap", Kind: check.Unit, Points: 2, Deadline: brief,
			Methods:  []string{"Runqput", "Runqputslow", "Runqputbatch", "Runqget", "Runqdrain", "Runqempty", "Runqgrab", "Runqsteal", "Globrunqputbatch", "Globrunqgetbatch"},
			Property: "All this holds when the numbers wrap around at 2^32, as a P's do after four billion Gs.",
			Hint:     "Here the head and the tail start 3 below 2^32. tail-head is always right; head < tail is not, and neither is anything that you have kept about a P without looking at it.",
			Book:     "ring", Run: wrap,
		},
		{
			Name: "back-off", Kind: check.Model, Points: 1, Deadline: long,
			Methods:  []string{"Runqgrab"},
			Property: "A thief waits for 3 µs before it takes the Runnext of a P that is running, and never otherwise.",
			Hint:     "machine.Usleep takes microseconds. When must the P's owner be given a chance?",
			Book:     "steal-next", Run: backOff,
		},
		{
			Name: "back-off-first", Kind: check.Model, Points: 1, Deadline: long,
			Methods:  []string{"Runqgrab"},
			Property: "The thief waits before it takes Runnext, not afterwards.",
			Hint:     "What is the wait good for if the G is already gone?",
			Book:     "steal-next", Run: backOffFirst,
		},
		{
			Name: "back-off-again", Kind: check.Model, Points: 1, Deadline: long,
			Methods:  []string{"Runqput", "Runqgrab"},
			Property: "The G that a thief takes out of Runnext is the one for which it has waited 3 µs; if that one is gone, it starts again.",
			Hint:     "The owner has put another G in the place of the one that you saw. Does that one get its 3 µs?",
			Book:     "steal-next", Run: backOffAgain,
		},
		{
			Name: "race-get", Kind: check.Model, Points: 3, Deadline: long,
			Methods:  []string{"Runqput", "Runqget", "Runqgrab"},
			Property: "While the owner puts and takes, a thief steals, and each G comes out once and in order.",
			Hint:     "Follow the lanes. Which line makes a G visible, and which one takes it? What does the other thread see just before it, and just after?",
			Book:     "publish", Run: raceGet,
		},
		{
			Name: "race-lap", Kind: check.Model, Points: 3, Deadline: long,
			Methods:  []string{"Runqgrab"},
			Property: "A thief so slow that the ring goes round meanwhile takes nothing that is gone.",
			Hint:     "When the head has moved past a slot, its owner may use it again. So a slot must be read before that; and the head must be compared as a whole, not modulo the length.",
			Book:     "take", Run: raceLap,
		},
		{
			Name: "race-thieves", Kind: check.Model, Points: 3, Deadline: long,
			Methods:  []string{"Runqgrab"},
			Property: "Two thieves never get the same G, and both get some if there are enough.",
			Hint:     "A CAS that fails says that another M was faster. That is no reason to give up.",
			Book:     "take", Run: raceThieves,
		},
		{
			Name: "race-spare", Kind: check.Model, Points: 2, Deadline: long,
			Methods:  []string{"Runqget", "Runqgrab"},
			Property: "As long as there is always something for both, owner and thief both get something.",
			Hint:     "An M that is beaten to the head must look again. And when head and tail are read at two moments, in which order does head == tail mean that there was nothing?",
			Book:     "take", Run: raceSpare,
		},
		{
			Name: "race-spare-next", Kind: check.Model, Points: 2, Deadline: long,
			Methods:  []string{"Runqput", "Runqget", "Runqgrab"},
			Property: "An owner that loses Runnext to a thief at the last moment still gets the G in its ring.",
			Hint:     "What does Runqget do when its CAS on Runnext fails?",
			Book:     "take", Run: raceSpareNext,
		},
		{
			Name: "race-half", Kind: check.Model, Points: 2, Deadline: long,
			Methods:  []string{"Runqgrab"},
			Property: "A thief that sees an old head and a new tail does not overwrite Gs of its own.",
			Hint:     "The tail minus the head may be more than the number of slots. How many can half of the ring be at most?",
			Book:     "steal", Run: raceHalf,
		},
		{
			Name: "race-next", Kind: check.Model, Points: 3, Deadline: long,
			Methods:  []string{"Runqput", "Runqget", "Runqgrab"},
			Property: "A G in Runnext is run by its owner, kicked out by it, or stolen, and exactly one of these.",
			Hint:     "Between a look at Runnext and a store to it, another M may have taken what was there. One operation must do both.",
			Book:     "steal-next", Run: raceNext,
		},
		{
			Name: "race-next-thieves", Kind: check.Model, Points: 3, Deadline: long,
			Methods:  []string{"Runqgrab"},
			Property: "Two thieves and the owner are after the same Runnext, and one of them gets it.",
			Hint:     "After 3 µs much may have changed, even which G is in Runnext.",
			Book:     "steal-next", Run: raceNextThieves,
		},
		{
			Name: "race-overflow", Kind: check.Model, Points: 3, Deadline: long,
			Methods:  []string{"Runqput", "Runqputslow", "Runqgrab"},
			Property: "When the ring overflows while a thief steals from it, no G is lost, and none is on both queues.",
			Hint:     "Half of the ring is yours once the head has moved past it, by your CAS. Before that, a thief may have it.",
			Book:     "overflow", Run: raceOverflow,
		},
		{
			Name: "race-overflow-links", Kind: check.Model, Points: 1, Deadline: long,
			Methods:  []string{"Runqput", "Runqputslow", "Runqgrab"},
			Property: "Runqputslow touches no G that a thief may still take.",
			Hint:     "To link Gs is to write into them. Before your CAS any M may take them.",
			Book:     "overflow", Run: raceOverflowLinks,
		},
		{
			Name: "race-overflow-next", Kind: check.Model, Points: 2, Deadline: long,
			Methods:  []string{"Runqput", "Runqputslow", "Runqget", "Runqgrab"},
			Property: "A G put next is next, even if the one that it kicked out had to be put twice.",
			Hint:     "If Runqputslow reports false, you start again. With which G, and with which part of Runqput?",
			Book:     "overflow", Run: raceOverflowNext,
		},
		{
			Name: "race-batch", Kind: check.Model, Points: 2, Deadline: long,
			Methods:  []string{"Runqputbatch", "Runqgrab"},
			Property: "A thief sees all of a batch or nothing of it, and never a slot that is not written yet.",
			Hint:     "The tail says up to where the slots are good.",
			Book:     "batches", Run: raceBatch,
		},
		{
			Name: "race-drain", Kind: check.Model, Points: 3, Deadline: long,
			Methods:  []string{"Runqdrain", "Runqgrab"},
			Property: "Runqdrain touches no G that a thief may still take.",
			Hint:     "To link Gs is to write into them. Whose are they at that moment?",
			Book:     "drain", Run: raceDrain,
		},
		{
			Name: "race-drain-next", Kind: check.Model, Points: 2, Deadline: long,
			Methods:  []string{"Runqdrain", "Runqgrab"},
			Property: "A Runnext is drained or stolen, not both.",
			Hint:     "Runqdrain takes Runnext as Runqget does.",
			Book:     "drain", Run: raceDrainNext,
		},
		{
			Name: "race-empty", Kind: check.Model, Points: 3, Deadline: long,
			Methods:  []string{"Runqempty"},
			Property: "Runqempty never says that a P is empty if it has had a G all the time.",
			Hint:     "Head and tail are equal, and a moment later Runnext is empty. Where may the G have gone in between, and how would you notice?",
			Book:     "empty", Run: raceEmpty,
		},
		{
			Name: "race-empty-thief", Kind: check.Model, Points: 2, Deadline: long,
			Methods:  []string{"Runqempty"},
			Property: "Nor does it if the G was in the ring at first, and at the end another one is in Runnext.",
			Hint:     "In which order do you look? What moves the tail, and what does not?",
			Book:     "empty", Run: raceEmptyThief,
		},
		{
			Name: "race-steal", Kind: check.Model, Points: 2, Deadline: long,
			Methods:  []string{"Runqsteal", "Runqgrab"},
			Property: "What a thief has stolen can be stolen from it, and is never seen half done.",
			Hint:     "The thief is the owner of its own ring, and a store to its tail is a promise there, too.",
			Book:     "steal", Run: raceSteal,
		},
		{
			Name: "visible", Kind: check.Unit, Points: 1, Deadline: brief,
			Methods:  []string{"Runqput"},
			Property: "What threads share is in atomic variables, mutexes and Cells of package machine, so that the models see it.",
			Hint:     "Does it belong to the P? Then it has a field there, or put it into a gmp.PerP, if only its owner uses it. If thieves use it as well, it must be a machine.Pointer, Uint32 or the like.",
			Book:     "stress", Run: visible,
		},
		{
			Name: "stress", Kind: check.Stress, Points: 2, Deadline: long,
			Methods:  []string{"Runqput", "Runqputslow", "Runqget", "Runqdrain", "Runqgrab", "Runqsteal", "Globrunqputbatch"},
			Property: "On real threads, too, each of many Gs comes out once, and no M touches a G that is not its own.",
			Hint:     "If the models pass and this does not, the mistake needs more Gs than a model has, or something is shared that the explorer does not see.",
			Book:     "stress", Run: stress,
		},
		{
			Name: "mine", Kind: check.Mine, Points: 4, Deadline: long,
			Methods:  []string{"mine"},
			Property: "Your own model passes on correct queues and fails on each of the wrong ones.",
			Hint:     "Let an owner put and take more often than the ring has slots, with Runnext and without, while a thief steals. Put and Take of the model keep the books.",
			Book:     "mine",
		},
		{
			Name: "mend-put", Kind: check.Mended, Points: 2, Deadline: long,
			Property: "Runqput, which lost a G, is mended with the smallest change, and you know which two steps met.",
			Hint:     "The owner makes two things known to others. In which order may the others learn of them?",
			Book:     "publish",
		},
		{
			Name: "mend-next", Kind: check.Mended, Points: 2, Deadline: long,
			Property: "Runqput, by which a G ran twice, is mended with the smallest change, and you know which two steps met.",
			Hint:     "Between a look and the action that follows it there is room for another thread.",
			Book:     "steal-next",
		},
		{
			Name: "mend-empty", Kind: check.Mended, Points: 2, Deadline: long,
			Property: "Runqempty, which overlooked a G, is mended with the smallest change, and you know which two steps met.",
			Hint:     "Where was the G at each of the three looks? What had changed when it went from one place to the other?",
			Book:     "empty",
		},
		{
			Name: "predict", Kind: check.Predict, Points: 2, Deadline: long,
			Property: "You know in advance what a small change would do.",
			Hint:     "Think it through with an owner and a thief, line by line; then name the check that would see it.",
			Book:     "mine",
		},
	},
}
