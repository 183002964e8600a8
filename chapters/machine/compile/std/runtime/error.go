//go:build gosched

package runtime

// An Error is a runtime error, as opposed to what a program panics with itself.
type Error interface {
	error
	RuntimeError()
}

// The runtime errors hold all their text.

type plainError string

func (e plainError) Error() string { return string(e) }
func (e plainError) RuntimeError() {}

type errorString string

func (e errorString) Error() string { return string(e) }
func (e errorString) RuntimeError() {}

type boundsError struct{ text string }

func (e boundsError) Error() string { return e.text }
func (e boundsError) RuntimeError() {}

// A TypeAssertionError is a type assertion that failed.
type TypeAssertionError struct{ text string }

func (e *TypeAssertionError) Error() string { return e.text }
func (e *TypeAssertionError) RuntimeError() {}

// A PanicNilError is what panic(nil) panics with.
type PanicNilError struct {
	_ [0]func()
}

func (*PanicNilError) Error() string { return "panic called with nil argument" }
func (*PanicNilError) RuntimeError() {}
