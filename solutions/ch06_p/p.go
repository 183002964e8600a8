// Package ch06 is the P: chapter 6, Go 1.1.
//
// A P is the right to run Go code, and what belongs to that: a run queue, and dead
// Gs and sudogs for reuse. There are GOMAXPROCS of them. Only the M that holds a P
// touches what is in it, so that needs no lock; and an M that sleeps holds no P, so
// there is only as much of it all as can be used.
package ch06

import "gosched/chapters/gmp"

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	Boot:      NewBoot,
	Procs:     NewProcs,
	Freelists: NewFreelists,
	Sudogs:    NewSudogs,
}

// procs hands the Ps to Ms.
type procs struct {
	s *gmp.Sched
}

// NewProcs makes the Procs of s.
func NewProcs(s *gmp.Sched) gmp.Procs { return &procs{s: s} }

// Acquirep gives pp to mp.
//
//course:exercise
func (p *procs) Acquirep(mp *gmp.M, pp *gmp.P) {
	//course:holds mp and pp have each other, and no other.
	//course:step Link the two. What else the runtime does here concerns its memory allocator and its trace.
	p.s.Wirep(mp, pp)
}

// Wirep links mp and pp. No other M can be about to do the same with pp: the M
// that takes a P off the list of idle ones, under the lock, is the only one that
// knows it.
//
//course:exercise
func (p *procs) Wirep(mp *gmp.M, pp *gmp.P) {
	//course:holds An M has at most one P, and a P at most one M; if it throws, nothing has changed.
	//course:step An M has at most one P.
	if mp.P.Get() != nil {
		p.s.Throw("wirep: already in go")
	}
	//course:step And a P has at most one M: throw if pp has one, or is not idle.
	if pp.M.Get() != nil || pp.Status.Load() != gmp.Pidle {
		p.s.Throw("wirep: invalid p state")
	}
	//course:step Link them both ways, and mark pp running.
	mp.P.Set(pp)
	pp.M.Set(mp)
	pp.Status.Store(gmp.Prunning)
}

// Releasep takes mp's P away. It is then on no list, and the caller's to give away.
//
//course:exercise
func (p *procs) Releasep(mp *gmp.M) *gmp.P {
	//course:holds mp and pp know nothing of each other; which M gets pp next is for the caller to say.
	//course:step Throw if mp has none, or if the P does not really belong to mp.
	pp := mp.P.Get()
	if pp == nil {
		p.s.Throw("releasep: invalid arg")
	}
	if pp.M.Get() != mp || pp.Status.Load() != gmp.Prunning {
		p.s.Throw("releasep: invalid p state")
	}
	//course:step Undo what Wirep has done.
	mp.P.Set(nil)
	pp.M.Set(nil)
	pp.Status.Store(gmp.Pidle)
	return pp
}

// Pidleput puts pp on the list of idle Ps. s.Lock is held.
//
//course:exercise
func (p *procs) Pidleput(pp *gmp.P, now int64) int64 {
	//course:holds The next M to hold the lock can take pp, and nothing on pp waits to be run.
	s := p.s
	//course:step A P with work is not idle: what is in its queue would be forgotten.
	if !s.Runqempty(pp) {
		s.Throw("pidleput: P has non-empty run queue")
	}
	//course:step First on the list, and counted. The count can be seen without the lock; there it is only a hint.
	pp.Link.Set(s.Pidle.Get())
	s.Pidle.Set(pp)
	s.Npidle.Add(1)
	//course:step The caller may want to know the time at which pp became idle.
	if now == 0 {
		now = s.Nanotime()
	}
	return now
}

// Pidleget takes a P off the list of idle ones. s.Lock is held.
//
//course:exercise
func (p *procs) Pidleget(now int64) (*gmp.P, int64) {
	//course:holds No other M finds the P that is returned.
	//course:question Between your look at the list and the moment when no other M can find the P: what must not happen?
	//course:step The first one, if there is one.
	s := p.s
	pp := s.Pidle.Get()
	if pp == nil {
		return nil, now
	}
	//course:step Take it off the list, and out of the count. From here on it belongs to the caller, although it still says that it is idle.
	s.Pidle.Set(pp.Link.Get())
	pp.Link.Set(nil)
	s.Npidle.Add(-1)
	//course:step The time, as in Pidleput.
	if now == 0 {
		now = s.Nanotime()
	}
	return pp, now
}
