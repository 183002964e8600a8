package solutions_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
)

// The corpus of the compiler has, beside each program, what it does under the
// installed Go: exit status, panic line, frames of the panicking goroutine, and
// standard output. Here every playable version must do the same, undisturbed and
// interrupted: what a program does does not depend on who schedules it.
const corpus = "../chapters/machine/compile/testdata/corpus"

func TestCorpus(t *testing.T) {
	eachProgram(t, func(t *testing.T, v gmp.Version, prog *machine.Program, want string) {
		t.Parallel()
		for _, slice := range []int64{0, 1009} {
			out, _ := play(t, v, prog, slice, (*gmp.Sched).Main)
			assert.Equal(t, want, out, "slice of %d instructions", slice)
		}
	})
}

// The programs do the same on simulated CPUs. There each of their instructions takes
// its time, and the same seed gives the same times.
func TestCorpusOnSimulatedCPUs(t *testing.T) {
	eachProgram(t, func(t *testing.T, v gmp.Version, prog *machine.Program, want string) {
		var reports []sim.Report
		for range 2 {
			out, res := play(t, v, prog, 0, func(s *gmp.Sched) (res gmp.Result) {
				report, err := sim.Run(sim.Options{CPUs: 2, Seed: 1}, func() { res = s.Main() })
				require.NoError(t, err)
				reports = append(reports, report)
				return res
			})
			assert.Equal(t, want, out)
			assert.Equal(t, res.Instructions, reports[0].Instructions)
		}
		assert.Equal(t, reports[0], reports[1])
		assert.Greater(t, reports[0].Elapsed, time.Duration(reports[0].Instructions))
	})
}

// eachProgram is a subtest for each program and version; want is what it must do, as
// play says it.
func eachProgram(t *testing.T, test func(t *testing.T, v gmp.Version, prog *machine.Program, want string)) {
	paths, err := filepath.Glob(corpus + "/*.go")
	require.NoError(t, err)
	packages, err := filepath.Glob(corpus + "/*/*.go") // the programs of a package's own folder
	require.NoError(t, err)
	paths = append(paths, packages...)
	require.NotEmpty(t, paths)
	for _, release := range solutions.Versions() {
		v, err := solutions.Go(release)
		require.NoError(t, err)
		for _, path := range paths {
			name := strings.TrimSuffix(filepath.Base(path), ".go")
			t.Run(release+"/"+name, func(t *testing.T) {
				want, err := os.ReadFile(strings.TrimSuffix(path, ".go") + ".golden")
				require.NoError(t, err)
				src, err := os.ReadFile(path)
				require.NoError(t, err)
				prog, err := compile.Compile([]machine.File{{Name: name + ".go", Source: string(src)}})
				require.NoError(t, err)
				test(t, v, prog, withoutFrames(string(want)))
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
func play(t *testing.T, v gmp.Version, prog *machine.Program, slice int64, main mainFunc) (string, gmp.Result) {
	_, res, got := run(t, v, prog, gmp.Options{Slice: slice}, main)
	fatal, _, _ := strings.Cut(res.Fatal, "\n")
	return fmt.Sprintf("exit %d\n%s\n%s", got.status, fatal, got.stdout), res
}
