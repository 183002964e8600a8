package sim

import "math/bits"

// An event is a moment at which something goes on: a thread on its CPU, or one
// whose timeout ends.
type event struct {
	at Time
	// Order among events of the same time: a number drawn at random, and below it the slot.
	order uint64
}

func newEvent(at Time, tie uint32, slot int32) event {
	return event{at, uint64(tie)<<32 | uint64(uint32(slot))}
}

func (e event) slot() int32 { return int32(uint32(e.order)) }

// before compares as if at and order were one number. A CPU of the host cannot guess how such a
// comparison ends, so it has no branch.
func (e event) before(f event) bool {
	_, less := bits.Sub64(e.order, f.order, 0)
	_, less = bits.Sub64(uint64(e.at), uint64(f.at), less)
	return less != 0
}

// events is a heap of the events to come, the earliest first. There is at most
// one for each slot, a CPU or a thread's timer, so an event can be taken back. It
// is 4-ary: less deep than a binary one, and the four children lie together.
type events struct {
	heap []event
	pos  []int32 // of a slot: 1 + its index in heap; 0 if it has no event
}

const arity = 4

// next returns the earliest event; it may be called only if there is one.
func (q *events) next() event { return q.heap[0] }

func (q *events) empty() bool { return len(q.heap) == 0 }

// add adds an event for a slot that has none.
func (q *events) add(e event) {
	for int(e.slot()) >= len(q.pos) {
		q.pos = append(q.pos, 0)
	}
	q.heap = append(q.heap, e)
	q.up(len(q.heap)-1, e)
}

// pop takes the earliest event off.
func (q *events) pop() event {
	e := q.heap[0]
	q.removeAt(0)
	return e
}

// swap is pop, and then add for a slot that has had an event before.
func (q *events) swap(e event) event {
	first := q.heap[0]
	q.pos[first.slot()] = 0
	q.down(0, e)
	return first
}

// remove takes back the event of a slot, if it has one.
func (q *events) remove(slot int32) {
	if int(slot) < len(q.pos) && q.pos[slot] != 0 {
		q.removeAt(int(q.pos[slot]) - 1)
	}
}

func (q *events) removeAt(i int) {
	q.pos[q.heap[i].slot()] = 0
	last := len(q.heap) - 1
	e := q.heap[last]
	q.heap = q.heap[:last]
	switch {
	case i == last:
	case i > 0 && e.before(q.heap[(i-1)/arity]):
		q.up(i, e)
	default:
		q.down(i, e)
	}
}

// up puts e at index i or above, where it belongs.
func (q *events) up(i int, e event) {
	for i > 0 {
		parent := (i - 1) / arity
		if !e.before(q.heap[parent]) {
			break
		}
		q.set(i, q.heap[parent])
		i = parent
	}
	q.set(i, e)
}

// down puts e at index i or below.
func (q *events) down(i int, e event) {
	for {
		first := i*arity + 1
		if first >= len(q.heap) {
			break
		}
		least := first + q.least(q.heap[first:])
		if !q.heap[least].before(e) {
			break
		}
		q.set(i, q.heap[least])
		i = least
	}
	q.set(i, e)
}

// least returns the index of the first of the children with which the slice begins.
func (q *events) least(children []event) (least int) {
	if len(children) < arity {
		for i := range children {
			if children[i].before(children[least]) {
				least = i
			}
		}
		return least
	}
	a, b := 0, 2
	if children[1].before(children[0]) {
		a = 1
	}
	if children[3].before(children[2]) {
		b = 3
	}
	if children[b].before(children[a]) {
		return b
	}
	return a
}

func (q *events) set(i int, e event) {
	q.heap[i] = e
	q.pos[e.slot()] = int32(i) + 1
}
