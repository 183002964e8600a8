//go:build !unwatched

package machine

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A recorder is a hook that writes down what it is told, and answers as if
// there were one thread.
type recorder struct {
	log    []string
	held   map[ID]bool
	set    map[ID]bool
	now    int64
	budget int64
}

func newRecorder(t *testing.T) *recorder {
	r := &recorder{held: map[ID]bool{}, set: map[ID]bool{}, budget: 3}
	t.Cleanup(SetHook(r))
	return r
}

func (r *recorder) note(format string, args ...any) {
	r.log = append(r.log, fmt.Sprintf(format, args...))
}

// take returns what was recorded since the last call.
func (r *recorder) take() []string {
	log := r.log
	r.log = nil
	return log
}

var kindNames = [...]string{"load", "store", "swap", "cas", "add", "and", "or", "release", "get", "set"}

func (r *recorder) Access(id ID, kind AccessKind) { r.note("%s %d", kindNames[kind], id) }

func (r *recorder) Done(id ID, kind AccessKind, old, new Value, ok bool) {
	show := func(v Value) string {
		if p, isPtr := v.Ptr.(*string); isPtr {
			if p == nil {
				return "nil"
			}
			return *p
		}
		return fmt.Sprint(int64(v.Bits))
	}
	r.note("%s %d: %s -> %s %v", kindNames[kind], id, show(old), show(new), ok)
}

func (r *recorder) Lock(id ID, name string) { r.note("lock %d %s", id, name); r.held[id] = true }

func (r *recorder) TryLock(id ID, name string) bool {
	r.note("trylock %d %s", id, name)
	ok := !r.held[id]
	r.held[id] = true
	return ok
}

func (r *recorder) Unlock(id ID) bool {
	r.note("unlock %d", id)
	ok := r.held[id]
	r.held[id] = false
	return ok
}

func (r *recorder) NoteSleep(id ID, ns int64) bool { r.note("sleep %d %d", id, ns); return r.set[id] }

func (r *recorder) NoteWakeup(id ID) bool {
	r.note("wakeup %d", id)
	ok := !r.set[id]
	r.set[id] = true
	return ok
}

func (r *recorder) NoteClear(id ID)               { r.note("clear %d", id); r.set[id] = false }
func (r *recorder) Procyield(cycles uint32)       { r.note("procyield %d", cycles) }
func (r *recorder) Osyield()                      { r.note("osyield") }
func (r *recorder) Usleep(us uint32)              { r.note("usleep %d", us) }
func (r *recorder) Nanotime() int64               { return r.now }
func (r *recorder) Thread(name string, fn func()) { r.note("thread %s", name); fn() }
func (r *recorder) Signal(id ID)                  { r.note("signal %d", id) }
func (r *recorder) Kernel(id ID)                  { r.note("kernel %d", id) }
func (r *recorder) Budget() int64                 { return r.budget }
func (r *recorder) Ran(n int64)                   { r.note("ran %d", n) }

