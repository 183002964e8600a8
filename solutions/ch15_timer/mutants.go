package ch15

import (
	"slices"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Mutants are mistakes that one makes in this chapter. Those of UnlockAndRun that are open are
// for the student's own test.
var Mutants = []check.Mutant{
	{
		Name: "fire-drifts", Check: "fire",
		What:  "a ticker's next time is counted from now, and so it drifts",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return fires{p, "drifts"} }),
	},
	{
		Name: "fire-catches-up", Check: "fire",
		What:  "a ticker that is late fires for each time that it has missed",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return fires{p, "catches up"} }),
	},
	{
		Name: "fire-keeps-when", Check: "fire",
		What:  "a one-shot timer that has fired is still set",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return fires{p, "keeps when"} }),
	},
	{
		Name: "fire-on-time", Check: "fire",
		What:  "the function is told that the timer is not late",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return fires{p, "on time"} }),
	},
	{
		Name: "fire-no-end", Check: "fire",
		What:  "the next time of a ticker at the end of time is negative",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return fires{p, "no end"} }),
	},
	{
		Name: "fire-locked", Check: "fire", Hidden: true,
		What:  "the function is called with the list locked, and deadlocks if it sets a timer",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return fires{p, "locked"} }),
	},
	{
		Name: "fire-sends-stale", Check: "race-stop", Hidden: true,
		What:  "a send that was decided on is made, whatever has happened since",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return fires{p, "sends stale"} }),
	},
	{
		Name: "fire-looks-early", Check: "race-reset", Hidden: true,
		What:  "Seq is looked at before SendLock is taken",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return fires{p, "looks early"} }),
	},
	{
		Name: "fire-hides-send", Check: "race-stop", Hidden: true,
		What:  "a send that is on its way is not counted, so Stop says that the timer had fired",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return fires{p, "hides send"} }),
	},
	{
		Name: "fire-leaves-late", Check: "race-thieves", Hidden: true,
		What:  "the timer leaves the heap when it has fired",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return fires{p, "leaves late"} }),
	},
	{
		Name: "heap-binary", Check: "heap", Hidden: true,
		What:  "each node has two children",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return binary{p} }),
	},
	{
		Name: "heap-add-hides-first", Check: "heap", Hidden: true,
		What:  "AddHeap does not publish the first time",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return addHides{p} }),
	},
	{
		Name: "heap-delete-remembers", Check: "heap", Hidden: true,
		What:  "an entry that was removed is still behind the end",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return deleteRemembers{p} }),
	},
	{
		Name: "clean-len-at-once", Check: "race-len", Hidden: true,
		What:  "CleanHead publishes the length, although its caller is about to add a timer",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return lenAtOnce{p} }),
	},
	{
		Name: "update-half", Check: "update", Hidden: true,
		What:  "a zombie that leaves is still modified",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return updateHalf{p} }),
	},
	{
		Name: "update-miscounts", Check: "update", Hidden: true,
		What:  "a zombie that has left is still counted",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return updateMiscounts{p} }),
	},
	{
		Name: "clean-front-only", Check: "clean", Hidden: true,
		What:  "zombies at the end of the heap stay there",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return cleanFront{p} }),
	},
	{
		Name: "clean-never-stops", Check: "clean", Hidden: true,
		What:  "a G that is to stop cleans on",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return cleanOn{p} }),
	},
	{
		Name: "adjust-skips", Check: "adjust", Hidden: true,
		What:  "the entry that takes the place of a zombie is not looked at",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return adjusts{p, "skips"} }),
	},
	{
		Name: "adjust-clears-first", Check: "race-adjust", Hidden: true,
		What:  "MinWhenModified is cleared before its time is kept elsewhere: WakeTime is too late for a while",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return adjusts{p, "clears first"} }),
	},
	{
		Name: "adjust-clears-last", Check: "race-adjust", Hidden: true,
		What:  "MinWhenModified is cleared at the end: a change that came meanwhile is lost",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return adjusts{p, "clears last"} }),
	},
	{
		Name: "adjust-unsorted", Check: "adjust", Hidden: true,
		What:  "entries get their new times and stay where they are",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return adjusts{p, "unsorted"} }),
	},
	{
		Name: "take-empties-first", Check: "race-take", Hidden: true,
		What:  "the list of the P that goes away is emptied before the other one has its timers",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return takeEmptiesFirst{p} }),
	},
	{
		Name: "take-keeps-marks", Check: "take", Hidden: true,
		What:  "timers that were modified are so in the new heap, too",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return takeKeepsMarks{p} }),
	},
	{
		Name: "add-looks-once", Check: "race-change", Hidden: true,
		What:  "MaybeAdd looks at the timer before it locks the list, and not again",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return addLooksOnce{p} }),
	},
	{
		Name: "add-tells-first", Check: "race-sleep", Hidden: true,
		What:  "whoever sleeps is told before the timer can be found",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return addTellsFirst{p} }),
	},
	{
		Name: "add-tells-nobody", Check: "add", Hidden: true,
		What:  "an M that sleeps until a later time sleeps on",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return addTellsNobody{p} }),
	},
	{
		Name: "add-looks-uncleaned", Check: "race-sleep", Hidden: true,
		What:  "MaybeAdd reads WakeTime before CleanHead removes the timer, stopped since, to which that is due",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return addLooksUncleaned{p} }),
	},
	{
		Name: "sleep-sets-first", Check: "race-nap", Hidden: true,
		What:  "TimeSleep sets the timer, and then parks",
		Parts: mutant(func(p right) gmp.Timers { return sleepSetsFirst{p} }),
	},
	{
		Name: "sleep-overflows", Check: "sleep", Hidden: true,
		What:  "the end of a very long sleep is negative",
		Parts: mutant(func(p right) gmp.Timers { return sleepOverflows{p} }),
	},
	{
		Name: "sleep-other-clock", Check: "sleep", Hidden: true,
		What:  "the end of a sleep is counted on the machine's clock",
		Parts: mutant(func(p right) gmp.Timers { return sleepOtherClock{p} }),
	},
	{
		Name: "mod-wakes-always", Check: "set", Hidden: true,
		What:  "Wakenetpoller is called although an earlier time is published already",
		Parts: mutant(func(p right) gmp.Timers { return mods{p, "wakes always"} }),
	},
	{
		Name: "mod-time-first", Check: "race-adjust", Hidden: true,
		What:  "ModTimer publishes the time before the mark, and Adjust clears the one without seeing the other",
		Parts: mutant(func(p right) gmp.Timers { return mods{p, "time first"} }),
	},
	{
		Name: "mod-tells-nobody", Check: "race-sleep", Hidden: true,
		What:  "a timer in a heap is set to an earlier time, and whoever sleeps sleeps on",
		Parts: mutant(func(p right) gmp.Timers { return mods{p, "tells nobody"} }),
	},
	{
		Name: "mod-stays-zombie", Check: "set", Hidden: true,
		What:  "a timer that was stopped and is set again is still a zombie",
		Parts: mutant(func(p right) gmp.Timers { return mods{p, "stays zombie"} }),
	},
	{
		Name: "mod-raises-time", Check: "set", Hidden: true,
		What:  "MinWhenModified becomes the time, even if another timer was modified to an earlier one",
		Parts: mutant(func(p right) gmp.Timers { return mods{p, "raises time"} }),
	},
	{
		Name: "mod-adds-again", Check: "set", Hidden: true,
		What:  "a timer is added to the own heap, though it is in another one",
		Parts: mutant(func(p right) gmp.Timers { return modAddsAgain{p} }),
	},
	{
		Name: "stop-counts-twice", Check: "stop", Hidden: true,
		What:  "a timer that is stopped twice counts as two zombies",
		Parts: mutant(func(p right) gmp.Timers { return stopCountsTwice{p} }),
	},
	{
		Name: "stop-leaves-value", Check: "stale", Hidden: true,
		What:  "a value that was sent before stays in the channel, as until 1.22",
		Parts: mutant(func(p right) gmp.Timers { return stopLeavesValue{p} }),
	},
	{
		Name: "check-runs-one", Check: "due", Hidden: true,
		What:  "only the first of the timers that are due fires",
		Parts: mutant(func(p right) gmp.Timers { return checkRunsOne{p} }),
	},
	{
		Name: "check-not-adjusted", Check: "due", Hidden: true,
		What:  "a timer that was set to an earlier time is found when the heap comes to it",
		Parts: heapMutant(func(p rightHeap) gmp.TimerHeap { return adjusts{p, "never"} }),
	},
	{
		Name: "check-until-first", Check: "due", Hidden: true,
		What:  "pollUntil is the time of the first entry, though another one was modified to an earlier time",
		Parts: mutant(func(p right) gmp.Timers { return checks{p, "first entry"} }),
	},
	{
		Name: "check-other-clock", Check: "due", Hidden: true,
		What:  "the clock is that of the machine, which began before the program",
		Parts: mutant(func(p right) gmp.Timers { return checks{p, "machine's clock"} }),
	},
	{
		Name: "check-fires-revived", Check: "race-thieves", Hidden: true,
		What:  "a timer at the front was a zombie, and a G waits for it when it is locked: it fires, due or not",
		Parts: mutant(func(p right) gmp.Timers { return checks{p, "fires revived"} }),
	},
	{
		Name: "check-locks-always", Check: "quiet", Hidden: true,
		What:  "the list is locked although nothing is due",
		Parts: mutant(func(p right) gmp.Timers { return checkLocks{p} }),
	},
	{
		Name: "check-cleans-others", Check: "quiet", Hidden: true,
		What:  "a thief cleans the heap of another P, whose owner waits for the lock",
		Parts: mutant(func(p right) gmp.Timers { return checkCleansOthers{p} }),
	},
	{
		Name: "check-forgets-meanwhile", Check: "due", Hidden: true,
		What:  "CheckTimers clears MinWhenModified when it has run what was due: a timer that was set earlier meanwhile is found too late",
		Parts: mutant(func(p right) gmp.Timers { return checks{p, "forgets"} }),
	},
	{
		Name: "no-p-last", Check: "no-p", Hidden: true,
		What:  "the time is that of the last P, not the earliest",
		Parts: mutant(func(p right) gmp.Timers { return noPLast{p} }),
	},
	{
		Name: "no-p-other-list", Check: "no-p", Hidden: true,
		What:  "the Ps are those of s.Allp, which may be others by now, and which an M without a P must not read",
		Parts: mutant(func(p right) gmp.Timers { return noPOtherList{p} }),
	},
	{
		Name: "chan-fires-early", Check: "lazy", Hidden: true,
		What:  "a look at the channel fires the timer although it is not due",
		Parts: chansMutant(func(p rightChans) gmp.TimerChans { return runsEarly{p} }),
	},
	{
		Name: "chan-other-clock", Check: "lazy", Hidden: true,
		What:  "whether the timer is due is asked of the machine's clock",
		Parts: chansMutant(func(p rightChans) gmp.TimerChans { return runsByMachine{p} }),
	},
	{
		Name: "chan-looks-once", Check: "race-look", Hidden: true,
		What:  "whether the timer is in a heap is asked without its lock alone",
		Parts: chansMutant(func(p rightChans) gmp.TimerChans { return runsHeaped{p} }),
	},
	{
		Name: "chan-revives-stopped", Check: "lazy", Hidden: true,
		What:  "a G that waits for a timer that was stopped takes the mark away",
		Parts: chansMutant(func(p rightChans) gmp.TimerChans { return revives{p} }),
	},
	{
		Name: "chan-stays-zombie", Check: "lazy", Hidden: true,
		What:  "a G waits again, and the timer is about to leave the heap",
		Parts: chansMutant(func(p rightChans) gmp.TimerChans { return staysZombie{p} }),
	},
	{
		Name: "chan-first-leaves", Check: "race-wait", Hidden: true,
		What:  "the timer leaves the heap when a G goes on, though another one waits",
		Parts: chansMutant(func(p rightChans) gmp.TimerChans { return firstLeaves{p} }),
	},
	{
		Name: "chan-stops", Check: "lazy", Hidden: true,
		What:  "a timer for which no G waits any more is stopped",
		Parts: chansMutant(func(p rightChans) gmp.TimerChans { return unblockStops{p} }),
	},
}

