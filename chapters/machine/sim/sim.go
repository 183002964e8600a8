// Package sim runs the threads of a machine on simulated CPUs, in virtual time:
// up to 256 of them on one real thread.
//
// A simulation is a machine.Hook. All that a thread does to what others share, and
// every instruction of the program, takes time by a model of costs, in which a
// variable has to come to a CPU before it can be used there, and a thread that
// sleeps takes its time to wake. What the plain Go code between two of these does
// takes no time. The same seed gives the same run, to the last picosecond, on
// every computer.
//
// Threads are coroutines. The one that runs decides itself which one goes on after it:
// the one whose clock is furthest behind. Mostly that is itself, and then there is
// nothing to do.
//
//	report, err := sim.Run(sim.Options{CPUs: 64, Seed: 7}, func() {
//		result = s.Main()
//	})
package sim

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"gosched/chapters/machine"
)

// MaxCPUs is the largest number of CPUs.
const MaxCPUs = 256

// Options describe the computer.
type Options struct {
	CPUs  int    // from 1 to MaxCPUs
	Seed  uint64 // of everything that is left to chance
	Costs Costs  // BareMetal(), if it is the zero value

	// Limit, if not 0, ends the simulation at this time with a *LimitError: it
	// would perhaps never end. It is looked at when threads take turns, so the
	// clock may be a little beyond it.
	Limit Time

	// Most, if not 0, ends the simulation with an *Endless when its threads have done so much:
	// turns, sleeps and accesses to what they share. Unlike Limit it does not depend on what anything
	// costs, and unlike Patience not on the real clock.
	Most int64

	// Quantum is by how much a thread may be ahead of the others while it executes
	// the program's instructions, which share nothing with the scheduler; 1 µs
	// if 0. It sees a signal that late at most.
	Quantum Time

	// Patience is how long, on a real clock, a thread may go on without a call of
	// package machine, 10 s if 0. Then it is taken to spin on a variable that the
	// machine does not know, for which no other thread will ever get its turn.
	Patience time.Duration

	// Stop, if not nil, ends the simulation with ErrStopped soon after it is closed.
	Stop <-chan struct{}
}

// ErrStopped is the error of a simulation that Options.Stop has ended.
var ErrStopped = errors.New("the simulation was stopped")

// Run runs main as the first thread, "main", of a simulated computer, and all
// threads that are started from it. When main returns, it ends the others where
// they are, as the end of a process does; only their deferred functions still
// run, up to the first use of something shared.
//
// The error says why the simulation could not begin, or ended before main returned: a
// *Deadlock, a *Panic, a *LimitError, an *Endless, a *Stuck, or ErrStopped. The report is that
// of the time until then.
//
// All machines of the process belong to the simulation meanwhile, and only the
// simulation's threads may use them. There is one at a time.
func Run(opt Options, main func()) (Report, error) {
	s, err := newSimulation(opt)
	if err != nil {
		return Report{}, err
	}
	return s.run(main)
}

// A simulation is the state of the computer. Everything in it belongs to the
// thread that has its turn, except for what says otherwise.
type simulation struct {
	opt   Options
	costs Costs
	slack Time // see Access
	kinds [machine.AccessSet + 1]access
	rand  random

	// The thread that has its turn: its clock, its CPU, and the horizon, the
	// time up to which nothing else happens.
	cur     *thread
	cpu     int
	now     Time
	horizon Time

	cpus    []cpu
	idle    cpuSet    // CPUs without a thread
	queue   []*thread // ready, and waiting for a CPU
	events  events
	flights []flight  // what is on its way in the network, the first to arrive first
	landing *Time     // the time while something arrives, nil otherwise
	threads []*thread // all there have been
	pool    []*coroutine

	lineStore
	mutexes table[*mutex]
	notes   table[*note]
	locks   []*lockStat
	named   map[string]*lockStat

	ended    bool
	err      error
	deadlock *Deadlock // err, if it is one
	endless  *Endless  // the same

	accesses, misses, instructions  int64
	turns, switches, sleeps, awoken int64
	digest                          uint64

	// For the watchdog, which runs beside: whether it has asked for a sign of life, the thread
	// that has its turn, and whether Run has given up and returned.
	asked     atomic.Bool
	running   atomic.Pointer[thread]
	stopped   atomic.Bool // by Options.Stop
	abandoned atomic.Bool
}

func newSimulation(opt Options) (*simulation, error) {
	if opt.CPUs < 1 || opt.CPUs > MaxCPUs {
		return nil, fmt.Errorf("sim: the number of CPUs is %d; it must be 1 to %d", opt.CPUs, MaxCPUs)
	}
	if opt.Costs == (Costs{}) {
		opt.Costs = BareMetal()
	}
	if err := opt.Costs.check(); err != nil {
		return nil, fmt.Errorf("sim: %w", err)
	}
	if opt.Quantum == 0 {
		opt.Quantum = Microsecond
	}
	if opt.Patience == 0 {
		opt.Patience = 10 * time.Second
	}
	if opt.Limit < 0 || opt.Most < 0 || opt.Quantum < 0 || opt.Patience < 0 {
		return nil, errors.New("sim: a limit, a quantum or a patience cannot be negative")
	}
	return &simulation{
		opt: opt, costs: opt.Costs, slack: opt.Costs.Miss, kinds: accessKinds(&opt.Costs),
		rand: random(opt.Seed),
		cpus: make([]cpu, opt.CPUs), idle: allCPUs(opt.CPUs),
		named: map[string]*lockStat{},
	}, nil
}

// run runs main, on a goroutine of its own: a thread that does not come back then
// does not keep the caller, and one that ends its goroutine does not end it.
func (s *simulation) run(main func()) (Report, error) {
	remove, err := s.hook()
	if err != nil {
		return Report{}, err
	}
	s.start("main", main, 0)
	s.pick()
	s.running.Store(s.cur)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer remove()
		defer s.endThreads()
		s.takeTurns()
	}()
	if stuck := s.watch(done); stuck != nil {
		return Report{}, stuck
	}
	return s.report(), s.err
}

// hook puts s between the machine and its threads.
func (s *simulation) hook() (remove func(), err error) {
	defer func() {
		if v := recover(); v != nil {
			fatal, ok := v.(machine.Fatal)
			if !ok {
				panic(v)
			}
			err = fmt.Errorf("sim: %s", fatal.Msg)
		}
	}()
	return machine.SetHook(s), nil
}

// end ends the simulation at the next turn. Only the first call counts.
func (s *simulation) end(err error) {
	if s.ended {
		return
	}
	s.ended, s.err = true, err
	s.horizon = math.MinInt64 / 2 // no thread may go on
}

// random is a generator of numbers, splitmix64: the same in all releases of Go.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 to n-1.
func (r *random) below(n int64) int64 { return int64(r.next() % uint64(n)) }
