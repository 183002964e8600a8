package ch02_test

import (
	"slices"
	"testing"

	suite "gosched/chapters/ch02_onethread"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// TestAlternatives plays the suite on other right solutions.
func TestAlternatives(t *testing.T) {
	suite.Suite.TestAlternatives(t, solutions.Base("ch02"), map[string]gmp.Version{
		"slice":  ownSlice,
		"links":  links,
		"given":  given,
		"locks":  locks,
		"walks":  walks,
		"looks":  looks,
		"defers": defers,
	})
}

// ownSlice keeps the queue in a slice of its own, from which it writes the links
// of s.Runq anew after each change. Its other parts do the same as the solution
// in other steps: all Gs enter the queue through one function, hooks are taken
// off their list all at once, and Checkdead counts all states.
var ownSlice = gmp.Version{
	GlobalQueue: func(s *gmp.Sched) gmp.GlobalQueue { return &sliceQueue{s: s} },
	Loop:        func(s *gmp.Sched) gmp.Loop { return &loopingLoop{s: s} },
	Submission:  func(s *gmp.Sched) gmp.Submission { return &oneDoor{s: s} },
	Boot:        func(s *gmp.Sched) gmp.Boot { return &carefulBoot{s: s} },
	Deadlock:    func(s *gmp.Sched) gmp.Deadlock { return &census{s: s} },
}

type sliceQueue struct {
	s  *gmp.Sched
	gs []*gmp.G
}

func (p *sliceQueue) Globrunqput(gp *gmp.G)     { p.gs = append(p.gs, gp); p.relink() }
func (p *sliceQueue) Globrunqputhead(gp *gmp.G) { p.gs = slices.Insert(p.gs, 0, gp); p.relink() }

func (p *sliceQueue) Globrunqget() *gmp.G {
	if len(p.gs) == 0 {
		return nil
	}
	gp := p.gs[0]
	p.gs = slices.Delete(p.gs, 0, 1)
	gp.Schedlink.Set(nil)
	p.relink()
	return gp
}

func (p *sliceQueue) relink() {
	p.s.Runq.Set(gmp.GQueue{Size: int32(len(p.gs))})
	var next *gmp.G
	for i, gp := range slices.Backward(p.gs) {
		if i == len(p.gs)-1 {
			q := p.s.Runq.Get()
			q.Tail = gp
			p.s.Runq.Set(q)
		}
		gp.Schedlink.Set(next)
		next = gp
	}
	q := p.s.Runq.Get()
	q.Head = next
	p.s.Runq.Set(q)
}

type loopingLoop struct{ s *gmp.Sched }

func (p *loopingLoop) Schedule(mp *gmp.M) {
	for mp.Curg.Get() == nil && !p.s.Exited() {
		if gp := p.next(); gp != nil {
			p.s.Execute(mp, gp, false)
		}
	}
}

func (p *loopingLoop) next() *gmp.G {
	p.s.Lock.Lock()
	gp := p.s.Globrunqget()
	if gp == nil {
		p.s.Checkdead()
	}
	p.s.Lock.Unlock()
	return gp
}

func (p *loopingLoop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	gp.M.Set(mp)
	mp.Curg.Set(gp)
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
}

// oneDoor lets all Gs in through one function.
type oneDoor struct{ s *gmp.Sched }

func (p *oneDoor) enter(gp *gmp.G, from uint32) {
	if from != gmp.Grunnable {
		p.s.Casgstatus(gp, from, gmp.Grunnable)
	}
	p.s.Lock.Lock()
	defer p.s.Lock.Unlock()
	p.s.Globrunqput(gp)
}

func (p *oneDoor) Newproc(mp *gmp.M, fn machine.Addr) {
	if mp.Curg.Get() == nil {
		p.enter(p.s.Newproc1(mp, fn, nil, 0), gmp.Grunnable)
		return
	}
	p.enter(p.s.Newproc1(mp, fn, mp.Curg.Get(), mp.Curg.Get().Sched.PC), gmp.Grunnable)
}

func (p *oneDoor) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	switch gp.Atomicstatus.Load() {
	case gmp.Gwaiting, gmp.Gwaiting | gmp.Gscan:
		p.enter(gp, gmp.Gwaiting)
	default:
		p.s.Throw("bad g->status in ready")
	}
}

func (p *oneDoor) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Dropg(mp)
	p.enter(gp, gmp.Grunnable)
	p.s.Schedule(mp)
}

type carefulBoot struct{ s *gmp.Sched }

