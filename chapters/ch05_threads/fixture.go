package ch05

import (
	"errors"
	"slices"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/sim"
)

// A world is a scheduler on which nothing runs: a check calls the parts, in the name
// of M0, and the world notes what they ask of each other. No thread is started, and
// none sleeps, unless a check wants it.
type world struct {
	t  *check.T
	s  *gmp.Sched
	m0 *gmp.M

	calls   []call
	started []start                 // by Newm
	parked  func(mp *gmp.M)         // what happens while mp sleeps; nil if it must not
	quiet   bool                    // nothing is noted
	dead    func()                  // what Checkdead does; nil for nothing
	made    map[machine.Addr]*gmp.G // by Newproc1
}

// A call is one call of a method.
type call struct {
	method string
	gp     *gmp.G
	locked bool // s.Lock was held
	queue  int32
	nmidle int32
	mcpu   int32
	status uint32 // of gp
	free   bool   // gp and its M had let go of each other
	flag   bool   // Execute's inheritTime
}

// A start is one call of Newm.
type start struct {
	fn func(mp *gmp.M)
	pp *gmp.P
	id int64
}

// newWorld makes a world in which M0 runs and up to procs may.
func newWorld(t *check.T, procs int32) *world {
	w := &world{t: t, made: map[machine.Addr]*gmp.G{}}
	w.s, w.m0 = t.Sched()
	s := w.s
	s.Mnext, s.Maxmcount = 1, 10_000
	s.Mcpu, s.Mcpumax = 1, procs
	s.GlobalQueue = &tapedQueue{s.GlobalQueue, w}
	s.Loop = &tapedLoop{s.Loop, w}
	s.Threads = &tapedThreads{s.Threads, w}
	s.Matching = &tapedMatching{s.Matching, w}
	s.Deadlock = &tapedDeadlock{s.Deadlock, w}
	s.Goroutines = &maker{s.Goroutines, w}
	return w
}

func (w *world) add(method string, gp *gmp.G) *call {
	if w.quiet {
		return new(call)
	}
	s := w.s
	c := call{method: method, gp: gp, locked: check.Held(&s.Lock), queue: s.Runq.Size, nmidle: s.Nmidle, mcpu: s.Mcpu}
	if gp != nil {
		c.status = gp.Atomicstatus.Load()
		c.free = gp.M == nil && w.m0.Curg != gp
	}
	w.calls = append(w.calls, c)
	return &w.calls[len(w.calls)-1]
}

// of returns the calls of some methods, in order.
func (w *world) of(methods ...string) []call {
	var found []call
	for _, c := range w.calls {
		if slices.Contains(methods, c.method) {
			found = append(found, c)
		}
	}
	return found
}

type tapedQueue struct {
	gmp.GlobalQueue
	w *world
}

func (q *tapedQueue) Globrunqput(gp *gmp.G) {
	q.w.add("Globrunqput", gp)
	q.GlobalQueue.Globrunqput(gp)
}

func (q *tapedQueue) Globrunqget() *gmp.G {
	q.w.add("Globrunqget", nil)
	return q.GlobalQueue.Globrunqget()
}

type tapedLoop struct {
	gmp.Loop
	w *world
}

// Schedule called by another part is noted only.
func (l *tapedLoop) Schedule(mp *gmp.M) { l.w.add("Schedule", nil) }

func (l *tapedLoop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	l.w.add("Execute", gp).flag = inheritTime
	l.Loop.Execute(mp, gp, inheritTime)
}

// schedule is a call of the Schedule under test.
func (w *world) schedule(mp *gmp.M) { w.s.Loop.(*tapedLoop).Loop.Schedule(mp) }

type tapedThreads struct {
	gmp.Threads
	w *world
}

func (p *tapedThreads) Mput(mp *gmp.M) {
	p.w.add("Mput", nil)
	p.Threads.Mput(mp)
}

func (p *tapedThreads) Mget() *gmp.M {
	p.w.add("Mget", nil)
	return p.Threads.Mget()
}

func (p *tapedThreads) MReserveID() int64 {
	p.w.add("MReserveID", nil)
	return p.Threads.MReserveID()
}

func (p *tapedThreads) Checkmcount() {
	p.w.add("Checkmcount", nil)
	p.Threads.Checkmcount()
}

func (p *tapedThreads) Newm(mp *gmp.M, fn func(mp *gmp.M), pp *gmp.P, id int64) {
	p.w.add("Newm", nil)
	p.w.started = append(p.w.started, start{fn, pp, id})
}

func (p *tapedThreads) MPark(mp *gmp.M) {
	p.w.add("MPark", nil)
	if p.w.parked == nil {
		p.w.t.Fatalf("M%d goes to sleep (MPark), although there is a G that it may run", mp.ID)
	}
	p.w.parked(mp)
}

