package ch09

import (
	"fmt"
	"slices"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// The size of the stress: so many thieves, and how often the ring of their victim is filled.
const (
	stressThieves = 3
	stressFills   = 60
)

// patience is how often a thief may ask in vain while its victim has Gs and nobody takes
// any. A right one is in vain at most once or twice: somebody else has just taken some.
const patience = 1000

// stress lets real threads steal from one that makes Gs, and from each other, and counts
// how often each G comes out. What goes wrong with one thread alone is said first.
func stress(t *check.T) {
	rehearse(t)
	for round, n := range []int{16, gmp.RunqLen} {
		r := newRiot(t, n, uint64(round))
		r.run()
		scene := fmt.Sprintf("%d threads steal from M0, which fills its ring of %d slots again and again, and from each other", stressThieves, n)
		if r.vain.Load() {
			t.Fatalf("%s: one of them has called StealWork %d times in a row and got nothing, although M0 had Gs in its queue and no other M took any", scene, patience)
		}
		for i, times := range r.sum() {
			if times != 1 {
				r.tell(t, i)
				t.Fatalf("%s: of %d Gs one came out %s; want each once. A single thief makes no mistake; the evidence says which M took that G, and what that M took before it", scene, len(r.takes[0]), many(times))
			}
		}
	}
}

// many is how often, for a number that may be 0.
func many(n int) string {
	if n == 0 {
		return "never"
	}
	return check.Times(n)
}

// rehearse lets one thief steal all that a P has, on one thread.
func rehearse(t *check.T) {
	r := newRound(t, stressThieves+1, 1, 1)
	r.really()
	victim := r.s.Allp.Get()[0]
	var gs, out []*gmp.G
	for i := range len(victim.Runq) + 1 {
		gp := r.newG()
		gs = append(gs, gp)
		r.s.Runqput(victim, gp, i == len(victim.Runq))
	}
	for range gs {
		if l := r.steal(1); l.gp != nil {
			out = append(out, l.gp)
		}
		out = append(out, r.rest(r.mp.P.Get())...)
	}
	slices.SortStableFunc(out, func(a, b *gmp.G) int { return int(a.Goid.Get() - b.Goid.Get()) })
	if !slices.Equal(out, gs) {
		t.Fatalf("before other threads are started: P0 has %s, the last of them in Runnext; one thief calls StealWork %d times, and runs everything that it gets: that is %s; want each once. In the last call it asked %s",
			check.Names(gs), len(gs), check.Names(out), r.order(r.asked()))
	}
}

// A riot is one round: an owner, which is M0 on P0, and thieves.
type riot struct {
	s       *gmp.Sched
	ms      []*gmp.M
	over    machine.Bool  // the owner will put no more
	vain    machine.Bool  // a thief has lost its patience, and all give up
	came    machine.Int64 // how many Gs were taken
	thieves machine.Int32 // that are at work
	takes   [][]int       // by M, and by G: how often it was taken
	order   [][]int64     // by M: the Goids of those that it took
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
		r.takes = append(r.takes, make([]int, stressFills*n))
	}
	r.order = make([][]int64, len(r.ms))
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
	for i := range r.takes[0] {
		for i%len(mp.P.Get().Runq) == 0 && r.thieves.Load() > 0 && !r.s.Runqempty(mp.P.Get()) {
			machine.Osyield()
		}
		if r.vain.Load() {
			return
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
	inVain, came := 0, int64(0)
	for last := false; !last && !r.vain.Load(); machine.Osyield() {
		last = r.over.Load()
		for r.steal(mp) {
			for r.take(mp) {
			}
		}
		if now := r.came.Load(); now != came || r.s.Runqempty(r.s.Allp.Get()[0]) {
			inVain, came = 0, now
		} else if inVain++; inVain > patience {
			r.vain.Store(true)
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
	r.takes[mp.ID][gp.Goid.Get()-1]++
	r.order[mp.ID] = append(r.order[mp.ID], gp.Goid.Get())
	r.came.Add(1)
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
	sum := make([]int, len(r.takes[0]))
	for _, takes := range r.takes {
		for i, times := range takes {
			sum[i] += times
		}
	}
	return sum
}

// tell notes who took a G, and what that M took before it.
func (r *riot) tell(t *check.T, i int) {
	const before = 4
	goid := int64(i) + 1
	for id, order := range r.order {
		for at, taken := range order {
			if taken == goid {
				t.Logf("M%d took G%d; that and what it took before, by their numbers: %v", id, goid, order[max(0, at-before):at+1])
			}
		}
	}
}
