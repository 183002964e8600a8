package ch13

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Mutants are mistakes that one makes in this chapter. Those of Shrinkstack that are open are
// for the student's own test.
var Mutants = []check.Mutant{
	{
		Name: "shrink-at-half", Check: "shrink",
		What:  "a stack shrinks as soon as half of it is free: it is full then, and grows again at the next call",
		Parts: mutant(func(p *stacks) gmp.Stacks { return shrinkAtHalf{p} }),
	},
	{
		Name: "shrink-to-quarter", Check: "shrink",
		What:  "a stack shrinks to a quarter in one step",
		Parts: mutant(func(p *stacks) gmp.Stacks { return shrinkToQuarter{p} }),
	},
	{
		Name: "shrink-at-a-quarter", Check: "shrink",
		What:  "what a call may use before it looks (StackSmall) does not count as used",
		Parts: mutant(func(p *stacks) gmp.Stacks { return shrinkAtAQuarter{p} }),
	},
	{
		Name: "shrink-never", Check: "shrink",
		What:  "no stack ever shrinks",
		Parts: mutant(func(p *stacks) gmp.Stacks { return shrinkNever{p} }),
	},
	{
		Name: "shrink-believes", Check: "shrink-safe", Hidden: true,
		What:  "a stack is moved while a system call may write to it",
		Parts: mutant(func(p *stacks) gmp.Stacks { return shrinkBelieves{p} }),
	},
	{
		Name: "safe-in-calls", Check: "shrink-safe", Hidden: true,
		What:  "a G in a system call counts as safe",
		Parts: mutant(func(p *stacks) gmp.Stacks { return safeInCalls{p} }),
	},
	{
		Name: "context-inside", Check: "context", Hidden: true,
		What:  "SP is adjusted like any other address: if nothing of the stack is in use, SP is at its end and no longer in it",
		Parts: mutant(func(p *stacks) gmp.Stacks { return contextInside{p} }),
	},
	{
		Name: "context-without-args", Check: "context", Hidden: true,
		What:  "the address of a call's arguments is forgotten: its results go to the old stack",
		Parts: mutant(func(p *stacks) gmp.Stacks { return contextWithoutArgs{p} }),
	},
	{
		Name: "frame-all-slots", Check: "frame", Hidden: true,
		What:  "whatever looks like an address in the old stack is adjusted, numbers, too",
		Parts: mutant(func(p *stacks) gmp.Stacks { return frameAllSlots{p} }),
	},
	{
		Name: "frame-to-the-end", Check: "copy-frames", Hidden: true,
		What:  "the address just behind the old stack counts as one of it",
		Parts: mutant(func(p *stacks) gmp.Stacks { return frameToTheEnd{p} }),
	},
	{
		Name: "frame-blindly", Check: "copy-frames", Hidden: true,
		What:  "every slot with an address is adjusted, that of the heap, too",
		Parts: mutant(func(p *stacks) gmp.Stacks { return frameBlindly{p} }),
	},
	{
		Name: "copy-innermost", Check: "copy-frames", Hidden: true,
		What:  "only the innermost frame is adjusted",
		Parts: mutant(func(p *stacks) gmp.Stacks { return &copyMutant{stacks: p, frames: 1} }),
	},
	{
		Name: "copy-to-the-first-plain", Check: "copy-frames", Hidden: true,
		What:  "Copystack goes no further than the first frame that has no pointers",
		Parts: mutant(func(p *stacks) gmp.Stacks { return &copyMutant{stacks: p, frames: all, plainLast: true} }),
	},
	{
		Name: "guard-read-twice", Check: "race-not-now", Hidden: true,
		What:  "Newstack reads the guard to see whether G1 may be stopped, and once more to see whether it is to: a request in between stops it on an M that holds a lock",
		Parts: mutant(func(p *stacks) gmp.Stacks { return guardReadTwice{p} }),
	},
	{
		Name: "copy-no-frame", Check: "disturbed", Hidden: true,
		What:  "no frame is adjusted: each address of a variable leads to the old stack",
		Parts: mutant(func(p *stacks) gmp.Stacks { return &copyMutant{stacks: p, frames: 0} }),
	},
	{
		Name: "copy-keeps", Check: "copy", Hidden: true,
		What:  "the old stack is never freed",
		Parts: mutant(func(p *stacks) gmp.Stacks { return &copyMutant{stacks: p, frames: all, keeps: true} }),
	},
	{
		Name: "copy-clobbers", Check: "copy-guard", Hidden: true,
		What:  "the new guard overwrites a request to stop, as it may in the runtime",
		Parts: mutant(func(p *stacks) gmp.Stacks { return &copyMutant{stacks: p, frames: all, clobbers: true} }),
	},
	{
		Name: "copy-asks-first", Check: "race-ask", Hidden: true,
		What:  "Copystack looks whether G1 was asked to stop, and then stores the guard: a request in between is overwritten",
		Parts: mutant(func(p *stacks) gmp.Stacks { return copyAsksFirst{p} }),
	},
	{
		Name: "copy-unlocked", Check: "race-chan", Hidden: true,
		What:  "the channels are not locked: a sender writes to the old stack after it was copied",
		Parts: mutant(func(p *stacks) gmp.Stacks { return &copyMutant{stacks: p, frames: all, unlocked: true} }),
	},
	{
		Name: "copy-locks-late", Check: "race-chan", Hidden: true,
		What:  "the channels are locked only after the stack was copied",
		Parts: mutant(func(p *stacks) gmp.Stacks { return copyLocksLate{right{p, p.s}} }),
	},
	{
		Name: "copy-locks-one", Check: "race-select", Hidden: true,
		What:  "only the first of the channels of a select is locked",
		Parts: mutant(func(p *stacks) gmp.Stacks { return &copyMutant{stacks: p, frames: all, locksOne: true} }),
	},
	{
		Name: "sudogs-one", Check: "sudogs", Hidden: true,
		What:  "only the first sudog is adjusted, as if there were no select",
		Parts: mutant(func(p *stacks) gmp.Stacks { return sudogsOne{p} }),
	},
	{
		Name: "sudogs-without-cases", Check: "sudogs", Hidden: true,
		What:  "the cases of a select are forgotten",
		Parts: mutant(func(p *stacks) gmp.Stacks { return sudogsWithoutCases{p} }),
	},
	{
		Name: "grow-once", Check: "grow-fit", Hidden: true,
		What:  "the stack is doubled once, whatever the frame wants",
		Parts: mutant(func(p *stacks) gmp.Stacks { return &growMutant{stacks: p, times: 1, state: gmp.Gcopystack} }),
	},
	{
		Name: "grow-in-words", Check: "grow-fit", Hidden: true,
		What:  "the frame is taken for as many bytes as it has words",
		Parts: mutant(func(p *stacks) gmp.Stacks { return &growMutant{stacks: p, frame: 1, state: gmp.Gcopystack} }),
	},
	{
		Name: "grow-running", Check: "grow", Hidden: true,
		What:  "G1 stays Grunning while its stack moves: another M that looks at stacks does not know",
		Parts: mutant(func(p *stacks) gmp.Stacks { return &growMutant{stacks: p, frame: 8} }),
	},
	{
		Name: "grow-without-end", Check: "grow-limit", Hidden: true,
		What: "there is no limit: a recursion without an end takes all memory",
		Parts: mutant(func(p *stacks) gmp.Stacks {
			return &growMutant{stacks: p, frame: 8, state: gmp.Gcopystack, limit: 1 << 40}
		}),
	},
	{
		Name: "move-doubles", Check: "force-move", Hidden: true,
		What:  "a stack that is only to move is doubled",
		Parts: mutant(func(p *stacks) gmp.Stacks { return moveDoubles{p} }),
	},
	{
		Name: "preempt-grows", Check: "preempt", Hidden: true,
		What:  "a request to stop is taken for a stack that is too small, as before 1.2: G1 never stops",
		Parts: mutant(func(p *stacks) gmp.Stacks { return preemptGrows{p} }),
	},
	{
		Name: "preempt-by-choice", Check: "preempt", Hidden: true,
		What:  "GoschedImpl is not told that G1 did not ask for it",
		Parts: mutant(func(p *stacks) gmp.Stacks { return preemptByChoice{p} }),
	},
	{
		Name: "not-now-poisoned", Check: "not-now", Hidden: true,
		What:  "the guard stays poisoned when G1 may not be stopped: its prologue calls again, for ever",
		Parts: mutant(func(p *stacks) gmp.Stacks { return notNowPoisoned{p} }),
	},
	{
		Name: "not-now-never", Check: "not-now", Hidden: true,
		What:  "a request that comes at a bad time is forgotten",
		Parts: mutant(func(p *stacks) gmp.Stacks { return notNowNever{p} }),
	},
	{
		Name: "any-p", Check: "can-preempt", Hidden: true,
		What:  "the state of the P is not looked at",
		Parts: mutant(func(p *stacks) gmp.Stacks { return anyP{p} }),
	},
	{
		Name: "stop-ignored", Check: "preempt-stop", Hidden: true,
		What:  "a G that is to stop for one that looks at its stack is queued, and runs on",
		Parts: mutant(func(p *stacks) gmp.Stacks { return stopIgnored{p} }),
	},
	{
		Name: "shrinks-queued", Check: "preempt-shrink", Hidden: true,
		What:  "the stack is shrunk after G1 was queued, when it may run elsewhere",
		Parts: mutant(func(p *stacks) gmp.Stacks { return shrinksQueued{p} }),
	},
	{
		Name: "yield-clears-late", Check: "race-yield", Hidden: true,
		What:  "the request is cleared after G1 was queued: it may be the next one",
		Parts: mutant(func(p *stacks) gmp.Stacks { return yieldClearsLate{right{p, p.s}} }),
	},
	{
		Name: "grow-guards-again", Check: "race-ask", Hidden: true,
		What:  "Newstack puts the guard right after Copystack has, and overwrites a request that came in between",
		Parts: mutant(func(p *stacks) gmp.Stacks { return growGuardsAgain{right{p, p.s}} }),
	},
}

