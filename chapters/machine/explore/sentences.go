package explore

import (
	"fmt"
	"slices"
	"strings"
)

// What a report says in words before the lanes. A verdict alone knows no names; the
// recording of its execution does.

// message is what is wrong.
func (r *recording) message(v *verdict) string {
	switch v.kind {
	case DataRace:
		if list := r.raceSentences(v); list != nil {
			return lines(list)
		}
	case Deadlock, LostWakeup, Livelock:
		return lines(slices.Concat(r.waits(v), r.goesOn(v), r.oldValues()))
	}
	return v.msg
}

// waits says what each of the threads that are stuck waits for. The verdict has a
// line for each of them.
func (r *recording) waits(v *verdict) []string {
	list := strings.Split(v.msg, "\n")
	for i, t := range v.stuck {
		if sentence := r.loop(t); sentence != "" {
			list[i] = sentence
		}
	}
	return list
}

// maxNamed is how many variables a sentence names.
const maxNamed = 4

// loop says what a thread waits for that goes round in a loop, "" if that is not
// known.
func (r *recording) loop(t *thread) string {
	if !t.waiting {
		return ""
	}
	var names, reads []string
	for _, s := range t.before {
		i := r.lastUse(t.id, int(s.id))
		if i < 0 || !r.steps[i].isStep() || slices.Contains(names, r.steps[i].variable()) {
			continue
		}
		names = append(names, r.steps[i].variable())
		reads = append(reads, r.steps[i].variable()+" = "+r.steps[i].Value)
	}
	if len(names) == 0 {
		return ""
	}
	more := ""
	if len(names) > maxNamed {
		names, reads, more = names[:maxNamed], reads[:maxNamed], ", …"
	}
	return fmt.Sprintf("%s waits in a loop for %s to change (it reads %s), and no thread is left to change %s",
		t.name, either(names)+more, strings.Join(reads, ", ")+more, it(len(names)))
}

func either(names []string) string {
	n := len(names)
	if n < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:n-1], ", ") + " or " + names[n-1]
}

func it(n int) string {
	if n == 1 {
		return "it"
	}
	return "any of them"
}

// goesOn says what threads look at again and again that go on for ever: what they
// have read in the last half of a schedule that has no end, and that no thread has
// written.
func (r *recording) goesOn(v *verdict) []string {
	if v.kind != Livelock || len(v.stuck) > 0 {
		return nil
	}
	half := r.steps[len(r.steps)/2:]
	written := map[int]bool{}
	for _, s := range half {
		written[s.Object] = written[s.Object] || s.Write
	}
	var list []string
	for i := range half {
		s := &half[i]
		if !s.looks() || written[s.Object] {
			continue
		}
		sentence := fmt.Sprintf("%s reads %s = %s again and again, and %s", r.x.threadName(int8(s.Thread)), s.variable(), s.Value, r.answer(half))
		if len(list) < maxNamed && !slices.Contains(list, sentence) {
			list = append(list, sentence)
		}
	}
	return list
}

// answer says of a schedule that has no end, of which half is the last half, why what a thread
// waits for does not change: those that could change it have ended, or do not come to run.
func (r *recording) answer(half []Step) string {
	var ran set
	for i := range half {
		if s := &half[i]; s.isStep() {
			ran.add(int8(s.Thread))
		}
	}
	var ready []string
	for _, t := range r.x.threads[:r.x.n] {
		if !t.done && !ran.has(t.id) && r.x.canRun(t) {
			ready = append(ready, t.name)
		}
	}
	if len(ready) > 0 {
		return fmt.Sprintf("%s, which could run, is never let run: a loop that waits must yield", either(ready))
	}
	return fmt.Sprintf("no thread has changed it in the last %d lines", len(half))
}

// lastUse returns the last step of a thread on an object, -1 if there is none.
func (r *recording) lastUse(thread int8, object int) int {
	for i := len(r.steps) - 1; i >= 0; i-- {
		if s := &r.steps[i]; s.Number > 0 && s.Thread == int(thread) && s.Object == object {
			return i
		}
	}
	return -1
}

// maxOldValues is how many sentences there are about old values.
const maxOldValues = 2

// oldValues says which threads have read a value that is not there any more, and
// have not looked again. One such read for each thread, the last: what hangs often
// hangs on it.
func (r *recording) oldValues() []string {
	var list []string
	var told set
	for i := len(r.steps) - 1; i >= 0 && len(list) < maxOldValues; i-- {
		s := &r.steps[i]
		if !s.looks() || told.has(int8(s.Thread)) || s.kind == opNanotime || r.lastUse(int8(s.Thread), s.Object) != i {
			continue
		}
		change, value := r.changed(i)
		if change == nil || value == s.Value {
			continue
		}
		told.add(int8(s.Thread))
		list = append(list, fmt.Sprintf("%s acts on an old value: it read %s = %s in step %d (%s); %s changed it to %s in step %d (%s), and %s has not looked again",
			r.x.threadName(int8(s.Thread)), s.variable(), s.Value, s.Number, s.path,
			r.x.threadName(int8(change.Thread)), change.Value, change.Number, change.path, r.x.threadName(int8(s.Thread))))
	}
	return list
}

