package gmp

import (
	"sync"
	"sync/atomic"

	"gosched/chapters/machine"
	"gosched/chapters/trace"
)

// This file is what package net finds in the scheduler, and what the part of chapter 16
// finds in place: the PollDescs, what their timers do, and who polls in versions whose Ms
// do not.

// What Rg and Wg of a PollDesc can be besides nil and a G that waits. No such G runs. The
// runtime's pdReady and pdWait.
var (
	PdReady = new(G)
	PdWait  = new(G)
)

var marks sync.Mutex // while ClearMarks is at work

// ClearMarks makes new Gs of PdReady and PdWait. The whole process has them, and a part can reach
// their fields: the next scheduler must not find what it has left there.
func ClearMarks() {
	marks.Lock()
	defer marks.Unlock()
	*PdReady, *PdWait = G{}, G{}
}

// The bits of PollDesc.PollInfo.
const (
	PollClosing              uint32 = 1 << iota // Closing
	PollEventErr                                // the last event was an error and nothing else
	PollExpiredReadDeadline                     // Rd is below 0
	PollExpiredWriteDeadline                    // Wd is below 0
)

// A PollError is why a G cannot wait for a descriptor. The program has the same numbers.
type PollError int

const (
	PollNoError        PollError = iota
	PollErrClosing               // the descriptor is being closed
	PollErrTimeout               // the deadline is over
	PollErrNotPollable           // the descriptor reports nothing but an error
)

// polling is the state of this file in a Sched.
type polling struct {
	used   atomic.Bool // there has been a descriptor
	descs  numbered[PollDesc]
	lock   machine.Mutex // protects free
	free   machine.Cell[*PollDesc]
	server atomic.Bool // it has been started
}

// Pollalloc returns a PollDesc for fd: Closing is false, there are no deadlines, and
// nothing has come. The runtime's pollcache.alloc.
func (s *Sched) Pollalloc(fd int) *PollDesc {
	c := &s.run.polling
	c.lock.Lock()
	pd := c.free.Get()
	if pd != nil {
		c.free.Set(pd.Link.Get())
	}
	c.lock.Unlock()
	if pd == nil {
		pd = new(PollDesc)
		pd.Lock.Init("pollDesc.lock")
		pd.Lock.On(s.Machine)
		pd.together()
		pd.Number = c.descs.add(pd, 0)
	}
	pd.Link.Set(nil)
	pd.FD.Set(fd)
	pd.Lock.Lock() // an M may still be in Netpolldeadline or PollEvent for its former life
	pd.Closing.Set(false)
	pd.Rd.Set(0)
	pd.Wd.Set(0)
	pd.Rg.Store(nil)
	pd.Wg.Store(nil)
	pd.PollInfo.Store(0)
	pd.Lock.Unlock()
	return pd
}

// Pollfree takes pd back, whose descriptor the poller no longer knows and whose timers are
// not set. From then on events of it are of a former life. The runtime's pollcache.free.
func (s *Sched) Pollfree(pd *PollDesc) {
	pd.Lock.Lock() // so that PollEvent writes nothing about a new life
	pd.Fdseq.Add(1)
	pd.Lock.Unlock()
	c := &s.run.polling
	c.lock.Lock()
	pd.Link.Set(c.free.Get())
	c.free.Set(pd)
	c.lock.Unlock()
}

// readDeadline is what the timer of a deadline for reading does. The runtime's
// netpollReadDeadline.
func readDeadline(s *Sched, mp *M, arg any, delay int64) { s.deadline(mp, arg.(*PollDesc), 'r') }

// writeDeadline is that of one for writing. The runtime's netpollWriteDeadline.
func writeDeadline(s *Sched, mp *M, arg any, delay int64) { s.deadline(mp, arg.(*PollDesc), 'w') }

func (s *Sched) deadline(mp *M, pd *PollDesc, mode int) {
	s.record(mp, trace.Event{Kind: trace.Fire, G: trace.None, Text: "deadline"})
	s.Netpolldeadline(mp, pd, mode)
}

// Data is what an event of pd's descriptor is to bring: which PollDesc it is, and which of
// its lives. It is never machine.BreakData. The runtime's taggedPointer.
func (pd *PollDesc) Data() uint64 { return pd.Number<<32 | uint64(pd.Fdseq.Load()) }

// PollEvent returns the PollDesc that e is about; nil if e is of a former life of it. It
// also notes in PollInfo whether e is PollErr and nothing else (PollEventErr). pd.Lock is
// not held. In the runtime that is part of netpoll, and pollDesc.setEventErr.
func (s *Sched) PollEvent(e machine.PollEvent) *PollDesc {
	pd := s.run.polling.descs.at(e.Data >> 32)
	pd.Lock.Lock()
	defer pd.Lock.Unlock()
	if pd.Fdseq.Load() != uint32(e.Data) {
		return nil
	}
	pd.setInfo(PollEventErr, e.Events == machine.PollErr)
	return pd
}

// PublishInfo writes PollInfo anew, after Closing, Rd or Wd have changed. pd.Lock is held.
// The runtime's pollDesc.publishInfo.
func (pd *PollDesc) PublishInfo() {
	pd.setInfo(PollClosing, pd.Closing.Get())
	pd.setInfo(PollExpiredReadDeadline, pd.Rd.Get() < 0)
	pd.setInfo(PollExpiredWriteDeadline, pd.Wd.Get() < 0)
}

