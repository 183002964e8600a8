package ch07

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// The size of the stress: so many thieves and Gs in so many rounds, each with a new
// P, the ring of which is short at times.
const (
	stressThieves = 3
	stressGs      = 20_000
	stressRounds  = 6
)

// stress lets real threads work on one P, and counts how often each G comes out.
func stress(t *check.T) {
	for round := range stressRounds {
		n := []int{2, 16, gmp.RunqLen}[round%3]
		r := &riot{s: t.Bare(nil), pp: gmp.NewP(0, n)}
		r.run()
		for i, times := range r.sum() {
			if times != 1 {
				t.Fatalf("with a ring of %d and %d thieves, of %d Gs, G%d came out %d times; want once. This run cannot show how: run the models", n, stressThieves, stressGs, i+1, times)
			}
		}
	}
}

// A riot is one round: an owner and thieves, each on a thread.
type riot struct {
	s     *gmp.Sched
	pp    *gmp.P
	over  machine.Bool // the owner will put no more
	taken [stressThieves + 1][]int
	wrong [stressThieves + 1]any // what each of them panicked with
}

// run returns when all Gs were put and all threads have ended. A panic of one of
// them goes on here.
func (r *riot) run() {
	var ended [stressThieves]machine.Note
	for i := range stressThieves {
		own := gmp.NewP(int32(i)+1, len(r.pp.Runq))
		machine.Newosproc("thief", func() {
			defer ended[i].Wakeup()
			r.guard(i, func() { r.thief(i, own) })
		})
	}
	r.guard(stressThieves, r.owner)
	r.over.Store(true)
	for i := range ended {
		ended[i].Sleep()
	}
	for _, v := range r.wrong {
		if v != nil {
			panic(v)
		}
	}
	r.rest()
}

// guard runs thread i.
func (r *riot) guard(i int, fn func()) {
	r.taken[i] = make([]int, stressGs)
	defer func() { r.wrong[i] = recover() }()
	fn()
}

// thief steals and runs what it has stolen, until there is no more to come.
func (r *riot) thief(i int, own *gmp.P) {
	for last := false; !last; {
		last = r.over.Load()
		for gp := r.s.Runqsteal(own, r.pp, true); gp != nil; gp, _ = r.s.Runqget(own) {
			r.take(i, gp)
		}
	}
}

// owner puts all Gs, some of them next, and takes some.
func (r *riot) owner() {
	for i := range stressGs {
		gp := newG(int64(i) + 1)
		r.s.Runqput(r.pp, gp, i%3 == 0)
		if i%5 == 0 {
			if gp, _ := r.s.Runqget(r.pp); gp != nil {
				r.take(stressThieves, gp)
			}
		}
		if i%1000 == 999 {
			q := r.s.Runqdrain(r.pp)
			r.takeAll(listed(&q))
		}
	}
}

// rest takes what nobody has taken.
func (r *riot) rest() {
	q := r.s.Runqdrain(r.pp)
	r.takeAll(listed(&q))
	for gs := listed(&r.s.Runq); len(gs) > 0; gs = listed(&r.s.Runq) {
		r.takeAll(gs)
	}
}

// take notes that i has taken gp, and does with it what an owner may.
func (r *riot) take(i int, gp *gmp.G) {
	gp.Schedlink.Set(nil)
	r.taken[i][gp.Goid.Get()-1]++
}

func (r *riot) takeAll(gs []*gmp.G) {
	for _, gp := range gs {
		r.take(stressThieves, gp)
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

// visible checks that the explorer sees what the threads of the part share. It looks at
// the source in the folder of the test that runs.
func visible(t *check.T) {
	s := t.Bare(nil)
	s.Runqput(gmp.NewP(0, 2), newG(1), false)
	t.Visible()
}
