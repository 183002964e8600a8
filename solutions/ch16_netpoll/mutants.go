package ch16

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Mutants are mistakes that one makes in this chapter. Those of Netpollunblock that are open
// are for the student's own test.
var Mutants = []check.Mutant{
	{
		Name: "unblock-loses-ready", Check: "unblock",
		What:  "a close or a deadline makes nil of PdReady",
		Parts: mutant(func(p right) gmp.NetPoller { return unblocks{p, "loses ready"} }),
	},
	{
		Name: "unblock-returns-wait", Check: "unblock",
		What:  "PdWait is returned as if it were a G",
		Parts: mutant(func(p right) gmp.NetPoller { return unblocks{p, "returns wait"} }),
	},
	{
		Name: "unblock-keeps-g", Check: "unblock",
		What:  "without ioready a G is returned, and stays in its half",
		Parts: mutant(func(p right) gmp.NetPoller { return unblocks{p, "keeps G"} }),
	},
	{
		Name: "unblock-forgets", Check: "unblock",
		What:  "a descriptor that becomes ready when no G waits is not remembered",
		Parts: mutant(func(p right) gmp.NetPoller { return unblocks{p, "forgets"} }),
	},
	{
		Name: "unblock-two-steps", Check: "race-ready", Hidden: true,
		What:  "the half is looked at and written in two steps",
		Parts: mutant(func(p right) gmp.NetPoller { return unblocks{p, "two steps"} }),
	},
	{
		Name: "unblock-counts", Check: "race-deadlock", Hidden: true,
		What:  "a G that is taken out of its half does not count any more, although it is still to go on: golang/go#61454",
		Parts: mutant(func(p right) gmp.NetPoller { return doneTaken{unblocks{p, "counts"}} }),
	},
	{
		Name: "block-looks-first", Check: "race-block", Hidden: true,
		What:  "a G looks for a reason not to wait before it says that it is about to wait",
		Parts: mutant(func(p right) gmp.NetPoller { return blocks{p, "looks first"} }),
	},
	{
		Name: "block-never-looks", Check: "race-block", Hidden: true,
		What:  "a G does not look for a reason not to wait once more",
		Parts: mutant(func(p right) gmp.NetPoller { return blocks{p, "never looks"} }),
	},
	{
		Name: "block-before-park", Check: "race-block", Hidden: true,
		What:  "the G is in its half before it waits",
		Parts: mutant(func(p right) gmp.NetPoller { return blocks{p, "before park"} }),
	},
	{
		Name: "block-overwrites", Check: "race-block", Hidden: true,
		What:  "the unlockf puts the G in its half, whatever is there by then",
		Parts: mutant(func(p right) gmp.NetPoller { return blocks{p, "overwrites"} }),
	},
	{
		Name: "block-keeps-ready", Check: "block", Hidden: true,
		What:  "PdReady lets the G go on, and stays",
		Parts: mutant(func(p right) gmp.NetPoller { return blocks{p, "keeps ready"} }),
	},
	{
		Name: "block-goes-on", Check: "block", Hidden: true,
		What:  "a G that parks has no continuation",
		Parts: mutant(func(p right) gmp.NetPoller { return blocks{p, "goes on"} }),
	},
	{
		Name: "block-keeps-cont", Check: "block", Hidden: true,
		What:  "a G that does not park has a continuation all the same",
		Parts: mutant(func(p right) gmp.NetPoller { return blocks{p, "keeps cont"} }),
	},
	{
		Name: "block-second-g", Check: "block", Hidden: true,
		What:  "a second G waits in the same half",
		Parts: mutant(func(p right) gmp.NetPoller { return blocks{p, "second G"} }),
	},
	{
		Name: "done-two-steps", Check: "race-ready", Hidden: true,
		What:  "NetpollblockDone looks at the half, and then empties it",
		Parts: mutant(func(p right) gmp.NetPoller { return doneTwoSteps{p} }),
	},
	{
		Name: "done-miscounts", Check: "done", Hidden: true,
		What:  "a G that goes on still counts as one that waits",
		Parts: mutant(func(p right) gmp.NetPoller { return doneMiscounts{p} }),
	},
	{
		Name: "done-keeps-ready", Check: "done", Hidden: true,
		What:  "NetpollblockDone leaves PdReady in the half",
		Parts: mutant(func(p right) gmp.NetPoller { return doneKeeps{p} }),
	},
	{
		Name: "ready-reads-only", Check: "ready", Hidden: true,
		What:  "an event of both modes makes the one that reads ready",
		Parts: mutant(func(p right) gmp.NetPoller { return readyReads{p} }),
	},
	{
		Name: "ready-new-list", Check: "ready", Hidden: true,
		What:  "the Gs that were on the list are lost",
		Parts: mutant(func(p right) gmp.NetPoller { return readyAnew{p} }),
	},
	{
		Name: "deadline-any", Check: "deadline", Hidden: true,
		What:  "a timer that fires ends the wait, whatever the deadline is by now",
		Parts: mutant(func(p right) gmp.NetPoller { return deadlines{p, "any"} }),
	},
	{
		Name: "deadline-looks-early", Check: "race-moved", Hidden: true,
		What:  "Netpolldeadline looks at the deadline, lets go of the lock, and takes it again to say that it is over",
		Parts: mutant(func(p right) gmp.NetPoller { return deadlines{p, "looks early"} }),
	},
	{
		Name: "deadline-hidden", Check: "deadline", Hidden: true,
		What:  "Netpolldeadline does not publish that the deadline is over",
		Parts: mutant(func(p right) gmp.NetPoller { return deadlines{p, "hidden"} }),
	},
	{
		Name: "set-wakes-first", Check: "race-block", Hidden: true,
		What:  "PollSetDeadline looks who waits before it publishes that the deadline is over",
		Parts: mutant(func(p right) gmp.NetPoller { return sets{p, "wakes first"} }),
	},
	{
		Name: "set-locked", Check: "set-deadline", Hidden: true,
		What:  "the timers are set with pd.Lock held",
		Parts: mutant(func(p right) gmp.NetPoller { return sets{p, "locked"} }),
	},
	{
		Name: "set-overflows", Check: "set-deadline", Hidden: true,
		What:  "a deadline that is too late is over at once",
		Parts: mutant(func(p right) gmp.NetPoller { return sets{p, "overflows"} }),
	},
	{
		Name: "set-hidden", Check: "set-deadline", Hidden: true,
		What:  "a deadline that was over and is moved is still published as over",
		Parts: mutant(func(p right) gmp.NetPoller { return sets{p, "hidden"} }),
	},
	{
		Name: "set-machine-clock", Check: "set-deadline", Hidden: true,
		What:  "the deadline is on the machine's clock, and not on that of the Sched",
		Parts: mutant(func(p right) gmp.NetPoller { return sets{p, "machine clock"} }),
	},
	{
		Name: "deadline-machine-clock", Check: "deadline", Hidden: true,
		What:  "whether the deadline is over is told by the machine's clock, and not by that of the Sched",
		Parts: mutant(func(p right) gmp.NetPoller { return deadlines{p, "machine clock"} }),
	},
	{
		Name: "close-wakes-first", Check: "race-block", Hidden: true,
		What:  "PollUnblock looks who waits before it publishes that pd is Closing",
		Parts: mutant(func(p right) gmp.NetPoller { return closeWakesFirst{p} }),
	},
	{
		Name: "close-reads-only", Check: "close", Hidden: true,
		What:  "only the G that reads learns of the close",
		Parts: mutant(func(p right) gmp.NetPoller { return closeReads{p} }),
	},
	{
		Name: "poll-late-clear", Check: "race-break", Hidden: true,
		What:  "Netpoll lets the next break come, and then clears this one",
		Parts: mutant(func(p right) gmp.NetPoller { return polls{p, "late clear"} }),
	},
	{
		Name: "poll-takes-break", Check: "break", Hidden: true,
		What:  "a Netpoll that does not wait clears the break",
		Parts: mutant(func(p right) gmp.NetPoller { return polls{p, "takes break"} }),
	},
	{
		Name: "poll-breaks-once", Check: "break", Hidden: true,
		What:  "after the first break there is no other",
		Parts: mutant(func(p right) gmp.NetPoller { return polls{p, "breaks once"} }),
	},
	{
		Name: "poll-keeps-break", Check: "break", Hidden: true,
		What:  "Netpoll lets the next break come, and does not clear this one",
		Parts: mutant(func(p right) gmp.NetPoller { return polls{p, "keeps break"} }),
	},
	{
		Name: "poll-hup", Check: "events", Hidden: true,
		What:  "a descriptor that has hung up is not ready to be read from",
		Parts: mutant(func(p right) gmp.NetPoller { return polls{p, "hup"} }),
	},
	{
		Name: "poll-stale", Check: "stale", Hidden: true,
		What:  "Netpoll asks whose the events are before it deals with the first one",
		Parts: mutant(func(p right) gmp.NetPoller { return polls{p, "stale"} }),
	},
	{
		Name: "poll-one", Check: "many", Hidden: true,
		What:  "of the events that have come only the first one counts",
		Parts: mutant(func(p right) gmp.NetPoller { return polls{p, "one"} }),
	},
	{
		Name: "poll-both", Check: "events", Hidden: true,
		What:  "each event makes the descriptor ready in both modes",
		Parts: mutant(func(p right) gmp.NetPoller { return polls{p, "both"} }),
	},
	{
		Name: "break-before-sig", Check: "race-break", Hidden: true,
		What:  "NetpollBreak sets sig after the break",
		Parts: mutant(func(p right) gmp.NetPoller { return breakLate{p} }),
	},
	{
		Name: "break-always", Check: "break", Hidden: true,
		What:  "each NetpollBreak is a system call",
		Parts: mutant(func(p right) gmp.NetPoller { return breakAlways{p} }),
	},
	{
		Name: "inject-forgets-idle", Check: "race-inject", Hidden: true,
		What:  "no M is woken for a P that has become idle since the idle Ps were counted",
		Parts: mutant(func(p right) gmp.NetPoller { return injectForgetsIdle{p} }),
	},
	{
		Name: "inject-all-global", Check: "inject", Hidden: true,
		What:  "all Gs go on the global queue",
		Parts: mutant(func(p right) gmp.NetPoller { return injects{p, "all global"} }),
	},
	{
		Name: "inject-one-m", Check: "inject", Hidden: true,
		What:  "one M is started for all Gs on the global queue",
		Parts: mutant(func(p right) gmp.NetPoller { return injects{p, "one M"} }),
	},
	{
		Name: "inject-sleeps", Check: "inject", Hidden: true,
		What:  "Injectglist wakes no M for what it has put on its own queue",
		Parts: mutant(func(p right) gmp.NetPoller { return injects{p, "sleeps"} }),
	},
	{
		Name: "inject-late", Check: "inject", Hidden: true,
		What:  "the Gs are made runnable when they are on a queue",
		Parts: mutant(func(p right) gmp.NetPoller { return injects{p, "late"} }),
	},
	{
		Name: "inject-locks-twice", Check: "inject", Hidden: true,
		What:  "Injectglist takes s.Lock, and takes it again",
		Parts: mutant(func(p right) gmp.NetPoller { return injects{p, "locks twice"} }),
	},
	{
		Name: "inject-loses", Check: "inject", Hidden: true,
		What:  "Gs for which the own queue has no room are lost",
		Parts: mutant(func(p right) gmp.NetPoller { return injects{p, "loses"} }),
	},
}

