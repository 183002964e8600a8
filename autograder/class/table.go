package class

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gosched/autograder/grade"
	"gosched/chapters/check"
)

// A Class is what is known of a class.
type Class struct {
	Conditions Conditions
	Students   []Student // in the order of the roster
	Chapters   []Chapter // that were graded
}

// A Chapter is a column of the table.
type Chapter struct {
	ID, Title string
	MaxScore  int
}

// A Student is a line of the table.
type Student struct {
	Submission
	Report *grade.Report // nil unless Status is Graded; as students may be shown it
	Extra  *grade.Extra  // all that is known of extra checks; nil if there are none
}

// Read reads the folder of a batch, which may be at work. A student whom it has not come to is
// Missing, and so is one whose result was made under other conditions.
func Read(dir string) (*Class, error) {
	s := store{dir}
	p, err := s.plan()
	if err != nil {
		return nil, err
	}
	return s.class(p), nil
}

func (s store) class(p plan) *Class {
	c := &Class{Conditions: p.Conditions}
	for _, row := range p.Rows {
		student := Student{Submission: Submission{Row: row, Status: Missing}}
		if found, ok := s.submission(row); ok {
			student.Submission = found
		}
		if student.Status == Graded {
			if student.Key == p.Conditions.Key(student.Sum) {
				if report := s.result(student.Key); report != nil {
					student.Report, student.Extra = report.Shown(), report.Extra
				}
			}
			if student.Report == nil {
				student.Submission = Submission{Row: row, Status: Missing}
			}
		}
		c.Students = append(c.Students, student)
		if student.Report != nil && c.Chapters == nil {
			for _, ch := range student.Report.Chapters {
				c.Chapters = append(c.Chapters, Chapter{ch.ID, ch.Title, ch.MaxScore})
			}
		}
	}
	return c
}

// Write writes the table and the page into the folder of a batch.
func (c *Class) Write(dir string) error {
	s, unlock, err := openStore(dir)
	if err != nil {
		return err
	}
	defer unlock()
	return s.writeClass(c)
}

// TableFile is the table in the folder of a batch.
const TableFile = "class.csv"

func (s store) writeClass(c *Class) error {
	table, err := c.table()
	if err != nil {
		return err
	}
	if err := s.writeText(TableFile, table); err != nil {
		return err
	}
	if err := s.writeExtra(c); err != nil {
		return err
	}
	page, err := c.page()
	if err != nil {
		return err
	}
	return s.writeText(PageFile, page)
}

// table is the class in CSV: a line for each student. Whoever was not graded, for whatever
// reason, has no points there, which is not the same as 0 points.
func (c *Class) table() ([]byte, error) {
	head := []string{"student", "name", "status", "points", "of", "late", "due", "commit", "commit_time", "last_commit_in_time"}
	for _, ch := range c.Chapters {
		head = append(head, ch.ID)
	}
	lines := [][]string{append(head, "message")}
	for _, student := range c.Students {
		lines = append(lines, student.line(c.Chapters))
	}
	return inCSV(lines)
}

// inCSV is lines of text in CSV.
func inCSV(lines [][]string) ([]byte, error) {
	for _, line := range lines {
		for i := range line {
			line[i] = plain(line[i])
		}
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(lines); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// line is the student's line in the table.
func (s *Student) line(chapters []Chapter) []string {
	line := []string{s.Student, s.Name, string(s.Status)}
	points := map[string]string{}
	if s.Report != nil {
		line = append(line, strconv.Itoa(s.Report.Score), strconv.Itoa(s.Report.MaxScore))
		for _, ch := range s.Report.Chapters {
			points[ch.ID] = strconv.Itoa(ch.Score)
		}
	} else {
		line = append(line, "", "")
	}
	line = append(line, s.lateness(), date(s.Due), s.Commit, date(s.Time), s.InTime)
	for _, ch := range chapters {
		line = append(line, points[ch.ID])
	}
	return append(line, s.Message)
}

// lateness is "late", "in time", or "" where nobody can know: a folder has no time.
func (s *Submission) lateness() string {
	switch {
	case s.Due.IsZero() || s.Commit == "":
		return ""
	case s.Late:
		return "late"
	}
	return "in time"
}

// date is a time as in the roster, "" for none.
func date(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

// plain keeps a spreadsheet from taking text for a formula, which could send the table to
// somebody: such a cell begins with an apostrophe.
func plain(cell string) string {
	if first, _ := utf8.DecodeRuneInString(cell); cell != "" && strings.ContainsRune("=+-@\t\r\n|%＝＋－＠", first) {
		return "'" + cell
	}
	return cell
}

// begun reports whether the student has written anything that a check sees.
func (s *Student) begun() bool {
	if s.Report == nil {
		return false
	}
	for _, ch := range s.Report.Chapters {
		for _, c := range ch.Checks {
			if c.Status != check.Todo && ch.ID != grade.ExtraID { // where a sum may stand for checks that are not started
				return true
			}
		}
	}
	return false
}

// Count returns how many students have the status.
func (c *Class) Count(status Status) int {
	n := 0
	for _, s := range c.Students {
		if s.Status == status {
			n++
		}
	}
	return n
}

// With returns the names of the students who have the status, in the order of the roster.
func (c *Class) With(status Status) []string {
	var names []string
	for _, s := range c.Students {
		if s.Status == status {
			names = append(names, s.Student)
		}
	}
	return names
}

// Summary says in a line how many students there are of each status.
func (c *Class) Summary() string {
	parts := []string{count(len(c.Students), "student")}
	for _, w := range statusWords {
		if n := c.Count(w.status); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, w.words))
		}
	}
	return strings.Join(parts, ", ")
}

// statusWords are how a status is called.
var statusWords = []struct {
	status Status
	words  string
}{
	{Graded, "graded"},
	{NoSubmission, "without a submission"},
	{InternalError, "could not be graded"},
	{Missing, "missing"},
}
