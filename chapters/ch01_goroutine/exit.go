package ch01

import (
	"fmt"
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// A loop that only tells that it was asked to schedule.
type quietLoop struct {
	gmp.Loop
	schedule func(mp *gmp.M)
}

func (l *quietLoop) Schedule(mp *gmp.M) { l.schedule(mp) }

func onSchedule(f func(mp *gmp.M)) gmp.Version {
	return gmp.Version{Loop: func(*gmp.Sched) gmp.Loop { return &quietLoop{schedule: f} }}
}

// A lastStop is a free list that tells what it is given, and keeps nothing.
type lastStop struct {
	gmp.Freelists
	gfput func(mp *gmp.M, gp *gmp.G)
}

func (l *lastStop) Gfput(mp *gmp.M, gp *gmp.G) { l.gfput(mp, gp) }

func exitForgets(t *check.T) {
	f := load(t, onSchedule(func(*gmp.M) {}))
	before, gp, after := f.dead(1, gmp.StartingStack), f.dead(2, gmp.StartingStack), f.dead(3, gmp.StartingStack)
	stack := gp.Stack.Get()
	f.running(gp)

	// A life with a bit of everything.
	gp.Lockedm.Set(f.mp)
	f.mp.Lockedg.Set(gp)
	gp.Waitreason.Set(gmp.WaitReasonSelect)
	gp.Waitsince.Set(12345)
	gp.Cont.Set(func(*gmp.Sched, *gmp.M, *gmp.G) {})
	gp.Waiting.Set(&gmp.Sudog{G: machine.CellOf(gp)})
	gp.Param.Set(&gmp.Sudog{G: machine.CellOf(gp)})
	gp.Success.Set(true)
	gp.Selects.Set(make([]gmp.Scase, 2))
	gp.Preempt.Set(true)
	gp.PreemptStop.Set(true)
	gp.AsyncSafe.Set(true)
	gp.Timer.Set(&gmp.Timer{When: machine.CellOf[int64](1)})
	f.Goexit0(f.mp, gp)

	if check.State(gp) != "dead" {
		t.Errorf("after Goexit0 a G must be dead; it is %s", check.State(gp))
	}
	var left []string
	for _, field := range []struct {
		name string
		left bool
	}{
		{"M", gp.M.Get() != nil},
		{"Lockedm", gp.Lockedm.Get() != nil},
		{"Waitreason", gp.Waitreason.Get() != gmp.WaitReasonZero},
		{"Cont", gp.Cont.Get() != nil},
		{"Waiting", gp.Waiting.Get() != nil},
		{"Param", gp.Param.Get() != nil},
		{"Success", gp.Success.Get()},
		{"Selects", gp.Selects.Get() != nil},
		{"Preempt", gp.Preempt.Get()},
		{"PreemptStop", gp.PreemptStop.Get()},
		{"AsyncSafe", gp.AsyncSafe.Get()},
		{"Timer", gp.Timer.Get() != nil},
	} {
		if field.left {
			left = append(left, field.name)
		}
	}
	if len(left) > 0 {
		t.Errorf("G2 has ended, and these fields still hold what its life left there: %s", strings.Join(left, ", "))
	}
	if f.mp.Lockedg.Get() != nil {
		t.Errorf("G2 has ended, and its M is still locked to it (Lockedg)")
	}
	if gp.Stack.Get() != stack {
		t.Errorf("G2 has ended; its stack %#x has the right size for another life, but it now has %#x", stack, gp.Stack.Get())
	}
	f.wantAllgs(t, "after Goexit0 of G2", before, gp, after)
}

func exitOrder(t *check.T) {
	var f fixture
	var gp *gmp.G
	var got []string
	note := func(what string) {
		m := "on no M"
		if gp.M.Get() != nil || f.mp.Curg.Get() == gp {
			m = "on an M"
		}
		got = append(got, fmt.Sprintf("%s while it is %s and %s", what, check.State(gp), m))
	}
	v := onSchedule(func(mp *gmp.M) {
		note("Schedule")
		if mp.Lockedg.Get() != nil {
			t.Errorf("Goexit0 schedules while its M is still locked to the G that has ended (Lockedg): the M would wait for it for ever")
		}
	})
	v.Freelists = func(*gmp.Sched) gmp.Freelists {
		return &lastStop{gfput: func(_ *gmp.M, put *gmp.G) {
			if put != gp {
				t.Errorf("Gfput was given a different G from the one that ends")
			}
			note("Gfput")
		}}
	}
	f = load(t, v)
	gp = f.dead(1, gmp.StartingStack)
	f.running(gp)
	gp.Lockedm.Set(f.mp)
	f.mp.Lockedg.Set(gp)
	f.Goexit0(f.mp, gp)

	want := []string{"Gfput while it is dead and on no M", "Schedule while it is dead and on no M"}
	if !slices.Equal(want, got) {
		t.Errorf("Goexit0 of a G must call\n  %s\nit called\n  %s", strings.Join(want, "\n  "), strings.Join(got, "\n  "))
	}
}
