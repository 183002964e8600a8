package solutions_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/sample"
)

// TestCorpusCollected proves that the collector takes nothing that a program still needs: the
// corpus is collected all the time, and what is freed is poisoned.
func TestCorpusCollected(t *testing.T) {
	eachProgram(t, func(t *testing.T, v gmp.Version, p program) {
		if v.Threads != nil && ofTime(p) {
			t.Skip("it counts on who is first by some milliseconds; where time is real, threads may be later than that")
		}
		if p.name == "go_main_returns" && v.World != nil && v.Signals == nil {
			t.Skip("a goroutine that never calls anything cannot be stopped before Go 1.14, and so the world cannot")
		}
		t.Parallel()
		var ways []gmp.Options
		for _, procs := range corpusProcs(v, p) {
			for _, every := range []int{1, 7, 100} {
				for _, slice := range []int64{0, 1009} {
					ways = append(ways, gmp.Options{
						Procs: procs, Slice: slice,
						Machine: machine.Options{GCEvery: every, PoisonFreed: true},
					})
				}
			}
		}
		for _, way := range sample.Deal(p.row, 1, ways) {
			out, _ := play(t, v, p.prog, way, (*gmp.Sched).Main)
			assert.Equal(t, p.want, out, fmt.Sprintf("%d Gs at once, slice of %d instructions, collected at every %d allocations", way.Procs, way.Slice, way.Machine.GCEvery))
		}
	})
}
