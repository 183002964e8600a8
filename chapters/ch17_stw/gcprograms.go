package ch17

import (
	"time"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

// What the programs print.
const guestTotal = "leaves 256000 32768 3750000"

var minutesLines = []string{"finalizer of box 7", "collected again: true true", "collected again: true true", "collected again: true true"}

// How long the world may stand still when a collection begins, or ends; and which share of the time of
// the Ps workers may have while all of these are busy.
const (
	shortPause = 200 * time.Microsecond
	leastShare = 0.18
	mostShare  = 0.45
)

// guest checks that the collector is a guest.
func guest(t *check.T) {
	run := t.Simulate("guest.go", 4, 1, limit, func(o *gmp.Options) { o.Procs = 4 })
	t.Prints("guest.go on 4 CPUs", run, guestTotal)
	workers := map[int64]bool{}
	for _, e := range run.Events(trace.Create) {
		workers[e.G] = e.Text == "runtime.gcBgMarkWorker"
	}
	var began, marking, marked, longest int64
	since, collections := map[int32]int64{}, 0
	for _, e := range run.Events(trace.Stop, trace.Start, trace.Run, trace.Park) {
		switch e.Kind {
		case trace.Stop:
			if e.Text == "GC mark termination" {
				marked += e.T - marking
				collections++
			}
			began = e.T
		case trace.Start:
			longest = max(longest, e.T-began)
			marking = e.T
		}
	}
	work := int64(0)
	for _, e := range run.Events(trace.Run, trace.Park) {
		switch {
		case e.Kind == trace.Run && workers[e.G]:
			since[e.M] = e.T
		case e.Kind == trace.Park && workers[e.G]:
			work += e.T - since[e.M]
		}
	}
	if collections < 2 {
		t.Fatalf("guest.go makes 8 MB of garbage, and was collected %d times; want 2 at least", collections)
	}
	if time.Duration(longest) > shortPause {
		t.Fatalf("guest.go stands still for up to %v; want %v at most: what takes time is done beside it", time.Duration(longest), shortPause)
	}
	if share := float64(work) / float64(4*marked); share < leastShare || share > mostShare {
		t.Fatalf("while guest.go is collected the workers have %.0f%% of the time of the 4 Ps; want about 25%%, and between %.0f%% and %.0f%%", 100*share, 100*leastShare, 100*mostShare)
	}
}

// twoMinutes checks that a program is collected that asks for nothing.
func twoMinutes(t *check.T) {
	for seed := range uint64(3) {
		run := t.Simulate("minutes.go", 1+int(seed), seed, 700*sim.Second, func(o *gmp.Options) { o.Procs, o.Trace = 1+int(seed), false })
		t.Prints("minutes.go", run, minutesLines...)
		t.Forget()
	}
}
