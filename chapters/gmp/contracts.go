package gmp

import "gosched/chapters/machine"

//go:generate go run ./genparts

// This file holds the contracts: one interface per mechanism, in the order of
// the chapters. The methods have the names of the runtime's functions. Where a
// runtime function takes no m or g because it finds them in thread-local
// storage, ours takes mp, the M that executes the call, and gp, the G that it
// is about.
//
// A method that "throws" calls Sched.Throw, which does not return.

// ---- Chapter 1: life of a goroutine ----

// Goroutines makes goroutines and ends them.
type Goroutines interface {
	// Newproc1 makes a G that will run the closure fn, and returns it in state
	// Grunnable; the caller puts it on a queue. callergp executed the go statement,
	// and callerpc is the pc after it. The main goroutine has no creator, and
	// neither has one that a timer starts: callergp is then nil, and Gopc and
	// Parentgoid are 0. Startfn is fn. Throws "go of nil func value" if fn is 0.
	//
	// The G comes from Gfget; if that has none, from Sched.Malg, with a stack of
	// StartingStack bytes, and then it becomes Gdead before Sched.Allgadd puts it
	// on the list of all Gs. It gets the next Goid, counting from 1.
	//
	// Its saved context, G.Sched, is new, with nothing left in it of a former life:
	// it is as if runtime.goexit, whose pc is Sched.Program().Goexit, had called fn
	// on the empty stack and fn had not yet run its first instruction, so that fn
	// returns to goexit; see Sched.Gostartcall. The guard is StackGuard bytes above
	// the low end of the stack.
	//
	// It becomes Grunnable last: other Ms look at the runnable Gs on the list of
	// all Gs, and an M that finds it in that state finds all of it.
	//
	// The runtime's newproc1.
	Newproc1(mp *M, fn machine.Addr, callergp *G, callerpc machine.PC) *G

	// Goexit0 ends gp, which runs on mp and has left its last function: gp becomes
	// Gdead and forgets what its life was about, mp and gp let go of each other
	// (Sched.Dropg), gp goes to the free list by Gfput, and mp schedules. As long as
	// gp is Grunning it is linked to mp (see Execute); as soon as it is on the free
	// list, another M may give it its next life, so nothing of it may be touched any
	// more.
	//
	// What it forgets: Lockedm, Waitreason, Cont, Waiting, Param, Success, Selects,
	// Preempt, PreemptStop, AsyncSafe and Timer; and mp forgets Lockedg. Stack and
	// Alllink belong to the G and stay; the next life sets anew, or does not need,
	// whatever is not named here.
	//
	// The runtime's goexit0, with gdestroy.
	Goexit0(mp *M, gp *G)
}

// Statuses changes the state of a G.
type Statuses interface {
	// Casgstatus moves gp from state oldval to state newval in one atomic step.
	// Throws if the scan bit is in either, if they are equal, if the edge between
	// them is not a legal one (the page of chapter 1 draws those), or if gp is
	// found in neither oldval nor oldval with the scan bit. While the scan bit is
	// set (chapter 14) it waits, by machine.Procyield, Osyield or Usleep.
	//
	// The runtime's casgstatus, which knows no diagram and with a wrong oldval
	// waits for ever: such a mistake is hard to find there.
	Casgstatus(gp *G, oldval, newval uint32)
}

// Freelists keeps dead Gs for reuse, in s.GFree: those that have a stack on the list
// Stack, the others on NoStack; N is the number on both together. GFree.Lock is held
// whenever one of the three is read or changed. A G that is no longer on a list has
// no Schedlink. Up to chapter 5 other parts read N alone, so a part may keep the Gs in a
// way of its own; from chapter 6 on Procresize, too, puts Gs on the two lists.
type Freelists interface {
	// Gfget takes a G from the free list, nil if there is none: of the Gs that
	// still have a stack the one put last, and only if there are none, of the others
	// the one put last. A G without a stack gets one (Sched.Stackalloc of
	// StartingStack bytes), so that the caller finds Stack and the guard, G.Sched.Guard,
	// set. Called without GFree.Lock held.
	//
	// From chapter 6 on each P has one list for both kinds, mp.P.GFree, with s.GFree
	// behind it. Gfget takes the G that was put on the P's list last, with a stack or
	// without. If that list is empty, it first moves up to 32 Gs there, under
	// GFree.Lock, those with a stack before the others; so one without may be taken
	// first.
	//
	// The runtime's gfget.
	Gfget(mp *M) *G

	// Gfput puts gp, which is Gdead, on the free list; if gp is in another state it
	// throws, and puts it nowhere. A stack that has grown beyond StartingStack is
	// freed (Sched.Stackfree), and gp's Stack is then zero. Called without
	// GFree.Lock held.
	//
	// From chapter 6 on, a P whose list has reached 64 Gs moves Gs to s.GFree until
	// 31 are left.
	//
	// The runtime's gfput.
	Gfput(mp *M, gp *G)
}

// ---- Chapter 2: one thread ----

// Boot begins and ends a program.
type Boot interface {
	// Schedinit prepares s before the first G exists, whatever s held before: at
	// most 10,000 Ms (Maxmcount), an empty global queue (Runq), empty free lists
	// (GFree), and Goids from 1 (Goidgen). It then makes the main goroutine, which
	// runs s.Mainfn, by Newproc: the order of the runtime's bootstrap, osinit,
	// schedinit, newproc(main), mstart.
	//
	// From chapter 6 on it first makes the Ps, as many as s.StartingProcs says, by
	// Procresize with s.Lock held; throws "unknown runnable goroutine during bootstrap"
	// if that returns a P with work. s.Lastpoll is the time and not 0, since no M waits
	// for the network yet.
	//
	// The runtime's schedinit; there the assembly in rt0_go calls newproc.
	Schedinit(mp *M)

	// MainExit ends the program after main.main has returned on gp: it runs
	// Exithooks, the last one added first, and calls Sched.Exit(mp, 0). A hook is
	// off the list before it runs, so that none runs twice if a hook ends the
	// program itself. It does not wait for the other Gs; they simply never run
	// again.
	//
	// The end of the runtime's main.
	MainExit(mp *M, gp *G)
}

// Loop is the heart: it picks a G and lets it run.
type Loop interface {
	// Schedule finds a runnable G and executes it. In the runtime schedule never
	// returns. Here it returns when mp.Curg is the G to run, and returning to the
	// router is gogo; it also returns when the program is over (Exited), and then
	// leaves the queue alone. It takes and releases s.Lock itself. With one thread, if
	// there is no G, it calls Checkdead, with s.Lock held.
	//
	// From chapter 5 on mp sleeps while there is no G and other Ms could make one
	// runnable.
	//
	// From chapter 8 on it calls Wakep, before Execute, only if FindRunnable wants
	// it: whoever queued the G has already called it. And each time before it looks for a G
	// it throws "schedule: spinning with local work" if mp spins and its P has a G.
	//
	// From chapter 11 on Gs and Ms may be locked to each other, and before anything else
	// Schedule looks whether that is so. If mp is locked to a G, which cannot run now, it
	// waits for it by Stoplockedm, and executes it, with a new time slice. If its locked G
	// has ended (LockedExt is not 0, and Lockedg is nil), mp ends, by Mexit. And a G that
	// it has found and that is locked to another M is for that one: Startlockedm, after mp
	// has ceased to spin; then everything begins anew.
	//
	// In chapter 18, each time before it looks for a G, P.Preempt is set to false: a P that looks
	// for a G has stopped. Throws "schedule: holding locks", before anything else, if mp.Locks is
	// not 0.
	Schedule(mp *M)

	// Execute makes gp, which is Grunnable and on no queue, mp's current G in state
	// Grunning, linked both ways. It links them before gp's state says that it runs:
	// another M that holds the scan bit of a running G looks in G.M for the M that it
	// must turn to. Called by Schedule without s.Lock held. inheritTime: gp continues
	// the time slice of the G before it; otherwise a new one begins. Time slices exist
	// from chapter 6 on.
	//
	// From chapter 8 on a new time slice increments the P's Schedtick. And whether the slice is
	// new or not, gp was not asked to stop when it begins to run: Preempt is false, and the
	// guard, Sched.Guard, is StackGuard bytes above the low end of the stack; in a Go with
	// signals (HasSignals, chapter 14) P.Preempt is false, too. A request that is left from
	// before was for a G that ran too long, and it has stopped since. This, too, is so before
	// gp's state says that it runs.
	Execute(mp *M, gp *G, inheritTime bool)
}

// Submission is how a G becomes runnable and gets onto a queue: at the tail of the
// global one, until there are others.
//
// From chapter 5 on it also makes sure that an M will run the G. Newproc1 is called
// without s.Lock, since no other M knows the new G yet.
//
// In chapter 5 Ready and Newproc queue the G and let Matchmg hand it over, if an M may
// come, in one step under s.Lock, so that the rule of Matching holds whenever the lock
// is free. GoschedImpl wakes no M: mp is about to ask for a G itself, and would find
// none if another M were woken for this one.
//
// From chapter 8 on each method that queues a G then calls Wakep, so that an M comes for it
// if a P is idle; only the main goroutine, the first, needs no M woken. Whether a P is idle
// is for Wakep to see: an M may be about to give one back without the caller knowing
// (golang/go#45867, chapter 10). Calling it once too often is no mistake. Ready and Newproc
// put the G on the queue of mp's P, by Runqput, and Newproc asks for it to run next.
type Submission interface {
	// Ready makes gp, which is Gwaiting, runnable and queues it. next asks for it to
	// run next, where there is a runnext. Throws "bad g->status in ready" in any
	// other state; Gwaiting with the scan bit set is not another state. The
	// runtime's ready.
	Ready(mp *M, gp *G, next bool)

	// Newproc is the go statement: it makes a G for the closure fn, by Newproc1, and
	// queues it. The caller is mp.Curg, at its saved pc, Sched.PC; at boot, and when
	// a timer fires, there is no caller. The caller goes on. The runtime's newproc.
	Newproc(mp *M, fn machine.Addr)

	// GoschedImpl takes gp off mp, puts it at the tail of the global queue and
	// schedules. As long as gp's state is Grunning it is linked to mp; when another M
	// can take it from the queue, it is Grunnable and mp has let go of it. Once gp is
	// queued and s.Lock is free it may run on another M, and end there: gp is no
	// longer touched. preempted: gp did not ask for it. The runtime's goschedImpl.
	GoschedImpl(mp *M, gp *G, preempted bool)
}

// GlobalQueue is the queue of runnable Gs that all Ms share, s.Runq. Other
// parts read its fields. The caller of each method holds s.Lock.
type GlobalQueue interface {
	// Globrunqput puts gp at the tail, whatever its Schedlink was. The runtime's
	// globrunqput.
	Globrunqput(gp *G)
	// Globrunqputhead puts gp at the head. The runtime's globrunqputhead.
	Globrunqputhead(gp *G)
	// Globrunqget takes the G at the head, nil if the queue is empty. Its
	// Schedlink is nil afterwards. The runtime's globrunqget.
	Globrunqget() *G
}

// Deadlock notices that nothing can ever run again.
type Deadlock interface {
	// Checkdead is called with s.Lock held when an M finds nothing to run. If no M can
	// run and no event is still to come, it throws, with the lock held: "no goroutines
	// (main called runtime.Goexit) - deadlock!" if all Gs are dead, else "all
	// goroutines are asleep - deadlock!". It throws "checkdead: runnable g" if a G is
	// runnable after all, or running or in a system call, which is a bug in the
	// scheduler. A G with the scan bit set, whose stack is being looked at, counts as
	// being in the state beside that bit. Sched.ForEachG has all Gs.
	//
	// From chapter 5 on it returns as long as another M may make a G ready. Of all
	// Ms that were made or reserved (Mnext) it does not count those that are gone
	// (Nmfreed), idle (Nmidle, Nmidlelocked), or the system's own (Nmsys); it
	// throws "checkdead: inconsistent counts" if fewer than zero are left, whatever
	// else there is. It also returns as long as there is a timer, in Timerlist or
	// in a P's Timers (Len). The runtime looks at timers last.
	//
	// In chapter 18 it returns, before it counts anything, if a G dies from a panic
	// (s.Panicking is not 0): the M that prints the report ends the program. It does not look at
	// the Gs of the system (IsSystemGoroutine), which wait for as long as the program runs. And it
	// looks at the timers last, in each P's Timers: an M that runs one, or waits for the first to be
	// due, is counted. So if no G is left it throws, whatever timers there are.
	//
	// The runtime's checkdead; Go 1.1 and 1.2 called exit(0) when no goroutine was left.
	Checkdead()
}

// ---- Chapter 3: park and ready ----

// Parking takes a G off its M until it is made ready.
type Parking interface {
	// Gopark lets gp, which is Grunning on mp, wait for reason: gp becomes Gwaiting with that
	// Waitreason and goes on no run queue, mp and gp let go of each other, and mp schedules. As
	// long as gp is Grunning it is linked to mp. An M that sees that gp is Gwaiting may read
	// Waitreason. Throws "gopark: bad g status" in any other state, before it changes anything;
	// Grunning with the scan bit set is not another state. Not called with s.Lock held.
	//
	// Before it schedules it calls unlockf(gp, lock), if that is not nil. unlockf
	// releases the lock that kept wakers away, so at that moment gp's state must already
	// have changed and mp must have let go of it: it may be made ready, and run, before
	// unlockf returns. unlockf must not touch gp's stack, which may be moved as soon as
	// gp waits: an address in it that was taken before Gopark may be stale by then. If
	// unlockf returns false, gp does not wait: it becomes Grunnable and goes on at once,
	// by Execute with inheritTime set. If it returns true, gp belongs to its waker.
	//
	// What gp must do when it wakes is in gp.Cont, set before the call: Gopark
	// returns when another G is to run. The runtime's gopark and park_m.
	Gopark(mp *M, gp *G, unlockf func(gp *G, lock any) bool, lock any, reason WaitReason)

	// Goready makes gp, which waits, runnable: it is Ready with next set. The
	// caller's G goes on. The runtime's goready.
	Goready(mp *M, gp *G)
}

// Sudogs keeps sudogs for reuse, in mp.Sudogcache. mp is the M that executes the
// call, so no other M looks there at the same time. NewSudog makes one, and
// Sudog.Reset makes one as good as new.
//
// From chapter 6 on they are in mp.P.Sudogcache, at most as many as that has room for,
// with s.Sudogcache behind it, under s.Sudoglock: a P that has none takes some from
// there, up to half its room; one that has no room moves half of its own there. Beyond
// the end of mp.P.Sudogcache its array holds nil, so that a sudog that has gone is not
// kept from the garbage collector.
type Sudogs interface {
	// AcquireSudog returns a sudog with all fields zero: a released one if there is
	// one, else a new one. The runtime's acquireSudog, which promises less: fields
	// that releaseSudog does not look at, such as ticket, still hold their old
	// values, and its callers set those that they use.
	AcquireSudog(mp *M) *Sudog
	// ReleaseSudog takes sg back. Throws if it is still in use somewhere:
	// "runtime: sudog with non-nil elem", or next, prev, waitlink, c, and
	// "runtime: sudog with non-false isSelect". The runtime's releaseSudog, which also
	// throws if the calling G's param is set.
	ReleaseSudog(mp *M, sg *Sudog)
}

