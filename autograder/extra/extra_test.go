package extra_test

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/extra"
	"gosched/autograder/gen"
	"gosched/autograder/grade"
	"gosched/autograder/jail"
	"gosched/autograder/submission"
	"gosched/autograder/trusted"
	"gosched/chapters"
	"gosched/chapters/check"
	"gosched/chapters/sample"
)

const example = "testdata/example"

func root(t *testing.T) string {
	t.Helper()
	abs, err := filepath.Abs("../..")
	require.NoError(t, err)
	return abs
}

// read reads a folder, and finds out which checks it has.
func read(t *testing.T, dir, keep string) (*extra.Checks, error) {
	t.Helper()
	folder, err := extra.Read(dir, root(t), chapters.All)
	if err != nil {
		return nil, err
	}
	g := grade.Grader{Root: root(t), All: chapters.All, Bin: t.TempDir(), Level: jail.Process}
	return folder.Checks(t.Context(), g, keep, "key")
}

// A class's submission: the solutions of chapters 1 and 7, in which one file has been changed.
func submitted(t *testing.T, name, from, to string) *submission.Files {
	t.Helper()
	dir := t.TempDir()
	for _, ch := range chapters.All {
		if ch.ID != "ch01" && ch.ID != "ch07" {
			continue
		}
		files, err := gen.Solution(root(t), ch)
		require.NoError(t, err)
		for file, text := range files {
			file = path.Join(grade.Exercises, ch.Dir, file)
			if file == name {
				require.Contains(t, string(text), from)
				text = bytes.Replace(text, []byte(from), []byte(to), 1)
			}
			write(t, dir, file, string(text))
		}
	}
	files, err := submission.Read(dir, root(t))
	require.NoError(t, err)
	t.Cleanup(func() { files.Remove() })
	require.Empty(t, files.Findings)
	return files
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
}

// The example in testdata: the solution passes, and a mistake that no check of the course sees is
// seen. A sample has chapter 1, some of the course's checks, and the mistake alone.
func TestExample(t *testing.T) {
	keep := t.TempDir()
	checks, err := read(t, example, keep) // which proves them on the solution
	require.NoError(t, err)
	again, err := read(t, example, keep)
	require.NoError(t, err)
	assert.Equal(t, checks, again, "what is known is as what was found out")
	none, err := checks.Grade(t.Context(), grade.Grader{Chapters: []string{"ch02"}})
	require.NoError(t, err)
	assert.Equal(t, &grade.Extra{Sum: checks.Sum, Checks: []grade.Check{}}, none)

	g := &trusted.Grading{Root: root(t), All: chapters.All, Chapters: []string{"ch01", "ch07"}, Extra: checks}
	if !sample.Whole() {
		g.Chapters, g.Checks = []string{"ch01"}, []string{"free-reuse", "free-stacks"}
	}
	const file = "exercises/ch01_goroutine/freelist.go"
	for _, tt := range []struct{ name, from, to, message string }{
		{name: "right"},
		{"few are kept", "\tfree := &p.s.GFree\n\tfree.Lock.Lock()\n\tif gp.Stack",
			"\tfree := &p.s.GFree\n\tfree.Lock.Lock()\n\tif free.N.Get() >= 64 {\n\t\tfree.Lock.Unlock()\n\t\treturn\n\t}\n\tif gp.Stack",
			"300 Gs were put on the free list, and only 64 came back"},
	} {
		if tt.message == "" && !sample.Whole() {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			report, err := g.Grade(t.Context(), submitted(t, file, tt.from, tt.to))
			require.NoError(t, err)
			for _, ch := range report.Chapters {
				for _, c := range ch.Checks {
					assert.Equal(t, check.Pass, c.Status, "%s: %s", c.ID, c.Message)
				}
			}
			show := map[string]check.Shown{}
			for _, c := range report.Extra.Checks {
				show[c.ID] = c.Show
				if c.ID == "ch01/free-many" && tt.message != "" {
					assert.Equal(t, check.Fail, c.Status)
					assert.Contains(t, c.Message, tt.message)
				} else {
					assert.Equal(t, check.Pass, c.Status, "%s: %s", c.ID, c.Message)
				}
			}
			want := map[string]check.Shown{"ch01/free-many": check.Hidden}
			if sample.Whole() {
				want["ch07/crowd"], want["ch07/random-again"] = check.NameOnly, check.Full
			}
			assert.Equal(t, want, show)
			assert.Equal(t, checks.Sum, report.Extra.Sum)
			assert.Equal(t, tt.message == "", report.Extra.Score == report.Extra.MaxScore)
		})
	}
}

