package mutation

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// publications are the methods after which others see what was done before: they may run
// the G, take the M or the P, or look at the queue.
var publications = []string{
	"Ready", "Goready", "Gopark", "Goparkunlock", "Injectglist",
	"Runqput", "Runqputslow", "Runqputbatch", "Globrunqput", "Globrunqputhead", "Globrunqputbatch",
	"Gfput", "Pidleput", "Mput", "Enqueue", "Push", "PushBack", "push", "SemaQueue", "ReleaseSudog",
	"Casgstatus", "Wakeup", "Newosproc", "Newm", "Startm", "Wakep", "Matchmg", "Schedule", "Execute",
	"Acquirep", "Releasep", "Dropg", "Exit", "Notewakeup", "submit",
}

// The operations of package machine that others see, by the names of their methods.
var (
	locks   = []string{"Lock", "Unlock"}
	stores  = []string{"Store", "CompareAndSwap", "Swap", "Add", "And", "Or"}
	atomics = append([]string{"Load"}, stores...)
)

// maxMove is how many statements a statement is moved across at most.
const maxMove = 6

// statements makes the mutations of statements and of their order.
func (m *maker) statements() {
	m.list(m.decl.Body.List, true)
	ast.Inspect(m.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			m.ifs(n)
			m.list(n.Body.List, false)
			if block, ok := n.Else.(*ast.BlockStmt); ok {
				m.list(block.List, false)
			}
		case *ast.ForStmt:
			m.givenUp(n)
			m.list(n.Body.List, false)
			m.tail(n.Body.List)
		case *ast.RangeStmt:
			m.list(n.Body.List, false)
			m.tail(n.Body.List)
		case *ast.CaseClause:
			m.list(n.Body, false)
			m.add(m.head(n), "left out", "", replace(n, ""))
		case *ast.FuncLit:
			m.list(n.Body.List, false)
		}
		return true
	})
	m.leaveOut()
}

// list makes the mutations of the order of some statements.
func (m *maker) list(list []ast.Stmt, outermost bool) {
	for i := 0; i+1 < len(list); i++ {
		if a, b := list[i], list[i+1]; movable(a) && movable(b) {
			m.add(m.head(a)+" and "+m.head(b), "swapped", cmp.Or(m.independent(a, []ast.Stmt{b}), m.independent(b, []ast.Stmt{a}), m.apartConditions(a, b)), replace(a, m.text(b)), replace(b, m.text(a)))
		}
	}
	for k, p := range list {
		if !movable(p) || !m.has(p, publications, locks, stores) {
			continue
		}
		for j := max(0, k-maxMove); j < min(len(list), k+maxMove+1); j++ {
			if j != k && movable(list[j]) {
				m.move(list, j, k)
			}
		}
	}
	m.split(list, outermost)
}

// move moves the statement with number j to the other side of the one with number k, which
// others see.
func (m *maker) move(list []ast.Stmt, j, k int) {
	s, p := list[j], list[k]
	if j < k {
		m.add(m.head(s), "after "+m.head(p), m.independent(s, list[j+1:k+1]), m.cut(s), m.after(p, m.text(s)))
		m.takenFirst(s, p)
		return
	}
	m.add(m.head(s), "before "+m.head(p), m.independent(s, list[k:j]), m.before(p, m.text(s)), m.cut(s))
	m.readEarly(s, p)
}

// movable reports whether a statement can stand somewhere else, and something behind it.
func movable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt, *ast.LabeledStmt, *ast.DeclStmt:
		return false
	case *ast.ForStmt:
		return s.Cond != nil // else it ends by a return
	}
	return true
}

// takenFirst moves s, which stands before an if on a compare-and-swap, to where that has
// succeeded, in its body.
func (m *maker) takenFirst(s, p ast.Stmt) {
	cond, ok := p.(*ast.IfStmt)
	if !ok || !m.has(cond.Cond, stores) {
		return
	}
	if _, not := cond.Cond.(*ast.UnaryExpr); !not {
		m.add(m.head(s), "in the body, after "+short(m.line(cond.Cond)), "", m.cut(s), insert(cond.Body.Lbrace+1, "\n"+m.text(s)+"\n"))
	}
}

// readEarly looks at the condition of s, an if that stands behind a Lock, before it.
func (m *maker) readEarly(s, p ast.Stmt) {
	cond, ok := s.(*ast.IfStmt)
	if !ok || m.lockOf(p, "Lock") == "" {
		return
	}
	if cond.Init != nil {
		m.add(m.line(cond.Init), "read before "+m.head(p), "", m.before(p, m.text(cond.Init)), edit{cond.Init.Pos(), cond.Cond.Pos(), ""})
		return
	}
	rule := ""
	if e := newEffect(); m.read(&e, cond.Cond) && e.locals && !m.shared(e) {
		rule = onlyLocals
	}
	m.add(m.line(cond.Cond), "read before "+m.head(p), rule, m.before(p, "seen := "+m.text(cond.Cond)), replace(cond.Cond, "seen"))
}