func TestHookSeesAtomics(t *testing.T) {
	var u Uint32
	var i Int64
	var b Bool
	var p Pointer[string]
	u.Store(7)
	r := newRecorder(t)

	i.Add(-5)
	assert.Equal(t, []string{"add 1", "add 1: 0 -> -5 true"}, r.take(), "ids are given at the first touch")
	assert.Equal(t, uint32(7), u.Load())
	assert.Equal(t, []string{"load 2", "load 2: 7 -> 7 true"}, r.take())
	u.Store(8)
	assert.Equal(t, []string{"store 2", "store 2: 7 -> 8 true"}, r.take())
	assert.Equal(t, uint32(8), u.Swap(9))
	assert.Equal(t, []string{"swap 2", "swap 2: 8 -> 9 true"}, r.take())
	assert.False(t, u.CompareAndSwap(1, 2))
	assert.Equal(t, []string{"cas 2", "cas 2: 9 -> 9 false"}, r.take(), "the value that the CAS found")
	assert.True(t, u.CompareAndSwap(9, 12))
	assert.Equal(t, []string{"cas 2", "cas 2: 9 -> 12 true"}, r.take())
	assert.Equal(t, uint32(12), u.And(10))
	assert.Equal(t, []string{"and 2", "and 2: 12 -> 8 true"}, r.take())
	assert.Equal(t, uint32(8), u.Or(1))
	assert.Equal(t, []string{"or 2", "or 2: 8 -> 9 true"}, r.take())
	assert.Equal(t, int64(-4), i.Add(1))
	assert.Equal(t, []string{"add 1", "add 1: -5 -> -4 true"}, r.take())

	b.Store(true)
	assert.True(t, b.Load())
	assert.True(t, b.Swap(false))
	assert.True(t, b.CompareAndSwap(false, true))
	assert.Equal(t, []string{
		"store 3", "store 3: 0 -> 1 true", "load 3", "load 3: 1 -> 1 true",
		"swap 3", "swap 3: 1 -> 0 true", "cas 3", "cas 3: 0 -> 1 true",
	}, r.take())

	var j Hint
	j.Store(7)
	assert.Equal(t, int32(7), j.Load())
	assert.Equal(t, []string{"store 4", "store 4: 0 -> 7 true", "load 4", "load 4: 7 -> 7 true"}, r.take())

	x, y := "x", "y"
	p.Store(&x)
	assert.Same(t, &x, p.Load())
	assert.False(t, p.CompareAndSwap(nil, &y))
	assert.True(t, p.CompareAndSwap(&x, &y))
	assert.Same(t, &y, p.Swap(nil))
	assert.Equal(t, []string{
		"store 5", "store 5: nil -> x true", "load 5", "load 5: x -> x true",
		"cas 5", "cas 5: x -> x false", "cas 5", "cas 5: x -> y true",
		"swap 5", "swap 5: y -> nil true",
	}, r.take())
}

// The owner's Get is no step, its Set is a store, and a Look a load.
func TestHookSeesWhatIsOwned(t *testing.T) {
	var p Owned[string]
	var n OwnedUint32
	var guard Guard
	var flag Flag
	r := newRecorder(t)

	x := "x"
	p.Set(&x)
	assert.Same(t, &x, p.Get())
	assert.Same(t, &x, p.Look())
	assert.Same(t, &x, p.Peek())
	assert.Equal(t, []string{"release 1", "store 1: nil -> x true", "get 1", "load 1", "load 1: x -> x true"}, r.take())

	n.Set(7)
	assert.Equal(t, uint32(7), n.Get())
	assert.Equal(t, uint32(7), n.Look())
	assert.Equal(t, []string{"release 2", "store 2: 0 -> 7 true", "get 2", "load 2", "load 2: 7 -> 7 true"}, r.take())

	guard.Store(5)
	assert.Equal(t, uint64(5), guard.Load())
	flag.Set(true)
	assert.True(t, flag.Get())
	assert.Equal(t, []string{
		"store 3", "store 3: 0 -> 5 true", "load 3", "load 3: 5 -> 5 true",
		"store 4", "store 4: 0 -> 1 true", "load 4", "load 4: 1 -> 1 true",
	}, r.take())
}

