package ch07

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Mutants are mistakes that one makes in this chapter. Those that the student's own
// model must find are open; each of them needs one interleaving or another.
var Mutants = []check.Mutant{
	{
		Name: "tail-before-slot", Check: "race-get",
		What:  "Runqput stores the tail before the slot, so a thief may read a slot that is not written yet",
		Parts: mutant(func(b broken) gmp.RunQueue { return tailBeforeSlot{b} }),
	},
	{
		Name: "slots-after-cas", Check: "race-lap",
		What:  "Runqgrab moves the head first and reads the slots afterwards, when their owner may use them again",
		Parts: mutant(func(b broken) gmp.RunQueue { return slotsAfterCAS{b} }),
	},
	{
		Name: "get-without-cas", Check: "race-get",
		What:  "Runqget stores the head instead of swapping it, although a thief may have moved it",
		Parts: mutant(func(b broken) gmp.RunQueue { return getWithoutCAS{b} }),
	},
	{
		Name: "next-stolen-by-store", Check: "race-next",
		What:  "Runqgrab takes Runnext with a plain store, whatever is in it by then",
		Parts: mutant(func(b broken) gmp.RunQueue { return nextStolenByStore{b} }),
	},
	{
		Name: "next-put-by-store", Check: "race-next",
		What:  "Runqput loads Runnext and then stores it; a thief that comes in between takes the G that is kicked out as well",
		Parts: mutant(func(b broken) gmp.RunQueue { return nextPutByStore{b} }),
	},
	{
		Name: "next-got-by-store", Check: "race-next", Hidden: true,
		What:  "Runqget takes Runnext with a plain store, although a thief may already have it",
		Parts: mutant(func(b broken) gmp.RunQueue { return nextGotByStore{b} }),
	},
	{
		Name: "overflow-without-cas", Check: "race-overflow", Hidden: true,
		What:  "Runqputslow stores the head instead of swapping it: Gs that a thief has taken also go to the global queue",
		Parts: mutant(func(b broken) gmp.RunQueue { return overflowWithoutCAS{b} }),
	},
	{
		Name: "drain-without-cas", Check: "race-drain", Hidden: true,
		What:  "Runqdrain stores the head instead of swapping it",
		Parts: mutant(func(b broken) gmp.RunQueue { return drainWithoutCAS{b} }),
	},
	{
		Name: "head-modulo-length", Check: "race-lap", Hidden: true,
		What:  "Runqgrab compares the head modulo the length of the ring: when the ring has gone round once, an old head looks like the new one (ABA)",
		Parts: mutant(func(b broken) gmp.RunQueue { return headModuloLength{b} }),
	},
	{
		Name: "plain-slots", Check: "race-lap", Hidden: true,
		What:  "the slots are plain fields: a thief reads one that the owner is writing. It would drop what it has read; but two threads may not use plain memory this way",
		Parts: mutant(func(b broken) gmp.RunQueue { return &plainSlots{broken: b} }),
	},
	{
		Name: "written-after-put", Check: "race-get", Hidden: true,
		What:  "Runqput clears the Schedlink of the G after putting it, when it may belong to a thief",
		Parts: mutant(func(b broken) gmp.RunQueue { return writtenAfterPut{b} }),
	},
	{
		Name: "empty-in-two-looks", Check: "race-empty", Hidden: true,
		What:  "Runqempty looks at the ring and then at Runnext, and not again at the tail: a G that is kicked from one to the other is seen in neither",
		Parts: mutant(func(b broken) gmp.RunQueue { return emptyInTwoLooks{b} }),
	},
	{
		Name: "empty-next-first", Check: "race-empty-thief", Hidden: true,
		What:  "Runqempty looks at Runnext first, and then at the ring: a G that comes into Runnext meanwhile is not seen",
		Parts: mutant(func(b broken) gmp.RunQueue { return emptyNextFirst{b} }),
	},
	{
		Name: "drain-links-early", Check: "race-drain", Hidden: true,
		What:  "Runqdrain links the Gs before it has moved the head past them, while a thief may still take them",
		Parts: mutant(func(b broken) gmp.RunQueue { return drainLinksEarly{b} }),
	},
	{
		Name: "batch-tail-first", Check: "race-batch", Hidden: true,
		What:  "Runqputbatch stores the tail first and then the slots",
		Parts: mutant(func(b broken) gmp.RunQueue { return batchTailFirst{b} }),
	},
	{
		Name: "batch-one-by-one", Check: "race-batch", Hidden: true,
		What:  "Runqputbatch puts one G after the other, so thieves see part of the batch",
		Parts: mutant(func(b broken) gmp.RunQueue { return batchOneByOne{b} }),
	},
	{
		Name: "steal-tail-first", Check: "race-steal", Hidden: true,
		What:  "Runqsteal moves its own tail before the stolen Gs are in its ring",
		Parts: mutant(func(b broken) gmp.RunQueue { return stealTailFirst{b} }),
	},
	{
		Name: "steal-keeps-returned", Check: "steal", Hidden: true,
		What:  "Runqsteal also leaves the G that it returns on the ring",
		Parts: mutant(func(b broken) gmp.RunQueue { return stealKeepsReturned{b} }),
	},
	{
		Name: "steal-never-full", Check: "steal-overflow", Hidden: true,
		What:  "Runqsteal does not check whether there was room for what it has stolen",
		Parts: mutant(func(b broken) gmp.RunQueue { return stealNeverFull{b} }),
	},
	{
		Name: "thief-gives-up", Check: "race-thieves", Hidden: true,
		What:  "Runqgrab gives up when another thief was faster",
		Parts: mutant(func(b broken) gmp.RunQueue { return thiefGivesUp{b} }),
	},
	{
		Name: "owner-gives-up", Check: "race-spare", Hidden: true,
		What:  "Runqget returns nil when a thief was faster, although there is more",
		Parts: mutant(func(b broken) gmp.RunQueue { return ownerGivesUp{b} }),
	},
	{
		Name: "next-swapped-blindly", Check: "race-next-thieves", Hidden: true,
		What:  "Runqgrab swaps Runnext with nil and keeps the G that it saw before its sleep, not the one that it got",
		Parts: mutant(func(b broken) gmp.RunQueue { return nextSwappedBlindly{b} }),
	},
	{
		Name: "steal-all", Check: "grab-half", Hidden: true,
		What:  "Runqgrab takes all that is there, so thief and owner swap roles all the time",
		Parts: mutant(func(b broken) gmp.RunQueue { return grabs{b, func(n uint32) uint32 { return n }} }),
	},
	{
		Name: "steal-half-down", Check: "grab-half", Hidden: true,
		What:  "half is rounded down, so a single G is never stolen",
		Parts: mutant(func(b broken) gmp.RunQueue { return grabs{b, func(n uint32) uint32 { return n / 2 }} }),
	},
	{
		Name: "next-stolen-first", Check: "grab-next", Hidden: true,
		What:  "a thief takes Runnext before it looks at the ring",
		Parts: mutant(func(b broken) gmp.RunQueue { return nextStolenFirst{b} }),
	},
	{
		Name: "next-always-stolen", Check: "grab-next", Hidden: true,
		What:  "a thief takes Runnext although it may not yet",
		Parts: mutant(func(b broken) gmp.RunQueue { return nextAlwaysStolen{b} }),
	},
	{
		Name: "no-back-off", Check: "back-off", Hidden: true,
		What:  "a thief takes Runnext at once, even from a P that is about to run it",
		Parts: mutant(func(b broken) gmp.RunQueue { return noBackOff{b} }),
	},
	{
		Name: "back-off-last", Check: "back-off-first", Hidden: true,
		What:  "a thief takes Runnext, and then waits",
		Parts: mutant(func(b broken) gmp.RunQueue { return backOffLast{b} }),
	},
	{
		Name: "tail-before-head", Check: "race-spare", Hidden: true,
		What:  "Runqgrab looks at the tail before the head; when they are equal, that need not have been the case at any moment",
		Parts: mutant(func(b broken) gmp.RunQueue { return tailBeforeHead{b} }),
	},
	{
		Name: "next-drained-by-store", Check: "race-drain-next", Hidden: true,
		What:  "Runqdrain takes Runnext with a plain store, although a thief may already have it",
		Parts: mutant(func(b broken) gmp.RunQueue { return nextDrainedByStore{b} }),
	},
	{
		Name: "next-dropped", Check: "put-next", Hidden: true,
		What:  "Runqput forgets the G that was in Runnext",
		Parts: mutant(func(b broken) gmp.RunQueue { return nextDropped{b} }),
	},
	{
		Name: "all-inherit", Check: "put-next", Hidden: true,
		What:  "each G inherits the time slice of the one before, so no G ever gets a new one",
		Parts: mutant(func(b broken) gmp.RunQueue { return allInherit{b} }),
	},
	{
		Name: "next-ignored", Check: "spawn-order", Hidden: true,
		What:  "there is no Runnext, as before Go 1.5",
		Parts: TailOnly,
	},
	{
		Name: "head-below-tail", Check: "wrap", Hidden: true,
		What:  "Runqget compares head and tail as if they never wrapped around at 2^32",
		Parts: mutant(func(b broken) gmp.RunQueue { return headBelowTail{b} }),
	},
	{
		Name: "overflow-new-first", Check: "overflow", Hidden: true,
		What:  "the G that found no room goes to the global queue in front of the others",
		Parts: mutant(func(b broken) gmp.RunQueue { return &overflowNewFirst{broken: b} }),
	},
	{
		Name: "overflow-unlocked", Check: "overflow", Hidden: true,
		What:  "Runqputslow uses the global queue without its lock",
		Parts: mutant(func(b broken) gmp.RunQueue { return overflowUnlocked{b} }),
	},
	{
		Name: "overflow-alone", Check: "spawn-overflow", Hidden: true,
		What:  "the G that finds no room goes to the global queue alone, so the next one finds no room either",
		Parts: mutant(func(b broken) gmp.RunQueue { return overflowAlone{b} }),
	},
	{
		Name: "slow-never-throws", Check: "put-slow", Hidden: true,
		What:  "Runqputslow does not see that the ring is not full",
		Parts: mutant(func(b broken) gmp.RunQueue { return slowNeverThrows{b} }),
	},
	{
		Name: "batch-loses-rest", Check: "put-batch", Hidden: true,
		What:  "Runqputbatch drops the Gs that find no room",
		Parts: mutant(func(b broken) gmp.RunQueue { return batchLosesRest{b} }),
	},
	{
		Name: "drain-leaves-next", Check: "drain", Hidden: true,
		What:  "Runqdrain forgets Runnext",
		Parts: mutant(func(b broken) gmp.RunQueue { return drainLeavesNext{b} }),
	},
	{
		Name: "empty-ring-only", Check: "empty", Hidden: true,
		What:  "Runqempty does not look at Runnext",
		Parts: mutant(func(b broken) gmp.RunQueue { return emptyRingOnly{b} }),
	},
	{
		Name: "global-keeps-tail", Check: "global-batch", Hidden: true,
		What:  "Globrunqputbatch forgets to move the Tail, so the next G is linked in the middle",
		Parts: mutant(func(b broken) gmp.RunQueue { return globalKeepsTail{b} }),
	},
	{
		Name: "global-takes-all", Check: "global-batch", Hidden: true,
		What:  "Globrunqgetbatch takes as many as it has room for, and leaves nothing for the other Ps",
		Parts: mutant(func(b broken) gmp.RunQueue { return globalTakesAll{b} }),
	},
	{
		Name: "round-once", Check: "random", Hidden: true,
		What:  "Runqgrab puts what it steals at the beginning of the batch when that has gone round",
		Parts: mutant(func(b broken) gmp.RunQueue { return roundOnce{b} }),
	},
	{
		Name: "overflow-links-early", Check: "race-overflow-links", Hidden: true,
		What:  "Runqputslow links the first half of the ring before it has moved the head past it, while a thief may still take it",
		Parts: mutant(func(b broken) gmp.RunQueue { return overflowLinksEarly{b} }),
	},
	{
		Name: "next-lost-goes-home", Check: "race-spare-next", Hidden: true,
		What:  "Runqget returns nil when a thief has taken Runnext meanwhile, and does not look at the ring",
		Parts: mutant(func(b broken) gmp.RunQueue { return nextLostGoesHome{b} }),
	},
	{
		Name: "kicks-again", Check: "race-overflow-next", Hidden: true,
		What:  "when a thief has made room meanwhile, Runqput starts again from the top: the G that was kicked out kicks out the one that came",
		Parts: mutant(func(b broken) gmp.RunQueue { return kicksAgain{b} }),
	},
	{
		Name: "next-swapped-after-wait", Check: "back-off-again", Hidden: true,
		What:  "after 3 µs Runqgrab takes what is in Runnext by then, a G that may just have come",
		Parts: mutant(func(b broken) gmp.RunQueue { return nextSwappedAfterWait{b} }),
	},
	{
		Name: "waits-and-gives-up", Check: "back-off-again", Hidden: true,
		What:  "Runqgrab gives up when the G for which it has waited is gone, although another one is there",
		Parts: mutant(func(b broken) gmp.RunQueue { return waitsAndGivesUp{b} }),
	},
	{
		Name: "grabs-what-it-sees", Check: "race-half", Hidden: true,
		What:  "Runqgrab copies as many Gs as an old head and a new tail make, more than there ever were, and overwrites Gs of its own",
		Parts: mutant(func(b broken) gmp.RunQueue { return grabsWhatItSees{b} }),
	},
	{
		Name: "doubled-at-last", Check: "stress", Hidden: true,
		What:  "every 4096th G is put on the global queue, to be fair, and on the ring as well: no model is so long",
		Parts: mutant(func(b broken) gmp.RunQueue { return &doubledAtLast{broken: b} }),
	},
}

