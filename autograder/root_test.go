package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/screen"
)

// folders makes two courses and a folder outside of both, and returns where they are.
func folders(t *testing.T) (one, two, outside string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, end := range map[string]string{"one": "\n", "two": "\r\n"} {
		require.NoError(t, writeFile(filepath.Join(dir, name, "go.mod"), []byte("module gosched"+end+end+"go 1.26"+end)))
		require.NoError(t, os.MkdirAll(filepath.Join(dir, name, "a", "b"), 0o755))
	}
	require.NoError(t, writeFile(filepath.Join(dir, "outside", "go.mod"), []byte("module goscheduler\n")))
	return filepath.Join(dir, "one"), filepath.Join(dir, "two"), filepath.Join(dir, "outside")
}

func TestFindCourse(t *testing.T) {
	one, two, outside := folders(t)
	inner := filepath.Join(one, "a", "b")
	for _, tt := range []struct {
		what, here, named, env string
		others                 []string
		want, err              string
	}{
		{what: "the root", here: one, want: one},
		{what: "a folder in it", here: inner, want: one},
		{what: "outside", here: outside, err: outside + " is not in the folder of the course; go there, or name it: -C DIR, or GOSCHED_ROOT in the environment"},
		{what: "around the file", here: outside, others: []string{"../two/a"}, want: two},
		{what: "the current folder comes before the file's", here: inner, others: []string{two}, want: one},
		{what: "the environment", here: inner, env: two, others: []string{one}, want: two},
		{what: "-C, relative to the current folder", here: inner, named: "../../../two/a", env: one, want: two},
		{what: "-C is wrong", here: one, named: outside, err: "-C " + outside + ": the course is neither there nor in a folder above it"},
		{what: "the environment is wrong", here: one, env: outside, err: "GOSCHED_ROOT is " + outside + ": the course is neither there nor in a folder above it"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			t.Chdir(tt.here)
			t.Setenv(rootEnv, tt.env)
			a := &app{named: tt.named}
			err := a.findCourse(tt.others...)
			assert.Equal(t, tt.want, a.root)
			if tt.err == "" {
				assert.NoError(t, err)
				return
			}
			assert.EqualError(t, err, tt.err)
		})
	}
}

// Each command finds the course before it does anything; help, and what is wrong in the
// call, need none.
func TestCommandsFindCourse(t *testing.T) {
	one, _, outside := folders(t)
	t.Setenv(rootEnv, "")
	t.Chdir(outside)
	do := func(args ...string) (*testApp, int) {
		a := newTestApp(t, 80)
		a.app.root = ""
		return a, a.run(t.Context(), args)
	}
	for _, name := range []string{"", "test", "watch", "hint", "doctor", "grade"} {
		args := []string{name}
		if name == "" {
			args = nil
		}
		a, status := do(args...)
		assert.Equal(t, exitUsage, status, name)
		assert.Contains(t, a.err.String(), "is not in the folder of the course", name)
	}
	a, status := do("-C", one)
	assert.Zero(t, status)
	assert.Contains(t, a.out.String(), "Next: chapter 1")
	a, status = do("hint", "--course", filepath.Join(one, "a"))
	assert.Zero(t, status)
	assert.Contains(t, a.out.String(), "ch01/status-edges")
	for _, args := range [][]string{{"help"}, {"help", "test"}, {"test", "--help"}} {
		a, status = do(args...)
		assert.Zero(t, status, "%q", args)
		assert.Contains(t, a.out.String(), "Usage:", "%q", args)
	}
	a, _ = do("tets")
	assert.Contains(t, a.err.String(), "did you mean test?")
}

// The solutions play anywhere, and a file is looked for where the user is. For the exercises
// the course around the file will do.
func TestPlayAnywhere(t *testing.T) {
	one, _, outside := folders(t)
	t.Setenv(rootEnv, "")
	t.Chdir(outside)
	const program = "package main\n\nfunc main() {}\n"
	require.NoError(t, os.WriteFile("here.go", []byte(program), 0o644))
	require.NoError(t, writeFile(filepath.Join(one, "a", "there.go"), []byte(program)))
	var a *testApp
	do := func(args ...string) int {
		a = newTestApp(t, 80)
		a.app.root = ""
		return a.run(t.Context(), args)
	}
	assert.Zero(t, do("play", "here.go", "--trace", "run.jsonl"))
	assert.FileExists(t, filepath.Join(outside, "run.jsonl"))

	assert.Equal(t, exitUsage, do("play", "here.go", "--parts", "exercises"))
	assert.Contains(t, a.err.String(), "is not in the folder of the course")
	do("play", "../one/a/there.go", "--parts", "exercises")
	assert.Equal(t, one, a.root)
	assert.Contains(t, a.err.String(), "your exercises do not compile", "the course of the test has none")
}

// What the command suggests can be called in the folder in which it is read.
func TestCalled(t *testing.T) {
	root := filepath.FromSlash("/home/me/gosched")
	const run = "/tmp/go-build123/b001/exe/autograder"
	const cached = "/var/cache/go/11/1138b933fa836bc8b5d14873ea7650b7b5b94e8b1579b91d488b03333ec10430-d/autograder"
	for _, tt := range []struct{ program, here, named, want, test string }{
		{cached, "/home/me/gosched", "", "go run ./autograder", "go test"},
		{run, "/home/me/gosched", "", "go run ./autograder", "go test"},
		{run, "/home/me/gosched/exercises/ch01", "", "go run gosched/autograder", "go test -C ../.."},
		{run, "/home/me/play", "", "go run -C ../gosched ./autograder", "go test -C ../gosched"},
		{run, "/home/me/other", "../gosched", "go run gosched/autograder -C ../gosched", "go test -C ../gosched"},
		{"./autograder", "/home/me/gosched", "", "./autograder", "go test"},
		{"ag", "/home/me/play", "", "ag", "go test -C ../gosched"},
		{"ag", "/home/me/play", "../gosched", "ag -C ../gosched", "go test -C ../gosched"},
	} {
		a := &app{program: tt.program, named: tt.named, root: root}
		here := filepath.FromSlash(tt.here)
		assert.Equal(t, tt.want, filepath.ToSlash(a.called(here)), "%v", tt)
		assert.Equal(t, tt.test, filepath.ToSlash(calledGo("test", here, root)), "%v", tt)
	}
}

// A -C is repeated in what is suggested.
func TestSuggests(t *testing.T) {
	one, _, outside := folders(t)
	defer func(i, g string) { invocation, goTest = i, g }(invocation, goTest)
	t.Setenv(rootEnv, "")
	t.Chdir(outside)
	a := newTestApp(t, 80)
	a.app = &app{program: "ag", course: a.course, out: &screen.Screen{Writer: &a.out, Width: 80}, err: a.app.err}
	assert.Zero(t, a.run(t.Context(), []string{"-C", "../one"}))
	assert.Contains(t, a.out.String(), "check  ag -C ../one test ch01\n")
	assert.Equal(t, one, a.root)
}
