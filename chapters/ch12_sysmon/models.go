package ch12

import (
	"fmt"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
	"gosched/chapters/trace"
)

// The models: the monitor, and an M or two that do what Ms do meanwhile, in every order of
// their steps.

// Models are those of the checks.
var Models = check.Races{
	"race-sleep":   fallsAsleep,
	"race-timeout": timeIsOver,
	"race-resize":  worldChanges,
	"race-guard":   guardIsSet,
	"race-poll":    anMPolls,
	"race-inject":  lastMSleeps,
}

// race is the check that explores the model of that name.
func race(name string) func(t *check.T) { return Models.Check(name) }

// crew prepares s for a model with so many Ps, which are all idle, and no M.
func crew(m *explore.Model, s *gmp.Sched, procs int32) (mon *gmp.M) {
	m.Show(func(v any) string {
		if mp, ok := v.(*gmp.M); ok && mp != nil && mp.ID == trace.None {
			return "the monitor's M"
		}
		return check.Show(v)
	})
	s.Syscalls = noCalls{s.Syscalls}
	s.LockedThreads = counts{s.LockedThreads, s}
	check.MakePs(s, procs, 2)
	s.Npidle.Store(procs)
	s.Maxmcount.Set(10_000)
	return gmp.NewM(trace.None)
}

// noCalls has no P in a system call.
type noCalls struct{ gmp.Syscalls }

func (noCalls) RetakeSyscall(mp *gmp.M, pp *gmp.P, now int64, due bool) bool { return false }

// counts counts the Ms that wait for their Gs, and finds deadlocks.
type counts struct {
	gmp.LockedThreads
	s *gmp.Sched
}

func (p counts) Incidlelocked(v int32) {
	s := p.s
	s.Lock.Lock()
	s.Nmidlelocked.Set(s.Nmidlelocked.Get() + v)
	if v > 0 {
		s.Checkdead()
	}
	s.Lock.Unlock()
}

// fallsAsleep: all Ps are idle, and while the monitor falls asleep M0 is back from a system
// call, and takes one; or the world has stopped, and M0 starts it.
func fallsAsleep(m *explore.Model, s *gmp.Sched) {
	mon := crew(m, s, 1)
	stopped := m.Choose(2) == 1
	if stopped {
		s.Gcwaiting.Store(true)
		s.Npidle.Store(0)
	}
	m.Thread("monitor", func() { s.SysmonSleep(mon) })
	m.Thread("M0", func() {
		did, why := "taken P0", "P0 is busy"
		s.Lock.Lock()
		if stopped {
			did, why = "started the world", "Ps are busy"
			s.Gcwaiting.Store(false)
		} else {
			s.Npidle.Add(-1)
		}
		wake(s)
		s.Lock.Unlock()
		m.Logf("runs a G on P0")
		s.Lock.Lock()
		if s.Sysmonwait.Load() {
			m.Errorf("M0 has %s, and found Sysmonwait false; now %s, and Sysmonwait is true: the monitor sleeps, or is about to, and no M will wake it before its time is over, which may take a minute", did, why)
		}
		s.Lock.Unlock()
	})
}

// timeIsOver: the monitor sleeps, and M0 wakes it as its time is over; then both do it again.
func timeIsOver(m *explore.Model, s *gmp.Sched) {
	mon := crew(m, s, 1)
	s.Gcwaiting.Store(true) // a reason to sleep that lasts
	m.Thread("monitor", func() {
		for range 2 {
			s.SysmonSleep(mon)
		}
	})
	m.Thread("M0", func() {
		for range 2 {
			s.Lock.Lock()
			wake(s)
			s.Lock.Unlock()
		}
	})
	m.Check(func() {
		if s.Sysmonwait.Load() {
			m.Errorf("the monitor is awake, and s.Sysmonwait is set: the next M that looks signals a note on which no thread sleeps")
		}
		if s.Sysmonnote.SleepTimeout(0) {
			m.Errorf("the monitor is awake, and s.Sysmonnote is signalled: its next sleep is over at once, and whoever wakes it then signals the note twice")
		}
	})
}

// worldChanges: the world is stopped, and there is one P from then on instead of two, while
// the monitor looks.
func worldChanges(m *explore.Model, s *gmp.Sched) {
	mon := crew(m, s, 2)
	m.Thread("monitor", func() {
		s.SysmonSleep(mon)
		s.Retake(mon, 1)
	})
	m.Thread("M0", func() {
		s.Lock.Lock()
		s.Allp.Set(s.Allp.Get()[:1])
		s.Gomaxprocs.Set(1)
		s.Npidle.Store(0)
		wake(s)
		s.Lock.Unlock()
	})
}

