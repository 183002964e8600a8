package grade

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"gosched/chapters"
	"gosched/chapters/check"
)

// First start the checks that were slowest in the last run, last those that hung in it and those
// that need all CPUs; what was not run keeps the time that it took before.
func TestOrder(t *testing.T) {
	g := &grading{Grader: &Grader{Root: t.TempDir(), Of: Exercises}}
	ch := chapters.Chapter{ID: "ch01"}
	checks := []Check{
		{Name: "threads", Kind: check.Stress, Took: time.Hour},
		{Name: "hangs", Kind: check.Model, Status: check.Timeout, Took: time.Minute},
		{Name: "new", Kind: check.Unit},
		{Name: "quick", Kind: check.Unit, Took: 3},
		{Name: "slow", Kind: check.Program, Took: time.Second},
	}
	names := func() (names []string) {
		for _, i := range g.times(ch).order(checks) {
			names = append(names, checks[i].Name)
		}
		return names
	}
	assert.Equal(t, []string{"hangs", "new", "quick", "slow", "threads"}, names(), "nothing is known")
	g.times(ch).keep(checks)
	assert.Equal(t, []string{"slow", "quick", "new", "hangs", "threads"}, names())
	checks[1].Status = check.Pass
	checks[3].Took = 2 * time.Minute
	checks[4].Took, checks[4].Status = time.Hour, check.Blocked
	g.times(ch).keep(checks)
	assert.Equal(t, []string{"quick", "hangs", "slow", "new", "threads"}, names())
}
