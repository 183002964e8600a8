package ch09

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions/ch07_runq"
)

// Mutants are mistakes that one makes in this chapter. Those that the student's own test
// must find are open.
var Mutants = []check.Mutant{
	{
		Name: "step-not-coprime", Check: "each-once",
		What:  "the step may have a divisor in common with the number of Ps, so a pass goes round and round among some of them",
		Parts: mutant(func(w *wrong) { w.order = anyStep }),
	},
	{
		Name: "next-never", Check: "next-last",
		What:  "a G in Runnext is never stolen, so it waits as long as its P computes, however many Ps are idle",
		Parts: mutant(func(w *wrong) { w.next = func(int) bool { return false } }),
	},
	{
		Name: "one-victim", Check: "four-passes",
		What:  "a pass asks one random P, and not all of them",
		Parts: mutant(func(w *wrong) { w.most = 1 }),
	},
	{
		Name: "stop-unseen", Check: "stops",
		What:  "a thief does not check whether the world is to stop",
		Parts: mutant(func(w *wrong) { w.stops = func(bool) bool { return false } }),
	},
	{
		Name: "takes-one-of-half", Check: "stolen",
		What:  "of what it has stolen the thief keeps the G that it returns, and puts the others on the global queue",
		Parts: mutant(func(w *wrong) { w.after = func(w *wrong, pp *gmp.P) { w.giveAway(pp) } }),
	},
	{
		Name: "step-odd", Check: "each-once", Hidden: true,
		What:  "the step is odd, which is enough if the number of Ps is a power of two, but with 6 Ps a step of 3 visits only two of them",
		Parts: mutant(func(w *wrong) { w.order = oddStep }),
	},
	{
		Name: "number-kept", Check: "each-once", Hidden: true,
		What:  "the number of Ps is read once, when the first thief comes; if there are more later on, no thief asks the new ones",
		Parts: mutant(func(w *wrong) { w.order = w.forFirstNumber }),
	},
	{
		Name: "draws", Check: "each-once", Hidden: true,
		What:  "each try is a draw of its own, as in Go 1.1 to 1.6: a P may be asked twice, and another not at all",
		Parts: mutant(func(w *wrong) { w.order = draws }),
	},
	{
		Name: "alone-divides", Check: "alone", Hidden: true,
		What:  "the random number is taken modulo the number of others, which is 0 for the only P",
		Parts: mutant(func(w *wrong) { w.order = amongOthers }),
	},
	{
		Name: "always-from-0", Check: "random-first", Hidden: true,
		What:  "each pass starts with P0: all thieves queue up there",
		Parts: mutant(func(w *wrong) { w.order = fromZero }),
	},
	{
		Name: "always-from-neighbour", Check: "random-first", Hidden: true,
		What:  "each pass starts with the P after the thief's own: that one is robbed by one thief only, and the last one by all that found nothing",
		Parts: mutant(func(w *wrong) { w.order = fromNeighbour }),
	},
	{
		Name: "always-by-1", Check: "random-order", Hidden: true,
		What:  "the start is random, but the step is always 1: thieves that meet at one P go on together, and arrive at each P together",
		Parts: mutant(func(w *wrong) { w.order = byOne }),
	},
	{
		Name: "one-order", Check: "random-order", Hidden: true,
		What:  "the random number is drawn once, so all passes have the same order",
		Parts: mutant(func(w *wrong) { w.once = true }),
	},
	{
		Name: "shared-random", Check: "own-random", Hidden: true,
		What:  "the random numbers come from one generator for all thieves",
		Parts: mutant(func(w *wrong) { w.random = (*wrong).sharedRandom }),
	},
	{
		Name: "steals-from-itself", Check: "not-own", Hidden: true,
		What:  "the thief's own P is not left out",
		Parts: mutant(func(w *wrong) { w.own = true }),
	},
	{
		Name: "gives", Check: "not-own", Hidden: true,
		What:  "Runqsteal is called with its Ps exchanged, so the victim steals from the thief, whose queue is empty",
		Parts: mutant(func(w *wrong) { w.swapped = true }),
	},
	{
		Name: "one-pass", Check: "four-passes", Hidden: true,
		What:  "there is one pass; a queue that was empty when the thief came by is not asked again",
		Parts: mutant(func(w *wrong) { w.passes, w.next = 1, func(int) bool { return true } }),
	},
	{
		Name: "three-passes", Check: "next-last", Hidden: true,
		What:  "the passes are counted up to the last one, which is left out, with timers and Runnext",
		Parts: mutant(func(w *wrong) { w.passes = tries - 1 }),
	},
	{
		Name: "next-at-once", Check: "next-last", Hidden: true,
		What:  "Runnext is stolen in each pass: a G that is about to run on its P, beside its data, is taken away",
		Parts: mutant(func(w *wrong) { w.next = func(int) bool { return true } }),
	},
	{
		Name: "keeps-looking", Check: "first-found", Hidden: true,
		What:  "the inner loop is left when a G is found, but not the outer one: the next pass finds another G, and the first one is lost",
		Parts: mutant(func(w *wrong) { w.goesOn = true }),
	},
	{
		Name: "loses-in-program", Check: "interleaved", Hidden: true,
		What:  "the same, in a program: a G is on no queue, and no M runs it",
		Parts: mutant(func(w *wrong) { w.goesOn = true }),
	},
	{
		Name: "stop-seen-once", Check: "stops", Hidden: true,
		What:  "a thief checks before the first P whether the world is to stop, and not again",
		Parts: mutant(func(w *wrong) { w.stops = func(first bool) bool { return first } }),
	},
	{
		Name: "stop-without-word", Check: "stops", Hidden: true,
		What:  "a thief gives up when the world is to stop, but says that there is nothing new; so its M goes to sleep",
		Parts: mutant(func(w *wrong) { w.silent = true }),
	},
	{
		Name: "locked", Check: "no-lock", Hidden: true,
		What:  "StealWork holds s.Lock, so that no other M changes anything meanwhile",
		Parts: version(func(s *gmp.Sched) gmp.Stealing { return &locked{newWrong(s)} }),
	},
	{
		Name: "lock-for-allp", Check: "no-lock", Hidden: true,
		What:  "s.Lock is taken for a look at Allp",
		Parts: version(func(s *gmp.Sched) gmp.Stealing { return &lockedLook{newWrong(s)} }),
	},
	{
		Name: "timers-always", Check: "timers-last", Hidden: true,
		What:  "the timers of others are run in each pass",
		Parts: mutant(func(w *wrong) { w.timers = func(int) bool { return true } }),
	},
	{
		Name: "timers-never", Check: "timers-last", Hidden: true,
		What:  "the timers of others are not run, so those of a P that computes for a long time are late (golang/go#38860)",
		Parts: mutant(func(w *wrong) { w.timers = func(int) bool { return false } }),
	},
	{
		Name: "timers-after", Check: "timers-last", Hidden: true,
		What:  "the timers of a P are run after its queue was asked, so a Runnext is taken although a timer is due",
		Parts: mutant(func(w *wrong) { w.late = true }),
	},
	{
		Name: "timer-not-looked", Check: "timer-ready", Hidden: true,
		What:  "a timer has put its G on the thief's own queue, and the thief goes on to steal",
		Parts: mutant(func(w *wrong) { w.looks = false }),
	},
	{
		Name: "timer-new-slice", Check: "timer-ready", Hidden: true,
		What:  "inheritTime is lost for a G that a timer has put in Runnext",
		Parts: mutant(func(w *wrong) { w.inherits = false }),
	},
	{
		Name: "timer-waited-for", Check: "race-timer", Hidden: true,
		What:  "a timer ran, so there must be a G, and the thief looks for it until it is there; but another thief has stolen it",
		Parts: mutant(func(w *wrong) { w.insists = true }),
	},
	{
		Name: "timer-forgotten", Check: "new-work", Hidden: true,
		What:  "StealWork does not say that timers ran",
		Parts: mutant(func(w *wrong) { w.forgets = true }),
	},
	{
		Name: "poll-until-lost", Check: "poll-until", Hidden: true,
		What:  "StealWork does not say when the next timer is due, so the M sleeps beyond it",
		Parts: mutant(func(w *wrong) { w.sooner = func(a, b int64) int64 { return 0 } }),
	},
	{
		Name: "poll-until-latest-seen", Check: "poll-until", Hidden: true,
		What:  "pollUntil is when the timer of the P asked last is due, not the first of all",
		Parts: mutant(func(w *wrong) { w.sooner = func(a, b int64) int64 { return b } }),
	},
	{
		Name: "poll-until-zero", Check: "poll-until", Hidden: true,
		What:  "a P without timers, which says 0, makes pollUntil 0: it forgets that 0 is not a time",
		Parts: mutant(func(w *wrong) { w.sooner = func(a, b int64) int64 { return min(a, b) } }),
	},
	{
		Name: "time-not-kept", Check: "looks-once", Hidden: true,
		What:  "the time that CheckTimers returns is dropped, so each further call looks at the clock again",
		Parts: mutant(func(w *wrong) { w.dropsTime = true }),
	},
	{
		Name: "next-by-hand", Check: "race-next", Hidden: true,
		What:  "the thief takes Runnext itself: it loads it, and then stores nil",
		Parts: takes(func(b byHand) gmp.RunQueue { return nextByHand{b} }),
	},
	{
		Name: "next-left", Check: "race-next", Hidden: true,
		What:  "the thief takes nothing but what is in the ring: a G in Runnext stays there when everything is quiet",
		Parts: takes(func(b byHand) gmp.RunQueue { return nextLeft{b} }),
	},
	{
		Name: "ring-by-hand", Check: "race-owner", Hidden: true,
		What:  "the thief takes half of the ring itself and stores the new head, although others may have moved it",
		Parts: takes(func(b byHand) gmp.RunQueue { return ringByHand{b} }),
	},
	{
		Name: "steal-shows-returned", Check: "race-owner", Hidden: true,
		What:  "the thief moves the tail of its own ring past all that it has stolen, and back over the one that it returns; another thief may have that one by then",
		Parts: takes(func(b byHand) gmp.RunQueue { return stealShowsReturned{b} }),
	},
	{
		Name: "nobody-steals", Check: "spread", Hidden: true,
		What:  "there is no stealing",
		Parts: gmp.None.Only("Stealing"),
	},
	{
		Name: "two-choices", Check: "fork-join", Hidden: true,
		What:  "a pass asks two random Ps, which is plenty when there are few; with 64 of them a thief often goes to sleep beside work, and must be woken again",
		Parts: mutant(func(w *wrong) { w.most = 2 }),
	},
	{
		Name: "doubled-at-last", Check: "stress", Hidden: true,
		What:  "every 64th time the first of the other stolen Gs is put on the thief's queue twice: no model is so long",
		Parts: mutant(func(w *wrong) { w.after = func(w *wrong, pp *gmp.P) { w.double(pp) } }),
	},
}

