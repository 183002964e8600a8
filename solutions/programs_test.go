package solutions_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
)

// The programs of chapter 18 print what they print under Go: on simulated CPUs, so that no time
// limit of theirs passes because the computer is busy. With GOSCHED_UPDATE=1 it runs them under
// Go and records that.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("../chapters/ch18_whole/programs/*.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		if name == "goexit" { // it ends with a fatal error; a check of the chapter plays it
			continue
		}
		recorded := filepath.Join("testdata", "programs", name+".golden")
		if os.Getenv("GOSCHED_UPDATE") != "" {
			out, err := exec.Command("go", "run", file).Output()
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(recorded, out, 0o644))
		}
		want, err := os.ReadFile(recorded)
		require.NoError(t, err)
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		prog, err := compile.Compile([]machine.File{{Name: filepath.Base(file), Source: string(source)}})
		require.NoError(t, err)
		for _, release := range solutions.Versions() {
			t.Run(name+"/"+release, func(t *testing.T) {
				v, err := solutions.Go(release)
				require.NoError(t, err)
				var out bytes.Buffer
				s, err := gmp.New(v, prog, gmp.Options{Procs: 3, Check: true, Machine: machine.Options{Stdout: &out, Network: machine.OwnNetwork, MemBytes: 32 << 20}})
				require.NoError(t, err)
				var res gmp.Result
				_, err = sim.Run(sim.Options{CPUs: 2, Seed: 1, Limit: 10 * sim.Second}, func() { res = s.Main() })
				require.NoError(t, err)
				require.NoError(t, res.Err)
				assert.Equal(t, string(want), out.String())
			})
		}
	}
}
