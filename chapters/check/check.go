// Package check runs the checks of a chapter against an implementation of its
// parts: a student's exercise, the solution, a mutant of it or another right
// solution. A chapter is a Suite, written once; all of these call its Test.
//
// A check is a function that uses parts through a gmp.Version and reports what
// it finds on a T. The same check runs under go test, under a debugger and
// under the autograder, which gives each one a process of its own and reads the
// verdicts from a file of results (see Record), never from standard output.
package check

import (
	"io/fs"
	"slices"
	"time"

	"gosched/chapters/check/golden"
	"gosched/chapters/gmp"
)

// A Kind says how a check looks at a part.
type Kind string

const (
	Unit    Kind = "unit"    // calls methods and looks at the state
	Model   Kind = "model"   // all interleavings of a small model
	Program Kind = "program" // runs Go programs on the machine
	Stress  Kind = "stress"  // real threads, repeated
	Bench   Kind = "bench"   // shown, never graded
	Mine    Kind = "mine"    // runs the test that the student wrote, on mutants
	Mended  Kind = "mend"    // runs a part that the student has mended; see Mend
	Predict Kind = "predict" // runs what the student says would happen; see Prediction
)

// A Check is one property of the parts of a chapter.
type Check struct {
	Name     string   // unique in its chapter: "status-edges"; part of the name of its subtest
	Kind     Kind     //
	Points   int      // its share of the chapter's score
	Methods  []string // the methods that it grades; while one of them is a TODO the check is not started
	Property string   // what holds, in one sentence
	Hint     string   // what to think about when it does not
	Book     string   // the section of the chapter's page: "legal-edges"
	// Deadline is how long the process may work on the check, or sleep in it, 10 s
	// if 0. It is generous: it ends loops and deadlocks and never judges speed.
	Deadline time.Duration
	Run      func(t *T) `json:"-"`
}

// WrittenFiles are the files in which a student writes something beside the parts.
var WrittenFiles = []string{"mine_test.go", mendFile, "predict_test.go"}

// File is the one of WrittenFiles with what a check of this kind runs, "" if that is the parts.
func (k Kind) File() string {
	switch k {
	case Mine, Mended, Predict:
		return string(k) + "_test.go"
	}
	return ""
}

// Written reports whether checks of this kind are of something that the student writes beside
// the parts. They have no Run, and are not run on other implementations.
func (k Kind) Written() bool { return k.File() != "" }

// Simpler reports whether checks of this kind ask less of a part than those of the other.
func (k Kind) Simpler(other Kind) bool {
	grown := []Kind{Unit, Model, Program, Stress, Bench}
	return slices.Index(grown, k) < slices.Index(grown, other)
}

// Pattern is how go test -run names the check of this kind and name.
func (k Kind) Pattern(name string) string {
	switch k {
	case Mine:
		return "^TestMine$"
	case Mended:
		return "^TestMends$/^" + name + "$"
	case Predict:
		return "^TestPredict$"
	}
	return "^Test$/^" + name + "$"
}

// A Suite is the conformance suite of a chapter.
type Suite struct {
	ID     string // "ch01"
	Dir    string // "ch01_goroutine", the folder's name in chapters, exercises and solutions
	Title  string
	Go     string   // the Go version whose scheduler the chapter builds, "" if none
	Parts  []string // the interfaces of gmp that it implements
	Checks []Check
	Extras []Extra // those that an instructor adds; the course has none
	// Programs holds the Go programs that checks run by name, in its root.
	Programs fs.FS
}

// Check returns the check of that name, or nil.
func (s *Suite) Check(name string) *Check {
	for i := range s.Checks {
		if s.Checks[i].Name == name {
			return &s.Checks[i]
		}
	}
	return nil
}

// MaxScore is the sum of the points of all checks.
func (s *Suite) MaxScore() int {
	sum := 0
	for _, c := range s.Checks {
		sum += c.Points
	}
	return sum
}

// A Mutant is a plausible wrong solution, made of the right one.
type Mutant struct {
	Name   string      // "queue-is-a-stack"
	What   string      // the mistake, in one sentence
	Check  string      // the check that names it: the one that must fail
	Hidden bool        // not among the mutants that the student's own test must kill
	Parts  gmp.Version // the constructors that differ from the solution's
}

// A Status is the verdict on a check.
type Status string

const (
	Pass          Status = "pass"
	Fail          Status = "fail"
	Todo          Status = "todo"           // a method that it grades is not written yet
	Timeout       Status = "timeout"        // it did not end before its deadline
	BuildError    Status = "build_error"    // the exercise does not compile (the autograder's verdict)
	Blocked       Status = "blocked"        // it cannot run here; the message says why
	Refused       Status = "refused"        // the exercise does what none may do, and is not run (the autograder's verdict)
	InternalError Status = "internal_error" // the course's own fault
)

// UpdateEnv is golden.UpdateEnv, for those who keep golden files of their own.
const UpdateEnv = golden.UpdateEnv
