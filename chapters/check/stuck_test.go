package check

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// mStack is the listing of an M's goroutine: in a state, at a line of a part, on top of
// which stands top.
func mStack(id, state, top, line, creator string) string {
	g := "goroutine " + id + " [" + state + "]:\n" + top + "()\n\t/go/course/chapters/machine/a.go:1 +0x1\n"
	if line != "" {
		g += "gosched/exercises/ch05_threads.(*matching).Matchmg(0x1)\n\t/go/course/exercises/ch05_threads/matching.go:" + line + " +0x1\n"
	}
	return g + "created by gosched/chapters/machine.Newosproc in goroutine " + creator + "\n\t/go/course/chapters/machine/thread.go:15 +0x1"
}

func TestStand(t *testing.T) {
	const note, lock, pause = "gosched/chapters/machine.(*Note).SleepTimeout", "gosched/chapters/machine.(*Mutex).Lock", "gosched/chapters/machine.Osyield"
	sleeps := mStack("7", "syscall", note, "10", "5")
	for _, tt := range []struct {
		ms   []string
		want string
	}{
		{[]string{sleeps, mStack("8", "syscall", note, "11", "7"), mStack("9", "syscall", note, "10", "7")},
			"the program had not ended, and all its Ms slept, at exercises/ch05_threads/matching.go:10 in ch05_threads.(*matching).Matchmg, at exercises/ch05_threads/matching.go:11 in ch05_threads.(*matching).Matchmg"},
		{[]string{sleeps, mStack("8", "runnable", "main.f", "12", "7")}, "it was in a loop at exercises/ch05_threads/matching.go:12 in ch05_threads.(*matching).Matchmg"},
		{[]string{sleeps, mStack("8", "syscall", pause, "12", "7")}, "it was in a loop at exercises/ch05_threads/matching.go:12 in ch05_threads.(*matching).Matchmg"},
		{[]string{sleeps, mStack("8", "syscall", lock, "13", "7")}, "it waited for a lock at exercises/ch05_threads/matching.go:13 in ch05_threads.(*matching).Matchmg, and the lock is never released: was it taken twice, or not released earlier, or does the caller hold it?"},
		{[]string{mStack("8", "running", "gosched/chapters/machine.Run", "", "7")}, "no part was running then"},
	} {
		assert.Equal(t, tt.want, stand(tt.ms))
	}
}

// The threads of another run, or of another check, have nothing to do with it.
func TestStartedBy(t *testing.T) {
	check := "goroutine 5 [syscall]:\ngosched/chapters/gmp.(*Sched).Main(0x1)\n\t/go/course/chapters/gmp/life.go:100 +0x1"
	m0, m1 := mStack("7", "syscall", "f", "1", "5"), mStack("55", "syscall", "f", "1", "7")
	other, its := mStack("50", "syscall", "f", "1", "6"), mStack("77", "syscall", "f", "1", "50")
	found := startedBy(check, []string{other, m1, check, m0, its})
	assert.Equal(t, strings.Join([]string{m0, m1}, "\n\n"), strings.Join(found, "\n\n"))
}

// The threads of a simulation are goroutines of their own: the one that runs is the one that is
// stuck, not the check, which waits for it.
func TestSimThread(t *testing.T) {
	live := "gosched/chapters/machine/sim.(*simulation).live(0x1)\n\t/go/course/chapters/machine/sim/threads.go:92 +0x1"
	waits, runs := mStack("7", "coroutine", "f", "10", "5")+"\n"+live, mStack("8", "running", "f", "11", "5")+"\n"+live
	check := "goroutine 5 [select]:\ngosched/chapters/machine/sim.Run(0x1)\n\t/go/course/chapters/machine/sim/sim.go:70 +0x1"
	found, ok := simThread([]string{check, waits, runs})
	assert.True(t, ok)
	assert.Equal(t, runs, found)
	assert.Equal(t, "it was in a loop at exercises/ch05_threads/matching.go:11 in ch05_threads.(*matching).Matchmg", standsAt(found))
	_, ok = simThread([]string{check, mStack("9", "running", "f", "11", "5")})
	assert.False(t, ok)
}
