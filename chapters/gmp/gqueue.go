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
