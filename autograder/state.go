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
		st := s[ch.ID]
		if st == nil {
			st = &chapterState{Checks: map[string]check.Status{}}
			s[ch.ID] = st
		}
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
		}
		if st.Sources == sources && st.count(ch, check.Pass) == len(ch.Suite.Checks) {
			st.Passed = true
		}
		if whole {
			st.Own = result.OwnStack
		}
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(a.path(local), 0o755); err != nil {
		return err
	}
	return os.WriteFile(a.path(local, stateFile), append(text, '\n'), 0o644)
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
