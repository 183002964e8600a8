package figures_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/book/figures"
	suite "gosched/chapters/ch08_loop"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
)

// This file proves what the page of the chapter says about its runs, ours and those of
// the installed Go.

// seen reads the numbers that turns.go prints.
func seen(t *testing.T, stdout string) (list []int) {
	t.Helper()
	_, numbers, ok := strings.Cut(strings.TrimRight(stdout, "]\n"), "[")
	require.True(t, ok, "%s", stdout)
	for _, word := range strings.Fields(numbers) {
		n, err := strconv.Atoi(word)
		require.NoError(t, err)
		list = append(list, n)
	}
	return list
}

// apart reports whether main's turns are 61 time slices apart. The first of those who
// run inherits main's slice.
func apart(list []int) bool {
	for i := 1; i+1 < len(list); i++ {
		if n := list[i] - list[i-1]; n != 60 && (list[i-1] != 0 || n != 61) {
			return false
		}
	}
	return len(list) >= 4 && list[0] <= 61
}

// The distance between two turns is 61 slices, ours and Go's, whatever the phase.
func TestTurns(t *testing.T) {
	ours, err := playOnP(t, "ch08", "turns.go")
	require.NoError(t, err)
	assert.True(t, apart(seen(t, ours)), "%s", ours)

	real := figures.BuildReal(t, "chapters/ch08_loop/programs/turns.go")
	var all []string
	for range tries {
		out := real().Stdout
		if apart(seen(t, out)) {
			return
		}
		all = append(all, out)
	}
	t.Errorf("real Go: %q", all)
}

// playOnP runs a program on one P of a version.
func playOnP(t *testing.T, release, program string, args ...string) (stdout string, err error) {
	t.Helper()
	run, err := suite.Suite.Measure(figures.Version(t, release), program, sim.Options{CPUs: 1, Seed: 1}, func(o *gmp.Options) {
		o.Machine.Args = append([]string{program}, args...)
	})
	return run.Stdout, err
}

// served is what serve.go prints.
func served(rounds, servants, ring, global int) string {
	return fmt.Sprintf("rounds: %d servants: %d\nthe one in the ring ran %d times\nthe one in the global queue ran %d times\n", rounds, servants, ring, global)
}

// Who plays ping-pong over runnext keeps all others waiting; with two servants each
// round begins a new slice, and the tick comes; and before there was a runnext it came
// in any case.
func TestServe(t *testing.T) {
	for _, c := range []struct {
		release                string
		servants, ring, global int
	}{
		{"ch08", 1, 0, 0},
		{"ch08", 2, 1, 16},
		{"1.1", 1, 1, 33},
		{"1.1", 2, 1, 66},
	} {
		got, err := playOnP(t, c.release, "serve.go", "1000", strconv.Itoa(c.servants))
		require.NoError(t, err)
		assert.Equal(t, served(1000, c.servants, c.ring, c.global), got, "Go %s", c.release)
	}
}

// The real scheduler does the same, but for sysmon, which ends a slice that is too long.
func TestRealServe(t *testing.T) {
	real := figures.BuildReal(t, "chapters/ch08_loop/programs/serve.go")
	for servants, want := range map[string][]string{
		"1": {served(1000, 1, 0, 0)},
		"2": {served(1000, 2, 1, 16), served(1000, 2, 1, 17)},
	} {
		var all []string
		for found := false; !found && len(all) < tries; {
			out := real("1000", servants).Stdout
			all, found = append(all, out), slices.Contains(want, out)
		}
		assert.Contains(t, want, all[len(all)-1], "real Go, with %s servants: %q", servants, all)
	}
	for rounds := 100_000; ; rounds *= 10 {
		require.Less(t, rounds, 1_000_000_000, "the real Go never lets the others run beside a ping-pong")
		if out := real(strconv.Itoa(rounds), "1").Stdout; !strings.Contains(out, "ran 0 times") {
			break
		}
	}
}
