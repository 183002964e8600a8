package ch03

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Mutants are mistakes that one makes in this chapter. Five of the queue of
// waiters are open: the student's own test must find them.
var Mutants = []check.Mutant{
	{
		Name: "waitq-stale-last", Check: "waitq-fifo",
		What:  "when the last waiter is dequeued, Last still points to it, and the next one is linked behind it and never found",
		Parts: waitqMutant(func(q brokenWaitqs) gmp.Waitqs { return staleLast{q} }),
	},
	{
		Name: "waitq-stale-prev", Check: "waitq-links",
		What:  "when the first waiter is dequeued, Prev of the next one still points to it",
		Parts: waitqMutant(func(q brokenWaitqs) gmp.Waitqs { return stalePrev{q} }),
	},
	{
		Name: "waitq-remove-keeps-links", Check: "waitq-middle",
		What:  "a sudog taken out of the middle keeps its Next and Prev",
		Parts: waitqMutant(func(q brokenWaitqs) gmp.Waitqs { return keepsLinks{q} }),
	},
	{
		Name: "waitq-remove-absent", Check: "waitq-middle",
		What:  "DequeueSudoG of a sudog that a waker has already taken empties the queue",
		Parts: waitqMutant(func(q brokenWaitqs) gmp.Waitqs { return trustsCaller{q} }),
	},
	{
		Name: "waitq-newest-first", Check: "waitq-fifo",
		What:  "Enqueue puts the sudog at the head, so the newest waiter is served first",
		Parts: waitqMutant(func(q brokenWaitqs) gmp.Waitqs { return newestFirst{q} }),
	},
	{
		Name: "park-queues", Check: "park-waits", Hidden: true,
		What:  "a G that parks is put on the run queue, as one that yields is",
		Parts: parkMutant(func(p brokenParking) gmp.Parking { return queuesParked{p} }),
	},
	{
		Name: "park-unlocks-first", Check: "park-unlockf", Hidden: true,
		What:  "unlockf is called while the G is still running: an immediate wake-up finds it running",
		Parts: parkMutant(func(p brokenParking) gmp.Parking { return unlocksFirst{p} }),
	},
	{
		Name: "park-drops-late", Check: "park-unlockf", Hidden: true,
		What:  "the M lets go of the G only after the lock is free, and another M may have taken it by then",
		Parts: parkMutant(func(p brokenParking) gmp.Parking { return dropsLate{p} }),
	},
	{
		Name: "park-drops-early", Check: "park-waits", Hidden: true,
		What:  "the M lets go of a G whose state still says that it runs: an M that wants to stop it does not find out where",
		Parts: parkMutant(func(p brokenParking) gmp.Parking { return dropsEarly{p} }),
	},
	{
		Name: "park-no-to-the-tail", Check: "park-goes-on", Hidden: true,
		What:  "a G whose unlockf says no goes to the tail of the queue",
		Parts: parkMutant(func(p brokenParking) gmp.Parking { return noToTheTail{p} }),
	},
	{
		Name: "park-reason-late", Check: "park-race", Hidden: true,
		What:  "Gopark writes the reason after the unlock, into a G that may belong to another M",
		Parts: parkMutant(func(p brokenParking) gmp.Parking { return reasonLate{p} }),
	},
	{
		Name: "park-no-reason", Check: "deadlock", Hidden: true,
		What:  "Gopark forgets the reason",
		Parts: parkMutant(func(p brokenParking) gmp.Parking { return noReason{p} }),
	},
	{
		Name: "park-with-thread", Check: "many-waiters", Hidden: true,
		What:  "a new thread is started for each G that waits, as some descriptions of Go have it",
		Parts: parkMutant(func(p brokenParking) gmp.Parking { return withThread{p} }),
	},
	{
		Name: "ready-not-next", Check: "ready-next", Hidden: true,
		What:  "Goready does not ask for the G to run next",
		Parts: parkMutant(func(p brokenParking) gmp.Parking { return notNext{p} }),
	},
	{
		Name: "ready-only-marks", Check: "programs", Hidden: true,
		What:  "Goready changes the state of the G and does not queue it",
		Parts: parkMutant(func(p brokenParking) gmp.Parking { return onlyMarks{p} }),
	},
	{
		Name: "sudog-keeps-next", Check: "sudog-clean", Hidden: true,
		What:  "a sudog from the free list still points to the next free one",
		Parts: sudogMutant(func(p brokenSudogs) gmp.Sudogs { return keepsNext{p} }),
	},
	{
		Name: "sudog-keeps-success", Check: "sudog-clean", Hidden: true,
		What:  "a released sudog keeps the fields of its last use",
		Parts: sudogMutant(func(p brokenSudogs) gmp.Sudogs { return keepsFields{p} }),
	},
	{
		Name: "sudog-takes-all", Check: "sudog-throws", Hidden: true,
		What:  "ReleaseSudog wipes a sudog that is still in use and takes it",
		Parts: sudogMutant(func(p brokenSudogs) gmp.Sudogs { return takesAll{p} }),
	},
	{
		Name: "makechan-multiplies", Check: "makechan", Hidden: true,
		What:  "Makechan multiplies before it compares, and the product of a huge size is small",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return multiplies{p} }),
	},
	{
		Name: "send-slot-by-count", Check: "buffer", Hidden: true,
		What:  "an element goes to slot Qcount instead of Sendx, which is right until the first one has left",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return slotByCount{p} }),
	},
	{
		Name: "send-unlocks-early", Check: "send-waits", Hidden: true,
		What:  "a sender unlocks the channel and then parks: a receiver that comes in between makes a running G ready",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return unlocksEarly{p} }),
	},
	{
		Name: "recv-forgets-waiting", Check: "recv-waits", Hidden: true,
		What:  "a receiver does not hang its sudog on gp.Waiting, so a moving stack does not find it",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return forgetsWaiting{p} }),
	},
	{
		Name: "send-through-buffer", Check: "hand-over", Hidden: true,
		What:  "the value for a waiting receiver goes into the buffer, for it to fetch when it runs",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return throughBuffer{p} }),
	},
	{
		Name: "send-readies-locked", Check: "hand-over", Hidden: true,
		What:  "Send makes the receiver ready and then unlocks the channel",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return readiesLocked{p} }),
	},
	{
		Name: "recv-takes-the-newest", Check: "take-over", Hidden: true,
		What:  "with a full buffer the receiver gets the waiting sender's value, which overtakes all those in the buffer",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return takesNewest{p} }),
	},
	{
		Name: "recv-leaves-sendx", Check: "take-over", Hidden: true,
		What:  "after a receive from a full buffer Sendx stays where it was, and the next element overwrites one",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return leavesSendx{p} }),
	},
	{
		Name: "send-writes-dropped", Check: "pieces", Hidden: true,
		What:  "Send writes an unwanted value to address 0",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return writesDropped{p} }),
	},
	{
		Name: "done-old-address", Check: "moved-stack", Hidden: true,
		What:  "the continuation writes the result to where it was when the G parked",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return oldAddress{p} }),
	},
	{
		Name: "done-reads-late", Check: "done", Hidden: true,
		What:  "ChanrecvDone reads Success from a sudog that it has already released",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return readsLate{p} }),
	},
	{
		Name: "done-keeps-sudog", Check: "done", Hidden: true,
		What:  "a sender that is to panic does not release its sudog",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return keepsSudog{p} }),
	},
	{
		Name: "sender-survives", Check: "gone", Hidden: true,
		What:  "a sender that a close has woken goes on as if its value had been sent",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return survives{p} }),
	},
	{
		Name: "close-wakes-one", Check: "close-wakes", Hidden: true,
		What:  "a close wakes the first receiver and leaves the others asleep",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return wakesOne{p} }),
	},
	{
		Name: "close-no-zero", Check: "close-wakes", Hidden: true,
		What:  "receivers that a close wakes keep what was in their slots",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return noZero{p} }),
	},
	{
		Name: "close-readies-locked", Check: "close-wakes", Hidden: true,
		What:  "Closechan makes all the Gs ready before it unlocks the channel",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return closesLocked{p} }),
	},
	{
		Name: "closed-is-empty", Check: "closed", Hidden: true,
		What:  "a receive from a closed channel gets a zero value, whatever is in the buffer",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return closedIsEmpty{p} }),
	},
	{
		Name: "panics-locked", Check: "closed", Hidden: true,
		What:  "a send on a closed channel panics and leaves the channel locked",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return panicsLocked{p} }),
	},
	{
		Name: "close-nil-is-fine", Check: "close-nil", Hidden: true,
		What:  "closing a nil channel does nothing",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return closeNilIsFine{p} }),
	},
	{
		Name: "nil-is-closed", Check: "nil-channel", Hidden: true,
		What:  "a receive from a nil channel returns at once, as from a closed one",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return nilIsClosed{p} }),
	},
	{
		Name: "always-blocks", Check: "no-block", Hidden: true,
		What:  "Chanrecv waits even if it must not",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return alwaysBlocks{p} }),
	},
	{
		Name: "moves-words", Check: "sizes", Hidden: true,
		What:  "Send moves whole words, and so writes beyond a small element",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return movesWords{p} }),
	},
	{
		Name: "sender-sleeps-on", Check: "random", Hidden: true,
		What:  "a receiver that finds something in the buffer does not look for senders that wait",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return sleepsOn{p} }),
	},
	{
		Name: "recv-polls", Check: "ping-pong", Hidden: true,
		What:  "a receiver that finds nothing yields and looks again, over and over",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return polls{p} }),
	},
	{
		Name: "one-memory", Check: "interrupted", Hidden: true,
		What:  "what a receiver still has to do is kept in the part, which has one place for it, instead of in the G",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return &oneMemory{brokenChannels: p} }),
	},
	{
		Name: "park-state-first", Check: "park-reason", Hidden: true,
		What:  "Gopark changes the state before it writes the reason, and an M that lists the G in between finds an old one",
		Parts: parkMutant(func(p brokenParking) gmp.Parking { return stateFirst{p} }),
	},
	{
		Name: "park-ignores-no", Check: "park-refused", Hidden: true,
		What:  "a G whose unlockf says no still waits, and its waker has already come",
		Parts: parkMutant(func(p brokenParking) gmp.Parking { return ignoresNo{p} }),
	},
	{
		Name: "cont-after-park", Check: "race-rendezvous", Hidden: true,
		What:  "what is left to do is written into gp.Cont after Gopark, when another M may be running the G",
		Parts: parkMutant(func(p brokenParking) gmp.Parking { return contLate{p} }),
	},
	{
		Name: "sudogs-shared", Check: "sudog-race", Hidden: true,
		What:  "all Ms have one list of free sudogs, without a lock",
		Parts: sudogMutant(func(p brokenSudogs) gmp.Sudogs { return &oneList{brokenSudogs: p} }),
	},
	{
		Name: "sudogs-popped-in-two-steps", Check: "sudog-race", Hidden: true,
		What:  "all Ms have one list of free sudogs, and it is unlocked between looking at its first one and taking that off",
		Parts: sudogMutant(func(p brokenSudogs) gmp.Sudogs { return &sudogsPoppedInTwoSteps{brokenSudogs: p} }),
	},
	{
		Name: "send-ready-then-sudog", Check: "race-rendezvous", Hidden: true,
		What:  "Send unlocks the channel, makes the receiver ready, and only then writes Elem, Success and Param",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return sendReadyThenSudog{p} }),
	},
	{
		Name: "send-elem-late", Check: "race-moved-stack", Hidden: true,
		What:  "Send unlocks the channel, and the sudog still says where on the sleeper's stack the value was to go",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return elemLate{p} }),
	},
	{
		Name: "recv-locks-twice", Check: "race-receivers", Hidden: true,
		What:  "a receiver finds nothing, unlocks, locks again and waits; a sender that has come in between also waits",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return locksTwice{p} }),
	},
	{
		Name: "send-locks-twice", Check: "race-senders", Hidden: true,
		What:  "a sender finds no receiver, unlocks, locks again and waits; a receiver that has come in between also waits",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return sendsTwice{p} }),
	},
	{
		Name: "buffer-count-late", Check: "race-buffer", Hidden: true,
		What:  "a sender counts its element after the channel is unlocked",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return countsLate{p, false} }),
	},
	{
		Name: "buffer-index-late", Check: "race-slots", Hidden: true,
		What:  "a sender moves Sendx on after the channel is unlocked",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return countsLate{p, true} }),
	},
	{
		Name: "buffer-copies-late", Check: "race-buffer", Hidden: true,
		What:  "a receiver unlocks the channel, and then copies the value from its slot, which may be filled again",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return copiesLate{p} }),
	},
	{
		Name: "closed-read-unlocked", Check: "race-close-send", Hidden: true,
		What:  "Chansend reads Closed before it locks the channel",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return readsUnlocked{p} }),
	},
	{
		Name: "closed-after-unlock", Check: "race-close-receive", Hidden: true,
		What:  "Closechan takes all Gs off the queues, unlocks, and then sets Closed; a G that comes in between waits for ever",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return closesLate{p} }),
	},
	{
		Name: "close-looks-first", Check: "race-closes", Hidden: true,
		What:  "Closechan checks whether the channel is closed, unlocks, locks again and closes it",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return looksFirst{p} }),
	},
	{
		Name: "close-takes-unlocked", Check: "race-close-receivers", Hidden: true,
		What:  "Closechan sets Closed under the lock, and takes the waiters off the queues without it",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return takesUnlocked{p} }),
	},
	{
		Name: "close-in-two-steps", Check: "race-close-senders", Hidden: true,
		What:  "Closechan sets Closed, unlocks, locks again and takes the waiters off the queues",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return inTwoSteps{p} }),
	},
	{
		Name: "try-looks-twice", Check: "race-try", Hidden: true,
		What:  "a receive without block checks whether the channel is empty and then, in another section of the lock, whether it is closed",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return tryLooksTwice{p} }),
	},
	{
		Name: "close-keeps-links", Check: "close-wakes", Hidden: true,
		What:  "the Gs that a close has woken stay linked by Schedlink, which belongs to the run queue as soon as they are ready",
		Parts: chanMutant(func(p brokenChannels) gmp.Channels { return keepsSchedlink{p} }),
	},
}

