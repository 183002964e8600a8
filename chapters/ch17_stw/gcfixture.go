package ch17

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// A heap stands in for the collector: what is to be marked is a number, of which some is with Ps,
// where only GcFlush finds it.
type heap struct {
	s       *gmp.Sched
	work    machine.Int32
	with    []machine.Int32 // by ID of a P
	due     bool
	drain   func(mp *gmp.M, stop func() bool) // what GcDrain does; by default it marks everything
	start   func(mp *gmp.M, gp *gmp.G, trigger gmp.GcTrigger, then func(s *gmp.Sched, mp *gmp.M, gp *gmp.G))
	end     func(mp *gmp.M, gp *gmp.G) // what happens in GcMarkTermination
	flushed int
}

// newHeap puts one into s, which has Ps already.
func newHeap(s *gmp.Sched) *heap {
	h := &heap{s: s, with: make([]machine.Int32, len(s.Allp.Get()))}
	s.Collector = h
	return h
}

func (h *heap) GcTest(trigger gmp.GcTrigger, now int64) bool { return h.due }

func (h *heap) GcStart(mp *gmp.M, gp *gmp.G, trigger gmp.GcTrigger, then func(s *gmp.Sched, mp *gmp.M, gp *gmp.G)) {
	h.start(mp, gp, trigger, then)
}

func (h *heap) GcMarkWorkAvailable() bool { return h.work.Load() > 0 }

func (h *heap) GcDrain(mp *gmp.M, stop func() bool) {
	if h.drain != nil {
		h.drain(mp, stop)
		return
	}
	for !stop() && h.take() {
	}
}

// take marks one of what is to be marked, if there is something.
func (h *heap) take() bool {
	for n := h.work.Load(); n > 0; n = h.work.Load() {
		if h.work.CompareAndSwap(n, n-1) {
			return true
		}
	}
	return false
}

func (h *heap) GcFlush(pp *gmp.P) bool {
	h.flushed++
	n := h.with[pp.ID].Swap(0)
	h.work.Add(n)
	return n > 0
}

func (h *heap) GcMarkTermination(mp *gmp.M, gp *gmp.G) {
	h.end(mp, gp)
}

// marks begins a collection in a world: so many dedicated workers are missing, each P gives that
// share of its time, and so many idle workers there may be. So many workers wait in the pool.
func (w *world) marks(dedicated int64, fractional float64, idle int32, workers int) *heap {
	h := newHeap(w.s)
	h.work.Store(1)
	c := &w.s.GcController
	c.BlackenEnabled.Store(true)
	c.DedicatedMarkWorkersNeeded.Store(dedicated)
	c.FractionalUtilizationGoal.Set(fractional)
	c.MaxIdleMarkWorkers.Set(idle)
	for range workers {
		c.Pool.Push(check.NewG(w.s, gmp.Gwaiting))
	}
	return h
}

// pooled counts the workers in the pool.
func (w *world) pooled() int {
	n := 0
	var all []*gmp.G
	for gp := w.s.GcController.Pool.Pop(); gp != nil; gp = w.s.GcController.Pool.Pop() {
		all = append(all, gp)
		n++
	}
	for i := len(all) - 1; i >= 0; i-- {
		w.s.GcController.Pool.Push(all[i])
	}
	return n
}

// wantWorker checks what a look for a worker has left: whether there is one, how it works, and how
// many are in the pool.
func (w *world) wantWorker(what string, gp *gmp.G, pp *gmp.P, mode gmp.GcMarkWorkerMode, pool int) {
	t := w.t
	wants := mode != gmp.GcMarkWorkerNotWorker
	check.Must(t, (gp != nil) == wants, what+"; a worker "+check.MustIf(wants)+" be returned")
	if gp != nil {
		check.Want(t, what+"; the state of the worker", check.State(gp), "runnable")
	}
	if pp != nil {
		check.Want(t, what+fmt.Sprintf("; GcMarkWorkerMode of %s", check.PName(pp)), pp.GcMarkWorkerMode.Get(), mode)
	}
	check.Want(t, what+"; how many workers are in the pool", w.pooled(), pool)
}
