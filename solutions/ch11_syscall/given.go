//course:omit
package ch11

import "gosched/chapters/gmp"

// Go10 is the form of Go 1.0. There is no P that an M could leave behind, but a place among
// those that may run, counted in Mcpu. An M that enters a call gives it up, and hands it to
// a G that waits; one that is back takes a place if there is one, and otherwise its G waits
// for it in the queue like all others. Go 1.0 kept all it needs for that in one word, so
// that a call takes no lock as long as no G waits; here it takes s.Lock twice.
var Go10 = gmp.Version{Syscalls: NewGo10}

// go10 has no other methods: they are about Ps.
type go10 struct {
	gmp.Syscalls
	s *gmp.Sched
}

// NewGo10 makes the Syscalls of Go 1.0.
func NewGo10(s *gmp.Sched) gmp.Syscalls {
	return &go10{gmp.NewBare(gmp.Version{Name: s.Version().Name}, nil).Syscalls, s}
}

// Entersyscall gives up mp's place.
func (p *go10) Entersyscall(mp *gmp.M, gp *gmp.G) {
	s := p.s
	gp.SyscallPC.Set(gp.Sched.PC)
	gp.SyscallSP.Set(gp.Sched.SP)
	s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
	s.Lock.Lock()
	s.Mcpu.Set(s.Mcpu.Get() - 1)
	s.Matchmg(mp)
	s.Lock.Unlock()
}

// Exitsyscall takes a place, even if there is none: Schedule gives it up then, and takes
// the next G when it is mp's turn.
func (p *go10) Exitsyscall(mp *gmp.M, gp *gmp.G) {
	s := p.s
	gp.SyscallSP.Set(0)
	s.Lock.Lock()
	s.Mcpu.Set(s.Mcpu.Get() + 1)
	if s.Mcpu.Get() <= s.Mcpumax.Get() {
		s.Lock.Unlock()
		s.Casgstatus(gp, gmp.Gsyscall, gmp.Grunning)
		return
	}
	s.Casgstatus(gp, gmp.Gsyscall, gmp.Grunnable)
	s.Dropg(mp)
	s.Globrunqput(gp)
	s.Lock.Unlock()
	s.Schedule(mp)
}
