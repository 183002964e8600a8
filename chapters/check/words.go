package check

import (
	"fmt"
	"io/fs"
	"strings"

	"gosched/chapters/gmp"
)

// This file is what the suites say: how their messages call things.

// Name is how messages call a G, or what stands for one in a half of a PollDesc.
func Name(gp *gmp.G) string {
	switch gp {
	case nil:
		return "nil"
	case gmp.PdReady:
		return "PdReady"
	case gmp.PdWait:
		return "PdWait"
	}
	return fmt.Sprintf("G%d", gp.Goid.Peek())
}

// MName is how messages call an M.
func MName(mp *gmp.M) string {
	if mp == nil {
		return "nil"
	}
	return fmt.Sprintf("M%d", mp.ID)
}

// PName is how messages call a P.
func PName(pp *gmp.P) string {
	if pp == nil {
		return "nil"
	}
	return fmt.Sprintf("P%d", pp.ID)
}

// PState is the name of the state of pp.
func PState(pp *gmp.P) string {
	names := map[uint32]string{
		gmp.Pidle: "idle", gmp.Prunning: "running", gmp.Psyscall: "syscall", gmp.Pgcstop: "gcstop", gmp.Pdead: "dead",
	}
	return names[pp.Status.Load()]
}

// Names lists Gs: "G1, G2", or "nothing". Runs of neighbours are folded: "G3 to G9".
func Names(gs []*gmp.G) string {
	if len(gs) == 0 {
		return "nothing"
	}
	var list []string
	for i := 0; i < len(gs); {
		j := i + 1
		for j < len(gs) && gs[i] != nil && gs[j] != nil && gs[j].Goid.Peek() == gs[i].Goid.Peek()+int64(j-i) {
			j++
		}
		if j-i > 3 {
			list = append(list, Name(gs[i])+" to "+Name(gs[j-1]))
			i = j
			continue
		}
		list = append(list, Name(gs[i]))
		i++
	}
	return strings.Join(list, ", ")
}

// State is the name of the state of gp.
func State(gp *gmp.G) string { return gmp.StatusName(gp.Atomicstatus.Load()) }

// Thrown is how messages call what a part threw, if anything.
func Thrown(msg string) string {
	if msg == "" {
		return "nothing"
	}
	return fmt.Sprintf("%q", msg)
}

// Held reports whether somebody holds mu.
func Held(mu Lock) bool {
	if mu.TryLock() {
		mu.Unlock()
		return false
	}
	return true
}

// Locked calls fn with s.Lock, which it must neither give back nor take. what is what fn
// calls.
func Locked(t *T, s *gmp.Sched, what string, fn func()) {
	t.Helper()
	s.Lock.Lock()
	fn()
	if !Held(&s.Lock) {
		t.Fatalf("%s released s.Lock, which its caller holds and still needs", what)
	}
	s.Lock.Unlock()
}

// Want checks one value: "what is got; want want".
func Want[V comparable](t *T, what string, got, want V) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %s; want %s", what, shown(got), shown(want))
	}
}

func shown(v any) string {
	if text := fmt.Sprint(v); text != "" {
		return text
	}
	return "empty"
}

// WantUnlocked checks that s.Lock is free after a call of a method; the check ends if it
// is not.
func WantUnlocked(t *T, s *gmp.Sched, after string) {
	t.Helper()
	if Held(&s.Lock) {
		t.Fatalf("%s returned with s.Lock held; it must release it", after)
	}
}

// Prints checks what a program printed, and that it came to its end. A check whose program
// prints something else ends.
func (t *T) Prints(what string, run Run, lines ...string) {
	t.Helper()
	want := strings.Join(lines, "\n") + "\n"
	if run.Stdout != want || run.Fatal != "" {
		end := ""
		if run.Fatal != "" {
			end = ", and ends with " + run.Fatal
		}
		t.Fatalf("%s prints %q%s; want %q", what, run.Stdout, end, want)
	}
}

// Programs returns the Go programs of a suite, which it embeds from its folder programs.
func Programs(embedded fs.FS) fs.FS {
	dir, err := fs.Sub(embedded, "programs")
	if err != nil {
		panic(err) // the path is a constant
	}
	return dir
}
