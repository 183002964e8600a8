package sim

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine"
)

func TestOptions(t *testing.T) {
	half, err := BareMetal().Scaled("Miss", 0.5)
	require.NoError(t, err)
	assert.Equal(t, 30*Nanosecond, half.Miss)
	assert.Equal(t, 60*Nanosecond, BareMetal().Miss)
	_, err = BareMetal().Scaled("miss", 2)
	assert.ErrorContains(t, err, `there is no setting "miss"; there are ["Instruction" "Load" `)
	free := BareMetal()
	free.Pause = 0

	for want, opt := range map[string]Options{
		"sim: the number of CPUs is 0; it must be 1 to 256":        {},
		"sim: the number of CPUs is 257; it must be 1 to 256":      {CPUs: 257},
		"sim: the setting Pause is 0s, and must be greater than 0": {CPUs: 1, Costs: free},
		"sim: the setting Load is 0s, and must be greater than 0":  {CPUs: 1, Costs: Costs{Instruction: 1}},
		"sim: a limit, a quantum or a patience cannot be negative": {CPUs: 1, Limit: -1},
	} {
		_, err := Run(opt, func() { t.Error("it ran") })
		assert.EqualError(t, err, want)
	}
}

func TestTimeString(t *testing.T) {
	for want, v := range map[string]Time{
		"0s": 0, "1ns": Nanosecond, "0.5ns": 500, "2.25ns": 2250, "5µs": 5 * Microsecond,
		"1.5µs": 1500 * Nanosecond, "1h0m0s": 3600 * Second, "-1ms": -Millisecond,
	} {
		assert.Equal(t, want, v.String())
	}
}

// A deadlock says who sleeps where, and for what.
func TestDeadlock(t *testing.T) {
	r, err := Run(Options{CPUs: 2}, func() {
		var a, b machine.Mutex
		a.Init("a")
		b.Init("b")
		var n machine.Note
		a.Lock()
		machine.Newosproc("m1", func() {
			b.Lock()
			a.Lock()
		})
		machine.Newosproc("m2", func() { n.Sleep() })
		machine.Newosproc("m3", func() {}) // has ended, so it does not sleep
		machine.Usleep(100)
		b.Lock()
	})
	var d *Deadlock
	require.ErrorAs(t, err, &d)
	assert.Equal(t, r.Elapsed, d.At)
	for i := range d.Threads {
		assert.Regexp(t, `^sim/errors_test\.go:\d+$`, d.Threads[i].Where)
		d.Threads[i].Where, d.Threads[i].id = "", 0
	}
	assert.Equal(t, []Sleeper{
		{Thread: "main", For: "for the lock b, which m1 holds"},
		{Thread: "m1", For: "for the lock a, which main holds"},
		{Thread: "m2", For: "on note 3"},
	}, d.Threads)
	assert.Regexp(t, `^deadlock: at [0-9.]+µs all threads of the simulated computer sleep, and nothing will wake them
  main sleeps for the lock b, which m1 holds
  m1 sleeps for the lock a, which main holds
  m2 sleeps on note 3$`, err.Error())
}

// What sleeps for a time is no deadlock, however long the time.
func TestLongSleepIsNoDeadlock(t *testing.T) {
	var n machine.Note
	r := simulate(t, Options{CPUs: 1}, func(s *simulation) { n.SleepTimeout(int64(time.Hour)) })
	assert.InDelta(t, time.Hour, r.Elapsed, float64(time.Millisecond))
}

func TestPanic(t *testing.T) {
	_, err := Run(Options{CPUs: 2}, func() {
		var n machine.Note
		machine.Newosproc("m1", func() {
			var p *int
			*p = 1
		})
		n.Sleep()
	})
	var p *Panic
	require.ErrorAs(t, err, &p)
	assert.Equal(t, "m1", p.Thread)
	assert.Regexp(t, `^panic in thread m1: runtime error: invalid memory address or nil pointer dereference at sim/errors_test\.go:\d+$`, err.Error())

	var fatal machine.Fatal
	_, err = Run(Options{CPUs: 1}, func() {
		var n machine.Note
		n.Wakeup()
		n.Wakeup()
	})
	assert.ErrorAs(t, err, &fatal)
	assert.Regexp(t, `^panic in thread main: fatal error: notewakeup - double wakeup at sim/errors_test\.go:\d+$`, err.Error())

	// A thread may recover itself.
	_, err = Run(Options{CPUs: 1}, func() {
		defer func() { assert.Equal(t, "mine", recover()) }()
		panic("mine")
	})
	assert.NoError(t, err)
}

// A thread that ends by runtime.Goexit, as t.FailNow does, ends the simulation and
// nothing else.
func TestGoexit(t *testing.T) {
	for _, name := range []string{"main", "m1"} {
		_, err := Run(Options{CPUs: 2}, func() {
			if name == "main" {
				runtime.Goexit()
			}
			var n machine.Note
			machine.Newosproc(name, runtime.Goexit)
			n.Sleep()
		})
		assert.ErrorContains(t, err, "thread "+name+": it called runtime.Goexit, perhaps through t.FailNow")
	}
}

