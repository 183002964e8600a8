package trace

// Span returns the time from the first event to the last one, in Header.Unit; 0 of a log
// without events.
func (l *Log) Span() int64 {
	if len(l.Events) == 0 {
		return 0
	}
	return l.Events[len(l.Events)-1].T - l.Events[0].T
}

// IdleBesideWork returns for how long, in Header.Unit and summed over so many CPUs, a
// CPU was left idle although a runnable G was in a queue: no M ran Gs there, looked for
// them, or was on its way, just created or woken. With two idle CPUs and one such G, one
// of them counts.
//
// An M without a P runs no Gs, where there are Ps. In Go 0.x, whose one M is all that
// runs, the other CPUs are always idle.
func (l *Log) IdleBesideWork(cpus int) int64 {
	queued := map[int64]bool{}
	working := map[int32]bool{} // Ms
	if l.Header.Procs == 0 {
		working[0] = true // M0 is there from the start, and takes no P
	}
	var idle, since int64
	for _, e := range l.Events {
		idle += (e.T - since) * int64(max(0, min(cpus-len(working), len(queued))))
		since = e.T
		switch e.Kind {
		case Put:
			queued[e.G] = true
		case Get, Run:
			delete(queued, e.G)
		case NewM, Wake, Acquire:
			working[e.M] = true
		case Release, Idle:
			delete(working, e.M)
		}
	}
	return idle
}
