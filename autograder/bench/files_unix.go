//go:build unix

package bench

import (
	"os"
	"syscall"
)

// openFiles returns how many descriptors a process may have.
func openFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 256 // the fewest that any system gives
	}
	return int(min(uint64(limit.Cur), maxFiles))
}

// faults returns how often a process waited for a page from disk.
func faults(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return int64(usage.Majflt)
	}
	return 0
}
