package main

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFindChapter(t *testing.T) {
	a := newTestApp(t, 80)
	for _, name := range []string{"ch01", "ch1", "1", "01", "chapter1", "Chapter01", "goroutine", "Goroutine", "ch01_goroutine", "exercises/ch01_goroutine/", `exercises\ch01_goroutine`} {
		ch, ok := a.findChapter(name)
		assert.True(t, ok && ch.ID == "ch01", name)
	}
	for _, name := range []string{"", "ch", "chapter", "0", "ch99", "go", "-1"} {
		_, ok := a.findChapter(name)
		assert.False(t, ok, name)
	}
}

// What follows a chapter is a check of it first, also if a chapter is named so.
func TestSelectChecks(t *testing.T) {
	a := newTestApp(t, 80)
	a.course[0].Suite.Checks[0].Name = "goroutine" // as the chapter
	a.course[0].Suite.Checks[1].Name = "onethread" // as the next one
	for _, tt := range []struct{ args, chapters, checks string }{
		{"", "ch02", ""},
		{"queue-fifo", "ch02", "queue-fifo"},
		{"goroutine", "ch01", ""},
		{"ch01 goroutine", "ch01", "goroutine"},
		{"goroutine goroutine", "ch01", "goroutine"},
		{"1 onethread", "ch01", "onethread"},
		{"onethread", "ch02", ""},
		{"ch01/onethread", "ch01", "onethread"},
		{"ch02 goroutine", "ch02 ch01", ""},
		{"ch01 mine goroutine", "ch01", "mine goroutine"},
		{"mine ch01", "ch01", "mine"},
		{"ch01 ch02 mine", "ch01", "mine"},
	} {
		sel, err := a.selectChecks(strings.Fields(tt.args), a.course[1])
		require.NoError(t, err, tt.args)
		var ids []string
		for _, ch := range sel.chapters {
			ids = append(ids, ch.ID)
		}
		assert.Equal(t, tt.chapters, strings.Join(ids, " "), tt.args)
		assert.Equal(t, tt.checks, strings.Join(sel.checks, " "), tt.args)
	}
	_, out, _ := a.do("hint", "ch01", "goroutine")
	assert.Contains(t, out, "ch01/goroutine\n")
	_, out, _ = a.do("hint", "ch01", "onethread")
	assert.Contains(t, out, "ch01/onethread\n")
	_, _, errs := a.do("test", "ch01", "goroutine", "--replay", "1:a")
	assert.Contains(t, errs, "goroutine is a check of kind unit", "--replay knows the check")
}

