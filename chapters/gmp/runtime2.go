package gmp

import (
	"sync/atomic"

	"gosched/chapters/machine"
	"gosched/chapters/trace"
)

// The states of a G. They are kept in G.Atomicstatus and changed by
// Casgstatus alone.
const (
	Gidle      uint32 = 0 // just allocated, not yet initialised
	Grunnable  uint32 = 1 // on a run queue, not running; its stack is not owned
	Grunning   uint32 = 2 // may run Go code; on no run queue; has an M (and a P, where there are Ps)
	Gsyscall   uint32 = 3 // in a system call; on no run queue; has an M
	Gwaiting   uint32 = 4 // blocked in the runtime; on no run queue, but recorded somewhere (a channel's queue)
	Gdead      uint32 = 6 // unused: just made, just ended, or on a free list
	Gcopystack uint32 = 8 // its stack is being moved
	Gpreempted uint32 = 9 // stopped itself for a suspendG; like Gwaiting, but nothing is bound to ready it yet

	// Gscan is a bit beside the state: whoever set it has locked the state,
	// in order to look at the stack. The runtime's _Gscan.
	Gscan uint32 = 0x1000
)

// StatusName is the runtime's own name for a state, as tracebacks print it.
func StatusName(st uint32) string {
	names := [...]string{
		Gidle: "idle", Grunnable: "runnable", Grunning: "running", Gsyscall: "syscall",
		Gwaiting: "waiting", Gdead: "dead", Gcopystack: "copystack", Gpreempted: "preempted",
	}
	name := "???"
	if st&^Gscan < uint32(len(names)) && names[st&^Gscan] != "" {
		name = names[st&^Gscan]
	}
	if st&Gscan != 0 {
		name += " (scan)"
	}
	return name
}

// The states of a P.
const (
	Pidle    uint32 = 0 // on the idle list, or in transition to it
	Prunning uint32 = 1 // owned by an M that runs Go code or the scheduler
	Psyscall uint32 = 2 // through Go 1.25: its M is in a system call and it may be stolen
	Pgcstop  uint32 = 3 // the world is stopped; owned by the M that stopped it
	Pdead    uint32 = 4 // no longer used: GOMAXPROCS shrank
)

// A G is a goroutine. There may be a million, so small fields lie together, and
// nothing is lost between them.
type G struct {
	Stack        machine.Cell[machine.Stack] // [Lo, Hi) in the machine's memory; empty on the free list if it has no stack. Owner: whoever owns the G
	Sched        machine.Context             // saved pc, stack pointer, guard: the runtime's gobuf (and stackguard0)
	Atomicstatus machine.Uint32              // the state; through Casgstatus only
	Gopc         machine.Cell[machine.PC]    // pc after the go statement that created it
	Goid         machine.Cell[int64]         // numbered from 1 (main) in order of creation; a reused G gets a new one
	Schedlink    machine.Cell[*G]            // next G on a GQueue or a GList; under the lock of that list, or whoever owns the G
	M            machine.Cell[*M]            // the M that runs it; nil unless running or in a system call. Written by that M
	Lockedm      machine.Cell[*M]            // the M that it is locked to, nil if none (chapter 11). Written by itself
	Startfn      machine.Cell[machine.Addr]  // the closure that it was started with
	Parentgoid   machine.Cell[int64]         // the G that executed the go statement that created it
	Waitsince    machine.Cell[int64]         // about when it began to wait, ns (chapter 12)
	Waitreason   machine.Cell[WaitReason]    // if the state is Gwaiting. Written by its M before the state changes

	Success       machine.Cell[bool]         // of a wake-up without a sudog
	AsyncSafe     machine.Cell[bool]         // interrupted by a signal at a safe point (chapter 14)
	native        bool                       // it has no program, and no stack: when it runs, Cont does all. Constant
	SyscallPC     machine.Cell[machine.PC]   // where it stands in a system call (chapter 11). Written by its M
	Preempt       machine.Flag               // it was asked to stop: the guard is poisoned (chapter 13). Set by any M, cleared by the one that runs it
	PreemptStop   machine.Flag               // stop with Gpreempted instead of yielding (chapter 14)
	PreemptShrink machine.Flag               // shrink its stack when it stops (chapter 13)
	SelectDone    machine.Uint32             // 1 from the moment a select has its winner until it goes on (chapter 4)
	SyscallSP     machine.Cell[machine.Addr] // its stack pointer there; 0 if it is in no system call

	// Cont is what the G must still do before its next instruction, when it
	// is woken inside a call into the runtime (chapter 3). Set before the G
	// is visible to its waker; the router calls it once and clears it.
	Cont machine.Cell[func(s *Sched, mp *M, gp *G)]

	// Waiting are the sudogs it waits on, by Waitlink, in the order in which
	// their channels are locked (chapters 3 and 4). Copystack finds them here.
	// Written by the G itself, before it parks and after it was woken.
	Waiting machine.Cell[*Sudog]
	Param   machine.Cell[*Sudog] // the sudog by which it was woken. Written by its waker, before it is ready
	Selects machine.Cell[[]Scase]
	scases  *[]Scase // where the router reads the cases of each select of this G; nil before the first

	Timer     machine.Cell[*Timer] // of time.Sleep, cached (chapter 15)
	SleepWhen machine.Cell[int64]  // until when it sleeps, ns (chapter 15). Written by itself
	Alllink   machine.Cell[*G]     // next in Sched.Allgs
}

