//go:build unix

package bench

import (
	"syscall"
	"time"
)

// hasCPUTime reports whether there is a cpuTime.
const hasCPUTime = true

// cpuTime is how long CPUs have worked for this process.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // the arguments are right
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
