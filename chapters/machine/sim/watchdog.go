package sim

import (
	"runtime"
	"strings"
	"time"
)

// watch waits for the end of the simulation. It returns early if the current
// thread does not come back: if it was seen without a call of the machine at a
// number of looks in a row. Looks, and not a time, so that a process that was
// stopped for a while is not blamed. Where the host has one thread and cannot
// interrupt it, as in a browser, nothing watches.
func (s *simulation) watch(done <-chan struct{}) error {
	const looks = 10
	ticker := time.NewTicker(max(1, s.opt.Patience/looks))
	defer ticker.Stop()
	stop := s.opt.Stop
	for unanswered := 0; unanswered < looks; {
		select {
		case <-done:
			return nil
		case <-stop:
			stop = nil
			s.stopped.Store(true)
			s.asked.Store(true) // the answer ends it
			continue
		case <-ticker.C:
		}
		if s.asked.Swap(true) {
			unanswered++
		} else {
			unanswered = 0
		}
	}
	s.abandoned.Store(true)
	s.asked.Store(true) // it may have answered just now
	return &Stuck{Thread: s.running.Load().name, Where: spinsAt(), Patience: s.opt.Patience, done: done}
}

// answer gives the watchdog its sign of life. To look whether it has asked costs less than
// to give one at each turn.
func (s *simulation) answer() {
	s.asked.Store(false)
	if s.stopped.Load() {
		s.end(ErrStopped)
	}
	if s.abandoned.Load() {
		s.end(nil)
	}
}

// spinsAt returns the place in the source where the thread is that has its turn: of
// all goroutines with a frame of live, the others wait in a coroutine switch.
func spinsAt() string {
	buf := make([]byte, 1<<20)
	for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		head, frames, _ := strings.Cut(stack, "\n")
		if !strings.Contains(frames, "sim.(*simulation).live(") || strings.Contains(head, "[coroutine") {
			continue
		}
		// A frame is a line with the function and its arguments, then one with the
		// file and the line.
		lines := strings.Split(frames, "\n")
		for i := 0; i+1 < len(lines); i += 2 {
			at, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " ")
			colon := strings.LastIndexByte(at, ':')
			if colon > 0 && !hidden(lines[i], at[:colon]) {
				return sourceLine(at[:colon], at[colon+1:])
			}
		}
	}
	return ""
}
