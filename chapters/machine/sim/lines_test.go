package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine"
)

// simulate runs main on a simulation that it can look into.
func simulate(t testing.TB, opt Options, main func(s *simulation)) Report {
	t.Helper()
	s := computer(t, opt)
	r, err := s.run(func() { main(s) })
	require.NoError(t, err)
	return r
}

// together runs fn on so many threads that begin at about the same time, and
// returns when all have ended.
func together(threads int, fn func(i int)) {
	var start machine.Bool
	var left machine.Int32
	var done machine.Note
	left.Store(int32(threads))
	for i := range threads {
		machine.Newosproc("", func() {
			for !start.Load() {
				machine.Procyield(10)
			}
			fn(i)
			if left.Add(-1) == 0 {
				done.Wakeup()
			}
		})
	}
	machine.Usleep(1000)
	start.Store(true)
	done.Sleep()
}

// cost returns by how much what fn does makes the clock go on, on a thread that
// runs alone.
func cost(s *simulation, fn func()) Time {
	began := s.now
	fn()
	return s.now - began
}

func TestAccessCosts(t *testing.T) {
	c := BareMetal()
	simulate(t, Options{CPUs: 1}, func(s *simulation) {
		var u machine.Uint32
		assert.Equal(t, c.Miss+c.Load, cost(s, func() { u.Load() }), "the first look at a variable")
		assert.Equal(t, c.Load, cost(s, func() { u.Load() }), "the second")
		assert.Equal(t, c.RMW, cost(s, func() { u.Store(1) }), "nobody else has the line, so it may be written")
		assert.Equal(t, c.RMW, cost(s, func() { u.CompareAndSwap(7, 8) }), "also a CompareAndSwap that fails")

		var cell machine.Cell[int]
		cell.Set(1)
		assert.Equal(t, 2*c.Load, cost(s, func() { cell.Set(cell.Get() + 1) }), "plain data")
	})
}

// A line of which others have copies must be taken from them before it is written.
func TestWritingASharedLine(t *testing.T) {
	c := BareMetal()
	var u machine.Uint32
	simulate(t, Options{CPUs: 2}, func(s *simulation) {
		u.Load()
		machine.Newosproc("reader", func() {
			assert.Equal(t, c.Miss+c.Load, cost(s, func() { u.Load() }))
			machine.Usleep(100)
			assert.Equal(t, c.Miss+c.Load, cost(s, func() { u.Load() }), "the copy is worth nothing any more")
		})
		machine.Usleep(50)
		assert.Equal(t, c.Load, cost(s, func() { u.Load() }), "both have a copy")
		assert.Equal(t, c.Miss+c.RMW, cost(s, func() { u.Add(1) }))
		assert.Equal(t, c.RMW, cost(s, func() { u.Add(1) }))
		machine.Usleep(200)
	})
}

// What threads do to one variable makes its line go back and forth. Each on its
// own variable, they do not hear of each other.
func TestSharingAVariableCosts(t *testing.T) {
	const each = 1000
	count := func(cpus int, of func(counters []machine.Int64, i int) *machine.Int64) Report {
		counters := make([]machine.Int64, 4)
		r := simulate(t, Options{CPUs: cpus}, func(s *simulation) {
			together(4, func(i int) {
				c := of(counters, i)
				for range each {
					c.Add(1)
				}
			})
		})
		sum := int64(0)
		for i := range counters {
			sum += counters[i].Load()
		}
		assert.Equal(t, int64(4*each), sum, "every Add counts")
		return r
	}
	shared := count(5, func(c []machine.Int64, i int) *machine.Int64 { return &c[0] })
	private := count(5, func(c []machine.Int64, i int) *machine.Int64 { return &c[i] })
	oneCPU := count(1, func(c []machine.Int64, i int) *machine.Int64 { return &c[0] })
	assert.Greater(t, shared.Misses, int64(4*each/2), "most of the time another CPU has the line")
	assert.Less(t, private.Misses, int64(100))
	assert.Less(t, oneCPU.Misses, int64(100), "on one CPU the line is always there")
}

// Variables that lie on one line are as bad as one variable, false sharing.
func TestTogether(t *testing.T) {
	const each = 1000
	misses := func(layout func(a, b *machine.Int64)) int64 {
		var counters [2]machine.Int64
		return simulate(t, Options{CPUs: 3}, func(s *simulation) {
			layout(&counters[0], &counters[1])
			together(2, func(i int) {
				for range each {
					counters[i].Add(1)
				}
			})
		}).Misses
	}
	apart := misses(func(a, b *machine.Int64) {})
	neighbours := misses(func(a, b *machine.Int64) { machine.Together(a, b) })
	again := misses(func(a, b *machine.Int64) {
		machine.Together(a, b)
		machine.Together(b, a)
		machine.Together(a)
		machine.Together()
	})
	assert.Less(t, apart, int64(100))
	assert.Greater(t, neighbours, int64(each))
	assert.Equal(t, neighbours, again, "said twice, it is the same")

	simulate(t, Options{CPUs: 1}, func(s *simulation) {
		var v [6]machine.Int64
		machine.Together(&v[0], &v[1])
		machine.Together(&v[2], &v[3])
		machine.Together(&v[1], &v[3], &v[4])
		v[0].Add(1)
		for i := range v {
			misses := s.misses
			v[i].Add(1)
			assert.Equal(t, i == 5, s.misses > misses, "variable %d: lines that were joined stay so", i)
		}
	})
}

