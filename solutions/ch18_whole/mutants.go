package ch18

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// Mutants are mistakes that one makes in this chapter. Those of the masks that are open are for the
// student's own test.
var Mutants = []check.Mutant{
	{
		Name: "idle-without-timers", Check: "race-timer",
		What:  "MaskIdle says of each P that it has no timers: one that was left there is forgotten",
		Parts: masksMutant(func(p *masks) gmp.Masks { return idleWithoutTimers{p} }),
	},
	{
		Name: "busy-when-it-has-work", Check: "race-masks",
		What:  "MaskBusy leaves the bit in Idlepmask as long as the P has no G: nobody clears it afterwards",
		Parts: masksMutant(func(p *masks) gmp.Masks { return busyWhenItHasWork{p} }),
	},
	{
		Name: "timers-of-busy", Check: "race-timer", Hidden: true,
		What:  "TimerPs leaves out the Ps that are idle",
		Parts: masksMutant(func(p *masks) gmp.Masks { return timersOfBusy{p} }),
	},
	{
		Name: "busy-without-timers", Check: "bits",
		What:  "MaskBusy does not say that the P may have timers",
		Parts: masksMutant(func(p *masks) gmp.Masks { return busyWithoutTimers{p} }),
	},
	{
		Name: "idle-timers-alone", Check: "bits",
		What:  "MaskIdle says that the P is idle only if it has no timers",
		Parts: masksMutant(func(p *masks) gmp.Masks { return idleTimersAlone{p} }),
	},
	{
		Name: "busy-now", Check: "filters", Hidden: true,
		What:  "BusyPs reads s.Idlepmask instead of the mask that it is given: without a P that may be one for other Ps",
		Parts: masksMutant(func(p *masks) gmp.Masks { return busyNow{p} }),
	},
	{
		Name: "filters-in-place", Check: "filters", Hidden: true,
		What:  "BusyPs puts what is left at the beginning of allp, which is s.Allp: the Ps that were there are gone",
		Parts: masksMutant(func(p *masks) gmp.Masks { return inPlace{p} }),
	},
	{
		Name: "steal-skips-idle", Check: "steal-masks", Hidden: true,
		What:  "StealWork leaves out idle Ps, with their timers",
		Parts: gmp.Version{Stealing: func(s *gmp.Sched) gmp.Stealing { return &lazyThief{s, "idle"} }},
	},
	{
		Name: "steal-reads-once", Check: "steal-masks", Hidden: true,
		What:  "StealWork looks at the masks before the first pass, and no more",
		Parts: gmp.Version{Stealing: func(s *gmp.Sched) gmp.Stealing { return &lazyThief{s, "once"} }},
	},
	{
		Name: "steal-trusts-no-mask", Check: "steal-masks", Hidden: true,
		What:  "StealWork looks at the timers of all Ps",
		Parts: gmp.Version{Stealing: func(s *gmp.Sched) gmp.Stealing { return &lazyThief{s, "timers"} }},
	},
	finderMutant("worker-late", "step-log", "a GC worker comes after the queues: a busy program never marks"),
	finderMutant("worker-alone", "step-log", "with a GC worker no other M is woken, and the Gs behind it wait"),
	finderMutant("tick-after-finalizer", "step-log", "the 61st tick comes after the local queue: it comes never, as long as that has something"),
	finderMutant("tick-batch", "tick", "the 61st tick takes a batch"),
	finderMutant("finalizer-last", "tick", "the finalizer goroutine goes to the end of the queue"),
	finderMutant("polls-beside", "quietly", "it looks at the network although an M waits there"),
	finderMutant("polls-for-ever", "quietly", "PollingNet stays set if something has come: no M looks any more"),
	finderMutant("polls-after-look", "race-poller", "a look at PollingNet, and then a store: two Ms look at the network"),
	finderMutant("lastpoll-in-two", "race-poller", "a look at Lastpoll, and then a store: two Ms wait for the network"),
	finderMutant("until-forgotten", "waits", "PollUntil is not set: whoever sets a timer breaks the wait each time"),
	finderMutant("waits-for-ever", "waits", "Lastpoll stays 0: no M ever waits again"),
	finderMutant("lets-sleep", "another", "an M that waits for too long is not told"),
	finderMutant("injects-first", "brings", "Injectglist is called before the P is taken: all goes to the global queue"),
	finderMutant("barrier-forgotten", "race-safe", "RunSafePointFn is not looked at again under the lock"),
	finderMutant("world-goes-on", "race-stop", "Gcwaiting is not looked at again under the lock"),
	finderMutant("no-marker", "race-marker", "the last look leaves out the collector"),
	finderMutant("view-late", "snapshot", "the Ps and the masks are read without a P"),
	finderMutant("looks-counted", "race-submit", "it looks once more, and only then leaves the count"),
	partedMutant("guesses", "call-guess", "whoever has set the scan bit does not look again: M, G and P may not belong to each other any more"),
	partedMutant("looks-before-bit", "race-again", "the second look comes before the scan bit is set: what it has seen may change in between"),
	partedMutant("no-bit", "race-call", "a G that is Gsyscall is taken for one that stays there, without the scan bit"),
	partedMutant("keeps-bit", "call-guess", "whoever has guessed wrong leaves the scan bit set: the G never leaves its call"),
	partedMutant("goes-too-early", "race-call", "the scan bit is cleared, and then M and P are parted: the M is back by then"),
	partedMutant("keeps-link", "call-guess", "the M that loses its P is not told"),
	partedMutant("notes-late", "call-enter", "Entersyscall notes the P and its Syscalltick when the G is Gsyscall: another M may have the P"),
	partedMutant("stops-late", "call-enter-stop", "Entersyscall stops its P for the world when the G is Gsyscall: so does the M that stops the world, and it is counted twice"),
	partedMutant("counts-unlocked", "race-enter-both", "Entersyscall reads Stopwait, and then takes the lock: another M has counted its P in between"),
	partedMutant("wakes-early", "call-enter", "Entersyscall looks whether the monitor sleeps, and then makes the G Gsyscall: the monitor goes to sleep in between"),
	partedMutant("no-safe-point", "call-enter", "Entersyscall leaves the function of ForEachP to others"),
	partedMutant("in-call-first", "call-block", "Entersyscallblock makes the G Gsyscall while it has the P: the monitor takes it, and it is handed off twice"),
	partedMutant("looks-in-call", "race-call", "Exitsyscall looks whether it has its P, and then makes the G Grunning: the P is taken in between"),
	partedMutant("counts-late", "call-retake", "RetakeSyscall takes s.Lock (Incidlelocked) with the scan bit set"),
	partedMutant("hands-off-early", "call-retake", "RetakeSyscall hands the P off with the scan bit set"),
	partedMutant("marks-nothing", "handoff", "Handoffp leaves a P idle beside objects that are to be marked"),
	{
		Name: "preempt-kept", Check: "schedule", Hidden: true,
		What:  "Schedule leaves P.Preempt set",
		Parts: gmp.Version{Loop: func(s *gmp.Sched) gmp.Loop { return preemptKept{&loop{s}} }},
	},
	{
		Name: "dead-timers-first", Check: "dead", Hidden: true,
		What:  "Checkdead looks at the timers before the Gs: with no G left the program hangs until a timer has fired that nobody waits for",
		Parts: gmp.Version{Deadlock: func(s *gmp.Sched) gmp.Deadlock { return &deadOtherwise{s, "timers-first"} }},
	},
	{
		Name: "dead-panicking", Check: "dead", Hidden: true,
		What:  "Checkdead does not look at Panicking: a program that prints why it dies is reported to be stuck",
		Parts: gmp.Version{Deadlock: func(s *gmp.Sched) gmp.Deadlock { return &deadOtherwise{s, "panicking"} }},
	},
	{
		Name: "dead-system", Check: "system", Hidden: true,
		What:  "Checkdead counts the goroutines of the system",
		Parts: gmp.Version{Deadlock: func(s *gmp.Sched) gmp.Deadlock { return &deadOtherwise{s, "system"} }},
	},
}

