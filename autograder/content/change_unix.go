//go:build linux || darwin

package content

import (
	"fmt"
	"io/fs"
	"syscall"
	"time"
)

// lastChange is when a file, or what the system knows of it, was changed last, and the file's
// number; ok says that the system knows.
func lastChange(info fs.FileInfo) (changed time.Time, number string, ok bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return time.Time{}, "", false
	}
	return time.Unix(changeTime(s).Unix()), fmt.Sprintf("%d:%d", s.Dev, s.Ino), true
}
