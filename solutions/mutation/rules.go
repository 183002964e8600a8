package mutation

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"
)

// The rules. Each excuses only what certainly cannot matter: no lock, no atomic operation
// and no call is in it, but of a function that only calculates. So no other thread can tell
// the difference, and no data goes from one to the other.
const (
	apart         = "plain accesses that have nothing to do with each other"
	onlyLocals    = "it touches only local variables, which the rest does not"
	nothingBehind = "nothing comes behind it"
	sameAnyway    = "where the two differ the assignment changes nothing"
	sameValue     = "the constant that it is part of has the same value"
	exclusive     = "no more than one of the two conditions holds"
)

// An effect is what a simple statement does, or an if of such: it assigns variables and fields,
// and reads some. A field is known by its path from the pointer that leads to it,
// ".GFree.Stack", or from a variable of the function, "q.Head", whatever the pointer: two that
// might be the same are the same (see overlap).
type effect struct {
	reads, writes map[string]bool
	declares      map[string]bool // those of writes that do not exist before
	locals        bool            // it touches local variables only
}

// independent returns the rule by which it does not matter whether s stands before or
// behind the others, its neighbours; "" if there is none.
func (m *maker) independent(s ast.Stmt, others []ast.Stmt) string {
	e, ok := m.effectOf(s)
	if !ok {
		return ""
	}
	rule := apart
	for _, o := range others {
		if other, simple := m.effectOf(o); simple && !e.meets(other) {
			continue
		}
		if !e.locals || !m.untouched(e, o) {
			return ""
		}
		rule = onlyLocals
	}
	return rule
}

// meets reports whether the order of two effects matters.
func (e effect) meets(other effect) bool {
	return overlap(e.writes, other.reads) || overlap(e.writes, other.writes) || overlap(e.reads, other.writes)
}

// overlap reports whether a name of one and a name of the other may be of the same thing, or
// of a part of it: that begins as the other does, or that ends so, since a pointer may lead
// to the middle of a path.
func overlap(some, others map[string]bool) bool {
	for a := range some {
		for b := range others {
			if a == b || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".") ||
				strings.HasPrefix(b, ".") && strings.HasSuffix(a, b) || strings.HasPrefix(a, ".") && strings.HasSuffix(b, a) {
				return true
			}
		}
	}
	return false
}

// untouched reports whether a statement of any kind has nothing to do with the local
// variables of e, and lets the function go on behind it. It may return: then nothing reads them
// any more, unless they are results.
func (m *maker) untouched(e effect, s ast.Stmt) bool {
	ok := true
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			ok = ok && !m.namesResults()
		case *ast.BranchStmt, *ast.DeferStmt:
			ok = false
		case *ast.Ident:
			if m.local(n) && (e.writes[n.Name] || e.reads[n.Name] && !m.steady(n)) {
				ok = false
			}
		case *ast.AssignStmt:
			ok = ok && !slices.ContainsFunc(n.Lhs, func(x ast.Expr) bool { return e.readsVariable(x) })
		case *ast.IncDecStmt:
			ok = ok && !e.readsVariable(n.X)
		}
		return ok
	})
	return ok && !m.shared(e)
}

// namesResults reports whether the results of the function are variables.
func (m *maker) namesResults() bool {
	results := m.decl.Type.Results
	return results != nil && len(results.List) > 0 && len(results.List[0].Names) > 0
}

// readsVariable reports whether x is a variable that e reads, or a part of one.
func (e effect) readsVariable(x ast.Expr) bool {
	for {
		switch y := x.(type) {
		case *ast.Ident:
			return e.reads[y.Name]
		case *ast.SelectorExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		default:
			return false
		}
	}
}

// shared reports whether a function literal or a pointer of the function may touch one of
// the variables of e. What leads to a variable that e declares comes behind that.
func (m *maker) shared(e effect) bool {
	found := false
	touches := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && m.local(id) && (e.writes[id.Name] && !e.declares[id.Name] || e.reads[id.Name] && !isPointer(m.object(id).Type())) {
				found = true
			}
			return !found
		})
	}
	ast.Inspect(m.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			touches(n.Body)
			return false
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				touches(n.X)
			}
		}
		return !found
	})
	return found
}

