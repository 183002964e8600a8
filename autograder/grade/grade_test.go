package grade

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"gosched/chapters"
	"gosched/chapters/check"
)

// unpack writes the course of course.txtar to a folder and returns its table.
func unpack(t *testing.T) (root string, all []chapters.Chapter) {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/course.txtar")
	require.NoError(t, err)
	root = t.TempDir()
	for _, f := range archive.Files {
		name := filepath.Join(root, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, f.Data, 0o644))
	}
	chapter := func(id, dir, title string, checks ...check.Check) chapters.Chapter {
		return chapters.Chapter{ID: id, Dir: dir, Title: title, Suite: &check.Suite{ID: id, Dir: dir, Title: title, Checks: checks}}
	}
	return root, []chapters.Chapter{
		chapter("ch01", "ch01_one", "One", check.Check{Name: "positive", Kind: check.Unit, Points: 1, Property: "One is positive.", Hint: "Try 1."}),
		chapter("ch02", "ch02_two", "Two",
			check.Check{Name: "two", Kind: check.Stress, Points: 2, Property: "Two is two.", Hint: "Double.", Methods: []string{"Two"}},
			check.Check{Name: "first", Kind: check.Unit, Points: 1},
			check.Check{Name: "gone", Kind: check.Unit, Points: 5, Property: "It is there."}),
		chapter("ch03", "ch03_three", "Three", check.Check{Name: "a", Points: 3}, check.Check{Name: "b", Points: 4}),
		chapter("ch04", "ch04_four", "Four", check.Check{Name: "four", Points: 4}, check.Check{Name: "mine", Kind: check.Mine, Points: 2}),
		chapter("ch05", "ch05_five", "Five", check.Check{Name: "five", Points: 5}),
		{ID: "ch06", Dir: "ch06_five", Title: "Not written"},
	}
}

