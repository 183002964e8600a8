package ch04

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// mostSteps is after how many steps the models of this chapter are given up. Right parts
// take at most 11,000; there is room for some that look, and lock, far more often.
const mostSteps = 200_000

// A party is two channels of int, the first with the lower address, and the Gs that use
// them, each on an M of its own.
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
			for sg, n := q.First.Get(), 0; sg != nil && n < 4; sg, n = sg.Next.Get(), n+1 { // its links may go round
				if gp := sg.G.Get(); gp == nil || p.Ended(gp) {
					p.Errorf("everything is over, and a queue of channel %d still holds the sudog of a G that has gone on", i)
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
			p.Errorf("%s goes on after a select of %d cases, but no result was stored where it is expected", check.Name(gp), len(ways))
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
