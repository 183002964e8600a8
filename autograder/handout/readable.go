package handout

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"

	"gosched/autograder/gen"
)

// shortBody is how many lines a function may have that is not looked for: the same few lines may
// stand anywhere.
const shortBody = 4

// again returns, for each function of a withheld solution that a student is to write and that
// stands in the handout all the same, where that is: a later chapter may give what an earlier one
// asks for, and a suite has parts of its own.
func (m *making) again() ([]string, error) {
	var found []string
	for _, ch := range m.all {
		if ch.Suite == nil || slices.Contains(m.Solved, ch.ID) {
			continue
		}
		files, err := gen.Solution(m.root, ch)
		if err != nil {
			return nil, err
		}
		written, err := gen.ToWrite(m.root, ch)
		if err != nil {
			return nil, err
		}
		for _, file := range slices.Sorted(maps.Keys(files)) {
			bodies, err := bodiesOf(file, files[file], written)
			if err != nil {
				return nil, err
			}
			for _, function := range slices.Sorted(maps.Keys(bodies)) {
				for _, name := range m.names() {
					if strings.HasSuffix(name, ".go") && bytes.Contains(m.Files[name], bodies[function]) {
						found = append(found, fmt.Sprintf("%s of %s is also in %s.", function, ch.ID, name))
					}
				}
			}
		}
	}
	return found, nil
}

// bodiesOf returns the bodies of those functions of a file that are named, "runQueue.Runqput", but
// for short ones.
func bodiesOf(file string, text []byte, named []string) (map[string][]byte, error) {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	bodies := map[string][]byte{}
	for _, d := range syntax.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && slices.Contains(named, nameOf(fn)) {
			body := text[fset.Position(fn.Body.Lbrace).Offset:fset.Position(fn.Body.Rbrace).Offset]
			if bytes.Count(body, []byte("\n")) > shortBody {
				bodies[nameOf(fn)] = body
			}
		}
	}
	return bodies, nil
}

// nameOf is the name of a function, "runQueue.Runqput" of a method.
func nameOf(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	of := fn.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name + "." + fn.Name.Name
	}
	return fn.Name.Name
}