// right is a right part.
type right struct {
	gmp.NetPoller
	s *gmp.Sched
}

func mutant(wrong func(p right) gmp.NetPoller) gmp.Version {
	return gmp.Version{NetPoller: func(s *gmp.Sched) gmp.NetPoller { return wrong(right{New(s), s}) }}
}

// own is the state of the right part.
func (p right) own() *poller { return p.NetPoller.(*poller) }

// unblocks is a Netpollunblock with a mistake.
type unblocks struct {
	right
	mistake string
}

func (p unblocks) Netpollunblock(pd *gmp.PollDesc, mode int, ioready bool) *gmp.G {
	half := pd.Half(mode)
	for {
		was := half.Load()
		if was == gmp.PdReady && (p.mistake != "loses ready" || ioready) || was == nil && (!ioready || p.mistake == "forgets") {
			return nil
		}
		var becomes *gmp.G
		if ioready {
			becomes = gmp.PdReady
		}
		if p.mistake == "keeps G" && !ioready && was != gmp.PdWait {
			becomes = was
		}
		if p.mistake == "two steps" {
			half.Store(becomes)
		} else if !half.CompareAndSwap(was, becomes) {
			continue
		}
		switch {
		case was == gmp.PdWait && p.mistake == "returns wait":
			return was
		case was == nil || was == gmp.PdWait || was == gmp.PdReady:
			return nil
		}
		if p.mistake == "counts" {
			p.s.NetpollAdjustWaiters(-1)
		}
		return was
	}
}

