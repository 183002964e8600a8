package ch18

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// wanted is how long, in ns, an M in a call may keep a P that no M needs.
const wanted = 10_000_000

// syscalls keeps nothing of its own: that a P may be taken stands in the state of a G.
type syscalls struct {
	s *gmp.Sched
}

// NewSyscalls makes the Syscalls of s in the form of this chapter.
func NewSyscalls(s *gmp.Sched) gmp.Syscalls { return &syscalls{s: s} }

// A syscallingThread is an M that is in a call and cannot leave it, because somebody holds the
// scan bit of its G; with that G, and the P that it had. The three belong to whoever holds the
// bit, until resume. The runtime's syscallingThread.
type syscallingThread struct {
	gp *gmp.G
	mp *gmp.M
	pp *gmp.P
}

// setBlockOnExitSyscall stops the G that is in a call with pp from leaving that, and reports
// whether there is one. Nothing needs to be held. If it reports false nothing has changed; if
// true, resume must follow soon. The runtime's setBlockOnExitSyscall.
//
//course:exercise
func setBlockOnExitSyscall(pp *gmp.P) (t syscallingThread, ok bool) {
	//course:holds If it reports true, G, M and P are linked to each other, the G is Gsyscall, and none of this changes until the scan bit is cleared.
	//course:question You have read which M has pp, and which G that M runs. Before your next step, that M leaves the call, loses pp, and is in another call with another P. What do you have in your hands?
	//course:lead Three looks at three things that may change. Which step ends this, and what do you know after it that you did not know before?
	if pp.Status.Load() != gmp.Prunning {
		return t, false
	}
	//course:step Which M, and which G? These are guesses: nothing is held yet, and each may be different at the next step.
	mp := pp.M.Look()
	if mp == nil {
		return t, false
	}
	gp := mp.Curg.Look()
	if gp == nil {
		return t, false
	}
	//course:step Set the scan bit, only if the G is in a call. If another M has set it, or the G is back, there is nothing for you here.
	if gp.Atomicstatus.Load() != gmp.Gsyscall || !gp.Atomicstatus.CompareAndSwap(gmp.Gsyscall, gmp.Gsyscall|gmp.Gscan) {
		return t, false
	}
	//course:step It is stopped; but it may be on another M by now, or that M may have another P, or none. Now all of this stands still: look again.
	t = syscallingThread{gp, mp, pp}
	if gp.M.Get() != mp || mp.P.Get() != pp {
		t.resume()
		return t, false
	}
	return t, true
}

// releaseP parts P and M, and says what the P is then: Pidle or Pgcstop. The P belongs to the
// caller. The runtime's releaseP.
//
//course:exercise
func (t syscallingThread) releaseP(status uint32) {
	//course:holds When the M is back it finds that it has no P; and whoever reads Syscalltick finds that this call no longer has the P.
	t.pp.M.Set(nil)
	t.mp.P.Set(nil)
	t.pp.Syscalltick.Set(t.pp.Syscalltick.Get() + 1)
	t.pp.Status.Store(status)
}

// resume lets the G leave its call. From then on nothing of M and G may be touched. The runtime's
// resume.
//
//course:exercise
func (t syscallingThread) resume() {
	t.gp.Atomicstatus.Store(gmp.Gsyscall)
}

// Entersyscall says that gp is in a call: from then on mp may lose its P.
//
//course:exercise
func (p *syscalls) Entersyscall(mp *gmp.M, gp *gmp.G) {
	//course:holds Before gp is Gsyscall the P is mp's, and afterwards mp touches nothing of it; and a world that is to stop need not wait for a call that has seen it.
	//course:question gp is Gsyscall, and another M has taken the P and changed mp.P. Which of your lines after that still reads mp.P?
	//course:lead In chapter 11 the last thing was that the P became Psyscall. Which single write takes its place now, and what must be before it?
	s := p.s
	//course:step As long as gp runs the P is yours. Note which call this is, and which P you had: that is all you will know of it. If ForEachP waits for this P, call its function now, not after the call.
	pp := mp.P.Get()
	mp.Syscalltick.Set(pp.Syscalltick.Get())
	if pp.RunSafePointFn.Load() != 0 {
		s.RunSafePointFn(pp, false)
	}
	mp.Oldp.Set(pp)
	//course:step Where gp stands, for whoever looks at its stack.
	gp.SyscallPC.Set(gp.Sched.PC)
	gp.SyscallSP.Set(gp.Sched.SP)
	//course:step If the world is to stop, stop your own P while it is yours. Under the lock Stopwait says whether the world still waits. If so, mp has no P from here on.
	if s.Gcwaiting.Load() {
		s.Lock.Lock()
		if s.Stopwait.Get() > 0 {
			syscallingThread{gp, mp, pp}.releaseP(gmp.Pgcstop)
			s.Stopwait.Set(s.Stopwait.Get() - 1)
			if s.Stopwait.Get() == 0 {
				s.Stopnote.Wakeup()
			}
		}
		s.Lock.Unlock()
	}
	//course:step Now it is in a call, and the P whoever's who takes it.
	s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
	//course:step The monitor is to look after this call. It looks for a G that is Gsyscall; so wake it afterwards.
	if s.Sysmonwait.Load() {
		s.Lock.Lock()
		wakeSysmon(s)
		s.Lock.Unlock()
	}
}

