package check

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// slotQueue is a GlobalQueue of one slot, from which two threads may get. Its get is
// wrong if it loads and then stores.
type slotQueue struct {
	s    *gmp.Sched
	slot machine.Pointer[gmp.G]
	get  func(q *slotQueue) *gmp.G
}

func (q *slotQueue) Globrunqput(gp *gmp.G)     { q.slot.Store(gp) }
func (q *slotQueue) Globrunqputhead(gp *gmp.G) { q.slot.Store(gp) }
func (q *slotQueue) Globrunqget() *gmp.G       { return q.get(q) }

func slots(get func(q *slotQueue) *gmp.G) gmp.Version {
	return gmp.Version{Name: "test", GlobalQueue: func(s *gmp.Sched) gmp.GlobalQueue { return &slotQueue{s: s, get: get} }}
}

func swaps(q *slotQueue) *gmp.G { return q.slot.Swap(nil) }

func loadsAndStores(q *slotQueue) *gmp.G {
	gp := q.slot.Load()
	q.s.Printf("found it")
	q.slot.Store(nil)
	return gp
}

func (t *T) twoTakers() {
	t.Explore(explore.Options{}, func(m *explore.Model) { twoTakers(m, t.Bare(m)) })
}

// twoTakers is a model of two threads that get.
func twoTakers(m *explore.Model, s *gmp.Sched) {
	gp := &gmp.G{Goid: machine.CellOf[int64](1)}
	m.Put(gp)
	s.Globrunqput(gp)
	for _, name := range []string{"a", "b"} {
		m.Thread(name, func() {
			if gp := s.Globrunqget(); gp != nil {
				m.Take(gp)
			}
		})
	}
}

var models = &Suite{ID: "ch98", Checks: []Check{
	{Name: "once", Kind: Model, Methods: []string{"Globrunqget"}, Run: func(t *T) { t.twoTakers() }},
	{Name: "mine", Kind: Mine},
}}

func TestExplore(t *testing.T) {
	c := models.Check("once")
	out := models.Run(c, slots(swaps))
	assert.Equal(t, Pass, out.Status)
	assert.Contains(t, out.Evidence, "exhaustive: ")

	out = models.Run(c, slots(loadsAndStores))
	assert.Equal(t, Fail, out.Status)
	assert.Contains(t, out.Message, "is doubled: it was put once and taken twice")
	assert.Contains(t, out.Message, "found it", "what a part prints stands in the counterexample")
	require.NotNil(t, out.Failure)

	t.Setenv(explore.ReplayEnv, out.Failure.Replay)
	again := models.Run(c, slots(loadsAndStores))
	require.NotNil(t, again.Failure, "the schedule stands for the failure")
	assert.Equal(t, out.Failure.Steps, again.Failure.Steps)
	assert.Contains(t, again.Evidence, "found in 1 execution")
}

func TestExploreMeetsATodo(t *testing.T) {
	out := models.Run(models.Check("once"), slots(func(*slotQueue) *gmp.G { panic(gmp.TODO("Globrunqget")) }))
	assert.Equal(t, Todo, out.Status)
	assert.Equal(t, "Globrunqget is not written yet", out.Message)
}

func TestExploreOnce(t *testing.T) {
	twice := Check{Name: "twice", Kind: Model, Run: func(t *T) { t.twoTakers(); t.twoTakers() }}
	out := models.Run(&twice, slots(swaps))
	assert.Equal(t, Fail, out.Status)
	assert.Contains(t, out.Message, "a check explores one model")
}

func TestMineModel(t *testing.T) {
	mutant := Mutant{Name: "loads", What: "it loads and then stores", Parts: slots(loadsAndStores)}
	file := filepath.Join(t.TempDir(), "results")
	judge := func(mine func(m *explore.Model, s *gmp.Sched)) Record {
		ordered(t, file)
		require.NoError(t, os.WriteFile(file, nil, 0o644))
		var inner testing.T
		models.TestMineModel(&inner, slots(swaps), []Mutant{mutant}, mine)
		f, err := os.Open(file)
		require.NoError(t, err)
		defer f.Close()
		var last Record
		for lines := bufio.NewScanner(f); lines.Scan(); {
			require.NoError(t, json.Unmarshal(unsealed(t, lines.Bytes()), &last))
		}
		return last
	}
	assert.Equal(t, Pass, judge(twoTakers).Status)
	idle := judge(func(m *explore.Model, s *gmp.Sched) { m.Thread("a", func() {}) })
	assert.Equal(t, Fail, idle.Status)
	assert.Contains(t, idle.Message, "loads: it loads and then stores")
	assert.Nil(t, idle.Story, "it is about the solution, on which it passes")
	panics := judge(func(m *explore.Model, s *gmp.Sched) { m.Thread("a", func() { panic("no") }) })
	require.NotNil(t, panics.Story)
	assert.Equal(t, "mine", panics.Story.Title)
	assert.Equal(t, []string{"a"}, panics.Story.Threads)
	assert.NotEmpty(t, panics.Story.Replay)
}

// While an exploration hangs, no other check can run in the process.
func TestNothingRunsBesideAnExploration(t *testing.T) {
	exploring.Store(true)
	defer exploring.Store(false)
	out := models.Run(models.Check("once"), slots(swaps))
	assert.Equal(t, Blocked, out.Status)
	assert.Contains(t, out.Message, "run this check alone")
}
