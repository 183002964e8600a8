// Package grade builds the exercises or the solutions into child binaries, runs
// each check in a process of its own and reports the results.
//
// Nothing of the code under test is linked into this process, so the worst that
// it can do is to fail. What a child prints never decides: the verdict on a
// check comes from the file of results that its suite writes, and a check passes
// only if that file has exactly one start and one end of it and the process
// ended well.
package grade

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gosched/autograder/policy"
	"gosched/chapters"
	"gosched/chapters/check"
	"gosched/chapters/machine/explore"
	"gosched/chapters/trace"
)

// Schema names the version of the format of a Report as JSON.
const Schema = "gosched/result/v1"

// The trees that can be graded.
const (
	Exercises = "exercises"
	Solutions = "solutions"
)

// A Report is the result of a grading. Its form as JSON is what result.schema.json says.
type Report struct {
	Schema   string    `json:"schema"`
	Of       string    `json:"of"` // Exercises or Solutions
	Go       string    `json:"go"` // the toolchain: "go1.26.8"
	Score    int       `json:"score"`
	MaxScore int       `json:"max_score"`
	Ungraded int       `json:"ungraded"` // of these points nobody knows whether they are due; see Whole
	Chapters []Chapter `json:"chapters"`

	Extra      *Extra      `json:"extra,omitempty"`      // checks of the instructor's own; nil: there are none
	Submission *Submission `json:"submission,omitempty"` // of a trusted run
}

// A Submission is what a trusted run says of a submission besides its grades. Names are slash
// paths from the root of the course.
type Submission struct {
	Sum       string           `json:"sum"`       // a content address of what was graded
	Isolation int              `json:"isolation"` // the level at which its checks ran, see package jail
	Taken     []string         `json:"taken"`     // the files that were graded or refused
	Ignored   []string         `json:"ignored"`   // what else differs from the course
	Findings  []policy.Finding `json:"findings"`  // why files were refused
}

// Refuse gives all checks of what was refused that verdict: by is the findings, by the folder of
// a chapter's parts or by the file beside them that was refused, and not built.
func (r *Report) Refuse(by map[string][]policy.Finding) {
	for i := range r.Chapters {
		ch := &r.Chapters[i]
		if why := slices.Concat(by[path.Join(Exercises, ch.Dir)], by[Exercises]); len(why) > 0 && r.Extra != nil {
			r.Extra.refuse(ch.ID, why)
		}
		for j := range ch.Checks {
			c := &ch.Checks[j]
			unit := path.Join(Exercises, ch.Dir)
			if file := c.Kind.File(); file != "" {
				unit = path.Join(unit, file)
			}
			if why := slices.Concat(by[unit], by[Exercises]); len(why) > 0 {
				c.set(refusal(why))
			}
		}
	}
	r.add()
}

// refusal is the verdict on a check of what is refused.
func refusal(why []policy.Finding) verdict {
	v := verdict{status: check.Refused, message: "refused: " + why[0].String()}
	for _, f := range why {
		v.evidence += f.String() + "\n"
	}
	if more := len(why) - 1; more > 0 {
		v.message += fmt.Sprintf(" (and %d more)", more)
	}
	return v
}

// A Chapter is the result of one chapter.
type Chapter struct {
	ID       string  `json:"id"`
	Title    string  `json:"title"`
	Score    int     `json:"score"`
	MaxScore int     `json:"max_score"`
	Ungraded int     `json:"ungraded"`
	OwnStack string  `json:"own_stack"` // OwnPass, OwnFail, OwnNA or OwnNotRun
	Checks   []Check `json:"checks"`

	Dir      string  `json:"-"` // "ch01_goroutine"
	OwnFails []Check `json:"-"` // the checks that fail on the student's own stack

	// What is still to come; see Grader.Judged.
	RaceFollows bool `json:"-"` // the race detector
	OwnFollows  bool `json:"-"` // the student's own stack
}

// Follows reports whether anything is still to come.
func (c *Chapter) Follows() bool { return c.RaceFollows || c.OwnFollows }

// What a chapter's checks say on the student's own stack: the parts of this
// chapter and of all before it. It is n/a while something of that is not written, and not run
// if nobody asked.
const (
	OwnPass   = "pass"
	OwnFail   = "fail"
	OwnNA     = "n/a"
	OwnNotRun = "not run"
)

