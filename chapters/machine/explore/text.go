package explore

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// String is the failure as text: what is wrong, and the schedule in which it
// shows, with a lane for each thread. A call during which no other thread ran is
// one line.
func (f *Failure) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", f.Kind, f.Message)
	if f.Replay == "" {
		return b.String()
	}
	b.WriteByte('\n')
	f.lanes(&b)
	few := ""
	if f.Minimal && f.Preemptions > 0 {
		few = ", and none with fewer goes wrong"
	}
	fmt.Fprintf(&b, "\n%s%s; replay: %s\n", count(f.Preemptions, "preemption"), few, f.Replay)
	return b.String()
}

const (
	textWidth  = 100
	laneIndent = 7 // for the numbers of steps
)

// A row is a line of the lanes: a step, or several that are folded.
type row struct {
	thread int
	number string
	text   string
	place  string
	here   bool
	why    Switch // the reason why another thread ran before it
	from   int    // that thread
}

func (f *Failure) lanes(b *strings.Builder) {
	width := f.laneWidth()
	b.WriteString(strings.Repeat(" ", laneIndent))
	for i, name := range f.Threads {
		if i+1 < len(f.Threads) {
			name = fmt.Sprintf("%-*s", width, name)
		}
		b.WriteString(name)
	}
	b.WriteByte('\n')
	for i, r := range f.rows() {
		if r.why != NoSwitch || i == 0 {
			b.WriteString(f.rule(r))
		}
		lane := max(r.thread, 0) * width
		line := fmt.Sprintf("%*s  %*s%s", laneIndent-2, r.number, lane, "", r.text)
		if r.place != "" {
			line += strings.Repeat(" ", max(2, textWidth-utf8.RuneCountInString(line)-len(r.place))) + r.place
		}
		if r.here {
			line += " ◀"
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// laneWidth leaves room for the text of the last lane.
func (f *Failure) laneWidth() int {
	n := len(f.Threads)
	if n == 1 {
		return 0
	}
	width := 44 / (n - 1)
	for _, name := range f.Threads[:n-1] {
		width = max(width, utf8.RuneCountInString(name)+2)
	}
	return min(width, 36)
}

func (f *Failure) rule(r row) string {
	text := ""
	if r.why != NoSwitch {
		text = " " + f.Threads[r.from] + " " + string(r.why) + " "
	}
	return strings.Repeat(" ", laneIndent) + "──" + text + strings.Repeat("─", max(2, textWidth-laneIndent-2-utf8.RuneCountInString(text))) + "\n"
}

// rows folds the steps.
func (f *Failure) rows() []row {
	var rows []row
	last := -1
	for i := 0; i < len(f.Steps); {
		s := f.Steps[i]
		end := f.callEnd(i)
		r := row{thread: s.Thread, why: s.Switch, from: last}
		if end > i+1 && f.whole(i, end) {
			r.number = f.numbers(i, end)
			r.text, r.place = f.folded(i, end), f.places(i, end)
			i = end
		} else {
			r.number, r.text, r.place, r.here = f.single(s)
			i++
		}
		if s.Thread >= 0 {
			last = s.Thread
		}
		rows = append(rows, r)
	}
	return rows
}

// callEnd returns the end of the steps from i on that belong to one call.
func (f *Failure) callEnd(i int) int {
	j := i
	for j < len(f.Steps) && f.Steps[j].Thread == f.Steps[i].Thread && f.Steps[j].call == f.Steps[i].call && f.Steps[j].call != "" && f.Steps[j].Note == "" && (j == i || f.Steps[j].Switch == NoSwitch) {
		j++
	}
	return max(j, i+1)
}

// whole reports whether the call that has the steps from i to end has no others,
// and nothing in it needs to be seen.
func (f *Failure) whole(i, end int) bool {
	s := f.Steps[i]
	for _, t := range f.Steps[i:end] {
		if t.Here {
			return false
		}
	}
	for j := i - 1; j >= 0; j-- {
		if f.Steps[j].Thread == s.Thread {
			if f.Steps[j].call == s.call {
				return false
			}
			break
		}
	}
	for _, t := range f.Steps[end:] {
		if t.Thread == s.Thread {
			return t.call != s.call
		}
	}
	return true
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

// folded says in one line what a call changed.
func (f *Failure) folded(i, end int) string {
	name, _, _ := strings.Cut(f.Steps[i].call, "@")
	name = name[strings.LastIndexByte(name, '.')+1:]
	var changes []string
	for _, s := range f.Steps[i:end] {
		if s.Write && s.Effect != "" {
			changes = append(changes, receiver(s.Code)+" "+s.Effect)
		}
	}
	text := name + "(…)"
	if len(changes) > 0 {
		text += ": " + strings.Join(changes, ", ")
	}
	return text
}

// receiver is what a method is called on: "q.tail" of "q.tail.Store(t + 1)".
func receiver(code string) string {
	depth := 0
	for i := len(code) - 1; i >= 0; i-- {
		switch code[i] {
		case ')', ']':
			depth++
		case '(', '[':
			depth--
		case '.':
			if depth == 0 {
				return code[:i]
			}
		}
	}
	return code
}

// places are the file and the lines of the steps from i to end, if they are in
// one file.
func (f *Failure) places(i, end int) string {
	low, high := f.Steps[i].Line, f.Steps[i].Line
	for _, s := range f.Steps[i:end] {
		if s.File != f.Steps[i].File {
			return f.Steps[i].File
		}
		low, high = min(low, s.Line), max(high, s.Line)
	}
	if low == high {
		return fmt.Sprintf("%s:%d", f.Steps[i].File, low)
	}
	return fmt.Sprintf("%s:%d-%d", f.Steps[i].File, low, high)
}

func (f *Failure) single(s Step) (number, text, place string, here bool) {
	if s.Number > 0 {
		number = fmt.Sprint(s.Number)
	}
	text = s.Note
	if s.Note == "" {
		text = s.Code
		if s.Effect != "" {
			text += "  " + s.Effect
		}
	}
	if s.Thread < 0 {
		text = "check: " + text
	}
	if s.File != "" {
		place = fmt.Sprintf("%s:%d", s.File, s.Line)
	}
	return number, text, place, s.Here
}