// The parts of which mutants are made.
type (
	right struct {
		gmp.Timers
		s *gmp.Sched
	}
	rightHeap struct {
		gmp.TimerHeap
		s *gmp.Sched
	}
	rightChans struct {
		gmp.TimerChans
		s *gmp.Sched
	}
)

func mutant(wrong func(p right) gmp.Timers) gmp.Version {
	return gmp.Version{Timers: func(s *gmp.Sched) gmp.Timers { return wrong(right{NewTimers(s), s}) }}
}

func heapMutant(wrong func(p rightHeap) gmp.TimerHeap) gmp.Version {
	return gmp.Version{TimerHeap: func(s *gmp.Sched) gmp.TimerHeap { return wrong(rightHeap{NewTimerHeap(s), s}) }}
}

func chansMutant(wrong func(p rightChans) gmp.TimerChans) gmp.Version {
	return gmp.Version{TimerChans: func(s *gmp.Sched) gmp.TimerChans { return wrong(rightChans{NewTimerChans(s), s}) }}
}

// fires makes a mistake in UnlockAndRun.
type fires struct {
	rightHeap
	mistake string
}

func (p fires) UnlockAndRun(mp *gmp.M, t *gmp.Timer, now int64) {
	s, ts := p.s, t.Ts.Get()
	if t.State.Get()&(gmp.TimerModified|gmp.TimerZombie) != 0 {
		s.Throw(corrupt)
	}
	when, period := t.When.Get(), t.Period.Get()
	delay := now - when
	next := int64(0)
	if period > 0 {
		switch p.mistake {
		case "drifts":
			next = now + period
		case "catches up":
			next = when + period
		default:
			next = when + period*(1+delay/period)
		}
		if next < 0 && p.mistake != "no end" {
			next = gmp.MaxWhen
		}
	}
	leave := func() {
		if ts == nil {
			return
		}
		t.State.Set(t.State.Get() | gmp.TimerModified)
		if next == 0 {
			bury(t)
		}
		s.UpdateHeap(t)
	}
	t.When.Set(next)
	if next == 0 && p.mistake == "keeps when" {
		t.When.Set(when)
	}
	if p.mistake != "leaves late" {
		leave()
	}
	seq, counts := t.Seq.Get(), t.C != nil && period == 0 && p.mistake != "hides send"
	if counts {
		t.IsSending.Add(1)
	}
	t.Unlock()
	if ts != nil && p.mistake != "locked" {
		ts.Unlock()
	}
	if p.mistake == "on time" {
		delay = 0
	}
	if t.C == nil {
		t.F(s, mp, t.Arg, delay)
	} else {
		stale := false
		if p.mistake == "looks early" {
			t.Lock()
			stale = t.Seq.Get() != seq
			t.Unlock()
		}
		t.SendLock.Lock()
		if counts {
			t.IsSending.Add(-1)
		}
		switch p.mistake {
		case "sends stale":
		case "looks early":
		default:
			stale = t.Seq.Get() != seq
		}
		if !stale {
			t.F(s, mp, t.Arg, delay)
		}
		t.SendLock.Unlock()
	}
	if ts != nil && p.mistake != "locked" {
		ts.Lock()
	}
	if p.mistake == "leaves late" && ts != nil && t.Ts.Get() == ts {
		t.Lock()
		leave()
		t.Unlock()
	}
}

