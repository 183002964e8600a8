package explore

import (
	"runtime"
	"slices"

	"gosched/chapters/machine"
)

// A loop that waits for another thread looks at shared variables, finds nothing
// new and yields. It could do so any number of times, so exploring its rounds
// one by one would never end, and once it has looked nothing changes by looking
// again. Therefore: after Options.Spins rounds in a row in which a thread wrote
// nothing and read exactly what it had read in the round before, if it then
// begins the same round again, it waits until one of the variables that it read
// changes.
//
// A thread that counts its rounds does leave such a loop by itself. That is seen
// only if it does so after at most Options.Spins+1 of them, or when no other
// thread can run: then all who wait in this way are let go on, and time with
// them. If nothing comes of it many times over, that is a livelock.

// A spin is what is known about the rounds of a thread, a round being what
// happens between two Yields.
type spin struct {
	reads   []seen // in this round
	before  []seen // in the last one
	first   site   // of the first operation of this round
	again   site   // and of the last one
	begins  bool   // this round has no operation yet
	wrote   bool   // in this round
	rounds  int    // in a row in which nothing was new
	yields  int    // in this execution
	empties int    // Yields in a row without a look at anything
	gets    int    // uses of Cells since the last step
	yielded bool   // its last operation is behind it and it has yielded since
	waiting bool   // until something in before changes
	fairly  int    // if positive: until there are more steps than that
}

// empty returns a fresh spin in the memory of an old one.
func (s *spin) empty() spin { return spin{reads: s.reads[:0], before: s.before[:0], begins: true} }

// A site is an operation in the code.
type site struct {
	op    op
	stack uint64 // a hash of the calls; 0 in a thread's first round
}

// seen is a version of an object.
type seen struct {
	id      machine.ID
	version int32
}

const (
	// maxEmpty bounds Yields, and uses of Cells, without any step in between:
	// more are a loop that can only run alone.
	maxEmpty = 1000
	maxGets  = 10_000
	// maxYields is how often a thread may yield in one execution, after rounds
	// in which it wrote, before the others go first.
	maxYields = 40
	// maxReleases is how often threads that wait in loops are let go on without
	// any thread changing anything.
	maxReleases = 32
)

// noteRead notes that t has read o.
func (t *thread) noteRead(o *object) { t.reads = append(t.reads, seen{o.id, o.version}) }

// wrote notes that t has changed something that others can see.
func (x *explorer) wrote(t *thread) {
	t.wrote = true
	x.releases = 0
}

// begun is called when t is about to execute its operation.
func (x *explorer) begun(t *thread) {
	t.yielded, t.empties, t.gets = false, 0, 0
}

// yield ends a round of t.
func (x *explorer) yield(t *thread) {
	t.yielded = true
	if len(t.reads) == 0 && !t.wrote {
		if t.empties++; t.empties > maxEmpty {
			x.fail(&verdict{kind: Livelock, msg: t.name + " yields for ever without looking at anything that another thread could change"})
			x.stop(t)
		}
		return
	}
	if !t.wrote && slices.Equal(t.reads, t.before) {
		t.rounds++
	} else {
		t.rounds = 0
	}
	t.reads, t.before = t.before[:0], t.reads
	t.again, t.begins = t.first, true
	t.wrote = false
	if t.yields++; t.rounds >= x.opt.Spins {
		t.waiting = true
	} else if t.yields > maxYields {
		t.waiting, t.fairly = true, x.steps()
		x.cut = "a loop that yields was cut short, because it changes something in every round"
	}
}

// comes is called when t has come to its next operation. If it would wait, and
// this is not what the last round began with, it is out of the loop.
func (x *explorer) comes(t *thread) {
	if !t.begins {
		return
	}
	t.begins, t.first = false, site{op: t.op}
	if t.yielded {
		t.first.stack = x.stack(t)
	}
	if t.waiting && t.fairly == 0 && t.first != t.again {
		t.waiting, t.rounds = false, 0
	}
}

// stack identifies the calls that t, the current thread, is in. To find out takes longer than
// many a step, so it is remembered with the last event, for when the same is done again: if t
// has made that, and if the next event is to be the same, too. Before a new one another
// number may have been chosen.
func (x *explorer) stack(t *thread) uint64 {
	i := x.length - 1
	if i < 0 || int(t.last) != i {
		return stackHash()
	}
	e := &x.events[i]
	if x.length >= x.known {
		e.stack = stackHash()
	}
	return e.stack
}

// stackHash identifies the innermost calls that the current thread is in, from the hook on.
func stackHash() uint64 {
	var pcs [12]uintptr
	h := uint64(14695981039346656037)
	for _, pc := range pcs[:runtime.Callers(5, pcs[:])] {
		h = (h ^ uint64(pc)) * 1099511628211 // FNV, by words
	}
	return h
}

// changed reports whether t, which waits in a loop, has something new to see.
func (x *explorer) changed(t *thread) bool {
	if t.fairly > 0 {
		return x.steps() > t.fairly
	}
	for _, s := range t.before {
		if x.objects[s.id].version != s.version {
			return true
		}
	}
	return false
}

// release lets the threads that wait in loops go on, because no other can
// run. It reports whether there are any but daemons.
func (x *explorer) release() bool {
	any := false
	for _, t := range x.threads[:x.n] {
		any = any || !t.done && t.waiting && !t.daemon
	}
	if !any {
		return false
	}
	if x.releases++; x.releases > maxReleases {
		x.livelock()
		return false
	}
	x.clock += x.jump
	x.jump *= 2
	x.object(theClock).version++
	all := x.everything()
	for _, t := range x.threads[:x.n] {
		if !t.done && t.waiting {
			t.waiting, t.fairly = false, 0
			t.base.join(&all, x.n)
		}
	}
	return true
}

// stop ends the current thread after a verdict about it.
func (x *explorer) stop(t *thread) {
	t.co.park()
	x.die(t)
}
