//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/trace"
)

// Programs that say when they are ready, and never end.
var endless = map[string]string{
	"loop":  "package main\n\nfunc main() {\n\tgo func() {}()\n\tprintln(\"ready\")\n\tfor {\n\t}\n}\n",
	"sleep": "package main\n\nimport \"os\"\n\nfunc main() {\n\tprintln(\"ready\")\n\tos.Stdin.Read(make([]byte, 1))\n}\n",
	"write": "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tprintln(\"ready\")\n\tfor {\n\t\tfmt.Println(\"hello\")\n\t}\n}\n",
}

// A run that never ends is ended by a signal: on threads and on simulated CPUs, if it loops, waits for the
// host, or writes where nobody reads; also if the parts are a student's.
func TestSignals(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	binary := filepath.Join(t.TempDir(), "autograder.exe")
	out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	own := buildOwn(t, root, exercisesWith(t, root, writtenChapters()))
	for _, tt := range []struct {
		program, flags string
		sig            syscall.Signal
	}{
		{"loop", "--go 0.x", syscall.SIGINT},
		{"loop", "--go 1.0", syscall.SIGINT},
		{"loop", "--go 1.0 --sim", syscall.SIGTERM},
		{"loop", "--procs 4 --sim", syscall.SIGINT},
		{"sleep", "--go 0.x", syscall.SIGTERM},
		{"sleep", "", syscall.SIGINT},
		{"sleep", "--sim", syscall.SIGINT},
		{"write", "", syscall.SIGTERM},
		{"write", "--sim", syscall.SIGTERM},
	} {
		for _, command := range [][]string{{binary, "play"}, {own}} {
			t.Run(fmt.Sprint(filepath.Base(command[0]), " ", tt.program, " ", tt.flags), func(t *testing.T) {
				stderr, status, log := signalled(t, tt.sig, command, tt.program, strings.Fields(tt.flags))
				assert.Equal(t, 128+int(tt.sig), status)
				assert.Contains(t, stderr, tt.sig.String()+": the run was ended after ")
				assert.Regexp(t, `(?m)^M\d+.* goroutine 1, main\.main \(.*\.go:\d+\)$`, stderr, "it may still be in the write that said that it is ready")
				assert.Contains(t, stderr, "\ngoroutine 1 [")
				assert.NotContains(t, stderr, "gosched/", "of the machine's own goroutines a reader learns nothing")
				assert.Equal(t, trace.End, log.Events[len(log.Events)-1].Kind)
				assert.Equal(t, tt.sig.String(), log.Events[len(log.Events)-1].Text)
			})
		}
	}

	t.Run("nobody reads", func(t *testing.T) {
		name, cmd := playing(t, []string{binary, "play"}, "write", nil)
		stdout, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		stdout.Close()
		_ = cmd.Wait()
		assert.Equal(t, 128+int(syscall.SIGPIPE), cmd.ProcessState.ExitCode())
		assert.FileExists(t, name)
	})
}

// playing is a command that plays one of endless, and the name of its trace.
func playing(t *testing.T, command []string, program string, flags []string) (name string, cmd *exec.Cmd) {
	dir := t.TempDir()
	file, name := filepath.Join(dir, program+".go"), filepath.Join(dir, "run.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(endless[program]), 0o644))
	args := append(append(command[1:len(command):len(command)], flags...), "--trace", name, file)
	cmd = exec.CommandContext(t.Context(), command[0], args...)
	return name, cmd
}

// signalled sends the signal when the program is ready.
func signalled(t *testing.T, sig syscall.Signal, command []string, program string, flags []string) (stderr string, status int, log *trace.Log) {
	name, cmd := playing(t, command, program, flags)
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	defer stdin.Close()
	_, err = cmd.StdoutPipe() // and nobody reads it
	require.NoError(t, err)
	pipe, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	read := bufio.NewReader(pipe)
	for line := ""; line != "ready\n"; {
		line, err = read.ReadString('\n')
		require.NoError(t, err, line)
	}
	require.NoError(t, cmd.Process.Signal(sig))
	rest, err := io.ReadAll(read)
	require.NoError(t, err)
	_ = cmd.Wait()
	text, err := os.ReadFile(name)
	require.NoError(t, err, "%s", rest)
	log, err = trace.Read(bytes.NewReader(text))
	require.NoError(t, err)
	return string(rest), cmd.ProcessState.ExitCode(), log
}
