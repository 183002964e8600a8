package ch11

import "gosched/chapters/gmp"

// wanted is how long, in ns, an M in a call may keep a P that no M needs.
const wanted = 10_000_000

// Handoffp finds an M for pp, or puts it on the list of idle Ps.
//
//course:exercise
func (p *syscalls) Handoffp(mp *gmp.M, pp *gmp.P) {
	//course:holds No G that FindRunnable would find with pp waits beside it while it idles: not one that was there before, and not one that comes meanwhile.
	//course:question Go through FindRunnable of chapter 10, from its first look to its last. Which of these looks is missing here, and which must come again under the lock?
	//course:lead An M queues a G between your look and the list of idle Ps, and calls Wakep. What does it find, and what do you?
	s := p.s
	//course:step Is there a G for it? Then an M comes at once.
	if !s.Runqempty(pp) || s.Runqsize.Load() > 0 {
		s.Startm(mp, pp, false, false)
		return
	}
	//course:step If no M looks for work, and no P is idle to look with, this one does: the others have made Gs ready without waking an M, because none could come. One that spins must be counted first, once.
	if s.Nmspinning.Load()+s.Npidle.Load() == 0 && s.Nmspinning.CompareAndSwap(0, 1) {
		s.Needspinning.Store(false)
		s.Startm(mp, pp, true, false)
		return
	}
	s.Lock.Lock()
	//course:step Whoever stops the world has seen a P that belongs to somebody, and waits for it. So stop it here.
	if s.Gcwaiting.Load() {
		pp.Status.Store(gmp.Pgcstop)
		s.Stopwait.Set(s.Stopwait.Get() - 1)
		if s.Stopwait.Get() == 0 {
			s.Stopnote.Wakeup()
		}
		s.Lock.Unlock()
		return
	}
	//course:step Under the lock no M can queue a G globally. So look again. And if this is the last P, an M must wait for the network with it.
	if s.Runq.Get().Size > 0 || s.Npidle.Load() == s.Gomaxprocs.Get()-1 && s.Lastpoll.Load() != 0 {
		s.Lock.Unlock()
		s.Startm(mp, pp, false, false)
		return
	}
	//course:step An M that queued a G elsewhere, and found no P for it, has left a sign under this lock. This P is for that G.
	if s.Needspinning.Load() {
		s.Needspinning.Store(false)
		s.Nmspinning.Add(1)
		s.Lock.Unlock()
		s.Startm(mp, pp, true, false)
		return
	}
	//course:step It is idle, and when the lock is free it may be anybody's. But it may have timers, and whoever waits for the first one must know of them.
	when := p.idle(pp)
	s.Lock.Unlock()
	if when != 0 {
		s.Wakenetpoller(mp, when)
	}
}

// idle puts pp on the list of idle Ps, and returns when its first timer is due, 0 if it has
// none. s.Lock is held.
//
//course:omit
func (p *syscalls) idle(pp *gmp.P) (when int64) {
	when = pp.Timers.WakeTime() // as long as pp is nobody else's
	p.s.Pidleput(pp, 0)
	return when
}

// RetakeSyscall takes pp from a call that lasts.
//
//course:exercise
func (p *syscalls) RetakeSyscall(mp *gmp.M, pp *gmp.P, now int64, due bool) bool {
	//course:holds A G that waits in the queue of a P whose M is in a call waits for two looks of the monitor; and while the P is in the monitor's hands no deadlock is reported.
	//course:question You have won the P. Before you hand it off, its M comes back, finds no P, queues its G, and goes to sleep as the last one. What does Checkdead count?
	s := p.s
	if pp.Status.Load() != gmp.Psyscall {
		return false
	}
	//course:step Is it the call that was there at the last look? If not, remember this one, and look again later.
	seen, tick := pp.Sysmontick.Get(), pp.Syscalltick.Look()
	if !due && seen.Syscalltick != tick {
		seen.Syscalltick, seen.Syscallwhen = tick, now
		pp.Sysmontick.Set(seen)
		return false
	}
	//course:step No M needs the P as long as its queue is empty and others are there for new work. Leave it then, but not for ever: the monitor sleeps soundly only if no P is in a call.
	if s.Runqempty(pp) && s.Nmspinning.Load()+s.Npidle.Load() > 0 && seen.Syscallwhen+wanted > now {
		return false
	}
	//course:step Whoever has a P in its hands counts as awake. The monitor does not count as an M; so pretend that one of the Ms that wait for their locked G is awake.
	s.Incidlelocked(-1)
	won := pp.Status.CompareAndSwap(gmp.Psyscall, gmp.Pidle)
	if won {
		pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
		s.Handoffp(mp, pp)
	}
	s.Incidlelocked(1)
	return won
}

// GcstopSyscall takes pp for a world that is to stop. s.Lock is held.
//
//course:exercise
func (p *syscalls) GcstopSyscall(pp *gmp.P) bool {
	//course:holds pp is counted down in Stopwait once, whoever else tries.
	if !pp.Status.CompareAndSwap(gmp.Psyscall, gmp.Pgcstop) {
		return false
	}
	pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
	p.s.Stopwait.Set(p.s.Stopwait.Get() - 1)
	return true
}
