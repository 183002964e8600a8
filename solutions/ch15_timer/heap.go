package ch15

import "gosched/chapters/gmp"

// timerHeap is the timers of a P.
type timerHeap struct {
	s *gmp.Sched
}

// NewTimerHeap makes the TimerHeap of s.
func NewTimerHeap(s *gmp.Sched) gmp.TimerHeap { return &timerHeap{s: s} }

// children is how many each node of a heap has. With four, a heap is half as deep as with two,
// and they lie side by side. The runtime's timerHeapN.
const children = 4

// corrupt is what is thrown when a timer is not as it should be. The runtime's badTimer.
const corrupt = "timer data corruption"

// AddHeap adds t to ts.
//
//course:exercise
func (p *timerHeap) AddHeap(ts *gmp.TimerList, t *gmp.Timer) {
	//course:step t is in one heap only, at the end first, and goes up from there.
	if t.Ts.Get() != nil {
		p.s.Throw("ts set in timer")
	}
	t.Ts.Set(ts)
	heap := append(ts.Heap.Get(), gmp.TimerWhen{Timer: t, When: t.When.Get()})
	siftUp(heap, len(heap)-1)
	//course:step If it is the first now, that is published.
	replace(ts, heap)
}

// DeleteMin removes the first entry.
//
//course:exercise
func (p *timerHeap) DeleteMin(ts *gmp.TimerList) {
	//course:step Put the last entry in front, and let it go down. Leave nothing behind that leads to a timer.
	heap := ts.Heap.Get()
	if heap[0].Timer.Ts.Get() != ts {
		p.s.Throw("wrong timers")
	}
	heap[0].Timer.Ts.Set(nil)
	last := len(heap) - 1
	heap[0], heap[last] = heap[last], gmp.TimerWhen{}
	heap = heap[:last]
	if last > 0 {
		siftDown(heap, 0)
	}
	//course:step Publish what is the first now. If there is none, none was modified.
	replace(ts, heap)
}

// UpdateHeap does what the first timer's state asks for.
//
//course:exercise
func (p *timerHeap) UpdateHeap(t *gmp.Timer) (updated bool) {
	//course:question Why is t the first of its heap, and not any other? What would a timer in the middle need?
	s := p.s
	ts := t.Ts.Get()
	if ts == nil || ts.Heap.Get()[0].Timer != t {
		s.Throw(corrupt)
	}
	state := t.State.Get()
	switch {
	//course:step A zombie leaves. It may have been modified as well.
	case state&gmp.TimerZombie != 0:
		t.State.Set(0)
		ts.Zombies.Add(-1)
		s.DeleteMin(ts)
		return true
	//course:step One that was modified can only go down: there is nothing above.
	case state&gmp.TimerModified != 0:
		t.State.Set(gmp.TimerHeaped)
		heap := ts.Heap.Get()
		heap[0].When = t.When.Get()
		siftDown(heap, 0)
		replace(ts, heap)
		return true
	}
	return false
}

// CleanHead makes the first entry of ts one that counts.
//
//course:exercise
func (p *timerHeap) CleanHead(mp *gmp.M, ts *gmp.TimerList) {
	//course:question Which removal from a heap costs nothing at all?
	s := p.s
	for len(ts.Heap.Get()) > 0 {
		//course:step Leave it for later if somebody waits for mp's G to stop.
		if gp := mp.Curg.Get(); gp != nil && gp.PreemptStop.Get() {
			return
		}
		//course:step A zombie at the end just goes.
		heap := ts.Heap.Get()
		last := len(heap) - 1
		if t := heap[last].Timer; t.Astate.Load()&gmp.TimerZombie != 0 {
			t.Lock()
			if t.State.Get()&gmp.TimerZombie != 0 {
				remove(ts, t)
				heap[last] = gmp.TimerWhen{}
				replace(ts, heap[:last])
			}
			t.Unlock()
			continue
		}
		//course:step The first one: is there anything to do? A look costs no lock.
		t := heap[0].Timer
		if t.Ts.Get() != ts {
			s.Throw("bad ts")
		}
		if t.Astate.Load()&(gmp.TimerModified|gmp.TimerZombie) == 0 {
			return
		}
		t.Lock()
		s.UpdateHeap(t)
		t.Unlock()
	}
}

