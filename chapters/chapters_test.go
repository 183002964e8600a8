package chapters

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// All else stands on what the course gives, so that is built and tested without the rest.
func TestChaptersImportOnlyChapters(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "testdata" {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(name) != ".go" {
			return nil
		}
		files++
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if strings.HasPrefix(path, "gosched/") && !strings.HasPrefix(path+"/", "gosched/chapters/") {
				assert.Fail(t, "an import leads out of chapters/",
					"chapters/%s imports %s. Move a program that makes a figure, and its test, to book/figures/, and a test that needs right parts to solutions/.", filepath.ToSlash(name), path)
			}
		}
		return nil
	})
	require.NoError(t, err)
	assert.NotZero(t, files)
}
