package class

import (
	"os"

	"golang.org/x/sys/windows"
)

// tryLock locks a file for as long as it is open, unless somebody else has it locked. The error
// says why the file cannot be locked at all.
func tryLock(f *os.File) (locked bool, err error) {
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
	if err == windows.ERROR_LOCK_VIOLATION {
		return false, nil
	}
	return err == nil, err
}
