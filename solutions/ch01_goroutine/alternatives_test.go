package ch01_test

import (
	"slices"
	"testing"

	suite "gosched/chapters/ch01_goroutine"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// TestAlternatives plays the suite on other right solutions.
func TestAlternatives(t *testing.T) {
	suite.Suite.TestAlternatives(t, solutions.Base("ch01"), map[string]gmp.Version{
		"slices": {
			Goroutines: func(s *gmp.Sched) gmp.Goroutines { return &stepwise{s} },
			Statuses:   func(s *gmp.Sched) gmp.Statuses { return &switching{s} },
			Freelists:  func(s *gmp.Sched) gmp.Freelists { return &slicelists{s: s} },
		},
		"one list": {
			Goroutines: func(s *gmp.Sched) gmp.Goroutines { return &tabled{s} },
			Statuses:   func(s *gmp.Sched) gmp.Statuses { return &looking{s} },
			Freelists:  func(s *gmp.Sched) gmp.Freelists { return &onelist{s} },
		},
		"pairs": {
			Statuses:  func(s *gmp.Sched) gmp.Statuses { return &pairs{s} },
			Freelists: func(s *gmp.Sched) gmp.Freelists { return &turned{s} },
		},
		"stack of its own": {
			Statuses:  func(s *gmp.Sched) gmp.Statuses { return &patient{s} },
			Freelists: func(s *gmp.Sched) gmp.Freelists { return &atomicList{s: s} },
		},
		"careful": {
			Goroutines: func(s *gmp.Sched) gmp.Goroutines { return &careful{s} },
			Statuses:   func(s *gmp.Sched) gmp.Statuses { return &rechecking{s} },
			Freelists:  func(s *gmp.Sched) gmp.Freelists { return &lockedThrough{s} },
		},
		"prepared": {
			Goroutines: func(s *gmp.Sched) gmp.Goroutines { return &prepared{s} },
			Freelists:  func(s *gmp.Sched) gmp.Freelists { return &clearing{s} },
		},
		"two locks": {
			Goroutines: func(s *gmp.Sched) gmp.Goroutines { return &backwards{s} },
			Freelists:  func(s *gmp.Sched) gmp.Freelists { return &twoLocks{s: s} },
		},
	})
}

// stepwise sets field by field, and builds the top of the stack itself, with
// some room above it as the runtime has.
type stepwise struct{ s *gmp.Sched }

func (p *stepwise) Newproc1(mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
	if fn == 0 {
		p.s.Throw("go of nil func value")
	}
	gp := p.s.Gfget(mp)
	fresh := gp == nil
	if fresh {
		gp = p.s.Malg(gmp.StartingStack)
	}
	c := &gp.Sched
	c.Trap, c.Args, c.Fault, c.Panic, c.X, c.Y = machine.TrapNone, 0, 0, machine.PanicNone, 0, 0
	c.SP, c.PC = gp.Stack.Get().Hi-32, p.s.Program().Goexit
	c.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	p.s.Gostartcall(c, fn)
	gp.Startfn.Set(fn)
	gp.Goid.Set(p.s.Goidgen.Add(1))
	if callergp == nil {
		gp.Gopc.Set(0)
		gp.Parentgoid.Set(0)
	} else {
		gp.Gopc.Set(callerpc)
		gp.Parentgoid.Set(callergp.Goid.Get())
	}
	if fresh {
		p.s.Casgstatus(gp, gmp.Gidle, gmp.Gdead)
		p.s.Allgadd(gp)
	}
	p.s.Casgstatus(gp, gmp.Gdead, gmp.Grunnable)
	return gp
}

func (p *stepwise) Goexit0(mp *gmp.M, gp *gmp.G) {
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Gdead)
	gp.Cont.Set(nil)
	gp.Param.Set(nil)
	gp.Waiting.Set(nil)
	gp.Success.Set(false)
	gp.Selects.Set(nil)
	gp.Preempt.Set(false)
	gp.PreemptStop.Set(false)
	gp.AsyncSafe.Set(false)
	gp.Waitreason.Set(gmp.WaitReasonZero)
	gp.Timer.Set(nil)
	gp.Lockedm.Set(nil)
	mp.Lockedg.Set(nil)
	p.s.Dropg(mp)
	p.s.Gfput(mp, gp)
	p.s.Schedule(mp)
}

