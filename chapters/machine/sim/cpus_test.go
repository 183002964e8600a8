package sim

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
)

// endless returns a program that runs for ever, on a CPU of a machine.
func endless(t testing.TB) (*machine.Thread, *machine.Context) {
	t.Helper()
	prog, err := compile.Compile([]machine.File{{Name: "endless.go", Source: "package main\n\nfunc main() {\n\tfor {\n\t}\n}\n"}})
	require.NoError(t, err)
	m, err := machine.New(prog, machine.Options{MemBytes: 1 << 20})
	require.NoError(t, err)
	st, ok := m.StackAlloc(4096)
	require.True(t, ok)
	c := &machine.Context{PC: prog.Funcs[prog.Entry].Entry, SP: st.Hi - 8}
	c.Guard.Store(uint64(st.Lo) + machine.StackSmall)
	m.SetWord(c.SP, uint64(prog.Goexit))
	return m.NewThread(), c
}

// Threads that never sleep take turns, a slice each, in the order in which they
// came.
func TestSlices(t *testing.T) {
	c := BareMetal()
	c.Slice = 2500 * Microsecond
	const step = Microsecond
	var turns []int
	var began []Time
	simulate(t, Options{CPUs: 1, Costs: c}, func(s *simulation) {
		var done machine.Note
		left := 3
		for i := range 3 {
			machine.Newosproc("", func() {
				for start := s.now; s.now-start < 8*c.Slice; {
					if n := len(turns); n == 0 || turns[n-1] != i {
						turns, began = append(turns, i), append(began, s.now)
					}
					machine.Procyield(uint32(step / c.Pause))
				}
				if left--; left == 0 {
					done.Wakeup()
				}
			})
		}
		done.Sleep()
	})
	// Each needs a bit less than three slices of the CPU's time.
	assert.Equal(t, []int{0, 1, 2, 0, 1, 2, 0, 1, 2}, turns)
	for i := 1; i < 7; i++ {
		assert.InDelta(t, int64(c.Slice+c.ContextSwitch), int64(began[i]-began[i-1]), float64(step), "slice %d", i)
	}
}

// A spin without anything that the machine would switch at must not keep the thread
// it waits for from the only CPU: the slice ends it.
func TestBareSpinEnds(t *testing.T) {
	for name, look := range map[string]func(u *machine.Uint32){
		"load":      func(u *machine.Uint32) {},
		"nanotime":  func(u *machine.Uint32) { machine.Nanotime() },
		"procyield": func(u *machine.Uint32) { machine.Procyield(1) },
		"osyield":   func(u *machine.Uint32) { machine.Osyield() },
		"cas":       func(u *machine.Uint32) { u.CompareAndSwap(2, 3) },
	} {
		t.Run(name, func(t *testing.T) {
			var u machine.Uint32
			r := simulate(t, Options{CPUs: 1, Limit: Second}, func(s *simulation) {
				machine.Newosproc("other", func() { u.Store(1) })
				for u.Load() == 0 {
					look(&u)
				}
			})
			assert.Less(t, r.Elapsed, 2*BareMetal().Slice.Duration())
		})
	}
	t.Run("program", func(t *testing.T) {
		simulate(t, Options{CPUs: 1, Limit: Second}, func(s *simulation) {
			th, c := endless(t)
			machine.Newosproc("other", th.Signal.Send)
			assert.Equal(t, machine.TrapSignal, th.Run(c))
		})
	})
}

// Spinning is work for the CPU, though nothing comes of it.
func TestSpinningCosts(t *testing.T) {
	busy := func(wait func(n *machine.Note, u *machine.Uint32)) (all int64) {
		var n machine.Note
		var u machine.Uint32
		r := simulate(t, Options{CPUs: 2}, func(s *simulation) {
			machine.Newosproc("waiter", func() { wait(&n, &u) })
			machine.Usleep(10_000)
			u.Store(1)
			n.Wakeup()
			machine.Usleep(100)
		})
		for _, c := range r.CPUs {
			all += c.Busy.Microseconds()
		}
		return all
	}
	asleep := busy(func(n *machine.Note, _ *machine.Uint32) { n.Sleep() })
	spinning := busy(func(_ *machine.Note, u *machine.Uint32) {
		for u.Load() == 0 {
		}
	})
	assert.Less(t, asleep, int64(200))
	assert.Greater(t, spinning, int64(9_000))
	assert.Less(t, spinning, int64(11_000))
}