func mutant(wrap func(p *stacks) gmp.Stacks) gmp.Version {
	return gmp.Version{Stacks: func(s *gmp.Sched) gmp.Stacks { return wrap(&stacks{s: s}) }}
}

// size is that of gp's stack, in bytes.
func size(gp *gmp.G) uint64 { return uint64(gp.Stack.Get().Hi - gp.Stack.Get().Lo) }

// inUse is how much of it is in use.
func inUse(gp *gmp.G) uint64 { return uint64(gp.Stack.Get().Hi - gp.Sched.SP) }

type shrinkAtHalf struct{ *stacks }

func (p shrinkAtHalf) Shrinkstack(gp *gmp.G) {
	if n := size(gp); n/2 >= gmp.StartingStack && inUse(gp)+machine.StackSmall < n/2 {
		p.s.Copystack(gp, n/2)
	}
}

type shrinkToQuarter struct{ *stacks }

func (p shrinkToQuarter) Shrinkstack(gp *gmp.G) {
	if n := size(gp); n/4 >= gmp.StartingStack && inUse(gp)+machine.StackSmall < n/4 {
		p.s.Copystack(gp, n/4)
		return
	}
	p.stacks.Shrinkstack(gp)
}

type shrinkAtAQuarter struct{ *stacks }

func (p shrinkAtAQuarter) Shrinkstack(gp *gmp.G) {
	if n := size(gp); n/2 >= gmp.StartingStack && inUse(gp) < n/4 {
		p.s.Copystack(gp, n/2)
	}
}

