package timeline

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/trace"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "run go test -update to make the golden file")
	assert.Empty(t, cmp.Diff(string(want), got))
}

var logs = map[string]func() *trace.Log{"0.x": zeroX, "1.1": oneOne, "1.14": preempted, "calls": called}

// describe writes a Story as text, to be read and compared.
func describe(s *Story) string {
	var b strings.Builder
	for i, step := range s.Steps {
		fmt.Fprintf(&b, "%d of %d, t = %d, row %d: %s\n", i+1, s.Total, step.T, step.Row, step.Text)
		for r, row := range step.State.Rows {
			letter := "P"
			if s.ByM {
				letter = "M"
			}
			fmt.Fprintf(&b, "    %s%d %s", letter, r, []string{"absent", "idle", "scheduling", "searching", "runs", "in a call", "stopped", "polls"}[row.Doing])
			if row.G != 0 {
				fmt.Fprintf(&b, " %s", gname(row.G))
			}
			if row.M >= 0 && !s.ByM {
				fmt.Fprintf(&b, " on M%d", row.M)
			}
			if row.Next != 0 {
				fmt.Fprintf(&b, ", next %s", gname(row.Next))
			}
			if row.Queue.Len > 0 {
				fmt.Fprintf(&b, ", queue %s", list(row.Queue.Head))
			}
			b.WriteString("\n")
		}
		if step.State.Global.Len > 0 {
			fmt.Fprintf(&b, "    global %s\n", list(step.State.Global.Head))
		}
		for w, q := range step.State.Waiting {
			if q.Len > 0 {
				fmt.Fprintf(&b, "    %s %s\n", s.Reasons[w], list(q.Head))
			}
		}
		fmt.Fprintf(&b, "    %d created, %d ended", step.State.Created, step.State.Ended)
		if step.State.Asleep.Len > 0 {
			fmt.Fprintf(&b, ", Ms asleep %v", step.State.Asleep.Head)
		}
		for _, x := range step.Steals {
			fmt.Fprintf(&b, ", P%d steals %v of %d from P%d", x.To, x.Gs, x.Of, x.From)
		}
		for _, m := range step.Marks {
			fmt.Fprintf(&b, ", %s on row %d", m.What, m.Row)
		}
		for _, l := range step.Lines {
			fmt.Fprintf(&b, ", %s:%d", gname(l.G), l.Line)
		}
		for _, o := range step.Output {
			fmt.Fprintf(&b, ", fd %d %q", o.Fd, o.Text)
		}
		b.WriteString("\n")
	}
	for i, m := range s.Callers {
		fmt.Fprintf(&b, "row %d is M%d\n", s.Rows+i, m)
	}
	for _, x := range s.Bars {
		fmt.Fprintf(&b, "bar %+v\n", x)
	}
	return b.String()
}

func TestFoldGolden(t *testing.T) {
	for name, log := range logs {
		golden(t, name+".txt", describe(Fold(log(), 0)))
	}
}

func run(m int32, g int64) trace.Event { return trace.Event{Kind: trace.Run, M: m, P: m, G: g} }

// texts returns the sentences of the steps of events on a version with 2 Ps.
func texts(procs int, events ...trace.Event) []string {
	var out []string
	for _, s := range Fold(&trace.Log{Header: trace.Header{Procs: procs}, Events: events}, 0).Steps {
		out = append(out, s.Text)
	}
	return out
}