// Waitqs are the queues of a channel. The caller of each method holds the
// channel's lock.
type Waitqs interface {
	// Enqueue puts sg, which is on no queue, at the tail. The runtime's
	// waitq.enqueue.
	Enqueue(q *Waitq, sg *Sudog)
	// Dequeue takes the first sudog, nil if there is none. Its Next and Prev
	// are nil afterwards. The runtime's waitq.dequeue.
	//
	// From chapter 4 on, a sudog that stands for a select is taken only if that
	// select has no winner yet, and taking it makes this case the winner.
	Dequeue(q *Waitq) *Sudog
	// DequeueSudoG removes sg, wherever it is on q; its Next and Prev are nil
	// afterwards. If sg is not on q, because a waker has dequeued it, nothing
	// happens. The runtime's waitq.dequeueSudoG.
	DequeueSudoG(q *Waitq, sg *Sudog)
}

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
type Channels interface {
	// Makechan makes a channel of elements of type elem with a buffer of size, by
	// Sched.NewHchan. If size is negative or the buffer has MaxAlloc bytes or more,
	// it panics "makechan: size out of range" and returns nil. The runtime's
	// makechan.
	Makechan(mp *M, gp *G, elem *machine.Type, size int64) *Hchan

	// Chansend sends the value at address elem on c, and reports whether it was
	// sent. The value goes to the receiver that has waited longest, else into the
	// buffer; else gp waits, for WaitReasonChanSend. With block unset it returns
	// false instead of waiting; gp may then be nil, since a timer sends from no G,
	// on a channel that is never closed. On a closed channel it panics "send on
	// closed channel", and returns false. On a nil channel gp waits for ever, for
	// WaitReasonChanSendNilChan. The runtime's chansend.
	Chansend(mp *M, gp *G, c *Hchan, elem machine.Addr, block bool) bool
	// ChansendDone is what a woken sender still has to do. gp.Waiting and gp.Param
	// are both its sudog. It clears the two, and the sudog's C, and releases the
	// sudog; if the sudog has no Success, the channel was closed, and it panics
	// "send on closed channel".
	ChansendDone(mp *M, gp *G)

	// Chanrecv receives from c into address elem; if that is 0 the value is
	// dropped. The value comes from the sender that has waited longest (see Recv),
	// else from the buffer; else, if c is closed, it is zero and received is false;
	// else gp waits, for WaitReasonChanReceive. selected is false, and so is
	// received, if there is no result: gp waits, or block is unset and it would
	// have to. On a nil channel gp waits for ever, for
	// WaitReasonChanReceiveNilChan. The runtime's chanrecv.
	Chanrecv(mp *M, gp *G, c *Hchan, elem machine.Addr, block bool) (selected, received bool)
	// ChanrecvDone is what a woken receiver still has to do. gp.Waiting and
	// gp.Param are both its sudog. It clears the two, and the sudog's C, releases
	// the sudog, and stores the result, which was the sudog's Success.
	ChanrecvDone(mp *M, gp *G)

	// Closechan closes c. All Gs that wait on it are made ready without Success, in
	// any order, after c is unlocked again, each with a nil Schedlink: receivers
	// have a zero value, and senders will panic. Panics "close of nil channel" and
	// "close of closed channel". The runtime's closechan.
	Closechan(mp *M, gp *G, c *Hchan)

	// Send hands the value at elem to the receiver sg, which was dequeued, straight
	// into its slot, and makes it ready. The caller has locked c, and Send unlocks
	// it before sg's G is ready. By then the value has moved and sg.Elem is 0: the
	// lock also keeps the sleeper's stack in its place. The runtime's send.
	Send(mp *M, c *Hchan, sg *Sudog, elem machine.Addr)
	// Recv takes a value for elem, which may be 0, with the help of the sender sg,
	// which was dequeued, and makes it ready. Without a buffer the value comes
	// straight from the sender's slot. Otherwise the buffer is full: the value
	// comes from its head, and the sender's goes to its tail, which is the same
	// slot. The caller has locked c, and Recv unlocks it before sg's G is ready, as
	// in Send. The runtime's recv.
	Recv(mp *M, c *Hchan, sg *Sudog, elem machine.Addr)
}

// ---- Chapter 4: waiting for several things ----

// Select is the select statement.
type Select interface {
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
	Selectgo(mp *M, gp *G, cases []Scase, block bool) (chosen int, received bool)
	// SelectgoDone is what a woken G still has to do. gp.Param is the sudog of the
	// case that was done for it. With all channels locked, as in Selectgo, it takes
	// the others off their queues and sets gp.SelectDone to 0; once they are unlocked
	// again, it clears gp.Waiting, gp.Selects and gp.Param, releases all sudogs, and
	// stores the results with Sched.SetSelected, or panics "send on closed channel" if
	// the case is a send without Success. In the runtime it is the rest of selectgo,
	// which clears waiting and param and releases the sudogs before it unlocks. Doing
	// so here is correct as well.
	SelectgoDone(mp *M, gp *G)
}

// Semaphores are what sync's locks sleep on. addr is the address of a uint32
// count in the program's memory: see Sched.Cansemacquire and Sched.Semadd. Its
// waiters are at Sched.Semroot.
type Semaphores interface {
	// Semacquire1 takes one from the count at addr; if it succeeds at the first look, no
	// lock is needed. If there is none to take, gp waits for reason, counted in its
	// root's Nwait and queued by SemaQueue; gp.Cont is SemacquireDone. A release that
	// comes after gp's last look finds gp counted. The root stays locked until gp's
	// state is Gwaiting. The runtime's semacquire1.
	Semacquire1(mp *M, gp *G, addr machine.Addr, lifo bool, reason WaitReason)
	// SemacquireDone is what a woken waiter still has to do. It releases its sudog,
	// which is gp.Param, and clears that. If the sudog's Ticket is not 0, gp was
	// handed the count. Otherwise it tries again, with what Sched.SemacquireArgs
	// returns.
	SemacquireDone(mp *M, gp *G)
	// Semrelease1 adds one to the count at addr. If Nwait is then 0, that is all, and no
	// lock is needed. If addr has waiters, it wakes the first: dequeued, no longer counted
	// in Nwait, and with its sudog in its G's Param. With handoff it tries to take the one
	// back for the waiter. If it can, the sudog's Ticket is 1, and when the waiter is
	// ready gp yields (GoschedImpl, not preempted); otherwise gp goes on. No lock is held
	// when it makes the waiter ready. The runtime's semrelease1, which yields since Go
	// 1.14, by goyield, and not while its M holds locks or is on g0.
	Semrelease1(mp *M, gp *G, addr machine.Addr, handoff bool)
	// SemaQueue adds sg, in which only G is set, to the waiters of addr: as the
	// last one, or with lifo as the first. The caller has locked root.
	//
	// In the form of Go 1.9 and later, which this chapter asks for, root.Treap is a
	// tree with a node for each address: the first sudog that waits for it. By
	// address, which is in Elem, Prev leads to the lower ones and Next to the
	// higher ones, and Parent leads up. By Ticket it is a heap: no node has a
	// smaller one than its Parent. A node that is new in the tree gets a random
	// Ticket, from mp, which is not 0. The others for the same address hang on the
	// node by Waitlink, and have no other links; the node's Waittail is the last of
	// them, nil if there are none.
	//
	// The runtime's semaRoot.queue.
	SemaQueue(mp *M, root *SemaRoot, addr machine.Addr, sg *Sudog, lifo bool)
	// SemaDequeue takes the first waiter of addr, nil if there is none. Apart from
	// G its fields are zero. The caller has locked root. The runtime's
	// semaRoot.dequeue.
	SemaDequeue(mp *M, root *SemaRoot, addr machine.Addr) *Sudog
}

// NotifyLists are what sync.Cond sleeps on. Tickets are numbers that rise, and
// after the greatest uint32 continue at 0; those before l.Notify are notified.
type NotifyLists interface {
	// NotifyListAdd takes a ticket. It is called before whatever guards the
	// condition is unlocked, without any lock, by several Ms at once. The runtime's
	// notifyListAdd.
	NotifyListAdd(l *NotifyList) uint32
	// NotifyListWait waits, for WaitReasonSyncCondWait, until ticket t is notified;
	// not at all if it already has been. gp.Cont is NotifyListWaitDone. The
	// runtime's notifyListWait.
	NotifyListWait(mp *M, gp *G, l *NotifyList, t uint32)
	// NotifyListWaitDone is what a notified G still has to do: it releases its
	// sudog, which is gp.Param, and clears that.
	NotifyListWaitDone(mp *M, gp *G)
	// NotifyListNotifyAll notifies all tickets that were taken, and wakes their
	// holders in the order in which they came to wait; the list is then empty. It
	// is not locked while they are made ready. The runtime's notifyListNotifyAll.
	NotifyListNotifyAll(mp *M, l *NotifyList)
	// NotifyListNotifyOne notifies the oldest ticket, and wakes its holder, if that
	// already waits. The list is not locked while the holder is made ready. The
	// runtime's notifyListNotifyOne.
	NotifyListNotifyOne(mp *M, l *NotifyList)
}

// ---- Chapter 5: many threads, one lock ----

// Threads makes Ms, and lets them sleep. Idle Ms, those that sleep for want of work,
// are on the list s.Midle, linked by M.Schedlink and counted in s.Nmidle. M.Park is the
// note on which an M sleeps; MPark is the method that sleeps on it.
type Threads interface {
	// Mput puts mp first on the list of idle Ms, and calls Checkdead, since mp may have
	// been the last M awake. The caller holds s.Lock; it then releases it and calls MPark.
	// The runtime's mput.
	Mput(mp *M)
	// Mget takes the first M off that list, nil if it is empty; its Schedlink is
	// then nil. The caller gives it something to do and signals its Park
	// (Note.Wakeup). s.Lock is held. The runtime's mget.
	Mget() *M
	// MReserveID gives out the ID of the next M, s.Mnext, and counts that M, which
	// does not exist yet; then it calls Checkmcount. s.Lock is held. The runtime's
	// mReserveID.
	MReserveID() int64
	// Checkmcount throws "thread exhaustion" if there are more than s.Maxmcount Ms,
	// not counting those that are gone (s.Mnext-s.Nmfreed). First it writes
	// "runtime: program exceeds 10000-thread limit", or whatever the limit is, on a
	// line to Sched.Stderr. s.Lock is held. The runtime's checkmcount.
	Checkmcount()
	// Newm makes the M with the reserved id (Sched.NewM) and starts its thread
	// (Sched.Newosproc). The new M runs fn, its Mstartfn, if that is not nil, with
	// itself as the argument, takes pp, its Nextp, if that is not nil, and schedules. It
	// may do so before Newosproc has returned. Newm does not wait for it. mp is the M
	// that executes the call. It may hold s.Lock, as it did in Go 1.0; since 1.1 the
	// runtime calls newm without it. The runtime's newm.
	Newm(mp *M, fn func(mp *M), pp *P, id int64)
	// MPark puts mp to sleep until the note mp.Park is signalled, or returns at once
	// if it already was, and then clears the note for the next time. Called on mp's
	// own thread, without locks. The runtime's mPark.
	MPark(mp *M)
}

// Matching is how Go 1.0 brings Gs and Ms together, under one lock. There has
// been nothing like it since 1.1. The caller of both methods holds s.Lock.
//
// The field s.Mcpu counts the Ms that run a G, have been given one, or have let go of one
// and not yet asked for the next; the field s.Mcpumax is how many may. Whenever the lock
// is free, either no G is queued or Mcpu is at least Mcpumax, except for one G for each M
// that is about to ask, by NextGAndUnlock. Only these two methods change Mcpu.
type Matching interface {
	// Matchmg takes Gs off the global queue as long as Mcpu is less than Mcpumax, and
	// hands each to an M that is then counted in Mcpu: to an idle one (Mget), through
	// its field Nextg, and wakes it; or, if none is idle, to a new one, by Newm, whose
	// fn sets its Nextg. mp is the M that executes the call. The runtime's matchmg, in
	// Go 1.0.
	Matchmg(mp *M)
	// NextGAndUnlock returns the next G for mp, which is then on no queue, and mp is
	// counted in Mcpu. That is mp.Nextg, if it is set: a new M was given its G.
	// Otherwise mp is counted as running and has no G: it is no longer counted, and if
	// Mcpu is then less than Mcpumax it takes the G at the head of the global queue. If
	// it may not, or there is none, it becomes idle (Mput), and sleeps (MPark) until it
	// is given one; throws "bad m->nextg in nextgoroutine" if it wakes without one. It
	// releases s.Lock, before it sleeps. The runtime's nextgandunlock, in Go 1.0, where
	// schedule takes the M out of mcpu just before it, under the same lock.
	NextGAndUnlock(mp *M) *G
}

// ---- Chapter 6: the P ----

// Procs are the Ps. A P is in one of four places: an M holds it (Prunning), it is on
// the list of idle Ps, s.Pidle (Pidle, without work), it is in the hands of an M
// that is about to hand it over (Pidle), or it is dead (Pdead). An M that sleeps has
// none, but may have one that it is to take, Nextp.
type Procs interface {
	// Procresize makes the number of Ps nprocs: afterwards s.Allp has that many, in
	// order of ID, and s.Gomaxprocs is their number. New ones (NewP, with RunqLen slots
	// and room for some sudogs) are empty. A surplus one becomes Pdead; its Gs, first
	// the one in Runnext, go to the head of the global queue, in order, and its free Gs
	// and sudogs to the shared lists, under their locks: an M without a P, which a
	// stopped world does not stop, may be at work there. The dead P stays beyond the end
	// of s.Allp, and is used again when the number rises.
	//
	// mp keeps its P, which becomes Prunning again. If it has none or loses it, it takes
	// the one with ID 0, made Pidle for it, by Acquirep. Before that, it unlinks itself
	// from the old one, without Releasep: that throws, since the P of a stopped world is
	// Pgcstop.
	//
	// All others, whether they were new, stopped or dead, become Pidle. Those without
	// work are put on the list of idle Ps, so that the one with the lowest ID comes
	// first. Those with work it returns, linked by Link, in order of ID; the caller gives
	// an M to each. Throws "procresize: invalid arg" if nprocs is not positive, before it
	// changes anything.
	//
	// s.Lock is held, and the world is stopped: mp alone runs, and no P is on the
	// list or in the hands of another M. The runtime's procresize, which also picks
	// the Ms. There a P that is new or was dead becomes _Pgcstop and then _Pidle; and
	// since Go 1.26 those that are returned are not in order of ID.
	Procresize(mp *M, nprocs int32) *P
	// Acquirep gives mp, which has no P, the idle pp, by Wirep. The caller has taken pp
	// off the list, or was given it. The runtime's acquirep.
	Acquirep(mp *M, pp *P)
	// Releasep takes mp's P away and returns it: Pidle, without an M, and on no
	// list. Throws "releasep: invalid arg" if mp has none, "releasep: invalid p
	// state" if that P is not Prunning or belongs to another M. The runtime's
	// releasep.
	Releasep(mp *M) *P
	// Wirep links mp and pp, both ways, and pp becomes Prunning. Throws "wirep:
	// already in go" if mp has a P, "wirep: invalid p state" if pp has an M or is not
	// Pidle. The runtime's wirep, the first step of acquirep.
	Wirep(mp *M, pp *P)
	// Pidleput puts pp, which is Pidle and belongs to the caller, first on the list of
	// idle Ps, counted in s.Npidle; if pp has work it throws "pidleput: P has non-empty
	// run queue", and puts it nowhere. It returns now, or the time if now is 0. s.Lock is
	// held; once it is released, pp may belong to another M. The runtime's pidleput.
	Pidleput(pp *P, now int64) int64
	// Pidleget takes the first P off the list of idle Ps, nil if there is none, and
	// returns now, or the time if now is 0 and there was one. s.Lock is held. The
	// runtime's pidleget.
	Pidleget(now int64) (*P, int64)
}

// ---- Chapter 7: the run queue ----