func masksMutant(wrong func(p *masks) gmp.Masks) gmp.Version {
	return gmp.Version{Masks: func(s *gmp.Sched) gmp.Masks { return wrong(&masks{s}) }}
}

// finderMutant is one of the flaws of phases.
func finderMutant(flaw, by, what string) check.Mutant {
	return check.Mutant{Name: flaw, Check: by, Hidden: true, What: what, Parts: gmp.Version{Finder: phasesWith(flaw)}}
}

// partedMutant is one of the flaws of parted.
func partedMutant(flaw, by, what string) check.Mutant {
	return check.Mutant{Name: "call-" + flaw, Check: by, Hidden: true, What: what, Parts: gmp.Version{Syscalls: partedWith(flaw)}}
}

type idleWithoutTimers struct{ *masks }

func (p idleWithoutTimers) MaskIdle(pp *gmp.P) {
	p.s.Timerpmask.Get().Clear(pp.ID)
	p.s.Idlepmask.Get().Set(pp.ID)
}

type busyWhenItHasWork struct{ *masks }

func (p busyWhenItHasWork) MaskBusy(pp *gmp.P) {
	p.s.Timerpmask.Get().Set(pp.ID)
	if !p.s.Runqempty(pp) {
		p.s.Idlepmask.Get().Clear(pp.ID)
	}
}

