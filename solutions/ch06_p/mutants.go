package ch06

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Mutants are mistakes that one makes in this chapter. Those of a P that dies are open:
// the student's own test must find them.
var Mutants = []check.Mutant{
	{
		Name: "dies-with-gs", Check: "resize-queue",
		What:  "the Gs of a P that dies are forgotten",
		Parts: procsMutant(func(p *procs) gmp.Procs { return diesWithGs{p} }),
	},
	{
		Name: "dies-reversed", Check: "resize-queue",
		What:  "the Gs of a P that dies are put at the head of the global queue one after the other, so the first of them comes last",
		Parts: procsMutant(func(p *procs) gmp.Procs { return diesReversed{p} }),
	},
	{
		Name: "dies-with-next", Check: "resize-queue", Hidden: true,
		What:  "the G in the Runnext of a P that dies is forgotten",
		Parts: procsMutant(func(p *procs) gmp.Procs { return diesWithNext{p} }),
	},
	{
		Name: "dies-unlocked", Check: "race-dying", Hidden: true,
		What:  "a P that dies gives its dead Gs away without GFree.Lock, since the world is stopped",
		Parts: procsMutant(func(p *procs) gmp.Procs { return diesUnlocked{p} }),
	},
	{
		Name: "dies-with-dead-gs", Check: "resize-caches",
		What:  "the dead Gs of a P that dies are forgotten, with their stacks",
		Parts: procsMutant(func(p *procs) gmp.Procs { return diesWithDeadGs{p} }),
	},
	{
		Name: "dies-with-sudogs", Check: "resize-caches",
		What:  "the sudogs of a P that dies are forgotten",
		Parts: procsMutant(func(p *procs) gmp.Procs { return diesWithSudogs{p} }),
	},
	{
		Name: "dies-alive", Check: "resize-again",
		What:  "a P that is no longer needed stays stopped, and does not become dead",
		Parts: procsMutant(func(p *procs) gmp.Procs { return diesAlive{p} }),
	},
	{
		Name: "wirep-one-way", Check: "wirep", Hidden: true,
		What:  "the M has its P, but the P does not know",
		Parts: procsMutant(func(p *procs) gmp.Procs { return oneWay{p} }),
	},
	{
		Name: "wirep-takes", Check: "wirep-throws", Hidden: true,
		What:  "Wirep takes a P that another M has",
		Parts: procsMutant(func(p *procs) gmp.Procs { return takes{p} }),
	},
	{
		Name: "wirep-any-state", Check: "wirep-throws", Hidden: true,
		What:  "Wirep checks only for an M, so a P that is stopped or dead can be taken",
		Parts: procsMutant(func(p *procs) gmp.Procs { return anyState{p} }),
	},
	{
		Name: "acquirep-by-itself", Check: "acquirep", Hidden: true,
		What:  "Acquirep links M and P itself, and leaves out what Wirep checks",
		Parts: procsMutant(func(p *procs) gmp.Procs { return byItself{p} }),
	},
	{
		Name: "releasep-keeps-m", Check: "releasep", Hidden: true,
		What:  "a P that was taken away still points to its M",
		Parts: procsMutant(func(p *procs) gmp.Procs { return keepsM{p} }),
	},
	{
		Name: "releasep-lists", Check: "releasep", Hidden: true,
		What:  "Releasep puts the P on the list of idle Ps, without the lock, and the caller will do so again",
		Parts: procsMutant(func(p *procs) gmp.Procs { return lists{p} }),
	},
	{
		Name: "releasep-idles-m", Check: "releasep", Hidden: true,
		What:  "Releasep takes an M without a P for one that sleeps, and puts it on the list of idle Ms",
		Parts: procsMutant(func(p *procs) gmp.Procs { return idlesM{p} }),
	},
	{
		Name: "releasep-trusts", Check: "releasep-throws", Hidden: true,
		What:  "Releasep does not check whether the P agrees",
		Parts: procsMutant(func(p *procs) gmp.Procs { return trusts{p} }),
	},
	{
		Name: "releasep-remembers", Check: "race-handover", Hidden: true,
		What:  "Releasep notes the P in Nextp, so that the M gets it back; but Nextp is for what another M brings",
		Parts: procsMutant(func(p *procs) gmp.Procs { return remembers{p} }),
	},
	{
		Name: "idle-oldest-first", Check: "idle-list", Hidden: true,
		What:  "the P that has been idle longest is taken first, whose caches are cold",
		Parts: procsMutant(func(p *procs) gmp.Procs { return oldestFirst{p} }),
	},
	{
		Name: "idle-not-counted", Check: "idle-list", Hidden: true,
		What:  "Pidleget takes a P off the list and still counts it as idle",
		Parts: procsMutant(func(p *procs) gmp.Procs { return notCounted{p} }),
	},
	{
		Name: "idle-keeps-link", Check: "idle-list", Hidden: true,
		What:  "a P that was taken still points to the next idle one",
		Parts: procsMutant(func(p *procs) gmp.Procs { return keepsLink{p} }),
	},
	{
		Name: "idle-with-work", Check: "idle-rules", Hidden: true,
		What:  "a P with a G in its queue becomes idle, and the G waits for an M that happens to steal it",
		Parts: procsMutant(func(p *procs) gmp.Procs { return withWork{p} }),
	},
	{
		Name: "idle-own-time", Check: "idle-rules", Hidden: true,
		What:  "Pidleput looks at the clock, although the caller already has",
		Parts: procsMutant(func(p *procs) gmp.Procs { return ownTime{p} }),
	},
	{
		Name: "idle-peeks", Check: "race-idle", Hidden: true,
		What:  "Pidleget leaves the P on the list, and Acquirep takes it off: in between another M finds it there",
		Parts: procsMutant(func(p *procs) gmp.Procs { return peeks{p} }),
	},
	{
		Name: "idle-gives-way", Check: "race-idle", Hidden: true,
		What:  "Pidleget releases the lock while it looks at the clock, and then takes off the list what it saw before",
		Parts: procsMutant(func(p *procs) gmp.Procs { return idleGivesWay{p, p.s} }),
	},
	{
		Name: "resize-last-first", Check: "resize-first", Hidden: true,
		What:  "the Ps are put on the list in order of ID, so the last one comes first",
		Parts: procsMutant(func(p *procs) gmp.Procs { return lastFirst{p} }),
	},
	{
		Name: "resize-no-room", Check: "resize-first", Hidden: true,
		What:  "a new P has no room for sudogs",
		Parts: procsMutant(func(p *procs) gmp.Procs { return noRoom{p} }),
	},
	{
		Name: "resize-all-new", Check: "resize-again", Hidden: true,
		What:  "when the number rises, new Ps are made, although there are dead ones, which something may still know",
		Parts: procsMutant(func(p *procs) gmp.Procs { return allNew{p} }),
	},
	{
		Name: "resize-two-owners", Check: "resize-mine", Hidden: true,
		What:  "the M takes P0, and its old P still believes that it has the M",
		Parts: procsMutant(func(p *procs) gmp.Procs { return twoOwners{p} }),
	},
	{
		Name: "resize-always-first", Check: "resize-mine", Hidden: true,
		What:  "the M always takes P0, although its own P lives on, with the caches that it has filled",
		Parts: procsMutant(func(p *procs) gmp.Procs { return alwaysFirst{p} }),
	},
	{
		Name: "resize-returns-none", Check: "resize-work", Hidden: true,
		What:  "the Ps with work are on no list, and are never given an M",
		Parts: procsMutant(func(p *procs) gmp.Procs { return returnsNone{p} }),
	},
	{
		Name: "resize-idles-none", Check: "resizes", Hidden: true,
		What:  "when the number changes, the Ps without work are not put on the list, and no M ever takes them",
		Parts: procsMutant(func(p *procs) gmp.Procs { return idlesNone{p} }),
	},
	{
		Name: "free-shared", Check: "free-own", Hidden: true,
		What:  "a G that ends goes to the shared list, as in chapter 1",
		Parts: freelistsMutant(func(p *freelists) gmp.Freelists { return shared{p} }),
	},
	{
		Name: "free-anybodys", Check: "free-own", Hidden: true,
		What:  "an M whose P has no dead G takes one from another P, without a lock",
		Parts: freelistsMutant(func(p *freelists) gmp.Freelists { return anybodys{p} }),
	},
	{
		Name: "free-keeps-stack", Check: "free-stacks", Hidden: true,
		What:  "a stack that has grown is kept, and the next goroutine gets it",
		Parts: freelistsMutant(func(p *freelists) gmp.Freelists { return keepsStack{p} }),
	},
	{
		Name: "free-off-by-one", Check: "free-balance", Hidden: true,
		What:  "a P keeps 64 dead Gs, and gives some away with the 65th",
		Parts: freelistsMutant(func(p *freelists) gmp.Freelists { return offByOne{p} }),
	},
	{
		Name: "free-stack-last", Check: "free-balance", Hidden: true,
		What:  "of the dead Gs for all, those without a stack are taken first",
		Parts: freelistsMutant(func(p *freelists) gmp.Freelists { return stackLast{p} }),
	},
	{
		Name: "free-one", Check: "locks", Hidden: true,
		What:  "a P that has too many dead Gs gives one away, so the next one that ends needs the lock again",
		Parts: freelistsMutant(func(p *freelists) gmp.Freelists { return givesOne{p} }),
	},
	{
		Name: "free-looks-early", Check: "race-free", Hidden: true,
		What:  "Gfget counts the Gs on the shared lists, waits for the lock, and takes that many",
		Parts: freelistsMutant(func(p *freelists) gmp.Freelists { return freeLooksEarly{p, p.s} }),
	},
	{
		Name: "free-unlocked", Check: "race-free", Hidden: true,
		What:  "Gfput gives Gs away without GFree.Lock",
		Parts: freelistsMutant(func(p *freelists) gmp.Freelists { return unlocked{p} }),
	},
	{
		Name: "sudog-per-m", Check: "sudog-own", Hidden: true,
		What:  "sudogs stay on the M, as in chapter 3",
		Parts: sudogsMutant(func(p *sudogs) gmp.Sudogs { return perM{p} }),
	},
	{
		Name: "sudog-dirty", Check: "sudog-own", Hidden: true,
		What:  "a sudog is kept as it is, and the next G that acquires it finds it that way",
		Parts: sudogsMutant(func(p *sudogs) gmp.Sudogs { return dirty{p} }),
	},
	{
		Name: "sudog-unchecked", Check: "sudog-throws", Hidden: true,
		What:  "a sudog that is still on a queue is taken back",
		Parts: sudogsMutant(func(p *sudogs) gmp.Sudogs { return unchecked{p} }),
	},
	{
		Name: "sudog-peeks", Check: "race-sudog", Hidden: true,
		What:  "AcquireSudog checks whether there is a sudog for all before it takes the lock",
		Parts: sudogsMutant(func(p *sudogs) gmp.Sudogs { return peeksForAll{p} }),
	},
	{
		Name: "sudog-links-early", Check: "race-sudog", Hidden: true,
		What:  "ReleaseSudog links what it gives away to the first sudog for all, and then takes the lock to put them there",
		Parts: sudogsMutant(func(p *sudogs) gmp.Sudogs { return sudogLinksEarly{p, p.s} }),
	},
	{
		Name: "sudog-leaves-pointer", Check: "sudog-own", Hidden: true,
		What:  "a sudog that was taken from a P is still in the array of its cache",
		Parts: sudogsMutant(func(p *sudogs) gmp.Sudogs { return leavesPointer{p} }),
	},
	{
		Name: "sudog-hoards", Check: "sudog-balance", Hidden: true,
		What:  "a P keeps all sudogs that it is given, and others make new ones",
		Parts: sudogsMutant(func(p *sudogs) gmp.Sudogs { return hoards{p} }),
	},
	{
		Name: "sudog-linked", Check: "sudog-balance", Hidden: true,
		What:  "a sudog that comes from the shared list still points to the next one there",
		Parts: sudogsMutant(func(p *sudogs) gmp.Sudogs { return stillLinked{p} }),
	},
	{
		Name: "init-main-first", Check: "schedinit", Hidden: true,
		What:  "the main goroutine is made before there is a P to queue it on",
		Parts: bootMutant(func(p *boot) gmp.Boot { return mainFirst{p} }),
	},
	{
		Name: "exit-no-hooks", Check: "main-exit", Hidden: true,
		What:  "the program ends without its exit hooks",
		Parts: bootMutant(func(p *boot) gmp.Boot { return noHooks{p} }),
	},
}

