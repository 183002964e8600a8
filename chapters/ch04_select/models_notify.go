package ch04

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/explore"
)

// The models of notify lists: some come to wait while others notify.

// A condition is a list, and the Gs that use it.
type condition struct {
	*check.Crew
	l       *gmp.NotifyList
	tickets map[uint32]*gmp.G
}

// notifying explores what play does with a list.
func notifying(play func(c *condition)) func(t *check.T) {
	return func(t *check.T) {
		t.Crew(explore.Options{Steps: mostSteps}, func(crew *check.Crew) {
			c := &condition{Crew: crew, l: new(gmp.NotifyList), tickets: map[uint32]*gmp.G{}}
			c.l.Lock.Init("the list")
			c.Free("the list", &c.l.Lock)
			c.Check(c.tidy)
			play(c)
		})
	}
}

// comes lets a G take a ticket, and then wait for it.
func (c *condition) comes() []check.Step {
	var ticket uint32
	return []check.Step{
		func(mp *gmp.M, gp *gmp.G) {
			ticket = c.S.NotifyListAdd(c.l)
			if other := c.tickets[ticket]; other != nil {
				c.Errorf("%s and %s both have ticket %d: a notification of it is for one of them, and the other misses its own", check.Name(other), check.Name(gp), ticket)
				c.FailNow()
			}
			c.tickets[ticket] = gp
		},
		func(mp *gmp.M, gp *gmp.G) { c.S.NotifyListWait(mp, gp, c.l, ticket) },
	}
}

// waits adds a G that waits already.
func (c *condition) waits() {
	steps := c.comes()
	c.Waits(func(mp *gmp.M, gp *gmp.G) {
		for _, step := range steps {
			step(mp, gp)
		}
	})
}

// notifies adds a G that notifies one, or all.
func (c *condition) notifies(all bool) {
	c.Go(func(mp *gmp.M, gp *gmp.G) {
		if all {
			c.S.NotifyListNotifyAll(mp, c.l)
		} else {
			c.S.NotifyListNotifyOne(mp, c.l)
		}
	})
}

// tidy checks that those go on whose tickets are notified, and no others.
func (c *condition) tidy() {
	notify, wait := c.l.Notify.Load(), c.l.Wait.Load()
	if int(wait) != len(c.tickets) {
		c.Errorf("everything is over, but Wait is %d; want %d, the number of tickets that were taken", wait, len(c.tickets))
		return
	}
	if notify > wait {
		c.Errorf("everything is over, and Notify is %d, Wait %d: the next G to take a ticket would already be notified", notify, wait)
		return
	}
	for ticket := range wait {
		gp := c.tickets[ticket]
		switch ended := c.Ended(gp); {
		case ticket < notify && !ended:
			c.Errorf("%s has ticket %d, which is notified, since Notify is %d; it waits, and will not be notified again", check.Name(gp), ticket, notify)
			return
		case ticket >= notify && ended:
			c.Errorf("%s has ticket %d, and has gone on; Notify is %d, so its ticket will be notified once more, and that notification is lost", check.Name(gp), ticket, notify)
			return
		}
	}
}

// oneComes: one has a ticket and comes to wait while another one notifies.
func oneComes(c *condition) {
	all := c.Choose(2) == 1
	c.Waits(c.comes()...)
	c.notifies(all)
}

// twoCome: two take tickets and wait while another one notifies. Whoever is late waits on.
func twoCome(c *condition) {
	all := c.Choose(2) == 1
	c.MayWait(c.Go(c.comes()...), c.Go(c.comes()...))
	c.notifies(all)
}

// twoNotify: two notify at once. One has a ticket and comes to wait meanwhile, or two wait
// already. All go on.
func twoNotify(c *condition) {
	is := c.Choose(3)
	if is == 0 {
		c.Waits(c.comes()...)
	} else {
		for range 2 {
			c.waits()
		}
	}
	c.notifies(false)
	c.notifies(is == 2)
}
