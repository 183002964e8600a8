package sim

import (
	"fmt"
	"testing"

	"gosched/chapters/machine"
)

// BenchmarkJobs runs 131,071 jobs of 2 µs each on simulated CPUs: what a simulated
// scheduler costs the host.
func BenchmarkJobs(b *testing.B) {
	for _, m := range models {
		for _, cpus := range []int{1, 8, 64} {
			b.Run(fmt.Sprintf("%s/cpus=%d", m.name, cpus), func(b *testing.B) {
				var r Report
				var rate float64
				for b.Loop() {
					rate, r = throughput(b, computer(b, Options{CPUs: cpus, Seed: 1}), 16, 2000, m.make)
				}
				per := b.Elapsed().Seconds() / float64(b.N)
				b.ReportMetric(float64(r.Turns)/per, "turns/s")
				b.ReportMetric(float64(r.Accesses)/per, "accesses/s")
				b.ReportMetric(rate, "jobs/virtual-ms")
			})
		}
	}
}

// BenchmarkAccess is an access that hits while nobody else wants to run, and
// BenchmarkTurn one that makes the simulator go on with another thread, each time.
func BenchmarkAccess(b *testing.B) {
	_, _ = Run(Options{CPUs: 1}, func() {
		var u machine.Uint32
		for b.Loop() {
			u.Load()
		}
	})
}

func BenchmarkTurn(b *testing.B) {
	for _, n := range []int{2, 64} {
		b.Run(fmt.Sprint("threads=", n), func(b *testing.B) {
			s := computer(b, Options{CPUs: n})
			_, _ = s.run(func() {
				var stop machine.Bool
				for range n - 1 {
					machine.Newosproc("", func() {
						for !stop.Load() {
							machine.Procyield(1)
						}
					})
				}
				machine.Usleep(5000)
				began := s.turns
				for b.Loop() {
					machine.Procyield(1)
				}
				b.ReportMetric(float64(s.turns-began)/b.Elapsed().Seconds(), "turns/s")
			})
		})
	}
}