func TestSteps(t *testing.T) {
	create := func(g int64) trace.Event { return trace.Event{Kind: trace.Create, G: g, By: 1, Text: "f"} }
	put := func(g int64) trace.Event { return trace.Event{Kind: trace.Put, G: g, Q: "local"} }
	ready := func(g int64) trace.Event { return trace.Event{Kind: trace.Ready, G: g, By: 1} }
	call, back := trace.Event{Kind: trace.Syscall, G: 1, Text: "read"}, trace.Event{Kind: trace.Sysexit, G: 1}
	for _, c := range []struct {
		name string
		in   []trace.Event
		want []string
	}{
		{"each go statement is a step, with who is woken for it",
			[]trace.Event{run(0, 1), create(2), put(2), {Kind: trace.Wake, M: 1, P: 1}, create(3), put(3)},
			[]string{"P0 runs main.", "main creates G2 (f); it goes to the tail of P0's queue; P1 wakes up.", "main creates G3 (f); it goes to the tail of P0's queue."}},
		{"what a G does after a go statement is another step",
			[]trace.Event{create(2), put(2), {Kind: trace.Write, G: 1, N: 1, Text: "x"}, {Kind: trace.Park, G: 1, Text: "sleep"}},
			[]string{"main creates G2 (f); it goes to the tail of P0's queue.", `main prints "x"; main parks (sleep).`}},
		{"a stop and the run after it are one step",
			[]trace.Event{{Kind: trace.Yield, G: 1}, {Kind: trace.Put, G: 1, Q: "global"}, {Kind: trace.Get, G: 2, Q: "local"}, run(0, 2)},
			[]string{"main yields; it goes to the tail of the global queue; P0 runs G2."}},
		{"decisions of two Ms are two steps",
			[]trace.Event{{Kind: trace.Park, G: 1}, {Kind: trace.Exit, M: 1, P: 1, G: 3}, run(1, 4), run(0, 2)},
			[]string{"main parks.", "G3 ends; P1 runs G4.", "P0 runs G2."}},
		{"readying many is one step, and parking then is another",
			[]trace.Event{ready(2), put(2), ready(3), put(3), {Kind: trace.Park, G: 1}},
			[]string{"main makes G2, G3 ready; G2, G3 go to the tail of P0's queue.", "main parks."}},
		{"a search that ends in a steal is told by the steal",
			[]trace.Event{{Kind: trace.Spin, M: 1, P: 1}, {Kind: trace.Unspin, M: 1, P: 1}, {Kind: trace.Steal, M: 1, P: 1, From: 0, Gs: []int64{2, 3, 4}, N: 5},
				{Kind: trace.Put, M: 1, P: 1, G: 2, Q: "local"}, {Kind: trace.Put, M: 1, P: 1, G: 3, Q: "local"}, run(1, 4)},
			[]string{"P1 steals 3 Gs from P0 (G2, G3, G4); P1 runs G4."}},
		{"a P that is given up by an M that sleeps",
			[]trace.Event{{Kind: trace.Exit, M: 1, P: 1, G: 2}, {Kind: trace.Release, M: 1, P: 1}, {Kind: trace.Idle, M: 1, P: trace.None}},
			[]string{"G2 ends; P1 is idle, M1 sleeps."}},
		{"many events make no endless sentence",
			append(slices.Repeat([]trace.Event{{Kind: trace.Note, Text: "n"}, {Kind: trace.Write, G: 1, Text: "w"}}, 100), run(0, 1)),
			[]string{strings.Repeat(`note: n; main prints "w"; `, 4) + "(192 more events); P0 runs main."}},
		{"the end", []trace.Event{{Kind: trace.End, N: 2, Text: "all goroutines are asleep - deadlock!"}},
			[]string{"The program ends with status 2: all goroutines are asleep - deadlock!"}},
		{"each system call is a step, and so is each return",
			[]trace.Event{call, back, call, back, run(0, 2)},
			[]string{"main enters a system call (read).", "main returns from its system call.", "main enters a system call (read).", "main returns from its system call; P0 runs G2."}},
		{"an M that blocks hands off its P, and returns without one",
			[]trace.Event{call, {Kind: trace.Handoff, M: 0, P: 0}, {Kind: trace.Sysexit, G: 1, P: trace.None}, {Kind: trace.Put, G: 1, P: trace.None, Q: "global"}},
			[]string{"main enters a system call (read); M0 hands off P0.", "main returns from its system call, and M0 has no P; main goes to the tail of the global queue."}},
		{"the monitor retakes a P, and the M finds another",
			[]trace.Event{call, {Kind: trace.Handoff, M: 0, P: 0, Text: trace.Retaken}, {Kind: trace.NewM, M: 1, P: trace.None}, {Kind: trace.Acquire, M: 1, P: 0}, run(1, 2),
				{Kind: trace.Acquire, M: 0, P: 1}, {Kind: trace.Sysexit, G: 1, P: 1}, {Kind: trace.Run, G: 1, P: 1}},
			[]string{"main enters a system call (read).", "The monitor retakes P0 from M0, which stays in its system call without a P; P0 gets a new thread, M1.", "P1 runs G2.",
				"M0 takes P1; main returns from its system call; P1 runs main."}},
		{"a signal that preempts, and one that does not",
			[]trace.Event{{Kind: trace.Signal, G: 2, Line: 9}, {Kind: trace.Preempt, G: 2, Line: 9, Text: trace.BySignal}, run(0, 3),
				{Kind: trace.Signal, G: 3, Line: 7, Text: "it is in a system call"}},
			[]string{"G2 is preempted by a signal in line 9; P0 runs G3.", "A signal hits G3 in line 7, and cannot stop it there: it is in a system call."}},
		{"a signal that comes after the answer, and one that lets its G park",
			[]trace.Event{{Kind: trace.Signal, G: 2, Line: 9}, run(0, 3), {Kind: trace.Signal, G: 3, Line: 7}, {Kind: trace.Park, G: 3, Text: "preempted"}},
			[]string{"A signal hits G2 in line 9, and the G goes on; P0 runs G3.", "A signal hits G3 in line 7; G3 parks (preempted)."}},
		{"a request, and the call that answers it",
			[]trace.Event{{Kind: trace.Ask, G: 2, M: trace.None, P: 1, Text: "it has run for 10 ms"}, {Kind: trace.Preempt, G: 2, M: 1, P: 1, Line: 8, Text: trace.ByCall}, run(1, 3)},
			[]string{"The monitor asks G2 on P1 to stop: it has run for 10 ms.", "G2 is preempted at a call in line 8; P1 runs G3."}},
		{"a request of the M that stops the world",
			[]trace.Event{{Kind: trace.Stop, Text: "GOMAXPROCS"}, {Kind: trace.Ask, G: 2, P: 1, Text: "the world stops"}},
			[]string{"P0 stops the world (GOMAXPROCS); G2 on P1 is asked to stop: the world stops."}},
		{"a stack grows in a step of its own",
			[]trace.Event{{Kind: trace.Write, G: 1, N: 1, Text: "x"}, {Kind: trace.Stack, G: 1, N: 4096}, {Kind: trace.Stack, G: 1, N: 8192}, {Kind: trace.Write, G: 1, N: 1, Text: "y"}, {Kind: trace.Stack, G: 1, N: 16384}},
			[]string{`main prints "x".`, `The stack of main grows to 8,192 bytes, in 2 copies; main prints "y".`, "The stack of main grows to 16,384 bytes."}},
		{"the world stops and goes on",
			[]trace.Event{{Kind: trace.Stop, Text: "GOMAXPROCS"}, {Kind: trace.Release, M: 1, P: 1}, {Kind: trace.Idle, M: 1, P: trace.None}, {Kind: trace.Start, N: 1}, run(0, 1)},
			[]string{"P0 stops the world (GOMAXPROCS); P1 is stopped, M1 sleeps; the world starts again, with 1 P; P0 runs main."}},
		{"each P is stopped, in whatever way its M gives it up",
			[]trace.Event{{Kind: trace.Stop, Text: "GC"}, run(0, 1), {Kind: trace.Release, M: 1, P: 1}, run(0, 1),
				{Kind: trace.Handoff, M: 1, P: 1}, run(0, 1), {Kind: trace.Handoff, M: 1, P: 1}, {Kind: trace.Idle, M: 1, P: trace.None}, run(0, 1),
				{Kind: trace.Handoff, M: 1, P: 1, Text: trace.Halted}},
			[]string{"P0 stops the world (GC); P0 runs main.", "M1 gives up P1, which is stopped; P0 runs main.", "M1 hands off P1, which is stopped.", "P0 runs main.",
				"M1 hands off P1, which is stopped; M1 goes to sleep.", "P0 runs main.", "P1 is stopped, and M1 stays in its system call without a P."}},
		{"a request that is made again and again",
			[]trace.Event{{Kind: trace.Stop, Text: "GC"}, {Kind: trace.Ask, G: 2, P: 1, Text: "the world stops"}, {Kind: trace.Ask, G: 3, P: 2, Text: "the world stops"}, {Kind: trace.Ask, G: 2, P: 1, Text: "the world stops"}},
			[]string{"P0 stops the world (GC); G2 on P1 is asked 2 times to stop: the world stops; G3 on P2 is asked to stop: the world stops."}},
		{"an M that polls does not sleep",
			[]trace.Event{{Kind: trace.Release, M: 1, P: 1}, {Kind: trace.Idle, M: 1, P: trace.None, Text: trace.Polling}, run(0, 1),
				{Kind: trace.Wake, M: 1, P: trace.None, Text: trace.Polling}, {Kind: trace.Ready, G: 2}, {Kind: trace.Acquire, M: 1, P: 1}, run(1, 2)},
			[]string{"P1 is idle, M1 waits in the netpoller; P0 runs main.", "M1 returns from the netpoller; G2 becomes ready; M1 takes P1.", "P1 runs G2."}},
	} {
		assert.Equal(t, c.want, texts(2, c.in...), c.name)
	}
	assert.Equal(t, []string{"main yields; it goes to the tail of the queue; M0 runs G2."},
		texts(0, trace.Event{Kind: trace.Yield, G: 1}, trace.Event{Kind: trace.Put, G: 1, Q: "global"}, trace.Event{Kind: trace.Get, G: 2, Q: "global"}, run(0, 2)))
}

