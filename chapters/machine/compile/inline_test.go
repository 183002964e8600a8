package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
)

// TestUncontended: to lock and unlock what nobody else wants takes few instructions, wherever the
// lock is.
func TestUncontended(t *testing.T) {
	const turns = 1000
	steps := func(body string) int64 {
		prog, err := compileText(fmt.Sprintf(`package main

import "sync"

type account struct {
	balance int
	mu      sync.Mutex
}

type counter struct {
	n int
	sync.Mutex
}

var global sync.Mutex

func main() {
	var local sync.Mutex
	var rw sync.RWMutex
	a, c := &account{}, &counter{}
	for range %d {
		%s
	}
	a.balance++
	c.n++
	_, _ = &local, &rw
}
`, turns, body))
		require.NoError(t, err)
		o, err := run(prog, 1<<20, 0)
		require.NoError(t, err)
		require.Zero(t, o.Exit, o.Failed)
		return o.Steps
	}
	empty := steps("")
	for body, most := range map[string]int64{
		"local.Lock(); local.Unlock()":   12,
		"global.Lock(); global.Unlock()": 12,
		"a.mu.Lock(); a.mu.Unlock()":     12,
		"c.Lock(); c.Unlock()":           12,
		"rw.RLock(); rw.RUnlock()":       12,
	} {
		n := (steps(body) - empty) / turns
		assert.LessOrEqual(t, n, most, "%s takes %d instructions", body, n)
	}
}

// places returns the places of the instructions of op in the function main.name of the program.
func places(t *testing.T, prog *machine.Program, name string, op machine.Op) (all []string) {
	for i := range prog.Funcs {
		f := &prog.Funcs[i]
		if f.Name != "main."+name {
			continue
		}
		for pc := f.Entry; pc < f.End; pc++ {
			if prog.Code[pc].Op() != op {
				continue
			}
			var frames []string
			for _, at := range f.Places(pc) {
				frames = append(frames, fmt.Sprintf("%s %s:%d", at.Func, prog.Files[at.File].Name, at.Line))
			}
			all = append(all, strings.Join(frames, ", "))
		}
		return all
	}
	t.Fatalf("no function main.%s", name)
	return nil
}

// TestInlined: where the code of functions stands in place of calls, each of its instructions has
// the places that a listing would show if they were calls, and so have those around it.
func TestInlined(t *testing.T) {
	files := []machine.File{{Name: "prog.go", Source: `package main

func half(n, d int) int { return n / d }

func both(n, d int) int {
	h := half(n,
		d)
	return h + half(h, d)
}

func twice(n, d int) int {
	n = both(n, d)
	return n % d
}

func even(n int) bool { return n == 0 || odd(n-1) }
func odd(n int) bool  { return n != 0 && even(n-1) }

func main() {
	println(twice(9, 3), even(4))
}
`}}
	prog, err := compile.CompileInlining(files)
	require.NoError(t, err)
	assert.Equal(t, []string{
		"main.half prog.go:3, main.both prog.go:6, main.twice prog.go:12, main.main prog.go:20",
		"main.half prog.go:3, main.both prog.go:8, main.twice prog.go:12, main.main prog.go:20",
	}, places(t, prog, "main", machine.DIV))
	assert.Equal(t, []string{"main.twice prog.go:13, main.main prog.go:20"}, places(t, prog, "main", machine.REM))
	assert.Equal(t, []string{"main.odd prog.go:17, main.even prog.go:16, main.main prog.go:20"}, places(t, prog, "main", machine.CALL),
		"a function is not in place of a call in itself")

	prog, err = compile.Compile(files)
	require.NoError(t, err)
	assert.Len(t, places(t, prog, "main", machine.CALL), 2, "the program's own functions are called")
}

// TestInlinedStandard: what a program calls of sync is in its listings, and at the line of the
// standard package.
func TestInlinedStandard(t *testing.T) {
	prog, err := compileText(`package main

import "sync"

func lock(mu *sync.Mutex) {
	mu.Lock()
}

func main() { lock(new(sync.Mutex)) }
`)
	require.NoError(t, err)
	line := func(text string) int {
		for _, f := range prog.Files {
			if f.Name == "sync/mutex.go" {
				before, _, ok := strings.Cut(f.Source, text)
				require.True(t, ok, "no %q", text)
				return 1 + strings.Count(before, "\n")
			}
		}
		t.Fatal("no file")
		return 0
	}
	for op, text := range map[machine.Op]string{machine.ACAS: "if !atomic.CompareAndSwap", machine.CALL: "m.wait()"} {
		want := fmt.Sprintf("sync.(*Mutex).Lock sync/mutex.go:%d, main.lock prog.go:6", line(text))
		assert.Equal(t, []string{want}, places(t, prog, "lock", op))
	}
	assert.Equal(t, []string{"main.lock prog.go:6"}, places(t, prog, "lock", machine.RET))
}

// TestResultUnused: the slot of a result that nobody wants belongs to no variable of the function
// while its code runs.
func TestResultUnused(t *testing.T) {
	prog, err := compile.CompileInlining([]machine.File{{Name: "prog.go", Source: `package main

func product(p *int, a, b int) int {
	c := a * b
	more := c + 1
	*p = c
	return more
}

func main() {
	x, y := 0, 0
	product(&x, 3, 4)
	z := product(&y, 5, 6)
	println(x, y, z)
}
`}})
	require.NoError(t, err)
	assert.Empty(t, places(t, prog, "main", machine.CALL), "the calls are replaced")
	o, err := run(prog, 1<<20, 0)
	require.NoError(t, err)
	assert.Equal(t, "12 30 31\n", o.Stderr)
}
