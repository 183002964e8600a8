package ch06_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/solutions"
)

func newSched(t *testing.T) (*gmp.Sched, *gmp.M) {
	v, err := solutions.Go("1.1")
	require.NoError(t, err)
	return gmp.NewBare(v, nil), &gmp.M{}
}

func resize(s *gmp.Sched, mp *gmp.M, n int32) *gmp.P {
	s.Lock.Lock()
	defer s.Lock.Unlock()
	return s.Procresize(mp, n)
}

// idle are the IDs of the idle Ps, first to last.
func idle(s *gmp.Sched) (ids []int32) {
	for pp := s.Pidle; pp != nil; pp = pp.Link {
		ids = append(ids, pp.ID)
	}
	return ids
}

// stop takes the Ps off the list, as a world that stops does.
func stop(s *gmp.Sched) {
	s.Lock.Lock()
	defer s.Lock.Unlock()
	for s.Pidle != nil {
		pp, _ := s.Pidleget(1)
		pp.Status.Store(gmp.Pgcstop)
	}
}

func runnable(n int64) *gmp.G {
	gp := &gmp.G{Goid: n}
	gp.Atomicstatus.Store(gmp.Grunnable)
	return gp
}

func TestProcresizeUpAndDown(t *testing.T) {
	s, mp := newSched(t)
	assert.Nil(t, resize(s, mp, 4))
	assert.Same(t, s.Allp[0], mp.P)
	assert.Equal(t, []int32{1, 2, 3}, idle(s))
	assert.EqualValues(t, 3, s.Npidle.Load())
	third := s.Allp[2]

	stop(s)
	s.Runqput(s.Allp[1], runnable(1), false)
	for id := range int64(3) {
		s.Runqput(third, runnable(2+id), false)
	}
	third.GFree.Push(&gmp.G{Goid: 9})
	third.Sudogcache = append(third.Sudogcache, new(gmp.Sudog))
	s.Lock.Lock()
	s.Globrunqput(runnable(5))
	s.Lock.Unlock()

	list := resize(s, mp, 2)
	require.Same(t, s.Allp[1], list, "the P that has work")
	assert.Nil(t, list.Link)
	assert.Empty(t, idle(s))
	assert.Len(t, s.Allp, 2)
	assert.EqualValues(t, 2, s.Gomaxprocs)
	assert.Equal(t, gmp.Pdead, third.Status.Load())
	var global []int64
	for gp := s.Runq.Head; gp != nil; gp = gp.Schedlink.Get() {
		global = append(global, gp.Goid)
	}
	assert.Equal(t, []int64{2, 3, 4, 5}, global, "the Gs of a P that dies come first, in order")
	assert.EqualValues(t, 4, s.Runqsize.Load())
	assert.EqualValues(t, 1, s.GFree.N)
	assert.NotNil(t, s.Sudogcache)

	resize(s, mp, 300)
	assert.Same(t, third, s.Allp[2], "a dead P is used again")
	assert.Equal(t, gmp.Pidle, third.Status.Load())
	assert.Len(t, s.Allp, 300)
}

// An M whose P dies goes on with the first.
func TestProcresizeTakesTheFirst(t *testing.T) {
	s, mp := newSched(t)
	resize(s, mp, 3)
	first := s.Releasep(mp)
	s.Acquirep(mp, s.Allp[2])
	s.Lock.Lock()
	s.Pidleget(1)
	s.Pidleget(1)
	s.Lock.Unlock()
	resize(s, mp, 1)
	assert.Same(t, first, mp.P)
	assert.Same(t, mp, first.M)
}

func TestThrows(t *testing.T) {
	throws := func(msg string, fn func(s *gmp.Sched, mp *gmp.M)) {
		s, mp := newSched(t)
		resize(s, mp, 2)
		assert.PanicsWithValue(t, gmp.Fatal{Msg: msg}, func() { fn(s, mp) })
	}
	throws("procresize: invalid arg", func(s *gmp.Sched, mp *gmp.M) { s.Procresize(mp, 0) })
	throws("wirep: already in go", func(s *gmp.Sched, mp *gmp.M) { s.Wirep(mp, s.Allp[1]) })
	throws("wirep: invalid p state", func(s *gmp.Sched, mp *gmp.M) { s.Wirep(&gmp.M{}, s.Allp[0]) })
	throws("releasep: invalid arg", func(s *gmp.Sched, mp *gmp.M) { s.Releasep(&gmp.M{}) })
	throws("releasep: invalid p state", func(s *gmp.Sched, mp *gmp.M) {
		mp.P.Status.Store(gmp.Pgcstop)
		s.Releasep(mp)
	})
	throws("pidleput: P has non-empty run queue", func(s *gmp.Sched, mp *gmp.M) {
		s.Runqput(mp.P, runnable(1), false)
		s.Pidleput(s.Releasep(mp), 1)
	})
}

// What a P keeps goes to the list for all when it has too much, and comes back from
// there; nothing is lost.
func TestCaches(t *testing.T) {
	s, mp := newSched(t)
	resize(s, mp, 2)
	other := &gmp.M{}
	s.Acquirep(other, s.Allp[1])

	var sudogs []*gmp.Sudog
	for range 300 {
		sudogs = append(sudogs, s.AcquireSudog(mp))
	}
	for _, sg := range sudogs {
		s.ReleaseSudog(mp, sg)
	}
	known := map[*gmp.Sudog]bool{}
	for _, sg := range sudogs {
		known[sg] = true
	}
	for range 64 {
		assert.True(t, known[s.AcquireSudog(other)], "a sudog that another P has given away")
	}

	for id := range int64(100) {
		gp := &gmp.G{Goid: id + 1}
		gp.Stack.Lo, gp.Stack.Hi = 4096, 4096+gmp.StartingStack
		gp.Atomicstatus.Store(gmp.Gdead)
		s.Gfput(mp, gp)
		assert.Less(t, mp.P.GFree.Size, int32(64))
	}
	assert.EqualValues(t, 100, mp.P.GFree.Size+s.GFree.N)
	seen := map[int64]bool{}
	for _, mp := range []*gmp.M{other, mp} {
		for gp := s.Gfget(mp); gp != nil; gp = s.Gfget(mp) {
			assert.False(t, seen[gp.Goid], "G%d came twice", gp.Goid)
			seen[gp.Goid] = true
		}
	}
	assert.Len(t, seen, 100)
}
