package check

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"gosched/chapters/cputime"
	"gosched/chapters/machine"
)

// After how many looks a check with a deadline of a second is given up, by how much of
// each its process works. A look every 10 ms is what a quiet computer gives.
func TestOver(t *testing.T) {
	const look = time.Second / looks
	for _, tt := range []struct {
		name  string
		works func(i int) time.Duration // before look i
		looks int
	}{
		{"it loops", func(int) time.Duration { return look }, 100},
		{"it loops on two CPUs", func(int) time.Duration { return 2 * look }, 50},
		{"it sleeps", func(int) time.Duration { return 0 }, 100},
		{"it sleeps, and looking is all the work", func(int) time.Duration { return look / 250 }, 100},
		{"it gets half of a CPU", func(int) time.Duration { return look / 2 }, 200},
		{"it gets an eighth of a CPU", func(int) time.Duration { return look / 8 }, 400},
		{"it works for a while, then it sleeps", func(i int) time.Duration {
			if i <= 30 {
				return look
			}
			return 0
		}, 130},
	} {
		var w cputime.Work
		used := time.Duration(0)
		for i := 1; ; i++ {
			used += tt.works(i)
			if w.Look(used, idle(time.Second)); over(w, time.Second) {
				assert.Equal(t, tt.looks, i, tt.name)
				break
			}
		}
	}
}

// A thread that a check has started and that goes on is left; one that ends is not.
func TestLeft(t *testing.T) {
	assert.False(t, left())
	goOn := make(chan bool)
	machine.Newosproc("M1", func() { <-goOn })
	assert.True(t, left())
	close(goOn)
	assert.False(t, left())
}
