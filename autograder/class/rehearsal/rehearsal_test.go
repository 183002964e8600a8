package rehearsal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/class"
	"gosched/autograder/grade"
	"gosched/autograder/policy"
	"gosched/chapters/check"
	"gosched/chapters/sample"
)

// made writes a class of chapter 1 to a folder.
func made(t *testing.T, students int) (dir string, all []Student) {
	t.Helper()
	of := written()[:1]
	all, err := Make(root, of, students)
	require.NoError(t, err)
	dir = filepath.Join(t.TempDir(), "class")
	require.NoError(t, Write(dir, all, of))
	return dir, all
}

// tree is the text of all files below a folder, by path; of what git keeps only what is committed.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(file string, d os.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, file)
		name = filepath.ToSlash(name)
		if err != nil || d.IsDir() || strings.Contains(name, ".git/") && !strings.Contains(name, ".git/refs/") && !strings.Contains(name, ".git/objects/") {
			return err
		}
		if d.Type()&os.ModeSymlink != 0 {
			files[name], err = os.Readlink(file)
			return err
		}
		text, err := os.ReadFile(file)
		files[name] = string(text)
		return err
	}))
	return files
}

// A rehearsal is the same each time, its roster can be read, and what is expected is read as it
// was written.
func TestMake(t *testing.T) {
	dir, all := made(t, 14)
	again, _ := made(t, 14)
	files := tree(t, dir)
	assert.Equal(t, files, tree(t, again))
	kinds := map[Kind]int{}
	for _, s := range all {
		kinds[s.Kind]++
	}
	assert.Equal(t, map[Kind]int{Solution: 3, Unfinished: 2, Broken: 2, Mutation: 1, Repository: 2, Nothing: 2, Cheat: 2}, kinds)

	f, err := os.Open(filepath.Join(dir, RosterFile))
	require.NoError(t, err)
	defer f.Close()
	rows, err := class.ReadRoster(f)
	require.NoError(t, err)
	require.Len(t, rows, 14)
	lines, err := ReadExpected(dir)
	require.NoError(t, err)
	for i, l := range lines {
		assert.Equal(t, rows[i].Student, l.Student)
		assert.Equal(t, all[i].Status, l.Status)
		assert.Equal(t, len(all[i].Points), len(l.Points))
		for ch, share := range all[i].Points {
			assert.Equal(t, share, l.Points[ch])
		}
	}
	assert.ErrorContains(t, Write(dir, all, nil), "is not empty; a rehearsal needs a folder of its own")
}

// The size of a class: each case once, or as many students as are asked for, with all cheats if
// there is room.
func TestSize(t *testing.T) {
	count := func(all []Student) (cheats int) {
		for _, s := range all {
			if s.Kind == Cheat {
				cheats++
			}
		}
		return cheats
	}
	whole, err := Make(root, written()[:1], 0)
	require.NoError(t, err)
	larger, err := Make(root, written()[:1], len(whole)+500)
	require.NoError(t, err)
	assert.Len(t, larger, len(whole)+500)
	assert.Greater(t, count(whole), 40)
	assert.Equal(t, count(whole), count(larger))
	for n := 1; n < len(whole); n += 10 {
		assert.Len(t, thin(whole, n), n)
	}
	if !sample.Whole() {
		return
	}
	two, err := Make(root, written()[:2], 0)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, len(two), 100)
	other, err := Make(root, written()[1:2], 0)
	require.NoError(t, err)
	assert.Zero(t, count(other), "chapter 1 is not graded")
}

// Whatever is not as it must be is said of the student in a sentence.
func TestCompare(t *testing.T) {
	report := &grade.Report{
		Submission: &grade.Submission{Ignored: []string{"vendor/"}, Findings: []policy.Finding{{File: "exercises/ch01_goroutine/status.go"}}},
		Chapters: []grade.Chapter{
			{ID: "ch01", Score: 4, MaxScore: 10, Checks: []grade.Check{{ID: "ch01/a", Status: check.Pass}, {ID: "ch01/b", Status: check.Todo}}},
			{ID: "ch02", Score: 10, MaxScore: 10, Checks: []grade.Check{{ID: "ch02/c", Status: check.Pass}}},
		},
	}
	c := &class.Class{Students: []class.Student{
		{Submission: class.Submission{Row: class.Row{Student: "ann"}, Status: class.Graded, Late: true}, Report: report},
		{Submission: class.Submission{Row: class.Row{Student: "bob"}, Status: class.NoSubmission, Message: "there is no folder bob"}},
	}}
	right := Expected{Status: class.Graded, Late: true, Points: map[string]Share{"ch01": Some, "ch02": All}}
	for _, tt := range []struct {
		student string
		change  func(e *Expected)
		says    string
	}{
		{"ann", func(*Expected) {}, ""},
		{"ann", func(e *Expected) { e.Check, e.As, e.Names = "ch01/b", check.Todo, "vendor" }, ""},
		{"ann", func(e *Expected) { e.Check, e.Names = "ch01/b", "status.go" }, ""},
		{"ann", func(e *Expected) { e.Points["ch01"] = NotAll }, ""},
		{"ann", func(e *Expected) { e.Points["ch01"] = All }, "has 4 of 10 points in ch01, and must have all: ch01/b todo"},
		{"ann", func(e *Expected) { e.Points["ch01"] = None }, "has 4 of 10 points in ch01, and must have none: ch01/a pass"},
		{"ann", func(e *Expected) { e.Points["ch02"] = Some }, "has 10 of 10 points in ch02, and must have some"},
		{"ann", func(e *Expected) { e.Late = false }, "has late=true, and must have late=false"},
		{"ann", func(e *Expected) { e.Check = "ch01/a" }, "passes ch01/a, and must not"},
		{"ann", func(e *Expected) { e.Check, e.As = "ch01/b", check.Refused }, "has todo in ch01/b, and must have refused"},
		{"ann", func(e *Expected) { e.Check = "ch07/x" }, "must not pass ch07/x, which was not graded"},
		{"ann", func(e *Expected) { e.Names = "go.work" }, "must have go.work among what is refused or ignored"},
		{"bob", func(*Expected) {}, `is "no_submission", and must be "graded": there is no folder bob`},
		{"cy", func(*Expected) {}, "is not in the class"},
	} {
		e := right
		e.Points = map[string]Share{"ch01": Some, "ch02": All}
		tt.change(&e)
		wrong := Compare([]Line{{Student: tt.student, Kind: "cheat", What: "x", Expected: e}}, c)
		if tt.says == "" {
			assert.Empty(t, wrong)
			continue
		}
		if assert.Len(t, wrong, 1, tt.says) {
			assert.True(t, strings.HasPrefix(wrong[0], tt.student+" (cheat: x) "+tt.says), wrong[0])
		}
	}
}

func TestReadExpected(t *testing.T) {
	dir := t.TempDir()
	_, err := ReadExpected(dir)
	assert.ErrorContains(t, err, "has no rehearsal: there is no expected.csv")
	require.NoError(t, os.WriteFile(filepath.Join(dir, ExpectedFile), []byte("a,b\n1,2\n"), 0o644))
	_, err = ReadExpected(dir)
	assert.ErrorContains(t, err, "is not as a rehearsal has written it")
}
