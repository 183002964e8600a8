package explore

// A strategy says which threads are tried at a point of the schedule.
type strategy uint8

const (
	everyOrder strategy = iota // all orders of steps; for the proof of the others
	sleepSets                  // all but those that a sleep set shows to be equivalent to earlier ones
	reduced                    // one for each class of equivalent ones: DPOR with sleep sets
	bounded                    // all with at most so many preemptions
	random                     // by random priorities: PCT
	directed                   // by a schedule that is given
)

// A search is a depth-first search in the tree of schedules. The trail is the
// path to the execution that runs, or ran last. A rerun follows it as far as it
// is known, and what happens there must be the same each time.
type search struct {
	strategy strategy
	bound    int // preemptions, if bounded
	pct      pct
	schedule schedule // if directed
	loose    bool     // leave the schedule where it cannot be followed

	trail []node
	depth int // nodes that the execution has passed

	events []event
	length int // events of the execution
	known  int // of which so many are as they were last time

	asleep, asleepWriters set // of the next node
	redundant             bool
	executions            int
	redundants            int
	total                 int // steps of all executions
}

// A node is a point of a schedule where something was chosen.
type node struct {
	choose  bool  // a number is chosen, by Choose, and not a thread
	wrote   bool  // the step of the thread was a write
	thread  int8  // the one that was chosen
	last    int8  // the one that ran before
	op      op    // its operation
	value   int32 // or the number that was chosen
	n       int32 // of so many
	enabled set
	todo    set   // threads to try, those that were tried included
	tried   set   // without the one that is tried now
	asleep  set   // trying them first would only repeat something
	writers set   // those of tried and asleep whose step is a write
	event   int32 // number of its step
	costs   bool  // to choose another than last would be a preemption
	spent   int16 // preemptions before it

	passed  bool   // it was executed before
	outcome uint64 // and this is what came of it
}

func (s *search) rewind() {
	s.depth, s.length = 0, 0
	s.asleep, s.asleepWriters = 0, 0
	s.redundant = false
}

func (x *explorer) steps() int { return x.length }

func (s *search) reduces() bool { return s.strategy == reduced }

func (s *search) sleeps() bool { return s.strategy == reduced || s.strategy == sleepSets }

func (s *search) tree() bool { return s.strategy < random }

// chosen is the node of the step that is being executed.
func (s *search) chosen() *node { return &s.trail[s.depth-1] }

// again returns the thread that the trail goes on with, nil if the trail ends here or
// if that thread cannot do what it did.
func (x *explorer) again() *thread {
	if x.depth >= len(x.trail) {
		return nil
	}
	n := &x.trail[x.depth]
	if n.choose || int(n.thread) >= x.n {
		return nil
	}
	t := x.threads[n.thread]
	if t.done || !x.canRun(t) || n.op != (op{}) && n.op != t.op {
		return nil
	}
	n.op = t.op
	x.depth++
	return t
}

// pick returns the thread that runs next. It is false if this execution would
// only repeat others.
func (x *explorer) pick(enabled set) (int8, bool) {
	if x.depth < len(x.trail) {
		if t := x.again(); t != nil {
			return t.id, true
		}
		x.nondeterministic(&x.trail[x.depth])
		return 0, false
	}
	last := x.lastThread()
	id := last
	if last == alone || !enabled.has(last) || x.threads[last].yielded {
		id = enabled.first()
	}
	spent, costs, todo := x.spent(), x.preempts(last, enabled), enabled
	switch x.strategy {
	case everyOrder:
	case sleepSets, reduced:
		if todo = enabled &^ x.asleep; todo == 0 {
			x.redundant = true
			return 0, false
		}
		if !todo.has(id) {
			id = todo.first()
		}
		if x.strategy == reduced {
			todo = only(id)
		}
	case bounded:
		if int(spent) >= x.bound && costs {
			todo = only(last)
		}
	case random:
		id = x.pct.pick(x, enabled)
		todo = only(id)
	case directed:
		var ok bool
		if id, ok = x.schedule.thread(enabled, id, x.loose); !ok {
			x.nondeterministic(&node{thread: id, last: last, event: int32(x.length)})
			return 0, false
		}
		todo = only(id)
	}
	n := x.extend()
	n.thread, n.last, n.op = id, last, x.threads[id].op
	n.enabled, n.todo, n.asleep, n.writers = enabled, todo, x.asleep, x.asleepWriters
	n.spent, n.event, n.costs = spent, int32(x.length), costs
	x.depth++
	return id, true
}

