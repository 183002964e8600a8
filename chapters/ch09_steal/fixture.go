package ch09

import (
	"fmt"
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// A round is what one thief does: a scheduler of n Ps, of which M0 holds one and is the
// thief, and a tape of what StealWork asks of the other parts. Each other P is running and
// has a G in its ring; but whoever asks for it comes too late, unless give says
// otherwise.
type round struct {
	t  *check.T
	s  *gmp.Sched
	mp *gmp.M

	calls []call
	give  func(p2 *gmp.P, next bool) *gmp.G           // what Runqsteal does; nil if nobody gets anything
	fire  func(p2 *gmp.P) (pollUntil int64, ran bool) // what CheckTimers does; nil if there are no timers
	clock int64                                       // the time that CheckTimers finds if it has to look
	quiet bool                                        // nothing is noted
	goid  int64
}

// A call is one that StealWork made. In a call of Runqsteal pp asks p2.
type call struct {
	method string
	pp, p2 *gmp.P
	next   bool  // stealRunNext
	now    int64 // the time that CheckTimers was given
	locked bool  // s.Lock was held
}

// The methods on the tape.
const (
	runqsteal   = "Runqsteal"
	runqget     = "Runqget"
	checkTimers = "CheckTimers"
)

// newRound makes a round of n Ps. The thief holds the one with the number own, and its
// random numbers come from seed.
func newRound(t *check.T, n, own int, seed uint64) *round {
	r := &round{t: t, s: t.Bare(nil)}
	s := r.s
	s.Gomaxprocs = int32(n)
	for i := range n {
		pp := gmp.NewP(int32(i), 4)
		pp.Status.Store(gmp.Prunning)
		s.Allp = append(s.Allp, pp)
		if i != own {
			s.Runqput(pp, r.newG(), false)
		}
	}
	r.mp = r.thief(0, s.Allp[own], seed)
	s.RunQueue = &tapedQueue{s.RunQueue, r}
	s.Timers = &tapedTimers{gmp.None.Timers(s), r}
	return r
}

// thief makes an M that holds pp.
func (r *round) thief(id int64, pp *gmp.P, seed uint64) *gmp.M {
	mp := &gmp.M{ID: id, Fastrand: seed, P: pp, Spinning: true}
	pp.M = mp
	return mp
}

// newG makes a G that can run, on no queue.
func (r *round) newG() *gmp.G {
	r.goid++
	return newG(r.goid)
}

func newG(goid int64) *gmp.G {
	gp := &gmp.G{Goid: goid}
	gp.Atomicstatus.Store(gmp.Grunnable)
	return gp
}

// really lets Runqsteal do what it does, with queues that are empty but for those that
// the check fills.
func (r *round) really() {
	queue := r.s.RunQueue.(*tapedQueue).RunQueue
	for _, pp := range r.s.Allp {
		queue.Runqdrain(pp)
	}
	r.give = func(p2 *gmp.P, next bool) *gmp.G { return queue.Runqsteal(r.mp.P, p2, next) }
}

// others is how many Ps there are to ask.
func (r *round) others() int { return len(r.s.Allp) - 1 }

func (r *round) add(c call) {
	if r.quiet {
		return
	}
	c.locked = check.Held(&r.s.Lock)
	r.calls = append(r.calls, c)
	if most := 100 * len(r.s.Allp); len(r.calls) > most {
		r.t.Fatalf("%sStealWork has made %d calls and is not done; it asks %s", r.what(), most, r.order(r.asked()))
	}
}

type tapedQueue struct {
	gmp.RunQueue
	r *round
}

func (q *tapedQueue) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	q.r.add(call{method: runqsteal, pp: pp, p2: p2, next: stealRunNext})
	if q.r.give == nil {
		return nil
	}
	return q.r.give(p2, stealRunNext)
}

func (q *tapedQueue) Runqget(pp *gmp.P) (gp *gmp.G, inheritTime bool) {
	q.r.add(call{method: runqget, pp: pp})
	return q.RunQueue.Runqget(pp)
}

type tapedTimers struct {
	gmp.Timers
	r *round
}

func (p *tapedTimers) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	p.r.add(call{method: checkTimers, p2: pp, now: now})
	if p.r.fire == nil {
		return now, 0, false
	}
	pollUntil, ran = p.r.fire(pp)
	if now == 0 && (pollUntil != 0 || ran) {
		now = p.r.clock
	}
	return now, pollUntil, ran
}

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
	r.calls = nil
	l.gp, l.inheritTime, l.now, l.pollUntil, l.newWork = r.s.StealWork(r.mp, now)
	return l
}

// what begins a message: how many Ps there are, and which is the thief's.
func (r *round) what() string {
	return fmt.Sprintf("of %d Ps %s is the thief's: ", len(r.s.Allp), check.PName(r.mp.P))
}

// errorf reports a failure.
func (r *round) errorf(format string, args ...any) {
	r.t.Helper()
	r.t.Errorf("%s%s", r.what(), fmt.Sprintf(format, args...))
}

// of returns the calls of some methods, in order.
func (r *round) of(methods ...string) []call {
	var found []call
	for _, c := range r.calls {
		if slices.Contains(methods, c.method) {
			found = append(found, c)
		}
	}
	return found
}

// asked lists the Ps whose queues were asked, in order.
func (r *round) asked() []*gmp.P {
	var ps []*gmp.P
	for _, c := range r.of(runqsteal) {
		ps = append(ps, c.p2)
	}
	return ps
}

// passes cuts what was asked into passes. The last one may be short.
func (r *round) passes() [][]*gmp.P {
	return slices.Collect(slices.Chunk(r.asked(), max(1, r.others())))
}

// order writes a list of Ps; of a long one the begin.
func (r *round) order(ps []*gmp.P) string {
	const most = 24
	var names []string
	for _, pp := range ps[:min(len(ps), most)] {
		names = append(names, check.PName(pp))
	}
	switch {
	case len(ps) == 0:
		return "nobody"
	case len(ps) > most:
		names = append(names, fmt.Sprintf("… (%d more)", len(ps)-most))
	}
	return strings.Join(names, ", ")
}