// split gives a lock back between two statements of a critical section. One that is held
// when the function begins is in outermost.
func (m *maker) split(list []ast.Stmt, outermost bool) {
	held := ""
	if outermost {
		held = m.heldAtFirst(list)
	}
	for i := 0; i+1 < len(list); i++ {
		if lock := m.lockOf(list[i], "Lock"); lock != "" {
			held = lock
			continue
		}
		if held == "" || m.lockOf(list[i], "Unlock") == held {
			held = ""
			continue
		}
		if m.lockOf(list[i+1], "Unlock") != held && !leaves(list[i]) && !m.private(list[i]) {
			m.add(m.head(list[i])+" | "+m.head(list[i+1]), held+" given back in between", "", m.after(list[i], held+".Unlock()\n"+held+".Lock()"))
		}
	}
}

// private reports whether nothing outside the function can tell when a statement is
// executed: to give the lock back behind it is the same as to give it back before it.
func (m *maker) private(s ast.Stmt) bool {
	if decl, ok := s.(*ast.DeclStmt); ok {
		spec, isVar := decl.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
		return !isVar || len(spec.Values) == 0
	}
	e, ok := m.effectOf(s)
	return ok && e.locals
}

// heldAtFirst is the lock that statements give back and have not taken.
func (m *maker) heldAtFirst(list []ast.Stmt) string {
	for _, s := range list {
		if m.lockOf(s, "Lock") != "" {
			return ""
		}
		if lock := m.lockOf(s, "Unlock"); lock != "" {
			return lock
		}
	}
	return ""
}

// lockOf returns what a statement locks or unlocks: "s.Lock" for s.Lock.Unlock().
func (m *maker) lockOf(s ast.Stmt, method string) string {
	if x, ok := s.(*ast.ExprStmt); ok {
		if call, ok := x.X.(*ast.CallExpr); ok && callee(call) == method {
			return m.line(call.Fun.(*ast.SelectorExpr).X)
		}
	}
	return ""
}

// leaves reports whether nothing behind a statement is executed.
func leaves(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// leaveOut leaves out one statement at a time.
func (m *maker) leaveOut() {
	last := m.last(m.decl.Body.List)
	ast.Inspect(m.decl.Body, func(n ast.Node) bool {
		s, ok := n.(ast.Stmt)
		if !ok {
			return true
		}
		switch s := s.(type) {
		case *ast.BlockStmt, *ast.DeclStmt, *ast.LabeledStmt, *ast.CaseClause:
		case *ast.IfStmt:
			m.add(m.head(s), "left out", "", m.cut(s))
			if s.Else != nil {
				m.add(m.head(s), "else left out", "", edit{s.Body.End(), s.End(), ""})
				m.add(m.head(s), "the else always", "", replace(s, elseText(m, s)))
			}
		case *ast.AssignStmt:
			m.forgetOne(s)
			m.add(m.head(s), m.forgotten(s), "", m.cut(s))
		case *ast.ExprStmt:
			m.add(m.head(s), m.forgotten(s), "", m.cut(s))
		case *ast.ReturnStmt:
			rule := ""
			if len(s.Results) == 0 && slices.Contains(last, ast.Stmt(s)) {
				rule = nothingBehind
			}
			m.add(m.inside(s), "return left out", rule, m.cut(s))
		default:
			m.add(m.head(s), "left out", "", m.cut(s))
		}
		return true
	})
}

// elseText is the else of an if, behind what the if declares.
func elseText(m *maker, s *ast.IfStmt) string {
	if s.Init == nil {
		return m.text(s.Else)
	}
	return "{\n" + m.text(s.Init) + "\n" + m.text(s.Else) + "\n}"
}

// forgetOne leaves out one of several assignments in a statement.
func (m *maker) forgetOne(s *ast.AssignStmt) {
	if len(s.Lhs) < 2 || len(s.Lhs) != len(s.Rhs) || s.Tok != token.ASSIGN {
		return
	}
	for i := range s.Lhs {
		var left, right []string
		for j := range s.Lhs {
			if j != i {
				left, right = append(left, m.text(s.Lhs[j])), append(right, m.text(s.Rhs[j]))
			}
		}
		what := "left out"
		if zero(s.Rhs[i]) {
			what = "reset left out"
		}
		m.add(m.line(s.Lhs[i])+" = "+m.line(s.Rhs[i]), what, "", replace(s, strings.Join(left, ", ")+" = "+strings.Join(right, ", ")))
	}
}

// forgotten is what it means that a statement is left out.
func (m *maker) forgotten(s ast.Stmt) string {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.ASSIGN && !slices.ContainsFunc(s.Rhs, func(x ast.Expr) bool { return !zero(x) }) {
			return "reset left out"
		}
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok && len(call.Args) == 1 && zero(call.Args[0]) && slices.Contains([]string{"Set", "Store"}, callee(call)) {
			return "reset left out"
		}
	}
	return "left out"
}

