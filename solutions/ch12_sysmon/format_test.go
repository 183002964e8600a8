//course:omit
package ch12_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	suite "gosched/chapters/ch12_sysmon"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
)

// TestFormat proves that Schedtrace prints lines of the same shape as the installed Go, with
// details and without.
func TestFormat(t *testing.T) {
	dir := t.TempDir()
	src, binary := filepath.Join(dir, "nap.go"), filepath.Join(dir, "nap")
	require.NoError(t, os.WriteFile(src, []byte("package main\n\nimport \"time\"\n\nfunc main() { time.Sleep(30 * time.Millisecond) }\n"), 0o644))
	out, err := exec.Command("go", "build", "-o", binary, src).CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, detailed := range []bool{false, true} {
		cmd := exec.Command(binary)
		cmd.Env = append(os.Environ(), "GOMAXPROCS=2", "GODEBUG=schedtrace=10")
		if detailed {
			cmd.Env[len(cmd.Env)-1] += ",scheddetail=1"
		}
		real, err := cmd.CombinedOutput()
		require.NoError(t, err)

		run, err := suite.Suite.Measure(solutions.Base("ch12"), "hog.go", sim.Options{CPUs: 2, Seed: 1}, func(o *gmp.Options) {
			o.Schedtrace, o.Scheddetail = 10_000_000, detailed
		})
		require.NoError(t, err)
		want := shapes(string(real))
		for shape := range shapes(run.Stderr) {
			assert.Contains(t, want, shape, "details: %v", detailed)
		}
	}
}

var (
	word  = regexp.MustCompile(`\b(\d+|nil|true|false)\b`)
	why   = regexp.MustCompile(`\([^)]*\)`)
	times = regexp.MustCompile(`\d+ms`)
	name  = regexp.MustCompile(`^  ([PMG])\d+:`)
)

// shapes are the lines of a text, with one sign for each value.
func shapes(text string) map[string]bool {
	found := map[string]bool{}
	for line := range strings.Lines(text) {
		line = name.ReplaceAllString(line, "  $1:")
		line = times.ReplaceAllString(line, "0ms")
		line = why.ReplaceAllString(line, "()")
		found[word.ReplaceAllString(line, "_")] = true
	}
	return found
}
