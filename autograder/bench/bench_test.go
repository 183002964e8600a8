package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/sample"
	"gosched/solutions"
)

// The cost is the median of the differences, whatever the start takes; the ratio is
// that of what was run in the same round; Go's and ours are run in turns.
func TestMeasure(t *testing.T) {
	var order []string
	runner := func(name string, start float64, costs ...float64) Runner {
		calls := 0
		return func(ctx context.Context, n int) (float64, error) {
			order = append(order, name)
			cost := costs[calls/2]
			calls++
			return start + float64(n)*cost, nil
		}
	}
	made := func(ctx context.Context, p Program, at Setting) ([]Runner, Runner, error) {
		switch {
		case p.Name == "refused":
			return nil, nil, errors.New("goto is not supported")
		case p.Name == "busy":
			return []Runner{runner("busy", 0, 0, 0, 0), runner("busy", 0, 1, 1, 1)}[:len(at.Versions)], runner("busy", 0, 1, 1, 1), nil
		}
		if p.Name == "preempt" {
			assert.Equal(t, []string{"1.1"}, at.Versions)
		}
		ours := []Runner{runner("ours", 7000, 30, 900, 10), runner("newer", 7000, 120, 90, 6)}
		return ours[:len(at.Versions)], runner("go", 500, 60, 100, 20), nil
	}
	list := []Program{{Name: "yield", N: 10}, {Name: "refused", OneP: true}, {Name: "busy", N: 10, OneP: true}, {Name: "sieve", N: 10, Whole: true, OneP: true}, {Name: "parked", N: 10, Memory: true, OneP: true}, {Name: "blocking", N: 10, ManyPs: true}, {Name: "preempt", N: 10, Prints: true, OneP: true, Since: "1.1"}, {Name: "later", OneP: true, Since: "1.14"}}
	report, err := Measure(context.Background(), list, []Setting{{1, []string{"0.x", "1.1"}}, {2, []string{"1.1"}}}, 3, made)
	require.NoError(t, err)
	assert.Equal(t, []Row{
		{"yield", "0.x", 1, false, 30, 60, 0.5}, {"yield", "1.1", 1, false, 90, 60, 0.9},
		{"sieve", "0.x", 1, false, 300, 600, 0.5}, {"sieve", "1.1", 1, false, 900, 600, 0.9},
		{"parked", "0.x", 1, true, 30, 60, 0.5}, {"parked", "1.1", 1, true, 90, 60, 0.9},
		{"preempt", "1.1", 1, false, 7300, 1100, 6.636},
		{"yield", "1.1", 2, false, 30, 60, 0.5}, {"blocking", "1.1", 2, false, 30, 60, 0.5},
	}, report.Rows)
	assert.Equal(t, strings.Fields("go go ours ours newer newer go go ours ours newer newer"), order[:12])
	assert.Equal(t, []Skipped{{"refused", 1, "goto is not supported"}, {"busy", 1, "the computer is too busy: twice the work cost no more"}}, report.Skipped)

	report.Rows, report.Skipped = []Row{report.Rows[0], report.Rows[4]}, nil
	var out bytes.Buffer
	require.NoError(t, report.WriteJSON(&out))
	assert.Equal(t, `{"schema":"gosched/bench/v1","rows":[{"name":"yield","version":"0.x","procs":1,"ours_ns":30,"go_ns":60,"ratio":0.5},{"name":"parked","version":"0.x","procs":1,"ours_bytes":30,"go_bytes":60,"ratio":0.5}]}`,
		strings.NewReplacer("\n", "", " ", "").Replace(out.String()))

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = Measure(ctx, []Program{{Name: "refused"}}, []Setting{{1, []string{"0.x"}}}, 3, made)
	assert.ErrorIs(t, err, context.Canceled)
}

// The simulator is measured by what it did, which is the same each time, and the time
// that it took.
func TestMeasureSimulator(t *testing.T) {
	for name, run := range map[string]func() (int64, error){"accesses": runAccesses, "turns": runTurns} {
		n, err := run()
		require.NoError(t, err)
		assert.Greater(t, n, int64(500_000), name)
		again, err := run()
		require.NoError(t, err)
		assert.Equal(t, n, again, name)
	}
	speed, err := MeasureSimulator(1)
	require.NoError(t, err)
	assert.Positive(t, speed.AccessesPerSec)
	assert.Positive(t, speed.TurnsPerSec)
}

