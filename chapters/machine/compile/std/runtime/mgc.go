//go:build gosched

package runtime

func gcNow()

// GC collects garbage. The caller waits for it, and so do all others.
func GC() { gcNow() }

// KeepAlive keeps x reachable up to the call.
func KeepAlive(x any) {}

// setFinalizer and addCleanup report whether the caller must start runfinq.
func setFinalizer(obj, finalizer any) (create bool)
func addCleanup[T any](ptr *T, cleanup func()) (id uint64, addr uintptr, create bool)
func stopCleanup(addr uintptr, id uint64)

// A finalizer takes a pointer; a cleanup takes nothing, and does not look. What a finalizer
// returns is dropped, but needs room: there is some for four words.
type finalizer func(obj *byte) [4]uintptr

// nextFinalizer waits until there is one. obj is nil for a cleanup.
func nextFinalizer() (fn finalizer, obj *byte)

// SetFinalizer lets finalizer be called with obj, in a goroutine of its own, when obj cannot
// be reached any more; nil takes the finalizer away.
func SetFinalizer(obj, finalizer any) {
	if setFinalizer(obj, finalizer) {
		go runfinq()
	}
}

// runfinq is the goroutine that calls finalizers and cleanups, one after the other.
func runfinq() {
	for {
		fn, obj := nextFinalizer()
		fn(obj)
	}
}

// A Cleanup is a call of AddCleanup.
type Cleanup struct {
	addr uintptr
	id   uint64
}

// AddCleanup lets cleanup be called with arg, in a goroutine that it shares with others, when
// the object that ptr points to cannot be reached any more.
func AddCleanup[T, S any](ptr *T, cleanup func(S), arg S) Cleanup {
	id, addr, create := addCleanup(ptr, func() { cleanup(arg) })
	if create {
		go runfinq()
	}
	return Cleanup{addr, id}
}

// Stop takes the cleanup back, if it is not yet waiting to be called.
func (c Cleanup) Stop() { stopCleanup(c.addr, c.id) }
