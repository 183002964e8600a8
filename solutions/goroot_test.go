package solutions_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/sample"
	"gosched/solutions"
)

// TestGOROOTChan runs Go's own tests of channels: undisturbed, and with an
// interruption after every k-th instruction for each k from 1 to 50. They must do
// what they do under go, which is to say nothing and to exit with 0; they have
// much to say when something is wrong.
func TestGOROOTChan(t *testing.T) { likeGOROOT(t, "chan", underGo) }

// TestGOROOTKen runs in the same way the oldest tests of the language, by Ken Thompson and
// Rob Pike. Some of them print, and then their output is in a file beside them.
func TestGOROOTKen(t *testing.T) { likeGOROOT(t, "ken", besideIt) }

// likeGOROOT runs the programs of a folder of $GOROOT/test, of which a list in testdata says
// which are in. They must end as want says.
func likeGOROOT(t *testing.T, folder string, want func(t *testing.T, path string) ending) {
	paths, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "test", folder, "*.go"))
	require.NoError(t, err)
	if len(paths) == 0 {
		t.Skip("this Go was installed without its directory test")
	}
	list := "testdata/goroot_" + folder + ".txt"
	in, out := readList(t, list)
	for row, path := range paths {
		name := filepath.Base(path)
		switch {
		case in[name]:
			t.Run(name, func(t *testing.T) { likeGo(t, row, path, want) })
		case out[name] != "":
			t.Run(name, func(t *testing.T) { stillOut(t, path, out[name]) })
		default:
			t.Errorf("%s is not in %s: try it, and list it as in, or as out with the reason", path, list)
		}
		delete(in, name)
		delete(out, name)
	}
	assert.Empty(t, in, "%s lists programs that %s does not have", list, runtime.Version())
	assert.Empty(t, out, "%s lists programs that %s does not have", list, runtime.Version())
}

// readList returns the programs that are in, and those that are out with the reasons.
func readList(t *testing.T, list string) (in map[string]bool, out map[string]string) {
	text, err := os.ReadFile(list)
	require.NoError(t, err)
	in, out = map[string]bool{}, map[string]string{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || fields[0] == "#":
		case len(fields) == 2 && fields[1] == "in":
			in[fields[0]] = true
		case len(fields) > 2 && fields[1] == "out":
			out[fields[0]] = strings.Join(fields[2:], " ")
		default:
			t.Errorf("%s: the line %q is neither NAME in nor NAME out REASON", list, strings.TrimSpace(line))
		}
	}
	return in, out
}

// gorootBudget is the number of instructions after which a program of $GOROOT/test is
// given up. The longest, doubleselect.go, executes 6.3 million.
const gorootBudget = 30_000_000

// likeGo runs the program in path, the test's row, on some of the versions.
func likeGo(t *testing.T, row int, path string, expected func(t *testing.T, path string) ending) {
	prog, err := compileGOROOT(path)
	require.NoError(t, err)
	want := expected(t, path)
	for _, release := range sample.Deal(row, 4, solutions.Versions()) {
		v, err := solutions.Go(release)
		require.NoError(t, err)
		for _, way := range waysOf(row, filepath.Base(path), v) {
			t.Run(fmt.Sprintf("%s/%d procs/%d", release, way.Procs, way.Slice), func(t *testing.T) {
				t.Parallel()
				s, _, got := run(t, v, prog, way, (*gmp.Sched).Main)
				assert.Equal(t, want, got)
				if filepath.Base(path) == "select2.go" {
					// It tests that selects leave no garbage. But sudogs are not in the
					// program's memory, so we count them ourselves.
					assert.Positive(t, sudogs(s))
					most := 10
					if way.Procs > 1 { // each M, or P, keeps those of the Gs that happen to run there
						most = 1000
					}
					assert.Less(t, sudogs(s), most, "sudogs that 200,000 selects have left behind")
				}
			})
		}
	}
}

// raced says that the race detector watches.
var raced bool

