package ch03

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// channels are queues of values with a rule: the G that comes first waits, and
// the G that comes later does the work for both.
type channels struct {
	s *gmp.Sched
}

// NewChannels makes the Channels of s.
func NewChannels(s *gmp.Sched) gmp.Channels { return &channels{s: s} }

// chanparkcommit is the unlockf of a park on a channel. It is given, since the page shows
// it: Gopark calls it when the G waits; until then nothing can find its sudog.
func chanparkcommit(gp *gmp.G, lock any) bool {
	lock.(*machine.Mutex).Unlock()
	return true
}

// Makechan makes a channel of elements of type elem with a buffer of size.
//
//course:exercise
func (p *channels) Makechan(mp *gmp.M, gp *gmp.G, elem *machine.Type, size int64) *gmp.Hchan {
	//course:holds Every channel that is made has a buffer that can exist.
	//course:question A product may be too large for 64 bits. What does it look like then, and how do you find out how large it is without computing it?
	//course:step A size below zero, or a buffer of gmp.MaxAlloc bytes or more, is the program's mistake. Mind that the product may not fit into 64 bits, and that an element may have no bytes.
	if size < 0 || elem.Size > 0 && size >= (gmp.MaxAlloc+elem.Size-1)/elem.Size {
		p.s.PanicPlain(mp, gp, "makechan: size out of range")
		return nil
	}
	//course:step Make it.
	return p.s.NewHchan(mp, elem, size)
}

// Chansend sends the value at elem on c. It reports whether the value was sent;
// if not, gp waits, or it would have to and block is unset, or it panics.
//
//course:exercise
func (p *channels) Chansend(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) bool {
	//course:holds What was seen of the channel is true until the value has gone, or until gp waits and can be found.
	//course:question There is no receiver and no room. A receiver comes at this moment: what must it find, and what must it not find?
	//course:lead What completes the operation that gp has begun, and on which M? List what it needs to find: on the queue, in the sudog, in gp. When is the last moment at which you can put it there?
	//course:step A nil channel: nothing can ever wake gp, and there is no lock to release. Without block it does not wait.
	s := p.s
	if c == nil {
		if block {
			s.Gopark(mp, gp, nil, nil, gmp.WaitReasonChanSendNilChan)
		}
		return false
	}
	//course:step Lock it. If it is closed, the program panics, without the lock.
	c.Lock.Lock()
	if c.Closed.Get() {
		c.Lock.Unlock()
		s.PanicPlain(mp, gp, "send on closed channel")
		return false
	}
	//course:step If a receiver waits, hand the value to the first one (Send unlocks). The buffer is then empty, so no value is overtaken.
	if sg := s.Dequeue(&c.Recvq); sg != nil {
		s.Send(mp, c, sg, elem)
		return true
	}
	//course:step If there is room in the buffer, put the value in slot Sendx. The ring goes round.
	if c.Qcount.Get() < c.Dataqsiz {
		s.Typedmemmove(c.Elem, c.Chanbuf(c.Sendx.Get()), elem)
		c.Sendx.Set(next(c, c.Sendx.Get()))
		c.Qcount.Set(c.Qcount.Get() + 1)
		c.Lock.Unlock()
		return true
	}
	//course:step Otherwise gp has to wait, if it is allowed to.
	if !block {
		c.Lock.Unlock()
		return false
	}
	//course:step A sudog says which G waits, on which channel, with which value. Hang it on gp, where a moving stack finds it, and on the queue, where a receiver does.
	sg := s.AcquireSudog(mp)
	sg.G.Set(gp)
	sg.C.Set(c)
	sg.Elem.Set(elem)
	gp.Waiting.Set(sg)
	s.Enqueue(&c.Sendq, sg)
	//course:step Say what is left to do, and park; chanparkcommit unlocks.
	gp.Cont.Set((*gmp.Sched).ChansendDone)
	s.Gopark(mp, gp, chanparkcommit, &c.Lock, gmp.WaitReasonChanSend)
	return false
}