// A broken part is the right one, some methods of which are then overridden.
type (
	brokenParking struct {
		gmp.Parking
		s *gmp.Sched
	}
	brokenSudogs struct {
		gmp.Sudogs
		s *gmp.Sched
	}
	brokenWaitqs struct {
		gmp.Waitqs
		s *gmp.Sched
	}
	brokenChannels struct {
		gmp.Channels
		s *gmp.Sched
	}
)

func parkMutant(breakIt func(brokenParking) gmp.Parking) gmp.Version {
	return gmp.Version{Parking: func(s *gmp.Sched) gmp.Parking { return breakIt(brokenParking{NewParking(s), s}) }}
}

func sudogMutant(breakIt func(brokenSudogs) gmp.Sudogs) gmp.Version {
	return gmp.Version{Sudogs: func(s *gmp.Sched) gmp.Sudogs { return breakIt(brokenSudogs{NewSudogs(s), s}) }}
}

func waitqMutant(breakIt func(brokenWaitqs) gmp.Waitqs) gmp.Version {
	return gmp.Version{Waitqs: func(s *gmp.Sched) gmp.Waitqs { return breakIt(brokenWaitqs{NewWaitqs(s), s}) }}
}

func chanMutant(breakIt func(brokenChannels) gmp.Channels) gmp.Version {
	return gmp.Version{Channels: func(s *gmp.Sched) gmp.Channels { return breakIt(brokenChannels{NewChannels(s), s}) }}
}