type binary struct{ rightHeap }

func (p binary) DeleteMin(ts *gmp.TimerList) {
	heap := ts.Heap.Get()
	heap[0].Timer.Ts.Set(nil)
	last := len(heap) - 1
	heap[0], heap[last] = heap[last], gmp.TimerWhen{}
	heap = heap[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c >= len(heap) {
			break
		}
		if c+1 < len(heap) && heap[c+1].When < heap[c].When {
			c++
		}
		if heap[c].When >= heap[i].When {
			break
		}
		heap[i], heap[c] = heap[c], heap[i]
		i = c
	}
	replace(ts, heap)
}

func (p binary) AddHeap(ts *gmp.TimerList, t *gmp.Timer) {
	t.Ts.Set(ts)
	heap := append(ts.Heap.Get(), gmp.TimerWhen{Timer: t, When: t.When.Get()})
	for i := len(heap) - 1; i > 0 && heap[i].When < heap[(i-1)/2].When; i = (i - 1) / 2 {
		heap[i], heap[(i-1)/2] = heap[(i-1)/2], heap[i]
	}
	replace(ts, heap)
}

type addHides struct{ rightHeap }

func (p addHides) AddHeap(ts *gmp.TimerList, t *gmp.Timer) {
	first := ts.MinWhenHeap.Load()
	p.TimerHeap.AddHeap(ts, t)
	ts.MinWhenHeap.Store(first)
}