// blocks is a Netpollblock with a mistake.
type blocks struct {
	right
	mistake string
}

func (p blocks) Netpollblock(mp *gmp.M, gp *gmp.G, pd *gmp.PollDesc, mode int) (ready, parked bool) {
	s, half := p.s, pd.Half(mode)
	if p.mistake == "looks first" && s.Netpollcheckerr(pd, mode) != gmp.PollNoError {
		return false, false
	}
	for !half.CompareAndSwap(nil, gmp.PdWait) {
		if p.mistake == "keeps ready" && half.Load() == gmp.PdReady || half.CompareAndSwap(gmp.PdReady, nil) {
			return true, false
		}
		if was := half.Load(); was != nil && was != gmp.PdReady {
			if p.mistake == "second G" {
				half.Store(gmp.PdWait)
				break
			}
			s.Throw("runtime: double wait")
		}
	}
	s.NetpollAdjustWaiters(1)
	if p.mistake == "keeps cont" {
		gp.Cont.Set((*gmp.Sched).PollWaitDone)
	}
	if p.mistake != "looks first" && p.mistake != "never looks" && s.Netpollcheckerr(pd, mode) != gmp.PollNoError {
		return s.NetpollblockDone(pd, mode), false
	}
	if p.mistake != "goes on" {
		gp.Cont.Set((*gmp.Sched).PollWaitDone)
	}
	if p.mistake == "before park" {
		if !half.CompareAndSwap(gmp.PdWait, gp) {
			gp.Cont.Set(nil)
			return s.NetpollblockDone(pd, mode), false
		}
		s.Gopark(mp, gp, nil, nil, gmp.WaitReasonIOWait)
		return false, true
	}
	s.Gopark(mp, gp, func(gp *gmp.G, _ any) bool {
		if p.mistake == "overwrites" {
			half.Store(gp)
			return true
		}
		return half.CompareAndSwap(gmp.PdWait, gp)
	}, nil, gmp.WaitReasonIOWait)
	return false, true
}

