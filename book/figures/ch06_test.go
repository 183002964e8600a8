package figures_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/book/figures"
	suite "gosched/chapters/ch06_p"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/trace"
)

// This file proves what the page of the chapter says about its figures.

// TestUpDown is the timeline: three Ps, one, and three again.
func TestUpDown(t *testing.T) {
	run := suite.Suite.FigureOn(t, figures.Version(t, "1.1"), "updown.go", 3)
	assert.Equal(t, "it was 3 and then 1\n", run.Stdout)
	var starts []int64
	for _, e := range run.Events(trace.Start, trace.Run) {
		if e.Kind == trace.Start {
			starts = append(starts, e.N)
		} else if len(starts) == 1 {
			assert.Zero(t, e.P, "with one P, at %d", e.T)
		}
	}
	assert.Equal(t, []int64{1, 3}, starts)
	assert.Zero(t, run.Events(trace.Preempt), "nobody is interrupted")
	var heads []int64
	for _, e := range run.Events(trace.Put) {
		if e.Q == "global" && e.Head {
			heads = append(heads, e.G)
		}
	}
	assert.NotEmpty(t, heads, "Gs of a P that dies, at the head of the global queue")
}

// TestNap is the M that waits for a timer without a P: it is the only one, and wakes by
// itself.
func TestNap(t *testing.T) {
	run := suite.Suite.FigureOn(t, figures.Version(t, "1.1"), "nap.go", 1)
	var did []trace.Kind
	for _, e := range run.Events(trace.Acquire, trace.Release, trace.Idle, trace.Wake) {
		did = append(did, e.Kind)
		assert.Zero(t, e.M)
	}
	assert.Equal(t, []trace.Kind{trace.Acquire, trace.Release, trace.Idle, trace.Wake, trace.Acquire}, did)
}

// TestHold: in Go 1.1 a goroutine that computes keeps the world from stopping.
func TestHold(t *testing.T) {
	const text = "GOMAXPROCS has changed; the loop had ended by then: "
	run := suite.Suite.FigureOn(t, figures.Version(t, "1.1"), "hold.go", 2)
	assert.Equal(t, text+"true\n", run.Stdout)
	real := figures.BuildReal(t, "chapters/ch06_p/programs/hold.go")
	for range tries {
		if real().Stdout == text+"false\n" {
			return
		}
	}
	t.Errorf("real Go waits for the loop as well, in %d of %d tries", tries, tries)
}

// TestWaits: there are more threads than GOMAXPROCS when goroutines are in system calls.
func TestWaits(t *testing.T) {
	run := figures.RealGo(t, "book/figures/ch06/real/waits.go")
	lines := strings.Split(strings.TrimSpace(run.Stdout), "\n")
	require.Len(t, lines, 3)
	number := func(line string) int {
		_, text, _ := strings.Cut(line, ": ")
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		return n
	}
	assert.Less(t, number(lines[0]), 20)
	assert.Greater(t, number(lines[1]), 20)
	assert.Equal(t, "GOMAXPROCS is still 2", lines[2])
}

// An edge is a change of the state of a P.
type edge struct{ from, to string }

// edges notes what the methods of Procs and World make of Ps.
type edges struct {
	gmp.Procs
	gmp.World
	s     *gmp.Sched
	seen  map[edge]bool
	state map[*gmp.P]string
}

// look compares pp with what it was when somebody looked last. Its state changes only in
// calls that come by here.
func (e *edges) look(pp *gmp.P) {
	now := check.PState(pp)
	if was, ok := e.state[pp]; ok && was != now {
		e.seen[edge{was, now}] = true
	}
	e.state[pp] = now
}

func (e *edges) lookAll() {
	for _, pp := range e.s.Allp.Get()[:cap(e.s.Allp.Get())] {
		if pp != nil {
			e.look(pp)
		}
	}
}

func (e *edges) Wirep(mp *gmp.M, pp *gmp.P) {
	e.look(pp)
	e.Procs.Wirep(mp, pp)
	e.look(pp)
}

func (e *edges) Releasep(mp *gmp.M) *gmp.P {
	e.look(mp.P.Get())
	pp := e.Procs.Releasep(mp)
	e.look(pp)
	return pp
}

func (e *edges) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	e.lookAll()
	list := e.Procs.Procresize(mp, nprocs)
	e.lookAll()
	return list
}

func (e *edges) StopTheWorldWithSema(mp *gmp.M, reason string) {
	e.look(mp.P.Get())
	e.World.StopTheWorldWithSema(mp, reason)
	e.lookAll()
}

// TestEdges is the table of the states of a P: in a run that changes GOMAXPROCS each edge
// of it is seen, and no other.
func TestEdges(t *testing.T) {
	v, seen := figures.Version(t, "1.1"), map[edge]bool{}
	procs, world := v.Procs, v.World
	var shared *edges
	get := func(s *gmp.Sched) *edges {
		if shared == nil || shared.s != s {
			shared = &edges{s: s, Procs: procs(s), World: world(s), seen: seen, state: map[*gmp.P]string{}}
		}
		return shared
	}
	v.Procs = func(s *gmp.Sched) gmp.Procs { return get(s) }
	v.World = func(s *gmp.Sched) gmp.World { return get(s) }
	for _, cpus := range []int{1, 4} {
		suite.Suite.FigureOn(t, v, "resize.go", cpus)
	}
	assert.Equal(t, map[edge]bool{
		{"idle", "running"}:   true, // Wirep
		{"running", "idle"}:   true, // Releasep
		{"idle", "gcstop"}:    true, // it was idle when the world stopped, or was just released
		{"running", "gcstop"}: true, // that of the one who stops the world
		{"gcstop", "idle"}:    true, // the world goes on
		{"gcstop", "running"}: true, // that of the one who has stopped it
		{"gcstop", "dead"}:    true, // there are fewer
		{"dead", "idle"}:      true, // there are more again
	}, seen)
}
