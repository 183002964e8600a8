package solutions_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/machine/sim"
	"gosched/chapters/sample"
	"gosched/solutions"
)

// The corpus of the compiler has, beside each program, what it does under the
// installed Go: exit status, panic line, frames of the panicking goroutine, and
// standard output. Here every playable version must do the same, undisturbed and
// interrupted: what a program does does not depend on who schedules it.
const corpus = "../chapters/machine/compile/testdata/corpus"

func TestCorpus(t *testing.T) {
	eachProgram(t, func(t *testing.T, v gmp.Version, p program) {
		if v.Threads != nil && ofTime(p) {
			t.Skip("it counts on who is first by some milliseconds; where time is real, threads may be later than that")
		}
		t.Parallel()
		var ways []gmp.Options
		for _, procs := range corpusProcs(v, p) {
			for _, slice := range []int64{0, 1009} {
				ways = append(ways, gmp.Options{Procs: procs, Slice: slice})
			}
		}
		for _, way := range sample.Deal(p.row, 1, ways) {
			out, _ := play(t, v, p.prog, way, (*gmp.Sched).Main)
			assert.Equal(t, p.want, out, "%d Gs at once, slice of %d instructions", way.Procs, way.Slice)
		}
	})
}

// The programs that use the network do the same on the machine's own, on threads. Above
// they had that of the host, if it has one, and on simulated CPUs they have the machine's.
func TestCorpusOnOwnNetwork(t *testing.T) {
	eachProgram(t, func(t *testing.T, v gmp.Version, p program) {
		if !p.net {
			return
		}
		t.Parallel()
		for _, procs := range corpusProcs(v, p) {
			out, _ := play(t, v, p.prog, gmp.Options{Procs: procs, Machine: machine.Options{Network: machine.OwnNetwork}}, (*gmp.Sched).Main)
			assert.Equal(t, p.want, out, "%d Gs at once", procs)
		}
	})
}

// ofTime reports whether p counts on who is first by some milliseconds.
func ofTime(p program) bool {
	return strings.HasPrefix(p.name, "time_") || p.name == "context_forms" || p.name == "sync_forms"
}

// The programs do the same on simulated CPUs. There each of their instructions takes
// its time, and the same seed gives the same times.
func TestCorpusOnSimulatedCPUs(t *testing.T) {
	eachProgram(t, func(t *testing.T, v gmp.Version, p program) {
		again := slices.Contains(sample.Deal(p.row, 1, solutions.Versions()), v.Name)
		for _, procs := range sample.Deal(p.row, 1, corpusProcs(v, p)) {
			var reports []sim.Report
			for len(reports) == 0 || len(reports) == 1 && again {
				out, res := play(t, v, p.prog, gmp.Options{Procs: procs}, func(s *gmp.Sched) (res gmp.Result) {
					report, err := sim.Run(sim.Options{CPUs: 2, Seed: 1}, func() { res = s.Main() })
					require.NoError(t, err)
					reports = append(reports, report)
					return res
				})
				assert.Equal(t, p.want, out, "%d Gs at once", procs)
				assert.Equal(t, res.Instructions, reports[0].Instructions)
			}
			assert.Equal(t, reports[0], reports[len(reports)-1])
			if procs == 1 {
				assert.Greater(t, reports[0].Elapsed, time.Duration(reports[0].Instructions))
			}
		}
	})
}

// procs is how many Gs shall run at once on v: with one M there is no choice; Go 1.2 is 1.1
// whose Gs can be stopped, and Go 1.5 has another run queue.
func procs(v gmp.Version) []int {
	switch {
	case v.Threads == nil:
		return []int{1}
	case v.Name == "1.2", v.Name == "1.5":
		return []int{4}
	}
	return []int{1, 2, 4}
}

