package ch01

import (
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// An edge is an arrow of the diagram.
type edge struct{ from, to uint32 }

func (e edge) String() string { return gmp.StatusName(e.from) + " to " + gmp.StatusName(e.to) }

// edges are the legal ones.
var edges = []edge{
	{gmp.Gidle, gmp.Gdead},
	{gmp.Gdead, gmp.Grunnable},
	{gmp.Gdead, gmp.Gwaiting},
	{gmp.Grunnable, gmp.Grunning},
	{gmp.Grunning, gmp.Grunnable},
	{gmp.Grunning, gmp.Gwaiting},
	{gmp.Grunning, gmp.Gsyscall},
	{gmp.Grunning, gmp.Gdead},
	{gmp.Grunning, gmp.Gcopystack},
	{gmp.Grunning, gmp.Gpreempted},
	{gmp.Gwaiting, gmp.Grunnable},
	{gmp.Gwaiting, gmp.Grunning},
	{gmp.Gsyscall, gmp.Grunning},
	{gmp.Gsyscall, gmp.Grunnable},
	{gmp.Gcopystack, gmp.Grunning},
	{gmp.Gpreempted, gmp.Gwaiting},
}

// Edges are the legal moves of a G from one state to another, as {from, to}.
func Edges() [][2]uint32 {
	all := make([][2]uint32, len(edges))
	for i, e := range edges {
		all[i] = [2]uint32{e.from, e.to}
	}
	return all
}

// states are all that a G can be in, but for the scan bit.
var states = []uint32{
	gmp.Gidle, gmp.Grunnable, gmp.Grunning, gmp.Gsyscall,
	gmp.Gwaiting, gmp.Gdead, gmp.Gcopystack, gmp.Gpreempted,
}

// unknown is no state.
const unknown = gmp.Gpreempted + 1

func isEdge(e edge) bool { return slices.Contains(edges, e) }

// cas puts a fresh G into state is and calls Casgstatus for e. It returns what
// Casgstatus threw, and the state in which the G is then.
func cas(t *check.T, s *gmp.Sched, is uint32, e edge) (thrown string, then uint32) {
	gp := &gmp.G{Goid: machine.CellOf[int64](1)}
	gp.Atomicstatus.Store(is)
	thrown = t.Throws(func() { s.Casgstatus(gp, e.from, e.to) })
	return thrown, gp.Atomicstatus.Load()
}

func statusEdges(t *check.T) {
	s, _ := t.Sched()
	for _, e := range edges {
		thrown, then := cas(t, s, e.from, e)
		switch {
		case thrown != "":
			t.Errorf("Casgstatus refuses an arrow of the diagram, from %s; it threw %q", e, thrown)
		case then != e.to:
			t.Errorf("after Casgstatus from %s the G is %s", e, gmp.StatusName(then))
		}
	}
}

func statusIllegal(t *check.T) {
	s, _ := t.Sched()
	var made []string
	for _, from := range states {
		for _, to := range states {
			e := edge{from, to}
			if isEdge(e) {
				continue
			}
			thrown, then := cas(t, s, from, e)
			if thrown == "" {
				made = append(made, e.String())
			} else if then != from {
				t.Errorf("Casgstatus from %s threw %q, as it must, but afterwards the G is %s", e, thrown, gmp.StatusName(then))
			}
		}
	}
	if n := len(made); n > 0 {
		t.Errorf("Casgstatus accepts %d moves that are not arrows of the diagram, among them %s", n, strings.Join(made[:min(n, 3)], ", "))
	}

	for _, e := range []edge{
		{gmp.Gwaiting | gmp.Gscan, gmp.Grunnable},
		{gmp.Gwaiting, gmp.Grunnable | gmp.Gscan},
		{gmp.Gwaiting, gmp.Gwaiting | gmp.Gscan},
		{gmp.Gwaiting | gmp.Gscan, gmp.Gwaiting},
		{gmp.Grunnable | gmp.Gscan, gmp.Grunning | gmp.Gscan},
		{unknown, gmp.Gdead},
		{gmp.Gdead, unknown},
	} {
		thrown, then := cas(t, s, e.from, e)
		if thrown == "" || then != e.from {
			t.Errorf("Casgstatus must refuse the scan bit in its arguments, and anything that is not a state; from %s it threw %s, and the G that was %s is %s",
				e, check.Thrown(thrown), gmp.StatusName(e.from), gmp.StatusName(then))
			return
		}
	}
}

func statusWrongState(t *check.T) {
	s, _ := t.Sched()
	for _, e := range edges {
		for _, is := range states {
			if is == e.from {
				continue
			}
			for _, scan := range []uint32{0, gmp.Gscan} {
				thrown, then := cas(t, s, is|scan, e)
				if thrown == "" || then != is|scan {
					t.Fatalf("the G is %s, so Casgstatus from %s must throw and change nothing; it threw %s, and afterwards the G is %s",
						gmp.StatusName(is|scan), e, check.Thrown(thrown), gmp.StatusName(then))
				}
			}
		}
	}
}
