package gen

import (
	"fmt"
	"go/ast"
	"path/filepath"

	"gosched/chapters"
)

// Solution returns the files of a chapter's solution as they would stand among
// the exercises, without directives: what a student compares with. Keys are
// names of files.
func Solution(root string, ch chapters.Chapter) (map[string][]byte, error) {
	files, err := readSolution(root, ch, false)
	if err != nil {
		return nil, err
	}
	solution := map[string][]byte{}
	for _, f := range files {
		text, err := Strip(f.name, f.src)
		if err == nil {
			text, err = elsewhere(ch, text)
		}
		if err != nil {
			return nil, err
		}
		solution[f.name] = append([]byte(f.header), text...)
	}
	err = WithheldIn(root).StandIn(solution, ch.ID+"_test.go")
	return solution, err
}

// ResetFunction returns the edited file with the function called name, or
// "Type.name", as it is in the fresh one. It is an error if either file has none.
func ResetFunction(root, file, name string, edited, fresh []byte) ([]byte, error) {
	f, err := parse(file, edited, packageNames(root))
	if err != nil {
		return nil, fmt.Errorf("%s does not parse, so no function can be found in it; reset the whole file:\n%w", file, err)
	}
	stub, err := parse(file, fresh, packageNames(root))
	if err != nil {
		return nil, err
	}
	from, to := f.find(name), stub.find(name)
	if from == nil || to == nil {
		return nil, fmt.Errorf("%s has no function %s", file, name)
	}
	f.replace(from, stub.text(to))
	return f.finish()
}

// Functions returns the names of the functions in a file, methods as
// "Type.name"; nil if it does not parse.
func Functions(file string, src []byte) []string {
	f, err := parse(file, src, filepath.Base)
	if err != nil {
		return nil
	}
	var names []string
	for _, decl := range f.syntax.Decls {
		if decl, ok := decl.(*ast.FuncDecl); ok {
			names = append(names, functionName(decl))
		}
	}
	return names
}

// functionName is the name of a function, "Type.name" of a method.
func functionName(decl *ast.FuncDecl) string {
	if decl.Recv != nil && len(decl.Recv.List) == 1 {
		return receiver(decl.Recv.List[0].Type) + "." + decl.Name.Name
	}
	return decl.Name.Name
}

// find returns the function called name or "Type.name", nil if there is none.
func (f *file) find(name string) *ast.FuncDecl {
	for _, decl := range f.syntax.Decls {
		if decl, ok := decl.(*ast.FuncDecl); ok && (decl.Name.Name == name || functionName(decl) == name) {
			return decl
		}
	}
	return nil
}

// extent is where a function begins, with its doc comment, and ends.
func (f *file) extent(decl *ast.FuncDecl) (from, to int) {
	from = f.offset(decl.Pos())
	if decl.Doc != nil {
		from = f.offset(decl.Doc.Pos())
	}
	return from, f.offset(decl.End())
}

func (f *file) text(decl *ast.FuncDecl) string {
	from, to := f.extent(decl)
	return string(f.src[from:to])
}

func (f *file) replace(decl *ast.FuncDecl, text string) {
	from, to := f.extent(decl)
	f.edits = append(f.edits, edit{from, to, text})
}
