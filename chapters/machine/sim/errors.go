package sim

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Deadlock is the error of a simulation whose threads all sleep, and nothing
// will wake one.
type Deadlock struct {
	At      time.Duration // virtual time
	Threads []Sleeper     // in the order of their creation
}

// A Sleeper is a thread of a Deadlock.
type Sleeper struct {
	Thread string
	For    string // what it sleeps for: "on note 3", "for the lock sched.lock, which m2 holds"
	Where  string // the file and line from which it fell asleep
	id     int
}

func (d *Deadlock) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "deadlock: at %v all threads of the simulated computer sleep, and nothing will wake them", d.At)
	for _, t := range d.Threads {
		fmt.Fprintf(&b, "\n  %s sleeps %s", t.Thread, t.For)
		if t.Where != "" {
			fmt.Fprintf(&b, " (%s)", t.Where)
		}
	}
	return b.String()
}

func (d *Deadlock) add(th *thread) {
	if th.waits != nil {
		d.Threads = append(d.Threads, Sleeper{Thread: th.name, For: th.waits.describe(), id: th.id})
	}
}

func (d *Deadlock) at(th *thread, where string) {
	for i := range d.Threads {
		if d.Threads[i].id == th.id && d.Threads[i].Where == "" {
			d.Threads[i].Where = where
		}
	}
}

// A Panic is the error of a simulation in which a thread panicked. It unwraps to
// Value, if that is an error.
type Panic struct {
	Thread string
	Value  any
	Where  string // the file and line
}

func (p *Panic) Error() string {
	if p.Value == errGoexit {
		return fmt.Sprintf("thread %s: %v", p.Thread, p.Value)
	}
	text := fmt.Sprintf("panic in thread %s: %v", p.Thread, p.Value)
	if p.Where != "" {
		text += " at " + p.Where
	}
	return text
}

func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

var errGoexit = errors.New("it called runtime.Goexit, perhaps through t.FailNow, which only a test's own goroutine may call: return an error instead, or use assert")

// A LimitError is the error of a simulation that reached its limit.
type LimitError struct{ Limit Time }

func (e *LimitError) Error() string {
	return fmt.Sprintf("the simulation did not end within %v of virtual time", e.Limit)
}

// An Endless is the error of a simulation whose threads have done as much as they may: they go on
// for ever.
type Endless struct {
	At      time.Duration // virtual time
	Threads []Standing    // in the order of their creation
}

// A Standing is where a thread of an Endless stands.
type Standing struct {
	Thread string
	For    string // what it sleeps for, as in a Sleeper; "" if it does not sleep
	Where  string // the innermost line of a part, and its method; else the line that called the machine
}

func (e *Endless) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "no end in sight: after %v on the simulated computer", e.At)
	for _, t := range e.Threads {
		fmt.Fprintf(&b, "\n  %s", t.Thread)
		if t.For != "" {
			fmt.Fprintf(&b, " sleeps %s, again and again,", t.For)
		} else {
			b.WriteString(" runs")
		}
		if t.Where != "" {
			fmt.Fprintf(&b, " at %s", t.Where)
		}
	}
	return b.String()
}

// exhausted ends the simulation if its threads have done as much as they may.
func (s *simulation) exhausted() {
	if s.opt.Most > 0 && !s.ended && s.turns+s.sleeps+s.accesses > s.opt.Most {
		s.endless = &Endless{At: s.now.Duration()}
		s.end(s.endless)
	}
}

// stands notes where a thread stands, on its own goroutine.
func (e *Endless) stands(th *thread) {
	st := Standing{Thread: th.name, Where: where()}
	if th.waits != nil {
		st.For = th.waits.describe()
	}
	e.Threads = append(e.Threads, st)
}

// A Stuck is the error of a simulation whose current thread did not call the
// machine for a long time on a real clock. That thread cannot be stopped, so no
// other simulation can begin in this process until it has ended.
type Stuck struct {
	Thread   string
	Where    string // the file and line where it was last seen
	Patience time.Duration
	done     <-chan struct{} // closed when the thread has ended after all
}

func (e *Stuck) Error() string {
	at := ""
	if e.Where != "" {
		at = " (" + e.Where + ")"
	}
	return fmt.Sprintf("thread %s%s has not called the machine for %v: it computes without end, or waits for something that the machine does not know. "+
		"Threads may wait only for atomics, locks and notes of package machine", e.Thread, at, e.Patience)
}
