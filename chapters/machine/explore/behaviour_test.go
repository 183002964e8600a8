package explore_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine"
	. "gosched/chapters/machine/explore"
)

func failure(t *testing.T, r Result, kind Kind) *Failure {
	t.Helper()
	require.NotNil(t, r.Failure, "%v", r)
	require.Equal(t, kind, r.Failure.Kind, "%v", r.Failure)
	return r.Failure
}

func TestNondeterminism(t *testing.T) {
	executions := 0
	r := Explore(Options{}, func(m *Model) {
		var x, y machine.Uint32
		executions++
		changed := executions > 6
		m.Thread("one", func() {
			if changed {
				y.Load()
			}
			x.Store(1)
		})
		m.Thread("other", func() {
			x.Load()
			x.Load()
		})
	})
	f := failure(t, r, Unstable)
	assert.Contains(t, f.Message, "the model does something else")
	assert.Contains(t, f.Message, "random choices go through Choose")

	// State that is kept from one execution to the next.
	var kept machine.Uint32
	r = Explore(Options{}, func(m *Model) {
		m.Thread("one", func() {
			if kept.Add(1) > 2 {
				kept.Load()
			}
		})
		m.Thread("other", func() { kept.Load() })
	})
	failure(t, r, Unstable)
}

// A failure that does not come again in the same schedule is the model's fault.
func TestUnstableFailure(t *testing.T) {
	executions := 0
	r := Explore(Options{}, func(m *Model) {
		executions++
		first := executions == 1
		m.Thread("one", func() {})
		m.Check(func() { assert.False(m, first) })
	})
	f := failure(t, r, Unstable)
	assert.Contains(t, f.Message, "in the same schedule it did not do so again")
}

func TestUnusableModels(t *testing.T) {
	f := failure(t, Explore(Options{}, func(m *Model) {}), Misuse)
	assert.Equal(t, "unusable model:\n  the model has no threads: its function must call Thread", f.String())

	f = failure(t, Explore(Options{}, func(m *Model) {
		m.Thread("one", func() { m.Thread("late", func() {}) })
	}), Panic)
	assert.Contains(t, f.Message, "a thread starts others with machine.Newosproc")

	f = failure(t, Explore(Options{}, func(m *Model) {
		for range 17 {
			m.Thread("", func() {})
		}
	}), Panic)
	assert.Contains(t, f.Message, "at most 16 threads")

	f = failure(t, Explore(Options{}, func(m *Model) { panic("no") }), Panic)
	assert.Equal(t, "the model: no", f.Message)
	assert.Equal(t, "no", f.Panic)
}

// What is left of an execution is unwound: deferred functions run, none of their
// operations counts, and nobody's coroutine is lost.
func TestUnwinding(t *testing.T) {
	deferred, went := 0, 0
	before := runtime.NumGoroutine()
	for range 20 {
		r := Explore(Options{}, func(m *Model) {
			var mu machine.Mutex
			var n machine.Note
			m.Thread("one", func() {
				mu.Lock()
				defer func() { deferred++; mu.Unlock(); went++ }()
				n.Sleep()
				went++
			})
			m.Thread("other", func() {
				defer func() { recover() }()
				mu.Lock()
				went++
			})
		})
		failure(t, r, Deadlock)
	}
	assert.Positive(t, deferred)
	assert.Zero(t, went, "code behind an operation that never came to its end")
	assert.LessOrEqual(t, runtime.NumGoroutine(), before)
}

// A thread that recovers from everything, for ever, costs a coroutine and no
// more.
func TestThreadThatCannotBeEnded(t *testing.T) {
	r := Explore(Options{Depth: 30}, func(m *Model) {
		var x machine.Uint32
		try := func() {
			defer func() { recover() }()
			x.Load()
		}
		m.Thread("immortal", func() {
			for {
				try()
			}
		})
	})
	failure(t, r, Livelock)
}