func version(make func(s *gmp.Sched) gmp.Stealing) gmp.Version {
	return gmp.Version{Stealing: make}
}

// mutant is the right StealWork in which one step is broken.
func mutant(breakIt func(w *wrong)) gmp.Version {
	return version(func(s *gmp.Sched) gmp.Stealing {
		w := newWrong(s)
		breakIt(w)
		return w
	})
}

// tries is how many passes there are.
const tries = stealTries

// A wrong is StealWork with a switch, or a step that can be replaced, for each mistake.
type wrong struct {
	s *gmp.Sched

	passes  int
	most    int // how many Ps a pass asks
	random  func(w *wrong, mp *gmp.M) uint32
	once    bool // the random number is drawn once
	order   func(n, own, random uint32) func() uint32
	next    func(pass int) bool // Runnext is stolen
	timers  func(pass int) bool // timers are run
	stops   func(first bool) bool
	silent  bool // of the stop
	own     bool // the own P is asked, too
	swapped bool
	goesOn  bool                      // with the next pass, when a G was found
	skips   bool                      // a P whose queue seems to be empty
	after   func(w *wrong, pp *gmp.P) // a G was stolen

	late      bool // timers are run after the queue was asked
	looks     bool // at the own queue, after timers ran
	insists   bool // until there is something
	inherits  bool
	forgets   bool // that timers ran
	sooner    func(a, b int64) int64
	dropsTime bool

	shared machine.Uint32
	stolen machine.Uint32
	number machine.Uint32 // of Ps, when there was the first thief
}