// A Check is the result of one check.
type Check struct {
	ID       string       `json:"id"` // "ch01/status-edges"
	Kind     check.Kind   `json:"kind"`
	Points   int          `json:"points"`
	Score    int          `json:"score"`
	Status   check.Status `json:"status"`
	Property string       `json:"property"`
	Message  string       `json:"message"`
	Hint     string       `json:"hint"`
	Evidence string       `json:"evidence"`
	Replay   string       `json:"replay,omitempty"` // of a model that fails: the schedule, for test --replay
	Race     string       `json:"race,omitempty"`   // of a stress check: "pass" or "fail" under the race detector, or "skipped: why"

	Show check.Shown `json:"show,omitempty"` // of an extra check: what students are told of it

	// What its page shows.
	Story *explore.Story `json:"-"` // of a model that fails
	Log   *trace.Log     `json:"-"` // of the program that ran before the check failed

	Name    string        `json:"-"` // "status-edges"
	Took    time.Duration `json:"-"` // how long its process ran; 0: there was none, or nobody knows
	methods []string      // that it grades
}

// Complete adds to a report that was read from JSON what the course knows of its chapters and
// checks; all is the course.
func (r *Report) Complete(all []chapters.Chapter) {
	for i := range r.Chapters {
		ch := &r.Chapters[i]
		at := slices.IndexFunc(all, func(c chapters.Chapter) bool { return c.ID == ch.ID })
		if at < 0 || all[at].Suite == nil {
			continue
		}
		ch.Dir = all[at].Dir
		for _, checks := range [][]Check{ch.Checks, ch.OwnFails} {
			for j := range checks {
				c := &checks[j]
				c.Name = c.name()
				if known := all[at].Suite.Check(c.Name); known != nil {
					c.methods = known.Methods
				}
			}
		}
	}
}

// clone is a copy of the report with checks of its own.
func (r *Report) clone() *Report {
	c := *r
	c.Chapters = slices.Clone(r.Chapters)
	for i := range c.Chapters {
		c.Chapters[i].Checks = slices.Clone(c.Chapters[i].Checks)
	}
	return &c
}

// Count returns how many checks have the status.
func (c *Chapter) Count(s check.Status) int {
	n := 0
	for _, ch := range c.Checks {
		if ch.Status == s {
			n++
		}
	}
	return n
}

// Passes reports whether all checks pass.
func (c *Chapter) Passes() bool { return c.Count(check.Pass) == len(c.Checks) }

// Broken reports whether the chapter does not compile, so that no check was run.
func (c *Chapter) Broken() bool {
	return len(c.Checks) > 0 && c.Count(check.BuildError) == len(c.Checks) && c.ID != ExtraID
}

// Failing returns the checks that neither pass nor wait to be written; last
// those that were not run.
func (c *Chapter) Failing() []Check {
	var failing, blocked []Check
	for _, ch := range c.Checks {
		switch ch.Status {
		case check.Pass, check.Todo:
		case check.Blocked:
			blocked = append(blocked, ch)
		default:
			failing = append(failing, ch)
		}
	}
	return append(failing, blocked...)
}

// Passes reports whether all checks of all chapters pass.
func (r *Report) Passes() bool {
	for i := range r.Chapters {
		if !r.Chapters[i].Passes() {
			return false
		}
	}
	return r.Extra.passes()
}

// add sums up the points.
func (r *Report) add() {
	r.Score, r.MaxScore, r.Ungraded = 0, 0, 0
	for i := range r.Chapters {
		ch := &r.Chapters[i]
		ch.Score, ch.MaxScore, ch.Ungraded = 0, 0, 0
		for j := range ch.Checks {
			c := &ch.Checks[j]
			ch.Ungraded += c.score()
			ch.Score += c.Score
			ch.MaxScore += c.Points
		}
		r.Score += ch.Score
		r.MaxScore += ch.MaxScore
		r.Ungraded += ch.Ungraded
	}
}

// score sets Score, and returns how many points nobody knows about.
func (c *Check) score() (ungraded int) {
	c.Score = 0
	switch c.Status {
	case check.Pass:
		c.Score = c.Points
	case check.InternalError:
		return c.Points
	}
	return 0
}

