package ch15_test

import (
	"slices"
	"testing"

	suite "gosched/chapters/ch15_timer"
	"gosched/chapters/gmp"
	"gosched/solutions"
	"gosched/solutions/ch15_timer"
)

// TestAlternatives plays the suite on other right solutions.
func TestAlternatives(t *testing.T) {
	alternatives := map[string]gmp.Version{}
	for name, wrap := range map[string]func(p rightHeap) gmp.TimerHeap{
		"sorted":      func(p rightHeap) gmp.TimerHeap { return sorted{p} },
		"rebuilds":    func(p rightHeap) gmp.TimerHeap { return rebuilds{p} },
		"adds-anyway": func(p rightHeap) gmp.TimerHeap { return addsAnyway{p} },
		"fires-apart": func(p rightHeap) gmp.TimerHeap { return firesApart{p} },
		"marks-late":  func(p rightHeap) gmp.TimerHeap { return marksLate{p} },
	} {
		parts := ch15.Parts
		parts.TimerHeap = func(s *gmp.Sched) gmp.TimerHeap { return wrap(rightHeap{ch15.NewTimerHeap(s), s}) }
		alternatives[name] = parts
	}
	for name, wrap := range map[string]func(p right) gmp.Timers{
		"asks-twice":   func(p right) gmp.Timers { return asksTwice{p} },
		"naps-anew":    func(p right) gmp.Timers { return napsAnew{p} },
		"drains-first": func(p right) gmp.Timers { return drainsFirst{p} },
		"adjusts-once": func(p right) gmp.Timers { return adjustsOnce{p} },
		"by-the-heap":  func(p right) gmp.Timers { return byTheHeap{p} },
	} {
		parts := ch15.Parts
		parts.Timers = func(s *gmp.Sched) gmp.Timers { return wrap(right{ch15.NewTimers(s), s}) }
		alternatives[name] = parts
	}
	for name, wrap := range map[string]func(p rightChans) gmp.TimerChans{
		"looks-less":  func(p rightChans) gmp.TimerChans { return looksLess{p} },
		"counts-last": func(p rightChans) gmp.TimerChans { return countsLast{p} },
	} {
		parts := ch15.Parts
		parts.TimerChans = func(s *gmp.Sched) gmp.TimerChans { return wrap(rightChans{ch15.NewTimerChans(s), s}) }
		alternatives[name] = parts
	}
	suite.Suite.TestAlternatives(t, solutions.Base("ch15"), alternatives)
}

type rightChans struct {
	gmp.TimerChans
	s *gmp.Sched
}

func byWhen(a, b gmp.TimerWhen) int {
	switch {
	case a.When < b.When:
		return -1
	case a.When > b.When:
		return 1
	}
	return 0
}

func publish(ts *gmp.TimerList) {
	if heap := ts.Heap.Get(); len(heap) > 0 {
		ts.MinWhenHeap.Store(heap[0].When)
	} else {
		ts.MinWhenHeap.Store(0)
	}
}

// sorted keeps the entries in the order of their times, which is a heap, too.
type sorted struct{ rightHeap }

func (p sorted) AddHeap(ts *gmp.TimerList, t *gmp.Timer) {
	if t.Ts.Get() != nil {
		p.s.Throw("ts set in timer")
	}
	t.Ts.Set(ts)
	tw := gmp.TimerWhen{Timer: t, When: t.When.Get()}
	heap := ts.Heap.Get()
	slices.SortFunc(heap, byWhen) // entries that others have corrected
	at, _ := slices.BinarySearchFunc(heap, tw, byWhen)
	ts.Heap.Set(slices.Insert(heap, at, tw))
	publish(ts)
}

func (p sorted) DeleteMin(ts *gmp.TimerList) {
	heap := ts.Heap.Get()
	if heap[0].Timer.Ts.Get() != ts {
		p.s.Throw("wrong timers")
	}
	heap[0].Timer.Ts.Set(nil)
	heap = slices.Delete(heap, 0, 1)
	slices.SortFunc(heap, byWhen)
	ts.Heap.Set(heap)
	publish(ts)
	if len(heap) == 0 {
		ts.MinWhenModified.Store(0)
	}
}

// rebuilds makes a new slice of what is left.
type rebuilds struct{ rightHeap }

