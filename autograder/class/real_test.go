package class

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"gosched/autograder/grade"
	"gosched/chapters"
	"gosched/chapters/check"
)

// TestRealGrader grades submissions to the small course of package grade with the grader itself:
// one that is right, one that does not compile and one that ends the process that grades it.
func TestRealGrader(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("..", "grade", "testdata", "course.txtar"))
	require.NoError(t, err)
	root := t.TempDir()
	for _, f := range archive.Files {
		name := filepath.Join(root, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, f.Data, 0o644))
	}
	one := check.Check{Name: "positive", Kind: check.Unit, Points: 1, Property: "One is positive."}
	course := []chapters.Chapter{{ID: "ch01", Dir: "ch01_one", Title: "One", Suite: &check.Suite{ID: "ch01", Dir: "ch01_one", Checks: []check.Check{one}}}}
	const file = "exercises/ch01_one/one.go"
	right, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	require.NoError(t, err)

	b := newBatch(t, 0)
	base := t.TempDir()
	b.Base, b.Workers = base, 1
	for _, s := range []struct{ student, text string }{
		{"right", string(right)},
		{"typo", string(right) + "}\n"},
		{"same", string(right)},
		{"exits", string(right) + "\nfunc init() { panic(\"no <tests>\") }\n"},
	} {
		b.Rows = append(b.Rows, Row{Student: s.student, Source: s.student})
		require.NoError(t, os.Mkdir(filepath.Join(base, s.student), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(base, s.student, "one.go"), []byte(s.text), 0o644))
	}
	b.Sum = func(dir string) (string, error) {
		text, err := os.ReadFile(filepath.Join(dir, "one.go"))
		return fmt.Sprintf("%x", sha256.Sum256(text)), err
	}
	gradings := 0
	b.Grade = func(ctx context.Context, dir string, ids []string) (*grade.Report, error) {
		gradings++
		g := grade.Grader{Root: root, Of: grade.Exercises, All: course, Chapters: ids, Overlay: grade.Overlay{file: filepath.Join(dir, "one.go")}}
		return g.Grade(ctx)
	}
	require.NoError(t, b.Run(t.Context()))
	assert.Equal(t, 3, gradings)
	c, table := read(t, b.Out)
	assert.Equal(t, "student,name,status,points,of,late,due,commit,commit_time,last_commit_in_time,ch01,message\n"+
		"right,,graded,1,1,,,,,,1,\ntypo,,graded,0,1,,,,,,0,\nsame,,graded,1,1,,,,,,1,\nexits,,graded,0,1,,,,,,0,\n", table)
	says := map[string]string{}
	for _, s := range c.Students {
		says[s.Student] = s.Report.Chapters[0].Checks[0].Message
	}
	assert.Contains(t, says["typo"], "it does not compile: exercises/ch01_one/one.go:", "a path of the student's, not of the batch")
	assert.Contains(t, says["exits"], "panic: no <tests>")
	evidence, err := os.ReadFile(filepath.Join(b.Out, evidenceDir, c.Students[3].Key, "ch01", "positive.txt"))
	require.NoError(t, err)
	assert.Contains(t, string(evidence), "goroutine 1")
	page, err := c.page()
	require.NoError(t, err)
	assert.NotContains(t, string(page), "<tests>")
}