func (p *carefulBoot) Schedinit(mp *gmp.M) {
	p.s.Lock.Lock()
	p.s.Goidgen.Store(0)
	for p.s.Globrunqget() != nil {
	}
	p.s.Runq.Set(gmp.GQueue{})
	p.s.Maxmcount.Set(10_000)
	p.s.Lock.Unlock()
	p.s.GFree.Lock.Lock()
	p.s.GFree.Stack.Set(gmp.GList{})
	p.s.GFree.NoStack.Set(gmp.GList{})
	p.s.GFree.N.Set(0)
	p.s.GFree.Lock.Unlock()
	p.s.Newproc(mp, p.s.Mainfn)
}

func (p *carefulBoot) MainExit(mp *gmp.M, gp *gmp.G) {
	hooks := p.s.Exithooks.Get()
	p.s.Exithooks.Set(nil)
	for _, hook := range slices.Backward(hooks) {
		hook()
	}
	p.s.Exit(mp, 0)
}

type census struct{ s *gmp.Sched }

func (p *census) Checkdead() {
	count := map[uint32]int{}
	p.s.ForEachG(func(gp *gmp.G) { count[gp.Atomicstatus.Load()&^gmp.Gscan]++ })
	switch {
	case count[gmp.Grunnable]+count[gmp.Grunning]+count[gmp.Gsyscall] > 0:
		p.s.Throw("checkdead: runnable g")
	case count[gmp.Gwaiting]+count[gmp.Gpreempted] > 0:
		p.s.Throw("all goroutines are asleep - deadlock!")
	}
	p.s.Throw("no goroutines (main called runtime.Goexit) - deadlock!")
}

// links has a queue without a case for the empty one: it knows how the
// pointer to the next G that is put is set. The other parts are the ones of the
// solution.
var links = gmp.Version{
	GlobalQueue: func(s *gmp.Sched) gmp.GlobalQueue { return newLinkQueue(s) },
}

type linkQueue struct {
	s   *gmp.Sched
	end func(gp *gmp.G) // sets the nil pointer after the last G
}

func newLinkQueue(s *gmp.Sched) *linkQueue {
	p := &linkQueue{s: s}
	p.end = p.setHead
	return p
}

func (p *linkQueue) setHead(gp *gmp.G) {
	q := p.s.Runq.Get()
	q.Head = gp
	p.s.Runq.Set(q)
}

func (p *linkQueue) Globrunqput(gp *gmp.G) {
	gp.Schedlink.Set(nil)
	p.end(gp)
	q := p.s.Runq.Get()
	q.Tail, p.end = gp, gp.Schedlink.Set
	q.Size++
	p.s.Runq.Set(q)
}

func (p *linkQueue) Globrunqputhead(gp *gmp.G) {
	q := p.s.Runq.Get()
	if q.Size == 0 {
		p.Globrunqput(gp)
		return
	}
	gp.Schedlink.Set(q.Head)
	q.Head = gp
	q.Size++
	p.s.Runq.Set(q)
}

func (p *linkQueue) Globrunqget() *gmp.G {
	q := p.s.Runq.Get()
	gp := q.Head
	switch {
	case gp == nil:
		return nil
	case gp == q.Tail:
		q, p.end = gmp.GQueue{}, p.setHead
	default:
		q.Head = gp.Schedlink.Get()
		q.Size--
	}
	p.s.Runq.Set(q)
	gp.Schedlink.Set(nil)
	return gp
}

// given uses the methods of gmp.GQueue, which later chapters have for lists of their own.
// Its loop runs under the lock up to Execute, and Checkdead stops at the first G that can
// run.
var given = gmp.Version{
	GlobalQueue: func(s *gmp.Sched) gmp.GlobalQueue { return &givenQueue{s} },
	Loop:        func(s *gmp.Sched) gmp.Loop { return &tailLoop{s} },
	Deadlock:    func(s *gmp.Sched) gmp.Deadlock { return &firstFound{s} },
}

type givenQueue struct{ s *gmp.Sched }

func (p *givenQueue) Globrunqput(gp *gmp.G) { p.s.Runq.PushBack(gp) }

func (p *givenQueue) Globrunqputhead(gp *gmp.G) {
	old := p.s.Runq.Get()
	p.s.Runq.Set(gmp.GQueue{})
	p.s.Runq.PushBack(gp)
	for old.Head != nil {
		p.s.Runq.PushBack(old.Pop())
	}
}

func (p *givenQueue) Globrunqget() *gmp.G { return p.s.Runq.Pop() }

