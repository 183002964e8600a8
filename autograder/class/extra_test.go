package class

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/grade"
	"gosched/chapters/check"
)

// furtherChecks is fake, with extra checks that fail. What students may not be told is secret.
func furtherChecks(ctx context.Context, dir string, chapters []string) (*grade.Report, error) {
	report, err := fake(ctx, dir, chapters)
	if err != nil {
		return nil, err
	}
	extra := &grade.Report{Chapters: []grade.Chapter{{ID: "ch01"}}}
	add := func(name, text string, status check.Status) {
		extra.Chapters[0].Checks = append(extra.Chapters[0].Checks, grade.Check{
			ID: "ch01/" + name, Name: name, Kind: check.Unit, Points: 2, Status: status, Message: text, Property: text, Evidence: text, Hint: text,
		})
	}
	add("secret-one", "secret text", check.Fail)
	add("secret-two", "secret text", check.Pass)
	add("laps", "secret text", check.Fail)
	add("crowd", "public text", check.Fail)
	report.Extra = grade.NewExtra("5a", extra, map[string]check.Shown{
		"ch01/secret-one": check.Hidden, "ch01/secret-two": check.Hidden, "ch01/laps": check.NameOnly, "ch01/crowd": check.Full,
	})
	return report, nil
}

// What a class may see of extra checks is in the table, the page and the evidence. The results and
// a table of its own have all, and so does a merge.
func TestClassWithExtra(t *testing.T) {
	b := newBatch(t, 3)
	b.Grade, b.Conditions.Extra = furtherChecks, "5a"
	require.NoError(t, b.Run(t.Context()))
	c, err := Read(b.Out)
	require.NoError(t, err)
	require.NoError(t, c.Write(b.Out))
	merged := filepath.Join(t.TempDir(), "merged")
	_, err = Merge([]string{b.Out}, merged)
	require.NoError(t, err)

	for _, out := range []string{b.Out, merged} {
		all := ""
		for _, name := range []string{TableFile, PageFile} {
			text, err := os.ReadFile(filepath.Join(out, name))
			require.NoError(t, err)
			all += string(text)
		}
		files := 0
		require.NoError(t, filepath.WalkDir(filepath.Join(out, evidenceDir), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			files++
			text, err := os.ReadFile(name)
			all += name + string(text)
			return err
		}))
		assert.NotZero(t, files)
		assert.False(t, strings.Contains(all, "secret"), "a file that students may see names a hidden check, or says more of another one")
		assert.Contains(t, all, filepath.Join("extra", "ch01-crowd.txt"), "the page links to it")
		for _, shown := range []string{"ch01-laps", "ch01-crowd", "public text", "2 of 4 points"} {
			assert.Contains(t, all, shown)
		}
		table, err := os.ReadFile(filepath.Join(out, ExtraFile))
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSpace(string(table)), "\n")
		assert.Equal(t, "student,check,show,status,score,points,message", lines[0])
		assert.Len(t, lines, 1+3*4)
		assert.Contains(t, lines[1], ",ch01/secret-one,hidden,fail,0,2,secret text")
		csv, err := os.ReadFile(filepath.Join(out, TableFile))
		require.NoError(t, err)
		head, _, _ := strings.Cut(string(csv), "\n")
		assert.Contains(t, head, ",extra,message")
	}

	b.Conditions.Extra, b.Grade = "", fake
	require.NoError(t, b.Run(t.Context()))
	c, err = Read(b.Out)
	require.NoError(t, err)
	require.NoError(t, c.Write(b.Out))
	assert.NoFileExists(t, filepath.Join(b.Out, ExtraFile), "it is of other results")
}

// The sum of hidden checks is no sign that a student has begun.
func TestBegunWithExtra(t *testing.T) {
	todo := grade.Check{ID: "ch01/a", Name: "a", Points: 2, Status: check.Todo}
	report := &grade.Report{Chapters: []grade.Chapter{{ID: "ch01", Checks: []grade.Check{todo}}}}
	report.Extra = grade.NewExtra("5a", report, map[string]check.Shown{"ch01/a": check.Hidden})
	s := Student{Report: report.Shown()}
	require.Equal(t, check.Fail, s.Report.Chapters[1].Checks[0].Status)
	assert.False(t, s.begun())
}

// Shards with other extra checks cannot be joined.
func TestMergeOfOtherExtras(t *testing.T) {
	assert.Equal(t, "folder of extra checks", Conditions{Extra: "a"}.differ(Conditions{Extra: "b"}))
}