func TestHookSeesEverythingElse(t *testing.T) {
	var mu Mutex
	mu.Init("sched")
	var n Note
	var c Cell[[2]int]
	var sig Signal
	r := newRecorder(t)

	c.Set([2]int{3, 4})
	assert.Equal(t, [2]int{3, 4}, c.Get())
	assert.Equal(t, []string{"set 1", "get 1"}, r.take())

	mu.Lock()
	assert.False(t, mu.TryLock())
	mu.Unlock()
	assert.PanicsWithValue(t, Fatal{"unlock of unlocked lock sched"}, mu.Unlock)
	assert.Equal(t, []string{"lock 2 sched", "trylock 2 sched", "unlock 2", "unlock 2"}, r.take())

	assert.False(t, n.SleepTimeout(50))
	n.Wakeup()
	n.Sleep()
	assert.PanicsWithValue(t, Fatal{"notewakeup - double wakeup"}, n.Wakeup)
	n.Clear()
	n.Wakeup()
	assert.Equal(t, []string{"sleep 3 50", "wakeup 3", "sleep 3 -1", "wakeup 3", "clear 3", "wakeup 3"}, r.take())

	Procyield(9)
	Osyield()
	Usleep(4)
	ran := false
	Newosproc("m1", func() { ran = true })
	assert.True(t, ran)
	sig.Send()
	assert.Equal(t, []string{"procyield 9", "osyield", "usleep 4", "thread m1", "signal 4"}, r.take())
	assert.True(t, sig.Clear())
	assert.Equal(t, []string{"swap 4", "swap 4: 1 -> 0 true"}, r.take())
	r.now = 3_000_000_007
	assert.Equal(t, int64(3_000_000_007), Nanotime())
	sec, nsec := Walltime()
	assert.Equal(t, int64(Epoch+3), sec)
	assert.Equal(t, int32(7), nsec)
}

// Under a hook Run gets its instructions in portions, and tells how many it
// used, the last one included.
func TestHookPortionsInstructions(t *testing.T) {
	b := newBuilder()
	b.fn("main.main", 1, 0)
	for range 6 {
		b.op(NOP, 0, 0, 0, 0)
	}
	b.trap(TrapGosched, 0)
	b.ret()
	m := newMachine(t, b.program())
	c, _ := start(t, m, 2048)
	r := newRecorder(t)
	assert.Equal(t, TrapGosched, m.NewThread().Run(c))
	assert.Equal(t, []string{"ran 3", "ran 3", "ran 2"}, r.take())
}

// A hook that counts time is told of gogo, of traps, and of neighbours.
type costRecorder struct{ recorder }

func (r *costRecorder) Gogo()             { r.note("gogo") }
func (r *costRecorder) Trapped(trap Trap) { r.note("trapped %v", trap) }
func (r *costRecorder) Syscall()          { r.note("syscall") }
func (r *costRecorder) Disk()             { r.note("disk") }
func (r *costRecorder) Passed(ns int64)   { r.note("passed %d", ns) }
func (r *costRecorder) Join(line, id ID)  { r.note("join %d %d", line, id) }

var _ CostHook = (*costRecorder)(nil)

func TestCostHook(t *testing.T) {
	b := newBuilder()
	b.fn("main.main", 1, 0)
	b.label("for")
	b.op(NOP, 0, 0, 0, 0)
	b.trap(TrapGosched, 0)
	b.jump(JMP, 0, 0, "for")
	m := newMachine(t, b.program())
	c, _ := start(t, m, 2048)
	r := &costRecorder{recorder{held: map[ID]bool{}, budget: 2}}
	t.Cleanup(SetHook(r))

	left, trap := m.NewThread().RunN(c, 9)
	assert.Equal(t, TrapGosched, trap)
	assert.Equal(t, int64(6), left)
	assert.Equal(t, []string{"gogo", "ran 2", "ran 1", "trapped gosched"}, r.take())

	left, trap = m.NewThread().RunN(c, 1)
	assert.Equal(t, TrapBudget, trap)
	assert.Zero(t, left)
	assert.Equal(t, []string{"gogo", "ran 1", "trapped budget"}, r.take(), "never more than asked for")

	var u, v, used Uint32
	var mu Mutex
	var n Note
	used.Load()
	r.take()
	Together(&u, &v, &used, &mu, &n)
	assert.Equal(t, u.touch(), v.touch(), "a new variable has the number of the line")
	assert.Equal(t, []string{"join 2 1", "join 2 3", "join 2 4"}, r.take(), "what has a number keeps it, as a lock and a note do")
	Together(&u, &v)
	Together()
	assert.Empty(t, r.take())
	mu.TryLock()
	assert.Equal(t, []string{"trylock 3 "}, r.take())

	GCScanned(3000)
	assert.Equal(t, []string{"passed 3000"}, r.take(), "it is no instruction of the program")
}

