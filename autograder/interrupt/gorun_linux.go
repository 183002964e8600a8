package interrupt

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// underGoRun reports whether the parent is the command go.
func underGoRun() bool {
	name, err := os.ReadFile("/proc/" + strconv.Itoa(os.Getppid()) + "/comm")
	return err == nil && strings.TrimSpace(string(name)) == "go"
}

// awaitParent returns when the parent has ended, or never if that cannot be told.
func awaitParent() {
	parent := os.Getppid()
	fd, err := unix.PidfdOpen(parent, 0)
	if err != nil {
		select {}
	}
	defer unix.Close(fd)
	if os.Getppid() != parent { // it had ended, and the number may be another's
		return
	}
	for {
		_, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, -1)
		if err != unix.EINTR {
			return
		}
	}
}
