package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/gen"
	"gosched/autograder/grade"
	"gosched/autograder/load"
	"gosched/chapters"
	"gosched/chapters/gmp"
	"gosched/chapters/sample"
	"gosched/solutions"
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
	const reached = "play: Go 0.x, as far as your finished chapters go; --go takes another version\n"
	const untouched = reached + "play: not written yet, so the reference's parts are used: "
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	for _, tt := range []struct {
		what    string
		written []string // chapters
		says    string
	}{
		{"nothing is written", nil, untouched + "Goroutines, Statuses, Freelists (ch01); Boot, Loop, Submission, GlobalQueue, Deadlock (ch02); Parking, Sudogs, Channels (ch03); Waitqs, Select, Semaphores, NotifyLists (ch04)\n"},
		{"chapters 1 to 3 are written", []string{"ch01", "ch02", "ch03"}, untouched + "Waitqs, Select, Semaphores, NotifyLists (ch04)\n"},
		{"chapters 1 to 4 are written", []string{"ch01", "ch02", "ch03", "ch04"}, reached},
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

// TestOwnStackPasses grades chapters of a student who has written all as the solution does:
// their checks pass on the student's own stack, too.
func TestOwnStackPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the student's own stack")
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	graded := []string{"ch02"}
	if sample.Whole() {
		graded = writtenChapters()
	}
	files := exercisesWith(t, root, writtenChapters())
	grader := &grade.Grader{Root: root, Of: grade.Exercises, All: chapters.All, Chapters: graded, Own: grade.OwnAlways, Overlay: ownOverlay(t, root, files)}
	report, err := grader.Grade(t.Context())
	require.NoError(t, err)
	for _, ch := range report.Chapters {
		assert.Equal(t, grade.OwnPass, ch.OwnStack, ch.ID)
		for _, c := range ch.OwnFails {
			t.Errorf("%s fails on the own stack: %s", c.ID, c.Message)
		}
	}
}

// writtenChapters are the IDs of the chapters that there are.
func writtenChapters() []string {
	var ids []string
	for _, chapter := range chapters.All {
		if chapter.Suite != nil {
			ids = append(ids, chapter.ID)
		}
	}
	return ids
}

// onPs is the newest version, in which the exercises of most chapters play together.
const onPs = "1.26"

// TestOwnStackOnPs plays programs on the stack of a student who has written all
// chapters, on 4 Ps: on simulated CPUs, and on threads, as many of which run at once as
// GOMAXPROCS of the host lets. They print what go run prints.
func TestOwnStackOnPs(t *testing.T) {
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	binary := buildOwn(t, root, exercisesWith(t, root, writtenChapters()))
	own := playsWith(t, root, binary)
	t.Run("serves", func(t *testing.T) { servesWith(t, root, binary) })
	hosts := []string{"1", "2", ""} // "": as many as there are CPUs
	for row, tt := range []struct {
		program string
		args    []string
		mem     int    // MiB
		want    string // its last line
	}{
		{"chapters/ch03_park/programs/sieve.go", nil, 16, "37"},
		{"book/programs/quicksort.go", nil, 16, "out of order: 0"},
		{"book/programs/bank.go", nil, 16, "in all 4000 after 3200 transfers"},
		{"autograder/testdata/calls.go", nil, 16, "calls 200"},
		{"chapters/ch13_stack/programs/deep.go", []string{"1000000"}, 512, "1000000 3999997 500001500000 1"},
		{"chapters/ch14_signal/programs/ticks.go", nil, 16, "tick 5"},
	} {
		flags := []string{"--go", onPs, "--procs", "4", "--mem", fmt.Sprint(tt.mem)}
		plays := func(seed int, more ...string) (stderr string) {
			all := slices.Concat(flags, more, []string{"--seed", fmt.Sprint(seed), "--"})
			stdout, stderr := own(tt.program, all, tt.args...)
			lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
			assert.Equal(t, tt.want, lines[len(lines)-1], "%s %v", tt.program, all)
			return stderr
		}
		for _, host := range sample.Deal(row, 2, hosts) {
			t.Setenv("GOMAXPROCS", host)
			for seed := range sample.Of(1, 2, 20) {
				assert.Empty(t, plays(seed+1), "%s: everything is the student's own", tt.program)
			}
		}
		stderr := plays(1, "--sim")
		assert.Contains(t, stderr, "4 CPUs, ", tt.program)
		assert.Equal(t, stderr, plays(1, "--sim"), "%s: the same seed", tt.program)
	}
}

