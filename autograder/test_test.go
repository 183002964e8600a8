package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"gosched/autograder/gen"
	"gosched/autograder/grade"
	"gosched/autograder/screen"
	"gosched/chapters"
	"gosched/chapters/check"
)

func TestShowChapter(t *testing.T) {
	failing := func(a *testApp) grade.Chapter {
		ch := a.result("ch01", check.Pass, check.Fail, check.Timeout, check.Todo)
		ch.Checks[1].Message = "chapters/ch01_goroutine/free.go:41: Gfget returned another G than the one that was put last:\nexpected: G2\nactual  : G1"
		ch.Checks[1].Evidence = strings.Repeat("a line of the log, with some words to make it longer than the screen is wide\n", 12)
		ch.Checks[2].Message = "it did not end within 10s; it was in a loop at exercises/ch01_goroutine/free.go:12 in ch01.(*free).Gfget"
		ch.Checks[2].Evidence = "\n\tgoroutine 7 [running]:\n"
		return ch
	}
	for _, tt := range []struct {
		name  string
		width int
		all   bool
		make  func(a *testApp) grade.Chapter
	}{
		{"fail", 80, false, failing},
		{"fail-all", 80, true, failing},
		{"fail-narrow", 40, false, failing},
		{"todo", 80, false, func(a *testApp) grade.Chapter {
			return a.result("ch01", check.Pass, check.Pass, check.Todo, check.Todo)
		}},
		{"pass", 80, false, func(a *testApp) grade.Chapter {
			ch := a.result("ch01", check.Pass, check.Pass, check.Pass, check.Pass)
			ch.OwnStack = grade.OwnPass
			return ch
		}},
		{"own-fails", 80, false, func(a *testApp) grade.Chapter {
			ch := a.result("ch01", check.Pass, check.Pass, check.Pass, check.Pass)
			ch.OwnStack = grade.OwnFail
			ch.OwnFails = []grade.Check{{Name: "runs", Status: check.Fail, Message: "expected 3, found 2"}}
			return ch
		}},
		{"build", 80, false, func(a *testApp) grade.Chapter {
			ch := a.result("ch01", check.BuildError, check.BuildError, check.BuildError, check.BuildError)
			for i := range ch.Checks {
				ch.Checks[i].Evidence = "exercises/ch01_goroutine/free.go:12:2: undefined: thre\n" + strings.Repeat("\thave more\n", 12)
			}
			return ch
		}},
		{"build-mine", 80, false, func(a *testApp) grade.Chapter {
			ch := a.result("ch01", check.Pass, check.Pass, check.Pass, check.BuildError)
			ch.Checks[3].Message = "it does not compile: exercises/ch01_goroutine/mine_test.go:12:2: undefined: x"
			ch.Checks[3].Evidence = "exercises/ch01_goroutine/mine_test.go:12:2: undefined: x\n"
			return ch
		}},
		{"model", 100, false, func(a *testApp) grade.Chapter {
			ch := a.result("ch01", check.Pass, check.Fail, check.Pass, check.Pass)
			ch.Checks[1].Message = "chapters/ch07_runq/models.go:9: violated check:\n  G1 is lost: owner put it, and it was never taken\n\n       owner            thief\n    1  x.Load()  = 0    \n       ── owner ends ──"
			ch.Checks[1].Replay = "1:ab2"
			ch.Checks[3].Race = "skipped: go test -race does not work here: go: -race requires cgo"
			return ch
		}},
		{"some", 80, true, func(a *testApp) grade.Chapter {
			ch := a.result("ch01", check.Pass, check.Pass, check.Pass, check.Pass)
			ch.Checks = ch.Checks[:1]
			return ch
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := newTestApp(t, tt.width)
			ch := tt.make(a)
			a.showChapter(&ch, tt.all)
			golden(t, "test-"+tt.name, a.out.String())
		})
	}
}