// waysOf are how the program is run on v: undisturbed, and interrupted after so many
// instructions. Where there are many Ms a few numbers will do: their threads interrupt
// each other.
func waysOf(row int, name string, v gmp.Version) []gmp.Options {
	var undisturbed, interrupted []gmp.Options
	for _, procs := range procs(v) {
		if raced && procs > 1 && strings.HasPrefix(name, "powser") {
			continue // its goroutines count in variables without a lock, which the detector reports
		}
		undisturbed = append(undisturbed, gmp.Options{Procs: procs, Budget: gorootBudget})
		for k := int64(1); k <= 50; k++ {
			if v.Threads == nil || k == 1 || k == 7 || k == 50 {
				interrupted = append(interrupted, gmp.Options{Procs: procs, Slice: k, Seed: uint64(k), Budget: gorootBudget})
			}
		}
	}
	some := 1
	if v.Threads == nil {
		some = 3 // else not every number would come up
	}
	return slices.Concat(sample.Deal(row, 1, undisturbed), sample.Deal(row, some, interrupted))
}

// stillOut makes sure that the reason why a program is out still holds.
func stillOut(t *testing.T, path, why string) {
	prog, err := compileGOROOT(path)
	if err != nil {
		return
	}
	v, err := solutions.Go("0.x")
	require.NoError(t, err)
	if _, _, got := run(t, v, prog, gmp.Options{Budget: gorootBudget}, (*gmp.Sched).Main); got == (ending{}) {
		t.Errorf("%s is out, as %q, but it works: list it as in", filepath.Base(path), why)
	}
}

func compileGOROOT(path string) (*machine.Program, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return compile.Compile([]machine.File{{Name: filepath.Base(path), Source: string(src)}})
}

// An ending is all that one sees of a run.
type ending struct {
	stdout, stderr string
	status         int
}

// A mainFunc runs a program from boot to its end: (*gmp.Sched).Main, or that on
// another host.
type mainFunc func(*gmp.Sched) gmp.Result

// The size of the machine's memory, in bytes. It costs more than a small program does: a
// new memory is cleared, and makes the garbage collector run.
const (
	someMemory = 2 << 20
	muchMemory = 64 << 20
)

// hungry are the programs that need much memory.
var hungry = map[string]bool{
	"stackoverflow.go": true, "stackoverflow2.go": true, "go_memstats.go": true,
	"doubleselect.go": true, "goroutines.go": true,
}

// run runs prog on v under the eyes of the watcher. The scheduler must not fail.
func run(t *testing.T, v gmp.Version, prog *machine.Program, opt gmp.Options, main mainFunc) (*gmp.Sched, gmp.Result, ending) {
	var out, errs bytes.Buffer
	opt.Machine.Stdout, opt.Machine.Stderr = &out, &errs
	if opt.Machine.MemBytes == 0 {
		opt.Machine.MemBytes = someMemory
	}
	if hungry[prog.Files[0].Name] {
		opt.Machine.MemBytes = muchMemory
	}
	opt.Check = true
	s, err := gmp.New(v, prog, opt)
	require.NoError(t, err)
	res := main(s)
	require.NoError(t, res.Err)
	return s, res, ending{out.String(), errs.String(), res.Status}
}

// besideIt is the ending that the file beside a program says: what it prints with print,
// nothing if there is no file.
func besideIt(t *testing.T, path string) ending {
	text, err := os.ReadFile(strings.TrimSuffix(path, ".go") + ".out")
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
	}
	return ending{stderr: string(text)}
}

// underGo runs the program in path under the installed go. With -short it takes for granted
// that the program says nothing.
func underGo(t *testing.T, path string) ending {
	if testing.Short() {
		return ending{}
	}
	binary := filepath.Join(t.TempDir(), "prog.exe") // the ending is for Windows
	build, err := exec.Command("go", "build", "-o", binary, path).CombinedOutput()
	require.NoError(t, err, "%s", build)
	cmd := exec.Command(binary)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError))
	}
	return ending{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// sudogs is how many sudogs the Ms, the Ps and the scheduler keep for reuse.
func sudogs(s *gmp.Sched) int {
	n := 0
	count := func(list *gmp.Sudog) {
		for sg := list; sg != nil; sg = sg.Next.Get() {
			n++
		}
	}
	for mp := s.Allm.Load(); mp != nil; mp = mp.Alllink.Get() {
		count(mp.Sudogcache.Get())
	}
	for _, pp := range s.Allp.Get() {
		n += len(pp.Sudogcache.Get())
	}
	count(s.Sudogcache.Get())
	return n
}
