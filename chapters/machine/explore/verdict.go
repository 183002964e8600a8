package explore

import (
	"fmt"
	"strings"

	"gosched/chapters/machine"
)

// A Kind names what is wrong with a model.
type Kind string

const (
	Violation  Kind = "violated check"  // what Errorf said, and what was lost or doubled
	Deadlock   Kind = "deadlock"        // threads wait for mutexes for ever
	LostWakeup Kind = "lost wake-up"    // threads sleep on notes for ever
	Livelock   Kind = "livelock"        // threads run for ever and get nowhere
	DataRace   Kind = "data race"       // on a Cell
	Panic      Kind = "panic"           // of a thread, a Fatal included
	Unstable   Kind = "nondeterminism"  // the model does not do the same again in the same schedule
	Misuse     Kind = "unusable model"  // nothing to explore
	BadReplay  Kind = "unusable replay" // the replay string does not fit
)

// A verdict is what is wrong in one execution.
type verdict struct {
	kind  Kind
	msg   string
	by    int8      // the thread that it is about, or alone
	panic any       // of a Panic
	at    place     // and where it was, if that is recorded
	stuck []*thread // that wait for ever

	// Of a DataRace.
	cell          machine.ID
	set, otherSet bool
	other         int8
}

// panicked makes a verdict of a panic of the current thread or of a check.
func (x *explorer) panicked(v any) {
	switch v := v.(type) {
	case abandoned:
	case failNow:
		if len(x.m.failed) == 0 {
			x.m.failed = append(x.m.failed, "FailNow was called")
		}
		x.complain()
	case stillHeld:
		x.fail(&verdict{kind: Deadlock, msg: "the check waits for ever: " + v.msg})
	default:
		w := &verdict{kind: Panic, msg: x.who() + ": " + fmt.Sprint(v), panic: v}
		if x.record != nil {
			w.at = here()
		}
		x.fail(w)
	}
}

// threadName is the name of the thread of that number.
func (x *explorer) threadName(id int8) string {
	if id == alone {
		return "the model"
	}
	return x.threads[id].name
}

func (x *explorer) mutexName(o *object) string {
	if o.name == "" {
		return "a lock"
	}
	return "the lock " + o.name
}

// stuckSentences says what each of the threads waits for.
func (x *explorer) stuckSentences(stuck []*thread) string {
	var list []string
	for _, t := range stuck {
		list = append(list, x.stuckSentence(t))
	}
	return lines(list)
}

func (x *explorer) stuckSentence(t *thread) string {
	o := x.object(t.op.id)
	switch {
	case t.waiting:
		return t.name + " waits in a loop for something to change, and no thread is left to change it"
	case t.op.kind != opLock:
		return t.name + " sleeps on a note, and no thread is left to wake it"
	case o.holder == t.id:
		return t.name + " waits for " + x.mutexName(o) + ", which it holds itself"
	case o.holder != alone && x.threads[o.holder].done:
		return t.name + " waits for " + x.mutexName(o) + ", which " + x.threadName(o.holder) + " held when it ended"
	}
	return t.name + " waits for " + x.mutexName(o) + ", which " + x.threadName(o.holder) + " holds"
}

// livelock is the verdict when threads that wait in loops were let go on many
// times and nothing came of it.
func (x *explorer) livelock() {
	var stuck []*thread
	for _, t := range x.threads[:x.n] {
		if !t.done && t.waiting {
			stuck = append(stuck, t)
		}
	}
	x.fail(&verdict{kind: Livelock, msg: x.stuckSentences(stuck), stuck: stuck})
}

// tooLong is the verdict on an execution that does not end.
func (x *explorer) tooLong() {
	last, count := x.lastThread(), 0
	for i := x.length - 1; i >= 0 && x.events[i].thread == last; i-- {
		count++
	}
	msg := fmt.Sprintf("no end after %d steps", x.length)
	if t := x.threads[last]; count > x.opt.Depth/2 {
		msg += fmt.Sprintf("; the last %d were all made by %s: a loop that waits for another thread must yield (Procyield, Osyield or Usleep)", count, t.name)
	}
	x.fail(&verdict{kind: Livelock, msg: msg})
}

// unstable says how a model does the same again in the same schedule.
const unstable = "Its function must build the model anew every time, and must not use the time, random numbers, the order of a map, or goroutines; random choices go through Choose"

// nondeterministic is the verdict when a rerun differs from what it was at n, or
// a schedule that was given does not fit.
func (x *explorer) nondeterministic(n *node) {
	if x.strategy == directed && x.record == nil {
		x.fail(&verdict{kind: BadReplay, msg: fmt.Sprintf("the replay does not fit this code: after %d steps it asks for what cannot happen. It was recorded with another version of the code, or with another model", x.length)})
		return
	}
	where := "after its last step"
	if n != nil {
		where = fmt.Sprintf("after %s, where %s ran the last time", count(int(n.event), "step"), x.threadName(n.thread))
	}
	x.fail(&verdict{kind: Unstable, msg: "in the same schedule the model does something else " + where + ". " + unstable})
}

func lines(list []string) string { return strings.Join(list, "\n") }