// zero reports whether an expression is nil, false or 0.
func zero(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name == "nil" || x.Name == "false"
	case *ast.BasicLit:
		return x.Value == "0" || x.Value == `""`
	}
	return false
}

// ifs makes the mutations of an if as a whole: its body always. (That it is left out is
// one of leaveOut.)
func (m *maker) ifs(s *ast.IfStmt) {
	body := m.text(s.Body)
	if s.Init != nil {
		body = "{\n" + m.text(s.Init) + "\n" + body + "\n}"
	}
	m.add(m.head(s), "always", "", replace(s, body))
}

// tail leaves out a continue behind which the body of a loop ends. It comes before
// leaveOut, which finds the same and knows less.
func (m *maker) tail(list []ast.Stmt) {
	for _, s := range lastOf(list) {
		if b, ok := s.(*ast.BranchStmt); ok && b.Tok == token.CONTINUE && b.Label == nil {
			m.add(m.inside(b), "left out", nothingBehind, m.cut(b))
		}
	}
}

// last are the statements after which a function ends, if it has no results.
func (m *maker) last(list []ast.Stmt) []ast.Stmt {
	if m.decl.Type.Results != nil {
		return nil
	}
	return lastOf(list)
}

// lastOf are the statements behind which there is none in a list.
func lastOf(list []ast.Stmt) []ast.Stmt {
	if len(list) == 0 {
		return nil
	}
	switch s := list[len(list)-1].(type) {
	case *ast.IfStmt:
		last := lastOf(s.Body.List)
		switch e := s.Else.(type) {
		case *ast.BlockStmt:
			last = append(last, lastOf(e.List)...)
		case *ast.IfStmt:
			last = append(last, lastOf([]ast.Stmt{e})...)
		}
		return last
	default:
		return []ast.Stmt{s}
	}
}

// head is a statement in short: without its body.
func (m *maker) head(n ast.Node) string {
	switch s := n.(type) {
	case *ast.IfStmt:
		return short("if " + strings.TrimSpace(strings.Join(strings.Fields(m.between(s.Pos()+2, s.Body.Pos())), " ")))
	case *ast.ForStmt:
		head := strings.Join(strings.Fields(m.between(s.Pos(), s.Body.Pos())), " ")
		if head == "for" && len(s.Body.List) > 0 {
			head += " { " + m.head(s.Body.List[0])
		}
		return short(head)
	case *ast.RangeStmt:
		return short(strings.Join(strings.Fields(m.between(s.Pos(), s.Body.Pos())), " "))
	case *ast.SwitchStmt:
		return short(strings.Join(strings.Fields(m.between(s.Pos(), s.Body.Pos())), " "))
	case *ast.CaseClause:
		return short(strings.Join(strings.Fields(m.between(s.Pos(), s.Colon)), " "))
	case *ast.BranchStmt:
		return m.inside(s)
	}
	return short(m.line(n))
}

// inside is a statement that says little, a return or a continue, with the if or the loop
// that it stands in.
func (m *maker) inside(s ast.Stmt) string {
	around := ""
	ast.Inspect(m.decl.Body, func(n ast.Node) bool {
		if n == nil || n.Pos() > s.Pos() || n.End() < s.End() {
			return false
		}
		switch n.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.CaseClause:
			around = m.head(n.(ast.Stmt))
		}
		return true
	})
	if around == "" {
		return m.line(s)
	}
	return around + " { " + m.line(s) + " }"
}

// has reports whether there is a call of one of some methods in n, function literals left
// out.
func (m *maker) has(n ast.Node, methods ...[]string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if call, ok := n.(*ast.CallExpr); ok {
			for _, names := range methods {
				found = found || slices.Contains(names, callee(call))
			}
		}
		return !found
	})
	return found
}

// callee is the name of the function or method that a call calls, "" for any other.
func callee(call *ast.CallExpr) string {
	switch fn := call.Fun.(type) {
	case *ast.SelectorExpr:
		return fn.Sel.Name
	case *ast.Ident:
		return fn.Name
	}
	return ""
}
