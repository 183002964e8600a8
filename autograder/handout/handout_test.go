package handout

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/gen"
	"gosched/autograder/grade"
	"gosched/chapters"
	"gosched/chapters/check"
	"gosched/chapters/sample"
)

const root = "../.."

// early hands out the first three chapters, with the solution of the first.
var early = Options{Chapters: []string{"ch01", "ch02", "ch03"}, Solved: []string{"ch01"}}

var made = sync.OnceValues(func() (*Handout, error) { return Make(root, chapters.All, early) })

func handout(t *testing.T) *Handout {
	t.Helper()
	h, err := made()
	require.NoError(t, err)
	return h
}

// TestNoSolution: of what students are to write nothing can be read but what is known, and told.
// Where more can be, a later chapter gives it, or a suite has it: withhold it there, or add it.
func TestNoSolution(t *testing.T) {
	h := handout(t)
	again := slices.DeleteFunc(slices.Clone(h.Readable), func(text string) bool { return !strings.Contains(text, " is also in ") })
	assert.Equal(t, []string{
		"waitqs.DequeueSudoG of ch03 is also in solutions/ch04_select/waitq.go.",
		"lockedThreads.Incidlelocked of ch11 is also in chapters/ch12_sysmon/models.go.",
	}, again)
	for _, name := range h.names() {
		ok := !strings.HasSuffix(name, "mutants.go") && !strings.Contains(name, "alternatives") || strings.HasPrefix(name, "solutions/ch01")
		assert.True(t, ok, "%s has wrong or other right solutions", name)
	}
}

// A function that is in a file all the same is found.
func TestAgain(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "solutions/ch07_runq/steal.go"))
	require.NoError(t, err)
	text, err = gen.Strip("steal.go", text)
	require.NoError(t, err)
	m := &making{root: root, all: chapters.All[6:7], Handout: &Handout{Files: map[string][]byte{"chapters/x.go": text}}}
	again, err := m.again()
	require.NoError(t, err)
	assert.Equal(t, []string{"runQueue.Runqgrab of ch07 is also in chapters/x.go.", "runQueue.Runqsteal of ch07 is also in chapters/x.go."}, again)
}

func TestSame(t *testing.T) {
	again, err := Make(root, chapters.All, early)
	require.NoError(t, err)
	assert.Equal(t, handout(t).Files, again.Files)
}

func TestWhatIsThere(t *testing.T) {
	h := handout(t)
	for name, there := range map[string]bool{
		"exercises/ch03_park/chan.go":         true,
		"exercises/ch04_select/select.go":     false,
		"solutions/ch01_goroutine/mutants.go": true,
		"solutions/ch01_goroutine/given.json": false,
		"solutions/ch02_onethread/given.json": true,
		"solutions/ch07_runq/given.json":      false,
		"solutions/ch07_runq/runq.go":         true,
		"solutions/ch07_runq/testdata/x":      false,
		"chapters/ch03_park/suite.go":         true,
		"book/en/howto.md":                    false,
		"CONTRIBUTING.md":                     false,
		".github/workflows/ci.yml":            false,
		".github/workflows/classroom.yml":     true,
		"autograder/handout/handout_test.go":  false,
		"LICENSE":                             true,
		Mark:                                  true,
	} {
		assert.Equal(t, there, h.Files[name] != nil, name)
	}
	assert.Equal(t, "{\n\t\"chapters\": [\n\t\t\"ch01\",\n\t\t\"ch02\",\n\t\t\"ch03\"\n\t],\n\t\"solved\": [\n\t\t\"ch01\"\n\t]\n}\n", string(h.Files[Mark]))
	assert.NotContains(t, string(h.Files[".github/workflows/classroom.yml"]), "GOSCHED_CLASSROOM")
	assert.Contains(t, string(h.Files["chapters/chapters.go"]), "Suite: ch03.Suite")
	assert.NotContains(t, string(h.Files["chapters/chapters.go"]), "ch04.Suite")
	assert.Contains(t, string(h.Files["exercises/ch02_onethread/ch02_test.go"]), `exercises.Base("ch02")`)
	assert.Contains(t, string(h.Files["README.md"]), "Chapters that are handed out: ch01 to ch03.")
	assert.Equal(t, "the solutions of ch02 to ch18", h.Left[0].What)
}

func TestOptions(t *testing.T) {
	_, err := Make(root, chapters.All, Options{Chapters: []string{"ch01", "ch19"}})
	assert.EqualError(t, err, `the course has no chapter "ch19"`)
	_, err = Make(root, chapters.All, Options{})
	assert.EqualError(t, err, "no chapter is handed out")
	assert.Equal(t, "ch01 to ch03, ch05, ch07, ch08", listed([]string{"ch01", "ch02", "ch03", "ch05", "ch07", "ch08"}))

	dir := t.TempDir()
	_, ok := Read(os.DirFS(dir))
	assert.False(t, ok)
	require.NoError(t, os.WriteFile(filepath.Join(dir, Mark), handout(t).Files[Mark], 0o644))
	o, ok := Read(os.DirFS(dir))
	assert.True(t, ok)
	assert.Equal(t, early, o)
	require.NoError(t, os.WriteFile(filepath.Join(dir, Mark), bytes.Repeat([]byte(" "), maxMark+1), 0o644))
	_, ok = Read(os.DirFS(dir))
	assert.False(t, ok)
	assert.EqualError(t, handout(t).Write(dir), dir+" is not empty")
}

