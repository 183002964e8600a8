package ch17

import "gosched/chapters/gmp"

// StartTheWorldWithSema lets the Ps run that are to run.
//
//course:exercise
func (p *world) StartTheWorldWithSema(mp *gmp.M, now int64) int64 {
	//course:holds Each P that has work has an M, or one on its way; each other one is on the list of idle Ps; and if there is more work an M looks for it.
	//course:question An M that spun has stopped with its P. Which Gs had it been relied on for, and who looks for them now?
	//course:lead Some work is on the Ps, and some is not: in the network, on the global queue. What brings an M to each of these?
	s := p.s
	//course:step The network: nobody has looked there since the world stopped.
	list := s.Netpoll(mp, 0)
	s.Injectglist(mp, list)
	//course:step How many Ps there are to be.
	s.Lock.Lock()
	procs := s.Gomaxprocs.Get()
	if s.Newprocs.Get() != 0 {
		procs = s.Newprocs.Get()
		s.Newprocs.Set(0)
	}
	//course:step Give the Ps out, and only then say that the world runs. The monitor has slept with it.
	runnable := s.Procresize(mp, procs)
	s.Gcwaiting.Store(false)
	if s.Sysmonwait.Load() {
		s.Sysmonwait.Store(false)
		s.Sysmonnote.Wakeup()
	}
	s.Lock.Unlock()
	//course:step An M for each P that has work. As soon as it is started, the P is no longer yours: follow the link before.
	for runnable != nil {
		pp := runnable
		runnable = pp.Link.Get()
		pp.Link.Set(nil)
		s.Startm(mp, pp, false, false)
	}
	if now == 0 {
		now = s.Nanotime()
	}
	//course:step And one more that looks for the rest.
	s.Wakep(mp)
	return now
}
