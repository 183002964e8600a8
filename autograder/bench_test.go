package main

import (
	"bytes"
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

// The table has a line for each program and a column for each version, and fits.
func TestShowBench(t *testing.T) {
	var out bytes.Buffer
	a := &app{out: &screen.Screen{Writer: &out, Width: 72}}
	a.showBench(&bench.Report{
		Rows: []bench.Row{
			{Name: "yield", Version: "0.x", Procs: 1, Ours: 33.1, Go: 83.6, Ratio: 0.381},
			{Name: "yield", Version: "1.0", Procs: 1, Ours: 133.1, Go: 83.6, Ratio: 1.381},
			{Name: "yield", Version: "1.1", Procs: 1, Ours: 64.3, Go: 83.6, Ratio: 0.77},
			{Name: "preempt p50", Version: "1.1", Procs: 1, Ours: 20.3e6, Go: 20.1e6, Ratio: 1.01},
			{Name: "sieve", Version: "1.1", Procs: 2, Ours: 12_345_678, Go: 999.96, Ratio: 12345.678},
			{Name: "parked", Version: "1.1", Procs: 2, Memory: true, Ours: 2512.3, Go: 2650, Ratio: 0.95},
		},
		Skipped: []bench.Skipped{{Name: "busy", Procs: 2, Reason: "why"}},
		Notes:   []bench.Note{{Name: "yield", Procs: 1, Text: "only 7"}},
	}, []bench.Setting{{Procs: 1, Versions: []string{"0.x", "1.0", "1.1"}}, {Procs: 2, Versions: []string{"1.1"}}})
	assert.Equal(t, `1 P               0.x  ratio      1.0  ratio      1.1  ratio       Go
yield         33.1 ns   0.38   133 ns   1.38  64.3 ns   0.77  83.6 ns
preempt p50         -               -         20.3 ms   1.01  20.1 ms
yield        only 7

2 Ps              1.1  ratio       Go
sieve         12.3 ms12345.68  1000 ns
parked         2512 B   0.95   2650 B
busy         skipped: why

`, out.String())
	for _, line := range bytes.Split(out.Bytes(), []byte("\n")) {
		assert.LessOrEqual(t, utf8.RuneCount(line), 72)
	}
}
