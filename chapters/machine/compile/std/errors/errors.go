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
		if j, ok := err.(interface{ Unwrap() []error }); ok {
			for _, err := range j.Unwrap() {
				if Is(err, target) {
					return true
				}
			}
		}
	}
	return false
}

// As sets *target to err, or to the first error that it wraps, of type T, and reports whether
// there is one. In the real package the type is found by reflection, and target is an any.
func As[T any](err error, target *T) bool {
	if target == nil {
		panic("errors: target cannot be nil")
	}
	for ; err != nil; err = Unwrap(err) {
		if t, ok := err.(any).(T); ok {
			*target = t
			return true
		}
		if x, ok := err.(interface{ As(any) bool }); ok && x.As(target) {
			return true
		}
		if j, ok := err.(interface{ Unwrap() []error }); ok {
			for _, err := range j.Unwrap() {
				if As(err, target) {
					return true
				}
			}
		}
	}
	return false
}

// AsType is As with a result.
func AsType[E error](err error) (E, bool) {
	var e E
	ok := As(err, &e)
	return e, ok
}

// Join returns an error that wraps those of errs that are not nil; nil if all are.
func Join(errs ...error) error {
	var j joined
	for _, err := range errs {
		if err != nil {
			j.errs = append(j.errs, err)
		}
	}
	if len(j.errs) == 0 {
		return nil
	}
	return &j
}

type joined struct{ errs []error }

func (j *joined) Unwrap() []error { return j.errs }

func (j *joined) Error() string {
	s := ""
	for i, err := range j.errs {
		if i > 0 {
			s += "\n"
		}
		s += err.Error()
	}
	return s
}