func procsMutant(broken func(p *procs) gmp.Procs) gmp.Version {
	return gmp.Version{Procs: func(s *gmp.Sched) gmp.Procs { return broken(&procs{s: s}) }}
}

func freelistsMutant(broken func(p *freelists) gmp.Freelists) gmp.Version {
	return gmp.Version{Freelists: func(s *gmp.Sched) gmp.Freelists { return broken(&freelists{s: s}) }}
}

func sudogsMutant(broken func(p *sudogs) gmp.Sudogs) gmp.Version {
	return gmp.Version{Sudogs: func(s *gmp.Sched) gmp.Sudogs { return broken(&sudogs{s: s}) }}
}

func bootMutant(broken func(p *boot) gmp.Boot) gmp.Version {
	return gmp.Version{Boot: func(s *gmp.Sched) gmp.Boot { return broken(&boot{s: s}) }}
}

// dying are the Ps that a Procresize to nprocs ends.
func (p *procs) dying(nprocs int32) []*gmp.P {
	if nprocs < 0 || nprocs >= p.s.Gomaxprocs.Get() {
		return nil
	}
	return p.s.Allp.Get()[nprocs:]
}

type diesWithGs struct{ *procs }

func (p diesWithGs) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	for _, pp := range p.dying(nprocs) {
		p.s.Runqdrain(pp)
	}
	return p.procs.Procresize(mp, nprocs)
}

