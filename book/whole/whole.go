// Package whole makes the map of the whole scheduler for the book: the sources of work, the
// states of Gs, Ps and Ms with the methods that change them, and all parts. Who changes the
// state of a G is read from the code of the solutions.
package whole

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"

	"gosched/book"
	"gosched/chapters/ch01_goroutine"
	"gosched/chapters/gmp"
)

// Map makes the map. files is the repository. It is an error if an edge of the states of a G
// has no place, or a method changes a state in a way that the map does not have.
func Map(files fs.FS) (book.Map, error) {
	moves, err := readMoves(files)
	if err != nil {
		return book.Map{}, err
	}
	ofG, err := goroutines(moves)
	if err != nil {
		return book.Map{}, err
	}
	if err := covers(processors, moves); err != nil {
		return book.Map{}, err
	}
	return book.Map{Sources: sources, Diagrams: []book.Diagram{ofG, processors, threads}, Parts: Parts()}, nil
}

// Parts are all parts of the contracts, with their methods.
func Parts() []book.Part {
	var parts []book.Part
	for _, field := range reflect.VisibleFields(reflect.TypeFor[gmp.Parts]()) {
		if len(field.Index) > 1 || field.Type.Kind() != reflect.Interface {
			continue
		}
		p := book.Part{Name: field.Name}
		for i := range field.Type.NumMethod() {
			p.Methods = append(p.Methods, field.Type.Method(i).Name)
		}
		parts = append(parts, p)
	}
	return parts
}

// partOf returns the full name of a method of the contracts, "" if there is no such method.
func partOf(method string) string {
	for _, p := range Parts() {
		if slices.Contains(p.Methods, method) {
			return p.Name + "." + method
		}
	}
	return ""
}

// A move is a change of a state in the code of the solutions.
type move struct {
	from, to string // names of constants of gmp, "Grunning"; from is "" if the code does not say
	method   string // of the contracts, that makes it, itself or by a function of its own
	file     string
}

// movers are the methods that change the state of a G, from their second argument to their
// third; a scan bit in either is no state.
var movers = []string{"Casgstatus", "CasGToPreemptScan", "CasGFromPreempted"}

// readMoves finds all moves in the solutions.
func readMoves(files fs.FS) ([]move, error) {
	folders, err := fs.Glob(files, "solutions/ch*")
	if err != nil {
		return nil, err
	}
	var moves []move
	for _, dir := range folders {
		found, err := movesIn(files, dir)
		if err != nil {
			return nil, err
		}
		moves = append(moves, found...)
	}
	return moves, nil
}

// movesIn finds those of one solution: not in its tests, nor in what is wrong or given.
func movesIn(files fs.FS, dir string) ([]move, error) {
	names, err := fs.Glob(files, path.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var moves []move
	calls := map[string][]string{} // the functions of the package, and what they call; methods as ".Name"
	for _, name := range names {
		switch base := path.Base(name); {
		case strings.HasSuffix(base, "_test.go"), base == "mutants.go", base == "mends.go", base == "given.go":
			continue
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			return nil, err
		}
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				caller, callee := fn.Name.Name, nameOf(call.Fun)
				if fn.Recv != nil {
					caller = "." + caller
				}
				if _, ok := call.Fun.(*ast.SelectorExpr); ok {
					callee = "." + callee
				}
				calls[caller] = append(calls[caller], callee)
				if m, ok := moveOf(call); ok {
					m.method, m.file = caller, name
					moves = append(moves, m)
				}
				return true
			})
		}
	}
	var made []move
	for _, m := range moves {
		for _, method := range callers(m.method, calls) {
			m.method = method
			made = append(made, m)
		}
	}
	return made, nil
}

// moveOf reports whether a call is a move, and which.
func moveOf(call *ast.CallExpr) (move, bool) {
	name, args := nameOf(call.Fun), call.Args
	switch {
	case slices.Contains(movers, name) && len(args) == 3:
		args = args[1:]
	case (name == "Store" || name == "CompareAndSwap") && isStatus(call.Fun):
		if name == "Store" {
			args = []ast.Expr{nil, args[0]}
		}
	default:
		return move{}, false
	}
	m := move{from: stateOf(args[0]), to: stateOf(args[1])}
	return m, m.to != "" && (m.from != "" || args[0] == nil)
}

