package sim

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"gosched/chapters/machine"
)

// Two schedulers in small, written against the machine as the parts of the course
// are: one queue under one lock, as Go 1.0, and a deque for each worker, from which
// the others steal, as Go 1.1. Both run the same tree of jobs.

// A job is a node of a binary tree. It works, and is done when its children are.
type job struct {
	parent  *job
	depth   int // levels below it
	pending machine.Int32
	link    machine.Cell[*job] // in the queue of the global scheduler
}

// A model is a scheduler of jobs. Its methods are called on the worker's thread.
type model interface {
	arrange()              // says what lies together
	worker(id int)         // the life of a worker
	submit(id int, j *job) // worker id, or -1 for another thread, adds a job
	idlers() int           // how many workers are parked
	stop()                 // lets all parked workers end
}

// A tree is what a model runs.
type tree struct {
	model
	s        *simulation
	work     int64 // instructions of a job
	finished machine.Note
}

// run runs a job on a worker.
func (t *tree) run(id int, j *job) {
	if j.depth > 0 {
		j.pending.Store(2)
		for range 2 {
			child := &job{parent: j, depth: j.depth - 1}
			machine.Together(&child.pending, &child.link)
			t.submit(id, child)
		}
	}
	execute(t.s, t.work)
	if j.depth > 0 {
		return
	}
	for p := j.parent; ; p = p.parent {
		if p == nil {
			t.finished.Wakeup()
			return
		}
		if p.pending.Add(-1) > 0 {
			return
		}
	}
}

// execute is a program of n instructions that then traps.
func execute(s *simulation, n int64) {
	s.Gogo()
	for n > 0 {
		portion := min(n, s.Budget())
		s.Ran(portion)
		n -= portion
	}
	s.Trapped(machine.TrapGosched)
}

// A sized is a model of so many workers.
type sized func(t *tree, workers int) model

var models = []struct {
	name string
	make sized
}{{"lock", newGlobal}, {"steal", newStealing}}

// computer makes a simulation.
func computer(tb testing.TB, opt Options) *simulation {
	tb.Helper()
	s, err := newSimulation(opt)
	require.NoError(tb, err)
	return s
}

// throughput runs a tree of 2^(depth+1)-1 jobs on one worker for each CPU, and
// returns the number of jobs per millisecond of virtual time.
func throughput(tb testing.TB, s *simulation, depth int, work int64, make sized) (float64, Report) {
	var began, ended int64
	workers := len(s.cpus)
	t := &tree{s: s, work: work}
	t.model = make(t, workers)
	r, err := s.run(func() {
		t.arrange()
		for id := range workers {
			machine.Newosproc(fmt.Sprint("worker ", id), func() { t.worker(id) })
		}
		for t.idlers() < workers {
			machine.Usleep(20)
		}
		began = machine.Nanotime()
		t.submit(-1, &job{depth: depth})
		t.finished.Sleep()
		ended = machine.Nanotime()
		t.stop()
	})
	require.NoError(tb, err)
	return float64(int(2)<<depth-1) * 1e6 / float64(ended-began), r
}

// parking is where idle workers sleep. Its fields are under mu.
type parking struct {
	mu       machine.Mutex
	idle     machine.Cell[[]int]
	stopped  machine.Bool
	sleepers []machine.Note
}

func (p *parking) init(workers int) {
	p.sleepers = make([]machine.Note, workers)
	p.mu.Init("sched.lock")
}

// take takes an idle worker off the list; -1 if there is none. mu is held.
func (p *parking) take() int {
	idle := p.idle.Get()
	if len(idle) == 0 {
		return -1
	}
	p.idle.Set(idle[:len(idle)-1])
	return idle[len(idle)-1]
}

func (p *parking) idlers() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.idle.Get())
}

func (p *parking) stop() {
	p.mu.Lock()
	p.stopped.Store(true)
	for id := p.take(); id >= 0; id = p.take() {
		p.sleepers[id].Wakeup()
	}
	p.mu.Unlock()
}

// global is one queue under one lock.
type global struct {
	parking
	t          *tree
	head, tail machine.Cell[*job]
}

func newGlobal(t *tree, workers int) model {
	g := &global{t: t}
	g.init(workers)
	return g
}

func (g *global) arrange() { machine.Together(&g.head, &g.tail, &g.idle) }

func (g *global) submit(_ int, j *job) {
	g.mu.Lock()
	if tail := g.tail.Get(); tail != nil {
		tail.link.Set(j)
	} else {
		g.head.Set(j)
	}
	g.tail.Set(j)
	id := g.take()
	g.mu.Unlock()
	if id >= 0 {
		g.sleepers[id].Wakeup()
	}
}

