package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/sample"
	"gosched/solutions"
)

// A fake is a runner whose cost grows evenly, and changes from run to run by a factor.
func fake(start, cost float64, factors ...float64) Runner {
	runs := 0
	return func(ctx context.Context, n int, begin *Begin) (Run, error) {
		begin.Wait()
		f := 1.0
		if len(factors) > 0 {
			f = factors[runs%len(factors)]
		}
		runs++
		return Run{Cost: start + float64(n)*cost*f, CPU: time.Millisecond}, nil
	}
}

// What is measured is what one piece of work costs, whatever the start takes; what cannot be
// measured is skipped, and says why.
func TestMeasure(t *testing.T) {
	made := func(ctx context.Context, p Program, version string, procs int) (Runner, Runner, error) {
		switch {
		case p.Name == "refused":
			return nil, nil, errors.New("goto is not supported")
		case p.Name == "busy":
			return fake(5, 0), fake(5, 1), nil
		case version == "0.x":
			return fake(7000, 30), fake(500, 60), nil
		}
		return fake(7000, 90), fake(500, 60), nil
	}
	list := []Program{{Name: "yield", N: 160}, {Name: "refused", OneP: true}, {Name: "busy", N: 160, OneP: true}, {Name: "sieve", N: 32, Whole: true, OneP: true}, {Name: "parked", N: 160, Memory: true, OneP: true, Rounds: fewest}, {Name: "blocking", N: 160, ManyPs: true}, {Name: "preempt", N: 10, Prints: true, OneP: true, Since: "1.1"}, {Name: "later", OneP: true, Since: "1.14"}}
	report, err := Measure(context.Background(), list, []Setting{{1, []string{"0.x", "1.1"}}, {2, []string{"1.1"}}}, Limit{0.04, 41, time.Minute}, made)
	require.NoError(t, err)
	type row struct {
		name, version string
		procs         int
		a, b          float64
		pairs         int
	}
	var rows []row
	for _, r := range report.Rows {
		rows = append(rows, row{r.Name, r.Version, r.Procs, r.A, r.B, r.Pairs + r.Dropped})
		assert.Equal(t, r.A/r.B, r.Ratio)
		assert.Equal(t, r.Name == "parked", r.Memory)
	}
	for i := range rows { // how busy the computer is decides whether there is one more
		if rows[i].pairs > firstLook {
			rows[i].pairs = firstLook
		}
	}
	assert.Equal(t, []row{
		{"yield", "0.x", 1, 30, 60, 9}, {"yield", "1.1", 1, 90, 60, 9},
		{"sieve", "0.x", 1, 900, 1800, 9}, {"sieve", "1.1", 1, 2700, 1800, 9}, // with 32, less that with 2
		{"parked", "0.x", 1, 30, 60, 6}, {"parked", "1.1", 1, 90, 60, 6},
		{"preempt", "1.1", 1, 7900, 1100, 9},
		{"yield", "1.1", 2, 90, 60, 9}, {"blocking", "1.1", 2, 90, 60, 9},
	}, rows)
	assert.Equal(t, []Skipped{{"refused", 1, "goto is not supported"}, {"busy", 1, "the computer is too busy: more work cost no more"}}, report.Skipped)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = Measure(ctx, []Program{{Name: "refused"}}, []Setting{{1, []string{"0.x"}}}, Limit{}, made)
	assert.ErrorIs(t, err, context.Canceled)
}

// Each number has its unit in its name, and what is compared with another commit has a verdict.
func TestReportJSON(t *testing.T) {
	c := Comparison{Estimate{0.50049, 0.4, 0.6}, 30.04, 60, 9, 1}
	report := Report{Schema: Schema, Rows: []Row{{"yield", "0.x", 1, false, false, c}, {"parked", "0.x", 1, true, false, c}}}
	json := func() string {
		var out bytes.Buffer
		require.NoError(t, report.WriteJSON(&out))
		return strings.NewReplacer("\n", "", " ", "").Replace(out.String())
	}
	assert.Equal(t, `{"schema":"gosched/bench/v2","rows":[{"name":"yield","version":"0.x","procs":1,"ours_ns":30,"go_ns":60,"ratio":0.5,"low":0.4,"high":0.6,"pairs":9,"dropped":1},{"name":"parked","version":"0.x","procs":1,"ours_bytes":30,"go_bytes":60,"ratio":0.5,"low":0.4,"high":0.6,"pairs":9,"dropped":1}]}`, json())
	report.IsAgainst("abc")
	report.Rows = report.Rows[:1]
	assert.Equal(t, `{"schema":"gosched/bench/v2","against":"abc","rows":[{"name":"yield","version":"0.x","procs":1,"ours_ns":30,"old_ns":60,"ratio":0.5,"low":0.4,"high":0.6,"pairs":9,"dropped":1,"verdict":"faster"}]}`, json())
}

