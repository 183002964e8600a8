// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch04

package ch04

import (
	"gosched/chapters/gmp"
)

// selects are select statements. While one looks, or takes itself off the queues,
// it holds the locks of all its channels. All of them take the locks in the same
// order, so two selects never wait for each other.
type selects struct {
	s *gmp.Sched
}

// NewSelect makes the Select of s.
func NewSelect(s *gmp.Sched) gmp.Select { return &selects{s: s} }

// Selectgo does one of cases: it returns the index, and for a receive
// whether a value came. If several can go on, a random one is done, each as
// likely as any other; the random numbers are mp's (M.Cheaprand). Cases with
// a nil channel never can. Panics "send on closed channel" if that is the
// case picked.
//
// If none can go on, it returns -1 at once with block unset. Otherwise gp waits
// on all of them, for WaitReasonSelect, or WaitReasonSelectNoCases if cases is
// empty: a sudog for each case, with IsSelect and Case, is on its channel's
// queue and on gp.Waiting; gp.Selects is cases, and gp.Cont is SelectgoDone. It
// then returns -1 as well, as it does after a panic.
//
// While it looks and until gp waits it holds the locks of all channels. It
// takes them in the order of Hchan.Addr, each once. When it makes another G
// ready none of them is held: it releases all but that of the case's channel,
// which Send or Recv releases. cases belongs to Selectgo.
//
// The runtime's selectgo.
func (p *selects) Selectgo(mp *gmp.M, gp *gmp.G, cases []gmp.Scase, block bool) (chosen int, received bool) {
	// Holds: From the first look at a case until gp waits nothing changes on
	//        any of the channels; and two selects never wait for each other's
	//        locks.
	// Question: When the park has released the first of the locks, gp may be
	//           woken and run on another M. What in gp and its sudogs may the
	//           unlockf still read then?
	panic(gmp.TODO("Selectgo"))
}

// SelectgoDone is what a woken G still has to do. gp.Param is the sudog of the
// case that was done for it. With all channels locked, as in Selectgo, it takes
// the others off their queues and sets gp.SelectDone to 0; once they are unlocked
// again, it clears gp.Waiting, gp.Selects and gp.Param, releases all sudogs, and
// stores the results with Sched.SetSelected, or panics "send on closed channel" if
// the case is a send without Success. In the runtime it is the rest of selectgo,
// which clears waiting and param and releases the sudogs before it unlocks. Doing
// so here is correct as well.
func (p *selects) SelectgoDone(mp *gmp.M, gp *gmp.G) {
	// Holds: One case is done and no other. When the channels are free again
	//        no queue has a sudog of this select, and the next select of gp
	//        can be won.
	// Question: Other operations come to the channels of the losers, until
	//           those are locked and afterwards. What do they find there, and
	//           what keeps them from taking it?
	panic(gmp.TODO("SelectgoDone"))
}

// waiters is the queue on which a G waits for case c. It is given.
func waiters(c *gmp.Scase) *gmp.Waitq {
	if c.Send {
		return &c.C.Sendq
	}
	return &c.C.Recvq
}