// Each step of the kernel is a step for the hook, and a signal looks there for a
// sleeper.
func TestHookSeesTheKernel(t *testing.T) {
	m := newMachine(t, &Program{})
	th := m.NewThread()
	r := &costRecorder{recorder{held: map[ID]bool{}, set: map[ID]bool{}}}
	t.Cleanup(SetHook(r))

	th.Signal.Send()
	assert.Equal(t, []string{"signal 1", "kernel 2"}, r.take())
	addr, _ := th.Alloc(16)
	th.Syscall(&Syscall{Num: SysGetpid})
	assert.Equal(t, []string{"syscall"}, r.take())
	th.Syscall(&Syscall{Num: SysPipe, Args: [3]uint64{uint64(addr)}})
	assert.Equal(t, []string{"syscall", "kernel 2"}, r.take())

	m.SetWord(addr, 1)
	sleep := &Syscall{Num: SysNanosleep, Args: [3]uint64{uint64(addr)}}
	assert.False(t, th.Syscall(sleep))
	assert.Equal(t, EINTR, sleep.Err)
	assert.Equal(t, []string{"syscall", "kernel 2", "load 1", "load 1: 1 -> 1 true", "kernel 2"}, r.take(),
		"first it says that it sleeps, then it looks for a signal")
	th.Signal.Clear()
	r.take()
	assert.False(t, th.Syscall(sleep))
	assert.Zero(t, sleep.Err)
	assert.Equal(t, []string{"syscall", "kernel 2", "load 1", "load 1: 0 -> 0 true", "sleep 3 1000000000", "kernel 2"}, r.take())
}

// Without a hook, and under one that does not count time, Together is nothing.
func TestTogetherWithoutCosts(t *testing.T) {
	var u Uint32
	Together(&u)
	assert.Zero(t, u.id)
	r := newRecorder(t)
	Together(&u)
	assert.Empty(t, r.take())
}

// What explored machines leave in their memory is not in that of the machines of the next
// execution, and two of the same execution have their own.
func TestExploredMemoryIsZero(t *testing.T) {
	for range 2 {
		remove := SetHook(&recorder{})
		for _, bytes := range []int64{MinMemBytes, MinMemBytes, 2 * MinMemBytes} {
			m, err := New(&Program{}, Options{MemBytes: bytes})
			require.NoError(t, err)
			assert.Equal(t, bytes, m.Size())
			for addr := Addr(bytes / 2); addr < Addr(bytes); addr += 8 {
				require.Zero(t, m.Word(addr), "at %#x", addr)
				m.SetWord(addr, 1)
			}
		}
		remove()
	}
}

func TestOneHookAtATime(t *testing.T) {
	var u Uint32
	remove := SetHook(&recorder{})
	assert.Panics(t, func() { SetHook(&recorder{}) })
	u.Load()
	assert.Equal(t, ID(1), u.id)
	remove()

	r := newRecorder(t)
	var v Uint32
	v.Load()
	u.Load()
	assert.Equal(t, []string{"load 1", "load 2"}, []string{r.log[0], r.log[2]}, "a new hook numbers anew")
}

