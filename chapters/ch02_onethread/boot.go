package ch02

import (
	"fmt"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// mainfn stands for the closure of the main goroutine. Nobody calls it.
const mainfn machine.Addr = 0x4000

// bootOrder checks what Schedinit leaves behind, and the order of the first calls
// of all.
func bootOrder(t *check.T) {
	s, mp := t.Sched()
	m := standIn(s)
	// What is here before must be gone afterwards.
	old := newGs(s, 3, gmp.Grunnable)
	s.Runq.Set(gmp.GQueue{Head: old[0], Tail: old[0], Size: 1})
	s.GFree.Stack.Set(gmp.GList{Head: old[1], Size: 1})
	s.GFree.NoStack.Set(gmp.GList{Head: old[2], Size: 1})
	s.GFree.N.Set(2)
	s.Goidgen.Store(7)
	s.Mainfn = mainfn

	tp := check.NewTape(s)
	s.Schedinit(mp)
	check.WantUnlocked(t, s, "Schedinit")
	check.Want(t, "after Schedinit s.Maxmcount", s.Maxmcount.Get(), 10000)
	if s.GFree.Stack.Get().Head != nil || s.GFree.NoStack.Get().Head != nil || s.GFree.N.Get() != 0 {
		t.Errorf("after Schedinit a free list is not empty")
	}
	if len(m.asked) != 1 || len(tp.Of("Newproc")) != 1 {
		t.Fatalf("Schedinit must make one G, the main goroutine, by s.Newproc; it called s.Newproc %d times, and Newproc1 was called %d times", len(tp.Of("Newproc")), len(m.asked))
	}
	if ran := tp.Of("Schedule", "Execute"); len(ran) > 0 {
		t.Fatalf("Schedinit called %v; it makes the main goroutine and leaves it on the queue; the router then calls Schedule", ran[0])
	}
	main := m.asked[0]
	check.Want(t, "the Goid of the main goroutine", main.made.Goid.Get(), 1)
	check.Want(t, "the function of the main goroutine", main.fn, s.Mainfn)
	check.Want(t, "the creator of the main goroutine", check.Name(main.callergp), "nil")

	s.Schedule(mp)
	wantCurrent(t, mp, "Schedinit and Schedule", main.made)
	wantQueued(t, s, "Schedinit and Schedule")
}

// mainExit checks the exit hooks: the last one added first, each one once, and
// all of them before the end.
func mainExit(t *check.T) {
	for _, nested := range []bool{false, true} {
		exitWithHooks(t, nested)
		if t.Failed() {
			return
		}
	}
}

// exitWithHooks runs MainExit with three hooks. nested: the second one calls os.Exit, which
// runs the hooks, too.
func exitWithHooks(t *check.T, nested bool) {
	s, mp := t.Sched()
	g := newGs(s, 2, gmp.Grunnable)
	queue(s, g[1])
	check.Running(mp, g[0])

	var ran []string
	for i := 1; i <= 3; i++ {
		s.Exithooks.Set(append(s.Exithooks.Get(), func() {
			ran = append(ran, fmt.Sprintf("hook %d", i))
			if nested && i == 2 && len(ran) < 4 {
				s.RunExithooks()
			}
			if s.Exited() && !t.Failed() {
				t.Errorf("hook %d ran when the program was already over; want all hooks first, then s.Exit", i)
			}
		}))
	}
	s.MainExit(mp, g[0])
	what := "the order of the exit hooks"
	if nested {
		what += ", when hook 2 calls os.Exit, which runs those still on the list,"
	}
	check.Want(t, what, strings.Join(ran, ", "), "hook 3, hook 2, hook 1")
	if !s.Exited() {
		t.Errorf("MainExit returned, but the program is not over; want s.Exit(mp, 0)")
	}
	check.WantUnlocked(t, s, "MainExit")
	wantQueued(t, s, "MainExit, with G2 queued", g[1])
}
