package grade

import (
	"fmt"
	"slices"
	"strings"

	"gosched/autograder/policy"
	"gosched/chapters/check"
)

// An Extra is what checks say that an instructor has added; see package extra. Its points are
// apart from those of the course, which are the same for everybody: a total is the sum of both.
type Extra struct {
	Sum      string  `json:"sum"` // a content address of the checks that were added
	Score    int     `json:"score"`
	MaxScore int     `json:"max_score"`
	Ungraded int     `json:"ungraded"`
	Checks   []Check `json:"checks"` // each has Show
}

// NewExtra makes an Extra of the report of a grading of extra checks alone, of which show has how
// much is shown, by ID.
func NewExtra(sum string, report *Report, show map[string]check.Shown) *Extra {
	e := &Extra{Sum: sum, Checks: []Check{}}
	for _, ch := range report.Chapters {
		for _, c := range ch.Checks {
			c.Show = show[c.ID]
			e.Checks = append(e.Checks, c)
		}
	}
	e.add()
	return e
}

// add sums up the points.
func (e *Extra) add() {
	e.Score, e.MaxScore, e.Ungraded = 0, 0, 0
	for i := range e.Checks {
		c := &e.Checks[i]
		e.Ungraded += c.score()
		e.Score += c.Score
		e.MaxScore += c.Points
	}
}

// refuse gives the extra checks of a chapter that was refused that verdict.
func (e *Extra) refuse(chapter string, why []policy.Finding) {
	for i := range e.Checks {
		if c := &e.Checks[i]; strings.HasPrefix(c.ID, chapter+"/") {
			c.set(refusal(why))
		}
	}
	e.add()
}

// passes reports whether all pass. There may be none.
func (e *Extra) passes() bool {
	return e == nil || !slices.ContainsFunc(e.Checks, func(c Check) bool { return c.Status != check.Pass })
}

// ForStudents is the report without what students are not shown of extra checks: hidden ones are
// in the sums of the points alone, and of those shown by name it has the name and the status.
func (r *Report) ForStudents() *Report {
	if r.Extra == nil {
		return r
	}
	shown := *r.Extra
	shown.Checks = []Check{}
	for _, c := range r.Extra.Checks {
		switch c.Show {
		case check.Full:
			shown.Checks = append(shown.Checks, c)
		case check.NameOnly:
			shown.Checks = append(shown.Checks, c.named())
		}
	}
	students := *r
	students.Extra = &shown
	return &students
}

// named is the check with its name and status alone.
func (c *Check) named() Check {
	return Check{
		ID: c.ID, Name: c.Name, Kind: c.Kind, Points: c.Points, Score: c.Score, Status: c.Status, Took: c.Took, Message: c.unsaid(), Show: c.Show,
	}
}

// unsaid is the message of a check of which no more is shown.
func (c *Check) unsaid() string {
	if c.Status == check.Pass {
		return ""
	}
	return "what it looks at is not shown"
}

// The chapter of Shown, and its check for all hidden ones.
const (
	ExtraID  = "extra"
	HiddenID = "hidden"
)

// Shown is ForStudents in the form of chapters alone: the extra checks are one more, at the end,
// in which one check stands for all that are hidden. Its Score is their sum, and it passes if
// nothing is missing there. The report's own sums are still those of the course.
func (r *Report) Shown() *Report {
	if r.Extra == nil || r.Extra.Checks == nil {
		return r
	}
	students := r.ForStudents()
	ch := Chapter{ID: ExtraID, Title: "Extra checks", Score: r.Extra.Score, MaxScore: r.Extra.MaxScore, Ungraded: r.Extra.Ungraded}
	hidden := *r.Extra
	for _, c := range students.Extra.Checks {
		hidden.Score -= c.Score
		hidden.MaxScore -= c.Points
		if c.Status == check.InternalError {
			hidden.Ungraded -= c.Points
		}
		c.Name = strings.ReplaceAll(c.ID, "/", "-")
		c.ID = ExtraID + "/" + c.Name
		ch.Checks = append(ch.Checks, c)
	}
	if len(students.Extra.Checks) < len(r.Extra.Checks) {
		ch.Checks = append(ch.Checks, hidden.asCheck())
	}
	shown := *students
	shown.Chapters = append(slices.Clip(slices.Clone(r.Chapters)), ch)
	sums := *students.Extra
	sums.Checks = nil // they are in the chapter
	shown.Extra = &sums
	return &shown
}

// asCheck is the check that stands for those that are hidden, whose points these are.
func (e *Extra) asCheck() Check {
	c := Check{
		ID: ExtraID + "/" + HiddenID, Name: HiddenID, Kind: check.Unit, Points: e.MaxScore, Score: e.Score, Status: check.Pass,
		Property: "The checks that are not shown have all their points.",
	}
	switch {
	case e.Ungraded > 0:
		c.Status, c.Message = check.InternalError, fmt.Sprintf("of %d points nobody knows whether they are due", e.Ungraded)
	case e.Score < e.MaxScore:
		c.Status, c.Message = check.Fail, fmt.Sprintf("%d of %d points", e.Score, e.MaxScore)
	}
	return c
}

// points are those of the course and of the extra checks together, for forms in which there is
// one number.
func (r *Report) points() (score, of int) {
	if r.Extra == nil {
		return r.Score, r.MaxScore
	}
	return r.Score + r.Extra.Score, r.MaxScore + r.Extra.MaxScore
}
