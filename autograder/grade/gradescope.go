package grade

import (
	"fmt"
	"io"
	"strings"

	"gosched/chapters/check"
)

// Gradescope's results.json: docs/specs.md of gradescope/autograder_samples, which is
// gradescope-autograders.readthedocs.io/en/latest/specs. The folder autograder/gradescope is
// what an instructor uploads.
type gradescopeResult struct {
	Score      int              `json:"score"`
	Output     string           `json:"output"`
	Format     string           `json:"output_format"` // of Output; what is not said to be text may be HTML
	TestFormat string           `json:"test_output_format"`
	NameFormat string           `json:"test_name_format"`
	Visibility string           `json:"visibility"`
	Stdout     string           `json:"stdout_visibility"`
	Tests      []gradescopeTest `json:"tests"`
}

type gradescopeTest struct {
	Score      int      `json:"score"`
	MaxScore   int      `json:"max_score"`
	Status     string   `json:"status"` // "passed" or "failed"
	Name       string   `json:"name"`
	NameFormat string   `json:"name_format"`
	Number     string   `json:"number"`
	Output     string   `json:"output"`
	Format     string   `json:"output_format"`
	Tags       []string `json:"tags"`
	Visibility string   `json:"visibility"`
}

// gradescopeText is how many bytes are said of a test. Gradescope's documentation names no
// limit; a page with all tests of all chapters should still load.
const gradescopeText = 8 << 10

// WriteGradescope writes the report as Gradescope's results.json, in which students see all
// tests, as text, and never what the grading has printed. If the report is not Whole, that is
// the error, and nothing is written: without a results.json Gradescope says that the autograder
// failed, and an instructor can have it run again. In one, missing points would be 0.
func (r *Report) WriteGradescope(w io.Writer) error {
	if err := r.Whole(); err != nil {
		return err
	}
	var stacks strings.Builder
	result := gradescopeResult{
		Score: r.Score, Format: "text", TestFormat: "text", NameFormat: "text", Visibility: "visible", Stdout: "hidden", Tests: []gradescopeTest{},
	}
	for i := range r.Chapters {
		ch := &r.Chapters[i]
		fmt.Fprintf(&stacks, "%s. %s: %d of %d points; own stack: %s\n", ch.number(), ch.Title, ch.Score, ch.MaxScore, ch.OwnStack)
		for j := range ch.Checks {
			c := &ch.Checks[j]
			test := gradescopeTest{
				Score: c.Score, MaxScore: c.Points, Status: "failed", Name: ch.Title + ": " + c.name(), NameFormat: "text",
				Number: fmt.Sprintf("%s.%d", ch.number(), j+1), Output: c.Property, Format: "text",
				Tags: []string{ch.ID, string(c.Kind), string(c.Status)}, Visibility: "visible",
			}
			if told := c.told(gradescopeText); told != "" {
				test.Output += "\n\n" + told
			}
			if c.Status == check.Pass {
				test.Status = "passed"
			} else if c.Hint != "" {
				test.Output += "\n\nHint: " + c.Hint
			}
			result.Tests = append(result.Tests, test)
		}
	}
	result.Output = fmt.Sprintf("%s, graded with %s.\n\n%s", r.Total(), r.Go, stacks.String())
	return writeJSON(w, result)
}