// FailNow of a *testing.T on a thread ends the test, and leaves nothing behind.
func TestGoexit(t *testing.T) {
	done := make(chan bool)
	go func() {
		defer close(done)
		Explore(Options{}, func(m *Model) {
			var x machine.Uint32
			m.Thread("one", func() {
				x.Load()
				runtime.Goexit()
			})
			m.Thread("other", func() { x.Load() })
		})
		t.Error("it goes on")
	}()
	<-done
	assert.Nil(t, Explore(Options{}, noteModel(false)).Failure)
}

// A thread that is asleep when a number is chosen is asleep for each of the numbers. If
// it were awake for all but the first, the search would find the same, but twice:
// 1,182 executions.
func TestAsleepWhileChoosing(t *testing.T) {
	r := Explore(Options{}, func(m *Model) {
		var x, y machine.Uint32
		for _, name := range []string{"a", "b", "c"} {
			m.Thread(name, func() {
				x.Add(1)
				m.Choose(2)
				y.Add(1)
			})
		}
	})
	assert.Equal(t, "exhaustive: 1,010 executions, 6,060 steps", r.String())
}

// A thread that would wait, since it has looked twice and seen nothing new, comes to another look,
// because another number is chosen in the same place: it is out of the loop, and does not wait.
func TestChoiceEndsLoop(t *testing.T) {
	r := Explore(Options{}, func(m *Model) {
		var x machine.Uint32
		m.Thread("looks", func() {
			for round := 1; x.Load() == 0; round++ {
				machine.Procyield(1)
				if m.Choose(2) == 1 && round == 2 {
					assert.NotZero(m, x.Load(), "a look behind the loop")
					return
				}
			}
		})
		m.Thread("writes", func() { x.Store(1) })
	})
	assert.Contains(t, failure(t, r, Violation).Message, "a look behind the loop")
}

// Two threads come to their next operation after the same step, because one of them has begun
// with it, and both have yielded. Where each of them is remains so when the step is made again: if
// the two were taken for each other, a thread that waits would look once more, in 175 executions.
func TestLoopThatStartsThread(t *testing.T) {
	r := Explore(Options{}, func(m *Model) {
		var x, y machine.Uint32
		m.Thread("starts", func() {
			x.Load()
			machine.Newosproc("ends it", func() {
				machine.Procyield(1)
				x.Store(1)
			})
			for machine.Procyield(1); x.Load() == 0; machine.Procyield(1) {
			}
		})
		m.Thread("one", func() { y.Add(1) })
		m.Thread("other", func() { y.Add(1) })
	})
	assert.Equal(t, "exhaustive: 156 executions, 874 steps", r.String())
}

func TestEndlessChoice(t *testing.T) {
	endless := func(m *Model) {
		for m.Choose(2) == 0 {
		}
	}
	r := Explore(Options{Depth: 50}, func(m *Model) { m.Thread("one", func() { endless(m) }) })
	assert.Equal(t, "one calls Choose again and again", failure(t, r, Livelock).Message)
	r = Explore(Options{Depth: 50}, endless)
	assert.Equal(t, "the model calls Choose again and again", failure(t, r, Livelock).Message)
}

// A loop that changes something in each round cannot be told from one that gets
// somewhere, so others get their turn, and the result says that not all of its
// rounds were tried.
func TestLoopThatWrites(t *testing.T) {
	r := Explore(Options{Steps: 30_000}, func(m *Model) {
		var tries machine.Uint32
		var flag machine.Bool
		m.Thread("spinner", func() {
			for !flag.Load() {
				tries.Add(1)
				machine.Osyield()
			}
		})
		m.Thread("other", func() { flag.Store(true) })
	})
	require.Nil(t, r.Failure, "%v", r.Failure)
	assert.False(t, r.Exhaustive)
	assert.Contains(t, r.String(), "not exhaustive, since a loop that yields was cut short")
}

func TestLoopsWithoutLooking(t *testing.T) {
	r := Explore(Options{}, func(m *Model) {
		m.Thread("one", func() {
			for {
				machine.Osyield()
			}
		})
	})
	assert.Contains(t, failure(t, r, Livelock).Message, "one yields for ever without looking")
	r = Explore(Options{}, func(m *Model) {
		var c machine.Cell[bool]
		m.Thread("one", func() {
			for !c.Get() {
			}
		})
	})
	assert.Contains(t, failure(t, r, Livelock).Message, "one uses a Cell again and again")
}