// RunQueue is the local queue of a P, and how it gives Gs to the global queue
// and takes them from it.
//
// A P has a ring, pp.Runq, of n = len(pp.Runq) slots, a power of two, at least 2 and at most
// RunqLen. Runqhead and Runqtail only ever go up, modulo 2^32, and tail-head, modulo 2^32, is
// the number of Gs in the ring, from 0 to n; the G with number i is in slot i%n. Before the
// ring comes the single slot Runnext. Head and tail may start at any number. A part that keeps
// something of its own about a P must read them first.
//
// The owner of a P is the M that holds it, a thief is any other M. Only the
// owner stores Gs, in slots and in Runnext, and the tail. Any M may move the
// head, by CAS: the M that moves it past a G has taken that G. Any M may take
// Runnext, with one atomic operation. No M may touch a G that others can still
// take, not even its Schedlink.
type RunQueue interface {
	// Runqput puts gp, which is on no queue, on pp: at the tail of the ring, or
	// with next set into Runnext, and then the G that was there at the tail. If
	// the ring is full, Runqputslow makes room. Called by pp's owner, without
	// s.Lock. The runtime's runqput, which under -race ignores next half of the
	// time.
	Runqput(pp *P, gp *G, next bool)
	// Runqputslow moves the first half of pp's full ring, with gp behind it, to the
	// tail of the global queue, for which it takes s.Lock, once. h and t are the head
	// and the tail that the caller saw. It reports false, and has done nothing, if
	// thieves have moved the head since: then there is room. Throws "runqputslow:
	// queue is not full" if t-h is not len(pp.Runq). Called by pp's owner, without
	// s.Lock. The runtime's runqputslow.
	Runqputslow(pp *P, gp *G, h, t uint32) bool
	// Runqputbatch puts as many Gs of q as there is room for at the tail of pp's
	// ring, in order, and makes them visible all at once. It returns the others,
	// which its caller may put on the global queue. Called by pp's owner. The
	// runtime's runqputbatch, which takes a pointer to q and leaves them there.
	Runqputbatch(pp *P, q GQueue) (rest GQueue)
	// Runqget takes the next G of pp, nil if there is none: the one in Runnext, else
	// the one at the head. inheritTime: it was in Runnext, so it continues the time
	// slice of the G that put it there; false without a G. If a thief takes a G out of
	// its hands, it returns another, as long as there is one. Called by pp's owner.
	// The runtime's runqget.
	Runqget(pp *P) (gp *G, inheritTime bool)
	// Runqdrain takes all Gs: Runnext first, then the ring, in order. Called by
	// pp's owner. The runtime's runqdrain.
	Runqdrain(pp *P) GQueue
	// Runqempty reports whether pp has no G, neither in the ring nor in Runnext. If
	// it says so, there was a moment during the call when it was true. Called by
	// any M. The runtime's runqempty.
	Runqempty(pp *P) bool
	// Runqgrab takes half of the Gs in pp's ring, rounded up, from the head. It puts them
	// into batch, the ring of the caller's own P, which has as many slots as pp's, in
	// order from number batchHead on, and returns their number. If there is none in the
	// ring, it takes the G in Runnext if stealRunNext is set; when pp is Prunning it first
	// waits for 3 µs (machine.Usleep), since its owner may be just about to run that G. If
	// Runnext then holds a different G, it starts again: that G has not been waited for.
	// It never stores into more than half of the slots of batch, whatever it sees, since
	// the others may hold Gs of the caller. Called by any M but pp's owner; it does not
	// touch the Gs. The runtime's runqgrab.
	Runqgrab(pp *P, batch []machine.Pointer[G], batchHead uint32, stealRunNext bool) uint32
	// Runqsteal lets pp steal from p2: of what Runqgrab takes, it returns the last G, nil if
	// there is none, and puts the others on pp's ring, in order. Throws "runqsteal: runq
	// overflow" if all that Runqgrab took, including the returned G, would not have fitted; a
	// thief has an empty ring. Called by pp's owner. The runtime's runqsteal.
	Runqsteal(pp, p2 *P, stealRunNext bool) *G
	// Globrunqputbatch puts all of q, which may be empty, at the tail of the
	// global queue. s.Lock is held. The runtime's globrunqputbatch.
	Globrunqputbatch(q GQueue)
	// Globrunqgetbatch takes Gs from the head of the global queue and returns the
	// first, which is to run, nil if there is none, and a queue of the others, in
	// order. There are min(n, s.Runq.Size, s.Runq.Size/s.Gomaxprocs+1) of them in
	// all, where n, at least 1, is what the caller has room for. s.Lock is held.
	// The runtime's globrunqgetbatch.
	Globrunqgetbatch(n int32) (*G, GQueue)
}

// ---- Chapter 8: the loop and its fairness ----

// Sources are where a P finds work without asking another P.
type Sources interface {
	// Nearby returns a G for mp, which holds a P, from the first of these that has one,
	// nil if none does: when the P's Schedtick is a multiple of 61, the global queue,
	// from which it takes one G; the P's own queue; the global queue, from which it takes
	// a batch (Globrunqgetlocal); the network (Netpoll without waiting), if a G waits for
	// it (NetpollAnyWaiters) and no M polls (Lastpoll is not 0). Of what the network has,
	// the first G becomes Grunnable and is returned, and the others go to Injectglist.
	// inheritTime is as Runqget has it, false without a G. The caller holds no lock, and
	// s.Lock is not taken while Runqsize says that the global queue is empty. In the
	// runtime it is part of findRunnable; up to Go 1.18 the first two were in schedule.
	Nearby(mp *M) (gp *G, inheritTime bool)
	// Globrunqgetlocal takes a batch from the global queue, up to half a ring, for pp,
	// whose own ring is empty: it returns the first G, nil if there is none, and puts
	// the others on pp's ring. s.Lock is held. The runtime's globrunqget, which did
	// this up to Go 1.24; today it is part of findRunnable, in three places.
	Globrunqgetlocal(pp *P) *G
}

// Finder looks for work.
type Finder interface {
	// FindRunnable returns a G for mp, which holds a P, to run. As long as there is
	// none it gives its P back and sleeps; so when it returns mp may hold a different
	// one. It returns nil only if the program is over (Sched.Exited). The caller
	// holds no lock.
	//
	// First of all it stops, by Gcstopm, if the world is to stop (Gcwaiting). Then it looks,
	// in this order: at the timers of its P, running those that are due; at its Sources, by
	// Nearby; at other Ps, by StealWork. Then, all with s.Lock held, it looks once more
	// whether the world is to stop, which waits for mp, and at the global queue, before it
	// puts its P on the list of idle Ps. Then it waits in Sched.Netpolluntil for the next
	// timer and for the network, if there is anything to wait for, or sleeps by Stopm. After
	// Netpolluntil it takes an idle P again (Pidleget), if there is one, and then gives
	// whatever has come to Injectglist, with a P or without. If it gets a P, a new round
	// begins; if not, it sleeps by Stopm, as it does if another M already polls, and has a P
	// when it wakes. Each round begins with the P that mp has by then. (The runtime runs the
	// first G that has come itself, if it has a P.)
	//
	// From chapter 10 on mp steals only if it spins, or may begin to: as long as twice the
	// number of spinning Ms is less than the number of busy Ps, s.Gomaxprocs less s.Npidle.
	// If it does not spin and Needspinning is set, it does not give its P back, but begins
	// to spin. When it gives up, having been spinning, it is no longer counted in Nmspinning
	// when it looks once more, at the global queue and at all Ps (CheckRunqsNoP). For work
	// on the global queue it takes a P by PidlegetSpinning, as CheckRunqsNoP does for work
	// on a P. If there is work and a P for it, it spins again, and either returns a G of the
	// global queue at once or begins a new round. If not, CheckTimersNoP says when the first
	// of all timers is due: that is not work, but the time until which mp waits. An M that
	// has not spun need not look once more: nothing has relied on it. If it has waited for
	// the network, which has brought nothing, and has a P and spun before, it spins again,
	// too. It reads s.Allp and s.Gomaxprocs only while it holds a P or s.Lock; otherwise the
	// world may stop, and they may change.
	//
	// Looking twice is allowed anywhere, and so is an extra Wakep: they cost time, and
	// change nothing.
	//
	// From chapter 18 on it is the whole of Go 1.26, with what was Nearby written out and not
	// called. What is new is in the order: it looks
	//
	//  1. whether the world is to stop (Gcstopm), and whether its P is to run a function at a safe
	//     point (P.RunSafePointFn, RunSafePointFn);
	//  2. at the timers of its P;
	//  3. for a GC worker, if BlackenEnabled is set (FindRunnableGCWorker), with which it
	//     returns tryWakeP;
	//  4. when the P's Schedtick is a multiple of 61, at the global queue, for one G; and in each
	//     round, at whether the finalizer goroutine has work (Wakefing): it makes that ready
	//     (Ready, with next set);
	//  5. at the queue of its P; at the global queue, for a batch (Globrunqgetlocal); neither
	//     takes s.Lock while Runqsize says that the global queue is empty;
	//  6. at the network, without waiting, if a G waits for it, no M waits there (Lastpoll),
	//     and no other M looks (PollingNet, which it sets meanwhile): the first G is returned, the
	//     others go to Injectglist;
	//  7. at other Ps, by StealWork, as long as it spins or may begin to;
	//  8. for a worker that marks when nothing else is to be done (IdleGCWorker).
	//
	// It keeps what s.Allp, s.Idlepmask and s.Timerpmask are. Then, with s.Lock held, as before:
	// whether the world is to stop, or its P to run a function, in which case it starts afresh;
	// the global queue; if Needspinning is set, it begins to spin instead of giving its P back,
	// unless it spins; and it gives its P back. Without a P, if it has been spinning:
	//
	//  9. it is no longer counted, and looks at the global queue, the queues of all Ps that are not
	//     idle (BusyPs, CheckRunqsNoP), for a marker (CheckIdleGCNoP), which it returns, spinning
	//     again, and at the timers of those Ps that may have some (TimerPs, CheckTimersNoP);
	//  10. if there is something to wait for, and Lastpoll, which it sets to 0 in the same step, was
	//     not 0, it waits (Netpoll) until the first timer, PollUntil, is due. It sets PollUntil
	//     before it waits, and afterwards to 0; then Lastpoll to the time, which is not 0. Then it
	//     takes an idle P, and if it gets one, returns the first G that has come, and the others go to
	//     Injectglist; without a G it starts afresh, spinning if it did before. If it gets no P,
	//     all go to Injectglist. If another M waits already, but for longer (PollUntil is later,
	//     or 0), it wakes that one (NetpollBreak). Then it sleeps (Stopm).
	//
	// A G that waited becomes Grunnable before it is returned. Throws "findRunnable: negative
	// nmspinning" if mp spins and was not counted. Of the runtime's sources the
	// reader of the execution trace is missing here, and the goroutines that run cleanups: what
	// calls finalizers runs those, too.
	//
	// inheritTime: the G continues the time slice of the one before it. Nearby (from chapter 18
	// on, Runqget) and StealWork say whether it does; a G from the global queue, or a stolen
	// one, does not. tryWakeP: it is not an ordinary G, so another P should be woken; none is
	// before chapter 18. Both are false without a G. The runtime's findRunnable.
	FindRunnable(mp *M) (gp *G, inheritTime, tryWakeP bool)
}

// ---- Chapter 9: stealing ----

// Stealing takes work from other Ps.
type Stealing interface {
	// StealWork tries, for mp's P, the queues of all other Ps, in four passes, and returns
	// the first G that it gets. Each pass tries each P once, in a random order of its own; the
	// random numbers are mp's (M.Cheaprand). (The runtime, since Go 1.7, starts at a random P
	// and goes on in steps of random size.) Only in the last pass does it also
	// run the timers of a P, before it tries that P's queue, and may it take a Runnext. If
	// timers ran, there may be something in its own P's queue: that comes before all further
	// Ps, and inheritTime is as Runqget has it. For a stolen G it is false.
	//
	// Besides the G, nil if there is none, it returns rnow, which is now, or if that is 0
	// the time, if it had to look; pollUntil, when the next of the timers that it has
	// seen is due, 0 if there is none; and newWork: timers ran, and may have made
	// something ready which it has not found; with a G that says nothing. Before each P
	// it looks whether the world is to stop (Gcwaiting), and if so gives up, as if there
	// were new work. The Ps are those now in s.Allp: their number may change between two
	// calls.
	//
	// The queue of mp's own P is empty. The caller holds no lock, and StealWork holds
	// none while it calls others. The runtime's stealWork.
	StealWork(mp *M, now int64) (gp *G, inheritTime bool, rnow, pollUntil int64, newWork bool)
}

// ---- Chapter 10: spinning and parking ----

// Wakeups brings Ms to work and to rest.
//
// An M that looks for work in the queues of others is spinning: it has Spinning set
// and is counted in s.Nmspinning. An M that makes a G runnable queues it first, and
// then looks at Nmspinning: if no M spins, it wakes one. An M that stops spinning
// takes itself out of Nmspinning first, and then looks at all queues, or wakes another
// M that does. So one of the two sees the other.
type Wakeups interface {
	// Wakep lets one more M spin, if none does and a P is idle. It counts that M
	// first, from 0 to 1, so that of many callers one goes on; then it takes a P
	// (PidlegetSpinning), and Startm does the rest. If there is no P, that M does not
	// come: it is not counted when Wakep returns, and no G whose maker relied on it is
	// forgotten. Called after a G was queued; s.Lock is not held. mp need not hold a P. The
	// runtime's wakep, whose caller must.
	Wakep(mp *M)
	// Startm gives pp, which belongs to the caller, to an idle M (Mget), or to a new one
	// (Newm, whose fn is the first thing that the new M does), and lets it run. An idle M
	// finds its P in Nextp, and is woken by its note. With pp nil it takes an idle P, and
	// does nothing if there is none. spinning: the caller has counted that M in Nmspinning,
	// and its Spinning is set before it looks for work. lockheld: the caller holds s.Lock,
	// and holds it again afterwards; a new M is started without it, but its ID is reserved
	// under it (MReserveID): until then Checkdead does not know of that M. mp is the M that
	// executes the call.
	//
	// Throws "startm: P required for spinning=true", "startm: m is spinning", "startm: m
	// has p" if the idle M has a Nextp, and "startm: p has runnable gs" if spinning is
	// set, pp has work and an idle M would get it; with a new M it may or may not throw
	// that as well. The runtime's startm.
	Startm(mp *M, pp *P, spinning, lockheld bool)
	// Stopm puts mp on the list of idle Ms, lets it sleep, and when it is woken lets
	// it take the P in Nextp. Throws "stopm holding p" or "stopm spinning" if that is
	// the case. The runtime's stopm.
	Stopm(mp *M)
	// BecomeSpinning counts mp as spinning, and clears Needspinning: the M that was
	// wanted is there. The runtime's m.becomeSpinning.
	BecomeSpinning(mp *M)
	// Resetspinning ends mp's spinning, since it has found a G, and calls Wakep: if it
	// was the last one that spun, another is to look for more. Throws "resetspinning:
	// not a spinning m", and "resetspinning: negative nmspinning" if mp spins but was
	// not counted. The runtime's resetspinning, which says "findRunnable: negative
	// nmspinning" there.
	Resetspinning(mp *M)
	// PidlegetSpinning is Pidleget for an M that knows of work. If there is no idle P it
	// sets Needspinning: an M that has not seen the work may be about to give its P
	// back. s.Lock is held. The runtime's pidlegetSpinning.
	PidlegetSpinning(mp *M, now int64) (*P, int64)
	// CheckRunqsNoP looks at the queues of allp for mp, which has given back its P. If
	// one of them has a G, it returns an idle P to steal it with, nil if there is
	// none. s.Lock is not held. The runtime's checkRunqsNoP.
	CheckRunqsNoP(mp *M, allp []*P) *P
}

// ---- Chapter 11: syscalls and locked threads ----

