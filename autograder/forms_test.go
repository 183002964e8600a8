package main

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/grade"
	"gosched/chapters/check"
)

// inClassroom50 sets what Classroom 50's runner sets, and makes a commit to grade.
func inClassroom50(t *testing.T) {
	t.Helper()
	for name, value := range map[string]string{
		"CLASSROOM": "cs", "ASSIGNMENT": "gosched", "OWNER": "ann", "ASSIGNMENT_TYPE": "individual", "SUBMISSION_TAG": "submit/1", "GITHUB_SHA": "",
		"COMMIT_URL": "https://example.com/c", "RELEASE_URL": "https://example.com/r", "REVIEW_URL": "https://example.com/v",
	} {
		t.Setenv(name, value)
	}
	t.Chdir(t.TempDir())
	for _, args := range [][]string{{"init", "-q"}, {"-c", "user.name=ann", "-c", "user.email=ann@example.com", "commit", "-q", "--allow-empty", "-m", "mine"}} {
		cmd := exec.Command("git", args...)
		cmd.Env = append(os.Environ(), "GIT_COMMITTER_DATE=2026-06-01T16:32:05+02:00")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}

// allForms asks for one form on standard output, and for each in a file of dir.
func allForms(t *testing.T, format, dir string) []reportFile {
	t.Helper()
	var outs []string
	for _, f := range forms {
		outs = append(outs, f.name+"="+filepath.Join(dir, f.name))
	}
	reports, err := readForms(t.Context(), "", format, outs)
	require.NoError(t, err)
	return reports
}

// reportOf is the report of chapter 1 with these statuses. Its numbers are those that Grade
// would give.
func (a *testApp) reportOf(statuses ...check.Status) *grade.Report {
	ch := a.result("ch01", statuses...)
	for _, c := range ch.Checks {
		if c.Status == check.InternalError {
			ch.Ungraded += c.Points
		}
	}
	return &grade.Report{
		Schema: grade.Schema, Of: grade.Exercises, Go: "go1.26.8", Score: ch.Score, MaxScore: ch.MaxScore, Ungraded: ch.Ungraded, Chapters: []grade.Chapter{ch},
	}
}

// One grading gives all forms: one is printed, the others go to files.
func TestForms(t *testing.T) {
	inClassroom50(t)
	a := newTestApp(t, 80)
	dir := t.TempDir()
	summary := filepath.Join(dir, "summary.md")
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	require.NoError(t, os.WriteFile(summary, []byte("# Of an earlier command\n"), 0o644))
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(text)
	}
	for name, looks := range map[string]func(t *testing.T, text string){
		"text": func(t *testing.T, text string) {
			assert.True(t, strings.HasPrefix(text, "Graded exercises with go1.26.8"), text)
			assert.Contains(t, text, "10 of 20 points")
		},
		"json": func(t *testing.T, text string) {
			var r grade.Report
			require.NoError(t, json.Unmarshal([]byte(text), &r))
			assert.Equal(t, 10, r.Score)
		},
		"student-json": func(t *testing.T, text string) {
			assert.Equal(t, read("json"), text, "there are no extra checks")
		},
		"github": func(t *testing.T, text string) {
			assert.True(t, strings.HasPrefix(text, "::error title=chapter 1%3A free-reuse::"), text)
			assert.Regexp(t, "(?s)^# Of an earlier command\n## 10 of 20 points\n.*\\*\\*free-reuse\\*\\* \\(5 points\\)", read("summary.md"))
		},
		"junit": func(t *testing.T, text string) {
			var r struct {
				Tests int `xml:"tests,attr"`
			}
			require.NoError(t, xml.Unmarshal([]byte(text), &r))
			assert.Equal(t, 4, r.Tests)
		},
		"gradescope": func(t *testing.T, text string) {
			assert.Contains(t, text, "\n  \"score\": 10,\n")
		},
		"classroom50": func(t *testing.T, text string) {
			assert.Contains(t, text, `"datetime": "2026-06-01T14:32:05Z"`)
			assert.Contains(t, text, `"owner": "ann"`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			a.out.Reset()
			require.NoError(t, a.writeReports(t.Context(), a.reportOf(check.Pass, check.Fail, check.Todo, check.Todo), allForms(t, name, dir)))
			looks(t, read(name))
			assert.Equal(t, read(name), a.out.String(), "printed as in the file")
			require.NotNil(t, findForm(name))
		})
	}
	assert.Len(t, forms, 7, "each form is tried above")
}