func TestEveryKindIsTold(t *testing.T) {
	for _, k := range []trace.Kind{trace.Create, trace.Put, trace.Get, trace.Run, trace.Yield, trace.Ask, trace.Signal, trace.Preempt, trace.Park, trace.Ready, trace.Exit,
		trace.Syscall, trace.Sysexit, trace.Steal, trace.Spin, trace.Unspin, trace.Idle, trace.Wake, trace.NewM, trace.Acquire, trace.Release,
		trace.Handoff, trace.Stop, trace.Start, trace.Stack, trace.Write, trace.Note, trace.End} {
		for _, procs := range []int{0, 2} {
			got := texts(procs, trace.Event{Kind: k, G: 1, Gs: []int64{2, 3}, Text: "x"})
			assert.Len(t, got, 1)
			assert.Regexp(t, `^[A-Zagmnt]\S* .+\.$`, got[0], "%s", k)
		}
	}
}

// While an M sleeps and nothing else happens time goes by: that is between two steps.
func TestStepEndsWithSleep(t *testing.T) {
	idle := func(t int64, m int32) trace.Event { return trace.Event{T: t, Kind: trace.Idle, M: m, P: trace.None} }
	steps := Fold(&trace.Log{Header: trace.Header{Procs: 2}, Events: []trace.Event{
		run(0, 2), {T: 1, Kind: trace.Park, G: 2, Text: "sleep"}, {T: 2, Kind: trace.Release, M: 0, P: 0}, idle(2, 0),
		{T: 1000, Kind: trace.Wake, M: 0, P: trace.None}, {T: 1001, Kind: trace.Fire, G: 2, Text: "sleep"}, {T: 1002, Kind: trace.Run, G: 2},
	}}, 0).Steps
	require.Len(t, steps, 3)
	assert.Equal(t, "G2 parks (sleep); P0 is idle, M0 sleeps.", steps[1].Text)
	assert.EqualValues(t, 2, steps[1].T)
	assert.Equal(t, Queue{1, []int64{0}}, steps[1].State.Asleep)
	assert.Empty(t, steps[2].State.Asleep.Head)
}

