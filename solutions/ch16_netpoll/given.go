//course:omit
package ch16

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Given is a poller with a lock: it serves until the chapter is written, and in versions
// with one thread or without Ps.
var Given = gmp.Version{NetPoller: NewGiven}

// given is a poller in which the halves of a PollDesc, Rg and Wg, are under pd.Lock like
// the rest. So a G that is about to wait holds that lock until it does, and PdWait is not
// needed.
type given struct{ poller }

// NewGiven makes the given NetPoller.
func NewGiven(s *gmp.Sched) gmp.NetPoller {
	p := &given{poller{s: s}}
	p.On(s)
	return p
}

// Netpollblock parks gp with pd.Lock held: whoever makes it ready takes that first.
func (p *given) Netpollblock(mp *gmp.M, gp *gmp.G, pd *gmp.PollDesc, mode int) (ready, parked bool) {
	pd.Lock.Lock()
	h := pd.Half(mode)
	switch was := h.Load(); {
	case was == gmp.PdReady:
		h.Store(nil)
		pd.Lock.Unlock()
		return true, false
	case was != nil:
		p.s.Throw("runtime: double wait")
	}
	if p.s.Netpollcheckerr(pd, mode) != gmp.PollNoError {
		pd.Lock.Unlock()
		return false, false
	}
	h.Store(gp)
	p.s.NetpollAdjustWaiters(1)
	gp.Cont.Set((*gmp.Sched).PollWaitDone)
	p.s.Gopark(mp, gp, unlock, &pd.Lock, gmp.WaitReasonIOWait)
	return false, true
}

// unlock is the unlockf of a G that waits.
func unlock(gp *gmp.G, lock any) bool {
	lock.(*machine.Mutex).Unlock()
	return true
}

// NetpollblockDone takes what has woken a G.
func (p *given) NetpollblockDone(pd *gmp.PollDesc, mode int) bool {
	pd.Lock.Lock()
	defer pd.Lock.Unlock()
	p.s.NetpollAdjustWaiters(-1)
	was := pd.Half(mode).Swap(nil)
	if was != nil && was != gmp.PdReady {
		p.s.Throw("runtime: corrupted polldesc")
	}
	return was == gmp.PdReady
}

// Netpollunblock takes out who waits.
func (p *given) Netpollunblock(pd *gmp.PollDesc, mode int, ioready bool) *gmp.G {
	pd.Lock.Lock()
	defer pd.Lock.Unlock()
	return p.take(pd, mode, ioready)
}

// take is Netpollunblock with pd.Lock held.
func (p *given) take(pd *gmp.PollDesc, mode int, ioready bool) *gmp.G {
	h := pd.Half(mode)
	gp := h.Load()
	if gp == gmp.PdReady {
		return nil
	}
	if ioready {
		h.Store(gmp.PdReady)
	} else {
		h.Store(nil)
	}
	return gp
}

// PollSetDeadline sets deadlines, and then the timers.
func (p *given) PollSetDeadline(mp *gmp.M, pd *gmp.PollDesc, d int64, mode int) {
	if d > 0 {
		if d += p.s.Nanotime(); d < 0 {
			d = gmp.MaxWhen
		}
	}
	var woken gmp.GList
	pd.Lock.Lock()
	closing := pd.Closing.Get()
	for _, m := range [2]int{'r', 'w'} {
		if closing || mode != m && mode != 'r'+'w' {
			continue
		}
		pd.Deadline(m).Set(d)
		pd.PublishInfo()
		if d < 0 {
			if gp := p.take(pd, m, false); gp != nil {
				woken.Push(gp)
			}
		}
	}
	pd.Lock.Unlock()
	if closing {
		return
	}
	p.s.SetDeadlineTimer(mp, pd, 'r')
	p.s.SetDeadlineTimer(mp, pd, 'w')
	p.ready(mp, woken)
}

// PollUnblock lets nobody wait any more.
func (p *given) PollUnblock(mp *gmp.M, pd *gmp.PollDesc) {
	var woken gmp.GList
	pd.Lock.Lock()
	if pd.Closing.Get() {
		p.s.Throw("runtime: unblock on closing polldesc")
	}
	pd.Closing.Set(true)
	pd.PublishInfo()
	for _, m := range [2]int{'r', 'w'} {
		if gp := p.take(pd, m, false); gp != nil {
			woken.Push(gp)
		}
	}
	pd.Lock.Unlock()
	p.s.SetDeadlineTimer(mp, pd, 'r')
	p.s.SetDeadlineTimer(mp, pd, 'w')
	p.ready(mp, woken)
}

// Netpolldeadline ends the wait of a G whose time is over.
func (p *given) Netpolldeadline(mp *gmp.M, pd *gmp.PollDesc, mode int) {
	pd.Lock.Lock()
	var gp *gmp.G
	if d := pd.Deadline(mode); d.Get() > 0 && d.Get() <= p.s.Nanotime() {
		d.Set(-1)
		pd.PublishInfo()
		gp = p.take(pd, mode, false)
	}
	pd.Lock.Unlock()
	if gp != nil {
		p.s.Goready(mp, gp)
	}
}

// ready makes all of list ready.
func (p *given) ready(mp *gmp.M, list gmp.GList) {
	for gp := list.Pop(); gp != nil; gp = list.Pop() {
		p.s.Goready(mp, gp)
	}
}

// Injectglist makes all of list runnable, also where there are no Ps.
func (p *given) Injectglist(mp *gmp.M, list gmp.GList) {
	if p.s.Version().Procs != nil {
		p.poller.Injectglist(mp, list)
		return
	}
	for gp := list.Pop(); gp != nil; gp = list.Pop() {
		p.s.Ready(mp, gp, false)
	}
}
