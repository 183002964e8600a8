// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch16

package ch16

import "gosched/chapters/gmp"

// PollSetDeadline sets the deadline of pd in mode, which may be 'r'+'w', to d ns from
// now (Sched.Nanotime), or to MaxWhen if that is too late; to none if d is 0; and if d is
// below 0, it is over: the Gs that wait become ready. It does nothing if pd is Closing.
// The timers, Rt and Wt, follow, without pd.Lock (SetDeadlineTimer). Several Gs may do
// this at the same time: the timer and the deadline agree in the end. The runtime's
// poll_runtime_pollSetDeadline.
func (p *poller) PollSetDeadline(mp *gmp.M, pd *gmp.PollDesc, d int64, mode int) {
	// Holds: A G that waits when the deadline is over becomes ready, and one
	//        that is about to wait does not.
	// Question: What must be published before you look who waits?
	panic(gmp.TODO("PollSetDeadline"))
}

// Netpolldeadline is called when the timer of mode, 'r' or 'w', fires. If the deadline
// that pd has now is over, Rd or Wd says so (-1), and the G that waits becomes ready. It
// may have been moved, or pd be of another life: then nothing happens. What tells is the
// deadline itself, and the time (Sched.Nanotime); the runtime has numbers for it, rseq and
// wseq, which each change increments. No G runs on mp, and locks of Timers may be held. The
// runtime's netpolldeadlineimpl.
func (p *poller) Netpolldeadline(mp *gmp.M, pd *gmp.PollDesc, mode int) {
	// Holds: After a deadline that was moved while its timer fired, nothing
	//        has happened.
	// Question: The timer has fired, and before you have the lock the deadline
	//           is moved. How do you see that?
	panic(gmp.TODO("Netpolldeadline"))
}

// PollUnblock is the first half of a close: pd is Closing, the Gs that wait become
// ready, no other will wait, and the timers are not set any more. Throws "runtime:
// unblock on closing polldesc" if pd is Closing already. The runtime's
// poll_runtime_pollUnblock.
func (p *poller) PollUnblock(mp *gmp.M, pd *gmp.PollDesc) {
	// Holds: A G that waits becomes ready, and one that is about to wait does
	//        not.
	panic(gmp.TODO("PollUnblock"))
}