func (p rebuilds) Adjust(ts *gmp.TimerList, now int64, force bool) {
	if first := ts.MinWhenModified.Load(); (first == 0 || now < first) && !force {
		return
	}
	if first := ts.MinWhenModified.Load(); first != 0 && (ts.MinWhenHeap.Load() == 0 || first < ts.MinWhenHeap.Load()) {
		ts.MinWhenHeap.Store(first)
	}
	ts.MinWhenModified.Store(0)
	var heap []gmp.TimerWhen
	for _, tw := range ts.Heap.Get() {
		t := tw.Timer
		if t.Ts.Get() != ts {
			p.s.Throw("bad ts")
		}
		if t.Astate.Load() == gmp.TimerHeaped {
			heap = append(heap, tw)
			continue
		}
		t.Lock()
		if t.State.Get()&gmp.TimerZombie != 0 {
			t.State.Set(0)
			t.Ts.Set(nil)
			ts.Zombies.Add(-1)
		} else {
			t.State.Set(gmp.TimerHeaped)
			heap = append(heap, gmp.TimerWhen{Timer: t, When: t.When.Get()})
		}
		t.Unlock()
	}
	slices.SortFunc(heap, byWhen)
	ts.Heap.Set(slices.Clip(heap))
	publish(ts)
}

func (p rebuilds) TakeTimers(ts, src *gmp.TimerList) {
	for _, tw := range src.Heap.Get() {
		t := tw.Timer
		t.Ts.Set(nil)
		state := uint32(0)
		if t.State.Get()&gmp.TimerZombie == 0 {
			state = gmp.TimerHeaped
			p.s.AddHeap(ts, t)
		}
		t.State.Set(state)
		t.Astate.Store(state)
		ts.Len.Store(uint32(len(ts.Heap.Get())))
	}
	src.MinWhenHeap.Store(0)
	src.MinWhenModified.Store(0)
	src.Zombies.Store(0)
	src.Len.Store(0)
	src.Heap.Set(nil)
}

// addsAnyway locks the timer first for a look, and then in the right order.
type addsAnyway struct{ rightHeap }

func (p addsAnyway) MaybeAdd(mp *gmp.M, t *gmp.Timer) {
	s := p.s
	needed := func() bool {
		return t.State.Get()&gmp.TimerHeaped == 0 && t.When.Get() > 0 && (t.C == nil || t.Blocked.Get() > 0)
	}
	t.Lock()
	if !needed() {
		t.Unlock()
		return
	}
	t.Unlock()
	ts := &mp.P.Get().Timers
	ts.Lock()
	s.CleanHead(mp, ts)
	before := ts.WakeTime()
	t.Lock()
	added := needed()
	when := t.When.Get()
	if added {
		t.State.Set(t.State.Get() | gmp.TimerHeaped)
		s.AddHeap(ts, t)
	}
	t.Unlock()
	ts.Unlock()
	if added && (before == 0 || before > when) {
		s.Wakenetpoller(mp, when)
	}
}

// firesApart has two ways to fire, with a channel and without.
type firesApart struct{ rightHeap }

func (p firesApart) UnlockAndRun(mp *gmp.M, t *gmp.Timer, now int64) {
	s := p.s
	if t.State.Get()&^gmp.TimerHeaped != 0 {
		s.Throw("timer data corruption")
	}
	ts, when, period, seq := t.Ts.Get(), t.When.Get(), t.Period.Get(), t.Seq.Get()
	if t.C != nil && period == 0 {
		t.IsSending.Add(1)
	}
	next := int64(0)
	if period != 0 {
		next = when + period
		if missed := (now - when) / period; missed > 0 {
			next += missed * period
		}
		if next < 0 {
			next = gmp.MaxWhen
		}
	}
	t.When.Set(next)
	if ts != nil {
		if next == 0 {
			t.State.Set(gmp.TimerHeaped | gmp.TimerZombie)
			ts.Zombies.Add(1)
		} else {
			t.State.Set(gmp.TimerHeaped | gmp.TimerModified)
		}
		s.UpdateHeap(t)
	}
	t.Unlock()
	if ts != nil {
		ts.Unlock()
		defer ts.Lock()
	}
	if t.C == nil {
		t.F(s, mp, t.Arg, now-when)
		return
	}
	t.SendLock.Lock()
	defer t.SendLock.Unlock()
	if period == 0 {
		t.IsSending.Add(-1)
	}
	if t.Seq.Get() == seq {
		t.F(s, mp, t.Arg, now-when)
	}
}

// asksTwice asks before it locks whether there is anything at all; and when timers have fired,
// whether one that was set meanwhile is due as well.
type asksTwice struct{ right }