// What people type wrong, and what they are told.
func TestWrongUsage(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"tets"}, `there is no command "tets"; did you mean test?`},
		{[]string{"frobnicate"}, `there is no command "frobnicate"; "help" lists them all`},
		{[]string{"grade", "--fromat", "json"}, `unknown flag: --fromat; did you mean --format?`},
		{[]string{"batch", "report", "--xyzzy"}, `unknown flag: --xyzzy; "help batch report" lists the flags`},
		{[]string{"grade", "--xyzzy"}, `unknown flag: --xyzzy; "help grade" lists the flags`},
		{[]string{"grade", "--format", "xml"}, "--format takes " + formNames() + `, not "xml"`},
		{[]string{"grade", "--out", "result.json"}, "--out takes FORM=FILE, where FORM is " + formNames() + `; not "result.json"`},
		{[]string{"grade", "--out", "xml=x"}, "--out takes FORM=FILE, where FORM is " + formNames() + `; not "xml=x"`},
		{[]string{"grade", "--out", "json="}, "--out takes FORM=FILE, where FORM is " + formNames() + `; not "json="`},
		{[]string{"grade", "--out", "json=x", "--out", "junit=./x"}, "--out junit=./x: json is in that file already"},
		{[]string{"grade", "--out", "json=no/such/x"}, `--out json=no/such/x: there is no folder no/such`},
		{[]string{"grade", "--format", "classroom50"}, `classroom50: these variables, which Classroom 50's runner sets, are missing: CLASSROOM, ASSIGNMENT, OWNER, SUBMISSION_TAG, COMMIT_URL, RELEASE_URL, REVIEW_URL`},
		{[]string{"grade", "--out", "json=."}, `--out json=.: . is a folder; name a file`},
		{[]string{"grade", "--submission", "no/such"}, `--submission no/such: there is no such folder`},
		{[]string{"grade", "--submission", "course_test.go"}, `--submission course_test.go: this is a file; name the folder of a student's repository`},
		{[]string{"grade", "--of", "mine"}, `--of takes exercises or solutions, not "mine"`},
		{[]string{"grade", "chapter9"}, `there is no chapter "chapter9"; the course has chapters 1 to 3`},
		{[]string{"test", "gorutine"}, `"gorutine" is neither a chapter nor a check of ch01; did you mean goroutine?`},
		{[]string{"test", "ch01", "status-edge"}, `"status-edge" is neither a chapter nor a check of ch01; did you mean status-edges?`},
		{[]string{"test", "edges"}, `"edges" is neither a chapter nor a check of ch01; did you mean status-edges?`},
		{[]string{"test", "ch01", "queue-fifo"}, `queue-fifo is a check of ch02: test ch02 queue-fifo`},
		{[]string{"test", "ch01", "--replay", "1:a"}, `--replay is for one check: go run ./autograder test ch07 race-get --replay 1:a`},
		{[]string{"test", "status-edges", "--replay", "1:a"}, `status-edges is a check of kind unit; only those of kind model have schedules to replay`},
		{[]string{"test", "3"}, `chapter 3, Park and ready, is not written yet`},
		{[]string{"diff"}, `which chapter? diff ch01`},
		{[]string{"diff", "ch0l"}, `there is no chapter "ch0l"; did you mean ch01 or ch02 or ch03?`},
		{[]string{"reset"}, `which chapter? reset ch01`},
		{[]string{"reset", "1", "a.go", "b.go"}, `one file or function at a time`},
		{[]string{"hint", "1", "2"}, `"2" is neither a check nor a function of ch01`},
		{[]string{"hint", "1", "2", "3"}, `one hint at a time: hint ch07 Runqput`},
		{[]string{"play"}, `which program? play FILE.go`},
		{[]string{"play", "nofile.go"}, `there is no program nofile.go`},
		{[]string{"play", "."}, `there is no program .`},
		{[]string{"play", "main.go", "--parts", "yours"}, `--parts takes solutions or exercises, not "yours"`},
		{[]string{"play", "x.go", "--trace", "x.txt"}, `the ending of x.txt is unknown: --trace takes FILE.html (a timeline), FILE.json (for Perfetto) or FILE.jsonl (the log)`},
		{[]string{"play", "x.go", "--ask", "often"}, `--ask takes a whole number, not "often"`},
		{[]string{"play", "x.go", "--seed", "-1"}, `--seed takes a whole number that is not negative, not "-1"`},
		{[]string{"play", "x.go", "--asyncpreemptoff=no"}, `--asyncpreemptoff takes true or false, not "no"`},
		{[]string{"bench", "--procs", "all"}, `--procs takes whole numbers, as 1,2, not "all"`},
		{[]string{"book", "ch99"}, `there is no chapter "ch99"; the course has chapters 1 to 3`},
		{[]string{"book", "1", "2"}, `one chapter at a time, or none for the first page`},
		{[]string{"mutate", "--only", "["}, "--only: error parsing regexp: missing closing ]: `[`"},
		{[]string{"mutate", "--jobs", "0"}, `--jobs takes 1 or more, --repeat and --sample no less than 0`},
		{[]string{"gen", "now"}, `gen takes no arguments: it does not know "now"`},
		{[]string{"help", "tets"}, `there is no command "tets"; did you mean test?`},
		{[]string{"ch01"}, `there is no command "ch01"; its checks are run by: test ch01`},
		{[]string{"-C"}, `flag needs an argument: 'C' in -C; "help" lists the flags`},
		{[]string{"test", "ch42"}, `there is no chapter "ch42"; the course has chapters 1 to 3`},
		{[]string{"watch", "0"}, `there is no chapter "0"; the course has chapters 1 to 3`},
		{[]string{"diff", "1", "2"}, `one chapter at a time`},
	} {
		a := newTestApp(t, 80)
		status, out, errs := a.do(tt.args...)
		assert.Equal(t, exitUsage, status, "%q", tt.args)
		assert.Empty(t, out, "%q", tt.args)
		assert.Equal(t, "autograder: "+tt.want+"\n", errs, "%q", tt.args)
	}
}

func TestHelp(t *testing.T) {
	a := newTestApp(t, 80)
	status, out, _ := a.do("help")
	assert.Zero(t, status)
	golden(t, "help", out)
	_, out, _ = a.do("help", "grade")
	golden(t, "help-grade", out)
}

// A name that a chapter and a check share is suggested once.
func TestDidYouMean(t *testing.T) {
	assert.Equal(t, "; did you mean threads or onethread?", didYouMean("thread", []string{"threads", "onethread", "park", "threads"}))
	assert.Empty(t, didYouMean("x", []string{"threads"}))
	assert.Empty(t, didYouMean("a", []string{"p"}), "any letter is near to another")
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "ab", 1}, {"ab", "ba", 1}, {"tets", "test", 1}, {"kitten", "sitting", 3}} {
		assert.Equal(t, tt.want, distance(tt.a, tt.b), "%s %s", tt.a, tt.b)
		assert.Equal(t, tt.want, distance(tt.b, tt.a), "%s %s", tt.b, tt.a)
	}
}

func TestInterrupted(t *testing.T) {
	a := newTestApp(t, 80)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	assert.Equal(t, exitUsage, a.run(ctx, []string{"grade"}))
	assert.True(t, strings.HasSuffix(a.err.String(), "autograder: interrupted\n"), a.err.String())
}