// TestGrade grades a small course in which each chapter is in another state: one
// is wrong for the next one only, one fails, one does not compile, one has a test
// of the student's own that does not compile, one is not started.
func TestGrade(t *testing.T) {
	root, all := unpack(t)
	var mu sync.Mutex
	var last Event
	progress := func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		last.Done, last.Total = max(last.Done, e.Done), max(last.Total, e.Total)
	}
	follows := map[string]bool{}
	judged := func(r *Report) {
		assert.Equal(t, 9, last.Done)
		assert.Equal(t, 8, r.Score)
		for i := range r.Chapters {
			ch := &r.Chapters[i]
			assert.Equal(t, OwnNA, ch.OwnStack)
			follows[ch.ID] = ch.OwnFollows
			ch.Checks[0].Status = "" // it is the receiver's own
		}
	}
	report, err := (&Grader{Root: root, Of: Exercises, All: all, Own: OwnAlways, Progress: progress, Judged: judged}).Grade(context.Background())
	require.NoError(t, err)
	assert.Equal(t, map[string]bool{"ch01": true, "ch02": true, "ch03": false, "ch04": true, "ch05": false}, follows)
	const ownToo = 4 // of the chapters that compile, have no TODO and follow only such
	assert.Equal(t, 9+ownToo, last.Total)
	assert.Equal(t, last.Total, last.Done)

	type row struct {
		Status  check.Status
		Score   int
		Message string
	}
	got, own := map[string]row{}, map[string]string{}
	for _, ch := range report.Chapters {
		own[ch.ID] = ch.OwnStack
		for _, c := range ch.Checks {
			got[c.ID] = row{c.Status, c.Score, c.Message}
		}
	}
	typo := "it does not compile: exercises/ch03_three/three.go:8:9: undefined: thre"
	assert.Empty(t, cmp.Diff(map[string]row{
		"ch01/positive": {check.Pass, 1, ""},
		"ch02/two":      {check.Pass, 2, ""},
		"ch02/first":    {check.Pass, 1, ""},
		"ch02/gone":     {check.Fail, 0, "the check was never started: exercises/ch02_two/ch02_test.go should run it and does not"},
		"ch03/a":        {check.BuildError, 0, typo},
		"ch03/b":        {check.BuildError, 0, typo},
		"ch04/four":     {check.Pass, 4, ""},
		"ch04/mine": {check.BuildError, 0,
			"it does not compile: exercises/ch04_four/mine_test.go:10:72: cannot use 1 (untyped int constant) as string value in return statement"},
		"ch05/five": {check.Todo, 0, "Five is not written yet"},
	}, got))
	assert.Equal(t, map[string]string{"ch01": OwnPass, "ch02": OwnFail, "ch03": OwnNA, "ch04": OwnNA, "ch05": OwnNA}, own)
	assert.Equal(t, 8, report.Score)
	assert.Equal(t, 27, report.MaxScore)
	require.Len(t, report.Chapters[1].OwnFails, 2)
	assert.Equal(t, "expected 2, found 8", report.Chapters[1].OwnFails[0].Message)

	t.Run("evidence", func(t *testing.T) {
		dir := t.TempDir()
		stale := filepath.Join(dir, EvidenceFile("ch01", "positive"))
		require.NoError(t, os.MkdirAll(filepath.Dir(stale), 0o755))
		require.NoError(t, os.WriteFile(stale, nil, 0o644))
		require.NoError(t, report.SaveEvidence(dir))
		assert.NoFileExists(t, stale)
		text, err := os.ReadFile(filepath.Join(dir, EvidenceFile("ch03", "a")))
		require.NoError(t, err)
		assert.Contains(t, string(text), "three.go:8:9: undefined: thre\n")
	})
	t.Run("annotations", func(t *testing.T) {
		var b bytes.Buffer
		require.NoError(t, report.WriteAnnotations(&b, root))
		assert.Empty(t, cmp.Diff("::error title=chapter 2%3A gone::It is there.%0A"+
			"the check was never started: exercises/ch02_two/ch02_test.go should run it and does not\n"+
			"::error file=exercises/ch03_three/three.go,line=8,title=chapter 3%3A it does not compile::"+typo+"\n"+
			"::error file=exercises/ch04_four/mine_test.go,line=10,title=chapter 4%3A mine::"+got["ch04/mine"].Message+"\n"+
			"::warning title=chapter 2%3A two%2C on your own stack::Two is two.%0Aexpected 2, found 8\n"+
			"::warning title=chapter 2%3A gone%2C on your own stack::It is there.%0A"+
			"the check was never started: exercises/own_test.go should run it and does not\n", b.String()))
	})
	t.Run("some chapters and checks", func(t *testing.T) {
		report, err := (&Grader{Root: root, Of: Exercises, All: all, Chapters: []string{"ch02"}, Checks: []string{"two"}, Own: OwnIfPassing}).Grade(context.Background())
		require.NoError(t, err)
		require.Len(t, report.Chapters, 1)
		require.Len(t, report.Chapters[0].Checks, 1)
		assert.True(t, report.Passes())
		assert.Equal(t, OwnFail, report.Chapters[0].OwnStack)
	})
}

// When one check hangs, the others are given up: one that would take an hour, and one that
// ends just then. The report has them all.
func TestPatience(t *testing.T) {
	root, _ := unpack(t)
	names := []string{"waits", "ends", "hangs"}
	if runtime.GOOS == "windows" {
		names = slices.Delete(names, 1, 2) // it waits for a signal that is not there
	}
	suite := &check.Suite{}
	for _, name := range names {
		suite.Checks = append(suite.Checks, check.Check{Name: name, Kind: check.Unit})
	}
	defer func(n int64) { capacity = n }(capacity)
	capacity = int64(len(names))
	all := []chapters.Chapter{{ID: "ch06", Dir: "ch06_six", Suite: suite}}
	report, err := (&Grader{Root: root, Of: Exercises, All: all, Patience: time.Second / 10}).Grade(context.Background())
	require.NoError(t, err)
	checks := report.Chapters[0].Checks
	last := len(checks) - 1
	assert.Equal(t, check.Timeout, checks[last].Status)
	for _, c := range checks[:last] {
		assert.Equal(t, check.Blocked, c.Status, c.Name)
		assert.Equal(t, "not run: hangs hung already; fix that first", c.Message, c.Name)
	}
	assert.Equal(t, "hangs", report.Chapters[0].Failing()[0].Name, "what was not run comes last")
}

