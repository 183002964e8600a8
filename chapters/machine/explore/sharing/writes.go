package sharing

import (
	"go/ast"
	"go/token"
	"go/types"
)

// function looks for what one function changes.
func (c *checker) function(fn *ast.FuncDecl) {
	w := &writes{checker: c, fn: fn, made: map[types.Object]bool{}}
	ast.Inspect(fn.Body, w.visit)
}

// writes is the search through one function.
type writes struct {
	*checker
	fn   *ast.FuncDecl
	made map[types.Object]bool // local variables whose struct is made here
}

func (w *writes) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, lhs := range n.Lhs {
			if id, ok := lhs.(*ast.Ident); ok && n.Tok == token.DEFINE && len(n.Lhs) == len(n.Rhs) {
				w.define(id, n.Rhs[i])
			} else {
				w.write(lhs, "writes")
			}
		}
	case *ast.ValueSpec:
		for i, id := range n.Names {
			if i < len(n.Values) {
				w.define(id, n.Values[i])
			} else if t := w.info.Defs[id]; t != nil && w.sharedStruct(t.Type()) != nil && !isPointer(t.Type()) {
				w.made[t] = true
			}
		}
	case *ast.IncDecStmt:
		w.write(n.X, "writes")
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			w.write(n.Key, "writes")
			w.write(n.Value, "writes")
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			w.address(n.X)
		}
	case *ast.CallExpr:
		w.call(n)
	case *ast.GoStmt:
		w.report(n, "the explorer cannot see goroutines: start a thread with machine.Newosproc")
	case *ast.SendStmt, *ast.SelectStmt:
		w.report(n, "the explorer cannot see channels: use the machine's Note to wait and to wake")
	}
	return true
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// define notes that a local variable holds a struct that was just made.
func (w *writes) define(id *ast.Ident, value ast.Expr) {
	if u, ok := value.(*ast.UnaryExpr); ok && u.Op == token.AND {
		value = u.X
	}
	made := false
	switch v := value.(type) {
	case *ast.CompositeLit:
		made = true
	case *ast.CallExpr:
		f, ok := v.Fun.(*ast.Ident)
		made = ok && f.Name == "new"
	}
	if obj := w.info.Defs[id]; obj != nil && made {
		w.made[obj] = true
	}
}

// call looks at builtins that change their argument, and at methods that are
// called on the address of a package variable.
func (w *writes) call(n *ast.CallExpr) {
	switch f := n.Fun.(type) {
	case *ast.Ident:
		if _, builtin := w.info.Uses[f].(*types.Builtin); builtin && len(n.Args) > 0 {
			switch f.Name {
			case "delete", "clear", "copy":
				w.write(n.Args[0], "changes")
			}
		}
	case *ast.SelectorExpr:
		sel := w.info.Selections[f]
		if sel == nil || sel.Kind() != types.MethodVal {
			return
		}
		if sig, ok := sel.Obj().Type().(*types.Signature); ok && sig.Recv() != nil && isPointer(sig.Recv().Type()) {
			if v := w.packageVar(f.X); v != nil {
				w.refuseVar(n, v, "may change")
			}
		}
	}
}

// addressOf is the verb for &x.
const addressOf = "takes the address of"

// address looks at &x: whoever has it may write x.
func (w *writes) address(x ast.Expr) {
	if _, literal := x.(*ast.CompositeLit); literal {
		return
	}
	w.write(x, addressOf)
}

// write refuses a change of x if it is a package variable, or a plain field of
// something shared.
func (w *writes) write(x ast.Expr, verb string) {
	if x == nil {
		return
	}
	if v := w.packageVar(x); v != nil {
		w.refuseVar(x, v, verb)
		return
	}
	field, owner := w.field(x)
	if field == nil {
		return
	}
	if t := w.fieldType(field); verb == addressOf && t != nil && holdsShared(t) {
		return // what is visible may be handed on
	}
	w.report(x, "%s %s %s, a plain field of %s that the explorer cannot see: make it an atomic variable of package machine, a machine.Cell if a lock protects it, or a gmp.PerP if each P has its own; what one call alone needs can be a local variable", w.fn.Name.Name, verb, field.Name(), owner.Name())
}

func (w *writes) refuseVar(at ast.Node, v *types.Var, verb string) {
	w.report(at, "%s %s the package variable %s, which all schedulers of the process share: make it a field of the part", w.fn.Name.Name, verb, v.Name())
}

// inner returns what x is part of: the x of x.f, x[i], x[i:j], *x and (x); nil if
// it is neither.
func inner(x ast.Expr) ast.Expr {
	switch e := x.(type) {
	case *ast.SelectorExpr:
		return e.X
	case *ast.IndexExpr:
		return e.X
	case *ast.SliceExpr:
		return e.X
	case *ast.StarExpr:
		return e.X
	case *ast.ParenExpr:
		return e.X
	}
	return nil
}

// packageVar returns the package variable that x is, or is part of.
func (w *writes) packageVar(x ast.Expr) *types.Var {
	for ; x != nil; x = inner(x) {
		if id, ok := x.(*ast.Ident); ok {
			if v, ok := w.info.Uses[id].(*types.Var); ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
				return v
			}
		}
	}
	return nil
}

// field returns the field of something shared that x is, or is part of, and
// whose it is; nil if there is none, if its struct was made in this function, or
// if x lies behind a pointer into the data model, which is gmp's affair.
func (w *writes) field(x ast.Expr) (field *types.Var, owner *types.TypeName) {
	for e := x; e != nil; e = inner(e) {
		switch e := e.(type) {
		case *ast.Ident:
			if w.made[w.info.Uses[e]] {
				return nil, nil
			}
		case *ast.SelectorExpr:
			sel := w.info.Selections[e]
			if sel == nil || sel.Kind() != types.FieldVal {
				continue
			}
			name := w.sharedStruct(sel.Recv())
			if name == nil {
				continue
			}
			field, owner = sel.Obj().(*types.Var), name
			if star, ok := w.fieldType(field).(*ast.StarExpr); ok && isFrom(star.X, "gmp", "") && e != x {
				return nil, nil
			}
		}
	}
	return field, owner
}

// sharedStruct returns the name of a shared struct, or of one behind a pointer.
func (c *checker) sharedStruct(t types.Type) *types.TypeName {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(*types.Named); ok && c.shared[n.Obj()] {
		return n.Obj()
	}
	return nil
}

// fieldType is the type of a field as it is written.
func (c *checker) fieldType(field *types.Var) ast.Expr {
	for _, st := range c.structs {
		for _, f := range st.Fields.List {
			for _, name := range f.Names {
				if c.info.Defs[name] == field {
					return f.Type
				}
			}
		}
	}
	return nil
}
