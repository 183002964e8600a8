package ch03

import (
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// The races of Gs on a channel. A model that needs no more than two or three Gs has no
// more: it is exhausted in a moment, and what it finds can be read.
var (
	sendAndReceive = race{steps: []step{{1, send, 7}, {2, recv, 0}}}

	twoSenders = race{
		asleep: []step{{1, send, 1}},
		steps:  []step{{2, send, 2}, {3, recv, 0}, {3, drop, 0}},
	}

	twoReceivers = race{
		asleep: []step{{1, recv, 0}},
		steps:  []step{{2, recv, 0}, {3, send, 1}, {3, send, 2}},
	}

	// Each of them may find the buffer full, or empty, and wait.
	oneSlot = race{size: 1, steps: []step{{1, send, 1}, {1, send, 2}, {2, recv, 0}, {2, recv, 0}}}

	// Those on the same side move the same index.
	sameIndex = oneOf{
		{size: 2, steps: []step{{1, send, 1}, {2, send, 2}}},
		{size: 2, holds: []int{1, 2}, steps: []step{{1, recv, 0}, {2, drop, 0}}},
		{size: 1, holds: []int{1}, asleep: []step{{1, send, 2}}, steps: []step{{2, recv, 0}, {3, recv, 0}}},
	}

	// Whoever moves the stack of a G that waits on a channel locks that before.
	movedAsleep = oneOf{
		{asleep: []step{{1, recv, 0}}, steps: []step{{2, send, 7}, {3, shift, 1}}},
		{asleep: []step{{1, send, 7}}, steps: []step{{2, recv, 0}, {3, shift, 1}}},
		{asleep: []step{{1, recv, 0}}, steps: []step{{2, closing, 0}, {3, shift, 1}}},
	}

	closeAndReceive = race{steps: []step{{1, recv, 0}, {2, closing, 0}}}

	closeAndSend = race{steps: []step{{1, send, 7}, {2, closing, 0}}}

	twoCloses = race{steps: []step{{1, closing, 0}, {2, closing, 0}}}

	// Those that are woken run at once and want the channel again; and somebody looks at
	// its queues, as a select of chapter 4 does that leaves them.
	closeAndReceivers = oneOf{
		{asleep: []step{{1, recv, 0}, {2, drop, 0}}, steps: []step{{1, recv, 0}, {2, trySend, 1}, {3, closing, 0}}},
		{asleep: []step{{1, recv, 0}}, steps: []step{{2, closing, 0}, {3, search, 0}}},
	}

	// The third one tells by its own close that the channel is closed, and receives.
	closeAndSenders = race{
		asleep: []step{{1, send, 1}},
		steps:  []step{{2, closing, 0}, {3, closing, 0}, {3, tryRecv, 0}},
	}

	// Nobody waits, whatever the others are at.
	tryAndClose = race{size: 1, steps: []step{{1, trySend, 1}, {2, tryRecv, 0}, {3, closing, 0}}}
)

// unlock is an unlockf.
func unlock(gp *gmp.G, lock any) bool {
	lock.(*machine.Mutex).Unlock()
	return true
}

// parkRace lets a G park, and somebody else wait for the lock to wake it.
func parkRace(t *check.T) {
	t.Crew(explore.Options{}, func(c *check.Crew) {
		var lock machine.Mutex
		var happened machine.Cell[bool]
		var sleeper machine.Cell[*gmp.G]
		c.Free("the lock", &lock)
		c.Go(func(mp *gmp.M, gp *gmp.G) {
			lock.Lock()
			if happened.Get() {
				lock.Unlock()
				return
			}
			sleeper.Set(gp)
			c.S.Gopark(mp, gp, unlock, &lock, gmp.WaitReasonSemacquire)
		})
		c.Go(func(mp *gmp.M, gp *gmp.G) {
			lock.Lock()
			happened.Set(true)
			waits := sleeper.Get()
			lock.Unlock()
			if waits != nil {
				c.S.Goready(mp, waits)
			}
		})
	})
}

// parkRefused lets a G park whose unlockf says no if the waker was faster: it needs no
// lock. This is how chapter 16 waits for the network.
func parkRefused(t *check.T) {
	t.Crew(explore.Options{}, func(c *check.Crew) {
		var sleeper machine.Pointer[gmp.G]
		happened := new(gmp.G) // a mark
		c.Go(func(mp *gmp.M, gp *gmp.G) {
			waits := func(gp *gmp.G, _ any) bool { return sleeper.CompareAndSwap(nil, gp) }
			c.S.Gopark(mp, gp, waits, nil, gmp.WaitReasonIOWait)
		})
		c.Go(func(mp *gmp.M, gp *gmp.G) {
			if waits := sleeper.Swap(happened); waits != nil {
				c.S.Goready(mp, waits)
			}
		})
	})
}

// parkReason lets somebody list a G that parks, as the report of a deadlock does.
func parkReason(t *check.T) {
	t.Crew(explore.Options{}, func(c *check.Crew) {
		const reason = gmp.WaitReasonSelect
		sleeper := c.Go(func(mp *gmp.M, gp *gmp.G) { c.S.Gopark(mp, gp, nil, nil, reason) })
		c.MayWait(sleeper)
		c.Thread("onlooker", func() {
			if sleeper.Atomicstatus.Load() != gmp.Gwaiting {
				return
			}
			if got := sleeper.Waitreason.Get(); got != reason {
				c.Errorf("the onlooker sees that %s waits, and that its Waitreason is %q; want %q", check.Name(sleeper), got, reason)
			}
		})
	})
}

// sudogRace lets two Ms acquire and release sudogs. One of them comes back on another M
// than it was acquired on, as that of a G does that was woken there.
func sudogRace(t *check.T) {
	t.Explore(explore.Options{}, func(m *explore.Model) {
		s := t.Bare(m)
		var travels machine.Pointer[gmp.Sudog]
		use := func(mp *gmp.M) *gmp.Sudog {
			sg := s.AcquireSudog(mp)
			if left := dirty(sg); len(left) > 0 {
				m.Errorf("%s acquires a sudog with %s set: left over from its last use, or in use by another M", check.MName(mp), strings.Join(left, ", "))
			}
			sg.Success.Set(true)
			sg.Ticket.Set(uint32(mp.ID) + 1)
			return sg
		}
		first, second := gmp.NewM(0), gmp.NewM(1)
		for _, mp := range []*gmp.M{first, second} {
			s.ReleaseSudog(mp, s.AcquireSudog(mp))
		}
		m.Thread(check.MName(first), func() {
			travels.Store(use(first))
			s.ReleaseSudog(first, use(first))
		})
		m.Thread(check.MName(second), func() {
			sg := use(second)
			if back := travels.Load(); back != nil {
				s.ReleaseSudog(second, back)
				s.ReleaseSudog(second, use(second))
			}
			s.ReleaseSudog(second, sg)
		})
	})
}
