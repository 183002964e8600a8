// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch03

package ch03

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// channels are queues of values with a rule: the G that comes first waits, and
// the G that comes later does the work for both.
//
// Channels are Go's channels. gp is the calling G, Grunning on mp; the caller
// holds no lock unless a method says so. Values are in the machine's memory,
// c.Elem.Size bytes each; see Sched.Typedmemmove.
//
// An operation that has to wait parks gp and returns. First it hangs a sudog on the
// channel's queue and on gp.Waiting, and sets gp.Cont to the method that does the
// rest, ChansendDone or ChanrecvDone. The channel stays locked until gp's state is
// Gwaiting: the unlockf of the park unlocks it. The M that completes the operation
// dequeues the sudog, moves the value to or from its Elem and sets Elem to 0, all with the
// channel locked; it sets Success, and gp.Param to the sudog; and when the channel is
// unlocked and all of this done, it makes gp ready. (The runtime's send and recv unlock
// before they set success and param, and its closechan afterwards; both are correct here.)
//
// The results of an operation that waited are not those of the call. The
// continuation stores them with Sched.SetReceived.
//
// Where the program panics, the method calls Sched.PanicPlain with the text
// given here, while holding no lock, and returns.
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

// Makechan makes a channel of elements of type elem with a buffer of size, by
// Sched.NewHchan. If size is negative or the buffer has MaxAlloc bytes or more,
// it panics "makechan: size out of range" and returns nil. The runtime's
// makechan.
func (p *channels) Makechan(mp *gmp.M, gp *gmp.G, elem *machine.Type, size int64) *gmp.Hchan {
	// Holds: Every channel that is made has a buffer that can exist.
	// Question: A product may be too large for 64 bits. What does it look like
	//           then, and how do you find out how large it is without
	//           computing it?
	panic(gmp.TODO("Makechan"))
}

// Chansend sends the value at address elem on c, and reports whether it was
// sent. The value goes to the receiver that has waited longest, else into the
// buffer; else gp waits, for WaitReasonChanSend. With block unset it returns
// false instead of waiting; gp may then be nil, since a timer sends from no G,
// on a channel that is never closed. On a closed channel it panics "send on
// closed channel", and returns false. On a nil channel gp waits for ever, for
// WaitReasonChanSendNilChan. The runtime's chansend.
func (p *channels) Chansend(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) bool {
	// Holds: What was seen of the channel is true until the value has gone, or
	//        until gp waits and can be found.
	// Question: There is no receiver and no room. A receiver comes at this
	//           moment: what must it find, and what must it not find?
	panic(gmp.TODO("Chansend"))
}

// ChansendDone is what a woken sender still has to do. gp.Waiting and gp.Param
// are both its sudog. It clears the two, and the sudog's C, and releases the
// sudog; if the sudog has no Success, the channel was closed, and it panics
// "send on closed channel".
func (p *channels) ChansendDone(mp *gmp.M, gp *gmp.G) {
	// Holds: When gp goes on, nothing leads from it to a wait that is over,
	//        and the sudog belongs to no G.
	// Question: After ReleaseSudog, whose is the sudog, and what may be in it?
	panic(gmp.TODO("ChansendDone"))
}

// Chanrecv receives from c into address elem; if that is 0 the value is
// dropped. The value comes from the sender that has waited longest (see Recv),
// else from the buffer; else, if c is closed, it is zero and received is false;
// else gp waits, for WaitReasonChanReceive. selected is false, and so is
// received, if there is no result: gp waits, or block is unset and it would
// have to. On a nil channel gp waits for ever, for
// WaitReasonChanReceiveNilChan. The runtime's chanrecv.
func (p *channels) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	// Holds: Values leave in the order in which they were sent, even when the
	//        channel is closed.
	// Question: The channel is closed. Is it empty? And if a G waits to send,
	//           where is the value that has been there longest?
	panic(gmp.TODO("Chanrecv"))
}

// ChanrecvDone is what a woken receiver still has to do. gp.Waiting and
// gp.Param are both its sudog. It clears the two, and the sudog's C, releases
// the sudog, and stores the result, which was the sudog's Success.
func (p *channels) ChanrecvDone(mp *gmp.M, gp *gmp.G) {
	// Holds: The result is where gp's stack is now, and nothing leads from gp
	//        to a wait that is over.
	panic(gmp.TODO("ChanrecvDone"))
}

// Closechan closes c. All Gs that wait on it are made ready without Success, in
// any order, after c is unlocked again, each with a nil Schedlink: receivers
// have a zero value, and senders will panic. Panics "close of nil channel" and
// "close of closed channel". The runtime's closechan.
func (p *channels) Closechan(mp *gmp.M, gp *gmp.G, c *gmp.Hchan) {
	// Holds: No G finds a channel that is closed for some and open for others;
	//        and a G that was made ready finds nothing still to be done with
	//        it.
	// Question: The first G that you make ready runs at once, on another M,
	//           and uses the channel. What do you still have to do then, and
	//           what do you need for it?
	panic(gmp.TODO("Closechan"))
}

// Send hands the value at elem to the receiver sg, which was dequeued, straight
// into its slot, and makes it ready. The caller has locked c, and Send unlocks
// it before sg's G is ready. By then the value has moved and sg.Elem is 0: the
// lock also keeps the sleeper's stack in its place. The runtime's send.
func (p *channels) Send(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	// Holds: When the receiver is ready, everything that it waited for has
	//        been done, and no other M touches what belongs to it.
	// Question: Two things keep the receiver in its place: c is locked, and
	//           the receiver is not ready. What must be over before the first
	//           ends, and what before the second?
	panic(gmp.TODO("Send"))
}

// Recv takes a value for elem, which may be 0, with the help of the sender sg,
// which was dequeued, and makes it ready. Without a buffer the value comes
// straight from the sender's slot. Otherwise the buffer is full: the value
// comes from its head, and the sender's goes to its tail, which is the same
// slot. The caller has locked c, and Recv unlocks it before sg's G is ready, as
// in Send. The runtime's recv.
func (p *channels) Recv(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	// Holds: The value that has been there longest leaves; the sender's goes
	//        behind all others.
	// Question: A G waits to send. What do you know about the buffer, and
	//           about Sendx and Recvx?
	panic(gmp.TODO("Recv"))
}