// doneTaken is a NetpollblockDone that counts only the G that has taken itself out.
type doneTaken struct{ unblocks }

func (p doneTaken) NetpollblockDone(pd *gmp.PollDesc, mode int) bool {
	was := pd.Half(mode).Swap(nil)
	if was == gmp.PdWait {
		p.s.NetpollAdjustWaiters(-1)
	} else if was != nil && was != gmp.PdReady {
		p.s.Throw("runtime: corrupted polldesc")
	}
	return was == gmp.PdReady
}

type doneTwoSteps struct{ right }

func (p doneTwoSteps) NetpollblockDone(pd *gmp.PollDesc, mode int) bool {
	p.s.NetpollAdjustWaiters(-1)
	half := pd.Half(mode)
	was := half.Load()
	if was != nil && was != gmp.PdReady && was != gmp.PdWait {
		p.s.Throw("runtime: corrupted polldesc")
	}
	half.Store(nil)
	return was == gmp.PdReady
}

type doneMiscounts struct{ right }

func (p doneMiscounts) NetpollblockDone(pd *gmp.PollDesc, mode int) bool {
	was := pd.Half(mode).Swap(nil)
	if was != nil && was != gmp.PdReady && was != gmp.PdWait {
		p.s.Throw("runtime: corrupted polldesc")
	}
	return was == gmp.PdReady
}

type doneKeeps struct{ right }

func (p doneKeeps) NetpollblockDone(pd *gmp.PollDesc, mode int) bool {
	if pd.Half(mode).Load() == gmp.PdReady {
		p.s.NetpollAdjustWaiters(-1)
		return true
	}
	return p.NetPoller.NetpollblockDone(pd, mode)
}

type readyReads struct{ right }

func (p readyReads) Netpollready(list gmp.GList, pd *gmp.PollDesc, mode int) gmp.GList {
	if mode == 'r'+'w' {
		mode = 'r'
	}
	return p.NetPoller.Netpollready(list, pd, mode)
}

type readyAnew struct{ right }

func (p readyAnew) Netpollready(list gmp.GList, pd *gmp.PollDesc, mode int) gmp.GList {
	return p.NetPoller.Netpollready(gmp.GList{}, pd, mode)
}

// deadlines is a Netpolldeadline with a mistake.
type deadlines struct {
	right
	mistake string
}