func (p asksTwice) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	if pp.Timers.WakeTime() == 0 {
		return now, 0, false
	}
	rnow, pollUntil, ran = p.Timers.CheckTimers(mp, pp, now)
	for again := ran; again && pp.Timers.WakeTime() != 0 && pp.Timers.WakeTime() <= rnow; {
		rnow, pollUntil, again = p.Timers.CheckTimers(mp, pp, rnow)
	}
	return rnow, pollUntil, ran
}

func (p asksTwice) CheckTimersNoP(mp *gmp.M, allp []*gmp.P, pollUntil int64) int64 {
	first := int64(gmp.MaxWhen)
	if pollUntil != 0 {
		first = pollUntil
	}
	found := pollUntil != 0
	for _, pp := range slices.Backward(allp) {
		if when := pp.Timers.WakeTime(); when != 0 {
			first, found = min(first, when), true
		}
	}
	if !found {
		return 0
	}
	return first
}

// napsAnew passes the time to its unlockf without SleepWhen.
type napsAnew struct{ right }

func (p napsAnew) TimeSleep(mp *gmp.M, gp *gmp.G, ns int64) {
	if ns <= 0 {
		return
	}
	s := p.s
	when := int64(gmp.MaxWhen)
	if now := s.Nanotime(); now < gmp.MaxWhen-ns {
		when = now + ns
	}
	t := gp.Timer.Get()
	if t == nil {
		t = s.NewTimer(gmp.GoroutineReady, gp)
		gp.Timer.Set(t)
	}
	s.Gopark(mp, gp, func(*gmp.G, any) bool {
		s.ModTimer(mp, t, when, 0)
		return true
	}, nil, gmp.WaitReasonSleep)
}

// drainsFirst empties the channel before it looks at the timer. With SendLock no send can come in
// between.
type drainsFirst struct{ right }

func (p drainsFirst) StopTimer(mp *gmp.M, t *gmp.Timer) bool {
	if t.C == nil {
		return p.Timers.StopTimer(mp, t)
	}
	t.SendLock.Lock()
	full := empty(t.C)
	t.Lock()
	pending := full || t.When.Get() != 0 || t.Period.Get() == 0 && t.IsSending.Load() != 0
	t.When.Set(0)
	t.Seq.Set(t.Seq.Get() + 1)
	if t.State.Get()&gmp.TimerHeaped != 0 {
		if t.State.Get()&gmp.TimerZombie == 0 {
			t.Ts.Get().Zombies.Add(1)
		}
		t.State.Set(gmp.TimerHeaped | gmp.TimerModified | gmp.TimerZombie)
	}
	t.Unlock()
	t.SendLock.Unlock()
	return pending
}

// empty empties the channel of a timer by hand, and reports whether there was anything. Its SendLock
// is held.
func empty(c *gmp.Hchan) (full bool) {
	c.Lock.Lock()
	defer c.Lock.Unlock()
	full = c.Qcount.Get() > 0
	c.Qcount.Set(0)
	c.Recvx.Set(0)
	c.Sendx.Set(0)
	return full
}

// ModTimer empties the channel first as well, and tells the M that sleeps with SendLock released.
func (p drainsFirst) ModTimer(mp *gmp.M, t *gmp.Timer, when, period int64) bool {
	if t.C == nil || when <= 0 || period < 0 {
		return p.Timers.ModTimer(mp, t, when, period)
	}
	t.SendLock.Lock()
	pending := empty(t.C)
	t.Lock()
	pending = pending || t.When.Get() != 0 || t.Period.Get() == 0 && t.IsSending.Load() != 0
	t.When.Set(when)
	t.Period.Set(period)
	t.Seq.Set(t.Seq.Get() + 1)
	heaped := t.State.Get()&gmp.TimerHeaped != 0
	if heaped {
		ts := t.Ts.Get()
		if t.State.Get()&gmp.TimerZombie != 0 {
			ts.Zombies.Add(-1)
		}
		t.State.Set(gmp.TimerHeaped | gmp.TimerModified)
		t.Astate.Store(t.State.Get())
		for old := ts.MinWhenModified.Load(); old == 0 || old > when; old = ts.MinWhenModified.Load() {
			if ts.MinWhenModified.CompareAndSwap(old, when) {
				break
			}
		}
	}
	add := !heaped && t.Blocked.Get() > 0
	t.Unlock()
	t.SendLock.Unlock()
	switch {
	case heaped:
		p.s.Wakenetpoller(mp, when)
	case add:
		p.s.MaybeAdd(mp, t)
	}
	return pending
}

