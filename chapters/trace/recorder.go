package trace

import (
	"cmp"
	"slices"
	"sync"
)

// A Recorder collects the events of a run in one Buffer for each M, so that Ms
// on real threads need no lock and share no cache line. The zero Recorder is
// ready for use.
type Recorder struct {
	mu      sync.Mutex
	buffers []*Buffer // guarded by mu
}

// A Buffer holds the events that one M recorded, in its order.
type Buffer struct {
	m      int32
	events []Event
	_      [128]byte // keeps the next M's Buffer off this one's cache line
}

// Buffer returns the buffer of M number m, and makes it at the first call.
// Anyone may call it; an M keeps the result, since the call takes a lock.
func (r *Recorder) Buffer(m int32) *Buffer {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, b := range r.buffers {
		if b.m == m {
			return b
		}
	}
	b := &Buffer{m: m}
	r.buffers = append(r.buffers, b)
	return b
}

// Add records e. Only the M that owns b may call it: it takes no lock. The M in
// the event may be another one, as when its owner wakes that M.
func (b *Buffer) Add(e Event) { b.events = append(b.events, e) }

// Merge returns all events as one log: sorted by T; at the same T by the M
// whose Buffer holds them; and there in the order of the calls to Add. No M may
// be adding. A host that runs all Ms on one thread knows the order of events
// of the same T: it gives all of them the same Buffer, and the order stays.
func (r *Recorder) Merge(header Header) *Log {
	r.mu.Lock()
	defer r.mu.Unlock()
	buffers := slices.SortedFunc(slices.Values(r.buffers), func(a, b *Buffer) int { return cmp.Compare(a.m, b.m) })
	var events []Event
	for _, b := range buffers {
		events = append(events, b.events...)
	}
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.T, b.T) })
	header.Schema = Schema
	return &Log{Header: header, Events: events}
}
