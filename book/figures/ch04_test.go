package figures_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/book/figures"
	ch04 "gosched/chapters/ch04_select"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/trace"
	"gosched/solutions"
)

// This file proves what the page of the chapter says about its figures: each is
// a run of one of the programs.

// course is the run in short: who parks, who is made ready, who yields, ends and
// runs, in order.
func course(run check.Run) []string {
	var course []string
	for _, e := range run.Events(trace.Park, trace.Ready, trace.Yield, trace.Exit, trace.Run) {
		g := "main"
		if e.G > 1 {
			g = "G" + string(rune('0'+e.G))
		}
		switch e.Kind {
		case trace.Park:
			course = append(course, g+" parks: "+e.Text)
		case trace.Ready:
			course = append(course, g+" is ready")
		case trace.Yield:
			course = append(course, g+" yields")
		case trace.Exit:
			course = append(course, g+" ends")
		case trace.Run:
			course = append(course, g+" runs")
		}
	}
	return course
}

// The figure of the losers: while main is ready and has not run, G3 comes to
// another of its cases, and does not get it.
func TestLoserIsPassedOver(t *testing.T) {
	f := play(t, ch04.Suite, "losers.go")
	assert.Empty(t, cmp.Diff([]string{
		"main runs", "main parks: select",
		"G2 runs", "main is ready", "G2 ends",
		"G3 runs", "G3 parks: chan send",
		"main runs", "G3 is ready",
	}, course(f)))
	assert.Equal(t, "first came fish\nfirst came tea\n", f.Stdout)
}

// The figure of the pool: main waits four times for sixteen operations, and serves
// three workers in a row.
func TestPoolServesThoseWhoWereThereFirst(t *testing.T) {
	f := play(t, ch04.Suite, "pool.go")
	selects := 0
	for _, e := range f.Events(trace.Park) {
		if e.G == 1 && e.Text == "select" {
			selects++
		}
	}
	assert.Equal(t, 4, selects)
	c := course(f)
	at := slices.Index(c, "main is ready")
	assert.Equal(t, []string{"main is ready", "G2 parks: chan send", "G3 runs", "G3 parks: chan receive", "G4 runs", "G4 parks: chan receive", "main runs", "G3 is ready", "G4 is ready", "G2 is ready"}, c[at:at+10])
}

// The figure of the philosophers: G4 is woken, and finds the fork taken again by
// the one who has just given it back.
func TestPhilosopherIsWokenInVain(t *testing.T) {
	f := play(t, ch04.Suite, "philosophers.go")
	c := course(f)
	at := slices.Index(c, "G4 is ready")
	assert.Equal(t, []string{"G4 is ready", "G5 yields", "G4 runs", "G4 parks: sync.Mutex.Lock", "G5 runs"}, c[at:at+5])
	assert.True(t, strings.HasPrefix(f.Stdout, "philosopher 3 eats\nphilosopher 3 eats\n"), "G5, which has both forks first, eats twice")
}

// The figure of starvation: G2 is woken in vain until it has waited for a million
// instructions; then main hands over and steps back.
func TestStarvingIsHandedOver(t *testing.T) {
	f := play(t, ch04.Suite, "starving.go")
	var began, handed int64
	inVain := 0
	for i, e := range f.Log.Events {
		switch {
		case e.Kind == trace.Park && began == 0:
			began = e.T
		case e.Kind == trace.Park:
			inVain++
		case e.Kind == trace.Ready:
			next := slices.IndexFunc(f.Log.Events[i:], func(e trace.Event) bool { return e.Kind == trace.Yield })
			if yield := f.Log.Events[i+next]; yield.T == e.T {
				handed = e.T
			}
		}
	}
	assert.Equal(t, 8, inVain, "after the first time")
	require.NotZero(t, handed, "somebody is made ready, and the one who did it yields in the same instruction")
	assert.Greater(t, handed-began, int64(1_000_000))
	assert.Less(t, handed-began, int64(1_300_000), "one or two turns of main later")
	c := course(f)
	assert.Equal(t, []string{"G2 is ready", "main yields", "G2 runs", "G2 ends"}, c[slices.Index(c, "G2 ends")-3:][:4])
}

// The first figure: half of the rounds, a quarter, an eighth.
func TestPriorityIsHalved(t *testing.T) {
	f := play(t, ch04.Suite, "priority.go")
	assert.Equal(t, "none in 509 rounds, one in 233, two in 125, more in 133\n", f.Stdout)
}

// Until Go 1.8 the waiters of a root are a list, from 1.9 on a tree. The program
// ends with six that wait, each for another address.
func TestOldGoHasNoTreap(t *testing.T) {
	waiting := func(v gmp.Version) (lists, trees int) {
		s := ch04.Suite.Figure(t, v, "hungry.go").Sched
		for i := range s.SemTable {
			for sg := s.SemTable[i].List.First.Get(); sg != nil; sg = sg.Next.Get() {
				lists++
			}
			if s.SemTable[i].Treap.Get() != nil {
				trees++
			}
		}
		return lists, trees
	}
	lists, trees := waiting(figures.Version(t, "0.x"))
	assert.Equal(t, 6, lists, "who waits in a list, in Go 0.x")
	assert.Zero(t, trees, "roots with a tree, in Go 0.x")

	lists, trees = waiting(solutions.Base("ch04"))
	assert.Zero(t, lists, "who waits in a list, in the form of the exercise")
	assert.NotZero(t, trees, "roots with a tree, in the form of the exercise")
}

// The programs whose output is determined print the same with real Go.
func TestSelectRealGo(t *testing.T) {
	for _, c := range []struct {
		program string
		status  int
		sorted  bool
	}{
		{program: "select.go"},
		{program: "sync.go"},
		{program: "pool.go"},
		{program: "buffer.go"},
		{program: "starving.go"},
		{program: "philosophers.go", sorted: true},
		{program: "losers.go", sorted: true},
		{program: "hungry.go", status: 2},
		{program: "asleep.go", status: 2},
	} {
		t.Run(c.program, func(t *testing.T) {
			real, ours := figures.RealGo(t, "chapters/ch04_select/programs/"+c.program), play(t, ch04.Suite, c.program)
			if c.sorted {
				assert.Len(t, ours.Stdout, len(real.Stdout))
				assert.ElementsMatch(t, words(real.Stdout), words(ours.Stdout))
			} else {
				assert.Empty(t, cmp.Diff(real.Stdout, ours.Stdout))
			}
			assert.Equal(t, c.status, real.Status, "of real Go")
			assert.Equal(t, c.status, ours.Status, "of ours")
			if c.status != 0 {
				assert.ElementsMatch(t, reasons(real.Stderr), reasons(ours.Stderr), "what the goroutines wait for")
			}
		})
	}
}

func words(text string) []string { return strings.Fields(text) }

// reasons lists the first line of a report, and what each goroutine waits for.
func reasons(report string) []string {
	first, rest, _ := strings.Cut(report, "\n")
	list := []string{first}
	for _, line := range strings.Split(rest, "\n") {
		if head, ok := strings.CutPrefix(line, "goroutine "); ok {
			_, why, _ := strings.Cut(head, " ")
			list = append(list, why)
		}
	}
	return list
}
