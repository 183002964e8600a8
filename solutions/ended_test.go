package solutions_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
)

// loopsInSchedule is a Loop that never finds the way out of Schedule, until the test has ended.
type loopsInSchedule struct {
	gmp.Loop
	began chan<- bool
	ended *atomic.Bool
}

func (p loopsInSchedule) Schedule(mp *gmp.M) {
	close(p.began)
	for !p.ended.Load() {
	}
	panic(machine.Halted{})
}

// A run may be ended when a part loops. Then the report has its line, on threads and on simulated
// CPUs.
func TestEndedInPart(t *testing.T) {
	prog := source(t, "prog.go", "package main\n\nfunc main() {}\n")
	for _, simulated := range []bool{false, true} {
		v, err := solutions.Go("0.x")
		require.NoError(t, err)
		began, ended, over := make(chan bool), new(atomic.Bool), make(chan bool)
		loop := v.Loop
		v.Loop = func(s *gmp.Sched) gmp.Loop { return loopsInSchedule{loop(s), began, ended} }
		var stderr strings.Builder
		s, err := gmp.New(v, prog, gmp.Options{Machine: machine.Options{Stderr: &stderr, MemBytes: 1 << 20}})
		require.NoError(t, err)
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			<-began
			cancel(gmp.Ending{Why: "stopped", Status: 3})
		}()
		var simulate gmp.Simulation
		if simulated {
			simulate = func(main func(), stop <-chan struct{}) int64 {
				defer close(over)
				report, _ := sim.Run(sim.Options{CPUs: 1, Stop: stop}, main)
				return int64(report.Elapsed)
			}
		}
		result := s.MainUntil(ctx, simulate)
		ended.Store(true)
		if simulated {
			<-over // there can be one simulation at a time
		}
		assert.Equal(t, 3, result.Status)
		assert.Regexp(t, `(?m)^M0: in the scheduler, in Schedule \(solutions/ended_test\.go:\d+\)`, stderr.String())
	}
}