// A broken queue is the right one, some method of which is then overridden.
type broken struct {
	gmp.RunQueue
	s *gmp.Sched
}

func mutant(breakIt func(broken) gmp.RunQueue) gmp.Version {
	return gmp.Version{RunQueue: func(s *gmp.Sched) gmp.RunQueue { return breakIt(broken{NewRunQueue(s), s}) }}
}

// hasRoom reports whether the ring of pp has.
func hasRoom(pp *gmp.P) bool {
	return pp.Runqtail.Load()-pp.Runqhead.Load() < uint32(len(pp.Runq))
}

// Putting.

type tailBeforeSlot struct{ broken }

func (p tailBeforeSlot) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	h := pp.Runqhead.Load()
	t := pp.Runqtail.Load()
	if next || t-h == uint32(len(pp.Runq)) {
		p.RunQueue.Runqput(pp, gp, next)
		return
	}
	pp.Runqtail.Store(t + 1)
	slot(pp, t).Store(gp)
}

type nextPutByStore struct{ broken }

func (p nextPutByStore) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	if next {
		old := pp.Runnext.Load()
		pp.Runnext.Store(gp)
		if gp = old; gp == nil {
			return
		}
	}
	p.RunQueue.Runqput(pp, gp, false)
}

type kicksAgain struct{ broken }