// A WaitReason says why a G waits, in the words of Go's tracebacks.
type WaitReason uint8

const (
	WaitReasonZero WaitReason = iota
	WaitReasonChanReceiveNilChan
	WaitReasonChanSendNilChan
	WaitReasonSelect
	WaitReasonSelectNoCases
	WaitReasonChanReceive
	WaitReasonChanSend
	WaitReasonSemacquire
	WaitReasonSleep
	WaitReasonSyncCondWait
	WaitReasonSyncMutexLock
	WaitReasonSyncRWMutexRLock
	WaitReasonSyncRWMutexLock
	WaitReasonSyncWaitGroupWait
	WaitReasonIOWait
	WaitReasonPreempted
	WaitReasonForceGCIdle
	WaitReasonFinalizerWait
	WaitReasonGCWorkerIdle
	WaitReasonStoppingTheWorld
	WaitReasonGCWorkerActive
	WaitReasonGCMarkTermination
	WaitReasonGarbageCollection
)

var waitReasons = [...]string{
	WaitReasonZero:               "",
	WaitReasonChanReceiveNilChan: "chan receive (nil chan)",
	WaitReasonChanSendNilChan:    "chan send (nil chan)",
	WaitReasonSelect:             "select",
	WaitReasonSelectNoCases:      "select (no cases)",
	WaitReasonChanReceive:        "chan receive",
	WaitReasonChanSend:           "chan send",
	WaitReasonSemacquire:         "semacquire",
	WaitReasonSleep:              "sleep",
	WaitReasonSyncCondWait:       "sync.Cond.Wait",
	WaitReasonSyncMutexLock:      "sync.Mutex.Lock",
	WaitReasonSyncRWMutexRLock:   "sync.RWMutex.RLock",
	WaitReasonSyncRWMutexLock:    "sync.RWMutex.Lock",
	WaitReasonSyncWaitGroupWait:  "sync.WaitGroup.Wait",
	WaitReasonIOWait:             "IO wait",
	WaitReasonPreempted:          "preempted",
	WaitReasonForceGCIdle:        "force gc (idle)",
	WaitReasonFinalizerWait:      "finalizer wait",
	WaitReasonGCWorkerIdle:       "GC worker (idle)",
	WaitReasonStoppingTheWorld:   "stopping the world",
	WaitReasonGCWorkerActive:     "GC worker (active)",
	WaitReasonGCMarkTermination:  "GC mark termination",
	WaitReasonGarbageCollection:  "garbage collection",
}

func (w WaitReason) String() string {
	if int(w) < len(waitReasons) {
		return waitReasons[w]
	}
	return "unknown wait reason"
}