// Queues of waiters.

type staleLast struct{ brokenWaitqs }

func (p staleLast) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	last := q.Last.Get()
	sg := p.Waitqs.Dequeue(q)
	q.Last.Set(last)
	return sg
}

type stalePrev struct{ brokenWaitqs }

func (p stalePrev) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	sg := p.Waitqs.Dequeue(q)
	if q.First.Get() != nil {
		q.First.Get().Prev.Set(sg)
	}
	return sg
}

type keepsLinks struct{ brokenWaitqs }

func (p keepsLinks) DequeueSudoG(q *gmp.Waitq, sg *gmp.Sudog) {
	next, prev := sg.Next.Get(), sg.Prev.Get()
	p.Waitqs.DequeueSudoG(q, sg)
	sg.Next.Set(next)
	sg.Prev.Set(prev)
}

type trustsCaller struct{ brokenWaitqs }

func (p trustsCaller) DequeueSudoG(q *gmp.Waitq, sg *gmp.Sudog) {
	if sg.Prev.Get() == nil && sg.Next.Get() == nil { // it must be the only one
		q.First.Set(nil)
		q.Last.Set(nil)
		return
	}
	p.Waitqs.DequeueSudoG(q, sg)
}

type newestFirst struct{ brokenWaitqs }

func (p newestFirst) Enqueue(q *gmp.Waitq, sg *gmp.Sudog) {
	if sg.Next.Set(q.First.Get()); sg.Next.Get() != nil {
		sg.Next.Get().Prev.Set(sg)
	} else {
		q.Last.Set(sg)
	}
	q.First.Set(sg)
}

