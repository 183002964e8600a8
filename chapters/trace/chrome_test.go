package trace

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A chromeFile is all that we write of Chrome's format. It is read strictly.
type chromeFile struct {
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

// A slice is one of a track, in nanoseconds.
type slice struct {
	name       string
	start, end int64
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

// chromeOf writes log and reads it back. Whatever the log, the file must be one
// that a viewer can show: its slices nest, its tracks have names,
// its arrows lead from somewhere to somewhere.
func chromeOf(t *testing.T, log *Log) (chromeFile, []byte) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, WriteChrome(&b, log))
	var f chromeFile
	d := json.NewDecoder(bytes.NewReader(b.Bytes()))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&f))
	assertNested(t, f)
	assertNamed(t, f)
	assertArrows(t, f)
	return f, b.Bytes()
}

// assertNamed checks that each group and each track on which anything is has a
// name, and that no two in one group have the same.
func assertNamed(t *testing.T, f chromeFile) {
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
func assertArrows(t *testing.T, f chromeFile) {
	t.Helper()
	tracks := f.tracks(t)
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
		in := func(s slice) bool { return s.start <= at && at <= s.end }
		assert.True(t, slices.ContainsFunc(tracks[[2]int64{int64(e.Pid), e.Tid}], in), "an arrow leads to %d ns on track %d, where nothing runs", at, e.Tid)
	}
	for id, both := range ends {
		assert.Equal(t, "sf", both, "arrow %d has a start and then an end", id)
	}
}

// tracks returns the slices of each track, sorted by start.
func (f chromeFile) tracks(t *testing.T) map[[2]int64][]slice {
	t.Helper()
	tracks := map[[2]int64][]slice{}
	for _, e := range f.TraceEvents {
		if e.Ph != "X" {
			continue
		}
		ts, dur := nanos(t, e.Ts), nanos(t, e.Dur)
		require.GreaterOrEqual(t, dur, int64(0))
		key := [2]int64{int64(e.Pid), e.Tid}
		tracks[key] = append(tracks[key], slice{e.Name, ts, ts + dur})
	}
	for _, s := range tracks {
		sort.SliceStable(s, func(i, j int) bool { return s[i].start < s[j].start })
	}
	return tracks
}

// assertNested checks that of two slices on one track one lies within the
// other or they do not overlap.
func assertNested(t *testing.T, f chromeFile) {
	t.Helper()
	for track, all := range f.tracks(t) {
		var open []slice
		for _, s := range all {
			for len(open) > 0 && open[len(open)-1].end <= s.start {
				open = open[:len(open)-1]
			}
			if len(open) > 0 && s.end > open[len(open)-1].end {
				assert.Fail(t, "slices overlap", "track %v: %v and %v", track, open[len(open)-1], s)
			}
			open = append(open, s)
		}
	}
}

func TestChromeGolden(t *testing.T) {
	_, text := chromeOf(t, sample())
	golden(t, "sample.chrome.json", text)
}

func TestChromeTracks(t *testing.T) {
	f, _ := chromeOf(t, sample())
	tracks := f.tracks(t)
	// P0 runs main, then G3 twice; main waits for the channel from 22 to 33.
	assert.Equal(t, []slice{{"main", 0, 22}, {"G3", 22, 30}, {"G3", 30, 44}}, tracks[[2]int64{lanesPid, 1}])
	assert.Equal(t, []slice{
		{"running", 0, 22}, {"waiting: chan receive", 22, 33}, {"runnable", 33, 35}, {"running", 35, 60},
	}, tracks[[2]int64{gsPid, 1}])
	names := map[string]int{}
	flows := map[int]string{}
	for _, e := range f.TraceEvents {
		if e.Ph == "i" {
			names[e.Name]++
		}
		if e.ID != 0 {
			flows[e.ID] += e.Ph
		}
	}
	assert.Equal(t, map[string]int{"steal 1 of 2 from P0": 1, "stop the world": 1, "the world goes on, with 2 Ps": 1, "park main": 1, "preempt G3": 1, "wake M1": 1, "timer": 1}, names)
	assert.Len(t, flows, 3, "main makes G2 and G3, G2 readies main")
}

func TestChromeTracksByMWithoutP(t *testing.T) {
	f, _ := chromeOf(t, &Log{Header: Header{Go: "0.x", Ms: 1, Unit: "ns"}, Events: []Event{
		{T: 1000, Kind: Run, M: 0, P: None, G: 1}, {T: 4500, Kind: Exit, M: 0, P: None, G: 1},
	}})
	assert.Equal(t, []slice{{"main", 1000, 4500}}, f.tracks(t)[[2]int64{lanesPid, 1}])
	var names []any
	for _, e := range f.TraceEvents {
		if e.Ph == "M" && e.Args["name"] != nil {
			names = append(names, e.Args["name"])
		}
	}
	assert.Equal(t, []any{"Ms", "Gs", "M0", "main"}, names)
}

func TestChromeOfAGThatRunsTwice(t *testing.T) {
	f, _ := chromeOf(t, &Log{Header: Header{Procs: 2, Unit: "ns"}, Events: []Event{
		{T: 0, Kind: Run, M: 0, P: 0, G: 1}, {T: 2, Kind: Create, M: 0, P: 0, G: 2, By: 1},
		{T: 5, Kind: Run, M: 1, P: 1, G: 1}, {T: 7, Kind: Park, M: 0, P: 0, G: 1}, {T: 9, Kind: Exit, M: 1, P: 1, G: 1},
	}})
	assert.Equal(t, map[[2]int64][]slice{
		{lanesPid, 1}: {{"main", 0, 5}}, {lanesPid, 2}: {{"main", 5, 9}},
		{gsPid, 1}: {{"running", 0, 5}, {"running", 5, 9}}, {gsPid, 2}: {{"runnable", 2, 9}},
	}, f.tracks(t))
	for _, e := range f.TraceEvents {
		assert.Zero(t, e.ID, "G2 never ran: no arrow leads to it")
	}
}

func TestChromeUnits(t *testing.T) {
	for unit, want := range map[string]int64{"instructions": 3000, "ns": 3000, "ps": 3} {
		f, _ := chromeOf(t, &Log{Header: Header{Unit: unit}, Events: []Event{
			{T: 0, Kind: Run, G: 1}, {T: 3000, Kind: Exit, G: 1},
		}})
		assert.Equal(t, want, f.tracks(t)[[2]int64{lanesPid, 1}][0].end, unit)
	}
	assert.ErrorContains(t, WriteChrome(new(bytes.Buffer), &Log{Header: Header{Unit: "days"}}), `the header's unit is "days"`)
}

// Logs of real threads are slightly out of order, and a broken scheduler runs
// one G twice. The picture must stay well formed.
func TestChromeOfAnyLogNests(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		log := &Log{Header: Header{Procs: r.IntN(4), Unit: "ps"}}
		now := int64(0)
		for range 100 {
			now += r.Int64N(5000) - 500
			log.Events = append(log.Events, Event{
				T: max(now, 0), Kind: kinds[r.IntN(len(kinds))], M: r.Int32N(4) - 1, P: r.Int32N(4) - 1, G: r.Int64N(6) - 1, By: r.Int64N(6),
			})
		}
		chromeOf(t, log)
		if t.Failed() {
			return
		}
	}
}
