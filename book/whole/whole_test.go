package whole

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/book"
	"gosched/chapters"
)

// TestMap: each method that the map names is in the contracts, each state of an edge is drawn,
// and each method of the contracts is graded in a chapter, or in one that is to come.
func TestMap(t *testing.T) {
	m, err := Map(os.DirFS("../.."))
	require.NoError(t, err)
	var methods []string
	for _, p := range m.Parts {
		for _, name := range p.Methods {
			methods = append(methods, p.Name+"."+name)
		}
	}
	assert.Len(t, m.Diagrams[0].Edges, 16)
	for _, d := range m.Diagrams {
		has := func(name string) bool {
			return slices.ContainsFunc(d.States, func(s book.State) bool { return s.Name == name })
		}
		for _, e := range d.Edges {
			assert.True(t, has(e.From) && has(e.To), "%s: %s to %s", d.Title, e.From, e.To)
			assert.NotEmpty(t, e.Note+strings.Join(e.Methods, ""), "%s: %s to %s", d.Title, e.From, e.To)
			for _, name := range e.Methods {
				assert.Contains(t, methods, name)
			}
		}
	}
	for _, s := range m.Sources {
		if s.Method != "" {
			assert.Contains(t, methods, s.Method)
		}
	}
	for _, p := range m.Parts {
		at := slices.IndexFunc(chapters.All, func(c chapters.Chapter) bool { return c.Suite != nil && slices.Contains(c.Suite.Parts, p.Name) })
		assert.GreaterOrEqual(t, at, 0, "no chapter has the part %s", p.Name)
	}
}

// TestMakers: who moves a G is read from the code, also where a function of the package does
// it for a method.
func TestMakers(t *testing.T) {
	m, err := Map(os.DirFS("../.."))
	require.NoError(t, err)
	made := map[[2]string][]string{}
	for _, e := range m.Diagrams[0].Edges {
		made[[2]string{e.From, e.To}] = e.Methods
	}
	assert.Equal(t, []string{"Loop.Execute"}, made[[2]string{"runnable", "running"}])
	assert.ElementsMatch(t, []string{"GCWork.GcBgMarkWorker", "Parking.Gopark", "World.ForEachP", "World.StopTheWorldWithSema"}, made[[2]string{"running", "waiting"}])
	assert.Equal(t, []string{"Signals.PreemptPark"}, made[[2]string{"running", "preempted"}])
	assert.Equal(t, []string{"Signals.SuspendG"}, made[[2]string{"preempted", "waiting"}])
	assert.Empty(t, made[[2]string{"dead", "waiting"}])
}

// TestRefuses: what has no place is an error that says where it is.
func TestRefuses(t *testing.T) {
	solution := func(body string) fstest.MapFS {
		return fstest.MapFS{"solutions/ch03_park/park.go": {Data: []byte("package ch03\n\nfunc (p *park) Gopark() {\n\t" + body + "\n}\n")}}
	}
	for body, want := range map[string]string{
		"p.s.Casgstatus(gp, gmp.Gdead, gmp.Grunning)": "solutions/ch03_park/park.go: Parking.Gopark moves a G from dead to running, and that is no edge",
		"pp.Status.Store(gmp.Pdead)":                  "solutions/ch03_park/park.go: Parking.Gopark makes a P dead (from any state), and the map has no such edge by it: add it to processors",
	} {
		moves, err := readMoves(solution(body))
		require.NoError(t, err)
		require.Len(t, moves, 1)
		all, err := readMoves(os.DirFS("../.."))
		require.NoError(t, err)
		moves = append(all, moves...)
		_, err = goroutines(moves)
		if err == nil {
			err = covers(processors, moves)
		}
		assert.EqualError(t, err, want)
	}
	_, err := Map(fstest.MapFS{})
	assert.EqualError(t, err, "no method moves a G from idle to dead: say in goroutineEdges who does")

	drawn := goroutineEdges[[2]string{"running", "dead"}]
	delete(goroutineEdges, [2]string{"running", "dead"})
	defer func() { goroutineEdges[[2]string{"running", "dead"}] = drawn }()
	_, err = Map(os.DirFS("../.."))
	assert.EqualError(t, err, "the map has no place for the edge of a G from running to dead: give it one in goroutineEdges")
}