// From the wake-up until the thread runs it takes what the model says.
func TestWakeLatency(t *testing.T) {
	for name, c := range map[string]Costs{"bare metal": BareMetal(), "guest": Guest()} {
		var took []Time
		simulate(t, Options{CPUs: 2, Costs: c}, func(s *simulation) {
			var ping, pong machine.Note
			var sent Time
			machine.Newosproc("sleeper", func() {
				for {
					ping.Sleep()
					took = append(took, s.now-sent)
					ping.Clear()
					pong.Wakeup()
				}
			})
			for range 200 {
				machine.Usleep(100)
				sent = s.now
				ping.Wakeup()
				pong.Sleep()
				pong.Clear()
			}
		})
		require.Len(t, took, 200)
		// The way of the note's line between the CPUs is on top.
		lines := 2 * (c.Miss + c.RMW)
		assert.GreaterOrEqual(t, slices.Min(took), c.WakeLatency*9/10, name)
		assert.LessOrEqual(t, slices.Max(took), c.WakeLatency*11/10+lines, name)
		assert.Greater(t, slices.Max(took)-slices.Min(took), c.WakeLatency/10, "%s: no two times are alike", name)
	}
}

// A thread that wakes up takes the CPU of one that has had it for some time, and
// does not wait for the end of the slice.
func TestWakeupPreempts(t *testing.T) {
	delay := func(c Costs) Time {
		var woken Time
		simulate(t, Options{CPUs: 2, Costs: c}, func(s *simulation) {
			var n machine.Note
			for range 2 {
				machine.Newosproc("hog", func() {
					for {
						machine.Procyield(10)
					}
				})
			}
			n.SleepTimeout(1_500_000)
			woken = s.now
		})
		return woken - 1_500*Microsecond
	}
	c := BareMetal()
	assert.Less(t, delay(c), 100*Microsecond)
	c.WakeSlice = c.Slice
	assert.Greater(t, delay(c), Millisecond)
}

// A thread goes back to the CPU where it was, if it is free: there its lines are.
func TestThreadsStay(t *testing.T) {
	simulate(t, Options{CPUs: 8}, func(s *simulation) {
		at := s.cpu
		for range 50 {
			machine.Usleep(50)
			assert.Equal(t, at, s.cpu)
		}
	})
}

// With more CPUs than threads all run at once; with fewer they share what there is.
func TestCPUsShareTheWork(t *testing.T) {
	elapsed := func(cpus int) float64 {
		r := simulate(t, Options{CPUs: cpus}, func(s *simulation) {
			began := s.now
			together(8, func(int) { execute(s, 20_000_000) })
			assert.Greater(t, s.now-began, 20*Millisecond)
		})
		return r.Elapsed.Seconds()
	}
	one := elapsed(1)
	assert.InEpsilon(t, one/2, elapsed(2), 0.05)
	assert.InEpsilon(t, one/4, elapsed(4), 0.1)
	assert.InEpsilon(t, elapsed(9), elapsed(64), 0.05)
}

// The instructions of a program take their time, and so do the ways in and out.
func TestProgramsTakeTime(t *testing.T) {
	c := BareMetal()
	r := simulate(t, Options{CPUs: 1}, func(s *simulation) {
		th, ctx := endless(t)
		for range 10 {
			began := s.now
			left, trap := th.RunN(ctx, 1000)
			assert.Equal(t, machine.TrapBudget, trap)
			assert.Zero(t, left)
			assert.Equal(t, c.Gogo+1000*c.Instruction+c.Trap, s.now-began)
		}
		assert.Equal(t, c.Trap+c.Newproc, cost(s, func() { s.Trapped(machine.TrapNewproc) }))
		assert.Equal(t, c.Osyield, cost(s, machine.Osyield))
		assert.Equal(t, 30*c.Pause, cost(s, func() { machine.Procyield(30) }))
		assert.Equal(t, c.Pause, cost(s, func() { machine.Procyield(0) }), "even nothing takes time")
		assert.Equal(t, c.Clock, cost(s, func() { machine.Nanotime() }))
		assert.Equal(t, c.ThreadCreate, cost(s, func() { machine.Newosproc("", func() {}) }))
	})
	assert.Equal(t, int64(10_000), r.Instructions)
	assert.Equal(t, 2, r.Threads)
}

// The heap gives the events in the order of their times, whatever is taken back.
func TestEvents(t *testing.T) {
	rand := random(1)
	for range 300 {
		var q events
		var want []event
		for slot := range int32(rand.below(60) + 1) {
			e := newEvent(Time(rand.below(20)), uint32(rand.below(3)), slot)
			q.add(e)
			want = append(want, e)
		}
		for range rand.below(30) {
			slot := int32(rand.below(70))
			q.remove(slot)
			want = slices.DeleteFunc(want, func(e event) bool { return e.slot() == slot })
		}
		for range rand.below(30) {
			if q.empty() {
				break
			}
			e := newEvent(Time(rand.below(20)), uint32(rand.below(3)), q.next().slot())
			want[slices.Index(want, q.swap(e))] = e
		}
		slices.SortFunc(want, func(a, b event) int {
			if a.before(b) {
				return -1
			}
			return 1
		})
		got := []event{}
		for !q.empty() {
			e := q.next()
			require.Equal(t, e, q.pop())
			got = append(got, e)
		}
		require.Equal(t, want, got)
	}
}
