package explore

import (
	"fmt"
	"strings"
)

// A Result says what an exploration found.
type Result struct {
	// Failure is what is wrong, nil if nothing was found.
	Failure *Failure
	// Exhaustive says that there is no other execution, but for equivalent ones.
	Exhaustive bool
	// Cut says why the search would not be exhaustive even if it came to its end,
	// "" if it would.
	Cut string
	// Bound is the number of preemptions up to which all executions were tried,
	// -1 if not even those without any.
	Bound      int
	Executions int
	Steps      int  // of all executions
	Replayed   bool // it was one given schedule
}

// String says in one line what was explored.
func (r Result) String() string {
	size := fmt.Sprintf("%s, %s", count(r.Executions, "execution"), count(r.Steps, "step"))
	switch {
	case r.Failure != nil:
		return fmt.Sprintf("%s, found in %s", r.Failure.Kind, size)
	case r.Replayed:
		return "nothing goes wrong in this schedule any more"
	case r.Exhaustive:
		return "exhaustive: " + size
	case r.Cut != "":
		return fmt.Sprintf("not exhaustive, since %s: %s", r.Cut, size)
	case r.Bound >= 0:
		return fmt.Sprintf("bounded: all executions with at most %s, and others: %s", count(r.Bound, "preemption"), size)
	}
	return "not exhaustive: " + size
}

// count writes a number of things, with commas between thousands.
func count(n int, what string) string {
	digits := fmt.Sprint(n)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	if n != 1 {
		what += "s"
	}
	return b.String() + " " + what
}

// A Failure is one execution in which something is wrong.
type Failure struct {
	Kind    Kind
	Message string // what is wrong, in sentences of a line each
	Panic   any    // of a Panic, its value

	Threads     []string // the lanes
	Steps       []Step
	Preemptions int
	Minimal     bool   // no execution with fewer preemptions goes wrong
	Replay      string // for Options.Replay; "" if there is no schedule
}

// A Step is a line of a schedule: an operation on something shared, a use of a
// Cell, or a note of the model.
type Step struct {
	Number int    // of the operation, from 1; 0 for a Cell or a note
	Thread int    // index in Threads, -1 for the model's own code
	Switch Switch // why another thread ran before this one
	Code   string // as it stands in the source: "q.tail.Store(t + 1)"
	Effect string // "= 3", "3 → 4", "fails, finds 5"
	Note   string // instead of Code and Effect
	Write  bool   // it changed something
	Here   bool   // the failure is about this line

	Object int    // the number of the variable, 0 if there is none
	Name   string // of a mutex that has one, or of a word of memory
	Old    string // what the variable held before
	Value  string // and after

	File string // name of the file, and whose it is (see inRow), and the line; "" and 0 if not known
	Line int
	Func string // the function that it is in: "(*queue).put"

	kind  opKind   // of a step with a number
	call  string   // identifies the call, made by the thread's own function, that it belongs to
	path  string   // file and line, with the folders
	stack []string // the functions that it is in, innermost first
	cell  bool     // it is a use of a Cell, and no step
	aside bool     // it belongs to the check: see apart
}

// A Switch says why one thread stopped and another went on.
type Switch string

const (
	NoSwitch  Switch = ""
	Preempted Switch = "is preempted"
	Waits     Switch = "waits"
	Yields    Switch = "yields"
	Ends      Switch = "ends"
	Stands    Switch = "stands before its first step"
)
