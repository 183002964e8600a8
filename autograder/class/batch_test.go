package class

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/grade"
	"gosched/chapters/check"
)

// rows is a roster of n students, each with a folder work/sNNN.
func rows(n int) []Row {
	var all []Row
	for i := range n {
		all = append(all, Row{Student: fmt.Sprintf("s%03d", i), Source: fmt.Sprintf("work/s%03d", i)})
	}
	return all
}

// folders makes the folders of rows below a new folder. The text in each is a number that says
// how good it is; fake grades it by that.
func folders(t *testing.T, rows []Row) (base string) {
	t.Helper()
	base = t.TempDir()
	for i, row := range rows {
		writeSubmission(t, base, row, strconv.Itoa(i))
	}
	return base
}

func writeSubmission(t *testing.T, base string, row Row, text string) {
	t.Helper()
	dir := filepath.Join(base, row.Source)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "submission"), []byte(text), 0o644))
}

// sum and fake stand in for what reads a submission and what grades it.
func sum(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, "submission"))
	return string(text), err
}

func fake(_ context.Context, dir string, _ []string) (*grade.Report, error) {
	text, err := sum(dir)
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return nil, err
	}
	statuses := []check.Status{check.Pass, check.Fail, check.Todo, check.Timeout}
	report := &grade.Report{Schema: grade.Schema, Of: grade.Exercises, Go: "go1.26.8"}
	for i, title := range []string{"Life of a goroutine", "One thread"} {
		ch := grade.Chapter{ID: fmt.Sprintf("ch%02d", i+1), Title: title, OwnStack: grade.OwnNA}
		for j, name := range []string{"status-edges", "free-reuse"} {
			c := grade.Check{ID: ch.ID + "/" + name, Name: name, Points: 5, Status: statuses[(n+n/4*i+j)%4], Property: "It holds."}
			switch c.Status {
			case check.Pass:
				c.Score = c.Points
			case check.Fail:
				c.Message, c.Evidence = fmt.Sprintf("expected 1, found %d\nand more", n%3+2), "a trace\n"
			}
			ch.Score += c.Score
			ch.MaxScore += c.Points
			ch.Checks = append(ch.Checks, c)
		}
		report.Score += ch.Score
		report.MaxScore += ch.MaxScore
		report.Chapters = append(report.Chapters, ch)
	}
	return report, nil
}

// counted counts the gradings of a Grade.
func counted(g Grade) (Grade, *atomic.Int64) {
	var n atomic.Int64
	return func(ctx context.Context, dir string, chapters []string) (*grade.Report, error) {
		n.Add(1)
		return g(ctx, dir, chapters)
	}, &n
}

func conditions() Conditions {
	return Conditions{Suites: "a", Toolchain: "go1.26.8 linux/amd64", Grader: "b"}
}

// newBatch is a batch of n students.
func newBatch(t *testing.T, n int) *Batch {
	t.Helper()
	all := rows(n)
	return &Batch{Rows: all, Base: folders(t, all), Out: filepath.Join(t.TempDir(), "out"), Conditions: conditions(), Grade: fake, Sum: sum}
}

// read returns the class and the table of a folder.
func read(t *testing.T, dir string) (*Class, string) {
	t.Helper()
	c, err := Read(dir)
	require.NoError(t, err)
	table, err := c.table()
	require.NoError(t, err)
	return c, string(table)
}