// Where the grading itself failed there is no file of a form that could only say 0, not even one
// of before, and the others say it.
func TestFormsOfUngraded(t *testing.T) {
	inClassroom50(t)
	a := newTestApp(t, 80)
	dir := t.TempDir()
	t.Setenv("GITHUB_STEP_SUMMARY", filepath.Join(dir, "summary.md"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "gradescope"), []byte("{\"score\": 0}"), 0o644))
	reports := allForms(t, "text", dir)
	assert.NoFileExists(t, filepath.Join(dir, "gradescope"), "it must not outlive a grading that fails")

	err := a.writeReports(t.Context(), a.reportOf(check.Pass, check.InternalError, check.Todo, check.Todo), reports)
	assert.EqualError(t, err, "the grading itself failed, which is no fault of the submission: nobody knows about 5 points, for ch01/free-reuse; not written: "+
		"gradescope in "+filepath.Join(dir, "gradescope")+", classroom50 in "+filepath.Join(dir, "classroom50"))
	for _, name := range []string{"gradescope", "classroom50"} {
		assert.NoFileExists(t, filepath.Join(dir, name))
	}
	for _, name := range []string{"text", "json", "github", "junit", "summary.md"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.Regexp(t, `(?i)no score: 10 of 20 points, and 5|the grading itself failed|"ungraded": 5`, string(text), name)
	}
	err = a.writeReports(t.Context(), a.reportOf(check.Pass, check.InternalError, check.Todo, check.Todo), reports[:1])
	assert.EqualError(t, err, "the grading itself failed, which is no fault of the submission: nobody knows about 5 points, for ch01/free-reuse")
}

// What cannot be written is an error with the name of the form, and leaves no half of a file;
// the other forms are written.
func TestFormThatFails(t *testing.T) {
	a := newTestApp(t, 80)
	dir := t.TempDir()
	t.Setenv("GITHUB_STEP_SUMMARY", dir) // no file
	reports, err := readForms(t.Context(), "", "text", []string{"github=" + filepath.Join(dir, "g"), "json=" + filepath.Join(dir, "j")})
	require.NoError(t, err)
	err = a.writeReports(t.Context(), a.reportOf(check.Pass, check.Fail, check.Todo, check.Todo), reports)
	assert.ErrorContains(t, err, "github: open "+dir)
	assert.NoFileExists(t, filepath.Join(dir, "g"))
	assert.FileExists(t, filepath.Join(dir, "j"))
}

// A step has one summary, with what an earlier command has written.
func TestSummaryIsFull(t *testing.T) {
	a := newTestApp(t, 80)
	summary := filepath.Join(t.TempDir(), "summary.md")
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	require.NoError(t, os.WriteFile(summary, make([]byte, grade.MaxSummary-100), 0o644))
	err := a.writeGitHub(a.reportOf(check.Pass, check.Fail, check.Todo, check.Todo))
	assert.ErrorContains(t, err, "the summary of this step has room for 100 bytes")
	info, err := os.Stat(summary)
	require.NoError(t, err)
	assert.Equal(t, int64(grade.MaxSummary-100), info.Size(), "a longer one would not be shown at all")
}

// Classroom 50 has the time of the commit that is graded; without one it is said at once.
func TestClassroom50WithoutCommit(t *testing.T) {
	inClassroom50(t)
	t.Setenv("GITHUB_SHA", "--output=x")
	_, err := readForms(t.Context(), "", "classroom50", nil)
	assert.ErrorContains(t, err, "classroom50: git does not say when --output=x was committed")
	assert.NoFileExists(t, "x")
	t.Setenv("GITHUB_SHA", "")
	of, err := classroom50(context.Background(), "")
	require.NoError(t, err)
	assert.Equal(t, int64(1780324325), of.Time.Unix())

	// The commit is the submission's, not that of the folder in which it is graded.
	ann, err := filepath.Abs(".")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	of, err = classroom50(context.Background(), ann)
	require.NoError(t, err)
	assert.Equal(t, int64(1780324325), of.Time.Unix())
	_, err = classroom50(context.Background(), "")
	assert.ErrorContains(t, err, "git does not say when HEAD was committed")
}

// The table for people, too, may stand in the log of a workflow: what code says is no command
// there, and does nothing to a terminal.
func TestTextOfHostileCode(t *testing.T) {
	a := newTestApp(t, 50)
	a.app.out.Terminal = false
	first := a.result("ch01", check.Fail, check.Fail, check.Fail, check.Pass)
	first.Checks[0].Message = "::error::forged\n::error::hidden"
	first.Checks[1].Message = "\x1b[2J ##[error]forged " + strings.Repeat("w", 30) + " ::error::wrapped"
	first.Checks[2].Message = strings.Repeat("y ", 5_000_000)
	broken := a.result("ch02", check.BuildError)
	broken.Checks[0].Evidence = "::error::of the compiler\x1b\n"
	a.showGrades(&grade.Report{Of: grade.Exercises, Chapters: []grade.Chapter{first, broken}})
	out := a.out.String()
	assert.NotRegexp(t, `(?m)^\s*::|##\[|\x1b`, out)
	assert.Contains(t, out, `\::error::forged`)
	assert.Contains(t, out, `\::error::of the compiler\x1b`)
	assert.Contains(t, out, `\x1b[2J ##\[error]forged`)
	assert.NotContains(t, out, "hidden")
	assert.Less(t, len(out), 5_000)
}
