package solutions_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/sample"
	"gosched/solutions"
)

// repetitions is how often TestRepeated runs each program on each number of Ps.
const repetitions = 100

// A repeated program must end in one way, whatever the seed.
type repeated struct {
	name  string
	procs []int
	run   func(t *testing.T, way gmp.Options)
}

// TestRepeated runs Go's own programs about channels, the oldest ones of the language and the
// corpus again and again on the newest version, on 1, 2 and 4 Ps, each time with another seed
// and every other time interrupted. Each must do what it does under go. It is for the nightly
// run alone, since a fault that comes up once in a hundred runs is not for every push.
//
// All programs have their turn before the next seed, so a run that is broken off tells
// something about each of them.
func TestRepeated(t *testing.T) {
	if !sample.Whole() {
		t.Skip("it takes long: it is run with " + sample.Env + "=1")
	}
	releases := solutions.Versions()
	v, err := solutions.Go(releases[len(releases)-1])
	require.NoError(t, err)
	all := repeatedCorpus(t, v)
	all = append(all, repeatedGOROOT(t, v, "chan", underGo)...)
	all = append(all, repeatedGOROOT(t, v, "ken", besideIt)...)
	for seed := range uint64(repetitions) {
		way := gmp.Options{Seed: seed + 1}
		if seed%2 == 1 {
			way.Slice = int64(1 + 37*seed%1009)
		}
		t.Run(fmt.Sprintf("seed=%d", way.Seed), func(t *testing.T) {
			for _, p := range all {
				for _, way.Procs = range p.procs {
					t.Run(fmt.Sprintf("%s/procs=%d", p.name, way.Procs), func(t *testing.T) { p.run(t, way) })
				}
			}
		})
	}
}

// repeatedCorpus is the corpus, without what it does not do on v; see TestCorpus.
func repeatedCorpus(t *testing.T, v gmp.Version) []repeated {
	programs, err := programs()
	require.NoError(t, err)
	var all []repeated
	for _, p := range programs {
		if ofTime(p) || unlike[v.Name+"/"+p.name] != "" {
			continue
		}
		all = append(all, repeated{p.name, corpusProcs(v, p), func(t *testing.T, way gmp.Options) {
			if inTurns[p.name] { // an interruption lets others run in between, and then it does something else, under go, too
				way.Slice = 0
			}
			out, _ := play(t, v, p.prog, way, (*gmp.Sched).Main)
			assert.Equal(t, p.want, out)
		}})
	}
	return all
}

// repeatedGOROOT is the programs of a folder of $GOROOT/test that are in; see likeGOROOT.
func repeatedGOROOT(t *testing.T, v gmp.Version, folder string, expected func(t *testing.T, path string) ending) []repeated {
	in, _ := readList(t, "testdata/goroot_"+folder+".txt")
	paths, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "test", folder, "*.go"))
	require.NoError(t, err)
	var all []repeated
	for _, path := range paths {
		if !in[filepath.Base(path)] {
			continue
		}
		prog, err := compileGOROOT(path)
		require.NoError(t, err)
		all = append(all, repeated{folder + "/" + filepath.Base(path), procs(v), likeEnding(v, prog, expected(t, path))})
	}
	return all
}

// likeEnding runs prog on v, and wants it to end so.
func likeEnding(v gmp.Version, prog *machine.Program, want ending) func(t *testing.T, way gmp.Options) {
	return func(t *testing.T, way gmp.Options) {
		way.Budget = gorootBudget
		_, _, got := run(t, v, prog, way, (*gmp.Sched).Main)
		assert.Equal(t, want, got)
	}
}