type deleteRemembers struct{ rightHeap }

func (p deleteRemembers) DeleteMin(ts *gmp.TimerList) {
	last := ts.Heap.Get()[len(ts.Heap.Get())-1]
	p.TimerHeap.DeleteMin(ts)
	heap := ts.Heap.Get()
	heap[:len(heap)+1][len(heap)] = last
}

type lenAtOnce struct{ rightHeap }

func (p lenAtOnce) CleanHead(mp *gmp.M, ts *gmp.TimerList) {
	p.TimerHeap.CleanHead(mp, ts)
	ts.Len.Store(uint32(len(ts.Heap.Get())))
}

type updateHalf struct{ rightHeap }

func (p updateHalf) UpdateHeap(t *gmp.Timer) bool {
	modified := t.State.Get() & gmp.TimerModified
	updated := p.TimerHeap.UpdateHeap(t)
	if t.State.Get() == 0 {
		t.State.Set(modified)
	}
	return updated
}

type updateMiscounts struct{ rightHeap }

func (p updateMiscounts) UpdateHeap(t *gmp.Timer) bool {
	if t.Ts.Get() != nil && t.State.Get()&gmp.TimerZombie != 0 {
		t.Ts.Get().Zombies.Add(1)
	}
	return p.TimerHeap.UpdateHeap(t)
}

