// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch03

package ch03

import "gosched/chapters/gmp"

// sudogs are a list by Next in each M. Every operation that waits needs one, so making
// a new one each time would produce garbage, and one list for all Ms would need a
// lock.
//
// Sudogs keeps sudogs for reuse, in mp.Sudogcache. mp is the M that executes the
// call, so no other M looks there at the same time. NewSudog makes one, and
// Sudog.Reset makes one as good as new.
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
	// Holds: A sudog that is handed out is blank, and on no free list.
	panic(gmp.TODO("AcquireSudog"))
}

// ReleaseSudog takes sg back. Throws if it is still in use somewhere:
// "runtime: sudog with non-nil elem", or next, prev, waitlink, c, and
// "runtime: sudog with non-false isSelect". The runtime's releaseSudog, which also
// throws if the calling G's param is set.
func (p *sudogs) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	// Holds: A free sudog can be reached only through the free list, and
	//        nothing in it tells of its last use.
	// Question: Which fields tell that it is still in use, and which are
	//           merely left over?
	panic(gmp.TODO("ReleaseSudog"))
}
