package ch03

import "gosched/chapters/gmp"

// sudogs are a list by Next in each M. Every operation that waits needs one, so making
// a new one each time would produce garbage, and one list for all Ms would need a
// lock.
type sudogs struct {
	s *gmp.Sched
}

// NewSudogs makes the Sudogs of s.
func NewSudogs(s *gmp.Sched) gmp.Sudogs { return &sudogs{s: s} }

// AcquireSudog returns a sudog with all fields zero.
//
//course:exercise
func (p *sudogs) AcquireSudog(mp *gmp.M) *gmp.Sudog {
	//course:holds A sudog that is handed out is blank, and on no free list.
	//course:step If mp has none, make one.
	sg := mp.Sudogcache.Get()
	if sg == nil {
		return gmp.NewSudog()
	}
	//course:step Otherwise take the first one. It must no longer point to the next one.
	mp.Sudogcache.Set(sg.Next.Get())
	sg.Next.Set(nil)
	return sg
}

// ReleaseSudog takes back a sudog that is on no queue and refers to no value.
//
//course:exercise
func (p *sudogs) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	//course:holds A free sudog can be reached only through the free list, and nothing in it tells of its last use.
	//course:question Which fields tell that it is still in use, and which are merely left over?
	//course:step Throw if it is still in use: if one of these is set, some code will follow it.
	s := p.s
	switch {
	case sg.Elem.Get() != 0:
		s.Throw("runtime: sudog with non-nil elem")
	case sg.IsSelect.Get():
		s.Throw("runtime: sudog with non-false isSelect")
	case sg.Next.Get() != nil:
		s.Throw("runtime: sudog with non-nil next")
	case sg.Prev.Get() != nil:
		s.Throw("runtime: sudog with non-nil prev")
	case sg.Waitlink.Get() != nil:
		s.Throw("runtime: sudog with non-nil waitlink")
	case sg.C.Get() != nil:
		s.Throw("runtime: sudog with non-nil c")
	}
	//course:step The other fields tell of an operation that is over: clear them all.
	sg.Reset()
	//course:step mp keeps it.
	sg.Next.Set(mp.Sudogcache.Get())
	mp.Sudogcache.Set(sg)
}
