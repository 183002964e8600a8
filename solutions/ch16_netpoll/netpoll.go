package ch16

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Netpoll waits for events, and returns the Gs that wait for them.
//
//course:exercise
func (p *poller) Netpoll(mp *gmp.M, delay int64) (list gmp.GList) {
	//course:holds A NetpollBreak after which nothing more has happened ends this call, or the next one that waits.
	//course:question The event of a Break stays until ClearBreak. Who may clear it, and what must others be able to do the moment after?
	s := p.s
	//course:step There may be no Epoll yet: then sleep, if you may wait.
	ep := p.Epoll.Get()
	if ep == nil {
		if delay != 0 {
			p.Epoll.Sleep(delay)
		}
		return list
	}
	//course:step Fetch up to 128 events, and take them one by one.
	var events [128]machine.PollEvent
	for _, e := range events[:ep.Wait(mp.Thread, events[:], delay)] {
		//course:step A Break is for an M that waits. Clear it, and only then let the next one come.
		if e.Data == machine.BreakData {
			if delay != 0 {
				ep.ClearBreak()
				p.sig.Store(false)
			}
			continue
		}
		//course:step An event of a former life is dropped (PollEvent). What does e mean for 'r', and for 'w'?
		pd := s.PollEvent(e)
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
		list = s.Netpollready(list, pd, mode)
	}
	return list
}

// NetpollBreak lets Netpoll return.
//
//course:exercise
func (p *poller) NetpollBreak() {
	//course:question A hundred Ms set a timer at the same time. How many system calls is that?
	//course:step Without an Epoll: BreakSleep. With one: whoever turns sig from false to true breaks it.
	ep := p.Epoll.Get()
	if ep == nil {
		p.Epoll.BreakSleep()
	} else if p.sig.CompareAndSwap(false, true) {
		ep.Break()
	}
}
