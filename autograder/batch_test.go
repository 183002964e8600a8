package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rhysd/actionlint"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/class"
	"gosched/autograder/grade"
)

func TestBatchUsage(t *testing.T) {
	a := newTestApp(t, 80)
	dir := t.TempDir()
	roster := filepath.Join(dir, "roster.csv")
	require.NoError(t, writeFile(roster, []byte("student,source\nann,\nann,work\n")))
	for _, tt := range []struct {
		args []string
		err  string
	}{
		{[]string{"batch"}, "batch needs --roster FILE and --out DIR"},
		{[]string{"batch", "--roster", filepath.Join(dir, "none.csv"), "--out", dir}, "none.csv: there is no such file"},
		{[]string{"batch", "reherse", "--out", dir}, `batch has no command "reherse"; did you mean rehearse?`},
		{[]string{"batch", "--roster", dir, "--out", dir}, "this is a folder; name the CSV file in it"},
		{[]string{"batch", "--roster", roster, "--out", dir}, "line 2: there is no source\n  line 3: the student ann is in line 2 already"},
		{[]string{"batch", "--roster", roster, "--out", dir, "--shard", "4/3"}, "--shard 4/3: a shard is its number, from 1, and how many there are: 3/20 is the third of 20"},
		{[]string{"batch", "--roster", roster, "--out", dir, "--shard", "0/3"}, "--shard 0/3: a shard is its number, from 1,"},
		{[]string{"batch", "--roster", roster, "--out", dir, "--workers", "-1"}, "--workers takes 1 or more, not -1"},
		{[]string{"batch", "--roster", roster, "--out", dir, "--workers", "x"}, `--workers takes a whole number, not "x"`},
		{[]string{"batch", "merge", "--out", dir}, "batch merge needs the folders of the shards, and --out DIR"},
		{[]string{"batch", "merge", dir, "--out", dir}, "has no results of a class"},
		{[]string{"batch", "report"}, "batch report needs the folder of a class"},
		{[]string{"batch", "report", dir}, "has no results of a class"},
		{[]string{"batch", "plan", "--out", dir}, "batch plan needs --roster FILE and --out DIR"},
		{[]string{"batch", "plan", "--roster", "r.csv", "--out", dir, "--shards", "1000"}, "a class is graded in 1 to 256 shards, not in 1000"},
		{[]string{"batch", "plan", "--roster", "r.csv", "--out", dir, "ch77"}, `there is no chapter "ch77"`},
	} {
		status, out, errs := a.do(tt.args...)
		assert.Equal(t, exitUsage, status, "%q", tt.args)
		assert.Empty(t, out)
		assert.Contains(t, errs, tt.err)
	}
}

// TestBatchPlan: actionlint finds nothing in the workflow, every shard has a job in it, and the
// roster is named as it is, whatever its name.
func TestBatchPlan(t *testing.T) {
	a := newTestApp(t, 80)
	dir := t.TempDir()
	const roster = "class/spring \"26\"/roster.csv"
	for shards, chapters := range map[int]string{1: "", 12: "ch01 2", class.MaxShards: "ch01 ch02"} {
		args := []string{"batch", "plan", "--roster", roster, "--out", dir, "--shards", fmt.Sprint(shards)}
		status, out, errs := a.do(append(args, strings.Fields(chapters)...)...)
		require.Zero(t, status, errs)
		assert.Equal(t, filepath.Join(dir, "grade-class.yml")+"\n"+filepath.Join(dir, "kubernetes-class.yaml")+"\n", out)
		text, err := os.ReadFile(filepath.Join(dir, "grade-class.yml"))
		require.NoError(t, err)
		assert.Empty(t, lint(t, "grade-class.yml", text))
		w, wrong := actionlint.Parse(text)
		require.Empty(t, wrong)
		assert.Equal(t, roster, w.Env.Vars["roster"].Value.Value)
		jobs := w.Jobs["grade"].Strategy.Matrix.Rows["shard"].Values
		assert.Len(t, jobs, shards)
		for i, job := range jobs {
			assert.Equal(t, fmt.Sprintf("%q", fmt.Sprint(i+1)), job.String())
		}
		graded := fmt.Sprintf(`--shard "$SHARD/%d" --out "shard-$SHARD"`, shards)
		if chapters != "" {
			graded += " ch01 ch02"
		}
		assert.Contains(t, string(text), graded+"\n")
	}
}