// The simulator is measured by what it did, which is the same each time, and the time
// that it took.
func TestMeasureSimulator(t *testing.T) {
	for name, run := range map[string]func() (int64, error){"accesses": runAccesses, "turns": runTurns} {
		n, err := run()
		require.NoError(t, err)
		assert.Greater(t, n, int64(1000), name)
		again, err := run()
		require.NoError(t, err)
		assert.Equal(t, n, again, name)
	}
	speed, err := MeasureSimulator(1)
	require.NoError(t, err)
	assert.Positive(t, speed.AccessesPerSec)
	assert.Positive(t, speed.TurnsPerSec)
}

// What a goroutine takes beside its stack of 2 KiB, the simulator's lines included, is
// not more than 1.2 KiB. Few goroutines share what the CPUs take, so it is the difference
// that counts.
func TestMeasureCrowd(t *testing.T) {
	version, err := solutions.Go("1.26")
	require.NoError(t, err)
	measure := func(n int) float64 {
		crowd, err := MeasureCrowd(version, 8, n)
		require.NoError(t, err)
		assert.Equal(t, n, crowd.Goroutines)
		assert.Positive(t, crowd.Sec)
		return crowd.Bytes * float64(n)
	}
	each := (measure(9_000) - measure(3_000)) / 6_000
	assert.Greater(t, each, 2048.0)
	assert.Less(t, each, 2048+1.2*1024)
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
				run, err := Ours(p, version, procs, func() {})
				require.NoError(t, err)
				took, err := run(context.Background(), 8)
				require.NoError(t, err)
				assert.Positive(t, took)
			})
		}
	}
	_, err := Ours(Program{Name: "bad", Source: "package main\nfunc main() { nothing() }\n"}, versions[1], 1, func() {})
	assert.ErrorContains(t, err, "nothing")
	run, err := Ours(Program{Name: "panics", Source: "package main\nfunc main() { panic(\"no\") }\n"}, versions[1], 1, func() {})
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
	ran, err := run(context.Background(), 4, now())
	require.NoError(t, err)
	assert.Positive(t, ran.Cost)
	for _, p := range Programs() {
		if p.Memory {
			p, _, done, err := p.prepared()
			require.NoError(t, err)
			defer done()
			run, err := Go(context.Background(), p, 1, dir)
			require.NoError(t, err)
			ran, err := run(context.Background(), 4, now())
			require.NoError(t, err)
			assert.Greater(t, ran.Cost, 4*2048.0)
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
	assert.Equal(t, openFiles()-spareFiles, p.N)
	assert.Equal(t, fmt.Sprintf("%d connections instead of %d: a process may open no more than %d files here", p.N, 1<<30, openFiles()), note)
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
	ran, err := Child(binary, yield, "0.x", 1)(context.Background(), 10_000, now())
	require.NoError(t, err)
	assert.Positive(t, ran.Cost)
	_, err = Child(binary, yield, "1.6", 1)(context.Background(), 1, now())
	assert.ErrorContains(t, err, "1.6")
	_, err = Child(binary, Program{Name: "unknown"}, "0.x", 1)(context.Background(), 1, now())
	assert.EqualError(t, err, `bench has no program "unknown"`)
}

// now is for a process that waits for no other.
func now() *Begin {
	var all sync.WaitGroup
	all.Add(1)
	return &Begin{CPU: -1, all: &all}
}

// A process that says it is ready waits until the other one is. One that does not, since it
// is of an old commit, or that fails, keeps none waiting. What it prints must be a number.
func TestReady(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no descriptors can be handed over on this system")
	}
	script := filepath.Join(t.TempDir(), "ours")
	run := func(text string, begin *Begin) (Run, error) {
		require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\n"+text+"\n"), 0o755))
		return Child(script, Program{Name: "p"}, "1.0", 1)(context.Background(), 7, begin)
	}
	var all sync.WaitGroup
	all.Add(2)
	begun := filepath.Join(t.TempDir(), "begun")
	go func() {
		for { // until it is ready
			if _, err := os.Stat(begun + ".ready"); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		_, err := os.Stat(begun)
		assert.Error(t, err, "it began alone")
		all.Done()
	}()
	ran, err := run(`touch `+begun+`.ready; exec 3>&-; read x <&4; touch `+begun+`; echo $4`, &Begin{CPU: -1, all: &all})
	require.NoError(t, err)
	assert.FileExists(t, begun)
	assert.Equal(t, 7.0, ran.Cost)
	// One that is not ready yet is waited for: here until it ends.
	begin := now()
	var watcher sync.WaitGroup
	watcher.Go(func() {
		begin.all.Wait()
		_, err := os.Stat(begun + ".ended")
		assert.NoError(t, err, "it was not waited for")
	})
	_, err = run(`sleep 0.2; touch `+begun+`.ended; echo 1`, begin)
	require.NoError(t, err)
	watcher.Wait()
	ran, err = run(`echo 12`, now())
	require.NoError(t, err)
	assert.Equal(t, 12.0, ran.Cost)
	_, err = run(`echo no >&2; exit 1`, now())
	assert.EqualError(t, err, "no")
	_, err = run(`echo 1 2`, now())
	assert.EqualError(t, err, `a program should print what it cost, a single number, and printed "1 2\n"`)
}
