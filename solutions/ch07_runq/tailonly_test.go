//course:omit
package ch07_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// Before Go 1.5 a G that is put next goes to the tail, like any other.
func TestTailOnly(t *testing.T) {
	for _, release := range []string{"1.1", "1.2"} {
		v, err := gmp.Assemble(release, solutions.Form)
		require.NoError(t, err)
		s, pp := gmp.NewBare(v, nil), gmp.NewP(0, 4)
		gs := []*gmp.G{{Goid: machine.CellOf[int64](1)}, {Goid: machine.CellOf[int64](2)}, {Goid: machine.CellOf[int64](3)}}
		for _, gp := range gs {
			s.Runqput(pp, gp, true)
		}
		assert.Nil(t, pp.Runnext.Load())
		for _, want := range gs {
			gp, inheritTime := s.Runqget(pp)
			assert.Same(t, want, gp)
			assert.False(t, inheritTime)
		}
		assert.True(t, s.Runqempty(pp))
	}
}