func (p kicksAgain) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	for {
		if next {
			if gp = pp.Runnext.Swap(gp); gp == nil {
				return
			}
		}
		if hasRoom(pp) {
			p.RunQueue.Runqput(pp, gp, false)
			return
		}
		t := pp.Runqtail.Load()
		if p.s.Runqputslow(pp, gp, t-uint32(len(pp.Runq)), t) {
			return
		}
	}
}

type overflowLinksEarly struct{ broken }

func (p overflowLinksEarly) Runqputslow(pp *gmp.P, gp *gmp.G, h, t uint32) bool {
	half := uint32(len(pp.Runq)) / 2
	if t-h != 2*half {
		return p.RunQueue.Runqputslow(pp, gp, h, t)
	}
	var q gmp.GQueue
	for i := range half {
		q.PushBack(slot(pp, h+i).Load())
	}
	q.PushBack(gp)
	if !pp.Runqhead.CompareAndSwap(h, h+half) {
		return false
	}
	p.s.Lock.Lock()
	p.s.Globrunqputbatch(q)
	p.s.Lock.Unlock()
	return true
}

type nextLostGoesHome struct{ broken }

func (p nextLostGoesHome) Runqget(pp *gmp.P) (gp *gmp.G, inheritTime bool) {
	if next := pp.Runnext.Load(); next != nil {
		if pp.Runnext.CompareAndSwap(next, nil) {
			return next, true
		}
		return nil, false
	}
	return p.RunQueue.Runqget(pp)
}