type diesReversed struct{ *procs }

func (p diesReversed) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	for _, pp := range p.dying(nprocs) {
		for q := p.s.Runqdrain(pp); q.Head != nil; {
			p.s.Globrunqputhead(q.Pop())
		}
	}
	return p.procs.Procresize(mp, nprocs)
}

type diesWithNext struct{ *procs }

func (p diesWithNext) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	for _, pp := range p.dying(nprocs) {
		pp.Runnext.Store(nil)
	}
	return p.procs.Procresize(mp, nprocs)
}

type diesUnlocked struct{ *procs }

func (p diesUnlocked) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	for _, pp := range p.dying(nprocs) {
		giveGs(p.s, pp, 0)
	}
	return p.procs.Procresize(mp, nprocs)
}

type diesWithDeadGs struct{ *procs }

func (p diesWithDeadGs) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	for _, pp := range p.dying(nprocs) {
		pp.GFree.Set(gmp.GList{})
	}
	return p.procs.Procresize(mp, nprocs)
}

type diesWithSudogs struct{ *procs }

func (p diesWithSudogs) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	for _, pp := range p.dying(nprocs) {
		clear(pp.Sudogcache.Get())
		pp.Sudogcache.Set(pp.Sudogcache.Get()[:0])
	}
	return p.procs.Procresize(mp, nprocs)
}

