package check

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"gosched/chapters/cputime"
	"gosched/chapters/machine"
)

// After how many looks a check with a deadline of a second is given up, by how much of
// each its process works. 25 looks are a second.
func TestOver(t *testing.T) {
	second := limitOf(&Check{Kind: Model, Deadline: time.Second})
	look := second.look
	for _, tt := range []struct {
		name  string
		works func(i int) time.Duration // before look i
		looks int
	}{
		{"it loops", func(int) time.Duration { return look }, 25},
		{"it loops on two CPUs", func(int) time.Duration { return 2 * look }, 13},
		{"it sleeps", func(int) time.Duration { return 0 }, 25},
		{"it sleeps, and looking is all the work", func(int) time.Duration { return look / 20 }, 25},
		{"it gets half of a CPU", func(int) time.Duration { return look / 2 }, 50},
		{"it gets an eighth of a CPU", func(int) time.Duration { return look / 8 }, 100},
		{"it works for a while, then it sleeps", func(i int) time.Duration {
			if i <= 10 {
				return look
			}
			return 0
		}, 34},
	} {
		var w cputime.Work
		used := time.Duration(0)
		for i := 1; ; i++ {
			used += tt.works(i)
			if w.Look(used, 0, second.idle()); second.over(w) {
				assert.Equal(t, tt.looks, i, tt.name)
				break
			}
		}
	}
}

// However long a check may work, one that only sleeps is given up soon, and so is a loop in one of
// kind unit or stress. To look often enough costs a sleeper less than what counts as work.
func TestLimits(t *testing.T) {
	long := limitOf(&Check{Kind: Program, Deadline: time.Minute})
	assert.Equal(t, limit{time.Minute, 3 * time.Second, 100 * time.Millisecond}, long)
	assert.Equal(t, limit{4 * time.Second, 3 * time.Second, 100 * time.Millisecond}, limitOf(&Check{Kind: Unit, Deadline: time.Minute}))
	assert.Equal(t, limit{8 * time.Second, 3 * time.Second, 100 * time.Millisecond}, limitOf(&Check{Kind: Stress, Deadline: time.Minute}))
	assert.Equal(t, limit{time.Second, time.Second, time.Second / 25}, limitOf(&Check{Kind: Unit, Deadline: time.Second}))
	var sleeps, polls cputime.Work
	for i := 1; ; i++ {
		work := time.Duration(i) * 6 * time.Millisecond
		sleeps.Look(work, 0, long.idle())
		polls.Look(work, work, long.idle())
		assert.False(t, long.over(polls), "it works a little, and could do more with a CPU")
		if long.over(sleeps) {
			assert.Equal(t, 30, i)
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