func TestBatch(t *testing.T) {
	b := newBatch(t, 40)
	b.Rows = append(b.Rows, Row{Student: "zoe", Source: "nowhere"}, Row{Student: "yan", Source: "work/s000/submission"})
	var last Progress
	var gradings *atomic.Int64
	b.Grade, gradings = counted(fake)
	b.Progress = func(p Progress) { last = p }
	require.NoError(t, b.Run(t.Context()))
	assert.EqualValues(t, 40, gradings.Load())
	assert.Equal(t, Progress{Done: 42, Total: 42, Graded: 40}, last)
	c, table := read(t, b.Out)
	assert.Equal(t, "42 students, 40 graded, 2 without a submission", c.Summary())
	lines := strings.Split(table, "\n")
	assert.Equal(t, "student,name,status,points,of,late,due,commit,commit_time,last_commit_in_time,ch01,ch02,message", lines[0])
	assert.Equal(t, "s004,,graded,5,20,,,,,,5,0,", lines[5])
	assert.Equal(t, "zoe,,no_submission,,,,,,,,,,there is no folder nowhere", lines[41])
	assert.Equal(t, "yan,,no_submission,,,,,,,,,,work/s000/submission is not a folder", lines[42])
	key := c.Students[0].Key
	text, err := os.ReadFile(filepath.Join(b.Out, evidenceDir, key, "ch01", "free-reuse.txt"))
	require.NoError(t, err)
	assert.Contains(t, string(text), "a trace")

	t.Run("again", func(t *testing.T) {
		require.NoError(t, b.Run(t.Context()))
		assert.EqualValues(t, 40, gradings.Load(), "nothing is graded twice")
		assert.Equal(t, 0, last.Graded)
		_, same := read(t, b.Out)
		assert.Equal(t, table, same)
	})
	t.Run("edited", func(t *testing.T) {
		writeSubmission(t, b.Base, b.Rows[4], "1000")
		require.NoError(t, b.Run(t.Context()))
		assert.EqualValues(t, 41, gradings.Load(), "who has changed something is graded once more")
	})
	t.Run("a result that cannot be read", func(t *testing.T) {
		require.NoError(t, os.WriteFile(filepath.Join(b.Out, resultFile(key)), []byte("{"), 0o644))
		c, _ := read(t, b.Out)
		assert.Equal(t, []string{"s000"}, c.With(Missing))
		require.NoError(t, b.Run(t.Context()))
		assert.EqualValues(t, 42, gradings.Load())
	})
	t.Run("another's result", func(t *testing.T) {
		other, err := os.ReadFile(filepath.Join(b.Out, resultFile(c.Students[1].Key)))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(b.Out, resultFile(key)), other, 0o644))
		require.NoError(t, b.Run(t.Context()))
		assert.EqualValues(t, 43, gradings.Load(), "a result says whose it is")
	})
	t.Run("another course", func(t *testing.T) {
		b.Conditions.Suites = "new"
		b.Rows = b.Rows[:2]
		require.NoError(t, b.Run(t.Context()))
		assert.EqualValues(t, 45, gradings.Load())
	})
}

// TestKey: each of the conditions makes another result, and two never meet.
func TestKey(t *testing.T) {
	seen := map[string]bool{conditions().Key("x"): true, conditions().Key("y"): true}
	for _, change := range []func(*Conditions){
		func(c *Conditions) { c.Suites = "z" }, func(c *Conditions) { c.Toolchain = "z" }, func(c *Conditions) { c.Grader = "z" },
		func(c *Conditions) { c.Flags = []string{"z"} }, func(c *Conditions) { c.Chapters = []string{"z"} },
	} {
		c := conditions()
		change(&c)
		assert.NotEmpty(t, c.differ(conditions()))
		seen[c.Key("x")] = true
	}
	assert.Len(t, seen, 7)
	assert.Empty(t, conditions().differ(conditions()))
}

// TestSameSubmission: students who have handed in the same are graded once, even if it is their
// turn at once.
func TestSameSubmission(t *testing.T) {
	b := newBatch(t, 8)
	for _, row := range b.Rows {
		writeSubmission(t, b.Base, row, "7")
	}
	var gradings *atomic.Int64
	b.Grade, gradings = counted(fake)
	b.Workers = 8
	require.NoError(t, b.Run(t.Context()))
	assert.EqualValues(t, 1, gradings.Load())
	c, _ := read(t, b.Out)
	assert.Equal(t, 8, c.Count(Graded))
}

