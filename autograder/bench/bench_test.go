package bench

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/solutions"
)

// The cost is the median of the differences, whatever the start takes, and ours
// and Go's are run in turns.
func TestMeasure(t *testing.T) {
	var order []string
	made := func(ctx context.Context, p Program) (Runner, Runner, error) {
		if p.Name == "refused" {
			return nil, nil, errors.New("goto is not supported")
		}
		runner := func(name string, start float64, costs ...float64) Runner {
			calls := 0
			return func(ctx context.Context, n int) (float64, error) {
				order = append(order, name)
				cost := costs[calls/2]
				calls++
				return start + float64(n)*cost, nil
			}
		}
		if p.Name == "busy" {
			return runner("busy", 0, 0, 0, 0), runner("busy", 0, 1, 1, 1), nil
		}
		return runner("ours", 7000, 30, 900, 10), runner("go", 500, 60, 50, 1), nil
	}
	report, err := Measure(context.Background(), []Program{{Name: "yield", N: 10}, {Name: "refused"}, {Name: "busy", N: 10}, {Name: "sieve", N: 10, Whole: true}, {Name: "parked", N: 10, Memory: true}}, 3, made)
	require.NoError(t, err)
	assert.Equal(t, []Row{{"yield", 1, false, 30, 50, 0.6}, {"sieve", 1, false, 300, 500, 0.6}, {"parked", 1, true, 30, 50, 0.6}}, report.Rows)
	assert.Equal(t, strings.Fields("ours ours go go ours ours go go ours ours go go"), order[:12])
	assert.Equal(t, []Skipped{{"refused", "goto is not supported"}, {"busy", "the computer is too busy: twice the work cost no more"}}, report.Skipped)

	report.Rows, report.Skipped = append(report.Rows[:1], report.Rows[2]), nil
	var out bytes.Buffer
	require.NoError(t, report.WriteJSON(&out))
	assert.Equal(t, `{"schema":"gosched/bench/v1","rows":[{"name":"yield","procs":1,"ours_ns":30,"go_ns":50,"ratio":0.6},{"name":"parked","procs":1,"ours_bytes":30,"go_bytes":50,"ratio":0.6}]}`,
		strings.NewReplacer("\n", "", " ", "").Replace(out.String()))

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = Measure(ctx, []Program{{Name: "refused"}}, 3, made)
	assert.ErrorIs(t, err, context.Canceled)
}

// The simulator is measured by what it did, which is the same each time, and the time
// that it took.
func TestMeasureSimulator(t *testing.T) {
	for name, run := range map[string]func() (int64, error){"accesses": runAccesses, "turns": runTurns} {
		n, err := run()
		require.NoError(t, err)
		assert.Greater(t, n, int64(500_000), name)
		again, err := run()
		require.NoError(t, err)
		assert.Equal(t, n, again, name)
	}
	speed, err := MeasureSimulator(1)
	require.NoError(t, err)
	assert.Positive(t, speed.AccessesPerSec)
	assert.Positive(t, speed.TurnsPerSec)
}

// Every program runs to its end on our scheduler.
func TestPrograms(t *testing.T) {
	version, err := solutions.Go("0.x")
	require.NoError(t, err)
	for _, p := range Programs() {
		t.Run(p.Name, func(t *testing.T) {
			run, err := Ours(p, version)
			require.NoError(t, err)
			took, err := run(context.Background(), 4)
			require.NoError(t, err)
			assert.Positive(t, took)
		})
	}
	_, err = Ours(Program{Name: "bad", Source: "package main\nfunc main() { nothing() }\n"}, version)
	assert.ErrorContains(t, err, "nothing")
	run, err := Ours(Program{Name: "panics", Source: "package main\nfunc main() { panic(\"no\") }\n"}, version)
	require.NoError(t, err)
	_, err = run(context.Background(), 1)
	assert.ErrorContains(t, err, "it ended with status 2")
}

// The same source runs under Go.
func TestGo(t *testing.T) {
	dir := t.TempDir()
	run, err := Go(context.Background(), Programs()[0], dir)
	require.NoError(t, err)
	took, err := run(context.Background(), 4)
	require.NoError(t, err)
	assert.Positive(t, took)
	for _, p := range Programs() {
		if p.Memory {
			run, err := Go(context.Background(), p, dir)
			require.NoError(t, err)
			bytes, err := run(context.Background(), 4)
			require.NoError(t, err)
			assert.Greater(t, bytes, 4*2048.0)
		}
	}
	_, err = Go(context.Background(), Program{Name: "bad", Source: "package main\nfunc main() { nothing() }\n"}, dir)
	assert.ErrorContains(t, err, "undefined: nothing")
}
