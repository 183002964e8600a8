package ch12

import (
	_ "embed"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

//go:embed mutants.go
var mutantsSource string

// Mends are what the student mends in this chapter.
var Mends = check.Mends{
	Source: mutantsSource,
	List: []check.Mend{
		{
			Check: "mend-guard", Mutant: "ask-guard-first", Type: "askMended", Method: "Preemptone", Lines: 2,
			Met: [2][]string{{"gp.Preempt.Get() = 0"}, {"gp.Preempt.Set(true) 0 → 1"}},
		},
		{
			Check: "mend-sleep", Mutant: "sleep-says-late", Type: "sleepMended", Method: "SysmonSleep", Lines: 2,
			Met: [2][]string{{"s.Sysmonwait.Load() = 0"}, {"s.Sysmonwait.Store(true) 0 → 1"}},
		},
		{
			Check: "mend-poll", Mutant: "poll-stores", Type: "pollMended", Method: "SysmonPoll", Lines: 2,
			Met: [2][]string{{"s.Lastpoll.Swap(0) 1 → 0"}, {"s.Lastpoll.Store(now) 0 → 20000000"}},
		},
	},
}

// Harmless are changes that a prediction is about, and with which nothing goes wrong.
var Harmless = []check.Mutant{
	{
		Name: "sleep-looks-late", What: "SysmonSleep has no look without the lock",
		Parts: mutant(func(p *monitor) gmp.Monitor { return alwaysLocks{p} }),
	},
}

type alwaysLocks struct{ *monitor }

func (p alwaysLocks) SysmonSleep(mp *gmp.M) bool {
	s := p.s
	s.Lock.Lock()
	defer s.Lock.Unlock()
	if !s.Gcwaiting.Load() && s.Npidle.Load() != s.Gomaxprocs.Get() {
		return false
	}
	wait := min(s.TimeSleepUntil()-s.Nanotime(), gmp.ForceGCPeriod/2)
	if wait <= 0 {
		return false
	}
	s.Sysmonwait.Store(true)
	s.Lock.Unlock()
	woken := s.Sysmonnote.SleepTimeout(wait)
	s.Lock.Lock()
	s.Sysmonwait.Store(false)
	s.Sysmonnote.Clear()
	return woken
}