// wakeSysmon wakes the monitor if it sleeps. s.Lock is held.
//
//course:omit
func wakeSysmon(s *gmp.Sched) {
	if s.Sysmonwait.Load() {
		s.Sysmonwait.Store(false)
		s.Sysmonnote.Wakeup()
	}
}

// Entersyscallblock gives mp's P away, and then says that gp is in a call.
//
//course:exercise
func (p *syscalls) Entersyscallblock(mp *gmp.M, gp *gmp.G) {
	//course:holds When gp is Gsyscall mp has no P, and remembers none.
	//course:question The monitor sees gp Gsyscall while the P is still linked to mp, and both of you hand it off. In which order can that not be?
	s := p.s
	//course:step The P is mp's. Count the call, and note where gp stands.
	pp := mp.P.Get()
	mp.Syscalltick.Set(pp.Syscalltick.Get())
	pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
	gp.SyscallPC.Set(gp.Sched.PC)
	gp.SyscallSP.Set(gp.Sched.SP)
	//course:step Let another M have the P while gp still runs: as soon as it is Gsyscall others look for its P.
	s.Handoffp(mp, s.Releasep(mp))
	s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
}

// Exitsyscall brings gp back.
//
//course:exercise
func (p *syscalls) Exitsyscall(mp *gmp.M, gp *gmp.G) {
	//course:holds gp runs on mp, with a P; or it is where another M with a P finds it.
	//course:question Somebody holds the scan bit, and is about to part mp and its P. What may you read before gp is Grunning?
	//course:lead One step tells all others that the call is over. Before it mp.P may change at any time, after it never.
	s := p.s
	//course:step First gp runs. If somebody holds the scan bit this waits. Then nobody takes anything from mp any more.
	s.Casgstatus(gp, gmp.Gsyscall, gmp.Grunning)
	oldp := mp.Oldp.Get()
	mp.Oldp.Set(nil)
	//course:step Most often nothing has happened to the P. Otherwise get one; and if there is none, gp waits for one, and mp without it.
	if mp.P.Get() == nil && !s.ExitsyscallFast(mp, oldp) {
		s.ExitsyscallNoP(mp, gp)
		return
	}
	//course:step This call is over.
	pp := mp.P.Get()
	pp.Syscalltick.Set(pp.Syscalltick.Get() + 1)
	gp.SyscallSP.Set(0)
	//course:step If gp was asked to stop while it was away, let it find that.
	if gp.Preempt.Get() {
		gp.Sched.Guard.Store(machine.StackPreempt)
	}
}

// ExitsyscallFast tries the old P, and then an idle one.
//
//course:exercise
func (p *syscalls) ExitsyscallFast(mp *gmp.M, oldp *gmp.P) bool {
	//course:holds mp has a P that no other M has, or none.
	//course:question oldp was taken from mp. Who may have it now, and in which of these cases may mp take it back?
	s := p.s
	//course:step Another M may be in a call with the old P. If so, it cannot come back while you part the two; and then it may, and looks for a P like you.
	if oldp != nil {
		if t, ok := setBlockOnExitSyscall(oldp); ok {
			t.releaseP(gmp.Pidle)
			t.resume()
			s.Acquirep(mp, oldp)
			return true
		}
	}
	//course:step Otherwise an idle one. The lock is worth taking only if there seems to be one.
	return s.Npidle.Load() > 0 && s.ExitsyscallPidle(mp)
}

// ExitsyscallPidle takes an idle P, as in chapter 11.
//
//course:exercise
func (p *syscalls) ExitsyscallPidle(mp *gmp.M) bool {
	//course:holds If a P was idle, mp has it, and the monitor is awake.
	s := p.s
	s.Lock.Lock()
	pp, _ := s.Pidleget(0)
	//course:step The monitor sleeps only while all Ps are idle. This one no longer is.
	if pp != nil {
		wakeSysmon(s)
	}
	s.Lock.Unlock()
	if pp == nil {
		return false
	}
	s.Acquirep(mp, pp)
	return true
}

