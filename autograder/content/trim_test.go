package content

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// aged makes a file, and the folders that it is in, as old as that.
func aged(t *testing.T, root, name string, age time.Duration) {
	t.Helper()
	write(t, root, name, "")
	when := time.Now().Add(-age)
	for ; name != "."; name = filepath.Dir(name) {
		require.NoError(t, os.Chtimes(filepath.Join(root, name), when, when))
	}
}

// left are the files and folders below a folder, but for the mark.
func left(t *testing.T, root string) (names []string) {
	t.Helper()
	require.NoError(t, fs.WalkDir(os.DirFS(root), ".", func(name string, _ fs.DirEntry, err error) error {
		if name != "." && name != trimmed {
			names = append(names, name)
		}
		return err
	}))
	return names
}

func TestTrim(t *testing.T) {
	dir := t.TempDir()
	aged(t, dir, "old", unused+time.Hour)
	aged(t, dir, "used", unused+time.Hour)
	aged(t, dir, "young", unused-time.Hour)
	aged(t, dir, "a/b/old", unused+time.Hour)
	aged(t, dir, "c/old", unused+time.Hour)
	aged(t, dir, "c/young", time.Hour)
	assert.True(t, Used(filepath.Join(dir, "used")))
	assert.False(t, Used(filepath.Join(dir, "none")))
	Trim(dir)
	assert.Equal(t, []string{"c", "c/young", "used", "young"}, left(t, dir))

	aged(t, dir, "more", unused+time.Hour)
	Trim(dir)
	assert.Contains(t, left(t, dir), "more", "once a day is enough")
	aged(t, dir, trimmed, often+time.Hour)
	Trim(dir)
	assert.NotContains(t, left(t, dir), "more")

	none := filepath.Join(dir, "no", "such")
	Trim(none)
	assert.NoDirExists(t, none)
}
