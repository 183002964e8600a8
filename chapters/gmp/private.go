package gmp

import (
	"sync"
	"sync/atomic"
)

// A PerP is private state of a part for each P: a field of the part, whose zero
// value is ready for use.
//
//	type runqueue struct {
//		s     *gmp.Sched
//		stash gmp.PerP[[]*gmp.G]
//	}
//
//	stash := q.stash.Of(pp)
type PerP[T any] struct{ slots perID[T] }

// Of returns the state for pp, zero at first, always at the same address. Any M
// may call it; what it points to is shared like any other state.
func (t *PerP[T]) Of(pp *P) *T { return t.slots.of(int(pp.ID)) }

// A PerM is private state of a part for each M, like PerP.
type PerM[T any] struct{ slots perID[T] }

// Of returns the state for mp, as PerP.Of does.
func (t *PerM[T]) Of(mp *M) *T { return t.slots.of(int(mp.ID)) }

// A perID is a table that grows. Readers take no lock: they see an old table or
// a new one, and both hold the same pointers.
type perID[T any] struct {
	table atomic.Pointer[[]*T]
	grow  sync.Mutex
}

func (t *perID[T]) of(id int) *T {
	if table := t.table.Load(); table != nil && id < len(*table) {
		return (*table)[id]
	}
	t.grow.Lock()
	defer t.grow.Unlock()
	var table []*T
	if old := t.table.Load(); old != nil {
		table = append(table, *old...)
	}
	for len(table) <= id {
		table = append(table, new(T))
	}
	t.table.Store(&table)
	return table[id]
}
