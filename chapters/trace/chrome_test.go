package trace

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/trace/chrometest"
)

// chromeOf writes log and reads it back. Whatever the log, a viewer can show the file.
func chromeOf(t *testing.T, log *Log) (chrometest.File, []byte) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, WriteChrome(&b, log))
	return chrometest.Read(t, b.Bytes()), b.Bytes()
}

// slice is one of a track.
func slice(name string, start, end int64) chrometest.Slice {
	return chrometest.Slice{Name: name, Start: start, End: end}
}

func TestChromeGolden(t *testing.T) {
	_, text := chromeOf(t, sample())
	golden(t, "sample.chrome.json", text)
}

func TestChromeTracks(t *testing.T) {
	f, _ := chromeOf(t, sample())
	tracks := f.Tracks(t)
	// P0 runs main, then G3 twice; main waits for the channel from 22 to 33.
	assert.Equal(t, []chrometest.Slice{slice("main", 0, 22), slice("G3", 22, 30), slice("G3", 30, 44)}, tracks[[2]int64{lanesPid, 1}])
	assert.Equal(t, []chrometest.Slice{
		slice("running", 0, 22), slice("waiting: chan receive", 22, 33), slice("runnable", 33, 35), slice("running", 35, 60),
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
	assert.Equal(t, map[string]int{"steal 1 of 2 from P0": 1, "stop the world": 1, "the world starts again, with 2 Ps": 1, "ask G3 to stop": 1, "a signal hits G3": 2, "retake from M0": 1, "the stack of G2 grows": 1, "park main": 1, "preempt G3": 1, "wake M1": 1, "timer": 1}, names)
	assert.Len(t, flows, 3, "main makes G2 and G3, G2 readies main")
}

func TestChromeTracksByMWithoutP(t *testing.T) {
	f, _ := chromeOf(t, &Log{Header: Header{Go: "0.x", Ms: 1, Unit: "ns"}, Events: []Event{
		{T: 1000, Kind: Run, M: 0, P: None, G: 1}, {T: 4500, Kind: Exit, M: 0, P: None, G: 1},
	}})
	assert.Equal(t, []chrometest.Slice{slice("main", 1000, 4500)}, f.Tracks(t)[[2]int64{lanesPid, 1}])
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
	assert.Equal(t, map[[2]int64][]chrometest.Slice{
		{lanesPid, 1}: {slice("main", 0, 5)}, {lanesPid, 2}: {slice("main", 5, 9)},
		{gsPid, 1}: {slice("running", 0, 5), slice("running", 5, 9)}, {gsPid, 2}: {slice("runnable", 2, 9)},
	}, f.Tracks(t))
	for _, e := range f.TraceEvents {
		assert.Zero(t, e.ID, "G2 never ran: no arrow leads to it")
	}
}

func TestChromeUnits(t *testing.T) {
	for unit, want := range map[string]int64{"instructions": 3000, "ns": 3000, "ps": 3} {
		f, _ := chromeOf(t, &Log{Header: Header{Unit: unit}, Events: []Event{
			{T: 0, Kind: Run, G: 1}, {T: 3000, Kind: Exit, G: 1},
		}})
		assert.Equal(t, want, f.Tracks(t)[[2]int64{lanesPid, 1}][0].End, unit)
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
