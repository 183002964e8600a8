package check

import (
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"gosched/chapters/gmp"
	"gosched/chapters/machine/explore"
	"gosched/chapters/machine/explore/sharing"
)

// exploring is set while an exploration is under way. There can be one in a
// process: when a check was given up in the middle of it, no other one can run.
var exploring atomic.Bool

// Explore explores a model of the check, as explore.Explore does. If something is
// wrong with it, that is a failure of the check, which ends: the message is the
// schedule in which it shows. A method that is not written yet leaves the check
// not started. A check explores one model, so that a replay string (see
// explore.ReplayEnv) says all.
func (t *T) Explore(opt explore.Options, model func(m *explore.Model)) explore.Result {
	t.Helper()
	if t.explored {
		panic("a check explores one model; make two checks of it")
	}
	t.explored = true
	if s := os.Getenv(explore.ReplayEnv); s != "" {
		opt.Replay = s
	}
	exploring.Store(true)
	r := explore.Explore(opt, model)
	exploring.Store(false)
	t.Logf("%v", r)
	t.failure = r.Failure
	if r.Failure == nil {
		return r
	}
	if todo, ok := r.Failure.Panic.(gmp.Todo); ok {
		panic(todo)
	}
	t.Fatalf("%v", r.Failure)
	return r
}

// Bare returns a scheduler of the version under test without a machine: for parts
// that need neither stacks nor programs. A model calls it anew in each execution, and
// gives itself, so that what parts print with Printf stands in its report, at its
// place; elsewhere m is nil.
func (t *T) Bare(m *explore.Model) *gmp.Sched {
	if m == nil {
		return gmp.NewBare(t.version, &t.evidence)
	}
	return gmp.NewBare(t.version, modelLog{m})
}

// A modelLog writes to the report of an exploration, at the point where the thread
// is that writes.
type modelLog struct{ m *explore.Model }

func (l modelLog) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		l.m.Logf("%s", strings.TrimSuffix(line, "\n"))
	}
	return len(p), nil
}

// Visible checks that a model sees what the threads of the parts share: that it is in atomic
// variables, mutexes and Cells of package machine. It looks at the source in the folder of
// the parts: that of the test that runs or, on a student's own stack, one below it. Call it
// in a check that has called a method that it grades, so that an untouched exercise is not
// started.
func (t *T) Visible() {
	t.Helper()
	folder := "."
	if _, err := os.Stat(t.suite.Dir); err == nil {
		folder = t.suite.Dir
	}
	problems, err := sharing.Check(os.DirFS(folder))
	if err != nil {
		t.Fatalf("the source of the part cannot be read: %v", err)
	}
	for _, p := range problems {
		t.Errorf("%v", p)
	}
}

// AllMaySleep is a Deadlock that tells none: for models, at the end of which all Ms sleep.
type AllMaySleep struct{}

// Checkdead does nothing.
func (AllMaySleep) Checkdead() {}

// TestMineModel is TestMine for a test that is a model: mine makes it anew for each
// execution, with a scheduler of its own.
func (s *Suite) TestMineModel(t *testing.T, base gmp.Version, mutants []Mutant, mine func(m *explore.Model, s *gmp.Sched)) {
	s.TestMine(t, base, mutants, func(tb TB, _ *gmp.Sched) {
		ct := tb.(*T)
		ct.Explore(explore.Options{}, func(m *explore.Model) { mine(m, ct.Bare(m)) })
	})
}
