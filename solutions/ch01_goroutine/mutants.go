package ch01

import (
	"runtime"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Mutants are mistakes that one makes in this chapter.
var Mutants = []check.Mutant{
	{
		Name:  "any-edge",
		What:  "Casgstatus does not look at the diagram, so a dead G may run",
		Check: "status-illegal",
		Parts: casgstatus(func(p casgstatusPart, gp *gmp.G, oldval, newval uint32) {
			if (oldval|newval)&gmp.Gscan != 0 || oldval == newval {
				p.s.Throw("casgstatus: bad incoming values")
			}
			if !gp.Atomicstatus.CompareAndSwap(oldval, newval) {
				p.s.Throw("casgstatus: wrong state")
			}
		}),
	},
	{
		Name:   "scan-argument",
		What:   "Casgstatus takes the scan bit in its arguments for part of the state",
		Check:  "status-illegal",
		Hidden: true,
		Parts: casgstatus(func(p casgstatusPart, gp *gmp.G, oldval, newval uint32) {
			if !isEdge(oldval&^gmp.Gscan, newval&^gmp.Gscan) || !gp.Atomicstatus.CompareAndSwap(oldval, newval) {
				p.Statuses.Casgstatus(gp, oldval, newval)
			}
		}),
	},
	{
		Name:   "no-copystack",
		What:   "the diagram has no way into copystack, so no stack can grow",
		Check:  "status-edges",
		Hidden: true,
		Parts: casgstatus(func(p casgstatusPart, gp *gmp.G, oldval, newval uint32) {
			if newval == gmp.Gcopystack {
				p.s.Throwf("casgstatus: no way from %s to %s", gmp.StatusName(oldval), gmp.StatusName(newval))
			}
			p.Statuses.Casgstatus(gp, oldval, newval)
		}),
	},
	{
		Name:  "blind-store",
		What:  "Casgstatus stores the new state without looking at the one that the G is in",
		Check: "status-wrong-state",
		Parts: casgstatus(func(p casgstatusPart, gp *gmp.G, oldval, newval uint32) {
			right := &gmp.G{Goid: machine.CellOf(gp.Goid.Get())}
			right.Atomicstatus.Store(oldval)
			p.Statuses.Casgstatus(right, oldval, newval) // throws where it should
			gp.Atomicstatus.Store(newval)
		}),
	},
	{
		Name:   "scan-is-wrong-state",
		What:   "Casgstatus throws when it finds the scan bit set, instead of waiting",
		Check:  "status-scan",
		Hidden: true,
		Parts: casgstatus(func(p casgstatusPart, gp *gmp.G, oldval, newval uint32) {
			if gp.Atomicstatus.Load()&gmp.Gscan != 0 {
				p.s.Throw("casgstatus: wrong state")
			}
			p.Statuses.Casgstatus(gp, oldval, newval)
		}),
	},
	{
		Name:   "breaks-the-lock",
		What:   "Casgstatus ignores the scan bit and takes the G away from whoever is looking at its stack",
		Check:  "status-scan",
		Hidden: true,
		Parts: casgstatus(func(p casgstatusPart, gp *gmp.G, oldval, newval uint32) {
			gp.Atomicstatus.CompareAndSwap(oldval|gmp.Gscan, oldval)
			p.Statuses.Casgstatus(gp, oldval, newval)
		}),
	},
	{
		Name:   "load-and-store",
		What:   "Casgstatus looks at the state and changes it in two separate steps, so two Ms may both wake the same G",
		Check:  "status-race",
		Hidden: true,
		Parts: casgstatus(func(p casgstatusPart, gp *gmp.G, oldval, newval uint32) {
			if gp.Atomicstatus.Load() != oldval {
				p.Statuses.Casgstatus(gp, oldval, newval)
				return
			}
			gp.Atomicstatus.Store(newval)
		}),
	},
	{
		Name:  "free-list-is-a-queue",
		What:  "Gfput puts the G at the end, so the stack that is in the cache is reused last",
		Check: "free-reuse",
		Parts: gfput(func(p freelistsPart, mp *gmp.M, gp *gmp.G) {
			p.Freelists.Gfput(mp, gp)
			free := &p.s.GFree.Stack
			if free.Get().Head != gp || gp.Schedlink.Get() == nil {
				return
			}
			last := gp.Schedlink.Get()
			for last.Schedlink.Get() != nil {
				last = last.Schedlink.Get()
			}
			free.Set(gmp.GList{Head: gp.Schedlink.Get(), Size: free.Get().Size})
			last.Schedlink.Set(gp)
			gp.Schedlink.Set(nil)
		}),
	},
	{
		Name:   "no-count",
		What:   "Gfget does not decrement GFree.N",
		Check:  "free-reuse",
		Hidden: true,
		Parts: gfget(func(p freelistsPart, mp *gmp.M) *gmp.G {
			gp := p.Freelists.Gfget(mp)
			if gp != nil {
				p.s.GFree.N.Set(p.s.GFree.N.Get() + 1)
			}
			return gp
		}),
	},
	{
		Name:   "still-linked",
		What:   "Gfget leaves Schedlink as it was, so the G drags the free list onto the next queue",
		Check:  "free-reuse",
		Hidden: true,
		Parts: gfget(func(p freelistsPart, mp *gmp.M) *gmp.G {
			gp := p.Freelists.Gfget(mp)
			if gp != nil {
				gp.Schedlink.Set(p.s.GFree.Stack.Get().Head)
			}
			return gp
		}),
	},
	{
		Name:  "keeps-grown-stacks",
		What:  "Gfput keeps a stack that has grown, so one deep recursion costs its memory for ever",
		Check: "free-stacks",
		Parts: gfput(func(p freelistsPart, mp *gmp.M, gp *gmp.G) {
			stack, guard := gp.Stack.Get(), gp.Sched.Guard.Load()
			gp.Stack.Set(machine.Stack{})
			p.Freelists.Gfput(mp, gp)
			gp.Stack.Set(stack)
			gp.Sched.Guard.Store(guard)
		}),
	},
	{
		Name:   "no-new-stack",
		What:   "Gfget returns a G without a stack as it is",
		Check:  "free-stacks",
		Hidden: true,
		Parts: gfget(func(p freelistsPart, mp *gmp.M) *gmp.G {
			free := &p.s.GFree
			stackless := free.Stack.Get().Head == nil && free.NoStack.Get().Head != nil
			gp := p.Freelists.Gfget(mp)
			if stackless {
				p.s.Stackfree(gp.Stack.Get())
				gp.Stack.Set(machine.Stack{})
			}
			return gp
		}),
	},
	{
		Name:   "no-lock",
		What:   "Gfput links the G into the free list without GFree.Lock",
		Check:  "free-race",
		Hidden: true,
		Parts: gfput(func(p freelistsPart, mp *gmp.M, gp *gmp.G) {
			p.s.GFree.Stack.Push(gp)
			p.s.GFree.N.Set(p.s.GFree.N.Get() + 1)
		}),
	},
	{
		Name:   "counts-outside",
		What:   "Gfput counts the G after it has released the lock, so two Ms that put at once may count only one",
		Check:  "free-race",
		Hidden: true,
		Parts: gfput(func(p freelistsPart, mp *gmp.M, gp *gmp.G) {
			free := &p.s.GFree
			free.Lock.Lock()
			if gp.Stack.Get().Hi-gp.Stack.Get().Lo > gmp.StartingStack {
				p.s.Stackfree(gp.Stack.Get())
				gp.Stack.Set(machine.Stack{})
				free.NoStack.Push(gp)
			} else {
				free.Stack.Push(gp)
			}
			free.Lock.Unlock()
			free.N.Set(free.N.Get() + 1)
		}),
	},
	{
		Name:   "runnable-too-early",
		What:   "Newproc1 makes the G runnable before it records what the G runs and who made it",
		Check:  "new-race",
		Hidden: true,
		Parts: newproc1(func(p goroutinesPart, mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
			gp := p.Newproc1(mp, fn, callergp, callerpc)
			gp.Startfn.Set(fn)
			return gp
		}),
	},
	{
		Name:   "numbers-in-two-steps",
		What:   "Newproc1 reads the last Goid and stores the next one in two steps, so two goroutines get the same number",
		Check:  "new-race",
		Hidden: true,
		Parts: newproc1(func(p goroutinesPart, mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
			s := p.s
			gp := s.Gfget(mp)
			if gp == nil {
				gp = s.Malg(gmp.StartingStack)
				s.Casgstatus(gp, gmp.Gidle, gmp.Gdead)
				s.Allgadd(gp)
			}
			gp.Sched = machine.Context{PC: s.Program().Goexit, SP: gp.Stack.Get().Hi}
			s.Gostartcall(&gp.Sched, fn)
			gp.Startfn.Set(fn)
			gp.Gopc.Set(callerpc)
			gp.Parentgoid.Set(callergp.Goid.Get())
			gp.Goid.Set(s.Goidgen.Load() + 1)
			s.Goidgen.Store(gp.Goid.Get())
			s.Casgstatus(gp, gmp.Gdead, gmp.Grunnable)
			return gp
		}),
	},
	{
		Name:   "no-goexit-beneath",
		What:   "Newproc1 sets the pc to the function and puts nothing on the stack for it to return to",
		Check:  "new-context",
		Hidden: true,
		Parts: newproc1(func(p goroutinesPart, mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
			gp := p.Newproc1(mp, fn, callergp, callerpc)
			gp.Sched.SP = gp.Stack.Get().Hi
			return gp
		}),
	},
	{
		Name:   "its-own-parent",
		What:   "Newproc1 records the new G itself as the one that executed go",
		Check:  "new-creator",
		Hidden: true,
		Parts: newproc1(func(p goroutinesPart, mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
			gp := p.Newproc1(mp, fn, callergp, callerpc)
			gp.Parentgoid.Set(gp.Goid.Get())
			return gp
		}),
	},
	{
		Name:   "born-running",
		What:   "Newproc1 returns the G running, although it is on no M yet",
		Check:  "new-identity",
		Hidden: true,
		Parts: newproc1(func(p goroutinesPart, mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
			gp := p.Newproc1(mp, fn, callergp, callerpc)
			p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
			return gp
		}),
	},
	{
		Name:   "nil-goroutine",
		What:   "Newproc1 returns nil for a nil function, and the go statement has no effect",
		Check:  "new-nil",
		Hidden: true,
		Parts: newproc1(func(p goroutinesPart, mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
			if fn == 0 {
				return nil
			}
			return p.Newproc1(mp, fn, callergp, callerpc)
		}),
	},
	{
		Name:   "stale-context",
		What:   "Newproc1 sets the pc and the stack pointer of a reused G and leaves the rest of its context",
		Check:  "new-second-life",
		Hidden: true,
		Parts: newproc1(func(p goroutinesPart, mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
			trap := machine.TrapNone
			if old := p.s.GFree.Stack.Get().Head; old != nil {
				trap = old.Sched.Trap
			}
			gp := p.Newproc1(mp, fn, callergp, callerpc)
			gp.Sched.Trap = trap
			return gp
		}),
	},
	{
		Name:   "no-guard",
		What:   "Newproc1 clears the context of a reused G, and with it the guard, so its stack overflows silently",
		Check:  "new-second-life",
		Hidden: true,
		Parts: newproc1(func(p goroutinesPart, mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
			reused := p.s.GFree.Stack.Get().Head != nil
			gp := p.Newproc1(mp, fn, callergp, callerpc)
			if reused {
				gp.Sched.Guard.Store(0)
			}
			return gp
		}),
	},
	{
		Name:   "keeps-guard",
		What:   "Newproc1 leaves the guard of a reused G as it is, so one that was asked to stop just after it ended stops in its next life",
		Check:  "new-second-life",
		Hidden: true,
		Parts: newproc1(func(p goroutinesPart, mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
			var guard uint64
			if old := p.s.GFree.Stack.Get().Head; old != nil {
				guard = old.Sched.Guard.Load()
			}
			gp := p.Newproc1(mp, fn, callergp, callerpc)
			if guard != 0 {
				gp.Sched.Guard.Store(guard)
			}
			return gp
		}),
	},
	{
		Name:   "listed-twice",
		What:   "Newproc1 adds a reused G to the list of all Gs a second time, which ties the list into a ring",
		Check:  "new-second-life",
		Hidden: true,
		Parts: newproc1(func(p goroutinesPart, mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
			reused := p.s.GFree.Stack.Get().Head != nil
			gp := p.Newproc1(mp, fn, callergp, callerpc)
			if reused {
				p.s.Allgadd(gp)
			}
			return gp
		}),
	},
	{
		Name:   "keeps-param",
		What:   "Goexit0 leaves the sudog that woke the G, which keeps a channel and its contents alive",
		Check:  "exit-forgets",
		Hidden: true,
		Parts: goexit0(func(p goroutinesPart, mp *gmp.M, gp *gmp.G) {
			param, waiting := gp.Param.Get(), gp.Waiting.Get()
			p.Goexit0(mp, gp)
			gp.Param.Set(param)
			gp.Waiting.Set(waiting)
		}),
	},
	{
		Name:   "clean-slate",
		What:   "Goexit0 clears the whole G, including its link in the list of all Gs, and the list ends there",
		Check:  "exit-forgets",
		Hidden: true,
		Parts: goexit0(func(p goroutinesPart, mp *gmp.M, gp *gmp.G) {
			gp.Alllink.Set(nil)
			p.Goexit0(mp, gp)
		}),
	},
	{
		Name:   "free-too-early",
		What:   "Goexit0 puts the G on the free list before the M has let go of it",
		Check:  "exit-order",
		Hidden: true,
		Parts: goexit0(func(p goroutinesPart, mp *gmp.M, gp *gmp.G) {
			p.s.Casgstatus(gp, gmp.Grunning, gmp.Gdead)
			forget(gp)
			p.s.Gfput(mp, gp)
			p.s.Dropg(mp)
			p.s.Schedule(mp)
		}),
	},
	{
		Name:   "forgets-too-late",
		What:   "Goexit0 clears the G after putting it on the free list, where another M may have given it its next life",
		Check:  "exit-race",
		Hidden: true,
		Parts: goexit0(func(p goroutinesPart, mp *gmp.M, gp *gmp.G) {
			p.s.Casgstatus(gp, gmp.Grunning, gmp.Gdead)
			mp.Lockedg.Set(nil)
			p.s.Dropg(mp)
			p.s.Gfput(mp, gp)
			forget(gp)
			p.s.Schedule(mp)
		}),
	},
	{
		Name:   "lets-go-too-early",
		What:   "Goexit0 lets M and G go of each other while the state of the G still says that it runs",
		Check:  "exit-race",
		Hidden: true,
		Parts: goexit0(func(p goroutinesPart, mp *gmp.M, gp *gmp.G) {
			mp.Lockedg.Set(nil)
			p.s.Dropg(mp)
			p.s.Casgstatus(gp, gmp.Grunning, gmp.Gdead)
			forget(gp)
			p.s.Gfput(mp, gp)
			p.s.Schedule(mp)
		}),
	},
	{
		Name:   "frees-and-keeps",
		What:   "Goexit0 frees the stack and leaves it on the G too, so two goroutines come to share it",
		Check:  "runs",
		Hidden: true,
		Parts: goexit0(func(p goroutinesPart, mp *gmp.M, gp *gmp.G) {
			p.s.Stackfree(gp.Stack.Get())
			p.Goexit0(mp, gp)
		}),
	},
	{
		Name:   "no-reuse",
		What:   "Goexit0 does not put the G on the free list, so each goroutine costs memory for ever",
		Check:  "waves",
		Hidden: true,
		Parts: goexit0(func(p goroutinesPart, mp *gmp.M, gp *gmp.G) {
			p.s.Casgstatus(gp, gmp.Grunning, gmp.Gdead)
			forget(gp)
			p.s.Dropg(mp)
			p.s.Schedule(mp)
		}),
	},
	{
		Name:   "waits-for-ever",
		What:   "Casgstatus waits for the old state, as if every failed compare-and-swap were the scan bit's doing",
		Check:  "status-wrong-state",
		Hidden: true,
		Parts:  casgstatus(waitForEver),
	},
}

// waitForEver has a name because its message has it. It looks once: what goes
// on in it when its check was given up takes no part in the models of later ones.
func waitForEver(p casgstatusPart, gp *gmp.G, oldval, newval uint32) {
	for st := gp.Atomicstatus.Load(); st != oldval; {
		runtime.Gosched()
	}
	p.Statuses.Casgstatus(gp, oldval, newval)
}

// What follows makes a version of which one method of one part is wrong. The
// function is given the part with the right methods embedded.

type casgstatusPart struct {
	gmp.Statuses
	s     *gmp.Sched
	wrong func(p casgstatusPart, gp *gmp.G, oldval, newval uint32)
}

func (p casgstatusPart) Casgstatus(gp *gmp.G, oldval, newval uint32) {
	p.wrong(p, gp, oldval, newval)
}

func casgstatus(wrong func(p casgstatusPart, gp *gmp.G, oldval, newval uint32)) gmp.Version {
	return gmp.Version{Statuses: func(s *gmp.Sched) gmp.Statuses {
		return casgstatusPart{NewStatuses(s), s, wrong}
	}}
}

type freelistsPart struct {
	gmp.Freelists
	s *gmp.Sched
}

type gfgetPart struct {
	freelistsPart
	wrong func(p freelistsPart, mp *gmp.M) *gmp.G
}

func (p gfgetPart) Gfget(mp *gmp.M) *gmp.G { return p.wrong(p.freelistsPart, mp) }

func gfget(wrong func(p freelistsPart, mp *gmp.M) *gmp.G) gmp.Version {
	return gmp.Version{Freelists: func(s *gmp.Sched) gmp.Freelists {
		return gfgetPart{freelistsPart{NewFreelists(s), s}, wrong}
	}}
}

type gfputPart struct {
	freelistsPart
	wrong func(p freelistsPart, mp *gmp.M, gp *gmp.G)
}

func (p gfputPart) Gfput(mp *gmp.M, gp *gmp.G) { p.wrong(p.freelistsPart, mp, gp) }

func gfput(wrong func(p freelistsPart, mp *gmp.M, gp *gmp.G)) gmp.Version {
	return gmp.Version{Freelists: func(s *gmp.Sched) gmp.Freelists {
		return gfputPart{freelistsPart{NewFreelists(s), s}, wrong}
	}}
}

type goroutinesPart struct {
	gmp.Goroutines
	s *gmp.Sched
}

type newproc1Part struct {
	goroutinesPart
	wrong func(p goroutinesPart, mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G
}

func (p newproc1Part) Newproc1(mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
	return p.wrong(p.goroutinesPart, mp, fn, callergp, callerpc)
}

func newproc1(wrong func(p goroutinesPart, mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G) gmp.Version {
	return gmp.Version{Goroutines: func(s *gmp.Sched) gmp.Goroutines {
		return newproc1Part{goroutinesPart{NewGoroutines(s), s}, wrong}
	}}
}

type goexit0Part struct {
	goroutinesPart
	wrong func(p goroutinesPart, mp *gmp.M, gp *gmp.G)
}

func (p goexit0Part) Goexit0(mp *gmp.M, gp *gmp.G) { p.wrong(p.goroutinesPart, mp, gp) }

func goexit0(wrong func(p goroutinesPart, mp *gmp.M, gp *gmp.G)) gmp.Version {
	return gmp.Version{Goroutines: func(s *gmp.Sched) gmp.Goroutines {
		return goexit0Part{goroutinesPart{NewGoroutines(s), s}, wrong}
	}}
}
