//go:build unix

package submission

import (
	"io/fs"
	"syscall"
)

// noWait lets a named pipe be opened, and refused, without anybody at its other end.
const noWait = syscall.O_NONBLOCK

// links is how many names a file has.
func links(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}
