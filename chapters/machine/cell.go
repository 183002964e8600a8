package machine

// A Cell is plain data that several threads use, and that something else keeps
// them from using at the same time: a lock, or the order of atomic operations.
// A Hook sees each use, so an exploration reports two threads that were not kept
// apart, and a simulation knows that work under a lock takes time. The race detector
// sees it as a field. What asking for the Hook costs is said in watched.go.
//
// Get and Set are not called Load and Store because they are not atomic.
type Cell[T any] struct {
	tag
	v T
}

// Get returns the value.
func (c *Cell[T]) Get() T {
	if watched && hook != nil {
		c.access(AccessGet)
	}
	return c.v
}

// Set sets the value.
func (c *Cell[T]) Set(v T) {
	if watched && hook != nil {
		c.access(AccessSet)
	}
	c.v = v
}

// CellOf returns a Cell with a value in it, for a composite literal: no other thread
// knows the thing yet of which it is a part, so no Hook is told.
func CellOf[T any](v T) Cell[T] { return Cell[T]{v: v} }

// Peek is Get without telling the Hook: for whoever writes a report, and is no part of
// what it tells about. A part never calls it.
func (c *Cell[T]) Peek() T { return c.v }
