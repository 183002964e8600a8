// Package ch16 holds the netpoller of chapter 16. Until that chapter is reached its
// given form serves, which is right and takes a lock where the chapter's needs none.
package ch16

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Given is the form with a lock.
var Given = gmp.Version{NetPoller: NewGiven}

// given is a poller in which the halves of a PollDesc, Rg and Wg, are under pd.Lock like
// the rest. So a G that is about to wait holds that lock until it does, and PdWait is not
// needed.
//
// Until the program opens its first descriptor there is no Epoll, and an M that waits
// does so on a note: a program without network pays nothing for it.
type given struct {
	s     *gmp.Sched
	epoll machine.Owned[machine.Epoll] // of Netpollinit; a Peek costs no simulated time
	init  machine.Mutex                // of Netpollinit

	note   machine.Note // the M that polls sleeps here; there is one at most
	broken machine.Bool // whoever makes it true signals the note, once
	sig    machine.Bool // whoever makes it true breaks the Epoll, once: the runtime's netpollWakeSig

	waiters machine.Int32 // Gs in halves
}

// NewGiven makes the given NetPoller.
func NewGiven(s *gmp.Sched) gmp.NetPoller {
	p := &given{s: s}
	p.note.On(s.Machine)
	p.init.Init("netpoll.init")
	p.init.On(s.Machine)
	return p
}

// Netpollinit makes the Epoll, and fetches the M that waits without it: it must wait there
// from now on.
func (p *given) Netpollinit() {
	ep, errno := p.s.Machine.NewEpoll()
	if errno != 0 {
		p.s.Throw("runtime: netpollinit failed")
	}
	p.epoll.Set(ep)
	p.breakNote()    // whoever found no Epoll
	p.NetpollBreak() // whoever should have been broken, and was by then on the way from one to the other
}

// Netpollopen lets the Epoll watch pd.FD.
func (p *given) Netpollopen(pd *gmp.PollDesc) machine.Errno {
	return p.epoll.Peek().Add(pd.FD.Get(), pd.Data())
}

// Netpollclose ends that.
func (p *given) Netpollclose(pd *gmp.PollDesc) machine.Errno {
	return p.epoll.Peek().Del(pd.FD.Get())
}

// Netpoll waits in the Epoll, or on the note.
func (p *given) Netpoll(mp *gmp.M, delay int64) (list gmp.GList) {
	ep := p.epoll.Peek()
	if ep == nil {
		if delay != 0 {
			p.sleep(delay)
		}
		return list
	}
	var events [128]machine.PollEvent
	for _, e := range events[:ep.Wait(mp.Thread, events[:], delay)] {
		if e.Data == machine.BreakData {
			if delay != 0 {
				ep.ClearBreak()
				p.sig.Store(false) // only now another one may come
			}
			continue
		}
		pd := p.s.PollDescOf(e.Data)
		if pd == nil {
			continue
		}
		mode := 0
		if e.Events&(machine.PollIn|machine.PollRdhup|machine.PollHup|machine.PollErr) != 0 {
			mode += 'r'
		}
		if e.Events&(machine.PollOut|machine.PollHup|machine.PollErr) != 0 {
			mode += 'w'
		}
		pd.Lock.Lock()
		setInfo(pd, gmp.PollEventErr, e.Events == machine.PollErr)
		pd.Lock.Unlock()
		list = p.s.Netpollready(list, pd, mode)
	}
	return list
}

// sleep waits until NetpollBreak, or for ns. A break that comes first is kept for the next
// call.
func (p *given) sleep(ns int64) {
	p.note.SleepTimeout(ns)
	if p.broken.Load() {
		p.note.Sleep() // the signal may be on its way still
		p.note.Clear()
		p.broken.Store(false) // only now another one may come
	}
}

// NetpollBreak lets Netpoll return.
func (p *given) NetpollBreak() {
	ep := p.epoll.Peek()
	if ep == nil {
		p.breakNote()
	} else if p.sig.CompareAndSwap(false, true) {
		ep.Break()
	}
}

func (p *given) breakNote() {
	if p.broken.CompareAndSwap(false, true) {
		p.note.Wakeup()
	}
}

// NetpollAnyWaiters reports whether any G waits.
func (p *given) NetpollAnyWaiters() bool { return p.epoll.Peek() != nil && p.waiters.Load() > 0 }

