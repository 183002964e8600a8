package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/class"
	"gosched/autograder/class/rehearsal"
	"gosched/autograder/jail"
	"gosched/autograder/submission"
	"gosched/chapters"
	"gosched/chapters/check"
	"gosched/chapters/sample"
)

var (
	rehearsedChapters = flag.String("rehearsed", "ch01", "the chapters in which the class of TestClass is graded, or all")
	rehearsedStudents = flag.Int("students", 120, "how many students it has in the nightly")
	keptClass         = flag.String("kept", "", "the folder into which TestClass copies the class and its results")
)

// commandEnv makes the test's binary the command, so that a batch can be a process that is killed.
const commandEnv = "GOSCHED_TEST_COMMAND"

func TestMain(m *testing.M) {
	jail.Launch()
	submission.Inspect()
	if os.Getenv(commandEnv) == "1" {
		main()
		return
	}
	os.Exit(m.Run())
}

// command runs the command on the course itself, in a process of its own; it is killed when it
// has told that it is done with so many students, unless that is 0.
func command(t *testing.T, killAfter int, args ...string) {
	t.Helper()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, append([]string{"-C", root}, args...)...)
	cmd.Env = append(os.Environ(), commandEnv+"=1")
	var out strings.Builder
	cmd.Stdout = &out
	told, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var said strings.Builder
	done, killed := 0, false
	for lines := bufio.NewScanner(io.TeeReader(told, &said)); lines.Scan(); {
		if fmt.Sscanf(lines.Text(), "%d of", &done); killAfter > 0 && done >= killAfter && !killed {
			require.NoError(t, cmd.Process.Kill())
			killed = true
		}
	}
	err = cmd.Wait()
	if killAfter > 0 {
		require.True(t, killed, "it was through before it could be killed: %s", &said)
		require.Error(t, err)
		return
	}
	require.NoError(t, err, "%q: %s%s", args, &out, &said)
}

// A classroom is a rehearsal, and where its results go.
type classroom struct {
	dir      string
	chapters []string
	roster   string
	students int
}

// newClassroom makes a rehearsal. In the nightly it is of a whole class; else of some whose
// grading runs no check, since there is nothing to be graded or it does not compile.
func newClassroom(t *testing.T) *classroom {
	c := &classroom{dir: filepath.Join(t.TempDir(), "class"), chapters: strings.Fields(*rehearsedChapters)}
	if *rehearsedChapters == "all" {
		c.chapters = nil
		for _, ch := range (&app{course: chapters.All}).written() {
			c.chapters = append(c.chapters, ch.ID)
		}
	}
	students := *rehearsedStudents
	if !sample.Whole() {
		students = 21 // three of each kind
	}
	command(t, 0, append([]string{"batch", "rehearse", "--out", c.dir, fmt.Sprint("--students=", students)}, c.chapters...)...)
	c.roster = filepath.Join(c.dir, rehearsal.RosterFile)
	if !sample.Whole() {
		c.keepCheap(t)
	}
	rows, err := readRoster(c.roster)
	require.NoError(t, err)
	c.students = len(rows)
	return c
}

// keepCheap leaves those in the class whose grading runs no check.
func (c *classroom) keepCheap(t *testing.T) {
	expected, err := rehearsal.ReadExpected(c.dir)
	require.NoError(t, err)
	kept := map[string]bool{"student": true} // and the head
	broken := 0
	for _, l := range expected {
		if l.Kind == string(rehearsal.Broken) && l.As == check.BuildError {
			broken++
		}
		kept[l.Student] = l.Status == class.NoSubmission || l.Kind == string(rehearsal.Broken) && broken == 1
	}
	for _, name := range []string{rehearsal.RosterFile, rehearsal.ExpectedFile} {
		text, err := os.ReadFile(filepath.Join(c.dir, name))
		require.NoError(t, err)
		lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, csv.NewWriter(&b).WriteAll(slices.DeleteFunc(lines, func(line []string) bool { return !kept[line[0]] })))
		require.NoError(t, os.WriteFile(filepath.Join(c.dir, name), b.Bytes(), 0o644))
	}
}

