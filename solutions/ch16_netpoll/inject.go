package ch16

import "gosched/chapters/gmp"

// Injectglist makes all of list runnable.
//
//course:exercise
func (p *poller) Injectglist(mp *gmp.M, list gmp.GList) {
	//course:holds When it returns no G of list waits on a queue while a P is idle, unless an M is on its way.
	//course:question You have counted the idle Ps, and one more becomes idle before you have queued anything. Who will tell it?
	//course:lead What is on the global queue is found by an M that wakes. What is on your own queue must be stolen by one that spins.
	if list.Head == nil {
		return
	}
	s := p.s
	//course:step Count the idle Ps. Make each G runnable before it can be found, and deal: one for each idle P, and the rest for your own, if you have one.
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
	p.putGlobal(mp, global)
	if pp == nil {
		return
	}
	//course:step What your own queue has no room for goes on the global one. And a P may have become idle since you counted.
	p.putGlobal(mp, s.Runqputbatch(pp, local))
	s.Wakep(mp)
}

// putGlobal puts q on the global queue, and starts an M for each G as long as Ps are idle.
//
//course:omit
func (p *poller) putGlobal(mp *gmp.M, q gmp.GQueue) {
	s, n := p.s, q.Size
	if n == 0 {
		return
	}
	s.Lock.Lock()
	s.Globrunqputbatch(q)
	for ; n > 0; n-- {
		pp, _ := s.PidlegetSpinning(mp, 0)
		if pp == nil {
			break
		}
		s.Startm(mp, pp, false, true)
	}
	s.Lock.Unlock()
}
