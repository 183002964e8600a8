package explore_test

import (
	"fmt"

	"gosched/chapters/machine"
)

// A task is what a queue holds.
type task struct{ id int }

func (g *task) String() string { return fmt.Sprintf("G%d", g.id) }

func tasks(n int) []*task {
	var list []*task
	for i := range n {
		list = append(list, &task{i + 1})
	}
	return list
}

// A ring is the run queue of a P by the algorithm of the Go runtime: one owner
// puts at the tail and takes from the head, thieves take half from the head. The
// zero mistake is right.
type ring struct {
	wrong mistake
	head  machine.Uint32 // next to take; moved by CompareAndSwap of owner and thieves
	tail  machine.Uint32 // next to put; moved by the owner only, when the slot is written
	next  machine.Pointer[task]
	slots []machine.Pointer[task]

	lock     machine.Mutex
	overflow machine.Cell[[]*task] // under lock
}

// A mistake that people make in a ring.
type mistake int

const (
	none mistake = iota
	tailFirst
	slotsAfterSwap
	nextByStore
	getByStore
	shortIndices
	takesAll
)

func newRing(size int, wrong mistake) *ring {
	return &ring{wrong: wrong, slots: make([]machine.Pointer[task], size)}
}

func (q *ring) size() uint32 { return uint32(len(q.slots)) }

func (q *ring) slot(i uint32) *machine.Pointer[task] { return &q.slots[i%q.size()] }

// index keeps indices small if that is the mistake: then the head comes back to
// an old value soon.
func (q *ring) index(i uint32) uint32 {
	if q.wrong == shortIndices {
		return i % (2 * q.size())
	}
	return i
}

func (q *ring) putNext(g *task) {
	old := q.next.Swap(g)
	if old != nil {
		q.put(old)
	}
}

func (q *ring) put(g *task) {
	for {
		h := q.head.Load()
		t := q.tail.Load()
		if q.index(t-h) < q.size() {
			if q.wrong == tailFirst {
				q.tail.Store(q.index(t + 1))
				q.slot(t).Store(g)
				return
			}
			q.slot(t).Store(g)
			q.tail.Store(q.index(t + 1))
			return
		}
		if q.putSlow(g, h, t) {
			return
		}
	}
}

// putSlow moves half of a full ring and g to the overflow.
func (q *ring) putSlow(g *task, h, t uint32) bool {
	var batch []*task
	for i := range (t - h) / 2 {
		batch = append(batch, q.slot(h+i).Load())
	}
	if !q.head.CompareAndSwap(h, q.index(h+uint32(len(batch)))) {
		return false
	}
	q.lock.Lock()
	q.overflow.Set(append(q.overflow.Get(), append(batch, g)...))
	q.lock.Unlock()
	return true
}

func (q *ring) get() *task {
	if g := q.next.Load(); g != nil && q.next.CompareAndSwap(g, nil) {
		return g
	}
	for {
		h := q.head.Load()
		t := q.tail.Load()
		if t == h {
			return nil
		}
		g := q.slot(h).Load()
		if q.wrong == getByStore {
			q.head.Store(q.index(h + 1))
			return g
		}
		if q.head.CompareAndSwap(h, q.index(h+1)) {
			return g
		}
	}
}

// steal takes half of q, rounded up, or what is next in it if it is empty.
func (q *ring) steal() []*task {
	for {
		h := q.head.Load()
		t := q.tail.Load()
		n := q.index(t - h)
		if q.wrong != takesAll {
			n -= n / 2
		}
		if n == 0 {
			g := q.next.Load()
			if g == nil {
				return nil
			}
			machine.Usleep(3) // it is about to run where it is
			if q.wrong == nextByStore {
				q.next.Store(nil)
			} else if !q.next.CompareAndSwap(g, nil) {
				continue
			}
			return []*task{g}
		}
		if q.wrong != takesAll && n > q.size()/2 {
			continue // h and t are not of one moment
		}
		batch := make([]*task, n)
		if q.wrong != slotsAfterSwap {
			q.read(batch, h)
		}
		if q.head.CompareAndSwap(h, q.index(h+n)) {
			if q.wrong == slotsAfterSwap {
				q.read(batch, h)
			}
			return batch
		}
	}
}

func (q *ring) read(batch []*task, h uint32) {
	for i := range batch {
		batch[i] = q.slot(h + uint32(i)).Load()
	}
}

// rest empties q when nobody else uses it.
func (q *ring) rest() []*task {
	var list []*task
	for g := q.get(); g != nil; g = q.get() {
		list = append(list, g)
	}
	return append(list, q.overflow.Get()...)
}
