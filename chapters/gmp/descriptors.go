package gmp

import "gosched/chapters/machine"

// Descriptors are the methods of NetPoller that surround the halves of a PollDesc: which
// descriptors there are, where an M waits for them, and the loop of PollWait. Chapter 16
// gives them; a NetPoller embeds them, and calls On first. It must not be copied.
type Descriptors struct {
	s *Sched

	// Epoll is where an M waits.
	Epoll LateEpoll

	waiters machine.Int32 // the runtime's netpollWaiters
}

// On says whose they are, before all other calls.
func (d *Descriptors) On(s *Sched) {
	d.s = s
	d.Epoll.On(s)
}

// Netpollinit makes the Epoll.
func (d *Descriptors) Netpollinit() {
	if !d.Epoll.Make() {
		d.s.Throw("runtime: netpollinit failed")
	}
	d.s.NetpollBreak()
}

// Netpollopen lets the Epoll watch pd.FD.
func (d *Descriptors) Netpollopen(pd *PollDesc) machine.Errno {
	return d.Epoll.Get().Add(pd.FD.Get(), pd.Data())
}

// Netpollclose ends that.
func (d *Descriptors) Netpollclose(pd *PollDesc) machine.Errno {
	return d.Epoll.Get().Del(pd.FD.Get())
}

// NetpollAnyWaiters reports whether any G waits.
func (d *Descriptors) NetpollAnyWaiters() bool {
	return d.Epoll.Get() != nil && d.waiters.Load() > 0
}

// NetpollAdjustWaiters counts Gs that wait.
func (d *Descriptors) NetpollAdjustWaiters(delta int32) { d.waiters.Add(delta) }

// PollOpen makes a PollDesc for fd.
func (d *Descriptors) PollOpen(mp *M, fd int) (*PollDesc, machine.Errno) {
	d.Epoll.Once()
	pd := d.s.Pollalloc(fd)
	if errno := d.s.Netpollopen(pd); errno != 0 {
		d.s.Pollfree(pd)
		return nil, errno
	}
	return pd, 0
}

// PollClose gives pd back.
func (d *Descriptors) PollClose(mp *M, pd *PollDesc) {
	pd.Lock.Lock()
	switch rg, wg := pd.Rg.Load(), pd.Wg.Load(); {
	case !pd.Closing.Get():
		d.s.Throw("runtime: close polldesc w/o unblock")
	case rg != nil && rg != PdReady:
		d.s.Throw("runtime: blocked read on closing polldesc")
	case wg != nil && wg != PdReady:
		d.s.Throw("runtime: blocked write on closing polldesc")
	}
	pd.Lock.Unlock()
	d.s.Netpollclose(pd)
	d.s.Pollfree(pd)
}

// PollReset forgets that pd was ready. No G waits in this mode.
func (d *Descriptors) PollReset(pd *PollDesc, mode int) PollError {
	if err := d.s.Netpollcheckerr(pd, mode); err != PollNoError {
		return err
	}
	pd.Half(mode).CompareAndSwap(PdReady, nil)
	return PollNoError
}

// PollWait lets gp wait, unless there is a reason not to.
func (d *Descriptors) PollWait(mp *M, gp *G, pd *PollDesc, mode int) (err PollError, done bool) {
	for {
		if err := d.s.Netpollcheckerr(pd, mode); err != PollNoError {
			return err, true
		}
		ready, parked := d.s.Netpollblock(mp, gp, pd, mode)
		if parked {
			return 0, false
		}
		if ready {
			return PollNoError, true
		}
	}
}

// Netpollcheckerr says why no G can wait.
func (d *Descriptors) Netpollcheckerr(pd *PollDesc, mode int) PollError {
	info := pd.PollInfo.Load()
	switch {
	case info&PollClosing != 0:
		return PollErrClosing
	case mode == 'r' && info&PollExpiredReadDeadline != 0, mode == 'w' && info&PollExpiredWriteDeadline != 0:
		return PollErrTimeout
	case mode == 'r' && info&PollEventErr != 0:
		return PollErrNotPollable
	}
	return PollNoError
}
