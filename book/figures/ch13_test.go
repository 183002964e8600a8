package figures_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/book/figures"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
)

// This file proves what the page of the chapter says about its runs, ours and those of the
// installed Go.

// playGrowing runs a program of this folder on Go 1.2, and returns what it prints.
func playGrowing(t *testing.T, source string, opt gmp.Options) (gmp.Result, string) {
	t.Helper()
	prog, err := compile.Compile([]machine.File{{Name: "a.go", Source: source}})
	require.NoError(t, err)
	var out strings.Builder
	opt.Machine.Stdout, opt.Machine.Stderr = &out, &out
	s, err := gmp.New(figures.Version(t, "1.2"), prog, opt)
	require.NoError(t, err)
	return s.Main(), out.String()
}

// TestLocalMoves proves that the variable of local.go is somewhere else afterwards, under
// the installed Go, too.
func TestLocalMoves(t *testing.T) {
	moves := func(out string) {
		t.Helper()
		lines := strings.Split(strings.TrimSpace(out), "\n")
		require.Len(t, lines, 3, out)
		assert.True(t, strings.HasPrefix(lines[0], "x is at 0x"), out)
		assert.True(t, strings.HasPrefix(lines[1], "x is at 0x"), out)
		assert.NotEqual(t, lines[0], lines[1])
		assert.Equal(t, "x is 2", lines[2])
	}
	r, out := playGrowing(t, figures.Source(t, "book/figures/ch13/local.go"), gmp.Options{})
	require.NoError(t, r.Err)
	moves(out)
	moves(figures.RealGo(t, "book/figures/ch13/local.go").Stderr)
}

// TestMillionDeep proves that a deep recursion needs a large memory, and nothing else.
func TestMillionDeep(t *testing.T) {
	source := figures.Source(t, "chapters/ch13_stack/programs/deep.go")
	args := []string{"deep.go", "1000000"}
	r, out := playGrowing(t, source, gmp.Options{Machine: machine.Options{Args: args}})
	assert.Equal(t, "fatal error: stack overflow", r.Fatal)
	assert.Contains(t, out, "runtime: goroutine stack exceeds 16777216-byte limit\n")

	r, out = playGrowing(t, source, gmp.Options{Machine: machine.Options{Args: args, MemBytes: 1 << 30}})
	assert.Empty(t, r.Fatal)
	assert.Contains(t, out, "1000000 3999997 500001500000 1\n")
}
