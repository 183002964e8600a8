//go:build gosched

// Package errors makes and takes apart errors.
package errors

type errorString struct{ s string }

func (e *errorString) Error() string { return e.s }

// New returns an error with the given text, different from all others.
func New(text string) error { return &errorString{text} }

// Unwrap returns the error that err wraps, or nil.
func Unwrap(err error) error {
	if u, ok := err.(interface{ Unwrap() error }); ok {
		return u.Unwrap()
	}
	return nil
}

// Is reports whether err, or an error that it wraps, is target.
func Is(err, target error) bool {
	if err == nil || target == nil {
		return err == target
	}
	for ; err != nil; err = Unwrap(err) {
		if err == target {
			return true
		}
		if x, ok := err.(interface{ Is(error) bool }); ok && x.Is(target) {
			return true
		}
	}
	return false
}
