package webpage

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBrowser(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a program is found by the ending of its name there")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	assert.Empty(t, Browser())
	for _, name := range []string{"chrome", "chromium"} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, nil, 0o755))
		assert.Equal(t, file, Browser())
	}
}
