package gmp

import (
	"gosched/chapters/machine"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestGQueue(t *testing.T) {
	var q GQueue
	assert.Nil(t, q.Pop())
	gs := []*G{{Goid: machine.CellOf[int64](1)}, {Goid: machine.CellOf[int64](2)}, {Goid: machine.CellOf[int64](3)}}
	for round := range 2 { // also after it was empty
		for i, gp := range gs {
			q.PushBack(gp)
			assert.Equal(t, GQueue{gs[0], gp, int32(i + 1)}, q, "round %d", round)
		}
		for i, gp := range gs {
			assert.Same(t, gp, q.Pop())
			assert.Nil(t, gp.Schedlink.Get(), "who has left points to nobody")
			assert.Equal(t, int32(2-i), q.Size)
		}
		assert.Equal(t, GQueue{}, q)
	}
}

// A bare Sched has the parts of its version, locks with names, and no machine.
func TestNewBare(t *testing.T) {
	s := NewBare(Version{Name: "test", Stealing: None.Stealing}, nil)
	gp, _, _, _, _ := s.StealWork(nil, 0)
	assert.Nil(t, gp)
	assert.Nil(t, s.Machine)
	assert.PanicsWithValue(t, Absent{"test", "RunQueue.Runqempty"}, func() { s.Runqempty(NewP(0, 4)) })
}