// Locking and unlocking to look at something is no change, so such a loop waits,
// too.
func TestLoopUnderLock(t *testing.T) {
	r := Explore(Options{}, func(m *Model) {
		var mu machine.Mutex
		var done machine.Cell[bool]
		look := func() bool {
			mu.Lock()
			defer mu.Unlock()
			return done.Get()
		}
		m.Thread("spinner", func() {
			for !look() {
				machine.Osyield()
			}
		})
		m.Thread("other", func() {
			mu.Lock()
			done.Set(true)
			mu.Unlock()
		})
	})
	require.Nil(t, r.Failure, "%v", r.Failure)
	assert.True(t, r.Exhaustive, "%v", r)
}

func TestSignals(t *testing.T) {
	seen := map[bool]bool{}
	r := Explore(Options{}, func(m *Model) {
		var s machine.Signal
		m.Thread("sender", s.Send)
		m.Thread("receiver", func() { seen[s.Clear()] = true })
	})
	require.Nil(t, r.Failure)
	assert.Len(t, seen, 2)
}

func TestCheckThatWaits(t *testing.T) {
	r := Explore(Options{}, func(m *Model) {
		var mu machine.Mutex
		mu.Init("sched")
		m.Thread("one", mu.Lock)
		m.Check(func() { mu.Lock() })
	})
	f := failure(t, r, Deadlock)
	assert.Equal(t, "the check waits for ever: the lock sched is still held by one, so it can never be locked here", f.Message)

	r = Explore(Options{}, func(m *Model) {
		var n machine.Note
		m.Thread("one", func() {})
		m.Check(n.Sleep)
	})
	failure(t, r, Deadlock)
}

func TestThreadsStartThreads(t *testing.T) {
	r := Explore(Options{}, func(m *Model) {
		var x machine.Uint32
		var c machine.Cell[int]
		m.Thread("one", func() {
			c.Set(1)
			machine.Newosproc("m1", func() {
				c.Set(c.Get() + 1) // after its start, so no race
				x.Add(1)
			})
			x.Add(1)
		})
		m.Check(func() {
			assert.Equal(m, 2, c.Get())
			assert.Equal(m, uint32(2), x.Load())
		})
	})
	require.Nil(t, r.Failure, "%v", r.Failure)
	assert.True(t, r.Exhaustive)

	r = Explore(Options{}, func(m *Model) {
		var c machine.Cell[int]
		m.Thread("one", func() {
			machine.Newosproc("m1", func() { c.Set(1) })
			c.Get()
		})
	})
	f := failure(t, r, DataRace)
	assert.Contains(t, f.Message, "neither waits for the other")
}

// Two stores to one variable are in no order by Go's memory model, so the race
// shows even in a schedule in which they happen to be.
func TestStoresDoNotSynchronise(t *testing.T) {
	r := Explore(Options{}, func(m *Model) {
		var c machine.Cell[int]
		var x machine.Uint32
		m.Thread("one", func() {
			c.Set(1)
			x.Store(1)
		})
		m.Thread("other", func() {
			x.Store(2)
			c.Set(2)
		})
	})
	failure(t, r, DataRace)
	assert.Equal(t, 1, r.Executions)
}

// Every order of looks at the clock and of sleeps is tried, and whoever waits for
// a time gets there.
func TestTime(t *testing.T) {
	seen := map[string]bool{}
	r := Explore(Options{}, func(m *Model) {
		var a, b int64
		m.Thread("one", func() {
			machine.Usleep(5)
			a = machine.Nanotime()
		})
		m.Thread("other", func() { b = machine.Nanotime() })
		m.Check(func() { seen[fmt.Sprint(a, b)] = true })
	})
	require.Nil(t, r.Failure)
	assert.True(t, r.Exhaustive)
	assert.Equal(t, map[string]bool{"5000 0": true, "5000 5000": true}, seen)

	r = Explore(Options{}, func(m *Model) {
		m.Thread("one", func() {
			for machine.Nanotime() < 1e9 {
				machine.Osyield()
			}
		})
	})
	require.Nil(t, r.Failure, "%v", r.Failure)
}

