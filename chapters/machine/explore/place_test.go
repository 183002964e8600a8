package explore

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestInRow(t *testing.T) {
	for file, want := range map[string]string{
		"/home/chapters/gosched/exercises/ch07_runq/steal.go":       "steal.go",
		"/home/chapters/gosched/solutions/ch07_runq/steal.go":       "ref/steal.go",
		"/home/solutions/gosched/chapters/ch07_runq/steal.go":       "suite/steal.go",
		"/home/solutions/gosched/chapters/gmp/router.go":            "gmp/router.go",
		"/home/solutions/gosched/chapters/machine/explore/steal.go": "steal.go",
	} {
		assert.Equal(t, want, inRow(file), file)
	}
	assert.Equal(t, "exercises/ch07_runq/steal.go:3", inCourse("/home/chapters/gosched/exercises/ch07_runq/steal.go", 3))
}

// A folded row names what the thread calls; a closure in between has no name.
func TestCalled(t *testing.T) {
	frames := func(names ...string) (list []runtime.Frame) {
		for _, name := range names {
			list = append(list, runtime.Frame{Function: name})
		}
		return list
	}
	assert.Equal(t, "(*heist).runqput", called(frames("gosched/exercises/ch07_runq.(*runQueue).Runqput", "gosched/chapters/ch07_runq.(*heist).runqput")))
	assert.Equal(t, "(*runQueue).Runqput", called(frames("gosched/exercises/ch07_runq.slot", "gosched/exercises/ch07_runq.(*runQueue).Runqput", "gosched/exercises/ch07_runq_test.mine.func2")))
	assert.Equal(t, "mine", called(frames("gosched/exercises/ch07_runq_test.mine.func2")))
}

// A folded row has the lines of the part, and not of the suite around it.
func TestPlaces(t *testing.T) {
	f := &Failure{Steps: []Step{{File: "suite/steal.go", Line: 80}, {File: "steal.go", Line: 12}, {File: "steal.go", Line: 15}, {File: "runq.go", Line: 3}}}
	assert.Equal(t, "steal.go:12-15", f.places(0, 3))
	assert.Equal(t, "steal.go", f.places(0, 4))
	assert.Equal(t, "suite/steal.go:80", f.places(0, 1))
}

// The write whose value another call finds later is the last to be left out.
func TestKeptWrite(t *testing.T) {
	f := &Failure{Steps: []Step{
		{Number: 1, Object: 1, Write: true, kind: opStore, call: "a"},
		{Number: 2, Object: 1, Write: true, kind: opStore, call: "a"},
		{Number: 3, Object: 1, kind: opLoad, call: "b"},
		{Number: 4, Object: 2, Write: true, kind: opStore, call: "b"},
		{Number: 5, Object: 2, kind: opLoad, call: "b"},
	}}
	assert.Equal(t, []weight{ownStep, keptStep, ownStep, ownStep, ownStep}, f.weights())
}

func TestWithoutIndex(t *testing.T) {
	assert.Equal(t, "batch[…]", withoutIndex("batch[(i+j)%uint32(len(b[0]))]"))
	assert.Equal(t, "slot(pp, t)", withoutIndex("slot(pp, t)"))
}