// A verdict counts, whenever the patience ends: before it, in the same moment or after it.
// Only the end of the whole grading ends it.
func TestPatienceOver(t *testing.T) {
	whole, stop := context.WithCancel(context.Background())
	p := newPatience(whole, time.Hour)
	assert.NoError(t, p.ended(&Check{Name: "a", Status: check.Pass}))
	p.cancel(impatience("x"))
	for _, status := range []check.Status{check.Pass, check.Fail, check.Todo, check.Timeout} {
		c := &Check{Name: "b", Status: status, Message: "m"}
		assert.NoError(t, p.ended(c), "%s", status)
		assert.Equal(t, &Check{Name: "b", Status: status, Message: "m"}, c)
	}
	for _, status := range []check.Status{"", check.Blocked} {
		c := &Check{Name: "c", Status: status, Message: "interrupted"}
		assert.NoError(t, p.ended(c), "%q", status)
		assert.Equal(t, &Check{Name: "c", Status: check.Blocked, Message: "not run: x hung already; fix that first"}, c)
	}
	stop()
	assert.ErrorIs(t, p.ended(&Check{Name: "d", Status: check.Pass}), context.Canceled)
}

// What grades a method that has hung is not run, and keeps no other check from being run. Where
// there is no patience all are.
func TestNotRunAgain(t *testing.T) {
	hangs := &Check{Name: "set", Kind: check.Model, Status: check.Timeout, methods: []string{"ModTimer"}}
	both, other := &Check{Name: "stale", Kind: check.Program, methods: []string{"StopTimer", "ModTimer"}}, &Check{Name: "stop", Kind: check.Model, methods: []string{"StopTimer"}}
	simple := &Check{Name: "one", Kind: check.Unit, methods: hangs.methods}
	for _, left := range []time.Duration{0, time.Hour} {
		p := newPatience(t.Context(), left)
		assert.NoError(t, p.ended(&Check{Name: "fails", Status: check.Fail, methods: both.methods}))
		assert.Empty(t, p.hangs(both))
		assert.NoError(t, p.ended(hangs))
		assert.Empty(t, p.hangs(hangs))
		assert.Empty(t, p.hangs(other))
		assert.Empty(t, p.hangs(simple), "it may say why")
		want := "not run: set hung already, which calls ModTimer, too; fix that first"
		if left == 0 {
			want = ""
		}
		assert.Equal(t, want, p.hangs(both))
		p.end()
	}
	g := &grading{Grader: &Grader{}}
	p := newPatience(t.Context(), time.Hour)
	assert.NoError(t, p.ended(hangs))
	assert.NoError(t, g.one(p, both, child{}, false))
	assert.Equal(t, check.Blocked, both.Status)
	assert.Empty(t, p.hangs(other))
}

func TestJSON(t *testing.T) {
	report := &Report{Schema: Schema, Of: Exercises, Go: "go1.26.8", Chapters: []Chapter{{
		ID: "ch01", Title: "One", OwnStack: OwnNA, Dir: "ch01_one",
		Checks: []Check{
			{ID: "ch01/a", Name: "a", Kind: check.Unit, Points: 3, Status: check.Pass, Property: "p", Hint: "h"},
			{ID: "ch01/b", Name: "b", Kind: check.Model, Points: 4, Status: check.Fail, Message: "1 < 2", Evidence: "e"},
		},
	}}}
	report.add()
	var b bytes.Buffer
	require.NoError(t, report.WriteJSON(&b))
	const want = `{"schema":"gosched/result/v1","of":"exercises","go":"go1.26.8","score":3,"max_score":7,"ungraded":0,"chapters":[
		{"id":"ch01","title":"One","score":3,"max_score":7,"ungraded":0,"own_stack":"n/a","checks":[
			{"id":"ch01/a","kind":"unit","points":3,"score":3,"status":"pass","property":"p","message":"","hint":"h","evidence":""},
			{"id":"ch01/b","kind":"model","points":4,"score":0,"status":"fail","property":"","message":"1 < 2","hint":"","evidence":"e"}]}]}`
	var wantValue, gotValue any
	require.NoError(t, json.Unmarshal([]byte(want), &wantValue))
	require.NoError(t, json.Unmarshal(b.Bytes(), &gotValue))
	assert.Empty(t, cmp.Diff(wantValue, gotValue))
	assert.Contains(t, b.String(), "1 < 2", "people read it, too")
}