// PollOpen makes a PollDesc for fd.
func (p *given) PollOpen(mp *gmp.M, fd int) (*gmp.PollDesc, machine.Errno) {
	if p.epoll.Peek() == nil {
		p.init.Lock()
		if p.epoll.Peek() == nil {
			p.s.Netpollinit()
		}
		p.init.Unlock()
	}
	pd := p.s.Pollalloc(fd)
	if errno := p.s.Netpollopen(pd); errno != 0 {
		p.s.Pollfree(pd)
		return nil, errno
	}
	return pd, 0
}

// PollClose gives pd back.
func (p *given) PollClose(mp *gmp.M, pd *gmp.PollDesc) {
	pd.Lock.Lock()
	switch rg, wg := pd.Rg.Load(), pd.Wg.Load(); {
	case !pd.Closing.Get():
		p.s.Throw("runtime: close polldesc w/o unblock")
	case rg != nil && rg != gmp.PdReady:
		p.s.Throw("runtime: blocked read on closing polldesc")
	case wg != nil && wg != gmp.PdReady:
		p.s.Throw("runtime: blocked write on closing polldesc")
	}
	pd.Lock.Unlock()
	p.s.Netpollclose(pd)
	p.s.Pollfree(pd)
}

// PollReset forgets that pd was ready.
func (p *given) PollReset(pd *gmp.PollDesc, mode int) gmp.PollError {
	if err := p.s.Netpollcheckerr(pd, mode); err != gmp.PollNoError {
		return err
	}
	pd.Lock.Lock()
	defer pd.Lock.Unlock()
	if h := half(pd, mode); h.Load() == gmp.PdReady {
		h.Store(nil)
	}
	return gmp.PollNoError
}

// PollWait lets gp wait, unless there is a reason not to.
func (p *given) PollWait(mp *gmp.M, gp *gmp.G, pd *gmp.PollDesc, mode int) (err gmp.PollError, done bool) {
	for {
		if err := p.s.Netpollcheckerr(pd, mode); err != gmp.PollNoError {
			return err, true
		}
		ready, parked := p.s.Netpollblock(mp, gp, pd, mode)
		if parked {
			return 0, false
		}
		if ready {
			return gmp.PollNoError, true
		}
	}
}

// Netpollblock parks gp with pd.Lock held: whoever makes it ready takes that first.
func (p *given) Netpollblock(mp *gmp.M, gp *gmp.G, pd *gmp.PollDesc, mode int) (ready, parked bool) {
	pd.Lock.Lock()
	h := half(pd, mode)
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
	p.waiters.Add(1)
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
	was := half(pd, mode).Swap(nil)
	if was != nil && was != gmp.PdReady {
		p.s.Throw("runtime: corrupted polldesc")
	}
	return was == gmp.PdReady
}

// Netpollready makes pd ready, and adds those who wait for that to list.
func (p *given) Netpollready(list gmp.GList, pd *gmp.PollDesc, mode int) gmp.GList {
	for _, m := range [2]int{'r', 'w'} {
		if mode == m || mode == 'r'+'w' {
			if gp := p.s.Netpollunblock(pd, m, true); gp != nil {
				list.Push(gp)
			}
		}
	}
	return list
}

// Netpollcheckerr says why nobody can wait.
func (p *given) Netpollcheckerr(pd *gmp.PollDesc, mode int) gmp.PollError {
	info := pd.PollInfo.Load()
	switch {
	case info&gmp.PollClosing != 0:
		return gmp.PollErrClosing
	case mode == 'r' && info&gmp.PollExpiredReadDeadline != 0, mode == 'w' && info&gmp.PollExpiredWriteDeadline != 0:
		return gmp.PollErrTimeout
	case mode == 'r' && info&gmp.PollEventErr != 0:
		return gmp.PollErrNotPollable
	}
	return gmp.PollNoError
}

// Netpollunblock takes out who waits.
func (p *given) Netpollunblock(pd *gmp.PollDesc, mode int, ioready bool) *gmp.G {
	pd.Lock.Lock()
	defer pd.Lock.Unlock()
	return p.take(pd, mode, ioready)
}

