package ch04

import (
	_ "embed"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

//go:embed mutants.go
var mutantsSource string

// Mends are what the student mends in this chapter.
var Mends = check.Mends{
	Source: mutantsSource,
	List: []check.Mend{
		{
			Check: "mend-acquire", Mutant: "sema-counts-late", Type: "acquireMended", Method: "Semacquire1", Lines: 3,
			Met: [2][]string{{"p.s.Cansemacquire(addr)", "root.Nwait.Add(1)"}, {"Semrelease1(…)"}},
		},
		{
			Check: "mend-wait", Mutant: "notify-looks-unlocked", Type: "waitMended", Method: "NotifyListWait", Lines: 3,
			Met: [2][]string{{"l.Notify.Load()"}, {"NotifyListNotifyOne(…)", "l.Notify 0 → 1"}},
		},
	},
}

// Harmless are changes that a prediction is about, and with which nothing goes wrong.
var Harmless = []check.Mutant{
	{
		Name: "dequeue-wins-first", What: "Dequeue asks for the select first, and takes the sudog off its queue then",
		Parts: waitqMutant(func(q waitqs) gmp.Waitqs { return &dequeueWinsFirst{q} }),
	},
	{
		Name: "sema-counts-unlocked", What: "Semacquire1 counts itself before it locks the root",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &semaCountsUnlocked{p} }),
	},
}

type dequeueWinsFirst struct{ waitqs }

func (p *dequeueWinsFirst) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	for sg := q.First.Get(); sg != nil; sg = q.First.Get() {
		won := !sg.IsSelect.Get() || sg.G.Get().SelectDone.CompareAndSwap(0, 1)
		p.DequeueSudoG(q, sg)
		if won {
			return sg
		}
	}
	return nil
}

type semaCountsUnlocked struct{ semaphores }

func (p *semaCountsUnlocked) Semacquire1(mp *gmp.M, gp *gmp.G, addr machine.Addr, lifo bool, reason gmp.WaitReason) {
	if p.s.Cansemacquire(addr) {
		return
	}
	root := p.s.Semroot(addr)
	root.Nwait.Add(1)
	root.Lock.Lock()
	if p.s.Cansemacquire(addr) {
		root.Nwait.Add(^uint32(0))
		root.Lock.Unlock()
		return
	}
	sleepAt(p.s, mp, gp, root, addr, lifo, reason)
}
