package ch09

import (
	"fmt"
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// A round is what one thief does: a scheduler of n Ps, of which M0 holds one and is the
// thief, and a tape of what StealWork asks of the other parts. Each other P is running and
// has a G in its ring; but whoever asks for it comes too late, unless give says
// otherwise.
type round struct {
	t  *check.T
	s  *gmp.Sched
	mp *gmp.M

	*check.Tape
	give  func(p2 *gmp.P, next bool) *gmp.G           // what Runqsteal does; nil if nobody gets anything
	fire  func(p2 *gmp.P) (pollUntil int64, ran bool) // what CheckTimers does; nil if there are no timers
	clock int64                                       // the time that CheckTimers finds if it has to look
}

// newRound makes a round of n Ps. The thief holds the one with the number own, and its
// random numbers come from seed.
func newRound(t *check.T, n, own int, seed uint64) *round {
	r := &round{t: t, s: t.Bare(nil)}
	s := r.s
	s.Gomaxprocs.Set(int32(n))
	for i := range n {
		pp := gmp.NewP(int32(i), 4)
		pp.Status.Store(gmp.Prunning)
		s.Allp.Set(append(s.Allp.Get(), pp))
		if i != own {
			s.Runqput(pp, r.newG(), false)
		}
	}
	s.Resizemasks(int32(n)) // for chapter 18, which has the same checks: nobody is idle
	r.mp = r.thief(0, s.Allp.Get()[own], seed)
	s.RunQueue = &victims{s.RunQueue, r}
	s.Timers = &alarms{gmp.None.Timers(s), r}
	r.Tape = check.NewTape(s)
	r.Before = r.before
	return r
}

// resize lets there be n Ps, as when the world was stopped and started again; those from
// the beginning stay.
func (r *round) resize(n int) {
	s := r.s
	all := slices.Clone(s.Allp.Get()[:min(n, len(s.Allp.Get()))])
	for len(all) < n {
		pp := gmp.NewP(int32(len(all)), 4)
		pp.Status.Store(gmp.Prunning)
		s.Runqput(pp, r.newG(), false)
		all = append(all, pp)
	}
	s.Allp.Set(all)
	s.Gomaxprocs.Set(int32(n))
	s.Resizemasks(int32(n))
}

// before ends a check in which StealWork does not come to its end.
func (r *round) before(*check.Call) (made bool) {
	if most := 100 * len(r.s.Allp.Get()); len(r.Calls) > most {
		r.t.Fatalf("%sStealWork has made %d calls and is not done; it asks %s", r.what(), most, r.order(r.asked()))
	}
	return true
}

// thief makes an M that holds pp.
func (r *round) thief(id int64, pp *gmp.P, seed uint64) *gmp.M {
	mp := &gmp.M{ID: id, Fastrand: machine.CellOf(seed), Spinning: machine.CellOf[bool](true)}
	check.Holding(mp, pp)
	return mp
}

// newG makes a G that can run, on no queue.
func (r *round) newG() *gmp.G { return check.NewG(r.s, gmp.Grunnable) }

// victims give what the check says.
type victims struct {
	gmp.RunQueue
	r *round
}

func (v *victims) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	if v.r.give == nil {
		return nil
	}
	return v.r.give(p2, stealRunNext)
}

// really lets Runqsteal do what it does, with queues that are empty but for those that
// the check fills.
func (r *round) really() {
	queue := r.RunQueue.(*victims).RunQueue
	for _, pp := range r.s.Allp.Get() {
		queue.Runqdrain(pp)
	}
	r.give = func(p2 *gmp.P, next bool) *gmp.G { return queue.Runqsteal(r.mp.P.Get(), p2, next) }
}

// alarms go off when the check says so.
type alarms struct {
	gmp.Timers
	r *round
}

func (p *alarms) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	if p.r.fire == nil {
		return now, 0, false
	}
	pollUntil, ran = p.r.fire(pp)
	if now == 0 && (pollUntil != 0 || ran) {
		now = p.r.clock
	}
	return now, pollUntil, ran
}

// others is how many Ps there are to ask.
func (r *round) others() int { return len(r.s.Allp.Get()) - 1 }

// A loot is what StealWork returns.
type loot struct {
	gp          *gmp.G
	inheritTime bool
	now         int64
	pollUntil   int64
	newWork     bool
}

// steal calls StealWork for the thief, with a new tape.
func (r *round) steal(now int64) (l loot) {
	r.Calls = nil
	l.gp, l.inheritTime, l.now, l.pollUntil, l.newWork = r.Stealing.StealWork(r.mp, now)
	return l
}

// what begins a message: how many Ps there are, and which is the thief's.
func (r *round) what() string {
	return fmt.Sprintf("of %d Ps %s is the thief's: ", len(r.s.Allp.Get()), check.PName(r.mp.P.Get()))
}

// errorf reports a failure.
func (r *round) errorf(format string, args ...any) {
	r.t.Helper()
	r.t.Errorf("%s%s", r.what(), fmt.Sprintf(format, args...))
}

// whose is the P that StealWork asks by a call of Runqsteal or CheckTimers.
func whose(c check.Call) *gmp.P { return check.Arg[*gmp.P](c.Call) }

// asked lists the Ps whose queues were asked, in order.
func (r *round) asked() []*gmp.P {
	var ps []*gmp.P
	for _, c := range r.Of("Runqsteal") {
		ps = append(ps, whose(c))
	}
	return ps
}

// passes cuts what was asked into passes. The last one may be short.
func (r *round) passes() [][]*gmp.P {
	return slices.Collect(slices.Chunk(r.asked(), max(1, r.others())))
}

// order writes a list of Ps; of a long one the beginning.
func (r *round) order(ps []*gmp.P) string {
	const most = 24
	var names []string
	for _, pp := range ps[:min(len(ps), most)] {
		names = append(names, check.PName(pp))
	}
	switch {
	case len(ps) == 0:
		return "no P"
	case len(ps) > most:
		names = append(names, fmt.Sprintf("… (%d more)", len(ps)-most))
	}
	return strings.Join(names, ", ")
}