type diesAlive struct{ *procs }

func (p diesAlive) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	dying := p.dying(nprocs)
	runnable := p.procs.Procresize(mp, nprocs)
	for _, pp := range dying {
		pp.Status.Store(gmp.Pgcstop)
	}
	return runnable
}

type oneWay struct{ *procs }

func (p oneWay) Wirep(mp *gmp.M, pp *gmp.P) {
	p.procs.Wirep(mp, pp)
	pp.M.Set(nil)
}

type takes struct{ *procs }

func (p takes) Wirep(mp *gmp.M, pp *gmp.P) {
	if old := pp.M.Get(); old != nil && mp.P.Get() == nil {
		old.P.Set(nil)
		pp.M.Set(nil)
		pp.Status.Store(gmp.Pidle)
	}
	p.procs.Wirep(mp, pp)
}

type anyState struct{ *procs }

func (p anyState) Wirep(mp *gmp.M, pp *gmp.P) {
	if pp.M.Get() == nil {
		pp.Status.Store(gmp.Pidle)
	}
	p.procs.Wirep(mp, pp)
}

type byItself struct{ *procs }

func (p byItself) Acquirep(mp *gmp.M, pp *gmp.P) {
	mp.P.Set(pp)
	pp.M.Set(mp)
	pp.Status.Store(gmp.Prunning)
}

type keepsM struct{ *procs }

func (p keepsM) Releasep(mp *gmp.M) *gmp.P {
	pp := p.procs.Releasep(mp)
	pp.M.Set(mp)
	return pp
}

type lists struct{ *procs }