func lastState(events ...trace.Event) State {
	steps := Fold(&trace.Log{Header: trace.Header{Procs: 2}, Events: events}, 0).Steps
	return steps[len(steps)-1].State
}

func TestStates(t *testing.T) {
	// P1 is still looking when G2 ends on P0: that it stops belongs to its steal.
	spin, unspin := trace.Event{Kind: trace.Spin, M: 1, P: 1}, trace.Event{Kind: trace.Unspin, M: 1, P: 1}
	steps := Fold(&trace.Log{Header: trace.Header{Procs: 2}, Events: []trace.Event{
		{Kind: trace.Acquire, M: 1, P: 1}, spin, run(0, 2), {Kind: trace.Exit, G: 2}, unspin, run(1, 3),
	}}, 0).Steps
	require.Len(t, steps, 3)
	assert.Equal(t, Searching, steps[1].State.Rows[1].Doing)
	assert.Equal(t, Running, steps[2].State.Rows[1].Doing)

	// The G that had runnext goes to the tail of the queue.
	next := func(g int64) trace.Event { return trace.Event{Kind: trace.Put, G: g, Q: "next"} }
	row := lastState(next(2), next(3)).Rows[0]
	assert.Equal(t, int64(3), row.Next)
	assert.Equal(t, Queue{1, []int64{2}}, row.Queue)

	// The M of a queue's event may be unknown.
	unknown := func(k trace.Kind) trace.Event {
		return trace.Event{Kind: k, M: trace.None, P: trace.None, G: 2, Q: "global"}
	}
	assert.Equal(t, 1, lastState(run(0, 2), unknown(trace.Put)).Global.Len)
	assert.Equal(t, []string{"P0 runs G2.", "G2 leaves the global queue."}, texts(2, run(0, 2), unknown(trace.Get)))

	// Where no M is made, all are there from the start.
	steps = Fold(&trace.Log{Header: trace.Header{Ms: 3}, Events: []trace.Event{run(0, 1)}}, 0).Steps
	assert.Equal(t, []Doing{Running, Scheduling, Scheduling}, []Doing{steps[0].State.Rows[0].Doing, steps[0].State.Rows[1].Doing, steps[0].State.Rows[2].Doing})
	steps = Fold(&trace.Log{Header: trace.Header{Ms: 2}, Events: []trace.Event{run(0, 1), {Kind: trace.NewM, M: 1}}}, 0).Steps
	assert.Len(t, steps[0].State.Rows, 1)
	assert.Equal(t, Scheduling, steps[1].State.Rows[1].Doing)

	// A G that was handed over to the head stands there.
	s := lastState(trace.Event{Kind: trace.Put, G: 2, Q: "global"}, trace.Event{Kind: trace.Put, G: 3, Q: "global", Head: true})
	assert.Equal(t, Queue{2, []int64{3, 2}}, s.Global)
}

