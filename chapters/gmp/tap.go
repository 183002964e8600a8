package gmp

// A Call is one call of a method of a part.
type Call struct {
	Method string // "Runqput": no two parts have a method of the same name
	Args   []any
}

// A tap sees a call before it is made, and says whether it shall be made.
type tap func(c Call) bool

// Tap lets before see each call of a part that is made through s, by a part or by the
// caller, from now on, and returns the parts as they were: what is called through
// those is not seen. If before returns false the call is not made, and its results are
// zero. It is called on the thread of the call. Meant for tests; nothing runs on s yet.
func (s *Sched) Tap(before func(c Call) (made bool)) Parts {
	was := s.Parts
	s.Parts = was.tapped(before)
	return was
}
