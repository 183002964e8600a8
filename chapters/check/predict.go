package check

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gosched/chapters/gmp"
)

// A Prediction is a question about a change of right code, what would happen, and the
// student's answer: the name of a check that would fail then, or Nothing.
type Prediction struct {
	Change string // the name of the mutant that has the change, or of one of Harmless
	Answer func() string
}

// Nothing is the answer that all checks would pass.
const Nothing = "nothing"

// TODO is gmp.TODO, for files that have no other use for package gmp.
func TODO(what string) error { return gmp.TODO(what) }

// TestPredict judges the student's predictions by running what they are about: the check
// that an answer names must fail with the change, or, for Nothing, all checks of the chapter
// pass. harmless are changes with which that is so.
func (s *Suite) TestPredict(t *testing.T, base gmp.Version, mutants, harmless []Mutant, predictions []Prediction) {
	for i := range s.Checks {
		if c := &s.Checks[i]; c.Kind == Predict {
			s.report(t, c, func() Outcome { return s.predicted(base, append(slices.Clone(mutants), harmless...), predictions) })
		}
	}
}

func (s *Suite) predicted(base gmp.Version, changes []Mutant, predictions []Prediction) Outcome {
	if len(predictions) == 0 {
		return Outcome{Status: Fail, Message: "predict_test.go hands no prediction to TestPredict"}
	}
	var answers []string
	for _, p := range predictions {
		said, out := answer(p.Answer)
		if out.Status != Pass {
			return out
		}
		answers = append(answers, strings.TrimSpace(said))
	}
	if len(changes) == 0 {
		return withheld("the solution with the changes")
	}
	var wrong []string
	for i, p := range predictions {
		change := changes[slices.IndexFunc(changes, func(m Mutant) bool { return m.Name == p.Change })]
		if problem := s.happens(base.With(change.Parts), answers[i]); problem != "" {
			wrong = append(wrong, fmt.Sprintf("%s, %q: %s", nameOf(p.Answer), answers[i], problem))
		}
	}
	if len(wrong) > 0 {
		return Outcome{Status: Fail, Message: strings.Join(wrong, "\n")}
	}
	return Outcome{Status: Pass}
}

// nameOf is the name of a function, without its package.
func nameOf(fn func() string) string {
	name := runtime.FuncForPC(reflect.ValueOf(fn).Pointer()).Name()
	return name[strings.LastIndex(name, ".")+1:]
}

// happens says how what a version does differs from what was predicted, "" if it does not.
func (s *Suite) happens(v gmp.Version, answer string) string {
	if answer == Nothing {
		for i := range s.Checks {
			c := &s.Checks[i]
			if c.Run == nil || c.Kind == Stress || c.Name == "visible" {
				continue
			}
			if out := s.Run(c, v); out.Status == Fail || out.Status == Timeout {
				return "it was run, and not all checks pass"
			}
		}
		return ""
	}
	c := s.Check(answer)
	if c == nil || c.Run == nil {
		return fmt.Sprintf("the answer is the name of a check, or %q", Nothing)
	}
	if out := s.Run(c, v); out.Status != Fail && out.Status != Timeout {
		return fmt.Sprintf("it was run, and %s, a check of %s, passes: %s", c.Name, strings.Join(c.Methods, ", "), c.Property)
	}
	return ""
}
