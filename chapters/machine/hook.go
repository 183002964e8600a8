package machine

import (
	"sync/atomic"
	"unsafe"
)

// A Hook stands between the threads of the scheduler under construction and
// what they share. A simulation uses it to run them on CPUs of its own making,
// an exploration to run them in every order. Both run all threads as
// coroutines, one at a time, so a hook's methods and the operations themselves
// need no further synchronisation.
//
// Each method is called on the thread concerned. A method may switch to another
// thread, and returns when this one goes on.
type Hook interface {
	// Access comes before each operation on an atomic variable, and before each
	// use of a Cell.
	Access(id ID, kind AccessKind)

	// Lock returns when the thread holds the mutex.
	Lock(id ID, name string)
	// TryLock reports whether the thread holds the mutex now.
	TryLock(id ID, name string) bool
	// Unlock reports whether the mutex was locked.
	Unlock(id ID) bool

	// NoteSleep returns true when the note is signalled, false after ns
	// nanoseconds. A negative ns is for ever.
	NoteSleep(id ID, ns int64) bool
	// NoteWakeup signals the note. It returns false if that was done already.
	NoteWakeup(id ID) bool
	// NoteClear takes the signal away.
	NoteClear(id ID)

	// Procyield, Osyield, Usleep and Nanotime stand for the functions of
	// those names.
	Procyield(cycles uint32)
	Osyield()
	Usleep(us uint32)
	Nanotime() int64

	// Thread starts a thread that executes fn.
	Thread(name string, fn func())
	// Signal comes before a signal becomes pending.
	Signal(id ID)
	// Kernel comes before a step of the kernel of a machine, which reads and changes
	// what all threads share there.
	Kernel(id ID)

	// Budget returns how many instructions a CPU may execute next, at least
	// one. Ran tells how many they were.
	Budget() int64
	Ran(n int64)
}

// A ValueHook is a Hook that also learns what an operation on an atomic variable has done.
type ValueHook interface {
	Hook
	// Done comes after the operation, with the value it found and the one it left; ok is
	// false for a CompareAndSwap that failed. There is none for a Cell.
	Done(id ID, kind AccessKind, old, new Value, ok bool)
}

// values is hook, if it is a ValueHook.
var values ValueHook

// done tells values.
func done(id ID, kind AccessKind, old, new Value, ok bool) {
	if values != nil {
		values.Done(id, kind, old, new, ok)
	}
}

// An ID is the number of a shared variable under a Hook. It is given at the
// first touch, from 1, so the same run gives the same numbers. Under a CostHook variables
// that lie on one cache line may have the same; see Together.
type ID uint32

// An AccessKind says what is done to a shared variable.
type AccessKind uint8

const (
	AccessLoad AccessKind = iota
	AccessStore
	AccessSwap
	AccessCompareAndSwap
	AccessAdd
	AccessAnd
	AccessOr
	AccessRelease // a store by the owner of an Owned
	AccessGet     // of a Cell
	AccessSet
)

// A Value is the value of an atomic variable.
type Value struct {
	Bits uint64 // of a number, extended by its own sign; of a bool, 0 or 1
	Ptr  any    // of a Pointer[T], the *T, also if that is nil
}

// hook is written only while no thread of a machine runs, so that reading it
// costs a plain load.
var (
	hook    Hook
	hooked  atomic.Bool
	session uint32 // number of the hook; the ids of an earlier one mean nothing
	lastID  ID     // given in this session
)