// batch grades the class into a folder beside it and returns that.
func (c *classroom) batch(t *testing.T, killAfter int, out string, more ...string) string {
	t.Helper()
	out = filepath.Join(filepath.Dir(c.dir), out)
	command(t, killAfter, slices.Concat([]string{"batch", "--roster", c.roster, "--out", out}, more, c.chapters)...)
	return out
}

func TestRehearseUsage(t *testing.T) {
	a := newTestApp(t, 80)
	dir := t.TempDir()
	for _, tt := range []struct {
		args []string
		says string
	}{
		{nil, "batch rehearse needs --out DIR"},
		{[]string{"--out", dir, "--students", "-1"}, "--students takes 1 or more, not -1"},
		{[]string{"--out", dir, "--students", "x"}, `--students takes a whole number, not "x"`},
		{[]string{"--out", dir, "ch77"}, `there is no chapter "ch77"`},
		{[]string{"--out", dir, "--results", dir, "1"}, "with --results nothing is made"},
		{[]string{"--out", dir, "--results", dir}, "has no rehearsal: there is no expected.csv"},
	} {
		status, out, errs := a.do(append([]string{"batch", "rehearse"}, tt.args...)...)
		assert.Equal(t, exitUsage, status, "%q", tt.args)
		assert.Empty(t, out)
		assert.Contains(t, errs, tt.says)
	}
}

// TestClass: a class is graded in one piece, by a batch that is killed in the middle and started
// again, and in shards of which two are killed. Both tables are the same, and what comes of each
// student is what was expected. Of the pages TestShards of package class says it: here a cheat
// that overflows the stack may be told of as one that hangs, if the computer is busy. In the nightly it is a class of a hundred, with all
// cheats.
func TestClass(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts processes that build")
	}
	c := newClassroom(t)
	if sample.Whole() { // else that is left to TestKill of package class
		c.batch(t, (c.students+1)/2, "whole")
	}
	whole := c.batch(t, 0, "whole")
	command(t, 0, "batch", "rehearse", "--out", c.dir, "--results", whole)

	if !sample.Whole() {
		return // shards that are killed are what TestShards of package class is about
	}
	const shards = 20
	killed := c.largest(t, shards, 2)
	var outs []string
	for i := 1; i <= shards; i++ {
		name, flag := fmt.Sprint("shard", i), fmt.Sprintf("--shard=%d/%d", i, shards)
		if slices.Contains(killed, i) {
			c.batch(t, 1, name, flag)
		}
		outs = append(outs, c.batch(t, 0, name, flag))
	}
	merged := filepath.Join(filepath.Dir(c.dir), "merged")
	command(t, 0, slices.Concat([]string{"batch", "merge", "--out", merged}, outs)...)
	want, err := os.ReadFile(filepath.Join(whole, class.TableFile))
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(merged, class.TableFile))
	require.NoError(t, err)
	assert.Empty(t, cmp.Diff(string(want), string(got)))
	c.forms(t, merged)
	if *keptClass != "" {
		require.NoError(t, os.CopyFS(*keptClass, os.DirFS(filepath.Dir(c.dir))))
	}
}

// largest returns the numbers of the shards that have most students, so that each of them can be
// killed between two.
func (c *classroom) largest(t *testing.T, shards, n int) []int {
	rows, err := readRoster(c.roster)
	require.NoError(t, err)
	in := func(i int) (many int) {
		for _, row := range rows {
			if (class.Shard{Number: i, Of: shards}).Has(row.Student) {
				many++
			}
		}
		return many
	}
	var all []int
	for i := 1; i <= shards; i++ {
		all = append(all, i)
	}
	slices.SortStableFunc(all, func(a, b int) int { return in(b) - in(a) })
	require.Greater(t, in(all[n-1]), 1)
	return all[:n]
}

// forms has package grade look at each form of the results.
func (c *classroom) forms(t *testing.T, results string) {
	cmd := exec.Command("go", "test", "-vet=off", "./grade", "-run", "^TestFormsOfClass$", "-results", results)
	out, err := cmd.CombinedOutput()
	assert.NoError(t, err, "%s", out)
}
