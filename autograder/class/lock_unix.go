//go:build unix

package class

import (
	"os"

	"golang.org/x/sys/unix"
)

// tryLock locks a file for as long as it is open, unless somebody else has it locked. The error
// says why the file cannot be locked at all, as on some network file systems.
func tryLock(f *os.File) (locked bool, err error) {
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == unix.EWOULDBLOCK {
		return false, nil
	}
	return err == nil, err
}
