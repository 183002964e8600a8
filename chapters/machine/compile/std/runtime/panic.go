//go:build gosched

package runtime

// The machine knows the layout of a _panic, and finds those on a stack by the
// frames of unwind; see machine/panic.go.

// A _panic is a panic, or a Goexit, that runs deferred calls.
type _panic struct {
	arg        any
	recovered  bool
	goexit     bool
	repanicked bool
}

// nextDefer takes the next deferred call from the stack; frames says how far out
// its function is, 0 that there is none.
func nextDefer() (call func(), frames int)

// recovery lets the function return that is so many frames out. It does not
// come back.
func recovery(frames int)

// panicAt returns the i-th panic on the stack, the latest first, or nil, and
// whether the next one has the same value.
func panicAt(i int) (p *_panic, repanic bool)

// runtimeError returns the runtime error that sigpanic is called for.
func runtimeError() (kind int, text string)

// fatalpanic ends the program.
func fatalpanic()

// gopanic is panic(v).
func gopanic(v any) {
	if v == nil {
		v = new(PanicNilError)
	}
	unwind(&_panic{arg: v})
}

// Goexit ends the goroutine that calls it, after its deferred calls.
func Goexit() { unwind(&_panic{goexit: true}) }

// unwind runs deferred calls until one recovers from p or there are none left.
// It does not come back.
func unwind(p *_panic) {
	for {
		call, frames := nextDefer()
		if frames == 0 {
			break
		}
		call()
		if p.recovered {
			recovery(frames)
		}
	}
	if p.goexit {
		goexit()
	}
	preprintpanics()
	fatalpanic()
}

// preprintpanics replaces values that have a text by it, for printing.
func preprintpanics() {
	for i := 0; ; i++ {
		p, repanic := panicAt(i)
		if p == nil {
			return
		}
		if !repanic { // else only the next one is printed
			p.arg = preprint(p.arg)
		}
	}
}

// panicMethod returns the method Error or String of v, and its receiver.
func panicMethod(v any) (method func(*byte) string, receiver *byte)

func preprint(v any) any {
	if method, receiver := panicMethod(v); method != nil {
		return method(receiver)
	}
	return v
}

// sigpanic is called by an instruction that has failed, as if the program had
// written the call.
func sigpanic() {
	const (
		plain = iota
		str
		bounds
	)
	switch kind, text := runtimeError(); kind {
	case plain:
		panic(plainError(text))
	case str:
		panic(errorString(text))
	case bounds:
		panic(boundsError{text})
	default:
		panic(&TypeAssertionError{text})
	}
}
