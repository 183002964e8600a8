package models

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"

	"gosched/chapters/trace"
)

const us = time.Microsecond

// free are the two models with switches that cost nothing, so that sums can be
// done in the head.
func free(cpus int) (oneToOne, manyToOne Model) {
	oneToOne, manyToOne = OneToOne(cpus), ManyToOne()
	oneToOne.Switch, manyToOne.Switch = 0, 0
	return
}

func repeat(n int, t Task) []Task {
	tasks := make([]Task, n)
	for i := range tasks {
		tasks[i] = t
	}
	return tasks
}

func TestMakespan(t *testing.T) {
	compute := Task{{Compute, 60 * us}}
	wait := Task{{Compute, 10 * us}, {Wait, 100 * us}, {Compute, 10 * us}}
	block := Task{{Compute, 10 * us}, {Block, 100 * us}, {Compute, 10 * us}}
	one2, many := free(2)
	for _, test := range []struct {
		name      string
		tasks     []Task
		one, many time.Duration // µs
	}{
		{"nothing", nil, 0, 0},
		{"four that compute, two CPUs", repeat(4, compute), 120, 240},
		{"an odd one out", repeat(3, compute), 120, 180},
		{"waits overlap in both", repeat(4, wait), 10 + 10 + 100 + 10, 10 + 100 + 10 + 3*10},
		{"a call that blocks holds the one thread", repeat(4, block), 130, 480},
		{"a task that ends by waiting", []Task{{{Wait, 50 * us}}}, 50, 50},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.one*us, one2.Run(test.tasks).Makespan, "1:1")
			assert.Equal(t, test.many*us, many.Run(test.tasks).Makespan, "N:1")
		})
	}
}

func TestSwitches(t *testing.T) {
	two := repeat(2, Task{{Compute, 10 * us}, {Wait, 5 * us}, {Compute, 10 * us}})
	m := Model{Workers: 1, Switch: 2 * us}
	// A, B, A, B: each comes after the other.
	assert.Equal(t, 4*(2+10)*us, m.Run(two).Makespan)
	// One task alone pays once: it goes on where it was.
	assert.Equal(t, (2+10+5+10)*us, m.Run(two[:1]).Makespan)
}

func TestLanes(t *testing.T) {
	one, many := free(2)
	tasks := []Task{
		{{Compute, 30 * us}},
		{{Compute, 10 * us}, {Block, 40 * us}, {Compute, 10 * us}},
		{{Compute, 20 * us}},
	}
	assert.Equal(t, "0 AAA..B\n1 BCC...\n", Lanes(one.Run(tasks), 10*us))
	assert.Equal(t, "0 AAABbbbbBCC\n", Lanes(many.Run(tasks), 10*us))
}

// TestLog checks what others rely on: events in the order of time, each task
// created and ended once, and a task that runs on one worker at a time.
func TestLog(t *testing.T) {
	tasks := repeat(5, Task{{Compute, 7 * us}, {Wait, 13 * us}, {Compute, 3 * us}, {Block, 11 * us}, {Compute, us}})
	for _, m := range []Model{OneToOne(3), ManyToOne()} {
		run := m.Run(tasks)
		count := map[trace.Kind]int{}
		on := map[int64]int32{}
		last := int64(0)
		for _, e := range run.Log.Events {
			assert.GreaterOrEqual(t, e.T, last, "%s: %+v", m.Name, e)
			last = e.T
			count[e.Kind]++
			switch e.Kind {
			case trace.Run:
				assert.NotContains(t, on, e.G, "%s: task %d runs twice at once", m.Name, e.G)
				on[e.G] = e.M
			case trace.Park, trace.Exit:
				delete(on, e.G)
			}
		}
		assert.Equal(t, len(tasks), count[trace.Create], m.Name)
		assert.Equal(t, len(tasks), count[trace.Exit], m.Name)
		assert.Equal(t, int64(run.Makespan), last, m.Name)
		assert.Empty(t, cmp.Diff(run, m.Run(tasks)), "%s: the same tasks again", m.Name)
	}
}

// TestShape checks what the book says with the real costs of a switch.
func TestShape(t *testing.T) {
	one, many := OneToOne(2), ManyToOne()
	heavy := repeat(8, Task{{Compute, 1000 * us}})
	assert.InDelta(t, 2, ratio(many, one, heavy), 0.01, "on two CPUs, one thread takes twice as long to compute")
	chatty := repeat(1000, Task{{Compute, us}, {Wait, 50 * us}, {Compute, us}})
	assert.Less(t, ratio(many, one, chatty), 1.0, "tasks that only meet are faster on one thread with cheap switches than on two CPUs")
	files := repeat(8, Task{{Compute, 10 * us}, {Block, 1000 * us}})
	assert.Greater(t, ratio(many, one, files), 7.0, "calls that block come one after the other on one thread")
}

func ratio(a, b Model, tasks []Task) float64 {
	return float64(a.Run(tasks).Makespan) / float64(b.Run(tasks).Makespan)
}

// M:N has the workers of the one and the switch of the other, and no task keeps a
// worker while it blocks: it is never later than either.
func TestManyToManyIsTheBestOfBoth(t *testing.T) {
	compute := Task{{Compute, 60 * us}}
	wait := Task{{Compute, 10 * us}, {Wait, 100 * us}, {Compute, 10 * us}}
	block := Task{{Compute, 10 * us}, {Block, 100 * us}, {Compute, 10 * us}}
	for _, task := range []Task{compute, wait, block} {
		for _, n := range []int{1, 7, 100} {
			both := ManyToMany(2).Run(repeat(n, task)).Makespan
			assert.LessOrEqual(t, both, OneToOne(2).Run(repeat(n, task)).Makespan)
			assert.LessOrEqual(t, both, ManyToOne().Run(repeat(n, task)).Makespan)
		}
	}
}