// Syscalls is what happens around a system call. An M that is in one sleeps perhaps, in
// the kernel, and its G with it. Its P need not: others may take it.
//
// This is the form of Go 1.1 to 1.25, which the chapter asks for. An M that enters a
// call lets go of its P, which is then Psyscall. From that moment the P belongs to
// whoever changes its Status from Psyscall to something else by a compare-and-swap: to
// the M itself, when it is back; to another M that is back from a call and had the same
// P before; to the monitor, if the call lasts; or to the M that stops the world. An M that
// has lost, or has not won yet, changes nothing of the P but Status, since others may have
// done anything with it meanwhile. The monitor alone reads more before it tries, by Look and
// atomic loads: Syscalltick, and whether the queue is empty. A P's Syscalltick says which
// call it is: whoever ends the time during which a P is Psyscall increments it, and so does
// Exitsyscall for an idle P that it has got instead.
//
// G and M stay together in the call: gp is Gsyscall, mp.Curg is gp, gp.M is mp.
//
// Instead, in chapter 18:
//
// Syscalls is what happens around a system call. An M that is in one sleeps perhaps, in
// the kernel, and its G with it. Its P need not: others may take it.
//
// In Go 1.26 the P stays Prunning, and linked to its M, while that is in a call. G and M stay
// together, too: gp is Gsyscall, mp.Curg is gp, gp.M is mp. Whether the P may be taken is
// decided by the state of the G alone. An M that is in a call touches neither its P nor the
// link to it, until it has changed gp from Gsyscall to Grunning. Whoever wants the P sets the
// scan bit of gp, by a compare-and-swap from Gsyscall to Gsyscall|Gscan: gp cannot leave the
// call as long as the bit is set. Whoever does this has come to gp by pp.M and mp.Curg (Look:
// others may be writing them). So with the bit set it looks once more whether gp.M is mp and
// mp.P is pp. If so, the three belong to it until it clears the bit, and it may part M and P as
// if it were mp: pp.M and mp.P are nil, pp is Pidle or Pgcstop, and Syscalltick is incremented.
// If not, it clears the bit, and nothing has happened. No lock is taken with the bit set: an M
// that is back goes round in a loop all that time, and may hold what it is waited for. The
// runtime's setBlockOnExitSyscall, and the methods takeP, gcstopP, releaseP and resume of
// syscallingThread.
type Syscalls interface {
	// Entersyscall is called before gp, which is Grunning on mp, enters the kernel. When
	// it returns, mp makes the call, without a P.
	//
	// Where gp stands, Sched.PC and Sched.SP, is noted in SyscallPC and SyscallSP, and
	// gp becomes Gsyscall, linked to mp. If the monitor sleeps (Sysmonwait), it is
	// woken: Sysmonwait is looked at once more, and cleared, under s.Lock, and then
	// Sysmonnote is signalled. mp notes its P in Oldp and the P's Syscalltick in its
	// own; M and P let go of each other; and the last thing is that the P becomes
	// Psyscall. mp may look at Oldp for itself, but the P is no longer its own.
	//
	// If the world is to stop (Gcwaiting, looked at after that), it may be that no M
	// comes for the P in time. So mp stops it itself, under s.Lock: if Stopwait is
	// positive, and if it still wins the P, that becomes Pgcstop, with its Syscalltick
	// incremented and Stopwait decremented; if that was the last one, Stopnote is
	// signalled.
	//
	// The runtime's entersyscall and reentersyscall, with entersyscall_sysmon and
	// entersyscall_gcwait.
	//
	// Instead, in chapter 18:
	//
	// Entersyscall is called before gp, which is Grunning on mp, enters the kernel. When
	// it returns, mp makes the call, and may lose its P at any time.
	//
	// As long as gp is Grunning the P is mp's. mp notes its Syscalltick, and the P itself in
	// Oldp; if P.RunSafePointFn is not 0 it calls RunSafePointFn; and where gp stands,
	// Sched.PC and Sched.SP, is noted in SyscallPC and SyscallSP. If the world is to stop
	// (Gcwaiting), mp stops its P itself, under s.Lock: if Stopwait is positive, mp and P
	// let go of each other, the P becomes Pgcstop, its Syscalltick is incremented, and
	// Stopwait decremented; if that was the last one, Stopnote is signalled. Then gp
	// becomes Gsyscall, and mp touches the P no more. If the monitor sleeps by now
	// (Sysmonwait), it is woken: Sysmonwait is looked at once more, and cleared, under
	// s.Lock, and then Sysmonnote is signalled.
	//
	// Whoever stops the world after the look at Gcwaiting, and looks at gp before that is
	// Gsyscall, does not get the P. Then the monitor takes it and stops it in Handoffp, when it
	// has seen the call twice or the slice is over; as long as Gcwaiting is set it looks once
	// each time it wakes.
	//
	// The runtime's reentersyscall, with entersyscallHandleGCWait and
	// entersyscallWakeSysmon.
	Entersyscall(mp *M, gp *G)
	// Entersyscallblock is Entersyscall for a call that is known to block: it does not
	// wait for others to take the P, but increments its Syscalltick, and hands it off
	// (Releasep, Handoffp). It may do so before or after gp becomes Gsyscall: no M comes
	// from G to P. Oldp is nil. It need not wake the monitor: there is no P to take. The
	// runtime's entersyscallblock; since Go 1.26, where Gsyscall says that the P may be taken,
	// the P is handed off first.
	//
	// Instead, in chapter 18:
	//
	// Entersyscallblock is Entersyscall for a call that is known to block. mp notes the P's
	// Syscalltick, increments it, and hands the P off (Releasep, Handoffp); Oldp is nil.
	// Only then does gp become Gsyscall, since whoever sees that takes P and M for linked.
	// It notes where gp stands before that, and it need not wake the monitor: there is no
	// P to take. The runtime's entersyscallblock.
	Entersyscallblock(mp *M, gp *G)
	// Exitsyscall brings gp back from its call, in which it was Gsyscall on mp. mp.Oldp
	// is nil afterwards.
	//
	// If ExitsyscallFast gets a P, gp goes on at once on mp: the Syscalltick of this P, the
	// old one or another, is incremented, gp is Grunning, and SyscallSP is 0. If gp was asked
	// to stop meanwhile (gp.Preempt), its guard is StackPreempt, so that it does so at its
	// next call; otherwise the guard is as it was. If there is no P, ExitsyscallNoP does the
	// rest.
	//
	// The runtime's exitsyscall.
	//
	// Instead, in chapter 18:
	//
	// Exitsyscall brings gp back from its call, in which it was Gsyscall on mp. mp.Oldp
	// is nil afterwards.
	//
	// First gp becomes Grunning (Casgstatus, which waits as long as the scan bit is set).
	// Before that mp.P may be changed by others; afterwards it is mp's. If mp still has
	// its P, gp goes on with it; otherwise ExitsyscallFast may get one. With a P, its
	// Syscalltick is incremented, and SyscallSP is 0. If gp was asked to stop meanwhile
	// (gp.Preempt), its guard is StackPreempt, so that it does so at its next call;
	// otherwise the guard is as it was. If there is no P, ExitsyscallNoP does the rest.
	//
	// The runtime's exitsyscall.
	Exitsyscall(mp *M, gp *G)
	// ExitsyscallFast gives mp a P without waiting, and reports whether it could. That
	// is oldp, whatever mp.Oldp is by now, if oldp is not nil and still Psyscall, and if mp
	// wins it: it becomes Pidle and is then wired to mp (Wirep). Otherwise it is an idle one, by
	// ExitsyscallPidle, which is called only if Npidle says that there is one. It may
	// turn out that oldp has been taken and is Psyscall again, because of another M's
	// call; that M then loses it. The runtime's exitsyscallfast.
	//
	// Instead, in chapter 18:
	//
	// ExitsyscallFast gives mp, which has lost its P in a call and whose G is Grunning, a P
	// without waiting, and reports whether it could. That is oldp, if oldp is not nil, and
	// if another M is in a call with it: mp parts the two (Pidle), lets that M go on, and
	// takes the P (Acquirep). Otherwise it is an idle one, by ExitsyscallPidle, which is
	// called only if Npidle says that there is one. The runtime's exitsyscallTryGetP.
	ExitsyscallFast(mp *M, oldp *P) bool
	// ExitsyscallPidle gives mp an idle P (Pidleget, Acquirep), and reports whether
	// there was one. If there was, it wakes the monitor, as Entersyscall does, if that
	// sleeps. The runtime's exitsyscallfast_pidle; since Go 1.26 it is a part of
	// exitsyscallTryGetP.
	ExitsyscallPidle(mp *M) bool
	// ExitsyscallNoP is for gp, Gsyscall on mp (in chapter 18, Grunning), which is back
	// from its call and has found no P. gp becomes Grunnable, with SyscallSP 0, and mp and
	// gp let go of each other. Then, under s.Lock, it looks for an idle P once more. If
	// there is one, it wakes the monitor, if that sleeps, and mp executes gp on that P
	// (Acquirep, Execute, a new time slice). If not, gp goes on the global queue under the
	// same lock, so that whoever puts a P on the list of idle ones afterwards finds it.
	// Then mp sleeps (Stopm) and when it wakes, schedules. But if gp is locked to mp, it
	// waits for gp (Stoplockedm), and executes it.
	//
	// As soon as gp is on the queue and s.Lock is free, gp belongs to another M. The
	// runtime's exitsyscall0, which is called exitsyscallNoP since Go 1.26.
	ExitsyscallNoP(mp *M, gp *G)
	// Handoffp finds something to do for pp, which belongs to the caller, is Pidle, and
	// has no M: because its M blocks or ends. It starts an M for it (Startm) in each
	// case in which FindRunnable would find a G with it; otherwise it puts it on the
	// list of idle Ps. mp is the M that executes the call; it may be the monitor. The
	// caller holds no lock.
	//
	// In this order: An M is started, not spinning, if there is a G on pp's queue or on
	// the global one (Runqsize). If no M spins and no P is idle, others may rely on
	// somebody who looks for work: so if Handoffp counts that M, from 0 to 1 as in
	// Wakep, it clears Needspinning and starts an M that spins. Then, with s.Lock held:
	// if the world is to stop, pp becomes Pgcstop, Stopwait is decremented, and the last
	// one signals Stopnote. If there is now a G on the global queue, an M is started for
	// it; likewise if all other Ps are idle and no M waits for the network (Lastpoll is
	// not 0): somebody must. If Needspinning is set, an M has seen work and got no P for
	// it: Handoffp clears it, counts an M that spins, and starts that. Otherwise
	// Pidleput. When the lock is free again and pp has timers (Timers.WakeTime, read under
	// the lock), Wakenetpoller is told when the first of them is due. No M is started
	// with s.Lock held.
	//
	// The runtime's handoffp. That also asks whether there is work for the garbage
	// collector, for the tracer, and for forEachP; and it does not look at needspinning
	// under the lock.
	//
	// In chapter 18 it asks for the collector, too, before it asks whether an M spins: if
	// objects are marked (GcController.BlackenEnabled), and there is some work that no
	// worker has (GcMarkWorkAvailable), an M is started, not spinning. What ForEachP wants
	// to be called for an idle P is called in Pidleput.
	Handoffp(mp *M, pp *P)
	// RetakeSyscall takes pp away from an M that has been in a call for too long, and
	// reports whether it has. Called by the monitor, mp, over and over, for each P; now
	// is the time. pp.Sysmontick is the monitor's: no other M reads or writes it.
	//
	// Nothing happens if pp is not Psyscall. If Syscalltick is not what it was at the
	// last look, it is another call: the monitor notes Syscalltick, and now in
	// Syscallwhen, and that is all. Otherwise the call lasts for one look at least, and
	// the P is taken; but if no M needs it, because its queue is empty and an M spins or
	// a P is idle, not before 10 ms are over. due says that the time slice is over
	// anyway: then it need not be the same call.
	//
	// To take the P is to win it, from Psyscall to Pidle, and to increment Syscalltick;
	// then Handoffp. Meanwhile the monitor, which is no M that counts, has the P, and no
	// M may be able to run: so before it tries to win the P it takes one from
	// Nmidlelocked (Incidlelocked), as if there were one more M awake, and gives it back
	// after Handoffp, or if it did not win.
	//
	// The runtime does this in retake.
	//
	// Instead, in chapter 18:
	//
	// RetakeSyscall takes pp away from an M that has been in a call for too long, and
	// reports whether it has. Called by the monitor, mp, over and over, for each P; now
	// is the time. pp.Sysmontick is the monitor's: no other M reads or writes it.
	//
	// Nothing happens if pp is not Prunning. Otherwise the monitor stops the G that is in a
	// call with pp from leaving it; if there is none, nothing else happens. If Syscalltick is
	// not what it was at the last look, it is another call: the monitor notes Syscalltick, and
	// now in Syscallwhen, and that is all. Otherwise the call lasts for one look at least, and
	// the P is taken; but if no M needs it, because its queue is empty and an M spins or a P is
	// idle, not before 10 ms are over. due says that the time slice is over anyway: then it
	// need not be the same call. In each case the G may leave its call again before anything
	// else, as Handoffp, is called.
	//
	// While the monitor, which is no M that counts, has the P, no M may be able to run: so
	// it takes one from Nmidlelocked (Incidlelocked), as if there were one more M awake,
	// before it sets the scan bit (Incidlelocked takes s.Lock), and gives it back after
	// Handoffp, or if it did not take the P.
	//
	// The runtime does this in retake.
	RetakeSyscall(mp *M, pp *P, now int64, due bool) bool
	// GcstopSyscall takes pp for a world that is to stop, and reports whether it could:
	// if it is Psyscall, and won, it becomes Pgcstop, with its Syscalltick incremented
	// and Stopwait decremented. Called with s.Lock held, after Gcwaiting is set, by the M that
	// stops the world, which sees Stopwait and does not sleep if it is 0, or by one that
	// signals Stopnote then; GcstopSyscall itself does not. The runtime does this in
	// stopTheWorldWithSema.
	//
	// Instead, in chapter 18:
	//
	// GcstopSyscall takes pp for a world that is to stop, and reports whether it could: if pp
	// is Prunning and its M is in a call with it, the two are parted, pp becomes Pgcstop, with
	// its Syscalltick incremented, and Stopwait is decremented. What counts is how things are
	// when the scan bit is set: pp is Prunning, gp.M is that M, and its P is pp. Otherwise G, M
	// and P are as before, with the scan bit if somebody else has set it. Called by the M that
	// stops the world, with s.Lock held, after Gcwaiting is set. ForEachP takes a P from a call
	// by it, too. The runtime does this in stopTheWorldWithSema, by gcstopP, and in forEachP,
	// by takeP.
	GcstopSyscall(pp *P) bool
}

