package sim

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"gosched/chapters/machine"
)

// The sections that a mutex keeps apart are apart in virtual time.
func TestMutexKeepsOthersOut(t *testing.T) {
	type section struct{ from, to Time }
	for _, cpus := range []int{1, 2, 9} {
		var mu machine.Mutex
		mu.Init("guard")
		var plain machine.Cell[int]
		var sections []section
		n := 0
		r := simulate(t, Options{CPUs: cpus}, func(s *simulation) {
			together(8, func(i int) {
				for range 50 {
					if i == 3 {
						for !mu.TryLock() {
							machine.Procyield(20)
						}
					} else {
						mu.Lock()
					}
					from := s.now
					n++
					plain.Set(plain.Get() + 1)
					machine.Procyield(uint32(10 * i))
					sections = append(sections, section{from, s.now})
					mu.Unlock()
					machine.Procyield(30)
				}
			})
		})
		assert.Equal(t, 400, n)
		assert.Equal(t, 400, plain.Get())
		assert.True(t, slices.IsSortedFunc(sections, func(a, b section) int {
			if a.to <= b.from {
				return -1
			}
			return 1
		}), "with %d CPUs: a section began before the one before it ended", cpus)
		assert.Equal(t, []string{"guard"}, []string{r.Locks[0].Name})
		assert.Equal(t, int64(400), r.Locks[0].Acquisitions)
	}
}

// What threads wait for locks is summed up by name.
func TestLockReport(t *testing.T) {
	var a, b, c, free machine.Mutex
	a.Init("hchan")
	b.Init("hchan")
	c.Init("sched.lock")
	const hold = 50_000 // cycles of Procyield
	r := simulate(t, Options{CPUs: 7}, func(s *simulation) {
		free.Lock()
		free.Unlock()
		together(6, func(i int) {
			mu := []*machine.Mutex{&a, &a, &b, &b, &c, &c}[i]
			mu.Lock()
			machine.Procyield(hold)
			mu.Unlock()
		})
	})
	for i := range r.Locks {
		t.Logf("%+v", r.Locks[i])
	}
	held := (hold * BareMetal().Pause).Duration()
	assert.Len(t, r.Locks, 3)
	assert.Equal(t, Lock{"hchan", 4, 2, r.Locks[0].Waited}, r.Locks[0])
	assert.Equal(t, Lock{"sched.lock", 2, 1, r.Locks[1].Waited}, r.Locks[1])
	assert.Equal(t, Lock{"", 1, 0, 0}, r.Locks[2])
	// One of two waits as long as the other holds it, and for its wake-up.
	for i, waiters := range []time.Duration{2, 1} {
		assert.Greater(t, r.Locks[i].Waited, waiters*held*9/10)
		assert.Less(t, r.Locks[i].Waited, waiters*held*11/10)
	}
}

// A short wait is spent spinning, a long one asleep.
func TestMutexSpinsThenSleeps(t *testing.T) {
	sleeps := func(cycles uint32) int64 {
		var mu machine.Mutex
		return simulate(t, Options{CPUs: 3}, func(s *simulation) {
			together(2, func(i int) {
				mu.Lock()
				machine.Procyield(cycles)
				mu.Unlock()
			})
		}).Sleeps
	}
	const others = 2 // main sleeps until the start, and until the end
	assert.Equal(t, int64(others), sleeps(3*machine.SpinCycles))
	assert.Equal(t, int64(others+1), sleeps(100*machine.SpinCycles))
}

func TestMisuse(t *testing.T) {
	var mu machine.Mutex
	mu.Init("sched.lock")
	var n machine.Note
	simulate(t, Options{CPUs: 2}, func(s *simulation) {
		assert.PanicsWithValue(t, machine.Fatal{Msg: "unlock of unlocked lock"}, new(machine.Mutex).Unlock)
		mu.Lock()
		assert.False(t, mu.TryLock())
		mu.Unlock()
		assert.PanicsWithValue(t, machine.Fatal{Msg: "unlock of unlocked lock sched.lock"}, mu.Unlock)

		n.Wakeup()
		assert.PanicsWithValue(t, machine.Fatal{Msg: "notewakeup - double wakeup"}, n.Wakeup)
		n.Clear()
		machine.Newosproc("", n.Sleep)
		machine.Usleep(1000)
		assert.PanicsWithValue(t, machine.Fatal{Msg: "notesleep - two threads sleep on one note"}, n.Sleep)
	})
}

func TestNote(t *testing.T) {
	simulate(t, Options{CPUs: 2}, func(s *simulation) {
		var n, other machine.Note
		n.Wakeup()
		n.Sleep() // the wake-up came first
		assert.True(t, n.SleepTimeout(0), "still signalled")
		n.Clear()
		assert.False(t, n.SleepTimeout(0))

		began := machine.Nanotime()
		assert.False(t, n.SleepTimeout(70_000))
		assert.GreaterOrEqual(t, machine.Nanotime()-began, int64(70_000))
		assert.Less(t, machine.Nanotime()-began, int64(80_000), "and a wake-up later, it is awake")

		machine.Newosproc("waker", func() {
			machine.Usleep(500)
			n.Wakeup()
			other.Sleep()
		})
		began = machine.Nanotime()
		assert.True(t, n.SleepTimeout(1e12), "it came before the time was over")
		assert.Less(t, machine.Nanotime()-began, int64(1e6))
		// The timeout that did not happen does not happen later.
		assert.False(t, s.events.pos[s.cur.timer()] != 0)
		other.Wakeup()
	})
}

// Sleeps end in the order of their times, not of their beginnings.
func TestTimeoutsInOrder(t *testing.T) {
	times := []int64{900_000, 100_000, 500_000, 300_000, 700_000}
	var order []int64
	var notes [5]machine.Note
	r := simulate(t, Options{CPUs: 6}, func(s *simulation) {
		for i, ns := range times {
			machine.Newosproc("", func() {
				if i%2 == 0 {
					notes[i].SleepTimeout(ns)
				} else {
					machine.Usleep(uint32(ns / 1000))
				}
				order = append(order, ns)
			})
		}
		machine.Usleep(2000)
	})
	assert.Equal(t, []int64{100_000, 300_000, 500_000, 700_000, 900_000}, order)
	assert.Equal(t, int64(6), r.Sleeps)
	assert.Equal(t, int64(6), r.Wakeups)
	assert.Less(t, r.Elapsed, 3*time.Millisecond)
}

// A signal that is pending ends a Run at the next portion of instructions, though
// the two threads never meet.
func TestSignalEndsRun(t *testing.T) {
	simulate(t, Options{CPUs: 2}, func(s *simulation) {
		th, c := endless(t)
		var sent int64
		machine.Newosproc("sender", func() {
			machine.Usleep(300)
			sent = machine.Nanotime()
			th.Signal.Send()
		})
		assert.Equal(t, machine.TrapSignal, th.Run(c))
		assert.InDelta(t, sent, machine.Nanotime(), float64(5*Microsecond/Nanosecond))
		assert.True(t, th.Signal.Clear())
	})
}
