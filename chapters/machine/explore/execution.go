package explore

import (
	"fmt"
	"math/bits"

	"gosched/chapters/machine"
)

// maxThreads is how many threads a model may have, those that it starts on its
// way included.
const maxThreads = 16

// A set is a set of threads.
type set uint16

func (s set) has(id int8) bool { return s>>id&1 != 0 }
func (s set) first() int8      { return int8(bits.TrailingZeros16(uint16(s))) }
func (s *set) add(id int8)     { *s |= 1 << id }
func (s *set) drop(id int8)    { *s &^= 1 << id }
func only(id int8) set         { return 1 << id }

// A thread of the model. Its coroutine always stands before its next operation
// on something shared, which is therefore known, so "running" a thread means to
// let it execute that one and what follows up to the next.
type thread struct {
	id      int8
	name    string
	fn      func()
	daemon  bool
	done    bool
	co      *coroutine
	job     func() // for co: run
	op      op     // its next operation
	ran     bool   // it has begun
	resumes bool   // it has resumed another, and stands until that one parks
	kills   int    // how often it was told to end

	// Happens-before in the order of the execution (see races.go).
	last  int32 // its last event, -1 if none
	count int32 // its events so far
	base  clock // what it follows besides its last event

	sync clock // happens-before in the sense of Go's memory model (see cells.go)

	spin // see yield.go
}

// An op is an operation on a shared variable.
type op struct {
	kind opKind
	id   machine.ID
}

type opKind uint8

// The kinds of operations that are steps. Those on atomic variables are the
// machine's.
const (
	opLoad           = opKind(machine.AccessLoad)
	opStore          = opKind(machine.AccessStore)
	opSwap           = opKind(machine.AccessSwap)
	opCompareAndSwap = opKind(machine.AccessCompareAndSwap)
	opAdd            = opKind(machine.AccessAdd)
	opAnd            = opKind(machine.AccessAnd)
	opOr             = opKind(machine.AccessOr)
)

const (
	opLock opKind = iota + 16
	opTryLock
	opUnlock
	opSleep
	opSleepTimeout
	opWakeup
	opClear
	opNanotime
	opUsleep
	opSignal
	opKernel
)

// blocks reports whether a thread may have to wait before an operation.
func (k opKind) blocks() bool { return k == opLock || k == opSleep }

// An object is a shared variable.
type object struct {
	id      machine.ID
	name    string // of a mutex
	locked  bool   // a mutex is held
	holder  int8   // by whom, or last by whom; alone is the model itself
	signal  bool   // a note is signalled
	owned   bool   // it belongs to a thread, which sets it: a machine.Owned
	version int32  // grows with each change; of a mutex, when it goes to another thread

	// Who did what last, as indices of events, for races.go.
	write   int32 // -1 if none
	readers set   // those who read it since
	reads   [maxThreads]int32

	released clock // what its last writer had seen, for cells.go
	cell           // if it is one, or of a note who sleeps there

	execution int32 // the one that it is of: see object
}

// begin makes o what it is before its first use in an execution. What reads and getAt hold is
// left there: readers and getters say what of it means anything.
func (o *object) begin(id machine.ID, execution int32) {
	o.id, o.execution = id, execution
	o.name, o.locked, o.holder, o.signal, o.owned = "", false, alone, false, false
	o.version, o.write, o.readers = 0, -1, 0
	o.released = clock{}
	o.forget()
}

// alone is the id of the model's own code, before and after the threads.
const alone int8 = -1

type phase uint8

const (
	making   phase = iota // the function that makes the model runs
	starting              // a thread runs up to its first operation
	running
	checking // the checks run
	ending   // threads that are left are being ended
)

// An explorer runs executions of a model, one after another. It is the hook
// between the model's threads and the machine. Everything here runs on one
// coroutine at a time.
type explorer struct {
	opt   Options
	model func(m *Model)
	pool  pool

	// The search, which lasts from one execution to the next.
	search
	sync    bool // the model uses Cells, so happens-before is kept
	cells   bool // a Cell was used in this execution
	record  *recording
	cut     string // why the search cannot be called exhaustive
	aborted bool   // this execution is to be repeated

	// One execution.
	m        *Model
	phase    phase
	threads  []*thread // also those of earlier executions, for reuse
	n        int       // threads of this one
	unborn   int       // the first thread that has not begun
	cur      *thread   // nil while the model's own code runs
	next     *thread
	over     bool
	verdict  *verdict
	objects  []object // by id, also those of earlier executions: see object
	resets   int32    // executions begun, those that were aborted included
	clock    int64    // ns
	jump     int64    // by how much time goes on when no thread can run
	releases int      // how often spinning threads were let go on since the last change
	outcome  uint64   // of the step that is being executed, as far as it can be compared
	numbers  map[any]int
	words    words // of the machine's memory
	aside    bool  // the code that runs is for a report
}