func (p lists) Releasep(mp *gmp.M) *gmp.P {
	pp := p.procs.Releasep(mp)
	pp.Link.Set(p.s.Pidle.Get())
	p.s.Pidle.Set(pp)
	p.s.Npidle.Add(1)
	return pp
}

type idlesM struct{ *procs }

func (p idlesM) Releasep(mp *gmp.M) *gmp.P {
	pp := p.procs.Releasep(mp)
	p.s.Mput(mp)
	return pp
}

type trusts struct{ *procs }

func (p trusts) Releasep(mp *gmp.M) *gmp.P {
	pp := mp.P.Get()
	if pp == nil {
		p.s.Throw("releasep: invalid arg")
	}
	mp.P.Set(nil)
	pp.M.Set(nil)
	pp.Status.Store(gmp.Pidle)
	return pp
}

type remembers struct{ *procs }

func (p remembers) Releasep(mp *gmp.M) *gmp.P {
	pp := p.procs.Releasep(mp)
	mp.Nextp.Set(pp)
	return pp
}

type oldestFirst struct{ *procs }

func (p oldestFirst) Pidleput(pp *gmp.P, now int64) int64 {
	if p.s.Pidle.Get() == nil {
		return p.procs.Pidleput(pp, now)
	}
	last := p.s.Pidle.Get()
	for last.Link.Get() != nil {
		last = last.Link.Get()
	}
	last.Link.Set(pp)
	p.s.Npidle.Add(1)
	return now
}

type notCounted struct{ *procs }

func (p notCounted) Pidleget(now int64) (*gmp.P, int64) {
	pp, now := p.procs.Pidleget(now)
	if pp != nil {
		p.s.Npidle.Add(1)
	}
	return pp, now
}

type keepsLink struct{ *procs }

func (p keepsLink) Pidleget(now int64) (*gmp.P, int64) {
	pp, now := p.procs.Pidleget(now)
	if pp != nil {
		pp.Link.Set(p.s.Pidle.Get())
	}
	return pp, now
}

type withWork struct{ *procs }

func (p withWork) Pidleput(pp *gmp.P, now int64) int64 {
	pp.Link.Set(p.s.Pidle.Get())
	p.s.Pidle.Set(pp)
	p.s.Npidle.Add(1)
	if now == 0 {
		now = p.s.Nanotime()
	}
	return now
}

type ownTime struct{ *procs }

func (p ownTime) Pidleput(pp *gmp.P, now int64) int64 { return p.procs.Pidleput(pp, 0) }

type idleGivesWay struct {
	gmp.Procs
	s *gmp.Sched
}

func (p idleGivesWay) Pidleget(now int64) (*gmp.P, int64) {
	pp := p.s.Pidle.Get()
	if pp == nil {
		return nil, now
	}
	p.s.Lock.Unlock()
	if now == 0 {
		now = p.s.Nanotime()
	}
	p.s.Lock.Lock()
	p.s.Pidle.Set(pp.Link.Get())
	pp.Link.Set(nil)
	p.s.Npidle.Add(-1)
	return pp, now
}

type peeks struct{ *procs }

func (p peeks) Pidleget(now int64) (*gmp.P, int64) { return p.s.Pidle.Get(), now }

func (p peeks) Acquirep(mp *gmp.M, pp *gmp.P) {
	p.s.Lock.Lock()
	for at := &p.s.Pidle; at.Get() != nil; at = &at.Get().Link {
		if at.Get() == pp {
			at.Set(pp.Link.Get())
			pp.Link.Set(nil)
			p.s.Npidle.Add(-1)
			break
		}
	}
	p.s.Lock.Unlock()
	p.procs.Acquirep(mp, pp)
}

type lastFirst struct{ *procs }

func (p lastFirst) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	runnable := p.procs.Procresize(mp, nprocs)
	var reversed *gmp.P
	for pp := p.s.Pidle.Get(); pp != nil; {
		next := pp.Link.Get()
		pp.Link.Set(reversed)
		reversed = pp
		pp = next
	}
	p.s.Pidle.Set(reversed)
	return runnable
}

type noRoom struct{ *procs }

func (p noRoom) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	old := p.s.Gomaxprocs.Get()
	runnable := p.procs.Procresize(mp, nprocs)
	for id := old; id < nprocs; id++ {
		p.s.Allp.Get()[id].Sudogcache.Set(nil)
	}
	return runnable
}

type allNew struct{ *procs }

