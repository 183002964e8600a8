package trusted_test

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/gen"
	"gosched/autograder/grade"
	"gosched/autograder/jail"
	"gosched/autograder/submission"
	"gosched/autograder/trusted"
	"gosched/autograder/trusted/cheat"
	"gosched/chapters"
	"gosched/chapters/check"
	"gosched/chapters/sample"
)

const root = "../.."

func TestMain(m *testing.M) {
	jail.Launch()
	submission.Inspect()
	os.Exit(m.Run())
}

// A tried is a cheat that is made a submission of.
type tried struct{ cheat.Cheat }

func cheats(t *testing.T) (all []tried) {
	list, err := cheat.Read(root)
	require.NoError(t, err)
	for _, c := range list {
		all = append(all, tried{c})
	}
	return all
}

// stubs are the exercises as they are given, by slash paths below exercises.
var stubs = sync.OnceValues(func() (map[string][]byte, error) { return gen.Exercises(root, chapters.All, false) })

// given writes the exercises as they are given to a folder.
func given(t *testing.T, dir string) {
	t.Helper()
	files, err := stubs()
	require.NoError(t, err)
	for name, text := range files {
		write(t, filepath.Join(dir, "exercises", filepath.FromSlash(name)), text)
	}
}

func write(t *testing.T, name string, text []byte) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, text, 0o644))
}

// lay makes the submission of a cheat.
func (c tried) lay(t *testing.T) (dir string) {
	dir = t.TempDir()
	given(t, dir)
	for name, text := range c.Files {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	require.NoError(t, c.Link(dir))
	return dir
}

// levels are those of the jail at which cheats are tried.
func levels(t *testing.T) []jail.Level {
	highest, why := jail.Highest(t.Context())
	if highest < jail.Restricted {
		t.Logf("only at level %v: %s", jail.Process, strings.Join(why, "; "))
		return []jail.Level{jail.Process}
	}
	all := []jail.Level{jail.Process, jail.Restricted}
	if highest == jail.Bubble && sample.Whole() {
		all = append(all, jail.Bubble)
	}
	return all
}

// No cheat has a point, and what each of them tries is named: refused with its line, ignored, or
// run, without success.
func TestCheats(t *testing.T) {
	all := cheats(t)
	require.Greater(t, len(all), 80)
	course, err := trusted.Open(t.Context(), root, chapters.All)
	require.NoError(t, err)
	abs, err := filepath.Abs(root)
	require.NoError(t, err)
	at := levels(t)
	var run []tried
	for _, c := range all {
		t.Run(c.Name, func(t *testing.T) {
			files, err := course.Read(c.lay(t))
			require.NoError(t, err)
			defer files.Remove()
			var refused []string
			for _, f := range files.Findings {
				refused = append(refused, f.File)
				assert.NotEmpty(t, f.Instead)
			}
			if name := c.Wants["refused"]; name != "" {
				assert.Contains(t, strings.Join(refused, " "), path.Base(name))
			} else {
				assert.Empty(t, files.Findings)
			}
			if name := c.Wants["ignored"]; name != "" {
				assert.Contains(t, strings.Join(files.Ignored, " "), name)
			}
			if c.Wants["fails"] != "" {
				run = append(run, c)
			} else {
				c.isGiven(t, files)
			}
		})
	}
	for i, c := range sample.Deal(0, 4, run) {
		for _, level := range sample.Deal(i, 1, at) {
			t.Run(c.Name+"/"+level.String(), func(t *testing.T) {
				t.Parallel()
				files, err := course.Read(c.lay(t))
				require.NoError(t, err)
				defer files.Remove()
				chapter, name, _ := strings.Cut(c.Wants["fails"], "/")
				g := &trusted.Grading{Root: abs, All: chapters.All, Chapters: []string{chapter}, Checks: []string{name}, Level: level}
				report, err := g.Grade(t.Context(), files)
				require.NoError(t, err)
				got := report.Chapters[0].Checks[0]
				assert.Equal(t, c.Wants["fails"], got.ID)
				assert.Zero(t, report.Score, got.Message)
				assert.NotContains(t, []check.Status{check.Pass, check.Blocked, check.InternalError, check.BuildError}, got.Status, got.Message)
				assert.Equal(t, int(level), report.Submission.Isolation)
			})
		}
	}
}

// isGiven: what is built of a cheat that is not run is what the course gives, but for files that
// are as they are in a submission that does not cheat.
func (c tried) isGiven(t *testing.T, files *submission.Files) {
	honest, err := stubs()
	require.NoError(t, err)
	for name, file := range files.Overlay {
		if file == "" {
			continue
		}
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		if string(got) != string(honest[strings.TrimPrefix(name, "exercises/")]) {
			t.Errorf("%s is built as it was submitted", name)
		}
	}
}

// What is refused is told of with each check that it costs, and the rest of the submission is
// graded.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	given(t, dir)
	write(t, filepath.Join(dir, cheat.Chapter, "more.go"), []byte("package ch01\n\nimport _ \"os\"\n"))
	write(t, filepath.Join(dir, cheat.Chapter, "mine_test.go"), []byte("package ch01_test\n\nfunc init() {}\n"))
	course, err := submission.Open(root, chapters.All)
	require.NoError(t, err)
	files, err := course.Read(dir)
	require.NoError(t, err)
	defer files.Remove()
	abs, err := filepath.Abs(root)
	require.NoError(t, err)
	g := &trusted.Grading{Root: abs, All: chapters.All, Chapters: []string{"ch01"}, Checks: []string{"status-edges", "mine", "predict"}}
	report, err := g.Grade(t.Context(), files)
	require.NoError(t, err)
	got := map[string]grade.Check{}
	for _, c := range report.Chapters[0].Checks {
		got[c.Name] = c
	}
	assert.Equal(t, check.Refused, got["status-edges"].Status)
	assert.Contains(t, got["status-edges"].Message, `refused: exercises/ch01_goroutine/more.go:3: it imports "os"`)
	assert.Equal(t, check.Refused, got["mine"].Status)
	assert.Contains(t, got["mine"].Message, "exercises/ch01_goroutine/mine_test.go")
	assert.Equal(t, check.Todo, got["predict"].Status)
	assert.Equal(t, grade.OwnNotRun, report.Chapters[0].OwnStack, "nobody asked for it")
}

