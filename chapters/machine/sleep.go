package machine

import "slices"

// This file is how a thread sleeps in a system call, and is woken.
//
// A thread that sleeps is woken exactly once: by data or room in a pipe, by the end
// of its time, or by its signal. Two of them may come at the same time, and the
// note of the thread takes one Wakeup for each Sleep, no more: a second one is a
// Fatal, and a missing one lets the thread sleep for ever.
//
// The rule: Thread.asleep says that the thread is still to be woken. It is set and
// cleared under the kernel's lock. The thread that clears it calls Wakeup, after the
// lock; no other does. A thread whose time is over, or that has seen a signal,
// clears the flag itself, and then there is no Wakeup. If it finds the flag
// cleared, it has lost the race: a Wakeup is coming or has come, and the thread
// sleeps once more to consume it. Only then may it clear the note.
//
// The order: a thread that wants data looks for it and sets the flag in one step, so
// no data can come in between. It looks for a signal after it has set the flag, and
// Signal.Send looks at the flag after it has made the signal pending. If each looked
// first, both could find nothing: the thread would sleep on a pending signal.
//
// The lock is not held while the thread sleeps or calls Wakeup, since these are the
// points at which a Hook goes on with another thread.

// A waitq is the threads that sleep until something happens to a file, in the order
// in which they came. Only those whose flag is set are on it.
type waitq []*Thread

// rouse clears the flags of all threads on q and adds them to roused, for unlock to
// wake. All are woken, not one: each must learn of the end of a file, and for how many
// the data or the room is enough is known only when they look. The kernel's lock is
// held.
func (q *waitq) rouse(roused []*Thread) []*Thread {
	for q != nil && len(*q) > 0 {
		t := (*q)[0]
		t.rouse()
		roused = append(roused, t)
	}
	return roused
}

// rouse clears t's flag and reports whether it was set: then the caller must call
// Wakeup, unless it is t. The kernel's lock is held.
func (t *Thread) rouse() bool {
	if !t.asleep {
		return false
	}
	t.asleep = false
	if q := t.queue; q != nil {
		*q = slices.DeleteFunc(*q, func(u *Thread) bool { return u == t })
		t.queue = nil
	}
	return true
}

// fallAsleep sets t's flag, on q if that is not nil. The kernel's lock is held; sleep
// comes next.
func (t *Thread) fallAsleep(q *waitq) {
	t.asleep, t.queue = true, q
	if q != nil {
		*q = append(*q, t)
	}
}

// An end is how a sleep ended.
type end int

const (
	woken     end = iota
	timedOut      // no other thread woke it
	signalled     // its signal was pending when it wanted to sleep
)

// sleep returns when t was woken, after ns nanoseconds, which is for ever if it is
// negative, or at once if t's signal is pending. A thread that a signal has woken is
// woken like any other: it looks once more for what it waits for, and learns of the
// signal when it wants to sleep again.
func (t *Thread) sleep(ns int64) end {
	if t.Signal.isPending() {
		return t.giveUp(signalled)
	}
	return t.doze(ns)
}

// doze is sleep for a thread that leaves a signal pending: one that runs no program.
func (t *Thread) doze(ns int64) end {
	if t.note.SleepTimeout(ns) {
		t.note.Clear()
		return woken
	}
	return t.giveUp(timedOut)
}

// giveUp ends a sleep that no other thread has ended.
func (t *Thread) giveUp(how end) end {
	k := &t.m.kernel
	k.lock()
	mine := t.rouse()
	k.unlock(nil)
	if !mine {
		t.note.Sleep()
		t.note.Clear()
	}
	return how
}

// interrupt wakes t if it sleeps in a system call. Any thread may call it.
func (t *Thread) interrupt() {
	if t.m == nil {
		return
	}
	k := &t.m.kernel
	k.lock()
	var roused []*Thread
	if t.rouse() {
		roused = append(roused, t)
	}
	k.unlock(roused)
}