// Parking.

type (
	unlocker = func(gp *gmp.G, lock any) bool

	queuesParked struct{ brokenParking }
)

func (p queuesParked) Gopark(mp *gmp.M, gp *gmp.G, unlockf unlocker, lock any, reason gmp.WaitReason) {
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	p.Parking.Gopark(mp, gp, unlockf, lock, reason)
}

type unlocksFirst struct{ brokenParking }

func (p unlocksFirst) Gopark(mp *gmp.M, gp *gmp.G, unlockf unlocker, lock any, reason gmp.WaitReason) {
	if unlockf != nil && !unlockf(gp, lock) {
		return
	}
	p.Parking.Gopark(mp, gp, nil, nil, reason)
}

type dropsLate struct{ brokenParking }

func (p dropsLate) Gopark(mp *gmp.M, gp *gmp.G, unlockf unlocker, lock any, reason gmp.WaitReason) {
	gp.Waitreason.Set(reason)
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Gwaiting)
	if unlockf != nil && !unlockf(gp, lock) {
		p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
		p.s.Execute(mp, gp, true)
		return
	}
	p.s.Dropg(mp)
	p.s.Schedule(mp)
}

type dropsEarly struct{ brokenParking }

func (p dropsEarly) Gopark(mp *gmp.M, gp *gmp.G, unlockf unlocker, lock any, reason gmp.WaitReason) {
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Grunning {
		p.s.Throw("gopark: bad g status")
	}
	gp.Waitreason.Set(reason)
	p.s.Dropg(mp)
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Gwaiting)
	if unlockf != nil && !unlockf(gp, lock) {
		p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
		p.s.Execute(mp, gp, true)
		return
	}
	p.s.Schedule(mp)
}

type noToTheTail struct{ brokenParking }

func (p noToTheTail) Gopark(mp *gmp.M, gp *gmp.G, unlockf unlocker, lock any, reason gmp.WaitReason) {
	gp.Waitreason.Set(reason)
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Gwaiting)
	p.s.Dropg(mp)
	if unlockf != nil && !unlockf(gp, lock) {
		p.s.Goready(mp, gp)
	}
	p.s.Schedule(mp)
}

type reasonLate struct{ brokenParking }

func (p reasonLate) Gopark(mp *gmp.M, gp *gmp.G, unlockf unlocker, lock any, reason gmp.WaitReason) {
	p.Parking.Gopark(mp, gp, func(gp *gmp.G, lock any) bool {
		yes := unlockf == nil || unlockf(gp, lock)
		gp.Waitreason.Set(reason)
		return yes
	}, lock, reason)
}

type stateFirst struct{ brokenParking }

func (p stateFirst) Gopark(mp *gmp.M, gp *gmp.G, unlockf unlocker, lock any, reason gmp.WaitReason) {
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Gwaiting)
	gp.Waitreason.Set(reason)
	p.s.Dropg(mp)
	if unlockf != nil && !unlockf(gp, lock) {
		p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
		p.s.Execute(mp, gp, true)
		return
	}
	p.s.Schedule(mp)
}

type ignoresNo struct{ brokenParking }

func (p ignoresNo) Gopark(mp *gmp.M, gp *gmp.G, unlockf unlocker, lock any, reason gmp.WaitReason) {
	p.Parking.Gopark(mp, gp, func(gp *gmp.G, lock any) bool {
		if unlockf != nil {
			unlockf(gp, lock)
		}
		return true
	}, lock, reason)
}

type contLate struct{ brokenParking }

