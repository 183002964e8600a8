package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

	"gosched/autograder/handout"
)

// What needs the solutions says so in a handout, where there are none.
func TestInHandout(t *testing.T) {
	a := newTestApp(t, 80)
	a.write(t, handout.Mark, `{"chapters":["ch01"],"solved":[]}`)
	for _, args := range [][]string{{"verify"}, {"gen"}, {"batch", "--roster", "x", "--out", "y"}, {"export", "--out", "x"}, {"grade", "--of", "solutions"}, {"grade", "--submission", "x"}} {
		status, _, errs := a.do(args...)
		assert.Equal(t, exitUsage, status, "%q", args)
		assert.Contains(t, errs, "needs the solutions, which are not in this repository: your instructor has them\n", "%q", args)
	}
	status, _, errs := a.do("book")
	assert.Equal(t, exitUsage, status)
	assert.Contains(t, errs, "the pages of the book did not come with this repository")
	_, out, _ := a.do()
	assert.Contains(t, out, "not handed out yet")
	assert.NotContains(t, out, "not written yet")
	_, _, errs = a.do("test", "ch03")
	assert.Contains(t, errs, "chapter 3, Park and ready, is not handed out yet")
}

func TestExportUsage(t *testing.T) {
	a := newTestApp(t, 80)
	a.write(t, "full/x", "")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, "export where to? --out DIR"},
		{[]string{"--out", "x", "--chapters", "2-1"}, "--chapters 2-1: 2-1 is a range that ends before it begins"},
		{[]string{"--out", "x", "--chapters", "1,42"}, `--chapters 1,42: there is no chapter "42"; the course has chapters 1 to 3`},
		{[]string{"--out", "x", "--solved", "3"}, "--solved 3: chapter 3, Park and ready, is not written yet"},
	} {
		status, _, errs := a.do(append([]string{"export"}, tt.args...)...)
		assert.Equal(t, exitUsage, status, "%q", tt.args)
		assert.Equal(t, "autograder: "+tt.want+"\n", errs)
	}
	ids, err := a.chapterRanges("--chapters", "1-2,1")
	assert.NoError(t, err)
	assert.Equal(t, []string{"ch01", "ch02"}, ids)
}

func TestUpdateUsage(t *testing.T) {
	a := newTestApp(t, 80)
	status, _, errs := a.do("update")
	assert.Equal(t, exitUsage, status)
	assert.Equal(t, "autograder: update from where? --from DIR, or --from URL\n", errs)
	status, _, errs = a.do("update", "--ref")
	assert.Equal(t, exitUsage, status)
	assert.Contains(t, errs, "--ref")
	assert.NoFileExists(t, filepath.Join(a.root, ".gosched/update/plan.json"))
}
