package ch10_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
	"gosched/solutions"
	"gosched/solutions/ch10_spin"
)

// The protocol of the spinning Ms in all interleavings of a few Ms, which run the
// reference parts. A G here is a few lines of Go. The one that matters makes another G
// ready, and does not let go of its P until that has run: somebody else must come for
// it. If nobody does, it waits for ever, which the explorer reports.

// A crew is a scheduler with some Ms and as many Ps.
type crew struct {
	s   *gmp.Sched
	m   *explore.Model
	ran map[*gmp.G]func(mp *gmp.M) // what Gs do
	gs  int64
}

// newCrew makes a scheduler of the reference, with wrong in place of its own parts,
// and procs Ps, all of them idle.
func newCrew(m *explore.Model, wrong gmp.Version, procs int32) *crew {
	v, err := solutions.Go("1.1")
	if err != nil {
		panic(err)
	}
	v = v.With(gmp.Version{
		Stealing: func(s *gmp.Sched) gmp.Stealing { return onePass{s} },
		Deadlock: func(s *gmp.Sched) gmp.Deadlock { return nobody{} },
	}).With(wrong)
	c := &crew{s: gmp.NewBare(v, nil), m: m, ran: map[*gmp.G]func(mp *gmp.M){}}
	for id := procs - 1; id >= 0; id-- {
		c.s.Allp = append([]*gmp.P{gmp.NewP(id, 2)}, c.s.Allp...)
		c.s.Pidleput(c.s.Allp[0], 1)
	}
	c.s.Threads = &crewThreads{c.s.Threads, c}
	c.s.Mnext, c.s.Maxmcount = int64(procs), 10_000
	c.s.Gomaxprocs = procs
	c.s.Lastpoll.Store(1)
	return c
}

// onePass is stealing with one pass over the Ps, in order: chapter 10 needs no more.
type onePass struct{ s *gmp.Sched }

func (p onePass) StealWork(mp *gmp.M, now int64) (gp *gmp.G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	for _, p2 := range p.s.Allp {
		if p2 != mp.P {
			if gp := p.s.Runqsteal(mp.P, p2, false); gp != nil {
				return gp, false, now, 0, false
			}
		}
	}
	return nil, false, now, 0, false
}

// nobody tells deadlocks: at the end of a model all Ms sleep.
type nobody struct{}

func (nobody) Checkdead() {}

// g makes a G, which waits, and does what do says when it runs.
func (c *crew) g(do func(mp *gmp.M)) *gmp.G {
	c.gs++
	gp := &gmp.G{Goid: c.gs}
	gp.Atomicstatus.Store(gmp.Gwaiting)
	c.ran[gp] = do
	return gp
}

// crewThreads starts new Ms as threads of the model. One is needed when a G comes and
// the Ms that give up are not on the list of idle ones yet.
type crewThreads struct {
	gmp.Threads
	c *crew
}

func (t *crewThreads) Newm(mp *gmp.M, fn func(mp *gmp.M), pp *gmp.P, id int64) {
	newm := &gmp.M{ID: id}
	machine.Newosproc(fmt.Sprintf("M%d", id), func() {
		if fn != nil {
			fn(newm)
		}
		t.c.s.Acquirep(newm, pp)
		t.c.schedule(newm)
	})
}

// mstart adds an M that begins with begin and then schedules, if more is set.
func (c *crew) mstart(id int64, begin func(mp *gmp.M) (more bool)) {
	c.m.Daemon(fmt.Sprintf("M%d", id), func() {
		mp := &gmp.M{ID: id}
		if begin(mp) {
			c.schedule(mp)
		}
	})
}

// schedule is the life of an M: it runs Gs, as many as there are; then the model has
// nothing more to say.
func (c *crew) schedule(mp *gmp.M) {
	for range c.gs {
		c.s.Schedule(mp)
		gp := mp.Curg
		c.ran[gp](mp)
		c.s.Dropg(mp)
		c.s.Casgstatus(gp, gmp.Grunning, gmp.Gdead)
	}
}

// take gives mp an idle P, as to one that comes from the network. If there is none, it
// is not needed.
func (c *crew) take(mp *gmp.M) (more bool) {
	c.s.Lock.Lock()
	pp, _ := c.s.Pidleget(1)
	c.s.Lock.Unlock()
	if pp == nil {
		return false
	}
	c.s.Acquirep(mp, pp)
	return true
}

// has gives mp the P number id before the model begins.
func (c *crew) has(id int) func(mp *gmp.M) (more bool) {
	pp := c.s.Allp[id]
	for at := &c.s.Pidle; *at != nil; at = &(*at).Link {
		if *at == pp {
			*at = pp.Link
			c.s.Npidle.Add(-1)
			break
		}
	}
	pp.Status.Store(gmp.Prunning)
	return func(mp *gmp.M) bool {
		mp.P, pp.M = pp, mp
		return true
	}
}

// submits makes mp run a G, from its beginning on, that makes another one ready and
// waits for it, with its P. The model ends with that.
func (c *crew) submits(begin func(mp *gmp.M) bool) func(mp *gmp.M) (more bool) {
	var done machine.Note
	ran := false
	gp := c.g(func(*gmp.M) {
		ran = true
		done.Wakeup()
	})
	c.m.Check(func() { c.came(ran) })
	return func(mp *gmp.M) bool {
		begin(mp)
		c.s.Ready(mp, gp, false)
		done.Sleep()
		return false
	}
}

