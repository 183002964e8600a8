package gmp

import "gosched/chapters/machine"

// PushBack puts gp, which is on no queue, at the tail of q. The runtime's
// gQueue.pushBack.
func (q *GQueue) PushBack(gp *G) {
	gp.Schedlink.Set(nil)
	if q.Tail != nil {
		q.Tail.Schedlink.Set(gp)
	} else {
		q.Head = gp
	}
	q.Tail = gp
	q.Size++
}

// Pop takes the G at the head of q, nil if q is empty. Afterwards the G points
// to no other. The runtime's gQueue.pop.
func (q *GQueue) Pop() *G {
	gp := q.Head
	if gp == nil {
		return nil
	}
	q.Head = gp.Schedlink.Get()
	if q.Head == nil {
		q.Tail = nil
	}
	q.Size--
	gp.Schedlink.Set(nil)
	return gp
}

// Push puts gp, which is on no list, first on l. The runtime's gList.push.
func (l *GList) Push(gp *G) {
	gp.Schedlink.Set(l.Head)
	l.Head = gp
	l.Size++
}

// Pop takes the first G of l, nil if l is empty. Afterwards the G points to no
// other. The runtime's gList.pop.
func (l *GList) Pop() *G {
	gp := l.Head
	if gp != nil {
		l.Head = gp.Schedlink.Get()
		gp.Schedlink.Set(nil)
		l.Size--
	}
	return gp
}

// A SharedGQueue is a GQueue that several Ms use, under a lock: a Cell with the
// queue's own methods, each of which reads it and writes it.
type SharedGQueue struct{ machine.Cell[GQueue] }

// PushBack is GQueue.PushBack.
func (queue *SharedGQueue) PushBack(gp *G) {
	q := queue.Get()
	q.PushBack(gp)
	queue.Set(q)
}

// Pop is GQueue.Pop.
func (queue *SharedGQueue) Pop() *G {
	q := queue.Get()
	gp := q.Pop()
	queue.Set(q)
	return gp
}

// A SharedGList is a GList that several Ms use, like a SharedGQueue.
type SharedGList struct{ machine.Cell[GList] }

// Push is GList.Push.
func (list *SharedGList) Push(gp *G) {
	l := list.Get()
	l.Push(gp)
	list.Set(l)
}

// Pop is GList.Pop.
func (list *SharedGList) Pop() *G {
	l := list.Get()
	gp := l.Pop()
	list.Set(l)
	return gp
}
