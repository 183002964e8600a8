// Package ch06 is the P: chapter 6, Go 1.1.
//
// A P is the right to run Go code, and what belongs to that: a run queue, dead Gs
// and sudogs for reuse. There are GOMAXPROCS of them. Only the M that holds a P
// touches what is in it, so that needs no lock; and an M that sleeps holds none, so
// that there is only as much of it as can be used.
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
	//course:holds mp and pp have each other, and nobody else.
	//course:step Link the two. What the runtime does here besides is about its memory allocator, and its trace.
	p.s.Wirep(mp, pp)
}

// Wirep links mp and pp. Nobody else can be about to do the same with pp: whoever
// takes a P off the list of idle ones, under the lock, is the only one to know it.
//
//course:exercise
func (p *procs) Wirep(mp *gmp.M, pp *gmp.P) {
	//course:holds An M has one P at most, and a P one M; if it throws, nothing has changed.
	//course:step An M has one P at most.
	if mp.P.Get() != nil {
		p.s.Throw("wirep: already in go")
	}
	//course:step And a P one M: throw if pp has one, or is not idle.
	if pp.M.Get() != nil || pp.Status.Load() != gmp.Pidle {
		p.s.Throw("wirep: invalid p state")
	}
	//course:step Link them both ways, and let pp be running.
	mp.P.Set(pp)
	pp.M.Set(mp)
	pp.Status.Store(gmp.Prunning)
}

// Releasep takes mp's P away. It is on no list then, and the caller's to give away.
//
//course:exercise
func (p *procs) Releasep(mp *gmp.M) *gmp.P {
	//course:holds mp and pp know nothing of each other; who gets pp next is for the caller to say.
	//course:step Throw if mp has none, or if it is not really mp's.
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
	//course:holds Whoever has the lock next can take pp, and there is nothing on it that waits for somebody.
	s := p.s
	//course:step A P with work is not idle: what is in its queue would be forgotten.
	if !s.Runqempty(pp) {
		s.Throw("pidleput: P has non-empty run queue")
	}
	//course:step First on the list, and counted. The count can be seen without the lock; it is only a hint there.
	pp.Link.Set(s.Pidle.Get())
	s.Pidle.Set(pp)
	s.Npidle.Add(1)
	//course:step The caller may want to know the time, which is when pp became idle.
	if now == 0 {
		now = s.Nanotime()
	}
	return now
}

// Pidleget takes a P off the list of idle ones. s.Lock is held.
//
//course:exercise
func (p *procs) Pidleget(now int64) (*gmp.P, int64) {
	//course:holds Nobody else finds the P that is returned.
	//course:question Between your look at the list and the moment at which nobody else finds the P: what may not happen?
	//course:step The first one, if there is one.
	s := p.s
	pp := s.Pidle.Get()
	if pp == nil {
		return nil, now
	}
	//course:step Off the list with it, and out of the count. From here on it is the caller's, although it still says that it is idle.
	s.Pidle.Set(pp.Link.Get())
	pp.Link.Set(nil)
	s.Npidle.Add(-1)
	//course:step The time, as in Pidleput.
	if now == 0 {
		now = s.Nanotime()
	}
	return pp, now
}
