package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"gosched/autograder/grade"
	"gosched/chapters"
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

// A run of one check adds to what is known. After an edit the others stand as of an earlier
// state, so that the score does not fall, and do not count for having passed; a run of all
// checks is right again.
func TestState(t *testing.T) {
	a := newTestApp(t, 80)
	ch, _ := a.findChapter("ch01")
	state := func() *chapterState { return a.loadState()["ch01"] }
	word := func() string { return chapterWord(a.app, ch, state()) }
	one := func(status check.Status) grade.Chapter {
		result := a.result("ch01", check.Pass, status, check.Pass, check.Pass)
		result.Checks = result.Checks[1:2]
		return result
	}
	a.save(t, one(check.Fail))
	assert.Equal(t, 0, state().score(ch))
	assert.Empty(t, word(), "nothing was edited since")
	a.save(t, a.result("ch01", check.Pass, check.Fail, check.Pass, check.Pass))
	assert.Equal(t, 15, state().score(ch))
	assert.False(t, state().Passed)

	a.write(t, "exercises/ch01_goroutine/goroutine.go", "package ch01 // new\n")
	a.save(t, one(check.Pass))
	assert.Equal(t, 20, state().score(ch), "what is known of the others stays")
	assert.Equal(t, " 20/20, edited", word())
	assert.False(t, state().Passed, "the others may not pass any more")
	a.save(t, a.result("ch01", check.Pass, check.Pass, check.Fail, check.Pass))
	assert.Equal(t, 16, state().score(ch))
	assert.Empty(t, word())
	runs := a.result("ch01", check.Pass, check.Pass, check.Pass, check.Pass)
	runs.Checks = runs.Checks[2:3]
	a.save(t, runs)
	assert.True(t, state().Passed, "the same sources, so all pass")

	a.write(t, "exercises/ch01_goroutine/goroutine.go", "package ch01 // newer\n")
	a.save(t, one(check.Fail))
	assert.Equal(t, 15, state().score(ch))
	assert.True(t, state().Passed, "it was passed once")

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

// The page of each chapter that the map sends people to is in the book.
func TestPages(t *testing.T) {
	a := &app{course: chapters.All}
	for _, ch := range a.written() {
		page, err := a.page([]string{ch.ID})
		assert.NoError(t, err)
		assert.FileExists(t, filepath.Join("..", "book", "en", strings.TrimSuffix(page, ".html")+".md"))
	}
	page, err := a.page(nil)
	assert.NoError(t, err)
	assert.Empty(t, page)
}

// The map names the page that explains the chapter, whatever has been done of it.
func TestMapReads(t *testing.T) {
	a := newTestApp(t, 80)
	for _, statuses := range [][]check.Status{
		{check.Todo, check.Todo, check.Todo, check.Todo},
		{check.BuildError, check.BuildError, check.BuildError, check.BuildError},
		{check.Pass, check.Fail, check.Pass, check.Pass},
	} {
		a.save(t, a.result("ch01", statuses...))
		_, out, _ := a.do()
		assert.Contains(t, out, "  read   go run ./autograder book ch01\n")
	}
}
