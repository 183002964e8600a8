package grade

import (
	"fmt"
	"io"
	"strings"
	"time"

	"gosched/chapters/check"
)

// A Classroom50 is what Classroom 50 wants to know of a submission beside its result. The format
// is that of foundation50/classroom50: wiki/Advanced-Autograding.md ("The result.json
// contract"), schemas/result-v1.schema.json, and validate_result in
// cli/gh-teacher/skeleton/dotgithub/scripts/runner.py.
type Classroom50 struct {
	Classroom  string
	Assignment string
	Type       string // "individual" or "group"
	Owner      string // of the student's repository
	Submission string // a tag: "submit/2026-06-01T14-32-05Z-a1b2c3d"
	Commit     string // these three are addresses of pages
	Release    string
	Review     string
	Time       time.Time // of the commit that is graded
}

// ReadClassroom50 reads the variables that Classroom 50's runner sets for an autograder, all but
// Time. The error names those that are missing.
func ReadClassroom50(getenv func(string) string) (Classroom50, error) {
	var missing []string
	first := func(names ...string) string {
		for _, name := range names {
			if value := getenv(name); value != "" {
				return value
			}
		}
		missing = append(missing, names[0])
		return ""
	}
	of := Classroom50{
		Classroom: first("CLASSROOM"), Assignment: first("ASSIGNMENT"), Owner: first("OWNER", "USERNAME"), Submission: first("SUBMISSION_TAG"),
		Commit: first("COMMIT_URL"), Release: first("RELEASE_URL"), Review: first("REVIEW_URL", "COMMIT_URL"),
	}
	if of.Type = getenv("ASSIGNMENT_TYPE"); of.Type == "" {
		of.Type = "individual"
	}
	if len(missing) > 0 {
		return of, fmt.Errorf("these variables, which Classroom 50's runner sets, are missing: %s", strings.Join(missing, ", "))
	}
	return of, nil
}

type classroom50Result struct {
	Schema     string            `json:"schema"`
	Classroom  string            `json:"classroom"`
	Assignment string            `json:"assignment"`
	Type       string            `json:"assignment_type"`
	Owner      string            `json:"owner"`
	Submission string            `json:"submission"`
	Commit     string            `json:"commit"`
	Release    string            `json:"release"`
	Review     string            `json:"review"`
	Time       string            `json:"datetime"`
	Score      int               `json:"score"`
	MaxScore   int               `json:"max-score"`
	Tests      []classroom50Test `json:"tests"`
}

// A classroom50Test may have more than the first four, which are kept as they are.
type classroom50Test struct {
	Name     string       `json:"test-name"`
	Passed   bool         `json:"passed"`
	Score    int          `json:"score"`
	MaxScore int          `json:"max-score"`
	Status   check.Status `json:"status"`
	Message  string       `json:"message,omitempty"`
}

// classroom50Text is how many bytes are said of a test. Classroom 50 reads results of up to
// 10 MiB.
const classroom50Text = 2 << 10

// WriteClassroom50 writes the report as Classroom 50's result.json. If the report is not Whole,
// that is the error, and nothing is written: an autograder that fails is an error of the
// infrastructure to Classroom 50, while in a result missing points would be 0.
func (r *Report) WriteClassroom50(w io.Writer, of Classroom50) error {
	if err := r.Whole(); err != nil {
		return err
	}
	score, most := r.points()
	result := classroom50Result{
		Schema: "classroom50/result/v1", Classroom: of.Classroom, Assignment: of.Assignment, Type: of.Type, Owner: of.Owner,
		Submission: of.Submission, Commit: of.Commit, Release: of.Release, Review: of.Review, Time: of.Time.UTC().Format("2006-01-02T15:04:05Z"),
		Score: score, MaxScore: most, Tests: []classroom50Test{},
	}
	for _, ch := range r.Shown().Chapters {
		for _, c := range ch.Checks {
			result.Tests = append(result.Tests, classroom50Test{
				Name: c.ID, Passed: c.Status == check.Pass, Score: c.Score, MaxScore: c.Points, Status: c.Status, Message: c.told(classroom50Text),
			})
		}
	}
	return writeJSON(w, result)
}
