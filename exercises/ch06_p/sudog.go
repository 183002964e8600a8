// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch06

package ch06

import "gosched/chapters/gmp"

// sudogs are free sudogs on each P, and for all on s.Sudogcache, a list linked by Next. A
// G that waits takes a sudog from one P, and may release it on another: so some Ps run out
// of them, and others have too many.
//
// Sudogs keeps sudogs for reuse, in mp.Sudogcache. mp is the M that executes the
// call, so no other M looks there at the same time. NewSudog makes one, and
// Sudog.Reset makes one as good as new.
//
// From chapter 6 on they are in mp.P.Sudogcache, at most as many as that has room for,
// with s.Sudogcache behind it, under s.Sudoglock: a P that has none takes some from
// there, up to half its room; one that has no room moves half of its own there. Beyond
// the end of mp.P.Sudogcache its array holds nil, so that a sudog that has gone is not
// kept from the garbage collector.
type sudogs struct {
	s *gmp.Sched
}

// NewSudogs makes the Sudogs of s.
func NewSudogs(s *gmp.Sched) gmp.Sudogs { return &sudogs{s: s} }

// AcquireSudog returns a sudog with all fields zero: a released one if there is
// one, else a new one. The runtime's acquireSudog, which promises less: fields
// that releaseSudog does not look at, such as ticket, still hold their old
// values, and its callers set those that they use.
func (p *sudogs) AcquireSudog(mp *gmp.M) *gmp.Sudog {
	// Holds: The sudog that is returned is blank, and nothing else has it: no
	//        cache, no list, and no array.
	// Question: Which M may write to the Next of a sudog that is on
	//           s.Sudogcache, and while holding what?
	panic(gmp.TODO("AcquireSudog"))
}

// ReleaseSudog takes sg back. Throws if it is still in use somewhere:
// "runtime: sudog with non-nil elem", or next, prev, waitlink, c, and
// "runtime: sudog with non-false isSelect". The runtime's releaseSudog, which also
// throws if the calling G's param is set.
func (p *sudogs) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	// Holds: sg is blank, and on mp's P, which keeps no more than it has room
	//        for.
	// Question: What you give away is linked to the first of those that are
	//           there. Until when is that one the first?
	panic(gmp.TODO("ReleaseSudog"))
}
