package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/gen"
	"gosched/autograder/grade"
	"gosched/chapters"
)

// TestOwnStack plays programs as students do who have written some chapters and
// not touched the next: the reference's parts serve in place of those that are
// not written, and nothing else. With chapters 1 to 3 written, a channel must not
// meet the unwritten Dequeue of chapter 4.
func TestOwnStack(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the student's own stack, several times")
	}
	const (
		sieve = "chapters/ch03_park/programs/sieve.go"
		pool  = "chapters/ch04_select/programs/pool.go"
		dine  = "chapters/ch04_select/programs/philosophers.go"
	)
	const untouched = "play: not written yet, so the reference's serve: "
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	for _, tt := range []struct {
		what    string
		written []string // chapters
		says    string
	}{
		{"nothing is written", nil, untouched + "Goroutines, Statuses, Freelists (ch01); Boot, Loop, Submission, GlobalQueue, Deadlock (ch02); Parking, Sudogs, Channels (ch03); Waitqs, Select, Semaphores, NotifyLists (ch04)\n"},
		{"chapters 1 to 3 are written", []string{"ch01", "ch02", "ch03"}, untouched + "Waitqs, Select, Semaphores, NotifyLists (ch04)\n"},
		{"chapters 1 to 4 are written", []string{"ch01", "ch02", "ch03", "ch04"}, ""},
	} {
		t.Run(tt.what, func(t *testing.T) {
			files := exercisesWith(t, root, tt.written)
			play := playOn(t, root, files)
			for _, program := range []string{sieve, pool, dine} {
				assert.Equal(t, tt.says, play(program), program)
			}
		})
	}

	// Go 0.x had a list where the exercise has a tree; the student's tree serves.
	t.Run("the tree of chapter 4 in Go 0.x", func(t *testing.T) {
		files := exercisesWith(t, root, []string{"ch04"})
		const name, head = "ch04_select/sema.go", "sg *gmp.Sudog, lifo bool) {\n"
		before, after, ok := strings.Cut(string(files[name]), head)
		require.True(t, ok, "%s has changed", name)
		files[name] = []byte(before + head + "\tp.s.Printf(\"the student's SemaQueue\")\n" + after)
		assert.Contains(t, playOn(t, root, files)(dine), "the student's SemaQueue\n")
	})
}

// playOn builds the command that plays on these exercises. It returns a function
// that plays a program, which must end well and print something, and returns what
// is written to standard error.
func playOn(t *testing.T, root string, files map[string][]byte) func(program string) string {
	t.Helper()
	dir := t.TempDir()
	overlay := grade.Overlay{}
	present, err := filepath.Glob(filepath.Join(root, "exercises/*/*.go"))
	require.NoError(t, err)
	for _, name := range present {
		overlay[path.Join(grade.Exercises, filepath.Base(filepath.Dir(name)), filepath.Base(name))] = ""
	}
	for name, text := range files {
		if path.Ext(name) == ".go" {
			file := filepath.Join(dir, filepath.FromSlash(name))
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, text, 0o644))
			overlay[path.Join(grade.Exercises, name)] = file
		}
	}
	binary := filepath.Join(dir, "play.exe")
	require.NoError(t, grade.BuildCommand(context.Background(), root, "./exercises/play", binary, overlay))
	return func(program string) string {
		cmd := exec.Command(binary, filepath.Join(root, filepath.FromSlash(program)))
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		require.NoError(t, cmd.Run(), "%s: %s", program, stderr.String())
		assert.NotEmpty(t, stdout.String(), program)
		return stderr.String()
	}
}

// exercisesWith makes exercises in which some chapters are written as in the
// solution. Keys are slash paths below exercises/.
func exercisesWith(t *testing.T, root string, written []string) map[string][]byte {
	t.Helper()
	files, err := gen.Exercises(root, chapters.All)
	require.NoError(t, err)
	for _, chapter := range chapters.All {
		if slices.Contains(written, chapter.ID) {
			writeSolution(t, root, chapter, files)
		}
	}
	return files
}

// writeSolution replaces the stubs of a chapter by the solution.
func writeSolution(t *testing.T, root string, chapter chapters.Chapter, files map[string][]byte) {
	t.Helper()
	for name := range files {
		if path.Dir(name) != chapter.Dir || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(filepath.Join(root, "solutions", filepath.FromSlash(name)))
		require.NoError(t, err)
		files[name], err = gen.Strip(name, src)
		require.NoError(t, err)
	}
}
