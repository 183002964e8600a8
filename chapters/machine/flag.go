package machine

import "sync/atomic"

// A Flag is a bool that any thread may get and set, and that says nothing about anything
// else: a Set need not be seen before what the thread loads afterwards. On some hosts it
// is cheaper then. For an exploration Get and Set are steps, unlike those of a Cell; on
// simulated CPUs they cost what a Cell's cost.
type Flag struct {
	tag
	v uint32
}

// Get returns the flag.
func (x *Flag) Get() bool {
	if watched && hook != nil {
		if costs == nil {
			return hookLoad(&x.tag, &x.v) != 0
		}
		x.access(AccessGet)
	}
	return atomic.LoadUint32(&x.v) != 0
}

// Peek is Get without telling the Hook: for whoever writes a report. A part never calls it.
func (x *Flag) Peek() bool { return atomic.LoadUint32(&x.v) != 0 }

// Set sets it.
func (x *Flag) Set(v bool) {
	switch {
	case watched && hook != nil && costs == nil:
		hookSwap(&x.tag, &x.v, AccessStore, bit32(v))
	case watched && hook != nil:
		x.access(AccessSet)
		x.v = bit32(v)
	case plainRelease:
		x.v = bit32(v)
	default:
		atomic.StoreUint32(&x.v, bit32(v))
	}
}
