package gmp

import (
	"sync/atomic"

	"gosched/chapters/machine"
	"gosched/chapters/trace"
)

// A sysmon is the thread of the monitor (chapter 12), which has an M that is on no list,
// has no P and runs no G. As long as the program makes no system call there is nothing for
// it to do, so the first one starts it.
type sysmon struct{ started atomic.Bool }

// start starts the monitor if there is one, and it has not been started.
func (m *sysmon) start(s *Sched) {
	if s.run.version.Monitor == nil || s.run.version.Procs == nil || !m.started.CompareAndSwap(false, true) {
		return
	}
	mp := &M{ID: trace.None}
	s.Machine.OneCPU(false)
	s.run.threads.Add(1)
	machine.Newosproc("sysmon", func() {
		defer s.run.threads.Done()
		defer s.mdead(mp)
		s.Sysmon(mp)
	})
}