// nameOf is the last name of what is called.
func nameOf(fun ast.Expr) string {
	switch f := fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}

// isStatus reports whether a call is of the field Status, that of a P.
func isStatus(fun ast.Expr) bool {
	method, ok := fun.(*ast.SelectorExpr)
	return ok && nameOf(method.X) == "Status"
}

// stateOf is the state that an argument names, "" if it is a variable.
func stateOf(arg ast.Expr) string {
	switch e := arg.(type) {
	case *ast.BinaryExpr: // gmp.Gpreempted | gmp.Gscan
		return stateOf(e.X)
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok && x.Name == "gmp" {
			return e.Sel.Name
		}
	}
	return ""
}

// callers are the methods of the contracts that call fn, which may be one of them.
func callers(fn string, calls map[string][]string) []string {
	if full := partOf(strings.TrimPrefix(fn, ".")); full != "" {
		return []string{full}
	}
	var found []string
	seen := map[string]bool{fn: true}
	for queue := []string{fn}; len(queue) > 0; queue = queue[1:] {
		for caller, callees := range calls {
			if seen[caller] || !slices.Contains(callees, queue[0]) {
				continue
			}
			seen[caller] = true
			if full := partOf(strings.TrimPrefix(caller, ".")); full != "" {
				found = append(found, full)
			} else {
				queue = append(queue, caller)
			}
		}
	}
	slices.Sort(found)
	return found
}

// goroutines is the diagram of a G: its edges are those that the suite of chapter 1 has,
// and who makes each is read from the code.
func goroutines(moves []move) (book.Diagram, error) {
	d := goroutineStates
	legal := map[[2]string]bool{}
	for _, e := range ch01.Edges() {
		from, to := gmp.StatusName(e[0]), gmp.StatusName(e[1])
		legal[[2]string{from, to}] = true
		edge := book.Edge{From: from, To: to}
		for _, m := range moves {
			if m.from == "G"+from && m.to == "G"+to && !slices.Contains(edge.Methods, m.method) {
				edge.Methods = append(edge.Methods, m.method)
			}
		}
		drawn, ok := goroutineEdges[[2]string{from, to}]
		if !ok {
			return d, fmt.Errorf("the map has no place for the edge of a G from %s to %s: give it one in goroutineEdges", from, to)
		}
		edge.At, edge.Bend, edge.Upright, edge.Note = drawn.At, drawn.Bend, drawn.Upright, drawn.Note
		if len(edge.Methods) == 0 && edge.Note == "" {
			return d, fmt.Errorf("no method moves a G from %s to %s: say in goroutineEdges who does", from, to)
		}
		d.Edges = append(d.Edges, edge)
	}
	for e := range goroutineEdges {
		if !legal[e] {
			return d, fmt.Errorf("goroutineEdges has one from %s to %s, which is not legal", e[0], e[1])
		}
	}
	for _, m := range moves {
		from, to := strings.TrimPrefix(m.from, "G"), strings.TrimPrefix(m.to, "G")
		if strings.HasPrefix(m.to, "G") && !legal[[2]string{from, to}] {
			return d, fmt.Errorf("%s: %s moves a G from %s to %s, and that is no edge", m.file, m.method, from, to)
		}
	}
	return d, nil
}

// covers is an error if a method changes the state of a P, and the diagram has no such edge
// by that method.
func covers(d book.Diagram, moves []move) error {
	for _, m := range moves {
		to, ok := strings.CutPrefix(m.to, "P")
		if !ok {
			continue
		}
		from := strings.TrimPrefix(m.from, "P")
		if !slices.ContainsFunc(d.Edges, func(e book.Edge) bool {
			return e.To == to && (from == "" || e.From == from) && slices.Contains(e.Methods, m.method)
		}) {
			return fmt.Errorf("%s: %s makes a P %s (from %s), and the map has no such edge by it: add it to processors", m.file, m.method, to, cmp.Or(from, "any state"))
		}
	}
	return nil
}