func (p deadlines) Netpolldeadline(mp *gmp.M, pd *gmp.PollDesc, mode int) {
	pd.Lock.Lock()
	deadline := pd.Deadline(mode)
	over := deadline.Get() > 0 && deadline.Get() <= p.s.Nanotime() ||
		p.mistake == "machine clock" && deadline.Get() > 0 && deadline.Get() <= machine.Nanotime() || p.mistake == "any"
	if p.mistake == "looks early" {
		pd.Lock.Unlock()
		pd.Lock.Lock()
	}
	if over {
		deadline.Set(-1)
		if p.mistake != "hidden" {
			pd.PublishInfo()
		}
	}
	pd.Lock.Unlock()
	if over {
		p.own().wake(mp, pd, mode)
	}
}

// sets is a PollSetDeadline with a mistake.
type sets struct {
	right
	mistake string
}

func (p sets) PollSetDeadline(mp *gmp.M, pd *gmp.PollDesc, d int64, mode int) {
	if d > 0 {
		if p.mistake == "machine clock" {
			d += machine.Nanotime() - p.s.Nanotime()
		}
		if d += p.s.Nanotime(); d < 0 && p.mistake != "overflows" {
			d = gmp.MaxWhen
		}
	}
	pd.Lock.Lock()
	if pd.Closing.Get() {
		pd.Lock.Unlock()
		return
	}
	for _, m := range [2]int{'r', 'w'} {
		if mode != m && mode != 'r'+'w' {
			continue
		}
		if d < 0 && p.mistake == "wakes first" {
			p.own().wake(mp, pd, m)
		}
		pd.Deadline(m).Set(d)
		if p.mistake == "locked" {
			if t := pd.Rt.Get(); d > 0 {
				p.s.ModTimer(mp, t, d, 0)
			} else {
				p.s.StopTimer(mp, t)
			}
		}
	}
	if d < 0 || p.mistake != "hidden" {
		pd.PublishInfo()
	}
	pd.Lock.Unlock()
	for _, m := range [2]int{'r', 'w'} {
		if mode != m && mode != 'r'+'w' {
			continue
		}
		if p.mistake != "locked" {
			p.s.SetDeadlineTimer(mp, pd, m)
		}
		if d < 0 && p.mistake != "wakes first" {
			p.own().wake(mp, pd, m)
		}
	}
}

type closeWakesFirst struct{ right }

func (p closeWakesFirst) PollUnblock(mp *gmp.M, pd *gmp.PollDesc) {
	s := p.s
	for _, mode := range [2]int{'r', 'w'} {
		if gp := s.Netpollunblock(pd, mode, false); gp != nil {
			s.Goready(mp, gp)
		}
	}
	pd.Lock.Lock()
	if pd.Closing.Get() {
		s.Throw("runtime: unblock on closing polldesc")
	}
	pd.Closing.Set(true)
	pd.PublishInfo()
	pd.Lock.Unlock()
	s.SetDeadlineTimer(mp, pd, 'r')
	s.SetDeadlineTimer(mp, pd, 'w')
}

type closeReads struct{ right }

func (p closeReads) PollUnblock(mp *gmp.M, pd *gmp.PollDesc) {
	pd.Lock.Lock()
	if pd.Closing.Get() {
		p.s.Throw("runtime: unblock on closing polldesc")
	}
	pd.Closing.Set(true)
	pd.PublishInfo()
	pd.Lock.Unlock()
	p.s.SetDeadlineTimer(mp, pd, 'r')
	p.s.SetDeadlineTimer(mp, pd, 'w')
	p.own().wake(mp, pd, 'r')
}

// polls is a Netpoll with a mistake.
type polls struct {
	right
	mistake string
}

