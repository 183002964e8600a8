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
// tests of the course, as text, and never what the grading has printed. Of extra checks they
// see what is Shown; what is not stands in tests for the staff alone, which have no points. If
// the report is not Whole, that is the error, and nothing is written: without a results.json
// Gradescope says that the autograder failed, and an instructor can have it run again. In one,
// missing points would be 0.
func (r *Report) WriteGradescope(w io.Writer) error {
	if err := r.Whole(); err != nil {
		return err
	}
	var stacks strings.Builder
	score, _ := r.points()
	result := gradescopeResult{
		Score: score, Format: "text", TestFormat: "text", NameFormat: "text", Visibility: "visible", Stdout: "hidden", Tests: []gradescopeTest{},
	}
	shown := r.Shown()
	for i := range shown.Chapters {
		ch := &shown.Chapters[i]
		fmt.Fprintf(&stacks, "%s: %d of %d points", ch.heading(), ch.Score, ch.MaxScore)
		if ch.OwnStack != "" {
			fmt.Fprintf(&stacks, "; own stack: %s", ch.OwnStack)
		}
		stacks.WriteString("\n")
		for j := range ch.Checks {
			c := &ch.Checks[j]
			test := gradescopeOf(c, ch.ID)
			test.Name, test.Number = ch.Title+": "+c.name(), fmt.Sprintf("%s.%d", ch.number(), j+1)
			result.Tests = append(result.Tests, test)
		}
	}
	if r.Extra != nil {
		for _, c := range r.Extra.Checks {
			if c.Show == check.Full {
				continue
			}
			test := gradescopeOf(&c, ExtraID)
			test.Name, test.Number = "For the staff: "+c.ID, fmt.Sprintf("staff.%d", len(result.Tests))
			test.Score, test.MaxScore, test.Visibility = 0, 0, "hidden"
			result.Tests = append(result.Tests, test)
		}
	}
	result.Output = fmt.Sprintf("%s, graded with %s.\n\n%s", r.Total(), r.Go, stacks.String())
	return writeJSON(w, result)
}

// gradescopeOf is the test of a check, but for its name and number.
func gradescopeOf(c *Check, chapter string) gradescopeTest {
	test := gradescopeTest{
		Score: c.Score, MaxScore: c.Points, Status: "failed", NameFormat: "text", Output: c.Property, Format: "text",
		Tags: []string{chapter, string(c.Kind), string(c.Status)}, Visibility: "visible",
	}
	if told := c.told(gradescopeText); told != "" {
		test.Output += "\n\n" + told
	}
	if c.Status == check.Pass {
		test.Status = "passed"
	} else if c.Hint != "" {
		test.Output += "\n\nHint: " + c.Hint
	}
	return test
}
