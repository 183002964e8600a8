// Package figures is for its tests, which prove what a page of the book says about its
// figures. Each figure is a run of a program on our scheduler, or under the installed Go.
//
// The folders chNN have the programs that make figures of a chapter's page.
package figures

import (
	"bytes"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/solutions"
)

// root is the root of the repository, seen from this folder, where the tests run.
const root = "../.."

// Version is the reference scheduler of a version of Go, such as "1.1", or of the exercise
// of a chapter, such as "ch08". The test ends if there is none.
func Version(t *testing.T, release string) gmp.Version {
	t.Helper()
	v, err := solutions.Go(release)
	require.NoError(t, err)
	return v
}

// A RealRun is a run of a program under the installed Go.
type RealRun struct {
	Stdout, Stderr string
	Status         int
}

// RealGo builds a program with the installed Go and runs it. file begins, as in a page, at
// the root of the repository. Under go test -short it skips the test.
func RealGo(t *testing.T, file string) RealRun {
	t.Helper()
	return BuildReal(t, file)()
}

// BuildReal is RealGo for a program that is to run several times, or with arguments.
func BuildReal(t *testing.T, file string) (run func(args ...string) RealRun) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a program with the installed Go")
	}
	binary := t.TempDir() + "/program.exe"
	out, err := exec.Command("go", "build", "-o", binary, filepath.FromSlash(path.Join(root, file))).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return func(args ...string) RealRun {
		cmd := exec.Command(binary, args...)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		_ = cmd.Run() // its status is part of the result
		return RealRun{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
	}
}

// Source returns the text of a file, which begins, as in a page, at the root of the
// repository.
func Source(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	require.NoError(t, err)
	return string(text)
}