// Events of one M may stand after later ones of another, as real threads write
// them: the later one in truth wins.
// A P that no M holds is idle, but stopped while the world is; an M that waits for the network
// is told from those that sleep.
func TestStoppedAndPolling(t *testing.T) {
	doing := func(s *Story) (rows []Doing) {
		for _, r := range s.Steps[len(s.Steps)-1].State.Rows {
			rows = append(rows, r.Doing)
		}
		return rows
	}
	events := []trace.Event{{Kind: trace.Run, G: 1}, {Kind: trace.Idle, M: 1, P: trace.None}, {Kind: trace.Stop, Text: "GC"}}
	log := func() *trace.Log { return &trace.Log{Header: trace.Header{Procs: 3, Ms: 3}, Events: events} }
	assert.Equal(t, []Doing{Running, Stopped, Stopped}, doing(Fold(log(), 0)))
	events = append(events, trace.Event{Kind: trace.Start, N: 2}, trace.Event{Kind: trace.Idle, M: 2, P: trace.None, Text: trace.Polling})
	story := Fold(log(), 0)
	assert.Equal(t, []Doing{Running, Idle, Absent}, doing(story))
	end := story.Steps[len(story.Steps)-1].State
	assert.Equal(t, []int64{1}, end.Asleep.Head)
	assert.Equal(t, []int64{2}, end.Polling.Head)

	byM := Fold(&trace.Log{Header: trace.Header{Ms: 2}, Events: []trace.Event{{Kind: trace.NewM, M: 1}, {Kind: trace.Idle, M: 1, Text: trace.Polling}}}, 0)
	assert.Equal(t, Polling, doing(byM)[1])
	assert.Equal(t, []string{"M1 is created; M1 waits in the netpoller."}, []string{byM.Steps[0].Text})
}

func TestLateEvents(t *testing.T) {
	// M1 stole and runs G2 before M0's yield and put of it are in the log.
	s := lastState(run(0, 2), run(1, 2), trace.Event{Kind: trace.Yield, G: 2}, trace.Event{Kind: trace.Put, G: 2, Q: "global"})
	assert.Equal(t, int64(2), s.Rows[1].G)
	assert.Equal(t, int64(0), s.Rows[0].G)
	assert.Equal(t, 0, s.Global.Len)
	// A ready that comes after the run does not stop it.
	s = lastState(run(1, 2), trace.Event{Kind: trace.Ready, G: 2, By: 1}, trace.Event{Kind: trace.Put, G: 2, Q: "local"})
	assert.Equal(t, int64(2), s.Rows[1].G)
	assert.Equal(t, 0, s.Rows[0].Queue.Len)
	// Time does not go back.
	steps := Fold(&trace.Log{Events: []trace.Event{{T: 9, Kind: trace.Run, G: 1}, {T: 3, Kind: trace.Run, G: 2}}}, 0).Steps
	assert.Equal(t, int64(9), steps[1].T)
	// A wake that names the P of the waker takes nothing away from it.
	s = lastState(run(0, 1), trace.Event{Kind: trace.Wake, M: 1, P: 0})
	assert.Equal(t, int64(1), s.Rows[0].G)
	assert.Equal(t, int64(0), s.Rows[0].M)
}