// steady reports whether a variable changes only where it is assigned: one that is neither a
// pointer nor a basic value may have methods that change it, or parts.
func (m *maker) steady(id *ast.Ident) bool {
	switch m.object(id).Type().Underlying().(type) {
	case *types.Pointer, *types.Basic:
		return true
	}
	return false
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// effectOf is the effect of a statement, if it is a simple one.
func (m *maker) effectOf(s ast.Stmt) (effect, bool) {
	e := newEffect()
	return e, m.does(&e, s)
}

func newEffect() effect {
	return effect{reads: map[string]bool{}, writes: map[string]bool{}, declares: map[string]bool{}, locals: true}
}

// does adds the effect of a statement to e. It reports false if that is not a simple one, or
// an if of simple ones.
func (m *maker) does(e *effect, s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.IfStmt:
		return s.Init == nil && m.read(e, s.Cond) && m.does(e, s.Body) && (s.Else == nil || m.does(e, s.Else))
	case *ast.BlockStmt:
		return !slices.ContainsFunc(s.List, func(s ast.Stmt) bool { return !m.does(e, s) })
	case *ast.AssignStmt:
		for _, x := range s.Rhs {
			if !m.read(e, x) {
				return false
			}
		}
		for _, x := range s.Lhs {
			if !m.write(e, x) || s.Tok != token.ASSIGN && s.Tok != token.DEFINE && !m.read(e, x) {
				return false
			}
		}
		return true
	case *ast.IncDecStmt:
		return m.write(e, s.X) && m.read(e, s.X)
	case *ast.ExprStmt:
		if cell, args, ok := m.onCell(s.X, "Set"); ok {
			return m.write(e, cell) && m.read(e, args[0])
		}
	}
	return false
}

// onCell takes a call of a method of a machine.Cell apart.
func (m *maker) onCell(x ast.Expr, method string) (cell ast.Expr, args []ast.Expr, ok bool) {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return nil, nil, false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != method || !isCell(m.info.Types[sel.X].Type) {
		return nil, nil, false
	}
	return sel.X, call.Args, true
}

func isCell(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := t.(*types.Named)
	if !ok {
		return false
	}
	switch named.Obj().Name() {
	case "Cell", "SharedGQueue", "SharedGList": // these embed one; their own methods are others
		return true
	}
	return false
}

// read notes what an expression reads. It reports false if that is more than plain
// accesses.
func (m *maker) read(e *effect, x ast.Expr) bool {
	if tv := m.info.Types[x]; tv.IsType() || tv.Value != nil || tv.IsNil() {
		return true
	}
	switch x := x.(type) {
	case *ast.Ident:
		e.reads[x.Name] = true
		return m.local(x)
	case *ast.SelectorExpr:
		if m.ofReceiver(x) || m.info.Types[x.X].IsType() {
			return true
		}
		if v, ok := m.info.Uses[x.Sel].(*types.Var); !ok || !v.IsField() {
			return false
		}
		e.reads["."+x.Sel.Name] = true
		e.locals = false
		return m.read(e, x.X)
	case *ast.CompositeLit:
		return len(x.Elts) == 0 // a zero value
	case *ast.ParenExpr:
		return m.read(e, x.X)
	case *ast.UnaryExpr:
		if field, ok := x.X.(*ast.SelectorExpr); ok && x.Op == token.AND {
			return m.place(e, field)
		}
		return x.Op != token.ARROW && m.read(e, x.X)
	case *ast.BinaryExpr:
		switch x.Op {
		case token.QUO, token.REM, token.SHL, token.SHR:
			return false
		}
		return m.read(e, x.X) && m.read(e, x.Y)
	case *ast.CallExpr:
		if cell, _, ok := m.onCell(x, "Get"); ok {
			return m.read(e, cell)
		}
		if m.info.Types[x.Fun].IsType() && len(x.Args) == 1 {
			return m.read(e, x.Args[0])
		}
		if id, ok := x.Fun.(*ast.Ident); ok && m.calculations[m.info.Uses[id]] {
			return !slices.ContainsFunc(x.Args, func(arg ast.Expr) bool { return !m.read(e, arg) })
		}
	}
	return false
}