// An M is a thread of the machine. Unless a field's comment says otherwise the
// field belongs to the M itself.
type M struct {
	ID     int64            // from 0, the thread that boots
	Thread *machine.Thread  // its CPU
	Curg   machine.Owned[G] // the G that it runs, nil while it schedules
	Gone   bool             // the program is over: the M leaves its loop
	last   bool             // it was this M that ended the program

	// For the report of a run that was ended from outside. Written by the M.
	ended   atomic.Bool            // its thread ended before the run
	rests   atomic.Bool            // its thread has ended
	polls   atomic.Bool            // it waits for the network
	outside atomic.Bool            // it waits for somebody outside of the machine
	host    atomic.Pointer[string] // stacks.ID of its thread

	P     machine.Cell[*P] // the P it holds, nil if none (chapter 6)
	Nextp machine.Cell[*P] // the P it is to take when it wakes; written by its waker, before the wake-up
	Nextg machine.Cell[*G] // the G it is to run when it wakes, in Go 1.0; written by its waker, as Nextp is (chapter 5)
	Oldp  machine.Cell[*P] // the P it had before a system call (chapter 11)

	Mstartfn machine.Cell[func(mp *M)] // what it does first, nil for nothing. Written before it starts
	Park     machine.Note              // where it sleeps (chapter 5)
	// Its free sudogs, linked by Next (chapter 3). Only its own thread touches
	// them, so there is no lock. From chapter 6 on each P has some instead.
	Sudogcache machine.Cell[*Sudog]

	Schedlink machine.Cell[*M]    // next on the list of idle Ms; under Sched.Lock
	Spinning  machine.Cell[bool]  // it has no work and looks for some; counted in Sched.Nmspinning (chapter 10)
	Locks     machine.Cell[int32] // not to be preempted while > 0
	Dying     machine.Cell[bool]  // it is printing a fatal error

	Lockedg       machine.Cell[*G]     // the G that it is locked to, nil if none (chapter 11)
	LockedExt     machine.Cell[uint32] // how often LockOSThread was called and not undone; above 0 without a Lockedg if that has ended
	Syscalltick   machine.Cell[uint32] // its P's, when it entered its last system call (chapter 11)
	Schedtick     machine.Cell[uint32] // 1.0: where there is no P to count on
	SignalPending machine.Uint32       // 1 while a preemption signal is under way that it has not answered (chapter 14). Set by the sender
	PreemptGen    machine.Uint32       // how many of them it has answered
	Fastrand      machine.Cell[uint64] // state of its random numbers
	Helpgc        machine.Cell[int32]
	Alllink       machine.Cell[*M]

	// With Options.Slice: how many instructions slicedG may still execute before it
	// is interrupted. A slice does not start afresh when its G calls the runtime
	// and goes on.
	slicedG *G
	slice   int64

	executed int64         // instructions
	starved  int64         // how many they were when there was a collection because an allocation found no room
	traced   bool          // what the trace says of Spinning
	calling  bool          // the trace has it in a system call
	acquired bool          // the trace has it acquire a P since it is back from one
	events   *trace.Buffer // of the trace, if each M has one

	call  machine.Syscall // that mp is in, for the machine
	calls bool            // it is in one
}

// RunqLen is the length of a P's run queue in production. Models use 2 to 4,
// so code asks for len(pp.Runq).
const RunqLen = 256

// A P is the right to run Go code, and the caches that go with it (chapter 6).
// Unless a field's comment says otherwise the field belongs to the M that holds
// the P.
type P struct {
	ID          int32
	Status      machine.Uint32           // Pidle, …
	Link        machine.Cell[*P]         // next on the list of idle Ps; under Sched.Lock
	Schedtick   machine.OwnedUint32      // time slices: incremented by each Execute that does not inherit one
	Syscalltick machine.OwnedUint32      // incremented at the end of each system call, or when the P was taken in it (chapter 11)
	M           machine.Owned[M]         // back-link to the M that holds it, nil if idle
	Sysmontick  machine.Cell[Sysmontick] // belongs to sysmon (chapter 12)

	// The run queue (chapter 7): a ring. Runqhead is the number of the first G,
	// moved by CAS, by the owner and by thieves. Runqtail is the number of the next
	// G to come; only the owner stores it, after the slot. Only the owner stores
	// slots. They are atomic because a thief may read one that the owner is
	// overwriting; it then drops what it has read. (The runtime's are plain, which
	// Go's memory model does not allow to other packages.)
	Runqhead machine.Uint32
	Runqtail machine.Uint32
	Runq     []machine.Pointer[G] // constant; len is a power of two
	// Runnext is the G to run next, before the ring. Only the owner sets it to
	// a G; a thief may take it, by setting it to nil with a CAS.
	Runnext machine.Pointer[G]

	GFree      SharedGList            // dead Gs for reuse, with a stack or without (chapter 6)
	Sudogcache machine.Cell[[]*Sudog] // free sudogs; its capacity is the most that it keeps (chapter 6)

	Timers         TimerList      // chapter 15
	Preempt        machine.Flag   // asked to enter the scheduler at once
	RunSafePointFn machine.Uint32 // 1 if SafePointFn is to be called for it at its next safe point (chapter 17). Set under Sched.Lock by Worldsema's holder; whoever changes it back calls
	GcStopTime     machine.Cell[int64]
	// Of the mark worker that it runs (chapter 17).
	GcMarkWorkerMode      machine.Cell[GcMarkWorkerMode]
	GcMarkWorkerStartTime machine.Cell[int64] // when its turn began, ns
	GcFractionalMarkTime  machine.Cell[int64] // of all turns of fractional workers in this collection, ns; 0 is written while the world is stopped

	Idletime        machine.Cell[int64]
	LimiterIdleTime machine.Cell[int64]
}

