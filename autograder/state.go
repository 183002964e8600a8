package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"gosched/autograder/grade"
	"gosched/chapters"
	"gosched/chapters/check"
)

// A state is what the last runs of the checks have shown, by chapter. It is
// kept so that the map need not run anything.
type state map[string]*chapterState

type chapterState struct {
	Sources string                  `json:"sources"`          // a sum of the files, when all checks were run last
	Passed  bool                    `json:"passed,omitempty"` // all checks passed, now or once
	Own     string                  `json:"own,omitempty"`    // grade.OwnPass, OwnFail or OwnNA
	Checks  map[string]check.Status `json:"checks"`

	// Help, which is never graded. Opened is how many rungs of the hints of a function
	// were shown; Alone has the checks that passed for the first time before any of
	// their steps was.
	Opened map[string]int  `json:"opened,omitempty"`
	Alone  map[string]bool `json:"alone,omitempty"`
}

const stateFile = "state.json"

// loadState reads the state. One that cannot be read is as good as none: the
// next run of the checks writes a new one.
func (a *app) loadState() state {
	s := state{}
	text, err := os.ReadFile(a.path(local, stateFile))
	if err != nil || json.Unmarshal(text, &s) != nil {
		return state{}
	}
	return s
}

// saveState notes the results of a report.
func (a *app) saveState(s state, report *grade.Report) error {
	for _, result := range report.Chapters {
		ch, _ := a.findChapter(result.ID)
		sources := a.sources(ch)
		whole := len(result.Checks) == len(ch.Suite.Checks)
		st := s.chapter(ch)
		if whole {
			st.Checks = map[string]check.Status{} // without those that there were once
		}
		if whole || len(st.Checks) == 0 {
			st.Sources = sources
		}
		// A run of some checks after an edit leaves the results of the others, which
		// are of an earlier state then: Sources stays, and says so.
		for _, c := range result.Checks {
			st.Checks[c.Name] = c.Status
			if _, before := st.Alone[c.Name]; c.Status == check.Pass && !before {
				if st.Alone == nil {
					st.Alone = map[string]bool{}
				}
				st.Alone[c.Name] = !st.aided(*ch.Suite.Check(c.Name))
			}
		}
		if st.Sources == sources && st.count(ch, check.Pass) == len(ch.Suite.Checks) {
			st.Passed = true
		}
		if whole {
			st.Own = result.OwnStack
		}
	}
	return a.writeState(s)
}

// writeState keeps the state.
func (a *app) writeState(s state) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(a.path(local), 0o755); err != nil {
		return err
	}
	return os.WriteFile(a.path(local, stateFile), append(text, '\n'), 0o644)
}

// chapter returns what is known of a chapter, which may be nothing yet.
func (s state) chapter(ch chapters.Chapter) *chapterState {
	if s[ch.ID] == nil {
		s[ch.ID] = &chapterState{Checks: map[string]check.Status{}}
	}
	return s[ch.ID]
}

// open notes that the hints of a function were shown up to a rung.
func (st *chapterState) open(function string, rung int) {
	if st.Opened == nil {
		st.Opened = map[string]int{}
	}
	st.Opened[function] = max(st.Opened[function], rung)
}

// untouched reports whether nothing of a chapter was found to be begun.
func (st *chapterState) untouched(ch chapters.Chapter) bool {
	return st == nil || len(st.Checks) == 0 || st.count(ch, check.Todo) == len(ch.Suite.Checks)
}

// alone is the sum of the points of the checks that pass and did so first without their
// steps.
func (st *chapterState) alone(ch chapters.Chapter) int {
	n := 0
	for _, c := range ch.Suite.Checks {
		if st != nil && st.Checks[c.Name] == check.Pass && st.Alone[c.Name] {
			n += c.Points
		}
	}
	return n
}

// done reports whether all checks have passed, now or once, or, if solutions are withheld, now all that
// are run here.
func (st *chapterState) done(ch chapters.Chapter, withheld bool) bool {
	return st != nil && (st.Passed || withheld && st.count(ch, check.Pass) > 0 && st.count(ch, check.Pass)+st.count(ch, check.Blocked) == len(ch.Suite.Checks))
}

// count returns how many checks of the chapter have the status.
func (st *chapterState) count(ch chapters.Chapter, status check.Status) int {
	n := 0
	for _, c := range ch.Suite.Checks {
		if st != nil && st.Checks[c.Name] == status {
			n++
		}
	}
	return n
}

// score is the sum of the points of the checks that passed.
func (st *chapterState) score(ch chapters.Chapter) int {
	n := 0
	for _, c := range ch.Suite.Checks {
		if st != nil && st.Checks[c.Name] == check.Pass {
			n += c.Points
		}
	}
	return n
}

// sources is a sum of the Go files of an exercise.
func (a *app) sources(ch chapters.Chapter) string {
	names, _ := filepath.Glob(a.path(grade.Exercises, ch.Dir, "*.go"))
	h := sha256.New()
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		fmt.Fprintf(h, "%s %d\n%s", filepath.Base(name), len(text), text)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// current is the chapter to work at: the first that has not passed, else the
// last one.
func (a *app) current(s state) (chapters.Chapter, error) {
	written := a.written()
	if len(written) == 0 {
		return chapters.Chapter{}, usagef("no chapter is written yet")
	}
	for _, ch := range written {
		if s[ch.ID].count(ch, check.Pass) < len(ch.Suite.Checks) {
			return ch, nil
		}
	}
	return written[len(written)-1], nil
}