func (p contLate) Gopark(mp *gmp.M, gp *gmp.G, unlockf unlocker, lock any, reason gmp.WaitReason) {
	cont := gp.Cont.Get()
	gp.Cont.Set(nil)
	p.Parking.Gopark(mp, gp, unlockf, lock, reason)
	gp.Cont.Set(cont)
}

type noReason struct{ brokenParking }

func (p noReason) Gopark(mp *gmp.M, gp *gmp.G, unlockf unlocker, lock any, reason gmp.WaitReason) {
	p.Parking.Gopark(mp, gp, unlockf, lock, gmp.WaitReasonZero)
}

type withThread struct{ brokenParking }

func (p withThread) Gopark(mp *gmp.M, gp *gmp.G, unlockf unlocker, lock any, reason gmp.WaitReason) {
	p.s.NewM(p.s.Mnext.Get())
	p.s.Mnext.Set(p.s.Mnext.Get() + 1)
	p.Parking.Gopark(mp, gp, unlockf, lock, reason)
}

type notNext struct{ brokenParking }

func (p notNext) Goready(mp *gmp.M, gp *gmp.G) { p.s.Ready(mp, gp, false) }

type onlyMarks struct{ brokenParking }

func (p onlyMarks) Goready(mp *gmp.M, gp *gmp.G) { p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable) }

// Sudogs.

type keepsNext struct{ brokenSudogs }

func (p keepsNext) AcquireSudog(mp *gmp.M) *gmp.Sudog {
	sg := p.Sudogs.AcquireSudog(mp)
	sg.Next.Set(mp.Sudogcache.Get())
	return sg
}

type keepsFields struct{ brokenSudogs }

func (p keepsFields) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	gp, success, ticket, waiters := sg.G.Get(), sg.Success.Get(), sg.Ticket.Get(), sg.Waiters.Get()
	p.Sudogs.ReleaseSudog(mp, sg)
	sg.G.Set(gp)
	sg.Success.Set(success)
	sg.Ticket.Set(ticket)
	sg.Waiters.Set(waiters)
}

type takesAll struct{ brokenSudogs }

func (p takesAll) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	*sg = gmp.Sudog{}
	p.Sudogs.ReleaseSudog(mp, sg)
}

// oneList is a list of free sudogs for all Ms.
type oneList struct {
	brokenSudogs
	free machine.Cell[*gmp.Sudog]
}

func (p *oneList) AcquireSudog(mp *gmp.M) *gmp.Sudog {
	sg := p.free.Get()
	if sg == nil {
		return new(gmp.Sudog)
	}
	p.free.Set(sg.Next.Get())
	sg.Next.Set(nil)
	return sg
}

func (p *oneList) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	p.Sudogs.ReleaseSudog(mp, sg)
	mp.Sudogcache.Set(sg.Next.Get())
	sg.Next.Set(p.free.Get())
	p.free.Set(sg)
}

// sudogsPoppedInTwoSteps is a oneList with a lock, in too many sections.
type sudogsPoppedInTwoSteps struct {
	brokenSudogs
	lock machine.Mutex
	free machine.Cell[*gmp.Sudog]
}

func (p *sudogsPoppedInTwoSteps) AcquireSudog(mp *gmp.M) *gmp.Sudog {
	p.lock.Lock()
	sg := p.free.Get()
	p.lock.Unlock()
	if sg == nil {
		return gmp.NewSudog()
	}
	p.lock.Lock()
	p.free.Set(sg.Next.Get())
	p.lock.Unlock()
	sg.Next.Set(nil)
	return sg
}

func (p *sudogsPoppedInTwoSteps) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	p.Sudogs.ReleaseSudog(mp, sg)
	mp.Sudogcache.Set(sg.Next.Get())
	p.lock.Lock()
	sg.Next.Set(p.free.Get())
	p.free.Set(sg)
	p.lock.Unlock()
}

// Channels.

type multiplies struct{ brokenChannels }

func (p multiplies) Makechan(mp *gmp.M, gp *gmp.G, elem *machine.Type, size int64) *gmp.Hchan {
	if bytes := elem.Size * size; size < 0 || bytes < 0 || bytes >= gmp.MaxAlloc {
		p.s.PanicPlain(mp, gp, "makechan: size out of range")
		return nil
	}
	return p.s.NewHchan(mp, elem, size)
}

type slotByCount struct{ brokenChannels }

func (p slotByCount) Chansend(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) bool {
	if c != nil {
		c.Sendx.Set(min(c.Qcount.Get(), max(c.Dataqsiz, 1)-1))
	}
	return p.Channels.Chansend(mp, gp, c, elem, block)
}

type unlocksEarly struct{ brokenChannels }

func (p unlocksEarly) Chansend(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) bool {
	if c == nil || p.Channels.Chansend(mp, gp, c, elem, false) || c.Closed.Get() || !block {
		return c != nil && block
	}
	c.Lock.Lock()
	p.hang(gp, c, &c.Sendq, elem)
	gp.Cont.Set((*gmp.Sched).ChansendDone)
	c.Lock.Unlock()
	p.s.Gopark(mp, gp, nil, nil, gmp.WaitReasonChanSend)
	return false
}

type sendsTwice struct{ brokenChannels }

