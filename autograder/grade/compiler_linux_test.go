package grade

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/jail"
	"gosched/chapters"
	"gosched/chapters/check"
	"gosched/chapters/sample"
)

// doubling is source in which each of n lines, a format with its number and that of the one
// before, doubles what that is.
func doubling(n int, format string) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, format+"\n", i, i-1)
	}
	return b.String()
}

// bombs are sources of a few lines, or of less than the policy allows, that take the compiler
// minutes or gigabytes.
var bombs = []struct{ name, text, says string }{
	{"a constant text", "const s0 = `0123456789abcdef`\n" + doubling(31, "const s%[1]d = s%[2]d + s%[2]d") + "var _ = s31\n",
		"300 MiB of memory"},
	{"types of types", "type pair[A, B any] struct { a A; b B }\ntype t0 = int\n" + doubling(28, "type t%[1]d = pair[t%[2]d, t%[2]d]") + "var X t28\nvar Y any = &X\n",
		"the compiler "}, // of time or of memory, whichever comes first
	{"functions of functions", "type a[T any] struct { _ T }\ntype b[T any] struct { _ []T }\nfunc f0[T any]() int { return 1 }\n" +
		doubling(24, "func f%[1]d[T any]() int { return f%[2]d[a[T]]() + f%[2]d[b[T]]() }") + "var _ = f24[int]()\n",
		"the compiler "},
	{"a wide type", "type t0 struct { a, b [2]int }\n" + doubling(33, "type t%[1]d struct { a, b t%[2]d }") + "func f(a, b *t33) bool { return *a == *b }\nvar _ = f\n",
		"used up its 5s of CPU time"},
	{"many jumps", "func f(x []int) {\n" + doubling(20000, "l%[1]d: if x[1]++; x[2] > %[2]d { goto l%[1]d }") + "}\nvar _ = f\n",
		"the compiler "},
	{"a filled array", "var Filled = [120 << 20]byte{120<<20 - 1: 1}\n",
		"makes of it is larger than 64 MiB"},
}

// bounded is a grader of the small course whose compiler has small limits.
func bounded(t *testing.T, level jail.Level) (*Grader, []chapters.Chapter) {
	root, all := unpack(t)
	limits := jail.Limits{Memory: 300 << 20, CPU: 5 * time.Second, FileSize: 64 << 20, Disk: 1 << 30, Read: []string{root}}
	env := append(os.Environ(), "CGO_ENABLED=0", "XDG_CONFIG_HOME="+os.DevNull)
	for _, name := range []string{"GOROOT", "GOCACHE", "GOMODCACHE"} {
		out, err := exec.Command("go", "env", name).Output()
		require.NoError(t, err)
		dir := strings.TrimSpace(string(out))
		env = append(env, name+"="+dir)
		if name == "GOROOT" {
			limits.Programs = []string{dir}
		} else {
			limits.Write = append(limits.Write, dir)
		}
	}
	edit(t, root, "exercises/ch04_four/mine_test.go", "package ch04_test\n\nimport (\n\t\"testing\"\n\n\t\"gosched/chapters/suite\"\n)\n\n"+
		"func TestMine(t *testing.T) {\n\tsuite.Report(t, \"ch04/mine\", func() (string, string) { return \"pass\", \"\" })\n}\n")
	return &Grader{Root: root, Of: Exercises, All: all, Chapters: []string{"ch01", "ch04"}, Env: env, Level: level, Compiler: &limits}, all
}

// possible are levels 0 and 1, if this system has that.
func possible(t *testing.T) []jail.Level {
	highest, why := jail.Highest(t.Context())
	if highest < jail.Restricted {
		t.Log(why)
		return []jail.Level{jail.Process}
	}
	return []jail.Level{jail.Restricted, jail.Process}
}

// A source that takes the compiler too much is a build failure of its chapter, or of what is
// beside the parts, and of nothing else.
func TestCompilerBombs(t *testing.T) {
	levels := possible(t)
	for i, bomb := range sample.Deal(3, 1, bombs) {
		for _, level := range sample.Deal(i, 1, levels) {
			t.Run(fmt.Sprint(bomb.name, ", level ", int(level)), func(t *testing.T) {
				g, _ := bounded(t, level)
				edit(t, g.Root, "exercises/ch04_four/more.go", "package ch04\n\n"+bomb.text)
				got := statuses(t, g)
				assert.Equal(t, check.Pass, got["ch01/positive"].Status, got["ch01/positive"].Message)
				for _, id := range []string{"ch04/four", "ch04/mine"} {
					assert.Equal(t, check.BuildError, got[id].Status, got[id].Message)
					assert.Contains(t, got[id].Message, "it does not compile: exercises/ch04_four: ")
					assert.Contains(t, got[id].Message, bomb.says)
				}
			})
		}
	}
}

