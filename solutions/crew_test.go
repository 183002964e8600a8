package solutions_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
	"gosched/solutions"
)

// explored is what becomes of a model on the right parts of chapter 3.
func explored(play func(c *check.Crew)) check.Outcome {
	suite := &check.Suite{ID: "ch99"}
	c := &check.Check{Name: "model", Kind: check.Model, Run: func(t *check.T) { t.Crew(explore.Options{}, play) }}
	return suite.Run(c, solutions.Base("ch03"))
}

// A door is where one G waits and another one lets it go on.
type door struct {
	mu      machine.Mutex
	waiting machine.Cell[*gmp.G]
	opened  machine.Cell[bool]
}

func (d *door) unlock(*gmp.G, any) bool {
	d.mu.Unlock()
	return true
}

// comes lets a G wait at the door, unless it is open.
func (d *door) comes(c *check.Crew, last func(gp *gmp.G)) check.Step {
	return func(mp *gmp.M, gp *gmp.G) {
		d.mu.Lock()
		if d.opened.Get() {
			d.mu.Unlock()
			return
		}
		d.waiting.Set(gp)
		c.S.Gopark(mp, gp, d.unlock, nil, gmp.WaitReasonSleep)
		last(gp)
	}
}

// opens lets a G open it.
func (d *door) opens(c *check.Crew, last func(gp *gmp.G)) check.Step {
	return func(mp *gmp.M, gp *gmp.G) {
		d.mu.Lock()
		d.opened.Set(true)
		waiting := d.waiting.Get()
		d.mu.Unlock()
		if waiting != nil {
			c.S.Goready(mp, waiting)
			last(waiting)
		}
	}
}

func nothing(*gmp.G) {}

func TestCrew(t *testing.T) {
	met := map[string]bool{}
	out := explored(func(c *check.Crew) {
		d, order := &door{}, ""
		c.Free("the door", &d.mu)
		g1 := c.Go(d.comes(c, nothing), func(*gmp.M, *gmp.G) { order += "in" })
		c.Go(d.opens(c, nothing))
		c.Check(func() {
			assert.True(c, c.Ended(g1))
			met[order] = true
		})
	})
	assert.Equal(t, check.Pass, out.Status, out.Message)
	assert.Contains(t, out.Evidence, "exhaustive: ")
	assert.Equal(t, map[string]bool{"in": true}, met)
}

// Whoever parked a G, or made it ready, must not touch it any more: that it may have ended
// is enough.
func TestCrewSeesTouchesAfterwards(t *testing.T) {
	writes := func(gp *gmp.G) { gp.Param.Set(nil) }
	reads := func(gp *gmp.G) { gp.Waitreason.Get() }
	for name, last := range map[string][2]func(gp *gmp.G){
		"the one who parked writes":  {writes, nothing},
		"the one who readied writes": {nothing, writes},
		"the one who readied reads":  {nothing, reads},
	} {
		out := explored(func(c *check.Crew) {
			d := &door{}
			c.Go(d.comes(c, last[0]))
			c.Go(d.opens(c, last[1]))
		})
		assert.Equal(t, check.Fail, out.Status, name)
		assert.Contains(t, out.Message, "data race", name)
	}
}

func TestCrewSeesLostWakeups(t *testing.T) {
	forgets := func(c *check.Crew, d *door) check.Step {
		return func(mp *gmp.M, gp *gmp.G) {
			d.mu.Lock()
			waiting := d.waiting.Get()
			d.mu.Unlock()
			if waiting != nil {
				c.S.Goready(mp, waiting)
			}
		}
	}
	play := func(may bool) func(c *check.Crew) {
		return func(c *check.Crew) {
			d := &door{}
			gp := c.Go(d.comes(c, nothing))
			c.Go(forgets(c, d))
			if may {
				c.MayWait(gp)
			}
		}
	}
	out := explored(play(false))
	assert.Equal(t, check.Fail, out.Status)
	assert.Contains(t, out.Message, "G1 waits for ever (sleep)")
	assert.Equal(t, check.Pass, explored(play(true)).Status)
}

func TestCrewSeesTwoWakeups(t *testing.T) {
	out := explored(func(c *check.Crew) {
		gp := c.Parked()
		for range 2 {
			c.Go(func(mp *gmp.M, _ *gmp.G) { c.S.Goready(mp, gp) })
		}
	})
	assert.Equal(t, check.Fail, out.Status)
	assert.Contains(t, out.Message, "G1 is made ready although it is not waiting")
}

// A G that yields runs at once on another M, with its next step.
func TestCrewYields(t *testing.T) {
	out := explored(func(c *check.Crew) {
		var first *gmp.M
		gp := c.Go(
			func(mp *gmp.M, gp *gmp.G) {
				first = mp
				c.S.GoschedImpl(mp, gp, false)
			},
			func(mp *gmp.M, gp *gmp.G) { assert.NotSame(c, first, mp) },
		)
		c.Check(func() { assert.True(c, c.Ended(gp)) })
	})
	assert.Equal(t, check.Pass, out.Status, out.Message)
}

func TestCrewSeesLocksThatAreHeld(t *testing.T) {
	out := explored(func(c *check.Crew) {
		var mu machine.Mutex
		c.Free("the lock", &mu)
		c.Go(func(*gmp.M, *gmp.G) { mu.Lock() })
	})
	assert.Equal(t, check.Fail, out.Status)
	assert.Contains(t, out.Message, "all Ms are done, and the lock is still locked")
}

// A G of Waits has done its first step before the others begin.
func TestCrewWaits(t *testing.T) {
	seen := map[string]bool{}
	out := explored(func(c *check.Crew) {
		d, order := &door{}, ""
		c.Waits(d.comes(c, nothing), func(*gmp.M, *gmp.G) { order += "in" })
		c.Waits(func(*gmp.M, *gmp.G) { order += "went " }, d.opens(c, nothing))
		c.Check(func() { seen[order] = true })
	})
	assert.Equal(t, check.Pass, out.Status, out.Message)
	assert.Equal(t, map[string]bool{"went in": true}, seen)
}

func TestCrewSeesKeptSudogs(t *testing.T) {
	keeps := func(keep bool) check.Outcome {
		return explored(func(c *check.Crew) {
			c.Go(func(mp *gmp.M, gp *gmp.G) {
				if sg := c.S.AcquireSudog(mp); !keep {
					c.S.ReleaseSudog(mp, sg)
				}
			})
		})
	}
	assert.Equal(t, check.Pass, keeps(false).Status)
	assert.Contains(t, keeps(true).Message, "the number of sudogs still in use is 1; want 0")
}

// A report calls the words of a model by their names.
func TestCrewNamesWords(t *testing.T) {
	out := explored(func(c *check.Crew) {
		addr := c.Word("the count")
		gp := c.Go(func(mp *gmp.M, gp *gmp.G) { c.S.Machine.SetWord(addr, 1) })
		c.Go(func(mp *gmp.M, _ *gmp.G) {
			c.S.Machine.SetWord(c.SlotOf(gp, 2), 1)
			c.S.Machine.SetWord(addr, 2)
		})
	})
	assert.Equal(t, check.Fail, out.Status)
	assert.Contains(t, out.Message, "the count")
	assert.Contains(t, out.Message, "slot 2 of G1")
}
