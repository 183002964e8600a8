//go:build unix

package class

import (
	"os"

	"golang.org/x/sys/unix"
)

// tryLock locks a file for as long as it is open, or fails at once.
func tryLock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