// The walls behind the policy: if it let these through, they would have no point either. The
// file of results has no record that the suite did not write, and text decides nothing.
func TestForgedBehindThePolicy(t *testing.T) {
	abs, err := filepath.Abs(root)
	require.NoError(t, err)
	var open []tried
	for _, c := range cheats(t) {
		switch c.Name {
		case "exit-in-init", "exit-in-variable", "exit-in-part", "forged-stdout", "forged-record", "forged-record-found", "descriptors", "stdin-order", "goexit":
			open = append(open, c)
		}
	}
	require.Len(t, open, 9)
	for _, c := range sample.Deal(0, 4, open) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			dir := c.lay(t)
			overlay := grade.Overlay{}
			require.NoError(t, filepath.WalkDir(filepath.Join(dir, "exercises"), func(file string, d os.DirEntry, err error) error {
				if err == nil && strings.HasSuffix(file, ".go") {
					name, _ := filepath.Rel(dir, file)
					overlay[filepath.ToSlash(name)] = file
				}
				return err
			}))
			g := &grade.Grader{Root: abs, Of: grade.Exercises, All: chapters.All, Chapters: []string{"ch01"}, Checks: []string{"status-edges"}, Overlay: overlay, Tree: dir, Bin: t.TempDir()}
			report, err := g.Grade(context.Background())
			require.NoError(t, err)
			got := report.Chapters[0].Checks[0]
			assert.Zero(t, report.Score, got.Message)
			assert.Contains(t, []check.Status{check.Fail, check.Timeout}, got.Status, got.Message)
		})
	}
}

// The compiler has limits. With so small ones it cannot even link right code, which is then a
// build failure that says so, and no failure of the grading.
func TestCompilerLimits(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has limits for a process")
	}
	defer func(was jail.Limits) { grade.CompilerLimits = was }(grade.CompilerLimits)
	grade.CompilerLimits.FileSize = 1 << 20
	dir := t.TempDir()
	given(t, dir)
	course, err := submission.Open(root, chapters.All)
	require.NoError(t, err)
	files, err := course.Read(dir)
	require.NoError(t, err)
	defer files.Remove()
	abs, err := filepath.Abs(root)
	require.NoError(t, err)
	for _, level := range levels(t) {
		g := &trusted.Grading{Root: abs, All: chapters.All, Chapters: []string{"ch01"}, Checks: []string{"status-edges"}, Level: level}
		report, err := g.Grade(t.Context(), files)
		require.NoError(t, err)
		got := report.Chapters[0].Checks[0]
		assert.Equal(t, check.BuildError, got.Status)
		assert.Contains(t, got.Message, "what the compiler makes of it is larger than 1 MiB")
	}
}