func (p sendsTwice) Chansend(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) bool {
	if c == nil || p.Channels.Chansend(mp, gp, c, elem, false) || !block {
		return c != nil && block
	}
	c.Lock.Lock()
	p.hang(gp, c, &c.Sendq, elem)
	gp.Cont.Set((*gmp.Sched).ChansendDone)
	p.s.Gopark(mp, gp, chanparkcommit, &c.Lock, gmp.WaitReasonChanSend)
	return false
}

type locksTwice struct{ brokenChannels }

func (p locksTwice) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	if selected, received = p.Channels.Chanrecv(mp, gp, c, elem, false); selected || !block {
		return selected, received
	}
	c.Lock.Lock()
	p.hang(gp, c, &c.Recvq, elem)
	gp.Cont.Set((*gmp.Sched).ChanrecvDone)
	p.s.Gopark(mp, gp, chanparkcommit, &c.Lock, gmp.WaitReasonChanReceive)
	return false, false
}

// hang puts gp on a queue of c.
func (p brokenChannels) hang(gp *gmp.G, c *gmp.Hchan, q *gmp.Waitq, elem machine.Addr) {
	sg := p.s.AcquireSudog(gp.M.Get())
	sg.G.Set(gp)
	sg.C.Set(c)
	sg.Elem.Set(elem)
	gp.Waiting.Set(sg)
	p.s.Enqueue(q, sg)
}

// countsLate puts an element into the buffer and then, unlocked, counts it or moves Sendx.
type countsLate struct {
	brokenChannels
	index bool
}

func (p countsLate) Chansend(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) bool {
	if c == nil {
		return p.Channels.Chansend(mp, gp, c, elem, block)
	}
	c.Lock.Lock()
	if c.Closed.Get() || c.Recvq.First.Get() != nil || c.Qcount.Get() == c.Dataqsiz {
		c.Lock.Unlock()
		return p.Channels.Chansend(mp, gp, c, elem, block)
	}
	p.s.Typedmemmove(c.Elem, c.Chanbuf(c.Sendx.Get()), elem)
	if p.index {
		c.Qcount.Set(c.Qcount.Get() + 1)
		c.Lock.Unlock()
		c.Sendx.Set(next(c, c.Sendx.Get()))
	} else {
		c.Sendx.Set(next(c, c.Sendx.Get()))
		c.Lock.Unlock()
		c.Qcount.Set(c.Qcount.Get() + 1)
	}
	return true
}

type copiesLate struct{ brokenChannels }

func (p copiesLate) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	if c == nil || elem == 0 {
		return p.Channels.Chanrecv(mp, gp, c, elem, block)
	}
	c.Lock.Lock()
	if c.Sendq.First.Get() != nil || c.Qcount.Get() == 0 {
		c.Lock.Unlock()
		return p.Channels.Chanrecv(mp, gp, c, elem, block)
	}
	slot := c.Chanbuf(c.Recvx.Get())
	c.Recvx.Set(next(c, c.Recvx.Get()))
	c.Qcount.Set(c.Qcount.Get() - 1)
	c.Lock.Unlock()
	p.s.Typedmemmove(c.Elem, elem, slot)
	return true, true
}

type readsUnlocked struct{ brokenChannels }

func (p readsUnlocked) Chansend(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) bool {
	if c != nil && c.Closed.Get() {
		p.s.PanicPlain(mp, gp, "send on closed channel")
		return false
	}
	return p.Channels.Chansend(mp, gp, c, elem, block)
}

type tryLooksTwice struct{ brokenChannels }

func (p tryLooksTwice) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	if c == nil || block {
		return p.Channels.Chanrecv(mp, gp, c, elem, block)
	}
	c.Lock.Lock()
	empty := c.Qcount.Get() == 0 && c.Sendq.First.Get() == nil
	c.Lock.Unlock()
	if !empty {
		return p.Channels.Chanrecv(mp, gp, c, elem, block)
	}
	c.Lock.Lock()
	closed := c.Closed.Get()
	c.Lock.Unlock()
	if closed && elem != 0 {
		p.s.Typedmemclr(c.Elem, elem)
	}
	return closed, false
}

type forgetsWaiting struct{ brokenChannels }

func (p forgetsWaiting) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	selected, received = p.Channels.Chanrecv(mp, gp, c, elem, block)
	gp.Waiting.Set(nil)
	return selected, received
}

type throughBuffer struct{ brokenChannels }

func (p throughBuffer) Send(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	if c.Dataqsiz > 0 {
		p.s.Typedmemmove(c.Elem, c.Chanbuf(c.Sendx.Get()), elem)
		c.Sendx.Set(next(c, c.Sendx.Get()))
		c.Qcount.Set(c.Qcount.Get() + 1)
	}
	p.Channels.Send(mp, c, sg, elem)
}

type readiesLocked struct{ brokenChannels }

func (p readiesLocked) Send(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	if sg.Elem.Get() != 0 {
		p.s.Typedmemmove(c.Elem, sg.Elem.Get(), elem)
	}
	p.s.Goready(mp, release(sg, true))
	c.Lock.Unlock()
}

type sendReadyThenSudog struct{ brokenChannels }

func (p sendReadyThenSudog) Send(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	gp := sg.G.Get()
	if sg.Elem.Get() != 0 {
		p.s.Typedmemmove(c.Elem, sg.Elem.Get(), elem)
	}
	c.Lock.Unlock()
	p.s.Goready(mp, gp)
	release(sg, true)
}

