package chapters

import "gosched/chapters/check"

// A Manifest says which checks an instructor has added to the suites: see package extra of the
// autograder.
type Manifest struct {
	Wrong  []string                 `json:"wrong,omitempty"` // what is wrong with them, in sentences
	Checks map[string][]check.Extra `json:"checks"`          // by the ID of the chapter
}

// Extras is what was added to the suites of this process.
func Extras() Manifest {
	m := Manifest{Checks: map[string][]check.Extra{}}
	for _, ch := range All {
		if ch.Suite != nil && len(ch.Suite.Extras) > 0 {
			m.Checks[ch.ID] = ch.Suite.Extras
			m.Wrong = append(m.Wrong, ch.Suite.WrongExtras()...)
		}
	}
	return m
}
