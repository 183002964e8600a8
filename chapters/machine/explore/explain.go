package explore

import "fmt"

// explain turns a verdict on the last execution into a failure to be shown: the
// one with the fewest preemptions that can be found, run once more and recorded.
// Executions with at most so many preemptions as known are all right.
func (x *explorer) explain(v *verdict, known int) *Failure {
	switch v.kind {
	case Unstable, Misuse, BadReplay:
		return &Failure{Kind: v.kind, Message: v.msg}
	}
	s := x.taken()
	switches := x.preemptions()
	v, s, minimal := x.simplify(v, s, switches, known)
	f := x.show(v, s)
	f.Minimal = minimal
	return f
}

// preemptions counts those of the last execution.
func (x *explorer) preemptions() int { return int(x.spent()) }

// simplifyPart is the part of all steps that the search for a failure with fewer
// preemptions may take, for each number of them.
const simplifyPart = 6

// simplify looks for a failure with fewer preemptions than s has: in all
// executions with fewer of them, if these are not too many, and else by taking
// one preemption after another out of s.
func (x *explorer) simplify(v *verdict, s schedule, switches, known int) (*verdict, schedule, bool) {
	minimal := true
	for x.bound = known + 1; x.bound < switches; x.bound++ {
		w, complete := x.walk(bounded, x.opt.Steps/simplifyPart)
		if w != nil && w.kind != Unstable {
			return w, x.taken(), minimal
		}
		if !complete {
			minimal = false
			break
		}
	}
	if minimal {
		return v, s, true
	}
	for again := true; again; {
		again = false
		for i := range s.blocks() {
			w := x.directed(s.joined(i), true)
			if w == nil || w.kind != v.kind || x.preemptions() >= switches {
				continue
			}
			v, s, switches, again = w, x.taken(), x.preemptions(), true
			break
		}
	}
	return v, s, false
}

// A block is a stretch of a schedule in which one thread runs.
type block struct{ from, to int }

func (s schedule) blocks() []block {
	var list []block
	for i := 0; i < len(s); {
		j := i + 1
		for j < len(s) && (s[j] == s[i] || s[j] < 0) {
			j++
		}
		list = append(list, block{i, j})
		i = j
	}
	return list
}

// joined is s with the next block of the thread of the i-th one moved up to it.
func (s schedule) joined(i int) schedule {
	list := s.blocks()
	for j := i + 1; j < len(list); j++ {
		if s[list[j].from] != s[list[i].from] {
			continue
		}
		moved := append(schedule(nil), s[:list[i].to]...)
		moved = append(moved, s[list[j].from:list[j].to]...)
		moved = append(moved, s[list[i].to:list[j].from]...)
		return append(moved, s[list[j].to:]...)
	}
	return append(schedule(nil), s...)
}

// show runs a schedule once more and writes it down.
func (x *explorer) show(v *verdict, s schedule) *Failure {
	x.record, x.sync = x.newRecording(), true
	defer func() { x.record = nil }()
	again := x.directed(append(schedule(nil), s...), false)
	if again == nil || again.kind != v.kind {
		return &Failure{Kind: Unstable, Message: fmt.Sprintf("an execution ended with a %s (%s), but in the same schedule it did not do so again. %s", v.kind, v.msg, unstable)}
	}
	f := &Failure{
		Kind: again.kind, Message: again.msg, Panic: again.panic,
		Preemptions: x.preemptions(), Replay: s.String(),
	}
	for _, t := range x.threads[:x.n] {
		f.Threads = append(f.Threads, t.name)
	}
	f.Message = x.record.message(again)
	x.record.finish(again)
	f.Steps = told(x.record.steps)
	return f
}

// told leaves out what is only on the way, the uses of Cells, but for the two of a race, and what
// only the check does.
func told(steps []Step) []Step {
	var out []Step
	switches := map[int]Switch{} // by thread: before a step that is left out
	for _, s := range steps {
		if s.Switch != NoSwitch {
			clear(switches)
			switches[s.Thread] = s.Switch
		}
		if (s.cell || s.aside) && !s.Here {
			continue
		}
		s.Switch = switches[s.Thread]
		delete(switches, s.Thread)
		if n := len(out); n == 0 || out[n-1].Thread < 0 || out[n-1].Thread == s.Thread {
			s.Switch = NoSwitch // nothing is shown of whoever ran before it
		}
		out = append(out, s)
	}
	return out
}

// finish adds where things stand at the end.
func (r *recording) finish(v *verdict) {
	switch v.kind {
	case DataRace:
		for _, use := range []cellUse{{v.cell, v.by, v.set}, {v.cell, v.other, v.otherSet}} {
			if i, ok := r.uses[use]; ok {
				r.steps[i].Here = true
			}
		}
	case Deadlock, LostWakeup, Livelock:
		for _, t := range v.stuck {
			p := r.pending[t.id]
			r.running = int(t.id) // the threads are ended already
			r.add(t, p.place, Step{Note: "waits for ever: " + shorten(p.code, maxNote), Here: true})
		}
	case Panic:
		if v.by != alone {
			r.add(r.x.threads[v.by], v.at, Step{Note: "panics", Here: true})
		}
	}
}

// replay runs the schedule of a replay string.
func (x *explorer) replay(text string) Result {
	r := Result{Bound: -1, Replayed: true}
	s, err := parseSchedule(text, x.opt.Depth)
	if err != nil {
		r.Failure = &Failure{Kind: BadReplay, Message: err.Error()}
		return r
	}
	v := x.directed(append(schedule(nil), s...), false)
	r.Executions, r.Steps = x.executions, x.total
	switch {
	case v == nil:
	case v.kind == BadReplay:
		r.Failure = &Failure{Kind: v.kind, Message: v.msg}
	default:
		r.Failure = x.show(v, s)
	}
	return r
}
