package jail

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// limit sets the limits of a process that runs; 0 is this one. It is a safeguard: what the
// system refuses, it refuses because there is a lower limit already.
func limit(pid int, l Limits) {
	for resource, value := range map[int]int64{
		unix.RLIMIT_DATA:   l.Memory,
		unix.RLIMIT_CPU:    int64((l.CPU + time.Second - 1) / time.Second),
		unix.RLIMIT_NOFILE: int64(l.Files),
		unix.RLIMIT_FSIZE:  l.FileSize,
	} {
		if value > 0 {
			lower(pid, resource, uint64(value))
		}
	}
	_ = unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
}

// lower lowers a limit. A process that has used up its CPU time gets SIGXCPU, of which a Go
// program takes no notice, and is killed a second later.
func lower(pid, resource int, value uint64) {
	to := unix.Rlimit{Cur: value, Max: value}
	if resource == unix.RLIMIT_CPU {
		to.Max++
	}
	_ = unix.Prlimit(pid, resource, &to, nil)
}

// threads returns how many threads a process has, 0 if it is gone.
func threads(pid int) int {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "\nThreads:\t")
	number, _, _ := strings.Cut(rest, "\n")
	n, _ := strconv.Atoi(number)
	return n
}

// removed returns how many bytes the files have that a process has removed and still has open: they
// take room, and no folder shows them.
func removed(pid int) (bytes int64) {
	open := filepath.Join("/proc", strconv.Itoa(pid), "fd")
	entries, _ := os.ReadDir(open) // none if it is gone
	for _, e := range entries {
		info, err := os.Stat(filepath.Join(open, e.Name()))
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if s, ok := info.Sys().(*syscall.Stat_t); ok && s.Nlink == 0 {
			bytes += info.Size()
		}
	}
	return bytes
}
