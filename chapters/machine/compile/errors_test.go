package compile_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/sample"
)

func compileText(src string) (*machine.Program, error) {
	return compile.Compile([]machine.File{{Name: "prog.go", Source: src}})
}

// inMain puts statements on line 3 of a program.
func inMain(body string) string { return "package main\nfunc main() {\n" + body + "\n}\n" }

func TestRefused(t *testing.T) {
	tests := []struct{ src, want string }{
		// Not supported yet.
		{inMain("for range func(yield func() bool) {} {}"), "prog.go:3:1: range over a function is not supported yet"},
		{"package main\n\nimport \"net/http\"\n\nfunc main() { http.Get() }", "prog.go:3:8: package net/http is not supported yet"},
		{"package main\n\nimport (\n\t\"fmt\"\n\t\"os/exec\"\n)\n\nfunc main() { fmt.Println() }", "prog.go:5:2: package os/exec is not supported yet"},
		{"package main\n\nimport (\n\t\"os\"\n\t\"syscall\"\n)\n\nfunc main() { os.Create(\"x\"); syscall.Fork() }", "prog.go:8:18: undefined: os.Create\nprog.go:8:39: undefined: syscall.Fork"},

		// Not supported.
		{"package main\nimport \"C\"\nfunc main() {}", "prog.go:2:8: cgo is not supported"},
		{"package main\nimport \"unsafe\"\nfunc main() {}", "prog.go:2:8: package unsafe is not supported"},
		{inMain("x := 1i; _ = x"), "prog.go:3:6: complex numbers are not supported"},
		{inMain("var x complex128; _ = x"), "prog.go:3:7: complex numbers are not supported"},
		{"package main\nfunc f()\nfunc main() { f() }", "prog.go:2:6: missing function body"},

		// Wrong programs, in Go's words.
		{inMain("x := 1"), "prog.go:3:1: declared and not used: x"},
		{inMain("x = 1; y()"), "prog.go:3:1: undefined: x\nprog.go:3:8: undefined: y"},
		{inMain("var s string = 1"), "prog.go:3:5: declared and not used: s\nprog.go:3:16: cannot use 1 (untyped int constant) as string value in variable declaration"},
		{"package main\nimport \"fmt\"\nfunc main() {}", "prog.go:2:8: \"fmt\" imported and not used"},
		{inMain("var x uint8 = 256; _ = x"), "prog.go:3:15: cannot use 256 (untyped int constant) as uint8 value in variable declaration (overflows)"},
		{inMain("return 1"), "prog.go:3:8: too many return values\n\thave (number)\n\twant ()"},
		{"package main\nfunc f() int { }\nfunc main() { f() }", "prog.go:2:16: missing return"},
		{"package main\nfunc f() {}", "prog.go: function main is undeclared in the main package"},
		{"package lib\nfunc F() {}", "prog.go: package lib is not a main package"},
		{"", "prog.go:1:1: syntax error: expected 'package', found 'EOF'"},
		{"package main\nfunc main() {", "prog.go:2:14: syntax error: expected '}', found 'EOF'"},
		{"package main\nvar main = 1", "prog.go:2:5: cannot declare main - must be func"},

		// Too large.
		{"package main\nfunc main() { var a [70000]int; f(a) }\nfunc f(a [70000]int) { println(a[0]) }", "prog.go:2:6: function too large: main.main needs 70001 slots, and a frame of the machine has 65536\nprog.go:3:8: function too large: a value of type [70000]int needs 70000 slots, and a frame of the machine has 65536"},
	}
	for _, test := range tests {
		_, err := compileText(test.src)
		if assert.Error(t, err, "%s", test.src) {
			assert.Equal(t, test.want, err.Error(), "%s", test.src)
			assert.IsType(t, compile.Errors{}, err)
		}
	}
}

// TestNoFiles: even nothing at all gets a sentence.
func TestNoFiles(t *testing.T) {
	_, err := compile.Compile(nil)
	assert.EqualError(t, err, "no Go files")
}