// Adjust corrects all entries of ts.
//
//course:exercise
func (p *timerHeap) Adjust(ts *gmp.TimerList, now int64, force bool) {
	//course:holds WakeTime is at no moment later than the first timer, and no change that comes meanwhile is lost.
	//course:question Another M modifies a timer that you have passed already. What has it written when you set MinWhenModified to 0, and what does it write afterwards?
	//course:lead WakeTime is the lesser of two variables. One of them is yours alone, as long as you have the lock. What can you use it for?
	s := p.s
	//course:step Is there anything that is due, or must it be done anyway?
	if first := ts.MinWhenModified.Load(); !force && (first == 0 || first > now) {
		return
	}
	//course:step Keep the earliest time in the variable that is yours, then clear the other one: whoever modifies a timer from now on sets it again.
	ts.MinWhenHeap.Store(ts.WakeTime())
	ts.MinWhenModified.Store(0)
	//course:step All entries: a zombie's place is taken by the last one, which is then the next to look at.
	heap := ts.Heap.Get()
	for i := 0; i < len(heap); {
		t := heap[i].Timer
		if t.Ts.Get() != ts {
			s.Throw("bad ts")
		}
		if t.Astate.Load()&(gmp.TimerModified|gmp.TimerZombie) == 0 {
			i++
			continue
		}
		t.Lock()
		if t.State.Get()&gmp.TimerZombie != 0 {
			remove(ts, t)
			last := len(heap) - 1
			heap[i], heap[last] = heap[last], gmp.TimerWhen{}
			heap = heap[:last]
		} else {
			heap[i].When = t.When.Get()
			t.State.Set(gmp.TimerHeaped)
			i++
		}
		t.Unlock()
	}
	//course:step Make a heap of them again, from the last to the first: that is less work than adding one after the other.
	for i := len(heap) - 1; i >= 0; i-- {
		siftDown(heap, i)
	}
	//course:step And say what is true now.
	replace(ts, heap)
}

// TakeTimers moves the timers of src to ts.
//
//course:exercise
func (p *timerHeap) TakeTimers(ts, src *gmp.TimerList) {
	//course:question The world is stopped. Which M looks at the two lists nevertheless, and at what?
	for _, tw := range src.Heap.Get() {
		t := tw.Timer
		if t.State.Get()&gmp.TimerZombie != 0 {
			remove(src, t)
		} else {
			t.Ts.Set(nil)
			t.State.Set(gmp.TimerHeaped)
			p.s.AddHeap(ts, t)
		}
		t.Astate.Store(t.State.Get())
	}
	ts.Len.Store(uint32(len(ts.Heap.Get())))
	//course:step Only now src has nothing any more.
	replace(src, nil)
	src.Len.Store(0)
}

// MaybeAdd adds t to the timers of mp's P.
//
//course:exercise
func (p *timerHeap) MaybeAdd(mp *gmp.M, t *gmp.Timer) {
	//course:holds If t must be in a heap it is in exactly one, and an M that sleeps until a later time has been told.
	//course:question Two Gs begin to wait for the same channel at the same time, on two Ps. What do both find here?
	s := p.s
	//course:step The list first, then the timer: that is the order of the locks. So what the caller has seen of t may be different now.
	ts := &mp.P.Get().Timers
	ts.Lock()
	s.CleanHead(mp, ts)
	t.Lock()
	var when int64
	wake := false
	if needsAdd(t) {
		//course:step Is it earlier than anything that is there? Look before it is there itself.
		when = t.When.Get()
		first := ts.WakeTime()
		wake = first == 0 || when < first
		t.State.Set(gmp.TimerHeaped)
		s.AddHeap(ts, t)
	}
	t.Unlock()
	ts.Unlock()
	//course:step Tell whoever sleeps, when it can find t.
	if wake {
		s.Wakenetpoller(mp, when)
	}
}