// First the verdicts among reference parts are shown, then what has come of the rest.
func TestShowFollowed(t *testing.T) {
	for _, tt := range []struct {
		name   string
		before func(ch *grade.Chapter)
		after  func(ch *grade.Chapter)
	}{
		{"pass",
			func(ch *grade.Chapter) { ch.RaceFollows, ch.OwnFollows = true, true },
			func(ch *grade.Chapter) { ch.Checks[2].Race, ch.OwnStack = "pass", grade.OwnPass }},
		{"own-fails",
			func(ch *grade.Chapter) { ch.OwnFollows = true },
			func(ch *grade.Chapter) {
				ch.OwnStack = grade.OwnFail
				ch.OwnFails = []grade.Check{{Name: "runs", Status: check.Fail, Message: "expected 3, found 2"}}
			}},
		{"race-fails",
			func(ch *grade.Chapter) { ch.RaceFollows, ch.OwnFollows = true, true },
			func(ch *grade.Chapter) {
				ch.OwnStack, ch.Score = grade.OwnPass, 16
				ch.Checks[2].Race, ch.Checks[2].Status, ch.Checks[2].Message = "fail", check.Fail, "the race detector finds something"
			}},
		{"race-skipped",
			func(ch *grade.Chapter) { ch.RaceFollows = true },
			func(ch *grade.Chapter) { ch.Checks[2].Race = "skipped: there is no C compiler" }},
		{"mine-todo",
			func(ch *grade.Chapter) { ch.OwnFollows, ch.Checks[3].Status, ch.Score = true, check.Todo, 19 },
			func(ch *grade.Chapter) { ch.OwnStack, ch.Checks[3].Status, ch.Score = grade.OwnPass, check.Todo, 19 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := newTestApp(t, 80)
			before, after := a.result("ch01", check.Pass, check.Pass, check.Pass, check.Pass), a.result("ch01", check.Pass, check.Pass, check.Pass, check.Pass)
			tt.before(&before)
			tt.after(&after)
			a.showChapters(&grade.Report{Chapters: []grade.Chapter{before}}, false)
			a.showRest(&grade.Report{Chapters: []grade.Chapter{before}}, &grade.Report{Chapters: []grade.Chapter{after}})
			golden(t, "test-followed-"+tt.name, a.out.String())
		})
	}
}

// What is read by a program or from a file has all of each property, however narrow COLUMNS
// says that it is.
func TestShowChapterPiped(t *testing.T) {
	a := newTestApp(t, 40)
	a.app.out.Terminal = false
	ch := a.result("ch01", check.Pass, check.Pass, check.Todo, check.Todo)
	a.showChapter(&ch, false)
	assert.Contains(t, a.out.String(), "  pass  status-edges  10  Casgstatus moves a G along every edge of the diagram, and along no other one.\n")
	assert.NotContains(t, a.out.String(), "…")
}

func TestColor(t *testing.T) {
	a := newTestApp(t, 80)
	a.app.out.Color = true
	ch := a.result("ch01", check.Pass, check.Fail, check.Todo, check.Todo)
	a.showChapter(&ch, false)
	assert.Contains(t, a.out.String(), "\x1b[32mpass \x1b[0m status-edges")
	assert.Contains(t, a.out.String(), "\x1b[31mFAIL \x1b[0m free-reuse")
}

func TestShowGrades(t *testing.T) {
	a := newTestApp(t, 80)
	first := a.result("ch01", check.Pass, check.Fail, check.Timeout, check.Todo)
	first.Checks[1].Message = "expected G2,\nfound G1"
	second := a.result("ch02", check.Pass)
	second.OwnStack = grade.OwnFail
	second.OwnFails = []grade.Check{{Name: "queue-fifo", Status: check.Fail, Message: "lost G3"}}
	a.showGrades(&grade.Report{Of: grade.Exercises, Go: "go1.26.8", Score: 30, MaxScore: 40, Chapters: []grade.Chapter{first, second}})
	golden(t, "grade", a.out.String())
}

