package gmp

import "gosched/chapters/machine"

// This file is what the semaphores of chapter 4 find in place: the table of
// their waiters, and the counts in the program's memory.

// semTabSize is the number of roots. It is prime, so that the addresses of locks
// that lie evenly apart, as in an array, spread over all of them. The runtime's
// semTabSize.
const semTabSize = 251

// newSemTable makes roots without waiters, for a program on m.
func newSemTable(m *machine.Machine) []SemaRoot {
	table := make([]SemaRoot, semTabSize)
	for i := range table {
		lock(m, &table[i].Lock, semaRootLock)
	}
	return table
}

// Semroot returns the root at which the waiters for the semaphore at addr are.
// The runtime's semTable.rootFor.
func (s *Sched) Semroot(addr machine.Addr) *SemaRoot {
	return &s.SemTable[(addr>>3)%semTabSize]
}

// Cansemacquire takes one from the count at addr, unless that is 0, as one atomic
// step, and reports whether it did. The runtime's cansemacquire.
func (s *Sched) Cansemacquire(addr machine.Addr) bool {
	for {
		n := s.Machine.LoadUint32(addr)
		if n == 0 {
			return false
		}
		if s.Machine.CompareAndSwapUint32(addr, n, n-1) {
			return true
		}
	}
}

// Semadd adds one to the count at addr, as one atomic step.
func (s *Sched) Semadd(addr machine.Addr) {
	s.Machine.AddUint32(addr, 1)
}

// SemacquireArgs returns what gp has asked Semacquire1 for, while that is under
// way.
func (s *Sched) SemacquireArgs(gp *G) (addr machine.Addr, lifo bool, reason WaitReason) {
	arg := func(i int) uint64 { return s.Machine.Word(gp.Sched.Args + machine.Addr(8*i)) }
	return machine.Addr(arg(0)), arg(1) != 0, WaitReason(arg(2))
}