// unplayed are the parts that students write and that serve in no version of Go.
var unplayed = map[string]string{
	"ch03 Waitqs": "that of chapter 4 does the same, and knows select",
	"ch08 Finder": "that of chapter 10 does the same, and spins",
	"ch08 Loop":   "that of chapter 11 does the same, and knows locked Gs",
}

// Each part that a student writes serves in a version that can be played.
func TestEveryPartPlays(t *testing.T) {
	for _, chapter := range chapters.All {
		if chapter.Suite == nil {
			continue
		}
		for _, part := range chapter.Suite.Parts {
			if _, ok := unplayed[chapter.ID+" "+part]; ok {
				continue
			}
			serves := gmp.Unwritten{chapter.ID: {part}}.In(solutions.Versions()...)
			assert.NotEmpty(t, serves, "the %s of %s serves in no version that can be played", part, chapter.ID)
		}
	}
}

// playOn builds the command that plays on these exercises. It returns a function
// that plays a program, which must end well and print something, and returns what
// is written to standard error.
func playOn(t *testing.T, root string, files map[string][]byte) func(program string) string {
	play := playsOn(t, root, files)
	return func(program string) string {
		stdout, stderr := play(program, nil)
		assert.NotEmpty(t, stdout, program)
		return stderr
	}
}

// playLimit only ends programs that hang.
const playLimit = 2 * time.Minute

// servesWith has the servers of chapter 18 serve some clients from outside, of whom some fail.
func servesWith(t *testing.T, root, binary string) {
	if runtime.GOOS == "windows" {
		t.Skip("the host's network is for Linux and macOS")
	}
	const procs = 4
	start := func(ctx context.Context, program string, args ...string) (*load.Server, error) {
		return load.Exercises(ctx, binary, filepath.Join(root, serversDir, program+".go"), onPs, procs, args...)
	}
	for _, program := range load.Programs {
		_, err := load.Serve(t.Context(), load.Of(program, 50, 1000), func() (*load.Server, error) { return start(t.Context(), program) }, procs)
		assert.NoError(t, err, program)
	}
	for _, fault := range load.Faults {
		if strings.HasPrefix(fault.Name, "the listener") || sample.Whole() {
			assert.NoError(t, fault.Run(t.Context(), start, procs), fault.Program+": "+fault.Name)
		}
	}
}

// playsOn is playOn for programs that are played with flags, or have arguments.
func playsOn(t *testing.T, root string, files map[string][]byte) func(program string, flags []string, args ...string) (stdout, stderr string) {
	t.Helper()
	return playsWith(t, root, buildOwn(t, root, files))
}

// buildOwn builds the command that plays on these exercises.
func buildOwn(t *testing.T, root string, files map[string][]byte) (binary string) {
	t.Helper()
	binary = filepath.Join(t.TempDir(), "play.exe")
	require.NoError(t, grade.BuildCommand(context.Background(), root, "./exercises/play", binary, ownOverlay(t, root, files)))
	return binary
}

// ownOverlay puts these exercises in place of those in the tree.
func ownOverlay(t *testing.T, root string, files map[string][]byte) grade.Overlay {
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
	return overlay
}

// playsWith plays with that command.
func playsWith(t *testing.T, root, binary string) func(program string, flags []string, args ...string) (stdout, stderr string) {
	return func(program string, flags []string, args ...string) (string, string) {
		ctx, cancel := context.WithTimeout(t.Context(), playLimit)
		defer cancel()
		file := filepath.Join(root, filepath.FromSlash(program))
		cmd := exec.CommandContext(ctx, binary, slices.Concat(flags, []string{file}, args)...)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		require.NoError(t, cmd.Run(), "%s: %s", program, stderr.String())
		return stdout.String(), stderr.String()
	}
}

// exercisesWith makes exercises in which some chapters are written as in the
// solution. Keys are slash paths below exercises/.
func exercisesWith(t *testing.T, root string, written []string) map[string][]byte {
	t.Helper()
	files, err := gen.Exercises(root, chapters.All, false)
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