// Every program runs to its end on our scheduler, with one P and with more.
func TestPrograms(t *testing.T) {
	versions := map[int]gmp.Version{}
	for procs, release := range map[int]string{1: "0.x", 2: "1.1"} {
		version, err := solutions.Go(release)
		require.NoError(t, err)
		versions[procs] = version
	}
	for _, p := range Programs() {
		for procs, version := range versions {
			if p.ManyPs && procs == 1 {
				continue
			}
			if p.Since != "" {
				var err error
				version, err = solutions.Go(p.Since)
				require.NoError(t, err)
			}
			t.Run(fmt.Sprint(p.Name, "-", procs), func(t *testing.T) {
				p, _, done, err := p.prepared()
				require.NoError(t, err)
				defer done()
				run, err := Ours(p, version, procs)
				require.NoError(t, err)
				took, err := run(context.Background(), 8)
				require.NoError(t, err)
				assert.Positive(t, took)
			})
		}
	}
	_, err := Ours(Program{Name: "bad", Source: "package main\nfunc main() { nothing() }\n"}, versions[1], 1)
	assert.ErrorContains(t, err, "nothing")
	run, err := Ours(Program{Name: "panics", Source: "package main\nfunc main() { panic(\"no\") }\n"}, versions[1], 1)
	require.NoError(t, err)
	_, err = run(context.Background(), 1)
	assert.ErrorContains(t, err, "it ended with status 2")
}

// The same source runs under Go, with as many Ps.
func TestGo(t *testing.T) {
	dir := t.TempDir()
	const procs = `package main

import "runtime"

func main() {
	if runtime.GOMAXPROCS(0) != 3 {
		panic("not 3")
	}
}`
	run, err := Go(context.Background(), Program{Name: "procs", Source: procs}, 3, dir)
	require.NoError(t, err)
	took, err := run(context.Background(), 4)
	require.NoError(t, err)
	assert.Positive(t, took)
	for _, p := range Programs() {
		if p.Memory {
			p, _, done, err := p.prepared()
			require.NoError(t, err)
			defer done()
			run, err := Go(context.Background(), p, 1, dir)
			require.NoError(t, err)
			bytes, err := run(context.Background(), 4)
			require.NoError(t, err)
			assert.Greater(t, bytes, 4*2048.0)
		}
	}
	_, err = Go(context.Background(), Program{Name: "bad", Source: "package main\nfunc main() { nothing() }\n"}, 1, dir)
	assert.ErrorContains(t, err, "undefined: nothing")
}

// Where there are too few descriptors there are fewer connections. A far end stays until the
// near one is closed.
func TestOutside(t *testing.T) {
	p, note, done, err := Program{N: 3, Outside: true, Args: []string{"x"}}.prepared()
	require.NoError(t, err)
	assert.Equal(t, 3, p.N)
	assert.Empty(t, note)
	require.Len(t, p.Args, 2)
	c, err := net.Dial("tcp", p.Args[1])
	require.NoError(t, err)
	done()
	require.NoError(t, c.(*net.TCPConn).CloseWrite())
	_, err = c.Read(make([]byte, 1)) // it comes back only when the far end is closed
	assert.Error(t, err)
	_, err = net.Dial("tcp", p.Args[1])
	assert.Error(t, err)

	p, note, done, err = Program{N: 1 << 30, Outside: true}.prepared()
	require.NoError(t, err)
	defer done()
	assert.Equal(t, (openFiles()-spareFiles)/2, p.N)
	assert.Equal(t, fmt.Sprintf("%d connections instead of %d: a process may open no more than %d files here", 2*p.N, 2<<30, openFiles()), note)
}

// What bench runs is built without what watches over threads, and runs all the same.
func TestChild(t *testing.T) {
	if !sample.Whole() { // it builds everything anew
		out, err := exec.Command("go", "build", "-tags", "unwatched", "gosched/chapters/machine").CombinedOutput()
		require.NoError(t, err, "%s", out)
		return
	}
	binary := filepath.Join(t.TempDir(), "ours.exe")
	out, err := exec.Command("go", "build", "-tags", "unwatched", "-o", binary, "./ours").CombinedOutput()
	require.NoError(t, err, "%s", out)
	yield := Programs()[0]
	cost, err := Child(binary, yield, "0.x", 1)(context.Background(), 10_000)
	require.NoError(t, err)
	assert.Positive(t, cost)
	_, err = Child(binary, yield, "1.6", 1)(context.Background(), 1)
	assert.ErrorContains(t, err, "1.6")
}