// Everybody may have a copy of what nobody writes.
func TestReadersDoNotDisturb(t *testing.T) {
	var u machine.Uint32
	r := simulate(t, Options{CPUs: 9}, func(s *simulation) {
		u.Store(1)
		together(8, func(int) {
			for range 1000 {
				u.Load()
			}
		})
	})
	assert.Less(t, r.Misses, int64(200))
}

// On as many CPUs as there can be, each keeps its copy until one of them writes, and then
// the others have none.
func TestCopiesOnAllCPUs(t *testing.T) {
	var u machine.Uint32
	simulate(t, Options{CPUs: MaxCPUs}, func(s *simulation) {
		const id = 1 // of u, since nothing was touched before
		u.Store(1)
		used := map[int]bool{}
		together(MaxCPUs-1, func(int) {
			used[s.cpu] = true
			u.Load()
			assert.True(t, s.has(s.line(id), s.cpu, false))
			assert.False(t, s.has(s.line(id), s.cpu, true))
			machine.Usleep(2000)
		})
		assert.Len(t, used, MaxCPUs-1)
		u.Store(2)
		for cpu := range MaxCPUs {
			assert.Equal(t, cpu == s.cpu, s.has(s.line(id), cpu, false), "CPU %d", cpu)
		}
	})
}

// Whoever was given a copy has one until somebody else writes, be they few or many. What is
// kept of the many is used again: there are no more sets than lines that many have at once.
func TestCopies(t *testing.T) {
	var l lineStore
	for range 100 {
		for id := machine.ID(1); id <= 3; id++ {
			cpus := []int{0, MaxCPUs - 1, 3, 64, 7, 128, 5}
			l.give(l.line(id), cpus[0])
			assert.True(t, l.has(l.line(id), cpus[0], true))
			for n := 1; n < len(cpus); n++ {
				l.share(l.line(id), cpus[n])
				for i, cpu := range cpus {
					assert.Equal(t, i <= n, l.has(l.line(id), cpu, false), "CPU %d, where %v have copies", cpu, cpus[:n+1])
					assert.False(t, l.has(l.line(id), cpu, true), "CPU %d writes, where %v have copies", cpu, cpus[:n+1])
				}
			}
			l.give(l.line(id), 2)
			assert.True(t, l.has(l.line(id), 2, true))
			for _, cpu := range cpus {
				assert.False(t, l.has(l.line(id), cpu, false), "CPU %d, where CPU 2 has written", cpu)
			}
		}
	}
	assert.Len(t, l.sets, 1)
}

func TestCPUSet(t *testing.T) {
	set := allCPUs(130)
	set.remove(64)
	assert.Equal(t, 129, set.len())
	assert.Equal(t, []int{0, 63, 65, 129}, []int{set.nth(0), set.nth(63), set.nth(64), set.nth(128)})
	assert.True(t, set.has(129))
	assert.False(t, set.has(64) || set.has(130))
}

// A line that many want to write at once goes from one to the next, so the last
// one waits for all others.
func TestWritersQueue(t *testing.T) {
	const n = 32
	var u machine.Uint32
	c := BareMetal()
	var last, first Time
	simulate(t, Options{CPUs: n + 1}, func(s *simulation) {
		together(n, func(int) {
			machine.Procyield(1)
			began := s.now
			u.Add(1)
			took := s.now - began
			last = max(last, took)
			if first == 0 || took < first {
				first = took
			}
		})
	})
	assert.Equal(t, c.Miss+c.RMW, first)
	assert.Greater(t, last, n/2*c.Miss)
}

// Whoever has seen a value looks at the clock later than the one who wrote it.
func TestNobodySeesTheFuture(t *testing.T) {
	for seed := range uint64(20) {
		var u, when machine.Int64
		simulate(t, Options{CPUs: 3, Seed: seed}, func(s *simulation) {
			together(2, func(i int) {
				for range 300 {
					if i == 0 {
						when.Store(machine.Nanotime())
						u.Add(1)
					} else if n := u.Load(); n > 0 {
						assert.LessOrEqual(t, when.Load(), machine.Nanotime())
					}
				}
			})
		})
	}
}
