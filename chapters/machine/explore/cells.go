package explore

import (
	"fmt"

	"gosched/chapters/machine"
)

// A Cell is plain data, and using it is no step: where two threads are kept
// apart, the order of their uses is known, and where they are not, that is a
// data race, which can be told from one execution without trying the others.
// This is FastTrack by Flanagan and Freund (PLDI 2009): a use of a Cell must
// come after all earlier ones that it conflicts with, in the order that Go's
// memory model gives. There an atomic operation comes after the one whose value
// it finds, and a mutex and a note are made of such operations. Two stores to
// one variable, for instance, are in no order by that.

// A cell is what is known about the uses of a Cell.
type cell struct {
	set     bool
	setter  int8
	getters set
	setAt   int32              // the setter's own time
	getAt   *[maxThreads]int32 // and that of each of the getters; nil if there never were any
}

// acquire: t has seen what o's last writer left.
func (x *explorer) acquire(t *thread, o *object) {
	if x.sync {
		t.sync.join(&o.released, x.n)
	}
}

// releaseTo: who finds what t has written in o has seen all that t has.
func (x *explorer) releaseTo(t *thread, o *object) {
	if x.sync {
		o.released = t.sync
		t.sync[t.id]++
	}
}

// released is releaseTo for a thread that is started.
func (x *explorer) released(t *thread) { t.sync[t.id]++ }

// synchronised switches on what this file needs. It costs time, so it is left
// out as long as a model uses nothing but atomic variables and mutexes. If that
// turns out to be wrong in the middle of an execution, it is repeated.
func (x *explorer) synchronised() bool {
	x.cells = true
	if !x.sync {
		x.sync, x.aborted, x.over = true, true, true
	}
	return !x.aborted
}

// accessCell is called before each use of a Cell.
func (x *explorer) accessCell(id machine.ID, set bool) {
	t := x.cur
	if t == nil || x.phase == ending || !x.uses(t, set) {
		return
	}
	x.object(id)
	if x.record != nil {
		x.record.cell(t, id, set)
	}
	x.useCell(t, id, set)
}

// uses notes that t is about to use plain data. It returns false if that need not
// be looked at, since the execution will be repeated.
func (x *explorer) uses(t *thread, set bool) bool {
	if !x.synchronised() {
		return false
	}
	if t.gets++; t.gets > maxGets {
		x.fail(&verdict{kind: Livelock, msg: t.name + " uses a Cell again and again, and nothing that another thread does can end that"})
		x.stop(t)
	}
	if set {
		t.wrote = true
	}
	return true
}

// useCell looks whether that is a race.
func (x *explorer) useCell(t *thread, id machine.ID, set bool) {
	if other, otherSet, ok := x.objects[id].use(t, set); !ok {
		x.race(t, id, set, other, otherSet)
	}
}

// race is the end of an execution in which t and another thread use a Cell at the same time.
func (x *explorer) race(t *thread, id machine.ID, set bool, other int8, otherSet bool) {
	x.fail(&verdict{
		kind: DataRace,
		msg:  fmt.Sprintf("%s %s what %s %s, and nothing orders the two", x.threadName(other), does(otherSet), t.name, does(set)),
		cell: id, set: set, other: other, otherSet: otherSet,
	})
	x.stop(t)
}

// use notes a use by t. It is not ok if an earlier one by another thread
// conflicts with it and does not come before it.
func (c *cell) use(t *thread, set bool) (other int8, otherSet, ok bool) {
	if c.set && c.setter != t.id && c.setAt > t.sync[c.setter] {
		return c.setter, true, false
	}
	if !set {
		if c.getAt == nil {
			c.getAt = new([maxThreads]int32)
		}
		c.getters.add(t.id)
		c.getAt[t.id] = t.sync[t.id]
		return 0, false, true
	}
	for s := c.getters &^ only(t.id); s != 0; s &= s - 1 {
		if r := s.first(); c.getAt[r] > t.sync[r] {
			return r, false, false
		}
	}
	c.set, c.setter, c.setAt = true, t.id, t.sync[t.id]
	c.getters = 0
	return 0, false, true
}

// forget makes c a cell that was not used yet.
func (c *cell) forget() { c.set, c.getters = false, 0 }

// oneSleeper makes sure that one thread at a time sleeps on a note: another
// sleep must come before or after this one, however threads are interleaved.
func (x *explorer) oneSleeper(t *thread, o *object) {
	if x.phase == ending || !x.synchronised() {
		return
	}
	if other, _, ok := o.use(t, true); !ok {
		panic(machine.Fatal{Msg: "notesleep - two threads sleep on one note: " + t.name + " and " + x.threadName(other) + ", and nothing orders their sleeps"})
	}
}
