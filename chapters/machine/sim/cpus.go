package sim

// This file is the operating system of the simulated computer: which thread is on
// which CPU, and whose turn it is.

// A cpu runs one thread at a time.
type cpu struct {
	th      *thread // nil if it is idle
	since   Time    // when th got it; when it became idle
	busy    Time    // how long it had threads, up to since
	preempt bool    // th must leave for a thread that woke
}

// beat is the longest time that a thread runs without asking whether others want
// to, if nothing is known to happen before: for the watchdog, and for the limit.
const beat = Millisecond

// latency is how long it takes until a thread that is woken runs. No two times are
// alike: they vary by a tenth, evenly.
func (s *simulation) latency() Time {
	l := s.costs.WakeLatency
	return l - l/10 + Time(s.rand.below(int64(l/5)+1))
}

// place finds a CPU for a thread that can run from the given time on. It prefers
// the one where the thread was last; otherwise it takes one of those that are idle,
// or lets the thread wait for the one that has had its thread longest.
func (s *simulation) place(th *thread, at Time) {
	th.ready = at
	if idle := s.idle.len(); idle == 0 {
		s.enqueue(th)
	} else {
		c := th.cpu
		if c < 0 || !s.idle.has(c) {
			c = s.idle.nth(int(s.rand.below(int64(idle))))
		}
		s.idle.remove(c)
		s.assign(c, th, max(at, s.cpus[c].since))
	}
	s.look()
}

// enqueue lets a thread that has just woken wait for a CPU. If some thread has had
// its CPU long enough, it must leave it, and this one is the first to get one.
func (s *simulation) enqueue(th *thread) {
	victim := -1
	for i := range s.cpus {
		c := &s.cpus[i]
		if !c.preempt && th.ready-c.since >= s.costs.WakeSlice && (victim < 0 || c.since < s.cpus[victim].since) {
			victim = i
		}
	}
	if victim < 0 {
		s.queue = append(s.queue, th)
		return
	}
	s.cpus[victim].preempt = true
	s.queue = append(s.queue, nil)
	copy(s.queue[1:], s.queue)
	s.queue[0] = th
}

// assign gives a CPU to a thread, which goes on there at the given time.
func (s *simulation) assign(i int, th *thread, at Time) {
	c := &s.cpus[i]
	c.th, c.since, c.preempt = th, at, false
	th.cpu = i
	s.at(at, int32(i))
}

// at adds an event.
func (s *simulation) at(t Time, slot int32) { s.events.add(s.event(t, slot)) }

// event draws the place of a new event among those of its time.
func (s *simulation) event(t Time, slot int32) event {
	return newEvent(t, uint32(s.rand.next()), slot)
}

// The slots of events: those of the CPUs, that of the network, and one for the timeout of
// each thread.
const (
	networkSlot = MaxCPUs
	firstTimer  = networkSlot + 1
)

// timer is the slot for the timeout of a thread.
func (th *thread) timer() int32 { return int32(firstTimer + th.id) }

// vacate takes the current thread off its CPU, at its time.
func (s *simulation) vacate() { s.free(s.cpu, s.now) }

// free takes the thread off a CPU, for the next one that waits.
func (s *simulation) free(i int, now Time) {
	c := &s.cpus[i]
	c.busy += max(0, now-c.since)
	if len(s.queue) == 0 {
		c.th, c.since, c.preempt = nil, now, false
		s.idle.add(i)
		return
	}
	th := s.queue[0]
	s.queue = s.queue[:copy(s.queue, s.queue[1:])]
	s.switches++
	s.assign(i, th, max(now, th.ready)+s.costs.ContextSwitch)
}

// due is when the thread on a CPU must leave it: never, if no thread waits. Then the
// one for which it was to leave has found another CPU.
func (s *simulation) due(c *cpu) (Time, bool) {
	if len(s.queue) == 0 {
		c.preempt = false
		return 0, false
	}
	if c.preempt {
		return s.queue[0].ready, true
	}
	return max(c.since+s.costs.Slice, s.queue[0].ready), true
}

