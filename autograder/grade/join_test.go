package grade

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters"
	"gosched/chapters/check"
)

// edit writes a file of an unpacked course, or removes it if there is no text.
func edit(t *testing.T, root, name, text string) {
	t.Helper()
	name = filepath.Join(root, filepath.FromSlash(name))
	if text == "" {
		require.NoError(t, os.Remove(name))
		return
	}
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
}

func gradeOf(t *testing.T, g *Grader) *Report {
	t.Helper()
	report, err := g.Grade(context.Background())
	require.NoError(t, err)
	return report
}

// What a chapter does to its own process it does to no other chapter's, and it gets the very
// verdicts that it would get on its own.
func TestJoined(t *testing.T) {
	const two = "exercises/ch02_two/two.go"
	const parts = "package ch02\n\nimport (\n\t\"os\"\n\n\t\"gosched/chapters/gmp\"\n)\n\n" +
		"var Parts = gmp.Version{Two: func(v gmp.Version) int { return 2 }}\n\nvar _ = os.Args\n\n"
	for _, tt := range []struct {
		name, file, text string
		joins            bool // chapter 2 does
		starts           bool // the joint does
	}{
		{"crashes in a check", two, "package ch02\n\nimport \"gosched/chapters/gmp\"\n\nvar Parts = gmp.Version{Two: func(v gmp.Version) int { panic(\"no\") }}\n", true, true},
		{"exits at the start", two, parts + "func init() { os.Exit(3) }\n", false, true},
		{"panics in a variable", two, parts + "var none []int\n\nvar x = none[1]\n", false, false},
		{"does not compile", two, parts + "var x = y\n", false, true},
		{"gone", two, "", false, true},
		{"its test is called otherwise", "exercises/ch02_two/ch02_test.go", "package ch02_test\n\nimport \"testing\"\n\nfunc TestOther(t *testing.T) {}\n", false, true},
		{"a test more", "exercises/ch02_two/own_test.go", "package ch02\n\nimport \"testing\"\n\nfunc TestMain(m *testing.M) {}\n", false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root, all := unpack(t)
			all = []chapters.Chapter{all[0], all[1], all[4]}
			edit(t, root, tt.file, tt.text)
			joined := gradeOf(t, &Grader{Root: root, Of: Exercises, All: all})
			_, err := os.Stat(filepath.Join(root, binDir, Exercises, "ch01"))
			assert.Equal(t, tt.starts, os.IsNotExist(err), "chapter 1 is in the joint")
			_, err = os.Stat(filepath.Join(root, binDir, Exercises, "ch02"))
			if tt.joins {
				assert.ErrorIs(t, err, os.ErrNotExist)
			}
			assert.Equal(t, check.Pass, joined.Chapters[0].Checks[0].Status)
			assert.Equal(t, check.Todo, joined.Chapters[2].Checks[0].Status)

			alone := gradeOf(t, &Grader{Root: root, Of: Exercises, All: all, Chapters: []string{"ch02"}})
			assert.Empty(t, cmp.Diff(alone.Chapters[0].Checks, joined.Chapters[1].Checks, cmpopts.IgnoreUnexported(Check{}), cmpopts.IgnoreFields(Check{}, "Evidence", "Took")))
		})
	}
}

// What the student writes beside the parts and has passed is run again if it has changed, or
// the course, and not if the parts have.
func TestKeepPassed(t *testing.T) {
	root, all := unpack(t)
	all = []chapters.Chapter{all[0], all[4]}
	all[0].Suite.Checks = append(all[0].Suite.Checks, check.Check{Name: "mine", Kind: check.Mine})
	ran := filepath.Join(root, "ran")
	const head = "package ch01_test\n\nimport (\n\t\"os\"\n\t\"testing\"\n\n\t\"gosched/chapters/suite\"\n"
	mine := ")\n\nfunc TestMine(t *testing.T) {\n\tos.WriteFile(`" + ran + "`, nil, 0o644)\n" +
		"\tsuite.Report(t, \"ch01/mine\", func() (string, string) { return \"pass\", \"\" })\n}\n"
	const one = "package ch01\n\nimport \"gosched/chapters/gmp\"\n\nvar Parts = gmp.Version{One: func(gmp.Version) int { return %s }}\n"
	course, unknown := "before", error(nil)
	runs := func() bool {
		t.Helper()
		_ = os.Remove(ran)
		report := gradeOf(t, &Grader{Root: root, Of: Exercises, All: all, Course: func() (string, error) { return course, unknown }})
		assert.Equal(t, check.Pass, report.Chapters[0].Checks[1].Status)
		_, err := os.Stat(ran)
		return err == nil
	}
	const test, parts = "exercises/ch01_one/mine_test.go", "exercises/ch01_one/one.go"
	edit(t, root, test, head+mine)
	assert.True(t, runs(), "the first time")
	edit(t, root, parts, fmt.Sprintf(one, "8"))
	assert.False(t, runs(), "the parts have changed")
	edit(t, root, test, head+mine+"\n// Edited.\n")
	assert.True(t, runs(), "it has changed")
	edit(t, root, test, head+mine)
	assert.False(t, runs(), "it is as it was before")
	beside := filepath.Join(root, filepath.FromSlash("exercises/ch01_one/ch01_test.go"))
	text, err := os.ReadFile(beside)
	require.NoError(t, err)
	edit(t, root, "exercises/ch01_one/ch01_test.go", string(text)+"\nfunc helper() {}\n")
	assert.False(t, runs(), "the file beside it has changed, and it does without")
	edit(t, root, test, head+mine+"\nfunc more() { helper() }\n")
	assert.True(t, runs(), "it has changed again")
	edit(t, root, "exercises/ch01_one/ch01_test.go", string(text)+"\nfunc helper() { println() }\n")
	assert.True(t, runs(), "what it calls has changed")
	edit(t, root, test, head+mine)
	course = "after"
	assert.True(t, runs(), "the course has changed")
	unknown = errors.New("no")
	assert.True(t, runs(), "whether the course has changed cannot be told")
	unknown = nil
	edit(t, root, test, head+"\t_ \"gosched/exercises/ch01_one\"\n"+mine)
	assert.True(t, runs() && runs(), "it uses the parts: nothing is kept")
}
