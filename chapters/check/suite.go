package check

import (
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gosched/chapters/check/golden"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
	"gosched/chapters/sample"
	"gosched/chapters/stacks"
	"gosched/chapters/trace"
)

// An Outcome is the verdict on one check with its reasons.
type Outcome struct {
	Status   Status
	Message  string // expected and found, and where
	Evidence string
	Failure  *explore.Failure // of a model
	Log      *trace.Log       // of the program that ran before the check failed; nil if none did
	method   string           // of a Todo
}

// defaultDeadline is Check.Deadline if that is 0.
const defaultDeadline = 10 * time.Second

// Test runs the suite's checks as subtests of t. base is a version of right
// parts; own has those under test, which take their place. While a part under
// test holds a TODO, base's method serves in its stead, so that each check sees
// the methods that are written; a check that grades a TODO is not started.
func (s *Suite) Test(t *testing.T, base, own gmp.Version) {
	one := func(c *Check) {
		t.Run(c.Name, func(t *testing.T) {
			s.report(t, c, func() Outcome { return s.mixed(c, base, own) })
		})
	}
	for i := range s.Checks {
		if c := &s.Checks[i]; !c.Kind.Written() {
			one(c)
		}
	}
	for i := range s.Extras {
		one(&s.Extras[i].Check)
	}
}

// TestAlternatives proves that the checks ask for what the contracts say and for nothing
// else: other right solutions pass, which keep other state and take other ways. Each has
// those parts that are other than base's. What the contracts leave open is listed in
// FreedomsFile, with the alternatives that take it: each plays all checks of the methods that it
// writes. Of the others it plays some, and all in the nightly (package sample).
func (s *Suite) TestAlternatives(t *testing.T, base gmp.Version, alternatives map[string]gmp.Version) {
	s.testFreedoms(t, base, alternatives)
	for _, name := range slices.Sorted(maps.Keys(alternatives)) {
		t.Run(name, func(t *testing.T) { s.testAlternative(t, base, alternatives[name]) })
	}
}

// testAlternative plays the suite on own: all checks that grade a method which own writes itself,
// and some of the others.
func (s *Suite) testAlternative(t *testing.T, base, own gmp.Version) {
	turn := fnv.New32a()
	turn.Write([]byte(t.Name()))
	row := int(turn.Sum32() % others)
	v := base.With(own)
	for i := range s.Checks {
		c := &s.Checks[i]
		its := slices.ContainsFunc(c.Methods, func(method string) bool { return writes(v, base, method) })
		if c.Kind.Written() || !its && i%others != row && !sample.Whole() {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			s.report(t, c, func() Outcome { return s.mixed(c, base, own) })
		})
	}
}

// others is of how many checks that grade no method of an alternative one is run, unless all are.
const others = 6

// TestOwn is Test without any help: v is the student's own stack, and a TODO
// anywhere in it leaves the checks that meet it not started.
func (s *Suite) TestOwn(t *testing.T, v gmp.Version) {
	for i := range s.Checks {
		if c := &s.Checks[i]; !c.Kind.Written() {
			t.Run(c.Name, func(t *testing.T) {
				s.report(t, c, func() Outcome { return s.Run(c, v) })
			})
		}
	}
}

// TestMine runs the test that the student wrote, mine: it must pass with base,
// which is right, and fail with each of the mutants that are not Hidden.
func (s *Suite) TestMine(t *testing.T, base gmp.Version, mutants []Mutant, mine func(t TB, s *gmp.Sched)) {
	for i := range s.Checks {
		if c := &s.Checks[i]; c.Kind == Mine {
			s.report(t, c, func() Outcome { return s.mine(c, base, mutants, mine) })
		}
	}
}

var numbers = regexp.MustCompile(`\d+`)

// TestMutants proves the suite: each mutant must fail the check that names it, or hang in it; that
// the solution passes is proven by Test. The message is compared with the golden file, where it is
// kept; that of a check on real threads but for its numbers.
func (s *Suite) TestMutants(t *testing.T, base gmp.Version, mutants []Mutant) {
	known := golden.Open(t, "testdata/mutants.golden")
	for _, m := range mutants {
		t.Run(m.Name, func(t *testing.T) {
			c := s.Check(m.Check)
			if c == nil {
				t.Fatalf("mutant %s names the check %q, which %s does not have", m.Name, m.Check, s.ID)
			}
			out := s.Run(c, base.With(m.Parts))
			if out.Status != Fail && out.Status != Timeout {
				t.Fatalf("%s passes %s (%s), so the check does not see that %s", m.Name, c.Name, out.Status, m.What)
			}
			message := out.Message
			if out.Status == Timeout { // whether it sleeps or works depends on what else hangs in this process
				_, message, _ = strings.Cut(message, "; ")
			}
			if c.Kind == Stress { // the system decides in which round it is seen, and on which G
				message = numbers.ReplaceAllString(message, "N")
			}
			known.Compare(t, m.Name+" fails "+c.Name+" ("+string(out.Status)+")", message)
		})
	}
	known.Close(t)
}

