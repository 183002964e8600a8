//go:build gosched

package sync

// The list of those that wait at a Cond belongs to the scheduler.
func notifyAdd(list *uint64) (ticket uint32)
func notifyWait(list *uint64, ticket uint32)
func notifyAll(list *uint64)
func notifyOne(list *uint64)

// A Cond is a place to wait until something has changed.
type Cond struct {
	L    Locker
	list uint64
}

// NewCond returns a Cond on l.
func NewCond(l Locker) *Cond { return &Cond{L: l} }

// Wait unlocks c.L, waits to be woken, and locks it again.
func (c *Cond) Wait() {
	ticket := notifyAdd(&c.list)
	c.L.Unlock()
	notifyWait(&c.list, ticket)
	c.L.Lock()
}

// Signal wakes the one that has waited longest.
func (c *Cond) Signal() { notifyOne(&c.list) }

// Broadcast wakes all that wait.
func (c *Cond) Broadcast() { notifyAll(&c.list) }
