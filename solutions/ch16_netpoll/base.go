package ch16

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// base is what surrounds the halves of a PollDesc: which descriptors there are, and where
// an M waits for them.
type base struct {
	s       *gmp.Sched
	epoll   gmp.LateEpoll
	sig     machine.Bool  // whoever makes it true breaks the Epoll, once: the runtime's netpollWakeSig
	waiters machine.Int32 // Gs in halves: the runtime's netpollWaiters
}

// Netpollinit makes the Epoll.
func (b *base) Netpollinit() {
	if !b.epoll.Make() {
		b.s.Throw("runtime: netpollinit failed")
	}
	b.s.NetpollBreak()
}

// Netpollopen lets the Epoll watch pd.FD.
func (b *base) Netpollopen(pd *gmp.PollDesc) machine.Errno {
	return b.epoll.Get().Add(pd.FD.Get(), pd.Data())
}

// Netpollclose ends that.
func (b *base) Netpollclose(pd *gmp.PollDesc) machine.Errno {
	return b.epoll.Get().Del(pd.FD.Get())
}

// NetpollAnyWaiters reports whether any G waits.
func (b *base) NetpollAnyWaiters() bool { return b.epoll.Get() != nil && b.waiters.Load() > 0 }

// PollOpen makes a PollDesc for fd.
func (b *base) PollOpen(mp *gmp.M, fd int) (*gmp.PollDesc, machine.Errno) {
	b.epoll.Once()
	pd := b.s.Pollalloc(fd)
	if errno := b.s.Netpollopen(pd); errno != 0 {
		b.s.Pollfree(pd)
		return nil, errno
	}
	return pd, 0
}

// PollClose gives pd back.
func (b *base) PollClose(mp *gmp.M, pd *gmp.PollDesc) {
	pd.Lock.Lock()
	switch rg, wg := pd.Rg.Load(), pd.Wg.Load(); {
	case !pd.Closing.Get():
		b.s.Throw("runtime: close polldesc w/o unblock")
	case rg != nil && rg != gmp.PdReady:
		b.s.Throw("runtime: blocked read on closing polldesc")
	case wg != nil && wg != gmp.PdReady:
		b.s.Throw("runtime: blocked write on closing polldesc")
	}
	pd.Lock.Unlock()
	b.s.Netpollclose(pd)
	b.s.Pollfree(pd)
}

// PollReset forgets that pd was ready. No G waits in this mode.
func (b *base) PollReset(pd *gmp.PollDesc, mode int) gmp.PollError {
	if err := b.s.Netpollcheckerr(pd, mode); err != gmp.PollNoError {
		return err
	}
	pd.Half(mode).CompareAndSwap(gmp.PdReady, nil)
	return gmp.PollNoError
}

// PollWait lets gp wait, unless there is a reason not to.
func (b *base) PollWait(mp *gmp.M, gp *gmp.G, pd *gmp.PollDesc, mode int) (err gmp.PollError, done bool) {
	for {
		if err := b.s.Netpollcheckerr(pd, mode); err != gmp.PollNoError {
			return err, true
		}
		ready, parked := b.s.Netpollblock(mp, gp, pd, mode)
		if parked {
			return 0, false
		}
		if ready {
			return gmp.PollNoError, true
		}
	}
}

// Netpollcheckerr says why no G can wait.
func (b *base) Netpollcheckerr(pd *gmp.PollDesc, mode int) gmp.PollError {
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
