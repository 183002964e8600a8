package ch12

import (
	"fmt"
	"strings"
)

// Schedtrace prints how things stand.
//
//course:exercise
func (p *monitor) Schedtrace(detailed bool) {
	//course:holds Nothing that this method reads is waited for, except s.Lock.
	s := p.s
	//course:step The first line is at 0 ms.
	now := s.Nanotime()
	if p.since.Get() == 0 {
		p.since.Set(now)
	}
	s.Lock.Lock()
	defer s.Lock.Unlock()
	//course:step What all share.
	var b strings.Builder
	fmt.Fprintf(&b, "SCHED %dms: gomaxprocs=%d idleprocs=%d threads=%d spinningthreads=%d needspinning=%d idlethreads=%d runqueue=%d",
		(now-p.since.Get())/1e6, s.Gomaxprocs.Get(), s.Npidle.Load(), s.Mnext.Get()-s.Nmfreed.Get(),
		s.Nmspinning.Load(), bit(s.Needspinning.Load()), s.Nmidle.Get(), s.Runq.Get().Size)
	//course:step In detail there is a line for each P, M and G.
	if detailed {
		fmt.Fprintf(&b, " gcwaiting=%t nmidlelocked=%d stopwait=%d sysmonwait=%t\n",
			s.Gcwaiting.Load(), s.Nmidlelocked.Get(), s.Stopwait.Get(), s.Sysmonwait.Load())
		s.Print(b.String())
		s.SchedDetail()
		return
	}
	//course:step Otherwise two numbers for each P: how many Gs are on its ring, and how many slices have begun there.
	b.WriteString(" [ ")
	for _, pp := range s.Allp.Get() {
		fmt.Fprint(&b, pp.Runqtail.Load()-pp.Runqhead.Load(), " ")
	}
	b.WriteString("] schedticks=[ ")
	for _, pp := range s.Allp.Get() {
		fmt.Fprint(&b, pp.Schedtick.Look(), " ")
	}
	b.WriteString("]\n")
	s.Print(b.String())
}

// bit is how the runtime prints a flag that was a number once.
//
//course:omit
func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