func TestMarkdown(t *testing.T) {
	report := &Report{Go: "go1.26.8", Chapters: []Chapter{
		{ID: "ch01", Title: "One", OwnStack: OwnPass, Checks: []Check{{Name: "a", Points: 3, Status: check.Pass}}},
		{ID: "ch02", Title: "Two", OwnStack: OwnNA, Checks: []Check{
			{Name: "b", Points: 4, Status: check.Fail, Property: "It holds.", Hint: "Look.", Message: "a ``` in it"},
			{Name: "c", Points: 4, Status: check.Todo},
		}},
		{ID: "ch03", Title: "Three", OwnStack: OwnNA, Checks: []Check{{Name: "d", Points: 4, Status: check.BuildError, Evidence: "x.go:1: no\n"}}},
	}}
	report.add()
	var b bytes.Buffer
	require.NoError(t, report.WriteMarkdown(&b, MaxSummary))
	const want = "## 3 of 15 points\n\n" +
		"| Chapter | Points | Checks that pass | Own stack |\n|--|--:|--:|--|\n" +
		"| 1. One | 3/3 | 1/1 | pass |\n| 2. Two | 0/8 | 0/2 | n/a |\n| 3. Three | 0/4 | 0/1 | n/a |\n" +
		"\n### Two\n\n**b** (4 points): It holds.\n\n````text\na ``` in it\n````\n\nHint: Look.\n" +
		"\n### Three\n\nIt does not compile.\n\n```text\nx.go:1: no\n```\n" +
		"\nGraded with go1.26.8.\n"
	assert.Empty(t, cmp.Diff(want, b.String()))
}

func TestPlaceByMethod(t *testing.T) {
	root := t.TempDir()
	name := filepath.Join(root, "exercises/ch02_two/two.go")
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte("package ch02\n\ntype t struct{}\n\nfunc (t) Two() {}\n"), 0o644))
	report := &Report{Of: Exercises}
	file, line := report.place(root, &Chapter{Dir: "ch02_two"}, Check{Message: "no place", methods: []string{"One", "Two"}})
	assert.Equal(t, "exercises/ch02_two/two.go 5", file+" "+line)
}

func TestFilesOfBuildError(t *testing.T) {
	const file, other = "exercises/ch01_one/mine_test.go", "exercises/ch01_one/one.go"
	for _, tt := range []struct {
		lines []string
		want  map[string][]string
	}{
		{[]string{file + ":3:1: undefined: x", "\thave y", "too many errors"}, map[string][]string{file: {file + ":3:1: undefined: x", "\thave y"}}},
		{[]string{file + ":3:1: undefined: x", other + ":1:1: no"}, map[string][]string{file: {file + ":3:1: undefined: x"}, other: {other + ":1:1: no"}}},
		{[]string{"no required module provides package x"}, map[string][]string{"no required module provides package x": {"no required module provides package x"}}},
		{[]string{"too many errors"}, map[string][]string{}},
	} {
		assert.Equal(t, tt.want, (&BuildError{tt.lines}).files(), "%q", tt.lines)
	}
}

func TestCompilerLines(t *testing.T) {
	root := filepath.FromSlash("/home/ann/gosched")
	out := "# gosched/exercises/ch01_one [gosched/exercises/ch01_one.test]\n./exercises/ch01_one/one.go:3:1: no\n\thave x\n" +
		"found packages a and b in " + filepath.Join(root, "exercises") + "\nFAIL\tgosched [build failed]\nFAIL\n"
	assert.Equal(t, []string{"exercises/ch01_one/one.go:3:1: no", "\thave x", "found packages a and b in exercises"}, compilerLines(root, []byte(out)))
	assert.Equal(t, []string{"the build failed, and the go command did not say why"}, compilerLines(root, nil))
}