// The page of what fails is written where it is asked for, over one from before; that it
// cannot be is said before anything is run.
func TestPageOfFailures(t *testing.T) {
	a := newTestApp(t, 80)
	report := &grade.Report{Chapters: []grade.Chapter{a.result("ch01", check.Pass, check.Fail, check.Todo, check.Todo)}}
	require.NoError(t, a.writePage(report, ""))
	assert.Empty(t, a.out.String())

	page := filepath.Join(t.TempDir(), "failures.html")
	require.NoError(t, os.WriteFile(page, []byte(strings.Repeat("of before ", 50_000)), 0o644))
	require.NoError(t, a.writePage(report, page))
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Contains(t, string(text), "<h2>free-reuse</h2>")
	assert.False(t, strings.HasSuffix(string(text), "of before "))
	assert.Contains(t, strings.Join(strings.Fields(a.out.String()), " "), "What fails is shown in "+page+"; open it in a browser.")

	for _, args := range [][]string{{"test"}, {"test", "ch01", "runs", "--replay", "1:a"}} {
		status, _, errs := a.do(append(args, "--html", filepath.Join(page, "x.html"))...)
		assert.Equal(t, exitUsage, status)
		assert.Contains(t, errs, "there is no folder "+page)
	}
	_, err = readForms(t.Context(), "", "text", []string{"json=" + filepath.Join(page, "x.json")})
	assert.ErrorContains(t, err, "there is no folder "+page)
}

// TestLadder: each call shows a rung more, and what was shown is remembered.
func TestLadder(t *testing.T) {
	a := withSolution(t)
	at := func(args ...string) string {
		status, out, errs := a.do(append([]string{"hint"}, args...)...)
		require.Zero(t, status, errs)
		return out
	}
	first := at("ch01", "gfget")
	assert.Contains(t, first, "1 of 3: a question")
	assert.NotContains(t, first, "Take it.")
	assert.Equal(t, first, at("--again", "ch01", "Gfget"))
	assert.Contains(t, first, "more      go run ./autograder hint ch01 Gfget (the steps)")

	second := at("Gfget")
	assert.Contains(t, second, "    1. Take it.\n")
	assert.NotContains(t, second, "return")
	third := at("free.Gfget")
	assert.Contains(t, third, "    fmt.Println(…)\n    return …\n")
	assert.NotContains(t, third, "more  ")
	assert.Equal(t, third+"\n  That was the last hint for Gfget: there are no more.\n", at("ch01", "Gfget"), "there is no fourth")

	status, _, errs := a.do("hint", "ch01", "Gfgt")
	assert.Equal(t, exitUsage, status)
	assert.Equal(t, "autograder: \"Gfgt\" is neither a check nor a function of ch01; did you mean Gfget?\n", errs)
	_, _, errs = a.do("hint", "--again", "ch01", "Gfput")
	assert.Equal(t, "autograder: nothing has been shown of Gfput yet: leave out --again\n", errs)
}

// TestAlone: the points that were reached without steps are told apart, also after an edit.
func TestAlone(t *testing.T) {
	a := withSolution(t)
	status, _, errs := a.do("hint", "Casgstatus")
	assert.Equal(t, exitUsage, status, "the fixture has no such function: %s", errs)
	a.save(t, a.result("ch01", check.Pass, check.Fail, check.Todo, check.Todo))
	assert.Equal(t, 10, a.loadState()["ch01"].alone(a.course[0]))
	s := a.loadState()
	s["ch01"].open("Casgstatus", gen.StepsRung)
	s["ch01"].open("runs", gen.StepsRung)
	require.NoError(t, a.writeState(s))
	a.save(t, a.result("ch01", check.Pass, check.Pass, check.Pass, check.Todo))
	assert.Equal(t, 15, a.loadState()["ch01"].alone(a.course[0]), "status-edges passed before its steps were opened, runs after")
	_, out, _ := a.do()
	assert.Contains(t, out, "15 of them without the steps of the hints")
}

// TestGuided: reset can write the steps in, and remembers that.
func TestGuided(t *testing.T) {
	a := withSolution(t)
	status, _, errs := a.do("reset", "--guided", "ch01", "Gfget")
	require.Zero(t, status, errs)
	assert.Contains(t, a.read(t, freeFile), "\t// 1. Take it.\n\tpanic(gmp.TODO(\"Gfget\"))")
	assert.Equal(t, map[string]int{"Gfget": gen.StepsRung}, a.loadState()["ch01"].Opened)
	_, _, _ = a.do("reset", "--guided", "ch01")
	assert.Equal(t, map[string]int{"Gfget": gen.StepsRung, "Gfput": gen.StepsRung}, a.loadState()["ch01"].Opened)
	_, _, _ = a.do("reset", "ch01")
	assert.NotContains(t, a.read(t, freeFile), "Take it")
}

