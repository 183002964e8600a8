//go:build !unix

package kill

import "time"

var start = time.Now()

// cpuTime is the time that the process has had, where its CPU time is not at hand.
func cpuTime() time.Duration { return time.Since(start) }
