package compile_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/sample"
)

// The corpus is many small programs. Beside each lies what it does under the installed go:
// NAME.golden with its exit status, its panic line, the frames of the goroutine that panicked
// and its standard output. The test runs each on the machine and compares; in full mode it also
// runs a sample under go and compares that with the golden file, so that the golden files
// cannot go stale. Those in sync need more of a scheduler than channels, those in time more
// than the driver here has, and those in blocking wait in system calls for each other, which
// takes more than one M: they run on the scheduler of the course (solutions/corpus_test.go).
var update = flag.Bool("update", false, "write the golden files anew from what the installed go does")

const corpusDir = "testdata/corpus"

// corpus returns the names of the programs.
func corpus(t *testing.T) []string {
	var names []string
	for _, dir := range []string{"", "sync/", "time/", "sys/", "blocking/", "net/"} {
		paths, err := filepath.Glob(corpusDir + "/" + dir + "*.go")
		require.NoError(t, err)
		require.NotEmpty(t, paths)
		for _, p := range paths {
			names = append(names, dir+strings.TrimSuffix(filepath.Base(p), ".go"))
		}
	}
	return names
}

// golden formats an outcome as the golden files have it. What a program prints
// to standard error is not part of it.
func (o outcome) golden() string {
	return fmt.Sprintf("exit %d\n%s\n%s\n%s", o.Exit, o.Failed, strings.Join(o.Trace, " "), o.Stdout)
}

func readGolden(t *testing.T, name string) outcome {
	data, err := os.ReadFile(filepath.Join(corpusDir, name+".golden"))
	require.NoError(t, err, "no golden file: run go test -update")
	parts := strings.SplitN(string(data), "\n", 4)
	require.Len(t, parts, 4)
	exit, err := strconv.Atoi(strings.TrimPrefix(parts[0], "exit "))
	require.NoError(t, err)
	return outcome{Stdout: parts[3], Exit: exit, Failed: parts[1], Trace: strings.Fields(parts[2])}
}

// compiled are the programs that compileFile has compiled, by name.
var compiled sync.Map

// compileFile compiles a program of the corpus; the same one only once.
func compileFile(t *testing.T, name string) *machine.Program {
	if prog, ok := compiled.Load(name); ok {
		return prog.(*machine.Program)
	}
	prog := compileAnew(t, name)
	compiled.Store(name, prog)
	return prog
}

func compileAnew(t *testing.T, name string) *machine.Program {
	return compileBy(t, compile.Compile, name)
}

func compileBy(t *testing.T, compile func([]machine.File) (*machine.Program, error), name string) *machine.Program {
	src, err := os.ReadFile(filepath.Join(corpusDir, name+".go"))
	require.NoError(t, err)
	prog, err := compile([]machine.File{{Name: name + ".go", Source: string(src)}})
	require.NoError(t, err)
	return prog
}

// hungry are the programs that need much memory.
var hungry = map[string]bool{"stackoverflow": true, "stackoverflow2": true, "go_memstats": true}

// drivable are the programs that the driver can run: it has no timers, one thread, and no poller.
func drivable(t *testing.T) []string {
	return slices.DeleteFunc(corpus(t), func(name string) bool {
		return strings.HasPrefix(name, "time/") || strings.HasPrefix(name, "blocking/") || strings.HasPrefix(name, "net/")
	})
}

// TestCorpus runs the corpus on the machine: once undisturbed, then with a new
// stack at the next prologue after every few instructions, or at every prologue if the
// program is short. That must change nothing.
func TestCorpus(t *testing.T) {
	for _, name := range drivable(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runCorpus(t, name, compileFile(t, name))
		})
	}
}

// TestCorpusInlined runs programs of the corpus with all calls of small functions replaced, also
// of their own, and more generously: that must change nothing either, in no listing.
func TestCorpusInlined(t *testing.T) {
	names := drivable(t)
	some := sample.Deal(0, len(names)/4, names)
	for _, name := range names {
		if !strings.HasPrefix(name, "traces") && !slices.Contains(some, name) {
			continue // listings show what was replaced
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runCorpus(t, name, compileBy(t, compile.CompileInlining, name))
		})
	}
}