// calculates reports whether a function has no effect, knows nothing but its arguments, follows
// no pointer, and always returns.
func (f *function) calculates() bool {
	yes := f.decl.Recv == nil
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt, *ast.BranchStmt,
			*ast.FuncLit, *ast.StarExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.TypeAssertExpr:
			yes = false
		case *ast.CallExpr:
			yes = yes && f.info.Types[n.Fun].IsType()
		case *ast.UnaryExpr:
			yes = yes && n.Op != token.AND && n.Op != token.ARROW
		case *ast.BinaryExpr:
			switch n.Op {
			case token.QUO, token.REM, token.SHL, token.SHR:
				yes = false
			}
		case *ast.SelectorExpr:
			t := f.info.Types[n.X].Type // nil for a package
			yes = yes && (t == nil || !isPointer(t))
		case *ast.Ident:
			if v, ok := f.info.Uses[n].(*types.Var); ok && !v.IsField() && v.Parent() == v.Pkg().Scope() {
				yes = false
			}
		}
		return yes
	})
	return yes
}

// place notes what the address of a field reads: where it is does not depend on what is
// in it.
func (m *maker) place(e *effect, field *ast.SelectorExpr) bool {
	path, pointer, ok := m.path(field)
	if !ok || pointer == nil {
		e.reads[path] = true
		return ok
	}
	return m.read(e, pointer)
}

// write notes what an assignment to x writes. It reports false if that is not a variable
// of the function or a field.
func (m *maker) write(e *effect, x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		e.writes[x.Name] = true
		if m.info.Defs[x] != nil {
			e.declares[x.Name] = true
		}
		return x.Name == "_" || m.local(x)
	case *ast.SelectorExpr:
		path, base, ok := m.path(x)
		if !ok {
			return false
		}
		e.writes[path] = true
		e.locals = false
		return base == nil || m.read(e, base)
	}
	return false
}

// path is the name of a field in an effect, and the pointer that leads to it, nil if it is in
// a variable of the function.
func (m *maker) path(x *ast.SelectorExpr) (path string, pointer ast.Expr, ok bool) {
	if v, isVar := m.info.Uses[x.Sel].(*types.Var); !isVar || !v.IsField() {
		return "", nil, false
	}
	if isPointer(m.info.Types[x.X].Type) {
		return "." + x.Sel.Name, x.X, true
	}
	switch outer := x.X.(type) {
	case *ast.Ident:
		return outer.Name + "." + x.Sel.Name, nil, m.local(outer)
	case *ast.SelectorExpr:
		path, pointer, ok = m.path(outer)
		return path + "." + x.Sel.Name, pointer, ok
	}
	return "", nil, false
}

// ofReceiver reports whether x is the field of a part that its constructor has set: p.s.
func (m *maker) ofReceiver(x *ast.SelectorExpr) bool {
	id, ok := x.X.(*ast.Ident)
	if !ok || m.decl.Recv == nil || len(m.decl.Recv.List[0].Names) == 0 || x.Sel.Name != "s" {
		return false
	}
	return id.Name == m.decl.Recv.List[0].Names[0].Name
}

// local reports whether a name is a variable of the function.
func (m *maker) local(id *ast.Ident) bool {
	v, ok := m.object(id).(*types.Var)
	return ok && !v.IsField() && v.Parent() != v.Pkg().Scope()
}

// object is what a name means, where it is used and where it is declared.
func (m *maker) object(id *ast.Ident) types.Object {
	if object := m.info.Uses[id]; object != nil {
		return object
	}
	return m.info.Defs[id]
}

