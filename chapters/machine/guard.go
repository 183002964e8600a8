package machine

import "sync/atomic"

// A Guard is where a stack ends for the prologues of a goroutine: Context.Guard. Its
// owner sets it to the end, and any thread may poison it with StackPreempt. As with a Flag, a
// Store need not be seen before what the thread loads afterwards; the runtime's stackguard0
// is a plain field. For an exploration each Load and Store is a step. Simulated CPUs do not
// count them: the guard lies beside what Gogo loads.
type Guard struct {
	tag
	v uint64
}

// Load returns the guard.
func (x *Guard) Load() uint64 {
	if watched && hook != nil && costs == nil {
		return hookLoad(&x.tag, &x.v)
	}
	return atomic.LoadUint64(&x.v)
}

// Store sets it.
func (x *Guard) Store(v uint64) {
	switch {
	case watched && hook != nil && costs == nil:
		hookSwap(&x.tag, &x.v, AccessStore, v)
	case plainRelease:
		x.v = v
	default:
		atomic.StoreUint64(&x.v, v)
	}
}