// mixed runs c on own among base, with base's method for each one that turns
// out not to be written and is not graded by c.
func (s *Suite) mixed(c *Check, base, own gmp.Version) Outcome {
	missing := map[string]bool{}
	for {
		out := s.Run(c, base.Mixed(own, missing))
		if out.Status == Blocked && missing[out.method] { // nor is there a reference to stand in for it
			return Outcome{Status: Todo, Message: gmp.TODO(out.method).Error(), method: out.method}
		}
		if out.Status != Todo || slices.Contains(c.Methods, out.method) || missing[out.method] {
			return out
		}
		missing[out.method] = true
	}
}

// Run runs c on v, once, and gives it up at its deadline.
func (s *Suite) Run(c *Check, v gmp.Version) Outcome {
	return s.guard(c, v, c.Run)
}

// guard runs body as the check c, on a goroutine of its own, so that a loop or a
// deadlock in a part leaves one to tell about it. A goroutine that was given up
// goes on: there is no way to stop it but the end of the process.
func (s *Suite) guard(c *Check, v gmp.Version, body func(t *T)) Outcome {
	if exploring.Load() {
		return Outcome{Status: Blocked, Message: "not run: an earlier check hangs in the middle of an exploration, and there can be only one in a process; run this check alone"}
	}
	gmp.ClearMarks()
	t := &T{suite: s, version: v}
	done, id := make(chan Outcome, 1), make(chan string, 1)
	go func() {
		id <- stacks.ID()
		done <- t.finish(body)
	}()

	late, stop := limitOf(c).expired()
	defer stop()
	select {
	case out := <-done:
		return out
	case why := <-late:
		where, stack := stuckAt(<-id)
		return Outcome{
			Status:   Timeout,
			Message:  why + "; " + where,
			Evidence: stack,
		}
	}
}

// finish runs body and turns all its ways to end into an Outcome.
func (t *T) finish(body func(t *T)) (out Outcome) {
	defer func() {
		switch v := recover().(type) {
		case nil, stop:
		case gmp.Todo:
			out = Outcome{Status: Todo, Message: v.Error(), method: v.Method}
			if v.Withheld {
				out.Status, out.Message = Blocked, fmt.Sprintf("%v, and this check runs it, too: %s", v, gradedElsewhere)
			}
			return
		case gmp.Fatal:
			t.fail("the scheduler threw: " + v.Error() + at(gmp.NewPartPanic(v).Where))
		default:
			t.fail(gmp.NewPartPanic(v).Error())
		}
		if t.seed != 0 && t.Failed() {
			t.failures[0] = fmt.Sprintf("with the seed %d: %s", t.seed, t.failures[0])
		}
		out.Evidence, out.Failure, out.Log = t.evidence.String(), t.failure, t.failedLog
		out.Message = strings.Join(ofKinds(t.failures), "\n")
		if out.Status = Pass; t.Failed() {
			out.Status = Fail
		}
	}()
	body(t)
	return out
}

func at(where string) string {
	if where == "" {
		return ""
	}
	return " at " + where
}

// gradedElsewhere ends the message of a check that needs what a repository does not have.
const gradedElsewhere = "your instructor's run grades it"

// withheld is the outcome of a check of what a student writes beside the parts, where there are
// no wrong solutions to judge it by.
func withheld(what string) Outcome {
	return Outcome{Status: Blocked, Message: fmt.Sprintf("it is written; what judges it, %s, is not in this repository: %s", what, gradedElsewhere)}
}

// mine judges the student's own test. Without mutants there is no right solution either, on
// which it could run.
func (s *Suite) mine(c *Check, base gmp.Version, mutants []Mutant, mine func(t TB, s *gmp.Sched)) Outcome {
	on := func(v gmp.Version) Outcome {
		return s.guard(c, v.Veiled(), func(t *T) {
			defer func() { t.failures = tally(t.failures) }()
			sched, _ := t.Sched()
			sched.Begin() // by the clock of the process a test could tell its calls apart
			mine(t, sched)
		})
	}
	out := on(base)
	if len(mutants) == 0 && out.Status != Todo {
		return withheld("the reference and the wrong solutions")
	}
	if out.Status == Fail || out.Status == Timeout {
		out.Status = Fail
		out.Message = "your test must pass on the correct solution, but it fails there:\n" + out.Message
	}
	if out.Status != Pass {
		return out
	}
	var alive []string
	for _, m := range mutants {
		if !m.Hidden && on(base.With(m.Parts)).Status == Pass {
			alive = append(alive, fmt.Sprintf("  %s: %s", m.Name, m.What))
		}
	}
	if len(alive) > 0 {
		out.Status = Fail
		out.Message = "your test passes on the correct solution, as it must, but also on these wrong ones:\n" + strings.Join(alive, "\n")
		return out
	}
	if again := on(base); again.Status != Pass {
		out.Status = Fail
		out.Message = "your test passes on the correct solution once, but not again after it has run on others: it must depend on nothing but what it is given\n" + again.Message
	}
	return out
}