// TestBatchMerge: the shards of a class are joined, and the exit status says whether everybody
// has a result.
func TestBatchMerge(t *testing.T) {
	a := newTestApp(t, 80)
	dir := t.TempDir()
	// By the hashes of their names dan is in the second shard, and all others in the first.
	rows := []class.Row{{Student: "ann", Source: "ann"}, {Student: "bob", Source: "bob"}, {Student: "cy", Source: "cy"}, {Student: "dan", Source: "dan"}}
	broken := ""
	shard := func(i int) string {
		b := &class.Batch{Rows: rows, Base: dir, Out: filepath.Join(dir, "shard"+string(rune('0'+i))), Shard: class.Shard{Number: i, Of: 2}}
		b.Sum = func(dir string) (string, error) { return filepath.Base(dir), nil }
		b.Grade = func(_ context.Context, dir string, _ []string) (*grade.Report, error) {
			if filepath.Base(dir) == broken {
				return nil, os.ErrDeadlineExceeded
			}
			return &grade.Report{Go: "go1.26.8", Score: 1, MaxScore: 2}, nil
		}
		require.NoError(t, b.Run(t.Context()))
		return b.Out
	}
	for _, row := range rows {
		require.NoError(t, os.Mkdir(filepath.Join(dir, row.Source), 0o755))
	}
	one := shard(1)
	status, out, errs := a.do("batch", "merge", one, "--out", filepath.Join(dir, "class"))
	assert.Equal(t, exitFailed, status, errs)
	assert.Contains(t, out, "4 students, 3 graded, 1 missing\n")
	assert.Contains(t, out, "missing: dan\nThey have no result yet: start batch again, or the shards that are missing")
	broken = "dan"
	two := shard(2)
	status, out, errs = a.do("batch", "merge", one, two, "--out", filepath.Join(dir, "class"))
	assert.Equal(t, exitFailed, status)
	assert.Contains(t, out, "4 students, 3 graded, 1 could not be graded\n")
	assert.Contains(t, errs, "could not be graded: dan; start it once more\n")
	broken = ""
	shard(2)
	status, out, errs = a.do("batch", "merge", one, two, "--out", filepath.Join(dir, "class"))
	assert.Zero(t, status, errs)
	assert.Contains(t, out, "4 students, 4 graded\n")

	table := filepath.Join(dir, "class", class.TableFile)
	want, err := os.ReadFile(table)
	require.NoError(t, err)
	require.NoError(t, os.Remove(table))
	status, _, errs = a.do("batch", "report", filepath.Join(dir, "class"))
	assert.Zero(t, status, errs)
	got, err := os.ReadFile(table)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
}

func TestProgressLine(t *testing.T) {
	assert.Equal(t, "3 of 500 students", progressLine(class.Progress{Done: 3, Total: 500, Graded: 3}))
	assert.Equal(t, "300 of 500 students, 100 of them graded now, 2 to be tried again, about 4 min left",
		progressLine(class.Progress{Done: 300, Total: 500, Graded: 100, Failed: 2, Left: 200 * time.Second}))
	assert.Equal(t, "3 h", roughly(2*time.Hour+time.Second))
	assert.Equal(t, "10 s", roughly(9500*time.Millisecond))
}

// withGrader is withSolution and what results depend on besides.
func withGrader(t *testing.T) *testApp {
	t.Helper()
	a := withSolution(t)
	a.write(t, "go.mod", "module gosched\n")
	a.write(t, "go.sum", "")
	a.write(t, "autograder/grade/grade.go", "package grade\n")
	a.write(t, "autograder/gen/gen.go", "package gen\n")
	for _, name := range []string{"extra", "jail", "policy", "submission", "trusted"} {
		a.write(t, "autograder/"+name+"/"+name+".go", "package "+name+"\n")
	}
	a.write(t, "timeline/a.go", "package timeline\n")
	return a
}

// TestBatchCommand: a roster of whose folders none can be graded is no failure of the batch.
func TestBatchCommand(t *testing.T) {
	a := withGrader(t)
	dir := t.TempDir()
	roster := filepath.Join(dir, "roster.csv")
	require.NoError(t, writeFile(roster, []byte("source,student\nann,ann\nbob,bob\ncy,cy\ndan,dan\n")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "dan"), 0o755))
	out := filepath.Join(dir, "out")
	status, text, errs := a.do("batch", "--isolation", "0", "--roster", roster, "--out", out, "1")
	assert.Zero(t, status, errs)
	assert.Equal(t, "4 students, 4 without a submission\nthe table is in "+filepath.Join(out, class.TableFile)+", the page in "+filepath.Join(out, class.PageFile)+"\n", text)
	assert.Contains(t, errs, "4 of 4 students, 0 of them graded now\n")
	table, err := os.ReadFile(filepath.Join(out, class.TableFile))
	require.NoError(t, err)
	assert.Contains(t, string(table), "ann,,no_submission,,,,,,,,there is no folder ann\n", "sources are from the roster's folder")
	assert.Contains(t, string(table), "dan,,no_submission,,,,,,,,it has no folder exercises\n")

	status, text, errs = a.do("batch", "--isolation", "0", "--roster", roster, "--out", filepath.Join(dir, "shard"), "--shard", "2/2")
	assert.Zero(t, status, errs)
	assert.Equal(t, "shard 2 of 2: 1 student, 1 without a submission\n", text)
}

func TestConditions(t *testing.T) {
	a := withGrader(t)
	conditions := func() class.Conditions {
		t.Helper()
		var c class.Conditions
		require.NoError(t, a.conditions(t.Context(), &c))
		return c
	}
	before := conditions()
	assert.Regexp(t, `^go\S+ \w+ \w+$`, before.Toolchain)
	a.write(t, freeFile, "package ch01 // tried\n")
	a.write(t, "chapters/gmp/x_test.go", "package gmp\n")
	assert.Equal(t, before, conditions(), "neither exercises nor tests of the course matter")
	a.write(t, "chapters/gmp/x.go", "package gmp\n")
	assert.NotEqual(t, before.Suites, conditions().Suites)
	assert.Equal(t, before.Grader, conditions().Grader)
	a.write(t, "autograder/grade/grade.go", "package grade // new\n")
	assert.NotEqual(t, before.Grader, conditions().Grader)

	moved := filepath.Join(t.TempDir(), "elsewhere")
	require.NoError(t, os.CopyFS(moved, os.DirFS(a.root)))
	here := conditions()
	a.root = moved
	assert.Equal(t, here, conditions(), "the folder does not matter: shards are graded on other machines")
}