// setInfo sets a bit of PollInfo, or clears it. pd.Lock is held.
func (pd *PollDesc) setInfo(bit uint32, on bool) {
	if was := pd.PollInfo.Load(); was&bit != 0 != on {
		pd.PollInfo.Store(was ^ bit)
	}
}

// Half returns Rg for mode 'r' and Wg for 'w'.
func (pd *PollDesc) Half(mode int) *machine.Pointer[G] {
	if mode == 'r' {
		return &pd.Rg
	}
	return &pd.Wg
}

// Deadline returns Rd for mode 'r' and Wd for 'w'. It is under pd.Lock.
func (pd *PollDesc) Deadline(mode int) *machine.Cell[int64] {
	if mode == 'r' {
		return &pd.Rd
	}
	return &pd.Wd
}

// SetDeadlineTimer brings the timer of mode to the time that pd has now: none if there is
// no deadline, if it is over, or if pd is Closing. Another M may change the deadline
// meanwhile, and set the timer earlier or later than this one: so whoever has set it looks
// once more, and the last one to set it finds what it has set. pd.Lock is not held.
//
// The first deadline makes the timer: most descriptors never have one.
func (s *Sched) SetDeadlineTimer(mp *M, pd *PollDesc, mode int) {
	field, fires := &pd.Rt, TimerFunc(readDeadline)
	if mode == 'w' {
		field, fires = &pd.Wt, writeDeadline
	}
	look := func() (t *Timer, when int64) {
		pd.Lock.Lock()
		defer pd.Lock.Unlock()
		if !pd.Closing.Get() {
			when = max(0, pd.Deadline(mode).Get())
		}
		if t = field.Get(); t == nil && when != 0 {
			t = s.NewTimer(fires, pd)
			field.Set(t)
		}
		return t, when
	}
	for t, at := look(); ; {
		switch {
		case at != 0:
			s.ModTimer(mp, t, at, 0)
		case t != nil:
			s.StopTimer(mp, t)
		}
		now := int64(0)
		if t, now = look(); now == at {
			return
		}
		at = now
	}
}

// PollWaitDone is the continuation of a G that has waited in PollWait: the rest of it.
func (s *Sched) PollWaitDone(mp *M, gp *G) {
	pd, mode := s.waitsFor(gp)
	if s.NetpollblockDone(pd, mode) {
		s.setPollError(gp, PollNoError)
		return
	}
	s.pollWait(mp, gp, pd, mode) // which finds out why, or waits on
}

// waitsFor returns what gp, which has called the runtime with TrapPollWait, waits for.
func (s *Sched) waitsFor(gp *G) (pd *PollDesc, mode int) {
	return s.run.polling.descs.at(s.Machine.Word(gp.Sched.Args)), int(s.Machine.Word(gp.Sched.Args + 8))
}

// setPollError gives gp the result of TrapPollWait.
func (s *Sched) setPollError(gp *G, err PollError) {
	s.Machine.SetWord(gp.Sched.Args+16, uint64(err))
}

// pollWait lets gp wait, or gives it its result.
func (s *Sched) pollWait(mp *M, gp *G, pd *PollDesc, mode int) {
	if err, done := s.PollWait(mp, gp, pd, mode); done {
		s.setPollError(gp, err)
	}
}

// polls is the part of the router for TrapPollOpen and the others.
func (s *Sched) polls(mp *M, gp *G, trap machine.Trap) {
	args := func(i int) uint64 { return s.Machine.Word(gp.Sched.Args + machine.Addr(8*i)) }
	result := func(i int, v uint64) { s.Machine.SetWord(gp.Sched.Args+machine.Addr(8*i), v) }
	if trap == machine.TrapPollOpen {
		s.run.polling.used.Store(true)
		pd, errno := s.PollOpen(mp, int(args(0)))
		if pd != nil {
			result(1, pd.Number)
		} else {
			result(1, 0)
		}
		result(2, uint64(errno))
		s.run.polling.serve(s)
		return
	}
	pd := s.run.polling.descs.at(args(0))
	switch trap {
	case machine.TrapPollClose:
		s.PollClose(mp, pd)
	case machine.TrapPollReset:
		result(2, uint64(s.PollReset(pd, int(args(1)))))
	case machine.TrapPollWait:
		s.pollWait(mp, gp, pd, int(args(1)))
	case machine.TrapPollSetDeadline:
		s.PollSetDeadline(mp, pd, int64(args(1)), int(args(2)))
	case machine.TrapPollUnblock:
		s.PollUnblock(mp, pd)
	}
}

// serve starts a thread that polls, in versions with many Ms and no Finder: the first
// descriptor starts it. It stands for the goroutine that package net of Go 1.0 had for
// that, pollServer, which sat in a system call for ever; so an M was never idle, and a
// deadlock never seen. Here, too, its M counts as one that may make a G ready.
func (c *polling) serve(s *Sched) {
	if !s.run.many || s.run.version.Finder != nil || !c.server.CompareAndSwap(false, true) {
		return
	}
	s.Lock.Lock()
	id := s.MReserveID()
	s.Lock.Unlock()
	mp := s.NewM(id)
	mp.Mstartfn.Set(func(mp *M) {
		for !s.Exited() {
			s.Injectglist(mp, s.Netpoll(mp, -1))
		}
		mp.Gone = true
	})
	s.Newosproc(mp)
}
