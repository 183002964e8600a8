package explore

import (
	"gosched/chapters/machine"
)

// The methods of machine.Hook. Each of them is called on the current thread, or
// by the model's own code, which runs alone and is no part of the schedule.

// theClock is the id of the variable that the time is in. Ids of the machine
// begin at 1.
const theClock machine.ID = 0

func (x *explorer) Access(id machine.ID, kind machine.AccessKind) {
	switch kind {
	case machine.AccessGet, machine.AccessSet:
		x.accessCell(id, kind == machine.AccessSet)
		return
	case machine.AccessRelease:
		x.object(id).owned = true
		x.accessCell(id, true)
		kind = machine.AccessStore
	}
	x.object(id)
	if t := x.cur; t != nil {
		x.arrive(t, op{opKind(kind), id})
	}
}

func (x *explorer) Done(id machine.ID, kind machine.AccessKind, old, new machine.Value, ok bool) {
	t := x.cur
	if t == nil {
		return
	}
	o := &x.objects[id]
	write := kind != machine.AccessLoad && ok
	x.outcome = old.Bits<<32 ^ new.Bits // a pointer is not the same each time
	if x.record != nil {
		x.record.done(t, old, new, ok)
	}
	switch {
	case !write:
		x.acquire(t, o)
		t.noteRead(o)
	case kind == machine.AccessStore:
		x.releaseTo(t, o)
	default:
		x.acquire(t, o)
		x.releaseTo(t, o)
	}
	x.executed(t, o, write, false)
	if write {
		o.version++
		x.wrote(t)
	}
}

func (x *explorer) Lock(id machine.ID, name string) {
	o := x.object(id)
	o.name = name
	t := x.cur
	if t == nil {
		x.lockAlone(o)
		return
	}
	x.arrive(t, op{opLock, id})
	x.locked(t, &x.objects[id])
}

// locked is what a thread does that gets a mutex.
func (x *explorer) locked(t *thread, o *object) {
	x.acquire(t, o)
	x.releaseTo(t, o)
	x.executed(t, o, true, true)
	if o.holder != t.id {
		o.version++
	}
	o.locked, o.holder = true, t.id
	t.noteRead(o)
}

// lockAlone is Lock in the model's own code.
func (x *explorer) lockAlone(o *object) {
	if x.phase == ending || x.aside {
		return
	}
	if o.locked {
		panic(stillHeld{x.mutexName(o) + " is still held by " + x.threadName(o.holder) + ", so it can never be locked here"})
	}
	o.locked, o.holder = true, alone
}

// stillHeld is the panic of a check that could only wait for ever.
type stillHeld struct{ msg string }

func (x *explorer) TryLock(id machine.ID, name string) bool {
	o := x.object(id)
	o.name = name
	t := x.cur
	if t == nil {
		ok := !o.locked
		o.locked = o.locked || !x.aside
		return ok
	}
	x.arrive(t, op{opTryLock, id})
	o = &x.objects[id]
	ok := !o.locked
	if x.record != nil {
		x.record.result(t, ok)
	}
	if ok {
		x.locked(t, o)
		x.wrote(t) // whether a thread holds a mutex is something that TryLock sees
		return true
	}
	x.acquire(t, o)
	t.noteRead(o)
	x.executed(t, o, false, false)
	return false
}

func (x *explorer) Unlock(id machine.ID) bool {
	o := x.object(id)
	t := x.cur
	if t == nil {
		if x.aside {
			return true
		}
		ok := o.locked
		o.locked = false
		return ok || x.phase == ending
	}
	x.arrive(t, op{opUnlock, id})
	o = &x.objects[id]
	ok := o.locked
	x.acquire(t, o)
	x.releaseTo(t, o)
	x.executed(t, o, true, !ok)
	o.locked = false
	return ok
}

