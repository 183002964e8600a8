package grade

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/semaphore"

	"gosched/chapters/check"
)

// Without what the race detector needs, a check of real threads passes as it is, and
// says what was left out.
func TestRaceSkipped(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("there the race detector needs nothing")
	}
	root, all := unpack(t)
	t.Setenv("CGO_ENABLED", "0")
	all[0].Suite.Checks[0].Kind = check.Stress
	grade := func(race Race, raced []string) Check {
		report, err := (&Grader{Root: root, Of: Exercises, All: all[:1], Race: race, Raced: raced}).Grade(context.Background())
		require.NoError(t, err)
		c := report.Chapters[0].Checks[0]
		assert.Equal(t, check.Pass, c.Status)
		return c
	}
	const skipped = "skipped: go test -race does not work here: "
	assert.Contains(t, grade(RaceAlways, nil).Race, skipped)
	assert.Contains(t, grade(RaceIfPassing, []string{all[0].ID}).Race, skipped)
	assert.Empty(t, grade(RaceAlways, []string{"ch99"}).Race, "it is not asked for in this chapter")
	all[0].Suite.Checks = append(all[0].Suite.Checks, check.Check{Name: "gone", Kind: check.Unit}) // it fails
	assert.Empty(t, grade(RaceIfPassing, nil).Race, "the chapter does not pass otherwise")
	assert.Contains(t, grade(RaceAlways, nil).Race, skipped)
}

// What is built for the race detector has only the chapters whose checks run there.
func TestRaceOfSome(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("there the race detector needs nothing, and takes a minute to build")
	}
	root, all := unpack(t)
	t.Setenv("CGO_ENABLED", "0")
	all[0].Suite.Checks[0].Kind = check.Stress
	builds := func(raced ...string) (builds []string) {
		var mu sync.Mutex
		progress := func(e Event) {
			mu.Lock()
			defer mu.Unlock()
			if e.Building != "" {
				builds = append(builds, e.Building)
			}
		}
		_, err := (&Grader{Root: root, Of: Exercises, All: all[:2], Race: RaceAlways, Raced: raced, Progress: progress}).Grade(context.Background())
		require.NoError(t, err)
		return builds
	}
	assert.Equal(t, []string{"2 chapters", "2 chapters for the race detector"}, builds())
	assert.Equal(t, []string{"2 chapters", "ch01 for the race detector"}, builds("ch01"))
	assert.Equal(t, []string{"2 chapters"}, builds("ch05"))
}

// A run under the race detector that is interrupted leaves no verdict, and is not said to
// have been skipped for a reason of its own.
func TestRaceInterrupted(t *testing.T) {
	root, _ := unpack(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	g := &grading{Grader: &Grader{Root: root, Of: Exercises}, slots: semaphore.NewWeighted(capacity)}
	c := &Check{ID: "ch02/two", Kind: check.Stress, Status: check.Pass}
	assert.ErrorIs(t, g.race(ctx, c, child{pkg: "exercises/ch02_two"}), context.Canceled)
	assert.Equal(t, check.Blocked, c.Status)
	assert.Empty(t, c.Race)
}

// What is graded can write where the race detector does. Then the check fails, and nothing of it is
// followed, and little kept.
func TestRaceReport(t *testing.T) {
	dir := t.TempDir()
	_, found := raceReport(dir)
	assert.False(t, found)
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("a solution"), 0o600))
	require.NoError(t, os.Symlink(secret, filepath.Join(dir, "race.1")))
	report, found := raceReport(dir)
	assert.True(t, found)
	assert.Empty(t, report)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "race.2"), bytes.Repeat([]byte("x"), 1<<20), 0o600))
	report, found = raceReport(dir)
	assert.True(t, found)
	assert.Len(t, report, evidenceLimit)
}

// The verdict names the places of the two uses, not those where threads were started.
func TestRaceVerdict(t *testing.T) {
	v := raceVerdict(`==================
WARNING: DATA RACE
Write at 0x00c00003a0b8 by goroutine 11:
  gosched/exercises/ch07_runq.(*runQueue).Runqgrab()
      /home/me/gosched/exercises/ch07_runq/steal.go:19 +0x87
  gosched/exercises/ch07_runq.(*runQueue).Runqsteal()
      /home/me/gosched/exercises/ch07_runq/steal.go:58 +0x15e

Previous read at 0x00c00003a0b8 by goroutine 12:
  gosched/exercises/ch07_runq.(*runQueue).Runqget()
      /home/me/gosched/exercises/ch07_runq/runq.go:99 +0x94

Goroutine 11 (running) created at:
  gosched/exercises/ch07_runq.other()
      /home/me/gosched/exercises/ch07_runq/other.go:1 +0x94
==================
`)
	assert.Equal(t, check.Fail, v.status)
	assert.Equal(t, "the race detector finds that two threads use the same plain memory, and nothing keeps them apart, at exercises/ch07_runq/steal.go:19 and exercises/ch07_runq/runq.go:99", v.message)
}
