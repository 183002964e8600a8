//go:build gosched

// Package runtime is the program's way to its scheduler.
package runtime

const (
	GOOS     = "linux"
	GOARCH   = "amd64"
	Compiler = "gosched"
)

func gosched()
func goexit()
func numGoroutine() int
func gomaxprocs(n int) int

// ncpu is the number of processors at the start.
var ncpu = gomaxprocs(0)

// Gosched lets other goroutines run.
func Gosched() { gosched() }

// NumGoroutine returns the number of goroutines that exist.
func NumGoroutine() int { return numGoroutine() }

// NumCPU returns the number of processors.
func NumCPU() int { return ncpu }

// GOMAXPROCS sets the number of processors that may run Go code, if n is
// positive, and returns the number before.
func GOMAXPROCS(n int) int { return gomaxprocs(n) }
