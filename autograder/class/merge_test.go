package class

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/grade"
)

// TestMerge: of two shards that know the same student the one that knows more counts.
func TestMerge(t *testing.T) {
	one := newBatch(t, 3)
	require.NoError(t, one.Run(t.Context()))
	two := *one
	two.Out = filepath.Join(t.TempDir(), "two")
	two.Grade = func(context.Context, string, []string) (*grade.Report, error) { return nil, errors.New("disk full") }
	require.NoError(t, two.Run(t.Context()))
	for _, order := range [][]string{{one.Out, two.Out}, {two.Out, one.Out}} {
		out := filepath.Join(t.TempDir(), "out")
		c, err := Merge(order, out)
		require.NoError(t, err)
		assert.Equal(t, 3, c.Count(Graded))
		_, want := read(t, one.Out)
		_, got := read(t, out)
		assert.Equal(t, want, got)
		assert.FileExists(t, filepath.Join(out, evidenceDir, c.Students[0].Key, "ch01", "free-reuse.txt"))
	}
	c, err := Merge([]string{two.Out}, filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	assert.Equal(t, 3, c.Count(InternalError), "an error is not forgotten")
	assert.Equal(t, "disk full", c.Students[0].Message)

	t.Run("into one of them", func(t *testing.T) {
		c, err := Merge([]string{two.Out, one.Out}, two.Out)
		require.NoError(t, err)
		assert.Equal(t, 3, c.Count(Graded))
		assert.FileExists(t, filepath.Join(two.Out, evidenceDir, c.Students[0].Key, "ch01", "free-reuse.txt"))
	})
}

func TestMergeErrors(t *testing.T) {
	one := newBatch(t, 3)
	require.NoError(t, one.Run(t.Context()))
	out := filepath.Join(t.TempDir(), "out")
	fails := func(what, err string, change func(b *Batch)) {
		t.Run(what, func(t *testing.T) {
			two := *one
			two.Out = filepath.Join(t.TempDir(), "two")
			change(&two)
			require.NoError(t, two.Run(t.Context()))
			_, got := Merge([]string{one.Out, two.Out}, out)
			assert.EqualError(t, got, one.Out+" and "+two.Out+" cannot be joined: "+err)
			assert.NoFileExists(t, filepath.Join(out, TableFile))
		})
	}
	fails("roster", "they are of different rosters", func(b *Batch) { b.Rows = b.Rows[:2] })
	fails("toolchain", "they were graded with another toolchain, go1.26.8 linux/amd64 and go1.27", func(b *Batch) { b.Conditions.Toolchain = "go1.27" })
	fails("course", "they were graded with another version of the course", func(b *Batch) { b.Conditions.Suites = "z" })
	fails("submission", "s001 has different submissions there", func(b *Batch) {
		b.Base = folders(t, b.Rows)
		writeSubmission(t, b.Base, b.Rows[1], "77")
	})
	_, err := Merge([]string{one.Out, "nowhere"}, out)
	assert.EqualError(t, err, "nowhere has no results of a class: there is no batch.json")
	_, err = os.Stat(filepath.Join(out, TableFile))
	assert.ErrorIs(t, err, os.ErrNotExist)
}
