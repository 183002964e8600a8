package ch03

import "slices"

// ends are all ways in which a race may end.
type ends struct {
	programs [][]step
	right    map[string]bool // as end says them
	wait     []bool          // which Gs may wait then
}

// ends does the steps in all orders, one after the other, on a channel without a
// scheduler.
func (r race) ends() ends {
	n := r.gs()
	e := ends{r.programs(), map[string]bool{}, make([]bool, n)}
	at := position{model{cap: r.size, buf: r.holds}, make([]int, n), make([]bool, n), make([][]string, n)}
	for g := range r.asleep {
		at = e.after(at, g)
	}
	e.from(at)
	return e
}

// A position is where things stand after some steps.
type position struct {
	m       model
	next    []int // of each G, its next step
	waiting []bool
	said    [][]string
}

// from goes through all orders of the steps that are left.
func (e ends) from(at position) {
	last := true
	for g, program := range e.programs {
		if !at.waiting[g] && at.next[g] < len(program) {
			last = false
			e.from(e.after(at, g))
		}
	}
	if !last {
		return
	}
	e.right[end(at.said, func(i int) bool { return at.waiting[i] }, at.m.buf, at.m.closed)] = true
	for g, waiting := range at.waiting {
		e.wait[g] = e.wait[g] || waiting
	}
}

// after is where things stand when the G of index g has done its next step.
func (e ends) after(at position, g int) position {
	at.m.buf, at.m.recvq, at.m.sendq = slices.Clone(at.m.buf), slices.Clone(at.m.recvq), slices.Clone(at.m.sendq)
	at.next, at.waiting, at.said = slices.Clone(at.next), slices.Clone(at.waiting), slices.Clone(at.said)
	say := func(g int, how string) { at.said[g] = append(slices.Clone(at.said[g]), how) }
	own, woken := at.m.do(e.programs[g][at.next[g]])
	at.next[g]++
	if at.waiting[g] = own == waits; !at.waiting[g] {
		say(g, own)
	}
	for _, w := range woken {
		at.waiting[w.g-1] = false
		say(w.g-1, w.how)
	}
	return at
}
