package check

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"gosched/chapters/gmp"
)

// An Extra is a check that an instructor adds to a suite, in a Go file of the suite's package
// that students do not get: see package extra of the autograder.
type Extra struct {
	Check
	Show Shown
}

// A Shown says what students are told of an Extra. Its points are always in their sum.
type Shown string

const (
	Hidden   Shown = "hidden" // nothing: neither its name nor whether it passes
	NameOnly Shown = "name"   // its name, and whether it passes
	Full     Shown = "full"   // what they are told of the course's own checks
)

// Extra adds checks of the instructor's. It is called by init of a file that is not the
// course's, before anything runs.
func (s *Suite) Extra(show Shown, checks ...Check) {
	for _, c := range checks {
		s.Extras = append(s.Extras, Extra{c, show})
	}
}

// Again is the check of that name, for Extra: it runs once for each of the seeds, and what it
// draws by lot is drawn anew. So programs are interleaved in other ways, and operations come in
// another order. Its name is that of the check with "-again" behind it, its deadline that of the
// check for each seed. A check that draws nothing fails when it is run Again.
func (s *Suite) Again(name string, points int, seeds ...uint64) Check {
	of := s.Check(name)
	switch {
	case of == nil:
		panic(fmt.Sprintf("Again: %s has no check %q", s.ID, name))
	case of.Run == nil:
		panic(fmt.Sprintf("Again: %s/%s runs what the student writes beside the parts", s.ID, name))
	case len(seeds) == 0 || slices.Contains(seeds, 0):
		panic(fmt.Sprintf("Again: %s/%s needs one seed or more, and none is 0, which is that of the check itself", s.ID, name))
	}
	again := *of
	again.Name, again.Points = name+"-again", points
	if again.Deadline == 0 {
		again.Deadline = defaultDeadline
	}
	again.Deadline *= max(1, time.Duration(len(seeds)))
	again.Run = func(t *T) {
		version := t.version
		for _, seed := range seeds {
			t.version, t.seed, t.explored = version, seed, false
			t.again(of.Run)
		}
	}
	return again
}

// again runs a check with t's seed.
func (t *T) again(run func(t *T)) {
	run(t)
	if !t.Failed() && !t.drawn {
		t.fail("it draws nothing by lot, so it is the same with any seed; run another check Again")
	}
	if t.Failed() {
		t.FailNow()
	}
	t.Forget()
}

// Seed is n, the seed of something that a check draws by lot. If the check is run Again it is
// another number for each n, always the same one with the same seed of Again.
func (t *T) Seed(n uint64) uint64 {
	t.drawn = true
	return n + t.seed*0x9E3779B97F4A7C15 // far from its neighbours, as an odd factor of 64 bits
}

// goodName is how checks are named.
var goodName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// WrongExtras says what is wrong with the checks that were added, a sentence each. Nothing runs.
func (s *Suite) WrongExtras() (wrong []string) {
	seen := map[string]bool{}
	for _, c := range s.Extras {
		must := func(ok bool, format string, args ...any) {
			if !ok {
				wrong = append(wrong, fmt.Sprintf("%s/%s ", s.ID, c.Name)+fmt.Sprintf(format, args...))
			}
		}
		must(goodName.MatchString(c.Name), "must be named in small letters and digits, with hyphens: %q", c.Name)
		must(s.Check(c.Name) == nil, "is a check of the course; give yours another name")
		must(!seen[c.Name], "is there twice; give one of them another name")
		must(slices.Contains([]Kind{Unit, Model, Program, Stress}, c.Kind), "has the kind %q; an extra check is a unit, model, program or stress", c.Kind)
		must(c.Points >= 0, "has %d points; it needs 0 or more", c.Points)
		must(slices.Contains([]Shown{Hidden, NameOnly, Full}, c.Show), "is shown as %q; say check.Hidden, check.NameOnly or check.Full", c.Show)
		must(c.Property != "", "has no Property; say in one sentence what holds")
		must(c.Deadline >= 0, "has the deadline %v; leave it out for %v", c.Deadline, defaultDeadline)
		must(c.Run != nil, "has no Run")
		must(len(c.Methods) > 0, "names no Methods; name those that it grades, so that it is not started while one of them is to be written")
		for _, method := range c.Methods {
			must(s.hasMethod(method), "grades %s, which chapter %s does not have; its parts are %s", method, s.ID, strings.Join(s.Parts, ", "))
		}
		seen[c.Name] = true
	}
	return wrong
}

// hasMethod reports whether one of the suite's parts has the method.
func (s *Suite) hasMethod(name string) bool {
	for _, part := range s.Parts {
		if field, ok := reflect.TypeFor[gmp.Parts]().FieldByName(part); ok {
			if _, ok := field.Type.MethodByName(name); ok {
				return true
			}
		}
	}
	return false
}
