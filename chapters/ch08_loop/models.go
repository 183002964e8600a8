package ch08

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// The models. In those of a duo, M0, which has P0, puts Gs on the global queue, or stops the
// world, while M1, which has P1, gives up. Whoever is first, somebody must come for the Gs:
// M1, which looks once more, or another M with P1, which Wakep has found on the list of idle
// Ps.

// A duo is one execution of a model.
type duo struct {
	m    *explore.Model
	s    *gmp.Sched
	goid int64
	ran  int // Gs
}

// inEveryOrder explores a model. begin makes what there is at the beginning, and returns
// what M0 does; it keeps its P to the end.
func inEveryOrder(t *check.T, begin func(d *duo, m0 *gmp.M) func()) {
	t.Helper()
	t.Explore(explore.Options{}, func(m *explore.Model) {
		d := &duo{m: m, s: t.Bare(m)}
		s := d.s
		s.Mnext.Set(2)
		s.Maxmcount.Set(10_000)
		s.Gomaxprocs.Set(2)
		s.Lastpoll.Store(1)
		s.Stealing = gmp.None.Stealing(s)
		s.Threads = &duoThreads{s.Threads, d}
		s.Loop = &duoLoop{s.Loop, d}
		s.Deadlock = check.AllMaySleep{}
		m.Show(func(v any) string {
			if gp, ok := v.(*gmp.G); ok {
				return check.Name(gp)
			}
			return ""
		})
		for id := range int32(2) {
			s.Allp.Set(append(s.Allp.Get(), gmp.NewP(id, 2)))
		}
		first, second := gmp.NewM(0), gmp.NewM(1)
		check.Holding(first, s.Allp.Get()[0])
		check.Holding(second, s.Allp.Get()[1])
		m.Thread("M0", begin(d, first))
		m.Daemon("M1", func() { d.schedule(second) })
		m.Check(d.somebodyCame)
	})
}

// newG makes a G in state st.
func (d *duo) newG(st uint32) *gmp.G {
	d.goid++
	gp := gmp.NewG(d.goid)
	gp.Atomicstatus.Store(st)
	return gp
}

// duoThreads starts new Ms as threads of the model.
type duoThreads struct {
	gmp.Threads
	d *duo
}

func (p *duoThreads) Newm(mp *gmp.M, fn func(mp *gmp.M), pp *gmp.P, id int64) {
	newm := gmp.NewM(id)
	machine.Newosproc(fmt.Sprintf("M%d", id), func() {
		p.d.s.Acquirep(newm, pp)
		p.d.schedule(newm)
	})
}

// duoLoop lets M0, when it schedules, find something else to do.
type duoLoop struct {
	gmp.Loop
	d *duo
}

func (p *duoLoop) Schedule(mp *gmp.M) {
	if mp.ID != 0 {
		p.Loop.Schedule(mp)
	}
}

// schedule is the life of an M but M0: it runs Gs that end at once. The last one goes on.
func (d *duo) schedule(mp *gmp.M) {
	for range max(d.goid, 1) {
		d.s.Schedule(mp)
		gp := mp.Curg.Get()
		d.m.Logf("%s runs %s", check.MName(mp), check.Name(gp))
		if d.ran++; d.ran == int(d.goid) {
			return
		}
		d.s.Dropg(mp)
		d.s.Casgstatus(gp, gmp.Grunning, gmp.Gdead)
	}
}

// somebodyCame says what must hold in the end.
func (d *duo) somebodyCame() {
	if gs := queued(d.s); len(gs) > 0 && d.s.Pidle.Get() != nil {
		d.m.Errorf("no M comes for what is on the global queue, %s, and %s is idle: M0 is busy, and all other Ms sleep", check.Names(gs), check.PName(d.s.Pidle.Get()))
	}
}

// raceYield lets G1 yield on M0, which has others to run.
func raceYield(t *check.T) {
	inEveryOrder(t, func(d *duo, m0 *gmp.M) func() {
		gp := d.newG(gmp.Grunnable)
		check.Running(m0, gp)
		return func() { d.s.GoschedImpl(m0, gp, false) }
	})
}

// raceOverflow lets M0 make G3 ready when the ring of P0 is full: half of the ring and
// G3 go to the global queue.
func raceOverflow(t *check.T) {
	inEveryOrder(t, func(d *duo, m0 *gmp.M) func() {
		pp := d.s.Allp.Get()[0]
		for i := range 2 {
			pp.Runq[i].Store(d.newG(gmp.Grunnable))
			pp.Runqtail.Store(uint32(i + 1))
		}
		gp := d.newG(gmp.Gwaiting)
		return func() { d.s.Ready(m0, gp, false) }
	})
}

// raceStop lets M0 stop the world while M1 gives up its P. Each P is counted once: by M0, if
// it is on the list of idle ones when M0 looks there, or else by M1.
func raceStop(t *check.T) {
	inEveryOrder(t, func(d *duo, m0 *gmp.M) func() {
		check.Running(m0, d.newG(gmp.Grunnable))
		return func() { d.s.StopTheWorldWithSema(m0, "model") }
	})
}

// submits explores a G that makes one runnable. That one is stolen and has run to its end as
// soon as it is on a queue.
func submits(how func(c *check.Crew) check.Step) func(t *check.T) {
	return func(t *check.T) {
		t.Crew(explore.Options{}, func(c *check.Crew) {
			c.Queues()
			c.S.Submission, c.S.Wakeups = c.Parts.Submission, nobodyToWake{c.S.Wakeups}
			c.Go(how(c))
			c.Free("sched.lock", &c.S.Lock.Mutex)
		})
	}
}

func readies(c *check.Crew) check.Step {
	waits := c.Parked()
	return func(mp *gmp.M, gp *gmp.G) { c.S.Ready(mp, waits, true) }
}

func starts(c *check.Crew) check.Step {
	return func(mp *gmp.M, gp *gmp.G) { c.S.Newproc(mp, someFn) }
}

func yields(c *check.Crew) check.Step {
	return func(mp *gmp.M, gp *gmp.G) { c.S.GoschedImpl(mp, gp, false) }
}

// nobodyToWake has no idle P.
type nobodyToWake struct{ gmp.Wakeups }

func (nobodyToWake) Wakep(mp *gmp.M) {}

// visible checks that the explorer sees what the threads of the parts share.
func visible(t *check.T) {
	w := newWorld(t, 1)
	w.s.Execute(w.m0, w.newG(gmp.Grunnable), false)
	t.Visible()
}