type nextDropped struct{ broken }

func (p nextDropped) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	if next {
		pp.Runnext.Store(gp)
		return
	}
	p.RunQueue.Runqput(pp, gp, false)
}

type writtenAfterPut struct{ broken }

func (p writtenAfterPut) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	p.RunQueue.Runqput(pp, gp, next)
	gp.Schedlink.Set(nil)
}

type doubledAtLast struct {
	broken
	puts int
}

func (p *doubledAtLast) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	if p.puts++; p.puts%4096 == 0 {
		p.s.Lock.Lock()
		var q gmp.GQueue
		q.PushBack(&gmp.G{Goid: machine.CellOf(gp.Goid.Get())})
		p.s.Globrunqputbatch(q)
		p.s.Lock.Unlock()
	}
	p.RunQueue.Runqput(pp, gp, next)
}

// plainSlots has a ring of plain fields beside the other one.
type plainSlots struct {
	broken
	ring gmp.PerP[[gmp.RunqLen]machine.Cell[*gmp.G]]
}

func (p *plainSlots) slot(pp *gmp.P, i uint32) *machine.Cell[*gmp.G] {
	return &p.ring.Of(pp)[i%uint32(len(pp.Runq))]
}

func (p *plainSlots) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	if !next && hasRoom(pp) {
		p.slot(pp, pp.Runqtail.Load()).Set(gp)
	}
	p.RunQueue.Runqput(pp, gp, next)
}

