package gmp

import (
	"fmt"

	"gosched/chapters/machine"
)

// A Fatal is the end of a program by the scheduler's own decision: the
// runtime's throw. It is raised as a panic and recovered by the router, or by a
// check. It may be raised with locks held; nothing runs after it that could want
// them. The machine raises it, too, when a lock or a note is misused.
type Fatal = machine.Fatal

// Throw ends the program with a fatal error. It does not return. Any part may
// call it, with or without locks. The runtime's throw.
func (s *Sched) Throw(msg string) {
	panic(Fatal{Msg: msg})
}

// Throwf is Throw with a formatted message.
func (s *Sched) Throwf(format string, args ...any) {
	panic(Fatal{Msg: fmt.Sprintf(format, args...)})
}

// A Todo says that a method of an exercise is not written yet, or that it is the reference's and
// withheld.
type Todo struct {
	Method   string
	Withheld bool
}

func (t Todo) Error() string {
	if t.Withheld {
		return "the reference's " + t.Method + " is not in this repository"
	}
	return t.Method + " is not written yet"
}

// TODO is what the body of an exercise panics with until it is written.
func TODO(method string) error { return Todo{Method: method} }

// Withheld is what a method of the reference panics with in a repository that students get
// without it.
func Withheld(method string) error { return Todo{Method: method, Withheld: true} }

// An Absent says that a version was asked for a part that it does not have: a
// part of another version was put into it, or its list of parts is short.
type Absent struct {
	Version string
	Method  string // "RunQueue.Runqput"
}

func (a Absent) Error() string {
	return fmt.Sprintf("Go %s has no %s", a.Version, a.Method)
}

func absent(s *Sched, method string) error {
	return Absent{s.Version().Name, method}
}

// missingOf returns a bit for each of the methods that is in missing.
func missingOf(missing map[string]bool, methods []string) uint32 {
	mask := uint32(0)
	for i, m := range methods {
		if missing[m] {
			mask |= 1 << i
		}
	}
	return mask
}