func (p polls) Netpoll(mp *gmp.M, delay int64) (list gmp.GList) {
	s, ep := p.s, p.own().Epoll.Get()
	if ep == nil {
		if delay != 0 {
			p.own().Epoll.Sleep(delay)
		}
		return list
	}
	var room [128]machine.PollEvent
	events := room[:ep.Wait(mp.Thread, room[:], delay)]
	if p.mistake == "one" {
		events = events[:min(1, len(events))]
	}
	whose := map[uint64]*gmp.PollDesc{}
	for _, e := range events {
		if e.Data != machine.BreakData && p.mistake == "stale" {
			whose[e.Data] = s.PollEvent(e)
		}
	}
	for _, e := range events {
		if e.Data == machine.BreakData {
			switch {
			case p.mistake == "late clear" && delay != 0:
				p.own().sig.Store(false)
				ep.ClearBreak()
			case p.mistake == "keeps break" && delay != 0:
				p.own().sig.Store(false)
			case p.mistake == "takes break" || delay != 0:
				ep.ClearBreak()
				if p.mistake != "breaks once" {
					p.own().sig.Store(false)
				}
			}
			continue
		}
		pd := whose[e.Data]
		if p.mistake != "stale" {
			pd = s.PollEvent(e)
		}
		if pd == nil {
			continue
		}
		mode := 0
		reads := uint32(machine.PollIn | machine.PollRdhup | machine.PollHup | machine.PollErr)
		if p.mistake == "hup" {
			reads = machine.PollIn
		}
		if e.Events&reads != 0 || p.mistake == "both" {
			mode += 'r'
		}
		if e.Events&(machine.PollOut|machine.PollHup|machine.PollErr) != 0 || p.mistake == "both" {
			mode += 'w'
		}
		list = s.Netpollready(list, pd, mode)
	}
	return list
}

type breakLate struct{ right }

func (p breakLate) NetpollBreak() {
	ep := p.own().Epoll.Get()
	if ep == nil {
		p.own().Epoll.BreakSleep()
	} else if !p.own().sig.Load() {
		ep.Break()
		p.own().sig.Store(true)
	}
}

type breakAlways struct{ right }

func (p breakAlways) NetpollBreak() {
	p.NetPoller.NetpollBreak()
	if ep := p.own().Epoll.Get(); ep != nil {
		ep.Break()
	}
}

// injects is an Injectglist with a mistake.
type injects struct {
	right
	mistake string
}

func (p injects) Injectglist(mp *gmp.M, list gmp.GList) {
	if list.Head == nil {
		return
	}
	s := p.s
	pp, idle := mp.P.Get(), s.Npidle.Load()
	var global, local gmp.GQueue
	var late []*gmp.G
	for gp := list.Pop(); gp != nil; gp = list.Pop() {
		if p.mistake == "late" {
			late = append(late, gp)
		} else {
			s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
		}
		if pp == nil || global.Size < idle || p.mistake == "all global" {
			global.PushBack(gp)
		} else {
			local.PushBack(gp)
		}
	}
	if p.mistake == "locks twice" {
		s.Lock.Lock()
	}
	p.putGlobal(mp, global)
	if pp != nil {
		if rest := s.Runqputbatch(pp, local); p.mistake != "loses" {
			p.putGlobal(mp, rest)
		}
	}
	for _, gp := range late {
		s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	}
	if pp != nil && p.mistake != "sleeps" {
		s.Wakep(mp)
	}
}

func (p injects) putGlobal(mp *gmp.M, q gmp.GQueue) {
	if p.mistake != "one M" {
		p.own().putGlobal(mp, q)
		return
	}
	s := p.s
	s.Lock.Lock()
	defer s.Lock.Unlock()
	if q.Size == 0 {
		return
	}
	s.Globrunqputbatch(q)
	if pp, _ := s.PidlegetSpinning(mp, 0); pp != nil {
		s.Startm(mp, pp, false, true)
	}
}

type injectForgetsIdle struct{ right }

func (p injectForgetsIdle) Injectglist(mp *gmp.M, list gmp.GList) {
	if list.Head == nil {
		return
	}
	s := p.s
	pp, idle := mp.P.Get(), s.Npidle.Load()
	var global, local gmp.GQueue
	for gp := list.Pop(); gp != nil; gp = list.Pop() {
		s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
		if pp == nil || global.Size < idle {
			global.PushBack(gp)
		} else {
			local.PushBack(gp)
		}
	}
	if pp != nil {
		rest := s.Runqputbatch(pp, local)
		for gp := rest.Pop(); gp != nil; gp = rest.Pop() {
			global.PushBack(gp)
		}
	}
	if n := global.Size; n > 0 {
		s.Lock.Lock()
		s.Globrunqputbatch(global)
		for ; n > 0; n-- {
			idle, _ := s.PidlegetSpinning(mp, 0)
			if idle == nil {
				break
			}
			s.Startm(mp, idle, false, true)
		}
		s.Lock.Unlock()
	}
}
