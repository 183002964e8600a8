// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch17

package ch17

import "gosched/chapters/gmp"

// Wakefing returns the G that calls finalizers if it waits and there are some for it, nil if
// not. It is the caller's, who makes it ready: of several that ask, one gets it, and
// then nobody, until it has waited again. Any M may call it. Fing.Status goes from FingCreated,
// FingWait and FingWake to FingCreated. The runtime's wakefing.
func (p *gcWork) Wakefing() *gmp.G {
	// Holds: Of those who see that it waits, and that there is something for
	//        it, one wakes it.
	panic(gmp.TODO("Wakefing"))
}

// Forcegchelper is what Forcegc.G does whenever it runs, but for the collection: it says that
// it is idle, and parks, for WaitReasonForceGCIdle. Idle changes with Forcegc.Lock held, which
// is released only when gp waits: with the lock, whoever finds it idle may wake it, and it is
// idle when it waits and nobody has begun to wake it. When it runs again, it starts a
// collection (GcStart, GcTriggerTime), and goes on with Forcegchelper. Throws "forcegc: phase
// error" if it is idle already. The runtime's forcegchelper, which is a loop.
func (p *gcWork) Forcegchelper(mp *gmp.M, gp *gmp.G) {
	// Holds: Whoever finds it idle, with the lock held, may make it ready: it
	//        waits.
	panic(gmp.TODO("Forcegchelper"))
}

// ForceGC wakes Forcegc.G (Injectglist), if a collection is due (GcTest, GcTriggerTime, now)
// and it is idle. Before that Idle becomes false, with Forcegc.Lock held; whether the lock is
// held during Injectglist does not matter, but s.Lock is not. Called by the monitor, mp, which
// has no P. The runtime does this in sysmon.
func (p *gcWork) ForceGC(mp *gmp.M, now int64) {
	// Holds: The helper is made ready once each time that it waits.
	panic(gmp.TODO("ForceGC"))
}

// ScavengerWake does nothing: here no memory is given back.
func (p *gcWork) ScavengerWake(mp *gmp.M) {}