// LockedThreads binds a G to an M: no other M runs it, and that M runs no other G.
// gp.Lockedm and mp.Lockedg point to each other, and mp.LockedExt is how often
// LockOSThread was called and not undone. While its G cannot run, the M sleeps on its
// note, and is on no list; Nmidlelocked is the number of such Ms.
type LockedThreads interface {
	// LockOSThread locks gp, which runs on mp, to it. Calls nest: LockedExt counts them.
	// If it would overflow, it stays as it is, and gp panics with "LockOSThread nesting
	// overflow", by Sched.PanicPlain. The runtime's LockOSThread.
	LockOSThread(mp *M, gp *G)
	// UnlockOSThread undoes one LockOSThread of gp, which runs on mp; the last one
	// unlocks the two. It does nothing if they are not locked. The runtime's
	// UnlockOSThread, where calls have nested since Go 1.10.
	UnlockOSThread(mp *M, gp *G)
	// Stoplockedm lets mp, which runs no G and is locked to one that cannot run, sleep
	// until that one can. If mp has a P, it hands it off (Releasep, Handoffp). It counts
	// itself by Incidlelocked, sleeps by MPark, and has, when it is woken, a P in Nextp,
	// which it takes. The caller then executes the G. Throws "stoplockedm: inconsistent
	// locking" if mp is locked to no G, or that one not to mp; and "stoplockedm: not
	// runnable" if when it wakes the G is not Grunnable. (The scan bit does not matter.)
	// The runtime's stoplockedm.
	Stoplockedm(mp *M)
	// Startlockedm gives mp's P to the M that gp is locked to, which sleeps in
	// Stoplockedm, or is about to. mp has taken gp off a queue, and runs no G and does
	// not spin. It takes the other M out of Nmidlelocked (Incidlelocked), gives it the P
	// in Nextp and then wakes it, and sleeps itself (Stopm). When it returns mp has a P,
	// perhaps another one, and looks for a G anew. Throws "startlockedm: locked to me"
	// and, if that M has a Nextp, "startlockedm: m has p". The runtime's startlockedm.
	Startlockedm(mp *M, gp *G)
	// Incidlelocked adds v to Nmidlelocked, under s.Lock. If v is positive, an M less is
	// awake, and it calls Checkdead under the same lock. The runtime's incidlelocked.
	Incidlelocked(v int32)
	// Mexit ends mp, which has no G and holds a P: its G has ended without
	// UnlockOSThread, and whatever it has done to its thread must not surprise another
	// G. mp's P is handed off; then, with s.Lock held, mp is counted in Nmfreed, and
	// Checkdead is called, since it may have been the last one. mp.Gone is set: when the
	// caller returns to the router, the thread ends. But M0 is the program's first
	// thread, which must not end: instead, it sleeps for ever (MPark), and throws
	// "locked m0 woke up" if it does not. The runtime's mexit, since Go 1.10; before,
	// the thread was used again.
	Mexit(mp *M)
}

// ---- Chapter 12: the monitor ----

// Monitor watches over the Ps from a thread without one. A P is the right to run Go code,
// and a G that has it gives it back only in a call into the runtime. If none comes, someone
// else must see to it; and whoever does may not need a P for that.
//
// The monitor's M, which is mp in these methods, has no P, runs no G and is on no list. The
// router makes it, before the first G runs, without an ID (trace.None), and it is counted
// nowhere, neither in Mnext nor in Nmsys; so Checkdead is right without knowing of it. (In
// the runtime it is an M like the others, mostly M1, which Nmsys takes out of the count
// again.) When the world stops the monitor does not. So whatever changes while the world is
// stopped, such as Allp and Gomaxprocs, it reads with s.Lock held.
//
// What the monitor sees of a running P may be over before it acts. It looks without waiting
// (Owned.Look and atomic loads), and makes sure only that acting on an old look does no
// harm.
type Monitor interface {
	// Sysmon is the monitor's life: it goes round and round until the program is over. It asks that
	// (Exited) at least once in each round, between any two steps. A round is, in this order: a
	// sleep; SysmonSleep; SysmonPoll; s.ScavengerWake; Retake; s.ForceGC. All that want the time
	// are told the same one, that after SysmonSleep. Times are ns by s.Nanotime, which begins with
	// the program; machine.Nanotime does not.
	//
	// If lines are asked for, which is so if the ns of s.SchedtraceEvery are above 0,
	// SysmonSleep is left out, since a line is to come in time, and Schedtrace comes at the
	// end of the first round, and of each round whose time is at least that many ns after
	// that of the last line. detailed is the other result of SchedtraceEvery.
	//
	// The sleep is machine.Usleep, in µs. A round is idle if Retake returns 0. The sleep is
	// 20 µs as long as no more than 50 rounds in succession have been idle; from then on it
	// is twice as long as the one before, but never longer than 10 ms. If SysmonSleep has
	// been woken, the count of idle rounds and the sleep begin afresh. The round goes on, and
	// is the first idle one if its Retake returns 0.
	//
	// The runtime's sysmon, which also watches the CPU limit of its container.
	Sysmon(mp *M)

	// SysmonSleep lets the monitor sleep for longer if there is nothing to watch: if all Ps
	// are idle (Npidle is Gomaxprocs) or the world is to stop (Gcwaiting). It reports
	// whether another M has woken it (either, if one does as its time is over), and returns
	// false at once if there is no reason to sleep.
	//
	// An M that lets a P become active while Sysmonwait is set clears it, and signals
	// Sysmonnote, both with s.Lock held: Entersyscall, ExitsyscallPidle, ExitsyscallNoP,
	// StartTheWorldWithSema. So that none is missed the reason is looked for with s.Lock
	// held, and Sysmonwait is set under the same lock; a look before that, to spare the
	// lock, decides nothing. (Gomaxprocs and TimeSleepUntil are for those who hold the lock;
	// without it any idle P is enough for a second look.)
	//
	// It sleeps on Sysmonnote, without the lock, for half of ForceGCPeriod at most, and no
	// longer than until the next timer is due (s.TimeSleepUntil, by s.Nanotime); not at all
	// if one is due already. Afterwards Sysmonwait is false and the note clear, for the next
	// time. That is done with s.Lock held: an M may be about to signal the note although the
	// time is over.
	//
	// The runtime does this in sysmon.
	SysmonSleep(mp *M) bool

	// SysmonPoll looks at the network if no M has for more than 10 ms: if Lastpoll is not 0,
	// which would mean that an M waits there now, and Lastpoll plus 10 ms is less than now.
	// now is the time. It sets Lastpoll to now, but only if it is still what it was: otherwise
	// an M is there by now, and whether the monitor still looks does not matter. Before or after
	// that it asks the network for what is ready, without waiting (Netpoll with 0), and gives that
	// to Injectglist. s.Lock is held for none of this.
	//
	// Meanwhile no M may know of these Gs: they neither wait nor run nor are on a queue. An
	// M that goes to sleep then would find a deadlock. So before Injectglist the monitor
	// takes one from Nmidlelocked (Incidlelocked), as if there were one more M awake, and
	// gives it back afterwards. (For the time between the two, NetpollAnyWaiters of chapter 16 is
	// enough.) If nothing is ready, it calls neither of them.
	//
	// The runtime does this in sysmon.
	SysmonPoll(mp *M, now int64)

	// Retake looks at each P, in the order of Allp, and returns how many it has taken from
	// system calls. now is the time, and it asks no clock. Of interest are those that run
	// (Prunning) or whose M is in a system call (Psyscall).
	//
	// If a P's Schedtick is not what it was at the last look, a new time slice has begun
	// since: Retake notes Schedtick, and now in Schedwhen. If it is the same and 10 ms have
	// passed since Schedwhen, the slice is over: Preemptone, for a P in either state, in this
	// round and in each one that follows, until it has helped.
	//
	// Then, whether the slice is over or not, RetakeSyscall, which does nothing for a P that is
	// in no call. due tells it whether the slice is over, whatever Preemptone has returned. It
	// comes after Preemptone because a P that was taken from a call may already run a G that
	// has just begun.
	//
	// pp.Sysmontick is where the monitor remembers this, and nobody else reads or writes it;
	// RetakeSyscall, which belongs to the monitor too, writes the other half. s.Lock is not
	// held, except to read Allp; a P may die or change hands at any moment.
	//
	// The runtime's retake.
	Retake(mp *M, now int64) uint32

	// Preemptone asks the G that runs on pp to stop, and reports whether it has. That is a
	// request, and no more: the G may not have a prologue for a long time, may not notice it
	// (Newstack), or be a different G by then. It costs that one nothing but its turn.
	//
	// It does not if pp has no M, or that of the caller, mp, or if that M runs no G, or one
	// that is in a system call (Gsyscall; the scan bit does not matter). Each is looked at only
	// once (Look), and nothing else of M and G is touched.
	//
	// The request is gp.Preempt, and then machine.StackPreempt as gp.Sched.Guard. In this
	// order: the M that runs gp may set the guard anew, since the stack grows, or since a
	// call has ended, and looks at Preempt afterwards.
	//
	// From Go 1.14 on (s.HasSignals) pp.Preempt is set, too, and when gp.Preempt and pp.Preempt
	// are, PreemptM is called for that same M, so that a G stops that calls nothing.
	//
	// The runtime's preemptone.
	Preemptone(mp *M, pp *P) bool

	// Preemptall calls Preemptone for each P that is Prunning, all of them, and reports
	// whether any G was asked. It does not take s.Lock: its caller, who stops the world, may hold
	// it, and nobody else could change Allp. The runtime's preemptall.
	Preemptall(mp *M) bool

	// Schedtrace prints the state of the scheduler, by s.Print, with s.Lock held, as the
	// runtime does with GODEBUG=schedtrace=1000. What s.Lock protects is as it was at one
	// moment; rings and ticks change meanwhile. Of a ring the head is read before the tail, so that
	// the one is never beyond the other. It is one line:
	//
	//	SCHED 0ms: gomaxprocs=2 idleprocs=1 threads=3 spinningthreads=0 needspinning=0 idlethreads=1 runqueue=0 [ 4 0 ] schedticks=[ 12 7 ]
	//
	// 0ms is the time since the first call, rounded down. threads is the number of Ms that
	// were made and are not gone (Mnext, Nmfreed); needspinning is 1 if that is set, and 0 if
	// not. The first brackets have the length of each P's ring, Runqtail less Runqhead, the
	// second ones its Schedtick.
	//
	// With detailed set the line ends after runqueue with
	//
	//	gcwaiting=false nmidlelocked=0 stopwait=0 sysmonwait=false
	//
	// and a line follows for each P, M and G: that is s.SchedDetail. The runtime's schedtrace.
	Schedtrace(detailed bool)
}

// ---- Chapter 13: stacks and cooperation ----

// Stacks grows, moves and shrinks the stacks of Gs, and stops a G where it looks at its
// stack.
//
// A stack is Stack, [Lo, Hi); it grows downward, and [Sched.SP, Hi) is in use. Nothing on a
// stack says where the stack is, but what points into it does; so when it moves, each of
// these addresses grows by the same number, Adjustinfo.Delta, because distances from the
// high end stay as they are.
//
// Each prologue compares the stack pointer with the guard, Sched.Guard, and traps if it is
// below. An M that wants gp to stop first sets gp.Preempt and then stores
// machine.StackPreempt in the guard, which no stack pointer reaches. Preempt remembers the
// request where the guard is overwritten. From chapter 12 on it is the monitor that asks;
// until then it is a test.
type Stacks interface {
	// Newstack answers TrapMorestack: the prologue at gp.Sched.PC, of gp, which is Grunning
	// on mp, has found gp.Sched.SP too near to the guard, or the guard poisoned. Another M
	// may poison it at any moment, also in here, so one reading of the guard decides which of
	// three things Newstack does; a request that it has not read is left for the next
	// prologue. If it returns with gp still mp's current G, the prologue runs again.
	//
	// With machine.StackPreempt in the guard gp is to stop. If mp may not be preempted now
	// (CanPreemptM) the guard is put right, StackGuard bytes above the low end, and gp goes
	// on; Preempt stays, so that it can be asked again. Otherwise, if PreemptShrink is set,
	// Newstack clears it and calls Shrinkstack, since gp stands at a safe point; and then gp
	// gives mp away: by GoschedImpl with preempted set, or, if PreemptStop is set, by
	// PreemptPark (chapter 14). After that it may run on another M, and nothing of it is
	// touched. It needs no room on its stack to stop, so that does not grow.
	//
	// With machine.StackForceMove the stack moves to another one of the same size: a test
	// wants to see whether anything still points to the old one.
	//
	// Otherwise the stack grows to twice its size, or as often twice as it takes for what
	// is in use, the frame of the function at gp.Sched.PC (Func.Frame words) and StackGuard
	// bytes. If that is more than s.StackLimit(), it is not touched; Newstack writes
	// "runtime: goroutine stack exceeds N-byte limit" and, on the next line, "runtime:
	// sp=0x… stack=[0x…, 0x…]", with Sched.SP, Lo and Hi, to s.Stderr(), and throws "stack
	// overflow".
	//
	// While the stack moves, gp is Gcopystack. The runtime's newstack.
	Newstack(mp *M, gp *G)

	// CanPreemptM reports whether the G that runs on mp may be stopped now: mp has no reason
	// not to be interrupted (Locks is 0), and its P is Prunning, and so not taken away from
	// it. The runtime's canPreemptM, which knows more such reasons.
	CanPreemptM(mp *M) bool

	// Copystack moves what is in use of gp's stack to a new one of newsize bytes, which may
	// be less than before; throws "copystack: stack too small" if it has no room for that.
	// (There may be less than StackGuard bytes left: a prologue finds out.)
	// All that points into the old stack is adjusted (Adjustsudogs, Adjustctxt, and
	// Adjustframe for each frame), gp.Stack is the new one, the guard is StackGuard bytes
	// above its low end, and then the old one is freed, once (Stackfree).
	//
	// The caller makes sure that gp does not run meanwhile: gp is Gcopystack or Grunning on
	// the caller's own M, and stands at a safe point; or it does not run, and the caller
	// holds its scan bit.
	//
	// gp may wait on channels, gp.Waiting. Whoever completes such an operation writes to the
	// stack of gp, at the Elem of its sudog, or reads there, and holds the lock of the
	// channel, but not gp. So all channels on gp.Waiting are locked, in the order of the
	// list and each of them once, before anything is copied, and until all of gp's sudogs
	// point into the new stack. (The list is sorted: equal channels stand side by side. The
	// runtime locks only if the G has parked, activeStackChans; here a G that runs has no
	// Waiting.)
	//
	// A request to stop is not lost: if gp.Preempt is set when the new guard is in its place,
	// the guard is poisoned again. (The runtime's copystack may lose one; it is sent again.)
	//
	// The runtime's copystack.
	Copystack(gp *G, newsize uint64)

	// Adjustsudogs adjusts what says where gp has values for those with whom it exchanges
	// them: Elem of all its sudogs, gp.Waiting, by Waitlink, and of its Selects. The channels
	// are locked. The runtime's adjustsudogs.
	Adjustsudogs(gp *G, adj Adjustinfo)
	// Adjustctxt adjusts gp's saved context: SP, and Args, Fault and Ctxt if they point into
	// the old stack. The runtime's adjustctxt.
	Adjustctxt(gp *G, adj Adjustinfo)
	// Adjustframe adjusts the slots of fr that hold an address in the old stack; fr is on the
	// new stack, and so are its slots (Frame.Pointers). A slot that holds a number may look
	// just like that; it is none of Pointers. A slot that belongs to two frames is met twice,
	// and may be adjusted once. The runtime's adjustframe.
	Adjustframe(fr machine.Frame, adj Adjustinfo)

	// Shrinkstack moves gp to a stack of half the size, if less than a quarter of its stack
	// is in use, counting machine.StackSmall bytes below the stack pointer, and half of it is
	// not less than StartingStack. The caller holds gp's scan bit, or gp is Grunning on the
	// caller's own M and stands at a prologue. Throws "missing stack in shrinkstack" if gp
	// has none, "bad status in shrinkstack" if neither is the case, and "shrinkstack at bad
	// time" if it is not safe (IsShrinkStackSafe). The runtime's shrinkstack.
	Shrinkstack(gp *G)
	// IsShrinkStackSafe reports whether all addresses that point into gp's stack are known,
	// and can be changed. They are not in a system call (SyscallSP is not 0), which may write
	// to the stack at any moment; and not where a signal has stopped gp between two
	// instructions (AsyncSafe), since the runtime's compiler then does not know each address.
	// The runtime's isShrinkStackSafe, which has two more cases in Go 1.26: a G that is about to
	// park on a channel (parkingOnChan), and one that waits only so that it can be suspended, and
	// still runs on the system stack.
	IsShrinkStackSafe(gp *G) bool
}

// ---- Chapter 14: signals ----