// boundary returns the rule by which it does not matter whether a comparison is true of two
// that are equal: "if x < y { x = y }".
func (m *maker) boundary(x *ast.BinaryExpr) string {
	rule := ""
	ast.Inspect(m.decl.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.IfStmt)
		if !ok || x.Pos() < s.Cond.Pos() || s.Cond.End() < x.End() {
			return true
		}
		if e := newEffect(); s.Else == nil && len(s.Body.List) == 1 && m.read(&e, s.Cond) && m.assigns(s.Body.List[0], x) {
			rule = sameAnyway
		}
		return false
	})
	return rule
}

// assigns reports whether s assigns one side of a comparison to the other, and both are
// variables of the function.
func (m *maker) assigns(s ast.Stmt, x *ast.BinaryExpr) bool {
	assign, ok := s.(*ast.AssignStmt)
	if !ok || assign.Tok != token.ASSIGN || len(assign.Lhs) != 1 || !slices.Contains([]token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ}, x.Op) {
		return false
	}
	a, b := m.variable(x.X), m.variable(x.Y)
	to, from := m.variable(assign.Lhs[0]), m.variable(assign.Rhs[0])
	return a != nil && b != nil && (to == a && from == b || to == b && from == a)
}

// variable is the variable of the function that an expression is, nil if it is more.
func (m *maker) variable(x ast.Expr) types.Object {
	if id, ok := x.(*ast.Ident); ok && m.local(id) {
		return m.object(id)
	}
	return nil
}

// apartConditions returns the rule by which the order of two ifs does not matter: both compare
// the same variable of the function with constants, no value of it
// satisfies both, and neither body changes it.
func (m *maker) apartConditions(a, b ast.Stmt) string {
	v, low, high, ok := m.compares(a)
	if !ok {
		return ""
	}
	other, otherLow, otherHigh, ok := m.compares(b)
	if !ok || other != v || low <= otherHigh && otherLow <= high {
		return ""
	}
	e := newEffect()
	e.reads[v.Name()] = true
	if m.shared(e) || m.assignedIn(a, v) || m.assignedIn(b, v) {
		return ""
	}
	return exclusive
}

// compares takes an if apart, without an else, that compares an integer variable of the function
// with a constant. The condition holds from low to high.
func (m *maker) compares(s ast.Stmt) (v types.Object, low, high int64, ok bool) {
	cond, isIf := s.(*ast.IfStmt)
	if !isIf || cond.Init != nil || cond.Else != nil {
		return nil, 0, 0, false
	}
	x, isBinary := cond.Cond.(*ast.BinaryExpr)
	if !isBinary {
		return nil, 0, 0, false
	}
	v = m.variable(x.X)
	value := m.info.Types[x.Y].Value
	if v == nil || value == nil {
		return nil, 0, 0, false
	}
	basic, isBasic := v.Type().Underlying().(*types.Basic)
	c, exact := constant.Int64Val(constant.ToInt(value))
	if !isBasic || basic.Info()&types.IsInteger == 0 || !exact || c == math.MinInt64 || c == math.MaxInt64 {
		return nil, 0, 0, false
	}
	switch x.Op {
	case token.LSS:
		return v, math.MinInt64, c - 1, true
	case token.LEQ:
		return v, math.MinInt64, c, true
	case token.EQL:
		return v, c, c, true
	case token.GEQ:
		return v, c, math.MaxInt64, true
	case token.GTR:
		return v, c + 1, math.MaxInt64, true
	}
	return nil, 0, 0, false
}

// assignedIn reports whether s assigns to v.
func (m *maker) assignedIn(s ast.Stmt, v types.Object) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(n.Lhs, func(x ast.Expr) bool { return m.variable(x) == v })
		case *ast.IncDecStmt:
			found = found || m.variable(n.X) == v
		case *ast.RangeStmt:
			found = found || m.variable(n.Key) == v || m.variable(n.Value) == v
		}
		return !found
	})
	return found
}