type tailLoop struct{ s *gmp.Sched }

func (p *tailLoop) Schedule(mp *gmp.M) {
	if p.s.Exited() {
		return
	}
	p.s.Lock.Lock()
	gp := p.s.Globrunqget()
	if gp == nil {
		p.s.Checkdead()
		p.s.Lock.Unlock()
		p.s.Schedule(mp)
		return
	}
	p.s.Lock.Unlock()
	p.s.Execute(mp, gp, false)
}

func (p *tailLoop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	mp.Curg.Set(gp)
	gp.M.Set(mp)
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
}

type firstFound struct{ s *gmp.Sched }

func (p *firstFound) Checkdead() {
	waits := false
	p.s.ForEachG(func(gp *gmp.G) {
		switch gp.Atomicstatus.Load() &^ gmp.Gscan {
		case gmp.Grunnable, gmp.Grunning, gmp.Gsyscall:
			p.s.Throw("checkdead: runnable g")
		case gmp.Gwaiting, gmp.Gpreempted:
			waits = true
		}
	})
	if waits {
		p.s.Throw("all goroutines are asleep - deadlock!")
	}
	p.s.Throw("no goroutines (main called runtime.Goexit) - deadlock!")
}

// locks holds locks for as long as it may: Checkdead throws with Allglock, and all of a
// submission is under s.Lock, but for what takes long.
var locks = gmp.Version{
	Submission: func(s *gmp.Sched) gmp.Submission { return &lockedSubmission{s} },
	Deadlock:   func(s *gmp.Sched) gmp.Deadlock { return &lockedCensus{s} },
	Boot:       func(s *gmp.Sched) gmp.Boot { return &plainBoot{s} },
}

type lockedSubmission struct{ s *gmp.Sched }

func (p *lockedSubmission) Newproc(mp *gmp.M, fn machine.Addr) {
	caller := mp.Curg.Get()
	pc := machine.PC(0)
	if caller != nil {
		pc = caller.Sched.PC
	}
	gp := p.s.Newproc1(mp, fn, caller, pc)
	p.s.Lock.Lock()
	defer p.s.Lock.Unlock()
	p.s.Globrunqput(gp)
}

func (p *lockedSubmission) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	p.s.Lock.Lock()
	if st := gp.Atomicstatus.Load(); st != gmp.Gwaiting && st != gmp.Gwaiting|gmp.Gscan {
		p.s.Throw("bad g->status in ready")
	}
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
}

func (p *lockedSubmission) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Lock.Lock()
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Globrunqput(gp)
	gp.M.Set(nil) // nobody takes it from the queue as long as the lock is held
	mp.Curg.Set(nil)
	p.s.Lock.Unlock()
	p.s.Schedule(mp)
}

type lockedCensus struct{ s *gmp.Sched }

func (p *lockedCensus) Checkdead() {
	p.s.Allglock.Lock()
	asleep := false
	for gp := p.s.Allgs.Get(); gp != nil; gp = gp.Alllink.Get() {
		switch gp.Atomicstatus.Load() &^ gmp.Gscan {
		case gmp.Gdead, gmp.Gidle:
		case gmp.Gwaiting, gmp.Gpreempted:
			asleep = true
		default:
			p.s.Throw("checkdead: runnable g")
		}
	}
	if asleep {
		p.s.Throw("all goroutines are asleep - deadlock!")
	}
	p.s.Throw("no goroutines (main called runtime.Goexit) - deadlock!")
}

type plainBoot struct{ s *gmp.Sched }

func (p *plainBoot) Schedinit(mp *gmp.M) {
	p.s.GFree.N.Set(0)
	p.s.GFree.NoStack.Set(gmp.GList{})
	p.s.GFree.Stack.Set(gmp.GList{})
	p.s.Runq.Set(gmp.GQueue{})
	p.s.Goidgen.Store(0)
	p.s.Maxmcount.Set(10_000)
	p.s.Newproc(mp, p.s.Mainfn)
}

func (p *plainBoot) MainExit(mp *gmp.M, gp *gmp.G) {
	p.s.RunExithooks()
	p.s.Exit(mp, 0)
}

// walks finds the end of the queue by going there, and keeps Tail and Size for others.
var walks = gmp.Version{
	GlobalQueue: func(s *gmp.Sched) gmp.GlobalQueue { return &walkedQueue{s} },
	Loop:        func(s *gmp.Sched) gmp.Loop { return &backwardsLoop{s} },
}

type walkedQueue struct{ s *gmp.Sched }