type timersOfBusy struct{ *masks }

func (p timersOfBusy) TimerPs(allp []*gmp.P, timerpmask gmp.PMask) []*gmp.P {
	var may []*gmp.P
	for _, pp := range allp {
		if timerpmask.Read(pp.ID) && !p.s.Idlepmask.Get().Read(pp.ID) {
			may = append(may, pp)
		}
	}
	return may
}

type busyWithoutTimers struct{ *masks }

func (p busyWithoutTimers) MaskBusy(pp *gmp.P) { p.s.Idlepmask.Get().Clear(pp.ID) }

type idleTimersAlone struct{ *masks }

func (p idleTimersAlone) MaskIdle(pp *gmp.P) {
	if pp.Timers.Len.Load() == 0 {
		p.s.Timerpmask.Get().Clear(pp.ID)
		p.s.Idlepmask.Get().Set(pp.ID)
	}
}

type busyNow struct{ *masks }

func (p busyNow) BusyPs(allp []*gmp.P, idlepmask gmp.PMask) []*gmp.P {
	return p.masks.BusyPs(allp, p.s.Idlepmask.Get())
}

type inPlace struct{ *masks }

func (p inPlace) BusyPs(allp []*gmp.P, idlepmask gmp.PMask) []*gmp.P {
	left := allp[:0]
	for _, pp := range allp {
		if !idlepmask.Read(pp.ID) {
			left = append(left, pp)
		}
	}
	return left
}

// A lazyThief asks each P in order.
type lazyThief struct {
	s    *gmp.Sched
	flaw string
}

func (p *lazyThief) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	s := p.s
	idle := map[int32]bool{}
	for _, pp := range s.Allp.Get() {
		idle[pp.ID] = s.Idlepmask.Get().Read(pp.ID)
	}
	for try := range stealTries {
		for _, p2 := range s.Allp.Get() {
			if p.flaw != "once" {
				idle[p2.ID] = s.Idlepmask.Get().Read(p2.ID)
			}
			if p2 == mp.P.Get() || p.flaw == "idle" && idle[p2.ID] {
				continue
			}
			if try == stealTries-1 && (p.flaw == "timers" || s.Timerpmask.Get().Read(p2.ID)) {
				now, _, _ = s.CheckTimers(mp, p2, now)
			}
			if !idle[p2.ID] {
				if gp := s.Runqsteal(mp.P.Get(), p2, try == stealTries-1); gp != nil {
					return gp, false, now, 0, false
				}
			}
		}
	}
	return nil, false, now, 0, false
}

type preemptKept struct{ *loop }

func (p preemptKept) Schedule(mp *gmp.M) {
	pp := mp.P.Get()
	asked := pp.Preempt.Get()
	find := p.s.Finder
	p.s.Finder = keepsAsked{find, pp, asked}
	p.loop.Schedule(mp)
	p.s.Finder = find
}

// keepsAsked is a Finder before which the request is there again.
type keepsAsked struct {
	gmp.Finder
	pp    *gmp.P
	asked bool
}

func (p keepsAsked) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	p.pp.Preempt.Set(p.asked)
	return p.Finder.FindRunnable(mp)
}

// deadOtherwise is a Checkdead with a flaw.
type deadOtherwise struct {
	s    *gmp.Sched
	flaw string
}

func (p *deadOtherwise) Checkdead() {
	s := p.s
	if s.Panicking.Load() > 0 && p.flaw != "panicking" {
		return
	}
	awake := s.Mnext.Get() - s.Nmfreed.Get() - int64(s.Nmidle.Get()+s.Nmidlelocked.Get()+s.Nmsys.Get())
	if awake > 0 {
		return
	}
	if awake < 0 {
		s.Throw("checkdead: inconsistent counts")
	}
	if p.flaw == "timers-first" && p.timers() {
		return
	}
	waiting := 0
	s.ForEachG(func(gp *gmp.G) {
		st := gp.Atomicstatus.Load() &^ gmp.Gscan
		switch {
		case s.IsSystemGoroutine(gp) && p.flaw != "system":
		case st == gmp.Gwaiting || st == gmp.Gpreempted:
			waiting++
		case st != gmp.Gdead && st != gmp.Gidle:
			s.Throw("checkdead: runnable g")
		}
	})
	if waiting == 0 {
		s.Throw("no goroutines (main called runtime.Goexit) - deadlock!")
	}
	if !p.timers() {
		s.Throw("all goroutines are asleep - deadlock!")
	}
}

func (p *deadOtherwise) timers() bool {
	for _, pp := range p.s.Allp.Get() {
		if pp.Timers.Len.Load() > 0 {
			return true
		}
	}
	return false
}
