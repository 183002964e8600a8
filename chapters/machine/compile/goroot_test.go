package compile_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
)

// notYet are Go's own channel programs that do not compile, and why.
var notYet = map[string]string{
	"doubleselect.go": "package flag is not supported yet",
	"nonblock.go":     "undefined: time.Tick",
	"perm.go":         "receive from send-only channel", // it tests the errors of a compiler
	"select2.go":      "undefined: runtime.ReadMemStats",
	"select5.go":      "package text/template is not supported yet", // it generates programs
}

// TestGOROOTChan runs the programs of $GOROOT/test/chan. Each is silent and
// exits with 0 if all is well.
func TestGOROOTChan(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "test/chan/*.go"))
	require.NoError(t, err)
	if len(paths) == 0 {
		t.Skip("this Go has no directory test")
	}
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(path)
			require.NoError(t, err)
			prog, err := compile.Compile([]machine.File{{Name: name, Source: string(src)}})
			if why, ok := notYet[name]; ok {
				assert.ErrorContains(t, err, why)
				return
			}
			require.NoError(t, err)
			for _, quantum := range []int64{0, 997} {
				o, err := run(prog, 256<<20, quantum)
				require.NoError(t, err)
				assert.Zero(t, o.Exit, "%s", o.Failed)
				assert.Empty(t, o.Stdout)
			}
		})
	}
}