// newWrong makes one that is right.
func newWrong(s *gmp.Sched) *wrong {
	return &wrong{
		s:        s,
		passes:   tries,
		most:     1 << 30,
		random:   func(_ *wrong, mp *gmp.M) uint32 { return mp.Cheaprand() },
		order:    inOrder,
		next:     isLast,
		timers:   isLast,
		stops:    func(bool) bool { return true },
		after:    func(*wrong, *gmp.P) {},
		looks:    true,
		inherits: true,
		sooner: func(a, b int64) int64 {
			if b != 0 && (a == 0 || b < a) {
				return b
			}
			return a
		},
	}
}

func isLast(pass int) bool { return pass == tries-1 }

// A search is one call of StealWork.
type search struct {
	*wrong
	mp        *gmp.M
	now       int64
	pollUntil int64
	ran       bool
	asked     bool

	gp          *gmp.G
	inheritTime bool
}

func (w *wrong) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	f := &search{wrong: w, mp: mp, now: now}
	random := w.random(w, mp)
	for pass := range w.passes {
		if pass > 0 && !w.once {
			random = w.random(w, mp)
		}
		if stopped := f.pass(pass, random); stopped {
			return nil, false, f.now, f.pollUntil, !w.silent
		}
		if f.gp != nil && !w.goesOn {
			break
		}
	}
	return f.gp, f.inheritTime, f.now, f.pollUntil, f.ran && !w.forgets
}