func (x *explorer) NoteSleep(id machine.ID, ns int64) bool {
	o := x.object(id)
	t := x.cur
	if t == nil {
		if !o.signal && ns < 0 && x.phase != ending {
			panic(stillHeld{"it sleeps on a note, and no thread is left to wake it"})
		}
		return o.signal
	}
	kind := opSleep
	if ns >= 0 {
		kind = opSleepTimeout
	}
	x.oneSleeper(t, o)
	x.arrive(t, op{kind, id})
	o = &x.objects[id]
	woken := o.signal
	if x.record != nil {
		x.record.result(t, woken)
	}
	x.acquire(t, o)
	x.oneSleeper(t, o)
	t.noteRead(o)
	x.executed(t, o, false, woken)
	if !woken {
		x.yield(t)
	}
	return woken
}

func (x *explorer) NoteWakeup(id machine.ID) bool {
	return !x.setNote(id, opWakeup, true)
}

func (x *explorer) NoteClear(id machine.ID) { x.setNote(id, opClear, false) }

// setNote returns whether the note was signalled before.
func (x *explorer) setNote(id machine.ID, kind opKind, signal bool) (before bool) {
	o := x.object(id)
	t := x.cur
	if t != nil {
		x.arrive(t, op{kind, id})
		o = &x.objects[id]
		if kind == opWakeup {
			x.acquire(t, o)
		}
		x.releaseTo(t, o)
		x.executed(t, o, true, o.signal)
		o.version++
		x.wrote(t)
	}
	before = o.signal
	o.signal = signal
	return before
}

func (x *explorer) Procyield(uint32) { x.pause() }

func (x *explorer) Osyield() { x.pause() }

func (x *explorer) pause() {
	if t := x.cur; t != nil {
		if x.phase == ending {
			x.die(t)
		}
		x.yield(t)
	}
}

// Usleep is a Yield, and time goes on.
func (x *explorer) Usleep(us uint32) {
	t := x.cur
	if t == nil {
		x.clock += int64(us) * 1000
		return
	}
	o := x.object(theClock)
	x.arrive(t, op{opUsleep, theClock})
	x.clock += int64(us) * 1000
	o = &x.objects[theClock]
	x.executed(t, o, true, false)
	o.version++
	x.yield(t)
}

// Nanotime is a read of the clock, and the clock is a shared variable like any
// other: each order of looks at it and of sleeps is explored.
func (x *explorer) Nanotime() int64 {
	t := x.cur
	if t == nil {
		return x.clock
	}
	x.object(theClock)
	x.arrive(t, op{opNanotime, theClock})
	o := &x.objects[theClock]
	t.noteRead(o)
	x.executed(t, o, false, false)
	return x.clock
}

// Thread starts a daemon: it stands for an M, which never ends.
func (x *explorer) Thread(name string, fn func()) {
	if t := x.cur; t != nil && x.phase == ending {
		x.die(t)
	}
	x.addThread(name, fn, true)
}

// Signal is seen as a store, and its Clear as a swap; a CPU that polls is not
// seen.
func (x *explorer) Signal(id machine.ID) {
	x.object(id)
	t := x.cur
	if t == nil {
		return
	}
	x.arrive(t, op{opSignal, id})
	o := &x.objects[id]
	x.releaseTo(t, o)
	x.executed(t, o, true, false)
	o.version++
	x.wrote(t)
}

// Kernel is seen as an addition to a number: each step of a machine's kernel reads what
// those before have left.
func (x *explorer) Kernel(id machine.ID) {
	x.object(id)
	t := x.cur
	if t == nil {
		return
	}
	x.arrive(t, op{opKernel, id})
	o := &x.objects[id]
	x.acquire(t, o)
	x.releaseTo(t, o)
	x.executed(t, o, true, false)
	o.version++
	x.wrote(t)
}

// Budget and Ran: a program on the machine is no part of what is explored. It
// runs on, in portions, each of which counts as a Yield.
func (x *explorer) Budget() int64 { return 1 << 16 }
func (x *explorer) Ran(int64)     { x.pause() }