// running lets a new M run a new G on a P.
func running(pp *gmp.P, goid int64) (mp *gmp.M, gp *gmp.G) {
	mp, gp = gmp.NewM(0), gmp.NewG(goid)
	check.Holding(mp, pp)
	check.Running(mp, gp)
	gp.Sched.Guard.Store(guard)
	return mp, gp
}

// guardIsSet: M0 runs G1, whose stack grows while the monitor asks it to stop.
func guardIsSet(m *explore.Model, s *gmp.Sched) {
	mon := crew(m, s, 1)
	pp := s.Allp.Get()[0]
	_, gp := running(pp, 1)
	m.Thread("M0", func() {
		gp.Sched.Guard.Store(guard)
		if gp.Preempt.Get() {
			gp.Sched.Guard.Store(machine.StackPreempt)
		}
		m.Logf("goes on with G1, whose guard is set for the new stack")
	})
	m.Thread("monitor", func() { s.Preemptone(mon, pp) })
	m.Check(func() {
		if _, poisoned := asked(gp); !poisoned {
			m.Errorf("G1 was asked to stop, and goes on with its slice; its guard is that of its new stack, so no prologue will notice")
		}
	})
}

// theNextG is a check. In a Go with signals the slice of G1 is over, and as the monitor asks it
// to stop M0 lets go of it, M1 runs it to its end, and M0 gives P0 to another M, which runs G2.
func theNextG(t *check.T) {
	t.Helper()
	v := t.Version()
	t.Explore(explore.Options{}, func(m *explore.Model) {
		v.Signals = func(s *gmp.Sched) gmp.Signals { return postman{m: m} }
		changesHands(m, gmp.NewBare(v, nil))
	})
}

// postman sends signals to no M.
type postman struct {
	gmp.Signals
	m *explore.Model
}

func (p postman) PreemptM(mp, target *gmp.M) {
	if target == nil {
		p.m.Errorf("Preemptone calls PreemptM for no M: the one that it has found at P0 has let go of it since, and a second look finds none")
	}
}

func changesHands(m *explore.Model, s *gmp.Sched) {
	mon := crew(m, s, 1)
	pp := s.Allp.Get()[0]
	pp.Schedtick.Set(1)
	pp.Sysmontick.Set(gmp.Sysmontick{Schedtick: 1})
	m0, g1 := running(pp, 1)
	g2 := gmp.NewG(2)
	g2.Atomicstatus.Store(gmp.Grunnable)
	m.Thread("M0", func() {
		s.Casgstatus(g1, gmp.Grunning, gmp.Grunnable)
		s.Dropg(m0)
		machine.Newosproc("M1", func() {
			s.Casgstatus(g1, gmp.Grunnable, gmp.Grunning)
			s.Casgstatus(g1, gmp.Grunning, gmp.Gdead)
			check.BeginAnew(g1)
		})
		m0.P.Set(nil)
		pp.M.Set(nil)
		m2 := gmp.NewM(2)
		check.Holding(m2, pp)
		m2.Curg.Set(g2)
		g2.M.Set(m2)
		s.Casgstatus(g2, gmp.Grunnable, gmp.Grunning)
		pp.Schedtick.Set(2)
	})
	m.Thread("monitor", func() { s.Retake(mon, 10*ms) })
}

// lineAtOnce is a check: while a line is printed M0 stops the world and takes one of two Ps away; or
// it runs a G from the ring of P0.
func lineAtOnce(t *check.T) {
	t.Explore(explore.Options{}, func(m *explore.Model) {
		var out strings.Builder
		s, err := gmp.New(t.Version(), nil, gmp.Options{Machine: machine.Options{MemBytes: machine.MinMemBytes, Stderr: &out}})
		if err != nil {
			panic(err)
		}
		crew(m, s, 2)
		rings := m.Choose(2) == 1
		m.Thread("monitor", func() { s.Schedtrace(false) })
		m.Thread("M0", func() {
			if rings {
				pp := s.Allp.Get()[0]
				pp.Runqtail.Store(1)
				pp.Runqhead.Store(1)
				pp.Schedtick.Set(1)
				return
			}
			s.Lock.Lock()
			s.Allp.Set(s.Allp.Get()[:1])
			s.Gomaxprocs.Set(1)
			s.Npidle.Store(1)
			s.Needspinning.Store(true)
			s.Nmidle.Set(1)
			s.Lock.Unlock()
		})
		m.Check(func() {
			const before, after = "gomaxprocs=2 idleprocs=2 threads=0 spinningthreads=0 needspinning=0 idlethreads=0 runqueue=0 [ 0 0 ] schedticks=[ 0 0 ]",
				"gomaxprocs=1 idleprocs=1 threads=0 spinningthreads=0 needspinning=1 idlethreads=1 runqueue=0 [ 0 ] schedticks=[ 0 ]"
			if line := out.String(); rings {
				if !strings.Contains(line, "[ 0 0 ] schedticks") && !strings.Contains(line, "[ 1 0 ] schedticks") {
					m.Errorf("M0 has put a G on the ring of P0, and taken it off again; the ring seems to have had another length: %s", line)
				}
			} else if !strings.Contains(line, before) && !strings.Contains(line, after) {
				m.Errorf("there were two Ps, and then one, all of them idle; the line says something that never was: %s", line)
			}
		})
	})
}

