package ch04

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// The models of select: two or three Gs meet at the same channels, each on an M of its own.

// mostSteps is after how many steps the models of this chapter are given up. Right parts
// take at most 11,000; there is room for some that look, and lock, far more often.
const mostSteps = 200_000

// A party is two channels of int, the first with the lower address, and
// the Gs that use them.
type party struct {
	*check.Crew
	c   [2]*gmp.Hchan
	got map[*gmp.G]outcome
}

// An outcome is what a G finds when its operation is done.
type outcome struct {
	chosen   int
	received bool
	value    uint64
}

// meeting explores what play does with two channels without a buffer.
func meeting(play func(p *party)) func(t *check.T) { return meetingAt(0, play) }

// meetingAt is meeting with buffers of so many elements.
func meetingAt(size int64, play func(p *party)) func(t *check.T) {
	return func(t *check.T) {
		t.Crew(explore.Options{Steps: mostSteps}, func(c *check.Crew) {
			p := &party{Crew: c, got: map[*gmp.G]outcome{}}
			mp, elem := c.NewM(), &machine.Type{Name: "int", Kind: machine.KindInt, Size: 8}
			for i := range p.c {
				p.c[i] = c.S.NewHchan(mp, elem, size)
				name := fmt.Sprintf("channel %d", i)
				p.c[i].Lock.Init(name)
				c.Free(name, &p.c[i].Lock)
			}
			play(p)
			c.Check(p.queues)
		})
	}
}

// queues checks that no one stands on a queue of the channels who has gone on.
func (p *party) queues() {
	for i, c := range p.c {
		for _, q := range []*gmp.Waitq{&c.Recvq, &c.Sendq} {
			for sg := q.First.Get(); sg != nil; sg = sg.Next.Get() {
				if gp := sg.G.Get(); gp == nil || p.Ended(gp) {
					p.Errorf("all is over, and on a queue of channel %d is still the sudog of a G that has gone on", i)
					return
				}
			}
		}
	}
}

// sends adds a G that sends v on channel i, and then does the rest.
func (p *party) sends(i int, v uint64, rest ...check.Step) *gmp.G {
	gp := p.Go(append([]check.Step{func(mp *gmp.M, gp *gmp.G) {
		p.S.Chansend(mp, gp, p.c[i], p.Slot(gp), true)
	}}, rest...)...)
	p.SetValue(gp, v)
	return gp
}

// receives adds a G that receives from channel i.
func (p *party) receives(i int) *gmp.G {
	gp := p.Go(func(mp *gmp.M, gp *gmp.G) {
		if selected, received := p.S.Chanrecv(mp, gp, p.c[i], p.Slot(gp), true); selected {
			p.S.SetReceived(gp, received)
		}
	}, func(mp *gmp.M, gp *gmp.G) {
		p.got[gp] = outcome{received: p.Arg(gp, 2) != 0, value: p.Value(gp)}
	})
	p.SetValue(gp, unwritten)
	return gp
}

// closes adds a G that closes channel i.
func (p *party) closes(i int) {
	p.Go(func(mp *gmp.M, gp *gmp.G) { p.S.Closechan(mp, gp, p.c[i]) })
}

// A way is a case of a select: to receive from a channel, or to send v on it.
type way struct {
	c    int
	send bool
	v    uint64
}

// An adder of Gs is Crew.Go, or Crew.Waits.
type adder func(steps ...check.Step) *gmp.G

