package policy

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/gen"
	"gosched/chapters"
)

const root = "../.."

// What is right may do what it does: the exercises as they are given, and as they are when the
// solutions have been written into them.
func TestHonest(t *testing.T) {
	given, err := gen.Exercises(root, chapters.All, false)
	require.NoError(t, err)
	guided, err := gen.Exercises(root, chapters.All, true)
	require.NoError(t, err)
	known, err := packages()
	require.NoError(t, err)
	files := 0
	for _, ch := range chapters.All {
		if ch.Suite == nil {
			continue
		}
		solution, err := gen.Solution(root, ch)
		require.NoError(t, err)
		forms := map[string]map[string][]byte{} // the files of a package in one of their forms
		for file, solved := range solution {
			if file == ch.ID+"_test.go" {
				continue
			}
			files++
			name := path.Join("exercises", ch.Dir, file)
			stub := given[path.Join(ch.Dir, file)]
			for i, text := range [][]byte{stub, guided[path.Join(ch.Dir, file)], solved} {
				key := fmt.Sprintf("%v %d", Written(name), i)
				if forms[key] == nil {
					forms[key] = map[string][]byte{}
				}
				forms[key][name] = text
				assert.Empty(t, Check(name, text))
				if Written(name) {
					assert.Empty(t, Given(name, text, stub, solved))
				} else {
					assert.Empty(t, Parts(name, text, ch.Suite.Parts))
				}
			}
		}
		for _, files := range forms {
			assert.Empty(t, known.Names(files))
		}
	}
	assert.Greater(t, files, 100)
}

// So may what is right and different, and what is wrong as a student's part may be wrong.
func TestOthers(t *testing.T) {
	parts := 0
	for _, pattern := range []string{"alternatives*.go", "finders_test.go", "wakers_test.go", "mutants.go", "list.go", "tailonly.go", "every.go"} {
		names, err := filepath.Glob(filepath.Join(root, "solutions", "ch*", pattern))
		require.NoError(t, err)
		for _, name := range names {
			if strings.HasSuffix(name, "mutants.go") && slices.Contains(sly, path.Base(filepath.Dir(name))) {
				continue
			}
			text, n := onlyParts(t, name)
			parts += n
			assert.Empty(t, judged(t, filepath.ToSlash(strings.TrimSuffix(name, "_test.go")), text), name)
		}
	}
	assert.Greater(t, parts, 1500)
}

// sly are the chapters with mutants that go wrong in ways that no student's part may: they look
// at the stack of the caller, or exchange a part of the scheduler while it runs.
var sly = []string{"ch01_goroutine", "ch08_loop", "ch16_netpoll", "ch18_whole"}

// onlyParts returns a file without what tests it: the declarations that need packages that a
// part does not have, and their imports. The others keep their lines. n is their number.
func onlyParts(t *testing.T, name string) (text []byte, n int) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, 0)
	require.NoError(t, err)
	blank := func(node ast.Node) {
		for i := fset.Position(node.Pos()).Offset; i < fset.Position(node.End()).Offset; i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	besides := map[string]bool{}
	for _, spec := range file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		require.NoError(t, err)
		if p != gmpPath && p != machinePath && strings.Contains(p, ".") || strings.HasPrefix(p, "gosched/") && p != gmpPath && p != machinePath || p == "testing" || p == "flag" || p == "os" {
			name := path.Base(p)
			if strings.HasPrefix(p, "gosched/solutions/") {
				name = name[:4]
			}
			if spec.Name != nil {
				name = spec.Name.Name
			}
			besides[name] = true
			blank(spec)
		}
	}
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			continue
		}
		needs := false
		ast.Inspect(decl, func(node ast.Node) bool {
			id, ok := node.(*ast.Ident)
			needs = needs || ok && besides[id.Name]
			return true
		})
		if needs {
			blank(decl)
		} else {
			n++
		}
	}
	return text, n
}
