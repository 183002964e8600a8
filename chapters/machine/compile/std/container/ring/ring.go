//go:build gosched

// Package ring is lists without an end.
package ring

// A Ring is an element of a circular list. The zero value is a ring of one.
type Ring struct {
	next, prev *Ring
	Value      any
}

// New returns a ring of n elements.
func New(n int) *Ring {
	if n <= 0 {
		return nil
	}
	first := &Ring{}
	last := first
	for range n - 1 {
		r := &Ring{prev: last}
		last.next = r
		last = r
	}
	last.next, first.prev = first, last
	return first
}

// closed makes a zero value a ring.
func (r *Ring) closed() *Ring {
	if r.next == nil {
		r.next, r.prev = r, r
	}
	return r
}

func (r *Ring) Next() *Ring { return r.closed().next }
func (r *Ring) Prev() *Ring { return r.closed().prev }

// Move returns the element n further, or back if n is negative.
func (r *Ring) Move(n int) *Ring {
	r.closed()
	for ; n > 0; n-- {
		r = r.next
	}
	for ; n < 0; n++ {
		r = r.prev
	}
	return r
}

// Link puts the ring s behind r and returns what was there. If they are one ring,
// the elements in between leave it.
func (r *Ring) Link(s *Ring) *Ring {
	next := r.Next()
	if s != nil {
		last := s.Prev()
		r.next, s.prev = s, r
		next.prev, last.next = last, next
	}
	return next
}

// Unlink takes n elements behind r out of the ring and returns them.
func (r *Ring) Unlink(n int) *Ring {
	if n <= 0 {
		return nil
	}
	return r.Link(r.Move(n + 1))
}

// Len returns the number of elements.
func (r *Ring) Len() int {
	n := 0
	r.Do(func(any) { n++ })
	return n
}

// Do calls f with the value of each element.
func (r *Ring) Do(f func(any)) {
	if r == nil {
		return
	}
	f(r.Value)
	for s := r.Next(); s != r; s = s.next {
		f(s.Value)
	}
}