func (g *global) worker(id int) {
	for {
		g.mu.Lock()
		j := g.head.Get()
		if j == nil {
			if g.stopped.Load() {
				g.mu.Unlock()
				return
			}
			g.idle.Set(append(g.idle.Get(), id))
			g.mu.Unlock()
			g.sleepers[id].Sleep()
			g.sleepers[id].Clear()
			continue
		}
		g.head.Set(j.link.Get())
		if g.head.Get() == nil {
			g.tail.Set(nil)
		}
		g.mu.Unlock()
		g.t.run(id, j)
	}
}

// stealing is a deque for each worker: the owner works at the bottom, thieves take
// the oldest job, at the top. The deque is that of Chase and Lev (2005).
type stealing struct {
	parking
	t         *tree
	deques    []deque
	nidle     machine.Int32
	nspinning machine.Int32
}

type deque struct {
	top, bottom machine.Int64
	ring        [64]machine.Pointer[job]
	rand        random
}

func newStealing(t *tree, workers int) model {
	m := &stealing{t: t, deques: make([]deque, workers)}
	m.init(workers)
	for id := range m.deques {
		m.deques[id].rand = random(id)
	}
	return m
}

func (m *stealing) arrange() {
	for i := range m.deques {
		d := &m.deques[i]
		machine.Together(&d.top, &d.bottom)
		for k := range d.ring {
			machine.Together(&d.ring[k&^7], &d.ring[k]) // of 8 bytes each, on lines of 64
		}
	}
}

func (d *deque) push(j *job) {
	b := d.bottom.Load()
	d.ring[b%int64(len(d.ring))].Store(j)
	d.bottom.Store(b + 1)
}

func (d *deque) pop() *job {
	b := d.bottom.Load() - 1
	d.bottom.Store(b)
	t := d.top.Load()
	if t > b {
		d.bottom.Store(b + 1)
		return nil
	}
	j := d.ring[b%int64(len(d.ring))].Load()
	if t == b {
		if !d.top.CompareAndSwap(t, t+1) {
			j = nil
		}
		d.bottom.Store(b + 1)
	}
	return j
}

func (d *deque) steal() *job {
	t := d.top.Load()
	if t >= d.bottom.Load() {
		return nil
	}
	j := d.ring[t%int64(len(d.ring))].Load()
	if !d.top.CompareAndSwap(t, t+1) {
		return nil
	}
	return j
}

func (d *deque) empty() bool { return d.top.Load() >= d.bottom.Load() }

func (m *stealing) submit(id int, j *job) {
	m.deques[max(id, 0)].push(j)
	if m.nidle.Load() > 0 && m.nspinning.Load() == 0 {
		m.wakep()
	}
}

// wakep wakes a worker, which then looks for a job, unless another one does.
func (m *stealing) wakep() {
	if !m.nspinning.CompareAndSwap(0, 1) {
		return
	}
	m.mu.Lock()
	id := m.take()
	m.mu.Unlock()
	if id < 0 {
		m.nspinning.Add(-1)
		return
	}
	m.nidle.Add(-1)
	m.sleepers[id].Wakeup()
}

func (m *stealing) worker(id int) {
	own := &m.deques[id]
	m.nspinning.Add(1)
	spinning := true
	for !m.stopped.Load() {
		j := own.pop()
		if j == nil && !spinning {
			m.nspinning.Add(1)
			spinning = true
		}
		if j == nil {
			j = m.search(id)
		}
		if j == nil {
			spinning = m.park(id)
			continue
		}
		if spinning {
			spinning = false
			if m.nspinning.Add(-1) == 0 && m.nidle.Load() > 0 {
				m.wakep() // the last one that found a job lets another one look
			}
		}
		m.t.run(id, j)
	}
}

// search looks four times at the deques of all others, from a random one on.
func (m *stealing) search(id int) *job {
	n := len(m.deques)
	for range 4 {
		first := int(m.deques[id].rand.below(int64(n)))
		for i := range n {
			if victim := (first + i) % n; victim != id {
				if j := m.deques[victim].steal(); j != nil {
					return j
				}
			}
		}
	}
	return nil
}

// park sleeps until there may be a job. The worker spins before, and after.
func (m *stealing) park(id int) (spinning bool) {
	m.mu.Lock()
	if m.stopped.Load() {
		m.mu.Unlock()
		return true
	}
	m.idle.Set(append(m.idle.Get(), id))
	m.mu.Unlock()
	m.nidle.Add(1)
	// From here on submit sees that nobody spins. What came before is seen now.
	m.nspinning.Add(-1)
	for i := range m.deques {
		if !m.deques[i].empty() {
			m.wakep() // perhaps this worker
			break
		}
	}
	m.sleepers[id].Sleep()
	m.sleepers[id].Clear()
	return true
}
