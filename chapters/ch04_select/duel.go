package ch04

import (
	"fmt"
	"iter"
	"maps"
	"runtime"
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// A duel is two threads that do one thing each, at the same time. One of them is
// stopped at one of its steps, the other goes on as far as it can, and then the
// first one goes on. Played with each step in turn, that shows whatever comes of
// "I looked, and then somebody else came". It depends on nothing but the parts.
//
// It is a machine.Hook: a step is an operation on an atomic variable or a lock.
type duel struct {
	machine.Hook // nil: these parts neither sleep nor start threads

	t        *check.T
	actors   []*actor
	now      *actor // whose step it is; nil while the check itself looks
	owner    map[machine.ID]*actor
	names    map[machine.ID]string // of what the story tells
	tellLock map[machine.ID]bool   // it tells of this lock each time
	places   map[machine.ID]string // where each lock was taken last
	lastID   machine.ID            // that the check itself has touched
	watched  []*watched
	story    []string
	onLock   func(id machine.ID)
}

// An actor is one of the threads, a coroutine.
type actor struct {
	name  string
	do    func(mp *gmp.M)
	mp    *gmp.M
	next  func() (struct{}, bool)
	yield func(struct{}) bool
	steps int
	over  bool
	waits machine.ID // for this lock, if not 0
}

// A watched is a number that no hook sees.
type watched struct {
	name string
	read func() uint64
	last uint64
}

// tooLong is how many steps an operation may take: a right one takes a few dozen.
const tooLong = 10_000

// A scene is what a duel is about: the two actors, what the story tells of, and
// what is wrong in the end, "" for nothing.
type scene struct {
	actors [2]*actor
	watch  func(d *duel)
	judge  func() string
}

// duels plays a scene with each of the two as the one who is stopped, at each of
// its steps.
func duels(t *check.T, set func(w *world) scene) {
	t.Helper()
	for first := range 2 {
		for stop, steps := 0, 1; stop <= steps; stop++ {
			w := newWorld(t)
			sc := set(w)
			d, end := newDuel(w, sc.actors[first], sc.actors[1-first])
			steps = func() int {
				t.Helper()
				defer end()
				sc.watch(d)
				return d.play(stop)
			}()
			if wrong := sc.judge(); wrong != "" {
				d.fail("%s", wrong)
			}
		}
	}
}

// newDuel puts a duel between the threads of w and what they share, until end is
// called.
func newDuel(w *world, actors ...*actor) (d *duel, end func()) {
	d = &duel{t: w.t, actors: actors, owner: map[machine.ID]*actor{}, names: map[machine.ID]string{}, tellLock: map[machine.ID]bool{}, places: map[machine.ID]string{}}
	for i, a := range actors {
		if a.mp = w.mp; i > 0 {
			a.mp = w.s.NewM(int64(i))
		}
	}
	w.tell = d.tell
	remove := machine.SetHook(d)
	return d, func() {
		remove()
		w.tell = nil
	}
}

// call lets the story tell of the variable that touch uses.
func (d *duel) call(name string, touch func()) machine.ID {
	touch()
	d.names[d.lastID] = name
	return d.lastID
}

// callLock is call for a lock.
func (d *duel) callLock(name string, mu *machine.Mutex) machine.ID {
	id := d.call(name, func() { mu.TryLock(); mu.Unlock() })
	d.tellLock[id] = true
	return id
}

// watch lets the story tell when a number changes.
func (d *duel) watch(name string, read func() uint64) {
	d.watched = append(d.watched, &watched{name, read, read()})
}

// play lets the first actor do stop steps, then the others all they can, and then
// everybody the rest. It returns how many steps the first one took.
func (d *duel) play(stop int) int {
	d.t.Helper()
	for _, a := range d.actors {
		next, end := iter.Pull(func(yield func(struct{}) bool) {
			a.yield = yield
			d.act(a)
		})
		defer end()
		a.next = next
	}
	first, others := d.actors[0], d.actors[1:]
	for first.canGo(d) && first.steps < stop {
		d.step(first)
	}
	for moved := true; moved; {
		moved = false
		for _, a := range append(slices.Clone(others), first) {
			for a.canGo(d) {
				d.step(a)
				moved = true
			}
		}
	}
	for _, a := range d.actors {
		if !a.over {
			d.fail("%s waits for ever for %s, which %s has locked at %s", a.name, d.names[a.waits], d.owner[a.waits].name, d.places[a.waits])
		}
	}
	for _, id := range slices.Sorted(maps.Keys(d.owner)) {
		d.fail("%s is through, and still holds %s, locked at %s", d.owner[id].name, d.names[id], d.places[id])
	}
	return first.steps
}

// canGo reports whether a has something left to do, and need not wait for it.
func (a *actor) canGo(d *duel) bool {
	return !a.over && (a.waits == 0 || d.owner[a.waits] == nil)
}

// gone ends an actor whose duel was given up.
type gone struct{}

// act is the life of an actor. What a part throws or panics with is told here,
// where its frames still are.
func (d *duel) act(a *actor) {
	d.t.Helper()
	defer func() {
		d.t.Helper()
		a.over = true
		switch v := recover().(type) {
		case nil, gone:
		case gmp.Fatal:
			d.t.Errorf("%s", d.told("the scheduler throws: "+v.Msg))
			d.t.FailNow()
		case runtime.Error:
			d.t.Errorf("%s", d.told(gmp.NewPartPanic(v).Error()))
			d.t.FailNow()
		default:
			panic(v)
		}
	}()
	a.do(a.mp)
}

// step lets a go on to its next step.
func (d *duel) step(a *actor) {
	d.t.Helper()
	if a.steps++; a.steps > tooLong {
		d.fail("%s does not come to an end", a.name)
	}
	d.now = a
	a.next()
	d.look()
	d.now = nil
}

// pause ends a step.
func (d *duel) pause() {
	if a := d.now; a != nil {
		d.look()
		if !a.yield(struct{}{}) {
			panic(gone{})
		}
	}
}

// look tells of watched numbers that have changed.
func (d *duel) look() {
	actor := d.now
	d.now = nil // what is looked at here is no step
	defer func() { d.now = actor }()
	for _, v := range d.watched {
		if n := v.read(); n != v.last {
			d.tell("%s: %s %d → %d", actor.name, v.name, v.last, n)
			v.last = n
		}
	}
}

func (d *duel) tell(format string, args ...any) {
	d.story = append(d.story, fmt.Sprintf(format, args...))
}

// told is a message with the story.
func (d *duel) told(msg string) string {
	return msg + "\n  " + strings.Join(d.story, "\n  ")
}

func (d *duel) fail(format string, args ...any) {
	d.t.Helper()
	d.t.Fatalf("%s", d.told(fmt.Sprintf(format, args...)))
}

func (d *duel) Access(id machine.ID, kind machine.AccessKind) {
	d.lastID = id
	d.pause()
}

func (d *duel) Done(id machine.ID, kind machine.AccessKind, old, new machine.Value, ok bool) {
	name := d.names[id]
	switch {
	case d.now == nil || name == "":
	case kind == machine.AccessLoad:
		d.tell("%s: %s is %d", d.now.name, name, old.Bits)
	case !ok:
		d.tell("%s: %s is %d, not as expected", d.now.name, name, old.Bits)
	default:
		d.tell("%s: %s %d → %d", d.now.name, name, uint32(old.Bits), uint32(new.Bits))
	}
	d.pause()
}

func (d *duel) Lock(id machine.ID, name string) {
	if d.names[id] == "" {
		d.names[id] = name
	}
	d.pause()
	for d.owner[id] != nil {
		d.now.waits = id
		d.tell("%s: waits for %s", d.now.name, d.names[id])
		d.pause()
	}
	d.now.waits = 0
	d.owner[id], d.places[id] = d.now, partLine()
	if d.tellLock[id] {
		d.tell("%s: locks %s", d.now.name, d.names[id])
	}
	if d.onLock != nil {
		d.onLock(id)
	}
}

// partLine is the line of a part that is being executed: of the innermost frame
// outside of what the course gives.
func partLine() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "gosched/") && !strings.HasPrefix(f.Function, "gosched/chapters/") {
			return fmt.Sprintf("%s:%d", gmp.ShortFile(f.File), f.Line)
		}
		if !more {
			return "a place that is not in a part"
		}
	}
}

func (d *duel) TryLock(id machine.ID, name string) bool {
	d.lastID = id
	if d.now == nil {
		return d.owner[id] == nil
	}
	d.pause()
	if d.owner[id] != nil {
		return false
	}
	d.owner[id] = d.now
	return true
}

func (d *duel) Unlock(id machine.ID) bool {
	was := d.owner[id] != nil || d.now == nil
	delete(d.owner, id)
	d.pause()
	return was
}

// Who spins lets the other one go on, and is given up if that does not help.

func (d *duel) Procyield(cycles uint32) { d.pause() }

func (d *duel) Osyield() { d.pause() }