type shrinkNever struct{ *stacks }

func (p shrinkNever) Shrinkstack(gp *gmp.G) {}

type shrinkBelieves struct{ *stacks }

func (p shrinkBelieves) Shrinkstack(gp *gmp.G) {
	if n := size(gp); n/2 >= gmp.StartingStack && inUse(gp)+machine.StackSmall < n/4 {
		p.s.Copystack(gp, n/2)
	}
}

type safeInCalls struct{ *stacks }

func (p safeInCalls) IsShrinkStackSafe(gp *gmp.G) bool { return !gp.AsyncSafe.Get() }

type contextInside struct{ *stacks }

func (p contextInside) Adjustctxt(gp *gmp.G, adj gmp.Adjustinfo) {
	sp := adjust(gp.Sched.SP, adj)
	p.stacks.Adjustctxt(gp, adj)
	gp.Sched.SP = sp
}

type contextWithoutArgs struct{ *stacks }

func (p contextWithoutArgs) Adjustctxt(gp *gmp.G, adj gmp.Adjustinfo) {
	args := gp.Sched.Args
	p.stacks.Adjustctxt(gp, adj)
	gp.Sched.Args = args
}

type frameAllSlots struct{ *stacks }

func (p frameAllSlots) Adjustframe(fr machine.Frame, adj gmp.Adjustinfo) {
	m := p.s.Machine
	for at := fr.SP; at < fr.Ret+8*machine.Addr(machine.ArgBase+fr.Func.Args); at += 8 {
		m.SetWord(at, uint64(adjust(machine.Addr(m.Word(at)), adj)))
	}
}

