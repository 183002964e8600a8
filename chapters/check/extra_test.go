package check

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
)

// drawn is a suite with a check that draws numbers, and tells them.
func drawn(tell func(seed, number uint64)) *Suite {
	return &Suite{ID: "ch02", Parts: []string{"GlobalQueue"}, Checks: []Check{
		{Name: "draws", Kind: Unit, Points: 3, Methods: []string{"Globrunqget"}, Property: "It holds.", Run: func(t *T) {
			n := rand.New(rand.NewPCG(1, t.Seed(7))).Uint64()
			tell(t.Seed(7), n)
			if t.seed == 13 {
				t.Errorf("13 is not its number")
			}
		}},
		{Name: "plain", Kind: Unit, Methods: []string{"Globrunqget"}, Run: func(*T) {}},
		{Name: "mine", Kind: Mine},
	}}
}

// A check that is run Again draws other numbers, always the same ones for a seed; as the course
// has it, its own.
func TestAgain(t *testing.T) {
	var seeds, numbers []uint64
	s := drawn(func(seed, number uint64) { seeds, numbers = append(seeds, seed), append(numbers, number) })
	run := func(c Check) Outcome {
		seeds, numbers = nil, nil
		return s.Run(&c, right())
	}
	assert.Equal(t, Pass, run(s.Checks[0]).Status)
	own := numbers[0]
	assert.Equal(t, []uint64{7}, seeds)

	again := s.Again("draws", 2, 1, 2, 3)
	assert.Equal(t, []any{"draws-again", 2, 3 * defaultDeadline, "It holds."}, []any{again.Name, again.Points, again.Deadline, again.Property})
	assert.Equal(t, Pass, run(again).Status)
	first := numbers
	require.Len(t, first, 3)
	all := map[uint64]bool{own: true}
	for _, n := range first {
		all[n] = true
	}
	assert.Len(t, all, 4, "each seed draws numbers of its own")
	run(again)
	assert.Equal(t, first, numbers)

	out := run(s.Again("draws", 2, 12, 13, 14))
	assert.Equal(t, Fail, out.Status)
	assert.Contains(t, out.Message, "with the seed 13: ")
	assert.Contains(t, out.Message, "13 is not its number")
	assert.Len(t, numbers, 2, "it ends at the first seed with which it fails")

	out = run(s.Again("plain", 2, 1))
	assert.Equal(t, Fail, out.Status)
	assert.Contains(t, out.Message, "it draws nothing by lot")
}

func TestAgainPanics(t *testing.T) {
	s := drawn(nil)
	assert.PanicsWithValue(t, `Again: ch02 has no check "drws"`, func() { s.Again("drws", 1, 1) })
	assert.PanicsWithValue(t, "Again: ch02/mine runs what the student writes beside the parts", func() { s.Again("mine", 1, 1) })
	for _, seeds := range [][]uint64{nil, {1, 0}} {
		assert.PanicsWithValue(t, "Again: ch02/draws needs one seed or more, and none is 0, which is that of the check itself", func() { s.Again("draws", 1, seeds...) })
	}
}

// Checks that were added run with those of the course, and are told of as they are.
func TestExtras(t *testing.T) {
	var ran []string
	s := &Suite{ID: "ch02", Checks: []Check{{Name: "own", Kind: Unit, Run: func(*T) { ran = append(ran, "own") }}}}
	s.Extra(Hidden, Check{Name: "a", Kind: Unit, Run: func(*T) { ran = append(ran, "a") }}, Check{Name: "b", Kind: Unit, Run: func(*T) { ran = append(ran, "b") }})
	s.Extra(Full, Check{Name: "c", Kind: Unit, Run: func(*T) { ran = append(ran, "c") }})
	s.Test(t, gmp.Version{}, right())
	assert.Equal(t, []string{"own", "a", "b", "c"}, ran)
	assert.Len(t, s.Checks, 1, "the course's list is as it was")
	assert.Equal(t, []Shown{Hidden, Hidden, Full}, []Shown{s.Extras[0].Show, s.Extras[1].Show, s.Extras[2].Show})
}

func TestWrongExtras(t *testing.T) {
	good := Check{Name: "good", Kind: Unit, Methods: []string{"Globrunqget"}, Property: "It holds.", Run: func(*T) {}}
	s := drawn(nil)
	s.Extra(Hidden, good)
	require.Empty(t, s.WrongExtras())
	with := func(change func(c *Check)) Check { c := good; change(&c); return c }
	for _, tt := range []struct {
		c    Check
		show Shown
		says string
	}{
		{with(func(c *Check) { c.Name = "Good_one" }), Full, `ch02/Good_one must be named in small letters and digits, with hyphens: "Good_one"`},
		{with(func(c *Check) { c.Name = "draws" }), Full, "ch02/draws is a check of the course; give yours another name"},
		{good, Full, "ch02/good is there twice; give one of them another name"},
		{with(func(c *Check) { c.Name, c.Kind = "x", Mine }), Full, `ch02/x has the kind "mine"; an extra check is a unit, model, program or stress`},
		{with(func(c *Check) { c.Name, c.Points = "x", -1 }), Full, "ch02/x has -1 points; it needs 0 or more"},
		{with(func(c *Check) { c.Name = "x" }), "all", `ch02/x is shown as "all"; say check.Hidden, check.NameOnly or check.Full`},
		{with(func(c *Check) { c.Name, c.Property = "x", "" }), Full, "ch02/x has no Property; say in one sentence what holds"},
		{with(func(c *Check) { c.Name, c.Deadline = "x", -time.Second }), Full, "ch02/x has the deadline -1s; leave it out for 10s"},
		{with(func(c *Check) { c.Name, c.Run = "x", nil }), Full, "ch02/x has no Run"},
		{with(func(c *Check) { c.Name, c.Methods = "x", nil }), Full, "ch02/x names no Methods; name those that it grades, so that it is not started while one of them is to be written"},
		{with(func(c *Check) { c.Name, c.Methods = "x", []string{"Runqput"} }), Full, "ch02/x grades Runqput, which chapter ch02 does not have; its parts are GlobalQueue"},
	} {
		s := drawn(nil)
		s.Extra(Hidden, good)
		s.Extra(tt.show, tt.c)
		assert.Equal(t, []string{tt.says}, s.WrongExtras(), fmt.Sprint(tt.c.Name))
	}
}