// UnlockAndRun fires t.
//
//course:exercise
func (p *timerHeap) UnlockAndRun(mp *gmp.M, t *gmp.Timer, now int64) {
	//course:holds t fires once for each time that it was set to; and not at all if it is stopped, or set anew, before its function runs.
	//course:question The function takes locks of its own, and may set timers. So yours must be free while it runs. Who may come meanwhile, and what does it find?
	//course:lead For a channel, StopTimer promises more: what was decided on and not yet sent must not be sent. Which number tells you that it has been there, and which lock keeps it away?
	s := p.s
	if t.State.Get()&(gmp.TimerModified|gmp.TimerZombie) != 0 {
		s.Throw(corrupt)
	}
	//course:step Remember what is decided on, and how late it is.
	ts := t.Ts.Get()
	var seq uint64
	delay := now - t.When.Get()
	//course:step When it is due again: the next of its times, whatever was missed. Without a period it leaves the heap, as a zombie does.
	next := int64(0)
	if period := t.Period.Get(); period > 0 {
		if next = t.When.Get() + period*(1+delay/period); next < 0 {
			next = gmp.MaxWhen
		}
	}
	t.When.Set(next)
	if ts != nil {
		t.State.Set(t.State.Get() | gmp.TimerModified)
		if next == 0 {
			bury(t)
		}
		s.UpdateHeap(t)
	}
	//course:step For a channel: say that a send is coming, as long as t is still locked.
	if t.C != nil {
		seq = t.Seq.Get()
		if t.Period.Get() == 0 {
			t.IsSending.Add(1)
		}
	}
	once := t.Period.Get() == 0
	//course:step Unlock both.
	t.Unlock()
	if ts != nil {
		ts.Unlock()
	}
	//course:step Send, unless somebody was faster. With SendLock, nobody can come any more.
	if t.C == nil {
		t.F(s, mp, t.Arg, delay)
	} else {
		t.SendLock.Lock()
		if once {
			t.IsSending.Add(-1)
		}
		if t.Seq.Get() == seq {
			t.F(s, mp, t.Arg, delay)
		}
		t.SendLock.Unlock()
	}
	//course:step Lock the list again.
	if ts != nil {
		ts.Lock()
	}
}

// replace makes heap the heap of ts, and says when its first timer is due, for those who look
// without the lock; Unlock says how many there are. If there is none, none was modified.
//
//course:omit
func replace(ts *gmp.TimerList, heap []gmp.TimerWhen) {
	ts.Heap.Set(heap)
	if len(heap) == 0 {
		ts.MinWhenHeap.Store(0)
		ts.MinWhenModified.Store(0)
		return
	}
	ts.MinWhenHeap.Store(heap[0].When)
}

// remove takes t, a zombie which is locked, off ts. The entry is the caller's.
//
//course:omit
func remove(ts *gmp.TimerList, t *gmp.Timer) {
	t.State.Set(0)
	t.Ts.Set(nil)
	ts.Zombies.Add(-1)
}

// siftUp moves entry i up to its place. The runtime's timers.siftUp.
//
//course:omit
func siftUp(heap []gmp.TimerWhen, i int) {
	tw := heap[i]
	for i > 0 {
		parent := (i - 1) / children
		if tw.When >= heap[parent].When {
			break
		}
		heap[i] = heap[parent]
		i = parent
	}
	heap[i] = tw
}

// siftDown moves entry i down to its place. The runtime's timers.siftDown.
//
//course:omit
func siftDown(heap []gmp.TimerWhen, i int) {
	tw := heap[i]
	for {
		least, when := -1, tw.When
		for c := children*i + 1; c <= children*i+children && c < len(heap); c++ {
			if heap[c].When < when {
				least, when = c, heap[c].When
			}
		}
		if least < 0 {
			break
		}
		heap[i] = heap[least]
		i = least
	}
	heap[i] = tw
}
