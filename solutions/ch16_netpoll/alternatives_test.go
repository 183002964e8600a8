//course:omit
package ch16_test

import (
	"testing"

	suite "gosched/chapters/ch16_netpoll"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
	"gosched/solutions/ch16_netpoll"
)

// TestAlternatives plays the suite on other right solutions.
func TestAlternatives(t *testing.T) {
	alternatives := map[string]gmp.Version{}
	for name, wrap := range map[string]func(p right) gmp.NetPoller{
		"counts-late":    func(p right) gmp.NetPoller { return countsLate{p} },
		"done-tries":     func(p right) gmp.NetPoller { return doneTries{p} },
		"ready-switches": func(p right) gmp.NetPoller { return readySwitches{p} },
		"sets-locked":    func(p right) gmp.NetPoller { return setsLocked{p} },
		"close-collects": func(p right) gmp.NetPoller { return closeCollects{p} },
		"fires-locked":   func(p right) gmp.NetPoller { return firesLocked{p} },
		"injects-anew":   func(p right) gmp.NetPoller { return injectsAnew{p} },
		"looks-anew":     func(p right) gmp.NetPoller { return looksAnew{p} },
		"polls-apart":    func(p right) gmp.NetPoller { return newPollsApart(p) },
	} {
		parts := ch16.Parts
		parts.NetPoller = func(s *gmp.Sched) gmp.NetPoller { return wrap(right{ch16.New(s), s}) }
		alternatives[name] = parts
	}
	suite.Suite.TestAlternatives(t, solutions.Base("ch16"), alternatives)
}

// countsLate counts a G after it is in its half, as the runtime does: its M still looks for
// work after that. What is in a half is swapped, if it does not matter what was there.
type countsLate struct{ right }

func (p countsLate) Netpollblock(mp *gmp.M, gp *gmp.G, pd *gmp.PollDesc, mode int) (ready, parked bool) {
	half := pd.Half(mode)
	for blocked := false; !blocked; {
		switch was := half.Load(); was {
		case gmp.PdReady:
			if half.CompareAndSwap(was, nil) {
				return true, false
			}
		case nil:
			blocked = half.CompareAndSwap(nil, gmp.PdWait)
		default:
			p.s.Throw("runtime: double wait")
		}
	}
	if p.s.Netpollcheckerr(pd, mode) != gmp.PollNoError {
		return half.Swap(nil) == gmp.PdReady, false
	}
	gp.Cont.Set((*gmp.Sched).PollWaitDone)
	p.s.Gopark(mp, gp, p.commit, half, gmp.WaitReasonIOWait)
	return false, true
}

func (p countsLate) commit(gp *gmp.G, half any) bool {
	waits := half.(*machine.Pointer[gmp.G]).CompareAndSwap(gmp.PdWait, gp)
	p.s.NetpollAdjustWaiters(1)
	return waits
}

func (p countsLate) Netpollunblock(pd *gmp.PollDesc, mode int, ioready bool) *gmp.G {
	half := pd.Half(mode)
	var was *gmp.G
	if ioready {
		was = half.Swap(gmp.PdReady)
	} else {
		for {
			if was = half.Load(); was == nil || was == gmp.PdReady || half.CompareAndSwap(was, nil) {
				break
			}
		}
	}
	if was == nil || was == gmp.PdReady || was == gmp.PdWait {
		return nil
	}
	return was
}

// doneTries empties the half by compare-and-swap.
type doneTries struct{ right }

func (p doneTries) NetpollblockDone(pd *gmp.PollDesc, mode int) bool {
	p.s.NetpollAdjustWaiters(-1)
	half := pd.Half(mode)
	for {
		was := half.Load()
		if was != nil && was != gmp.PdReady && was != gmp.PdWait {
			p.s.Throw("runtime: corrupted polldesc")
		}
		if was == nil || half.CompareAndSwap(was, nil) {
			return was == gmp.PdReady
		}
	}
}

// readySwitches begins with the G that writes.
type readySwitches struct{ right }

func (p readySwitches) Netpollready(list gmp.GList, pd *gmp.PollDesc, mode int) gmp.GList {
	switch mode {
	case 'r', 'w':
		if gp := p.s.Netpollunblock(pd, mode, true); gp != nil {
			list.Push(gp)
		}
		return list
	}
	return p.s.Netpollready(p.s.Netpollready(list, pd, 'w'), pd, 'r')
}

// setsLocked takes the Gs out of their halves with pd.Lock held, as the runtime does.
type setsLocked struct{ right }

