package bench

import (
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"
)

// cpus returns the CPUs that this process may use.
func cpus() []int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return nil
	}
	var list []int
	for cpu := 0; len(list) < set.Count(); cpu++ {
		if set.IsSet(cpu) {
			list = append(list, cpu)
		}
	}
	return list
}

// startOn starts a command that may use only one CPU, or any if cpu is -1. A process may use
// those that the thread may use that makes it.
func startOn(cpu int, cmd *exec.Cmd) error {
	if cpu < 0 {
		return cmd.Start()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		return err
	}
	one.Set(cpu)
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		return err
	}
	defer unix.SchedSetaffinity(0, &all)
	return cmd.Start()
}
