package gmp

// This file is runtime.ReadMemStats.

// readMemStats answers ReadMemStats, called by gp, which runs on mp. The numbers are those
// of one moment, so the world is stopped for them, where there are Ps. The runtime's
// ReadMemStats.
func (s *Sched) readMemStats(mp *M, gp *G) {
	read := func(s *Sched, mp *M, gp *G) {
		s.Machine.SetWord(gp.Sched.Args, s.heapAlloc(mp))
		s.Machine.SetWord(gp.Sched.Args+8, uint64(s.Machine.Size()))
	}
	if s.run.version.World == nil {
		read(s, mp, gp)
		return
	}
	s.StopTheWorld(mp, gp, "read mem stats", func(s *Sched, mp *M, gp *G) {
		read(s, mp, gp)
		s.StartTheWorld(mp)
	})
}

// heapAlloc is how many bytes the objects of the program take. What other Ms have
// in their allocation caches counts as well, since only they know it.
func (s *Sched) heapAlloc(mp *M) uint64 {
	return s.Machine.HeapBytes() - mp.Thread.Unused()
}
