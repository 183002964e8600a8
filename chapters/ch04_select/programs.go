package ch04

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// output is what a program prints under any scheduler. Where the order of its
// lines is not determined, they are sorted.
var output = map[string]string{
	"select.go": `fair: true 1000
sum: 123725
both: 100
send on closed channel
send on closed channel
"" false
default
b 1
nobody
big: 45`,
	"sync.go": `mutex: 400
cond: 10
rw: 10
once: 1`,
	"philosophers.go": `all have eaten
philosopher 0 eats
philosopher 0 eats
philosopher 1 eats
philosopher 1 eats
philosopher 2 eats
philosopher 2 eats
philosopher 3 eats
philosopher 3 eats
philosopher 4 eats
philosopher 4 eats`,
	"pool.go":     `the sum is 204 and never more than 3 were at work: true`,
	"buffer.go":   `the sum is 190 and there were never more than three: true`,
	"starving.go": `the guest was in three times`,
}

// anyOrder are the programs whose lines may come in any order.
var anyOrder = map[string]bool{"philosophers.go": true}

// runsRight plays a program and compares its output. what says how it was played.
func runsRight(t *check.T, name, what string, opt func(o *gmp.Options)) check.Run {
	t.Helper()
	run := t.Play(name, opt)
	got := strings.Split(strings.TrimRight(run.Stdout, "\n"), "\n")
	if anyOrder[name] {
		slices.Sort(got)
	}
	d := cmp.Diff(strings.Split(output[name], "\n"), got)
	switch {
	case run.Fatal != "":
		t.Fatalf("%s%s ends with %s\n%s\nand has printed (- want, + found):\n%s", name, what, run.Fatal, firstWaits(run.Stderr), d)
	case d != "" || run.Status != 0:
		t.Fatalf("%s%s does not print what it should; its exit status is %d (- want, + found):\n%s", name, what, run.Status, d)
	}
	return run
}

// firstWaits are the heads of the listed goroutines.
func firstWaits(report string) string {
	return strings.Join(listed.FindAllString(report, 8), "\n")
}

// listed is the head of a goroutine in a report, with what it waits for.
var listed = regexp.MustCompile(`goroutine \d+ \[(.*)\]:`)

// everywhere plays a program undisturbed, and interrupted after every k
// instructions, for k up to most.
func everywhere(t *check.T, name string, most int64) {
	t.Helper()
	for k := int64(0); k <= most; k++ {
		what := ""
		if k > 0 {
			what = fmt.Sprintf(", interrupted after every %d instructions,", k)
		}
		runsRight(t, name, what, func(o *gmp.Options) { o.Slice, o.Seed, o.Trace = k, uint64(k), k == 0 })
	}
}

func programsRun(t *check.T) {
	for _, name := range []string{"philosophers.go", "pool.go", "buffer.go"} {
		everywhere(t, name, 20)
	}
}

func selectProgram(t *check.T) { everywhere(t, "select.go", 50) }

func syncProgram(t *check.T) { everywhere(t, "sync.go", 50) }

// starving plays two that want one mutex, one of them all the time.
func starving(t *check.T) {
	runsRight(t, "starving.go", "", func(o *gmp.Options) { o.Budget = 20_000_000 })
}

// asleep checks the report of a program in which all wait, each in its own way.
func asleep(t *check.T) {
	run := t.Play("asleep.go", nil)
	if want := "fatal error: all goroutines are asleep - deadlock!"; run.Fatal != want {
		t.Fatalf("asleep.go ends with %q; want %q", run.Fatal, want)
	}
	var got []string
	for _, m := range listed.FindAllStringSubmatch(run.Stderr, -1) {
		got = append(got, m[1])
	}
	want := []string{"sync.WaitGroup.Wait", "sync.Mutex.Lock", "sync.RWMutex.RLock", "sync.RWMutex.Lock", "sync.Cond.Wait", "select", "select (no cases)"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("asleep.go: the report must say of each G what it waits for (- want, + found):\n%s", d)
	}
}