func TestSleepTimesOutOrNot(t *testing.T) {
	seen := map[bool]bool{}
	r := Explore(Options{}, func(m *Model) {
		var n machine.Note
		m.Thread("sleeper", func() { seen[n.SleepTimeout(100)] = true })
		m.Thread("waker", n.Wakeup)
	})
	require.Nil(t, r.Failure)
	assert.Len(t, seen, 2)
}

func TestDaemons(t *testing.T) {
	var n *machine.Note
	serve := func() { n.Sleep() }
	r := Explore(Options{}, func(m *Model) {
		n = &machine.Note{}
		m.Daemon("m", serve)
		m.Thread("p", func() {})
	})
	assert.Nil(t, r.Failure, "a daemon may sleep for ever")
	r = Explore(Options{}, func(m *Model) {
		n = &machine.Note{}
		m.Thread("m", serve)
	})
	f := failure(t, r, LostWakeup)
	assert.Equal(t, "m sleeps on a note, and no thread is left to wake it", f.Message)
	r = Explore(Options{}, func(m *Model) {
		var mu machine.Mutex
		mu.Init("sched")
		m.Daemon("m", mu.Lock)
		m.Daemon("m2", mu.Lock)
	})
	f = failure(t, r, Deadlock)
	assert.Equal(t, "m2 waits for the lock sched, which m held when it ended", f.Message)
}

func TestFailNow(t *testing.T) {
	r := Explore(Options{}, func(m *Model) {
		m.Thread("one", func() {
			require.Equal(m, 1, 2, "the sum")
			m.Errorf("not reached")
		})
	})
	f := failure(t, r, Violation)
	assert.Equal(t, "the sum\nexpected: 1\nactual  : 2", f.Message)
}

func TestReplayStrings(t *testing.T) {
	model := ringModel(4, getByStore, "pg", 1)
	for text, want := range map[string]string{
		"":           "",
		"1:":         "",
		"a5":         `the replay string "a5" does not begin with "1:"; copy it from the report as a whole`,
		"1:a5?":      `the replay string "1:a5?" is damaged at "?"; copy it from the report as a whole`,
		"1:a0":       "is damaged",
		"1:a9999999": "is damaged",
		"1:.1":       "is damaged",
		"1:z":        "is damaged",
		"1:[a2":      "is damaged",
		"1:a]2":      `is damaged at "]2"`,
		"1:[[a]2]2":  "is damaged",
		"1:[a9]9999": "is damaged",
		"1:[]9999":   "",
		"1:b40":      "the replay does not fit this code: after 3 steps",
		"1:.1.":      "the replay does not fit this code: after 0 steps",
		"1:c":        "the replay does not fit this code: after 0 steps",
	} {
		r := Explore(Options{Replay: text}, model)
		if want == "" {
			assert.True(t, r.Failure == nil || r.Failure.Kind == Violation, "%q: %v", text, r.Failure)
			continue
		}
		f := failure(t, r, BadReplay)
		assert.Contains(t, f.Message, want, "%q", text)
	}
}

// A schedule that is mended since says so.
func TestReplayOfMendedCode(t *testing.T) {
	f := failure(t, Explore(Options{}, ringModel(4, nextByStore, "ng", 1)), Violation)
	r := Explore(Options{Replay: f.Replay}, ringModel(4, none, "ng", 1))
	require.Nil(t, r.Failure, "%v", r.Failure)
	assert.Equal(t, "nothing goes wrong in this schedule any more", r.String())
}

func TestOneExplorationAtATime(t *testing.T) {
	r := Explore(Options{}, func(m *Model) {
		m.Thread("one", func() {
			Explore(Options{}, func(m *Model) {})
		})
	})
	f := failure(t, r, Panic)
	assert.Contains(t, f.Message, "there can be one at a time in a process")
}

