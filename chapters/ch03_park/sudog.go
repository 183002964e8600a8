package ch03

import (
	"math/rand/v2"
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// sudogClean checks that a sudog is blank whenever it is handed out, that no two have it
// at a time, and that released ones are used again. How many are made ahead is the part's
// own affair.
func sudogClean(t *check.T) {
	const rounds, inUse = 200, 3
	w := newWorld(t)
	gp := w.newG()
	first := map[*gmp.Sudog]int{} // the round of its first use
	for round := range rounds {
		var all []*gmp.Sudog
		for range inUse {
			sg := w.s.AcquireSudog(w.mp)
			switch {
			case sg == nil:
				t.Fatalf("AcquireSudog returned nil; want a new sudog when none is free")
			case slices.Contains(all, sg):
				t.Fatalf("AcquireSudog returned a sudog that is already in use; two Gs would write to it")
			case !sg.Blank():
				t.Fatalf("AcquireSudog returned a sudog with %s set, left over from its last use", strings.Join(dirty(sg), ", "))
			}
			all = append(all, sg)
			if _, known := first[sg]; !known {
				first[sg] = round
			}
			if first[sg] > rounds/2 {
				t.Fatalf("%d times, %d sudogs were acquired and released; AcquireSudog has made %d so far, and still makes new ones; want it to return the released ones", round, inUse, len(first))
			}
			// What an operation leaves behind.
			sg.G.Set(gp)
			sg.Success.Set(true)
			sg.Case.Set(2)
			sg.Ticket.Set(3)
			sg.Waiters.Set(4)
			sg.Acquire.Set(5)
			sg.Parent.Set(all[0])
			sg.Waittail.Set(all[0])
		}
		for _, sg := range all {
			w.s.ReleaseSudog(w.mp, sg)
		}
	}
}

// dirty names the fields of sg that are set.
func dirty(sg *gmp.Sudog) []string {
	var names []string
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"G", sg.G.Get() != nil}, {"Next", sg.Next.Get() != nil}, {"Prev", sg.Prev.Get() != nil}, {"Elem", sg.Elem.Get() != 0},
		{"C", sg.C.Get() != nil}, {"IsSelect", sg.IsSelect.Get()}, {"Success", sg.Success.Get()}, {"Case", sg.Case.Get() != 0},
		{"Waitlink", sg.Waitlink.Get() != nil}, {"Waittail", sg.Waittail.Get() != nil}, {"Parent", sg.Parent.Get() != nil},
		{"Ticket", sg.Ticket.Get() != 0}, {"Waiters", sg.Waiters.Get() != 0}, {"Acquire", sg.Acquire.Get() != 0},
	} {
		if f.set {
			names = append(names, f.name)
		}
	}
	return names
}

// sudogThrows checks that a sudog that is in use cannot be given back.
func sudogThrows(t *check.T) {
	for _, c := range []struct {
		field string
		set   func(sg *gmp.Sudog)
		want  string
	}{
		{"Elem", func(sg *gmp.Sudog) { sg.Elem.Set(0x4000) }, "runtime: sudog with non-nil elem"},
		{"IsSelect", func(sg *gmp.Sudog) { sg.IsSelect.Set(true) }, "runtime: sudog with non-false isSelect"},
		{"Next", func(sg *gmp.Sudog) { sg.Next.Set(new(gmp.Sudog)) }, "runtime: sudog with non-nil next"},
		{"Prev", func(sg *gmp.Sudog) { sg.Prev.Set(new(gmp.Sudog)) }, "runtime: sudog with non-nil prev"},
		{"Waitlink", func(sg *gmp.Sudog) { sg.Waitlink.Set(new(gmp.Sudog)) }, "runtime: sudog with non-nil waitlink"},
		{"C", func(sg *gmp.Sudog) { sg.C.Set(new(gmp.Hchan)) }, "runtime: sudog with non-nil c"},
	} {
		w := newWorld(t)
		sg := new(gmp.Sudog)
		c.set(sg)
		if msg := t.Throws(func() { w.s.ReleaseSudog(w.mp, sg) }); msg != c.want {
			t.Errorf("ReleaseSudog of a sudog with %s set throws %s; want %q", c.field, check.Thrown(msg), c.want)
		}
	}
}

// visible checks that the models see what the part keeps.
func visible(t *check.T) {
	w := newWorld(t)
	w.s.AcquireSudog(w.mp)
	t.Visible()
}

// A line is a Waitq with the Gs that should be on it.
type line struct {
	t       *check.T
	w       *world
	q       gmp.Waitq
	gs      int64 // how many Gs it has made
	model   []*gmp.Sudog
	history []string
}

func newLine(t *check.T) *line {
	return &line{t: t, w: newWorld(t)}
}

// sudog makes one for a new G.
func (l *line) sudog() *gmp.Sudog {
	l.gs++
	return &gmp.Sudog{
		G:        machine.CellOf(&gmp.G{Goid: machine.CellOf(l.gs)}),
		Waitlink: machine.CellOf(other), Waittail: machine.CellOf(other), Parent: machine.CellOf(other),
	}
}

// other is what the links of a sudog lead to that are none of a Waitq's.
var other = new(gmp.Sudog)

