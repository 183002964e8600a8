package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// What a package can keep from one call to the next is in its variables, as far as Check and Names
// let it start no goroutine and change nothing that others have. What is the scheduler's and yet
// the whole process has it, package check clears before each check, and it tells of threads that
// one has left.

// Forgets reports whether a package keeps nothing: it has no variables, but
//
//   - those named _;
//   - what it hands over and does not name again: a literal whose values are names of functions,
//     or function literals, such as Parts;
//   - tables that it only reads: arrays, slices and maps of numbers, words and arrays of them,
//     of which each use is an element, the length or a range.
//
// These are its files. One that does not parse may have variables.
func Forgets(texts ...[]byte) bool {
	var files []*ast.File
	declared := map[string]bool{}
	for _, text := range texts {
		file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
		if err != nil {
			return false
		}
		files = append(files, file)
		for _, id := range Declared(file) {
			declared[id.Name] = true
		}
	}
	uses := usesOf(files)
	for _, file := range files {
		for _, spec := range variables(file) {
			for i, id := range spec.Names {
				if id.Name == "_" {
					continue
				}
				if len(spec.Values) != len(spec.Names) {
					return false
				}
				value, ok := spec.Values[i].(*ast.CompositeLit)
				if !ok || !handed(value, uses[id.Name]) && !(isTable(value, declared) && onlyRead(uses, id.Name)) {
					return false
				}
			}
		}
	}
	return true
}

// variables are the declarations of package variables in a file.
func variables(file *ast.File) (found []*ast.ValueSpec) {
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.VAR {
			for _, spec := range d.Specs {
				found = append(found, spec.(*ast.ValueSpec))
			}
		}
	}
	return found
}

// A use is where a name stands: the nodes from its file down to it.
type use []ast.Node

// up is the node so many steps above the name, nil above the file.
func (u use) up(steps int) ast.Node {
	if steps >= len(u) {
		return nil
	}
	return u[len(u)-1-steps]
}

// usesOf are all names in some files, but where a package variable is declared. Whether a name is
// that of the variable, or of something else that is called so, is not asked: it counts.
func usesOf(files []*ast.File) map[string][]use {
	uses := map[string][]use{}
	for _, file := range files {
		declares := map[*ast.Ident]bool{}
		for _, spec := range variables(file) {
			for _, id := range spec.Names {
				declares[id] = true
			}
		}
		var path use
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				path = path[:len(path)-1]
				return true
			}
			path = append(path, n)
			if id, ok := n.(*ast.Ident); ok && !declares[id] {
				uses[id.Name] = append(uses[id.Name], slices.Clone(path))
			}
			return true
		})
	}
	return uses
}

// handed reports whether a literal holds but functions that can keep nothing in it, and is used by
// nothing in its package. (A method value may have its receiver's pointers, and what a call
// returns the variables of that.)
func handed(value *ast.CompositeLit, uses []use) bool {
	return len(uses) == 0 && !slices.ContainsFunc(value.Elts, func(elt ast.Expr) bool {
		if pair, ok := elt.(*ast.KeyValueExpr); ok {
			elt = pair.Value
		}
		switch elt.(type) {
		case *ast.Ident, *ast.FuncLit:
			return false
		}
		return true
	})
}

// isTable reports whether a literal is an array, a slice or a map of what is plain, so that whoever
// has an element of it has a copy.
func isTable(value *ast.CompositeLit, declared map[string]bool) bool {
	switch t := value.Type.(type) {
	case *ast.ArrayType:
		return isPlain(t.Elt, declared)
	case *ast.MapType:
		return isPlain(t.Key, declared) && isPlain(t.Value, declared)
	}
	return false
}

// plainTypes are types whose values point to nothing that can be changed.
var plainTypes = []string{
	"bool", "string", "byte", "rune", "uintptr", "float32", "float64",
	"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64",
}

// isPlain reports whether a type is one of plainTypes, or an array of such. A package may declare
// another type by one of these names.
func isPlain(t ast.Expr, declared map[string]bool) bool {
	switch t := t.(type) {
	case *ast.Ident:
		return slices.Contains(plainTypes, t.Name) && !declared[t.Name]
	case *ast.ArrayType:
		return t.Len != nil && isPlain(t.Elt, declared)
	}
	return false
}

// onlyRead reports whether no use of a table may change it, if len is what Go means by it.
func onlyRead(uses map[string][]use, name string) bool {
	notCalled := func(u use) bool {
		call, ok := u.up(1).(*ast.CallExpr)
		return !ok || call.Fun != u.up(0)
	}
	return !slices.ContainsFunc(uses[name], mayWrite) && !slices.ContainsFunc(uses["len"], notCalled)
}

// mayWrite reports whether a use of a table may change it: it is not one of those of which it is
// known that they only read.
func mayWrite(u use) bool {
	name, steps := u.up(0), 1
	switch parent := u.up(1).(type) {
	case *ast.CallExpr:
		f, ok := parent.Fun.(*ast.Ident)
		return !ok || f.Name != "len"
	case *ast.RangeStmt:
		return parent.X != name
	}
	whole := name // the table, or the element of it of which the next is one
	for {
		parent, ok := u.up(steps).(*ast.IndexExpr)
		if !ok || parent.X != whole {
			break
		}
		whole, steps = parent, steps+1
	}
	if whole == name {
		return true
	}
	switch parent := u.up(steps).(type) {
	case *ast.AssignStmt:
		return slices.Contains(parent.Lhs, whole.(ast.Expr))
	case *ast.IncDecStmt, *ast.SelectorExpr, *ast.SliceExpr, *ast.ParenExpr:
		return true
	case *ast.UnaryExpr:
		return parent.Op == token.AND
	case *ast.RangeStmt:
		return parent.X != whole
	}
	return false
}