type tapedMatching struct {
	gmp.Matching
	w *world
}

func (p *tapedMatching) Matchmg(mp *gmp.M) {
	p.w.add("Matchmg", nil)
	p.Matching.Matchmg(mp)
}

type tapedDeadlock struct {
	gmp.Deadlock
	w *world
}

func (p *tapedDeadlock) Checkdead() {
	p.w.add("Checkdead", nil)
	if p.w.dead != nil {
		p.w.dead()
	}
}

// A maker stands in for chapter 1: its Gs run nothing.
type maker struct {
	gmp.Goroutines
	w *world
}

func (m *maker) Newproc1(mp *gmp.M, fn machine.Addr, callergp *gmp.G, callerpc machine.PC) *gmp.G {
	m.w.add("Newproc1", callergp)
	gp := m.w.newG(gmp.Grunnable)
	m.w.made[fn] = gp
	return gp
}

// newG makes a G in state st. It is in the list of all Gs, on no queue, and has no
// stack.
func (w *world) newG(st uint32) *gmp.G {
	gp := w.s.Malg(0)
	gp.Goid = w.s.Goidgen.Add(1)
	gp.Atomicstatus.Store(st)
	w.s.Allgadd(gp)
	return gp
}

// queued makes n Gs and puts them on the global queue. The tape begins behind that.
func (w *world) queued(n int) []*gmp.G {
	gs := make([]*gmp.G, n)
	w.s.Lock.Lock()
	for i := range gs {
		gs[i] = w.newG(gmp.Grunnable)
		w.s.Globrunqput(gs[i])
	}
	w.s.Lock.Unlock()
	w.calls = nil
	return gs
}

// run makes gp the current G of mp by hand.
func run(mp *gmp.M, gp *gmp.G) {
	gp.Atomicstatus.Store(gmp.Grunning)
	gp.M, mp.Curg = mp, gp
}

// idle makes n Ms, from M1, which are on the list of idle Ms. The one made last is
// its first.
func (w *world) idle(n int) []*gmp.M {
	ms := make([]*gmp.M, n)
	for i := range ms {
		ms[i] = w.s.NewM(w.s.Mnext)
		w.s.Mnext++
		ms[i].Schedlink, w.s.Midle = w.s.Midle, ms[i]
		w.s.Nmidle++
	}
	return ms
}

// locked calls fn with s.Lock, which it must neither give back nor take.
func (w *world) locked(what string, fn func()) {
	w.t.Helper()
	w.s.Lock.Lock()
	fn()
	if !check.Held(&w.s.Lock) {
		w.t.Fatalf("%s gave back s.Lock, which its caller holds and still needs", what)
	}
	w.s.Lock.Unlock()
}

// drain takes all Gs off the global queue, at most a hundred.
func (w *world) drain() []*gmp.G {
	var gs []*gmp.G
	w.s.Lock.Lock()
	for gp := w.s.Globrunqget(); gp != nil && len(gs) < 100; gp = w.s.Globrunqget() {
		gs = append(gs, gp)
	}
	w.s.Lock.Unlock()
	return gs
}

// wantUnlocked checks that s.Lock is free.
func (w *world) wantUnlocked(after string) {
	w.t.Helper()
	if check.Held(&w.s.Lock) {
		w.t.Fatalf("%s returned with s.Lock held; it must give it back", after)
	}
}

// wantLocked checks that a method was called, and each time with s.Lock.
func (w *world) wantLocked(who, method string) {
	w.t.Helper()
	for _, c := range w.of(method) {
		if !c.locked {
			w.t.Fatalf("%s called %s without s.Lock", who, method)
		}
	}
}

// woken reports whether mp's note is signalled, and uses that up.
func woken(mp *gmp.M) bool {
	if !mp.Park.SleepTimeout(0) {
		return false
	}
	mp.Park.Clear()
	return true
}

// acquisitions calls fn on a simulated CPU and returns how often it took s.Lock.
func (w *world) acquisitions(fn func()) int64 {
	w.quiet = true
	defer func() { w.quiet = false }()
	report, err := simulate(1, fn)
	if err != nil {
		w.t.Fatalf("%v", err)
	}
	for _, l := range report.Locks {
		if l.Name == "sched.lock" {
			return l.Acquisitions
		}
	}
	return 0
}

// simulate runs fn on simulated CPUs. A method that is not written yet is not an
// error of the simulation.
func simulate(cpus int, fn func()) (sim.Report, error) {
	report, err := sim.Run(sim.Options{CPUs: cpus}, fn)
	var p *sim.Panic
	if errors.As(err, &p) {
		if todo, ok := p.Value.(gmp.Todo); ok {
			panic(todo)
		}
	}
	return report, err
}
