package gmp

import "gosched/chapters/machine"

// A PMask has one bit for each P, by its ID. Any M may read a bit at any time. (Chapter 18.) The
// runtime's pMask.
type PMask []machine.Uint32

const maskBits = 32 // in a word

// Read reports whether the bit of P number id is set.
func (m PMask) Read(id int32) bool { return m[id/maskBits].Load()&(1<<(id%maskBits)) != 0 }

// Set sets the bit of P number id, in one atomic step.
func (m PMask) Set(id int32) { m[id/maskBits].Or(1 << (id % maskBits)) }

// Clear clears the bit of P number id, in one atomic step.
func (m PMask) Clear(id int32) { m[id/maskBits].And(^uint32(1 << (id % maskBits))) }

// Resizemasks makes Idlepmask and Timerpmask for n Ps, none of which is idle, and each of which may
// have timers. The world is stopped, or has not begun: then no P is on the list. Whoever has read
// the masks before keeps the old ones. In the runtime that is part of procresize.
func (s *Sched) Resizemasks(n int32) {
	words := (n + maskBits - 1) / maskBits
	idle, timers := make(PMask, words), make(PMask, words)
	for id := range n {
		timers.Set(id)
	}
	s.Idlepmask.Set(idle)
	s.Timerpmask.Set(timers)
}

// masked is procs, which keeps the masks up to date by the part Masks. In the runtime pidleput and
// pidleget do that.
func masked(procs func(s *Sched) Procs) func(s *Sched) Procs {
	return func(s *Sched) Procs { return maskedProcs{procs(s), s} }
}

type maskedProcs struct {
	Procs
	s *Sched
}

func (p maskedProcs) Procresize(mp *M, nprocs int32) *P {
	if nprocs > 0 {
		p.s.Resizemasks(nprocs)
	}
	return p.Procs.Procresize(mp, nprocs)
}

// Pidleput masks pp first: afterwards, others may have it.
func (p maskedProcs) Pidleput(pp *P, now int64) int64 {
	if p.s.Runqempty(pp) { // otherwise that is a mistake, and Pidleput says so
		p.s.MaskIdle(pp)
	}
	return p.Procs.Pidleput(pp, now)
}

func (p maskedProcs) Pidleget(now int64) (*P, int64) {
	pp, now := p.Procs.Pidleget(now)
	if pp != nil {
		p.s.MaskBusy(pp)
	}
	return pp, now
}