type frameToTheEnd struct{ *stacks }

func (p frameToTheEnd) Adjustframe(fr machine.Frame, adj gmp.Adjustinfo) {
	adj.Old.Hi++
	p.stacks.Adjustframe(fr, adj)
}

type frameBlindly struct{ *stacks }

func (p frameBlindly) Adjustframe(fr machine.Frame, adj gmp.Adjustinfo) {
	adj.Old = machine.Stack{Lo: 1, Hi: adj.Old.Hi}
	p.stacks.Adjustframe(fr, adj)
}

// all is a number of frames that no stack has.
const all = 1 << 60

// A copyMutant copies otherwise.
type copyMutant struct {
	*stacks
	frames   int // how many are adjusted
	keeps    bool
	clobbers bool
	unlocked bool
	locksOne bool

	plainLast bool
}

func (p *copyMutant) Copystack(gp *gmp.G, newsize uint64) {
	s := p.s
	old, used := gp.Stack.Get(), machine.Addr(inUse(gp))
	if uint64(used) > newsize {
		s.Throw("copystack: stack too small")
	}
	st := s.Stackalloc(newsize)
	adj := gmp.Adjustinfo{Old: old, Delta: st.Hi - old.Hi}
	switch first := gp.Waiting.Get(); {
	case p.unlocked || first == nil:
	case p.locksOne:
		first.C.Get().Lock.Lock()
		defer first.C.Get().Lock.Unlock()
	default:
		lockChannels(gp)
		defer unlockChannels(gp)
	}
	s.Machine.Copy(st.Hi-used, gp.Sched.SP, int64(used))
	s.Adjustsudogs(gp, adj)
	s.Adjustctxt(gp, adj)
	left := p.frames
	s.Machine.Frames(&gp.Sched, func(fr machine.Frame) bool {
		if left == 0 {
			return false
		}
		left--
		s.Adjustframe(fr, adj)
		if p.plainLast {
			for range fr.Pointers {
				return true
			}
			return false
		}
		return true
	})
	gp.Stack.Set(st)
	gp.Sched.Guard.Store(uint64(st.Lo) + gmp.StackGuard)
	if gp.Preempt.Get() && !p.clobbers {
		gp.Sched.Guard.Store(machine.StackPreempt)
	}
	if !p.keeps {
		s.Stackfree(old)
	}
}

type guardReadTwice struct{ *stacks }

