//go:build gosched

// Package sync is locks and the like, on the semaphores of the scheduler.
package sync

// Why a goroutine waits, by the scheduler's numbers, which are those of
// gmp.WaitReason. A test of gmp compares them.
const (
	waitMutex     = 10
	waitRLock     = 11
	waitRWLock    = 12
	waitWaitGroup = 13
)

// semacquire waits until *addr is positive and takes one off; at the head of the
// queue if lifo.
func semacquire(addr *uint32, lifo bool, reason int)

// semrelease adds one to *addr and wakes one that waits; if handoff, that one
// runs at once.
func semrelease(addr *uint32, handoff bool)

func nanotime() int64

// throw ends the program.
func throw(msg string)

// A Locker can be locked.
type Locker interface {
	Lock()
	Unlock()
}
