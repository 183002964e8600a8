package gmp

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine"
	"gosched/chapters/trace"
)

func TestHeld(t *testing.T) {
	for _, c := range []struct{ n, before, after, want int }{
		{8, 15, 15, 15},  // nothing happened in between
		{15, 15, 15, 15}, // nor here: this thief has taken all
		{1, 15, 15, 15},  // and this one too few
		{7, 13, 15, 14},  // the owner has put some
		{7, 15, 13, 14},  // or taken some
		{8, 16, 3, 16},
		{1, 0, 1, 1}, // runnext, which is not on the ring
		{3, 0, 0, 3},
	} {
		assert.EqualValues(t, c.want, held(c.n, c.before, c.after), "%+v", c)
	}
}

// brings is a NetPoller whose Netpoll brings one G.
type brings struct {
	NetPoller
	gp *G
}

func (b brings) Netpoll(mp *M, delay int64) (list GList) {
	list.Push(b.gp)
	return list
}

// What comes from the network becomes ready in Netpoll; and an M that may wait there sleeps.
func TestTraceOfNetpoll(t *testing.T) {
	for _, c := range []struct {
		delay int64
		want  []trace.Kind
	}{
		{0, []trace.Kind{trace.Ready}},
		{-1, []trace.Kind{trace.Idle, trace.Wake, trace.Ready}},
		{7, []trace.Kind{trace.Idle, trace.Wake, trace.Ready}},
	} {
		s, err := New(Version{Procs: func(*Sched) Procs { return nil }, NetPoller: func(*Sched) NetPoller { return brings{gp: &G{Goid: machine.CellOf[int64](5)}} }}, nil, Options{Trace: true})
		require.NoError(t, err)
		list := s.Netpoll(&M{ID: 3}, c.delay)
		assert.EqualValues(t, 5, list.Head.Goid.Get(), "the list itself is as it was")
		var got []trace.Kind
		for _, e := range s.finishTrace().Events {
			got = append(got, e.Kind)
			assert.EqualValues(t, 3, e.M)
			if e.Kind == trace.Ready {
				assert.EqualValues(t, 5, e.G)
			}
		}
		assert.Equal(t, c.want, got, "delay %d", c.delay)
	}
}
