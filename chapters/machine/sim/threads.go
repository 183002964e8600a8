package sim

import (
	"iter"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"gosched/chapters/machine"
)

// A thread is one of the machine's.
type thread struct {
	id   int // from 0, in the order of their creation
	name string
	fn   func()
	co   *coroutine // nil until its first turn, and after its end

	cpu   int  // where it is, or was last; -1 before the first time
	ready Time // when it waits for a CPU: from when on it can run

	waits wait // what it sleeps for; nil if it does not sleep
	woken bool // whether that came; false if the time was over
}

// A wait is what a thread can sleep for.
type wait interface {
	describe() string
	// timeout ends the wait of th because its time is over.
	timeout(th *thread)
}

// A coroutine is what a thread runs on. It serves one after another.
type coroutine struct {
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
}

// Thread starts a thread.
func (s *simulation) Thread(name string, fn func()) {
	s.spend(s.costs.ThreadCreate)
	if name == "" {
		name = "thread " + strconv.Itoa(len(s.threads))
	}
	s.start(name, fn, s.now+s.latency())
}

// start makes a thread that can run from the given time on.
func (s *simulation) start(name string, fn func(), at Time) {
	th := &thread{id: len(s.threads), name: name, fn: fn, cpu: -1}
	s.threads = append(s.threads, th)
	s.place(th, at)
}

// takeTurns resumes the thread whose turn it is, until the simulation is over.
func (s *simulation) takeTurns() {
	for !s.ended {
		if s.asked.Load() {
			s.answer()
			continue
		}
		s.turns++
		if s.exhausted(); s.ended {
			return
		}
		th := s.cur
		s.running.Store(th)
		if th.co == nil {
			s.equip(th)
		}
		th.co.next()
	}
}

// equip gives a new thread a coroutine.
func (s *simulation) equip(th *thread) {
	if n := len(s.pool); n > 0 {
		th.co, s.pool = s.pool[n-1], s.pool[:n-1]
		return
	}
	co := &coroutine{}
	co.next, co.stop = iter.Pull(func(yield func(struct{}) bool) {
		co.yield = yield
		for {
			th := s.cur
			s.live(th)
			if s.ended {
				return
			}
			th.co = nil
			s.pool = append(s.pool, co)
			s.vacate()
			s.pick()
			if !yield(struct{}{}) {
				return
			}
		}
	})
	th.co = co
}

// live is the life of a thread. What ends it before its time ends the simulation.
func (s *simulation) live(th *thread) {
	returned := false
	defer func() {
		v := recover()
		switch {
		case v != nil:
			s.end(&Panic{Thread: th.name, Value: v, Where: where()})
		case !returned:
			s.end(&Panic{Thread: th.name, Value: errGoexit, Where: where()})
		case th.id == 0:
			s.end(nil)
		}
	}()
	th.fn()
	returned = true
}

// leave gives the turn to s.cur, and returns when th has its turn again.
func (s *simulation) leave(th *thread) {
	if s.cur == th && !s.ended {
		return
	}
	if th.co.yield(struct{}{}) {
		return
	}
	if s.deadlock != nil && th.waits != nil {
		s.deadlock.at(th, where())
	}
	if s.endless != nil {
		s.endless.stands(th)
	}
	runtime.Goexit() // which no part can recover from, unlike a panic
}

// endThreads ends all threads that still live, one after the other. Each call of
// stop is on a goroutine of its own, which it takes along.
func (s *simulation) endThreads() {
	s.end(nil) // a thread may have ended the goroutine of takeTurns
	stop := func(co *coroutine) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			co.stop()
		}()
		<-done
	}
	for _, th := range s.threads {
		if th.co != nil {
			s.cur = th
			stop(th.co)
		}
	}
	for _, co := range s.pool {
		stop(co)
	}
}

// where returns the place in the source at which the current goroutine called the
// machine, or panicked: the innermost frame that is neither the machine's, nor the
// simulation's, nor the standard library's. If a suite stands in for what a part calls, it is
// the part's, with the method.
func where() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	first := ""
	for {
		f, more := frames.Next()
		at := sourceLine(f.File, strconv.Itoa(f.Line))
		if first == "" && !hidden(f.Function, f.File) {
			first = at
		}
		if ofPart(f.Function) {
			return f.Function[strings.LastIndexByte(f.Function, '.')+1:] + ", " + at
		}
		if !more {
			return first
		}
	}
}

// ofPart reports whether a function belongs to a part.
func ofPart(function string) bool {
	return strings.HasPrefix(function, "gosched/exercises/") || strings.HasPrefix(function, "gosched/solutions/")
}

// sourceLine names a line of a file in its directory: "ch07_runq/runq.go:31".
func sourceLine(path, line string) string {
	dir, file := filepath.Split(path)
	return filepath.Base(dir) + "/" + file + ":" + line
}

// hidden reports whether a function is one of those that where leaves out.
func hidden(function, file string) bool {
	if strings.HasSuffix(file, "_test.go") {
		return false
	}
	if !strings.HasPrefix(function, "gosched/") {
		return !strings.HasPrefix(function, "main.")
	}
	return strings.HasPrefix(function, "gosched/chapters/machine.") || strings.HasPrefix(function, "gosched/chapters/machine/sim.")
}

var _ machine.CostHook = (*simulation)(nil)