// came says that somebody came for each G.
func (c *crew) came(ran bool) {
	assert.True(c.m, ran, "a G was made ready, and nobody came to run it: an M waits for it, and %d Ps are idle", c.s.Npidle.Load())
}

// The models, with the number of Ps. In all of them a G is made ready while other Ms come
// and go.
var models = []struct {
	name  string
	model func(c *crew)
	procs int32
}{
	{"one gives up as a G comes", func(c *crew) {
		c.mstart(0, c.submits(c.has(0)))
		c.mstart(1, c.has(1))
	}, 2},
	{"one gives up, one is back from the network", func(c *crew) {
		c.mstart(0, c.submits(c.has(0)))
		c.mstart(1, c.has(1))
		c.mstart(2, c.take)
	}, 2},
	{"two Gs come as one gives up", func(c *crew) {
		c.mstart(0, c.submits(c.has(0)))
		c.mstart(1, c.has(1))
		c.mstart(2, c.submits(c.has(2)))
	}, 3},
	{"two Gs come, and one needs the other", func(c *crew) {
		begin := c.has(0)
		var first, second machine.Note
		g1 := c.g(func(*gmp.M) {
			second.Sleep()
			first.Wakeup()
		})
		g2 := c.g(func(*gmp.M) { second.Wakeup() })
		ran := false
		c.mstart(0, func(mp *gmp.M) bool {
			begin(mp)
			c.s.Ready(mp, g1, false)
			c.s.Ready(mp, g2, false)
			first.Sleep()
			ran = true
			return false
		})
		c.m.Check(func() { c.came(ran) })
		c.mstart(1, c.has(1))
	}, 3},
}

// A wrong solution, and the model that must find it.
var wrongs = []struct {
	name  string
	model int
	parts gmp.Version
}{
	{"needspinning missing", 1, wakeupsBut(func(p wakeups) gmp.Wakeups { return noNeedspinning{p} })},
	{"no recheck of the Ps", 0, wakeupsBut(func(p wakeups) gmp.Wakeups { return noRecheck{p} })},
	{"recheck before nmspinning is less", 0, wakeupsBut(func(p wakeups) gmp.Wakeups { return recheckFirst{p} })},
	{"nmspinning given back after the lock", 2, wakeupsBut(func(p wakeups) gmp.Wakeups { return backTooLate{p} })},
	{"the last spinner wakes nobody", 3, wakeupsBut(func(p wakeups) gmp.Wakeups { return selfish{p} })},
}

type wakeups struct {
	gmp.Wakeups
	s *gmp.Sched
}

func wakeupsBut(wrong func(p wakeups) gmp.Wakeups) gmp.Version {
	return gmp.Version{Wakeups: func(s *gmp.Sched) gmp.Wakeups { return wrong(wakeups{ch10.NewWakeups(s), s}) }}
}

// noNeedspinning is the runtime until golang/go#45867 was mended, in 1.20.
type noNeedspinning struct{ wakeups }

func (p noNeedspinning) PidlegetSpinning(mp *gmp.M, now int64) (*gmp.P, int64) {
	return p.s.Pidleget(now)
}

type noRecheck struct{ wakeups }

func (p noRecheck) CheckRunqsNoP(mp *gmp.M, allp []*gmp.P) *gmp.P { return nil }

// recheckFirst is counted as spinning while it looks once more.
type recheckFirst struct{ wakeups }

func (p recheckFirst) CheckRunqsNoP(mp *gmp.M, allp []*gmp.P) *gmp.P {
	p.s.Nmspinning.Add(1)
	defer p.s.Nmspinning.Add(-1)
	return p.wakeups.CheckRunqsNoP(mp, allp)
}

type backTooLate struct{ wakeups }

func (p backTooLate) Wakep(mp *gmp.M) {
	s := p.s
	if s.Nmspinning.Load() != 0 || !s.Nmspinning.CompareAndSwap(0, 1) {
		return
	}
	s.Lock.Lock()
	pp, _ := s.PidlegetSpinning(mp, 0)
	s.Lock.Unlock()
	if pp == nil {
		s.Nmspinning.Add(-1)
		return
	}
	s.Startm(mp, pp, true, false)
}

type selfish struct{ wakeups }

func (p selfish) Resetspinning(mp *gmp.M) {
	mp.Spinning = false
	p.s.Nmspinning.Add(-1)
}

func TestModels(t *testing.T) {
	for _, model := range models {
		t.Run(model.name, func(t *testing.T) {
			explore.RunOptions(t, explore.Options{Steps: 20_000_000}, func(m *explore.Model) {
				model.model(newCrew(m, gmp.Version{}, model.procs))
			})
		})
	}
}

func TestModelsFindWhatIsWrong(t *testing.T) {
	for _, wrong := range wrongs {
		t.Run(wrong.name, func(t *testing.T) {
			model := models[wrong.model]
			r := explore.Explore(explore.Options{Steps: 20_000_000}, func(m *explore.Model) {
				model.model(newCrew(m, wrong.parts, model.procs))
			})
			require.NotNil(t, r.Failure, "not found, in %v", r)
			t.Logf("%v", r.Failure)
		})
	}
}