// take is Netpollunblock with pd.Lock held.
func (p *given) take(pd *gmp.PollDesc, mode int, ioready bool) *gmp.G {
	h := half(pd, mode)
	gp := h.Load()
	if gp == gmp.PdReady {
		return nil
	}
	if ioready {
		h.Store(gmp.PdReady)
	} else {
		h.Store(nil)
	}
	if gp != nil {
		p.waiters.Add(-1)
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
		deadline(pd, m).Set(d)
		publish(pd)
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
	p.setTimer(mp, pd, 'r')
	p.setTimer(mp, pd, 'w')
	p.ready(mp, woken)
}

// setTimer brings the timer of a deadline to its time. Another M may change the deadline
// meanwhile, and set the timer earlier or later than this one: so whoever has set it
// looks once more. The last one to set it finds what it has set.
func (p *given) setTimer(mp *gmp.M, pd *gmp.PollDesc, mode int) {
	t := &pd.Rt
	if mode == 'w' {
		t = &pd.Wt
	}
	when := func() int64 {
		pd.Lock.Lock()
		defer pd.Lock.Unlock()
		if pd.Closing.Get() {
			return 0
		}
		return max(0, deadline(pd, mode).Get())
	}
	for at := when(); ; {
		if at != 0 {
			p.s.ModTimer(mp, t, at, 0)
		} else {
			p.s.StopTimer(mp, t)
		}
		now := when()
		if now == at {
			return
		}
		at = now
	}
}

// PollUnblock lets nobody wait any more.
func (p *given) PollUnblock(mp *gmp.M, pd *gmp.PollDesc) {
	var woken gmp.GList
	pd.Lock.Lock()
	if pd.Closing.Get() {
		p.s.Throw("runtime: unblock on closing polldesc")
	}
	pd.Closing.Set(true)
	publish(pd)
	for _, m := range [2]int{'r', 'w'} {
		if gp := p.take(pd, m, false); gp != nil {
			woken.Push(gp)
		}
	}
	pd.Lock.Unlock()
	p.setTimer(mp, pd, 'r')
	p.setTimer(mp, pd, 'w')
	p.ready(mp, woken)
}

// Netpolldeadline ends the wait of a G whose time is over.
func (p *given) Netpolldeadline(mp *gmp.M, pd *gmp.PollDesc, mode int) {
	pd.Lock.Lock()
	var gp *gmp.G
	if d := deadline(pd, mode); d.Get() > 0 && d.Get() <= p.s.Nanotime() {
		d.Set(-1)
		publish(pd)
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

// half and deadline return the fields of pd for mode, 'r' or 'w'.
func half(pd *gmp.PollDesc, mode int) *machine.Pointer[gmp.G] {
	if mode == 'r' {
		return &pd.Rg
	}
	return &pd.Wg
}

func deadline(pd *gmp.PollDesc, mode int) *machine.Cell[int64] {
	if mode == 'r' {
		return &pd.Rd
	}
	return &pd.Wd
}

// publish writes PollInfo anew. pd.Lock is held.
func publish(pd *gmp.PollDesc) {
	setInfo(pd, gmp.PollClosing, pd.Closing.Get())
	setInfo(pd, gmp.PollExpiredReadDeadline, pd.Rd.Get() < 0)
	setInfo(pd, gmp.PollExpiredWriteDeadline, pd.Wd.Get() < 0)
}

// setInfo sets a bit of PollInfo, or clears it. pd.Lock is held.
func setInfo(pd *gmp.PollDesc, bit uint32, on bool) {
	if was := pd.PollInfo.Load(); was&bit != 0 != on {
		pd.PollInfo.Store(was ^ bit)
	}
}

// Injectglist makes all of list runnable.
func (p *given) Injectglist(mp *gmp.M, list gmp.GList) {
	s := p.s
	if list.Head == nil {
		return
	}
	if s.Version().Procs == nil {
		for gp := list.Pop(); gp != nil; gp = list.Pop() {
			s.Ready(mp, gp, false)
		}
		return
	}
	var global, local gmp.GQueue
	pp, idle := mp.P.Get(), s.Npidle.Load()
	for gp := list.Pop(); gp != nil; gp = list.Pop() {
		s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
		if pp == nil || global.Size < idle {
			global.PushBack(gp)
		} else {
			local.PushBack(gp)
		}
	}
	p.putGlobal(mp, global)
	if pp == nil {
		return
	}
	if rest := s.Runqputbatch(pp, local); rest.Size > 0 {
		p.putGlobal(mp, rest)
	}
	// A P may have become idle after the look at Npidle, and before there was anything on
	// the global queue.
	s.Wakep(mp)
}

// putGlobal puts q on the global queue, and starts an M for each G as long as Ps are idle.
func (p *given) putGlobal(mp *gmp.M, q gmp.GQueue) {
	s, n := p.s, q.Size
	if n == 0 {
		return
	}
	s.Lock.Lock()
	defer s.Lock.Unlock()
	s.Globrunqputbatch(q)
	for ; n > 0; n-- {
		pp, _ := s.PidlegetSpinning(mp, 0)
		if pp == nil {
			return
		}
		s.Startm(mp, pp, false, true)
	}
}
