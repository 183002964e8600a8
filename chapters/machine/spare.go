package machine

// A Spare makes things of one type, of which each execution of an exploration makes a few
// anew and forgets them with its last step. To clear those of the execution before costs a
// fraction of what it costs to find new memory and to have the old one collected. It is for
// what is large.
//
// The zero value is ready for use.
type Spare[T any] struct {
	all     []*T
	taken   int    // by the execution that is under way: the first so many
	session uint32 // that execution; see SetHook
}

// New returns a T that is zero. Any thread may call it. If threads are explored (see Explored),
// the T may be one that was made under an earlier hook.
func (s *Spare[T]) New() *T {
	if !Explored() {
		return new(T)
	}
	t := s.used()
	var zero T
	*t = zero
	return t
}

// used returns a T as an earlier execution has left it, or a zero one if none has made so many.
// Only one thread runs.
func (s *Spare[T]) used() *T {
	if s.session != session {
		s.session, s.taken = session, 0
	}
	if s.taken == len(s.all) {
		s.all = append(s.all, new(T))
	}
	s.taken++
	return s.all[s.taken-1]
}
