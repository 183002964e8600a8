package check_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asksWhether is how a sentence begins that Want would end with "is false".
var asksWhether = regexp.MustCompile(`(^|[;,:] ?| )whether |; that `)

// Want names a value, and Must states a rule. A rule that is given to Want would be told as
// "whether the lock is held is false".
func TestSentencesOfSuites(t *testing.T) {
	files, err := filepath.Glob("../ch*/*.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if pkg, isName := ast.Unparen(selX(sel)).(*ast.Ident); !ok || !isName || pkg.Name != "check" {
				return true
			}
			switch at := fset.Position(call.Pos()); sel.Sel.Name {
			case "Want":
				assert.NotRegexp(t, asksWhether, words(call.Args[1]), "%v: this is a rule: write check.Must(t, kept, \"… must …\")", at)
			case "Must":
				said := words(call.Args[2])
				assert.True(t, strings.Contains(said, "must") || strings.Contains(said, "MustIf"), "%v: a rule says what must be: %s", at, said)
			}
			return true
		})
	}
}

func selX(sel *ast.SelectorExpr) ast.Expr {
	if sel == nil {
		return nil
	}
	return sel.X
}

// words are the texts in an expression, and the names of functions that make some.
func words(e ast.Expr) string {
	var all []string
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			all = append(all, strings.Trim(n.Value, `"`))
		case *ast.Ident:
			if n.Name == "MustIf" {
				all = append(all, n.Name)
			}
		}
		return true
	})
	return strings.Join(all, " … ")
}
