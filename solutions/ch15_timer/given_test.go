//course:omit
package ch15_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/trace"
	"gosched/solutions"
	"gosched/timeline"
)

// newSched makes a scheduler without a program, and an M.
func newSched(t *testing.T) (*gmp.Sched, *gmp.M) {
	s, err := gmp.New(solutions.Base("ch02"), nil, gmp.Options{Machine: machine.Options{MemBytes: 1 << 20}})
	require.NoError(t, err)
	return s, s.NewM(0)
}

// TestOrder: timers fire in the order of their times, and those of one time in
// the order in which they were set.
func TestOrder(t *testing.T) {
	s, mp := newSched(t)
	var fired []string
	for _, x := range []struct {
		name string
		when int64
	}{{"late", 30}, {"a", 20}, {"b", 10}, {"c", 20}, {"d", 10}, {"e", 20}} {
		timer := &gmp.Timer{F: func(_ *gmp.Sched, _ *gmp.M, arg any, delay int64) { fired = append(fired, arg.(string)) }, Arg: x.name}
		assert.False(t, s.ModTimer(mp, timer, x.when, 0))
	}
	now, next, ran := s.CheckTimers(mp, nil, 9)
	assert.Equal(t, []any{int64(9), int64(10), false}, []any{now, next, ran})
	now, next, ran = s.CheckTimers(mp, nil, 25)
	assert.Equal(t, []any{int64(25), int64(30), true}, []any{now, next, ran})
	assert.Equal(t, []string{"b", "d", "a", "c", "e"}, fired)
}

// A modelTimer is a timer as one would write it down on paper.
type modelTimer struct {
	when, period int64 // when is 0 if it is not set
	set          int   // grows with each timer that is set
}

// TestModel compares the list with timers on paper, under random operations.
func TestModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		s, mp := newSched(t)
		const n = 8
		var fired, wantFired [][2]int64 // which, and how late
		timers, model := make([]*gmp.Timer, n), make([]modelTimer, n)
		for i := range timers {
			timers[i] = &gmp.Timer{F: func(_ *gmp.Sched, _ *gmp.M, arg any, delay int64) {
				fired = append(fired, [2]int64{int64(arg.(int)), delay})
			}, Arg: i}
		}
		now := int64(0)
		for step := range 60 {
			i := r.IntN(n)
			m := &model[i]
			switch r.IntN(3) {
			case 0:
				when, period := now+1+r.Int64N(10), r.Int64N(2)*r.Int64N(6)
				require.Equal(t, m.when != 0, s.ModTimer(mp, timers[i], when, period))
				*m = modelTimer{when, period, 100 * step}
			case 1:
				require.Equal(t, m.when != 0, s.StopTimer(mp, timers[i]))
				m.when = 0
			default:
				now += 1 + r.Int64N(8)
				_, next, _ := s.CheckTimers(mp, nil, now)
				wantFired = append(wantFired, fire(model, now, step)...)
				require.Equal(t, wantFired, fired)
				require.Equal(t, first(model), next)
			}
			require.Equal(t, first(model), s.CheckTimersNoP(mp, nil, 0))
			sooner := int64(7)
			if when := first(model); when != 0 {
				sooner = min(sooner, when)
			}
			require.Equal(t, sooner, s.CheckTimersNoP(mp, nil, 7))
		}
	}
}

// first is when the first one is due, 0 if none is set.
func first(model []modelTimer) int64 {
	when := int64(0)
	for _, m := range model {
		if m.when != 0 && (when == 0 || m.when < when) {
			when = m.when
		}
	}
	return when
}

// fire says which timers fire at now, in order, and how late.
func fire(model []modelTimer, now int64, step int) (fired [][2]int64) {
	var due []int
	for i, m := range model {
		if m.when != 0 && m.when <= now {
			due = append(due, i)
		}
	}
	slices.SortFunc(due, func(i, j int) int {
		return cmp.Or(cmp.Compare(model[i].when, model[j].when), cmp.Compare(model[i].set, model[j].set))
	})
	for k, i := range due {
		m := &model[i]
		fired = append(fired, [2]int64{int64(i), now - m.when})
		if m.period == 0 {
			m.when = 0
			continue
		}
		for m.when <= now {
			m.when += m.period
		}
		m.set = 100*step + k
	}
	return fired
}

