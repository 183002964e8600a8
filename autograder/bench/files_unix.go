//go:build unix

package bench

import "syscall"

// openFiles returns how many descriptors a process may have.
func openFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 256 // the fewest that any system gives
	}
	return int(min(uint64(limit.Cur), maxFiles))
}
