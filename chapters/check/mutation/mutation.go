// Package mutation makes wrong solutions out of a right one, one for each change of
// an atomic operation that somebody might make: a compare-and-swap split in two, two
// stores the wrong way round. A suite that passes one of them has a gap, or the
// change changes nothing; then somebody must say why (see Test).
//
// The changes are found in the syntax tree of the solution, so none can be
// forgotten, also when the solution changes.
package mutation

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Mutation is one method of a part, with one change.
type Mutation struct {
	Method string // "Runqget"
	Change string // "pp.Runqhead.CompareAndSwap(h, h+1): split into a load and a store"
	Source string // the method as text, with the change
}

// Name is the mutation in one line.
func (m Mutation) Name() string { return m.Method + ": " + m.Change }

// A Part is the solution as Of reads it.
type Part struct {
	Mutations  []Mutation
	Operations []Operation
	// Helpers are the constants and functions beside the methods, and Imports the
	// packages that all of it needs: what a mutation needs in order to compile.
	Helpers string
	Imports []string
}

// An Operation is an atomic operation of the solution.
type Operation struct {
	Method string
	Code   string // "pp.Runqhead.Load()"
}

// Of reads the methods of the type called receiver in the files of a folder, tests
// left out. Functions named in without are no helpers.
func Of(dir, receiver string, without ...string) (*Part, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	p := &Part{}
	seen := map[string]int{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f := &file{src: src, fset: token.NewFileSet()}
		if f.syntax, err = parser.ParseFile(f.fset, name, src, parser.SkipObjectResolution); err != nil {
			return nil, err
		}
		if f.methods(p, receiver, seen) {
			f.helpers(p, without)
		}
	}
	if len(p.Mutations) == 0 {
		return nil, fmt.Errorf("no method of %s in %s uses an atomic operation", receiver, dir)
	}
	return p, nil
}

type file struct {
	src    []byte
	fset   *token.FileSet
	syntax *ast.File
}

func (f *file) offset(p token.Pos) int        { return f.fset.Position(p).Offset }
func (f *file) text(n ast.Node) string        { return string(f.src[f.offset(n.Pos()):f.offset(n.End())]) }
func (f *file) oneLine(n ast.Node) string     { return strings.Join(strings.Fields(f.text(n)), " ") }
func (f *file) between(a, b token.Pos) string { return string(f.src[f.offset(a):f.offset(b)]) }

// methods collects the mutations of the methods in f, and reports whether there are
// any methods.
func (f *file) methods(p *Part, receiver string, seen map[string]int) bool {
	found := false
	for _, decl := range f.syntax.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || receiverName(fn) != receiver {
			continue
		}
		found = true
		m := &method{file: f, decl: fn}
		ast.Inspect(fn.Body, m.visit)
		for _, c := range m.operations {
			p.Operations = append(p.Operations, Operation{fn.Name.Name, f.oneLine(c)})
		}
		for _, mutation := range m.found {
			name := mutation.Name()
			if seen[name]++; seen[name] > 1 {
				mutation.Change += fmt.Sprintf(" (%d)", seen[name])
			}
			p.Mutations = append(p.Mutations, mutation)
		}
	}
	return found
}

// helpers collects what stands beside the methods.
func (f *file) helpers(p *Part, without []string) {
	for _, decl := range f.syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil && !slices.Contains(without, decl.Name.Name) {
				p.Helpers += f.text(decl) + "\n\n"
			}
		case *ast.GenDecl:
			if decl.Tok == token.CONST {
				p.Helpers += f.text(decl) + "\n\n"
			}
			for _, spec := range decl.Specs {
				if spec, ok := spec.(*ast.ImportSpec); ok && !slices.Contains(p.Imports, f.text(spec)) {
					p.Imports = append(p.Imports, f.text(spec))
				}
			}
		}
	}
}

func receiverName(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	t := fn.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// A method is where mutations are looked for.
type method struct {
	*file
	decl       *ast.FuncDecl
	operations []*ast.CallExpr
	found      []Mutation
}

func (m *method) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		m.call(n)
	case *ast.BlockStmt:
		m.block(n.List)
	case *ast.CaseClause:
		m.block(n.Body)
	}
	return true
}

// The operations of package machine, by the names of their methods.
var (
	reads  = []string{"Load"}
	writes = []string{"Store", "CompareAndSwap", "Swap", "Add", "And", "Or", "Lock", "Unlock"}
)

// operation returns the method's name if a call is an atomic operation.
func operation(call *ast.CallExpr) (name string, x ast.Expr) {
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok && (slices.Contains(reads, sel.Sel.Name) || slices.Contains(writes, sel.Sel.Name)) {
		return sel.Sel.Name, sel.X
	}
	return "", nil
}

