//go:build ignore

// Affinity starts a few threads and tells on which CPUs the kernel may run each
// of them. It asks Linux.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

func main() {
	if runtime.GOOS != "linux" {
		fmt.Println("skipped: this needs Linux's /proc")
		return
	}
	var started sync.WaitGroup
	quit := make(chan bool)
	for range 8 {
		started.Add(1)
		go func() {
			runtime.LockOSThread() // a thread of its own
			started.Done()
			<-quit
		}()
	}
	started.Wait()
	fmt.Println("CPUs the process may use:", allowed("/proc/self/status"))
	threads, _ := filepath.Glob("/proc/self/task/*/status")
	count := map[string]int{}
	for _, t := range threads {
		count[allowed(t)]++
	}
	for cpus, n := range count {
		fmt.Printf("%d threads may run on %s\n", n, cpus)
	}
}

func allowed(status string) string {
	text, _ := os.ReadFile(status)
	_, rest, _ := strings.Cut(string(text), "Cpus_allowed_list:")
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line)
}