type elemLate struct{ brokenChannels }

func (p elemLate) Send(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	if sg.Elem.Get() != 0 {
		p.s.Typedmemmove(c.Elem, sg.Elem.Get(), elem)
	}
	c.Lock.Unlock()
	p.s.Goready(mp, release(sg, true))
}

type takesNewest struct{ brokenChannels }

func (p takesNewest) Recv(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	if elem != 0 {
		p.s.Typedmemmove(c.Elem, elem, sg.Elem.Get())
	}
	gp := release(sg, true)
	c.Lock.Unlock()
	p.s.Goready(mp, gp)
}

type leavesSendx struct{ brokenChannels }

func (p leavesSendx) Recv(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	sendx := c.Sendx.Get()
	p.Channels.Recv(mp, c, sg, elem)
	c.Sendx.Set(sendx)
}

type writesDropped struct{ brokenChannels }

func (p writesDropped) Send(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	p.s.Typedmemmove(c.Elem, sg.Elem.Get(), elem)
	gp := release(sg, true)
	c.Lock.Unlock()
	p.s.Goready(mp, gp)
}

type oldAddress struct{ brokenChannels }

func (p oldAddress) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	selected, received = p.Channels.Chanrecv(mp, gp, c, elem, block)
	if gp.Cont.Get() != nil {
		at := gp.Sched.Args
		gp.Cont.Set(func(s *gmp.Sched, mp *gmp.M, gp *gmp.G) {
			now := gp.Sched.Args
			gp.Sched.Args = at
			s.ChanrecvDone(mp, gp)
			gp.Sched.Args = now
		})
	}
	return selected, received
}

type readsLate struct{ brokenChannels }

func (p readsLate) ChanrecvDone(mp *gmp.M, gp *gmp.G) {
	sg := gp.Waiting.Get()
	gp.Waiting.Set(nil)
	gp.Param.Set(nil)
	sg.C.Set(nil)
	p.s.ReleaseSudog(mp, sg)
	p.s.SetReceived(gp, sg.Success.Get())
}

type keepsSudog struct{ brokenChannels }

func (p keepsSudog) ChansendDone(mp *gmp.M, gp *gmp.G) {
	if !gp.Waiting.Get().Success.Get() {
		gp.Waiting.Set(nil)
		gp.Param.Set(nil)
		p.s.PanicPlain(mp, gp, "send on closed channel")
		return
	}
	p.Channels.ChansendDone(mp, gp)
}

type survives struct{ brokenChannels }

func (p survives) ChansendDone(mp *gmp.M, gp *gmp.G) {
	gp.Waiting.Get().Success.Set(true)
	p.Channels.ChansendDone(mp, gp)
}

type wakesOne struct{ brokenChannels }

func (p wakesOne) Closechan(mp *gmp.M, gp *gmp.G, c *gmp.Hchan) {
	if c == nil || c.Recvq.First.Get() == nil {
		p.Channels.Closechan(mp, gp, c)
		return
	}
	rest := c.Recvq.First.Get().Next.Get()
	c.Recvq.First.Get().Next.Set(nil)
	p.Channels.Closechan(mp, gp, c)
	c.Recvq.First.Set(rest)
}

type noZero struct{ brokenChannels }

func (p noZero) Closechan(mp *gmp.M, gp *gmp.G, c *gmp.Hchan) {
	if c != nil {
		for sg := c.Recvq.First.Get(); sg != nil; sg = sg.Next.Get() {
			sg.Elem.Set(0)
		}
	}
	p.Channels.Closechan(mp, gp, c)
}

type closesLocked struct{ brokenChannels }

func (p closesLocked) Closechan(mp *gmp.M, gp *gmp.G, c *gmp.Hchan) {
	if c == nil || c.Closed.Get() {
		p.Channels.Closechan(mp, gp, c)
		return
	}
	c.Lock.Lock()
	defer c.Lock.Unlock()
	c.Closed.Set(true)
	p.wake(mp, p.takeAll(c))
}

// takeAll takes all off the queues of c, which is closed.
func (p brokenChannels) takeAll(c *gmp.Hchan) (woken []*gmp.G) {
	for sg := p.s.Dequeue(&c.Recvq); sg != nil; sg = p.s.Dequeue(&c.Recvq) {
		if sg.Elem.Get() != 0 {
			p.s.Typedmemclr(c.Elem, sg.Elem.Get())
		}
		woken = append(woken, release(sg, false))
	}
	for sg := p.s.Dequeue(&c.Sendq); sg != nil; sg = p.s.Dequeue(&c.Sendq) {
		woken = append(woken, release(sg, false))
	}
	return woken
}

func (p brokenChannels) wake(mp *gmp.M, gs []*gmp.G) {
	for _, gp := range gs {
		p.s.Goready(mp, gp)
	}
}

// open locks c, if it can be closed; else the panic is the right part's.
func (p brokenChannels) open(mp *gmp.M, gp *gmp.G, c *gmp.Hchan) bool {
	if c == nil {
		p.Channels.Closechan(mp, gp, c)
		return false
	}
	c.Lock.Lock()
	if c.Closed.Get() {
		c.Lock.Unlock()
		p.Channels.Closechan(mp, gp, c)
		return false
	}
	return true
}

type closesLate struct{ brokenChannels }

