package check

import (
	"fmt"

	"gosched/chapters/gmp"
	"gosched/chapters/machine/explore"
)

// This file is what suites share that make models of a bare scheduler, in which Ms hand Ps to
// each other and find their Gs themselves. Each stand-in takes as few steps as it can: every
// step makes more orders, and a report longer.

// Races are the models of a chapter by the names of their checks. Each makes its model anew, with
// a scheduler of its own.
type Races map[string]func(m *explore.Model, s *gmp.Sched)

// Check is what the check runs that explores the model of that name. It panics if there is
// none.
func (r Races) Check(name string) func(t *T) {
	play := r[name]
	if play == nil {
		panic("there is no model " + name)
	}
	return func(t *T) {
		t.Helper()
		t.Explore(explore.Options{}, func(m *explore.Model) { play(m, t.Bare(m)) })
	}
}

// Show is how Gs, Ms and Ps stand in the report of a model, and "" for all else.
func Show(v any) string {
	switch v := v.(type) {
	case *gmp.G:
		return Name(v)
	case *gmp.M:
		return MName(v)
	case *gmp.P:
		return PName(v)
	}
	return ""
}

// MakePs gives s so many Ps, with room for n Gs each. No M has them, and none is idle yet.
func MakePs(s *gmp.Sched, procs int32, n int) {
	s.Gomaxprocs.Set(procs)
	for id := range procs {
		s.Allp.Set(append(s.Allp.Get(), gmp.NewP(id, n)))
	}
}

// PutIdle puts pp on the list of idle Ps. s.Lock is held, or the model has not begun.
func PutIdle(s *gmp.Sched, pp *gmp.P) {
	pp.Link.Set(s.Pidle.Get())
	s.Pidle.Set(pp)
	s.Npidle.Add(1)
}

// TakeIdle takes a P off the list of idle ones, nil if there is none. s.Lock is held.
func TakeIdle(s *gmp.Sched) *gmp.P {
	pp := s.Pidle.Get()
	if pp != nil {
		s.Pidle.Set(pp.Link.Get())
		pp.Link.Set(nil)
		s.Npidle.Add(-1)
	}
	return pp
}

// Lives are what the Gs of a model do when they run.
type Lives map[*gmp.G]func(mp *gmp.M)

// New makes a G of s in state st, which does what do says.
func (l Lives) New(s *gmp.Sched, st uint32, do func(mp *gmp.M)) *gmp.G {
	gp := gmp.NewG(int64(len(l) + 1))
	gp.Atomicstatus.Store(st)
	s.Allgadd(gp)
	l[gp] = do
	return gp
}

// Run lets mp run its G to the end.
func (l Lives) Run(s *gmp.Sched, mp *gmp.M) {
	gp := mp.Curg.Get()
	l[gp](mp)
	s.Dropg(mp)
	s.Casgstatus(gp, gmp.Grunning, gmp.Gdead)
}

// Beside says, at the end of a model, which Ps a G waits beside that no M runs.
func Beside(s *gmp.Sched) string {
	switch n := s.Npidle.Load(); n {
	case 0:
		return "and no P is idle"
	case 1:
		return "beside an idle P"
	default:
		return fmt.Sprintf("beside %d idle Ps", n)
	}
}

// Slots is a run queue of which each operation is one step for a slot. A queue of one slot is
// never thought empty when it is not, and with no more than two Gs neither is a longer one.
type Slots struct{ gmp.RunQueue }

// Runqput puts gp into the first free slot of pp.
func (Slots) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	for i := range pp.Runq {
		if pp.Runq[i].CompareAndSwap(nil, gp) {
			return
		}
	}
	panic("a model queues more Gs on a P than it has room for")
}

// Runqputbatch takes none: all are left for the global queue.
func (Slots) Runqputbatch(pp *gmp.P, q gmp.GQueue) gmp.GQueue { return q }

// Runqget takes a G from pp's queue.
func (Slots) Runqget(pp *gmp.P) (gp *gmp.G, inheritTime bool) { return TakeSlot(pp), false }

// Runqsteal takes a G from p2's queue.
func (Slots) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G { return TakeSlot(p2) }

// Runqempty reports whether all slots of pp are free.
func (Slots) Runqempty(pp *gmp.P) bool {
	for i := range pp.Runq {
		if pp.Runq[i].Load() != nil {
			return false
		}
	}
	return true
}

// TakeSlot takes a G from a queue of Slots, nil if there is none. Any M may.
func TakeSlot(pp *gmp.P) *gmp.G {
	for i := range pp.Runq {
		if gp := pp.Runq[i].Load(); gp != nil && pp.Runq[i].CompareAndSwap(gp, nil) {
			return gp
		}
	}
	return nil
}
