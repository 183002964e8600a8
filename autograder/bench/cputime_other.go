//go:build !unix

package bench

import "time"

// hasCPUTime reports whether there is a cpuTime. If not, costs are time on the clock
// with one P as well, ours and Go's.
const hasCPUTime = false

func cpuTime() time.Duration { return 0 }
