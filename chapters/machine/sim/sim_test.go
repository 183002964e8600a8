package sim

import (
	"fmt"
	"testing"

	"gosched/chapters/machine"
)

func TestSmoke(t *testing.T) {
	var u machine.Int64
	var mu machine.Mutex
	mu.Init("x")
	var done machine.Note
	n := 0
	r, err := Run(Options{CPUs: 4, Seed: 1}, func() {
		for i := range 8 {
			machine.Newosproc(fmt.Sprint("m", i), func() {
				for range 100 {
					u.Add(1)
					mu.Lock()
					n++
					mu.Unlock()
				}
				if u.Add(1) == 808 {
					done.Wakeup()
				}
			})
		}
		done.Sleep()
	})
	fmt.Printf("%+v %v %d\n", r, err, n)
	r, err = Run(Options{CPUs: 4, Seed: 1}, func() {
		var a machine.Note
		var mu machine.Mutex
		mu.Init("sched.lock")
		mu.Lock()
		machine.Newosproc("m1", func() { mu.Lock() })
		a.Sleep()
	})
	fmt.Println(err)
}