// maxFailures is how many failures of a check are told of, each of another kind. What tally has
// left fits.
const maxFailures = mineFailures + 1

// mineFailures is how many failures of a student's own test are told of: it may have a loop.
const mineFailures = 5

// statement is the line of a suite that reports a failure, at its beginning.
var statement = regexp.MustCompile(`^[\w./]+\.go:\d+: `)

// ofKinds keeps the first of the failures that one statement of a suite reports, with how many
// more there are: they have one cause, mostly, and it shows in the first.
func ofKinds(failures []string) []string {
	var kept []string
	more, first := map[string]int{}, map[string]int{}
	for _, f := range failures {
		at := statement.FindString(f)
		if _, seen := first[at]; seen && at != "" {
			more[at]++
			continue
		}
		first[at] = len(kept)
		kept = append(kept, f)
	}
	for at, n := range more {
		head, rest, lines := strings.Cut(kept[first[at]], "\n")
		head += fmt.Sprintf(" (and %d more like it)", n)
		if lines {
			head += "\n" + rest
		}
		kept[first[at]] = head
	}
	if n := len(kept) - maxFailures; n > 0 {
		kept = append(kept[:maxFailures], fmt.Sprintf("… and %d more failures, which may follow from these", n))
	}
	return kept
}

// tally keeps one of equal failures, with how often it was reported, and of many the first.
func tally(failures []string) []string {
	var kept []string
	times := map[string]int{}
	for _, f := range failures {
		if times[f]++; times[f] == 1 {
			kept = append(kept, f)
		}
	}
	for i, f := range kept {
		if n := times[f]; n > 1 {
			first, rest, more := strings.Cut(f, "\n")
			kept[i] = fmt.Sprintf("%s (%d times)", first, n)
			if more {
				kept[i] += "\n" + rest
			}
		}
	}
	if more := len(kept) - mineFailures; more > 0 {
		kept = append(kept[:mineFailures], fmt.Sprintf("… %d more failures", more))
	}
	return kept
}

// maxEvents is how many events a log in a Record may have: some 10 MB.
const maxEvents = 100_000

// report runs a check, writes its records and tells t.
func (s *Suite) report(t *testing.T, c *Check, run func() Outcome) {
	t.Helper()
	id := s.ID + "/" + c.Name
	if order != nil {
		programs.Clear() // what a part has left in one is gone
	}
	appendRecord(t, Record{Event: "start", Check: id})
	began := time.Now()
	out := afterHang(t.Name())
	if out.Status == "" {
		out = run()
	}
	if out.Status == Timeout {
		hung.CompareAndSwap(nil, &c.Name)
	}
	end := Record{Event: "end", Check: id, Status: out.Status, Took: time.Since(began), Message: out.Message, Left: left()}
	if out.Status != Pass { // nobody reads it, and there may be megabytes
		end.Evidence = out.Evidence
	}
	if out.Failure != nil {
		story := out.Failure.Story(c.Name)
		end.Story = &story
	}
	if out.Log != nil && len(out.Log.Events) <= maxEvents {
		end.Log = out.Log
	}
	appendRecord(t, end)
	if order != nil && out.Status == Timeout {
		os.Exit(1) // what hangs goes on, and another check in this process would not be alone
	}
	switch out.Status {
	case Pass:
	case Todo:
		t.Errorf("not started: %s", out.Message)
	default:
		t.Errorf("%s\n\n%s\n\nhint:  go run ./autograder hint %s %s\nevidence:\n%s", c.Property, out.Message, s.ID, c.Name, out.Evidence)
	}
}

// hung is the name of the first check that hung in this process, nil if none did.
var hung atomic.Pointer[string]

// afterHang is the outcome of a check that comes after one that hangs in the same process, the
// zero Outcome if there is none: what hangs goes on, so this one would not be alone, and would be
// blamed for it. The autograder has another process for it.
func afterHang(test string) Outcome {
	first := hung.Load()
	if first == nil {
		return Outcome{}
	}
	return Outcome{Status: Blocked, Message: fmt.Sprintf("not run: %s hung already, and goes on in this process; fix that first, or run this check alone: go test -run '^%s$'", *first, strings.ReplaceAll(test, "/", "$/^"))}
}

// left reports whether there are threads that a check has started. One that has done its work may
// need a moment to end.
func left() bool {
	for range 20 {
		if machine.Threads() == 0 {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	return true
}

// readProgram reads a program of a suite.
func readProgram(programs fs.FS, name string) (machine.File, error) {
	text, err := fs.ReadFile(programs, name)
	if err != nil {
		return machine.File{}, err
	}
	return machine.File{Name: path.Base(name), Source: string(text)}, nil
}
