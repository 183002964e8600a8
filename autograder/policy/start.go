package policy

import (
	"go/ast"
	"go/token"
	"slices"
)

// What a file does when a process starts, before anything of it is called.

// Idle reports whether that is nothing: the file has no init, no TestMain, nothing embedded or
// in C, and to set its variables calls nothing. Whoever puts several chapters into one process
// asks for it. Check asks for less: to compute a table harms no one but its own chapter.
func Idle(file *ast.File) bool {
	if len(starters(file)) > 0 || len(foreign(file)) > 0 {
		return false
	}
	for _, d := range file.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR {
			continue
		}
		for _, spec := range d.Specs {
			if !literal(spec.(*ast.ValueSpec).Values) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(Declared(file), func(id *ast.Ident) bool { return slices.Contains(harmless, id.Name) })
}

// starts refuses functions that run without being called.
func (c *checker) starts(file *ast.File) {
	for _, id := range starters(file) {
		c.at(id.Pos(), "the function "+id.Name+" runs without being called", "do it where a part is made, in its constructor")
	}
}

// starters are the names of the functions that the start of a process calls.
func starters(file *ast.File) []*ast.Ident {
	var found []*ast.Ident
	for _, d := range file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && (d.Name.Name == "init" || d.Name.Name == "TestMain") {
			found = append(found, d.Name)
		}
	}
	return found
}

// foreign are the imports that make a package of more than Go.
func foreign(file *ast.File) []*ast.ImportSpec {
	var found []*ast.ImportSpec
	for _, spec := range file.Imports {
		if p := spec.Path.Value; p == `"C"` || p == `"embed"` {
			found = append(found, spec)
		}
	}
	return found
}

// harmless are the built-in functions that only make or measure a value.
var harmless = []string{"make", "new", "len", "cap"}

// literal reports whether to evaluate the expressions neither calls anything nor waits. It may
// still panic.
func literal(values []ast.Expr) bool {
	is := true
	for _, value := range values {
		ast.Inspect(value, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				f, ok := n.Fun.(*ast.Ident)
				is = is && ok && slices.Contains(harmless, f.Name)
			case *ast.UnaryExpr:
				is = is && n.Op != token.ARROW
			}
			return is
		})
	}
	return is
}

// Declared are the names that a file declares for its package.
func Declared(file *ast.File) []*ast.Ident {
	var names []*ast.Ident
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name)
				case *ast.ValueSpec:
					names = append(names, spec.Names...)
				}
			}
		}
	}
	return names
}
