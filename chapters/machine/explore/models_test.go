package explore_test

import (
	"github.com/stretchr/testify/assert"

	"gosched/chapters/machine"
	. "gosched/chapters/machine/explore"
)

// A sample is a model with the kind of failure that it has, "" if it is right.
type sample struct {
	name  string
	kind  Kind
	opt   Options
	model func(m *Model)
}

// ringModel has an owner that does what script says (a put, n putNext, g get)
// and thieves that steal once each.
func ringModel(size int, wrong mistake, script string, thieves int) func(m *Model) {
	return func(m *Model) {
		q := newRing(size, wrong)
		gs := tasks(len(script))
		m.Thread("owner", func() {
			for i, c := range script {
				switch c {
				case 'p':
					m.Put(gs[i])
					q.put(gs[i])
				case 'n':
					m.Put(gs[i])
					q.putNext(gs[i])
				case 'g':
					if g := q.get(); g != nil {
						m.Take(g)
					}
				}
			}
		})
		for range thieves {
			m.Thread("thief", func() {
				for _, g := range q.steal() {
					m.Take(g)
				}
			})
		}
		m.Check(func() {
			for _, g := range q.rest() {
				m.Take(g)
			}
		})
	}
}

// halfModel has a thief that must leave half of four behind.
func halfModel(wrong mistake) func(m *Model) {
	return func(m *Model) {
		q := newRing(4, wrong)
		for _, g := range tasks(4) {
			q.put(g)
		}
		stolen := 0
		m.Thread("owner", func() { q.get() })
		m.Thread("thief", func() { stolen = len(q.steal()) })
		m.Check(func() { assert.LessOrEqual(m, stolen, 2, "a thief takes half of 4, rounded up") })
	}
}

// A crew is a worker that spins before it parks, and those who give it work: the
// runtime's worker threads, with one of them. The zero mistake is right.
type crew struct {
	wrong        crewMistake
	lock         machine.Mutex
	work         machine.Int32
	spinning     machine.Int32
	needSpinning machine.Bool
	idle         machine.Cell[bool] // under lock
	note         machine.Note
}

type crewMistake int

const (
	noRecheck crewMistake = iota + 1
	recheckFirst
	noNeedSpinning
	givesBackLate
)

func (c *crew) submit() {
	c.work.Add(1)
	c.wake()
}

// wake starts a spinning worker, unless there is one.
func (c *crew) wake() {
	if c.spinning.Load() != 0 || !c.spinning.CompareAndSwap(0, 1) {
		return
	}
	c.lock.Lock()
	if c.idle.Get() {
		c.idle.Set(false)
		c.lock.Unlock()
		c.note.Wakeup()
		return
	}
	if c.wrong != noNeedSpinning {
		c.needSpinning.Store(true)
	}
	if c.wrong == givesBackLate {
		c.lock.Unlock()
		c.spinning.Add(-1)
		return
	}
	c.spinning.Add(-1)
	c.lock.Unlock()
}

// take takes a piece of work.
func (c *crew) take() bool {
	for {
		n := c.work.Load()
		if n == 0 {
			return false
		}
		if c.work.CompareAndSwap(n, n-1) {
			return true
		}
	}
}

// serve is the worker. It begins spinning.
func (c *crew) serve() {
	spinning := true
	for {
		if c.take() {
			if spinning {
				spinning = false
				c.spinning.Add(-1)
			}
			continue
		}
		c.lock.Lock()
		if !spinning && c.needSpinning.Load() {
			c.needSpinning.Store(false)
			c.spinning.Add(1)
			spinning = true
			c.lock.Unlock()
			continue
		}
		c.idle.Set(true)
		c.lock.Unlock()
		if spinning {
			spinning = c.stopSpinning()
			if spinning {
				continue
			}
		}
		c.note.Sleep()
		c.note.Clear()
		spinning = true
	}
}

