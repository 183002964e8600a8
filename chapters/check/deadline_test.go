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
	second := limitOf(&Check{Kind: Model, Deadline: time.Second})
	look := second.look
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
			if w.Look(used, second.idle()); second.over(w) {
				assert.Equal(t, tt.looks, i, tt.name)
				break
			}
		}
	}
}

// However long a check may work, one that only sleeps is given up soon, and so is a loop in one of
// kind unit. To look often enough costs a sleeper less than what counts as work.
func TestLimits(t *testing.T) {
	long := limitOf(&Check{Kind: Stress, Deadline: time.Minute})
	assert.Equal(t, limit{time.Minute, 3 * time.Second, 30 * time.Millisecond}, long)
	assert.Equal(t, limit{4 * time.Second, 3 * time.Second, 30 * time.Millisecond}, limitOf(&Check{Kind: Unit, Deadline: time.Minute}))
	assert.Equal(t, limit{time.Second, time.Second, 10 * time.Millisecond}, limitOf(&Check{Kind: Unit, Deadline: time.Second}))
	var sleeps, polls cputime.Work
	for i := 1; ; i++ {
		sleeps.Look(time.Duration(i)*100*time.Microsecond, long.idle())
		polls.Look(time.Duration(i)*time.Millisecond, long.idle())
		assert.False(t, long.over(polls), "it works a little, and may go on")
		if long.over(sleeps) {
			assert.Equal(t, 100, i)
			break
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