func TestHint(t *testing.T) {
	a := newTestApp(t, 80)
	status, out, _ := a.do("hint")
	assert.Zero(t, status)
	golden(t, "hint", out)

	a.save(t, a.result("ch01", check.Todo, check.Fail, check.Todo, check.Todo))
	_, out, _ = a.do("hint")
	assert.Contains(t, out, "ch01/free-reuse", "what failed comes before what is not started")
	_, out, _ = a.do("hint", "status-edges")
	assert.Contains(t, out, "ch01/status-edges")

	a.save(t, a.result("ch01", check.Pass, check.Pass, check.Pass, check.Pass), a.result("ch02", check.Pass))
	_, out, _ = a.do("hint")
	assert.Equal(t, "All checks of chapter 2 passed when they were last run. Name a check to see its\nhint.\n", out)
}

// The first build says that it takes long: on a terminal as progress, elsewhere in one line,
// however many stages it has. Later ones say it no more.
func TestFirstBuild(t *testing.T) {
	a := newTestApp(t, 80)
	build := func(terminal bool) string {
		a.err.Reset()
		a.app.err.Terminal = terminal
		tell := a.building(&screen.Progress{Screen: a.app.err})
		tell("ch01")
		tell("ch02")
		return a.err.String()
	}
	assert.Equal(t, "autograder: building the checks for the first time, which may take a minute …\n", build(false))
	assert.Equal(t, 2, strings.Count(build(true), "building the checks for the first time, which may take a minute: ch0"))
	a.write(t, ".gosched/bin/exercises/ch01", "")
	assert.Empty(t, build(false))
	assert.Contains(t, build(true), "building ch01 …")
}

// What a trusted run would refuse is told where the student works, in five lines at most.
func TestWarn(t *testing.T) {
	const file = "exercises/ch01_goroutine/goroutine.go"
	a := newTestApp(t, 80)
	shown := func() []string {
		a.out.Reset()
		a.warn(a.app.out, a.written())
		return strings.Split(strings.TrimSuffix(a.out.String(), "\n"), "\n")
	}
	assert.Equal(t, []string{""}, shown(), "there is nothing to say")
	a.write(t, file, "package ch01\n\nimport \"time\"\n")
	assert.Equal(t, []string{"", "  Submitted as it is, this will be refused:",
		"    " + file + `:3: it imports "time"`, "      the clock is s.Nanotime, and a thread sleeps on a machine.Note"}, shown())
	a.write(t, file, "package ch01\n\nimport \"time\"\nimport \"os\"\n\nfunc init() {}\n")
	lines := shown()
	assert.Len(t, lines, 6)
	assert.Equal(t, "  Submitted as it is, this will be refused, for 3 reasons; the first two:", lines[1])
	assert.Equal(t, "    "+file+`:4: it imports "os"`, lines[4])
}

// test and grade warn, and what other programs read stays as it is.
func TestCommandsWarn(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a small course")
	}
	archive, err := txtar.ParseFile("grade/testdata/course.txtar")
	require.NoError(t, err)
	a := newTestApp(t, 80)
	for _, f := range archive.Files {
		a.write(t, f.Name, string(f.Data))
	}
	a.course = []chapters.Chapter{{ID: "ch01", Dir: "ch01_one", Title: "One", Suite: &check.Suite{ID: "ch01", Dir: "ch01_one", Checks: []check.Check{
		{Name: "positive", Kind: check.Unit, Points: 1, Property: "One is positive."}}}}}
	a.write(t, "exercises/ch01_one/a.go", "package ch01\n\nimport \"os\"\n\nvar _ = os.Args\n")
	const warning = "Submitted as it is, this will be refused, for 3 reasons; the first two:\n    exercises/ch01_one/a.go:3: it imports \"os\"\n"
	_, out, _ := a.do("test", "ch01")
	assert.Contains(t, out, warning)
	_, out, errs := a.do("grade", "ch01", "--format", "json")
	assert.True(t, json.Valid([]byte(out)), out)
	assert.Contains(t, errs, warning)
}
