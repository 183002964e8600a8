package ch18

import "gosched/chapters/gmp"

// masks keeps nothing of its own: the bits are in gmp.Sched.
type masks struct {
	s *gmp.Sched
}

// NewMasks makes the Masks of s.
func NewMasks(s *gmp.Sched) gmp.Masks { return &masks{s: s} }

// MaskIdle says that pp is idle. s.Lock is held.
//
//course:exercise
func (p *masks) MaskIdle(pp *gmp.P) {
	//course:holds A P that is in Idlepmask has no G, and one that is not in Timerpmask has no timers; both until an M takes it.
	//course:question An M sets a timer and has nothing to do afterwards. Who runs that timer?
	//course:step Without timers there will be none as long as it is idle: only its M adds one. But those that it has stay, and fire.
	if pp.Timers.Len.Load() == 0 {
		p.s.Timerpmask.Get().Clear(pp.ID)
	}
	p.s.Idlepmask.Get().Set(pp.ID)
}

// MaskBusy says that pp is not idle. s.Lock is held.
//
//course:exercise
func (p *masks) MaskBusy(pp *gmp.P) {
	//course:holds Before the M that gets pp can queue a G or set a timer, everybody who looks knows that it may.
	//course:step Whether it will is not known. So say that it may.
	p.s.Timerpmask.Get().Set(pp.ID)
	p.s.Idlepmask.Get().Clear(pp.ID)
}

// BusyPs returns the Ps that are not idle.
//
//course:exercise
func (p *masks) BusyPs(allp []*gmp.P, idlepmask gmp.PMask) []*gmp.P {
	//course:question Which of the two masks is it, which belongs to these Ps: the one of now, or the one of then?
	//course:step Those whose bit is clear. allp is s.Allp itself, so it must stay as it is.
	var busy []*gmp.P
	for _, pp := range allp {
		if !idlepmask.Read(pp.ID) {
			busy = append(busy, pp)
		}
	}
	return busy
}

// TimerPs returns the Ps that may have timers.
//
//course:exercise
func (p *masks) TimerPs(allp []*gmp.P, timerpmask gmp.PMask) []*gmp.P {
	//course:step Those whose bit is set.
	var may []*gmp.P
	for _, pp := range allp {
		if timerpmask.Read(pp.ID) {
			may = append(may, pp)
		}
	}
	return may
}
