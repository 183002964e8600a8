package ch02

import (
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// The words of Go.
const (
	asleep     = "all goroutines are asleep - deadlock!"
	nobody     = "no goroutines (main called runtime.Goexit) - deadlock!"
	isRunnable = "checkdead: runnable g"
)

// deadlockWords checks the verdict for several sets of Gs.
func deadlockWords(t *check.T) {
	for _, c := range []struct {
		states []uint32
		want   string
	}{
		{[]uint32{gmp.Gwaiting}, asleep},
		{[]uint32{gmp.Gwaiting, gmp.Gwaiting, gmp.Gwaiting}, asleep},
		{[]uint32{gmp.Gdead, gmp.Gwaiting, gmp.Gdead}, asleep},
		{[]uint32{gmp.Gdead}, nobody},
		{[]uint32{gmp.Gdead, gmp.Gdead}, nobody},
		{nil, nobody},
		{[]uint32{gmp.Grunnable}, isRunnable},
		{[]uint32{gmp.Gwaiting, gmp.Gdead, gmp.Grunnable}, isRunnable},
		{[]uint32{gmp.Grunnable, gmp.Gwaiting}, isRunnable},
		{[]uint32{gmp.Grunning}, isRunnable},
		{[]uint32{gmp.Gwaiting, gmp.Grunning}, isRunnable},
		{[]uint32{gmp.Gsyscall, gmp.Gwaiting}, isRunnable},
		{[]uint32{gmp.Grunnable | gmp.Gscan}, isRunnable},
		{[]uint32{gmp.Gwaiting | gmp.Gscan}, asleep},
		{[]uint32{gmp.Gpreempted}, asleep},
	} {
		s, _ := t.Sched()
		var have []string
		for _, st := range c.states {
			have = append(have, check.Name(check.NewG(s, st))+" "+gmp.StatusName(st))
		}
		what := strings.Join(have, ", ")
		if what == "" {
			what = "no G at all"
		}
		s.Lock.Lock()
		if msg := t.Throws(s.Checkdead); msg != c.want {
			t.Fatalf("with %s Checkdead throws %s; want %s", what, check.Thrown(msg), check.Thrown(c.want))
		}
	}
}