func TestLimit(t *testing.T) {
	for _, cpus := range []int{1, 2} {
		r, err := Run(Options{CPUs: cpus, Limit: 20 * Millisecond}, func() {
			var stop machine.Bool
			machine.Newosproc("hog", func() {
				for !stop.Load() {
					machine.Procyield(10)
				}
			})
			for !stop.Load() {
				machine.Osyield()
			}
		})
		assert.EqualError(t, err, "the simulation did not end within 20ms of virtual time")
		assert.InEpsilon(t, 20*time.Millisecond, r.Elapsed, 0.01)
	}
}

// A spin on a variable that the machine does not see is found, and named.
func TestStuck(t *testing.T) {
	if runtime.GOARCH == "wasm" {
		t.Skip("the host has no second thread to watch from")
	}
	var hidden atomic.Bool
	_, err := Run(Options{CPUs: 2, Patience: 300 * time.Millisecond}, func() {
		machine.Newosproc("setter", func() { machine.Usleep(1); hidden.Store(true) })
		for !hidden.Load() {
		}
		machine.Usleep(10_000)
		t.Error("a thread goes on after the simulation")
	})
	var stuck *Stuck
	require.ErrorAs(t, err, &stuck)
	assert.Equal(t, "main", stuck.Thread)
	assert.Regexp(t, `^thread main \(sim/errors_test\.go:\d+\) has not called the machine for 300ms: `, err.Error())

	_, err = Run(Options{CPUs: 1}, func() {})
	assert.EqualError(t, err, "sim: a simulation or exploration is running already: there can be one at a time in a process")
	hidden.Store(true)
	<-stuck.done
	_, err = Run(Options{CPUs: 1}, func() {})
	assert.NoError(t, err)
}

// When main returns, the others end where they are. Their deferred functions run
// up to the first use of the machine, and nobody is left behind.
func TestMainEndsTheOthers(t *testing.T) {
	before := runtime.NumGoroutine()
	var mu machine.Mutex
	var n machine.Note
	var u machine.Uint32
	var first, second []int
	body := []func(){
		n.Sleep,
		func() { mu.Lock() },
		func() { machine.Usleep(1e9) },
		func() {
			for {
				machine.Procyield(100)
			}
		},
		func() {
			for {
				u.Add(1)
			}
		},
		func() { u.Load() }, // ends by itself
	}
	_, err := Run(Options{CPUs: 3}, func() {
		mu.Lock()
		for i, fn := range body {
			machine.Newosproc("", func() {
				defer func() { assert.Nil(t, recover(), "the end is no panic") }()
				defer func() {
					first = append(first, i)
					u.Load()
					second = append(second, i)
				}()
				fn()
				assert.Equal(t, 5, i, "a thread goes on after the end")
			})
		}
		machine.Usleep(20_000)
		machine.Newosproc("never ran", func() { t.Error("it ran") })
	})
	require.NoError(t, err)
	assert.Contains(t, second, 5)
	assert.Len(t, second, 1)
	assert.Contains(t, first, 3)
	for range 1_000_000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		runtime.Gosched() // those that have ended are about to be gone
	}
	t.Errorf("%d goroutines were left behind", runtime.NumGoroutine()-before)
}

// So is a wait for something of Go's own, which would block all threads at once.
func TestStuckOnAChannel(t *testing.T) {
	ch := make(chan int)
	_, err := Run(Options{CPUs: 2, Patience: 300 * time.Millisecond}, func() {
		machine.Newosproc("receiver", func() { <-ch })
		machine.Usleep(1000)
		ch <- 1
	})
	var stuck *Stuck
	require.ErrorAs(t, err, &stuck)
	assert.Regexp(t, `^thread receiver \(sim/errors_test\.go:\d+\) has not called the machine for 300ms: `, err.Error())
	ch <- 1
	<-stuck.done
}

func TestOneSimulationAtATime(t *testing.T) {
	_, err := Run(Options{CPUs: 1}, func() {
		_, err := Run(Options{CPUs: 1}, func() { t.Error("it ran") })
		assert.EqualError(t, err, "sim: a simulation or exploration is running already: there can be one at a time in a process")
	})
	assert.NoError(t, err)
	_, err = Run(Options{CPUs: 1}, func() {})
	assert.NoError(t, err)
}

// Threads that go on for ever end when they have done as much as they may, whether they sleep for
// a while again and again, alone or not, or look at what they share. The error says where each is.
func TestEndless(t *testing.T) {
	var note machine.Note
	var word machine.Uint32
	sleeps := func() {
		for {
			note.SleepTimeout(100_000)
		}
	}
	spins := func() {
		for word.Load() == 0 {
		}
	}
	for name, main := range map[string]func(){"sleeps": sleeps, "spins": spins, "both": func() {
		machine.Newosproc("M1", sleeps)
		spins()
	}} {
		t.Run(name, func(t *testing.T) {
			note.Clear()
			_, err := Run(Options{CPUs: 2, Most: 10_000}, main)
			var endless *Endless
			require.ErrorAs(t, err, &endless)
			assert.Len(t, endless.Threads, map[bool]int{true: 2, false: 1}[name == "both"])
			assert.Contains(t, err.Error(), "no end in sight: after ")
			for _, th := range endless.Threads {
				assert.Contains(t, th.Where, "errors_test.go:", th.Thread)
				assert.Equal(t, name == "sleeps" || th.Thread == "M1", th.For != "", th.Thread)
			}
		})
	}
}
