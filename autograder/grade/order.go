package grade

import (
	"cmp"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"gosched/chapters"
	"gosched/chapters/check"
)

// The checks of a chapter run several at a time. So that at the end not one is left that takes
// long, those start first that took longest when they were run last. One that hung starts
// after the others, which are given up when it hangs again.

// timesDir is where it is kept how long checks took, from the root: a file for each chapter.
const timesDir = ".gosched/times"

// A timetable is how long each check of a chapter took when it was run last, by its name, or
// hung.
type timetable struct {
	file string
	took map[string]time.Duration
}

const hung = -1 // the time of a check that did not end

// times reads the timetable of a chapter. One that cannot be read is as good as none.
func (g *grading) times(ch chapters.Chapter) timetable {
	t := timetable{file: filepath.Join(g.Root, filepath.FromSlash(path.Join(timesDir, g.Of, ch.ID+".json")))}
	if text, err := os.ReadFile(t.file); err == nil {
		_ = json.Unmarshal(text, &t.took)
	}
	if t.took == nil {
		t.took = map[string]time.Duration{}
	}
	return t
}

// order returns the indices of the checks in the order in which they are to start: the slowest
// first, and last those that need all CPUs, since one of them keeps all others waiting.
func (t timetable) order(checks []Check) []int {
	var order []int
	for i := range checks {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &checks[i], &checks[j]
		return cmp.Or(cmp.Compare(weight(a.Kind), weight(b.Kind)), cmp.Compare(t.took[b.Name], t.took[a.Name]))
	})
	return order
}

// keep keeps how long those checks took that were run. If it cannot, the next order is not as
// good.
func (t timetable) keep(checks []Check) {
	for _, c := range checks {
		switch {
		case c.Status == check.Timeout:
			t.took[c.Name] = hung
		case c.Status != check.Blocked && c.Took > 0:
			t.took[c.Name] = c.Took
		}
	}
	text, err := json.Marshal(t.took)
	if err == nil && os.MkdirAll(filepath.Dir(t.file), 0o755) == nil {
		_ = os.WriteFile(t.file, text, 0o644)
	}
}
