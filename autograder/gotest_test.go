package main

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/check"
)

// TestRunTests runs go test on a module with all that may become of a test.
func TestRunTests(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":            "module gosched\n\ngo 1.26\n",
		"good/good.go":      "package good\n",
		"good/good_test.go": "package good\n\nimport \"testing\"\n\nfunc TestMutants(t *testing.T) {\n\tt.Run(\"one\", func(t *testing.T) { t.Run(\"deep\", func(*testing.T) {}) })\n\tt.Run(\"two\", func(*testing.T) {})\n}\n\nfunc TestSkip(t *testing.T) { t.Skip() }\n",
		"bad/bad_test.go":   "package bad\n\nimport \"testing\"\n\nfunc TestBad(t *testing.T) {\n\tt.Run(\"sub\", func(t *testing.T) { t.Error(\"it is wrong\") })\n}\n\nfunc TestBa(t *testing.T) { t.Fatal(\"it is, too\") }\n",
		"exit/exit_test.go": "package exit\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) { os.Exit(3) }\n",
		"none/none_test.go": "package none\n\nfunc f() { undefined() }\n",
	} {
		require.NoError(t, writeFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text)))
	}
	var out bytes.Buffer
	run, err := runTests(context.Background(), dir, &out, []string{"./..."})
	require.NoError(t, err)
	assert.Equal(t, 1, run.passed)
	assert.Equal(t, 1, run.skipped)
	assert.Equal(t, 1, run.packages)
	assert.Equal(t, []string{"one", "two"}, run.subtests("good", "TestMutants"))
	assert.Empty(t, run.subtests("bad", "TestBad"))
	assert.Len(t, run.dearest(10), 3, "tests, and not their subtests")
	assert.Len(t, run.dearest(2), 2)
	assert.Contains(t, out.String(), "ok  \tgosched/good\t")
	assert.Contains(t, out.String(), "FAIL\tgosched/bad\t")

	failures := strings.Join(run.failures, "\n----\n")
	assert.Len(t, run.failures, 4, failures)
	for _, want := range []string{"gosched/bad TestBad/sub\n", "it is wrong", "gosched/bad TestBa\n", "gosched/exit\n", "exit status 3", "undefined: undefined"} {
		assert.Contains(t, failures, want)
	}
	assert.NotContains(t, failures, "=== RUN")
	assert.True(t, run.passes("good"))
	for _, pkg := range []string{"bad", "exit", "none"} {
		assert.False(t, run.passes(pkg), pkg)
	}
}

func TestDearest(t *testing.T) {
	run, err := readTests(strings.NewReader(`{"Action":"pass","Package":"gosched/book","Test":"TestA","Elapsed":1.5}
{"Action":"pass","Package":"gosched/book","Test":"TestB/sub","Elapsed":9}
{"Action":"fail","Package":"gosched/book","Test":"TestB","Elapsed":9.25}
{"Action":"skip","Package":"gosched/book","Test":"TestC","Elapsed":3}
{"Action":"pass","Package":"gosched/book","Elapsed":11}
`), io.Discard)
	require.NoError(t, err)
	assert.Equal(t, []testTime{{"book TestB", 9250 * time.Millisecond}, {"book TestA", 1500 * time.Millisecond}}, run.dearest(10))
}

func TestBudget(t *testing.T) {
	assert.Equal(t, 8*time.Minute, budgetOf(10))
	assert.Equal(t, 13*time.Minute, budgetOf(19))
}

func TestWithoutNoise(t *testing.T) {
	assert.Equal(t, "a\n    b", withoutNoise("=== RUN   TestX\na\n=== NAME  TestX\n    b\n"))
	long := withoutNoise(strings.Repeat("x\n", failureLines+5))
	assert.True(t, strings.HasSuffix(long, "x\n… 5 more lines"))
}

// What verify finds wrong with a course, without running it.
func TestVerifyChecks(t *testing.T) {
	a := newTestApp(t, 80)
	a.course[0].Suite = &check.Suite{Checks: []check.Check{
		{Name: "right", Points: 1, Property: "p", Hint: "h", Book: "b", Methods: []string{"M"}},
		{Name: "right", Points: 1, Property: "p", Hint: "h", Book: "b", Methods: []string{"M"}},
		{Name: "Wrong_name", Kind: check.Bench, Points: 1},
		{Name: "free", Kind: check.Mine, Property: "p", Hint: "h", Book: "b", Methods: []string{"M"}},
	}}
	a.course[1].Suite = nil
	_, err := (&verification{app: a.app}).checks(context.Background())
	require.Error(t, err)
	assert.Equal(t, []string{
		"ch01/right is there twice",
		"ch01/Wrong_name must be named in small letters with hyphens",
		"ch01/Wrong_name has no property",
		"ch01/Wrong_name has no hint",
		"ch01/Wrong_name names no section of the book",
		"ch01/Wrong_name names no methods that it grades",
		"ch01/Wrong_name must have points, unless it is a bench",
		"ch01/free must have points, unless it is a bench",
		"ch01 has 0 checks of predictions, and should have one",
	}, without(strings.Split(err.Error(), "\n"), "mutant"))
}

// without leaves out the lines that contain a word.
func without(lines []string, word string) []string {
	var kept []string
	for _, line := range lines {
		if !strings.Contains(line, word) {
			kept = append(kept, line)
		}
	}
	return kept
}

func TestVerifyFormat(t *testing.T) {
	a := newTestApp(t, 80)
	a.write(t, "good/x.go", "package good\n")
	a.write(t, "good/testdata/x.go", "package  ignored\n")
	a.write(t, ".gosched/x.go", "package  ignored\n")
	a.write(t, "exercises/x.go", "package  ignored\n")
	v := &verification{app: a.app}
	summary, err := v.format(context.Background())
	assert.NoError(t, err)
	assert.Equal(t, "1 files", summary)
	a.write(t, "good/y.go", "package  good\n")
	a.write(t, "good/z.go", "package\n")
	_, err = v.format(context.Background())
	assert.EqualError(t, err, "good/y.go is not as gofmt writes it\ngood/z.go: 1:9: expected 'IDENT', found 'EOF'")
}