// ScanBits is the rest of what is done to the state of a G; Casgstatus is chapter 1. The scan
// bit, Gscan, is a lock on the state: as long as it is set nobody moves the G from the state
// beside it, so it does not begin to run, and one that does not run has a stack that can be
// looked at and moved. Whoever has set it clears it. It is held for a moment, and whoever holds
// it takes no lock and waits for no other G.
type ScanBits interface {
	// Castogscanstatus sets the scan bit of gp if gp is in state oldval, without the bit, and
	// reports whether it has: another M may be faster. newval is oldval with the bit; throws if
	// it is anything else, or if oldval is not Grunnable, Grunning, Gsyscall or Gwaiting. The
	// runtime's castogscanstatus.
	Castogscanstatus(gp *G, oldval, newval uint32) bool
	// CasfromGscanstatus clears the scan bit, which the caller has set: newval is oldval
	// without it. Throws if it is not, if oldval has no scan bit, or if gp is not in oldval:
	// then somebody has changed a state that was locked. The runtime's casfrom_Gscanstatus.
	CasfromGscanstatus(gp *G, oldval, newval uint32)
	// CasGToPreemptScan moves gp, which runs on the caller's M, from Grunning to Gpreempted
	// with the scan bit, in one step: gp then has stopped, and nobody can have it yet. If
	// another M holds the scan bit, it waits, by machine.Procyield or Osyield. Throws if
	// oldval and newval are not those two. The runtime's casGToPreemptScan.
	CasGToPreemptScan(gp *G, oldval, newval uint32)
	// CasGFromPreempted moves gp from Gpreempted to Gwaiting, with WaitReasonPreempted, and
	// reports whether it has. Of several Ms that try, one succeeds: that one must make gp ready
	// in the end. It writes Waitreason after it has won. Throws if oldval and newval are not
	// those two. The runtime's casGFromPreempted, which writes it before.
	CasGFromPreempted(gp *G, oldval, newval uint32) bool
}

// Signals stops a G between any two instructions.
//
// A signal says nothing. It makes the M that gets it look, in DoSigPreempt, whether the G that it
// runs was asked to stop; so one that comes late, or twice, or to an M that runs another G by
// then, does no harm. The request is where chapters 12 and 13 have it: gp.Preempt, and the
// guard.
type Signals interface {
	// PreemptM sends target the preemption signal, target.Thread.Signal.Send, unless one is
	// under way that it has not answered: SignalPending goes from 0 to 1, and whoever has done
	// that sends. It does nothing if signals are off (s.AsyncPreemptOff). Any M may call it; mp
	// is its own. target may be about to end.
	//
	// The runtime's preemptM. There it is for the callers to see that signals are not off.
	PreemptM(mp, target *M)

	// DoSigPreempt answers the signal on mp, which has stopped gp, its current G: between
	// two instructions, at gp.Sched.At, or in a system call. If gp was asked to stop
	// (WantAsyncPreempt) and may be stopped there (IsAsyncSafePoint), gp stops, by
	// Asyncpreempt2; then gp may run elsewhere, and is not touched any more. If not, gp goes on.
	//
	// In any case the signal is answered before that: SignalPending is 0 again, and then
	// PreemptGen is one higher. In this order: whoever waits for an answer and sees the new
	// PreemptGen sends again, and must not find the old signal still pending.
	//
	// The runtime's doSigPreempt, which takes the two steps the other way round. There the
	// signal that comes in between is not sent, and the one who waits depends on the monitor,
	// which sends one when the slice is over, 10 to 20 ms after it began.
	DoSigPreempt(mp *M, gp *G)

	// WantAsyncPreempt reports whether gp, the current G of an M that has got a signal, is to
	// stop: it was asked to (Preempt), or its P was (P.Preempt; it may have none), and its
	// state says that it runs, whether its scan bit is set or not. The runtime's
	// wantAsyncPreempt.
	WantAsyncPreempt(gp *G) bool

	// IsAsyncSafePoint reports whether gp, the current G of gp.M, may be stopped at pc, where
	// it is about to go on. It may not
	//
	//   - if its M has no P, or may not be preempted now (CanPreemptM, which is asked only of
	//     an M that has one);
	//   - if gp has called the runtime and waits for the answer (Sched.Trap.IsCall): a raw
	//     system call is one during which gp counts as running;
	//   - if pc is an unsafe point of the program (Program.UnsafePoint).
	//
	// The runtime's isAsyncSafePoint.
	IsAsyncSafePoint(gp *G, pc machine.PC) bool

	// Asyncpreempt2 stops gp, which runs on mp, at a safe point. AsyncSafe says from then on,
	// until gp goes on, that it was no prologue that stopped it; gp.Cont is
	// (*Sched).AsyncpreemptDone, which clears that. If somebody wants to suspend gp
	// (PreemptStop), it stops by PreemptPark, otherwise by GoschedImpl with preempted set.
	// After that gp is not touched any more. The runtime's asyncPreempt2.
	Asyncpreempt2(mp *M, gp *G)

	// PreemptPark stops gp, which runs on mp, for whoever suspends it: gp becomes Gpreempted,
	// mp and gp let go of each other, and mp schedules. Throws "bad g status" if gp is not
	// Grunning; the scan bit does not matter.
	//
	// As soon as gp is Gpreempted another M may claim it, make it ready, and run it. So mp
	// must have let go of it by then; but as long as it is Grunning it is linked to mp. So
	// in between it is Gpreempted with the scan bit: it has stopped, and nobody may have it.
	//
	// The runtime's preemptPark.
	PreemptPark(mp *M, gp *G)

	// SuspendG stops gp at a safe point, and sets its scan bit: when it returns gp does not
	// run, and will not until ResumeG, which must be called with what it returns. Until then
	// the caller may look at gp's stack and move it, but must not take a lock or wait for a G.
	// It waits for gp as long as it takes, and tries again and again, since gp changes its
	// state meanwhile:
	//
	//   - Gdead: nothing is to be suspended; Dead is set, the G is nil.
	//   - Gcopystack, or a state with the scan bit: somebody else is at work; wait.
	//   - Gpreempted: gp has stopped for somebody. Whoever claims it (CasGFromPreempted) has to
	//     make it ready at the end: Stopped is set. From then on it is Gwaiting.
	//   - Grunnable, Gsyscall, Gwaiting: set the scan bit. Then gp.PreemptStop and gp.Preempt
	//     are false and the guard is StackGuard above the low end: it has stopped, and must
	//     not do so again for nobody.
	//   - Grunning: ask it to stop, while its scan bit is set: PreemptStop, Preempt, and then
	//     the guard. Then, without the bit, send a signal to its M (PreemptM). It was asked
	//     already if those three are set and the M to which the last signal went has not
	//     answered it since (PreemptGen, as it was before that signal was sent); otherwise ask
	//     and send again.
	//
	// When the program is over (Exited) gp may never stop: then it returns, with Dead set.
	//
	// Between two looks it lets others have the CPU, by machine.Osyield. (The runtime spins for
	// 10 µs before it does that, and then between one osyield and the next for 5 µs.)
	//
	// mp has no G, or one that does not count as running: two Gs that suspend each other would
	// wait for ever. Throws "suspendG from non-preemptible goroutine" otherwise, and "invalid g
	// status" for any other state. The runtime's suspendG.
	SuspendG(mp *M, gp *G) SuspendGState

	// ResumeG undoes SuspendG: it clears the scan bit, and makes the G ready (Ready, with next
	// set) if SuspendG has stopped it (Stopped). If Dead is set there is nothing to do. Throws
	// "unexpected g status" if the G is not in a state with the scan bit. The runtime's resumeG.
	ResumeG(mp *M, state SuspendGState)
}

// ---- Chapter 15: timers ----

// Timers is what package time and the Finder ask for. The caller of a method holds no lock,
// unless it says otherwise. Times are ns on the clock of Sched.Nanotime.
//
// What a program can rely on is what Go 1.23 promises, in all versions: after
// StopTimer or ModTimer nothing that t has sent before is in its channel.
//
// Of timers that are due at the same time any may fire first.
type Timers interface {
	// TimeSleep parks gp, which is Grunning on mp, for ns nanoseconds, for
	// WaitReasonSleep; not at all if ns is not positive. An end that does not fit is
	// MaxWhen. The timer is gp.Timer, made by NewTimer at the first sleep, and calls
	// GoroutineReady. It is set by the unlockf of the park, and not before: it may fire at
	// once, on another M, and gp must be waiting then. The runtime's timeSleep.
	TimeSleep(mp *M, gp *G, ns int64)
	// ModTimer sets t to fire at when, and then each period if that is not 0, whatever it
	// was set to before. It reports whether that was still to come: whether t was set, or
	// is about to send and now will not (IsSending, if it had no period), or there was a
	// value in its channel. Throws "timer when must be positive" and "timer period must be
	// non-negative", before it locks anything.
	//
	// If t is in a heap, perhaps another P's, it stays where it is: TimerModified says that
	// its entry is wrong, and it is no zombie any more, even if no G waits for its channel: then
	// that heap fires it. If MinWhenModified is later than when, or 0, that becomes when, whatever
	// the entry says. Before this is lowered Astate must say TimerModified: see
	// Adjust. If it was lowered, whoever sleeps must learn of it: Wakenetpoller is called once,
	// when nothing is locked any more. If it was not, Wakenetpoller is not called.
	//
	// If it is in none, and it must be (see MaybeAdd), it is added without locks held.
	//
	// If t has a channel, Seq grows, so that a send which was decided on before does not
	// come, and whatever is in the channel is dropped: Qcount is 0, with C.Lock (and not by
	// Chanrecv, which may fire t and so wants SendLock). C.Lock is never taken with t locked, since
	// BlockTimerChan locks t with C locked. SendLock is
	// held from before t is locked until the channel is empty, and released before MaybeAdd or
	// Wakenetpoller is called. The runtime's timer.modify.
	ModTimer(mp *M, t *Timer, when, period int64) bool
	// StopTimer keeps t from firing again: When is 0. It reports what ModTimer does. If t is
	// in a heap it stays there as a zombie, modified and counted in Zombies. What ModTimer does
	// about a channel it does, too. The runtime's timer.stop.
	StopTimer(mp *M, t *Timer) bool
	// CheckTimers runs the timers of pp, mp's own P or another one, that are due, those
	// with the earliest times first. now is the time, or 0 if the caller did not look; rnow
	// is now, or s.Nanotime if it had to look, which it does not if there are no timers.
	// pollUntil is when the next timer is due, whether its entry is right or was modified before
	// (WakeTime), 0 if there is none: it is enough to check again then. ran: one has fired, so
	// there may be Gs to run.
	//
	// While a timer fires, others may be set. One that is in the heap already, and is set to an
	// earlier time, may be overlooked: it need not fire in this call, even if it is due, nor
	// count for pollUntil. But what ModTimer has noted must not be lost (WakeTime): the M that
	// set the timer has told the M that sleeps, and CheckTimersNoP still finds it. It is the
	// same in the runtime, which overlooks one that was modified before as well.
	//
	// Most of the time nothing is due: then it takes no lock. But if pp is mp's own, and more than
	// a quarter of its timers (Len, or those in the heap) are zombies, it removes those (Adjust,
	// with force), after it has run what is due. Otherwise it leaves all zombies but those that
	// come to the front. While a timer fires the list is not locked. The runtime's timers.check.
	CheckTimers(mp *M, pp *P, now int64) (rnow, pollUntil int64, ran bool)
	// CheckTimersNoP returns when the next timer of allp is due that makes a G
	// runnable, or pollUntil if that is sooner and not 0; 0 if there is nothing to
	// wait for. mp has no P, and takes no lock of a TimerList that belongs to one. A timer
	// whose channel no G waits for is not one of them: WakeTime knows. s.Allp, which may have
	// other Ps than allp by now, is not read. The runtime's checkTimersNoP.
	CheckTimersNoP(mp *M, allp []*P, pollUntil int64) int64
}

// TimerHeap is the timers of a P: a heap in which each node has four children, those of i at
// 4i+1 to 4i+4. No entry is due earlier than its parent. Only an M that has the lock of the list
// may move entries; everybody else changes the timer and leaves a mark in its State. With the
// lock of a list, that of a timer may be taken, not the other way round. What is behind the end
// of a heap, in its array, is zero: nothing there leads to a timer that has left.
//
// A method that finds a timer in the wrong state throws "timer data corruption".
type TimerHeap interface {
	// AddHeap adds t, which is in no heap, to ts: t.Ts, an entry in its place, and
	// MinWhenHeap if it is the first one. ts and t are locked, or the world is stopped. t.State
	// has TimerHeaped already. Throws "ts set in timer" if t is in one. The runtime's
	// timers.addHeap.
	AddHeap(ts *TimerList, t *Timer)
	// DeleteMin removes the first entry of ts, which is locked: the last one takes its place,
	// and finds its own from there. Its timer's Ts becomes nil; its State is the caller's.
	// MinWhenHeap is right afterwards; MinWhenModified is 0 if nothing is left. Throws "wrong
	// timers" if that timer's Ts is not ts. The runtime's timers.deleteMin.
	DeleteMin(ts *TimerList)
	// UpdateHeap does for t, the first of its list, what its State asks for, and reports
	// whether there was anything: a zombie leaves the heap, and State has none of the bits
	// any more; an entry that is wrong is corrected, and finds its place. t and t.Ts are locked.
	// Throws if t is not the first of a list. The runtime's timer.updateHeap.
	UpdateHeap(t *Timer) (updated bool)
	// CleanHead does so for the first entry of ts, again and again, until that one is right.
	// Before that it takes zombies off the end of the heap, since nothing has to move for that,
	// and the last entry is what DeleteMin puts in front; it may do so again before each look,
	// as the runtime does. Before each removal, also at the end, it looks whether mp's current
	// G, if it has one, is to stop (PreemptStop), and then it stops. ts is locked. If nothing is left
	// MinWhenModified is 0. An entry whose Astate says that it is right costs no lock. Throws
	// "bad ts" for a timer of another list. The runtime's timers.cleanHead.
	CleanHead(mp *M, ts *TimerList)
	// Adjust goes through all entries of ts, which is locked, removes zombies, and corrects
	// those that were modified. Without force it does nothing if no modified timer is due at
	// the time now. Throws "bad ts" for a timer of another list.
	//
	// Meanwhile others look at WakeTime, and modify timers of ts: what they see must not be
	// too late, and what they write must not be lost. So, in this order: MinWhenHeap becomes
	// WakeTime; MinWhenModified becomes 0; the entries, where Astate says that there is
	// something to do; MinWhenHeap becomes what it is. The runtime's timers.adjust.
	Adjust(ts *TimerList, now int64, force bool)
	// TakeTimers moves all timers of src to ts, without the zombies, and what was modified is
	// right in ts. src is empty afterwards, also for those who look without a lock; but first
	// ts has them, for those, too (WakeTime). So what Unlock would publish is stored: Len of both, and
	// Astate. The world is stopped, and nothing is locked but s.Lock. The runtime's
	// timers.take.
	TakeTimers(ts, src *TimerList)
	// MaybeAdd adds t to the timers of mp's P, if it must be in a heap and is not: it is set,
	// and it has no channel, or a G waits for that. It is called only if that was so when its
	// caller had t locked, since it locks a list; meanwhile others may have been faster.
	// CleanHead comes first. If t is due earlier than anything that is then in the list
	// (WakeTime), whoever sleeps must learn of it, when nothing is locked any more
	// (Wakenetpoller), and only then. The
	// caller has locked neither a timer nor a list, but perhaps channels. The runtime's
	// timer.maybeAdd.
	MaybeAdd(mp *M, t *Timer)
	// UnlockAndRun fires t, which is locked and due at the time now, on mp: F with Arg, and how
	// late it is. If it is in a heap it is the first one there, that list is locked, too, and State
	// has nothing else; otherwise it throws. Before: When becomes 0, or with a period the next of
	// its times after now, MaxWhen if that does not fit, and the heap is right: State says what
	// UpdateHeap is to do. While F runs neither is locked; at the end t is unlocked, and the list
	// it was in is locked again.
	//
	// If t has a channel, SendLock is held while F runs, and F is not called if Seq is no
	// longer what it was under t's lock. Without a period t is counted in IsSending from then
	// until it has SendLock. The runtime's timer.unlockAndRun.
	UnlockAndRun(mp *M, t *Timer, now int64)
}