func (p guardReadTwice) Newstack(mp *gmp.M, gp *gmp.G) {
	s := p.s
	if gp.Sched.Guard.Load() == machine.StackPreempt && !s.CanPreemptM(mp) {
		gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
		return
	}
	if gp.Sched.Guard.Load() != machine.StackPreempt {
		p.stacks.Newstack(mp, gp)
		return
	}
	if gp.PreemptShrink.Get() {
		gp.PreemptShrink.Set(false)
		s.Shrinkstack(gp)
	}
	if gp.PreemptStop.Get() {
		s.PreemptPark(mp, gp)
		return
	}
	s.GoschedImpl(mp, gp, true)
}

type copyAsksFirst struct{ *stacks }

func (p copyAsksFirst) Copystack(gp *gmp.G, newsize uint64) {
	asked := gp.Preempt.Get()
	p.stacks.Copystack(gp, newsize)
	guard := uint64(gp.Stack.Get().Lo) + gmp.StackGuard
	if asked {
		guard = machine.StackPreempt
	}
	gp.Sched.Guard.Store(guard)
}

// A right part is that of the chapter; s is the scheduler.
type right struct {
	gmp.Stacks
	s *gmp.Sched
}

// channels locks the channels that gp waits on, or unlocks them, each once.
func (p right) channels(gp *gmp.G, do func(mu *machine.Mutex)) {
	var last *gmp.Hchan
	for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
		if c := sg.C.Get(); c != last {
			do(&c.Lock)
			last = c
		}
	}
}

// finish does what is left for Copystack when the sudogs are adjusted.
func (p right) finish(gp *gmp.G, st machine.Stack, adj gmp.Adjustinfo) {
	s := p.s
	s.Adjustctxt(gp, adj)
	s.Machine.Frames(&gp.Sched, func(fr machine.Frame) bool {
		s.Adjustframe(fr, adj)
		return true
	})
	gp.Stack.Set(st)
	gp.Sched.Guard.Store(uint64(st.Lo) + gmp.StackGuard)
	if gp.Preempt.Get() {
		gp.Sched.Guard.Store(machine.StackPreempt)
	}
	s.Stackfree(adj.Old)
}

type copyLocksLate struct{ right }

func (p copyLocksLate) Copystack(gp *gmp.G, newsize uint64) {
	s, old := p.s, gp.Stack.Get()
	used := old.Hi - gp.Sched.SP
	if uint64(used) > newsize {
		s.Throw("copystack: stack too small")
	}
	st := s.Stackalloc(newsize)
	adj := gmp.Adjustinfo{Old: old, Delta: st.Hi - old.Hi}
	s.Machine.Copy(st.Hi-used, gp.Sched.SP, int64(used))
	p.channels(gp, (*machine.Mutex).Lock)
	s.Adjustsudogs(gp, adj)
	p.channels(gp, (*machine.Mutex).Unlock)
	p.finish(gp, st, adj)
}

type sudogsOne struct{ *stacks }

func (p sudogsOne) Adjustsudogs(gp *gmp.G, adj gmp.Adjustinfo) {
	if sg := gp.Waiting.Get(); sg != nil {
		sg.Elem.Set(adjust(sg.Elem.Get(), adj))
	}
	for i := range gp.Selects.Get() {
		gp.Selects.Get()[i].Elem = adjust(gp.Selects.Get()[i].Elem, adj)
	}
}

type sudogsWithoutCases struct{ *stacks }

func (p sudogsWithoutCases) Adjustsudogs(gp *gmp.G, adj gmp.Adjustinfo) {
	for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
		sg.Elem.Set(adjust(sg.Elem.Get(), adj))
	}
}

// A growMutant grows otherwise.
type growMutant struct {
	*stacks
	times int    // how often the size is doubled, 0 for as often as it takes
	frame uint64 // how many bytes a word of the frame is taken for
	state uint32 // of gp meanwhile, 0 for Grunning
	limit uint64 // 0 for the right one
}

