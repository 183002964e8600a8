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
	fmt.Fprintf(&b, "%s:\n  %s\n", f.Kind, strings.ReplaceAll(f.Message, "\n", "\n  "))
	if f.Replay == "" {
		return strings.TrimSuffix(b.String(), "\n")
	}
	b.WriteByte('\n')
	f.lanes(&b)
	fmt.Fprintf(&b, "\n%s; replay: %s", f.summary(), f.Replay)
	return b.String()
}

// summary counts the preemptions.
func (f *Failure) summary() string {
	text := count(f.Preemptions, "preemption")
	if f.Minimal && f.Preemptions > 0 {
		text += "; with fewer nothing goes wrong"
	}
	return text
}

const (
	laneIndent  = 7  // for the numbers of steps
	placeColumn = 78 // where the lines of the source stand
	textWidth   = 100
)

// A row is a line of the lanes: a step, or several that are folded.
type row struct {
	thread int
	number string
	text   string
	place  string
	here   bool
	folded bool
	note   bool
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
	for i, r := range foldRounds(f.rows()) {
		if r.why != NoSwitch || i == 0 {
			b.WriteString(f.rule(r))
		}
		lane := max(r.thread, 0) * width
		line := fmt.Sprintf("%*s  %*s%s", laneIndent-2, r.number, lane, "", r.text)
		if r.place != "" {
			line += strings.Repeat(" ", max(2, placeColumn-utf8.RuneCountInString(line))) + r.place
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
	if n <= 1 {
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
			r.text, r.place, r.folded = f.folded(i, end), f.places(i, end), true
			i = end
		} else {
			r.number, r.text, r.place, r.here = f.single(s)
			r.note = s.Note != "" && !s.Here && s.Thread >= 0
			i++
		}
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

// joins puts r into the line before it, if a note of the model is about a call
// that is folded: "puts G1 · put(…): …".
func (r *row) joins(before *row) bool {
	if r.thread != before.thread || r.why != NoSwitch {
		return false
	}
	switch {
	case r.folded && before.note:
		r.text = before.text + " · " + r.text
		r.why, r.from = before.why, before.from
		*before = *r
	case r.note && before.folded:
		before.text += " · " + r.text
	default:
		return false
	}
	return true
}

// maxRound is how many lines a round of a loop may have that is folded.
const maxRound = 12

// foldRounds leaves the rounds of a loop out that are like the one before.
func foldRounds(rows []row) []row {
	var out []row
	for i := 0; i < len(rows); {
		round, times := repeated(rows[i:])
		if times < 3 {
			out = append(out, rows[i])
			i++
			continue
		}
		out = append(out, rows[i:i+round]...)
		i += round * times
		out = append(out, row{thread: -1, text: fmt.Sprintf("… and the same %d times more", times-1)})
	}
	return out
}

// repeated returns after how many rows they come again, and how often they are
// there.
func repeated(rows []row) (round, times int) {
	for round = 1; round <= min(maxRound, len(rows)/2); round++ {
		times = 1
		for end := (times + 1) * round; end <= len(rows); end += round {
			if !sameRows(rows[:round], rows[end-round:end], times == 1) {
				break
			}
			times++
		}
		if times > 2 {
			return round, times
		}
	}
	return 1, 1
}

// sameRows compares rows but for their numbers, and the first one but for what
// was before it if it is of the first round.
func sameRows(a, b []row, first bool) bool {
	for i := range a {
		x, y := a[i], b[i]
		x.number, y.number = "", ""
		if i == 0 && (first || x.why == NoSwitch) {
			x.why, x.from, y.why, y.from = NoSwitch, 0, NoSwitch, 0
		}
		if x != y {
			return false
		}
	}
	return true
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
