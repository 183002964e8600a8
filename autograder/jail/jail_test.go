package jail

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// program is the binary of testdata/child, which does what its first argument says.
var program string

func TestMain(m *testing.M) {
	Launch()
	os.Exit(withProgram(m))
}

func withProgram(m *testing.M) int {
	dir, err := os.MkdirTemp("", "gosched-jail-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "child")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.Command("go", "build", "-o", program, "./testdata/child")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "the child does not build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// longest is how long a child may take that ends by itself. It only ends what hangs.
const longest = 5 * time.Minute

// run runs program with c's settings, and returns what it printed, too.
func run(t *testing.T, c Child, args ...string) (string, End) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	var out bytes.Buffer
	c.Path, c.Args, c.Output = program, args, &out
	end, err := c.Run(ctx)
	require.NoError(t, err)
	require.NoError(t, ctx.Err(), "the child did not end by itself; it printed:\n%s", out.String())
	return strings.TrimSpace(out.String()), end
}

func TestEnds(t *testing.T) {
	_, end := run(t, Child{}, "status", "7")
	assert.Equal(t, End{Code: 7}, end)
	out, end := run(t, Child{}, "crash")
	assert.Equal(t, End{Code: 2}, end)
	assert.Contains(t, out, "panic: on purpose")
	assert.False(t, end.OK())
}

func TestNoSuchBinary(t *testing.T) {
	_, err := Child{Path: filepath.Join(t.TempDir(), "none")}.Run(context.Background())
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// Of the environment a child sees what it is given, and nothing else.
func TestEnvironment(t *testing.T) {
	t.Setenv("GOSCHED_SECRET", "1")
	out, _ := run(t, Child{Env: []string{"GOSCHED_GIVEN=1"}}, "environment")
	out = strings.Replace(out, " SYSTEMROOT", "", 1) // without it no program runs on Windows
	assert.Equal(t, "done: [GOMAXPROCS GOSCHED_GIVEN HOME TEMP TMP TMPDIR TZ]", out)
}

func TestInputIsEmpty(t *testing.T) {
	out, _ := run(t, Child{}, "input")
	assert.Equal(t, "done: 0", out)
}

// The temporary folder is the working folder, too, and is gone afterwards, even if there is a
// folder in it that cannot be entered.
func TestTemporaryFolder(t *testing.T) {
	out, _ := run(t, Child{}, "where")
	where := strings.TrimPrefix(out, "done: ")
	assert.NoDirExists(t, where)
	out, _ = run(t, Child{}, "temp")
	temp := strings.TrimPrefix(out, "done: ")
	assert.True(t, filepath.IsAbs(temp), temp)
	assert.NoDirExists(t, temp)
	assert.NotEqual(t, where, temp, "each child has one of its own")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	out, _ = run(t, Child{Dir: dir}, "where")
	assert.Equal(t, "done: "+dir, out)
}

// A child may not fill the disk, on any system.
func TestDisk(t *testing.T) {
	_, end := run(t, Child{Limits: Limits{Disk: 20 << 20}}, "fill")
	assert.Equal(t, "space on the disk", end.Excess)
	assert.False(t, end.OK())
}

// What a child prints may be endless: it runs until its time is over, and then ends.
func TestEndlessOutput(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out := &countdown{left: 10 << 20, zero: cancel}
	end, err := Child{Path: program, Args: []string{"print"}, Output: out}.Run(ctx)
	require.NoError(t, err)
	assert.False(t, end.OK())
	assert.Negative(t, out.left)
}

// A countdown calls a function when so many bytes have been written to it.
type countdown struct {
	left int
	zero func()
}

func (c *countdown) Write(p []byte) (int, error) {
	if c.left -= len(p); c.left < 0 {
		c.zero()
	}
	return len(p), nil
}

// A slow is a writer to which everything comes late, as on a very busy computer.
type slow struct{ bytes int }

func (s *slow) Write(p []byte) (int, error) {
	time.Sleep(100 * time.Millisecond)
	s.bytes += len(p)
	return len(p), nil
}

// What a child prints right before its end arrives, however long that takes.
func TestLateOutput(t *testing.T) {
	const much = 60_000 // less than a pipe holds, and more than is read at a time
	var out slow
	end, err := Child{Path: program, Args: []string{"much", strconv.Itoa(much)}, Output: &out}.Run(t.Context())
	require.NoError(t, err)
	assert.True(t, end.OK())
	assert.Equal(t, len("done: \n")+much, out.bytes)
}