// Sysmontick is what sysmon remembers of a P between two looks at it.
type Sysmontick struct {
	Schedtick   uint32
	Syscalltick uint32
	Schedwhen   int64
	Syscallwhen int64
}

// Sched is the scheduler: everything shared, and the parts that work on it. A
// field is under Lock unless its comment says who may write it.
type Sched struct {
	Parts // constant after New

	Collector // chapter 17; constant after New

	Lock SchedLock

	Goidgen machine.Int64 // the last Goid given out
	Mainfn  machine.Addr  // the closure of the main goroutine's function; constant

	// The global run queue, and its Size for a look without the lock: Lock keeps
	// that up to date.
	Runq     SharedGQueue
	Runqsize machine.Hint

	// Dead Gs for reuse: with a stack, and without. N is the length of both
	// together.
	GFree struct {
		Lock    machine.Mutex
		Stack   SharedGList
		NoStack SharedGList
		N       machine.Cell[int32]
	}

	// All Gs ever made, linked by Alllink, in order of creation. Append-only.
	Allglock machine.Mutex
	Allgs    machine.Cell[*G]
	Allglast machine.Cell[*G]
	Allglen  machine.Int64
	Ngsys    machine.Int32 // how many of them are the system's own

	// Sudogs of which a P had too many, linked by Next (chapter 6).
	Sudoglock  machine.Mutex
	Sudogcache machine.Cell[*Sudog]

	// Ms (chapter 5).
	Midle        machine.Cell[*M]    // idle Ms, linked by Schedlink
	Nmidle       machine.Cell[int32] //
	Nmidlelocked machine.Cell[int32] // idle Ms that wait for their locked G (chapter 11)
	Mnext        machine.Cell[int64] // number of Ms ever made or reserved, and the next ID
	Maxmcount    machine.Cell[int32] // more Ms than this is a fatal error
	Nmsys        machine.Cell[int32] // Ms of the system, which do not count for deadlock
	Nmfreed      machine.Cell[int64]
	Allm         machine.Pointer[M] // linked by Alllink; see NewM

	// Timerlist has all timers in versions whose Ps have none: the runtime's
	// timers through Go 1.9. Under its own lock.
	Timerlist TimerList

	// Ps (chapter 6).
	Allp         machine.Cell[[]*P]  // Gomaxprocs of them; dead ones stay beyond its end. Changes only while the world is stopped
	Gomaxprocs   machine.Cell[int32] // their number; changes with Allp
	Pidle        machine.Cell[*P]    // idle Ps, linked by Link
	Npidle       machine.Int32       // how many they are; written under Lock
	Idlepmask    machine.Cell[PMask] // which Ps are on that list (chapter 18). The bits are written under Lock and read without it; the mask itself changes with Allp
	Timerpmask   machine.Cell[PMask] // which Ps may have timers (chapter 18), likewise
	Nmspinning   machine.Int32       // Ms that look for work (chapter 10)
	Needspinning machine.Bool        // an M that has seen work could not get a P for it (chapter 10)

	// 1.0, which has no P (chapter 5). Mcpu is how many Ms run Gs, or have been
	// given one, or are about to look for one; Mcpumax is how many may: GOMAXPROCS.
	Mcpu    machine.Cell[int32]
	Mcpumax machine.Cell[int32]

	// Stopping the world (chapter 17). Worldsema is held by the G that does so, from
	// before Gcwaiting is set until the world runs again; Worldqueue are those that wait for it,
	// linked by Schedlink. Both are under Worldlock. Worldsema's holder alone writes Newprocs.
	Worldlock  machine.Mutex
	Worldsema  machine.Bool
	Worldqueue SharedGQueue
	Gcwaiting  machine.Bool        // the world is to stop; written under Lock
	Stopwait   machine.Cell[int32] // how many Ps have not stopped yet
	Stopnote   machine.Note        // where Worldsema's holder sleeps until there are none
	Newprocs   machine.Cell[int32] // how many Ps there are to be when the world runs again, 0 for as many as before

	// A function that each P runs, at its next safe point (chapter 17). SafePointFn is set
	// before P.RunSafePointFn is, and does not change as long as that is set anywhere.
	SafePointFn   machine.Cell[func(pp *P)]
	SafePointWait machine.Cell[int32] // how many Ps have not run it
	SafePointNote machine.Note        // where Worldsema's holder sleeps until there are none

	// Collecting (chapter 17).
	GcController GcController
	Forcegc      Forcegc
	Fing         Fing

	// The monitor (chapter 12) sleeps on Sysmonnote if Sysmonwait is set. That is set under
	// Lock, and whoever clears it, under Lock, signals the note.
	Sysmonwait machine.Bool
	Sysmonnote machine.Note
	Lastpoll   machine.Int64 // when the network was last polled, 0 while an M polls it
	PollUntil  machine.Int64
	PollingNet machine.Bool // an M looks at the network without waiting (chapter 18)
	SemTable   []SemaRoot

	// Panicking counts Gs that die from a panic. Exithooks run when the program
	// ends, the last one added first.
	Panicking machine.Int32
	Exithooks machine.Cell[[]func()]

	Machine *machine.Machine

	run // the router's own state
}

