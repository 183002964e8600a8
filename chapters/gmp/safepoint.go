package gmp

// This file is where the scheduler looks whether a P is to run a function at its next safe
// point (chapter 17), beside ForEachP itself. The runtime has these looks in findRunnable,
// handoffp and entersyscall. The FindRunnable of chapter 18 looks itself.

// findsSafePoints is find, with the look before it.
func findsSafePoints(find func(s *Sched) Finder) func(s *Sched) Finder {
	return func(s *Sched) Finder { return safePointFinder{find(s), s} }
}

// putsSafePoints is procs, with the look in Pidleput.
func putsSafePoints(procs func(s *Sched) Procs) func(s *Sched) Procs {
	return func(s *Sched) Procs { return safePointProcs{procs(s), s} }
}

type safePointFinder struct {
	Finder
	s *Sched
}

// FindRunnable runs the function before mp looks for a G.
func (p safePointFinder) FindRunnable(mp *M) (gp *G, inheritTime, tryWakeP bool) {
	if pp := mp.P.Get(); pp.RunSafePointFn.Load() != 0 {
		p.s.RunSafePointFn(pp, false)
	}
	return p.Finder.FindRunnable(mp)
}

type safePointProcs struct {
	Procs
	s *Sched
}

// Pidleput runs the function while pp still belongs to the caller: afterwards nobody would.
func (p safePointProcs) Pidleput(pp *P, now int64) int64 {
	if pp.RunSafePointFn.Load() != 0 {
		p.s.RunSafePointFn(pp, true)
	}
	return p.Procs.Pidleput(pp, now)
}
