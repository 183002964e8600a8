package grade

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/policy"
	"gosched/chapters/check"
)

// What students may not be told: nothing of the first, and of the second its name alone.
const (
	hiddenSecret = "hidden-secret"
	namedSecret  = "named-secret"
	fullText     = "full-text"
)

// withExtra is a report with an extra check of each sort, in each of these statuses. All that may
// be said of a check has its secret in it.
func withExtra(statuses ...check.Status) *Report {
	r := saying("m", check.Pass, check.Fail)
	extra := &Report{}
	show := map[string]check.Shown{}
	for _, of := range []struct {
		name, secret string
		show         check.Shown
	}{{hiddenSecret, hiddenSecret, check.Hidden}, {"name", namedSecret, check.NameOnly}, {"full", fullText, check.Full}} {
		ch := Chapter{ID: "ch02", Dir: "ch02_two"}
		for _, s := range statuses {
			name := of.name + "-" + strings.ReplaceAll(string(s), "_", "-")
			c := Check{
				ID: "ch02/" + name, Name: name, Kind: check.Unit, Points: 5, Status: s,
				Property: of.secret, Message: of.secret, Hint: of.secret, Evidence: of.secret, Replay: of.secret, Race: of.secret,
			}
			show[c.ID] = of.show
			ch.Checks = append(ch.Checks, c)
		}
		extra.Chapters = append(extra.Chapters, ch)
	}
	r.Extra = NewExtra("5a", extra, show)
	return r
}

// No form that students see has more of extra checks than they may be told; the instructor's has
// all. What is shown is there.
func TestExtraIsHidden(t *testing.T) {
	r := withExtra(judged...)
	for name, form := range map[string]func(io.Writer) error{
		"student-json": r.ForStudents().WriteJSON,
		"github":       func(w io.Writer) error { return r.WriteAnnotations(w, t.TempDir()) },
		"summary":      func(w io.Writer) error { return r.WriteMarkdown(w, MaxSummary) },
		"junit":        r.WriteJUnit,
		"classroom50":  func(w io.Writer) error { return r.WriteClassroom50(w, of50) },
		"gradescope":   func(w io.Writer) error { return visible(w, r) },
		"evidence":     func(w io.Writer) error { return evidence(w, r, t.TempDir()) },
	} {
		text := write(t, form)
		for _, secret := range []string{hiddenSecret, namedSecret} {
			assert.False(t, strings.Contains(text, secret), "the form %s shows students %s", name, secret)
		}
		assert.True(t, strings.Contains(text, "name-fail"), "the form %s does not name a check whose name is shown", name)
		assert.True(t, strings.Contains(text, fullText) || name == "github", "the form %s does not have what is shown in full", name) // annotations are soon full
	}
	all := write(t, r.WriteJSON)
	for _, secret := range []string{hiddenSecret, namedSecret, fullText} {
		assert.Contains(t, all, secret)
	}
	assert.Contains(t, write(t, r.WriteGradescope), hiddenSecret, "the staff sees all")
	s := schema(t, "result.schema.json", true)
	valid(t, s, all)
	valid(t, s, write(t, r.ForStudents().WriteJSON))
}

// visible writes what students see of Gradescope's results.
func visible(w io.Writer, r *Report) error {
	var text bytes.Buffer
	if err := r.WriteGradescope(&text); err != nil {
		return err
	}
	var result gradescopeResult
	if err := json.Unmarshal(text.Bytes(), &result); err != nil {
		return err
	}
	var seen []gradescopeTest
	for _, test := range result.Tests {
		if test.Visibility == "visible" {
			seen = append(seen, test)
		}
	}
	result.Tests = seen
	return json.NewEncoder(w).Encode(result)
}

// evidence writes the names and texts of the files with evidence.
func evidence(w io.Writer, r *Report, dir string) error {
	if err := r.Shown().SaveEvidence(dir); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	for _, file := range files {
		text, readErr := os.ReadFile(file)
		err = errors.Join(err, readErr)
		fmt.Fprintf(w, "%s\n%s", file, text)
	}
	return err
}

// The points of the course are the same with extra checks and without; a form with one number has
// the sum of both, and the hidden ones are in one sum.
func TestExtraPoints(t *testing.T) {
	without := saying("m", check.Pass, check.Fail)
	r := withExtra(check.Pass, check.Fail)
	assert.Equal(t, without.Score, r.Score)
	assert.Equal(t, without.MaxScore, r.MaxScore)
	assert.Equal(t, "1 of 6 points, and 15 of 30 extra", r.Total())
	shown := r.Shown()
	assert.Equal(t, shown, shown.Shown(), "once more is no other")
	last := shown.Chapters[len(shown.Chapters)-1]
	assert.Equal(t, []any{15, 30}, []any{last.Score, last.MaxScore})
	hidden := last.Checks[len(last.Checks)-1]
	assert.Equal(t, Check{
		ID: "extra/hidden", Name: "hidden", Kind: check.Unit, Points: 10, Score: 5, Status: check.Fail,
		Property: "The checks that are not shown have all their points.", Message: "5 of 10 points",
	}, hidden)
	assert.Contains(t, write(t, r.WriteGradescope), `"score": 16,`)
	text := write(t, func(w io.Writer) error { return r.WriteClassroom50(w, of50) })
	assert.Contains(t, text, "\"score\": 16,\n  \"max-score\": 36,")
	assert.False(t, r.Passes())
	assert.Same(t, without, without.Shown())
}

// A grading that failed in a hidden check is no 0 points either, and does not name the check.
func TestExtraUngraded(t *testing.T) {
	r := withExtra(check.Pass, check.InternalError)
	assert.Equal(t, 15, r.Extra.Ungraded)
	err := r.Whole()
	assert.EqualError(t, err, "the grading itself failed, which is no fault of the submission: nobody knows about 15 points, for extra/ch02-name-internal-error, extra/ch02-full-internal-error, extra/hidden")
	assert.Error(t, r.WriteGradescope(io.Discard))
	assert.Contains(t, r.Total(), "no score: ")
}

// What is refused costs the extra checks of its chapter, and no others.
func TestExtraRefused(t *testing.T) {
	r := withExtra(check.Pass)
	r.Extra.Checks[0].ID = "ch01/other"
	r.Refuse(map[string][]policy.Finding{"exercises/ch02_two": {{File: "exercises/ch02_two/x.go", Line: 3, What: "it imports \"os\""}}})
	assert.Equal(t, check.Pass, r.Extra.Checks[0].Status)
	for _, c := range r.Extra.Checks[1:] {
		assert.Equal(t, check.Refused, c.Status)
		assert.Contains(t, c.Message, "exercises/ch02_two/x.go:3")
	}
	assert.Equal(t, 5, r.Extra.Score)
	require.False(t, r.Passes())
}