// randomLog returns a log of events that make no sense together.
func randomLog(r *rand.Rand) *trace.Log {
	kinds := []trace.Kind{trace.Create, trace.Put, trace.Get, trace.Run, trace.Run, trace.Yield, trace.Ask, trace.Signal, trace.Preempt, trace.Park, trace.Ready, trace.Exit,
		trace.Syscall, trace.Sysexit, trace.Steal, trace.Spin, trace.Unspin, trace.Idle, trace.Wake, trace.NewM, trace.Acquire, trace.Release,
		trace.Handoff, trace.Stop, trace.Start, trace.Stack, trace.Write, trace.Note, trace.End, "unheard of"}
	log := &trace.Log{Header: trace.Header{Procs: r.IntN(4) - 1, Ring: r.IntN(3) - 1, Unit: "ns"}}
	for range 200 {
		e := trace.Event{
			T: r.Int64N(100) - 1, Kind: kinds[r.IntN(len(kinds))], M: r.Int32N(5) - 1, P: r.Int32N(5) - 1, G: r.Int64N(8) - 1, By: r.Int64N(4) - 1,
			Q: []string{"global", "local", "next", "idle", "?"}[r.IntN(5)], Head: r.IntN(4) == 0, From: r.Int32N(5) - 1,
			N: r.Int64N(3) - 1, Line: r.IntN(5) - 1, Text: []string{"", "x", "\xff\n"}[r.IntN(3)],
		}
		if r.IntN(20) == 0 {
			e.P, e.M, e.From, e.G = 1<<30, 1<<30, 1<<30, 1<<60
		}
		for range r.IntN(4) {
			e.Gs = append(e.Gs, r.Int64N(8)-1)
		}
		log.Events = append(log.Events, e)
	}
	return log
}

func TestAnyLogFolds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		log := randomLog(r)
		s := Fold(log, 0)
		require.Len(t, s.Steps, s.Total)
		events := 0
		for e := log.Events; len(e) > 0; events++ {
			e = e[stepLen(e):]
		}
		require.Equal(t, events, s.Total)
		for i, step := range s.Steps {
			require.NotEmpty(t, step.Text)
			requireOnePlaceEach(t, step.State, i)
		}
		for _, b := range s.Bars {
			require.Less(t, b.From, b.To)
			require.LessOrEqual(t, b.T0, b.T1)
			require.Less(t, b.Row, s.Rows+len(s.Callers))
			require.LessOrEqual(t, b.To, s.Total+1)
		}
		_, err := Fragment(log, Options{})
		require.NoError(t, err)
	}
}

// requireOnePlaceEach fails if a G stands in two places.
func requireOnePlaceEach(t *testing.T, s State, step int) {
	t.Helper()
	var all []int64
	for _, r := range s.Rows {
		if r.G != 0 {
			all = append(all, r.G)
		}
		if r.Next != 0 {
			all = append(all, r.Next)
		}
		all = append(all, r.Queue.Head...)
	}
	all = append(all, s.Global.Head...)
	for _, q := range s.Waiting {
		all = append(all, q.Head...)
	}
	slices.Sort(all)
	require.Equal(t, slices.Compact(slices.Clone(all)), all, "step %d", step+1)
}

// Bars of one row follow one another, and none overlaps.
func TestBarsOfARowDoNotOverlap(t *testing.T) {
	for name, log := range logs {
		end := map[int]int{}
		s := Fold(log(), 0)
		for _, b := range s.Bars {
			assert.GreaterOrEqual(t, b.From, end[b.Row], "%s: %+v", name, b)
			end[b.Row] = b.To
		}
		// The state of each step is that of the bars that cover it.
		for i, step := range s.Steps {
			for r, row := range step.State.Rows {
				var g int64
				for _, b := range s.Bars {
					if b.Row == r && b.From <= i+1 && i+1 < b.To {
						g = b.G
					}
				}
				assert.Equal(t, row.G, g, "%s: step %d row %d", name, i+1, r)
			}
		}
	}
}