// tabled has what a G forgets in a table, and forgets it before its state changes.
type tabled struct{ s *gmp.Sched }

func (p *tabled) Newproc1(mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
	return (&stepwise{p.s}).Newproc1(mp, fn, callergp, callerpc)
}

var forgets = []func(gp *gmp.G){
	func(gp *gmp.G) { gp.Waiting.Set(nil); gp.Param.Set(nil); gp.Success.Set(false) },
	func(gp *gmp.G) { gp.Preempt.Set(false); gp.PreemptStop.Set(false); gp.AsyncSafe.Set(false) },
	func(gp *gmp.G) { gp.Cont.Set(nil); gp.Selects.Set(nil); gp.Timer.Set(nil) },
	func(gp *gmp.G) { gp.Lockedm.Set(nil); gp.Waitreason.Set(gmp.WaitReasonZero); gp.Waitsince.Set(0) },
}

func (p *tabled) Goexit0(mp *gmp.M, gp *gmp.G) {
	mp.Lockedg.Set(nil)
	for _, forget := range forgets {
		forget(gp)
	}
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Gdead)
	gp.M.Set(nil)
	mp.Curg.Set(nil)
	p.s.Gfput(mp, gp)
	p.s.Schedule(mp)
}

// switching knows the edges as a switch.
type switching struct{ s *gmp.Sched }

func (p *switching) legal(from, to uint32) bool {
	switch from {
	case gmp.Gidle:
		return to == gmp.Gdead
	case gmp.Gdead:
		return to == gmp.Grunnable || to == gmp.Gwaiting
	case gmp.Grunnable, gmp.Gcopystack:
		return to == gmp.Grunning
	case gmp.Grunning:
		return to != gmp.Gidle && to != gmp.Grunning && to <= gmp.Gpreempted
	case gmp.Gwaiting, gmp.Gsyscall:
		return to == gmp.Grunnable || to == gmp.Grunning
	case gmp.Gpreempted:
		return to == gmp.Gwaiting
	}
	return false
}

func (p *switching) Casgstatus(gp *gmp.G, oldval, newval uint32) {
	if !p.legal(oldval, newval) {
		p.s.Throw("illegal edge")
	}
	for !gp.Atomicstatus.CompareAndSwap(oldval, newval) {
		if gp.Atomicstatus.Load()&^gmp.Gscan != oldval {
			p.s.Throw("the G is in another state")
		}
		machine.Procyield(1)
	}
}

// looking loads the state first, and swaps only what it has seen to be right.
type looking struct{ s *gmp.Sched }

func (p *looking) Casgstatus(gp *gmp.G, oldval, newval uint32) {
	if !(&switching{}).legal(oldval, newval) {
		p.s.Throw("illegal edge")
	}
	for {
		switch gp.Atomicstatus.Load() {
		case oldval:
			if gp.Atomicstatus.CompareAndSwap(oldval, newval) {
				return
			}
		case oldval | gmp.Gscan:
			machine.Osyield()
		default:
			p.s.Throw("the G is in another state")
		}
	}
}

// slicelists keeps the dead in slices of its own.
type slicelists struct {
	s               *gmp.Sched
	with, stackless []*gmp.G
}

func (p *slicelists) Gfget(mp *gmp.M) *gmp.G {
	p.s.GFree.Lock.Lock()
	defer p.s.GFree.Lock.Unlock()
	from := &p.with
	if len(*from) == 0 {
		from = &p.stackless
	}
	n := len(*from)
	if n == 0 {
		return nil
	}
	gp := (*from)[n-1]
	*from = slices.Delete(*from, n-1, n)
	p.s.GFree.N.Set(p.s.GFree.N.Get() - 1)
	if gp.Stack.Get().Hi == 0 {
		gp.Stack.Set(p.s.Stackalloc(gmp.StartingStack))
	}
	gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	return gp
}

func (p *slicelists) Gfput(mp *gmp.M, gp *gmp.G) {
	if gp.Atomicstatus.Load() != gmp.Gdead {
		p.s.Throw("not dead")
	}
	grown := gp.Stack.Get().Hi-gp.Stack.Get().Lo != gmp.StartingStack
	if grown && gp.Stack.Get().Hi != 0 {
		p.s.Stackfree(gp.Stack.Get())
		gp.Stack.Set(machine.Stack{})
	}
	p.s.GFree.Lock.Lock()
	defer p.s.GFree.Lock.Unlock()
	if grown {
		p.stackless = append(p.stackless, gp)
	} else {
		p.with = append(p.with, gp)
	}
	p.s.GFree.N.Set(p.s.GFree.N.Get() + 1)
}

