//go:build gosched

// Package fmt formats as the real one does; most of the work is done by the
// machine.
package fmt

import "errors"

// A Stringer has a text of its own.
type Stringer interface{ String() string }

// A GoStringer has a text of its own for %#v.
type GoStringer interface{ GoString() string }

// writer is io.Writer.
type writer interface {
	Write(p []byte) (n int, err error)
}

// The machine's kinds of formatting.
const (
	kindPrint = iota
	kindPrintln
	kindPrintf
	kindErrorf
)

// format formats a. If it needs the text of a value's method, it returns the
// method and wants to be called again with that text at the end of texts.
func format(kind int, f string, a []any, texts []string) (s string, method func(*byte) string, receiver *byte, wrapped int)

func write(fd int, s string) int

func text(kind int, f string, a []any) (s string, wrapped int) {
	var texts []string
	for {
		s, method, receiver, wrapped := format(kind, f, a, texts)
		if method == nil {
			return s, wrapped
		}
		texts = append(texts, method(receiver))
	}
}

func Sprint(a ...any) string {
	s, _ := text(kindPrint, "", a)
	return s
}

func Sprintln(a ...any) string {
	s, _ := text(kindPrintln, "", a)
	return s
}

func Sprintf(format string, a ...any) string {
	s, _ := text(kindPrintf, format, a)
	return s
}

func Print(a ...any) (n int, err error) {
	s, _ := text(kindPrint, "", a)
	return write(1, s), nil
}

func Println(a ...any) (n int, err error) {
	s, _ := text(kindPrintln, "", a)
	return write(1, s), nil
}

func Printf(format string, a ...any) (n int, err error) {
	s, _ := text(kindPrintf, format, a)
	return write(1, s), nil
}

func Fprint(w writer, a ...any) (n int, err error)   { return w.Write([]byte(Sprint(a...))) }
func Fprintln(w writer, a ...any) (n int, err error) { return w.Write([]byte(Sprintln(a...))) }
func Fprintf(w writer, format string, a ...any) (n int, err error) {
	return w.Write([]byte(Sprintf(format, a...)))
}

type wrapError struct {
	msg string
	err error
}

func (e *wrapError) Error() string { return e.msg }
func (e *wrapError) Unwrap() error { return e.err }

// Errorf returns an error with a formatted text. It wraps the first operand
// that the format prints with %w.
func Errorf(format string, a ...any) error {
	s, wrapped := text(kindErrorf, format, a)
	if wrapped >= 0 {
		if err, ok := a[wrapped].(error); ok {
			return &wrapError{s, err}
		}
	}
	return errors.New(s)
}