// pass is one pass, which ends when there is a G, or if the world is to stop.
func (f *search) pass(pass int, random uint32) (stopped bool) {
	allp, pp := f.s.Allp.Get(), f.mp.P.Get()
	next := f.order(uint32(len(allp)), uint32(pp.ID), random)
	asked := 0
	for range allp {
		if f.stops(!f.asked) && f.s.Gcwaiting.Load() {
			return true
		}
		f.asked = true
		p2 := allp[next()]
		if p2 == pp && !f.own || asked == f.most {
			continue
		}
		asked++
		if f.timers(pass) && !f.late && f.runTimers(p2) {
			return false
		}
		if f.ask(p2, f.next(pass)) {
			return false
		}
		if f.timers(pass) && f.late && f.runTimers(p2) {
			return false
		}
	}
	return false
}

// runTimers runs the timers of p2 and reports whether there is a G now.
func (f *search) runTimers(p2 *gmp.P) bool {
	now, w, ran := f.s.CheckTimers(f.mp, p2, f.now)
	if !f.dropsTime {
		f.now = now
	}
	f.pollUntil = f.sooner(f.pollUntil, w)
	if !ran {
		return false
	}
	for f.looks && f.gp == nil {
		f.gp, f.inheritTime = f.s.Runqget(f.mp.P.Get())
		f.inheritTime = f.inheritTime && f.inherits
		if !f.insists {
			break
		}
		machine.Procyield(1)
	}
	if f.gp != nil {
		return true
	}
	f.ran = true
	return false
}

// ask tries the queue of p2 and reports whether there is a G now.
func (f *search) ask(p2 *gmp.P, next bool) bool {
	pp := f.mp.P.Get()
	if f.swapped {
		pp, p2 = p2, pp
	}
	if f.skips && f.s.Runqempty(p2) {
		return false
	}
	gp := f.s.Runqsteal(pp, p2, next)
	if gp == nil {
		return false
	}
	f.after(f.wrong, f.mp.P.Get())
	f.gp, f.inheritTime = gp, false
	return true
}

// Orders. Each goes through numbers below n.

func inOrder(n, _, random uint32) func() uint32 {
	o := newOrder(n, random)
	return o.next
}

func steps(n, at, step uint32) func() uint32 {
	o := order{at: at % n, step: step, n: n}
	return o.next
}

func anyStep(n, _, random uint32) func() uint32 { return steps(n, random, random/n%n+1) }

func oddStep(n, _, random uint32) func() uint32 { return steps(n, random, random/n%n|1) }

func fromZero(n, _, _ uint32) func() uint32 { return steps(n, 0, 1) }

