package ch03

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// A race is a model: a channel of elements of 8 bytes, and what some Gs do with it at the
// same time, each on an M of its own. Whatever the interleaving, it must end as if the
// operations had been done one after the other, in some order.
//
// In 0.x there is one M, and an order of statements that is wrong has no one to suffer
// from it; these parts serve later versions, too.
type race struct {
	size   int    // of the buffer
	holds  []int  // what is in it
	asleep []step // the first Gs are in these already, and wait
	steps  []step // of each G, in order
}

// run explores the race with the parts under test.
func (r race) run(t *check.T) { oneOf{r}.run(t) }

// oneOf is a model that is one of some races.
type oneOf []race

// run explores all of them.
func (rs oneOf) run(t *check.T) {
	all := make([]ends, len(rs))
	for i, r := range rs {
		all[i] = r.ends()
	}
	t.Crew(explore.Options{}, func(c *check.Crew) {
		i := c.Choose(len(rs))
		c.Recovers = true
		p := newPlay(c, rs[i])
		for g, gp := range p.gs {
			if all[i].wait[g] {
				c.MayWait(gp)
			}
		}
		c.Free("the channel", &p.c.Lock)
		c.Check(func() { p.judge(all[i]) })
	})
}

// A play is an execution of a race.
type play struct {
	*check.Crew
	c    *gmp.Hchan
	gs   []*gmp.G
	said [][]string // of each G, how its operations ended
	on   bool       // it has begun
}

func newPlay(c *check.Crew, r race) *play {
	p := &play{Crew: c, c: c.S.NewHchan(c.NewM(), elemType(8), int64(r.size)), said: make([][]string, r.gs())}
	for i, v := range r.holds {
		c.S.Machine.SetWord(p.c.Chanbuf(uint64(i)), uint64(v))
	}
	p.Place = func(addr machine.Addr) string {
		if i := (addr - p.c.Buf) / 8; addr >= p.c.Buf && i < machine.Addr(r.size) {
			return fmt.Sprintf("slot %d of the buffer", i)
		}
		return ""
	}
	p.c.Qcount.Set(uint64(len(r.holds)))
	if r.size > 0 {
		p.c.Sendx.Set(uint64(len(r.holds) % r.size))
	}
	for i, program := range r.programs() {
		var steps []check.Step
		for _, st := range program {
			steps = append(steps, p.do(st)...)
		}
		if i < len(r.asleep) {
			p.gs = append(p.gs, c.Began(steps...))
			p.asleep(p.gs[i], program[0])
		} else {
			p.gs = append(p.gs, c.Go(steps...))
		}
	}
	p.on = true
	return p
}

// asleep checks that gp waits in its first step, as it must before the others come.
func (p *play) asleep(gp *gmp.G, st step) {
	switch {
	case check.State(gp) != "waiting":
		p.Errorf("%v, and no other G is there yet, so it must wait; it is %s", st, check.State(gp))
	case check.Held(&p.c.Lock):
		p.Errorf("%v and waits, and the channel is still locked", st)
	default:
		return
	}
	p.FailNow()
}

// do is what the G of st does: the operation, and then, maybe on another M, a look at how
// it ended.
func (p *play) do(st step) []check.Step {
	now := "" // how it ended at once
	return []check.Step{
		func(mp *gmp.M, gp *gmp.G) { now = p.begin(mp, gp, st) },
		func(mp *gmp.M, gp *gmp.G) {
			end := now
			if end == waits {
				end = p.woken(gp, st.op)
			}
			if msg := p.Recover(gp); msg != "" {
				end = "panics: " + msg
			}
			p.said[st.g-1] = append(p.said[st.g-1], end)
		},
	}
}