// execute runs the model once, along the trail as far as that goes and then as
// the search says. It returns what is wrong, nil if nothing is.
func (x *explorer) execute() *verdict {
	x.reset()
	remove := machine.SetHook(x)
	defer remove()
	defer x.end()

	x.guarded(func() { x.model(x.m) })
	if x.verdict == nil && x.n == 0 {
		x.fail(&verdict{kind: Misuse, msg: "the model has no threads: its function must call Thread"})
	}
	if x.verdict != nil || x.aborted {
		return x.verdict
	}
	x.phase = running
	x.decide()
	for !x.over {
		x.cur = x.next
		x.cur.co.resume()
	}
	x.cur = nil
	if x.verdict == nil && !x.aborted && !x.redundant {
		x.check()
	}
	return x.verdict
}

func (x *explorer) reset() {
	*x.m = Model{x: x, checks: x.m.checks[:0], ledger: x.m.ledger[:0]}
	x.phase = making
	x.n, x.unborn = 0, 0
	x.cur, x.next = nil, nil
	x.over, x.aborted, x.verdict = false, false, nil
	x.resets++
	x.clock, x.jump, x.releases = 0, 1000, 0
	x.cells = false
	x.search.rewind()
	clear(x.numbers)
	x.words.clear()
	x.aside = false
}

// end unwinds the threads that are not done, so that their coroutines can be
// used again and the deferred functions of the model do not run later.
func (x *explorer) end() {
	x.phase = ending
	for _, t := range x.threads[:x.n] {
		if t.ran && !t.done {
			x.cur = t
			t.co.resume()
		}
		if t.done || !t.ran { // else it cannot be ended, and is lost
			x.pool.put(t.co)
		}
		t.co = nil
	}
	x.cur = nil
}

// guarded runs the model's own code and turns a panic into a verdict.
func (x *explorer) guarded(fn func()) {
	defer func() {
		if v := recover(); v != nil {
			x.panicked(v)
		}
	}()
	fn()
	x.complain()
}

// check runs the checks, after the threads.
func (x *explorer) check() {
	x.phase = checking
	for _, fn := range x.m.checks {
		if x.verdict != nil {
			return
		}
		x.guarded(fn)
	}
	if x.verdict == nil {
		for _, sentence := range x.m.balance() {
			x.m.failed = append(x.m.failed, sentence)
		}
		x.complain()
	}
}

// complain makes a verdict of what Errorf was told.
func (x *explorer) complain() {
	if len(x.m.failed) > 0 {
		x.violated()
	}
}

func (x *explorer) violated() {
	if x.verdict == nil {
		x.fail(&verdict{kind: Violation, msg: lines(x.m.failed)})
	}
}

func (x *explorer) fail(v *verdict) {
	if x.verdict == nil {
		if v.by = alone; x.cur != nil {
			v.by = x.cur.id
		}
		x.verdict = v
	}
	x.over = true
}

// abandoned is the panic that ends a thread that is left over.
type abandoned struct{}

// addThread adds a thread. It begins at the next decision.
func (x *explorer) addThread(name string, fn func(), daemon bool) {
	if x.n == maxThreads {
		panic(fmt.Sprintf("explore: a model has at most %d threads", maxThreads))
	}
	if x.n == len(x.threads) {
		x.threads = append(x.threads, &thread{})
	}
	t := x.threads[x.n]
	if t.job == nil {
		t.job = func() { x.run(t) }
	}
	*t = thread{id: int8(x.n), name: name, fn: fn, daemon: daemon, job: t.job, last: -1, spin: t.spin.empty()}
	if name == "" {
		t.name = fmt.Sprintf("thread %d", t.id)
	}
	if p := x.cur; p != nil {
		t.base = x.clockOf(p)
		t.sync = p.sync
		x.released(p)
	}
	t.sync[t.id] = 1
	t.co = x.pool.get()
	t.co.start(t.job)
	x.n++
}

