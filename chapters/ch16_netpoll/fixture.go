package ch16

import (
	"encoding/binary"
	"errors"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/sim"
)

// A world is a scheduler on which nothing runs: a check calls the parts in the name of M0,
// which holds P0 and runs G1. A G that parks, or is made ready, stays as it is; no M is
// started, and none is woken. No timer fires.
type world struct {
	t  *check.T
	s  *gmp.Sched
	m0 *gmp.M
	p0 *gmp.P
	g1 *gmp.G

	*check.Tape
	park  func(gp *gmp.G, lock any) bool // the unlockf of the last Gopark
	lock  any                            // and what it is to be called with
	sees  map[string]func(c *check.Call) // what happens when a method is called, before it does anything
	fails string                         // what a call has been seen to do wrong
}

func newWorld(t *check.T) *world {
	s, err := gmp.New(t.Version(), nil, gmp.Options{Machine: machine.Options{MemBytes: machine.MinMemBytes, Network: machine.OwnNetwork}})
	if err != nil {
		panic(err)
	}
	s.Begin()
	machine.Usleep(1)
	w := &world{t: t, s: s, sees: map[string]func(c *check.Call){}}
	w.m0, w.p0 = &gmp.M{Thread: s.Machine.NewThread()}, gmp.NewP(0, 4)
	check.Holding(w.m0, w.p0)
	s.Allp.Set([]*gmp.P{w.p0})
	s.Gomaxprocs.Set(1)
	w.g1 = check.NewG(s, gmp.Grunning)
	check.Running(w.m0, w.g1)
	w.Tape = check.NewTape(s)
	w.Before = w.before
	return w
}

// ahead is how long, in µs, the computer of clocked has run when fn begins.
const ahead = 5_000_000

// clocked calls fn on a simulated computer. The clocks of the worlds that fn makes, Sched.Nanotime,
// begin then: they are behind the machine's. Whoever waits for a lock that nobody gives back is
// told at once.
func clocked(t *check.T, fn func()) {
	t.Helper()
	_, err := check.OnComputer(sim.Options{CPUs: 1}, func() {
		machine.Usleep(ahead)
		fn()
	})
	if deadlock, ok := errors.AsType[*sim.Deadlock](err); ok {
		t.Fatalf("all threads sleep, and none is left to wake them: %v", deadlock)
	}
	if err != nil {
		t.Fatalf("%v", err)
	}
}

func (w *world) before(c *check.Call) bool {
	if sees := w.sees[c.Method]; sees != nil {
		sees(c)
	}
	switch c.Method {
	case "Gopark":
		w.park, w.lock = check.Arg[func(*gmp.G, any) bool](c.Call), c.Args[3]
		return false
	case "Goready", "Ready", "ModTimer", "StopTimer", "Startm", "Wakep":
		return false
	}
	return true
}

// memory is n bytes of the machine.
func (w *world) memory(n int64) machine.Addr {
	addr, ok := w.m0.Thread.Alloc(n)
	if !ok {
		panic("the machine has no memory left")
	}
	return addr
}

// call makes a system call, which must succeed.
func (w *world) call(num uint64, args ...uint64) uint64 { return call(w.m0.Thread, num, args...) }

func call(th *machine.Thread, num uint64, args ...uint64) uint64 {
	c := machine.Syscall{Num: num}
	copy(c.Args[:], args)
	th.Syscall(&c)
	if c.Err != 0 {
		panic(c.Err)
	}
	return c.Result
}

// sockets returns two sockets that are connected.
func (w *world) sockets() (a, b int) { return sockets(w.s, w.m0.Thread) }

func sockets(s *gmp.Sched, th *machine.Thread) (a, b int) {
	at, ok := th.Alloc(8)
	if !ok {
		panic("the machine has no memory left")
	}
	call(th, machine.SysSocketpair, uint64(at))
	fds := s.Machine.Bytes(at, 8)
	return int(binary.LittleEndian.Uint32(fds)), int(binary.LittleEndian.Uint32(fds[4:]))
}

// write sends a byte.
func (w *world) write(fd int) { w.call(machine.SysWrite, uint64(fd), uint64(w.memory(8)), 1) }

// open lets the poller know fd.
func (w *world) open(fd int) *gmp.PollDesc {
	pd, errno := w.s.PollOpen(w.m0, fd)
	if errno != 0 {
		w.t.Fatalf("PollOpen of a socket fails: %d", errno)
	}
	return pd
}

// waiting makes a G that waits for pd in mode, as after a Netpollblock.
func (w *world) waiting(pd *gmp.PollDesc, mode int) *gmp.G {
	gp := check.NewG(w.s, gmp.Grunning)
	mp := &gmp.M{ID: 7, Thread: w.m0.Thread}
	check.Running(mp, gp)
	w.s.Netpollblock(mp, gp, pd, mode)
	if w.park == nil {
		w.t.Fatalf("Netpollblock of a half that is nil did not park: there was no Gopark")
	}
	gp.Atomicstatus.Store(gmp.Gwaiting)
	mp.Curg.Set(nil)
	gp.M.Set(nil)
	if !w.park(gp, w.lock) {
		w.t.Fatalf("nothing has come, and the unlockf that Netpollblock gives Gopark returns false: %s does not wait", check.Name(gp))
	}
	w.park, w.Calls = nil, nil
	return gp
}

// wantHalf checks what is in a half.
func (w *world) wantHalf(what string, pd *gmp.PollDesc, mode int, want *gmp.G) {
	w.t.Helper()
	name := "Rg"
	if mode == 'w' {
		name = "Wg"
	}
	if got := pd.Half(mode).Load(); got != want {
		w.t.Fatalf("%s; %s is %s; want %s", what, name, check.Name(got), check.Name(want))
	}
}

// listed are the Gs of a list, in order.
func listed(list gmp.GList) (gs []*gmp.G) {
	for gp := list.Pop(); gp != nil; gp = list.Pop() {
		gs = append(gs, gp)
	}
	return gs
}

// readied are the Gs that were given to Goready or Ready.
func (w *world) readied() (gs []*gmp.G) {
	for _, c := range w.Of("Goready") {
		gs = append(gs, c.G)
	}
	for _, c := range w.Of("Ready") {
		gs = append(gs, c.G)
	}
	return gs
}

// mode is how messages say a mode.
func mode(m int) string {
	switch m {
	case 'r':
		return "'r'"
	case 'w':
		return "'w'"
	case 'r' + 'w':
		return "'r'+'w'"
	}
	return "no mode"
}

// unlocked lets a check fail if pd.Lock is held when one of these methods is called.
func (w *world) unlocked(pd *gmp.PollDesc, methods ...string) {
	for _, m := range methods {
		w.sees[m] = func(c *check.Call) {
			if check.Held(&pd.Lock) {
				w.fails = c.Method + " is called with pd.Lock held"
			}
		}
	}
}

// wantUnlocked checks what unlocked has seen, and that pd.Lock is free.
func (w *world) wantUnlocked(what string, pd *gmp.PollDesc) {
	w.t.Helper()
	if w.fails != "" {
		w.t.Fatalf("%s; %s", what, w.fails)
	}
	if check.Held(&pd.Lock) {
		w.t.Fatalf("%s; pd.Lock is held", what)
	}
}

// visible checks that the models see all shared state.
func visible(t *check.T) {
	w := newWorld(t)
	w.s.NetpollBreak()
	t.Visible()
}
