package ch06

import (
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// A bootTape notes what Schedinit asks for, and in which state s is then.
type bootTape struct {
	gmp.Procs
	gmp.Submission
	t     *check.T
	s     *gmp.Sched
	calls []string
}

func (b *bootTape) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	b.calls = append(b.calls, "Procresize")
	check.Want(b.t, "the number of Ps that Schedinit asks for", nprocs, 3)
	if !check.Held(&b.s.Lock) {
		b.t.Errorf("Schedinit called Procresize without s.Lock")
		b.s.Lock.Lock()
		defer b.s.Lock.Unlock()
	}
	return b.Procs.Procresize(mp, nprocs)
}

func (b *bootTape) Newproc(mp *gmp.M, fn machine.Addr) {
	b.calls = append(b.calls, "Newproc")
	if check.Held(&b.s.Lock) {
		b.t.Fatalf("Schedinit called Newproc with s.Lock held, which Newproc takes itself")
	}
	if mp.P.Get() == nil {
		b.t.Fatalf("when Schedinit calls Newproc, M0 has no P: there is no queue for the main goroutine")
	}
	check.Want(b.t, "the function of the first goroutine", fn, b.s.Mainfn)
}

// schedinit checks the order in which a program is set up.
func schedinit(t *check.T) {
	s, err := gmp.New(t.Version(), nil, gmp.Options{Procs: 3, Machine: machine.Options{MemBytes: 1 << 20}})
	if err != nil {
		panic(err)
	}
	m0 := s.NewM(0)
	tape := &bootTape{Procs: s.Procs, Submission: s.Submission, t: t, s: s}
	s.Procs, s.Submission = tape, tape
	s.Mainfn = 0x4000
	// A scheduler that is not new.
	s.Maxmcount.Set(1)
	s.Goidgen.Store(9)
	s.Runq.PushBack(&gmp.G{Goid: machine.CellOf[int64](8)})
	s.GFree.Stack.Push(&gmp.G{Goid: machine.CellOf[int64](7)})
	s.GFree.NoStack.Push(&gmp.G{Goid: machine.CellOf[int64](6)})
	s.GFree.N.Set(2)
	before := s.Nanotime()
	s.Schedinit(m0)
	check.Want(t, "what Schedinit calls, in order,", strings.Join(tape.calls, ", "), "Procresize, Newproc")
	check.Want(t, "after Schedinit the limit on Ms, s.Maxmcount,", s.Maxmcount.Get(), 10_000)
	check.Want(t, "after Schedinit the last Goid given out", s.Goidgen.Load(), 0)
	if s.Runq.Get().Head != nil || s.GFree.Stack.Get().Head != nil || s.GFree.NoStack.Get().Head != nil || s.GFree.N.Get() != 0 {
		t.Errorf("after Schedinit the global queue or a free list is not empty")
	}
	switch at := s.Lastpoll.Load(); {
	case at == 0:
		t.Errorf("after Schedinit s.Lastpoll is 0, which says that an M waits for the network, so no other M will")
	case at < before || at > s.Nanotime()+1:
		t.Errorf("after Schedinit s.Lastpoll is not the time of the call, in ns on the clock of s.Nanotime")
	}
	if check.Held(&s.Lock) {
		t.Errorf("Schedinit returned with s.Lock held")
	}

	// With one M the time is virtual, and is 0 now.
	v := t.Version()
	v.Threads = nil
	s, err = gmp.New(v, nil, gmp.Options{Machine: machine.Options{MemBytes: 1 << 20}})
	if err != nil {
		panic(err)
	}
	s.Mainfn = 0x4000
	s.Schedinit(s.NewM(0))
	if s.Lastpoll.Load() == 0 {
		t.Errorf("the time is 0, and after Schedinit s.Lastpoll is 0, which says that an M waits for the network")
	}

	s, m0 = t.Sched()
	s.Procs = &workAtBoot{s.Procs}
	msg := t.Throws(func() { s.Schedinit(m0) })
	check.WantThrow(t, "Procresize returns a P with work, although nothing has been made runnable yet; Schedinit", check.Thrown(msg), `"unknown runnable goroutine during bootstrap"`)
}

// A workAtBoot has a P with work where there can be none.
type workAtBoot struct{ gmp.Procs }

func (p *workAtBoot) Procresize(mp *gmp.M, nprocs int32) *gmp.P {
	p.Procs.Procresize(mp, nprocs)
	return newP(7)
}

// mainExit checks the end of a program.
func mainExit(t *check.T) {
	w := holding(t)
	gp := w.newG()
	gp.M.Set(w.m0)
	w.m0.Curg.Set(gp)
	gp.Atomicstatus.Store(gmp.Grunning)
	var ran []string
	for _, name := range []string{"first", "second"} {
		w.s.Exithooks.Set(append(w.s.Exithooks.Get(), func() {
			if w.s.Exited() {
				t.Errorf("an exit hook runs when the program has already ended")
			}
			ran = append(ran, name)
		}))
	}
	w.s.MainExit(w.m0, gp)
	check.Want(t, "two exit hooks were added, first and second; those that ran", strings.Join(ran, ", "), "second, first")
	if !w.s.Exited() {
		t.Errorf("after MainExit the program has not ended; want Sched.Exit(mp, 0)")
	}
	run := t.PlaySource("returns.go", "package main\n\nfunc main() {}\n", nil)
	check.Want(t, "the exit status of a program whose main returns", run.Status, 0)
}