// A folder with which nothing can be graded is told of in a sentence with the place, before
// anything is.
func TestUnusable(t *testing.T) {
	const good = "package ch07\n\nimport \"gosched/chapters/check\"\n\n"
	for _, tt := range []struct{ name, file, text, says string }{
		{"empty", "README.md", "", "DIR has no Go files; put them in the folder of a chapter, such as DIR/ch01_goroutine"},
		{"no chapter", "ch7/a.go", good, "DIR/ch7 is no chapter with checks; name the folder as in chapters/, such as ch01_goroutine"},
		{"not in a chapter", "a.go", good, "DIR/a.go belongs in the folder of a chapter, such as DIR/ch01_goroutine"},
		{"another folder", "ch07_runq/more/a.go", good, "DIR/ch07_runq/more is a folder; beside the files of a chapter there is only one, programs"},
		{"a test", "ch07_runq/a_test.go", good, "DIR/ch07_runq/a_test.go is a test, which nothing would run; checks are in files that are none"},
		{"a file of the course", "ch07_runq/steal.go", good, "DIR/ch07_runq/steal.go has the name of a file of the course, chapters/ch07_runq/steal.go; give yours another one"},
		{"a program of the course", "ch07_runq/programs/order.go", good, "DIR/ch07_runq/programs/order.go has the name of a file of the course, chapters/ch07_runq/programs/order.go; give yours another one"},
		{"package", "ch07_runq/a.go", "package runq\n", "DIR/ch07_runq/a.go is of package runq; the files of this chapter are of package ch07"},
		{"does not compile", "ch07_runq/a.go", good + "func init() { Suite.Extra(check.Fully) }\n", "it does not compile: DIR/ch07_runq/a.go:5:33: undefined: check.Fully"},
		{"panics", "ch07_runq/a.go", good + "func init() { Suite.Extra(check.Full, Suite.Again(\"randm\", 1, 2)) }\n",
			"its checks cannot be listed: DIR/ch07_runq/a.go:5: Again: ch07 has no check \"randm\""},
		{"wrong for the solution", "ch07_runq/a.go", good + "func init() {\n\tSuite.Extra(check.Full, check.Check{\n\t\tName: \"x\", Kind: check.Unit, Methods: []string{\"Runqput\"}, Property: \"It holds.\",\n" +
			"\t\tRun: func(t *check.T) { t.Errorf(\"it does not\") },\n\t})\n}\n",
			"the solution does not pass ch07/x (fail): DIR/ch07_runq/a.go:8: it does not"},
	} {
		if tt.name == "panics" && !sample.Whole() {
			continue // it takes a build of all suites
		}
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, tt.file, tt.text)
			keep := t.TempDir()
			_, err := read(t, dir, keep)
			require.Error(t, err)
			assert.IsType(t, extra.Unusable(""), err)
			assert.Equal(t, tt.says, filepath.ToSlash(strings.ReplaceAll(err.Error(), dir, "DIR")))
			assert.NoFileExists(t, filepath.Join(keep, "key.json"))
		})
	}
}

// The sum is of the files that are compiled, and of nothing else.
func TestSum(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(example)))
	sum := func() string {
		t.Helper()
		folder, err := extra.Read(dir, root(t), chapters.All)
		require.NoError(t, err)
		return folder.Sum
	}
	before := sum()
	write(t, dir, "README.md", "other\n")
	assert.Equal(t, before, sum())
	write(t, dir, "ch07_runq/programs/crowd.go", "package main\n")
	changed := sum()
	assert.NotEqual(t, before, changed)
	write(t, dir, "ch07_runq/more.go", "package ch07\n")
	assert.NotEqual(t, changed, sum())
}
