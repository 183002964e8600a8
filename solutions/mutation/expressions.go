package mutation

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// messages are the functions whose arguments are words for people.
var messages = []string{"Throw", "Throwf", "Printf", "Fprintf", "Sprintf", "PanicPlain", "PanicError"}

// expressions makes the mutations of expressions, and names them by the statement that
// they stand in.
func (m *maker) expressions() {
	var stack []ast.Node
	ast.Inspect(m.decl.Body, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		in := m.decl.Name.Name
		for i := len(stack) - 1; i >= 0; i-- {
			if s, ok := stack[i].(ast.Stmt); ok {
				in = m.head(s)
				break
			}
		}
		if !m.expression(in, n) {
			return false
		}
		stack = append(stack, n)
		return true
	})
}

// expression makes those of n itself, and reports whether what is in n is to be changed,
// too. in is the statement that n is part of.
func (m *maker) expression(in string, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		m.negate(m.head(n), n.Cond)
	case *ast.ForStmt:
		if n.Cond != nil {
			m.negate(m.head(n), n.Cond)
		}
	case *ast.ReturnStmt:
		for i, x := range n.Results {
			in := m.inside(n)
			if len(n.Results) > 1 {
				in += fmt.Sprintf(" result %d", i+1)
			}
			m.flip(in, x)
		}
	case *ast.BinaryExpr:
		m.binary(in, n)
	case *ast.UnaryExpr:
		if n.Op != token.AND {
			m.add(in, m.line(n.X)+" for "+m.line(n), "", replace(n, m.text(n.X)))
		}
	case *ast.IncDecStmt:
		other := map[token.Token]string{token.INC: "--", token.DEC: "++"}[n.Tok]
		m.add(m.head(n), other, "", edit{n.TokPos, n.End(), other})
	case *ast.AssignStmt:
		m.assignment(n)
	case *ast.CallExpr:
		if slices.Contains(messages, callee(n)) {
			return false
		}
		m.atomic(n)
		for _, x := range n.Args {
			m.flip(in, x)
		}
	case *ast.BasicLit:
		m.literal(in, n)
	case *ast.SelectorExpr:
		if _, ok := m.info.Uses[n.Sel].(*types.Const); ok {
			m.similar(in, n.Sel)
			m.constant(in, n, n.Sel)
			return false
		}
	case *ast.Ident:
		m.similar(in, n)
		m.constant(in, n, n)
	}
	return true
}

// negate makes the mutation in which a condition is the wrong way round.
func (m *maker) negate(in string, cond ast.Expr) {
	text := "!(" + m.text(cond) + ")"
	switch x := cond.(type) {
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			text = m.text(x.X)
		}
	case *ast.BinaryExpr:
		if opposite, ok := opposites[x.Op]; ok {
			text = m.text(x.X) + " " + opposite.String() + " " + m.text(x.Y)
		}
	case *ast.CallExpr, *ast.Ident, *ast.SelectorExpr:
		text = "!" + m.text(cond)
	}
	m.add(in, "negated", "", replace(cond, text))
}

var opposites = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.GEQ, token.GEQ: token.LSS,
	token.GTR: token.LEQ, token.LEQ: token.GTR,
}

// confused are the operators that one writes by mistake for each other.
var confused = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS,
	token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.ADD: token.SUB, token.SUB: token.ADD,
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
}

// binary makes the mutations of an expression with two sides.
func (m *maker) binary(in string, x *ast.BinaryExpr) {
	if x.Op == token.LAND || x.Op == token.LOR {
		m.add(in, "without "+m.line(x.Y), "", edit{x.X.End(), x.Y.End(), ""})
		m.add(in, "without "+m.line(x.X), "", edit{x.X.Pos(), x.Y.Pos(), ""})
	}
	if other, ok := confused[x.Op]; ok {
		m.add(in, m.line(x.X)+" "+other.String()+" "+m.line(x.Y), m.boundary(x), edit{x.OpPos, x.OpPos + token.Pos(len(x.Op.String())), other.String()})
	}
}

