package explore_test

import (
	"testing"

	. "gosched/chapters/machine/explore"
)

// BenchmarkExhaust explores an owner with five operations and two thieves to
// the end: ns/op is the time that takes.
func BenchmarkExhaust(b *testing.B) {
	model := ringModel(4, none, "npgpg", 2)
	executions, steps := 0, 0
	for b.Loop() {
		r := Explore(Options{}, model)
		if r.Failure != nil || !r.Exhaustive {
			b.Fatal(r)
		}
		executions += r.Executions
		steps += r.Steps
	}
	b.ReportMetric(float64(executions)/b.Elapsed().Seconds(), "executions/s")
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
	b.ReportMetric(float64(executions)/float64(b.N), "executions/op")
}