// TestInternalError: what fails outside of a submission is tried again when the others are
// through. If it does not get better, it is no result of the student's, and has no points.
func TestInternalError(t *testing.T) {
	broken := func(ctx context.Context, dir string, chapters []string) (*grade.Report, error) {
		report, err := fake(ctx, dir, chapters)
		report.Chapters[1].Checks[0].Status, report.Chapters[1].Checks[0].Message = check.InternalError, "there is no room"
		return report, err
	}
	for _, tt := range []struct {
		what  string
		grade Grade
		says  string
	}{
		{"error", func(context.Context, string, []string) (*grade.Report, error) { return nil, errors.New("disk full") }, "disk full"},
		{"panic", func(context.Context, string, []string) (*grade.Report, error) { panic("no") }, "the grader itself failed: no"},
		{"nothing", func(context.Context, string, []string) (*grade.Report, error) { return nil, nil }, "the grader has no report"},
		{"check", broken, "ch02/status-edges: there is no room"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			b := newBatch(t, 9)
			b.Workers = 1
			var order []string
			fails := 2
			b.Grade = func(ctx context.Context, dir string, chapters []string) (*grade.Report, error) {
				order = append(order, filepath.Base(dir))
				if filepath.Base(dir) == "s004" && fails > 0 {
					fails--
					return tt.grade(ctx, dir, chapters)
				}
				return fake(ctx, dir, chapters)
			}
			require.NoError(t, b.Run(t.Context()))
			assert.Equal(t, []string{"s008", "s004", "s004"}, order[8:], "the others come first")
			c, _ := read(t, b.Out)
			assert.Equal(t, 9, c.Count(Graded))

			fails = 1000
			writeSubmission(t, b.Base, b.Rows[4], "400")
			require.NoError(t, b.Run(t.Context()))
			assert.Equal(t, 997, fails, "it is tried three times")
			c, table := read(t, b.Out)
			assert.Equal(t, []string{"s004"}, c.With(InternalError))
			assert.Contains(t, table, "\ns004,,internal_error,,,,,,,,,,"+tt.says+"\n", "no points are not 0 points")

			fails = 0
			require.NoError(t, b.Run(t.Context()))
			c, _ = read(t, b.Out)
			assert.Equal(t, 9, c.Count(Graded), "the next batch tries it again")
		})
	}
}

// TestUnwritable: if results cannot be kept, the batch ends and says so.
func TestUnwritable(t *testing.T) {
	b := newBatch(t, 50)
	var gradings *atomic.Int64
	b.Workers = 1
	b.Grade, gradings = counted(func(ctx context.Context, dir string, chapters []string) (*grade.Report, error) {
		if err := os.RemoveAll(filepath.Join(b.Out, resultsDir)); err != nil {
			return nil, err
		}
		return fake(ctx, dir, chapters)
	})
	assert.ErrorContains(t, b.Run(t.Context()), "a result cannot be kept")
	assert.EqualValues(t, 1, gradings.Load(), "it does not grade what it cannot keep")
}

func TestInterrupted(t *testing.T) {
	b := newBatch(t, 50)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	b.Workers = 1
	b.Grade = func(ctx context.Context, dir string, chapters []string) (*grade.Report, error) {
		if n++; n == 20 {
			cancel()
			return nil, ctx.Err()
		}
		return fake(ctx, dir, chapters)
	}
	assert.ErrorIs(t, b.Run(ctx), context.Canceled)
	c, _ := read(t, b.Out)
	assert.Equal(t, "50 students, 19 graded, 31 missing", c.Summary(), "an interrupted one has no result")

	b.Conditions.Suites = "new"
	assert.ErrorIs(t, b.Run(ctx), context.Canceled)
	c, _ = read(t, b.Out)
	assert.Equal(t, "50 students, 50 missing", c.Summary(), "a result of the old course is none of the new one")
}

