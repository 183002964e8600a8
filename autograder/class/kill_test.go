package class

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/grade"
)

// A process is a batch in a process of its own, so that it can be killed: the test's binary,
// which finds one in its environment.
type process struct {
	Students int
	Base     string
	Out      string
	Shard    Shard
	Stop     int // the number of the grading at which it says so, and goes no further; 0: it ends
}

const processEnv = "GOSCHED_TEST_BATCH"

func TestMain(m *testing.M) {
	if text := os.Getenv(processEnv); text != "" {
		var p process
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			panic(err)
		}
		p.run()
		return
	}
	os.Exit(m.Run())
}

// run runs the batch. It prints "stop" when it has stopped, and at its end the number of gradings.
func (p process) run() {
	var n atomic.Int64
	stopping := func(ctx context.Context, dir string, chapters []string) (*grade.Report, error) {
		switch i := int(n.Add(1)); {
		case i == p.Stop:
			fmt.Println("stop")
			fallthrough
		case p.Stop > 0 && i > p.Stop:
			select {}
		}
		return fake(ctx, dir, chapters)
	}
	b := &Batch{Rows: rows(p.Students), Base: p.Base, Out: p.Out, Shard: p.Shard, Conditions: conditions(), Grade: stopping, Sum: sum, Workers: 4}
	if err := b.Run(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println(n.Load())
}

// start starts the process and returns what it prints.
func (p process) start(t *testing.T) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	text, err := json.Marshal(p)
	require.NoError(t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), processEnv+"="+string(text))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	return cmd, bufio.NewReader(out)
}

// kill runs the process until it stops, and kills it there.
func (p process) kill(t *testing.T) {
	t.Helper()
	cmd, out := p.start(t)
	line, err := out.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "stop\n", line)
	require.NoError(t, cmd.Process.Kill())
	_, err = io.Copy(io.Discard, out)
	require.NoError(t, err)
	assert.Error(t, cmd.Wait())
}

// end runs the process to its end and returns how many it has graded.
func (p process) end(t *testing.T) (graded int) {
	t.Helper()
	cmd, out := p.start(t)
	_, err := fmt.Fscan(out, &graded)
	require.NoError(t, err)
	require.NoError(t, cmd.Wait())
	return graded
}

func results(t *testing.T, out string) int {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(out, resultsDir, "*.json"))
	require.NoError(t, err)
	return len(names)
}

// inOnePiece is the table and the page of the class, graded by one batch that nobody disturbs.
func inOnePiece(t *testing.T, all []Row, base string) (table, page string) {
	t.Helper()
	b := &Batch{Rows: all, Base: base, Out: filepath.Join(t.TempDir(), "whole"), Conditions: conditions(), Grade: fake, Sum: sum}
	require.NoError(t, b.Run(t.Context()))
	c, table := read(t, b.Out)
	text, err := c.page()
	require.NoError(t, err)
	return table, string(text)
}

// TestKill: a batch is killed in the middle and started again. What it had graded it does not
// grade once more, and nothing is lost.
func TestKill(t *testing.T) {
	const students = 500
	all := rows(students)
	base := folders(t, all)
	p := process{Students: students, Base: base, Out: filepath.Join(t.TempDir(), "out"), Stop: 250}
	p.kill(t)
	before := results(t, p.Out)
	assert.GreaterOrEqual(t, before, 240, "it was killed at the 250th")
	assert.Less(t, before, 250)
	p.Stop = 100
	p.kill(t)
	after := results(t, p.Out)
	assert.GreaterOrEqual(t, after, before+90, "and again after a hundred more")
	p.Stop = 0
	assert.Equal(t, students-after, p.end(t), "what was there is not graded again, and everything else is")
	left, err := os.ReadDir(filepath.Join(p.Out, workDir))
	require.NoError(t, err)
	assert.Empty(t, left, "nothing is left of what was killed")
	_, table := read(t, p.Out)
	want, _ := inOnePiece(t, all, base)
	assert.Empty(t, cmp.Diff(want, table))
}

// TestShards: twenty processes grade a class, two of them are killed and run again. The table and
// the page are those of one.
func TestShards(t *testing.T) {
	const students, shards = 200, 20
	all := rows(students)
	base, dir := folders(t, all), t.TempDir()
	shard := func(i int) process {
		return process{Students: students, Base: base, Out: filepath.Join(dir, fmt.Sprint(i)), Shard: Shard{i, shards}}
	}
	killed := map[int]bool{7: true, 20: true}
	var outs []string
	for i := 1; i <= shards; i++ {
		p := shard(i)
		outs = append(outs, p.Out)
		if killed[i] {
			p.Stop = 3
			p.kill(t)
			continue
		}
		p.end(t)
	}
	some, err := Merge(outs, filepath.Join(dir, "some"))
	require.NoError(t, err)
	var missing []string
	for _, row := range all {
		if s := shard(7); s.Shard.Has(row.Student) || shard(20).Shard.Has(row.Student) {
			if _, ok := (store{filepath.Join(dir, "7")}).submission(row); ok {
				continue
			}
			if _, ok := (store{filepath.Join(dir, "20")}).submission(row); ok {
				continue
			}
			missing = append(missing, row.Student)
		}
	}
	assert.NotEmpty(t, missing)
	assert.Equal(t, missing, some.With(Missing), "it says who is missing")

	for i := range killed {
		shard(i).end(t)
	}
	for _, order := range []string{"whole", "again"} {
		_, err = Merge(outs, filepath.Join(dir, order))
		require.NoError(t, err)
		table, err := os.ReadFile(filepath.Join(dir, order, TableFile))
		require.NoError(t, err)
		page, err := os.ReadFile(filepath.Join(dir, order, PageFile))
		require.NoError(t, err)
		wantTable, wantPage := inOnePiece(t, all, base)
		assert.Empty(t, cmp.Diff(wantTable, string(table)))
		assert.True(t, wantPage == string(page), "the page is another")
	}
}