// runCorpus runs prog, and compares what it does with the golden file of that name.
func runCorpus(t *testing.T, name string, prog *machine.Program) {
	want := readGolden(t, name)
	memory := int64(2 << 20) // to clear it costs more than a small program does
	if hungry[name] {
		memory = 32 << 20
	}
	const short = 4_000
	quantum := int64(0)
	for range 2 {
		got, err := run(prog, memory, quantum)
		require.NoError(t, err)
		steps := got.Steps
		got.Stderr, got.Steps = "", 0
		got.Failed, _, _ = strings.Cut(got.Failed, "\n")
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("quantum %d: differs from Go (-go +machine):\n%s", quantum, diff)
		}
		quantum = 1 + steps/short
	}
}

// goSample is one of how many programs of the corpus TestGo runs: to link each takes long.
const goSample = 10

// TestGo runs programs of the corpus under the installed go and compares with the golden
// files, or writes them.
func TestGo(t *testing.T) {
	if testing.Short() && !*update && os.Getenv("GOSCHED_DIFF") == "" {
		t.Skip("runs the go command")
	}
	names := corpus(t)
	if !*update {
		names = sample.Deal(0, len(names)/goSample, names)
	}
	bin := buildAll(t, names)
	var group errgroup.Group
	group.SetLimit(2)
	want, got := make([]outcome, len(names)), make([]outcome, len(names))
	for i, name := range names {
		if !*update {
			want[i] = readGolden(t, name)
		}
		group.Go(func() error {
			var err error
			for tries := triesOf(name); tries > 0; tries-- {
				got[i], err = runGo(filepath.Join(bin, filepath.Base(name)))
				if err != nil || *update || cmp.Equal(want[i], got[i], cmpopts.EquateEmpty()) {
					break
				}
			}
			return err
		})
	}
	require.NoError(t, group.Wait())
	for i, name := range names {
		if *update {
			path := filepath.Join(corpusDir, name+".golden")
			require.NoError(t, os.WriteFile(path, []byte(got[i].golden()), 0o644))
			continue
		}
		if diff := cmp.Diff(want[i], got[i], cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s.golden is stale (-golden +go):\n%s", name, diff)
		}
	}
}

// triesOf is how often real Go may try to do what the golden file says. A program
// that sleeps is only right if the computer lets it run in time; a busy one may
// not, once and again.
func triesOf(name string) int {
	if strings.HasPrefix(name, "time/") {
		return 10
	}
	return 1
}

// buildAll builds all programs of the corpus with one go build and returns the
// directory of the binaries. Nothing is inlined, which changes only the names
// of closures in tracebacks.
func buildAll(t *testing.T, names []string) string {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module corpus\n\ngo 1.26\n"), 0o644))
	for _, name := range names {
		src, err := os.ReadFile(filepath.Join(corpusDir, name+".go"))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Join(dir, name), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name, "main.go"), src, 0o644))
	}
	bin := filepath.Join(dir, "bin")
	require.NoError(t, os.Mkdir(bin, 0o755))
	build := exec.Command(goTool, "build", "-p", "2", "-ldflags=-s -w", "-gcflags=-l", "-o", bin, "./...")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return bin
}

// runGo runs a binary.
func runGo(path string) (outcome, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(path)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GOTRACEBACK=single")
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return outcome{}, err
	}
	o := outcome{Stdout: stdout.String(), Exit: cmd.ProcessState.ExitCode()}
	for line := range strings.Lines(stderr.String()) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			o.Failed = strings.TrimSuffix(line, "\n")
			break
		}
	}
	if strings.HasPrefix(o.Failed, "panic: ") {
		o.Trace = parseTrace(stderr.String())
	}
	if o.Exit == 2 && o.Failed == "" {
		return o, fmt.Errorf("%s: no panic line in %q", path, stderr.String())
	}
	return o, nil
}

// parseTrace returns the frames of the first goroutine in a traceback.
func parseTrace(text string) (frames []string) {
	_, text, _ = strings.Cut(text, " [running]:\n")
	text, _, _ = strings.Cut(text, "\n\n")
	name := ""
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "\t") {
			if strings.HasPrefix(line, "created by ") {
				return frames
			}
			name = line[:strings.LastIndexByte(line, '(')]
			continue
		}
		line = line[strings.LastIndexByte(line, ':')+1:]
		line, _, _ = strings.Cut(strings.TrimSpace(line), " ")
		if !strings.HasPrefix(name, "runtime.") && name != "panic" {
			frames = append(frames, name+":"+line)
		}
	}
	return frames
}