// looksLess looks at the time first, and at the timer afterwards.
type looksLess struct{ rightChans }

func (p looksLess) MaybeRunChan(mp *gmp.M, c *gmp.Hchan) {
	t := c.Timer
	if t.Astate.Load()&gmp.TimerHeaped != 0 {
		return
	}
	now := p.s.Nanotime()
	t.Lock()
	if when := t.When.Get(); t.State.Get() == 0 && when != 0 && when <= now {
		p.s.UnlockAndRun(mp, t, now)
		return
	}
	t.Unlock()
}

// adjustsOnce corrects the heap before it runs the first timer, as the runtime does.
type adjustsOnce struct{ right }

func (p adjustsOnce) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	s, ts := p.s, &pp.Timers
	when := ts.WakeTime()
	if when == 0 {
		return now, 0, false
	}
	if now == 0 {
		now = s.Nanotime()
	}
	littered := func() bool { return pp == mp.P.Get() && ts.Zombies.Load() > int32(ts.Len.Load())/4 }
	if when > now && !littered() {
		return now, when, false
	}
	ts.Lock()
	defer ts.Unlock()
	s.Adjust(ts, now, false)
	for len(ts.Heap.Get()) > 0 {
		first := ts.Heap.Get()[0]
		if first.When > now && first.Timer.Astate.Load() == gmp.TimerHeaped {
			break
		}
		first.Timer.Lock()
		switch {
		case s.UpdateHeap(first.Timer):
			first.Timer.Unlock()
		case first.Timer.When.Get() > now:
			first.Timer.Unlock()
			return now, ts.WakeTime(), ran
		default:
			s.UnlockAndRun(mp, first.Timer, now)
			ran = true
		}
	}
	if littered() {
		s.Adjust(ts, now, true)
	}
	return now, ts.WakeTime(), ran
}

// countsLast counts the Gs that wait when the timer is as it must be.
type countsLast struct{ rightChans }

func (p countsLast) BlockTimerChan(mp *gmp.M, c *gmp.Hchan) {
	t := c.Timer
	t.Lock()
	set, state := t.When.Get() > 0, t.State.Get()
	if set && state&gmp.TimerZombie != 0 {
		t.Ts.Get().Zombies.Add(-1)
		t.State.Set(state &^ gmp.TimerZombie)
	}
	t.Blocked.Set(t.Blocked.Get() + 1)
	t.Unlock()
	if set && state&gmp.TimerHeaped == 0 {
		p.s.MaybeAdd(mp, t)
	}
}

func (p countsLast) UnblockTimerChan(c *gmp.Hchan) {
	t := c.Timer
	t.Lock()
	defer t.Unlock()
	switch t.Blocked.Get() {
	case 0:
		p.s.Throw("timer data corruption")
	case 1:
		if t.State.Get()&(gmp.TimerHeaped|gmp.TimerZombie) == gmp.TimerHeaped {
			t.Ts.Get().Zombies.Add(1)
			t.State.Set(t.State.Get() | gmp.TimerZombie)
		}
	}
	t.Blocked.Set(t.Blocked.Get() - 1)
}

// marksLate writes the State of a timer when the heap is right, and cleans the end of a heap once.
type marksLate struct{ rightHeap }

func (p marksLate) UpdateHeap(t *gmp.Timer) bool {
	ts := t.Ts.Get()
	if ts == nil || ts.Heap.Get()[0].Timer != t {
		p.s.Throw("timer data corruption")
	}
	switch state := t.State.Get(); {
	case state&gmp.TimerZombie != 0:
		p.s.DeleteMin(ts)
		ts.Zombies.Add(-1)
		t.State.Set(0)
	case state&gmp.TimerModified != 0:
		heap := ts.Heap.Get()
		heap[0].When = t.When.Get()
		slices.SortFunc(heap, byWhen)
		ts.Heap.Set(heap)
		publish(ts)
		t.State.Set(gmp.TimerHeaped)
	default:
		return false
	}
	return true
}