// Beside the parts, the parts keep their points.
func TestCompilerBombBesideTheParts(t *testing.T) {
	g, _ := bounded(t, possible(t)[0])
	name := filepath.Join(g.Root, "exercises/ch04_four/mine_test.go")
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, append(text, bombs[0].text...), 0o644))
	got := statuses(t, g)
	assert.Equal(t, check.Pass, got["ch04/four"].Status, got["ch04/four"].Message)
	assert.Equal(t, check.BuildError, got["ch04/mine"].Status, got["ch04/mine"].Message)
	assert.Contains(t, got["ch04/mine"].Message, "it does not compile: exercises/ch04_four/mine_test.go: compiled with the other tests of the chapter: the compiler ")
	assert.Contains(t, got["ch04/mine"].Message, bombs[0].says)
}

func statuses(t *testing.T, g *Grader) map[string]Check {
	t.Helper()
	report, err := g.Grade(context.Background())
	require.NoError(t, err)
	got := map[string]Check{}
	for _, ch := range report.Chapters {
		for _, c := range ch.Checks {
			got[c.ID] = c
		}
	}
	return got
}

// What a tool says when it crashes becomes one line, about the package; what it says of the
// others stays.
func TestExcesses(t *testing.T) {
	c := compiler{root: "/course", limits: &CompilerLimits}
	for _, tt := range []struct{ name, said, lines, err string }{
		{"an ordinary error", "# gosched/exercises/ch01_one\n./exercises/ch01_one/one.go:3:1: undefined: x\n",
			"exercises/ch01_one/one.go:3:1: undefined: x", ""},
		{"memory, and an ordinary error", "# gosched/exercises/ch01_one [gosched/exercises/ch01_one.test]\nfatal error: runtime: out of memory\n\nruntime stack:\nruntime.throw()\n" +
			"# gosched/exercises/ch02_two\nexercises/ch02_two/two.go:1:1: no\n",
			"exercises/ch01_one: the compiler used up its 2048 MiB of memory; " + tooMuch + "\nexercises/ch02_two/two.go:1:1: no", ""},
		{"time, of the tests", "gosched/exercises/ch01_one_test: /go/pkg/tool/linux_amd64/compile: signal: CPU time limit exceeded\n",
			"exercises/ch01_one/mine_test.go: compiled with the other tests of the chapter: the compiler used up its 1m0s of CPU time; ", ""},
		{"a signal", "gosched/exercises/ch01_one: /go/pkg/tool/linux_amd64/compile: signal: CPU time limit exceeded\n",
			"exercises/ch01_one: the compiler used up its 1m0s of CPU time; " + tooMuch, ""},
		{"the linker", "# gosched/exercises/ch01_one.test\n/go/pkg/tool/linux_amd64/link: writing: file too large\n",
			"exercises/ch01_one: what the compiler makes of it is larger than 512 MiB; " + tooMuch, ""},
		{"a crash", "# gosched/exercises/ch01_one\npanic: runtime error: index out of range [recovered]\n\tpanic: again\ngoroutine 1 [running]:\n",
			"exercises/ch01_one: the compiler crashed: panic: runtime error: index out of range [recovered]", ""},
		{"killed, having used its time", "gosched/exercises/ch01_one: /go/pkg/tool/linux_amd64/compile: signal: killed\n",
			"exercises/ch01_one: the compiler used up its 1m0s of CPU time; " + tooMuch, ""},
		{"the course's own", "gosched/chapters/gmp: /go/pkg/tool/linux_amd64/compile: signal: CPU time limit exceeded\n", "",
			"gosched/chapters/gmp, which is not graded: the compiler used up its 1m0s of CPU time"},
		{"killed", "gosched/exercises/ch01_one: /go/pkg/tool/linux_amd64/compile: signal: killed\n", "", "the system did not let the compiler work: "},
		{"no cache", "go: failed to initialize build cache at /x: mkdir /x: permission denied\n", "", "the system did not let the compiler work: "},
		{"no process", "gosched/exercises/ch01_one: fork/exec /go/pkg/tool/linux_amd64/compile: resource temporarily unavailable\n", "", "the system did not let the compiler work: "},
		{"a full disk", "go: writing x: no space left on device\n", "", "the system did not let the compiler work: "},
	} {
		used := time.Second
		if strings.Contains(tt.name, "used") {
			used = c.limits.CPU + time.Second
		}
		lines, err := c.excesses([]byte(tt.said), used)
		if tt.err != "" {
			assert.ErrorContains(t, err, strings.TrimPrefix(tt.err, "gosched/"), tt.name)
			continue
		}
		require.NoError(t, err, tt.name)
		assert.Contains(t, strings.Join(lines, "\n"), tt.lines, tt.name)
	}
}
