package class

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"gosched/autograder/grade"
)

// ExtraFile is the table of extra checks in the folder of a batch: all of them, whatever students
// are shown.
const ExtraFile = "extra.csv"

// writeExtra writes that table. There is none if there are no extra checks.
func (s store) writeExtra(c *Class) error {
	lines := [][]string{{"student", "check", "show", "status", "score", "points", "message"}}
	for _, student := range c.Students {
		if student.Extra == nil {
			continue
		}
		for _, e := range student.Extra.Checks {
			message := grade.FirstLine(e.Message)
			lines = append(lines, []string{
				student.Student, e.ID, string(e.Show), string(e.Status), strconv.Itoa(e.Score), strconv.Itoa(e.Points), message,
			})
		}
	}
	if len(lines) == 1 {
		if err := os.Remove(filepath.Join(s.dir, ExtraFile)); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	table, err := inCSV(lines)
	if err != nil {
		return err
	}
	return s.writeText(ExtraFile, table)
}