// ChansendDone is what a woken sender still has to do.
//
//course:exercise
func (p *channels) ChansendDone(mp *gmp.M, gp *gmp.G) {
	//course:holds When gp goes on, nothing leads from it to a wait that is over, and the sudog belongs to no G.
	//course:question After ReleaseSudog, whose is the sudog, and what may be in it?
	//course:step gp no longer waits for anything, and no longer needs to know what woke it.
	s := p.s
	sg := gp.Waiting.Get()
	gp.Waiting.Set(nil)
	gp.Param.Set(nil)
	//course:step Look at what the sudog says before you release it, and do not leave the channel in it.
	sent := sg.Success.Get()
	sg.C.Set(nil)
	s.ReleaseSudog(mp, sg)
	//course:step If the value was not sent, the channel was closed while gp waited.
	if !sent {
		s.PanicPlain(mp, gp, "send on closed channel")
	}
}

// Chanrecv receives from c into elem, where 0 means that the value is dropped.
//
//course:exercise
func (p *channels) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	//course:holds Values leave in the order in which they were sent, even when the channel is closed.
	//course:question The channel is closed. Is it empty? And if a G waits to send, where is the value that has been there longest?
	//course:lead Of a waiting sender, the buffer and Closed, which do you look at first? For each pair find a channel in which the order makes a difference, or the reason why there is none.
	//course:step A nil channel, as in Chansend.
	s := p.s
	if c == nil {
		if block {
			s.Gopark(mp, gp, nil, nil, gmp.WaitReasonChanReceiveNilChan)
		}
		return false, false
	}
	//course:step Lock it. If a sender waits, take its value, or the one at the head of the buffer, in front of it (Recv does both, and unlocks).
	c.Lock.Lock()
	if sg := s.Dequeue(&c.Sendq); sg != nil {
		s.Recv(mp, c, sg, elem)
		return true, true
	}
	//course:step If there is something in the buffer, take it from slot Recvx, even if the channel is closed.
	if c.Qcount.Get() > 0 {
		if elem != 0 {
			s.Typedmemmove(c.Elem, elem, c.Chanbuf(c.Recvx.Get()))
		}
		c.Recvx.Set(next(c, c.Recvx.Get()))
		c.Qcount.Set(c.Qcount.Get() - 1)
		c.Lock.Unlock()
		return true, true
	}
	//course:step Nothing there and closed: nothing will come. That, too, is a result: a zero value.
	if c.Closed.Get() {
		c.Lock.Unlock()
		if elem != 0 {
			s.Typedmemclr(c.Elem, elem)
		}
		return true, false
	}
	//course:step Otherwise gp has to wait, if it is allowed to: as in Chansend, on the other queue.
	if !block {
		c.Lock.Unlock()
		return false, false
	}
	sg := s.AcquireSudog(mp)
	sg.G.Set(gp)
	sg.C.Set(c)
	sg.Elem.Set(elem)
	gp.Waiting.Set(sg)
	s.Enqueue(&c.Recvq, sg)
	gp.Cont.Set((*gmp.Sched).ChanrecvDone)
	s.Gopark(mp, gp, chanparkcommit, &c.Lock, gmp.WaitReasonChanReceive)
	return false, false
}

// ChanrecvDone is what a woken receiver still has to do. Its value is already
// in its place.
//
//course:exercise
func (p *channels) ChanrecvDone(mp *gmp.M, gp *gmp.G) {
	//course:holds The result is where gp's stack is now, and nothing leads from gp to a wait that is over.
	//course:step As in ChansendDone: forget what it waited for, and release the sudog.
	s := p.s
	sg := gp.Waiting.Get()
	gp.Waiting.Set(nil)
	gp.Param.Set(nil)
	received := sg.Success.Get()
	sg.C.Set(nil)
	s.ReleaseSudog(mp, sg)
	//course:step The result of the operation: whether a value came. The stack may have moved; SetReceived knows where the result goes now.
	s.SetReceived(gp, received)
}

