// Caches runs programs on the schedulers of Go 1.0 and Go 1.1, on simulated CPUs, and
// tells where the sudogs are in the end that goroutines have waited with, or with
// argument "locks" how often the locks are taken that guard what is kept for reuse.
//
//	go run ./book/figures/ch06/caches [locks]
package main

import (
	"fmt"
	"os"
	"slices"

	ch06 "gosched/chapters/ch06_p"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
)

func main() {
	show := sudogs
	if len(os.Args) > 1 && os.Args[1] == "locks" {
		show = locks
	}
	if err := show(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// sudogs runs a program in which a crowd waits, on 16 CPUs, and then with GOMAXPROCS 1.
func sudogs() error {
	for _, release := range []string{"1.0", "1.1"} {
		s, _, err := simulate(release, "stranded.go", 16, 1)
		if err != nil {
			return err
		}
		k := count(s)
		fmt.Printf("Go %s: %4d sudogs were made\n", release, k.made())
		if k.usable > 0 {
			fmt.Printf("        %4d are on the P that is left, or on the shared list\n", k.usable)
		}
		if len(k.onMs) > 0 {
			fmt.Printf("        %4d are on %d Ms: %v\n", k.made()-k.usable, len(k.onMs), k.onMs)
		}
	}
	return nil
}

// spawned is how many goroutines spawn.go starts.
const spawned = 8000

// locks runs a program in which goroutines come and go.
func locks() error {
	fmt.Println("for 1000 goroutines  the lock of dead Gs  that of sudogs  sched.lock")
	for _, release := range []string{"1.0", "1.1"} {
		for _, cpus := range []int{1, 4, 16} {
			_, report, err := simulate(release, "spawn.go", cpus, 1)
			if err != nil {
				return err
			}
			fmt.Printf("%-19s  %13.0f times  %8.0f times  %4.0f times\n", row(release, cpus),
				per1000(report, "sched.gFree.lock"), per1000(report, "sched.sudoglock"), per1000(report, "sched.lock"))
		}
	}
	return nil
}

// row is the name of a run.
func row(release string, cpus int) string {
	if cpus == 1 {
		return "Go " + release + ", 1 CPU"
	}
	return fmt.Sprintf("Go %s, %d CPUs", release, cpus)
}

// per1000 is how often a lock was taken for 1000 goroutines of spawn.go.
func per1000(report sim.Report, lock string) float64 {
	return float64(report.Lock(lock).Acquisitions) * 1000 / spawned
}

// simulate runs a program on a release, to its end.
func simulate(release, program string, cpus int, seed uint64) (*gmp.Sched, sim.Report, error) {
	v, err := solutions.Go(release)
	if err != nil {
		return nil, sim.Report{}, err
	}
	run, err := ch06.Suite.Measure(v, program, sim.Options{CPUs: cpus, Seed: seed}, nil)
	return run.Sched, run.Sim, err
}

// A counted says where the sudogs of a scheduler are when its program has ended.
type counted struct {
	usable int   // on a P, or on the shared list
	onMs   []int // on each M that has any, most first
}

func (k counted) made() int {
	n := k.usable
	for _, on := range k.onMs {
		n += on
	}
	return n
}

func count(s *gmp.Sched) (k counted) {
	length := func(list *gmp.Sudog) (n int) {
		for sg := list; sg != nil; sg = sg.Next.Get() {
			n++
		}
		return n
	}
	k.usable = length(s.Sudogcache.Get())
	for _, pp := range s.Allp.Get() {
		k.usable += len(pp.Sudogcache.Get())
	}
	for mp := s.Allm.Load(); mp != nil; mp = mp.Alllink.Get() {
		if n := length(mp.Sudogcache.Get()); n > 0 {
			k.onMs = append(k.onMs, n)
		}
	}
	slices.SortFunc(k.onMs, func(a, b int) int { return b - a })
	return k
}
