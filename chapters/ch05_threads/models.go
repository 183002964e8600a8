package ch05

import (
	"fmt"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// The models: two or three Ms, each with a G that submits, yields or ends, in every order
// of their steps. The loop, the matching and the list of idle Ms are those under test.

// A crew is one execution of a model.
type crew struct {
	*check.Crew
	ms []*gmp.M
	gs []*gmp.G
}

// steps is when an exploration gives up: several times as many as the right solution needs.
const steps = 400_000

// inEveryOrder explores what play does where so many Ms may run at once.
func inEveryOrder(procs int32, play func(c *crew)) func(t *check.T) {
	return func(t *check.T) {
		t.Crew(explore.Options{Steps: steps}, func(parts *check.Crew) {
			c := &crew{Crew: parts}
			s := c.S
			s.Loop, s.Submission = c.Parts.Loop, c.Parts.Submission
			s.Goroutines = &newG{s.Goroutines, c}
			s.Threads = &newThread{s.Threads, c}
			s.Maxmcount.Set(10_000)
			s.Mcpumax.Set(procs)
			c.Forgotten = c.forgotten
			c.Free("s.Lock", &s.Lock.Mutex)
			play(c)
			s.Mnext.Set(int64(len(c.ms)))
			s.Mcpu.Set(int32(len(c.ms)))
			c.Check(c.allCounted)
		})
	}
}

// runs adds an M that runs a new G with these steps, and then what it finds.
func (c *crew) runs(steps ...check.Step) *gmp.G {
	gp := c.Loops(steps...)
	c.ms, c.gs = append(c.ms, gp.M.Get()), append(c.gs, gp)
	return gp
}

// waits adds a G that waits, and does these steps when it was made ready.
func (c *crew) waits(steps ...check.Step) *gmp.G {
	gp := c.Parked(steps...)
	c.gs = append(c.gs, gp)
	return gp
}

// readies lets a G make another one ready.
func (c *crew) readies(other *gmp.G) check.Step {
	return func(mp *gmp.M, gp *gmp.G) { c.S.Ready(mp, other, false) }
}

// readiesAndStays lets a G make another one ready, and keep its M until that one runs: so
// another M must come.
func (c *crew) readiesAndStays() check.Step {
	var came machine.Note
	other := c.waits(func(mp *gmp.M, gp *gmp.G) { came.Wakeup() })
	return func(mp *gmp.M, gp *gmp.G) {
		c.S.Ready(mp, other, false)
		came.Sleep()
	}
}

// spawns lets a G execute a go statement.
func (c *crew) spawns(mp *gmp.M, gp *gmp.G) { c.S.Newproc(mp, 64) }

// yields lets a G call Gosched.
func (c *crew) yields(mp *gmp.M, gp *gmp.G) { c.S.GoschedImpl(mp, gp, false) }

// forgotten says where gp is, if it is runnable, and why nobody runs it.
func (c *crew) forgotten(gp *gmp.G) string {
	s, name := c.S, check.Name(gp)
	if gp.Atomicstatus.Load() != gmp.Grunnable {
		return "" // it stays on its M until the one that is forgotten runs
	}
	for _, mp := range c.ms {
		if mp.Nextg.Get() == gp {
			return fmt.Sprintf("%s was given %s, by Nextg, and sleeps: it was not woken", check.MName(mp), name)
		}
	}
	queue := s.Runq.Get()
	for g := queue.Pop(); g != gp; g = queue.Pop() {
		if g == nil {
			return fmt.Sprintf("%s is runnable, but on no queue and given to no M: it is lost", name)
		}
	}
	return fmt.Sprintf("%s is queued, %s, and %s: no M comes for %s", name, c.idle(), c.room(), name)
}

// idle says which Ms are idle: "M2 and M0 are idle".
func (c *crew) idle() string {
	var names []string
	for mp := c.S.Midle.Get(); mp != nil && len(names) < 10; mp = mp.Schedlink.Get() {
		names = append(names, check.MName(mp))
	}
	switch len(names) {
	case 0:
		return "no M is idle"
	case 1:
		return names[0] + " is idle"
	}
	return strings.Join(names, " and ") + " are idle"
}

// room compares how many run with how many may.
func (c *crew) room() string {
	n, limit := c.S.Mcpu.Get(), c.S.Mcpumax.Get()
	if n < limit {
		return fmt.Sprintf("Mcpu (%d) is below Mcpumax (%d)", n, limit)
	}
	return fmt.Sprintf("Mcpu says that %d Ms run, as many as may, although none does", n)
}

// allCounted checks, when there is nothing left to do, that everybody is idle and counts so.
func (c *crew) allCounted() {
	s := c.S
	for _, gp := range c.gs {
		if !c.Ended(gp) {
			return // that is worse, and was said
		}
	}
	if n := s.Mcpu.Get(); n != 0 {
		c.Errorf("all Gs have ended and all Ms sleep, but Mcpu is %d; want 0: from now on the number of Ms that may run is off by as many", n)
	}
	if n := s.Nmidle.Get(); int(n) != len(c.ms) {
		c.Errorf("all Gs have ended, and of %d Ms %d count as idle, in s.Nmidle", len(c.ms), n)
	}
}

// everyOrder lets two Ms make a G ready each, while a third one lies down.
func everyOrder(c *crew) {
	c.runs(c.readiesAndStays())
	c.runs(c.readiesAndStays())
	c.runs()
}

// oneRule lets somebody look, whenever s.Lock is free, whether the rule holds, while an M
// submits two Gs.
func oneRule(c *crew) {
	s := c.S
	c.runs(c.readies(c.waits()), c.spawns)
	c.Thread("somebody", func() {
		s.Lock.Lock()
		if gp := s.Runq.Get().Head; gp != nil && s.Mcpu.Get() < s.Mcpumax.Get() {
			c.Errorf("s.Lock is free, %s is queued, and %s: the next M to take the lock finds the rule broken; a G may wait in the queue only while as many Ms run as may", check.Name(gp), c.room())
			c.FailNow()
		}
		s.Lock.Unlock()
	})
}

// yieldRace lets a G yield while another M asks for one: it may take it at once, run it to
// its end and use it up.
func yieldRace(c *crew) {
	c.runs(c.yields)
	c.runs()
}

// newG makes Gs of the model.
type newG struct {
	gmp.Goroutines
	c *crew
}

func (p *newG) Newproc1(mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
	gp := p.c.Runnable()
	p.c.gs = append(p.c.gs, gp)
	return gp
}

// newThread makes new Ms threads of the model.
type newThread struct {
	gmp.Threads
	c *crew
}

func (p *newThread) Newm(mp *gmp.M, fn func(mp *gmp.M), pp *gmp.P, id int64) {
	if limit := int(p.c.S.Mcpumax.Get()); len(p.c.ms) >= limit {
		p.c.Errorf("%s starts M%d, although %d Ms may run and as many do: one of them has let go of its G, and while s.Lock is free it is no longer counted in Mcpu and not yet on the list of idle Ms", check.MName(mp), id, limit)
		p.c.FailNow()
	}
	newm := &gmp.M{ID: id, Thread: p.c.S.Machine.NewThread()}
	p.c.ms = append(p.c.ms, newm)
	machine.Newosproc(check.MName(newm), func() {
		if fn != nil {
			fn(newm)
		}
		p.c.Run(newm)
	})
}

// newm lets an M start another one, which begins at once: in whatever order the two go on,
// it finds all that was left with it.
func newm(t *check.T) {
	t.Crew(explore.Options{}, func(c *check.Crew) {
		var did []string
		s, pp := c.S, gmp.NewP(3, 2)
		s.Loop = &beginner{s.Loop, &did}
		s.Procs = &takenP{s.Procs, &did}
		fn := func(mp *gmp.M) { did = append(did, "fn of "+check.MName(mp)) }
		c.Go(func(mp *gmp.M, gp *gmp.G) { s.Newm(mp, fn, pp, 7) })
		c.Check(func() {
			const want = "fn of M7, Acquirep of M7 and P3, Schedule of M7"
			if got := strings.Join(did, ", "); got != want {
				c.Errorf("after Newm(fn, P3, id 7) the new M does this: %s; want %s", orNothing(got), want)
			}
		})
	})
}

func orNothing(did string) string {
	if did == "" {
		return "nothing"
	}
	return did
}

// A beginner is a Loop for Ms that shall end when they have begun.
type beginner struct {
	gmp.Loop
	did *[]string
}

func (b *beginner) Schedule(mp *gmp.M) {
	if mp.ID == 7 {
		mp.Gone = true
		*b.did = append(*b.did, "Schedule of "+check.MName(mp))
	}
}

// A takenP stands in for the Procs, which Go 1.0 does not have.
type takenP struct {
	gmp.Procs
	did *[]string
}

func (p *takenP) Acquirep(mp *gmp.M, pp *gmp.P) {
	*p.did = append(*p.did, fmt.Sprintf("Acquirep of %s and %s", check.MName(mp), check.PName(pp)))
}
