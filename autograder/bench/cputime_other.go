//go:build !unix

package bench

import "time"

var began = time.Now()

// cpuTime is the time on the clock, where it is not known how long CPUs have worked
// for this process.
func cpuTime() time.Duration { return time.Since(began) }
