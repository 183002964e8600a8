package ch12

import (
	"bytes"
	"errors"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

// A world is a scheduler on which nothing runs: a check calls the monitor, and the world
// notes what it asks of others, and answers as the check has written down.
type world struct {
	t       *check.T
	s       *gmp.Sched
	mon     *gmp.M      // the monitor's
	monitor gmp.Monitor // under test
	stderr  bytes.Buffer
	prints  func() // is called before something is printed; nil for nothing

	*check.Tape
	sleep    func() (woken bool)                       // SysmonSleep, when Sysmon calls it; nil for the one under test
	poll     func(now int64)                           // SysmonPoll, likewise
	retake   func(now int64) uint32                    // Retake, likewise
	retook   bool                                      // Retake was called
	traced   func(detailed bool)                       // Schedtrace, likewise
	takeCall func(pp *gmp.P, now int64, due bool) bool // RetakeSyscall
	network  gmp.GList                                 // what Netpoll finds
	soFar    func() string                             // reports what is wrong when clocked does not end, else what is missing
	happens  map[string]func()                         // what happens when a method is called, before it does anything
}

const ms = 1_000_000 // in ns

// newWorld makes a world with so many Ps, all of them idle and on no list.
func newWorld(t *check.T, procs int32) *world {
	return newWorldOf(t, procs, t.Version(), gmp.Options{})
}

// newWorldOf is newWorld for a version, and options.
func newWorldOf(t *check.T, procs int32, v gmp.Version, opt gmp.Options) *world {
	w := &world{t: t, mon: &gmp.M{ID: trace.None}, happens: map[string]func(){}}
	opt.Machine = machine.Options{MemBytes: machine.MinMemBytes, Stderr: printer{w}}
	s, err := gmp.New(v, nil, opt)
	if err != nil {
		panic(err)
	}
	w.s = s
	for id := range procs {
		s.Allp.Set(append(s.Allp.Get(), gmp.NewP(id, 4)))
	}
	s.Gomaxprocs.Set(procs)
	s.Mnext.Set(1)
	s.Maxmcount.Set(10_000)
	w.monitor = s.Monitor
	sc := &scripted{s.Monitor, s.Syscalls, s.LockedThreads, s.NetPoller, s.GCWork, s.Signals, w}
	s.Monitor, s.Syscalls, s.LockedThreads, s.NetPoller, s.GCWork, s.Signals = sc, sc, sc, sc, sc, sc
	w.Tape = check.NewTape(s)
	w.Before = func(c *check.Call) bool {
		if happens := w.happens[c.Method]; happens != nil {
			happens()
		}
		return true
	}
	return w
}

// A printer is the standard error of a world.
type printer struct{ w *world }

func (p printer) Write(text []byte) (int, error) {
	if p.w.prints != nil {
		p.w.prints()
	}
	return p.w.stderr.Write(text)
}

// p returns the P number id.
func (w *world) p(id int) *gmp.P { return w.s.Allp.Get()[id] }

// runs lets P number id run a new G, on an M of its own, in its time slice number tick.
func (w *world) runs(id int, tick uint32) *gmp.G {
	gp, mp, pp := check.NewG(w.s, gmp.Grunnable), &gmp.M{ID: int64(id)}, w.p(id)
	check.Holding(mp, pp)
	check.Running(mp, gp)
	gp.Sched.Guard.Store(guard)
	pp.Schedtick.Set(tick)
	return gp
}

// calls lets P number id be one whose M is in a system call.
func (w *world) calls(id int, tick uint32) *gmp.P {
	gp, pp := w.runs(id, tick), w.p(id)
	mp := gp.M.Get()
	gp.Atomicstatus.Store(gmp.Gsyscall)
	mp.P.Set(nil)
	pp.M.Set(nil)
	pp.Status.Store(gmp.Psyscall)
	return pp
}

// guard is that of a G that was not asked to stop.
const guard = 4096

// asked reports whether gp was asked to stop, in both ways.
func asked(gp *gmp.G) (preempt, poisoned bool) {
	return gp.Preempt.Get(), gp.Sched.Guard.Load() == machine.StackPreempt
}

// pOf is the P that a call is about.
func pOf(c check.Call) *gmp.P { return check.Arg[*gmp.P](c.Call) }

// scripted has what the check has written down.
type scripted struct {
	gmp.Monitor
	gmp.Syscalls
	gmp.LockedThreads
	gmp.NetPoller
	gmp.GCWork
	gmp.Signals
	w *world
}

func (p *scripted) SysmonSleep(mp *gmp.M) bool {
	if p.w.sleep != nil {
		return p.w.sleep()
	}
	return p.Monitor.SysmonSleep(mp)
}

func (p *scripted) SysmonPoll(mp *gmp.M, now int64) {
	if p.w.poll != nil {
		p.w.poll(now)
		return
	}
	p.Monitor.SysmonPoll(mp, now)
}

func (p *scripted) Retake(mp *gmp.M, now int64) uint32 {
	if p.w.s.Exited() {
		p.w.t.Fatalf("the program is over (s.Exited() is true), and Sysmon calls Retake once more")
	}
	p.w.retook = true
	if p.w.retake != nil {
		return p.w.retake(now)
	}
	return p.Monitor.Retake(mp, now)
}

func (p *scripted) Schedtrace(detailed bool) {
	if p.w.traced != nil {
		p.w.traced(detailed)
		return
	}
	p.Monitor.Schedtrace(detailed)
}

func (p *scripted) RetakeSyscall(mp *gmp.M, pp *gmp.P, now int64, due bool) bool {
	return p.w.takeCall != nil && p.w.takeCall(pp, now, due)
}

func (p *scripted) Incidlelocked(v int32) {
	s := p.w.s
	s.Lock.Lock()
	s.Nmidlelocked.Set(s.Nmidlelocked.Get() + v)
	s.Lock.Unlock()
}

func (p *scripted) Netpoll(mp *gmp.M, delay int64) gmp.GList {
	list := p.w.network
	p.w.network = gmp.GList{}
	return list
}

func (p *scripted) Injectglist(mp *gmp.M, list gmp.GList) {}

func (p *scripted) ScavengerWake(mp *gmp.M)      {}
func (p *scripted) ForceGC(mp *gmp.M, now int64) {}

func (p *scripted) PreemptM(mp, target *gmp.M) {}

// nextToNothing is what everything costs on the computer of clocked: a thousandth of what it
// costs elsewhere.
func nextToNothing() sim.Costs {
	costs := sim.BareMetal()
	for _, setting := range sim.Settings() {
		cheaper, err := costs.Scaled(setting, 0.001)
		if err != nil {
			panic(err)
		}
		costs = cheaper
	}
	return costs
}

// The computer of clocked has run for a while when the program of the world begins, and the
// program for another while when the check does. So the program's clock, s.Nanotime, is at
// morning, and the machine's ahead of it.
const (
	ahead   = 5_000 * ms
	morning = 30 * ms
)

// clocked calls fn on a simulated computer, on which only sleeping takes time. The program's
// clock is at morning.
func (w *world) clocked(fn func()) {
	w.t.Helper()
	const most = 4_000_000 // long needs a third of it
	_, err := check.OnComputer(sim.Options{CPUs: 4, Costs: nextToNothing(), Most: most}, func() {
		machine.Usleep(ahead / 1000)
		w.s.Begin()
		machine.Usleep(morning / 1000)
		fn()
	})
	if deadlock, ok := errors.AsType[*sim.Deadlock](err); ok {
		situation := ""
		if w.soFar != nil {
			situation = w.soFar()
		}
		w.t.Fatalf("%sall threads sleep, and none is left to wake them: %v", situation, deadlock)
	}
	if check.ForEver(err) && w.soFar != nil {
		w.t.Fatalf("%s%v", w.soFar(), err)
	}
	if err != nil {
		w.t.Fatalf("%v", err)
	}
}

// rounds lets the monitor live as clocked does, until its Retake ends the program. If it never
// comes to Retake, the check fails.
func (w *world) rounds() {
	w.t.Helper()
	const enough = 10_000 * ms
	w.clocked(func() {
		w.after(enough, func() {
			if !w.retook {
				w.t.Fatalf("Sysmon has gone on for %v, and has not called Retake; each round calls it once", us(enough))
			}
		})
		w.monitor.Sysmon(w.mon)
	})
}

// ofMachine says of a time that is wrong by so many ns that it is of the wrong clock, if it is.
func ofMachine(off int64) string {
	if off < ahead || off >= ahead+ms {
		return ""
	}
	return " (that is the time of machine.Nanotime; the clock of the program is s.Nanotime)"
}

// after calls fn on a thread of its own when so many ns have passed. It is for clocked.
func (w *world) after(ns int64, fn func()) {
	machine.Newosproc("M0", func() {
		machine.Usleep(uint32(ns / 1000))
		fn()
	})
}
