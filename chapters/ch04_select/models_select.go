package ch04

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// The models of select: two or three Gs meet at the same channels, each on an M of its own.

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
			p.Errorf("case %d of the select of %s is done, and %s, the partner of the other case, goes on too: want one of the two to be served", p.got[sel].chosen, check.Name(sel), check.Name(other))
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
			p.Errorf("two selects are done, and both say that they have done their case %d: want one to send what the other receives", p.got[a].chosen)
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
			p.Errorf("case 1 of the select of %s was done, and %s has sent a value to its case 0 as well: that value is lost", check.Name(sel), check.Name(sender))
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
			p.Errorf("two Ms, each with the lock of one channel, have found the same select, and neither has dequeued it: it goes on waiting")
		}
	})
}
