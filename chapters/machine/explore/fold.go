package explore

import (
	"fmt"
	"slices"
	"strings"
)

// A row is a line of the lanes: a step, or several that are folded. Text that is
// too long for a line goes on in the next.
type row struct {
	thread int
	number string
	text   string
	effect string // of a single step
	items  []item // of folded ones
	place  string
	here   bool
	folded bool
	prose  bool   // text of the model or of this package
	note   bool   // of the model
	why    Switch // the reason why another thread ran before it
	from   int    // that thread
	shape  string // what does not change from one round of a loop to the next
}

// An item is what a row of folded steps says of one of them.
type item struct {
	text   string
	weight weight
}

// crowded is from how many rows on a report is folded once more.
const crowded = 30

// rows folds the steps: a call during which no other thread ran is one row. If
// there are too many rows all the same, so is what a thread does in one function.
func (f *Failure) rows() []row {
	rows := f.fold(f.callEnd)
	if len(foldRounds(rows, f.Kind == Livelock)) > crowded {
		rows = f.fold(func(i int) int { return max(f.callEnd(i), f.functionEnd(i)) })
	}
	return cut(foldRounds(rows, f.Kind == Livelock), f.Kind == Livelock)
}

// fold makes rows of the steps. end returns where those end that are one row with
// the i-th one.
func (f *Failure) fold(end func(i int) int) []row {
	var rows []row
	weights := f.weights()
	last := -1
	for i := 0; i < len(f.Steps); {
		s := &f.Steps[i]
		r := row{thread: s.Thread, why: s.Switch, from: last}
		n := end(i)
		if n > i+1 {
			r.number, r.place, r.folded = f.numbers(i, n), f.places(i, n), true
			r.text, r.items = f.called(i, n)+"(…)", f.items(i, n, weights)
			if s.call == lastLifeCall {
				r.text, r.place = lastLifeText, ""
			}
			r.shape = r.text
		} else {
			f.single(s, &r)
			if f.inKernel(n) {
				n++
				r.number = f.numbers(i, n)
			}
		}
		i = n
		if s.Thread >= 0 {
			last = s.Thread
		}
		if n := len(rows); n > 0 && r.joins(&rows[n-1]) {
			continue
		}
		rows = append(rows, r)
	}
	return rows
}

// inKernel reports whether the i-th step is what the kernel does about the one before it, in the
// same line of the thread: a signal is sent, and then the kernel looks whether its thread sleeps.
// In a row of its own it would read as if that line had run twice.
func (f *Failure) inKernel(i int) bool {
	if i == 0 || i >= len(f.Steps) {
		return false
	}
	before, s := &f.Steps[i-1], &f.Steps[i]
	return before.kind == opSignal && s.kind == opKernel && s.Switch == NoSwitch && !s.Here &&
		s.Thread == before.Thread && s.path == before.path && s.Code == before.Code
}

// joins puts r into the row before it, if a note of the model is about a call
// that is folded: "puts G1 · put(…): …".
func (r *row) joins(before *row) bool {
	if r.thread != before.thread || r.why != NoSwitch {
		return false
	}
	switch {
	case r.folded && before.note:
		r.text = before.text + " · " + r.text
		r.shape = before.shape + " · " + r.shape
		r.why, r.from = before.why, before.from
		*before = *r
	case r.note && before.folded:
		before.items = append(slices.Clone(before.items), item{"· " + r.text, staleStep})
	default:
		return false
	}
	return true
}

// checkMark begins a row of the model's own code, which has no lane.
const checkMark = "check: "

// single is the row of one step.
func (f *Failure) single(s *Step, r *row) {
	if s.Number > 0 {
		r.number = fmt.Sprint(s.Number)
	}
	r.text, r.effect, r.here = s.Code, s.Effect, s.Here
	if s.Note != "" {
		r.text, r.effect, r.prose = s.Note, "", true
		r.note = !s.Here && s.Thread >= 0
	}
	if s.Thread < 0 {
		r.text, r.prose = checkMark+r.text, true
	}
	if s.File != "" {
		r.place = fmt.Sprintf("%s:%d", s.File, s.Line)
	}
	r.shape = r.text
}

// callEnd returns the end of the steps from i on that are a whole call by the
// thread's own function, and of which none needs to be seen by itself; else i+1.
func (f *Failure) callEnd(i int) int {
	s := &f.Steps[i]
	if s.call == "" {
		return i + 1
	}
	end := f.together(i, func(t *Step) bool { return t.call == s.call })
	for j := i - 1; j >= 0; j-- {
		if f.Steps[j].Thread == s.Thread {
			if f.Steps[j].call == s.call {
				return i + 1
			}
			break
		}
	}
	for _, t := range f.Steps[end:] {
		if t.Thread == s.Thread {
			if t.call == s.call {
				return i + 1
			}
			break
		}
	}
	return end
}

// functionEnd returns the end of the steps from i on that are made in one
// function.
func (f *Failure) functionEnd(i int) int {
	s := &f.Steps[i]
	if s.Func == "" {
		return i + 1
	}
	return f.together(i, func(t *Step) bool { return t.Func == s.Func && t.File == s.File })
}

