package ch16

import "gosched/chapters/gmp"

// PollSetDeadline sets deadlines, and then the timers.
//
//course:exercise
func (p *poller) PollSetDeadline(mp *gmp.M, pd *gmp.PollDesc, d int64, mode int) {
	//course:holds A G that waits when the deadline is over becomes ready, and one that is about to wait does not.
	//course:question What must be published before you look who waits?
	s := p.s
	//course:step A time from now, unless it is 0 or over. A sum that does not fit is negative.
	if d > 0 {
		if d += s.Nanotime(); d < 0 {
			d = gmp.MaxWhen
		}
	}
	//course:step Under the lock, unless pd is Closing: set what is meant, and publish it.
	pd.Lock.Lock()
	if pd.Closing.Get() {
		pd.Lock.Unlock()
		return
	}
	for _, m := range [...]int{'r', 'w'} {
		if mode == m || mode == 'r'+'w' {
			pd.Deadline(m).Set(d)
		}
	}
	pd.PublishInfo()
	pd.Lock.Unlock()
	//course:step Without the lock: the timers (SetDeadlineTimer), and if the deadline is over, the Gs that wait.
	for _, m := range [...]int{'r', 'w'} {
		if mode != m && mode != 'r'+'w' {
			continue
		}
		s.SetDeadlineTimer(mp, pd, m)
		if d < 0 {
			p.wake(mp, pd, m)
		}
	}
}

// Netpolldeadline ends the wait of a G whose time is over.
//
//course:exercise
func (p *poller) Netpolldeadline(mp *gmp.M, pd *gmp.PollDesc, mode int) {
	//course:holds After a deadline that was moved while its timer fired, nothing has happened.
	//course:question The timer has fired, and before you have the lock the deadline is moved. How do you see that?
	//course:step Under the lock: is there a deadline, and is it over? Then say so, and publish it.
	deadline := pd.Deadline(mode)
	pd.Lock.Lock()
	over := deadline.Get() > 0 && deadline.Get() <= p.s.Nanotime()
	if over {
		deadline.Set(-1)
		pd.PublishInfo()
	}
	pd.Lock.Unlock()
	//course:step And who waits?
	if over {
		p.wake(mp, pd, mode)
	}
}

// PollUnblock lets no G wait any more.
//
//course:exercise
func (p *poller) PollUnblock(mp *gmp.M, pd *gmp.PollDesc) {
	//course:holds A G that waits becomes ready, and one that is about to wait does not.
	s := p.s
	//course:step Under the lock: Closing, once, and publish it.
	pd.Lock.Lock()
	if pd.Closing.Get() {
		s.Throw("runtime: unblock on closing polldesc")
	}
	pd.Closing.Set(true)
	pd.PublishInfo()
	pd.Lock.Unlock()
	//course:step Without the lock, for both modes: the timer, and who waits.
	for _, mode := range [...]int{'r', 'w'} {
		s.SetDeadlineTimer(mp, pd, mode)
		p.wake(mp, pd, mode)
	}
}

// wake makes the G ready that waits for pd in mode, although pd is not.
//
//course:omit
func (p *poller) wake(mp *gmp.M, pd *gmp.PollDesc, mode int) {
	if gp := p.s.Netpollunblock(pd, mode, false); gp != nil {
		p.s.Goready(mp, gp)
	}
}
