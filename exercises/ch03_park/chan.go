// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch03

package ch03

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// channels are queues of values with a rule: who comes too early waits, and who
// comes later does the work for both.
type channels struct {
	s *gmp.Sched
}

// NewChannels makes the Channels of s.
func NewChannels(s *gmp.Sched) gmp.Channels { return &channels{s: s} }

// chanparkcommit is the unlockf of a park on a channel. Gopark calls it when the
// G waits; until then nobody can find its sudog, since the channel is locked.
func chanparkcommit(gp *gmp.G, lock any) bool {
	lock.(*machine.Mutex).Unlock()
	return true
}

// Makechan makes a channel of elements of type elem with a buffer of size.
func (p *channels) Makechan(mp *gmp.M, gp *gmp.G, elem *machine.Type, size int64) *gmp.Hchan {
	// 1. A size below zero, or a buffer of gmp.MaxAlloc bytes or more, is the
	//    program's mistake. Mind that the product may not fit into 64 bits,
	//    and that an element may have no bytes.
	// 2. Make it.
	panic(gmp.TODO("Makechan"))
}

// Chansend sends the value at elem on c. It reports whether it is sent; if not,
// gp waits, or it would have to and block is unset, or it panics.
func (p *channels) Chansend(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) bool {
	// 1. A nil channel: nobody can ever wake gp, and no lock has to be given
	//    back. Without block it does not wait.
	// 2. Lock it. If it is closed, the program panics, without the lock.
	// 3. If a receiver waits, hand the value to the first one (Send unlocks).
	//    Then the buffer is empty, so nobody is overtaken.
	// 4. If there is room in the buffer, put it in slot Sendx. The ring goes
	//    round.
	// 5. Otherwise gp has to wait, if it is allowed to.
	// 6. A sudog says who waits, on which channel, with which value. Hang it
	//    on gp, where a moving stack finds it, and on the queue, where a
	//    receiver does.
	// 7. Say what is left to do, and park; chanparkcommit unlocks.
	panic(gmp.TODO("Chansend"))
}

// ChansendDone is what a woken sender still does.
func (p *channels) ChansendDone(mp *gmp.M, gp *gmp.G) {
	// 1. gp waits for nothing any more, and nobody needs to tell who woke it.
	// 2. Look at what the sudog says before it is given back, and do not leave
	//    the channel in it.
	// 3. Not sent means that the channel was closed while gp waited.
	panic(gmp.TODO("ChansendDone"))
}

// Chanrecv receives from c into elem, where 0 means that the value is dropped.
func (p *channels) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	// 1. A nil channel, as in Chansend.
	// 2. Lock it. If a sender waits, take its value, or the one at the head of
	//    the buffer, in front of it (Recv does both, and unlocks).
	// 3. If there is something in the buffer, take it from slot Recvx, even if
	//    the channel is closed.
	// 4. Nothing there and closed: nothing will come. That is a result, too: a
	//    zero value.
	// 5. Otherwise gp has to wait, if it is allowed to: as in Chansend, on the
	//    other queue.
	panic(gmp.TODO("Chanrecv"))
}

// ChanrecvDone is what a woken receiver still does. Its value is in its place
// already.
func (p *channels) ChanrecvDone(mp *gmp.M, gp *gmp.G) {
	// 1. As in ChansendDone: forget what it waited for, and give the sudog
	//    back.
	// 2. The result of the operation: whether a value came. The stack may have
	//    moved; SetReceived knows where it is now.
	panic(gmp.TODO("ChanrecvDone"))
}

// Closechan closes c and wakes all who wait on it.
func (p *channels) Closechan(mp *gmp.M, gp *gmp.G, c *gmp.Hchan) {
	// 1. Two mistakes that a program can make; it panics without the lock.
	// 2. Take all receivers off their queue. Each gets a zero value, no
	//    Success, and a place on a list of Gs, by Schedlink: they are on no
	//    run queue, so the link is free.
	// 3. And all senders; nobody will ever take their values.
	// 4. Unlock, and only then make them ready: they may want the channel at
	//    once.
	panic(gmp.TODO("Closechan"))
}

// Send hands the value at elem to the receiver sg and makes it ready.
func (p *channels) Send(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	// 1. Write into the slot of the sleeping G, wherever it has told us; it
	//    may not want the value.
	// 2. Tell it that a value came. When it is ready, it may run, and give the
	//    sudog back: this is our last look at it.
	// 3. Unlock, then make it ready.
	panic(gmp.TODO("Send"))
}

// Recv takes a value for elem with the help of the waiting sender sg, and makes
// it ready.
func (p *channels) Recv(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	// 1. Without a buffer, the value comes straight from the slot of the
	//    sleeping sender.
	// 2. With one, it is full, else nobody would wait to send. The head is
	//    first; then the sender's value takes the slot that became free, which
	//    is the tail. Qcount stays.
	// 3. Tell the sender that its value is gone; unlock; make it ready.
	panic(gmp.TODO("Recv"))
}

// next is the slot behind slot i of c's buffer, a ring.
func next(c *gmp.Hchan, i uint64) uint64 {
	if i++; i == c.Dataqsiz {
		return 0
	}
	return i
}
