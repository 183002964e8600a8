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
		t.Crew(explore.Options{Steps: mostSteps}, func(crew *check.Crew) {
			c := &counted{Crew: crew, addr: crew.Word("the count")}
			c.root = c.S.Semroot(c.addr)
			c.root.Lock.Init("the root")
			c.Free("the root", &c.root.Lock)
			play(c)
		})
	}
}

// acquires adds a G that acquires, with Crew.Go or Crew.Waits.
func (c *counted) acquires(add adder) *gmp.G {
	gp := add(func(mp *gmp.M, gp *gmp.G) {
		c.S.Semacquire1(mp, gp, c.addr, false, gmp.WaitReasonSyncMutexLock)
	})
	c.SetArg(gp, 0, uint64(c.addr))
	c.SetArg(gp, 1, 0)
	c.SetArg(gp, 2, uint64(gmp.WaitReasonSyncMutexLock))
	return gp
}

// releases adds a G that releases.
func (c *counted) releases(handoff bool) {
	c.Go(func(mp *gmp.M, gp *gmp.G) { c.S.Semrelease1(mp, gp, c.addr, handoff) })
}

// want checks that as many of the acquirers have gone on as there were releases, and what
// the root counts.
func (c *counted) want(released int, acquirers ...*gmp.G) {
	c.MayWait(acquirers...)
	c.Check(func() {
		var ended, waiting []*gmp.G
		for _, gp := range acquirers {
			if c.Ended(gp) {
				ended = append(ended, gp)
			} else {
				waiting = append(waiting, gp)
			}
		}
		switch count, nwait := int(c.S.Machine.Word(c.addr)), int(c.root.Nwait.Load()); {
		case len(ended) < released:
			c.Errorf("%s waits for ever, and the count is %d: %d released, and %d acquired", check.Names(waiting), count, released, len(ended))
		case len(ended) > released:
			c.Errorf("%s have acquired, and only %d released: two have taken the same unit", check.Names(ended), released)
		case count != 0:
			c.Errorf("%d released and %d acquired, and the count is %d; want 0", released, len(ended), count)
		case nwait != len(waiting):
			c.Errorf("everything is over, but Nwait is %d; want %d, the number of those that wait", nwait, len(waiting))
		}
	})
}

// missed: one acquires while another one releases.
func missed(c *counted) {
	c.releases(c.Choose(2) == 1)
	c.want(1, c.acquires(c.Go))
}

// quicker: one waits, another one comes to acquire, and a third one releases.
func quicker(c *counted) {
	c.releases(c.Choose(2) == 1)
	c.want(1, c.acquires(c.Waits), c.acquires(c.Go))
}

// twoAndTwo: two wait, and two release.
func twoAndTwo(c *counted) {
	c.releases(false)
	c.releases(false)
	c.want(2, c.acquires(c.Waits), c.acquires(c.Waits))
}
