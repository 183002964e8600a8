package rehearsal

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gosched/autograder/class"
	"gosched/autograder/grade"
	"gosched/chapters/check"
)

// An Expected is what must come of a submission.
type Expected struct {
	Status class.Status
	Late   bool
	Points map[string]Share // by ID of the chapter
	Check  string           // the ID of a check that does not pass; "": none is named
	As     check.Status     // what it has instead; "": anything
	Names  string           // what the result must name as refused or ignored
}

// A Share is how many of a chapter's points a submission has.
type Share string

const (
	All    Share = "all"
	Some   Share = "some" // more than none, and less than all
	NotAll Share = "not all"
	None   Share = "none"
)

func (s Share) holds(score, most int) bool {
	switch s {
	case All:
		return score == most
	case Some:
		return score > 0 && score < most
	case NotAll:
		return score < most
	}
	return score == 0
}

// ExpectedFile is the file with what is expected, in the folder of a rehearsal.
const ExpectedFile = "expected.csv"

// A Line is what is expected of a student, as the file has it.
type Line struct {
	Student, Kind, What string
	Expected
}

// String is the student of the line.
func (l Line) String() string { return fmt.Sprintf("%s (%s: %s)", l.Student, l.Kind, l.What) }

// columns are those before the chapters.
var columns = []string{"student", "kind", "what", "status", "late", "check", "check_status", "names"}

// expectedTable is what is expected of a class that is graded in these chapters, as CSV.
func expectedTable(all []Student, chapters []string) ([]byte, error) {
	var b bytes.Buffer
	lines := [][]string{slices.Concat(columns, chapters)}
	for _, s := range all {
		late := ""
		if s.Late {
			late = "late"
		}
		line := []string{s.Name, string(s.Kind), s.What, string(s.Status), late, s.Check, string(s.As), s.Names}
		for _, ch := range chapters {
			line = append(line, string(s.Points[ch]))
		}
		lines = append(lines, line)
	}
	if err := csv.NewWriter(&b).WriteAll(lines); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// ReadExpected reads what is expected of the rehearsal in a folder.
func ReadExpected(dir string) ([]Line, error) {
	name := filepath.Join(dir, ExpectedFile)
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s has no rehearsal: there is no %s", dir, ExpectedFile)
	}
	if err != nil {
		return nil, err
	}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(lines) == 0 || len(lines[0]) <= len(columns) || !slices.Equal(lines[0][:len(columns)], columns) {
		return nil, fmt.Errorf("%s is not as a rehearsal has written it", name)
	}
	var all []Line
	for _, f := range lines[1:] {
		l := Line{Student: f[0], Kind: f[1], What: f[2]}
		l.Expected = Expected{Status: class.Status(f[3]), Late: f[4] != "", Check: f[5], As: check.Status(f[6]), Names: f[7], Points: map[string]Share{}}
		for i, share := range f[len(columns):] {
			if share != "" {
				l.Points[lines[0][len(columns)+i]] = Share(share)
			}
		}
		all = append(all, l)
	}
	return all, nil
}

// Compare says in a sentence each what in the results of a class is not as it is expected.
func Compare(expected []Line, c *class.Class) []string {
	by := map[string]*class.Student{}
	for i := range c.Students {
		by[c.Students[i].Student] = &c.Students[i]
	}
	var wrong []string
	for _, l := range expected {
		if by[l.Student] == nil {
			wrong = append(wrong, fmt.Sprintf("%s is not in the class", l))
			continue
		}
		for _, what := range l.differences(by[l.Student]) {
			wrong = append(wrong, l.String()+" "+what)
		}
	}
	return wrong
}

// differences is what is not as expected of a student, in words that follow the name.
func (e *Expected) differences(s *class.Student) (wrong []string) {
	not := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if s.Status != e.Status {
		not("is %q, and must be %q: %s", s.Status, e.Status, s.Message)
		return wrong
	}
	if s.Late != e.Late {
		not("has late=%t, and must have late=%t", s.Late, e.Late)
	}
	if s.Report == nil {
		return wrong
	}
	for _, ch := range s.Report.Chapters {
		if share, ok := e.Points[ch.ID]; !ok || !share.holds(ch.Score, ch.MaxScore) {
			not("has %d of %d points in %s, and must have %s%s", ch.Score, ch.MaxScore, ch.ID, share, unexpected(ch, share))
		}
	}
	if e.Check != "" {
		e.checkDiffers(s.Report, not)
	}
	if e.Names != "" && !names(s.Report.Submission, e.Names) {
		not("must have %s among what is refused or ignored", e.Names)
	}
	return wrong
}

// unexpected names the checks of a chapter that are to blame for its points.
func unexpected(ch grade.Chapter, share Share) string {
	var which []string
	for _, c := range ch.Checks {
		if (c.Status == check.Pass) != (share == All) {
			which = append(which, fmt.Sprintf("%s %s", c.ID, c.Status))
		}
	}
	if len(which) == 0 {
		return ""
	}
	return ": " + strings.Join(which, ", ")
}

// checkDiffers says if the check that is named has not the status that is expected.
func (e *Expected) checkDiffers(r *grade.Report, not func(string, ...any)) {
	for _, ch := range r.Chapters {
		for _, c := range ch.Checks {
			switch {
			case c.ID != e.Check:
				continue
			case e.As != "" && c.Status != e.As:
				not("has %s in %s, and must have %s", c.Status, c.ID, e.As)
			case c.Status == check.Pass:
				not("passes %s, and must not", c.ID)
			}
			return
		}
	}
	not("must not pass %s, which was not graded", e.Check)
}

// names reports whether a result names something as refused or ignored.
func names(s *grade.Submission, what string) bool {
	if s == nil {
		return false
	}
	for _, f := range s.Findings {
		if strings.Contains(f.File, what) {
			return true
		}
	}
	return slices.ContainsFunc(s.Ignored, func(name string) bool { return strings.Contains(name, what) })
}