func (p setsLocked) PollSetDeadline(mp *gmp.M, pd *gmp.PollDesc, d int64, mode int) {
	if d > 0 {
		if d += p.s.Nanotime(); d < 0 {
			d = gmp.MaxWhen
		}
	}
	var gr, gw *gmp.G
	pd.Lock.Lock()
	if pd.Closing.Get() {
		pd.Lock.Unlock()
		return
	}
	if mode != 'w' {
		pd.Rd.Set(d)
	}
	if mode != 'r' {
		pd.Wd.Set(d)
	}
	pd.PublishInfo()
	if d < 0 && mode != 'w' {
		gr = p.s.Netpollunblock(pd, 'r', false)
	}
	if d < 0 && mode != 'r' {
		gw = p.s.Netpollunblock(pd, 'w', false)
	}
	pd.Lock.Unlock()
	p.s.SetDeadlineTimer(mp, pd, 'r')
	p.s.SetDeadlineTimer(mp, pd, 'w')
	if gr != nil {
		p.s.Goready(mp, gr)
	}
	if gw != nil {
		p.s.Goready(mp, gw)
	}
}

// closeCollects makes the Gs ready when all else is done.
type closeCollects struct{ right }

func (p closeCollects) PollUnblock(mp *gmp.M, pd *gmp.PollDesc) {
	pd.Lock.Lock()
	if pd.Closing.Get() {
		p.s.Throw("runtime: unblock on closing polldesc")
	}
	pd.Closing.Set(true)
	pd.PublishInfo()
	gs := [2]*gmp.G{p.s.Netpollunblock(pd, 'r', false), p.s.Netpollunblock(pd, 'w', false)}
	pd.Lock.Unlock()
	p.s.SetDeadlineTimer(mp, pd, 'w')
	p.s.SetDeadlineTimer(mp, pd, 'r')
	for _, gp := range gs {
		if gp != nil {
			p.s.Goready(mp, gp)
		}
	}
}

// firesLocked takes the G out of its half with pd.Lock held.
type firesLocked struct{ right }

func (p firesLocked) Netpolldeadline(mp *gmp.M, pd *gmp.PollDesc, mode int) {
	pd.Lock.Lock()
	if d := pd.Deadline(mode).Get(); d <= 0 || d > p.s.Nanotime() {
		pd.Lock.Unlock()
		return
	}
	pd.Deadline(mode).Set(-1)
	pd.PublishInfo()
	gp := p.s.Netpollunblock(pd, mode, false)
	pd.Lock.Unlock()
	if gp != nil {
		p.s.Goready(mp, gp)
	}
}

// injectsAnew takes s.Lock for each M that it starts, as the runtime does, and deals from the
// other end.
type injectsAnew struct{ right }

func (p injectsAnew) Injectglist(mp *gmp.M, list gmp.GList) {
	s := p.s
	if list.Size == 0 {
		return
	}
	var all, global gmp.GQueue
	for gp := list.Pop(); gp != nil; gp = list.Pop() {
		s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
		all.PushBack(gp)
	}
	n := all.Size
	if mp.P.Get() != nil {
		n = min(n, s.Npidle.Load())
	}
	for range n {
		global.PushBack(all.Pop())
	}
	if n > 0 {
		s.Lock.Lock()
		s.Globrunqputbatch(global)
		s.Lock.Unlock()
	}
	for range n {
		s.Lock.Lock()
		pp, _ := s.PidlegetSpinning(mp, 0)
		if pp != nil {
			s.Startm(mp, pp, false, true)
		}
		s.Lock.Unlock()
		if pp == nil {
			break
		}
	}
	if pp := mp.P.Get(); pp != nil {
		if rest := s.Runqputbatch(pp, all); rest.Size > 0 {
			s.Lock.Lock()
			s.Globrunqputbatch(rest)
			s.Lock.Unlock()
		}
		s.Wakep(mp)
	}
}

// looksAnew reads again whatever it could remember: the half before it is changed, the P and the
// number of idle Ps for each G, the deadline. The clock it reads before it takes the lock.
type looksAnew struct{ right }

func (p looksAnew) Netpollblock(mp *gmp.M, gp *gmp.G, pd *gmp.PollDesc, mode int) (ready, parked bool) {
	s, half := p.s, pd.Half(mode)
	for !half.CompareAndSwap(nil, gmp.PdWait) {
		if was := half.Load(); was != nil && was != gmp.PdReady {
			s.Throw("runtime: double wait")
		}
		if half.CompareAndSwap(gmp.PdReady, nil) {
			return true, false
		}
	}
	gp.Cont.Set((*gmp.Sched).PollWaitDone)
	s.NetpollAdjustWaiters(1)
	if s.Netpollcheckerr(pd, mode) == gmp.PollNoError {
		s.Gopark(mp, gp, func(gp *gmp.G, half any) bool {
			if half := half.(*machine.Pointer[gmp.G]); half.Load() == gmp.PdWait {
				return half.CompareAndSwap(gmp.PdWait, gp)
			}
			return false
		}, half, gmp.WaitReasonIOWait)
		return false, true
	}
	gp.Cont.Set(nil)
	return s.NetpollblockDone(pd, mode), false
}