func (p *plainSlots) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	for {
		h := pp.Runqhead.Load()
		t := pp.Runqtail.Load()
		n := t - h - (t-h)/2
		if n == 0 || n > uint32(len(pp.Runq))/2 {
			return p.RunQueue.Runqgrab(pp, batch, batchHead, stealRunNext)
		}
		for i := range n {
			batch[(batchHead+i)%uint32(len(batch))].Store(p.slot(pp, h+i).Get())
		}
		if pp.Runqhead.CompareAndSwap(h, h+n) {
			return n
		}
	}
}

// The overflow.

type overflowWithoutCAS struct{ broken }

func (p overflowWithoutCAS) Runqputslow(pp *gmp.P, gp *gmp.G, h, t uint32) bool {
	var q gmp.GQueue
	n := (t - h) / 2
	pp.Runqhead.Store(h + n)
	for i := range n {
		q.PushBack(slot(pp, h+i).Load())
	}
	q.PushBack(gp)
	p.putGlobal(q)
	return true
}

func (b broken) putGlobal(q gmp.GQueue) {
	b.s.Lock.Lock()
	b.s.Globrunqputbatch(q)
	b.s.Lock.Unlock()
}

type overflowUnlocked struct{ broken }

func (p overflowUnlocked) Runqputslow(pp *gmp.P, gp *gmp.G, h, t uint32) bool {
	n := (t - h) / 2
	if !pp.Runqhead.CompareAndSwap(h, h+n) {
		return false
	}
	var q gmp.GQueue
	for i := range n {
		q.PushBack(slot(pp, h+i).Load())
	}
	q.PushBack(gp)
	p.s.Globrunqputbatch(q)
	return true
}

// overflowNewFirst knows the G that finds no room.
type overflowNewFirst struct {
	broken
	gp *gmp.G
}

func (p *overflowNewFirst) Runqputslow(pp *gmp.P, gp *gmp.G, h, t uint32) bool {
	p.gp = gp
	return p.RunQueue.Runqputslow(pp, gp, h, t)
}

func (p *overflowNewFirst) Globrunqputbatch(q gmp.GQueue) {
	var sorted gmp.GQueue
	if q.Tail == p.gp {
		sorted.PushBack(&gmp.G{Goid: machine.CellOf(p.gp.Goid.Get())})
	}
	for gp := q.Pop(); gp != nil; gp = q.Pop() {
		if gp != p.gp {
			sorted.PushBack(gp)
		}
	}
	p.RunQueue.Globrunqputbatch(sorted)
}

type overflowAlone struct{ broken }

func (p overflowAlone) Runqputslow(pp *gmp.P, gp *gmp.G, h, t uint32) bool {
	var q gmp.GQueue
	q.PushBack(gp)
	p.putGlobal(q)
	return true
}

type slowNeverThrows struct{ broken }

func (p slowNeverThrows) Runqputslow(pp *gmp.P, gp *gmp.G, h, t uint32) bool {
	if t-h < uint32(len(pp.Runq)) {
		return false
	}
	return p.RunQueue.Runqputslow(pp, gp, h, t)
}

// Batches.

type batchTailFirst struct{ broken }

func (p batchTailFirst) Runqputbatch(pp *gmp.P, q gmp.GQueue) gmp.GQueue {
	h := pp.Runqhead.Load()
	t := pp.Runqtail.Load()
	room := uint32(len(pp.Runq)) - (t - h)
	n := min(room, uint32(q.Size))
	pp.Runqtail.Store(t + n)
	for i := range n {
		slot(pp, t+i).Store(q.Pop())
	}
	return q
}

type batchOneByOne struct{ broken }

func (p batchOneByOne) Runqputbatch(pp *gmp.P, q gmp.GQueue) gmp.GQueue {
	for q.Head != nil && hasRoom(pp) {
		p.s.Runqput(pp, q.Pop(), false)
	}
	return q
}

type batchLosesRest struct{ broken }

func (p batchLosesRest) Runqputbatch(pp *gmp.P, q gmp.GQueue) gmp.GQueue {
	p.RunQueue.Runqputbatch(pp, q)
	return gmp.GQueue{}
}

type globalKeepsTail struct{ broken }

func (p globalKeepsTail) Globrunqputbatch(q gmp.GQueue) {
	tail := p.s.Runq.Get().Tail
	p.RunQueue.Globrunqputbatch(q)
	if tail != nil {
		q := p.s.Runq.Get()
		q.Tail = tail
		p.s.Runq.Set(q)
	}
}

type globalTakesAll struct{ broken }

