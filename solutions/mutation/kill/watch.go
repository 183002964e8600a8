package kill

import (
	"fmt"
	"os"
	"runtime/metrics"
	"time"

	"gosched/chapters/cputime"
)

// The limits of a check on a mutation. They are in the process's own CPU time, so that a
// busy computer kills no mutation.
const (
	minCPU   = 500 * time.Millisecond
	timesCPU = 20
	maxHeap  = 1 << 30
)

// A check that sleeps for ever uses no CPU time. It is known by how often the watch comes
// by while nothing is done: on a busy computer that is less often, too.
const (
	watchEvery = 20 * time.Millisecond
	minAsleep  = 1500 * time.Millisecond
	timesWall  = 5
	idle       = 20 * time.Millisecond // of CPU time, meanwhile
)

// watch ends the process, with a result, if a check goes on for much longer than on the
// right solution. stop ends the watch.
func watch(cost Cost) (stop func()) {
	limit, asleep := max(minCPU, timesCPU*cost.CPU), max(minAsleep, timesWall*cost.Wall)
	return cputime.Watch(watchEvery, idle, func(w cputime.Work) bool {
		switch {
		case w.Used > limit:
			hangs(cost.Check, "it did not end within %v of CPU time", limit)
		case time.Duration(w.Asleep)*watchEvery > asleep:
			hangs(cost.Check, "it sleeps: nothing has happened for %v", asleep)
		case heap() > maxHeap:
			hangs(cost.Check, "it needs more than %d MB of memory", maxHeap>>20)
		}
		return false
	})
}

// heap is how many bytes are in use.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// hangs ends the process: there is no other way to stop a loop.
func hangs(check, format string, args ...any) {
	print(Line{Result: &Result{check, fmt.Sprintf(format, args...)}})
	os.Exit(0)
}
