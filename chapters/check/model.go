package check

import (
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"gosched/chapters/gmp"
	"gosched/chapters/machine/explore"
)

// exploring is set while an exploration is under way. There can be one in a
// process: when a check was given up in the middle of it, no other one can run.
var exploring atomic.Bool

// Bare returns a scheduler of the version under test without a machine: for parts
// that need neither stacks nor programs.
func (t *T) Bare() *gmp.Sched { return gmp.NewBare(t.version, &t.evidence) }

// Explore runs a model in all its interleavings. Each execution has a scheduler of
// its own, of the version under test and without a machine; what parts print with
// Printf stands in the counterexample, at its place. A failure is one of the check,
// which ends. A check calls Explore once, so that a replay string (see
// explore.ReplayEnv) says all.
func (t *T) Explore(model func(m *explore.Model, s *gmp.Sched)) {
	t.Helper()
	if t.exploring {
		panic("a check explores one model; make two checks of it")
	}
	t.exploring = true
	exploring.Store(true)
	opt := explore.Options{Replay: os.Getenv(explore.ReplayEnv)}
	r := explore.Explore(opt, func(m *explore.Model) {
		model(m, gmp.NewBare(t.version, modelLog{m}))
	})
	exploring.Store(false)
	t.Logf("%v", r)
	if r.Failure == nil {
		return
	}
	if todo, ok := r.Failure.Panic.(gmp.Todo); ok {
		panic(todo)
	}
	t.failure = r.Failure
	t.Fatalf("%v", r.Failure)
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

// TestMineModel is TestMine for a test that is a model: mine makes it anew for each
// execution, with a scheduler of its own.
func (s *Suite) TestMineModel(t *testing.T, base gmp.Version, mutants []Mutant, mine func(m *explore.Model, s *gmp.Sched)) {
	s.TestMine(t, base, mutants, func(tb TB, _ *gmp.Sched) { tb.(*T).Explore(mine) })
}
