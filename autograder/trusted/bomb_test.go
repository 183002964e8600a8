package trusted_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/trusted"
	"gosched/autograder/trusted/cheat"
	"gosched/chapters"
	"gosched/chapters/sample"
)

// bombs are a few lines each that take all time and memory of whoever works out what they mean.
var bombs = map[string]string{
	"a type of two of another, and so on": "type pair[A any] struct{ a, b A }\n\ntype t0 = int\n" + chain("type t%[1]d = pair[struct{ a, b t%[2]d }]\n"),
	"a text of two of another, and so on": "const t0 = \"x\"\n" + chain("const t%[1]d = t%[2]d + t%[2]d\n") + "\nvar length = len(t40)\n",
}

// chain is a line for each of the numbers to 40, with the number and the one before.
func chain(line string) (lines string) {
	for i := 1; i <= 40; i++ {
		lines += fmt.Sprintf(line, i, i-1)
	}
	return lines
}

// What takes too much to look through is refused, and costs its chapter alone.
func TestBombs(t *testing.T) {
	if !sample.Whole() {
		t.Skip("takes 20 s of CPU for each")
	}
	course, err := trusted.Open(t.Context(), root, chapters.All)
	require.NoError(t, err)
	for name, text := range bombs {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			given(t, dir)
			write(t, filepath.Join(dir, cheat.Chapter, "bomb.go"), []byte("package ch01\n\n"+text))
			files, err := course.Read(dir)
			require.NoError(t, err)
			defer files.Remove()
			require.Len(t, files.Findings, 1)
			assert.Equal(t, cheat.Chapter+"/bomb.go", files.Findings[0].File)
			assert.Contains(t, files.Findings[0].What, "to work out what its names mean takes more than 20 s of CPU, or 1024 MiB of memory")
		})
	}
}