// inTurns are the programs that are right only as long as one goroutine runs at a
// time, as was so when their golden files were made.
var inTurns = map[string]bool{
	// They use variables together without a lock: the race detector says so.
	"bank": true, "go_args": true, "go_basic": true, "go_deepstack": true, "go_goexit": true,
	"go_iface": true, "go_loopvar": true, "go_many": true, "go_nested": true, "go_pingpong": true,
	"go_sum": true, "recover_forms": true,
	// It prints how many goroutines there are, while some are about to end.
	"goexit_defers": true,
	// They print in the order in which goroutines take turns.
	"go_nil_args": true, "go_nil_iface": true, "go_nil_method": true, "go_nil_valmethod": true,
	"sync_forms": true, "chan_forms": true, "defer_goexit_main": true,
}

// corpusProcs is procs for a program of the corpus. Those in the folder blocking wait in
// system calls for each other; an M that does so keeps its right to run, in versions
// without the part Syscalls, so there must be enough of them.
func corpusProcs(v gmp.Version, p program) []int {
	switch {
	case inTurns[p.name]:
		return []int{1}
	case p.blocking:
		return []int{4}
	}
	return procs(v)
}

// unlike are the programs that do something else on a version, with the reason.
var unlike = map[string]string{
	"1.0/time_deadlock_ticker":  "through Go 1.22 a ticker that runs keeps a deadlock from being seen",
	"1.1/time_deadlock_ticker":  "as in 1.0",
	"1.2/time_deadlock_ticker":  "as in 1.0",
	"1.5/time_deadlock_ticker":  "as in 1.0",
	"1.14/time_deadlock_ticker": "as in 1.0",
}

// A program is one of the corpus.
type program struct {
	row      int // among all of them
	name     string
	prog     *machine.Program
	want     string // what it must do, as play says it
	blocking bool   // its goroutines wait in system calls for each other
	net      bool   // it uses the network
}

// programs reads and compiles the corpus, once.
var programs = sync.OnceValues(func() ([]program, error) {
	var all []program
	for _, pattern := range []string{"/*.go", "/*/*.go"} { // a package has a folder of its own
		paths, err := filepath.Glob(corpus + pattern)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			name := strings.TrimSuffix(filepath.Base(path), ".go")
			want, err := os.ReadFile(strings.TrimSuffix(path, ".go") + ".golden")
			if err != nil {
				return nil, err
			}
			src, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			prog, err := compile.Compile([]machine.File{{Name: name + ".go", Source: string(src)}})
			if err != nil {
				return nil, err
			}
			folder := filepath.Base(filepath.Dir(path))
			all = append(all, program{len(all), name, prog, withoutFrames(string(want)), folder == "blocking", folder == "net"})
		}
	}
	return all, nil
})

// eachProgram is a subtest for each program and version.
func eachProgram(t *testing.T, test func(t *testing.T, v gmp.Version, p program)) {
	all, err := programs()
	require.NoError(t, err)
	require.NotEmpty(t, all)
	for _, release := range solutions.Versions() {
		v, err := solutions.Go(release)
		require.NoError(t, err)
		for _, p := range all {
			t.Run(release+"/"+p.name, func(t *testing.T) {
				if why := unlike[release+"/"+p.name]; why != "" {
					t.Skip(why)
				}
				if p.blocking && v.Threads == nil {
					t.Skip("with one M nobody can help one that waits in a system call")
				}
				test(t, v, p)
			})
		}
	}
}

// withoutFrames drops the third line of a golden file: the listing is the
// router's own and tested there.
func withoutFrames(golden string) string {
	parts := strings.SplitN(golden, "\n", 4)
	return strings.Join([]string{parts[0], parts[1], parts[3]}, "\n")
}

// play runs prog and returns what it did, in the form of a golden file.
func play(t *testing.T, v gmp.Version, prog *machine.Program, opt gmp.Options, main mainFunc) (string, gmp.Result) {
	_, res, got := run(t, v, prog, opt, main)
	fatal, _, _ := strings.Cut(res.Fatal, "\n")
	return fmt.Sprintf("exit %d\n%s\n%s", got.status, fatal, got.stdout), res
}
