package explore

// Dynamic partial-order reduction: of all orders of the same steps, those that
// differ only in the order of independent ones have the same result, so one of
// each class is enough. It is the source-set algorithm of Abdulla, Aronis,
// Jonsson and Sagonas (POPL 2014). Each execution is looked through for races:
// pairs of dependent events of two threads that nothing else keeps in their
// order. For each there must be an execution in which they come the other way
// round, and if none of the threads that could begin it is going to be tried at
// that point, one of them is added.
//
// Two things are not as in the paper.
//
// Threads block, on mutexes and notes. An event that waited can be reversed only
// with one before which it could already have been executed; such events are
// open. The race of a Lock is therefore not with the Unlock before it, nor need
// it be with the last event at all, but with the last open one. And races are
// looked for not only when an operation is executed but also when a thread comes
// to it and cannot, and when an event takes away what it would have needed: it
// may never be executed in this execution, or only after something that is
// asleep, and then no other would see the race.
//
// And a step may have read several variables, when its thread waited in a loop
// until one of them changed (see yield.go).

// A clock says for each thread how many of its events come before.
type clock [maxThreads]int32

// join adds to c what comes before d, which is about no more than n threads.
func (c *clock) join(d *clock, n int) {
	for i := range n {
		c[i] = max(c[i], d[i])
	}
}

// An event is a step of an execution.
type event struct {
	thread int8
	write  bool
	open   bool  // before it, an operation on its object that blocks would not have waited
	local  int32 // its number among those of its thread, from 1
	node   int32 // of the trail, where it was chosen
	prev   int32 // the last write of its object before, -1 if none
	at     int32 // version of the object before it
	clock  clock // what comes before it, itself included

	stack uint64 // where its thread came to next, if that began a round (see yield.go)
}

// before reports whether e is among what c counts.
func (e *event) before(c *clock) bool { return c[e.thread] >= e.local }

// clockOf is what comes before the next event of t, as far as t knows itself.
func (x *explorer) clockOf(t *thread) clock {
	c := t.base
	if t.last >= 0 {
		c.join(&x.events[t.last].clock, x.n)
	}
	return c
}

// everything is a clock after all events.
func (x *explorer) everything() clock {
	var c clock
	for _, t := range x.threads[:x.n] {
		own := x.clockOf(t)
		c.join(&own, x.n)
	}
	return c
}

// executed notes the step that t has just made. For a mutex or note, open says
// whether before it one that blocks on it would not have waited.
func (x *explorer) executed(t *thread, o *object, write, open bool) {
	i := int32(x.length)
	x.length++
	t.count++
	x.compare(write)
	if int(i) >= x.known {
		x.happened(i, t, o, write, open)
	}
	t.last = i
	for _, s := range t.guards() {
		x.objects[s.id].read(t.id, i)
	}
	t.waiting, t.fairly = false, 0
	if write {
		o.write, o.readers = i, 0
	} else {
		o.read(t.id, i)
	}
	x.fallAsleep(t, o, write)
	if x.record != nil {
		x.record.executed(t, o, write)
	}
}

// happened makes the event i of a step that was not made before in this schedule, and
// finds its races.
func (x *explorer) happened(i int32, t *thread, o *object, write, open bool) {
	if int(i) == len(x.events) {
		x.events = append(x.events, event{})
	}
	e := &x.events[i]
	e.thread, e.write, e.open, e.local, e.node = t.id, write, open, t.count, int32(x.depth-1)
	if !x.reduces() {
		return
	}
	before := x.clockOf(t)
	e.prev, e.at, e.clock = o.write, o.version, before
	e.clock[t.id] = t.count
	x.follow(&e.clock, o, write)
	for _, s := range t.guards() {
		x.follow(&e.clock, &x.objects[s.id], false)
	}
	x.races(t, o, write, &before, i)
	if write && open {
		x.shut(i, o)
	}
}

// compare makes sure that a step that was made before, in the same schedule, has
// the same outcome.
func (x *explorer) compare(write bool) {
	n := x.chosen()
	if n.passed && (n.outcome != x.outcome || n.wrote != write) {
		x.nondeterministic(n)
	}
	n.wrote, n.passed, n.outcome = write, true, x.outcome
	x.outcome = 0
}

