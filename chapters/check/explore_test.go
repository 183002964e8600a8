package check

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

func TestExploreWithOneThread(t *testing.T) {
	// A model of a queue under test that two threads put into, without a lock.
	c := &Check{Name: "model", Kind: Model, Methods: []string{"Globrunqput"}, Run: func(t *T) {
		t.Explore(explore.Options{}, func(m *explore.Model) {
			s, _ := t.Sched()
			gp := &gmp.G{Goid: machine.CellOf[int64](7)}
			m.Show(func(v any) string { return "G7" })
			m.Thread("owner", func() {
				m.Put(gp)
				s.Globrunqput(gp)
			})
			m.Check(func() {
				if gp := s.Globrunqget(); gp != nil {
					m.Take(gp)
				}
			})
		})
	}}
	run := func(q queue) Outcome { return suite.Run(c, version(q)) }

	var held *gmp.G
	put := func(gp *gmp.G) { held = gp }
	get := func() *gmp.G { return held }
	out := run(queue{put: put, get: get})
	assert.Equal(t, Pass, out.Status, out.Message)
	assert.Contains(t, out.Evidence, "exhaustive: ")

	out = run(queue{put: put, get: func() *gmp.G { return nil }})
	assert.Equal(t, Fail, out.Status)
	assert.Contains(t, out.Message, "violated check:\n  G7 is lost: owner put it, and it was never taken\n")
	assert.Contains(t, out.Message, "puts G7")

	out = run(queue{put: func(*gmp.G) { todo("Globrunqput") }, get: get})
	assert.Equal(t, Todo, out.Status)
	assert.Equal(t, "Globrunqput is not written yet", out.Message)
}
