package ch17

import (
	"fmt"
	"time"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

// limit is far more virtual time than any of the programs needs.
const limit = 2 * sim.Second

// What the programs print.
const (
	stormTotal  = "total 51120"
	resizeTotal = "total 76680 of 2"
)

// How long a stop may take. Without signals a G stops at its next call, which in pauses.go is
// half a million rounds of a loop away at most: 2.7 ms.
const (
	soon     = 100 * time.Microsecond
	nextCall = 4 * time.Millisecond
)

// pauses checks how long it takes until the world has stopped.
func pauses(t *check.T) {
	for _, c := range []struct {
		what    string
		off     bool
		args    []string
		longest time.Duration
		atLeast time.Duration
	}{
		{"pauses.go, in which others loop and call nothing, with signals,", false, nil, soon, 0},
		{"pauses.go, in which others call a function every now and then, with signals,", false, []string{"calls"}, soon, 0},
		{"pauses.go, in which others call a function every now and then, without signals,", true, []string{"calls"}, nextCall, 2 * soon},
	} {
		run := t.Simulate("pauses.go", 4, 1, limit, func(o *gmp.Options) {
			o.Machine.Args = append([]string{"pauses.go"}, c.args...)
			o.AsyncPreemptOff = c.off
		})
		began, stops, longest := int64(0), 0, time.Duration(0)
		for _, e := range run.Events(trace.Stop, trace.Start) {
			if e.Kind == trace.Stop {
				began = e.T
				continue
			}
			stops++
			longest = max(longest, time.Duration(e.T-began))
		}
		check.Want(t, "how often "+c.what+" stops the world", stops, 20)
		if longest > c.longest || longest < c.atLeast {
			t.Fatalf("%s takes up to %v until the world has stopped; want %v at most, and %v at least", c.what, longest.Round(time.Microsecond), c.longest, c.atLeast)
		}
		t.Forget()
	}
}

// resize checks that nothing is lost when the number of Ps changes.
func resize(t *check.T) {
	for seed := range uint64(6) {
		cpus := 1 + int(seed%4)
		run := t.Simulate("resize.go", cpus, seed, limit, func(o *gmp.Options) { o.Trace = false })
		t.Prints(fmt.Sprintf("resize.go on %d CPUs, seed %d,", cpus, seed), run, resizeTotal)
		t.Forget()
	}
}

// everywhere checks that ForEachP comes to all Ps of a program: it is called before each stop of
// the world, since there the caller holds Worldsema.
func everywhere(t *check.T) {
	v, bad := t.Version(), ""
	inner := v.World
	v.World = func(s *gmp.Sched) gmp.World { return &eachFirst{inner(s), s, &bad} }
	t.On(v)
	for seed := range uint64(6) {
		cpus := 2 + int(seed%3)
		run := t.Simulate("storm.go", cpus, seed, limit, func(o *gmp.Options) { o.Trace = false })
		if bad != "" {
			t.Fatalf("storm.go on %d CPUs, seed %d: %s", cpus, seed, bad)
		}
		t.Prints(fmt.Sprintf("storm.go on %d CPUs, seed %d,", cpus, seed), run, stormTotal)
		t.Forget()
	}
}

// eachFirst calls ForEachP before each stop of the world.
type eachFirst struct {
	gmp.World
	s   *gmp.Sched
	bad *string
}

func (p *eachFirst) StopTheWorldWithSema(mp *gmp.M, reason string) {
	s := p.s
	ran := make([]machine.Cell[int], len(s.Allp.Get()))
	s.ForEachP(mp, gmp.WaitReasonStoppingTheWorld, func(pp *gmp.P) {
		ran[pp.ID].Set(ran[pp.ID].Get() + 1)
	})
	for id := range ran {
		if n := ran[id].Get(); n != 1 && *p.bad == "" {
			*p.bad = fmt.Sprintf("ForEachP has called the function for P%d %d times", id, n)
		}
	}
	p.World.StopTheWorldWithSema(mp, reason)
}

// threads plays the programs on real threads.
func threads(t *check.T) {
	for i := range 4 {
		procs := 1 + i
		opt := func(o *gmp.Options) { o.Procs, o.Trace = procs, false }
		t.Prints(fmt.Sprintf("resize.go on real threads, with GOMAXPROCS %d,", procs), t.Play("resize.go", opt), resizeTotal)
		t.Prints(fmt.Sprintf("storm.go on real threads, with GOMAXPROCS %d,", procs), t.Play("storm.go", opt), stormTotal)
	}
}
