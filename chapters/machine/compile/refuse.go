package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// checkImports refuses imports of packages that are not embedded, before the
// type checker stumbles over them.
func (c *compiler) checkImports(syntax []*ast.File) {
	for _, file := range syntax {
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				continue // a syntax error, reported already
			}
			switch {
			case path == "C":
				c.errorf(spec.Pos(), "cgo is not supported")
			case path == "unsafe":
				c.errorf(spec.Pos(), "package unsafe is not supported")
			case std().byPath[path] == nil:
				c.errorf(spec.Path.Pos(), "package %s is not supported yet", path)
			}
		}
	}
}

// refuseUnsupported reports what the compiler cannot compile, by its name, and
// collects the expressions &x.f and &x[i].
func (c *compiler) refuseUnsupported(syntax []*ast.File, info *types.Info) {
	c.addressOf = map[token.Pos]bool{}
	for _, file := range syntax {
		v := refuser{c: c, info: info}
		ast.Inspect(file, v.visit)
	}
}

// A refuser looks at syntax.
type refuser struct {
	c    *compiler
	info *types.Info
}

func (r *refuser) notYet(n ast.Node, what string) {
	r.c.errorf(n.Pos(), "%s is not supported yet", what)
}

func (r *refuser) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if n.Body == nil {
			r.c.errorf(n.Name.Pos(), "missing function body")
		}
	case *ast.UnaryExpr:
		return r.unary(n)
	case *ast.RangeStmt:
		return r.rangeOver(n)
	case *ast.CallExpr:
		return r.call(n)
	case *ast.BasicLit:
		if n.Kind == token.IMAG {
			r.complex(n)
		}
	case *ast.Ident:
		r.ident(n)
	}
	return true
}

func (r *refuser) complex(n ast.Node) { r.c.errorf(n.Pos(), "complex numbers are not supported") }

func (r *refuser) unary(n *ast.UnaryExpr) bool {
	if n.Op == token.AND {
		switch x := ast.Unparen(n.X).(type) {
		case *ast.SelectorExpr:
			r.c.addressOf[x.Sel.Pos()] = true
		case *ast.IndexExpr:
			r.c.addressOf[x.Lbrack] = true
		}
	}
	return true
}

func (r *refuser) rangeOver(n *ast.RangeStmt) bool {
	t := r.info.TypeOf(n.X)
	if t == nil {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Signature:
		r.notYet(n, "range over a function")
		return false
	}
	return true
}

func (r *refuser) call(n *ast.CallExpr) bool {
	switch fun := ast.Unparen(n.Fun).(type) {
	case *ast.Ident:
		if b, ok := r.info.Uses[fun].(*types.Builtin); ok {
			switch b.Name() {
			case "complex", "real", "imag":
				r.complex(n)
				return false
			}
		}
	}
	return true
}

// ident refuses uses of the predeclared complex types.
func (r *refuser) ident(n *ast.Ident) {
	if t, ok := r.info.Uses[n].(*types.TypeName); ok && t.Pkg() == nil {
		if b, ok := t.Type().(*types.Basic); ok && b.Info()&types.IsComplex != 0 {
			r.complex(n)
		}
	}
}
