package explore

import "os"

// TB is what Run reports to: a *testing.T is one, and so is the T of a check.
type TB interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	FailNow()
}

// ReplayEnv names the environment variable with the replay string of the
// schedule that Run is to run instead of a search.
const ReplayEnv = "GOSCHED_REPLAY"

// Run explores a model with the default options. A failure is an error of t,
// which ends.
func Run(t TB, model func(m *Model)) Result {
	t.Helper()
	return RunOptions(t, Options{}, model)
}

// RunOptions is Run with Options.
func RunOptions(t TB, opt Options, model func(m *Model)) Result {
	t.Helper()
	if s := os.Getenv(ReplayEnv); s != "" {
		opt.Replay = s
	}
	r := Explore(opt, model)
	if r.Failure != nil {
		t.Errorf("%v\nfound in %s, %s", r.Failure, count(r.Executions, "execution"), count(r.Steps, "step"))
		t.FailNow()
	}
	t.Logf("%v", r)
	return r
}