// together returns the end of the steps from i on that are like it and can stand
// in one row.
func (f *Failure) together(i int, like func(t *Step) bool) int {
	for j := i; j < len(f.Steps); j++ {
		t := &f.Steps[j]
		if j > i && f.interrupted(j-1) {
			return j
		}
		if t.Thread != f.Steps[i].Thread || t.Note != "" || t.Here || j > i && t.Switch != NoSwitch || !like(t) {
			return max(j, i+1)
		}
	}
	return len(f.Steps)
}

// interrupted reports whether the thread of step j is preempted behind it: that is where the
// failure comes from, so the step has a row of its own.
func (f *Failure) interrupted(j int) bool {
	return j+1 < len(f.Steps) && f.Steps[j+1].Switch == Preempted
}

// called names the function that the steps from i to end are all in: the
// innermost one.
func (f *Failure) called(i, end int) string {
	s := &f.Steps[i]
	for _, t := range f.Steps[i:end] {
		if t.call != s.call || s.call == "" {
			return bare(s.Func)
		}
	}
	name, _, _ := strings.Cut(s.call, "@")
	if f.callEnd(i) < end {
		name = s.Func
	}
	return bare(name)
}

// numbers are those of the steps from i to end: "3-6".
func (f *Failure) numbers(i, end int) string {
	first, last := 0, 0
	for _, s := range f.Steps[i:end] {
		if s.Number > 0 {
			if first == 0 {
				first = s.Number
			}
			last = s.Number
		}
	}
	switch {
	case first == 0:
		return ""
	case first == last:
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d-%d", first, last)
}

// places are the file and the lines of the steps from i to end, if they are in one file; ""
// if none is known.
// What a suite does around the call of a part does not count, nor, if there are several files,
// what other functions do that the call leads to.
func (f *Failure) places(i, end int) string {
	steps := f.Steps[i:end]
	if parts := slices.DeleteFunc(slices.Clone(steps), func(s Step) bool { return strings.HasPrefix(s.File, suiteFolder) }); len(parts) > 0 {
		steps = parts
	}
	name := f.called(i, end)
	if own := slices.DeleteFunc(slices.Clone(steps), func(s Step) bool { return bare(s.Func) != name }); len(own) > 0 {
		steps = own
	}
	file, low, high := steps[0].File, steps[0].Line, steps[0].Line
	for _, s := range steps {
		if s.File != file {
			return file
		}
		low, high = min(low, s.Line), max(high, s.Line)
	}
	switch {
	case file == "":
		return ""
	case low == high:
		return fmt.Sprintf("%s:%d", file, low)
	}
	return fmt.Sprintf("%s:%d-%d", file, low, high)
}

// items says what the steps from i to end did: what they changed, and what they
// saw of other threads. If that is nothing, it is what they saw.
func (f *Failure) items(i, end int, weights []weight) []item {
	var items, reads []item
	said := map[int]string{} // of each variable
	for j := i; j < end; j++ {
		s := &f.Steps[j]
		if !s.isStep() {
			continue
		}
		text := s.brief(said[s.Object])
		if text == "" || text == said[s.Object] {
			continue
		}
		it := item{text, weights[j]}
		switch {
		case s.looks() && f.shownByWrite(j, end):
		case s.looks() && it.weight < heardStep:
			reads = append(reads, it)
		default:
			said[s.Object] = text
			if n := len(items); n == 0 || items[n-1] != it { // of an array
				items = append(items, it)
			}
		}
	}
	if len(items) == 0 {
		return distinct(reads)
	}
	return items
}

// distinct leaves out what was there before.
func distinct(items []item) []item {
	var list []item
	for _, it := range items {
		if !slices.Contains(list, it) {
			list = append(list, it)
		}
	}
	return list
}

// shownByWrite reports whether the value that step j sees is the one that the
// thread changes next, so that "0 → 1" says it.
func (f *Failure) shownByWrite(j, end int) bool {
	for _, s := range f.Steps[j+1 : end] {
		if s.Object == f.Steps[j].Object && s.isStep() {
			return s.Write && s.Old == f.Steps[j].Value
		}
	}
	return false
}

// brief says in few words what a step did, after what was said of its variable
// before. A Mutex that is locked and unlocked again is only locked.
func (s *Step) brief(before string) string {
	name := s.variable()
	switch s.kind {
	case opLoad:
		return "sees " + name + " " + s.Effect
	case opCompareAndSwap:
		if !s.Write {
			return name + " swap " + s.Effect
		}
	case opTryLock:
		if !s.Write {
			return "finds " + name + " locked"
		}
		return "locks " + name
	case opLock:
		return "locks " + name
	case opUnlock:
		if before == "locks "+name {
			return ""
		}
		return "unlocks " + name
	case opStore, opSwap, opAdd, opAnd, opOr:
	default:
		return shorten(withoutArguments(s.Code), maxValue)
	}
	return name + " " + s.Effect
}
