package ch04

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// The models of semaphores: Gs acquire and release at the same time.

// A counted is one count, 0 at first, and the Gs that acquire and release it.
type counted struct {
	*check.Crew
	addr machine.Addr
	root *gmp.SemaRoot
}

// counting explores what play does with a count.
func counting(play func(c *counted)) func(t *check.T) {
	return func(t *check.T) {
		t.Crew(explore.Options{}, func(crew *check.Crew) {
			c := &counted{Crew: crew, addr: crew.Word("the count")}
			c.root = c.S.Semroot(c.addr)
			c.Free("the root", &c.root.Lock)
			play(c)
		})
	}
}

// acquires lets a G acquire.
func (c *counted) acquires(mp *gmp.M, gp *gmp.G) {
	c.SetArg(gp, 0, uint64(c.addr))
	c.SetArg(gp, 1, 0)
	c.SetArg(gp, 2, uint64(gmp.WaitReasonSyncMutexLock))
	c.S.Semacquire1(mp, gp, c.addr, false, gmp.WaitReasonSyncMutexLock)
}

// releases lets a G release.
func (c *counted) releases(handoff bool) check.Step {
	return func(mp *gmp.M, gp *gmp.G) { c.S.Semrelease1(mp, gp, c.addr, handoff) }
}

// want checks that so many of the acquirers have gone on, and how many the root counts.
func (c *counted) want(released int, acquirers ...*gmp.G) {
	c.MayWait(acquirers...)
	c.Check(func() {
		ended := 0
		for _, gp := range acquirers {
			if c.Ended(gp) {
				ended++
			}
		}
		want := min(released, len(acquirers))
		switch count, nwait := int(c.S.Machine.Word(c.addr)), int(c.root.Nwait.Load()); {
		case ended < want:
			c.Errorf("%d of %d who acquire go on after %d releases, and the count is %d; want %d: the others wait, and no one will wake them", ended, len(acquirers), released, count, want)
		case ended > want:
			c.Errorf("%d of %d who acquire go on after %d releases; want %d: two have taken the same one", ended, len(acquirers), released, want)
		case count != released-ended:
			c.Errorf("all is over, and the count is %d; want %d, after %d releases of which %d were acquired", count, released-ended, released, ended)
		case nwait != len(acquirers)-ended:
			c.Errorf("all is over, and Nwait is %d; want %d, the number of those who wait", nwait, len(acquirers)-ended)
		}
	})
}

// missed: one acquires while another one releases.
func missed(c *counted) {
	handoff := c.Choose(2) == 1
	c.Go(c.releases(handoff))
	c.want(1, c.Go(c.acquires))
}

// quicker: one waits, and when somebody releases, another one comes to acquire.
func quicker(c *counted) {
	handoff := c.Choose(2) == 1
	waiter := c.Waits(c.acquires)
	c.Go(c.releases(handoff))
	c.want(1, waiter, c.Go(c.acquires))
}

// twoAndTwo: two acquire, and two release.
func twoAndTwo(c *counted) {
	waiter := c.Waits(c.acquires)
	c.Go(c.releases(false))
	c.Go(c.releases(false))
	c.want(2, waiter, c.Go(c.acquires))
}
