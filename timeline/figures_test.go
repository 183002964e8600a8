package timeline

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

func TestFigures(t *testing.T) {
	log := &trace.Log{Header: trace.Header{Ms: 3}, Events: []trace.Event{
		{T: 100, Kind: trace.Run, G: 1}, {T: 150, Kind: trace.Put, G: 2}, {T: 200, Kind: trace.Get, G: 2}, {T: 300, Kind: trace.End},
	}}
	report := &sim.Report{CPUs: make([]sim.CPU, 4), Locks: []sim.Lock{{Name: "hchan.lock", Waited: 9}, {Name: "sched.lock", Waited: 7}}}
	assert.Equal(t, Figures{Makespan: 200, LockWait: 7, Ms: 3, Idle: 50. / 800}, FiguresOf(log, report))
	assert.Equal(t, Figures{}, FiguresOf(&trace.Log{}, &sim.Report{}))
}
