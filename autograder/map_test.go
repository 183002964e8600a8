package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"gosched/autograder/grade"
	"gosched/chapters/check"
)

func TestMap(t *testing.T) {
	for _, tt := range []struct {
		name  string
		width int
		setup func(t *testing.T, a *testApp)
	}{
		{"new", 80, func(t *testing.T, a *testApp) {}},
		{"new-narrow", 40, func(t *testing.T, a *testApp) {}},
		{"some", 80, func(t *testing.T, a *testApp) {
			a.save(t, a.result("ch01", check.Pass, check.Fail, check.Todo, check.Todo))
		}},
		{"some-narrow", 40, func(t *testing.T, a *testApp) {
			a.save(t, a.result("ch01", check.Pass, check.Fail, check.Todo, check.Todo))
		}},
		{"edited", 80, func(t *testing.T, a *testApp) {
			a.save(t, a.result("ch01", check.Pass, check.Fail, check.Todo, check.Todo))
			a.write(t, "exercises/ch01_goroutine/goroutine.go", "package ch01 // new\n")
		}},
		{"no-build", 80, func(t *testing.T, a *testApp) {
			a.save(t, a.result("ch01", check.BuildError, check.BuildError, check.BuildError, check.BuildError))
		}},
		{"all", 80, func(t *testing.T, a *testApp) {
			second := a.result("ch02", check.Pass)
			second.OwnStack = grade.OwnFail
			a.save(t, a.result("ch01", check.Pass, check.Pass, check.Pass, check.Pass), second)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := newTestApp(t, tt.width)
			tt.setup(t, a)
			status, out, errs := a.do()
			assert.Zero(t, status)
			assert.Empty(t, errs)
			golden(t, "map-"+tt.name, out)
			for _, line := range strings.Split(out, "\n") {
				if len([]rune(line)) > tt.width && !strings.Contains(line, invocation) {
					t.Errorf("%d columns are too many: %q", len([]rune(line)), line)
				}
			}
		})
	}
}

// A partial run adds to what is known; other sources begin anew, but that the
// chapter was passed once stays known.
func TestState(t *testing.T) {
	a := newTestApp(t, 80)
	ch, _ := a.findChapter("ch01")
	a.save(t, a.result("ch01", check.Pass, check.Fail, check.Pass, check.Pass))
	partial := a.result("ch01", check.Pass, check.Pass, check.Pass, check.Pass)
	partial.Checks = partial.Checks[1:2]
	a.save(t, partial)
	st := a.loadState()["ch01"]
	assert.Equal(t, 4, st.count(ch, check.Pass))
	assert.True(t, st.Passed)

	a.write(t, "exercises/ch01_goroutine/goroutine.go", "package ch01 // new\n")
	partial.Checks[0].Status = check.Fail
	a.save(t, partial)
	st = a.loadState()["ch01"]
	assert.Equal(t, 0, st.count(ch, check.Pass))
	assert.True(t, st.Passed)

	a.write(t, ".gosched/state.json", "not JSON")
	assert.Empty(t, a.loadState())
}

func TestCurrent(t *testing.T) {
	a := newTestApp(t, 80)
	current := func() string {
		ch, err := a.current(a.loadState())
		assert.NoError(t, err)
		return ch.ID
	}
	assert.Equal(t, "ch01", current())
	a.save(t, a.result("ch01", check.Pass, check.Pass, check.Pass, check.Pass))
	assert.Equal(t, "ch02", current())
	a.save(t, a.result("ch02", check.Pass))
	assert.Equal(t, "ch02", current(), "the last one, when all pass")
}
