package ch04

import (
	"math/rand/v2"
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// waitqOneWinner lets one select stand on two queues, before and behind others.
func waitqOneWinner(t *check.T) {
	w := newWorld(t)
	plain, sel := w.newG(), w.newG()
	var q1, q2 gmp.Waitq
	first, second := &gmp.Sudog{G: machine.CellOf(sel), IsSelect: machine.CellOf[bool](true)}, &gmp.Sudog{G: machine.CellOf(sel), IsSelect: machine.CellOf[bool](true), Case: machine.CellOf[int](1)}
	behind := &gmp.Sudog{G: machine.CellOf(plain)}
	w.s.Enqueue(&q1, first)
	w.s.Enqueue(&q2, second)
	w.s.Enqueue(&q2, behind)
	if got := w.s.Dequeue(&q1); got != first {
		t.Fatalf("G%d waits in a select on two queues; Dequeue of the first queue did not return its sudog there", sel.Goid.Get())
	}
	if sel.SelectDone.Load() != 1 {
		t.Errorf("Dequeue took a select's case, and SelectDone of its G is %d; want 1, so that no other case is taken", sel.SelectDone.Load())
	}
	switch got := w.s.Dequeue(&q2); got {
	case second:
		t.Errorf("two cases of one select were taken: Dequeue of the second queue returned a sudog whose select already had a winner")
	case nil:
		t.Errorf("Dequeue of the second queue returned nil; want G%d, which waits there behind a select that has a winner", plain.Goid.Get())
	case behind:
	default:
		t.Errorf("Dequeue returned a sudog that was never there")
	}
	if second.Next.Get() != nil || second.Prev.Get() != nil {
		t.Errorf("a sudog that was passed over has left the queue, but still has a link")
	}
	if q2.First.Get() != nil || q2.Last.Get() != nil {
		t.Errorf("the second queue should be empty: one was passed over, one was taken")
	}
	if w.s.Dequeue(&q2) != nil {
		t.Errorf("Dequeue of an empty queue returned a sudog")
	}
}

// waitqPlain lets Gs wait that are in no select: SelectDone is none of their
// business.
func waitqPlain(t *check.T) {
	w := newWorld(t)
	gp := w.newG()
	gp.SelectDone.Store(1)
	var q gmp.Waitq
	a, b := &gmp.Sudog{G: machine.CellOf(gp)}, &gmp.Sudog{G: machine.CellOf(w.newG())}
	w.s.Enqueue(&q, a)
	w.s.Enqueue(&q, b)
	if w.s.Dequeue(&q) != a || w.s.Dequeue(&q) != b {
		t.Errorf("two Gs wait, in no select; Dequeue did not return them in the order in which they came")
	}
	if b.G.Get().SelectDone.Load() != 0 {
		t.Errorf("Dequeue of a G that is in no select has set its SelectDone")
	}
}

// A bench is two queues with those who should be on them.
type bench struct {
	t    *check.T
	w    *world
	q    [2]gmp.Waitq
	want [2][]*gmp.Sudog
	won  map[*gmp.G]bool // selects that have a winner
}

// waitqLinks plays with two queues at random, on which plain waiters and selects stand.
func waitqLinks(t *check.T) {
	b := &bench{t: t, w: newWorld(t), won: map[*gmp.G]bool{}}
	rnd := rand.New(rand.NewPCG(4, t.Seed(1)))
	var all [2][]*gmp.Sudog
	sit := func(i int, gp *gmp.G, sel bool) {
		sg := &gmp.Sudog{G: machine.CellOf(gp), IsSelect: machine.CellOf(sel)}
		before := b.names(i)
		b.w.s.Enqueue(&b.q[i], sg)
		b.want[i], all[i] = append(b.want[i], sg), append(all[i], sg)
		b.look(i, "Enqueue of "+check.Name(gp), before)
	}
	goid := int64(0)
	for range 400 {
		i := rnd.IntN(2)
		gp := &gmp.G{Goid: machine.CellOf(goid + 1)}
		switch op := rnd.IntN(6); {
		case op == 0:
			goid++
			sit(0, gp, true)
			sit(1, gp, true)
		case op < 3:
			goid++
			sit(i, gp, false)
		case op < 5 || len(all[i]) == 0:
			b.dequeue(i)
		default: // one of the last, which may have left
			sg := all[i][max(0, len(all[i])-8)+rnd.IntN(min(8, len(all[i])))]
			before := b.names(i)
			b.w.s.DequeueSudoG(&b.q[i], sg)
			b.want[i] = slices.DeleteFunc(b.want[i], func(other *gmp.Sudog) bool { return other == sg })
			b.look(i, "DequeueSudoG of "+check.Name(sg.G.Get()), before)
			b.blank(sg)
		}
	}
}

// dequeue takes the first who can be had.
func (b *bench) dequeue(i int) {
	b.t.Helper()
	before, want := b.names(i), (*gmp.Sudog)(nil)
	for want == nil && len(b.want[i]) > 0 {
		sg := b.want[i][0]
		b.want[i] = b.want[i][1:]
		if !sg.IsSelect.Get() || !b.won[sg.G.Get()] {
			want = sg
			b.won[sg.G.Get()] = true
		}
	}
	got := b.w.s.Dequeue(&b.q[i])
	if got != want {
		b.t.Fatalf("the queue holds %s; Dequeue returns %s; want %s, the first that is in no select or whose select has no winner", before, holder(got), holder(want))
	}
	if got != nil {
		b.blank(got)
	}
	b.look(i, "Dequeue", before)
}

func holder(sg *gmp.Sudog) string {
	if sg == nil {
		return "nil"
	}
	return "the sudog of " + check.Name(sg.G.Get())
}

// names are those who should be on queue i.
func (b *bench) names(i int) string {
	var names []string
	for _, sg := range b.want[i] {
		name := check.Name(sg.G.Get())
		if sg.IsSelect.Get() && b.won[sg.G.Get()] {
			name += " (a select with a winner)"
		} else if sg.IsSelect.Get() {
			name += " (a select)"
		}
		names = append(names, name)
	}
	if names == nil {
		return "no sudog"
	}
	return strings.Join(names, ", ")
}

// blank checks the links of a sudog that has left.
func (b *bench) blank(sg *gmp.Sudog) {
	b.t.Helper()
	if sg.Next.Get() != nil || sg.Prev.Get() != nil {
		b.t.Fatalf("the sudog of %s has left the queue, and its Next is %s, its Prev %s; want nil", check.Name(sg.G.Get()), holder(sg.Next.Get()), holder(sg.Prev.Get()))
	}
}

// look walks queue i both ways.
func (b *bench) look(i int, what, before string) {
	b.t.Helper()
	var there, back []*gmp.Sudog
	for sg := b.q[i].First.Get(); sg != nil && len(there) <= len(b.want[i]); sg = sg.Next.Get() {
		there = append(there, sg)
	}
	for sg := b.q[i].Last.Get(); sg != nil && len(back) <= len(b.want[i]); sg = sg.Prev.Get() {
		back = append(back, sg)
	}
	slices.Reverse(back)
	if !slices.Equal(there, b.want[i]) {
		b.t.Fatalf("the queue held %s; after %s First and the Nexts lead to %s; want %s", before, what, gsOf(there), b.names(i))
	}
	if !slices.Equal(back, b.want[i]) {
		b.t.Fatalf("the queue held %s; after %s Last and the Prevs lead, read backward, to %s; want %s", before, what, gsOf(back), b.names(i))
	}
}

func gsOf(sgs []*gmp.Sudog) string {
	var gs []*gmp.G
	for _, sg := range sgs {
		gs = append(gs, sg.G.Get())
	}
	return check.Names(gs)
}

// visible checks that the models see what the parts share.
func visible(t *check.T) {
	w := newWorld(t)
	w.s.Dequeue(new(gmp.Waitq))
	t.Visible()
}
