package explore

import "fmt"

// maxRound is how many rows a round of a loop may have that is folded.
const maxRound = 40

// foldRounds leaves the rounds of a loop out that are like the one before. If it
// is the loop that matters, rounds are alike even if values are not, and two of
// them are shown.
func foldRounds(rows []row, loop bool) []row {
	var out []row
	for i := 0; i < len(rows); {
		round, times, same := repeated(rows[i:], loop)
		show := 1
		if !same {
			show = 2
		}
		if times <= show+1 {
			out = append(out, rows[i])
			i++
			continue
		}
		out = append(out, rows[i:i+round*show]...)
		i += round * times
		text := fmt.Sprintf("… and so on, %d times", times-show)
		if !same {
			text += ", with other values"
		}
		out = append(out, row{thread: -1, prose: true, text: text})
	}
	return out
}

// repeated returns after how many rows they come again, how often they are there,
// and whether they are the same each time.
func repeated(rows []row, loop bool) (round, times int, same bool) {
	for round = 1; round <= min(maxRound, len(rows)/2); round++ {
		if times = repeats(rows, round, sameRow); times > 2 {
			return round, times, true
		}
	}
	if !loop {
		return 1, 1, true
	}
	for round = 1; round <= min(maxRound, len(rows)/4); round++ {
		if times = repeats(rows, round, alike); times > 3 {
			return round, times, false
		}
	}
	return 1, 1, true
}

// repeats returns how often the first round is there.
func repeats(rows []row, round int, same func(a, b row) bool) int {
	times := 1
	for end := 2 * round; end <= len(rows); end += round {
		for i := range round {
			a, b := rows[i], rows[end-round+i]
			if i == 0 && (times == 1 || a.why == NoSwitch) { // what was before the loop
				a.why, a.from, b.why, b.from = NoSwitch, 0, NoSwitch, 0
			}
			if !same(a, b) {
				return times
			}
		}
		times++
	}
	return times
}

// sameRow compares rows but for their numbers.
func sameRow(a, b row) bool {
	if !alike(a, b) || a.text != b.text || a.effect != b.effect || len(a.items) != len(b.items) {
		return false
	}
	for i := range a.items {
		if a.items[i] != b.items[i] {
			return false
		}
	}
	return true
}

// alike compares rows but for their numbers and values.
func alike(a, b row) bool {
	return a.thread == b.thread && a.shape == b.shape && a.place == b.place && a.why == b.why && a.from == b.from && a.here == b.here
}

// How many rows a report has at most: those of the beginning, and those of the
// end.
const (
	firstRows, lastRows = 80, 40
	firstLoop, lastLoop = 16, 12 // of a loop that never ends
)

// cut leaves out the middle of what is too long to be read.
func cut(rows []row, loop bool) []row {
	first, last := firstRows, lastRows
	if loop {
		first, last = firstLoop, lastLoop
	}
	n := len(rows) - first - last
	if n <= 1 {
		return rows
	}
	out := append([]row(nil), rows[:first]...)
	out = append(out, row{thread: -1, prose: true, text: fmt.Sprintf("… and %s more", count(n, "line"))})
	return append(out, rows[len(rows)-last:]...)
}