// list returns the Gs on the queue.
func (p *walkedQueue) list() []*gmp.G {
	var gs []*gmp.G
	for gp := p.s.Runq.Get().Head; gp != nil; gp = gp.Schedlink.Get() {
		gs = append(gs, gp)
	}
	return gs
}

// store makes gs the queue.
func (p *walkedQueue) store(gs []*gmp.G) {
	var q gmp.GQueue
	for _, gp := range gs {
		q.PushBack(gp)
	}
	p.s.Runq.Set(q)
}

func (p *walkedQueue) Globrunqput(gp *gmp.G)     { p.store(append(p.list(), gp)) }
func (p *walkedQueue) Globrunqputhead(gp *gmp.G) { p.store(append([]*gmp.G{gp}, p.list()...)) }

func (p *walkedQueue) Globrunqget() *gmp.G {
	gs := p.list()
	if len(gs) == 0 {
		return nil
	}
	p.store(gs[1:])
	gs[0].Schedlink.Set(nil)
	return gs[0]
}

// backwardsLoop links G and M in the other order, and asks for the end of the program under
// the lock.
type backwardsLoop struct{ s *gmp.Sched }

func (p *backwardsLoop) Schedule(mp *gmp.M) {
	p.s.Lock.Lock()
	if p.s.Exited() {
		p.s.Lock.Unlock()
		return
	}
	gp := p.s.Globrunqget()
	for ; gp == nil; gp = p.s.Globrunqget() {
		p.s.Checkdead()
	}
	p.s.Lock.Unlock()
	p.s.Execute(mp, gp, false)
}

func (p *backwardsLoop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	gp.M.Set(mp)
	mp.Curg.Set(gp)
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
}

// looks looks more often than it must: at the size of the queue before it takes the lock,
// at the state of a G before and after it changes it.
var looks = gmp.Version{
	Loop:       func(s *gmp.Sched) gmp.Loop { return &peekingLoop{s: s} },
	Submission: func(s *gmp.Sched) gmp.Submission { return &distrustful{s} },
	Deadlock:   func(s *gmp.Sched) gmp.Deadlock { return &twoPasses{s} },
}

type peekingLoop struct {
	s     *gmp.Sched
	empty machine.Int64 // how often the queue was empty at the first look
}

func (p *peekingLoop) Schedule(mp *gmp.M) {
	if p.s.Runqsize.Load() == 0 {
		p.empty.Add(1)
	}
	if p.s.Exited() {
		return
	}
	p.s.Lock.Lock()
	gp := p.s.Globrunqget()
	if gp == nil {
		p.s.Checkdead()
	}
	p.s.Lock.Unlock()
	if p.s.Exited() {
		return
	}
	p.s.Execute(mp, gp, false)
}

func (p *peekingLoop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	if st := gp.Atomicstatus.Load(); st&^gmp.Gscan != gmp.Grunnable {
		p.s.Throwf("execute: goroutine %d is %s", gp.Goid.Get(), gmp.StatusName(st))
	}
	gp.M.Set(mp)
	mp.Curg.Set(gp)
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
}

type distrustful struct{ s *gmp.Sched }

func (p *distrustful) Newproc(mp *gmp.M, fn machine.Addr) {
	var gp *gmp.G
	if caller := mp.Curg.Get(); caller != nil {
		gp = p.s.Newproc1(mp, fn, caller, caller.Sched.PC)
	} else {
		gp = p.s.Newproc1(mp, fn, nil, 0)
	}
	p.put(gp)
}

// put queues gp, which must be runnable, and on no M.
func (p *distrustful) put(gp *gmp.G) {
	p.s.Lock.Lock()
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Grunnable || gp.M.Get() != nil {
		p.s.Throw("put: not runnable")
	}
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
}

func (p *distrustful) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	st := gp.Atomicstatus.Load()
	if st&^gmp.Gscan != gmp.Gwaiting {
		p.s.Throw("bad g->status in ready")
	}
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	p.put(gp)
}

func (p *distrustful) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	if mp.Curg.Get() != gp {
		p.s.Throw("gosched: not the current G")
	}
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Dropg(mp)
	p.put(gp)
	p.s.Schedule(mp)
}

// twoPasses looks for a G that can run first, and then for one that waits.
type twoPasses struct{ s *gmp.Sched }