// TimerChans is what receiving from the channel of a timer does beside chapters 3 and 4. A timer
// with a channel is put into a heap only while a G waits for that channel. So one that nobody
// waits for wakes nobody, and if the program has forgotten it, nothing else remembers it.
// c.Timer is not nil.
type TimerChans interface {
	// MaybeRunChan is called before a receive from c, or a select, looks at c, with nothing
	// locked: if the timer is set, in no heap, and due by s.Nanotime, it fires now (UnlockAndRun).
	// A timer in a heap is left to that heap; if Astate says so its lock is not taken. If not, it
	// may be in one all the same when it is locked. The runtime's timer.maybeRunChan.
	MaybeRunChan(mp *M, c *Hchan)
	// BlockTimerChan is called when a G of mp is on c.Recvq, and about to park. c is locked, and
	// perhaps other channels. One more G waits (Blocked); if the timer is set it is in a heap
	// afterwards, and no zombie. If it was there, only that bit of State goes, with its count in
	// Zombies: what ModTimer has marked is still to be done. The runtime's blockTimerChan.
	BlockTimerChan(mp *M, c *Hchan)
	// UnblockTimerChan is called when such a G goes on. One less waits; if it was the last, and
	// the timer is in a heap, it becomes a zombie, counted once, though it is not stopped: its
	// entry is as right as it was, so TimerModified stays as it is. Throws "timer data
	// corruption" if no G waited. The runtime's unblockTimerChan.
	UnblockTimerChan(c *Hchan)
}

// ---- Chapter 16: netpoll ----

// NetPoller turns the readiness of descriptors into runnable Gs.
//
// A G of the program reads from a socket by a system call, which never waits. If there is
// nothing to read the G calls PollWait, and tries again when that returns. Each descriptor
// has a PollDesc, and that has two halves, Rg for reading and Wg for writing; mode says
// which, 'r', 'w', or where both may be meant 'r'+'w'. In each mode one G waits at most:
// package internal/poll sees to that.
//
// A half is in one of four states: nil, PdReady, PdWait, or a G. Whoever finds the
// descriptor ready, or closes it, or ends a deadline, may be on another M at any moment,
// with no lock in common with the G that is about to wait: the halves change by
// compare-and-swap. A G goes from nil to PdWait, parks, and only then puts itself in place
// of PdWait; whoever comes in between replaces PdWait, and the G does not wait. Whoever
// takes a G out of a half must make it ready, and nobody else does.
//
// PollInfo says why a G cannot wait. It is written before the halves are looked at, and a
// G looks at it after it has set PdWait: so one of the two notices the other.
//
// What is under pd.Lock says its comment; PublishInfo writes PollInfo, under that lock. A
// timer may fire with locks of Timers held, and Netpolldeadline takes pd.Lock: so no method
// of Timers is called with pd.Lock held, and neither is Goready. SetDeadlineTimer makes, sets and
// stops the timers.
type NetPoller interface {
	// Netpollinit makes the Epoll, Machine.NewEpoll. Called once, before the first
	// Netpollopen. Throws "runtime: netpollinit failed" if it cannot be made. From then on
	// an M that waits in Netpoll waits there; one that waits already must come back. The
	// runtime's netpollinit.
	Netpollinit()
	// Netpollopen lets the Epoll watch pd.FD, with pd.Data: both modes, edge-triggered. No
	// lock is held. The result is that of Epoll.Add. The runtime's netpollopen.
	Netpollopen(pd *PollDesc) machine.Errno
	// Netpollclose ends that. Netpoll may return an event of it afterwards. The runtime's
	// netpollclose.
	Netpollclose(pd *PollDesc) machine.Errno

	// Netpoll returns the Gs whose descriptors have become ready; they are still Gwaiting,
	// and the caller's. It waits up to delay ns; not at all if delay is 0, for ever if it
	// is negative. It returns when there are events, also if no G waits for them, and after
	// a NetpollBreak. With delay 0 a NetpollBreak is left for an M that waits. Without an
	// Epoll it waits for NetpollBreak and the time alone.
	//
	// An event of PollIn, PollRdhup, PollHup or PollErr is one for 'r'; of PollOut, PollHup
	// or PollErr for 'w'. Whose it is says PollEvent, which also notes PollEventErr; one
	// whose PollDesc is of another life by now is dropped. If the PollDesc is given back
	// after PollEvent, the event makes its next life ready: the G that waits there finds
	// nothing to read, and waits again. Up to 128 events are taken at a time; the others
	// are there for the next call.
	//
	// mp is the M that executes the call; it has a P if delay is 0, unless it is the
	// monitor, which runs no G. Only one M calls it with another delay; others may call it
	// with 0 meanwhile. No lock is held. The runtime's netpoll.
	Netpoll(mp *M, delay int64) GList
	// NetpollBreak ends a Netpoll that waits, or the next one that would. Any M may call
	// it, with locks held. Whatever its caller has done before, the M that waited sees when
	// Netpoll has returned. Many calls before that Netpoll has returned are one, and cost
	// one system call (Epoll.Break). The runtime's netpollBreak.
	NetpollBreak()
	// NetpollAnyWaiters reports whether any G waits for the network: one counts from
	// Netpollblock until it goes on, in NetpollblockDone. As long as one does, an M without
	// work goes to Netpoll, and not to sleep. So a G counts also while it is in the hands of
	// an M that has got it from Netpoll: if that is the monitor, which is not counted, the
	// last of the other Ms would find a deadlock otherwise. Any M may call it, and it costs
	// nothing as long as there was no descriptor. The runtime's netpollAnyWaiters.
	NetpollAnyWaiters() bool
	// NetpollAdjustWaiters adds delta to the number of Gs that count. The runtime's
	// netpollAdjustWaiters, which counts a G down when it has become ready.
	NetpollAdjustWaiters(delta int32)

	// PollOpen makes fd one that Gs can wait for: a PollDesc, from Pollalloc, that the
	// Epoll watches. If that fails the PollDesc is given back, the result is nil and the
	// error. The caller's G runs on mp. The runtime's poll_runtime_pollOpen.
	PollOpen(mp *M, fd int) (*PollDesc, machine.Errno)
	// PollClose gives pd back; PollUnblock was called before, and no G uses it any more.
	// Throws "runtime: close polldesc w/o unblock" if it is not Closing, and "runtime:
	// blocked read on closing polldesc" or "… write …" if a G, or PdWait, is in a half. The
	// runtime's poll_runtime_pollClose.
	PollClose(mp *M, pd *PollDesc)
	// PollReset prepares pd for a read or a write: it forgets that pd was ready in mode. If
	// Netpollcheckerr has an error it does nothing, and returns that. The runtime's
	// poll_runtime_pollReset.
	PollReset(pd *PollDesc, mode int) PollError
	// PollWait lets gp, which runs on mp, wait until pd is ready in mode. It returns the
	// result with done set if there is one at once: an error of Netpollcheckerr, or
	// PollNoError. Otherwise gp waits, and is no longer touched; the result comes later,
	// by the continuation (*Sched).PollWaitDone. That calls NetpollblockDone, and if pd has
	// not become ready, PollWait again: a deadline may have ended the wait, and been moved
	// since. The runtime's poll_runtime_pollWait.
	PollWait(mp *M, gp *G, pd *PollDesc, mode int) (err PollError, done bool)
	// PollSetDeadline sets the deadline of pd in mode, which may be 'r'+'w', to d ns from
	// now (Sched.Nanotime), or to MaxWhen if that is too late; to none if d is 0; and if d is
	// below 0, it is over: the Gs that wait become ready. It does nothing if pd is Closing.
	// The timers, Rt and Wt, follow, without pd.Lock (SetDeadlineTimer). Several Gs may do
	// this at the same time: the timer and the deadline agree in the end. The runtime's
	// poll_runtime_pollSetDeadline.
	PollSetDeadline(mp *M, pd *PollDesc, d int64, mode int)
	// PollUnblock is the first half of a close: pd is Closing, the Gs that wait become
	// ready, no other will wait, and the timers are not set any more. Throws "runtime:
	// unblock on closing polldesc" if pd is Closing already. The runtime's
	// poll_runtime_pollUnblock.
	PollUnblock(mp *M, pd *PollDesc)

	// Netpollready adds to list the Gs that wait for pd in mode, 'r', 'w' or 'r'+'w', and
	// makes it ready in that mode (Netpollunblock with ioready set). It returns the list.
	// The runtime's netpollready.
	Netpollready(list GList, pd *PollDesc, mode int) GList
	// Netpollcheckerr returns why no G can wait for pd in mode, PollNoError if it can:
	// PollErrClosing, PollErrTimeout, and, in mode 'r' alone, PollErrNotPollable; the first
	// one of these. It reads PollInfo, without a lock. The runtime's netpollcheckerr.
	Netpollcheckerr(pd *PollDesc, mode int) PollError
	// Netpollblock is the heart of PollWait. It reports two things: ready, whether pd was
	// PdReady in mode, and parked, whether gp has parked. If pd is PdReady in mode, that is
	// used up: ready, not parked. Otherwise PdWait says that gp is about to wait; throws
	// "runtime: double wait" if there is a G or PdWait already. gp then counts as one that
	// waits (NetpollAdjustWaiters). After PdWait is there it looks at Netpollcheckerr. If that
	// has nothing, gp parks (Gopark), for WaitReasonIOWait, with (*Sched).PollWaitDone in
	// gp.Cont, and the unlockf puts gp in place of PdWait; if PdWait has gone, since something
	// has come, gp does not wait, and its continuation is called at once. In both cases:
	// parked, not ready. If Netpollcheckerr has an error, gp does not park: gp's half, and the
	// number of those that wait, are as NetpollblockDone leaves them, and ready is what that
	// returns; gp still runs on mp, and gp.Cont is nil. The runtime's netpollblock.
	Netpollblock(mp *M, gp *G, pd *PollDesc, mode int) (ready, parked bool)
	// NetpollblockDone is the rest of it when gp goes on: gp no longer counts as one that
	// waits, and its half becomes nil. It reports whether it was PdReady. Throws "runtime:
	// corrupted polldesc" if there is a G. The end of the runtime's netpollblock.
	NetpollblockDone(pd *PollDesc, mode int) bool
	// Netpollunblock takes the G that waits for pd in mode, 'r' or 'w', out of its half,
	// and returns it; nil if none waits. If ioready is set the half is PdReady afterwards;
	// otherwise it is nil, but PdReady stays. A G that was about to wait (PdWait) will not.
	// The runtime's netpollunblock.
	Netpollunblock(pd *PollDesc, mode int, ioready bool) *G
	// Netpolldeadline is called when the timer of mode, 'r' or 'w', fires. If the deadline
	// that pd has now is over, Rd or Wd says so (-1), and the G that waits becomes ready. It
	// may have been moved, or pd be of another life: then nothing happens. What tells is the
	// deadline itself, and the time (Sched.Nanotime); the runtime has numbers for it, rseq and
	// wseq, which each change increments. No G runs on mp, and locks of Timers may be held. The
	// runtime's netpolldeadlineimpl.
	Netpolldeadline(mp *M, pd *PollDesc, mode int)

	// Injectglist makes all of list, which may be empty, runnable, each before it is on a
	// queue. mp may be without a P: then all Gs go on the global queue; otherwise one for each
	// idle P goes there, and the rest go on the queue of mp's P (Runqputbatch), or, where that
	// has no room, on the global one. For each G on the global queue it starts an M that does
	// not spin (Startm), as long as Ps are idle. At the end, if mp has a P and list was not
	// empty, it calls Wakep: for what is on the queue of mp's P, and for a P that has become
	// idle meanwhile. s.Lock is not held; other locks may be.
	//
	// In versions without Ps (Version.Procs is nil), where the given NetPoller serves and
	// yours does not, it is Ready for each of them. The runtime's injectglist.
	Injectglist(mp *M, list GList)
}

// ---- Chapter 17: stopping the world ----

