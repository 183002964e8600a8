// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch16

package ch16

import (
	"gosched/chapters/gmp"
)

// Netpoll returns the Gs whose descriptors have become ready; they are still Gwaiting,
// and the caller's. It waits up to delay ns; not at all if delay is 0, for ever if it
// is negative. It returns when there are events, also if no G waits for them, and after
// a NetpollBreak. With delay 0 a NetpollBreak is left for an M that waits. Without an
// Epoll it waits for NetpollBreak and the time alone.
//
// An event of PollIn, PollRdhup, PollHup or PollErr is one for 'r'; of PollOut, PollHup
// or PollErr for 'w'. Whose it is says PollEvent, which also notes PollEventErr; one
// whose PollDesc is of another life by now is dropped. If the PollDesc is given back
// after PollEvent, the event makes its next life ready: the G that waits there finds
// nothing to read, and waits again. Up to 128 events are taken at a time; the others
// are there for the next call.
//
// mp is the M that executes the call; it has a P if delay is 0, unless it is the
// monitor, which runs no G. Only one M calls it with another delay; others may call it
// with 0 meanwhile. No lock is held. The runtime's netpoll.
func (p *poller) Netpoll(mp *gmp.M, delay int64) (list gmp.GList) {
	// Holds: A NetpollBreak after which nothing more has happened ends this
	//        call, or the next one that waits.
	// Question: The event of a Break stays until ClearBreak. Who may clear it,
	//           and what must others be able to do the moment after?
	panic(gmp.TODO("Netpoll"))
}

// NetpollBreak ends a Netpoll that waits, or the next one that would. Any M may call
// it, with locks held. Whatever its caller has done before, the M that waited sees when
// Netpoll has returned. Many calls before that Netpoll has returned are one, and cost
// one system call (Epoll.Break). The runtime's netpollBreak.
func (p *poller) NetpollBreak() {
	// Question: A hundred Ms set a timer at the same time. How many system
	//           calls is that?
	panic(gmp.TODO("NetpollBreak"))
}
