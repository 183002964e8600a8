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
	eachImport(t, func(name, path string) {
		if strings.HasPrefix(path, "gosched/") && !strings.HasPrefix(path+"/", "gosched/chapters/") {
			assert.Fail(t, "an import leads out of chapters/",
				"chapters/%s imports %s. Move a program that makes a figure, and its test, to book/figures/, and a test that needs right parts to solutions/.", name, path)
		}
	})
}

// A test binary of a chapter is linked after each edit, with all that a suite imports. Testify
// imports net/http, and would double the packages in it.
func TestSuitesAreSmall(t *testing.T) {
	eachImport(t, func(name, path string) {
		forTests := strings.HasSuffix(name, "_test.go") || strings.HasSuffix(filepath.Dir(name), "test")
		if !forTests && (strings.HasPrefix(path, "github.com/stretchr/testify/") || path == "net/http") {
			assert.Fail(t, "each test binary would be larger", "chapters/%s imports %s. A check reports with the methods of check.T.", name, path)
		}
	})
}

// eachImport calls f for all imports in the Go files of chapters/, with the name of the file.
func eachImport(t *testing.T, f func(name, path string)) {
	t.Helper()
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
			f(filepath.ToSlash(name), path)
		}
		return nil
	})
	require.NoError(t, err)
	assert.NotZero(t, files)
}