// Closechan closes c and wakes all Gs that wait on it.
//
//course:exercise
func (p *channels) Closechan(mp *gmp.M, gp *gmp.G, c *gmp.Hchan) {
	//course:holds No G finds a channel that is closed for some and open for others; and a G that was made ready finds nothing still to be done with it.
	//course:question The first G that you make ready runs at once, on another M, and uses the channel. What do you still have to do then, and what do you need for it?
	//course:lead You need a place for all the Gs that you will wake, without allocating. Which of a G's links is free as long as the G waits?
	//course:step Two mistakes that a program can make; it panics without the lock.
	s := p.s
	if c == nil {
		s.PanicPlain(mp, gp, "close of nil channel")
		return
	}
	c.Lock.Lock()
	if c.Closed.Get() {
		c.Lock.Unlock()
		s.PanicPlain(mp, gp, "close of closed channel")
		return
	}
	c.Closed.Set(true)
	//course:step Take all receivers off their queue. Each gets a zero value, no Success, and a place on a list of Gs, by Schedlink: they are on no run queue, so the link is free.
	var woken *gmp.G
	for sg := s.Dequeue(&c.Recvq); sg != nil; sg = s.Dequeue(&c.Recvq) {
		if sg.Elem.Get() != 0 {
			s.Typedmemclr(c.Elem, sg.Elem.Get())
		}
		gone := release(sg, false)
		gone.Schedlink.Set(woken)
		woken = gone
	}
	//course:step Do the same with all senders; their values will never be taken.
	for sg := s.Dequeue(&c.Sendq); sg != nil; sg = s.Dequeue(&c.Sendq) {
		gone := release(sg, false)
		gone.Schedlink.Set(woken)
		woken = gone
	}
	//course:step Unlock, and only then make them ready: they may want the channel at once.
	c.Lock.Unlock()
	for woken != nil {
		first := woken
		woken = first.Schedlink.Get()
		first.Schedlink.Set(nil)
		s.Goready(mp, first)
	}
}

// Send hands the value at elem to the receiver sg and makes it ready.
//
//course:exercise
func (p *channels) Send(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	//course:holds When the receiver is ready, everything that it waited for has been done, and no other M touches what belongs to it.
	//course:question Two things keep the receiver in its place: c is locked, and the receiver is not ready. What must be over before the first ends, and what before the second?
	//course:step Write into the slot of the sleeping G, wherever it has told us; it may not want the value.
	if sg.Elem.Get() != 0 {
		p.s.Typedmemmove(c.Elem, sg.Elem.Get(), elem)
	}
	//course:step Tell it that a value came. Once it is ready, it may run, and release the sudog: this is our last look at it.
	gp := release(sg, true)
	//course:step Unlock, then make it ready.
	c.Lock.Unlock()
	p.s.Goready(mp, gp)
}

// Recv takes a value for elem with the help of the waiting sender sg, and makes
// it ready.
//
//course:exercise
func (p *channels) Recv(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	//course:holds The value that has been there longest leaves; the sender's goes behind all others.
	//course:question A G waits to send. What do you know about the buffer, and about Sendx and Recvx?
	s := p.s
	if c.Dataqsiz == 0 {
		//course:step Without a buffer, the value comes straight from the slot of the sleeping sender.
		if elem != 0 {
			s.Typedmemmove(c.Elem, elem, sg.Elem.Get())
		}
	} else {
		//course:step With one, it is full, or no G would wait to send. The head is first; then the sender's value takes the slot that became free, which is the tail. Qcount stays the same.
		slot := c.Chanbuf(c.Recvx.Get())
		if elem != 0 {
			s.Typedmemmove(c.Elem, elem, slot)
		}
		s.Typedmemmove(c.Elem, slot, sg.Elem.Get())
		c.Recvx.Set(next(c, c.Recvx.Get()))
		c.Sendx.Set(c.Recvx.Get())
	}
	//course:step Tell the sender that its value is gone; unlock; make it ready.
	gp := release(sg, true)
	c.Lock.Unlock()
	s.Goready(mp, gp)
}

// next is the slot behind slot i of c's buffer, a ring.
//
//course:omit
func next(c *gmp.Hchan, i uint64) uint64 {
	if i++; i == c.Dataqsiz {
		return 0
	}
	return i
}

// release records in sg, which was dequeued, how the wait ended, and returns
// its G. The caller still has to make that ready.
//
//course:omit
func release(sg *gmp.Sudog, success bool) *gmp.G {
	sg.Elem.Set(0)
	sg.Success.Set(success)
	sg.G.Get().Param.Set(sg)
	return sg.G.Get()
}
