package sim

import "gosched/chapters/machine"

// Procyield waits on its CPU.
func (s *simulation) Procyield(cycles uint32) {
	s.spend(Time(max(cycles, 1)) * s.costs.Pause)
}

// Osyield lets a thread that waits for a CPU have this one.
func (s *simulation) Osyield() {
	s.spend(s.costs.Osyield)
	if len(s.queue) > 0 && s.queue[0].ready <= s.now {
		th := s.cur
		s.rotate(s.cpu, s.now)
		s.pick()
		s.leave(th)
	}
}

// Usleep sleeps.
func (s *simulation) Usleep(us uint32) { s.sleep(usleep{}, int64(us)*1000) }

type usleep struct{}

func (usleep) describe() string { return "in Usleep" }
func (usleep) timeout(*thread)  {}

// Nanotime returns the clock of the current thread's CPU. It takes a moment, so
// that a thread that waits for a time gets there.
func (s *simulation) Nanotime() int64 {
	s.spend(s.costs.Clock)
	return int64(s.now / Nanosecond)
}

// PeekNanotime is the same clock, read by a report.
func (s *simulation) PeekNanotime() int64 { return int64(s.now / Nanosecond) }

// Gogo takes the time of going to the program.
func (s *simulation) Gogo() { s.spend(s.costs.Gogo) }

// Budget returns how many instructions take the thread to the horizon and a
// quantum beyond. The program shares memory with other threads, but not with the
// scheduler; that it sees a write, or a signal, a quantum late is allowed on a real
// computer as well.
func (s *simulation) Budget() int64 {
	if s.now > s.horizon {
		s.pass()
	}
	return max(1, int64((s.horizon+s.opt.Quantum-s.now)/s.costs.Instruction))
}

// Ran takes the time of instructions.
func (s *simulation) Ran(n int64) {
	s.instructions += n
	s.now += Time(n) * s.costs.Instruction
}

// Passed takes so much time.
func (s *simulation) Passed(ns int64) { s.now += Time(ns) * Nanosecond }

// Trapped takes the time of coming from the program into the scheduler.
func (s *simulation) Trapped(trap machine.Trap) {
	s.spend(s.costs.Trap)
	if trap == machine.TrapNewproc {
		s.spend(s.costs.Newproc)
	}
}