func (p globalTakesAll) Globrunqgetbatch(n int32) (*gmp.G, gmp.GQueue) {
	gp := p.s.Runq.Pop()
	var q gmp.GQueue
	for range min(n-1, p.s.Runq.Get().Size) {
		q.PushBack(p.s.Runq.Pop())
	}
	return gp, q
}

// Taking.

type getWithoutCAS struct{ broken }

func (p getWithoutCAS) Runqget(pp *gmp.P) (gp *gmp.G, inheritTime bool) {
	if next := pp.Runnext.Load(); next != nil && pp.Runnext.CompareAndSwap(next, nil) {
		return next, true
	}
	h := pp.Runqhead.Load()
	if h == pp.Runqtail.Load() {
		return nil, false
	}
	gp = slot(pp, h).Load()
	pp.Runqhead.Store(h + 1)
	return gp, false
}

type nextGotByStore struct{ broken }

func (p nextGotByStore) Runqget(pp *gmp.P) (gp *gmp.G, inheritTime bool) {
	if next := pp.Runnext.Load(); next != nil {
		pp.Runnext.Store(nil)
		return next, true
	}
	return p.RunQueue.Runqget(pp)
}

type ownerGivesUp struct{ broken }

func (p ownerGivesUp) Runqget(pp *gmp.P) (gp *gmp.G, inheritTime bool) {
	if pp.Runnext.Load() != nil {
		return p.RunQueue.Runqget(pp)
	}
	h := pp.Runqhead.Load()
	if h == pp.Runqtail.Load() {
		return nil, false
	}
	gp = slot(pp, h).Load()
	if !pp.Runqhead.CompareAndSwap(h, h+1) {
		return nil, false
	}
	return gp, false
}

type headBelowTail struct{ broken }

func (p headBelowTail) Runqget(pp *gmp.P) (gp *gmp.G, inheritTime bool) {
	if pp.Runnext.Load() == nil && pp.Runqhead.Load() >= pp.Runqtail.Load() {
		return nil, false
	}
	return p.RunQueue.Runqget(pp)
}

type allInherit struct{ broken }

func (p allInherit) Runqget(pp *gmp.P) (gp *gmp.G, inheritTime bool) {
	gp, _ = p.RunQueue.Runqget(pp)
	return gp, gp != nil
}

type drainWithoutCAS struct{ broken }

func (p drainWithoutCAS) Runqdrain(pp *gmp.P) gmp.GQueue {
	var q gmp.GQueue
	if next := pp.Runnext.Swap(nil); next != nil {
		q.PushBack(next)
	}
	h := pp.Runqhead.Load()
	t := pp.Runqtail.Load()
	pp.Runqhead.Store(t)
	for i := h; i != t; i++ {
		q.PushBack(slot(pp, i).Load())
	}
	return q
}

type drainLinksEarly struct{ broken }

func (p drainLinksEarly) Runqdrain(pp *gmp.P) gmp.GQueue {
	next := pp.Runnext.Swap(nil)
	for {
		var q gmp.GQueue
		if next != nil {
			q.PushBack(next)
		}
		h := pp.Runqhead.Load()
		t := pp.Runqtail.Load()
		for i := h; i != t; i++ {
			q.PushBack(slot(pp, i).Load())
		}
		if pp.Runqhead.CompareAndSwap(h, t) {
			return q
		}
	}
}

type nextDrainedByStore struct{ broken }

func (p nextDrainedByStore) Runqdrain(pp *gmp.P) gmp.GQueue {
	var all gmp.GQueue
	if next := pp.Runnext.Load(); next != nil {
		pp.Runnext.Store(nil)
		all.PushBack(next)
	}
	q := p.RunQueue.Runqdrain(pp)
	for gp := q.Pop(); gp != nil; gp = q.Pop() {
		all.PushBack(gp)
	}
	return all
}

type drainLeavesNext struct{ broken }

func (p drainLeavesNext) Runqdrain(pp *gmp.P) gmp.GQueue {
	next := pp.Runnext.Swap(nil)
	q := p.RunQueue.Runqdrain(pp)
	pp.Runnext.Store(next)
	return q
}

// Looking.

type emptyInTwoLooks struct{ broken }

func (p emptyInTwoLooks) Runqempty(pp *gmp.P) bool {
	h := pp.Runqhead.Load()
	t := pp.Runqtail.Load()
	next := pp.Runnext.Load()
	return h == t && next == nil
}

type emptyNextFirst struct{ broken }

func (p emptyNextFirst) Runqempty(pp *gmp.P) bool {
	next := pp.Runnext.Load()
	h := pp.Runqhead.Load()
	t := pp.Runqtail.Load()
	return h == t && next == nil
}

type emptyRingOnly struct{ broken }