// written writes the handout, with the solutions of some chapters in the exercises, and returns
// its folder.
func written(t *testing.T, solved ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "students")
	require.NoError(t, handout(t).Write(dir))
	for _, ch := range chapters.All {
		if !slices.Contains(solved, ch.ID) {
			continue
		}
		files, err := gen.Solution(root, ch)
		require.NoError(t, err)
		delete(files, ch.ID+"_test.go")
		for name, text := range files {
			require.NoError(t, os.WriteFile(filepath.Join(dir, grade.Exercises, ch.Dir, name), text, 0o644))
		}
	}
	return dir
}

// course runs a command in a folder.
func course(t *testing.T, dir string, command ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok && len(exit.Stderr) > 0 {
		t.Logf("%s", exit.Stderr)
	}
	require.NoError(t, err, "%s: %s", command, out)
	return out
}

// report grades the exercises in a folder with the command that is there.
func report(t *testing.T, dir string, args ...string) map[string]grade.Check {
	t.Helper()
	var r grade.Report
	require.NoError(t, json.Unmarshal(course(t, dir, append([]string{"go", "run", "./autograder", "grade", "--format", "json"}, args...)...), &r))
	checks := map[string]grade.Check{}
	for _, ch := range r.Chapters {
		for _, c := range ch.Checks {
			checks[c.ID] = c
		}
	}
	return checks
}

// statuses sees that all checks have a status but these, which are left to the instructor's run.
func statuses(t *testing.T, checks map[string]grade.Check, all check.Status, but ...string) {
	t.Helper()
	for id, c := range checks {
		want := all
		if slices.Contains(but, id) {
			want = check.Blocked
			assert.Contains(t, c.Message, "your instructor's run grades it")
		}
		assert.Equal(t, want, c.Status, "%s: %s", id, c.Message)
	}
}

// TestHandout works with a handout as students do. It takes a minute and more of the CPU, since
// the course is built anew in another folder.
func TestHandout(t *testing.T) {
	if !sample.Whole() {
		t.Skip("only with GOSCHED_WHOLE=1")
	}
	dir := written(t)
	course(t, dir, "go", "build", "./...")
	course(t, dir, "go", "vet", "./...")
	statuses(t, report(t, dir, "1", "2"), check.Todo, "ch01/new-creator", "ch01/runs", "ch01/waves") // they need Schedinit, of chapter 2

	dir = written(t, "ch01", "ch02")
	// The wrong solutions are withheld, and AcquireSudog, of chapter 3, is not written.
	statuses(t, report(t, dir, "1", "2"), check.Pass, "ch02/mine", "ch02/predict", "ch02/submit-race", "ch02/yield-race")

	var trusted grade.Report
	text := course(t, root, "go", "run", "./autograder", "grade", "--submission", dir, "--isolation", "0", "--format", "json", "1", "2")
	require.NoError(t, json.Unmarshal(text, &trusted))
	assert.Equal(t, trusted.MaxScore, trusted.Score)
	assert.Empty(t, trusted.Submission.Ignored, "nothing is the student's change that was handed out so")

	broken := path.Join(dir, "exercises/ch01_goroutine/status.go")
	require.NoError(t, os.WriteFile(broken, []byte("package ch01\n\nfunc {\n"), 0o644))
	for id, c := range report(t, dir, "1", "2") {
		assert.Equal(t, strings.HasPrefix(id, "ch01/"), c.Status == check.BuildError, "%s: %s", id, c.Message)
	}
}

// TestCompiles builds what the handout has in the place of the solutions and the exercises, in the
// course itself, of which the rest is built already.
func TestCompiles(t *testing.T) {
	h, dir := handout(t), t.TempDir()
	require.NoError(t, h.Write(filepath.Join(dir, "h")))
	overlay := map[string]string{}
	abs, err := filepath.Abs(root)
	require.NoError(t, err)
	for _, tree := range []string{grade.Solutions, grade.Exercises} {
		names, err := filepath.Glob(filepath.Join(abs, tree, "*", "*.go"))
		require.NoError(t, err)
		for _, name := range names {
			overlay[name] = ""
		}
		overlay[filepath.Join(abs, tree, "exercises.go")] = ""
	}
	for name := range h.Files {
		if tree, _, _ := strings.Cut(name, "/"); path.Ext(name) == ".go" && (tree == grade.Solutions || tree == grade.Exercises) {
			overlay[filepath.Join(abs, filepath.FromSlash(name))] = filepath.Join(dir, "h", filepath.FromSlash(name))
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	require.NoError(t, err)
	file := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(file, text, 0o644))
	var packages []string
	for _, id := range []string{"ch01_goroutine", "ch02_onethread", "ch03_park"} {
		packages = append(packages, fmt.Sprintf("./%s/%s", grade.Exercises, id))
	}
	course(t, root, append([]string{"go", "vet", "-overlay", file, "./" + grade.Exercises}, packages...)...)
}
