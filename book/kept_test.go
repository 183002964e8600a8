package book

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The second build runs nothing, and gives the same bytes; a change of what a result depends
// on makes it run again, and what no page needs any more is forgotten.
func TestKept(t *testing.T) {
	opt := withPages(t, map[string]string{"index.md": `# A

::: timeline code/queue.go go=0.x seed=1
:::

::: output code/queue.go go=0.x status=2
:::

::: versions code/queue.go go="1.0 1.1" procs=4
:::

::: output code/queue.go real status=3 args=x
:::

::: counterexample ch01 lost
:::
`})
	opt.Kept, opt.Code = filepath.Join(t.TempDir(), "kept"), "one"
	runs := 0
	run, example := opt.Run, opt.Counterexample
	opt.Run = func(program string, args RunArgs) (RunResult, error) {
		runs++
		return run(program, args)
	}
	opt.Counterexample = func(chapter, mutant string) (Counterexample, error) {
		runs++
		return example(chapter, mutant)
	}
	build := func(want int) Site {
		t.Helper()
		runs = 0
		site, err := Render(opt)
		require.NoError(t, err)
		assert.Equal(t, want, runs, "runs")
		files, err := os.ReadDir(opt.Kept)
		require.NoError(t, err)
		assert.Len(t, files, 6, "a file for each result")
		return site
	}

	first := build(5)
	assert.Equal(t, first, build(0))

	opt.Code = "two"
	assert.Equal(t, first, build(5))

	queue := filepath.Join(opt.Root, "code", "queue.go")
	text, err := os.ReadFile(queue)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(queue, append(text, "// another\n"...), 0o666))
	build(4) // all but the counterexample

	files, err := os.ReadDir(opt.Kept)
	require.NoError(t, err)
	for _, f := range files {
		require.NoError(t, os.WriteFile(filepath.Join(opt.Kept, f.Name()), []byte("broken"), 0o666))
	}
	build(5)
}

// What went wrong is not kept.
func TestErrorsAreNotKept(t *testing.T) {
	opt := withPages(t, map[string]string{"index.md": "# A\n\n::: counterexample ch01 none\n:::\n"})
	opt.Kept = t.TempDir()
	tries, example := 0, opt.Counterexample
	opt.Counterexample = func(chapter, mutant string) (Counterexample, error) {
		tries++
		return example(chapter, mutant)
	}
	for i := range 2 {
		_, err := Render(opt)
		assert.ErrorContains(t, err, "no mutant")
		assert.Equal(t, i+1, tries)
	}
}
