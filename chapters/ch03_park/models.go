package ch03

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/explore"
)

// The models: two or three Gs use one channel at the same time, each on an M of its own.
// In 0.x there is one M, and an order that is wrong has no one to suffer from it; these
// parts serve later versions, too.

// A duo is a channel in a model, and what its Gs do with it.
type duo struct {
	*check.Crew
	c *gmp.Hchan
}

// together explores what play does with a channel of so many elements of 8 bytes.
func together(size int64, play func(d *duo)) func(t *check.T) {
	return func(t *check.T) {
		t.Crew(explore.Options{}, func(c *check.Crew) {
			d := &duo{c, c.S.NewHchan(c.NewM(), elemType(8), size)}
			c.Free("the channel", &d.c.Lock)
			play(d)
			c.Check(d.empty)
		})
	}
}

// sends lets a G send v.
func (d *duo) sends(v uint64) check.Step {
	return func(mp *gmp.M, gp *gmp.G) {
		d.SetValue(gp, v)
		d.S.Chansend(mp, gp, d.c, d.Slot(gp), true)
	}
}

// receives lets a G receive, and then compare what it has with what may have come.
func (d *duo) receives(want ...uint64) []check.Step {
	return []check.Step{
		func(mp *gmp.M, gp *gmp.G) {
			d.SetValue(gp, before)
			if selected, received := d.S.Chanrecv(mp, gp, d.c, d.Slot(gp), true); selected {
				d.S.SetReceived(gp, received)
			}
		},
		func(mp *gmp.M, gp *gmp.G) {
			got := d.Value(gp)
			for _, v := range want {
				if got == v {
					return
				}
			}
			d.Errorf("%s goes on after its receive, and in its slot is %d; want one of %v", check.Name(gp), got, want)
		},
	}
}

// closes lets a G close the channel.
func (d *duo) closes(mp *gmp.M, gp *gmp.G) { d.S.Closechan(mp, gp, d.c) }

// empty checks that nobody is left on the queues of the channel who has ended.
func (d *duo) empty() {
	for _, sg := range []*gmp.Sudog{d.c.Recvq.First.Get(), d.c.Sendq.First.Get()} {
		if sg != nil && d.Ended(sg.G.Get()) {
			d.Errorf("%s has gone on, and its sudog is still on a queue of the channel", check.Name(sg.G.Get()))
		}
	}
}

// sendAndReceive: one sends what the other receives, without a buffer.
func sendAndReceive(d *duo) {
	d.Go(d.sends(7))
	d.Go(d.receives(7)...)
}

// closeAndReceive: one receives while the other closes.
func closeAndReceive(d *duo) {
	d.Go(d.receives(0)...)
	d.Go(d.closes)
}

// closeAndSend: one sends while the other closes. It panics, whoever is first.
func closeAndSend(d *duo) {
	sender := d.Go(d.sends(7))
	d.Go(d.closes)
	d.Check(func() {
		if msg := d.Panicked(sender); msg != "send on closed channel" {
			d.Errorf("%s sends on a channel that is closed, and nobody receives: want that it panics, and it %s", check.Name(sender), how(msg))
		}
	})
}

func how(panicked string) string {
	if panicked == "" {
		return "does not"
	}
	return fmt.Sprintf("panics with %q", panicked)
}
