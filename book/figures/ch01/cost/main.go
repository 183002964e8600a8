// Cost measures what a goroutine costs beside a thread of the operating system,
// on this computer, in a few seconds:
//
//	go run ./book/figures/ch01/cost
//
// A thread is made here by a goroutine that locks itself to its thread: the
// runtime then has to start another thread for the other goroutines, and when a
// locked goroutine ends, its thread ends with it. All of them wait on a channel
// while the memory is looked at. Times are medians of several rounds; memory is
// measured once, since what has been used once is kept for reuse.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	goroutines = 10_000 // that wait while memory is measured
	threads    = 200    // that wait while memory is measured
	rounds     = 9      // of which a time is the median
	perRound   = 2000   // goroutines made, run and ended in a round
	perThread  = 100    // threads likewise
)

func main() {
	debug.SetGCPercent(-1) // a collection would move the numbers
	small := memoryOf(goroutines, func() {})
	large := memoryOf(threads, runtime.LockOSThread)
	quick := timeOf(perRound, func() {})
	slow := timeOf(perThread, runtime.LockOSThread)

	fmt.Printf("%s %s/%s, %d CPUs\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	row := func(what, goroutine, thread string) { fmt.Printf("%-28s %12s %12s\n", what, goroutine, thread) }
	row("", "goroutine", "thread")
	row("stack set aside by Go", small.stack.String(), large.stack.String())
	row("resident memory", small.resident.String(), large.resident.String())
	row("kernel stack", "-", large.kernel.String())
	row("made, run and ended", micros(quick), micros(slow))

	fmt.Printf("\nMemory: for each of %d goroutines and %d threads, waiting; a thread's includes the\n"+
		"goroutine locked to it. Time: median of %d rounds, one after the other, %d goroutines\n"+
		"or %d threads a round.\n", goroutines, threads, rounds, perRound, perThread)
	if runtime.GOOS != "linux" {
		fmt.Println("Skipped: resident memory and kernel stacks, which are read from Linux's /proc.")
	}
}

// A usage is memory in bytes; of one thing, or of all.
type usage struct {
	stack    size // for stacks, as the Go runtime counts it
	resident size // of the process
	kernel   size // for the stacks that threads have in the kernel, of all processes
}

// memoryOf starts n goroutines that begin with prepare and then wait. It returns
// what one of them has added.
func memoryOf(n int, prepare func()) usage {
	before := now()
	var ready, ended sync.WaitGroup
	quit := make(chan struct{})
	ready.Add(n)
	ended.Add(n)
	for range n {
		go func() {
			defer ended.Done()
			prepare()
			ready.Done()
			<-quit
		}()
	}
	ready.Wait()
	after := now()
	close(quit)
	ended.Wait()
	return usage{
		stack:    after.stack.since(before.stack, n),
		resident: after.resident.since(before.resident, n),
		kernel:   after.kernel.since(before.kernel, n),
	}
}

// timeOf returns the median time in which a goroutine that runs work is made,
// has run and has ended. They come one after the other.
func timeOf(n int, work func()) time.Duration {
	var times []time.Duration
	for range rounds {
		start := time.Now()
		for range n {
			done := make(chan struct{})
			go func() {
				work()
				close(done)
			}()
			<-done
		}
		times = append(times, time.Since(start)/time.Duration(n))
	}
	slices.Sort(times)
	return times[len(times)/2]
}

func now() usage {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return usage{
		stack:    size(m.StackInuse),
		resident: procSize("/proc/self/status", "VmRSS:"),
		kernel:   procSize("/proc/meminfo", "KernelStack:"),
	}
}

// A size is a number of bytes, or unknown.
type size float64

const unknown size = -1

// since is what one of n things has added since before.
func (s size) since(before size, n int) size {
	if s == unknown || before == unknown {
		return unknown
	}
	return max(0, s-before) / size(n)
}

func (s size) String() string {
	if s == unknown {
		return "skipped"
	}
	return fmt.Sprintf("%.1f KiB", float64(s)/1024)
}

// procSize reads a line like "VmRSS:   2076 kB" from a file of /proc.
func procSize(file, label string) size {
	text, err := os.ReadFile(file)
	if err != nil {
		return unknown
	}
	for _, line := range strings.Split(string(text), "\n") {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == label {
			if kb, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
				return size(kb) * 1024
			}
		}
	}
	return unknown
}

func micros(d time.Duration) string {
	return fmt.Sprintf("%.1f µs", float64(d.Nanoseconds())/1000)
}
