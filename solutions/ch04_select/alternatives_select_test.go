package ch04_test

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// remembering keeps, for each G that waits, which channels it has locked. It unlocks them
// in the order in which it has locked them. Before that it stores the results and releases
// the sudogs, as the runtime does. Its queues look at SelectDone before they try to set it.
var remembering = gmp.Version{
	Waitqs: func(s *gmp.Sched) gmp.Waitqs { return looking{solutions.Base("ch04").Waitqs(s)} },
	Select: func(s *gmp.Sched) gmp.Select {
		return &remembers{drawsLots: drawsLots{s}, chans: map[*gmp.G][]*gmp.Hchan{}}
	},
}

// looking leaves a select alone that has a winner, without an attempt to be it.
type looking struct{ gmp.Waitqs }

func (p looking) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	for sg := q.First.Get(); sg != nil; sg = q.First.Get() {
		p.DequeueSudoG(q, sg)
		switch done := &sg.G.Get().SelectDone; {
		case !sg.IsSelect.Get(), done.Load() == 0 && done.CompareAndSwap(0, 1):
			return sg
		}
	}
	return nil
}

type remembers struct {
	drawsLots
	mu    machine.Mutex
	chans map[*gmp.G][]*gmp.Hchan
}

func (p *remembers) Selectgo(mp *gmp.M, gp *gmp.G, cases []gmp.Scase, block bool) (int, bool) {
	p.mu.Lock()
	p.chans[gp] = channels(cases)
	p.mu.Unlock()
	return p.drawsLots.Selectgo(mp, gp, cases, block)
}

func (p *remembers) SelectgoDone(mp *gmp.M, gp *gmp.G) {
	p.mu.Lock()
	chans := p.chans[gp]
	delete(p.chans, gp)
	p.mu.Unlock()
	winner, cases := gp.Param.Get(), gp.Selects.Get()
	for _, c := range chans {
		c.Lock.Lock()
	}
	closed := cases[winner.Case.Get()].Send && !winner.Success.Get()
	if !closed {
		p.s.SetSelected(gp, winner.Case.Get(), winner.Success.Get())
	}
	var sudogs []*gmp.Sudog
	for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
		if sudogs = append(sudogs, sg); sg != winner {
			p.s.DequeueSudoG(queue(cases[sg.Case.Get()]), sg)
		}
	}
	gp.Waiting.Set(nil)
	gp.SelectDone.Store(0)
	gp.Selects.Set(nil)
	gp.Param.Set(nil)
	for _, sg := range sudogs {
		sg.Reset()
		p.s.ReleaseSudog(mp, sg)
	}
	for _, c := range chans {
		c.Lock.Unlock()
	}
	if closed {
		p.s.PanicPlain(mp, gp, "send on closed channel")
	}
}