func (p allNew) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	p.s.Allp.Set(p.s.Allp.Get()[:len(p.s.Allp.Get()):len(p.s.Allp.Get())])
	return p.procs.Procresize(mp, nprocs)
}

type twoOwners struct{ *procs }

func (p twoOwners) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	pp := mp.P.Get()
	runnable := p.procs.Procresize(mp, nprocs)
	if pp != nil {
		pp.M.Set(mp)
	}
	return runnable
}

type alwaysFirst struct{ *procs }

func (p alwaysFirst) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	if pp := mp.P.Get(); pp != nil {
		mp.P.Set(nil)
		pp.M.Set(nil)
	}
	return p.procs.Procresize(mp, nprocs)
}

type returnsNone struct{ *procs }

func (p returnsNone) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	p.procs.Procresize(mp, nprocs)
	return nil
}

type idlesNone struct{ *procs }

func (p idlesNone) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	boot := p.s.Gomaxprocs.Get() == 0
	runnable := p.procs.Procresize(mp, nprocs)
	if !boot {
		p.s.Pidle.Set(nil)
		p.s.Npidle.Store(0)
	}
	return runnable
}

type shared struct{ *freelists }

func (p shared) Gfput(mp *gmp.M, gp *gmp.G) {
	p.freelists.Gfput(mp, gp)
	p.s.GFree.Lock.Lock()
	giveGs(p.s, mp.P.Get(), 0)
	p.s.GFree.Lock.Unlock()
}

type anybodys struct{ *freelists }

func (p anybodys) Gfget(mp *gmp.M) *gmp.G {
	for _, pp := range p.s.Allp.Get() {
		if mp.P.Get().GFree.Get().Head == nil && pp.GFree.Get().Head != nil {
			mp.P.Get().GFree.Push(pp.GFree.Pop())
		}
	}
	return p.freelists.Gfget(mp)
}

type keepsStack struct{ *freelists }

func (p keepsStack) Gfput(mp *gmp.M, gp *gmp.G) {
	if gp.Atomicstatus.Load() != gmp.Gdead {
		p.s.Throw("gfput: bad status (not Gdead)")
	}
	mp.P.Get().GFree.Push(gp)
}

type offByOne struct{ *freelists }

func (p offByOne) Gfput(mp *gmp.M, gp *gmp.G) {
	if pp := mp.P.Get(); pp.GFree.Get().Size == gfreeMax-1 {
		pp.GFree.Push(gp)
		return
	}
	p.freelists.Gfput(mp, gp)
}

type stackLast struct{ *freelists }

func (p stackLast) Gfget(mp *gmp.M) *gmp.G {
	all, free := &p.s.GFree, &mp.P.Get().GFree
	if free.Get().Head == nil {
		all.Lock.Lock()
		for free.Get().Size < gfreeHalf && all.NoStack.Get().Head != nil {
			free.Push(all.NoStack.Pop())
			all.N.Set(all.N.Get() - 1)
		}
		for free.Get().Size < gfreeHalf && all.Stack.Get().Head != nil {
			free.Push(all.Stack.Pop())
			all.N.Set(all.N.Get() - 1)
		}
		all.Lock.Unlock()
	}
	return p.freelists.Gfget(mp)
}

type givesOne struct{ *freelists }

func (p givesOne) Gfput(mp *gmp.M, gp *gmp.G) {
	if pp := mp.P.Get(); pp.GFree.Get().Size >= gfreeHalf-1 {
		p.s.GFree.Lock.Lock()
		giveGs(p.s, pp, gfreeHalf-2)
		p.s.GFree.Lock.Unlock()
	}
	p.freelists.Gfput(mp, gp)
}

type freeLooksEarly struct {
	gmp.Freelists
	s *gmp.Sched
}

func (p freeLooksEarly) Gfget(mp *gmp.M) *gmp.G {
	all, free := &p.s.GFree, &mp.P.Get().GFree
	if free.Get().Head == nil {
		n := min(all.N.Get(), gfreeHalf)
		all.Lock.Lock()
		for range n {
			free.Push(one(p.s))
		}
		all.Lock.Unlock()
		if n == 0 {
			return nil
		}
	}
	return p.Freelists.Gfget(mp)
}

