package gmp

// This file is runtime.GOMAXPROCS: how many Gs may run at once, and how a program
// changes it.

// maxMcpu is the most that GOMAXPROCS can be in Go 1.0, which has 15 bits for it and
// reserves ten numbers to notice a count that has gone below 0, and maxProcs in Go 1.1
// to 1.8. It was 1024 in 1.9; there has been no limit since.
const (
	maxMcpu  = 1<<15 - 1 - 10
	maxProcs = 256
)

// gomaxprocs answers GOMAXPROCS(n), called by gp, which runs on mp: the result is the
// previous number, and if n is positive it is n from now on. The runtime's
// GOMAXPROCS.
func (s *Sched) gomaxprocs(mp *M, gp *G) {
	n := int64(s.Machine.Word(gp.Sched.Args))
	result := func(old int32) { s.Machine.SetWord(gp.Sched.Args+8, uint64(old)) }
	switch {
	case s.Gomaxprocs.Get() == 0 && s.run.version.Matching == nil:
		result(1)
	case s.Gomaxprocs.Get() == 0:
		old, yield := s.setMcpumax(mp, n)
		result(old)
		if yield {
			s.GoschedImpl(mp, gp, false)
		}
	default:
		if !s.since(10) {
			n = min(n, maxProcs)
		}
		if n <= 0 || n == int64(s.Gomaxprocs.Get()) {
			result(s.Gomaxprocs.Get())
			return
		}
		s.StopTheWorld(mp, gp, "GOMAXPROCS", func(s *Sched, mp *M, gp *G) {
			s.Machine.SetWord(gp.Sched.Args+8, uint64(s.Gomaxprocs.Get()))
			s.Newprocs.Set(int32(n))
			s.StartTheWorld(mp)
		})
	}
}

// setMcpumax is GOMAXPROCS(n) of Go 1.0, called on mp. yield: more Gs now run than may,
// so the caller's must let go. The runtime's gomaxprocsfunc, in Go 1.0.
func (s *Sched) setMcpumax(mp *M, n int64) (old int32, yield bool) {
	s.Lock.Lock()
	defer s.Lock.Unlock()
	old = s.Mcpumax.Get()
	if n > 0 {
		s.Mcpumax.Set(int32(min(n, maxMcpu)))
		s.Matchmg(mp)
	}
	return old, s.Mcpu.Get() > s.Mcpumax.Get()
}