func TestLimit(t *testing.T) {
	log := long()
	all, some := Fold(log, 0), Fold(log, 100)
	assert.Greater(t, all.Total, 2000)
	assert.Equal(t, all.Total, some.Total)
	assert.Empty(t, cmp.Diff(all.Steps[:100], some.Steps))
	for _, b := range some.Bars {
		assert.LessOrEqual(t, b.To, 101)
	}
}

func TestLongQueuesAndOutputAreCut(t *testing.T) {
	log := &trace.Log{Header: trace.Header{Procs: 1}}
	for g := range int64(1000) {
		log.Events = append(log.Events, trace.Event{Kind: trace.Put, G: g + 1, Q: "global"}, trace.Event{Kind: trace.Write, G: 1, N: 1, Text: strings.Repeat("é", 100)})
	}
	steps := Fold(log, 0).Steps
	require.Len(t, steps, 1)
	assert.Equal(t, 1000, steps[0].State.Global.Len)
	assert.Len(t, steps[0].State.Global.Head, shown)
	require.Len(t, steps[0].Output, 1)
	text := steps[0].Output[0].Text
	assert.True(t, utf8.ValidString(text))
	assert.Less(t, len(text), maxOutput+100)
	assert.Contains(t, text, "the rest of the output is not kept")
}

func TestARequestToStopIsTold(t *testing.T) {
	assert.Equal(t, []string{"The monitor asks G2 on P1 to stop: it has run for 10 ms."},
		texts(2, trace.Event{Kind: trace.Ask, G: 2, P: 1, M: trace.None, Text: "it has run for 10 ms"}))
}

// An M that loses its P in a system call has a row behind those of the Ps, in which its G is,
// until the call is over: with a P or without one.
func TestCallsWithoutP(t *testing.T) {
	s := Fold(called(), 0)
	assert.Equal(t, []int32{0, 1}, s.Callers)
	var away []Bar
	for _, b := range s.Bars {
		if b.Row >= s.Rows {
			away = append(away, b)
		}
	}
	assert.Equal(t, []Bar{
		{Row: 2, Doing: Calling, G: 2, From: 5, To: 11, T0: 40, T1: 80},
		{Row: 3, Doing: Calling, G: 3, From: 7, To: 9, T0: 50, T1: 60, End: trace.Sysexit},
	}, away)
	atOnce := s.Steps[6].State.Waiting[slices.Index(s.Reasons, inSyscall)]
	assert.Equal(t, Queue{2, []int64{2, 3}}, atOnce)
	assert.EqualValues(t, 2, s.Steps[6].State.Rows[0].M, "the P has another M")

	// Of very many Ms the first have rows.
	log := &trace.Log{Header: trace.Header{Procs: 1}}
	for i := range int32(100) {
		log.Events = append(log.Events, trace.Event{Kind: trace.Run, G: int64(i + 1), M: i}, trace.Event{Kind: trace.Syscall, G: int64(i + 1), M: i},
			trace.Event{Kind: trace.Handoff, M: i, Text: trace.Retaken})
	}
	many := Fold(log, 0)
	assert.Len(t, many.Callers, maxCallers)
	assert.Equal(t, 100, many.Steps[len(many.Steps)-1].State.Waiting[0].Len)
}

// Each kind of event that a reader may look for has its mark, on the row where it happens.
func TestMarks(t *testing.T) {
	found := map[What][]int{}
	for i, step := range Fold(called(), 0).Steps {
		for _, m := range step.Marks {
			found[m.What] = append(found[m.What], i+1, m.Row)
		}
	}
	assert.Equal(t, map[What][]int{
		Calls: {3, 0, 4, 1}, Retakes: {5, 0}, HandsOff: {7, 1}, GrowStack: {8, 0}, Asks: {12, 1}, Signals: {10, 0, 13, 1}, Preempts: {13, 1, 14, 0}, Parks: {15, 1},
	}, found)
}