// changed returns the first step after step i in which another thread changes the
// value that it read, and what the variable holds in the end.
func (r *recording) changed(i int) (first *Step, value string) {
	read := &r.steps[i]
	for j := i + 1; j < len(r.steps); j++ {
		s := &r.steps[j]
		if s.isStep() && s.Object == read.Object && s.Write {
			if value = s.Value; first == nil && s.Thread != read.Thread && s.Value != read.Value {
				first = s
			}
		}
	}
	return first, value
}

// raceSentences says which two uses of a Cell are in no order, what could have
// gone wrong, and what the one thread has heard of the other at all.
func (r *recording) raceSentences(v *verdict) []string {
	second, ok := r.uses[cellUse{v.cell, v.by, v.set}]
	first, ok2 := r.uses[cellUse{v.cell, v.other, v.otherSet}]
	if !ok || !ok2 {
		return nil
	}
	a, b := &r.steps[first], &r.steps[second]
	one, other := r.x.threadName(v.other), r.x.threadName(v.by)
	object, same := r.cellName(v, a), "it"
	if name := r.cellName(v, b); name != object {
		same = "it as " + name
	}
	list := []string{
		fmt.Sprintf("%s %s %s (%s), and %s %s %s (%s): neither waits for the other, so %s",
			one, does(v.otherSet), object, a.path, other, does(v.set), same, b.path, outcome(v, one, other)),
		"nothing orders the two: there is no lock that both hold, " + r.heard(first, second),
	}
	for _, s := range []*Step{a, b} {
		if r.x.object(v.cell).owned && !s.Write {
			list = append(list, fmt.Sprintf("only the thread to which %s belongs calls its Get; if it does not belong to %s at that moment, %[2]s calls Look", object, r.x.threadName(int8(s.Thread))))
		}
	}
	for _, s := range []*Step{a, b} {
		line := fmt.Sprintf("%s: %s", r.x.threadName(int8(s.Thread)), shorten(s.Code, maxNote))
		if calls := s.calls(); calls != "" { // it has none if all are the course's own
			line += " in " + calls
		}
		list = append(list, line)
	}
	return list
}

func does(set bool) string {
	if set {
		return "writes"
	}
	return "reads"
}

// outcome says what may come of a race.
func outcome(v *verdict, one, other string) string {
	switch {
	case v.set && v.otherSet:
		return "either value may be the one that remains"
	case v.set:
		return one + " may see the old value or the new one"
	}
	return other + " may see the old value"
}

// maxCalls is how many functions of a stack are named.
const maxCalls = 6

// calls names the functions that the step is in, innermost first.
func (s *Step) calls() string {
	list := s.stack
	if len(list) > maxCalls {
		list = slices.Concat(list[:maxCalls-2], []string{"…"}, list[len(list)-1:])
	}
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return list[0] + ", called by " + strings.Join(list[1:], ", ")
}

// heard says by which step the thread of step second has last learned something
// from the thread of step first. What that one has done since is in no order with
// what this one does.
func (r *recording) heard(first, second int) string {
	from, to := r.x.threadName(int8(r.steps[first].Thread)), r.x.threadName(int8(r.steps[second].Thread))
	last := r.lastHeard(first, second)
	if last == nil {
		return fmt.Sprintf("no wake-up, and no atomic variable through which %s would learn that %s has done this", to, from)
	}
	return fmt.Sprintf("and the last step of %s that %s has learned of is step %d, %s (%s), which came before this",
		from, to, last.Number, shorten(last.Code, maxNote), last.path)
}

// lastHeard returns that step, nil if there is none.
func (r *recording) lastHeard(first, second int) *Step {
	from, to := r.steps[first].Thread, r.steps[second].Thread
	writer := map[int]int{} // of each object, the step that wrote it last
	last := -1
	for i := range r.steps[:second] {
		s := &r.steps[i]
		if !s.isStep() {
			continue
		}
		if w, ok := writer[s.Object]; ok && s.Thread == to && s.hears() && r.steps[w].Thread == from {
			last = max(last, w)
		}
		if s.Write {
			writer[s.Object] = i
		}
	}
	if last < 0 || last > first {
		return nil
	}
	return &r.steps[last]
}

// hears reports whether a step learns what the last writer of its variable did.
func (s *Step) hears() bool {
	return s.kind != opStore && s.kind != opClear && s.kind != opSignal && s.kind != opUsleep
}

// cellName is what a race is about: how the source calls the Cell, or the address.
func (r *recording) cellName(v *verdict, s *Step) string {
	if addr, ok := r.x.words.addr(v.cell); ok {
		return r.x.m.addrInSentence(addr)
	}
	return receiver(s.Code)
}
