package main

import (
	"bytes"
	"context"
	"os"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/bench"
	"gosched/autograder/screen"
)

// Versions with one thread are measured with one P only.
func TestBenchSettings(t *testing.T) {
	settings, err := benchSettings([]string{"0.x", "1.1"}, []int{1, 2})
	require.NoError(t, err)
	assert.Equal(t, []bench.Setting{{Procs: 1, Versions: []string{"0.x", "1.1"}}, {Procs: 2, Versions: []string{"1.1"}}}, settings)
	_, err = benchSettings([]string{"0.x"}, []int{1, 2})
	assert.ErrorContains(t, err, "Go 0.x runs one goroutine at a time: --procs 2 needs Go 1.0 or later")
	_, err = benchSettings([]string{"1.1"}, []int{0})
	assert.ErrorContains(t, err, "--procs takes 1 to 256, not 0")
	_, err = benchSettings([]string{"1.6"}, []int{1})
	assert.ErrorContains(t, err, "there is no Go 1.6 in this course")
}

// A wrong name of a program is said with those that there are.
func TestBenchPrograms(t *testing.T) {
	all, err := benchPrograms(nil)
	require.NoError(t, err)
	assert.Equal(t, bench.Programs(), all)
	some, err := benchPrograms([]string{"pingpong", "yield"})
	require.NoError(t, err)
	require.Len(t, some, 2)
	assert.Equal(t, "yield", some[0].Name, "the order of the table")
	_, err = benchPrograms([]string{"yeld"})
	assert.ErrorContains(t, err, `--only: there is no program "yeld"; there are yield, pingpong,`)
}

// The table has a line for each program and version, and fits.
func TestShowBench(t *testing.T) {
	row := func(name, version string, procs int, ours, golang, low, ratio, high float64) bench.Row {
		return bench.Row{Name: name, Version: version, Procs: procs, Memory: name == "parked",
			Comparison: bench.Comparison{Estimate: bench.Estimate{Ratio: ratio, Low: low, High: high}, A: ours, B: golang}}
	}
	report := &bench.Report{
		Rows: []bench.Row{
			row("yield", "0.x", 1, 33.1, 83.6, 0.37, 0.381, 0.39),
			row("yield", "1.14", 1, 133.1, 83.6, 1.3, 1.381, 1.4),
			row("preempt p50", "1.14", 1, 20.3e6, 20.1e6, 1, 1.01, 1.02),
			row("sieve", "1.1", 2, 12_345_678, 999.96, 11000, 12345.678, 13000),
			row("parked", "1.1", 2, 2512.3, 2650, 0.94, 0.95, 0.96),
		},
		Skipped: []bench.Skipped{{Name: "busy", Procs: 2, Reason: "why"}},
		Notes:   []bench.Note{{Name: "yield", Procs: 1, Text: "only 7"}},
	}
	var out bytes.Buffer
	a := &app{out: &screen.Screen{Writer: &out, Width: 72}}
	settings := []bench.Setting{{Procs: 1}, {Procs: 2}}
	a.showBench(report, settings)
	assert.Equal(t, `1 P         Go         ours       Go   ratio  interval
yield       0.x     33.1 ns  83.6 ns    0.38  0.37–0.39
yield       1.14     133 ns  83.6 ns    1.38  1.30–1.40
preempt p50 1.14    20.3 ms  20.1 ms    1.01  1.00–1.02
yield        only 7

2 Ps        Go         ours       Go   ratio  interval
sieve       1.1     12.3 ms  1000 ns12345.68  11000.00–13000.00
parked      1.1      2512 B   2650 B    0.95  0.94–0.96
busy         skipped: why

`, out.String())

	out.Reset()
	report.IsAgainst("abc")
	a.showBench(report, settings[:1])
	assert.Equal(t, `1 P         Go         ours      old   ratio  interval
yield       0.x     33.1 ns  83.6 ns    0.38  0.37–0.39  faster
yield       1.14     133 ns  83.6 ns    1.38  1.30–1.40  slower
preempt p50 1.14    20.3 ms  20.1 ms    1.01  1.00–1.02  cannot tell
yield        only 7

`, out.String())
	for _, line := range bytes.Split(out.Bytes(), []byte("\n")) {
		assert.LessOrEqual(t, utf8.RuneCount(line), 72)
	}
}

// A commit that cannot be compared is refused in a sentence, before anything is built.
func TestBenchCommit(t *testing.T) {
	ctx := context.Background()
	a := &app{root: t.TempDir()}
	_, err := a.benchCommit(ctx, "HEAD")
	assert.ErrorContains(t, err, "--against needs git and a course that is one of its repositories")
	git := func(args ...string) {
		_, err := a.git(ctx, append([]string{"-c", "user.name=n", "-c", "user.email=e"}, args...)...)
		require.NoError(t, err, args)
	}
	git("init", "-q")
	git("commit", "-q", "--allow-empty", "-m", "empty")
	_, err = a.benchCommit(ctx, "nowhere")
	assert.EqualError(t, err, `--against: this repository has no commit "nowhere"`)
	_, err = a.benchCommit(ctx, "HEAD")
	assert.EqualError(t, err, "--against: commit HEAD cannot be measured, since it has no autograder/bench/ours/main.go")
	require.NoError(t, os.MkdirAll(a.path("autograder/bench/ours"), 0o755))
	require.NoError(t, os.WriteFile(a.path(oursSource), []byte("package main\n"), 0o644))
	git("add", ".")
	git("commit", "-q", "-m", "bench")
	commit, err := a.benchCommit(ctx, "HEAD")
	require.NoError(t, err)

	_, err = a.buildCommit(ctx, commit) // there is no module
	require.Error(t, err)
	trees, err := a.git(ctx, "worktree", "list")
	require.NoError(t, err)
	assert.NotContains(t, trees, "\n", "the worktree is still there")
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, err = a.buildCommit(cancelled, commit)
	require.Error(t, err)
	trees, err = a.git(ctx, "worktree", "list")
	require.NoError(t, err)
	assert.NotContains(t, trees, "\n", "the worktree is still there")
}