// A SchedLock is the runtime's sched.lock. When it is released, it publishes
// how long the global queue is.
type SchedLock struct {
	machine.Mutex
	s         *Sched
	published int32 // what Runqsize is; under the lock
}

// Unlock lets the next one in.
func (l *SchedLock) Unlock() {
	if n := l.s.Runq.Get().Size; n != l.published {
		l.published = n
		l.s.Runqsize.Store(n)
	}
	l.Mutex.Unlock()
}

// A GQueue is a double-ended queue of Gs, linked by Schedlink. Head and Tail
// are nil if it is empty. A G is on at most one GQueue or GList at a time. The
// runtime's gQueue.
type GQueue struct {
	Head *G
	Tail *G
	Size int32
}

// A GList is a stack of Gs, linked by Schedlink. The runtime's gList.
type GList struct {
	Head *G
	Size int32
}

// A Sudog is a G on a wait queue. One G may be on many queues, as in a select, and
// many Gs on one; hence a third thing. While it is on a queue, its fields are under
// the lock of that queue. (Chapter 3.) What some of them mean depends on where it
// is:
//
//   - On a channel's queue, a Waitq, Next and Prev are its neighbours. Elem is where the
//     value to send is, or where the received one is to go, 0 if that is dropped; it may
//     point into G's stack. Whatever ends the wait sets Elem to 0.
//   - In a SemaRoot, Elem is the address of the semaphore. In a node of the treap, Prev
//     and Next are the children with lower and with higher addresses, and Ticket is its
//     random number, not 0. A sudog that only hangs on a node has none of the three.
//   - When it has left its SemaRoot, Ticket is 1 if its G was handed the count, else 0.
//   - On a NotifyList, Next is the one behind it, and Ticket is what NotifyListAdd gave
//     out.
//   - On a list of free sudogs, Next is the one behind it.
type Sudog struct {
	G        machine.Cell[*G]
	Next     machine.Cell[*Sudog]       // behind it, or a child; nil if there is none
	Prev     machine.Cell[*Sudog]       // before it, or the other child
	Elem     machine.Cell[machine.Addr] // of a value, or of a semaphore
	C        machine.Cell[*Hchan]
	IsSelect machine.Cell[bool]
	Success  machine.Cell[bool] // woken because a value went over, not because of a close; written by the waker
	Case     machine.Cell[int]  // index of its case in a select

	Waitlink machine.Cell[*Sudog] // next on G.Waiting, or in the list of one semaphore address
	Waittail machine.Cell[*Sudog] // last of that list
	Parent   machine.Cell[*Sudog] // of a node of a treap (chapter 4)
	Ticket   machine.Cell[uint32] // a random number, a ticket, or whether the count was handed over (chapter 4)
	Waiters  machine.Cell[uint16] // not used; in the runtime for the mutex profile, as is acquiretime:
	Acquire  machine.Cell[int64]
}

// NewSudog makes a sudog with all fields zero. So does new(Sudog), but then simulated
// CPUs do not know that its fields lie together.
func NewSudog() *Sudog {
	sg := spareSudogs.New()
	sg.together()
	return sg
}

