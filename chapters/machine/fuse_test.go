package machine

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFused executes random code once as fuse makes it and once as it is, and compares all there
// is after each few instructions.
func TestFused(t *testing.T) {
	pairs := slices.SortedFunc(maps.Keys(fusions), func(a, b [2]Op) int { return slices.Compare(a[:], b[:]) })
	executed, after := map[Op]int{}, map[Trap]int{}
	for seed := range uint64(800) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		p, word := randomProgram(rnd, func(before Op) Op {
			pair := pairs[rnd.IntN(len(pairs))]
			for range 20 { // go on with a pair whose first one is there already
				if pair[0] == before {
					return pair[1]
				}
				pair = pairs[rnd.IntN(len(pairs))]
			}
			if rnd.IntN(8) == 0 {
				return []Op{CALL, ENTER, RET, ST64, LD64}[rnd.IntN(5)]
			}
			return pair[0]
		})
		p.Code[0], p.Code[30] = EncImm(ENTER, 0, 0, int32(rnd.IntN(20))), EncImm(ENTER, 0, 0, int32(rnd.IntN(20)))
		fused, plain := newMachine(t, p), newMachine(t, p)
		start := Context{PC: PC(rnd.IntN(61)), SP: Addr(size) - 8*Addr(rnd.IntN(200))}
		a, b := &Context{PC: start.PC, SP: start.SP}, &Context{PC: start.PC, SP: start.SP}
		if rnd.IntN(2) == 0 {
			guard := uint64(size) - 8*uint64(rnd.IntN(300))
			a.Guard.Store(guard)
			b.Guard.Store(guard)
		}
		for k := range 200 {
			v := word()
			fused.SetWord(Addr(size)-8*Addr(k+1), v)
			plain.SetWord(Addr(size)-8*Addr(k+1), v)
		}
		for range 100 {
			n := 1 + rnd.Int64N(6)
			executed[fused.fused[min(int(a.PC), len(p.Code)-1)].Op()]++
			left, trap := fused.execute(a, fused.fused, n)
			require.Greater(t, left, -int64(longest), "an operation is so many instructions at most")
			rest, plainTrap := plain.execute(b, p.Code, n-left)
			require.Zero(t, rest, "seed %d: as many instructions", seed)
			require.Equal(t, plainTrap, trap, "seed %d", seed)
			if *a != *b { // require.Equal takes long
				require.Equal(t, b, a, "seed %d", seed)
			}
			after[trap]++
			if trap != TrapBudget {
				break
			}
		}
		require.True(t, slices.Equal(plain.words, fused.words), "seed %d: memory differs", seed)
	}
	for _, pair := range pairs {
		assert.Positive(t, executed[fusions[pair]], "%v %v was never executed", pair[0], pair[1])
	}
	assert.Positive(t, executed[fuseCall], "no call")
	for _, trap := range []Trap{TrapBudget, TrapFault, TrapBadInstr, TrapGosched, TrapMorestack} {
		assert.Positive(t, after[trap], "no code ended with %v", trap)
	}
}
