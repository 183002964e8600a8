package ch09

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// The size of the stress: so many thieves and Gs, with rings that are short at first.
const (
	stressThieves = 3
	stressGs      = 15_000
	stressRounds  = 4
)

// stress lets real threads steal from one that makes Gs, and from each other, and counts
// how often each G comes out.
func stress(t *check.T) {
	for round := range stressRounds {
		n := []int{4, gmp.RunqLen}[round%2]
		r := newRiot(t, n, uint64(round))
		r.run()
		for i, times := range r.sum() {
			if times != 1 {
				t.Fatalf("%d threads steal from one with a ring of %d: of %d Gs, G%d came out %d times; want once. Here nobody can say how: run the models", stressThieves, n, stressGs, i+1, times)
			}
		}
	}
}

// A riot is one round: an owner, which is M0 on P0, and thieves.
type riot struct {
	s     *gmp.Sched
	ms    []*gmp.M
	over  machine.Bool // the owner will put no more
	taken [][]int      // by M
	wrong []any        // what each of them panicked with
}

func newRiot(t *check.T, n int, seed uint64) *riot {
	r := &riot{s: t.Bare(nil)}
	r.s.Gomaxprocs = stressThieves + 1
	r.s.Timers = gmp.None.Timers(r.s)
	for i := range stressThieves + 1 {
		pp := gmp.NewP(int32(i), n)
		pp.Status.Store(gmp.Prunning)
		mp := &gmp.M{ID: int64(i), Fastrand: seed + uint64(i), P: pp}
		pp.M = mp
		r.s.Allp = append(r.s.Allp, pp)
		r.ms = append(r.ms, mp)
		r.taken = append(r.taken, make([]int, stressGs))
	}
	r.wrong = make([]any, len(r.ms))
	return r
}

// run returns when all threads have ended. A panic of one of them goes on here.
func (r *riot) run() {
	ended := make([]machine.Note, len(r.ms))
	for _, mp := range r.ms[1:] {
		machine.Newosproc("thief", func() {
			defer ended[mp.ID].Wakeup()
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

// owner puts all Gs, some of them next, and takes some.
func (r *riot) owner(mp *gmp.M) {
	for i := range stressGs {
		r.s.Runqput(mp.P, newG(int64(i)+1), i%3 == 0)
		if i%5 == 0 {
			r.take(mp)
		}
	}
}

// thief steals and runs what it has stolen, until there is no more to come.
func (r *riot) thief(mp *gmp.M) {
	for last := false; !last; {
		last = r.over.Load()
		for {
			gp, _, _, _, _ := r.s.StealWork(mp, 1)
			if gp == nil {
				break
			}
			r.note(mp, gp)
			for r.take(mp) {
			}
		}
	}
}

// take lets mp take a G of its own, and reports whether there was one.
func (r *riot) take(mp *gmp.M) bool {
	gp, _ := r.s.Runqget(mp.P)
	if gp == nil {
		return false
	}
	r.note(mp, gp)
	return true
}

// note notes that mp has taken gp, and does with it what its owner may.
func (r *riot) note(mp *gmp.M, gp *gmp.G) {
	gp.Schedlink.Set(nil)
	r.taken[mp.ID][gp.Goid-1]++
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
	sum := make([]int, stressGs)
	for _, taken := range r.taken {
		for i, times := range taken {
			sum[i] += times
		}
	}
	return sum
}
