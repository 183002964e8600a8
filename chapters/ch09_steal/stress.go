package ch09

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// The size of the stress: so many thieves, and how often the ring of their victim is filled.
const (
	stressThieves = 3
	stressFills   = 60
)

// stress lets real threads steal from one that makes Gs, and from each other, and counts
// how often each G comes out.
func stress(t *check.T) {
	for round, n := range []int{16, gmp.RunqLen} {
		r := newRiot(t, n, uint64(round))
		r.run()
		for _, times := range r.sum() {
			if times != 1 {
				t.Fatalf("%d threads steal from one with a ring of %d, and from each other: of %d Gs, one came out %d times; want each once. Here nobody can say how: run the models", stressThieves, n, len(r.taken[0]), times)
			}
		}
	}
}

// A riot is one round: an owner, which is M0 on P0, and thieves.
type riot struct {
	s       *gmp.Sched
	ms      []*gmp.M
	over    machine.Bool  // the owner will put no more
	thieves machine.Int32 // that are at work
	taken   [][]int       // by M
	wrong   []any         // what each of them panicked with
}

func newRiot(t *check.T, n int, seed uint64) *riot {
	r := &riot{s: t.Bare(nil)}
	r.s.Gomaxprocs.Set(stressThieves + 1)
	r.s.Timers = gmp.None.Timers(r.s)
	for i := range stressThieves + 1 {
		pp := gmp.NewP(int32(i), n)
		mp := &gmp.M{ID: int64(i), Fastrand: machine.CellOf(seed + uint64(i))}
		check.Holding(mp, pp)
		r.s.Allp.Set(append(r.s.Allp.Get(), pp))
		r.ms = append(r.ms, mp)
		r.taken = append(r.taken, make([]int, stressFills*n))
	}
	r.wrong = make([]any, len(r.ms))
	return r
}

// run returns when all threads have ended. A panic of one of them goes on here.
func (r *riot) run() {
	ended := make([]machine.Note, len(r.ms))
	r.thieves.Store(stressThieves)
	for _, mp := range r.ms[1:] {
		machine.Newosproc("thief", func() {
			defer ended[mp.ID].Wakeup()
			defer r.thieves.Add(-1)
			r.guard(mp, r.thief)
		})
	}
	r.guard(r.ms[0], r.owner)
	r.over.Store(true)
	for i := range ended[1:] {
		ended[i+1].Sleep()
	}
	for _, v := range r.wrong {
		if v != nil {
			panic(v)
		}
	}
	r.rest()
}

func (r *riot) guard(mp *gmp.M, fn func(mp *gmp.M)) {
	defer func() { r.wrong[mp.ID] = recover() }()
	fn(mp)
}

// owner fills its ring, some Gs next, and takes some of them; the others it leaves to the
// thieves, as long as there are any, and fills it again when they have all.
func (r *riot) owner(mp *gmp.M) {
	for i := range r.taken[0] {
		for i%len(mp.P.Get().Runq) == 0 && r.thieves.Load() > 0 && !r.s.Runqempty(mp.P.Get()) {
			machine.Osyield()
		}
		gp := &gmp.G{Goid: machine.CellOf(int64(i) + 1)}
		gp.Atomicstatus.Store(gmp.Grunnable)
		r.s.Runqput(mp.P.Get(), gp, i%9 == 0)
		if i%5 == 0 {
			r.take(mp)
		}
	}
}

// thief steals and runs what it has stolen, until there is no more to come.
func (r *riot) thief(mp *gmp.M) {
	for last := false; !last; machine.Osyield() {
		last = r.over.Load()
		for r.steal(mp) {
			for r.take(mp) {
			}
		}
	}
}

// steal lets mp steal, and reports whether it has got a G.
func (r *riot) steal(mp *gmp.M) bool {
	gp, _, _, _, _ := r.s.StealWork(mp, 1)
	if gp == nil {
		return false
	}
	r.note(mp, gp)
	return true
}

// take lets mp take a G of its own, and reports whether there was one.
func (r *riot) take(mp *gmp.M) bool {
	gp, _ := r.s.Runqget(mp.P.Get())
	if gp == nil {
		return false
	}
	r.note(mp, gp)
	return true
}

// note notes that mp has taken gp, and does with it what its owner may.
func (r *riot) note(mp *gmp.M, gp *gmp.G) {
	gp.Schedlink.Set(nil)
	r.taken[mp.ID][gp.Goid.Get()-1]++
}

// rest takes what nobody has taken.
func (r *riot) rest() {
	for _, mp := range r.ms {
		for r.take(mp) {
		}
	}
	for gp := r.s.Runq.Pop(); gp != nil; gp = r.s.Runq.Pop() {
		r.note(r.ms[0], gp)
	}
}

// sum is how often each G was taken.
func (r *riot) sum() []int {
	sum := make([]int, len(r.taken[0]))
	for _, taken := range r.taken {
		for i, times := range taken {
			sum[i] += times
		}
	}
	return sum
}
