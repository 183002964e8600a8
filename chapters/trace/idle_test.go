package trace

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSpan(t *testing.T) {
	assert.EqualValues(t, 0, (&Log{}).Span())
	assert.EqualValues(t, 0, (&Log{Events: []Event{{T: 7}}}).Span())
	assert.EqualValues(t, 5, (&Log{Events: []Event{{T: 7}, {T: 9}, {T: 12}}}).Span())
}

func TestIdleBesideWork(t *testing.T) {
	put := func(t, g int64) Event { return Event{T: t, Kind: Put, G: g} }
	ms := Header{}
	ps := Header{Procs: 2}
	for _, c := range []struct {
		what   string
		header Header
		cpus   int
		events []Event
		want   int64
	}{
		{"nothing waits", ms, 4, []Event{{T: 0, Kind: Run, G: 1}, {T: 100, Kind: End}}, 0},
		{"one M, one CPU", ms, 1, []Event{put(10, 2), {T: 100, Kind: End}}, 0},
		{"one M, four CPUs, one G waits", ms, 4, []Event{put(10, 2), {T: 30, Kind: Get, G: 2}, {T: 100, Kind: End}}, 20},
		{"five Gs wait for three CPUs", ms, 4, []Event{put(10, 2), put(10, 3), put(10, 4), put(10, 5), put(10, 6), {T: 20, Kind: End}}, 30},
		{"an M is on its way", ms, 2, []Event{put(10, 2), {T: 15, Kind: NewM, M: 1}, {T: 100, Kind: End}}, 5},
		{"the other M sleeps", ms, 2, []Event{{T: 0, Kind: NewM, M: 1}, {T: 1, Kind: Idle, M: 1}, put(10, 2), {T: 14, Kind: Wake, M: 1}, {T: 100, Kind: End}}, 4},
		{"a P without M", ps, 2, []Event{{Kind: Acquire, M: 0}, put(10, 2), {T: 25, Kind: Acquire, M: 1, P: 1}, {T: 100, Kind: End}}, 15},
		{"an M that gives up its P", ps, 1, []Event{{Kind: Acquire, M: 0}, put(10, 2), {T: 30, Kind: Release, M: 0}, {T: 37, Kind: Run, G: 2}, {T: 50, Kind: End}}, 7},
		{"what is stolen still waits, but for the one that runs", ps, 2, []Event{{Kind: Acquire, M: 0}, put(0, 2), put(0, 3), {T: 0, Kind: Acquire, M: 1, P: 1},
			{T: 5, Kind: Steal, M: 1, Gs: []int64{2, 3}}, {T: 6, Kind: Run, M: 1, G: 3}, {T: 7, Kind: Release, M: 0}, {T: 10, Kind: End}}, 3},
	} {
		assert.Equal(t, c.want, (&Log{Header: c.header, Events: c.events}).IdleBesideWork(c.cpus), c.what)
	}
}