// selects adds a G that selects. The value of case i is in slot i.
func (p *party) selects(add adder, ways ...way) *gmp.G {
	gp := add(func(mp *gmp.M, gp *gmp.G) {
		cases := make([]gmp.Scase, len(ways))
		for i, w := range ways {
			cases[i] = gmp.Scase{C: p.c[w.c], Elem: p.SlotOf(gp, i), Send: w.send}
		}
		if chosen, received := p.S.Selectgo(mp, gp, cases, true); chosen >= 0 {
			p.S.SetSelected(gp, chosen, received)
		}
	}, func(mp *gmp.M, gp *gmp.G) {
		chosen := int(p.Arg(gp, 3))
		if chosen < 0 || chosen >= len(ways) {
			p.Errorf("%s goes on after a select of %d cases, and no result was stored where it is expected", check.Name(gp), len(ways))
			p.FailNow()
		}
		p.got[gp] = outcome{chosen, p.Arg(gp, 4) == 1, p.S.Machine.Word(p.SlotOf(gp, chosen))}
	})
	p.SetArg(gp, 3, unwritten)
	p.SetArg(gp, 4, unwritten)
	for i, w := range ways {
		if w.send {
			p.S.Machine.SetWord(p.SlotOf(gp, i), w.v)
		} else {
			p.S.Machine.SetWord(p.SlotOf(gp, i), unwritten)
		}
	}
	return gp
}

// wantReceived checks what gp, which has ended, found in its slot.
func (p *party) wantReceived(gp *gmp.G, want uint64) {
	if got := p.got[gp]; got.value != want || !got.received {
		p.Errorf("%s was sent %d; it finds %s", check.Name(gp), want, got)
	}
}

func (o outcome) String() string {
	if o.value == unwritten {
		return "that nothing has come"
	}
	return fmt.Sprintf("%d, and received is %v", o.value, o.received)
}

// oneWinner: a select of a receive and a send meets a sender and a receiver at once. One of
// them is served, and the other one waits on, with its value.
func oneWinner(p *party) {
	sel := p.selects(p.Go, way{c: 0}, way{c: 1, send: true, v: 5})
	sender := p.sends(0, 7)
	receiver := p.receives(1)
	p.MayWait(sender, receiver)
	p.Check(func() {
		partner, other := sender, receiver
		if p.got[sel].chosen == 1 {
			partner, other = other, partner
		}
		switch {
		case !p.Ended(sel):
		case p.Ended(other):
			p.Errorf("case %d of the select of %s is done, and %s goes on, too, the partner of the other case: want that one of the two is served", p.got[sel].chosen, check.Name(sel), check.Name(other))
		case !p.Ended(partner):
			p.Errorf("case %d of the select of %s is done, and %s, its partner, still waits", p.got[sel].chosen, check.Name(sel), check.Name(partner))
		case partner == sender:
			p.wantReceived(sel, 7)
		default:
			p.wantReceived(receiver, 5)
		}
	})
}

// closes: a select meets a sender and a close, or two closes.
func closes(p *party) {
	if p.Choose(2) == 0 {
		closesOne(p)
	} else {
		closesBoth(p)
	}
}

// closesOne: a select of a receive and a send meets a sender, and a close of the channel
// that it sends on. Either it receives, or it panics.
func closesOne(p *party) {
	sel := p.selects(p.Go, way{c: 0}, way{c: 1, send: true, v: 5})
	sender := p.sends(0, 7)
	p.closes(1)
	p.MayWait(sender)
	p.Check(func() {
		switch msg := p.Panicked(sel); {
		case !p.Ended(sel):
		case msg == "" && !p.Ended(sender):
			p.Errorf("%s receives or sends in a select, and the channel to send on is closed; it goes on without a panic, and %s still waits to send to it", check.Name(sel), check.Name(sender))
		case msg != "" && p.Ended(sender):
			p.Errorf("the value of %s is sent to %s, which does not get it: it panics with %q", check.Name(sender), check.Name(sel), msg)
		case msg == "":
			p.wantReceived(sel, 7)
		}
	})
}

// closesBoth: a select receives from two channels, and both are closed.
func closesBoth(p *party) {
	sel := p.selects(p.Go, way{c: 0}, way{c: 1})
	for i := range p.c {
		p.closes(i)
	}
	p.Check(func() {
		if got := p.got[sel]; p.Ended(sel) && (got.received || got.value != 0) {
			p.Errorf("%s receives in a select from channels that are closed; it finds %s; want 0, and false", check.Name(sel), got)
		}
	})
}