func TestAtomicsWithoutHook(t *testing.T) {
	var u Uint32
	u.Store(5)
	assert.Equal(t, uint32(8), u.Add(3))
	assert.Equal(t, uint32(8), u.And(12))
	assert.Equal(t, uint32(8), u.Or(3))
	assert.Equal(t, uint32(11), u.Swap(1))
	assert.False(t, u.CompareAndSwap(5, 6))
	assert.True(t, u.CompareAndSwap(1, 6))
	assert.Equal(t, uint32(6), u.Load())
	var i32 Int32
	assert.Equal(t, int32(-2), i32.Add(-2))
	var i64 Int64
	assert.Equal(t, int64(-2), i64.Add(-2))
	assert.True(t, i64.CompareAndSwap(-2, 9))
	var u64 Uint64
	u64.Store(1 << 40)
	assert.Equal(t, uint64(1<<40), u64.Swap(3))
	var b Bool
	assert.False(t, b.Swap(true))
	assert.True(t, b.CompareAndSwap(true, false))
	b.Store(true)
	assert.True(t, b.Load())
	var p Pointer[int]
	x := 1
	assert.Nil(t, p.Load())
	assert.True(t, p.CompareAndSwap(nil, &x))
	assert.Same(t, &x, p.Swap(nil))
	p.Store(&x)
	assert.Same(t, &x, p.Load())
}

