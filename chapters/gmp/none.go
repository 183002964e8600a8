package gmp

// None has the parts that have no work to offer: what a complete finder asks in
// a version, or a chapter, that has no such mechanism yet. Their other methods
// are absent.
var None = Version{
	Stealing:  func(s *Sched) Stealing { return noStealing{} },
	Timers:    func(s *Sched) Timers { return noTimers{absentTimers{s}} },
	NetPoller: func(s *Sched) NetPoller { return noNetPoller{absentNetPoller{s}} },
	GCWork:    func(s *Sched) GCWork { return noGCWork{absentGCWork{s}} },
}

type noStealing struct{}

func (noStealing) StealWork(mp *M, now int64) (gp *G, inheritTime bool, rnow, pollUntil int64, newWork bool) {
	return nil, false, now, 0, false
}

type noTimers struct{ absentTimers }

func (noTimers) CheckTimers(mp *M, pp *P, now int64) (rnow, pollUntil int64, ran bool) {
	return now, 0, false
}

func (noTimers) CheckTimersNoP(mp *M, allp []*P, pollUntil int64) int64 { return pollUntil }

type noNetPoller struct{ absentNetPoller }

func (noNetPoller) Netpoll(mp *M, delay int64) GList { return GList{} }
func (noNetPoller) NetpollBreak()                    {}
func (noNetPoller) NetpollAnyWaiters() bool          { return false }
func (noNetPoller) Injectglist(mp *M, list GList)    {}

type noGCWork struct{ absentGCWork }

func (noGCWork) FindRunnableGCWorker(mp *M, pp *P, now int64) (*G, int64) { return nil, now }
func (noGCWork) IdleGCWorker(mp *M, pp *P) *G                             { return nil }
func (noGCWork) CheckIdleGCNoP(mp *M) (*P, *G)                            { return nil, nil }
func (noGCWork) Wakefing() *G                                             { return nil }
func (noGCWork) ScavengerWake(mp *M)                                      {}
func (noGCWork) ForceGC(mp *M, now int64)                                 {}