type cleanFront struct{ rightHeap }

func (p cleanFront) CleanHead(mp *gmp.M, ts *gmp.TimerList) {
	for len(ts.Heap.Get()) > 0 {
		if gp := mp.Curg.Get(); gp != nil && gp.PreemptStop.Get() {
			return
		}
		t := ts.Heap.Get()[0].Timer
		if t.Ts.Get() != ts {
			p.s.Throw("bad ts")
		}
		if t.Astate.Load()&(gmp.TimerModified|gmp.TimerZombie) == 0 {
			return
		}
		t.Lock()
		updated := p.s.UpdateHeap(t)
		t.Unlock()
		if !updated {
			return
		}
	}
}

type cleanOn struct{ rightHeap }

func (p cleanOn) CleanHead(mp *gmp.M, ts *gmp.TimerList) { p.TimerHeap.CleanHead(&gmp.M{}, ts) }

// adjusts makes a mistake in Adjust.
type adjusts struct {
	rightHeap
	mistake string
}

func (p adjusts) Adjust(ts *gmp.TimerList, now int64, force bool) {
	if first := ts.MinWhenModified.Load(); !force && (first == 0 || first > now || p.mistake == "never") {
		return
	}
	switch p.mistake {
	case "clears first":
		ts.MinWhenModified.Store(0)
	case "clears last":
		ts.MinWhenHeap.Store(ts.WakeTime())
	default:
		ts.MinWhenHeap.Store(ts.WakeTime())
		ts.MinWhenModified.Store(0)
	}
	heap := ts.Heap.Get()
	for i := 0; i < len(heap); i++ {
		t := heap[i].Timer
		if t.Ts.Get() != ts {
			p.s.Throw("bad ts")
		}
		if t.Astate.Load()&(gmp.TimerModified|gmp.TimerZombie) == 0 {
			continue
		}
		t.Lock()
		if t.State.Get()&gmp.TimerZombie != 0 {
			remove(ts, t)
			last := len(heap) - 1
			heap[i], heap[last] = heap[last], gmp.TimerWhen{}
			heap = heap[:last]
			if p.mistake != "skips" {
				i--
			}
		} else {
			heap[i].When = t.When.Get()
			t.State.Set(gmp.TimerHeaped)
		}
		t.Unlock()
	}
	if p.mistake != "unsorted" {
		slices.SortFunc(heap, func(a, b gmp.TimerWhen) int { return int(a.When - b.When) }) // a heap, too
	}
	replace(ts, heap)
	if p.mistake == "clears last" {
		ts.MinWhenModified.Store(0)
	}
}

type takeEmptiesFirst struct{ rightHeap }

func (p takeEmptiesFirst) TakeTimers(ts, src *gmp.TimerList) {
	heap := src.Heap.Get()
	src.Heap.Set(nil)
	src.Zombies.Store(0)
	src.Len.Store(0)
	src.MinWhenHeap.Store(0)
	src.MinWhenModified.Store(0)
	for _, tw := range heap {
		t := tw.Timer
		t.Ts.Set(nil)
		if t.State.Get()&gmp.TimerZombie != 0 {
			t.State.Set(0)
		} else {
			t.State.Set(gmp.TimerHeaped)
			p.s.AddHeap(ts, t)
		}
		t.Astate.Store(t.State.Get())
	}
	ts.Len.Store(uint32(len(ts.Heap.Get())))
}

type takeKeepsMarks struct{ rightHeap }

func (p takeKeepsMarks) TakeTimers(ts, src *gmp.TimerList) {
	marked := map[*gmp.Timer]uint32{}
	for _, tw := range src.Heap.Get() {
		marked[tw.Timer] = tw.Timer.State.Get() & gmp.TimerModified
	}
	p.TimerHeap.TakeTimers(ts, src)
	for _, tw := range ts.Heap.Get() {
		tw.Timer.State.Set(tw.Timer.State.Get() | marked[tw.Timer])
		tw.Timer.Astate.Store(tw.Timer.State.Get())
	}
}

