package main

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// script runs a command in a folder, and returns what it printed and whether it succeeded.
func script(t *testing.T, dir string, env []string, name string, args ...string) (out string, ok bool) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	text, err := cmd.CombinedOutput()
	return string(text), err == nil
}

func needs(t *testing.T, programs ...string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Gradescope and the runners of GitHub are Linux")
	}
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
}

// The archive for Gradescope has what Gradescope looks for at its top, so that it can be run,
// and the course below.
func TestPackGradescope(t *testing.T) {
	needs(t, "bash", "git", "mktemp")
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "autograder/gradescope"), os.DirFS("gradescope")))
	for _, name := range []string{"pack.sh", "setup.sh", "run_autograder"} {
		require.NoError(t, os.Chmod(filepath.Join(dir, "autograder/gradescope", name), 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module gosched\n\ngo 1.26.0\n"), 0o644))
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=ann", "-c", "user.email=ann@example.com", "commit", "-q", "-m", "course"}} {
		out, ok := script(t, dir, nil, "git", args...)
		require.True(t, ok, out)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes"), []byte("not committed"), 0o644))
	extra, err := filepath.Abs("extra/testdata/example")
	require.NoError(t, err)
	out, ok := script(t, t.TempDir(), []string{"CHAPTERS=ch01 ch02", "EXTRA=" + extra}, "bash", filepath.Join(dir, "autograder/gradescope/pack.sh"), filepath.Join(dir, "hw.zip"))
	require.True(t, ok, out)

	archive, err := zip.OpenReader(filepath.Join(dir, "hw.zip"))
	require.NoError(t, err)
	defer archive.Close()
	modes := map[string]os.FileMode{}
	for _, f := range archive.File {
		modes[f.Name] = f.Mode().Perm()
	}
	assert.Equal(t, os.FileMode(0o755), modes["setup.sh"]&0o755)
	assert.Equal(t, os.FileMode(0o755), modes["run_autograder"]&0o755)
	assert.Contains(t, modes, "course/go.mod")
	assert.Contains(t, modes, "course/autograder/gradescope/setup.sh")
	assert.NotContains(t, modes, "course/notes")
	for _, name := range []string{"ch01_goroutine/many.go", "ch07_runq/crowd.go", "ch07_runq/programs/crowd.go"} {
		assert.Contains(t, modes, "extra/"+name, "what EXTRA names")
	}
	f, err := archive.Open("chapters")
	require.NoError(t, err)
	text := make([]byte, 100)
	n, _ := f.Read(text)
	assert.Equal(t, "ch01 ch02\n", string(text[:n]))
}

// run_autograder grades the submission, and leaves no results.json where there is no result, not
// even one of before.
func TestRunGradescope(t *testing.T) {
	needs(t, "bash")
	run := func(t *testing.T, gosched, chapters string, folders ...string) (home, out string, ok bool) {
		home = t.TempDir()
		for _, name := range folders {
			require.NoError(t, os.MkdirAll(filepath.Join(home, name), 0o755))
		}
		for name, text := range map[string]string{
			"bin/gosched": "#!/bin/sh\n" + gosched, "source/chapters": chapters, "results/results.json": `{"score": 0}`,
		} {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(home, name), []byte(text), 0o755))
		}
		name, err := filepath.Abs("gradescope/run_autograder")
		require.NoError(t, err)
		out, ok = script(t, home, []string{
			"GRADESCOPE_HOME=" + home, "RESULT=" + filepath.Join(home, "results/results.json"), "PATH=" + filepath.Join(home, "bin") + ":" + os.Getenv("PATH"),
		}, "bash", name)
		return home, strings.ReplaceAll(out, home, "HOME"), ok
	}
	home, out, ok := run(t, `echo "$@"; echo '{"score": 1}' > "$RESULT"`, "ch01 ch02\n")
	assert.True(t, ok, out)
	assert.Equal(t, "-C HOME/source/course grade --submission HOME/submission --out gradescope=HOME/results/results.json ch01 ch02\n", out)
	text, err := os.ReadFile(filepath.Join(home, "results/results.json"))
	require.NoError(t, err)
	assert.Equal(t, "{\"score\": 1}\n", string(text))

	_, out, ok = run(t, `echo "$@"`, "ch01\n", "source/extra")
	assert.True(t, ok, out)
	assert.Equal(t, "-C HOME/source/course grade --submission HOME/submission --extra HOME/source/extra --out gradescope=HOME/results/results.json ch01\n", out)

	home, out, ok = run(t, `echo "$@" >&2; exit 2`, "\n")
	assert.False(t, ok, "Gradescope is told that it failed")
	assert.True(t, strings.HasSuffix(out, "--out gradescope=HOME/results/results.json\n"), "without chapters all are graded: %s", out)
	assert.NoFileExists(t, filepath.Join(home, "results/results.json"))
}
