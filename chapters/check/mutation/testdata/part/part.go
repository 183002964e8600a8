// Package part is read by the tests of package mutation; it need not compile.
package part

import "gosched/chapters/machine"

const limit = 3

func NewQueue() *queue { return nil }

func helper(x int) int { return x + limit }

func (q *other) Put() { q.tail.Store(1) }

func (q *queue) Get() int {
	for {
		h := q.head.Load()
		t := q.tail.Load()
		v := q.slots[h].Load()
		if q.head.CompareAndSwap(h, h+1) {
			return v
		}
	}
}

func (q *queue) Put(v int) {
	if v = q.next.Swap(v); v == 0 {
		return
	}
	t := q.tail.Load()
	q.slot(t).Store(v)
	q.tail.Store(t + 1)
}