func fromNeighbour(n, own, _ uint32) func() uint32 { return steps(n, own+1, 1) }

func byOne(n, _, random uint32) func() uint32 { return steps(n, random, 1) }

func amongOthers(n, own, random uint32) func() uint32 {
	return steps(n, own+1+random%(n-1), newOrder(n, random).step)
}

func (w *wrong) forFirstNumber(n, _, random uint32) func() uint32 {
	w.number.CompareAndSwap(0, n)
	return inOrder(min(n, w.number.Load()), 0, random)
}

func draws(n, _, random uint32) func() uint32 {
	mp := &gmp.M{Fastrand: machine.CellOf(uint64(random))}
	return func() uint32 { return mp.Cheaprand() % n }
}

func (w *wrong) sharedRandom(*gmp.M) uint32 {
	mp := &gmp.M{Fastrand: machine.CellOf(uint64(w.shared.Add(1)))}
	return mp.Cheaprand()
}

// What is taken without the right Runqsteal. That is a part of chapter 7; but it is here that
// one is tempted to do without it.

type byHand struct {
	gmp.RunQueue
	s *gmp.Sched
}

func takes(broken func(b byHand) gmp.RunQueue) gmp.Version {
	return gmp.Version{RunQueue: func(s *gmp.Sched) gmp.RunQueue { return broken(byHand{ch07.NewRunQueue(s), s}) }}
}

type nextByHand struct{ byHand }

func (p nextByHand) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	if gp := p.RunQueue.Runqsteal(pp, p2, false); gp != nil || !stealRunNext {
		return gp
	}
	gp := p2.Runnext.Load()
	if gp != nil {
		p2.Runnext.Store(nil)
	}
	return gp
}

type nextLeft struct{ byHand }

func (p nextLeft) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	return p.RunQueue.Runqsteal(pp, p2, false)
}

type ringByHand struct{ byHand }

func (p ringByHand) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	for {
		h := p2.Runqhead.Load()
		n := p2.Runqtail.Load() - h
		if n == 0 {
			return p.RunQueue.Runqsteal(pp, p2, stealRunNext)
		}
		var gs []*gmp.G
		for i := range n - n/2 {
			gs = append(gs, slot(p2, h+i).Load())
		}
		p2.Runqhead.Store(h + n - n/2)
		for _, gp := range gs[:len(gs)-1] {
			p.s.Runqput(pp, gp, false)
		}
		return gs[len(gs)-1]
	}
}

type stealShowsReturned struct{ byHand }

func (p stealShowsReturned) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	t := pp.Runqtail.Load()
	n := p.s.Runqgrab(p2, pp.Runq, t, stealRunNext)
	if n == 0 {
		return nil
	}
	pp.Runqtail.Store(t + n)
	gp := slot(pp, t+n-1).Load()
	pp.Runqtail.Store(t + n - 1)
	return gp
}

func slot(pp *gmp.P, i uint32) *machine.Pointer[gmp.G] { return &pp.Runq[i%uint32(len(pp.Runq))] }

// What happens to the others that were stolen.

func (w *wrong) giveAway(pp *gmp.P) {
	for gp, _ := w.s.Runqget(pp); gp != nil; gp, _ = w.s.Runqget(pp) {
		w.s.Lock.Lock()
		w.s.Globrunqput(gp)
		w.s.Lock.Unlock()
	}
}

func (w *wrong) double(pp *gmp.P) {
	if w.stolen.Add(1)%64 != 0 {
		return
	}
	if gp, _ := w.s.Runqget(pp); gp != nil {
		w.s.Runqput(pp, gp, false)
		w.s.Runqput(pp, &gmp.G{Goid: machine.CellOf(gp.Goid.Get())}, false)
	}
}

// Locks.

type locked struct{ *wrong }

func (p *locked) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	p.s.Lock.Lock()
	defer p.s.Lock.Unlock()
	return p.wrong.StealWork(mp, now)
}

type lockedLook struct{ *wrong }

func (p *lockedLook) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	p.s.Lock.Lock()
	alone := len(p.s.Allp.Get()) == 1
	p.s.Lock.Unlock()
	if alone {
		return nil, false, now, 0, false
	}
	return p.wrong.StealWork(mp, now)
}