// SetHook puts h between all machines of the process and their threads, and
// returns what removes it again. None of their threads may run at either
// moment. There is one hook at a time: a second one is a Fatal. If threads are explored under
// it (see Explored), what was made with a Spare under the one before must no longer be in use, such as
// machines and their schedulers.
func SetHook(h Hook) (remove func()) {
	if !watched {
		throw("a simulation or exploration sees nothing in this program: it was built with the tag unwatched")
	}
	if !hooked.CompareAndSwap(false, true) {
		throw("a simulation or exploration is running already: there can be one at a time in a process")
	}
	session++
	lastID = 0
	hook = h
	values, _ = h.(ValueHook)
	costs, _ = h.(CostHook)
	memory, _ = h.(MemoryHook)
	network, _ = h.(NetworkHook)
	return func() {
		hook, values, costs, memory, network = nil, nil, nil, nil, nil
		hooked.Store(false)
	}
}

// Explored reports whether there is a hook under which threads are explored, or tested, rather
// than simulated.
func Explored() bool { return hook != nil && costs == nil }

// Simulated reports whether there is a hook that charges time: a simulation.
func Simulated() bool { return costs != nil }

// Hooked reports whether there is a hook: then all threads run on one, by turns.
func Hooked() bool { return hook != nil }

// noCopy lets go vet find copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// What follows is what atomic operations do under a hook. No other thread runs
// between Access and done, so the operation itself is a plain one.

type integer interface {
	int32 | int64 | uint32 | uint64
}

func num[T integer](v T) Value { return Value{Bits: uint64(v)} }

func hookLoad[T integer](t *tag, p *T) T {
	id := t.touch()
	hook.Access(id, AccessLoad)
	v := *p
	done(id, AccessLoad, num(v), num(v), true)
	return v
}

// hookSwap also serves Store, which has no use for the old value.
func hookSwap[T integer](t *tag, p *T, kind AccessKind, new T) T {
	id := t.touch()
	hook.Access(id, kind)
	old := *p
	*p = new
	done(id, kind, num(old), num(new), true)
	return old
}

func hookCompareAndSwap[T integer](t *tag, p *T, old, new T) bool {
	id := t.touch()
	hook.Access(id, AccessCompareAndSwap)
	found := *p
	if found != old {
		done(id, AccessCompareAndSwap, num(found), num(found), false)
		return false
	}
	*p = new
	done(id, AccessCompareAndSwap, num(found), num(new), true)
	return true
}

// hookUpdate is Add, And and Or. It returns the value before.
func hookUpdate[T integer](t *tag, p *T, kind AccessKind, operand T) (old T) {
	id := t.touch()
	hook.Access(id, kind)
	old = *p
	new := old
	switch kind {
	case AccessAdd:
		new += operand
	case AccessAnd:
		new &= operand
	case AccessOr:
		new |= operand
	}
	*p = new
	done(id, kind, num(old), num(new), true)
	return old
}

// hookAdd returns the value after.
func hookAdd[T integer](t *tag, p *T, delta T) (new T) {
	return hookUpdate(t, p, AccessAdd, delta) + delta
}

func ptr[T any](p *T) Value { return Value{Ptr: p} }

func (x *Pointer[T]) hookLoad() *T {
	id := x.touch()
	hook.Access(id, AccessLoad)
	v := (*T)(x.v)
	done(id, AccessLoad, ptr(v), ptr(v), true)
	return v
}

func (x *Pointer[T]) hookSwap(kind AccessKind, new *T) (old *T) {
	id := x.touch()
	hook.Access(id, kind)
	old = (*T)(x.v)
	x.v = unsafe.Pointer(new)
	done(id, kind, ptr(old), ptr(new), true)
	return old
}

func (x *Pointer[T]) hookCompareAndSwap(old, new *T) bool {
	id := x.touch()
	hook.Access(id, AccessCompareAndSwap)
	found := (*T)(x.v)
	if found != old {
		done(id, AccessCompareAndSwap, ptr(found), ptr(found), false)
		return false
	}
	x.v = unsafe.Pointer(new)
	done(id, AccessCompareAndSwap, ptr(found), ptr(new), true)
	return true
}

// access is what the use of a Cell does under a hook.
func (t *tag) access(kind AccessKind) { hook.Access(t.touch(), kind) }