// play runs the body of a main function.
func play(t *testing.T, body string, opt gmp.Options) (res gmp.Result, stdout string) {
	source := "package main\n\nimport (\n\t\"fmt\"\n\t\"runtime\"\n\t\"time\"\n)\n\n" +
		"var _, _ = fmt.Println, runtime.Gosched\n\nfunc main() {\n" + body + "\n}\n"
	prog, err := compile.Compile([]machine.File{{Name: "prog.go", Source: source}})
	require.NoError(t, err)
	v, err := solutions.Go("0.x")
	require.NoError(t, err)
	var out bytes.Buffer
	opt.Machine = machine.Options{Stdout: &out, MemBytes: 64 << 20}
	opt.Check = true
	if opt.Budget == 0 {
		opt.Budget = 100_000_000
	}
	s, err := gmp.New(v, prog, opt)
	require.NoError(t, err)
	return s.Main(), out.String()
}

// TestTimeIsVirtual: nobody waits for a program that sleeps, and the clock begins
// at the same moment in each run.
func TestTimeIsVirtual(t *testing.T) {
	res, out := play(t, `
	start := time.Now()
	time.Sleep(24 * time.Hour)
	end := time.Now()
	fmt.Println(start.Unix(), end.Unix()-start.Unix(), end.Sub(start) >= 24*time.Hour, time.Since(start) < 24*time.Hour+time.Millisecond)`, gmp.Options{})
	require.NoError(t, res.Err)
	assert.Equal(t, "1257894000 86400 true true\n", out)
	assert.Less(t, res.Instructions, int64(10_000), "time that nobody computes is no instructions")
}

// TestNoSleep: for no time at all one does not even let others run.
func TestNoSleep(t *testing.T) {
	res, out := play(t, "go fmt.Println(\"other\")\ntime.Sleep(0)\ntime.Sleep(-time.Hour)\nfmt.Println(\"main\")", gmp.Options{})
	require.NoError(t, res.Err)
	assert.Equal(t, "main\n", out)
}

// TestTicksAreExact: a tick is of the time at which it was due.
func TestTicksAreExact(t *testing.T) {
	res, out := play(t, `
	tick := time.NewTicker(time.Second)
	first := <-tick.C
	for i := range 3 {
		fmt.Println((<-tick.C).Sub(first) == time.Duration(i+1)*time.Second)
	}
	time.Sleep(10 * time.Second)
	fmt.Println((<-tick.C).Sub(first), (<-tick.C).Sub(first))`, gmp.Options{})
	require.NoError(t, res.Err)
	assert.Equal(t, "true\ntrue\ntrue\n4s 14s\n", out, "the ticks of 5 to 13 s were dropped")
}

// TestManySleepers: they wake in the order of their times.
func TestManySleepers(t *testing.T) {
	res, out := play(t, `
	const n = 20_000
	done := make(chan int, n)
	for i := range n {
		go func() {
			time.Sleep(time.Duration(n-i*7919%n) * time.Second)
			done <- n - i*7919%n
		}()
	}
	for i := range n {
		if got := <-done; got != i+1 {
			fmt.Println(got, "woke as number", i+1)
		}
	}`, gmp.Options{})
	require.NoError(t, res.Err)
	assert.Empty(t, out)
}

// TestPolling: timers fire when the scheduler is asked for a G. Who never lets go
// of the thread never sees one fire. (So it was with one thread through Go 1.13,
// where timerproc had to run; since 1.23 a look at the channel is enough.)
func TestPolling(t *testing.T) {
	const poll = `
	timeout := time.After(time.Microsecond)
	for {
		select {
		case <-timeout:
			fmt.Println("timeout")
			return
		default:
			%s
		}
	}`
	res, _ := play(t, strings.ReplaceAll(poll, "%s", ""), gmp.Options{Budget: 1_000_000})
	assert.ErrorIs(t, res.Err, gmp.ErrBudget)
	for name, c := range map[string]struct {
		yield string
		slice int64
	}{"yields": {"runtime.Gosched()", 0}, "is interrupted": {"", 100}, "sleeps": {"time.Sleep(1)", 0}} {
		res, out := play(t, strings.ReplaceAll(poll, "%s", c.yield), gmp.Options{Slice: c.slice})
		assert.NoError(t, res.Err, name)
		assert.Equal(t, "timeout\n", out, name)
	}
}

// TestHogs: with time slices, a goroutine that computes for ever holds up a timer
// for a slice at most, and the same instructions run each time.
func TestHogs(t *testing.T) {
	const program = `
	for range 3 {
		go func() {
			for {
			}
		}()
	}
	late := time.Duration(0)
	tick := time.NewTicker(5 * time.Microsecond)
	for range 20 {
		at := <-tick.C
		late = max(late, time.Since(at))
	}
	fmt.Println(int64(late))`
	for _, slice := range []int64{1, 50, 333, 1000} {
		var runs []string
		for range 2 {
			res, out := play(t, program, gmp.Options{Slice: slice, Trace: true, Seed: 3})
			require.NoError(t, res.Err)
			var late int64
			_, err := fmt.Sscan(out, &late)
			require.NoError(t, err)
			// One slice until the scheduler looks, and one for each hog; then main
			// needs some 60 instructions, and at the end of each of its slices the
			// hogs have theirs.
			assert.LessOrEqual(t, late, 4*slice+60+3*slice*(60/slice+1), "ns late, slices of %d", slice)
			var log bytes.Buffer
			_, err = res.Log.WriteTo(&log)
			require.NoError(t, err)
			runs = append(runs, out+log.String())
		}
		assert.Equal(t, runs[0], runs[1], "two runs with slices of %d", slice)
	}
}

