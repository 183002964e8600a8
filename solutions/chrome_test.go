package solutions_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/sample"
	"gosched/chapters/trace"
	"gosched/chapters/trace/chrometest"
)

// TestChromeOfRuns exports the logs of real runs, undisturbed and interrupted:
// the programs of the chapters, and those of the corpus that sleep.
func TestChromeOfRuns(t *testing.T) {
	var paths []string
	for _, pattern := range []string{"../chapters/ch*/programs/*.go", corpus + "/time/*.go"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		paths = append(paths, found...)
	}
	v := goVersion(t, "0.x")
	for row, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, err := os.ReadFile(path)
			require.NoError(t, err)
			prog, err := compile.Compile([]machine.File{{Name: filepath.Base(path), Source: string(src)}})
			require.NoError(t, err)
			for _, slice := range sample.Deal(row, 1, []int64{0, 101}) {
				s, err := gmp.New(v, prog, gmp.Options{Machine: machine.Options{MemBytes: 32 << 20}, Trace: true, Slice: slice, Budget: sample.Of[int64](20_000, 50_000, 200_000)})
				require.NoError(t, err)
				var b bytes.Buffer
				require.NoError(t, trace.WriteChrome(&b, s.Main().Log))
				assert.NotEmpty(t, chrometest.Read(t, b.Bytes()).TraceEvents)
			}
		})
	}
}
