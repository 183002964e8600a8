package gmp

import (
	"fmt"

	"gosched/chapters/machine"
)

// This file is the way of a program into the kernel of the machine, and that of a
// signal to the M that it is for.

// syscall makes the system call for which gp trapped on mp. With tell the part in
// charge learns that gp is away and that it is back. The results are stored in
// between: after Exitsyscall gp may be running elsewhere. Without tell mp keeps
// everything that it has until the call returns. The runtime's syscall.Syscall and
// syscall.RawSyscall.
func (s *Sched) syscall(mp *M, gp *G, tell bool) {
	block := gp.Sched.Args
	word := func(i machine.Addr) machine.Addr { return block + 8*i }
	call := &mp.call
	if call.Output == nil { // once for each M, so that a call allocates nothing
		call.Output = func(fd int, addr machine.Addr, n int64) { s.write(mp, mp.Curg.Peek(), fd, addr, n) }
	}
	*call = machine.Syscall{
		Num:    s.Machine.Word(word(0)),
		Args:   [3]uint64{s.Machine.Word(word(1)), s.Machine.Word(word(2)), s.Machine.Word(word(3))},
		Output: call.Output,
		Alone:  !s.run.many,
	}
	mp.calls = true
	if tell {
		s.run.sysmon.start(s)
		s.Entersyscall(mp, gp)
	}
	for mp.Thread.Syscall(call) {
		s.sighandler(mp, gp)
	}
	mp.calls = false
	if call.Stuck != "" {
		s.fail(mp, fmt.Errorf("%s waits for %s in a system call that can never end: the only M of Go %s sleeps in it, so no other goroutine runs; let the other one go first, or run the program on Go 1.0 or later",
			s.gname(gp), call.Stuck, s.Version().Name))
		return
	}
	if call.Alone {
		s.sleptAlone(call.Slept)
	}
	s.Machine.SetWord(word(4), call.Result)
	s.Machine.SetWord(word(5), uint64(call.Err))
	if tell {
		s.Exitsyscall(mp, gp)
	}
}

// sighandler takes the signal of mp, which runs gp or is in a system call for it. One that
// comes to an M without a G waits until it has one. The runtime's function of that name.
func (s *Sched) sighandler(mp *M, gp *G) {
	if mp.Thread.Signal.Clear() && s.run.version.Signals != nil {
		s.DoSigPreempt(mp, gp)
	}
}