func (p marksLate) CleanHead(mp *gmp.M, ts *gmp.TimerList) {
	stop := func() bool {
		gp := mp.Curg.Get()
		return len(ts.Heap.Get()) == 0 || gp != nil && gp.PreemptStop.Get()
	}
	for !stop() {
		heap := ts.Heap.Get()
		last := len(heap) - 1
		t := heap[last].Timer
		if t.Astate.Load()&gmp.TimerZombie == 0 {
			break
		}
		t.Lock()
		if t.State.Get()&gmp.TimerZombie != 0 {
			ts.Zombies.Add(-1)
			t.Ts.Set(nil)
			t.State.Set(0)
			heap[last] = gmp.TimerWhen{}
			ts.Heap.Set(heap[:last])
			publish(ts)
			if last == 0 {
				ts.MinWhenModified.Store(0)
			}
		}
		t.Unlock()
	}
	for !stop() {
		t := ts.Heap.Get()[0].Timer
		if t.Ts.Get() != ts {
			p.s.Throw("bad ts")
		}
		if t.Astate.Load() == gmp.TimerHeaped {
			return
		}
		t.Lock()
		p.s.UpdateHeap(t)
		t.Unlock()
	}
}

// byTheHeap counts the entries of a heap instead of reading Len, and reads WakeTime and the clock
// where it can: before each timer, and in the unlockf of a sleep.
type byTheHeap struct{ right }

func (p byTheHeap) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	s, ts := p.s, &pp.Timers
	if ts.WakeTime() == 0 {
		return now, 0, false
	}
	if now == 0 {
		now = s.Nanotime()
	}
	mine := mp.P.Get() == pp
	if next := ts.WakeTime(); now < next && (!mine || 4*ts.Zombies.Load() <= int32(ts.Len.Load())) {
		return now, next, false
	}
	ts.Lock()
	defer ts.Unlock()
	for when := ts.WakeTime(); when != 0 && when <= now; when = ts.WakeTime() {
		s.Adjust(ts, now, false)
		heap := ts.Heap.Get()
		if len(heap) == 0 {
			break
		}
		t := heap[0].Timer
		t.Lock()
		if s.UpdateHeap(t) || t.When.Get() > now {
			t.Unlock()
			continue
		}
		s.UnlockAndRun(mp, t, now)
		ran = true
	}
	if mine && 4*int(ts.Zombies.Load()) > len(ts.Heap.Get()) {
		s.Adjust(ts, now, true)
	}
	return now, ts.WakeTime(), ran
}

func (p byTheHeap) TimeSleep(mp *gmp.M, gp *gmp.G, ns int64) {
	if ns <= 0 {
		return
	}
	if gp.Timer.Get() == nil {
		gp.Timer.Set(p.s.NewTimer(gmp.GoroutineReady, gp))
	}
	gp.SleepWhen.Set(ns)
	p.s.Gopark(mp, gp, func(gp *gmp.G, _ any) bool {
		when := gp.SleepWhen.Get() + p.s.Nanotime()
		if when < 0 {
			when = gmp.MaxWhen
		}
		p.s.ModTimer(mp, gp.Timer.Get(), when, 0)
		return true
	}, nil, gmp.WaitReasonSleep)
}

func (p byTheHeap) ModTimer(mp *gmp.M, t *gmp.Timer, when, period int64) bool {
	s := p.s
	switch {
	case period < 0:
		s.Throw("timer period must be non-negative")
	case when <= 0:
		s.Throw("timer when must be positive")
	}
	pending, lowered := false, false
	if t.C != nil {
		t.SendLock.Lock()
		t.C.Lock.Lock()
		pending = t.C.Qcount.Get() > 0
		t.C.Qcount.Set(0)
		t.C.Lock.Unlock()
	}
	t.Lock()
	pending = pending || t.When.Get() != 0 || t.C != nil && t.Period.Get() == 0 && t.IsSending.Load() != 0
	t.Seq.Set(t.Seq.Get() + 1)
	t.Period.Set(period)
	t.When.Set(when)
	heaped := t.Ts.Get() != nil
	if heaped {
		ts := t.Ts.Get()
		if t.State.Get()&gmp.TimerZombie != 0 {
			ts.Zombies.Add(-1)
		}
		t.State.Set(gmp.TimerHeaped | gmp.TimerModified)
		t.Astate.Store(gmp.TimerHeaped | gmp.TimerModified)
		for !lowered {
			old := ts.MinWhenModified.Load()
			if old != 0 && old <= when {
				break
			}
			lowered = ts.MinWhenModified.CompareAndSwap(old, when)
		}
	}
	add := !heaped && (t.C == nil || t.Blocked.Get() != 0)
	t.Unlock()
	if t.C != nil {
		t.SendLock.Unlock()
	}
	switch {
	case add:
		s.MaybeAdd(mp, t)
	case lowered:
		s.Wakenetpoller(mp, when)
	}
	return pending
}
