package content

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func write(t *testing.T, root, name, text string) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
}

// files are some in a new folder.
func files(t *testing.T) Files {
	f := Files{Root: t.TempDir(), Names: []string{"a", "b.go"}, Leave: func(name string, folder bool) bool {
		return folder && name == "a/no" || strings.HasSuffix(name, "_test.go")
	}}
	write(t, f.Root, "a/x", "1")
	write(t, f.Root, "a/y/z", "22")
	write(t, f.Root, "b.go", "333")
	return f
}

// The sum is of names and of what is in the files, and of nothing else.
func TestSum(t *testing.T) {
	f := files(t)
	sum := func(f Files) string {
		s, err := f.Sum()
		require.NoError(t, err)
		assert.Len(t, s, digits)
		return s
	}
	one := sum(f)
	moved := f
	moved.Root = filepath.Join(t.TempDir(), "elsewhere")
	require.NoError(t, os.CopyFS(moved.Root, os.DirFS(f.Root)))
	assert.Equal(t, one, sum(moved), "the folder does not matter")
	write(t, f.Root, "c", "not one of them")
	write(t, f.Root, "a/no/w", "left")
	write(t, f.Root, "a/w_test.go", "left")
	assert.Equal(t, one, sum(f))
	write(t, f.Root, "a/x", "2")
	two := sum(f)
	assert.NotEqual(t, one, two)
	require.NoError(t, os.Rename(filepath.Join(f.Root, "a/x"), filepath.Join(f.Root, "a/x2")))
	assert.NotEqual(t, two, sum(f))
	f.Names = append(f.Names, "none")
	_, err := f.Sum()
	assert.ErrorIs(t, err, os.ErrNotExist)
	assert.NotEqual(t, Of("a", "bc"), Of("ab", "c"))
}

// settled is a time after which what was changed before has a state.
func settled(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("files have no state here")
	}
	was := Settles
	Settles = 0
	t.Cleanup(func() { Settles = was })
}

// ticks returns when the clock of the file system has gone on: it is a coarse one, and two changes
// at one of its times cannot be told apart. (That is why a state has to settle.)
func ticks(t *testing.T) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "clock")
	now := func() time.Time {
		require.NoError(t, os.WriteFile(name, nil, 0o644))
		require.NoError(t, os.Chmod(name, 0o600))
		info, err := os.Lstat(name)
		require.NoError(t, err)
		changed, _, ok := lastChange(info)
		require.True(t, ok)
		return changed
	}
	for start := now(); now().Equal(start); {
	}
}

// Whatever changes a file changes its state, though it may have the size and the time that it had.
func TestState(t *testing.T) {
	f := files(t)
	_, err := f.State()
	assert.ErrorIs(t, err, errUnsettled, "they were written just now")
	settled(t)
	state := func() string {
		s, err := f.State()
		require.NoError(t, err)
		return s
	}
	one := state()
	assert.Equal(t, one, state())
	x := filepath.Join(f.Root, "a", "x")
	info, err := os.Stat(x)
	require.NoError(t, err)
	for _, tt := range []struct {
		what   string
		change func()
	}{
		{"another text", func() { write(t, f.Root, "a/x", "9") }},
		{"another file", func() { require.NoError(t, os.Remove(x)); write(t, f.Root, "a/x", "1") }},
		{"its rights", func() { require.NoError(t, os.Chmod(x, 0o600)) }},
		{"one more", func() { write(t, f.Root, "a/more", "") }},
		{"its name", func() { require.NoError(t, os.Rename(x, x+"1")); x += "1" }},
	} {
		before := state()
		ticks(t)
		tt.change()
		require.NoError(t, os.Chtimes(x, info.ModTime(), info.ModTime()))
		assert.NotEqual(t, before, state(), tt.what)
	}
	require.NoError(t, os.Symlink("x", filepath.Join(f.Root, "a/link")))
	_, err = f.State()
	assert.ErrorIs(t, err, errUnsettled, "what a link leads to may change")
}

// A sum is kept for a state, and only for one that can tell.
func TestKeptSum(t *testing.T) {
	f, dir := files(t), filepath.Join(t.TempDir(), "sums")
	want, err := f.Sum()
	require.NoError(t, err)
	kept := func() string {
		s, err := f.KeptSum(dir)
		require.NoError(t, err)
		return s
	}
	Settles = time.Hour
	assert.Equal(t, want, kept())
	assert.NoDirExists(t, dir)
	Settles = 3 * time.Second
	settled(t)
	assert.Equal(t, want, kept())
	state, err := f.State()
	require.NoError(t, err)
	assert.FileExists(t, filepath.Join(dir, state))
	planted := strings.Repeat("0", digits)
	require.NoError(t, os.WriteFile(filepath.Join(dir, state), []byte(planted), 0o644))
	assert.Equal(t, planted, kept(), "nothing was read")
	require.NoError(t, os.WriteFile(filepath.Join(dir, state), []byte("half"), 0o644))
	assert.Equal(t, want, kept())
	ticks(t)
	write(t, f.Root, "a/x", "3")
	assert.NotEqual(t, want, kept())
}
