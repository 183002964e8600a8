package gmp

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

// Pop takes the G at the head of q, nil if q is empty. The G points to no other
// afterwards. The runtime's gQueue.pop.
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

// Pop takes the first G of l, nil if l is empty. The G points to no other
// afterwards. The runtime's gList.pop.
func (l *GList) Pop() *G {
	gp := l.Head
	if gp != nil {
		l.Head = gp.Schedlink.Get()
		gp.Schedlink.Set(nil)
		l.Size--
	}
	return gp
}
