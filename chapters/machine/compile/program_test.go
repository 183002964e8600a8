package compile_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine"
	"gosched/chapters/sample"
)

// TestDeterministic: the same source gives the same program, to the last bit.
func TestDeterministic(t *testing.T) {
	for _, name := range corpus(t) {
		first := compileAnew(t, name) // one that has run remembers what its machines need
		for range sample.Of(1, 1, 2) {
			again := compileAnew(t, name)
			if reflect.DeepEqual(first, again) {
				continue // which is found out much sooner than a difference
			}
			if diff := cmp.Diff(first, again); diff != "" {
				t.Fatalf("%s: compiled twice, two programs:\n%s", name, diff)
			}
		}
	}
}

const functions = `package main

type T struct{ n int }

func (t T) Value() int { return t.n }

func (t *T) Pointer() int { return t.n }

type G[X any] struct{ x X }

func (g *G[X]) Get() X { return g.x }

func generic[X any](x X) X { return x }

func init() { println("a") }

func init() {
	func() { println("b") }()
}

var hook = func() int { return 1 }

func main() {
	t := &T{1}
	f := func() {
		func() { println(t.Value()) }()
		func() { println(t.Pointer()) }()
	}
	go f()
	go generic(2)
	go t.Pointer()
	println((&G[string]{"x"}).Get(), hook())
	g := t.Pointer
	g()
}
`

// TestFuncs: names, lines and extents of functions.
func TestFuncs(t *testing.T) {
	prog, err := compileText(functions)
	require.NoError(t, err)
	lines := map[string]int{}
	end := machine.PC(0)
	for i := range prog.Funcs {
		f := &prog.Funcs[i]
		assert.Equal(t, end, f.Entry, "%s follows the function before", f.Name)
		assert.Less(t, f.Entry, f.End, f.Name)
		end = f.End
		if strings.HasPrefix(f.Name, "runtime.") && f.Name != "runtime.main" && f.Name != "runtime.goexit" {
			continue // of std/runtime, which every program has
		}
		lines[f.Name] = f.Line
		assert.Same(t, f, prog.FuncAt(f.Entry))
		assert.Same(t, f, prog.FuncAt(f.End-1))
		if f.Name != "runtime.goexit" {
			enter := prog.Code[f.Entry]
			assert.Equal(t, machine.ENTER, enter.Op(), f.Name)
			assert.EqualValues(t, f.Frame, enter.Imm(), f.Name)
		}
		if f.Closure != 0 {
			entry := prog.Data[f.Closure-machine.NilPage:]
			assert.EqualValues(t, f.Entry, uint32(entry[0])|uint32(entry[1])<<8, "%s: its closure holds its entry", f.Name)
		}
	}
	assert.EqualValues(t, len(prog.Code), end)
	want := map[string]int{
		"main.T.Value": 5, "main.(*T).Pointer": 7, "main.(*G[...]).Get": 11, "main.generic[...]": 13,
		"main.init.0": 15, "main.init.1": 17, "main.init.1.func1": 18, "main.init": 1, "main.init.func1": 21,
		"main.main": 23, "main.main.func1": 25, "main.main.func1.1": 26, "main.main.func1.2": 27,
		"main.main.gowrap1": 0, "main.main.gowrap2": 0, "main.(*T).Pointer-fm": 0,
		"runtime.main": 0, "runtime.goexit": 0,
	}
	assert.Empty(t, cmp.Diff(want, lines))
	assert.Equal(t, "runtime.main", prog.Funcs[prog.Entry].Name)
	assert.Equal(t, "runtime.goexit", prog.FuncAt(prog.Goexit).Name)
	assert.Equal(t, "prog.go", prog.Files[0].Name)
}

// TestEmptyLoops: the one instruction of a loop without a body is in the line of its for.
func TestEmptyLoops(t *testing.T) {
	prog, err := compileText(`package main

func main() {
	go func() {
		println("a")
		for {
		}
	}()
	if len(hook) > 0 {
		for {
			println("b")
		}
	}
	for i := 0; ; {
		println(i)

		for {
		}
	}
}

var hook string
`)
	require.NoError(t, err)
	want := map[string]int{"main.main.func1": 6, "main.main": 17}
	for i := range prog.Funcs {
		f := &prog.Funcs[i]
		for pc := f.Entry; pc < f.End; pc++ {
			if in := prog.Code[pc]; in.Op() == machine.JMP && in.Imm() == -1 {
				assert.Equal(t, want[f.Name], f.LineAt(pc), f.Name)
				delete(want, f.Name)
			}
		}
	}
	assert.Empty(t, want, "loops that were not found")
}

// TestPointers: the bitmap of a function says which slots hold addresses, of
// its arguments and results too.
func TestPointers(t *testing.T) {
	prog, err := compileText(`package main
func f(n int, p *int, s string, a []int, x any, st struct{ a int8; p *int }) (int, *int) {
	return n, p
}
func main() { f(0, nil, "", nil, nil, struct{ a int8; p *int }{}) }`)
	require.NoError(t, err)
	for i := range prog.Funcs {
		f := &prog.Funcs[i]
		if f.Name != "main.f" {
			continue
		}
		var got strings.Builder
		for slot := range int(f.Args) {
			if f.IsPointer(int(f.Frame) + machine.ArgBase + slot) {
				got.WriteByte('p')
			} else {
				got.WriteByte('-')
			}
		}
		assert.Equal(t, "-"+"p"+"p-"+"p--"+"-p"+"-p"+"-p", got.String())
		assert.False(t, f.IsPointer(int(f.Frame)), "the return PC")
		return
	}
	t.Fatal("no main.f")
}

// TestOutOfMemory: every way to ask for memory that is not there ends as Go
// ends, not as a failure of the machine.
func TestOutOfMemory(t *testing.T) {
	tests := map[string]string{
		"new":    `type t struct{ next *t; a [100]int }; var l *t; for { l = &t{next: l} }`,
		"make":   `var s [][]int; for i := 1; ; i++ { s = append(s, make([]int, i*100)) }`,
		"append": `var s []int; for i := 0; ; i++ { s = append(s, i) }`,
		"string": `s := "x"; for { s += s }`,
		"bytes":  `s := "0123456789"; for { b := []byte(s); keep = b; s = string(b) }`,
		"runes":  `s := "0123456789"; for { r := []rune(s); s = string(r) }`,
		"box":    `var a any; for i := 0; ; i++ { a = i; keep2 = a }`,
		"struct": `var a any; var big [500]int; for { big[1]++; a = big; keep2 = a }`,
		"func":   `for i := 0; ; i++ { fs = append(fs, func() int { i++; return i }) }`,
		"go":     `for { go func() { for { n++ } }() }`,
		"print":  `for i := 0; ; i++ { println(i, "some text to be written") }`,
	}
	for name, body := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			prog, err := compileText("package main\nvar keep []byte\nvar keep2 any\nvar n int\nvar fs []func() int\nfunc main() {\n_, _, _ = keep, keep2, n\n" + body + "\n}\n")
			require.NoError(t, err)
			o, err := run(prog, 1<<20, 0)
			require.NoError(t, err)
			assert.Equal(t, "fatal error: out of memory", o.Failed)
			assert.Equal(t, 2, o.Exit)
		})
	}
}
