// Package chrometest is for tests of files in the trace format of Chrome: whether a viewer
// can show them, and what it would show. It knows nothing of logs.
package chrometest

import (
	"bytes"
	"encoding/json"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A File is all that we write of Chrome's format.
type File struct {
	DisplayTimeUnit string
	OtherData       map[string]any
	TraceEvents     []struct {
		Name string
		Cat  string
		Ph   string
		Ts   json.Number
		Dur  json.Number
		Pid  int
		Tid  int64
		ID   int
		Bp   string
		S    string
		Args map[string]any
	}
}

// A Slice is one of a track, in nanoseconds.
type Slice struct {
	Name       string
	Start, End int64
}

// nanos returns the exact nanoseconds of a time in microseconds.
func nanos(t *testing.T, micros json.Number) int64 {
	t.Helper()
	whole, rest, ok := strings.Cut(micros.String(), ".")
	require.True(t, ok && len(rest) == 3, "%s has no three decimals", micros)
	n, err := strconv.ParseInt(whole+rest, 10, 64)
	require.NoError(t, err)
	return n
}

// Read reads a file. It fails the test unless the file is one that a viewer can show: its
// slices nest, its tracks have names, its arrows lead from somewhere to somewhere. A member
// that File does not have ends the test.
func Read(t *testing.T, text []byte) File {
	t.Helper()
	var f File
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&f))
	assertNested(t, f)
	assertNamed(t, f)
	assertArrows(t, f)
	return f
}

// assertNamed checks that each group and each track on which anything is has a
// name, and that no two in one group have the same.
func assertNamed(t *testing.T, f File) {
	t.Helper()
	type track struct {
		pid int
		tid int64
	}
	groups, tracks, taken := map[int]bool{}, map[track]bool{}, map[[2]any]bool{}
	for _, e := range f.TraceEvents {
		if name, ok := e.Args["name"]; ok && e.Ph == "M" {
			switch e.Name {
			case "process_name":
				groups[e.Pid] = true
			case "thread_name":
				tracks[track{e.Pid, e.Tid}] = true
				assert.False(t, taken[[2]any{e.Pid, name}], "two tracks of group %d are called %v", e.Pid, name)
				taken[[2]any{e.Pid, name}] = true
			}
		}
	}
	for _, e := range f.TraceEvents {
		if e.Ph == "M" {
			continue
		}
		require.Contains(t, []string{"X", "i", "s", "f"}, e.Ph, "what %q is", e.Name)
		require.NotEmpty(t, e.Name)
		require.True(t, groups[e.Pid], "%q is in group %d, which has no name", e.Name, e.Pid)
		require.True(t, tracks[track{e.Pid, e.Tid}], "%q is on track %d of group %d, which has no name", e.Name, e.Tid, e.Pid)
	}
}

// assertArrows checks that each arrow has one start and one end, in this order,
// and that the end is in a slice.
func assertArrows(t *testing.T, f File) {
	t.Helper()
	tracks := f.Tracks(t)
	ends, from := map[int]string{}, map[int]int64{}
	for _, e := range f.TraceEvents {
		if e.ID == 0 {
			continue
		}
		at := nanos(t, e.Ts)
		ends[e.ID] += e.Ph
		if e.Ph == "s" {
			from[e.ID] = at
			continue
		}
		assert.LessOrEqual(t, from[e.ID], at, "an arrow leads back in time")
		in := func(s Slice) bool { return s.Start <= at && at <= s.End }
		assert.True(t, slices.ContainsFunc(tracks[[2]int64{int64(e.Pid), e.Tid}], in), "an arrow leads to %d ns on track %d, where nothing runs", at, e.Tid)
	}
	for id, both := range ends {
		assert.Equal(t, "sf", both, "arrow %d has a start and then an end", id)
	}
}

// Tracks returns the slices of each track, which is a group and a number in it, sorted by start.
func (f File) Tracks(t *testing.T) map[[2]int64][]Slice {
	t.Helper()
	tracks := map[[2]int64][]Slice{}
	for _, e := range f.TraceEvents {
		if e.Ph != "X" {
			continue
		}
		ts, dur := nanos(t, e.Ts), nanos(t, e.Dur)
		require.GreaterOrEqual(t, dur, int64(0))
		key := [2]int64{int64(e.Pid), e.Tid}
		tracks[key] = append(tracks[key], Slice{e.Name, ts, ts + dur})
	}
	for _, s := range tracks {
		sort.SliceStable(s, func(i, j int) bool { return s[i].Start < s[j].Start })
	}
	return tracks
}

// assertNested checks that of two slices on one track one lies within the
// other or they do not overlap.
func assertNested(t *testing.T, f File) {
	t.Helper()
	for track, all := range f.Tracks(t) {
		var open []Slice
		for _, s := range all {
			for len(open) > 0 && open[len(open)-1].End <= s.Start {
				open = open[:len(open)-1]
			}
			if len(open) > 0 && s.End > open[len(open)-1].End {
				assert.Fail(t, "slices overlap", "track %v: %v and %v", track, open[len(open)-1], s)
			}
			open = append(open, s)
		}
	}
}