func (p closesLate) Closechan(mp *gmp.M, gp *gmp.G, c *gmp.Hchan) {
	if p.open(mp, gp, c) {
		woken := p.takeAll(c)
		c.Lock.Unlock()
		c.Closed.Set(true)
		p.wake(mp, woken)
	}
}

type looksFirst struct{ brokenChannels }

func (p looksFirst) Closechan(mp *gmp.M, gp *gmp.G, c *gmp.Hchan) {
	if p.open(mp, gp, c) {
		c.Lock.Unlock()
		c.Lock.Lock()
		c.Closed.Set(true)
		woken := p.takeAll(c)
		c.Lock.Unlock()
		p.wake(mp, woken)
	}
}

type takesUnlocked struct{ brokenChannels }

func (p takesUnlocked) Closechan(mp *gmp.M, gp *gmp.G, c *gmp.Hchan) {
	if p.open(mp, gp, c) {
		c.Closed.Set(true)
		c.Lock.Unlock()
		p.wake(mp, p.takeAll(c))
	}
}

type inTwoSteps struct{ brokenChannels }

func (p inTwoSteps) Closechan(mp *gmp.M, gp *gmp.G, c *gmp.Hchan) {
	if p.open(mp, gp, c) {
		c.Closed.Set(true)
		c.Lock.Unlock()
		c.Lock.Lock()
		woken := p.takeAll(c)
		c.Lock.Unlock()
		p.wake(mp, woken)
	}
}

type keepsSchedlink struct{ brokenChannels }

func (p keepsSchedlink) Closechan(mp *gmp.M, gp *gmp.G, c *gmp.Hchan) {
	if !p.open(mp, gp, c) {
		return
	}
	c.Closed.Set(true)
	woken := p.takeAll(c)
	for i := range woken[:max(len(woken), 1)-1] {
		woken[i].Schedlink.Set(woken[i+1])
	}
	c.Lock.Unlock()
	p.wake(mp, woken)
}

type closedIsEmpty struct{ brokenChannels }

func (p closedIsEmpty) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	if c != nil && c.Closed.Get() {
		if elem != 0 {
			p.s.Typedmemclr(c.Elem, elem)
		}
		return true, false
	}
	return p.Channels.Chanrecv(mp, gp, c, elem, block)
}

type panicsLocked struct{ brokenChannels }

func (p panicsLocked) Chansend(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) bool {
	if c != nil && c.Closed.Get() {
		c.Lock.Lock()
		p.s.PanicPlain(mp, gp, "send on closed channel")
		return false
	}
	return p.Channels.Chansend(mp, gp, c, elem, block)
}

type closeNilIsFine struct{ brokenChannels }

func (p closeNilIsFine) Closechan(mp *gmp.M, gp *gmp.G, c *gmp.Hchan) {
	if c != nil {
		p.Channels.Closechan(mp, gp, c)
	}
}

type nilIsClosed struct{ brokenChannels }

func (p nilIsClosed) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	if c == nil {
		return true, false
	}
	return p.Channels.Chanrecv(mp, gp, c, elem, block)
}

type alwaysBlocks struct{ brokenChannels }

func (p alwaysBlocks) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	return p.Channels.Chanrecv(mp, gp, c, elem, true)
}

type movesWords struct{ brokenChannels }

func (p movesWords) Send(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	if sg.Elem.Get() != 0 {
		for i := machine.Addr(0); i < machine.Addr(c.Elem.Size); i += 8 {
			p.s.Machine.SetWord(sg.Elem.Get()+i, p.s.Machine.Word(elem+i))
		}
	}
	gp := release(sg, true)
	c.Lock.Unlock()
	p.s.Goready(mp, gp)
}

type sleepsOn struct{ brokenChannels }

func (p sleepsOn) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	if c != nil && c.Qcount.Get() > 0 {
		first, last := c.Sendq.First.Get(), c.Sendq.Last.Get()
		c.Sendq.First.Set(nil)
		c.Sendq.Last.Set(nil)
		selected, received = p.Channels.Chanrecv(mp, gp, c, elem, block)
		c.Sendq.First.Set(first)
		c.Sendq.Last.Set(last)
		return selected, received
	}
	return p.Channels.Chanrecv(mp, gp, c, elem, block)
}

type polls struct{ brokenChannels }

func (p polls) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	selected, received = p.Channels.Chanrecv(mp, gp, c, elem, false)
	if !selected && block {
		gp.Cont.Set(func(s *gmp.Sched, mp *gmp.M, gp *gmp.G) {
			if selected, received := s.Chanrecv(mp, gp, c, elem, true); selected {
				s.SetReceived(gp, received)
			}
		})
		p.s.GoschedImpl(mp, gp, false)
	}
	return selected, received
}

// oneMemory keeps who waited last.
type oneMemory struct {
	brokenChannels
	last *gmp.Sudog
}

func (p *oneMemory) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	selected, received = p.Channels.Chanrecv(mp, gp, c, elem, block)
	if gp.Waiting.Get() != nil {
		p.last = gp.Waiting.Get()
	}
	return selected, received
}

func (p *oneMemory) ChanrecvDone(mp *gmp.M, gp *gmp.G) {
	received := p.last.Success.Get()
	p.Channels.ChanrecvDone(mp, gp)
	p.s.SetReceived(gp, received)
}