// TestEndOfTime: a timer for the end of time never fires, and the clock stands
// still short of it.
func TestEndOfTime(t *testing.T) {
	for name, c := range map[string]struct{ body, out, fatal string }{
		"one sleeps for ever": {"time.Sleep(1<<63 - 1)", "", "deadlock"},
		"others do not":       {"go time.Sleep(1<<63 - 1)\ntime.Sleep(time.Hour)\nfmt.Println(\"an hour\")", "an hour\n", ""},
		"near the end": {`
	start := time.Now()
	for range 3 {
		time.Sleep(1 << 62)
		runtime.Gosched()
		fmt.Println(time.Since(start) >= 1<<62)
	}`, "true\n", "deadlock"},
		"a ticker": {"tick := time.NewTicker(1 << 62)\n<-tick.C\nfmt.Println(1)\n<-tick.C\nfmt.Println(2)", "1\n", "deadlock"},
	} {
		res, out := play(t, c.body, gmp.Options{})
		assert.NoError(t, res.Err, name)
		assert.Equal(t, c.out, out, name)
		if c.fatal == "" {
			assert.Empty(t, res.Fatal, name)
		}
		assert.Contains(t, res.Fatal, c.fatal, name)
	}
}

// TestTrace: the log of a run says who sleeps, and what woke it, and the timeline
// says it in words.
func TestTrace(t *testing.T) {
	res, out := play(t, `
	go func() {
		time.Sleep(time.Second)
		fmt.Println("awake")
	}()
	time.AfterFunc(2*time.Second, func() { fmt.Println("called") })
	<-time.After(3 * time.Second)`, gmp.Options{Trace: true})
	require.NoError(t, res.Err)
	assert.Equal(t, "awake\ncalled\n", out)
	assert.Equal(t, "ns", res.Log.Header.Unit)

	// What happens to whom, in which second.
	var got []trace.Event
	sleeps := map[trace.Kind]int64{}
	for _, e := range res.Log.Events {
		if e.Text == "sleep" {
			sleeps[e.Kind] = e.T
		}
		switch e.Kind {
		case trace.Park, trace.Fire, trace.Ready, trace.Create:
			got = append(got, trace.Event{T: e.T / 1e9, Kind: e.Kind, G: e.G, By: e.By, Line: e.Line, Text: e.Text})
		}
	}
	assert.Equal(t, []trace.Event{
		{T: 0, Kind: trace.Create, G: 1, Text: "runtime.main"},
		{T: 0, Kind: trace.Create, G: 2, By: 1, Line: 13, Text: "main.main.func1"},
		{T: 0, Kind: trace.Park, G: 1, Line: 18, Text: "chan receive"},
		{T: 0, Kind: trace.Park, G: 2, Line: 14, Text: "sleep"},
		{T: 1, Kind: trace.Fire, G: 2, Text: "sleep"},
		{T: 1, Kind: trace.Ready, G: 2},
		{T: 2, Kind: trace.Fire, G: trace.None, Text: "func"},
		{T: 2, Kind: trace.Create, G: 3, Text: "main.main.func2"},
		{T: 3, Kind: trace.Fire, G: trace.None, Text: "channel"},
		{T: 3, Kind: trace.Ready, G: 1},
	}, got)
	assert.Equal(t, int64(1e9), sleeps[trace.Fire]-sleeps[trace.Park], "ns of sleep, since nobody else ran")

	var told []string
	for _, step := range timeline.Fold(res.Log, 0).Steps {
		told = append(told, step.Text)
	}
	text := strings.Join(told, "\n")
	assert.Contains(t, text, "G2 parks (sleep); the sleep of G2 is over; G2 becomes ready")
	assert.Contains(t, text, "a timer fires.\nG3 is created (main.main.func2)")
	assert.Contains(t, text, "a timer fires; main becomes ready")
	var chrome bytes.Buffer
	require.NoError(t, trace.WriteChrome(&chrome, res.Log))
	assert.Contains(t, chrome.String(), "waiting: sleep")
}