// Reset sets all fields to zero. Assigning Sudog{} does so, too, but for explorations and
// simulated CPUs its fields are then new ones, of which they know nothing.
func (sg *Sudog) Reset() {
	sg.G.Set(nil)
	sg.Next.Set(nil)
	sg.Prev.Set(nil)
	sg.Elem.Set(0)
	sg.C.Set(nil)
	sg.IsSelect.Set(false)
	sg.Success.Set(false)
	sg.Case.Set(0)
	sg.Waitlink.Set(nil)
	sg.Waittail.Set(nil)
	sg.Parent.Set(nil)
	sg.Ticket.Set(0)
	sg.Waiters.Set(0)
	sg.Acquire.Set(0)
}

// Blank reports whether all fields are zero, for a check. Comparing with Sudog{} does
// not do: it also compares what a Hook knows the fields by.
func (sg *Sudog) Blank() bool {
	return sg.G.Peek() == nil && sg.Next.Peek() == nil && sg.Prev.Peek() == nil && sg.Elem.Peek() == 0 &&
		sg.C.Peek() == nil && !sg.IsSelect.Peek() && !sg.Success.Peek() && sg.Case.Peek() == 0 &&
		sg.Waitlink.Peek() == nil && sg.Waittail.Peek() == nil && sg.Parent.Peek() == nil &&
		sg.Ticket.Peek() == 0 && sg.Waiters.Peek() == 0 && sg.Acquire.Peek() == 0
}

// A Waitq is a queue of sudogs: the receivers or the senders of a channel. Both
// are nil if it is empty; Prev of the first and Next of the last are nil.
type Waitq struct {
	First machine.Cell[*Sudog]
	Last  machine.Cell[*Sudog]
}

// An Hchan is a channel. Its fields are under Lock, except for the constant
// ones. While it is open, receivers wait only if there is nothing in the
// buffer, and senders only if there is no room: at most one of the two queues
// has a G on it (except for a select that does both).
type Hchan struct {
	Lock     machine.Mutex
	Addr     machine.Addr         // its address in the machine: what the program holds; constant
	Elem     *machine.Type        // of an element; constant
	Dataqsiz uint64               // size of the buffer in elements; constant
	Buf      machine.Addr         // the buffer, a ring; 0 if it has no bytes; constant
	Qcount   machine.Cell[uint64] // elements in it
	Sendx    machine.Cell[uint64] // slot for the next element to come in
	Recvx    machine.Cell[uint64] // slot of the next to go out
	Closed   machine.Cell[bool]
	Recvq    Waitq  // of those that wait to receive
	Sendq    Waitq  // of those that wait to send
	Timer    *Timer // that feeds it, nil for most: the program then sees no buffer; constant
}

// An Scase is a case of a select.
type Scase struct {
	C    *Hchan       // nil for a nil channel
	Elem machine.Addr // the value to send, or where to put the received one; 0 if it is dropped
	Send bool
}

// A SemaRoot holds the waiters of all semaphores whose addresses share a hash.
// (Chapter 4.)
type SemaRoot struct {
	Lock  machine.Mutex
	Treap machine.Cell[*Sudog] // from 1.9: a treap by address, each node the head of a list; under Lock
	List  Waitq                // through Go 1.8: all of them, in the order in which they came; under Lock
	Nwait machine.Uint32       // how many wait, or are about to; raised under Lock, read without it
}

// A NotifyList is the list behind sync.Cond. (Chapter 4.)
type NotifyList struct {
	Lock   machine.Mutex
	Wait   machine.Uint32
	Notify machine.Uint32
	Head   machine.Cell[*Sudog]
	Tail   machine.Cell[*Sudog]
}

// A Timer fires at When: it calls F(Arg). Its fields are under Mu, except for the atomic and
// the constant ones, and for Seq. Who needs two of the locks takes them in this order: SendLock,
// the lock of a channel, that of a TimerList, and Mu. (Chapter 15.) The older form, which has one
// list for all, uses the first four fields alone, under the lock of that list.
type Timer struct {
	When   machine.Cell[int64] // on the clock of Sched.Nanotime, ns; 0 if it is not set
	Period machine.Cell[int64] // and again every so many ns; 0 for once
	F      TimerFunc           // constant
	Arg    any                 // constant
	C      *Hchan              // the channel that it feeds, nil if it does something else; constant

	Mu     machine.Mutex
	State  machine.Cell[uint32]     // TimerHeaped, TimerModified, TimerZombie
	Astate machine.Uint32           // State, for a look without the lock; Unlock stores it
	Ts     machine.Cell[*TimerList] // that it is in, nil if TimerHeaped is not set. Written with the lock of that list as well

	// If C is not nil:
	Blocked   machine.Cell[uint32] // how many Gs wait on C, a select once for each case
	IsSending machine.Int32        // sends that are decided on, and not yet begun, of a timer without Period. Raised with Mu, lowered with SendLock
	SendLock  machine.Mutex        // held while F sends
	Seq       machine.Cell[uint64] // grows with each stop and each change: a send that was decided on before is not made. Written with SendLock and Mu, read with one of them
}

