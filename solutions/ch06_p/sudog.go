package ch06

import "gosched/chapters/gmp"

// sudogs are free sudogs on each P, and for all on s.Sudogcache, a list linked by Next. A
// G that waits takes a sudog from one P, and may release it on another: so some Ps run out
// of them, and others have too many.
type sudogs struct {
	s *gmp.Sched
}

// NewSudogs makes the Sudogs of s.
func NewSudogs(s *gmp.Sched) gmp.Sudogs { return &sudogs{s: s} }

// AcquireSudog returns a sudog with all fields zero.
//
//course:exercise
func (p *sudogs) AcquireSudog(mp *gmp.M) *gmp.Sudog {
	//course:holds The sudog that is returned is blank, and nothing else has it: no cache, no list, and no array.
	//course:question Which M may write to the Next of a sudog that is on s.Sudogcache, and while holding what?
	s := p.s
	pp := mp.P.Get()
	//course:step If the P has none, fetch some from s.Sudogcache, under s.Sudoglock: up to half of what it has room for. Each must no longer point to the next one.
	if len(pp.Sudogcache.Get()) == 0 {
		s.Sudoglock.Lock()
		for len(pp.Sudogcache.Get()) < cap(pp.Sudogcache.Get())/2 && s.Sudogcache.Get() != nil {
			sg := s.Sudogcache.Get()
			s.Sudogcache.Set(sg.Next.Get())
			sg.Next.Set(nil)
			pp.Sudogcache.Set(append(pp.Sudogcache.Get(), sg))
		}
		s.Sudoglock.Unlock()
	}
	//course:step If there are none either, make one.
	last := len(pp.Sudogcache.Get()) - 1
	if last < 0 {
		return gmp.NewSudog()
	}
	//course:step Take the last one. Leave no pointer to it behind.
	sg := pp.Sudogcache.Get()[last]
	pp.Sudogcache.Get()[last] = nil
	pp.Sudogcache.Set(pp.Sudogcache.Get()[:last])
	return sg
}

// ReleaseSudog takes back a sudog that is on no queue and refers to no value.
//
//course:exercise
func (p *sudogs) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	//course:holds sg is blank, and on mp's P, which keeps no more than it has room for.
	//course:question What you give away is linked to the first of those that are there. Until when is that one the first?
	//course:lead Look at the shared list twice: when you link your own to its first, and when you put them there. What must hold in between?
	s := p.s
	//course:step Throw if it is still in use, as in chapter 3, and clear it.
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
	sg.Reset()
	//course:step If the P has no room, move half of its own to s.Sudogcache, under s.Sudoglock.
	pp := mp.P.Get()
	if len(pp.Sudogcache.Get()) == cap(pp.Sudogcache.Get()) {
		s.Sudoglock.Lock()
		giveSudogs(s, pp, cap(pp.Sudogcache.Get())/2)
		s.Sudoglock.Unlock()
	}
	//course:step The P keeps it.
	pp.Sudogcache.Set(append(pp.Sudogcache.Get(), sg))
}

// giveSudogs moves free sudogs of pp to s.Sudogcache until only keep are left.
// s.Sudoglock is held.
//
//course:omit
func giveSudogs(s *gmp.Sched, pp *gmp.P, keep int) {
	for last := len(pp.Sudogcache.Get()) - 1; last >= keep; last-- {
		sg := pp.Sudogcache.Get()[last]
		pp.Sudogcache.Get()[last] = nil
		pp.Sudogcache.Set(pp.Sudogcache.Get()[:last])
		sg.Next.Set(s.Sudogcache.Get())
		s.Sudogcache.Set(sg)
	}
}