// TestTwoFiles: errors come in the order of the files, and of their lines.
func TestTwoFiles(t *testing.T) {
	_, err := compile.Compile([]machine.File{
		{Name: "b.go", Source: "package main\n\nfunc main() { f(); x() }"},
		{Name: "a.go", Source: "package main\n\nfunc f() { y() }\nfunc g() { z() }"},
	})
	assert.EqualError(t, err, "b.go:3:20: undefined: x\na.go:3:12: undefined: y\na.go:4:12: undefined: z")

	prog, err := compile.Compile([]machine.File{
		{Name: "b.go", Source: "package main\n\nfunc main() { println(f()) }"},
		{Name: "a.go", Source: "package main\n\nfunc f() int { return 7 }"},
	})
	require.NoError(t, err)
	o, err := run(prog, 0, 0)
	require.NoError(t, err)
	assert.Equal(t, "7\n", o.Stderr)
}

// TestFarJumps: a function whose jumps do not fit into 16 bits still runs.
func TestFarJumps(t *testing.T) {
	var b strings.Builder
	b.WriteString("package main\nvar n int\nfunc main() {\nfor i := 0; i < 3; i++ {\n")
	for range 12_000 {
		b.WriteString("n += i ^ n\n")
	}
	b.WriteString("}\nprintln(n)\n}\n")
	prog, err := compileText(b.String())
	require.NoError(t, err)
	require.Greater(t, len(prog.Code), 1<<15)
	o, err := run(prog, 0, 0)
	require.NoError(t, err)
	n := 0
	for i := range 3 {
		for range 12_000 {
			n += i ^ n
		}
	}
	assert.Equal(t, fmt.Sprintln(n), o.Stderr)
}

// TestTooManySlots: a frame that operands cannot reach is refused.
func TestTooManySlots(t *testing.T) {
	var b strings.Builder
	b.WriteString("package main\nfunc main() {\n")
	for i := range 70 {
		fmt.Fprintf(&b, "var a%d [1000]int\na%d[n()] = 1\n", i, i)
	}
	for i := range 70 {
		fmt.Fprintf(&b, "println(a%d[n()])\n", i)
	}
	b.WriteString("}\nfunc n() int { return 3 }\n")
	_, err := compileText(b.String())
	require.Error(t, err)
	assert.Regexp(t, `^prog.go:2:6: function too large: main.main needs \d+ slots, and a frame of the machine has 65536$`, err.Error())
}

// TestOddPrograms damages the programs of the corpus in many ways. Whatever
// comes of it, the compiler answers, and never with a bug of its own.
func TestOddPrograms(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	junk := []string{"{", "}", "(", ")", "[", "]", "func", "var x", ":=", "*", "&", "go ", "0", "\"", "'", "chan int", "...", "type T ", "\x00", "é", "<-", ".", ";", "struct{}", "[1<<40]int", "1<<70", "-1", "nil", "any", "for {", "T[int]", "goto L", "L:", "fallthrough"}
	for _, name := range corpus(t) {
		data, err := os.ReadFile(filepath.Join(corpusDir, name+".go"))
		require.NoError(t, err)
		for range sample.Of(1, 2, 6) {
			src := string(data)
			at := rng.IntN(len(src))
			end := min(len(src), at+rng.IntN(12))
			switch rng.IntN(4) {
			case 0:
				src = src[:at]
			case 1:
				src = src[:at] + src[end:]
			case 2:
				src = src[:at] + junk[rng.IntN(len(junk))] + src[at:]
			case 3:
				from := rng.IntN(len(src))
				src = src[:at] + src[from:min(len(src), from+rng.IntN(30))] + src[end:]
			}
			if _, err := compileText(src); err != nil && strings.Contains(err.Error(), "internal compiler error") {
				t.Errorf("%s, damaged: %v\n%s", name, err, src)
			}
		}
	}
}
