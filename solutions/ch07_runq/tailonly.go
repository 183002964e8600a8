//course:omit
package ch07

import "gosched/chapters/gmp"

// TailOnly is the form ch07/1.1: there is no Runnext before Go 1.5, every G goes to
// the tail. (In 1.1 and 1.2 the ring had a lock, and grew when it was full; the
// ring without a lock, of 256 slots, came with 1.3.)
var TailOnly = gmp.Version{
	RunQueue: func(s *gmp.Sched) gmp.RunQueue { return tailOnly{NewRunQueue(s)} },
}

type tailOnly struct{ gmp.RunQueue }

func (p tailOnly) Runqput(pp *gmp.P, gp *gmp.G, next bool) { p.RunQueue.Runqput(pp, gp, false) }
