package cputime

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

// waiting is how long the threads that this process has now have waited for a CPU although
// they could have run, and whether the kernel tells. A thread that ends takes its time with it.
func waiting() (time.Duration, bool) {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return 0, false
	}
	var sum time.Duration
	known := false
	for _, thread := range threads {
		// The second number is the ns that it has waited in a run queue.
		stat, err := os.ReadFile("/proc/self/task/" + thread.Name() + "/schedstat")
		fields := bytes.Fields(stat)
		if err != nil || len(fields) < 2 {
			continue // it has ended, or no thread has such a file
		}
		ns, err := strconv.ParseInt(string(fields[1]), 10, 64)
		if err != nil {
			return 0, false
		}
		sum, known = sum+time.Duration(ns), true
	}
	return sum, known
}