// assignment makes the mutations of what is assigned.
func (m *maker) assignment(s *ast.AssignStmt) {
	if other, ok := confused[s.Tok]; ok {
		m.add(m.head(s), other.String(), "", edit{s.TokPos, s.TokPos + 2, other.String()})
	}
	for _, x := range s.Rhs {
		m.flip(m.head(s), x)
	}
}

// flip negates an argument, a result or what is assigned, if that is true or false.
func (m *maker) flip(in string, x ast.Expr) {
	t := m.info.Types[x].Type
	if t == nil || !isBool(t) {
		return
	}
	if id, ok := x.(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
		other := map[string]string{"true": "false", "false": "true"}[id.Name]
		m.add(in, other+" for "+id.Name, "", replace(x, other))
		return
	}
	if _, ok := x.(*ast.CallExpr); ok && !m.has(x, []string{"Get", "Load"}) {
		return // what it returns is not what the student wrote
	}
	m.negate(in, x)
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// literal makes a number one larger and one smaller.
func (m *maker) literal(in string, x *ast.BasicLit) {
	if x.Kind != token.INT {
		return
	}
	for _, by := range []string{" + 1", " - 1"} {
		m.number(in, x, x.Value, by)
	}
}

func (m *maker) number(in string, x ast.Expr, text, by string) {
	tv := text + by
	if v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, tv); err == nil && v.Value != nil {
		tv = v.Value.String()
	}
	m.add(in, tv+" for "+text, m.folded(x, by), replace(x, tv))
}

// folded returns the rule by which it does not matter that x becomes x + 1 or x - 1: x may be
// part of a larger constant, such as 9 | x, that has the same value.
func (m *maker) folded(x ast.Expr, by string) string {
	delta := constant.MakeInt64(1)
	if by == " - 1" {
		delta = constant.MakeInt64(-1)
	}
	rule := ""
	ast.Inspect(m.decl.Body, func(n ast.Node) bool {
		whole, ok := n.(ast.Expr)
		if !ok || m.info.Types[whole].Value == nil || x.Pos() < whole.Pos() || whole.End() < x.End() {
			return true
		}
		if v := m.valueWith(whole, x, delta); v != nil && constant.Compare(v, token.EQL, m.info.Types[whole].Value) {
			rule = sameValue
		}
		return false
	})
	return rule
}

// valueWith is the value of a constant with delta added to its part x; nil if that is not
// known.
func (m *maker) valueWith(whole, x ast.Expr, delta constant.Value) constant.Value {
	switch w := whole.(type) {
	case *ast.ParenExpr:
		return m.valueWith(w.X, x, delta)
	case *ast.BinaryExpr:
		switch w.Op {
		case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT:
			a, b := m.valueWith(w.X, x, delta), m.valueWith(w.Y, x, delta)
			if a != nil && b != nil {
				return constant.BinaryOp(a, w.Op, b)
			}
		}
		return nil
	}
	v := m.info.Types[whole].Value
	switch {
	case whole == x && v.Kind() == constant.Int:
		return constant.BinaryOp(v, token.ADD, delta)
	case whole.Pos() <= x.Pos() && x.End() <= whole.End():
		return nil
	}
	return v
}

// constant makes a named number one larger and one smaller. x is the whole name, id its
// last part.
func (m *maker) constant(in string, x ast.Expr, id *ast.Ident) {
	c, ok := m.info.Uses[id].(*types.Const)
	if !ok {
		return
	}
	if b, ok := c.Type().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
		m.add(in, m.line(x)+"+1", m.folded(x, " + 1"), replace(x, "("+m.text(x)+"+1)"))
		m.add(in, m.line(x)+"-1", m.folded(x, " - 1"), replace(x, "("+m.text(x)+"-1)"))
	}
}