type addLooksOnce struct{ rightHeap }

func (p addLooksOnce) MaybeAdd(mp *gmp.M, t *gmp.Timer) {
	s := p.s
	t.Lock()
	needed := t.State.Get()&gmp.TimerHeaped == 0 && t.When.Get() > 0 && (t.C == nil || t.Blocked.Get() > 0)
	t.Unlock()
	ts := &mp.P.Get().Timers
	ts.Lock()
	s.CleanHead(mp, ts)
	t.Lock()
	when, wake := int64(0), false
	if needed {
		when = t.When.Get()
		first := ts.WakeTime()
		wake = first == 0 || when < first
		t.State.Set(gmp.TimerHeaped)
		s.AddHeap(ts, t)
	}
	t.Unlock()
	ts.Unlock()
	if wake {
		s.Wakenetpoller(mp, when)
	}
}

type addTellsFirst struct{ rightHeap }

func (p addTellsFirst) MaybeAdd(mp *gmp.M, t *gmp.Timer) {
	ts := &mp.P.Get().Timers
	ts.Lock()
	p.s.CleanHead(mp, ts)
	t.Lock()
	if needsAdd(t) {
		if first := ts.WakeTime(); first == 0 || t.When.Get() < first {
			p.s.Wakenetpoller(mp, t.When.Get())
		}
		t.State.Set(gmp.TimerHeaped)
		p.s.AddHeap(ts, t)
	}
	t.Unlock()
	ts.Unlock()
}

type addTellsNobody struct{ rightHeap }

func (p addTellsNobody) MaybeAdd(mp *gmp.M, t *gmp.Timer) {
	ts := &mp.P.Get().Timers
	ts.Lock()
	p.s.CleanHead(mp, ts)
	t.Lock()
	if needsAdd(t) {
		t.State.Set(gmp.TimerHeaped)
		p.s.AddHeap(ts, t)
	}
	t.Unlock()
	ts.Unlock()
}

type addLooksUncleaned struct{ rightHeap }

func (p addLooksUncleaned) MaybeAdd(mp *gmp.M, t *gmp.Timer) {
	ts := &mp.P.Get().Timers
	ts.Lock()
	first := ts.WakeTime()
	p.s.CleanHead(mp, ts)
	t.Lock()
	when, wake := t.When.Get(), false
	if needsAdd(t) {
		wake = first == 0 || when < first
		t.State.Set(gmp.TimerHeaped)
		p.s.AddHeap(ts, t)
	}
	t.Unlock()
	ts.Unlock()
	if wake {
		p.s.Wakenetpoller(mp, when)
	}
}

type sleepSetsFirst struct{ right }

func (p sleepSetsFirst) TimeSleep(mp *gmp.M, gp *gmp.G, ns int64) {
	if ns <= 0 {
		return
	}
	s := p.s
	if gp.Timer.Get() == nil {
		gp.Timer.Set(s.NewTimer(gmp.GoroutineReady, gp))
	}
	when := s.Nanotime() + ns
	if when < 0 {
		when = gmp.MaxWhen
	}
	s.ModTimer(mp, gp.Timer.Get(), when, 0)
	s.Gopark(mp, gp, nil, nil, gmp.WaitReasonSleep)
}

type sleepOverflows struct{ right }

func (p sleepOverflows) TimeSleep(mp *gmp.M, gp *gmp.G, ns int64) {
	if ns > 0 && p.s.Nanotime()+ns < 0 {
		ns = 1 << 61
	}
	p.Timers.TimeSleep(mp, gp, ns)
}

type sleepOtherClock struct{ right }

func (p sleepOtherClock) TimeSleep(mp *gmp.M, gp *gmp.G, ns int64) {
	if ns > 0 && ns < 1<<60 {
		ns += machine.Nanotime() - p.s.Nanotime()
	}
	p.Timers.TimeSleep(mp, gp, ns)
}

// mods makes a mistake in ModTimer.
type mods struct {
	right
	mistake string
}