// The bits of Timer.State. The heap of a P has an entry for each timer with TimerHeaped; the
// other two are only set together with it.
const (
	TimerHeaped   uint32 = 1 << iota // it is in a heap
	TimerModified                    // When was changed, and the heap's entry was not, yet
	TimerZombie                      // it is to leave the heap; nobody waits for it
)

// Lock locks t. The runtime's timer.lock.
func (t *Timer) Lock() { t.Mu.Lock() }

// Unlock publishes the state of t, and unlocks it. The runtime's timer.unlock.
func (t *Timer) Unlock() {
	t.Astate.Store(t.State.Get())
	t.Mu.Unlock()
}

// A TimerFunc is what a timer does when it fires, delay ns after its time. No G
// runs on mp at that moment. It must not wait for anything.
type TimerFunc func(s *Sched, mp *M, arg any, delay int64)

// MaxWhen is the end of time in ns: a timer that is set for it never fires. The
// runtime's maxWhen, after 292 years.
const MaxWhen = 1<<63 - 1

// A TimerList is the timers of a P, or of all Ps. (Chapter 15.) The runtime's timers.
type TimerList struct {
	Mu machine.Mutex
	// Heap has an entry for each timer; under Mu. An M that changes an entry in place calls
	// Set afterwards, with the same slice: so a model sees that it wrote.
	Heap machine.Cell[[]TimerWhen]
	// The rest is read without the lock: by thieves, by an M that is about to sleep, and by
	// the monitor.
	Len             machine.Uint32 // of Heap, when it was last unlocked
	Zombies         machine.Int32  // timers in Heap that are zombies
	MinWhenHeap     machine.Int64  // when the first entry of Heap is due, 0 if there is none. Written under Mu
	MinWhenModified machine.Int64  // no entry that was modified is due earlier; 0 if there is none. Lowered by whoever modifies one
}

// A TimerWhen is an entry in a heap. When is the timer's, as it was when the heap last looked:
// comparing entries does not lead to the timers, which are all over the memory. The runtime's
// timerWhen.
type TimerWhen struct {
	Timer *Timer
	When  int64
}

// Lock locks the list. The runtime's timers.lock.
func (ts *TimerList) Lock() { ts.Mu.Lock() }

// Unlock publishes the length of the heap, and unlocks the list. Only here: a timer that leaves
// the heap and comes back meanwhile was never away as far as others see. The runtime's
// timers.unlock.
func (ts *TimerList) Unlock() {
	ts.Len.Store(uint32(len(ts.Heap.Get())))
	ts.Mu.Unlock()
}

// WakeTime returns when somebody must look at the list next, 0 if there is nothing in it. Any
// M may call it, without any lock. It may be earlier than necessary; it is never too late. For
// that, MinWhenModified is read first: see TimerHeap.Adjust. The runtime's timers.wakeTime.
func (ts *TimerList) WakeTime() int64 {
	modified := ts.MinWhenModified.Load()
	when := ts.MinWhenHeap.Load()
	if when == 0 || modified != 0 && modified < when {
		return modified
	}
	return when
}

// A PollDesc is a file descriptor that the netpoller knows. (Chapter 16.) It is never
// given back to Go's memory: when its descriptor is closed it is kept for another one, so
// an event that comes late finds a PollDesc, with another Fdseq.
//
// Rg and Wg say, for reading and for writing, what has come and who waits:
//
//   - PdReady: the descriptor has become ready, and no G has noticed it yet;
//   - PdWait: a G is about to wait, and does not yet;
//   - a G: it waits;
//   - nil: nothing of that.
//
// The runtime's pollDesc.
type PollDesc struct {
	Number uint64                  // what the program knows it by; constant
	Link   machine.Cell[*PollDesc] // next of those that are free; under the lock of their list
	FD     machine.Cell[int]       // the descriptor; constant between Pollalloc and Pollfree
	Fdseq  machine.Uint32          // incremented by Pollfree: an event with an old one is of a former life

	// PollInfo is what Netpollcheckerr must know without Lock: PollClosing and so on,
	// published from the fields below whenever they change. The runtime's atomicInfo.
	PollInfo machine.Uint32

	Rg machine.Pointer[G]
	Wg machine.Pointer[G]

	Lock    machine.Mutex // protects what follows
	Closing machine.Cell[bool]
	Rd      machine.Cell[int64] // until when a G may wait to read, ns on the clock of Nanotime; 0 for ever; below 0 the time is over
	Wd      machine.Cell[int64] // likewise to write
	// The timers are set for Rd and Wd, and call Netpolldeadline. Each has locks of its own, and is
	// nil before there is a deadline for the first time: see SetDeadlineTimer.
	Rt machine.Cell[*Timer]
	Wt machine.Cell[*Timer]
}