// extend adds a node to the trail.
func (s *search) extend() *node {
	if i := len(s.trail); i < cap(s.trail) {
		s.trail = s.trail[:i+1]
		s.trail[i] = node{}
	} else {
		s.trail = append(s.trail, node{})
	}
	return &s.trail[len(s.trail)-1]
}

// lastThread is the one that made the last step, alone before the first.
func (x *explorer) lastThread() int8 {
	if x.length == 0 {
		return alone
	}
	return x.events[x.length-1].thread
}

// preempts reports whether to choose another thread than last now would be a
// preemption.
func (x *explorer) preempts(last int8, enabled set) bool {
	return last != alone && enabled.has(last) && !x.threads[last].yielded
}

// spent is how many preemptions there were up to the next node.
func (x *explorer) spent() int16 {
	for i := x.depth - 1; i >= 0; i-- {
		if n := &x.trail[i]; !n.choose {
			if n.thread != n.last && n.costs {
				return n.spent + 1
			}
			return n.spent
		}
	}
	return 0
}

// choose returns the number for Choose.
func (x *explorer) choose(n int) int {
	if x.depth > 2*x.opt.Depth {
		x.fail(&verdict{kind: Livelock, msg: x.who() + " calls Choose again and again"})
		if x.cur != nil {
			x.stop(x.cur)
		}
		panic(abandoned{})
	}
	if x.depth < len(x.trail) {
		d := &x.trail[x.depth]
		if !d.choose || int(d.n) != n {
			x.nondeterministic(d)
			return 0
		}
		x.depth++
		return int(d.value)
	}
	value := 0
	switch x.strategy {
	case random:
		value = x.pct.rand.IntN(n)
	case directed:
		value = x.schedule.number(n)
	}
	x.trail = append(x.trail, node{choose: true, n: int32(n), value: int32(value), event: int32(x.length)})
	x.depth++
	return value
}

// fallAsleep finds which threads are asleep after a step of t: those that were
// so before it, or had been tried instead of it, and whose next operation does
// not depend on it.
func (x *explorer) fallAsleep(t *thread, o *object, write bool) {
	if !x.sleeps() || x.length < x.known {
		return // the trail goes on, and its nodes know who is asleep
	}
	n := x.chosen()
	x.asleep = 0
	for s := (n.asleep | n.tried) &^ only(t.id); s != 0; s &= s - 1 {
		q := x.threads[s.first()]
		if dependent(q, n.writers.has(q.id), o, write) {
			continue
		}
		x.asleep.add(q.id)
	}
	x.asleepWriters = n.writers & x.asleep
}

// dependent reports whether the next operation of q, which writes or not,
// depends on a step on o.
func dependent(q *thread, writes bool, o *object, write bool) bool {
	if q.op.id == o.id && (write || writes) {
		return true
	}
	if write {
		for _, s := range q.guards() {
			if s.id == o.id {
				return true
			}
		}
	}
	return false
}

// advance takes the trail back to the last node where something is left to try,
// and chooses that. It is false if nothing is.
func (x *explorer) advance() bool {
	x.trail = x.trail[:min(x.depth, len(x.trail))]
	for len(x.trail) > 0 {
		i := len(x.trail) - 1
		n := &x.trail[i]
		if n.choose {
			if n.value+1 < n.n {
				n.value++
				x.known = int(n.event)
				return true
			}
		} else {
			n.tried.add(n.thread)
			if n.wrote {
				n.writers.add(n.thread)
			}
			if left := n.todo &^ n.tried &^ n.asleepFor(x); left != 0 {
				n.thread, n.op, n.passed = left.first(), op{}, false
				x.known = int(n.event)
				return true
			}
		}
		x.trail = x.trail[:i]
	}
	return false
}

func (n *node) asleepFor(x *explorer) set {
	if x.sleeps() {
		return n.asleep
	}
	return 0
}
