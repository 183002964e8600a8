// Mark measures how long a collection takes that marks while the world stands still: of a tree of
// small objects, on one P. It runs itself again with the setting that makes Go collect like this.
//
//	go run ./book/figures/ch17/mark
package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"time"
)

const setting = "GODEBUG=gcstoptheworld=1"

type node struct {
	left, right *node
	value       [2]uint64
}

func tree(depth int) *node {
	if depth == 0 {
		return new(node)
	}
	return &node{left: tree(depth - 1), right: tree(depth - 1)}
}

func main() {
	if os.Getenv("GODEBUG") == "" {
		again()
		return
	}
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(-1)
	root := tree(20)
	runtime.GC()
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	var took []time.Duration
	for range 9 {
		began := time.Now()
		runtime.GC()
		took = append(took, time.Since(began))
	}
	runtime.KeepAlive(root)
	slices.Sort(took)
	median, live := took[len(took)/2], float64(mem.HeapAlloc)/1e6
	fmt.Printf("%.0f MB live: %.1f ms, %.2f ms for each MB\n", live, median.Seconds()*1e3, median.Seconds()*1e3/live)
}

// again runs this program under the setting.
func again() {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), setting)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