func (p mods) ModTimer(mp *gmp.M, t *gmp.Timer, when, period int64) bool {
	s := p.s
	if when <= 0 {
		s.Throw("timer when must be positive")
	}
	if period < 0 {
		s.Throw("timer period must be non-negative")
	}
	if t.C != nil {
		t.SendLock.Lock()
	}
	t.Lock()
	pending := stale(t)
	t.When.Set(when)
	t.Period.Set(period)
	wake := p.mistake == "wakes always" && t.Ts.Get() != nil
	if t.State.Get()&gmp.TimerHeaped != 0 {
		ts := t.Ts.Get()
		if p.mistake == "stays zombie" {
			t.State.Set(t.State.Get() | gmp.TimerModified)
		} else {
			if t.State.Get()&gmp.TimerZombie != 0 {
				ts.Zombies.Add(-1)
			}
			t.State.Set(gmp.TimerHeaped | gmp.TimerModified)
		}
		first := ts.MinWhenModified.Load()
		switch {
		case p.mistake == "raises time":
			ts.MinWhenModified.Store(when)
			wake = first == 0 || when < first
		case first == 0 || when < first:
			wake = p.mistake != "tells nobody"
			if p.mistake != "time first" {
				t.Astate.Store(t.State.Get())
			}
			lower(ts, when)
		}
	}
	add := needsAdd(t)
	t.Unlock()
	if t.C != nil {
		if drain(t.C) {
			pending = true
		}
		t.SendLock.Unlock()
	}
	if add {
		s.MaybeAdd(mp, t)
	}
	if wake {
		s.Wakenetpoller(mp, when)
	}
	return pending
}

type modAddsAgain struct{ right }

func (p modAddsAgain) ModTimer(mp *gmp.M, t *gmp.Timer, when, period int64) bool {
	pending := p.Timers.ModTimer(mp, t, when, period)
	if t.Ts.Get() != nil && t.Ts.Get() != &mp.P.Get().Timers {
		own := &mp.P.Get().Timers
		own.Lock()
		own.Heap.Set(append(own.Heap.Get(), gmp.TimerWhen{Timer: t, When: when}))
		own.Unlock()
	}
	return pending
}

type stopCountsTwice struct{ right }

func (p stopCountsTwice) StopTimer(mp *gmp.M, t *gmp.Timer) bool {
	if t.State.Get()&gmp.TimerZombie != 0 {
		t.Ts.Get().Zombies.Add(1)
	}
	return p.Timers.StopTimer(mp, t)
}

type stopLeavesValue struct{ right }

func (p stopLeavesValue) StopTimer(mp *gmp.M, t *gmp.Timer) bool {
	full := t.C != nil && t.C.Qcount.Get() > 0
	pending := p.Timers.StopTimer(mp, t)
	if full {
		t.C.Qcount.Set(1)
	}
	return pending
}

type checkRunsOne struct{ right }

func (p checkRunsOne) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	ts := &pp.Timers
	next := ts.WakeTime()
	if next == 0 {
		return now, 0, false
	}
	if now == 0 {
		now = p.s.Nanotime()
	}
	own := pp == mp.P.Get()
	if now < next && !(own && littered(ts)) {
		return now, next, false
	}
	ts.Lock()
	p.s.Adjust(ts, now, false)
	right := timers{s: p.s}
	ran = right.runTimer(mp, ts, now)
	if own && littered(ts) {
		p.s.Adjust(ts, now, true)
	}
	pollUntil = ts.WakeTime()
	ts.Unlock()
	return now, pollUntil, ran
}

// checks makes a mistake in CheckTimers.
type checks struct {
	right
	mistake string
}

func (p checks) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	s, ts := p.s, &pp.Timers
	next := ts.WakeTime()
	if next == 0 {
		return now, 0, false
	}
	if now == 0 {
		now = s.Nanotime()
		if p.mistake == "machine's clock" {
			now = machine.Nanotime()
		}
	}
	own := pp == mp.P.Get()
	if now < next && !(own && littered(ts)) {
		return now, next, false
	}
	ts.Lock()
	s.Adjust(ts, now, false)
	for p.runs(mp, ts, now) {
		ran = true
		if p.mistake != "forgets" {
			s.Adjust(ts, now, false)
		}
	}
	if own && littered(ts) {
		s.Adjust(ts, now, true)
	}
	if p.mistake == "forgets" && ran {
		ts.MinWhenModified.Store(0)
	}
	pollUntil = ts.WakeTime()
	if heap := ts.Heap.Get(); p.mistake == "first entry" && len(heap) > 0 {
		pollUntil = heap[0].When
	}
	ts.Unlock()
	return now, pollUntil, ran
}

// runs is the runTimer of checks.
func (p checks) runs(mp *gmp.M, ts *gmp.TimerList, now int64) bool {
	if p.mistake != "fires revived" {
		right := timers{s: p.s}
		return right.runTimer(mp, ts, now)
	}
	for len(ts.Heap.Get()) > 0 {
		first := ts.Heap.Get()[0]
		if first.When > now && first.Timer.Astate.Load() == gmp.TimerHeaped {
			return false
		}
		first.Timer.Lock()
		if !p.s.UpdateHeap(first.Timer) {
			p.s.UnlockAndRun(mp, first.Timer, now)
			return true
		}
		first.Timer.Unlock()
	}
	return false
}