// stopSpinning reports whether the worker goes on after all, because there is
// work again.
func (c *crew) stopSpinning() bool {
	left := false
	if c.wrong == recheckFirst {
		left = c.work.Load() > 0
		c.spinning.Add(-1)
	} else {
		c.spinning.Add(-1)
		left = c.wrong != noRecheck && c.work.Load() > 0
	}
	if !left {
		return false
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	if !c.idle.Get() {
		return false // somebody wakes it already
	}
	c.idle.Set(false)
	c.spinning.Add(1)
	return true
}

func crewModel(wrong crewMistake, submits ...int) func(m *Model) {
	return func(m *Model) {
		c := &crew{wrong: wrong}
		c.lock.Init("sched")
		c.spinning.Store(1)
		m.Daemon("m", c.serve)
		for i, n := range submits {
			m.Thread([]string{"p1", "p2", "p3"}[i], func() {
				for range n {
					c.submit()
				}
			})
		}
		m.Check(func() {
			if n := c.work.Load(); n > 0 {
				m.Errorf("work is left (%d) and the worker sleeps", n)
			}
		})
	}
}

// A stack is Treiber's, with nodes that are used again at once, and so with the
// ABA problem.
type stack struct{ top machine.Pointer[node] }

type node struct {
	name string
	next machine.Pointer[node]
}

func (n *node) String() string { return n.name }

func (s *stack) push(n *node) {
	for {
		top := s.top.Load()
		n.next.Store(top)
		if s.top.CompareAndSwap(top, n) {
			return
		}
	}
}

func (s *stack) pop() *node {
	for {
		top := s.top.Load()
		if top == nil {
			return nil
		}
		next := top.next.Load()
		if s.top.CompareAndSwap(top, next) {
			return top
		}
	}
}

func stackModel(m *Model) {
	var s stack
	a, b := &node{name: "A"}, &node{name: "B"}
	s.push(b)
	s.push(a)
	m.Put(a)
	m.Put(b)
	m.Thread("one", func() {
		if n := s.pop(); n != nil {
			m.Take(n)
		}
	})
	m.Thread("other", func() {
		first, second := s.pop(), s.pop()
		if second != nil {
			m.Take(second)
		}
		if first != nil {
			s.push(first)
		}
	})
	m.Check(func() {
		for n := s.pop(); n != nil; n = s.pop() {
			m.Take(n)
		}
	})
}

// sleeper waits for a flag on a note; if it clears the note after its look at
// the flag, it may take the signal away.
func noteModel(late bool) func(m *Model) {
	return func(m *Model) {
		var flag machine.Bool
		var note machine.Note
		m.Thread("sleeper", func() {
			if !late {
				note.Clear()
			}
			for !flag.Load() {
				if late {
					note.Clear()
				}
				note.Sleep()
			}
		})
		m.Thread("waker", func() {
			flag.Store(true)
			note.Wakeup()
		})
	}
}

func lockModel(ordered bool) func(m *Model) {
	return func(m *Model) {
		var a, b machine.Mutex
		a.Init("a")
		b.Init("b")
		both := func(first, second *machine.Mutex) {
			first.Lock()
			second.Lock()
			second.Unlock()
			first.Unlock()
		}
		m.Thread("one", func() { both(&a, &b) })
		if ordered {
			m.Thread("other", func() { both(&a, &b) })
		} else {
			m.Thread("other", func() { both(&b, &a) })
		}
	}
}

// seqlockModel has the data of a seqlock in Cells, which a reader uses while a
// writer may, to find out only afterwards; or in atomic variables.
func seqlockModel(atomic bool) func(m *Model) {
	return func(m *Model) {
		var seq machine.Uint32
		var x, y machine.Cell[int]
		var ax, ay machine.Int64
		m.Thread("writer", func() {
			seq.Add(1)
			if atomic {
				ax.Store(1)
				ay.Store(1)
			} else {
				x.Set(1)
				y.Set(1)
			}
			seq.Add(1)
		})
		m.Thread("reader", func() {
			before := seq.Load()
			if before%2 != 0 {
				return
			}
			var a, b int64
			if atomic {
				a, b = ax.Load(), ay.Load()
			} else {
				a, b = int64(x.Get()), int64(y.Get())
			}
			if seq.Load() == before {
				assert.Equal(m, a, b, "both of one moment")
			}
		})
	}
}

// spinModel has two threads that wait for each other, or one for the other.
func spinModel(both, yields bool) func(m *Model) {
	return func(m *Model) {
		var a, b machine.Bool
		wait := func(x *machine.Bool) {
			for !x.Load() {
				if yields {
					machine.Osyield()
				}
			}
		}
		m.Thread("one", func() {
			wait(&a)
			b.Store(true)
		})
		m.Thread("other", func() {
			if !both {
				a.Store(true)
			}
			wait(&b)
			if both {
				a.Store(true)
			}
		})
	}
}

func panicModel(m *Model) {
	var n machine.Int32
	list := make([]int, 1)
	use := func() { list[n.Add(1)-1]++ }
	m.Thread("one", use)
	m.Thread("other", use)
}

func unlockModel(m *Model) {
	var mu machine.Mutex
	mu.Init("sched")
	m.Thread("one", func() {
		if mu.TryLock() {
			mu.Unlock()
		}
	})
	m.Thread("other", func() {
		mu.TryLock()
		mu.Unlock()
	})
}

func sleepersModel(m *Model) {
	var n machine.Note
	m.Thread("one", n.Sleep)
	m.Thread("other", n.Sleep)
	m.Thread("waker", n.Wakeup)
}

// choiceModel goes wrong for one of the numbers only.
func choiceModel(m *Model) {
	var x machine.Uint32
	m.Thread("one", func() {
		if n := m.Choose(5); n == 3 {
			m.Logf("chose %d", n)
			x.Store(uint32(n))
		}
	})
	m.Thread("other", func() { assert.NotEqual(m, uint32(3), x.Load(), "the number") })
}

var samples = []sample{
	{name: "ring", model: ringModel(4, none, "npgp", 2)},
	{name: "ring-full", model: ringModel(2, none, "pppg", 1)},
	{name: "ring-wraps", model: ringModel(2, none, "pgpgpg", 1)},
	{name: "ring-half", model: halfModel(none)},
	{name: "ring-tail-first", kind: Violation, model: ringModel(4, tailFirst, "pg", 1)},
	{name: "ring-slots-after-swap", kind: Violation, model: ringModel(2, slotsAfterSwap, "ppp", 1)},
	{name: "ring-next-by-store", kind: Violation, model: ringModel(4, nextByStore, "ng", 1)},
	{name: "ring-get-by-store", kind: Violation, model: ringModel(4, getByStore, "pg", 1)},
	{name: "ring-short-indices", kind: Violation, model: ringModel(2, shortIndices, "pgpgpgpgp", 1)},
	{name: "ring-takes-all", kind: Violation, model: halfModel(takesAll)},
	{name: "crew", model: crewModel(0, 1, 1)},
	{name: "crew-twice", model: crewModel(0, 2)},
	{name: "crew-no-recheck", kind: Violation, model: crewModel(noRecheck, 1)},
	{name: "crew-recheck-first", kind: Violation, model: crewModel(recheckFirst, 1)},
	{name: "crew-no-need-spinning", kind: Violation, model: crewModel(noNeedSpinning, 1, 1)},
	{name: "crew-gives-back-late", kind: Violation, model: crewModel(givesBackLate, 1, 1)},
	{name: "stack", kind: Violation, model: stackModel},
	{name: "note", model: noteModel(false)},
	{name: "note-cleared-late", kind: LostWakeup, model: noteModel(true)},
	{name: "locks", model: lockModel(true)},
	{name: "locks-in-two-orders", kind: Deadlock, model: lockModel(false)},
	{name: "seqlock", model: seqlockModel(true)},
	{name: "seqlock-on-cells", kind: DataRace, model: seqlockModel(false)},
	{name: "spin", model: spinModel(false, true)},
	{name: "spin-for-each-other", kind: Livelock, model: spinModel(true, true)},
	{name: "spin-without-yield", kind: Livelock, model: spinModel(false, false)},
	{name: "panic", kind: Panic, model: panicModel},
	{name: "unlock-of-unlocked", kind: Panic, model: unlockModel},
	{name: "two-sleepers", kind: Panic, model: sleepersModel},
	{name: "choice", kind: Violation, model: choiceModel},
}
