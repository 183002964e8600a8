// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch03

package ch03

import "gosched/chapters/gmp"

// sudogs are a list by Next in each M. Every operation that waits needs one, so making
// new ones each time would be garbage, and a list for all would need a lock.
//
// Sudogs keeps sudogs for reuse, in mp.Sudogcache. mp is the M that executes the
// call, so that no other M looks there at the same time. NewSudog makes one, and
// Sudog.Reset makes one as good as new.
type sudogs struct {
	s *gmp.Sched
}

// NewSudogs makes the Sudogs of s.
func NewSudogs(s *gmp.Sched) gmp.Sudogs { return &sudogs{s: s} }

// AcquireSudog returns a sudog of which all fields are zero: one that was
// released if there is one, else a new one. The runtime's acquireSudog, which
// promises less: fields that releaseSudog does not look at, such as ticket, hold
// what was there before, and its callers set those that they use.
func (p *sudogs) AcquireSudog(mp *gmp.M) *gmp.Sudog {
	// Holds: What is handed out is blank, and on no list of the free.
	panic(gmp.TODO("AcquireSudog"))
}

// ReleaseSudog takes sg back. Throws if it is still in use somewhere:
// "runtime: sudog with non-nil elem", or next, prev, waitlink, c, and
// "runtime: sudog with non-false isSelect". The runtime's releaseSudog, which also
// throws if the calling G's param is set.
func (p *sudogs) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	// Holds: Nobody can come to a free sudog but by the list of the free, and
	//        nothing in it tells of its last use.
	// Question: Which fields tell that it is still in use, and which are only
	//           left over?
	panic(gmp.TODO("ReleaseSudog"))
}