func (p *twoPasses) Checkdead() {
	if p.any(gmp.Grunnable, gmp.Grunning, gmp.Gsyscall) {
		p.s.Throw("checkdead: runnable g")
	}
	if p.any(gmp.Gwaiting, gmp.Gpreempted) {
		p.s.Throw("all goroutines are asleep - deadlock!")
	}
	p.s.Throw("no goroutines (main called runtime.Goexit) - deadlock!")
}

func (p *twoPasses) any(states ...uint32) (found bool) {
	p.s.ForEachG(func(gp *gmp.G) {
		found = found || slices.Contains(states, gp.Atomicstatus.Load()&^gmp.Gscan)
	})
	return found
}

// defers does what comes last by defer. Its queue goes by Size.
var defers = gmp.Version{
	Boot:        func(s *gmp.Sched) gmp.Boot { return &poppingBoot{plainBoot{s}} },
	Loop:        func(s *gmp.Sched) gmp.Loop { return &deferringLoop{s} },
	Submission:  func(s *gmp.Sched) gmp.Submission { return &deferring{s} },
	GlobalQueue: func(s *gmp.Sched) gmp.GlobalQueue { return &counted{s} },
}

type poppingBoot struct{ plainBoot }

func (p *poppingBoot) MainExit(mp *gmp.M, gp *gmp.G) {
	defer p.s.Exit(mp, 0)
	for hook := p.pop(); hook != nil; hook = p.pop() {
		hook()
	}
}

// pop takes the last hook off the list.
func (p *poppingBoot) pop() func() {
	hooks := slices.Clone(p.s.Exithooks.Get())
	if len(hooks) == 0 {
		return nil
	}
	last := hooks[len(hooks)-1]
	p.s.Exithooks.Set(hooks[:len(hooks)-1])
	return last
}

type deferringLoop struct{ s *gmp.Sched }

func (p *deferringLoop) Schedule(mp *gmp.M) {
	if !p.s.Exited() {
		p.s.Execute(mp, p.next(), false)
	}
}

// next takes the next G.
func (p *deferringLoop) next() *gmp.G {
	p.s.Lock.Lock()
	gp := p.s.Globrunqget()
	if gp == nil {
		p.s.Checkdead()
		p.s.Throw("nothing to run")
	}
	p.s.Lock.Unlock()
	return gp
}

func (p *deferringLoop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	defer p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
	mp.Curg.Set(gp)
	gp.M.Set(mp)
}

type deferring struct{ s *gmp.Sched }

func (p *deferring) queue(gp *gmp.G) {
	p.s.Lock.Lock()
	defer p.s.Lock.Unlock()
	p.s.Globrunqput(gp)
}

func (p *deferring) Newproc(mp *gmp.M, fn machine.Addr) {
	caller := mp.Curg.Get()
	p.queue(p.s.Newproc1(mp, fn, caller, pcOf(caller)))
}

func pcOf(gp *gmp.G) machine.PC {
	if gp == nil {
		return 0
	}
	return gp.Sched.PC
}

func (p *deferring) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Gwaiting {
		p.s.Throw("bad g->status in ready")
	}
	defer p.queue(gp)
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
}

func (p *deferring) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	defer p.s.Schedule(mp)
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Dropg(mp)
	p.queue(gp)
}

// counted decides by the size of the queue whether it is empty.
type counted struct{ s *gmp.Sched }

func (p *counted) Globrunqput(gp *gmp.G) {
	q := p.s.Runq.Get()
	if q.Size == 0 {
		gp.Schedlink.Set(nil)
		p.s.Runq.Set(gmp.GQueue{Head: gp, Tail: gp, Size: 1})
		return
	}
	gp.Schedlink.Set(nil)
	q.Tail.Schedlink.Set(gp)
	p.s.Runq.Set(gmp.GQueue{Head: q.Head, Tail: gp, Size: q.Size + 1})
}

func (p *counted) Globrunqputhead(gp *gmp.G) {
	q := p.s.Runq.Get()
	if q.Size == 0 {
		p.Globrunqput(gp)
		return
	}
	gp.Schedlink.Set(q.Head)
	p.s.Runq.Set(gmp.GQueue{Head: gp, Tail: q.Tail, Size: q.Size + 1})
}

func (p *counted) Globrunqget() *gmp.G {
	q := p.s.Runq.Get()
	switch q.Size {
	case 0:
		return nil
	case 1:
		p.s.Runq.Set(gmp.GQueue{})
	default:
		p.s.Runq.Set(gmp.GQueue{Head: q.Head.Schedlink.Get(), Tail: q.Tail, Size: q.Size - 1})
	}
	q.Head.Schedlink.Set(nil)
	return q.Head
}