// ExitsyscallNoP lets gp wait for a P.
//
//course:exercise
func (p *syscalls) ExitsyscallNoP(mp *gmp.M, gp *gmp.G) {
	//course:holds gp runs on mp, or it is on the global queue, and then no P was idle; whatever mp does next, it does not touch a G that another M may have.
	//course:lead As in chapter 11. Only the state that gp is in at the beginning is another one.
	s := p.s
	//course:step gp can run, and mp no longer has it.
	gp.SyscallSP.Set(0)
	s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	s.Dropg(mp)
	//course:step The last look for an idle P and the queue are one, under the lock; and so is the question whether gp is locked to mp.
	s.Lock.Lock()
	pp, _ := s.Pidleget(0)
	var locked bool
	if pp == nil {
		locked = gp.Lockedm.Get() != nil
		s.Globrunqput(gp)
	} else {
		wakeSysmon(s)
	}
	s.Lock.Unlock()
	//course:step With a P, gp goes on here. Without, mp sleeps: until gp comes back to it, if the two are locked, else until there is something to do.
	switch {
	case pp != nil:
		s.Acquirep(mp, pp)
		s.Execute(mp, gp, false)
	case locked:
		s.Stoplockedm(mp)
		s.Execute(mp, gp, false)
	default:
		s.Stopm(mp)
		s.Schedule(mp)
	}
}

// Handoffp finds an M for pp, or puts it on the list of idle Ps, as in chapter 11; and it knows of the
// collector.
//
//course:exercise
func (p *syscalls) Handoffp(mp *gmp.M, pp *gmp.P) {
	//course:holds No work that FindRunnable would find with pp waits beside it while it idles: not what was there before, and not what comes meanwhile.
	s := p.s
	//course:step Is there a G for it? Then an M comes at once. And if objects wait to be marked, as well.
	if !s.Runqempty(pp) || s.Runqsize.Load() > 0 || s.GcController.BlackenEnabled.Load() && s.GcMarkWorkAvailable() {
		s.Startm(mp, pp, false, false)
		return
	}
	//course:step If no M looks for work, and no P is idle to look with, this one does. One that spins must be counted first, once.
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
	//course:holds A G that waits in the queue of a P whose M is in a call waits for two looks of the monitor; while the P is in the monitor's hands no deadlock is reported; and no M waits for the monitor that waits for a lock.
	//course:question With the scan bit in your hands you want to take s.Lock. Its M is back, and waits for the bit. What if it is another one that waits for it, and that one holds s.Lock?
	//course:lead Everything that takes a lock comes before the bit is set, or after it is cleared. Which of the steps of chapter 11 must move?
	s := p.s
	if pp.Status.Load() != gmp.Prunning {
		return false
	}
	//course:step Whoever has a P in its hands counts as awake, also the monitor; and that takes s.Lock. So it comes first, although there may be nothing to take.
	s.Incidlelocked(-1)
	defer s.Incidlelocked(1)
	t, ok := setBlockOnExitSyscall(pp)
	if !ok {
		return false
	}
	//course:step Is it the call that was there at the last look? If not, remember this one, and look again later.
	seen, tick := pp.Sysmontick.Get(), pp.Syscalltick.Get()
	if !due && seen.Syscalltick != tick {
		t.resume()
		seen.Syscalltick, seen.Syscallwhen = tick, now
		pp.Sysmontick.Set(seen)
		return false
	}
	//course:step No M needs the P as long as its queue is empty and others are there for new work. Leave it then, but not for ever.
	if s.Runqempty(pp) && s.Nmspinning.Load()+s.Npidle.Load() > 0 && seen.Syscallwhen+wanted > now {
		t.resume()
		return false
	}
	//course:step Take it, let the M go on, and only then look for another M.
	t.releaseP(gmp.Pidle)
	t.resume()
	s.Handoffp(mp, pp)
	return true
}

// GcstopSyscall takes pp for a world that is to stop. s.Lock is held.
//
//course:exercise
func (p *syscalls) GcstopSyscall(pp *gmp.P) bool {
	//course:holds pp is counted down in Stopwait once, whoever else tries.
	t, ok := setBlockOnExitSyscall(pp)
	if !ok {
		return false
	}
	//course:step As long as you hold the bit the P is yours; and nobody is to see the count before it is stopped.
	t.releaseP(gmp.Pgcstop)
	p.s.Stopwait.Set(p.s.Stopwait.Get() - 1)
	t.resume()
	return true
}