func (p looksAnew) Netpolldeadline(mp *gmp.M, pd *gmp.PollDesc, mode int) {
	now := p.s.Nanotime()
	pd.Lock.Lock()
	over := pd.Deadline(mode).Get() > 0 && pd.Deadline(mode).Get() <= now
	if over {
		pd.Deadline(mode).Set(-1)
		pd.PublishInfo()
	}
	pd.Lock.Unlock()
	if !over {
		return
	}
	if gp := p.s.Netpollunblock(pd, mode, false); gp != nil {
		p.s.Ready(mp, gp, true)
	}
}

func (p looksAnew) Injectglist(mp *gmp.M, list gmp.GList) {
	s := p.s
	var global, local gmp.GQueue
	some := list.Head != nil
	for list.Head != nil {
		gp := list.Pop()
		s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
		if mp.P.Get() != nil && global.Size >= s.Npidle.Load() {
			local.PushBack(gp)
		} else {
			global.PushBack(gp)
		}
	}
	if mp.P.Get() != nil {
		rest := s.Runqputbatch(mp.P.Get(), local)
		for gp := rest.Pop(); gp != nil; gp = rest.Pop() {
			global.PushBack(gp)
		}
	}
	if n := global.Size; n > 0 {
		s.Lock.Lock()
		s.Globrunqputbatch(global)
		for pp, _ := s.PidlegetSpinning(mp, s.Nanotime()); pp != nil; pp, _ = s.PidlegetSpinning(mp, 0) {
			s.Startm(mp, pp, false, true)
			if n--; n == 0 {
				break
			}
		}
		s.Lock.Unlock()
	}
	if some && mp.P.Get() != nil {
		s.Wakep(mp)
	}
}

// pollsApart has an Epoll of its own, and counts breaks.
type pollsApart struct {
	right
	epoll   gmp.LateEpoll
	breaks  machine.Uint32 // that have not been seen
	waiters machine.Int32
}

func newPollsApart(r right) gmp.NetPoller {
	p := &pollsApart{right: r}
	p.epoll.On(r.s)
	return p
}

func (p *pollsApart) Netpollinit() {
	if !p.epoll.Make() {
		p.s.Throw("runtime: netpollinit failed")
	}
	p.s.NetpollBreak()
}

func (p *pollsApart) PollOpen(mp *gmp.M, fd int) (*gmp.PollDesc, machine.Errno) {
	p.epoll.Once()
	pd := p.s.Pollalloc(fd)
	if errno := p.s.Netpollopen(pd); errno != 0 {
		p.s.Pollfree(pd)
		return nil, errno
	}
	return pd, 0
}

func (p *pollsApart) PollClose(mp *gmp.M, pd *gmp.PollDesc) {
	p.s.Netpollclose(pd)
	p.s.Pollfree(pd)
}

func (p *pollsApart) Netpollopen(pd *gmp.PollDesc) machine.Errno {
	return p.epoll.Get().Add(pd.FD.Get(), pd.Data())
}

func (p *pollsApart) Netpollclose(pd *gmp.PollDesc) machine.Errno {
	return p.epoll.Get().Del(pd.FD.Get())
}

func (p *pollsApart) NetpollAnyWaiters() bool { return p.epoll.Get() != nil && p.waiters.Load() > 0 }

func (p *pollsApart) NetpollAdjustWaiters(delta int32) { p.waiters.Add(delta) }

func (p *pollsApart) Netpoll(mp *gmp.M, delay int64) (list gmp.GList) {
	if p.epoll.Get() == nil {
		if delay != 0 {
			p.epoll.Sleep(delay)
		}
		return list
	}
	events := make([]machine.PollEvent, 128)
	broken := false
	for _, e := range events[:p.epoll.Get().Wait(mp.Thread, events, delay)] {
		if e.Data == machine.BreakData {
			broken = true
			continue
		}
		pd := p.s.PollEvent(e)
		if pd == nil {
			continue
		}
		if e.Events&^machine.PollOut != 0 {
			list = p.s.Netpollready(list, pd, 'r')
		}
		if e.Events&(machine.PollOut|machine.PollHup|machine.PollErr) != 0 {
			list = p.s.Netpollready(list, pd, 'w')
		}
	}
	if broken && delay != 0 {
		p.epoll.Get().ClearBreak()
		p.breaks.Store(0)
	}
	return list
}

func (p *pollsApart) NetpollBreak() {
	if p.epoll.Get() == nil {
		p.epoll.BreakSleep()
	} else if p.breaks.Add(1) == 1 {
		p.epoll.Get().Break()
	}
}