// begin calls the operation and says how it ended, if it did.
func (p *play) begin(mp *gmp.M, gp *gmp.G, st step) string {
	if p.on {
		p.Logf("%v", st)
	}
	switch st.op {
	case send, trySend:
		p.SetValue(gp, uint64(st.v))
		if p.S.Chansend(mp, gp, p.c, p.Slot(gp), st.op == send) {
			return goesOn
		}
	case closing:
		p.S.Closechan(mp, gp, p.c)
		return goesOn
	case search:
		p.c.Lock.Lock()
		p.S.DequeueSudoG(&p.c.Recvq, new(gmp.Sudog))
		p.S.DequeueSudoG(&p.c.Sendq, new(gmp.Sudog))
		p.c.Lock.Unlock()
		return goesOn
	case shift:
		p.shift(p.gs[st.v-1])
		return goesOn
	default:
		p.SetValue(gp, before)
		at := p.Slot(gp)
		if st.op == drop {
			at = 0
		}
		if selected, received := p.S.Chanrecv(mp, gp, p.c, at, st.op != tryRecv); selected {
			return ended(st.op, received, fmt.Sprint(p.Value(gp)))
		}
	}
	if st.op == trySend || st.op == tryRecv {
		return wouldWait
	}
	return waits
}

// shift moves the stack of gp, if that waits. Nobody runs it meanwhile, and nobody looks
// for it by its sudog.
func (p *play) shift(gp *gmp.G) {
	if !gp.Atomicstatus.CompareAndSwap(gmp.Gwaiting, gmp.Gwaiting|gmp.Gscan) {
		return
	}
	p.S.Copystack(gp, gmp.StartingStack)
	gp.Atomicstatus.Store(gmp.Gwaiting)
}

// woken says how an operation ended for which gp had to wait.
func (p *play) woken(gp *gmp.G, op op) string {
	received := op != send && p.Arg(gp, recvReceived) == 1
	return ended(op, received, fmt.Sprint(p.Value(gp)))
}

// judge checks that the play has ended in one of the right ways, unless somebody waits
// that must not, which is reported already.
func (p *play) judge(e ends) {
	for g, gp := range p.gs {
		if !p.Ended(gp) && !e.wait[g] {
			return
		}
	}
	for _, q := range []*gmp.Waitq{&p.c.Recvq, &p.c.Sendq} {
		for _, gp := range waiters(q) {
			if p.Ended(gp) {
				p.Errorf("%s has gone on, but its sudog is still on a queue of the channel", check.Name(gp))
				return
			}
		}
	}
	if end := p.end(); !e.right[end] {
		p.Errorf("in the end %s. Whatever the order in which they come, it must be one of these:\n%s", end, strings.Join(slices.Sorted(maps.Keys(e.right)), "\n"))
	}
}

// end says how the play has ended.
func (p *play) end() string {
	var buf []int
	for i := range p.c.Qcount.Get() {
		slot := (p.c.Recvx.Get() + i) % max(p.c.Dataqsiz, 1)
		buf = append(buf, int(p.S.Machine.Word(p.c.Chanbuf(slot))))
	}
	return end(p.said, func(i int) bool { return !p.Ended(p.gs[i]) }, buf, p.c.Closed.Get())
}

// end puts into words how a race has ended: what each G says, who waits, and what the
// channel is like.
func end(said [][]string, waiting func(i int) bool, buf []int, closed bool) string {
	var words []string
	for i, said := range said {
		if waiting(i) {
			said = append(slices.Clone(said), waits)
		}
		words = append(words, fmt.Sprintf("G%d %s", i+1, strings.Join(said, " and ")))
	}
	if len(buf) > 0 {
		words = append(words, fmt.Sprintf("%v is left in the buffer", buf))
	}
	if closed {
		words = append(words, "the channel is closed")
	}
	return strings.Join(words, "; ")
}

// gs is the number of Gs.
func (r race) gs() int {
	n := len(r.asleep)
	for _, st := range r.steps {
		n = max(n, st.g)
	}
	return n
}

// programs are the steps of each G, with those in which it waits already.
func (r race) programs() [][]step {
	programs := make([][]step, r.gs())
	for _, st := range slices.Concat(r.asleep, r.steps) {
		programs[st.g-1] = append(programs[st.g-1], st)
	}
	return programs
}