func (o *object) read(id int8, event int32) {
	o.readers.add(id)
	o.reads[id] = event
}

// guards are the objects that t waited for in a loop.
func (t *thread) guards() []seen {
	if t.waiting && t.fairly == 0 {
		return t.before
	}
	return nil
}

// follow adds to c what a read or a write of o comes after.
func (x *explorer) follow(c *clock, o *object, write bool) {
	if o.write >= 0 {
		c.join(&x.events[o.write].clock, x.n)
	}
	if write {
		for s := o.readers; s != 0; s &= s - 1 {
			c.join(&x.events[o.reads[s.first()]].clock, x.n)
		}
	}
}

// races finds the races of the operation that t has executed, or is blocked at.
// before is the clock of t without it, and end its number if it was executed.
func (x *explorer) races(t *thread, o *object, write bool, before *clock, end int32) {
	race := func(i int32) {
		if i >= 0 && !x.events[i].before(before) {
			x.reverse(i, t, before, end)
		}
	}
	switch {
	case t.op.kind.blocks():
		// Events that are not open never let it pass; what comes before t
		// cannot come after it.
		i := o.write
		for i >= 0 && !x.events[i].open && !x.events[i].before(before) {
			i = x.events[i].prev
		}
		race(i)
	case !write || o.readers == 0:
		race(o.write)
	default:
		for s := o.readers; s != 0; s &= s - 1 {
			race(o.reads[s.first()])
		}
	}
	for k, s := range t.guards() {
		if i := x.objects[s.id].write; i >= 0 && x.couldPass(t, k, i) {
			race(i)
		}
	}
}

// couldPass reports whether t, which waited in a loop for one of several objects
// to change, could have gone on without the event i, the last change of the
// k-th. If it cannot be told, it could.
func (x *explorer) couldPass(t *thread, k int, i int32) bool {
	for j, s := range t.guards() {
		if j == k && x.events[i].at != s.version || j != k && x.objects[s.id].version != s.version {
			return true
		}
	}
	return false
}

// blocked finds the races of the operation to which t has come, if it has to
// wait there.
func (x *explorer) blocked(t *thread) {
	if t.op.kind.blocks() && x.reduces() && x.length >= x.known && !x.canRun(t) {
		before := x.clockOf(t)
		x.races(t, &x.objects[t.op.id], t.op.kind == opLock, &before, int32(x.length))
	}
}

// shut finds the races of event i, on o, with the threads that could have passed
// there before it.
func (x *explorer) shut(i int32, o *object) {
	for _, t := range x.threads[:x.n] {
		if t.op.id == o.id && t.op.kind.blocks() && !t.done && t.id != x.events[i].thread {
			before := x.clockOf(t)
			x.reverse(i, t, &before, int32(x.length))
		}
	}
}

// reverse makes sure that there will be an execution in which the operation of
// t, number end, comes before event i: it begins like this one up to i, then has
// what does not depend on i, and then that operation. Its initials are the
// threads that can go first in it.
func (x *explorer) reverse(i int32, t *thread, before *clock, end int32) {
	e := &x.events[i]
	n := &x.trail[e.node]
	var began set
	var first [maxThreads]int32
	var initials set
	lead := func(id int8, c *clock, local int32) {
		if began.has(id) {
			return
		}
		for s := began; s != 0; s &= s - 1 {
			if r := s.first(); c[r] >= first[r] {
				began.add(id)
				first[id] = local
				return
			}
		}
		began.add(id)
		first[id] = local
		initials.add(id)
	}
	for j := i + 1; j < end; j++ {
		if f := &x.events[j]; !e.before(&f.clock) {
			lead(f.thread, &f.clock, f.local)
		}
	}
	full := before
	if int(end) < x.length {
		full = &x.events[end].clock
	}
	lead(t.id, full, t.count)
	if initials&(n.todo|n.asleep) != 0 {
		return
	}
	initials &= n.enabled
	switch {
	case initials == 0:
	case initials.has(t.id):
		n.todo.add(t.id)
	default:
		n.todo.add(initials.first())
	}
}
