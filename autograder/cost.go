package main

import (
	"fmt"
	"time"

	"gosched/chapters/cputime"
)

// A cost is what work has cost, or, before it is done, the moment.
type cost struct {
	cpu   time.Duration // of this process and of those that it started, 0 if nobody knows
	clock time.Duration
}

var began = time.Now()

// now is what everything has cost so far.
func now() cost {
	return cost{cputime.Own() + cputime.Children(), time.Since(began)}
}

// since is what has been spent since before.
func (c cost) since(before cost) cost { return cost{c.cpu - before.cpu, c.clock - before.clock} }

// String is "12.3 s, CPU 20.1 s".
func (c cost) String() string {
	if !cputime.Known {
		return fmt.Sprintf("%.1f s", c.clock.Seconds())
	}
	return fmt.Sprintf("%.1f s, CPU %.1f s", c.clock.Seconds(), c.cpu.Seconds())
}

// budgetOf is how much CPU time verify should cost with so many chapters: 8 minutes for
// ten of them, 13 for nineteen. On a slow computer it may be more.
func budgetOf(chapters int) time.Duration {
	return 8*time.Minute + time.Duration(chapters-10)*5*time.Minute/9
}
