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
func lockOSThread()
func unlockOSThread()

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

// LockOSThread lets the calling goroutine run on its present thread only, and that thread
// run nothing else, until UnlockOSThread has been called as often. In versions without locked
// threads it does nothing.
func LockOSThread() { lockOSThread() }

// UnlockOSThread undoes one LockOSThread. Without one it does nothing.
func UnlockOSThread() { unlockOSThread() }
