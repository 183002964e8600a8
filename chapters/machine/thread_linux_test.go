package machine_test

import (
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"gosched/chapters/machine"
)

// A thread of the machine is one of the kernel: two that are alive at once have two IDs
// there, and keep them when they have waited for each other.
func TestNewosprocIsAKernelThread(t *testing.T) {
	var alive sync.WaitGroup
	alive.Add(2)
	ids := make(chan int, 2)
	for _, name := range []string{"M0", "M1"} {
		machine.Newosproc(name, func() {
			id := unix.Gettid()
			alive.Done()
			alive.Wait()
			if now := unix.Gettid(); now != id {
				t.Errorf("%s was thread %d of the kernel, and is %d now", name, id, now)
			}
			ids <- id
		})
	}
	if a, b := <-ids, <-ids; a == b {
		t.Errorf("both threads have the ID %d in the kernel", a)
	}
}
