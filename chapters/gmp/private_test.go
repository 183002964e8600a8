package gmp

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPerPKeepsItsState(t *testing.T) {
	var count PerP[int]
	p0, p7 := &P{ID: 0}, &P{ID: 7}
	first := count.Of(p0)
	*first = 3
	*count.Of(p7) = 5 // the table grows
	assert.Same(t, first, count.Of(p0))
	assert.Equal(t, 3, *count.Of(p0))
	assert.Equal(t, 5, *count.Of(p7))
	assert.Zero(t, *count.Of(&P{ID: 6}))
}

func TestPerMFromManyThreads(t *testing.T) {
	var count PerM[int]
	var wg sync.WaitGroup
	for id := range int64(100) {
		wg.Go(func() {
			mp := &M{ID: id}
			for range 100 {
				*count.Of(mp)++
			}
		})
	}
	wg.Wait()
	for id := range int64(100) {
		assert.Equal(t, 100, *count.Of(&M{ID: id}), "M%d", id)
	}
}

func TestNoneHasNoWork(t *testing.T) {
	s := &Sched{}
	s.run.version = Version{Name: "1.1"}
	s.Parts = s.run.version.With(None).parts(s)
	gp, _, now, until, more := s.StealWork(nil, 7)
	assert.Nil(t, gp)
	assert.Equal(t, []any{int64(7), int64(0), false}, []any{now, until, more})
	assert.Zero(t, s.Netpoll(nil, 0).Size)
	now, until, more = s.CheckTimers(nil, nil, 9)
	assert.Equal(t, []any{int64(9), int64(0), false}, []any{now, until, more})
	worker, _ := s.FindRunnableGCWorker(nil, nil, 0)
	assert.Nil(t, worker)
	assert.Nil(t, s.Wakefing())
	assert.PanicsWithValue(t, Absent{"1.1", "Timers.TimeSleep"}, func() { s.TimeSleep(nil, nil, 1) }, "what is not a question for work is absent")
}

// A descriptor has no timers before it has a deadline.
func TestFirstDeadlineMakesTheTimer(t *testing.T) {
	timers := &setTimers{}
	s := NewBare(Version{}, nil)
	s.Timers = timers
	pd := s.Pollalloc(3)
	s.SetDeadlineTimer(nil, pd, 'r')
	assert.Nil(t, pd.Rt.Get())
	pd.Rd.Set(70)
	s.SetDeadlineTimer(nil, pd, 'r')
	first := pd.Rt.Get()
	pd.Rd.Set(80)
	s.SetDeadlineTimer(nil, pd, 'r')
	pd.Closing.Set(true)
	s.SetDeadlineTimer(nil, pd, 'r')
	s.SetDeadlineTimer(nil, pd, 'w')
	assert.Equal(t, []setTimer{{first, 70}, {first, 80}, {first, 0}}, timers.calls)
	assert.Nil(t, pd.Wt.Get())
}

// setTimers are Timers that note what is set.
type setTimers struct {
	absentTimers
	calls []setTimer
}

type setTimer struct {
	t    *Timer
	when int64 // 0 for a stop
}

func (p *setTimers) ModTimer(_ *M, t *Timer, when, _ int64) bool {
	p.calls = append(p.calls, setTimer{t, when})
	return false
}

func (p *setTimers) StopTimer(_ *M, t *Timer) bool {
	p.calls = append(p.calls, setTimer{t, 0})
	return false
}
