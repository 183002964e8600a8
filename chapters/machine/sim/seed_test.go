package sim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine"
	"gosched/chapters/sample"
)

// A chaos is a program of threads that do to shared variables whatever comes, by a
// seed of its own, and write down what they found and when.
type chaos struct {
	s       *simulation
	log     bytes.Buffer
	ints    [4]machine.Int64
	flags   [2]machine.Bool
	ptr     machine.Pointer[int]
	cell    machine.Cell[int]
	locks   [2]machine.Mutex
	notes   [chaosThreads]machine.Note
	waking  machine.Bool // a wake-up is on its way
	threads int          // made so far
	seen    [MaxCPUs]Time
	left    machine.Int32
	over    machine.Note
}

const chaosThreads = 12

// run runs the program that the number stands for, and returns all that came out.
func (c *chaos) run(tb testing.TB, program uint64, opt Options) string {
	s := computer(tb, opt)
	c.s = s
	c.locks[0].Init("first")
	c.locks[1].Init("second")
	r, err := s.run(func() {
		machine.Together(&c.ints[2], &c.ints[3], &c.locks[1])
		c.left.Store(1)
		c.threads = 1
		c.thread(program, 0)
		c.over.Sleep()
	})
	require.NoError(tb, err)
	report, err := json.Marshal(r)
	require.NoError(tb, err)
	return c.log.String() + string(report)
}

// thread is a thread, and starts others while there may be more.
func (c *chaos) thread(program uint64, id int) {
	rand := random(program + uint64(id)*1e9)
	for step := range 60 {
		if c.s.now < c.seen[c.s.cpu] {
			c.log.WriteString("the clock of a CPU went back\n")
		}
		n := rand.below(20)
		found := int64(0)
		switch i := rand.below(int64(len(c.ints))); n {
		case 0, 1:
			found = c.ints[i].Add(1)
		case 2:
			found = c.ints[i].Load()
		case 3:
			c.ints[i].CompareAndSwap(found, 7)
		case 4:
			if c.flags[i%2].Swap(step%2 == 0) {
				found = 1
			}
		case 5:
			if p := c.ptr.Load(); p != nil {
				found = int64(*p)
			}
		case 6:
			v := id*100 + step
			c.ptr.Store(&v)
		case 7, 8, 9:
			mu := &c.locks[i%2]
			mu.Lock()
			c.cell.Set(c.cell.Get() + 1)
			machine.Procyield(uint32(rand.below(200)))
			found = int64(c.cell.Get())
			mu.Unlock()
		case 10:
			if c.locks[0].TryLock() {
				c.locks[1].Lock()
				found = 1
				c.locks[1].Unlock()
				c.locks[0].Unlock()
			}
		case 11:
			machine.Procyield(uint32(rand.below(100)))
		case 12:
			machine.Osyield()
		case 13:
			machine.Usleep(uint32(rand.below(50)))
		case 14:
			found = machine.Nanotime()
		case 15, 16:
			execute(c.s, rand.below(5000))
		case 17:
			if c.notes[id].SleepTimeout(rand.below(40_000)) {
				found = 1
				c.notes[id].Clear()
				c.waking.Store(false)
			}
		case 18:
			if c.waking.CompareAndSwap(false, true) {
				c.notes[int(rand.below(int64(c.threads)))].Wakeup()
			}
		case 19:
			if child := c.threads; child < chaosThreads {
				c.threads++
				c.left.Add(1)
				machine.Newosproc("", func() { c.thread(program, child) })
			}
		}
		fmt.Fprintln(&c.log, id, step, n, found, c.s.now)
		c.seen[c.s.cpu] = max(c.seen[c.s.cpu], c.s.now)
	}
	if c.left.Add(-1) == 0 {
		c.over.Wakeup()
	}
}

// The same seed gives the same bytes, whatever the host does meanwhile. Another
// seed gives another run.
func TestSameSeedSameBytes(t *testing.T) {
	for program := range sample.Of[uint64](10, 20, 60) {
		opt := Options{CPUs: 1 + int(program*program%7), Seed: program}
		once := new(chaos).run(t, program, opt)
		require.Equal(t, once, new(chaos).run(t, program, opt), "program %d", program)

		percent := debug.SetGCPercent(10)
		for _, procs := range []int{1, 2} {
			before := runtime.GOMAXPROCS(procs)
			again := new(chaos).run(t, program, opt)
			runtime.GOMAXPROCS(before)
			require.Equal(t, once, again, "program %d, with GOGC=10 and GOMAXPROCS=%d", program, procs)
		}
		debug.SetGCPercent(percent)

		opt.Seed++
		assert.NotEqual(t, once, new(chaos).run(t, program, opt), "program %d: there was a choice", program)
	}
}

// The same on every computer: what the number of this run is was found once, and
// must be found everywhere. A change of the model changes it.
func TestSameOnEveryComputer(t *testing.T) {
	c := new(chaos)
	c.run(t, 3, Options{CPUs: 3, Seed: 3})
	assert.Equal(t, uint64(0x163d853d8c4a1fad), c.s.digest)
}

// A CPU has one thread at a time, however fast they come and go.
func TestCPUsHaveOneThread(t *testing.T) {
	quick := BareMetal()
	quick.WakeLatency, quick.ContextSwitch, quick.FutexSleep = 10, 10, 10
	for program := range uint64(20) {
		for _, c := range []Costs{BareMetal(), quick} {
			assert.NotContains(t, new(chaos).run(t, program, Options{CPUs: 3, Costs: c, Seed: program}), "went back")
		}
	}
}

// A program that never waits and shares nothing has no choice.
func TestNoChoice(t *testing.T) {
	elapsed := func(seed uint64) Time {
		var took Time
		simulate(t, Options{CPUs: 1, Seed: seed}, func(s *simulation) {
			var u machine.Uint32
			took = cost(s, func() {
				for range 100 {
					u.Add(1)
					execute(s, 100)
				}
			})
		})
		return took
	}
	assert.Equal(t, elapsed(1), elapsed(2))
}
