package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/gen"
	"gosched/chapters"
	"gosched/chapters/check"
)

// withSolution gives the first chapter a solution and a task, and makes the
// exercises; the second chapter is not written then.
func withSolution(t *testing.T) *testApp {
	t.Helper()
	a := newTestApp(t, 80)
	require.NoError(t, os.RemoveAll(a.path("exercises")))
	a.course[1].Suite = nil
	a.write(t, "chapters/ch01_goroutine/task.md", "Write it.\n")
	a.write(t, "chapters/gmp/contracts.go", "package gmp\n")
	a.write(t, "solutions/ch01_goroutine/free.go", `package ch01

import (
	"fmt"

	"gosched/chapters/gmp"
)

type free struct{ s *gmp.Sched }

// Gfget takes one.
//
//course:exercise
func (f *free) Gfget() int {
	//course:step Take it.
	fmt.Println("taken")
	return 1
}

//course:exercise
func (f *free) Gfput(n int) {
	f.n = n
}
`)
	a.write(t, "solutions/ch01_goroutine/status.go", "package ch01\n\nvar statuses int\n")
	status, _, errs := a.do("gen")
	require.Zero(t, status, errs)
	return a
}

func (a *testApp) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(a.path(filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(text)
}

const freeFile = "exercises/ch01_goroutine/free.go"

func TestGen(t *testing.T) {
	a := withSolution(t)
	status, out, _ := a.do("gen")
	assert.Zero(t, status)
	assert.Equal(t, "nothing to do\n", out)
	status, out, _ = a.do("gen", "--check")
	assert.Zero(t, status)
	assert.Equal(t, "the exercises are as the solutions make them\n", out)

	a.write(t, freeFile, "package ch01 // mine\n")
	status, out, errs := a.do("gen", "--check")
	assert.Equal(t, exitFailed, status)
	assert.Equal(t, "differs  exercises/ch01_goroutine/free.go\n", out)
	assert.Contains(t, errs, "run go run ./autograder gen")

	_, out, _ = a.do("gen")
	assert.Equal(t, "kept     ch01_goroutine/free.go\n", out)
	assert.Equal(t, "package ch01 // mine\n", a.read(t, freeFile))

	_, out, _ = a.do("gen", "--force")
	assert.Contains(t, out, "replaced ch01_goroutine/free.go\nwhat was there is in ")
	backup := strings.TrimSpace(out[strings.LastIndex(out, " "):])
	assert.Equal(t, "package ch01 // mine\n", a.read(t, filepath.ToSlash(backup)+"/ch01_goroutine/free.go"))
	assert.Contains(t, a.read(t, freeFile), "gmp.TODO")

	dir := t.TempDir()
	status, _, _ = a.do("gen", "--to", dir)
	assert.Zero(t, status)
	assert.FileExists(t, filepath.Join(dir, "ch01_goroutine", "free.go"))
}

func TestReset(t *testing.T) {
	a := withSolution(t)
	stub := a.read(t, freeFile)
	status, out, _ := a.do("reset", "1")
	assert.Zero(t, status)
	assert.Equal(t, "nothing to reset: it is in its original state\n", out)

	edited := strings.NewReplacer(
		"\tpanic(gmp.TODO(\"Gfget\"))", "\treturn len(os.Args)",
		"panic(gmp.TODO(\"Gfput\"))", "f.mine = n",
		"import (", "import (\n\t\"os\"\n").Replace(stub)
	require.NotContains(t, edited, "TODO")
	require.Contains(t, edited, `"os"`)
	for _, name := range []string{"Gfget", "free.Gfget"} {
		t.Run("function "+name, func(t *testing.T) {
			a.write(t, freeFile, edited)
			status, out, errs := a.do("reset", "ch01", name)
			require.Zero(t, status, errs)
			assert.Contains(t, out, "reset exercises/ch01_goroutine/free.go\nwhat was there is in .gosched/backup/")
			got := a.read(t, freeFile)
			assert.Contains(t, got, "// Gfget takes one.\nfunc (f *free) Gfget() int {\n\tpanic(gmp.TODO(\"Gfget\"))\n}")
			assert.Contains(t, got, "f.mine = n", "the other function stays")
			assert.NotContains(t, got, `"os"`, "nor is an import left that nothing uses")
		})
	}
	t.Run("no backup is overwritten", func(t *testing.T) {
		for _, text := range []string{"one\n", "two\n"} {
			a.write(t, freeFile, text)
			_, out, _ := a.do("reset", "ch01", "free.go")
			backup := strings.TrimSpace(out[strings.LastIndex(out, " "):])
			defer func() { assert.Equal(t, text, a.read(t, filepath.ToSlash(backup)+"/free.go")) }()
		}
	})
	t.Run("file", func(t *testing.T) {
		a.write(t, freeFile, "no Go\n")
		a.write(t, "exercises/ch01_goroutine/status.go", "package ch01 // mine\n")
		status, out, _ := a.do("reset", "ch01", "free.go")
		require.Zero(t, status)
		assert.Equal(t, stub, a.read(t, freeFile))
		assert.Equal(t, "package ch01 // mine\n", a.read(t, "exercises/ch01_goroutine/status.go"))
		backup := strings.TrimSpace(out[strings.LastIndex(out, " "):])
		assert.Equal(t, "no Go\n", a.read(t, filepath.ToSlash(backup)+"/free.go"))
	})
	t.Run("wrong names", func(t *testing.T) {
		status, _, errs := a.do("reset", "ch01", "Gfgot")
		assert.Equal(t, exitUsage, status)
		assert.Equal(t, "autograder: chapter 1 has no file and no function \"Gfgot\"; did you mean Gfget?\n", errs)

		a.write(t, freeFile, "no Go\n")
		status, _, errs = a.do("reset", "ch01", "Gfget")
		assert.Equal(t, exitUsage, status)
		assert.Contains(t, errs, "does not parse, so no function can be found in it; reset the whole file:")

		a.write(t, freeFile, "package ch01\n")
		_, _, errs = a.do("reset", "ch01", "Gfget")
		assert.Equal(t, "autograder: exercises/ch01_goroutine/free.go has no function free.Gfget\n", errs)
	})
	t.Run("the same name twice", func(t *testing.T) {
		a := withSolution(t)
		a.write(t, "solutions/ch01_goroutine/other.go", "package ch01\n\nimport \"gosched/chapters/gmp\"\n\nvar _ gmp.G\n\ntype other struct{}\n\n//course:exercise\nfunc (other) Gfget() int { return 2 }\n")
		_, _, _ = a.do("gen")
		status, _, errs := a.do("reset", "ch01", "Gfget")
		assert.Equal(t, exitUsage, status)
		assert.Equal(t, "autograder: chapter 1 has several functions Gfget; which one: free.Gfget, other.Gfget?\n", errs)
		status, out, errs := a.do("reset", "ch01", "other.Gfget")
		assert.Zero(t, status, errs)
		assert.Contains(t, out, "nothing to reset")
	})
}

func TestDiff(t *testing.T) {
	a := withSolution(t)
	status, out, errs := a.do("diff", "ch01")
	assert.Equal(t, exitFailed, status)
	assert.Empty(t, out)
	assert.Equal(t, "autograder: chapter 1 has not passed yet (0 of 4 checks); the solution is shown once it has, or with --anyway\n", errs)

	const want = `--- exercises/ch01_goroutine/free.go
+++ solutions/ch01_goroutine/free.go
@@ -1,14 +1,16 @@
 package ch01
 
 import (
+	"fmt"
 	"gosched/chapters/gmp"
 )
 
 type free struct{ s *gmp.Sched }
 func (f *free) Gfget() int {
-	panic(gmp.TODO("Gfget"))
+	fmt.Println("taken")
+	return 1
 }
 
 func (f *free) Gfput(n int) {
-	panic(gmp.TODO("Gfput"))
+	f.n = n
 }
`
	status, out, _ = a.do("diff", "ch01", "--anyway")
	assert.Zero(t, status)
	assert.Equal(t, want, out)

	a.save(t, a.result("ch01", check.Pass, check.Pass, check.Pass, check.Pass))
	a.write(t, "exercises/ch01_goroutine/status.go", "package ch01 // edited since\n")
	status, out, _ = a.do("diff", "goroutine")
	assert.Zero(t, status, "it was passed once")
	assert.True(t, strings.HasPrefix(out, want))

	// Where the solution is withheld, that is said at once: to pass would not help.
	a.save(t, a.result("ch01", check.Fail, check.Todo, check.Todo, check.Todo))
	a.write(t, "solutions/ch01_goroutine/"+gen.GivenFile, "{}")
	status, out, errs = a.do("diff", "ch01")
	assert.Equal(t, exitUsage, status)
	assert.Empty(t, out)
	assert.Equal(t, "autograder: the solution is not in this repository; your instructor has it\n", errs)
}

// A chapter is done where all that can pass has passed.
func TestDone(t *testing.T) {
	ch := chapters.Chapter{Suite: &check.Suite{Checks: []check.Check{{Name: "a"}, {Name: "b"}}}}
	of := func(a, b check.Status) *chapterState {
		return &chapterState{Checks: map[string]check.Status{"a": a, "b": b}}
	}
	var none *chapterState
	assert.False(t, none.done(ch, true))
	assert.True(t, of(check.Pass, check.Blocked).done(ch, true))
	assert.False(t, of(check.Pass, check.Blocked).done(ch, false))
	assert.False(t, of(check.Blocked, check.Blocked).done(ch, true))
	assert.False(t, of(check.Pass, check.Fail).done(ch, true))
	assert.True(t, (&chapterState{Passed: true}).done(ch, false))
}
