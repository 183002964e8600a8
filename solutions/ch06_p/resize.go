package ch06

import "gosched/chapters/gmp"

// sudogRoom is how many free sudogs a P keeps.
const sudogRoom = 128

// Procresize changes the number of Ps. The world is stopped, so what belongs to other
// Ps may be touched; s.Lock is held for the lists that all share.
//
//course:exercise
func (p *procs) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	//course:holds Each P is in one place: mp has it, or it is idle on the list, or returned, or dead; and whatever was on a P that died is where others find it.
	//course:question The world is stopped, so no other M has a P. Which M may still be at work, and what may it touch?
	//course:lead Draw s.Allp, and an arrow for each P: mp's own, those that stay, those that are new, those that go. Where does each arrow end, and what must happen before what?
	s := p.s
	if nprocs <= 0 {
		s.Throw("procresize: invalid arg")
	}
	//course:step Ps that are missing: those that have died are beyond the end of s.Allp; if there are too few, make new ones.
	old := s.Gomaxprocs.Get()
	all := s.Allp.Get()[:cap(s.Allp.Get())]
	for id := old; id < nprocs; id++ {
		if int(id) == len(all) {
			all = append(all, nil)
		}
		if all[id] == nil {
			all[id] = gmp.NewP(id, gmp.RunqLen)
			all[id].Sudogcache.Set(make([]*gmp.Sudog, 0, sudogRoom))
		}
	}
	//course:step mp goes on with the P that it has, which runs again. If it has none, or that one has to go, it takes the first; it lets go of its old one without Releasep, which refuses a P that is stopped.
	if mp.P.Get() != nil && mp.P.Get().ID < nprocs {
		mp.P.Get().Status.Store(gmp.Prunning)
	} else {
		if mp.P.Get() != nil {
			mp.P.Get().M.Set(nil)
			mp.P.Set(nil)
		}
		all[0].Status.Store(gmp.Pidle)
		s.Acquirep(mp, all[0])
	}
	//course:step Surplus ones give away what they have, and die.
	for id := nprocs; id < old; id++ {
		p.destroy(all[id])
	}
	s.Allp.Set(all[:nprocs])
	s.Gomaxprocs.Set(nprocs)
	//course:step The others are now idle. Put those without work on the list, the last one first; link those with work into a list to return.
	var runnable *gmp.P
	for id := nprocs - 1; id >= 0; id-- {
		pp := all[id]
		if pp == mp.P.Get() {
			continue
		}
		pp.Status.Store(gmp.Pidle)
		if s.Runqempty(pp) {
			s.Pidleput(pp, 0)
		} else {
			pp.Link.Set(runnable)
			runnable = pp
		}
	}
	return runnable
}

// destroy takes from pp everything that is not its alone. The runtime's
// p.destroy.
//
//course:omit
func (p *procs) destroy(pp *gmp.P) {
	s := p.s
	var gs []*gmp.G
	q := s.Runqdrain(pp)
	for gp := q.Pop(); gp != nil; gp = q.Pop() {
		gs = append(gs, gp)
	}
	for i := len(gs) - 1; i >= 0; i-- { // so that the first of them becomes the first of all
		s.Globrunqputhead(gs[i])
	}
	p.freeGs(pp)
	p.freeSudogs(pp)
	pp.Status.Store(gmp.Pdead)
}

// freeGs moves the dead Gs of pp to the shared lists.
//
//course:omit
func (p *procs) freeGs(pp *gmp.P) {
	p.s.GFree.Lock.Lock()
	giveGs(p.s, pp, 0)
	p.s.GFree.Lock.Unlock()
}

// freeSudogs moves the free sudogs of pp to the shared list.
//
//course:omit
func (p *procs) freeSudogs(pp *gmp.P) {
	p.s.Sudoglock.Lock()
	giveSudogs(p.s, pp, 0)
	p.s.Sudoglock.Unlock()
}
