//course:omit
package ch18_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// TestStatesOfACall proves what the page says of a call that nobody disturbs: which states G and P go
// through, in the form of chapter 11 and in that of Go 1.26.
func TestStatesOfACall(t *testing.T) {
	for chapter, want := range map[string][]string{
		"ch11": {"G syscall", "P syscall", "P idle", "P running", "G running"},
		"ch18": {"G syscall", "G running"},
	} {
		s := gmp.NewBare(solutions.Base(chapter), nil)
		mp, pp := &gmp.M{}, gmp.NewP(0, 4)
		s.Allp.Set([]*gmp.P{pp})
		check.Holding(mp, pp)
		gp := check.NewG(s, gmp.Grunning)
		check.Running(mp, gp)
		var got []string
		g, p := check.State(gp), check.PState(pp)
		look := func() {
			if now := check.PState(pp); now != p {
				p = now
				got = append(got, "P "+p)
			}
			if now := check.State(gp); now != g {
				g = now
				got = append(got, "G "+g)
			}
		}
		check.NewTape(s).Before = func(c *check.Call) bool {
			look()
			return true
		}
		s.Syscalls.Entersyscall(mp, gp)
		look()
		s.Syscalls.Exitsyscall(mp, gp)
		look()
		assert.ElementsMatch(t, want, got, chapter)
	}
}
