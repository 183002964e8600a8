package mutation

import (
	"go/ast"
	"slices"
	"strings"
)

// inSteps are the functions with which the mutations of atomic operations are written.
const inSteps = `
func splitCompareAndSwap[T comparable](x interface{ Load() T; Store(T) }, old, new T) bool {
	if x.Load() != old {
		return false
	}
	x.Store(new)
	return true
}

func blindStore[T comparable](x interface{ Load() T; Store(T) }, old, new T) bool {
	x.Store(new)
	return true
}

func splitSwap[T any](x interface{ Load() T; Store(T) }, new T) T {
	old := x.Load()
	x.Store(new)
	return old
}

func splitAdd[T int32 | int64 | uint32 | uint64](x interface{ Load() T; Store(T) }, delta T) T {
	new := x.Load() + delta
	x.Store(new)
	return new
}
`

// atomic makes the mutations of one atomic operation.
func (m *maker) atomic(call *ast.CallExpr) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains(atomics, sel.Sel.Name) {
		return
	}
	at := m.text(sel.X)
	switch t := m.info.Types[sel.X].Type; {
	case t == nil:
		return // a function of a package
	case !isPointer(t):
		at = "&" + at
	}
	args := m.between(call.Lparen+1, call.Rparen)
	what := m.line(call)
	steps := func(function, change string) {
		m.add(what, change, "", replace(call, function+"("+at+", "+args+")"))
	}
	switch sel.Sel.Name {
	case "CompareAndSwap":
		steps("splitCompareAndSwap", "split into a load and a store")
		steps("blindStore", "a store, whatever is there")
	case "Swap":
		steps("splitSwap", "split into a load and a store")
	case "Add":
		steps("splitAdd", "split into a load and a store")
	}
}

// givenUp lets a loop around a compare-and-swap end after one try.
func (m *maker) givenUp(loop *ast.ForStmt) {
	if !m.has(loop.Body, []string{"CompareAndSwap"}) {
		return
	}
	var zeros []string
	if results := m.decl.Type.Results; results != nil {
		for _, field := range results.List {
			for range max(1, len(field.Names)) {
				zeros = append(zeros, "*new("+m.text(field.Type)+")")
			}
		}
	}
	head := edit{loop.Pos(), loop.Body.Pos(), "for range 1 "}
	if loop.Cond != nil {
		head.text = "for " + m.text(loop.Cond) + " "
		m.add(m.head(loop), "given up after one try", "", edit{loop.Body.End() - 1, loop.Body.End(), "break\n}"})
		return
	}
	m.add(m.head(loop), "given up after one try", "", head, m.after(loop, "return "+strings.Join(zeros, ", ")))
}