// anMPolls: M0 begins to wait for the network while the monitor finds that no M has looked
// for a long time.
func anMPolls(m *explore.Model, s *gmp.Sched) {
	mon := crew(m, s, 1)
	s.NetPoller = &network{NetPoller: gmp.None.NetPoller(s), s: s}
	s.Lastpoll.Store(1)
	m.Thread("M0", func() {
		s.Lastpoll.Swap(0)
		m.Logf("waits for the network")
	})
	m.Thread("monitor", func() { s.SysmonPoll(mon, 20*ms) })
	m.Check(func() {
		if last := s.Lastpoll.Load(); last != 0 {
			m.Errorf("M0 waits for the network, and s.Lastpoll is not 0: an M that sets a timer will think that no M waits, and not wake M0, which sleeps past it")
		}
	})
}

// A network has some Gs that are ready.
type network struct {
	gmp.NetPoller
	s     *gmp.Sched
	ready gmp.GList
}

func (p *network) Netpoll(mp *gmp.M, delay int64) gmp.GList {
	list := p.ready
	p.ready = gmp.GList{}
	return list
}

// Injectglist puts all Gs on the global queue, and takes an idle P; then it starts an M for
// it.
func (p *network) Injectglist(mp *gmp.M, list gmp.GList) {
	s := p.s
	s.Lock.Lock()
	for gp := list.Pop(); gp != nil; gp = list.Pop() {
		s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
		s.Globrunqput(gp)
	}
	pp, _ := s.Pidleget(1)
	s.Lock.Unlock()
	if pp != nil {
		s.Startm(mp, pp, false, false)
	}
}

// lastMSleeps: the network has made G1 ready, and the monitor brings it. M0, the only M, is back
// from a system call with G2 meanwhile, and sleeps if there is no P.
func lastMSleeps(m *explore.Model, s *gmp.Sched) {
	mon := crew(m, s, 1)
	newG := func(goid int64, st uint32) *gmp.G {
		gp := gmp.NewG(goid)
		gp.Atomicstatus.Store(st)
		s.Allgadd(gp)
		return gp
	}
	g1, g2 := newG(1, gmp.Gwaiting), newG(2, gmp.Grunnable)
	net := &network{NetPoller: gmp.None.NetPoller(s), s: s}
	net.ready.Push(g1)
	s.NetPoller = net
	s.Lastpoll.Store(1)
	s.Mnext.Set(1)
	pp := s.Allp.Get()[0]
	s.Pidle.Set(pp)
	s.Procs = &onlyHands{s.Procs, s}
	runs := func(mp *gmp.M) { // all that there are, and then it ends with its P
		s.Lock.Lock()
		for gp := s.Globrunqget(); gp != nil; gp = s.Globrunqget() {
			m.Logf("runs %s", check.Name(gp))
		}
		s.Lock.Unlock()
	}
	s.Threads = &newThreads{s.Threads, runs}
	m.Daemon("M0", func() {
		mp := gmp.NewM(0)
		s.Lock.Lock()
		pp, _ := s.Pidleget(1)
		s.Globrunqput(g2)
		s.Lock.Unlock()
		if pp == nil {
			s.Stopm(mp)
		}
		runs(mp)
	})
	m.Thread("monitor", func() { s.SysmonPoll(mon, 20*ms) })
}

// onlyHands is chapter 6, as far as it matters here who has the P.
type onlyHands struct {
	gmp.Procs
	s *gmp.Sched
}

func (p *onlyHands) Acquirep(mp *gmp.M, pp *gmp.P) {}

func (p *onlyHands) Pidleget(now int64) (*gmp.P, int64) {
	pp := p.s.Pidle.Get()
	if pp != nil {
		p.s.Pidle.Set(nil)
		p.s.Npidle.Add(-1)
	}
	return pp, now
}

// newThreads starts new Ms as threads of the model.
type newThreads struct {
	gmp.Threads
	begins func(mp *gmp.M)
}

func (t *newThreads) Newm(mp *gmp.M, fn func(mp *gmp.M), pp *gmp.P, id int64) {
	newm := gmp.NewM(id)
	machine.Newosproc(fmt.Sprintf("M%d", id), func() { t.begins(newm) })
}
