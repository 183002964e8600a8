// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch15

package ch15

import "gosched/chapters/gmp"

// timerHeap is the timers of a P.
//
// TimerHeap is the timers of a P: a heap in which each node has four children, those of i at
// 4i+1 to 4i+4. No entry is due earlier than its parent. Only an M that has the lock of the list
// may move entries; everybody else changes the timer and leaves a mark in its State. With the
// lock of a list, that of a timer may be taken, not the other way round. What is behind the end
// of a heap, in its array, is zero: nothing there leads to a timer that has left.
//
// A method that finds a timer in the wrong state throws "timer data corruption".
type timerHeap struct {
	s *gmp.Sched
}

// NewTimerHeap makes the TimerHeap of s.
func NewTimerHeap(s *gmp.Sched) gmp.TimerHeap { return &timerHeap{s: s} }

// children is how many each node of a heap has. With four, a heap is half as deep as with two,
// and they lie side by side. The runtime's timerHeapN.
const children = 4

// corrupt is what is thrown when a timer is not as it should be. The runtime's badTimer.
const corrupt = "timer data corruption"

// AddHeap adds t, which is in no heap, to ts: t.Ts, an entry in its place, and
// MinWhenHeap if it is the first one. ts and t are locked, or the world is stopped. t.State
// has TimerHeaped already. Throws "ts set in timer" if t is in one. The runtime's
// timers.addHeap.
func (p *timerHeap) AddHeap(ts *gmp.TimerList, t *gmp.Timer) {
	panic(gmp.TODO("AddHeap"))
}

// DeleteMin removes the first entry of ts, which is locked: the last one takes its place,
// and finds its own from there. Its timer's Ts becomes nil; its State is the caller's.
// MinWhenHeap is right afterwards; MinWhenModified is 0 if nothing is left. Throws "wrong
// timers" if that timer's Ts is not ts. The runtime's timers.deleteMin.
func (p *timerHeap) DeleteMin(ts *gmp.TimerList) {
	panic(gmp.TODO("DeleteMin"))
}

// UpdateHeap does for t, the first of its list, what its State asks for, and reports
// whether there was anything: a zombie leaves the heap, and State has none of the bits
// any more; an entry that is wrong is corrected, and finds its place. t and t.Ts are locked.
// Throws if t is not the first of a list. The runtime's timer.updateHeap.
func (p *timerHeap) UpdateHeap(t *gmp.Timer) (updated bool) {
	// Question: Why is t the first of its heap, and not any other? What would
	//           a timer in the middle need?
	panic(gmp.TODO("UpdateHeap"))
}

// CleanHead does so for the first entry of ts, again and again, until that one is right.
// Before that it takes zombies off the end of the heap, since nothing has to move for that,
// and the last entry is what DeleteMin puts in front; it may do so again before each look,
// as the runtime does. Before each removal, also at the end, it looks whether mp's current
// G, if it has one, is to stop (PreemptStop), and then it stops. ts is locked. If nothing is left
// MinWhenModified is 0. An entry whose Astate says that it is right costs no lock. Throws
// "bad ts" for a timer of another list. The runtime's timers.cleanHead.
func (p *timerHeap) CleanHead(mp *gmp.M, ts *gmp.TimerList) {
	// Question: Which removal from a heap costs nothing at all?
	panic(gmp.TODO("CleanHead"))
}

// Adjust goes through all entries of ts, which is locked, removes zombies, and corrects
// those that were modified. Without force it does nothing if no modified timer is due at
// the time now. Throws "bad ts" for a timer of another list.
//
// Meanwhile others look at WakeTime, and modify timers of ts: what they see must not be
// too late, and what they write must not be lost. So, in this order: MinWhenHeap becomes
// WakeTime; MinWhenModified becomes 0; the entries, where Astate says that there is
// something to do; MinWhenHeap becomes what it is. The runtime's timers.adjust.
func (p *timerHeap) Adjust(ts *gmp.TimerList, now int64, force bool) {
	// Holds: WakeTime is at no moment later than the first timer, and no
	//        change that comes meanwhile is lost.
	// Question: Another M modifies a timer that you have passed already. What
	//           has it written when you set MinWhenModified to 0, and what
	//           does it write afterwards?
	panic(gmp.TODO("Adjust"))
}

// TakeTimers moves all timers of src to ts, without the zombies, and what was modified is
// right in ts. src is empty afterwards, also for those who look without a lock; but first
// ts has them, for those, too (WakeTime). So what Unlock would publish is stored: Len of both, and
// Astate. The world is stopped, and nothing is locked but s.Lock. The runtime's
// timers.take.
func (p *timerHeap) TakeTimers(ts, src *gmp.TimerList) {
	// Question: The world is stopped. Which M looks at the two lists
	//           nevertheless, and at what?
	panic(gmp.TODO("TakeTimers"))
}

// MaybeAdd adds t to the timers of mp's P, if it must be in a heap and is not: it is set,
// and it has no channel, or a G waits for that. It is called only if that was so when its
// caller had t locked, since it locks a list; meanwhile others may have been faster.
// CleanHead comes first. If t is due earlier than anything that is then in the list
// (WakeTime), whoever sleeps must learn of it, when nothing is locked any more
// (Wakenetpoller), and only then. The
// caller has locked neither a timer nor a list, but perhaps channels. The runtime's
// timer.maybeAdd.
func (p *timerHeap) MaybeAdd(mp *gmp.M, t *gmp.Timer) {
	// Holds: If t must be in a heap it is in exactly one, and an M that sleeps
	//        until a later time has been told.
	// Question: Two Gs begin to wait for the same channel at the same time, on
	//           two Ps. What do both find here?
	panic(gmp.TODO("MaybeAdd"))
}

// UnlockAndRun fires t, which is locked and due at the time now, on mp: F with Arg, and how
// late it is. If it is in a heap it is the first one there, that list is locked, too, and State
// has nothing else; otherwise it throws. Before: When becomes 0, or with a period the next of
// its times after now, MaxWhen if that does not fit, and the heap is right: State says what
// UpdateHeap is to do. While F runs neither is locked; at the end t is unlocked, and the list
// it was in is locked again.
//
// If t has a channel, SendLock is held while F runs, and F is not called if Seq is no
// longer what it was under t's lock. Without a period t is counted in IsSending from then
// until it has SendLock. The runtime's timer.unlockAndRun.
func (p *timerHeap) UnlockAndRun(mp *gmp.M, t *gmp.Timer, now int64) {
	// Holds: t fires once for each time that it was set to; and not at all if
	//        it is stopped, or set anew, before its function runs.
	// Question: The function takes locks of its own, and may set timers. So
	//           yours must be free while it runs. Who may come meanwhile, and
	//           what does it find?
	panic(gmp.TODO("UnlockAndRun"))
}