// World stops and starts all Ps.
//
// In a stopped world no G runs and no M has a P, but for one: so that one may change what
// otherwise belongs to the owners of the Ps, or look at all of it at one moment. It is asked
// for by one M at a time, the holder of Worldsema. Each P stops where it is safe, and is
// counted down in Stopwait when it does, once, by whoever owns it at that moment:
//
//   - that of the caller, by the caller;
//   - one on the list of idle Ps, by the caller, who takes it off;
//   - one whose M is in a system call, by whoever wins it (GcstopSyscall): the caller, or that
//     M itself in Entersyscall, which comes too late for the caller's look and sees Gcwaiting;
//   - one that runs, by its M, in Gcstopm, when it comes to look for a G, or in Handoffp;
//   - one in the hands of an M that is about to hand it over (Startm), by the M that gets it.
//
// Gcwaiting is set, and Stopwait and all lists change, with s.Lock held. So an M that has the
// lock and finds Gcwaiting false may put its P where the caller will find it.
//
// A ragged barrier is less, and stops nobody: each P passes a safe point, each at a moment of
// its own.
type World interface {
	// StopTheWorld stops the world for gp, which is Grunning on mp, and then calls then, in
	// which mp is the only M with a P; then, or what it leads to, ends with StartTheWorld on
	// the same mp. reason is for messages.
	//
	// There is one who stops the world at a time: whoever has Worldsema, which is read and
	// written with Worldlock held. If another G has it, gp waits on Worldqueue, behind those
	// that wait already, parked for WaitReasonSemacquire, and StopTheWorld returns when mp runs
	// another G. When gp runs again it has Worldsema, since StartTheWorld has handed it over,
	// and the world is stopped then, and then is called, by gp.Cont, with the M that runs gp.
	//
	// The runtime's stopTheWorld, where worldsema is a semaphore as in chapter 4, and whose
	// caller goes on when the world has stopped.
	StopTheWorld(mp *M, gp *G, reason string, then func(s *Sched, mp *M, gp *G))

	// StartTheWorld lets the world go on (StartTheWorldWithSema), and after that gives
	// Worldsema up, or to the first G on Worldqueue, if there is one, which it makes ready
	// (Goready). As long as a G waits, Worldsema is never free: one that stops the world in a
	// loop does not keep others from it. Worldlock is not held while the world is started, nor
	// when a G is made ready.
	//
	// The runtime's startTheWorld.
	StartTheWorld(mp *M)

	// StopTheWorldWithSema returns when no G runs but mp's own, and no M but mp has a P:
	// all Ps are Pgcstop, on no list, and mp keeps its own, which is Pgcstop, too. Stopwait
	// is 0, Stopnote clear, and Gcwaiting set. mp holds Worldsema, and no lock. reason is for
	// messages.
	//
	// mp's G, if it has one, is Gwaiting meanwhile, for WaitReasonStoppingTheWorld, and
	// Grunning again at the end: another M may want to suspend it (SuspendG), and would wait
	// for a G that runs, and that waits for the P of this other M. Waitreason is written
	// before the state changes. That is done without s.Lock, since Casgstatus waits while somebody
	// suspends the G.
	//
	// With s.Lock held Stopwait becomes Gomaxprocs, and Gcwaiting is set; all Ps are asked to
	// stop (Preemptall); and then those are stopped, and counted down, that need no M for it:
	// mp's own, those in system calls, and the idle ones. If Stopwait is then not 0, it sleeps
	// on Stopnote, without the lock. A request to stop may have come too early: to a P whose M
	// had no G at that moment, and has one now that knows of nothing. So it sleeps for 100 µs
	// at a time, and then asks all of them once more (Preemptall, with or without the lock). At
	// the end the note is cleared, for the next stop.
	//
	// In a version without Syscalls no P is in a call, and in one without Monitor nobody is
	// asked: s.Version says what there is.
	//
	// Throws "stopTheWorld: not stopped (stopwait != 0)", or "stopTheWorld: not stopped (status
	// != _Pgcstop)" if a P is something else at the end.
	//
	// The runtime's stopTheWorldWithSema; Go 1.1 asks nobody, and waits.
	StopTheWorldWithSema(mp *M, reason string)

	// StartTheWorldWithSema lets the stopped world run again, on s.Newprocs Ps if that is set,
	// which it then no longer is. mp, which has stopped it and holds Worldsema, goes on with a
	// P; see Procresize. It returns now, or the time if now is 0.
	//
	// First it looks at the network (Netpoll, without waiting) and brings the Gs that are ready
	// (Injectglist): nobody else has looked since the world was stopped. In a version without
	// NetPoller there are none. Then, with s.Lock held, Procresize; only after that is Gcwaiting
	// false. And the monitor, if it sleeps (Sysmonwait), is woken, since Ps are active again.
	// Without the lock it starts an M, not spinning, for each P that Procresize has returned
	// (Startm): Link is nil when the M gets it. Then it calls Wakep: there may be more work than
	// these Ps have, for which no M was woken when the world stopped, and an M that spun was
	// stopped with the others.
	//
	// The runtime's startTheWorldWithSema.
	StartTheWorldWithSema(mp *M, now int64) int64

	// Gcstopm stops mp's P for a stopping world, and lets mp sleep until it has a P
	// again (Stopm). mp runs no G. If mp spins, it stops spinning, and is taken out of
	// Nmspinning; no other need look in its stead, since StartTheWorldWithSema wakes one.
	//
	// It gives up its P (Releasep); with s.Lock held the P becomes Pgcstop and is counted down
	// in Stopwait, and whoever counts the last one signals Stopnote. When the lock is free
	// again the P belongs to the M that stops the world.
	//
	// Throws "gcstopm: not waiting for gc" if Gcwaiting is not set, and "gcstopm: negative
	// nmspinning". The runtime's gcstopm.
	Gcstopm(mp *M)

	// ForEachP returns when fn was called for each P, once, at a safe point of that P, and
	// after ForEachP began: whatever the P did before that, it has done. That is the ragged
	// barrier. mp holds Worldsema, so that neither the Ps nor their number change, and no lock;
	// fn touches what belongs to the P that it is given, and takes no lock. mp's G, if it has
	// one, is Gwaiting for reason meanwhile, as in StopTheWorldWithSema.
	//
	// With s.Lock held SafePointWait becomes the number of the other Ps, SafePointFn is fn, and
	// RunSafePointFn of each other P is 1; then all are asked to stop (Preemptall). From then on
	// whoever changes RunSafePointFn of a P from 1 to 0 calls fn for it (the method
	// RunSafePointFn). That is
	//
	//   - for one that is idle, ForEachP, with the lock still held;
	//   - for mp's own, ForEachP, without the lock, and without a count;
	//   - for one that is about to become idle, the M that puts it on the list (Pidleput), with
	//     the lock held;
	//   - for one that runs, its M, before it looks for the next G (FindRunnable);
	//   - for one whose M is in a system call, ForEachP, which takes it away for that,
	//     before it first sleeps.
	//
	// Only these two looks of others are needed, and the scheduler makes them in every Go that
	// has ForEachP. To take a P from a call, s.Lock is held, and it is taken by GcstopSyscall,
	// as if to stop it: whoever has won it owns it, and Stopwait, which that counts down, is set
	// back. fn is called for it there. Then it is Pidle, and without the lock it is handed off
	// (Handoffp).
	//
	// Then it sleeps on SafePointNote, for 100 µs at a time, and each time it asks all Ps once more
	// (Preemptall, with or without the lock) and takes those that are in calls by then: a P may
	// have entered its call after the first look. At the end the note is cleared, and SafePointFn
	// is nil again.
	//
	// Throws "forEachP: sched.safePointWait != 0" if one is under way, and at the end "forEachP:
	// not done" if SafePointWait is not 0 and "forEachP: P did not run fn" if RunSafePointFn is set.
	//
	// The runtime's forEachP, since Go 1.5. There an M looks as well when it enters a call, and
	// a P that is in one by then is taken once only; if the two miss each other, the monitor
	// hands the P off later.
	ForEachP(mp *M, reason WaitReason, fn func(pp *P))

	// RunSafePointFn calls SafePointFn for pp, unless another M has done so: it does nothing if
	// RunSafePointFn of pp is not 1. Of all that try, the one that changes it from 1 to 0 calls
	// the function. Then SafePointWait is counted down, with s.Lock held, and whoever counts the
	// last one signals SafePointNote. pp belongs to the caller, or is idle. lockheld says that
	// the caller holds s.Lock, and goes on holding it; otherwise fn is called without it.
	//
	// The runtime's runSafePointFn; with the lock held, a part of handoffp.
	RunSafePointFn(pp *P, lockheld bool)
}

// GCWork is what the garbage collector asks of the scheduler: which P runs a mark worker, and
// when; and who begins a collection that no allocation asks for. A worker is a G: it waits in
// GcController.Pool, and each time it runs it marks for a while, on the P that has taken it. The
// collector itself is given (Collector).
//
// A collection holds Worldsema from its first stop of the world to its end, so nobody else stops the
// world meanwhile. It begins and ends with a stop; in between GcController.BlackenEnabled is
// set. It changes only while the world is stopped: an M that has seen it set can rely on it as long
// as it keeps its P, and no longer.
type GCWork interface {
	// GcControllerStartCycle says how many workers a collection has, on procs Ps. They are to have
	// a quarter of the Ps' time. The world is stopped, now is the time, and trigger is why
	// the collection begins.
	//
	// DedicatedMarkWorkersNeeded is a quarter of procs, rounded, halves up: so many Ps run nothing
	// but a worker. If that is more than 30 % away from a quarter, FractionalUtilizationGoal is
	// not 0: DedicatedMarkWorkersNeeded is one less if it was too many, and the goal is what
	// is missing to a quarter, divided by procs: the share of its time that each P gives.
	// MaxIdleMarkWorkers is procs less DedicatedMarkWorkersNeeded; but for GcTriggerTime, where nothing
	// is urgent, 0, or 1 if there is no dedicated worker: there must be one that goes on to the
	// end. MarkStartTime is now, and GcFractionalMarkTime of each P 0.
	//
	// The runtime's gcControllerState.startCycle, 1.5 with other rounding.
	GcControllerStartCycle(now int64, procs int32, trigger GcTrigger)

	// FindRunnableGCWorker returns a worker that pp, which mp holds, runs now, nil if none.
	// It returns now, too, or the time if now is 0 and it had to look. The worker is
	// Grunnable then, has left the pool, and pp's GcMarkWorkerMode says how it works. The caller
	// holds no lock. Throws "gcControllerState.findRunnable: blackening not enabled" if
	// BlackenEnabled is not set.
	//
	// There is none if nothing is to be marked (GcMarkWorkAvailable), or none waits in the
	// pool. If dedicated workers are missing, it takes one's place: DedicatedMarkWorkersNeeded
	// falls by one, and never below 0, however many Ms are here at the same time
	// (GcMarkWorkerDedicatedMode). If not, and FractionalUtilizationGoal is not 0, pp runs one
	// as long as GcFractionalMarkTime, of the time since MarkStartTime, is no more than that
	// share (GcMarkWorkerFractionalMode). Whoever has not found both, a place and a worker,
	// leaves both as they were. If no dedicated worker is missing and that goal is 0, there is
	// no place to be had, and the pool is left alone: another M may need the worker at that
	// moment (IdleGCWorker). The runtime's gcControllerState.findRunnableGCWorker.
	FindRunnableGCWorker(mp *M, pp *P, now int64) (*G, int64)

	// IdleGCWorker returns a worker for pp, which mp holds and which has nothing else to do; nil if
	// there is none in the pool, nothing to be marked, BlackenEnabled is not set, or
	// IdleMarkWorkers is MaxIdleMarkWorkers. It is counted in IdleMarkWorkers, which never, not for a
	// moment, is more than that; and Grunnable, and pp's mode is GcMarkWorkerIdleMode. The
	// caller holds no lock. In the runtime it is part of findRunnable.
	IdleGCWorker(mp *M, pp *P) *G

	// CheckIdleGCNoP is the last look of mp, which has put its P on the list of idle ones: somebody
	// may have found something to mark since it looked. If there is something (BlackenEnabled and
	// GcMarkWorkAvailable say so), it takes, with s.Lock held, an idle P (PidlegetSpinning), and a
	// worker for that on the conditions of IdleGCWorker, which it cannot call there; if there is
	// nothing it takes neither the lock nor a P. It returns both, or neither: then the P is on the
	// list again when the lock is released, since a stop of the world counts what is on the list.
	// Whatever it saw before it had a P may be over by then. The P is mp's, which has not wired it;
	// the state of the worker changes without s.Lock. The caller holds no lock. The runtime's
	// checkIdleGCNoP.
	CheckIdleGCNoP(mp *M) (*P, *G)

	// GcBgMarkWorker is one turn of the worker gp, which is Grunning on mp: it marks, and then waits
	// in the pool for the next turn. Throws "gcBgMarkWorker: blackening not enabled" if
	// BlackenEnabled is not set, and "gcBgMarkWorker: unexpected gcMarkWorkerMode" if the P has
	// none.
	//
	// GcMarkWorkerStartTime of the P is the time; gp is counted in Working before it takes
	// anything to mark. While it marks (GcDrain) gp is Gwaiting, for WaitReasonGCWorkerActive:
	// another worker may want to look at its stack, or to stop it. How long it marks depends on
	// the mode:
	//
	//   - dedicated: until it is asked to stop (gp.Preempt). Then it puts all Gs of its P's queue on
	//     the global one (Runqdrain, Globrunqputbatch), since others can run them, and goes on. Now it
	//     stops only if it is asked and, besides, the world is to stop (Gcwaiting) or its P has
	//     RunSafePointFn set. It does not clear gp.Preempt, so it may be asked from the beginning.
	//     How often GcDrain is called is free: without anything left it does nothing.
	//   - fractional: until it is asked to stop; or the time of all its P's turns, with this one
	//     up to now, is more than 1.2 times FractionalUtilizationGoal of the time since
	//     MarkStartTime.
	//   - idle: until it is asked to stop, or there is something else to do: on its P's queue, or
	//     on the global one (Runqsize).
	//
	// After that it is Grunning, gives its place back (DedicatedMarkWorkersNeeded,
	// IdleMarkWorkers) or adds its time to GcFractionalMarkTime, and the mode of its P is
	// GcMarkWorkerNotWorker. Then it is no longer counted in Working. If it was the last one,
	// and there is nothing left to mark, it calls GcMarkDone, which may change gp.Cont. At the end
	// gp.Cont is GcBgMarkWorker again and gp parks, for WaitReasonGCWorkerIdle. It is in the pool only
	// when it waits: from then on it may run elsewhere.
	//
	// The runtime's gcBgMarkWorker, which is a loop. It counts those who do not work (work.nwait).
	GcBgMarkWorker(mp *M, gp *G)

	// GcMarkDone ends marking, if that is over: no worker works and nothing is left to mark. gp, a
	// worker that does not work any more, is Grunning on mp; no lock is held. If it has
	// ended, GcMarkTermination was called once, with the world stopped and BlackenEnabled false.
	// For a worker that comes too late there is nothing to do: if BlackenEnabled is false when it
	// comes, another one has ended this collection.
	//
	// One M does that at a time: whoever changes MarkDoneSema to true, and back to false. Another
	// one goes away, and does not wait. So whoever has given it back looks once more: the other one may
	// have seen the end of it, which it had not. If marking is over it is given back before
	// GcMarkTermination, which starts the world again.
	//
	// That nothing is left can be seen only when each P has given away what it keeps to
	// itself (GcFlush, by ForEachP, for WaitReasonGCMarkTermination). If one had something, start
	// over. If none had, stop the world (StopTheWorldWithSema), and check once more, GcFlush of each
	// P included: a P may have found something since, and kept it. If so, start the world again
	// (StartTheWorldWithSema), and start over. To start over is to ask again whether marking is
	// over, with MarkDoneSema in hand or after it has been given back.
	//
	// The runtime's gcMarkDone, where markDoneSema is a semaphore as in chapter 4.
	GcMarkDone(mp *M, gp *G)

	// Wakefing returns the G that calls finalizers if it waits and there are some for it, nil if
	// not. It is the caller's, who makes it ready: of several that ask, one gets it, and
	// then nobody, until it has waited again. Any M may call it. Fing.Status goes from FingCreated,
	// FingWait and FingWake to FingCreated. The runtime's wakefing.
	Wakefing() *G

	// Forcegchelper is what Forcegc.G does whenever it runs, but for the collection: it says that
	// it is idle, and parks, for WaitReasonForceGCIdle. Idle changes with Forcegc.Lock held, which
	// is released only when gp waits: with the lock, whoever finds it idle may wake it, and it is
	// idle when it waits and nobody has begun to wake it. When it runs again, it starts a
	// collection (GcStart, GcTriggerTime), and goes on with Forcegchelper. Throws "forcegc: phase
	// error" if it is idle already. The runtime's forcegchelper, which is a loop.
	Forcegchelper(mp *M, gp *G)

	// ForceGC wakes Forcegc.G (Injectglist), if a collection is due (GcTest, GcTriggerTime, now)
	// and it is idle. Before that Idle becomes false, with Forcegc.Lock held; whether the lock is
	// held during Injectglist does not matter, but s.Lock is not. Called by the monitor, mp, which
	// has no P. The runtime does this in sysmon.
	ForceGC(mp *M, now int64)

	// ScavengerWake wakes the goroutine that gives memory back to the operating system, if
	// that is to work. Here there is none, and it does nothing. Called by the monitor, mp. The
	// runtime does this in sysmon.
	ScavengerWake(mp *M)
}

// ---- Chapter 18: the whole scheduler ----

// Masks says without a lock which Ps are worth a look. Whoever looks for work asks each P, and
// most of them have none: they are idle. To learn that from their queues costs a cache miss for each;
// in a mask 32 of them have one word together.
//
// Idlepmask has the bit of each P that is on the list of idle ones. Such a P has no G. Timerpmask
// has the bit of each P that may have timers. A P that has an M may get one at any moment, by that
// M; one that is idle gets none, but keeps those that it has.
//
// The bits are read without a lock, so what is read may be old. A P that is idle may still be
// taken for one that is not, and one without timers for one that has some: that costs a look. The
// other mistake would be one: an M that skips a P with work, or with a timer, has relied on a bit
// that another M ought to have changed before it queued that work.
type Masks interface {
	// MaskIdle says in the masks that pp, which belongs to the caller and has no G, is idle, and,
	// if its heap is empty (Timers.Len), that it has no timers. Called by Pidleput, before pp is
	// on the list, with s.Lock held. The runtime does this in pidleput.
	MaskIdle(pp *P)
	// MaskBusy says in the masks that pp is not idle any more, and may have timers. Called by
	// Pidleget, when pp is off the list, with s.Lock held: so before any M has it. The runtime does
	// this in pidleget.
	MaskBusy(pp *P)
	// BusyPs returns those of allp, in order, that are not in idlepmask. Neither argument is
	// changed. mp, who calls it, has no P, and idlepmask is what s.Idlepmask was together with
	// allp, as long as it had one. In the runtime checkRunqsNoP looks at each bit just before
	// the queue.
	BusyPs(allp []*P, idlepmask PMask) []*P
	// TimerPs returns those of allp, in order, that are in timerpmask; otherwise it is like
	// BusyPs. In the runtime checkTimersNoP does this.
	TimerPs(allp []*P, timerpmask PMask) []*P
}