// An Ungraded error says that the grading itself failed for some checks that give points, so
// that there is no score.
type Ungraded struct {
	Checks []string // their IDs
	Points int      // that they would give
}

func (e *Ungraded) Error() string {
	names := strings.Join(e.Checks[:min(len(e.Checks), 10)], ", ")
	if more := len(e.Checks) - 10; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("the grading itself failed, which is no fault of the submission: nobody knows about %d points, for %s", e.Points, names)
}

// Whole returns nil if each check that gives points was judged, so that Score is the score;
// else an *Ungraded. A form that could only give the missing points as 0 is not written then.
// Extra checks are named as students are shown them.
func (r *Report) Whole() error {
	e := &Ungraded{Points: r.Ungraded}
	if r.Extra != nil {
		e.Points += r.Extra.Ungraded
	}
	if e.Points == 0 {
		return nil
	}
	for _, ch := range r.Shown().Chapters {
		for _, c := range ch.Checks {
			if c.Status == check.InternalError && c.Points > 0 {
				e.Checks = append(e.Checks, c.ID)
			}
		}
	}
	return e
}

// Total says the points in words: "30 of 40 points", "30 of 40 points, and 3 of 5 extra".
func (r *Report) Total() string {
	total, ungraded := fmt.Sprintf("%d of %d points", r.Score, r.MaxScore), r.Ungraded
	if r.Extra != nil {
		total += fmt.Sprintf(", and %d of %d extra", r.Extra.Score, r.Extra.MaxScore)
		ungraded += r.Extra.Ungraded
	}
	if ungraded > 0 {
		return fmt.Sprintf("no score: %s, and %d that could not be graded", total, ungraded)
	}
	return total
}

// number is the number of the chapter, "7", and what Shown calls its own.
func (c *Chapter) number() string {
	return strings.TrimLeft(strings.TrimPrefix(c.ID, "ch"), "0")
}

// heading is the number and the title: "7. The run queue".
func (c *Chapter) heading() string {
	if c.ID == ExtraID {
		return c.Title
	}
	return c.number() + ". " + c.Title
}

// name is Name, also of a report that was read from JSON.
func (c *Check) name() string {
	if c.Name != "" {
		return c.Name
	}
	_, name, _ := strings.Cut(c.ID, "/")
	return name
}

// told is what a reader is told of a check that does not pass, at most about limit bytes; of
// one that does not compile, what the compiler said. It is Printable.
func (c *Check) told(limit int) string {
	text := c.Message
	if c.Status == check.BuildError && c.Evidence != "" {
		text = c.Evidence
	}
	text = strings.TrimSpace(Printable(text, limit))
	switch c.Status {
	case check.Pass:
		return ""
	case check.Todo:
		return "not started: " + text
	case check.Blocked:
		return "not run: " + text
	case check.InternalError:
		return "the grading itself failed, which is no fault of the submission: " + text
	}
	return text
}

// WriteJSON writes the report as one JSON object: all of it, whatever the messages hold and
// however long they are.
func (r *Report) WriteJSON(w io.Writer) error { return writeJSON(w, r) }

// writeJSON writes a value as JSON that people read, too, and that a log of GitHub Actions may
// hold; see Inert. What is escaped for that can only be in a string.
func writeJSON(w io.Writer, value any) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(bytes.ReplaceAll(text.Bytes(), []byte("##["), []byte(`##\u005b`)))
	return err
}

// EvidenceFile is where SaveEvidence puts the evidence of a check, as a path
// below the folder that it is given.
func EvidenceFile(chapter, check string) string {
	return filepath.Join(chapter, check+".txt")
}

// SaveEvidence writes what is known of each failed check to a file below dir,
// and removes the files of checks that do not fail any more.
func (r *Report) SaveEvidence(dir string) error {
	for _, ch := range r.Chapters {
		for _, c := range ch.Checks {
			name := filepath.Join(dir, EvidenceFile(ch.ID, c.Name))
			if c.Status == check.Pass || c.Status == check.Todo {
				if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
					return err
				}
				continue
			}
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				return err
			}
			text := c.Property + "\n\n" + c.Message + "\n\n" + c.Evidence
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