func (p emptyRingOnly) Runqempty(pp *gmp.P) bool { return pp.Runqhead.Load() == pp.Runqtail.Load() }

// Stealing.

// A theft is Runqgrab from the ring, with the steps in which the mutants differ.
type theft struct {
	pp    *gmp.P
	batch []machine.Pointer[gmp.G]
	to    uint32
	h, t  uint32
}

func (b broken) theft(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32) *theft {
	f := &theft{pp: pp, batch: batch, to: batchHead, h: pp.Runqhead.Load()}
	f.t = pp.Runqtail.Load()
	return f
}

// half is how many Gs to take; more than fit if head and tail do not go together.
func (f *theft) half() uint32 { return f.t - f.h - (f.t-f.h)/2 }

func (f *theft) possible() bool {
	return f.half() > 0 && f.half() <= uint32(len(f.pp.Runq))/2
}

func (f *theft) read(n uint32) {
	for i := range n {
		gp := slot(f.pp, f.h+i).Load()
		f.into(i).Store(gp)
	}
}

func (f *theft) into(i uint32) *machine.Pointer[gmp.G] {
	return &f.batch[(f.to+i)%uint32(len(f.batch))]
}

func (f *theft) commit(n uint32) bool { return f.pp.Runqhead.CompareAndSwap(f.h, f.h+n) }

type slotsAfterCAS struct{ broken }

func (p slotsAfterCAS) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	for {
		f := p.theft(pp, batch, batchHead)
		if !f.possible() {
			return p.RunQueue.Runqgrab(pp, batch, batchHead, stealRunNext)
		}
		n := f.half()
		if f.commit(n) {
			f.read(n)
			return n
		}
	}
}

type headModuloLength struct{ broken }

func (p headModuloLength) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	for {
		f := p.theft(pp, batch, batchHead)
		if !f.possible() {
			return p.RunQueue.Runqgrab(pp, batch, batchHead, stealRunNext)
		}
		n := f.half()
		f.read(n)
		length := uint32(len(pp.Runq))
		if now := pp.Runqhead.Load(); now%length == f.h%length && pp.Runqhead.CompareAndSwap(now, now+n) {
			return n
		}
	}
}

type thiefGivesUp struct{ broken }

func (p thiefGivesUp) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	f := p.theft(pp, batch, batchHead)
	if !f.possible() {
		return p.RunQueue.Runqgrab(pp, batch, batchHead, stealRunNext)
	}
	n := f.half()
	f.read(n)
	if !f.commit(n) {
		return 0
	}
	return n
}

// grabs takes another share.
type grabs struct {
	broken
	share func(n uint32) uint32
}

func (p grabs) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	for {
		f := p.theft(pp, batch, batchHead)
		n := p.share(f.t - f.h)
		if n == 0 {
			return 0
		}
		f.read(n)
		if f.commit(n) {
			return n
		}
	}
}

type roundOnce struct{ broken }

func (p roundOnce) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	f := p.theft(pp, batch, batchHead)
	if f.possible() && batchHead%uint32(len(batch))+f.half() > uint32(len(batch)) {
		batchHead = 0
	}
	return p.RunQueue.Runqgrab(pp, batch, batchHead, stealRunNext)
}

type nextStolenByStore struct{ broken }

func (p nextStolenByStore) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	f := p.theft(pp, batch, batchHead)
	next := pp.Runnext.Load()
	if f.h != f.t || !stealRunNext || next == nil {
		return p.RunQueue.Runqgrab(pp, batch, batchHead, stealRunNext)
	}
	machine.Usleep(stealDelay)
	pp.Runnext.Store(nil)
	batch[batchHead%uint32(len(batch))].Store(next)
	return 1
}

type nextSwappedBlindly struct{ broken }

func (p nextSwappedBlindly) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	f := p.theft(pp, batch, batchHead)
	next := pp.Runnext.Load()
	if f.h != f.t || !stealRunNext || next == nil {
		return p.RunQueue.Runqgrab(pp, batch, batchHead, stealRunNext)
	}
	machine.Usleep(stealDelay)
	if pp.Runnext.Swap(nil) == nil {
		return 0
	}
	batch[batchHead%uint32(len(batch))].Store(next)
	return 1
}

type nextSwappedAfterWait struct{ broken }

func (p nextSwappedAfterWait) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	f := p.theft(pp, batch, batchHead)
	if f.h != f.t || !stealRunNext || pp.Runnext.Load() == nil || pp.Status.Load() != gmp.Prunning {
		return p.RunQueue.Runqgrab(pp, batch, batchHead, stealRunNext)
	}
	machine.Usleep(stealDelay)
	gp := pp.Runnext.Swap(nil)
	if gp == nil {
		return p.s.Runqgrab(pp, batch, batchHead, stealRunNext)
	}
	batch[batchHead%uint32(len(batch))].Store(gp)
	return 1
}