// selectsMeet: two selects of the same channels, of which each has what the other one wants,
// and wants what the other one has. They list the channels in different orders.
func selectsMeet(p *party) {
	a := p.selects(p.Go, way{c: 0, send: true, v: 5}, way{c: 1})
	b := p.selects(p.Go, way{c: 1, send: true, v: 6}, way{c: 0})
	p.Check(func() {
		to, v := b, uint64(5)
		if p.got[a].chosen == 1 {
			to, v = a, 6
		}
		switch {
		case !p.Ended(a) || !p.Ended(b):
		case p.got[a].chosen == p.got[b].chosen:
			p.Errorf("two selects are done, and both say that they have done their case %d: want that one sends what the other one receives", p.got[a].chosen)
		default:
			p.wantReceived(to, v)
		}
	})
}

// throughBuffer: a select sends into the buffer of a channel, or receives from it, and
// another one does the opposite.
func throughBuffer(p *party) {
	if p.Choose(2) == 0 {
		p.selects(p.Go, way{c: 0, send: true, v: 5}, way{c: 1})
		receiver := p.receives(0)
		p.Check(func() {
			if p.Ended(receiver) {
				p.wantReceived(receiver, 5)
			}
		})
		return
	}
	sel := p.selects(p.Go, way{c: 1}, way{c: 0})
	p.sends(0, 7)
	p.Check(func() {
		if p.Ended(sel) {
			p.wantReceived(sel, 7)
		}
	})
}

// lateSender: a select waits for two channels. A sender comes to one of them, and then, at
// once, to the other one, where the loser may still stand.
func lateSender(p *party) {
	sel := p.selects(p.Waits, way{c: 0}, way{c: 1})
	late := false
	sender := p.sends(1, 7, func(mp *gmp.M, gp *gmp.G) {
		p.SetValue(gp, 8)
		late = p.S.Chansend(mp, gp, p.c[0], p.Slot(gp), false)
	})
	p.Check(func() {
		if late {
			p.Errorf("case 1 of the select of %s was done, and %s has sent a value to its case 0 as well: nobody gets it", check.Name(sel), check.Name(sender))
		}
		if p.Ended(sel) {
			p.wantReceived(sel, 7)
		}
	})
}

// lockOrder: a select locks its channels, waits, and locks them again, while others lock
// the same channels in the order of their addresses.
func lockOrder(p *party) {
	seed := uint64(p.Choose(2))
	p.selects(func(steps ...check.Step) *gmp.G {
		gp := p.Go(steps...)
		gp.M.Get().Fastrand.Set(seed) // the order in which it looks must not be that of the locks
		return gp
	}, way{c: 1}, way{c: 0}, way{c: 1, send: true, v: 5})
	inOrder := func() {
		for _, c := range p.c {
			c.Lock.Lock()
		}
		for _, c := range p.c {
			c.Lock.Unlock()
		}
	}
	p.Thread("another one", inOrder)
	p.sends(1, 7, func(*gmp.M, *gmp.G) { inOrder() })
}

// bothFind: two Ms, each with the lock of one channel, find the same select at the same
// moment; behind it somebody comes to wait.
func bothFind(p *party) {
	sel, plain := p.Parked(), p.Parked()
	p.MayWait(sel, plain)
	var got [2]*gmp.Sudog
	for i, c := range p.c {
		p.S.Enqueue(&c.Recvq, &gmp.Sudog{G: machine.CellOf(sel), IsSelect: machine.CellOf(true), Case: machine.CellOf(i)})
		p.Go(func(mp *gmp.M, gp *gmp.G) {
			c.Lock.Lock()
			got[i] = p.S.Dequeue(&c.Recvq)
			p.S.Enqueue(&c.Recvq, &gmp.Sudog{G: machine.CellOf(plain)})
			c.Lock.Unlock()
		})
	}
	p.Check(func() {
		switch {
		case got[0] != nil && got[1] != nil:
			p.Errorf("two Ms, each with the lock of one channel, have both dequeued the same select: two of its cases are done")
		case got[0] == nil && got[1] == nil:
			p.Errorf("two Ms, each with the lock of one channel, have found the same select, and neither has dequeued it: it waits on")
		}
	})
}
