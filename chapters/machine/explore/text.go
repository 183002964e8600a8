package explore

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"
)

// String is the failure as text: what is wrong, and the schedule in which it
// shows, with a lane for each thread. A call during which no other thread ran is
// one row.
func (f *Failure) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:\n  %s\n", f.Kind, strings.ReplaceAll(f.Message, "\n", "\n  "))
	if f.Replay == "" {
		return strings.TrimSuffix(b.String(), "\n")
	}
	b.WriteByte('\n')
	for _, block := range f.lanes() {
		b.WriteString(block)
	}
	fmt.Fprintf(&b, "\n%s; replay: %s", f.summary(), f.Replay)
	return b.String()
}

// summary counts the preemptions.
func (f *Failure) summary() string {
	text := count(f.Preemptions, "preemption")
	if f.Minimal && f.Preemptions > 0 {
		text += "; with fewer, nothing goes wrong"
	}
	return text
}

const (
	laneIndent  = 7   // for the numbers of steps
	placeColumn = 78  // where the lines of the source stand, if there is room
	textWidth   = 100 // no line is wider
	placeDigits = 4   // room for the number of a line, however many digits it has,
	rangeDigits = 7   // and for those of several
	minRoom     = 20  // for the text of a row, even in the last of many lanes
	lastLane    = 44  // where the last lane begins at most
)

// lanes is the schedule as text, in blocks of whole lines: the names of the threads, then
// each row and each rule.
func (f *Failure) lanes() []string {
	width := f.laneWidth()
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", laneIndent))
	for i, name := range f.Threads {
		if i+1 < len(f.Threads) {
			name = fmt.Sprintf("%-*s", width, shorten(name, width-1))
		}
		b.WriteString(name)
	}
	b.WriteByte('\n')
	blocks := []string{b.String()}
	for i, r := range f.rows() {
		if r.why != NoSwitch || i == 0 {
			blocks = append(blocks, f.rule(r))
		}
		blocks = append(blocks, r.lines(max(r.thread, 0)*width))
	}
	return blocks
}

// laneWidth leaves room for the text of the last lane.
func (f *Failure) laneWidth() int {
	n := len(f.Threads)
	if n <= 1 {
		return 0
	}
	return max(min(lastLane/(n-1), 36), 4)
}

// rule is the line between two threads.
func (f *Failure) rule(r row) string {
	text := ""
	if r.why != NoSwitch {
		text = " " + shorten(f.Threads[r.from], maxValue) + " " + string(r.why) + " "
	}
	return strings.Repeat(" ", laneIndent) + "──" + text + strings.Repeat("─", max(2, textWidth-laneIndent-2-utf8.RuneCountInString(text))) + "\n"
}

// lines are those of a row. The first one has the number and the place.
func (r row) lines(lane int) string {
	var b strings.Builder
	room := textWidth - laneIndent - lane
	if file, _, ok := strings.Cut(r.place, ":"); ok {
		digits := placeDigits
		if r.folded {
			digits = rangeDigits
		}
		room -= utf8.RuneCountInString(file) + 1 + digits + 2
	} else if r.place != "" {
		room -= utf8.RuneCountInString(r.place) + 2
	}
	if r.here {
		room -= 2
	}
	for i, text := range r.fit(max(room, minRoom), textWidth-laneIndent-lane) {
		if i > 0 {
			fmt.Fprintf(&b, "%*s%s\n", laneIndent+lane+2, "", text)
			continue
		}
		line := fmt.Sprintf("%*s  %*s%s", laneIndent-2, r.number, lane, "", text)
		if r.place != "" {
			line += strings.Repeat(" ", max(2, placeColumn-utf8.RuneCountInString(line))) + r.place
		}
		if r.here {
			line += " ◀"
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// fit breaks the text of a row into lines of at most that width. The lines after the first,
// which alone has a place at its end, may be wider, but for prose.
func (r row) fit(width, wide int) []string {
	switch {
	case r.folded:
		return foldLines(r.text, r.items, width, wide)
	case r.prose:
		lines := wrap(strings.Fields(r.text), width, width)
		if len(lines) > maxLines {
			lines = append(lines[:maxLines-1], shorten(lines[maxLines-1]+" …", width))
		}
		return lines
	}
	return r.fitStep(width, wide)
}

// fitStep shortens the arguments of a call first, then what it is called on. What it did has a
// line of its own before the name of the variable is left out.
func (r row) fitStep(width, wide int) []string {
	short := withoutArguments(r.text)
	method := short[methodDot(short)+1:]
	named := shortName(receiver(short)) + "." + method
	fits := func(end string, codes ...string) string {
		for _, code := range codes {
			if utf8.RuneCountInString(code+end) <= width {
				return code + end
			}
		}
		return ""
	}
	if r.effect == "" {
		return []string{cmp.Or(fits("", r.text, short, named, method), shorten(short, width))}
	}
	effect := "  " + r.effect
	if line := fits(effect, r.text, short, named); line != "" {
		return []string{line}
	}
	code := fits("", r.text, short, named)
	if line := fits(effect, method); code == "" && line != "" {
		return []string{line}
	}
	return []string{cmp.Or(code, fits("", method), shorten(short, width)), shorten(r.effect, wide-2)}
}

// How many lines the items of a row may take. Those that tell something of other
// threads may take more.
const (
	maxLines     = 4
	maxLinesMore = 6
)

// foldLines writes items behind a text, on a few lines. What tells least is left out
// first.
func foldLines(text string, items []item, width, wide int) []string {
	if len(items) == 0 {
		return []string{shorten(text, width)}
	}
	lines := wrap(phrases(text, items), width, wide)
	for w := ownStep; w <= keptStep; w++ {
		limit := maxLines
		if w >= staleStep {
			limit = maxLinesMore
		}
		for i := len(items) - 1; i >= 0 && len(lines) > limit; i-- {
			if items[i].weight == w {
				items = append(items[:i:i], items[i+1:]...)
				lines = wrap(append(phrases(text, items), "…"), width, wide)
			}
		}
	}
	return lines
}

// phrases are what may be broken into lines.
func phrases(text string, items []item) []string {
	list := []string{text + ":"}
	if len(items) > 0 && strings.HasPrefix(items[0].text, "· ") {
		list[0] = text
	}
	for i, it := range items {
		end := ""
		if i+1 < len(items) && !strings.HasPrefix(items[i+1].text, "· ") {
			end = ","
		}
		list = append(list, it.text+end)
	}
	return list
}

// wrap puts words on a line of at most that width, and on others, which are indented, of
// another one. It shortens words that are longer.
func wrap(words []string, width, wide int) []string {
	var lines []string
	for i, w := range words {
		room := wide - 2
		if i == 0 {
			room = width
		}
		w = shorten(w, room)
		n := len(lines) - 1
		if n == 0 {
			room = width
		}
		if n < 0 || utf8.RuneCountInString(lines[n])+1+utf8.RuneCountInString(w) > room {
			lines = append(lines, w)
			continue
		}
		lines[n] += " " + w
	}
	return lines
}
