package check

import (
	"fmt"
	"io/fs"
	"math"
	"strings"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
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

// Want checks one value, which what names: "what is got; want want". What is a rule and no
// value is for Must.
func Want[V comparable](t *T, what string, got, want V) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %s; want %s", what, Value(got), Value(want))
	}
}

// Must checks a rule: a whole sentence with the verb must, which is the message if it is broken.
func Must(t *T, kept bool, rule string) {
	t.Helper()
	if !kept {
		t.Errorf("%s", rule)
	}
}

// MustIf is the verb of a rule that holds in some cases, and whose opposite holds in the others.
func MustIf(yes bool) string {
	if yes {
		return "must"
	}
	return "must not"
}

// WantTimes checks how often who, a sentence without its end, does something:
// "who 3 times; want once".
func WantTimes(t *T, who string, got, want int) {
	t.Helper()
	if got != want {
		t.Errorf("%s %s; want %s", who, Times(got), Times(want))
	}
}

// Times is how messages count.
func Times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// WantThrow checks what who throws: "who throws got; want want". Both are as Thrown writes them.
func WantThrow(t *T, who, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s throws %s; want %s", who, got, want)
	}
}

// WantOrder checks in which order methods are called. Both orders are as strings.Join(names, ", ")
// makes them; the message tells the first call that is another one.
func WantOrder(t *T, who, got, want string) {
	t.Helper()
	did, must := strings.Split(got, ", "), strings.Split(want, ", ")
	i := 0
	for i < len(did) && i < len(must) && did[i] == must[i] {
		i++
	}
	name := func(list []string, i int) string {
		if i < len(list) && list[i] != "" {
			return list[i]
		}
		return "nothing"
	}
	if a, b := name(did, i), name(must, i); a != b {
		before := "first of all"
		if i > 0 {
			before = "after " + strings.Join(did[max(0, i-3):i], ", ")
		}
		t.Errorf("%s: %s it calls %s; want %s (call %d)", who, before, a, b, i+1)
	}
}

// Value is how messages write a value: a constant that has a name by that.
func Value(v any) string {
	switch v := v.(type) {
	case uint64:
		if v == machine.StackPreempt {
			return "StackPreempt"
		}
	case int64:
		switch v {
		case gmp.MaxWhen:
			return "MaxWhen"
		case math.MinInt64:
			return "the smallest int64"
		}
	}
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
