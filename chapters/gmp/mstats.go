package gmp

// This file is runtime.ReadMemStats.

// readMemStats answers ReadMemStats, called by gp, which runs on mp. The numbers are those
// of one moment, so the world is stopped for them, where there are Ps. The runtime's
// ReadMemStats.
func (s *Sched) readMemStats(mp *M, gp *G) {
	read := func(s *Sched, mp *M, gp *G) {
		for i, v := range s.memStats(mp) {
			s.setResult(gp, i, v)
		}
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

// memStats are the results of TrapReadMemStats on mp. What other Ms have in their
// allocation caches counts as objects, since only they know it.
func (s *Sched) memStats(mp *M) [7]uint64 {
	unused, st := mp.Thread.Unused(), s.Machine.Stats()
	return [...]uint64{
		s.Machine.HeapBytes() - unused, st.TotalAlloc - unused, uint64(s.Machine.Size()),
		st.Mallocs, st.Frees, uint64(st.NumGC), s.Machine.NextGC(),
	}
}
