package compile_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestFlagUsage: the embedded package flag says what Go's says, on both outputs
// and with its exit status, whatever the arguments.
func TestFlagUsage(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	const name = "std_flag_usage"
	prog := compileFile(t, name)
	bin := filepath.Join(buildAll(t, []string{name}), name)
	for _, args := range []string{
		"", "-h", "--help", "-x", "-x -n 5 rest", "-x=0 --deep=f", "-deep=maybe", "-n", "-n x", "-n=", "-n 1_000", "-n 0x",
		"-n 9223372036854775808", "-zero -0b11", "-who", "-who= -empty -x", "-missing", "-missing=3", "---x", "-=x", "--=x",
		"- -x", "-- -x", "-h=1", "-x -x -help", "-x=", "word -bad",
	} {
		argv := append([]string{"prog"}, strings.Fields(args)...)
		cmd := &exec.Cmd{Path: bin, Args: argv}
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil {
			require.ErrorAs(t, err, new(*exec.ExitError))
		}
		got, err := run(prog, 1<<20, 0, argv...)
		require.NoError(t, err)
		got.Steps = 0
		want := outcome{Stdout: stdout.String(), Stderr: stderr.String(), Exit: cmd.ProcessState.ExitCode()}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("prog %s: differs from Go (-go +machine):\n%s", args, diff)
		}
	}
}
