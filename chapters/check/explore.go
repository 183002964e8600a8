package check

import (
	"os"

	"gosched/chapters/gmp"
	"gosched/chapters/machine/explore"
)

// Explore explores a model of the check, as explore.Explore does. If something is
// wrong with it, that is a failure of the check, which ends: the message is the
// schedule in which it shows. A method that is not written yet leaves the check
// not started.
func (t *T) Explore(opt explore.Options, model func(m *explore.Model)) explore.Result {
	t.Helper()
	if s := os.Getenv(explore.ReplayEnv); s != "" {
		opt.Replay = s
	}
	r := explore.Explore(opt, model)
	t.Logf("%v", r)
	if r.Failure == nil {
		return r
	}
	if todo, ok := r.Failure.Panic.(gmp.Todo); ok {
		panic(todo)
	}
	t.Fatalf("%v", r.Failure)
	return r
}