// begin lets the new threads run up to their first operation.
func (x *explorer) begin() {
	before, phase := x.cur, x.phase
	for x.unborn < x.n {
		t := x.threads[x.unborn]
		x.unborn++
		x.cur, x.phase = t, starting
		t.ran = true
		t.co.resume()
	}
	x.cur, x.phase = before, phase
}

// run is the job of the coroutine of t.
func (x *explorer) run(t *thread) {
	defer func() {
		v := recover()
		t.done = true
		if x.phase == ending {
			return
		}
		if v != nil {
			x.panicked(v)
		}
		if x.phase == running {
			x.decide()
		}
	}()
	t.fn()
}

// arrive is called by the current thread before each operation. It returns when
// it is this thread's turn to execute it.
func (x *explorer) arrive(t *thread, o op) {
	t.op = o
	if x.phase == ending {
		x.die(t)
	}
	x.comes(t)
	x.blocked(t)
	if x.record != nil {
		x.record.arrive(t)
	}
	if x.phase == starting {
		t.co.park()
	} else {
		x.decide()
		x.await(t)
	}
	if x.phase == ending {
		x.die(t)
	}
	x.begun(t)
}

// await returns when it is the turn of t, the current thread, or when t is to end.
// Until then it resumes those whose turn it is: two threads that take turns cost one
// switch for each turn, where a third who asks them in turn would cost two. If it is
// the turn of one who has resumed t, or of nobody, t parks.
func (x *explorer) await(t *thread) {
	for !x.over && x.next != t && !x.next.resumes {
		x.cur = x.next
		t.resumes = true
		x.next.co.resume()
		t.resumes = false
	}
	if x.over || x.next != t {
		t.co.park()
	}
	x.cur = t
}

// maxKills is how often a thread may recover from its end before it is left
// where it is.
const maxKills = 100

// die ends the current thread, from within.
func (x *explorer) die(t *thread) {
	if t.kills++; t.kills > maxKills {
		for {
			t.co.park()
		}
	}
	panic(abandoned{})
}

// decide chooses the thread that runs next, or ends the execution. It runs on
// the coroutine that stops.
func (x *explorer) decide() {
	if x.unborn < x.n {
		x.begin()
	}
	x.complain()
	if x.over {
		return
	}
	if x.steps() >= x.opt.Depth {
		x.tooLong()
		return
	}
	if x.next = x.again(); x.next != nil {
		return
	}
	enabled := x.enabled()
	if enabled == 0 && x.release() {
		enabled = x.enabled()
	}
	if enabled == 0 || x.over {
		x.quiescent()
		x.over = true
		return
	}
	id, ok := x.pick(enabled)
	if !ok {
		x.over = true
		return
	}
	x.next = x.threads[id]
}

// enabled returns the threads that can execute their next operation.
func (x *explorer) enabled() set {
	var s set
	for i, t := range x.threads[:x.n] {
		if !t.done && x.canRun(t) {
			s |= 1 << i
		}
	}
	return s
}

func (x *explorer) canRun(t *thread) bool {
	if t.waiting && !x.changed(t) {
		return false
	}
	switch t.op.kind {
	case opLock:
		return !x.objects[t.op.id].locked
	case opSleep:
		return x.objects[t.op.id].signal
	}
	return true
}

// quiescent is called when no thread can run any more.
func (x *explorer) quiescent() {
	if x.verdict != nil {
		return
	}
	var stuck []*thread
	asleep := true
	for _, t := range x.threads[:x.n] {
		if t.done || t.daemon && t.op.kind != opLock {
			continue
		}
		stuck = append(stuck, t)
		asleep = asleep && t.op.kind == opSleep
	}
	switch {
	case len(stuck) == 0:
	case asleep:
		x.fail(&verdict{kind: LostWakeup, msg: x.stuckSentences(stuck), stuck: stuck})
	default:
		x.fail(&verdict{kind: Deadlock, msg: x.stuckSentences(stuck), stuck: stuck})
	}
}

// object returns the object of that id. One that is left over from an earlier execution begins
// anew: to clear all objects before each would cost more than many a short one.
func (x *explorer) object(id machine.ID) *object {
	for int(id) >= len(x.objects) {
		x.objects = append(x.objects, object{})
	}
	o := &x.objects[id]
	if o.execution != x.resets {
		o.begin(id, x.resets)
	}
	return o
}

// who names the current thread.
func (x *explorer) who() string {
	switch {
	case x.cur != nil:
		return x.cur.name
	case x.phase == making:
		return "the model"
	}
	return "the check"
}