// TestLock: two batches never work in the same folder.
func TestLock(t *testing.T) {
	b, second := newBatch(t, 1), newBatch(t, 1)
	second.Out = b.Out
	b.Grade = func(ctx context.Context, dir string, chapters []string) (*grade.Report, error) {
		assert.ErrorContains(t, second.Run(ctx), fmt.Sprintf("is in use by process %d on ", os.Getpid()))
		c, err := Read(b.Out)
		assert.NoError(t, err, "the table can be seen meanwhile")
		assert.Equal(t, 1, c.Count(Missing))
		return fake(ctx, dir, chapters)
	}
	require.NoError(t, b.Run(t.Context()))
	assert.NoError(t, second.Run(t.Context()), "it is free again")
}

// TestCannotLock: a file system without locks is not somebody else at work.
func TestCannotLock(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "lock"))
	require.NoError(t, err)
	locked, err := tryLock(f)
	assert.True(t, locked)
	assert.NoError(t, err)
	other, err := os.Open(f.Name())
	require.NoError(t, err)
	defer other.Close()
	locked, err = tryLock(other)
	assert.False(t, locked)
	assert.NoError(t, err)
	f.Close()
	locked, err = tryLock(f)
	assert.False(t, locked)
	assert.Error(t, err)
}

// TestRelative: a roster is where it is, but a grader may work in a folder of its own.
func TestRelative(t *testing.T) {
	r := newRepository(t)
	r.commit("2026-03-01T10:00:00Z", "7")
	b := newBatch(t, 2)
	b.Rows = append(b.Rows, Row{Student: "git", Source: r.dir, Ref: "main"})
	t.Chdir(b.Base)
	b.Base, b.Out = ".", "out"
	var relative atomic.Int64
	b.Grade = func(ctx context.Context, dir string, chapters []string) (*grade.Report, error) {
		if !filepath.IsAbs(dir) {
			relative.Add(1)
		}
		return fake(ctx, dir, chapters)
	}
	require.NoError(t, b.Run(t.Context()))
	assert.Zero(t, relative.Load(), "a Grade has got a relative path")
	c, _ := read(t, "out")
	assert.Equal(t, 3, c.Count(Graded), "%v", c.Students)
}

func TestLeft(t *testing.T) {
	assert.Zero(t, left(time.Second, Progress{Done: 100, Total: 500}), "what was known says nothing")
	assert.Equal(t, 200*time.Second, left(50*time.Second, Progress{Done: 300, Graded: 50, Total: 500}))
}

// TestTable: what students and their computers have written stays text in a spreadsheet.
func TestTable(t *testing.T) {
	c := &Class{Students: []Student{
		{Submission: Submission{Row: Row{Student: "=cmd|'/c calc'!A0", Name: `@SUM(1), "x"`}, Status: NoSubmission, Message: "+1\nnew line"}},
		{Submission: Submission{Row: Row{Student: "-ann", Name: "＝1", Due: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}, Status: InternalError, Commit: "c", Late: true}},
	}}
	table, err := c.table()
	require.NoError(t, err)
	assert.Empty(t, cmp.Diff(`student,name,status,points,of,late,due,commit,commit_time,last_commit_in_time,message
'=cmd|'/c calc'!A0,"'@SUM(1), ""x""",no_submission,,,,,,,,"'+1
new line"
'-ann,'＝1,internal_error,,,late,2026-03-01T00:00:00Z,c,,,
`, string(table)))
}

func TestRead(t *testing.T) {
	_, err := Read("nowhere")
	assert.EqualError(t, err, "nowhere has no results of a class: there is no batch.json")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, batchFile), []byte(`{"schema":"x"}`), 0o644))
	_, err = Read(dir)
	assert.ErrorContains(t, err, `is of another version: "x", not "gosched/class/v1"`)
	require.NoError(t, os.WriteFile(filepath.Join(dir, batchFile), []byte(`{`), 0o644))
	_, err = Read(dir)
	assert.ErrorContains(t, err, "cannot be read")
}