// one takes a dead G off the shared list, if possible one with a stack. GFree.Lock is held.
func one(s *gmp.Sched) *gmp.G {
	gp := s.GFree.Stack.Pop()
	if gp == nil {
		gp = s.GFree.NoStack.Pop()
	}
	s.GFree.N.Set(s.GFree.N.Get() - 1)
	return gp
}

type unlocked struct{ *freelists }

func (p unlocked) Gfput(mp *gmp.M, gp *gmp.G) {
	mp.P.Get().GFree.Push(gp)
	if mp.P.Get().GFree.Get().Size >= gfreeMax {
		giveGs(p.s, mp.P.Get(), gfreeHalf-1)
	}
}

type perM struct{ *sudogs }

func (p perM) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	*sg = gmp.Sudog{Next: machine.CellOf(mp.Sudogcache.Get())}
	mp.Sudogcache.Set(sg)
}

func (p perM) AcquireSudog(mp *gmp.M) *gmp.Sudog {
	sg := mp.Sudogcache.Get()
	if sg == nil {
		return new(gmp.Sudog)
	}
	mp.Sudogcache.Set(sg.Next.Get())
	sg.Next.Set(nil)
	return sg
}

type dirty struct{ *sudogs }

func (p dirty) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	ticket, acquire := sg.Ticket.Get(), sg.Acquire.Get()
	p.sudogs.ReleaseSudog(mp, sg)
	sg.Ticket.Set(ticket)
	sg.Acquire.Set(acquire)
}

type unchecked struct{ *sudogs }

func (p unchecked) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	*sg = gmp.Sudog{}
	p.sudogs.ReleaseSudog(mp, sg)
}

type peeksForAll struct{ *sudogs }

func (p peeksForAll) AcquireSudog(mp *gmp.M) *gmp.Sudog {
	if len(mp.P.Get().Sudogcache.Get()) == 0 && p.s.Sudogcache.Get() == nil {
		return new(gmp.Sudog)
	}
	return p.sudogs.AcquireSudog(mp)
}

type sudogLinksEarly struct {
	gmp.Sudogs
	s *gmp.Sched
}

func (p sudogLinksEarly) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	if pp := mp.P.Get(); len(pp.Sudogcache.Get()) == cap(pp.Sudogcache.Get()) {
		first := p.s.Sudogcache.Get()
		for range cap(pp.Sudogcache.Get()) / 2 {
			last := last(pp)
			last.Next.Set(first)
			first = last
		}
		p.s.Sudoglock.Lock()
		p.s.Sudogcache.Set(first)
		p.s.Sudoglock.Unlock()
	}
	p.Sudogs.ReleaseSudog(mp, sg)
}

// last takes the last sudog out of the cache of pp.
func last(pp *gmp.P) *gmp.Sudog {
	cache := pp.Sudogcache.Get()
	sg := cache[len(cache)-1]
	cache[len(cache)-1] = nil
	pp.Sudogcache.Set(cache[:len(cache)-1])
	return sg
}

type leavesPointer struct{ *sudogs }

func (p leavesPointer) AcquireSudog(mp *gmp.M) *gmp.Sudog {
	sg := p.sudogs.AcquireSudog(mp)
	if cache := mp.P.Get().Sudogcache.Get(); len(cache) < cap(cache) {
		cache[:len(cache)+1][len(cache)] = sg
	}
	return sg
}

type hoards struct{ *sudogs }

func (p hoards) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	*sg = gmp.Sudog{}
	mp.P.Get().Sudogcache.Set(append(mp.P.Get().Sudogcache.Get(), sg))
}

type stillLinked struct{ *sudogs }

func (p stillLinked) AcquireSudog(mp *gmp.M) *gmp.Sudog {
	next := p.s.Sudogcache.Get()
	fetches := len(mp.P.Get().Sudogcache.Get()) == 0 && next != nil
	sg := p.sudogs.AcquireSudog(mp)
	if fetches {
		sg.Next.Set(p.s.Sudogcache.Get())
	}
	return sg
}

type mainFirst struct{ *boot }

func (p mainFirst) Schedinit(mp *gmp.M) {
	p.s.Newproc(mp, p.s.Mainfn)
	p.boot.Schedinit(mp)
}

type noHooks struct{ *boot }

func (p noHooks) MainExit(mp *gmp.M, gp *gmp.G) { p.s.Exit(mp, 0) }