// onelist keeps all on one list and looks for a G with a stack in it.
type onelist struct{ s *gmp.Sched }

func (p *onelist) Gfget(mp *gmp.M) *gmp.G {
	free := &p.s.GFree
	free.Lock.Lock()
	var before *gmp.G
	gp := free.NoStack.Get().Head
	for gp != nil && gp.Stack.Get().Hi == 0 {
		before, gp = gp, gp.Schedlink.Get()
	}
	if gp == nil {
		before, gp = nil, free.NoStack.Get().Head
	}
	if gp != nil {
		if next := gp.Schedlink.Get(); before == nil {
			q := free.NoStack.Get()
			q.Head = next
			free.NoStack.Set(q)
		} else {
			before.Schedlink.Set(next)
		}
		gp.Schedlink.Set(nil)
		free.N.Set(free.N.Get() - 1)
	}
	free.Lock.Unlock()
	if gp != nil {
		if gp.Stack.Get().Hi == 0 {
			gp.Stack.Set(p.s.Stackalloc(gmp.StartingStack))
		}
		gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	}
	return gp
}

func (p *onelist) Gfput(mp *gmp.M, gp *gmp.G) {
	if gp.Atomicstatus.Load() != gmp.Gdead {
		p.s.Throw("not dead")
	}
	if gp.Stack.Get().Hi-gp.Stack.Get().Lo > gmp.StartingStack {
		p.s.Stackfree(gp.Stack.Get())
		gp.Stack.Set(machine.Stack{})
	}
	free := &p.s.GFree
	free.Lock.Lock()
	gp.Schedlink.Set(free.NoStack.Get().Head)
	q := free.NoStack.Get()
	q.Head = gp
	free.NoStack.Set(q)
	free.N.Set(free.N.Get() + 1)
	free.Lock.Unlock()
}

// pairs has the edges as a set.
type pairs struct{ s *gmp.Sched }

var legalPairs = func() map[[2]uint32]bool {
	set := map[[2]uint32]bool{}
	for from := range gmp.Gpreempted + 1 {
		for to := range gmp.Gpreempted + 1 {
			if (&switching{}).legal(from, to) {
				set[[2]uint32{from, to}] = true
			}
		}
	}
	return set
}()

func (p *pairs) Casgstatus(gp *gmp.G, oldval, newval uint32) {
	if !legalPairs[[2]uint32{oldval, newval}] {
		p.s.Throw("illegal edge")
	}
	done := gp.Atomicstatus.CompareAndSwap(oldval, newval)
	for !done && gp.Atomicstatus.Load()&^gmp.Gscan == oldval {
		machine.Osyield()
		done = gp.Atomicstatus.CompareAndSwap(oldval, newval)
	}
	if !done {
		p.s.Throw("the G is in another state")
	}
}

// turned keeps each list in a queue, of which it takes the last.
type turned struct{ s *gmp.Sched }

func (p *turned) Gfget(mp *gmp.M) *gmp.G {
	p.s.GFree.Lock.Lock()
	defer p.s.GFree.Lock.Unlock()
	for _, from := range []*gmp.SharedGList{&p.s.GFree.Stack, &p.s.GFree.NoStack} {
		if gp := p.last(from); gp != nil {
			p.s.GFree.N.Set(p.s.GFree.N.Get() - 1)
			if gp.Stack.Get().Hi == 0 {
				gp.Stack.Set(p.s.Stackalloc(gmp.StartingStack))
				gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
			}
			return gp
		}
	}
	return nil
}

// last takes the G at the end of a list.
func (p *turned) last(from *gmp.SharedGList) *gmp.G {
	var before *gmp.G
	gp := from.Get().Head
	if gp == nil {
		return nil
	}
	for ; gp.Schedlink.Get() != nil; gp = gp.Schedlink.Get() {
		before = gp
	}
	if before == nil {
		from.Set(gmp.GList{})
	} else {
		before.Schedlink.Set(nil)
		from.Set(gmp.GList{Head: from.Get().Head, Size: from.Get().Size - 1})
	}
	return gp
}