// A SuspendGState is what ResumeG needs in order to undo SuspendG. (Chapter 14.) The
// runtime's suspendGState.
type SuspendGState struct {
	G       *G   // whose scan bit is set; nil if Dead
	Dead    bool // it had ended: there is nothing to resume
	Stopped bool // it had stopped for a SuspendG, and was claimed by this one, which must make it ready
}

// A GcController is what a collection needs of the scheduler (chapter 17). Unless a comment says
// otherwise a field is written while the world is stopped. The runtime's gcController, with some of
// what the runtime keeps in work.
type GcController struct {
	BlackenEnabled machine.Bool        // marking is under way. The runtime's gcBlackenEnabled
	MarkStartTime  machine.Cell[int64] // since when, ns
	LastGC         machine.Int64       // when the last collection ended, ns; 0 if there was none

	// DedicatedMarkWorkersNeeded is how many dedicated workers there should be, and are not: each
	// that begins a turn lowers it, and raises it at the end.
	DedicatedMarkWorkersNeeded machine.Int64
	FractionalUtilizationGoal  machine.Cell[float64] // share of its time that each P gives, from 0 to 1
	IdleMarkWorkers            machine.Int32         // how many idle workers there are; any M may change it
	MaxIdleMarkWorkers         machine.Cell[int32]   // and how many there may be

	Pool         GcBgMarkWorkerPool
	Working      machine.Int32 // workers that mark now; each counts itself
	MarkDoneSema machine.Bool  // an M is in GcMarkDone; see there
}

// A GcMarkWorkerMode says how the worker works that a P runs. The runtime's gcMarkWorkerMode.
type GcMarkWorkerMode uint8

const (
	GcMarkWorkerNotWorker      GcMarkWorkerMode = iota // it runs none
	GcMarkWorkerDedicatedMode                          // it does nothing else
	GcMarkWorkerFractionalMode                         // it gives a share of its time
	GcMarkWorkerIdleMode                               // it has nothing else to do
)

func (m GcMarkWorkerMode) String() string {
	names := [...]string{"no worker", "dedicated", "fractional", "idle"}
	if int(m) < len(names) {
		return names[m]
	}
	return "an unknown mode"
}

// A GcBgMarkWorkerPool has the workers that wait. Any M may use it, with whatever lock. The
// runtime's gcBgMarkWorkerPool, which needs no lock.
type GcBgMarkWorkerPool struct {
	mu   machine.Mutex
	list SharedGList
}

// Push puts a worker, which is Gwaiting, into the pool: from then on another M may run it.
func (l *GcBgMarkWorkerPool) Push(gp *G) {
	l.mu.Lock()
	l.list.Push(gp)
	l.mu.Unlock()
}

// Pop takes a worker from the pool, nil if there is none.
func (l *GcBgMarkWorkerPool) Pop() *G {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.list.Pop()
}

// A Forcegc is the G that begins a collection when there was none for ForceGCPeriod (chapter
// 17). The runtime's forcegc.
type Forcegc struct {
	Lock machine.Mutex
	G    machine.Cell[*G] // nil before the first collection. Under Lock
	Idle machine.Bool     // it waits; written under Lock
}

// A Fing is the G that calls finalizers (chapter 17). Lock protects what it has to do.
type Fing struct {
	Lock   machine.Mutex
	G      machine.Cell[*G] // written before FingWait is first set
	Status machine.Uint32   // bits
}

// The bits of Fing.Status. The runtime's fingStatus.
const (
	FingCreated uint32 = 1 << iota // there is one, or it is about to be
	FingWait                       // it waits. Set by itself, when it is Gwaiting
	FingWake                       // there is something for it. Set by the collection
)
