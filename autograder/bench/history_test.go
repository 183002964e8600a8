package bench

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What was written is read again; what is not whole is refused with what is wrong.
func TestHistory(t *testing.T) {
	row := func(name, version string, low, ratio, high float64) Row {
		return Row{Name: name, Version: version, Procs: 1, Comparison: Comparison{Estimate: Estimate{ratio, low, high}}}
	}
	h := History{Date: "2026-01-31", Go: "go1.26", System: "linux/amd64", CPU: "a CPU", Commit: "abc", Programs: []string{"yield", "tree"}, Versions: []string{"0.x", "1.0"}}
	report := &Report{Rows: []Row{row("yield", "0.x", 0.3, 0.40004, 0.5), row("yield", "1.0", 1, 2, 3), row("tree", "0.x", 1, 1, 1), row("tree", "1.0", 1, 2, 3)}}
	require.NoError(t, h.SetRatios(report))
	var text bytes.Buffer
	require.NoError(t, h.WriteJSON(&text))
	read, err := ReadHistory(text.Bytes())
	require.NoError(t, err)
	assert.Equal(t, &h, read)
	assert.Equal(t, HistoryRow{"yield", "0.x", 0.4, 0.3, 0.5}, read.Ratios[0])

	for _, c := range []struct{ old, new, want string }{
		{HistorySchema, "v0", `its schema is "v0" instead of "gosched/bench-history/v1"`},
		{"2026-01-31", "31/1", `its date is "31/1" and not like 2026-01-31`},
		{`"a CPU"`, `""`, "it does not say with which Go"},
		{`"low": 0.3`, `"low": 0.45`, "the ratio of yield on Go 0.x, 0.4, is not within its interval, 0.45 to 0.5"},
		{`"low": 0.3`, `"low": 0`, "is not within its interval"},
		{`"high": 0.5`, `"high": 0.35`, "is not within its interval"},
		{`"program": "tree"`, `"program": "yield"`, "its ratio 3 is of yield on Go 0.x instead of tree on Go 0.x"},
		{`"1.0"`, `"1.1"`, "its ratio 2 is of yield on Go 1.0 instead of yield on Go 1.1"},
		{`"versions": [`, `"versions": ["9",`, "it has 4 ratios for 2 programs on 3 versions"},
		{`"programs": [`, `"programs": [], "x": [`, "it has no programs or no versions"},
		{"{", "", "invalid character"},
	} {
		require.Contains(t, text.String(), c.old)
		_, err := ReadHistory([]byte(strings.Replace(text.String(), c.old, c.new, 1)))
		assert.ErrorContains(t, err, c.want)
	}

	report.Skipped = []Skipped{{"yield", 1, "why"}}
	assert.EqualError(t, h.SetRatios(report), "yield could not be measured: why")
	report.Skipped, report.Rows = nil, report.Rows[:3]
	assert.ErrorContains(t, h.SetRatios(report), "it has 3 ratios")
}

// The programs of the table are some of those that are measured, in their order.
func TestHistoryPrograms(t *testing.T) {
	var names []string
	for _, p := range Programs() {
		for _, name := range HistoryPrograms {
			if p.Name == name {
				names = append(names, name)
			}
		}
	}
	assert.ElementsMatch(t, HistoryPrograms, names)
}