func (p *turned) Gfput(mp *gmp.M, gp *gmp.G) {
	if gp.Atomicstatus.Load() != gmp.Gdead {
		p.s.Throw("not dead")
	}
	to := &p.s.GFree.Stack
	if gp.Stack.Get().Hi-gp.Stack.Get().Lo != gmp.StartingStack {
		p.s.Stackfree(gp.Stack.Get())
		gp.Stack.Set(machine.Stack{})
		to = &p.s.GFree.NoStack
	}
	p.s.GFree.Lock.Lock()
	defer p.s.GFree.Lock.Unlock()
	gp.Schedlink.Set(nil)
	var end *gmp.G
	for g := to.Get().Head; g != nil; g = g.Schedlink.Get() {
		end = g
	}
	list := to.Get()
	if end == nil {
		list.Head = gp
	} else {
		end.Schedlink.Set(gp)
	}
	list.Size++
	to.Set(list)
	p.s.GFree.N.Set(p.s.GFree.N.Get() + 1)
}

// patient asks whether it may go on, as a function of its own, and waits with growing
// pauses.
type patient struct{ s *gmp.Sched }

func (p *patient) Casgstatus(gp *gmp.G, oldval, newval uint32) {
	if oldval > gmp.Gpreempted || newval > gmp.Gpreempted || !legalPairs[[2]uint32{oldval, newval}] {
		p.s.Throwf("from %d to %d", oldval, newval)
	}
	for pause := uint32(1); p.locked(gp, oldval) || !gp.Atomicstatus.CompareAndSwap(oldval, newval); pause *= 2 {
		machine.Procyield(pause)
	}
}

// locked reports whether the scan bit is set, and throws if gp is in another state.
func (p *patient) locked(gp *gmp.G, oldval uint32) bool {
	st := gp.Atomicstatus.Load()
	if st|gmp.Gscan != oldval|gmp.Gscan {
		p.s.Throw("the G is in another state")
	}
	return st&gmp.Gscan != 0
}

// atomicList keeps the dead with a stack on a list of its own, to which one is put without
// a lock, and those without in s.GFree. Who takes one holds GFree.Lock.
type atomicList struct {
	s    *gmp.Sched
	head machine.Pointer[gmp.G]
}

func (p *atomicList) Gfput(mp *gmp.M, gp *gmp.G) {
	if gp.Atomicstatus.Load() != gmp.Gdead {
		p.s.Throw("not dead")
	}
	free := &p.s.GFree
	if st := gp.Stack.Get(); st.Hi-st.Lo != gmp.StartingStack {
		if st.Lo != 0 {
			p.s.Stackfree(st)
		}
		gp.Stack.Set(machine.Stack{})
		free.Lock.Lock()
		free.NoStack.Push(gp)
		free.N.Set(free.N.Get() + 1)
		free.Lock.Unlock()
		return
	}
	free.Lock.Lock()
	free.N.Set(free.N.Get() + 1)
	free.Lock.Unlock()
	for {
		first := p.head.Load()
		gp.Schedlink.Set(first)
		if p.head.CompareAndSwap(first, gp) {
			return
		}
	}
}

func (p *atomicList) Gfget(mp *gmp.M) *gmp.G {
	free := &p.s.GFree
	free.Lock.Lock()
	defer free.Lock.Unlock()
	gp := p.head.Load()
	for gp != nil && !p.head.CompareAndSwap(gp, gp.Schedlink.Get()) {
		gp = p.head.Load()
	}
	if gp == nil {
		gp = free.NoStack.Pop()
	}
	if gp == nil {
		return nil
	}
	gp.Schedlink.Set(nil)
	free.N.Set(free.N.Get() - 1)
	if gp.Stack.Get().Lo == 0 {
		gp.Stack.Set(p.s.Stackalloc(gmp.StartingStack))
		gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	}
	return gp
}

// careful gets its G before it looks at fn, and numbers it first. It makes the context
// elsewhere and copies it. When a G ends, it looks whether M and G belong together.
type careful struct{ s *gmp.Sched }

