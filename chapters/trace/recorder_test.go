package trace

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOneBufferKeepsItsOrder(t *testing.T) {
	var r Recorder
	b := r.Buffer(0)
	// All at the same time, about several Ms, as on a host with one thread.
	for i := range 100 {
		b.Add(Event{T: 5, M: int32(9 - i%10), N: int64(i)})
	}
	log := r.Merge(Header{Go: "0.x"})
	assert.Equal(t, Header{Schema: Schema, Go: "0.x"}, log.Header)
	assert.Len(t, log.Events, 100)
	for i, e := range log.Events {
		assert.Equal(t, int64(i), e.N)
	}
}

func TestMergeOrder(t *testing.T) {
	var r Recorder
	two, one := r.Buffer(2), r.Buffer(1)
	assert.Same(t, two, r.Buffer(2))
	two.Add(Event{T: 1, M: 2, Text: "d"})
	two.Add(Event{T: 1, M: 1, Text: "e"}) // M2 records something about M1
	two.Add(Event{T: 0, M: 2, Text: "a"})
	one.Add(Event{T: 1, M: 1, Text: "b"})
	one.Add(Event{T: 1, M: 1, Text: "c"})
	one.Add(Event{T: 2, M: 1, Text: "f"})
	var got string
	for _, e := range r.Merge(Header{}).Events {
		got += e.Text
	}
	assert.Equal(t, "abcdef", got)
}

func TestBuffersOfSeveralThreads(t *testing.T) {
	var r Recorder
	var wg sync.WaitGroup
	for m := range int32(4) {
		wg.Go(func() {
			b := r.Buffer(m)
			for i := range int64(1000) {
				b.Add(Event{T: i, M: m})
			}
		})
	}
	wg.Wait()
	log := r.Merge(Header{})
	assert.Len(t, log.Events, 4000)
	for i, e := range log.Events {
		assert.Equal(t, Event{T: int64(i / 4), M: int32(i % 4)}, e)
	}
}