type waitsAndGivesUp struct{ broken }

func (p waitsAndGivesUp) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	f := p.theft(pp, batch, batchHead)
	next := pp.Runnext.Load()
	if f.h != f.t || !stealRunNext || next == nil || pp.Status.Load() != gmp.Prunning {
		return p.RunQueue.Runqgrab(pp, batch, batchHead, stealRunNext)
	}
	machine.Usleep(stealDelay)
	if !pp.Runnext.CompareAndSwap(next, nil) {
		return 0
	}
	batch[batchHead%uint32(len(batch))].Store(next)
	return 1
}

type grabsWhatItSees struct{ broken }

func (p grabsWhatItSees) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	for {
		f := p.theft(pp, batch, batchHead)
		n := f.half()
		if n == 0 {
			return p.RunQueue.Runqgrab(pp, batch, batchHead, stealRunNext)
		}
		for i := range n {
			batch[(batchHead+i)%uint32(len(batch))].Store(slot(pp, f.h+i).Load())
		}
		if pp.Runqhead.CompareAndSwap(f.h, f.h+n) {
			return n
		}
	}
}

type nextStolenFirst struct{ broken }

func (p nextStolenFirst) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	if next := pp.Runnext.Load(); stealRunNext && next != nil && pp.Runnext.CompareAndSwap(next, nil) {
		batch[batchHead%uint32(len(batch))].Store(next)
		return 1
	}
	return p.RunQueue.Runqgrab(pp, batch, batchHead, stealRunNext)
}

type nextAlwaysStolen struct{ broken }

func (p nextAlwaysStolen) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	return p.RunQueue.Runqgrab(pp, batch, batchHead, true)
}

type noBackOff struct{ broken }

func (p noBackOff) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	if pp.Runqhead.Load() != pp.Runqtail.Load() {
		return p.RunQueue.Runqgrab(pp, batch, batchHead, stealRunNext)
	}
	next := pp.Runnext.Load()
	if !stealRunNext || next == nil || !pp.Runnext.CompareAndSwap(next, nil) {
		return 0
	}
	batch[batchHead%uint32(len(batch))].Store(next)
	return 1
}

type backOffLast struct{ broken }

func (p backOffLast) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	running := pp.Status.Swap(gmp.Pidle) == gmp.Prunning
	n := p.RunQueue.Runqgrab(pp, batch, batchHead, stealRunNext)
	if running {
		pp.Status.Store(gmp.Prunning)
		machine.Usleep(stealDelay)
	}
	return n
}

type tailBeforeHead struct{ broken }

func (p tailBeforeHead) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	for {
		t := pp.Runqtail.Load()
		h := pp.Runqhead.Load()
		n := t - h - (t-h)/2
		switch {
		case n == 0 && !stealRunNext:
			return 0
		case n == 0:
			return p.RunQueue.Runqgrab(pp, batch, batchHead, stealRunNext)
		case n > uint32(len(pp.Runq))/2:
			continue
		}
		for i := range n {
			batch[(batchHead+i)%uint32(len(batch))].Store(slot(pp, h+i).Load())
		}
		if pp.Runqhead.CompareAndSwap(h, h+n) {
			return n
		}
	}
}

type stealTailFirst struct{ broken }

func (p stealTailFirst) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	batch := make([]machine.Pointer[gmp.G], len(pp.Runq))
	n := p.s.Runqgrab(p2, batch, 0, stealRunNext)
	if n == 0 {
		return nil
	}
	t := pp.Runqtail.Load()
	pp.Runqtail.Store(t + n - 1)
	for i := range n - 1 {
		slot(pp, t+i).Store(batch[i].Load())
	}
	return batch[n-1].Load()
}

type stealKeepsReturned struct{ broken }

func (p stealKeepsReturned) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	gp := p.RunQueue.Runqsteal(pp, p2, stealRunNext)
	if gp != nil && hasRoom(pp) {
		p.s.Runqput(pp, gp, false)
	}
	return gp
}

type stealNeverFull struct{ broken }

func (p stealNeverFull) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	t := pp.Runqtail.Load()
	n := p.s.Runqgrab(p2, pp.Runq, t, stealRunNext)
	if n == 0 {
		return nil
	}
	pp.Runqtail.Store(t + n - 1)
	return slot(pp, t+n-1).Load()
}