func (p *careful) Newproc1(mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
	gp := p.dead(mp)
	if fn == 0 {
		p.s.Throw("go of nil func value")
	}
	gp.Goid.Set(p.s.Goidgen.Add(1))
	parent, pc := int64(0), machine.PC(0)
	if callergp != nil {
		parent, pc = callergp.Goid.Get(), callerpc
	}
	gp.Parentgoid.Set(parent)
	gp.Gopc.Set(pc)
	gp.Startfn.Set(fn)
	ctx := &machine.Context{PC: p.s.Program().Goexit, SP: gp.Stack.Get().Hi - 16}
	p.s.Gostartcall(ctx, fn)
	gp.Sched = machine.Context{PC: ctx.PC, SP: ctx.SP, Ctxt: ctx.Ctxt}
	gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	p.s.Casgstatus(gp, gmp.Gdead, gmp.Grunnable)
	return gp
}

// dead returns a G that is dead and on the list of all.
func (p *careful) dead(mp *gmp.M) *gmp.G {
	if gp := p.s.Gfget(mp); gp != nil {
		return gp
	}
	gp := p.s.Malg(gmp.StartingStack)
	p.s.Casgstatus(gp, gmp.Gidle, gmp.Gdead)
	p.s.Allgadd(gp)
	return gp
}

func (p *careful) Goexit0(mp *gmp.M, gp *gmp.G) {
	if mp.Curg.Get() != gp || gp.M.Get() != mp {
		p.s.Throw("goexit0: not linked")
	}
	(&tabled{p.s}).Goexit0(mp, gp)
}

// rechecking looks at the state before and after its compare-and-swap, and lets the other
// go on in between.
type rechecking struct{ s *gmp.Sched }

func (p *rechecking) Casgstatus(gp *gmp.G, oldval, newval uint32) {
	if !(&switching{}).legal(oldval, newval) {
		p.s.Throw("illegal edge")
	}
	for {
		st := gp.Atomicstatus.Load()
		if st == oldval && gp.Atomicstatus.CompareAndSwap(st, newval) {
			return
		}
		if again := gp.Atomicstatus.Load(); again != oldval && again != oldval|gmp.Gscan {
			p.s.Throw("the G is in another state")
		}
		machine.Usleep(1)
	}
}

// lockedThrough does everything under the lock, also what needs none.
type lockedThrough struct{ s *gmp.Sched }

func (p *lockedThrough) Gfget(mp *gmp.M) *gmp.G {
	free := &p.s.GFree
	free.Lock.Lock()
	defer free.Lock.Unlock()
	if free.N.Get() == 0 {
		return nil
	}
	free.N.Set(free.N.Get() - 1)
	if gp := free.Stack.Pop(); gp != nil {
		return gp
	}
	gp := free.NoStack.Pop()
	gp.Stack.Set(p.s.Stackalloc(gmp.StartingStack))
	gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	return gp
}

func (p *lockedThrough) Gfput(mp *gmp.M, gp *gmp.G) {
	free := &p.s.GFree
	free.Lock.Lock()
	if gp.Atomicstatus.Load() != gmp.Gdead {
		p.s.Throw("not dead") // with the lock: nothing runs after it that could want it
	}
	free.N.Set(free.N.Get() + 1)
	list := &free.Stack
	if st := gp.Stack.Get(); st.Hi-st.Lo > gmp.StartingStack {
		gp.Stack.Set(machine.Stack{})
		p.s.Stackfree(st)
		list = &free.NoStack
	} else if st.Hi == 0 {
		list = &free.NoStack
	}
	list.Push(gp)
	free.Lock.Unlock()
}

// prepared makes a G ready for its next life when it ends, as far as that is known: its
// context is that of a G that has not begun.
type prepared struct{ s *gmp.Sched }

func (p *prepared) Newproc1(mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
	if fn == 0 {
		p.s.Throw("go of nil func value")
	}
	gp := p.s.Gfget(mp)
	if gp == nil {
		gp = p.s.Malg(gmp.StartingStack)
		p.s.Casgstatus(gp, gmp.Gidle, gmp.Gdead)
		p.s.Allgadd(gp)
	}
	p.prepare(gp)
	p.s.Gostartcall(&gp.Sched, fn)
	gp.Startfn.Set(fn)
	if callergp != nil {
		gp.Gopc.Set(callerpc)
		gp.Parentgoid.Set(callergp.Goid.Get())
	}
	gp.Goid.Set(p.s.Goidgen.Add(1))
	p.s.Casgstatus(gp, gmp.Gdead, gmp.Grunnable)
	return gp
}