func TestMutex(t *testing.T) {
	var mu Mutex
	assert.PanicsWithValue(t, Fatal{"unlock of unlocked lock"}, mu.Unlock)
	assert.True(t, mu.TryLock())
	assert.False(t, mu.TryLock())
	mu.Unlock()

	// The count is a plain variable: a lock that lets two in loses some, and
	// the race detector sees it.
	const threads, each = 4, 3000
	count := 0
	var wg sync.WaitGroup
	for range threads {
		wg.Add(1)
		Newosproc("", func() {
			defer wg.Done()
			for i := range each {
				mu.Lock()
				count++
				if i%64 == 0 {
					runtime.Gosched() // others find it locked, and sleep
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	assert.Equal(t, threads*each, count)
	assert.True(t, mu.TryLock(), "free at the end")
}

func TestMutexWakesASleeper(t *testing.T) {
	var mu Mutex
	for range 200 {
		mu.Lock()
		locked := make(chan struct{})
		go func() {
			mu.Lock()
			mu.Unlock()
			close(locked)
		}()
		for atomic.LoadUint32(&mu.state) != mutexContended {
			runtime.Gosched()
		}
		mu.Unlock()
		<-locked
	}
}

// While a machine has one CPU its locks are locked all the same, and they stay locked
// for the threads that come then.
func TestMutexOnOneCPU(t *testing.T) {
	m := newMachine(t, &Program{})
	var mu Mutex
	mu.On(m)
	m.OneCPU(true)
	assert.PanicsWithValue(t, Fatal{"unlock of unlocked lock"}, mu.Unlock)
	for range 200 {
		m.OneCPU(true)
		mu.Lock()
		require.False(t, mu.TryLock(), "it is locked")
		mu.Unlock()
		assert.True(t, mu.TryLock())
		mu.Unlock()

		mu.Lock()
		count := 1
		m.OneCPU(false)
		done := make(chan bool)
		Newosproc("", func() {
			mu.Lock()
			count++
			mu.Unlock()
			done <- true
		})
		for atomic.LoadUint32(&mu.state) != mutexContended {
			runtime.Gosched()
		}
		count++
		mu.Unlock()
		<-done
		assert.Equal(t, 3, count)
	}
}

func TestSleeperKeepsOneWake(t *testing.T) {
	var s sleeper
	s.wake()
	s.wake()
	s.sleep(-1)
	began := time.Now()
	s.sleep(1e6)
	assert.GreaterOrEqual(t, time.Since(began), time.Millisecond, "wakes do not add up")
}

func TestNote(t *testing.T) {
	var n Note
	n.Wakeup()
	n.Sleep() // the wake-up came first
	assert.True(t, n.SleepTimeout(0), "still signalled")
	assert.PanicsWithValue(t, Fatal{"notewakeup - double wakeup"}, n.Wakeup)
	n.Clear()
	assert.False(t, n.SleepTimeout(0))
	began := time.Now()
	assert.False(t, n.SleepTimeout(2e6))
	assert.GreaterOrEqual(t, time.Since(began), 2*time.Millisecond)
	n.Wakeup()
	assert.True(t, n.SleepTimeout(1e9))
	n.Clear()

	// Two threads wake each other by turns.
	var a, b Note
	const rounds = 500
	done := make(chan struct{})
	shared := 0
	Newosproc("other", func() {
		defer close(done)
		for range rounds {
			a.Sleep()
			a.Clear()
			shared++
			b.Wakeup()
		}
	})
	for i := range rounds {
		a.Wakeup()
		if i%2 == 0 {
			b.Sleep()
		} else {
			for !b.SleepTimeout(1000) {
			}
		}
		b.Clear()
		require.Equal(t, i+1, shared)
	}
	<-done
}

func TestTwoSleepersOnOneNote(t *testing.T) {
	var n Note
	first := make(chan struct{})
	go func() { n.Sleep(); close(first) }()
	for n.state.Load() != noteSleeping {
		runtime.Gosched()
	}
	assert.PanicsWithValue(t, Fatal{"notesleep - two threads sleep on one note"}, n.Sleep)
	n.Wakeup()
	<-first
}

func TestClock(t *testing.T) {
	a := Nanotime()
	Usleep(1500)
	b := Nanotime()
	assert.GreaterOrEqual(t, b-a, int64(1_500_000))
	sec, nsec := Walltime()
	assert.InDelta(t, time.Now().Unix(), sec, 5)
	assert.Less(t, nsec, int32(1e9))
	Procyield(100)
	Osyield()
}

var benchmarks = struct {
	u   Uint32
	au  atomic.Uint32
	b   Bool
	ab  atomic.Bool
	p   Pointer[int]
	ap  atomic.Pointer[int]
	mu  Mutex
	smu sync.Mutex
}{}

// BenchmarkAtomic compares operations without a hook with those of the standard
// library: ns/op is ours, and ratio the median of ours by theirs, measured by
// turns so that what else happens on the machine hits both.
func BenchmarkAtomic(b *testing.B) {
	v, x := &benchmarks, new(int)
	for _, bm := range []struct {
		name         string
		ours, theirs func(n int)
	}{
		{"Load", func(n int) {
			for range n {
				v.u.Load()
			}
		}, func(n int) {
			for range n {
				v.au.Load()
			}
		}},
		{"Store", func(n int) {
			for range n {
				v.u.Store(1)
			}
		}, func(n int) {
			for range n {
				v.au.Store(1)
			}
		}},
		{"CompareAndSwap", func(n int) {
			for range n {
				v.u.CompareAndSwap(1, 1)
			}
		}, func(n int) {
			for range n {
				v.au.CompareAndSwap(1, 1)
			}
		}},
		{"BoolStore", func(n int) {
			for range n {
				v.b.Store(true)
			}
		}, func(n int) {
			for range n {
				v.ab.Store(true)
			}
		}},
		{"PointerStore", func(n int) {
			for range n {
				v.p.Store(x)
			}
		}, func(n int) {
			for range n {
				v.ap.Store(x)
			}
		}},
		{"Mutex", func(n int) {
			for range n {
				v.mu.Lock()
				v.mu.Unlock()
			}
		}, func(n int) {
			for range n {
				v.smu.Lock()
				v.smu.Unlock()
			}
		}},
	} {
		b.Run(bm.name, func(b *testing.B) {
			const turns = 51
			ratios := make([]float64, turns)
			ours := time.Duration(0)
			for i := range ratios {
				n := b.N/turns + 1
				start := time.Now()
				bm.ours(n)
				middle := time.Now()
				bm.theirs(n)
				ours += middle.Sub(start)
				ratios[i] = float64(middle.Sub(start)) / float64(time.Since(middle))
			}
			slices.Sort(ratios)
			b.ReportMetric(float64(ours)/float64(b.N), "ns/op")
			b.ReportMetric(ratios[turns/2], "ratio")
		})
	}
}
