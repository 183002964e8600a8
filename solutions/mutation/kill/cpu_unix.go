//go:build unix

package kill

import (
	"syscall"
	"time"
)

// cpuTime is the CPU time that the process has used.
func cpuTime() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return time.Since(start)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

var start = time.Now()
