package ch13

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Copystack moves gp to a stack of newsize bytes.
//
//course:exercise
func (p *stacks) Copystack(gp *gmp.G, newsize uint64) {
	//course:holds When the old stack is freed nothing points into it. What another M writes to gp's stack, or asks of gp, is there afterwards.
	//course:question gp waits on a channel, and a sender comes at this moment. To which of the two stacks does it write, before and after each of your steps?
	//course:lead Two things change under you although gp does not run: the value that gp waits for, and the guard. Which lock protects the one, and what remembers the other?
	s := p.s
	//course:step A new stack; what is in use must have room in it.
	old := gp.Stack.Get()
	used := old.Hi - gp.Sched.SP
	if uint64(used) > newsize {
		s.Throw("copystack: stack too small")
	}
	st := s.Stackalloc(newsize)
	adj := gmp.Adjustinfo{Old: old, Delta: st.Hi - old.Hi}
	//course:step If gp waits on channels, others may write to its stack, with a channel's lock. Lock all of them, in the order of the list, each once.
	lockChannels(gp)
	//course:step Copy what is in use to the end of the new stack, and adjust the sudogs. From now on others write to the new one.
	s.Machine.Copy(st.Hi-used, gp.Sched.SP, int64(used))
	s.Adjustsudogs(gp, adj)
	unlockChannels(gp)
	//course:step Adjust the context, and with it each frame, where it is now.
	s.Adjustctxt(gp, adj)
	s.Machine.Frames(&gp.Sched, func(fr machine.Frame) bool {
		s.Adjustframe(fr, adj)
		return true
	})
	//course:step The new stack is gp's, with its guard. A request to stop that came meanwhile may just have been overwritten: Preempt knows.
	gp.Stack.Set(st)
	gp.Sched.Guard.Store(uint64(st.Lo) + gmp.StackGuard)
	if gp.Preempt.Get() {
		gp.Sched.Guard.Store(machine.StackPreempt)
	}
	//course:step Free the old one. Its words are poisoned, so that a pointer that was forgotten is noticed.
	s.Stackfree(old)
}

// lockChannels locks the channels that gp waits on.
//
//course:omit
func lockChannels(gp *gmp.G) {
	var last *gmp.Hchan
	for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
		if c := sg.C.Get(); c != last {
			c.Lock.Lock()
			last = c
		}
	}
}

// unlockChannels unlocks them.
//
//course:omit
func unlockChannels(gp *gmp.G) {
	var last *gmp.Hchan
	for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
		if c := sg.C.Get(); c != last {
			c.Lock.Unlock()
			last = c
		}
	}
}

// adjust is where an address leads after the move: the runtime's adjustpointer.
//
//course:omit
func adjust(a machine.Addr, adj gmp.Adjustinfo) machine.Addr {
	if a >= adj.Old.Lo && a < adj.Old.Hi {
		return a + adj.Delta
	}
	return a
}

// Adjustsudogs adjusts what others know of gp's stack.
//
//course:exercise
func (p *stacks) Adjustsudogs(gp *gmp.G, adj gmp.Adjustinfo) {
	//course:step All sudogs: a select has one for each of its channels. Elem may be 0, or the address of something that is not on the stack.
	for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
		sg.Elem.Set(adjust(sg.Elem.Get(), adj))
	}
	//course:step And the cases of the select, which it looks at again when it wakes.
	cases := gp.Selects.Get()
	for i := range cases {
		cases[i].Elem = adjust(cases[i].Elem, adj)
	}
}

// Adjustctxt adjusts gp's saved context.
//
//course:exercise
func (p *stacks) Adjustctxt(gp *gmp.G, adj gmp.Adjustinfo) {
	//course:step SP always points into the stack, even if that is empty and it points just behind it. The others do so only if they do.
	c := &gp.Sched
	c.SP += adj.Delta
	c.Args = adjust(c.Args, adj)
	c.Fault = adjust(c.Fault, adj)
	c.Ctxt = adjust(c.Ctxt, adj)
}

// Adjustframe adjusts the slots of fr, which is on the new stack.
//
//course:exercise
func (p *stacks) Adjustframe(fr machine.Frame, adj gmp.Adjustinfo) {
	//course:holds Each slot that held an address in the old stack holds that of the same word in the new one; all others are unchanged.
	//course:question A slot holds a number that happens to lie between Lo and Hi. How do you know that it is none of yours? And a pointer to the heap?
	//course:step For each slot that may hold an address: if it leads into the old stack, adjust it.
	m := p.s.Machine
	for at := range fr.Pointers {
		if a := machine.Addr(m.Word(at)); a >= adj.Old.Lo && a < adj.Old.Hi {
			m.SetWord(at, uint64(a+adj.Delta))
		}
	}
}
