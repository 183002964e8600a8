package explore

import "math/rand/v2"

// pct is the random search by Burckhardt, Kothari, Musuvathi and Nagarakatte
// (ASPLOS 2010): threads get random priorities, the first of them that can run
// does, and at d random steps the running one drops behind all others. A bug that
// needs d such changes is found with a chance of at least 1/(n·k^d) in each
// execution of n threads and k steps. Most bugs need one or two.
type pct struct {
	rand     *rand.Rand
	priority [maxThreads]int // higher runs first
	lowest   int
	changes  [pctChanges]int // the steps where the priority drops
	longest  int             // steps of the longest execution so far
}

const pctChanges = 3

// begin prepares an execution.
func (p *pct) begin() {
	for i := range p.priority {
		p.priority[i] = i + 1
	}
	p.rand.Shuffle(maxThreads, func(i, j int) { p.priority[i], p.priority[j] = p.priority[j], p.priority[i] })
	p.lowest = 0
	for i := range p.changes {
		p.changes[i] = p.rand.IntN(p.longest + 1)
	}
}

func (p *pct) drop(id int8) {
	p.lowest--
	p.priority[id] = p.lowest
}

func (p *pct) pick(x *explorer, enabled set) int8 {
	last := x.lastThread()
	if last != alone && x.threads[last].yielded {
		p.drop(last)
	}
	id := p.highest(enabled)
	for _, at := range p.changes {
		if at == x.length {
			p.drop(id)
			id = p.highest(enabled)
		}
	}
	return id
}

func (p *pct) highest(enabled set) int8 {
	best := enabled.first()
	for s := enabled; s != 0; s &= s - 1 {
		if id := s.first(); p.priority[id] > p.priority[best] {
			best = id
		}
	}
	return best
}