type checkLocks struct{ right }

func (p checkLocks) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	pp.Timers.Lock()
	empty := len(pp.Timers.Heap.Get()) == 0
	pp.Timers.Unlock()
	if empty {
		return now, 0, false
	}
	return p.Timers.CheckTimers(mp, pp, now)
}

type checkCleansOthers struct{ right }

func (p checkCleansOthers) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	if ts := &pp.Timers; littered(ts) {
		ts.Lock()
		p.s.Adjust(ts, now, true)
		ts.Unlock()
	}
	return p.Timers.CheckTimers(mp, pp, now)
}

type noPLast struct{ right }

func (p noPLast) CheckTimersNoP(mp *gmp.M, allp []*gmp.P, pollUntil int64) int64 {
	for _, pp := range allp {
		if when := pp.Timers.WakeTime(); when != 0 {
			pollUntil = when
		}
	}
	return pollUntil
}

type noPOtherList struct{ right }

func (p noPOtherList) CheckTimersNoP(mp *gmp.M, _ []*gmp.P, pollUntil int64) int64 {
	return p.Timers.CheckTimersNoP(mp, p.s.Allp.Get(), pollUntil)
}

type runsEarly struct{ rightChans }

func (p runsEarly) MaybeRunChan(mp *gmp.M, c *gmp.Hchan) {
	t := c.Timer
	if t.Astate.Load()&gmp.TimerHeaped != 0 {
		return
	}
	t.Lock()
	if t.When.Get() == 0 {
		t.Unlock()
		return
	}
	p.s.UnlockAndRun(mp, t, p.s.Nanotime())
}

type runsByMachine struct{ rightChans }

func (p runsByMachine) MaybeRunChan(mp *gmp.M, c *gmp.Hchan) {
	t := c.Timer
	if t.Astate.Load()&gmp.TimerHeaped != 0 {
		return
	}
	t.Lock()
	now := machine.Nanotime()
	if t.State.Get()&gmp.TimerHeaped != 0 || t.When.Get() == 0 || t.When.Get() > now {
		t.Unlock()
		return
	}
	p.s.UnlockAndRun(mp, t, now)
}

type runsHeaped struct{ rightChans }

func (p runsHeaped) MaybeRunChan(mp *gmp.M, c *gmp.Hchan) {
	t := c.Timer
	if t.Astate.Load()&gmp.TimerHeaped != 0 {
		return
	}
	t.Lock()
	if now := p.s.Nanotime(); t.When.Get() != 0 && t.When.Get() <= now {
		p.s.UnlockAndRun(mp, t, now)
		return
	}
	t.Unlock()
}

type revives struct{ rightChans }

func (p revives) BlockTimerChan(mp *gmp.M, c *gmp.Hchan) {
	t := c.Timer
	t.Lock()
	if t.State.Get()&gmp.TimerZombie != 0 {
		t.State.Set(t.State.Get() &^ gmp.TimerZombie)
		t.Ts.Get().Zombies.Add(-1)
	}
	t.Unlock()
	p.TimerChans.BlockTimerChan(mp, c)
}

type staysZombie struct{ rightChans }

func (p staysZombie) BlockTimerChan(mp *gmp.M, c *gmp.Hchan) {
	t := c.Timer
	t.Lock()
	t.Blocked.Set(t.Blocked.Get() + 1)
	add := needsAdd(t)
	t.Unlock()
	if add {
		p.s.MaybeAdd(mp, t)
	}
}

type firstLeaves struct{ rightChans }

func (p firstLeaves) UnblockTimerChan(c *gmp.Hchan) {
	t := c.Timer
	t.Lock()
	if t.Blocked.Get() == 0 {
		p.s.Throw(corrupt)
	}
	t.Blocked.Set(t.Blocked.Get() - 1)
	if t.State.Get()&gmp.TimerHeaped != 0 {
		bury(t)
	}
	t.Unlock()
}

type unblockStops struct{ rightChans }

func (p unblockStops) UnblockTimerChan(c *gmp.Hchan) {
	p.TimerChans.UnblockTimerChan(c)
	if t := c.Timer; t.Blocked.Get() == 0 {
		t.Lock()
		t.When.Set(0)
		t.Unlock()
	}
}