// untouched checks that those have stayed.
func (l *line) untouched(sg *gmp.Sudog) {
	l.t.Helper()
	if sg.Waitlink.Get() != other || sg.Waittail.Get() != other || sg.Parent.Get() != other {
		l.t.Fatalf("%s has changed the Waitlink, Waittail or Parent of the sudog of %s; these belong to the M that put it on the queue", l.history[len(l.history)-1], check.Name(sg.G.Get()))
	}
}

func (l *line) enqueue(sg *gmp.Sudog) {
	l.t.Helper()
	l.history = append(l.history, "Enqueue("+check.Name(sg.G.Get())+")")
	l.w.s.Enqueue(&l.q, sg)
	l.untouched(sg)
	l.model = append(l.model, sg)
	l.look()
}

func (l *line) dequeue() {
	l.t.Helper()
	l.history = append(l.history, "Dequeue")
	var want *gmp.Sudog
	if len(l.model) > 0 {
		want, l.model = l.model[0], l.model[1:]
	}
	got := l.w.s.Dequeue(&l.q)
	if got != want {
		l.t.Fatalf("after %s: Dequeue returns %s; want %s", strings.Join(l.history[:len(l.history)-1], ", "), sudogName(got), sudogName(want))
	}
	if got != nil {
		l.left(got)
	}
	l.look()
}

// remove takes out sg, which may have left already.
func (l *line) remove(sg *gmp.Sudog) {
	l.t.Helper()
	l.history = append(l.history, "DequeueSudoG("+check.Name(sg.G.Get())+")")
	l.w.s.DequeueSudoG(&l.q, sg)
	if i := slices.Index(l.model, sg); i >= 0 {
		l.model = slices.Delete(l.model, i, i+1)
	}
	l.left(sg)
	l.look()
}

func (l *line) left(sg *gmp.Sudog) {
	l.t.Helper()
	l.untouched(sg)
	if sg.Next.Get() != nil || sg.Prev.Get() != nil {
		l.t.Fatalf("after %s: the sudog of %s has left the queue, and its Next is %s, its Prev %s; want nil", strings.Join(l.history, ", "), check.Name(sg.G.Get()), sudogName(sg.Next.Get()), sudogName(sg.Prev.Get()))
	}
}

// look walks the queue both ways.
func (l *line) look() {
	l.t.Helper()
	var want []*gmp.G
	for _, sg := range l.model {
		want = append(want, sg.G.Get())
	}
	if got := waiters(&l.q); check.Names(got) != check.Names(want) {
		l.t.Fatalf("after %s: First and the Nexts lead to %s; want %s", strings.Join(l.history, ", "), check.Names(got), check.Names(want))
	}
	var back []*gmp.G
	for sg := l.q.Last.Get(); sg != nil && len(back) < 100; sg = sg.Prev.Get() {
		back = append(back, sg.G.Get())
	}
	slices.Reverse(want)
	if check.Names(back) != check.Names(want) {
		l.t.Fatalf("after %s: Last and the Prevs lead to %s; want %s", strings.Join(l.history, ", "), check.Names(back), check.Names(want))
	}
}

func sudogName(sg *gmp.Sudog) string {
	if sg == nil {
		return "nil"
	}
	return "that of " + check.Name(sg.G.Get())
}

// waitqFIFO checks that who came first leaves first, also after the queue has
// been empty.
func waitqFIFO(t *check.T) {
	l := newLine(t)
	l.dequeue()
	for range 2 {
		for range 3 {
			l.enqueue(l.sudog())
		}
		l.dequeue()
		l.enqueue(l.sudog())
		for range 4 {
			l.dequeue()
		}
	}
}

// waitqMiddle checks leaving from each place, and after somebody else was faster.
func waitqMiddle(t *check.T) {
	for n := 1; n <= 4; n++ {
		for i := range n {
			l := newLine(t)
			var sgs []*gmp.Sudog
			for range n {
				sgs = append(sgs, l.sudog())
				l.enqueue(sgs[len(sgs)-1])
			}
			l.remove(sgs[i])
			l.remove(sgs[i]) // it is not there any more
			l.enqueue(l.sudog())
		}
	}
	// The only one has just been dequeued by a waker.
	l := newLine(t)
	sg := l.sudog()
	l.enqueue(sg)
	l.dequeue()
	l.remove(sg)
	other := l.sudog()
	l.enqueue(other)
	l.remove(sg)
	l.dequeue()
}

// waitqLinks runs random sequences, short ones first.
func waitqLinks(t *check.T) {
	w := newWorld(t) // one for all: each has a machine with its memory
	for seed := range 300 {
		rng := rand.New(rand.NewPCG(3, t.Seed(uint64(seed))))
		l := &line{t: t, w: w}
		var all []*gmp.Sudog
		for range 2 + seed/10 {
			switch k := rng.IntN(5); {
			case k < 2:
				sg := l.sudog()
				all = append(all, sg)
				l.enqueue(sg)
			case k < 4:
				l.dequeue()
			case len(all) > 0:
				l.remove(all[rng.IntN(len(all))])
			}
		}
	}
}