// reporter is a TB.
type reporter struct {
	logs, errors []string
	stopped      bool
}

func (r *reporter) Helper() {}
func (r *reporter) Logf(format string, args ...any) {
	r.logs = append(r.logs, fmt.Sprintf(format, args...))
}
func (r *reporter) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}
func (r *reporter) FailNow() { r.stopped = true }

func TestRun(t *testing.T) {
	var tb reporter
	Run(&tb, ringModel(4, none, "pg", 1))
	assert.Empty(t, tb.errors)
	require.Len(t, tb.logs, 1)
	assert.Regexp(t, `^exhaustive: \d+ executions, [\d,]+ steps$`, tb.logs[0])

	tb = reporter{}
	Run(&tb, ringModel(4, getByStore, "pg", 1))
	assert.True(t, tb.stopped)
	require.Len(t, tb.errors, 1)
	assert.True(t, strings.HasPrefix(tb.errors[0], "violated check:\n  G1 is doubled: "), tb.errors[0])

	t.Setenv(ReplayEnv, "1:a8b4a")
	tb = reporter{}
	r := Run(&tb, ringModel(4, getByStore, "pg", 1))
	assert.Equal(t, 1, r.Executions)
	assert.True(t, tb.stopped)
}

// An Owned has one owner at a time, and whoever looks at it sees each order of its Set
// and of what comes before and after.
func TestOwned(t *testing.T) {
	f := failure(t, Explore(Options{}, func(m *Model) {
		var tick machine.OwnedUint32
		for _, name := range []string{"one", "other"} {
			m.Thread(name, func() { tick.Set(tick.Get() + 1) })
		}
	}), DataRace)
	assert.Contains(t, f.Message, "neither waits for the other")

	// The owner publishes what it links before it says that it runs, or after: only in
	// one of the two does the other thread find nothing.
	publish := func(first bool) func(m *Model) {
		return func(m *Model) {
			var link machine.Owned[int]
			var running machine.Bool
			m.Thread("owner", func() {
				if first {
					link.Set(new(int))
					running.Store(true)
				} else {
					running.Store(true)
					link.Set(new(int))
				}
			})
			m.Thread("monitor", func() {
				if running.Load() && link.Look() == nil {
					m.Errorf("it runs, and has no link")
				}
			})
		}
	}
	assert.Nil(t, Explore(Options{}, publish(true)).Failure)
	failure(t, Explore(Options{}, publish(false)), Violation)

	// A request that is withdrawn before it is read is lost in one of the orders.
	lost := Explore(Options{}, func(m *Model) {
		var wanted machine.Flag
		var guard machine.Guard
		seen := false
		m.Thread("owner", func() {
			seen = wanted.Get()
			wanted.Set(false)
			guard.Store(1)
		})
		m.Thread("monitor", func() {
			wanted.Set(true)
			guard.Store(machine.StackPreempt)
		})
		m.Check(func() {
			if !seen && guard.Load() == 1 {
				m.Errorf("the request is lost")
			}
		})
	})
	failure(t, lost, Violation)
}

// What is lost or doubled is said with how often it was put and taken.
func TestLedgerCounts(t *testing.T) {
	for want, moves := range map[string][2]int{
		"7 is lost: the model put it, and it was never taken":                                              {1, 0},
		"7 is lost: it was put twice and taken only once":                                                  {2, 1},
		"the model took 7, which had never been put":                                                       {0, 1},
		"7 is doubled: it was put once and taken twice, by the model and by the model":                     {1, 2},
		"7 is doubled: it was put twice and taken 3 times, by the model and by the model and by the model": {2, 3},
	} {
		f := Explore(Options{}, func(m *Model) {
			m.Thread("idle", func() {})
			for range moves[0] {
				m.Put(7)
			}
			for range moves[1] {
				m.Take(7)
			}
		}).Failure
		require.NotNil(t, f, want)
		assert.Equal(t, want, f.Message)
	}
}