// prepare forgets who made gp and what it ran, and all of its context.
func (p *prepared) prepare(gp *gmp.G) {
	gp.Startfn.Set(0)
	gp.Gopc.Set(0)
	gp.Parentgoid.Set(0)
	st := gp.Stack.Get()
	gp.Sched = machine.Context{SP: st.Hi, PC: p.s.Program().Goexit}
	gp.Sched.Guard.Store(uint64(st.Lo) + gmp.StackGuard)
}

func (p *prepared) Goexit0(mp *gmp.M, gp *gmp.G) {
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Gdead)
	p.s.Dropg(mp)
	for _, forget := range forgets {
		forget(gp)
	}
	p.prepare(gp)
	mp.Lockedg.Set(nil)
	p.s.Gfput(mp, gp)
	p.s.Schedule(mp)
}

// clearing writes zeroes into a stack before it gives the G out.
type clearing struct{ s *gmp.Sched }

func (p *clearing) Gfget(mp *gmp.M) *gmp.G {
	gp := (&lockedThrough{p.s}).Gfget(mp)
	if gp != nil {
		st := gp.Stack.Get()
		for a := st.Hi - 64; a < st.Hi; a += 8 {
			p.s.Machine.SetWord(a, 0)
		}
	}
	return gp
}

func (p *clearing) Gfput(mp *gmp.M, gp *gmp.G) { (&lockedThrough{p.s}).Gfput(mp, gp) }

// backwards numbers the G by a compare-and-swap, notes what it runs last, and makes it
// runnable by defer.
type backwards struct{ s *gmp.Sched }

func (p *backwards) Newproc1(mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
	gp := (&careful{p.s}).dead(mp)
	if fn == 0 {
		p.s.Throw("go of nil func value")
	}
	defer p.s.Casgstatus(gp, gmp.Gdead, gmp.Grunnable)
	id := p.s.Goidgen.Load()
	for !p.s.Goidgen.CompareAndSwap(id, id+1) {
		id = p.s.Goidgen.Load()
	}
	gp.Goid.Set(id + 1)
	(&prepared{p.s}).prepare(gp)
	if callergp != nil {
		gp.Parentgoid.Set(callergp.Goid.Get())
		gp.Gopc.Set(callerpc)
	}
	p.s.Gostartcall(&gp.Sched, fn)
	gp.Startfn.Set(fn)
	return gp
}

func (p *backwards) Goexit0(mp *gmp.M, gp *gmp.G) {
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Gdead)
	for i := range forgets {
		forgets[len(forgets)-1-i](gp)
	}
	mp.Lockedg.Set(nil)
	p.s.Dropg(mp)
	p.s.Gfput(mp, gp)
	p.s.Schedule(mp)
}

// twoLocks has a lock of its own for those without a stack, inside GFree.Lock.
type twoLocks struct {
	s     *gmp.Sched
	inner machine.Mutex
}

func (p *twoLocks) Gfget(mp *gmp.M) *gmp.G {
	free := &p.s.GFree
	free.Lock.Lock()
	gp := free.Stack.Pop()
	if gp == nil {
		p.inner.Lock()
		gp = free.NoStack.Pop()
		p.inner.Unlock()
	}
	if gp != nil {
		free.N.Set(free.N.Get() - 1)
	}
	free.Lock.Unlock()
	if gp != nil && gp.Stack.Get() == (machine.Stack{}) {
		gp.Stack.Set(p.s.Stackalloc(gmp.StartingStack))
		gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	}
	return gp
}

func (p *twoLocks) Gfput(mp *gmp.M, gp *gmp.G) {
	if gp.Atomicstatus.Load() != gmp.Gdead {
		p.s.Throw("not dead")
	}
	free := &p.s.GFree
	st := gp.Stack.Get()
	if st.Hi-st.Lo == gmp.StartingStack {
		free.Lock.Lock()
		free.Stack.Push(gp)
		free.N.Set(free.N.Get() + 1)
		free.Lock.Unlock()
		return
	}
	if st.Lo != 0 {
		gp.Stack.Set(machine.Stack{})
		p.s.Stackfree(st)
	}
	free.Lock.Lock()
	p.inner.Lock()
	free.NoStack.Push(gp)
	p.inner.Unlock()
	free.N.Set(free.N.Get() + 1)
	free.Lock.Unlock()
}