// rotate makes the thread on a CPU wait behind those that wait, and gives the CPU to
// the first of these.
func (s *simulation) rotate(i int, now Time) {
	th := s.cpus[i].th
	th.ready = now
	s.queue = append(s.queue, th)
	s.free(i, now)
}

// look sets the horizon of the thread that has its turn.
func (s *simulation) look() {
	if s.ended {
		return
	}
	h := s.now + beat
	if s.opt.Limit > 0 {
		h = min(h, s.opt.Limit)
	}
	if !s.events.empty() {
		h = min(h, s.events.next().at)
	}
	// Without this a thread that never sleeps would keep those waiting for ever
	// for which no event stands in the heap.
	if t, ok := s.due(&s.cpus[s.cpu]); ok {
		h = min(h, t)
	}
	s.horizon = h
}

// pass lets all others go on that are behind the current thread. When it returns,
// none is. Every thread calls it from time to time.
func (s *simulation) pass() {
	th := s.cur
	if s.asked.Load() {
		s.answer()
	}
	if s.opt.Limit > 0 && s.now > s.opt.Limit {
		s.end(&LimitError{Limit: s.opt.Limit})
	}
	s.exhausted()
	if s.ended {
		s.leave(th)
	}
	if t, ok := s.due(&s.cpus[s.cpu]); ok && s.now >= t {
		s.rotate(s.cpu, s.now)
		s.pick()
	} else if !s.events.empty() && s.events.next().at < s.now {
		if !s.happen(s.events.swap(s.event(s.now, int32(s.cpu)))) {
			s.pick()
		}
	} else {
		s.look()
		return
	}
	s.leave(th)
}

// pick decides whose turn it is: it goes to the earliest event. The current thread
// must have its own event there, or sleep, or wait for a CPU.
func (s *simulation) pick() {
	for !s.ended {
		if s.events.empty() {
			s.deadlock = &Deadlock{At: s.now.Duration()}
			for _, th := range s.threads {
				s.deadlock.add(th)
			}
			s.end(s.deadlock)
			return
		}
		if s.happen(s.events.pop()) {
			return
		}
	}
}

// happen lets an event happen, and reports whether a thread has its turn now.
func (s *simulation) happen(e event) bool {
	slot := e.slot()
	if slot == networkSlot {
		s.arrive(e.at)
		return false
	}
	if slot >= firstTimer {
		th := s.threads[slot-firstTimer]
		th.waits.timeout(th)
		s.wake(th, e.at)
		return false
	}
	c := &s.cpus[slot]
	if t, ok := s.due(c); ok && e.at >= t {
		s.rotate(int(slot), e.at)
		return false
	}
	s.cur, s.cpu, s.now = c.th, int(slot), e.at
	s.digest = (s.digest ^ uint64(e.at)<<8 ^ uint64(s.cur.id)) * 0x100000001b3
	s.look()
	return true
}

// sleep takes the current thread off its CPU until it is woken, or, if ns is not
// negative, until so many nanoseconds have passed since its time. It reports
// whether it was woken.
func (s *simulation) sleep(why wait, ns int64) (woken bool) {
	th := s.cur
	s.sleeps++
	th.waits, th.woken = why, false
	if s.exhausted(); s.ended {
		s.leave(th)
	}
	if ns >= 0 {
		s.at(s.now+Time(min(ns, forever))*Nanosecond, th.timer())
	}
	s.now += s.costs.FutexSleep
	th.ready = s.now
	s.vacate()
	s.pick()
	s.leave(th)
	return th.woken
}

// forever is the longest sleep, in nanoseconds: some days.
const forever = 1e15

// rouse wakes a thread for what it sleeps for, and takes the time of that.
func (s *simulation) rouse(th *thread) {
	th.woken = true
	s.events.remove(th.timer())
	s.wake(th, s.now)
	s.spend(s.costs.FutexWake)
}

// wake wakes a thread at the given time, which may be before it has fallen asleep.
func (s *simulation) wake(th *thread, at Time) {
	s.awoken++
	th.waits = nil
	s.place(th, max(at, th.ready)+s.latency())
}

// spend lets time pass for the current thread.
func (s *simulation) spend(t Time) {
	s.now += t
	if s.now > s.horizon {
		s.pass()
	}
}