func (p *growMutant) Newstack(mp *gmp.M, gp *gmp.G) {
	s := p.s
	if g := gp.Sched.Guard.Load(); g == machine.StackPreempt || g == machine.StackForceMove {
		p.stacks.Newstack(mp, gp)
		return
	}
	need := inUse(gp) + frameBytes(s, gp)/8*p.frame + gmp.StackGuard
	n := 2 * size(gp)
	for n < need && p.times == 0 {
		n *= 2
	}
	if n > max(s.StackLimit(), p.limit) {
		p.stacks.Newstack(mp, gp) // which throws
	}
	if p.state == 0 {
		s.Copystack(gp, n)
		return
	}
	s.Casgstatus(gp, gmp.Grunning, p.state)
	s.Copystack(gp, n)
	s.Casgstatus(gp, p.state, gmp.Grunning)
}

type moveDoubles struct{ *stacks }

func (p moveDoubles) Newstack(mp *gmp.M, gp *gmp.G) {
	if gp.Sched.Guard.Load() == machine.StackForceMove {
		gp.Sched.Guard.Store(0)
	}
	p.stacks.Newstack(mp, gp)
}

type preemptGrows struct{ *stacks }

func (p preemptGrows) Newstack(mp *gmp.M, gp *gmp.G) {
	if gp.Sched.Guard.Load() == machine.StackPreempt {
		gp.Preempt.Set(false)
		gp.Sched.Guard.Store(0)
	}
	p.stacks.Newstack(mp, gp)
}

type preemptByChoice struct{ *stacks }

func (p preemptByChoice) Newstack(mp *gmp.M, gp *gmp.G) {
	if gp.Sched.Guard.Load() == machine.StackPreempt && p.s.CanPreemptM(mp) {
		p.s.GoschedImpl(mp, gp, false)
		return
	}
	p.stacks.Newstack(mp, gp)
}

type notNowPoisoned struct{ *stacks }

func (p notNowPoisoned) Newstack(mp *gmp.M, gp *gmp.G) {
	if gp.Sched.Guard.Load() == machine.StackPreempt && !p.s.CanPreemptM(mp) {
		return
	}
	p.stacks.Newstack(mp, gp)
}

type notNowNever struct{ *stacks }

func (p notNowNever) Newstack(mp *gmp.M, gp *gmp.G) {
	if gp.Sched.Guard.Load() == machine.StackPreempt && !p.s.CanPreemptM(mp) {
		gp.Preempt.Set(false)
	}
	p.stacks.Newstack(mp, gp)
}

type anyP struct{ *stacks }

func (p anyP) CanPreemptM(mp *gmp.M) bool { return mp.Locks.Get() == 0 }

type stopIgnored struct{ *stacks }

func (p stopIgnored) Newstack(mp *gmp.M, gp *gmp.G) {
	if gp.Sched.Guard.Load() == machine.StackPreempt && p.s.CanPreemptM(mp) {
		p.s.GoschedImpl(mp, gp, true)
		return
	}
	p.stacks.Newstack(mp, gp)
}

type shrinksQueued struct{ *stacks }

func (p shrinksQueued) Newstack(mp *gmp.M, gp *gmp.G) {
	shrinks := gp.Sched.Guard.Load() == machine.StackPreempt && gp.PreemptShrink.Get()
	gp.PreemptShrink.Set(false)
	p.stacks.Newstack(mp, gp)
	if shrinks {
		p.s.Shrinkstack(gp)
	}
}

type yieldClearsLate struct{ right }

func (p yieldClearsLate) Newstack(mp *gmp.M, gp *gmp.G) {
	asked := gp.Sched.Guard.Load() == machine.StackPreempt
	p.Stacks.Newstack(mp, gp)
	if asked {
		gp.Preempt.Set(false)
	}
}

type growGuardsAgain struct{ right }

func (p growGuardsAgain) Newstack(mp *gmp.M, gp *gmp.G) {
	p.Stacks.Newstack(mp, gp)
	if mp.Curg.Get() == gp {
		gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	}
}