// has reports whether a statement has one of the operations in it.
func has(s ast.Node, names []string) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			name, _ := operation(call)
			found = found || slices.Contains(names, name)
		}
		return !found
	})
	return found
}

// call makes the mutations of one operation.
func (m *method) call(call *ast.CallExpr) {
	name, x := operation(call)
	if name == "" {
		return
	}
	m.operations = append(m.operations, call)
	at := m.text(x)
	if _, isCall := x.(*ast.CallExpr); !isCall {
		at = "&" + at
	}
	args := m.between(call.Lparen+1, call.Rparen)
	switch name {
	case "CompareAndSwap":
		m.replace(call, "splitCompareAndSwap("+at+", "+args+")", m.oneLine(call)+": split into a load and a store")
		m.replace(call, "blindStore("+at+", "+args+")", m.oneLine(call)+": a store, whatever is there")
	case "Swap":
		m.replace(call, "splitSwap("+at+", "+args+")", m.oneLine(call)+": split into a load and a store")
	}
}

// block makes the mutations of neighbours in a list of statements.
func (m *method) block(list []ast.Stmt) {
	for i := 0; i+1 < len(list); i++ {
		a, b := list[i], list[i+1]
		switch {
		case endless(b):
		case has(a, writes) && has(b, writes):
			m.swap(a, b, "stores swapped")
		case has(a, reads) && !has(a, writes) && takes(b):
			m.after(a, b)
		case has(a, reads) && has(b, reads) && !has(a, writes) && !has(b, writes):
			m.swap(a, b, "loads swapped")
		}
	}
}

// endless reports whether nothing can come after a statement: it is a loop that ends
// by a return.
func endless(s ast.Stmt) bool {
	loop, ok := s.(*ast.ForStmt)
	return ok && loop.Cond == nil
}

// takes reports whether a statement is an if on a compare-and-swap.
func takes(s ast.Stmt) bool {
	cond, ok := s.(*ast.IfStmt)
	return ok && cond.Init == nil && has(cond.Cond, []string{"CompareAndSwap"})
}

// after moves a, which reads, behind the compare-and-swap of b that follows it.
func (m *method) after(a ast.Stmt, b ast.Stmt) {
	cond := b.(*ast.IfStmt)
	change := m.head(a) + ": after " + m.oneLine(cond.Cond)
	if _, not := cond.Cond.(*ast.UnaryExpr); not {
		m.edit(a, b, m.text(b)+"\n"+m.text(a), change)
		return
	}
	text := m.between(b.Pos(), cond.Body.Lbrace+1) + "\n" + m.text(a) + m.between(cond.Body.Lbrace+1, b.End())
	m.edit(a, b, text, change)
}

// swap swaps two statements, unless the second needs what the first declares.
func (m *method) swap(a, b ast.Stmt, what string) {
	if uses(b, declared(a)) {
		return
	}
	m.edit(a, b, m.text(b)+"\n"+m.text(a), m.head(a)+" and "+m.head(b)+": "+what)
}

// head is a statement in short: without its body.
func (m *method) head(s ast.Stmt) string {
	switch s := s.(type) {
	case *ast.ForStmt:
		return "the loop of " + m.first(s.Body)
	case *ast.RangeStmt:
		return "the loop of " + m.first(s.Body)
	case *ast.IfStmt:
		return m.oneLine(s.Cond)
	case *ast.AssignStmt:
		return m.oneLine(s.Rhs[0])
	}
	return m.oneLine(s)
}

// first is the first statement of a body that has an operation in it.
func (m *method) first(body *ast.BlockStmt) string {
	for _, s := range body.List {
		if has(s, reads) || has(s, writes) {
			return m.head(s)
		}
	}
	return "…"
}

func declared(s ast.Stmt) []string {
	var names []string
	if assign, ok := s.(*ast.AssignStmt); ok && assign.Tok == token.DEFINE {
		for _, lhs := range assign.Lhs {
			if id, ok := lhs.(*ast.Ident); ok {
				names = append(names, id.Name)
			}
		}
	}
	return names
}

func uses(s ast.Stmt, names []string) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && slices.Contains(names, id.Name) {
			found = true
		}
		return !found
	})
	return found
}

// replace adds the mutation in which n reads as text.
func (m *method) replace(n ast.Node, text, change string) { m.splice(n.Pos(), n.End(), text, change) }

// edit adds the mutation in which everything from a to b reads as text.
func (m *method) edit(a, b ast.Stmt, text, change string) { m.splice(a.Pos(), b.End(), text, change) }

func (m *method) splice(from, to token.Pos, text, change string) {
	source := m.between(m.decl.Pos(), from) + text + m.between(to, m.decl.End())
	m.found = append(m.found, Mutation{Method: m.decl.Name.Name, Change: change, Source: source})
}
