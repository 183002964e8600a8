package solutions_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/machine/sim"
	"gosched/chapters/sample"
	"gosched/solutions"
)

// On one P it is the scheduler alone that says in which order the goroutines of these programs
// run, and beside each lies what it prints then under the installed Go.
const orders = "testdata/order"

// TestOrder plays them on Go 1.26 of this course.
func TestOrder(t *testing.T) {
	v, err := solutions.Go("1.26")
	require.NoError(t, err)
	for _, name := range ordered(t) {
		source, err := os.ReadFile(name)
		require.NoError(t, err)
		prog, err := compile.Compile([]machine.File{{Name: filepath.Base(name), Source: string(source)}})
		require.NoError(t, err)
		want := goldenOrder(t, name)
		for _, simulated := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/simulated=%v", base(name), simulated), func(t *testing.T) {
				var got string
				for range 50 { // on threads the monitor may stop a goroutine when the computer is busy, as in Go
					if got = playOrder(t, v, prog, simulated); got == want || simulated {
						break
					}
				}
				if got != want {
					t.Error(otherOrder(name, want, got, simulated))
				}
			})
		}
	}
}

// playOrder plays prog on one P, on threads or on one simulated CPU, and returns what it prints.
func playOrder(t *testing.T, v gmp.Version, prog *machine.Program, simulated bool) string {
	var out bytes.Buffer
	s, err := gmp.New(v, prog, gmp.Options{Procs: 1, Machine: machine.Options{Stdout: &out, Stderr: &out, MemBytes: 16 << 20}})
	require.NoError(t, err)
	if simulated {
		_, err = sim.Run(sim.Options{CPUs: 1, Seed: 1, Limit: 10 * sim.Second}, func() { s.Main() })
		require.NoError(t, err)
	} else {
		s.Main()
	}
	return out.String()
}

// TestOrderOfGo runs some of them 50 times under Go. It may have stopped a goroutine that ran
// when the computer was busy, and so have another order, but never always.
func TestOrderOfGo(t *testing.T) {
	names := ordered(t)
	if !sample.Whole() {
		names = sample.Deal(0, 3, names)
	}
	for _, name := range names {
		t.Run(base(name), func(t *testing.T) {
			want := goldenOrder(t, name)
			binary := filepath.Join(t.TempDir(), base(name))
			out, err := exec.Command("go", "build", "-o", binary, name).CombinedOutput()
			require.NoError(t, err, "%s", out)
			var seen []string
			for range 50 {
				cmd := exec.Command(binary)
				cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s", out)
				seen = append(seen, string(out))
			}
			if !slices.Contains(seen, want) {
				t.Errorf("%s.golden is the order of none of 50 runs of %s under Go; the first:\n%s", base(name), name, seen[0])
			}
		})
	}
}

func ordered(t *testing.T) []string {
	names, err := filepath.Glob(orders + "/*.go")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(names), 40)
	return names
}

func base(name string) string { return strings.TrimSuffix(filepath.Base(name), ".go") }

func goldenOrder(t *testing.T, name string) string {
	want, err := os.ReadFile(strings.TrimSuffix(name, ".go") + ".golden")
	require.NoError(t, err)
	return string(want)
}

// otherOrder says where the two orders differ, and how to see it again.
func otherOrder(name, want, got string, simulated bool) string {
	w, g := strings.Fields(want), strings.Fields(got)
	at := 0
	for at < min(len(w), len(g)) && w[at] == g[at] {
		at++
	}
	flag := ""
	if simulated {
		flag = " --sim"
	}
	from := max(0, at-4)
	excerpt := func(words []string) string {
		return strings.Join(words[min(from, len(words)):min(at+8, len(words))], " ")
	}
	return fmt.Sprintf(`on one P %s has another order than under Go, from word %d on:
Go:   … %s …
here: … %s …
replay: go run ./autograder play --procs 1 --go 1.26%s solutions/%s
Go:     GOMAXPROCS=1 go run solutions/%s`, base(name), at+1, excerpt(w), excerpt(g), flag, name, name)
}
