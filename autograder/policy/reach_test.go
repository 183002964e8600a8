package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/check/golden"
)

// testdata/reach.txt has the functions, variables and methods of packages gmp and machine that
// a part may use. Each new one asks for a decision: with it, could a part forge, silence or
// recognise a check, or reach anything outside of the program? If so, refuse it in names.go, or
// do not export it.
func TestReach(t *testing.T) {
	var reach []string
	for _, dir := range []string{"gmp", "machine"} {
		names, err := filepath.Glob(filepath.Join(root, "chapters", dir, "*.go"))
		require.NoError(t, err)
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			syntax, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			for _, decl := range syntax.Decls {
				reach = append(reach, reached(dir, decl)...)
			}
		}
	}
	slices.Sort(reach)
	got := strings.Join(slices.Compact(reach), "\n") + "\n"
	const file = "testdata/reach.txt"
	if os.Getenv(golden.UpdateEnv) == "1" {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Empty(t, cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")),
		"a part may use other functions of gmp and machine than before: refuse what it must not use in names.go, or, if there is nothing of that, run this test with %s=1", golden.UpdateEnv)
}

// reached are the functions, variables and methods of a declaration that the policy lets a part
// use.
func reached(pkg string, decl ast.Decl) []string {
	refused := packageNames["gosched/chapters/"+pkg]
	switch d := decl.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv == nil {
			if ast.IsExported(name) && refused[name] == "" {
				return []string{pkg + "." + name}
			}
			return nil
		}
		if ast.IsExported(name) && harness[name] == "" && watching[name] == "" && ast.IsExported(receiver(d)) {
			return []string{pkg + "." + receiver(d) + "." + name}
		}
	case *ast.GenDecl:
		var names []string
		for _, spec := range d.Specs {
			if spec, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR {
				for _, id := range spec.Names {
					if ast.IsExported(id.Name) && refused[id.Name] == "" {
						names = append(names, pkg+"."+id.Name+" (variable)")
					}
				}
			}
		}
		return names
	}
	return nil
}
