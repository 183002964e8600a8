package check

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"gosched/chapters/gmp"
)

// Where the reference is withheld a check that meets it is not run. If it would only stand in for
// what the student has not written, that is what is missing.
func TestWithheld(t *testing.T) {
	s := &Suite{ID: "ch99", Checks: []Check{getsWhatWasPut, {Name: "mine", Kind: Mine}}}
	withheld := version(queue{put: func(*gmp.G) { panic(gmp.Withheld("Globrunqput")) }, get: func() *gmp.G { return nil }})
	out := s.Run(s.Check("get"), withheld)
	assert.Equal(t, Blocked, out.Status)
	assert.Equal(t, "the reference's Globrunqput is not in this repository, and this check runs it, too: your instructor's run grades it", out.Message)

	todo := version(queue{put: func(*gmp.G) { panic(gmp.TODO("Globrunqput")) }, get: func() *gmp.G { return nil }})
	graded := getsWhatWasPut
	graded.Methods = []string{"Globrunqget"}
	out = s.mixed(&graded, withheld, todo)
	assert.Equal(t, Todo, out.Status)
	assert.Equal(t, "Globrunqput is not written yet", out.Message)

	mine := func(TB, *gmp.Sched) {}
	out = s.mine(s.Check("mine"), right(), nil, mine)
	assert.Equal(t, Blocked, out.Status)
	assert.Contains(t, out.Message, "it is written; what judges it, the reference and the wrong solutions, is not in this repository")
	out = s.mine(s.Check("mine"), right(), nil, func(TB, *gmp.Sched) { panic(gmp.TODO("mine")) })
	assert.Equal(t, Todo, out.Status)

	out = s.predicted(right(), nil, []Prediction{{"same", sayGet}})
	assert.Equal(t, Blocked, out.Status)
	mending := Mending{Part: right(), Met: func() Met { return Met{} }}
	out = s.mended(&Check{Name: "mend-put", Kind: Mended}, right(), nil, Mends{}, mending)
	assert.Equal(t, Blocked, out.Status)
}
