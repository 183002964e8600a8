package sim_test

import (
	"fmt"

	"gosched/chapters/machine"
	"gosched/chapters/machine/sim"
)

// Four threads want one lock. The same seed gives the same report, on every
// computer.
func ExampleRun() {
	var mu machine.Mutex
	mu.Init("counter.lock")
	var counter machine.Cell[int]

	report, err := sim.Run(sim.Options{CPUs: 4, Seed: 7}, func() {
		var left machine.Int32
		var done machine.Note
		left.Store(4)
		for range 4 {
			machine.Newosproc("worker", func() {
				for range 1000 {
					mu.Lock()
					counter.Set(counter.Get() + 1)
					mu.Unlock()
					machine.Procyield(20)
				}
				if left.Add(-1) == 0 {
					done.Wakeup()
				}
			})
		}
		done.Sleep()
	})
	fmt.Println(counter.Get(), err)
	fmt.Print(report)
	// Output:
	// 4000 <nil>
	// 1.630716ms of virtual time, 4 CPUs, 5 threads: 89% busy on average, 95% the busiest
	// 0 instructions, 27102 accesses, 23814 misses, 34 sleeps, 1 context switch
	// lock counter.lock: waited for 3.776921ms in all, by 3028 of 4000 acquisitions
}
