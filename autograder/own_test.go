package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path"
	"path/filepath"
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
		{"nothing is written", nil, untouched + "Goroutines, Statuses, Freelists (ch01); Boot, Loop, Submission, GlobalQueue, Deadlock (ch02); Parking, Sudogs, Waitqs, Channels (ch03); Waitqs, Select, Semaphores, NotifyLists (ch04)\n"},
		{"chapters 1 to 3 are written", []string{"ch01", "ch02", "ch03"}, untouched + "Waitqs, Select, Semaphores, NotifyLists (ch04)\n"},
		{"chapters 1 to 4 are written", []string{"ch01", "ch02", "ch03", "ch04"}, ""},
	} {
		t.Run(tt.what, func(t *testing.T) {
			binary := filepath.Join(t.TempDir(), "play.exe")
			require.NoError(t, grade.BuildCommand(context.Background(), root, "./exercises/play", binary, exercisesWith(t, root, tt.written)))
			for _, program := range []string{sieve, pool, dine} {
				cmd := exec.Command(binary, filepath.Join(root, filepath.FromSlash(program)))
				var stdout, stderr bytes.Buffer
				cmd.Stdout, cmd.Stderr = &stdout, &stderr
				require.NoError(t, cmd.Run(), "%s: %s", program, stderr.String())
				assert.Equal(t, tt.says, stderr.String(), program)
				assert.NotEmpty(t, stdout.String(), program)
			}
		})
	}
}

// exercisesWith makes exercises in which some chapters are written as in the
// solution, in place of those in the tree.
func exercisesWith(t *testing.T, root string, written []string) grade.Overlay {
	t.Helper()
	fresh, err := gen.Exercises(root, chapters.All)
	require.NoError(t, err)
	present, err := filepath.Glob(filepath.Join(root, "exercises/*/*.go"))
	require.NoError(t, err)
	dir, overlay := t.TempDir(), grade.Overlay{}
	for _, name := range present {
		overlay[path.Join(grade.Exercises, filepath.Base(filepath.Dir(name)), filepath.Base(name))] = ""
	}
	for _, chapter := range chapters.All {
		for _, id := range written {
			if chapter.ID == id {
				writeSolution(t, root, chapter.Dir, fresh)
			}
		}
	}
	for name, text := range fresh {
		if path.Ext(name) == ".go" {
			file := filepath.Join(dir, filepath.FromSlash(name))
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, text, 0o644))
			overlay[path.Join(grade.Exercises, name)] = file
		}
	}
	return overlay
}

// writeSolution replaces the stubs of a chapter by the solution.
func writeSolution(t *testing.T, root, dir string, files map[string][]byte) {
	t.Helper()
	for name := range files {
		if path.Dir(name) != dir || path.Ext(name) != ".go" || filepath.Base(name) == "mine_test.go" || path.Base(name) == dir[:4]+"_test.go" {
			continue
		}
		src, err := os.ReadFile(filepath.Join(root, "solutions", dir, path.Base(name)))
		require.NoError(t, err)
		files[name], err = gen.Strip(name, src)
		require.NoError(t, err)
	}
}
