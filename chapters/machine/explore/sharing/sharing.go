// Package sharing finds shared state in parts that the explorer cannot see.
//
// The explorer sees the atomic variables, Mutexes, Notes and Cells of package
// machine. If threads share anything else, what it says about them is worth
// nothing, and neither a test nor the race detector need notice. So code that is
// to be explored must pass Check first. It refuses
//
//   - package variables that change, or that are variables for threads: they
//     belong to the process, not to a scheduler;
//   - writes to plain fields of a part, and of what a part holds, except where
//     the part is made. A part is a struct with a field of type *gmp.Sched;
//   - the packages sync and sync/atomic, channels and go statements;
//   - Cell.Peek, and CellOf for a Cell that is there already.
//
// Whether a lock is held at a write is not asked: the field must be a Cell then,
// and the explorer finds out. What is behind gmp.PerP and gmp.PerM is private,
// and may be plain. The check looks at the package alone, without its imports,
// and does not follow pointers that were stored in local variables of types from
// elsewhere; it catches mistakes, not tricks.
package sharing

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Problem is a place where state is shared that cannot be seen.
type Problem struct {
	File string // base name
	Line int
	Msg  string // what is wrong and what to do, in a sentence or two
}

func (p Problem) String() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Msg) }

// Check looks through the Go files in the root of fsys, without tests. The error
// is about files that cannot be read or parsed.
func Check(fsys fs.FS) ([]Problem, error) {
	names, err := fs.Glob(fsys, "*.go")
	if err != nil {
		return nil, err
	}
	c := &checker{fset: token.NewFileSet(), info: types.Info{
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Types: map[ast.Expr]types.TypeAndValue{},
	}}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(c.fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		c.files = append(c.files, file)
	}
	if len(c.files) == 0 {
		return nil, nil
	}
	c.check()
	slices.SortFunc(c.problems, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Msg, b.Msg))
	})
	return slices.Compact(c.problems), nil
}

type checker struct {
	fset     *token.FileSet
	files    []*ast.File
	info     types.Info
	structs  map[*types.TypeName]*ast.StructType // of the package
	shared   map[*types.TypeName]bool            // parts, and what they hold
	problems []Problem
}

func (c *checker) check() {
	conf := types.Config{Importer: nothing{}, Error: func(error) {}, DisableUnusedImportCheck: true}
	conf.Check("part", c.fset, c.files, &c.info) // errors are about the imports
	c.findStructs()
	for _, f := range c.files {
		c.imports(f)
		c.unseen(f)
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				if d.Tok == token.VAR {
					c.packageVars(d)
				}
			case *ast.FuncDecl:
				if d.Body != nil {
					c.function(d)
				}
			}
		}
	}
}

// nothing gives each import an empty package: what comes from elsewhere has no
// type, and is not looked at.
type nothing struct{}

func (nothing) Import(name string) (*types.Package, error) {
	base := path.Base(name)
	if base == "v2" {
		base = path.Base(path.Dir(name))
	}
	p := types.NewPackage(name, base)
	p.MarkComplete()
	return p, nil
}

func (c *checker) report(at ast.Node, format string, args ...any) {
	p := c.fset.Position(at.Pos())
	c.problems = append(c.problems, Problem{path.Base(p.Filename), p.Line, fmt.Sprintf(format, args...)})
}

func (c *checker) imports(f *ast.File) {
	for _, s := range f.Imports {
		switch name, _ := strconv.Unquote(s.Path.Value); name {
		case "sync", "sync/atomic":
			c.report(s, "the explorer cannot see what %s does: use the atomic variables, Mutex and Note of package machine", name)
		}
	}
}

// unseen refuses ways past a Cell: Peek, which is for reports, and CellOf outside of a
// composite literal, where it would overwrite a Cell that others know.
func (c *checker) unseen(f *ast.File) {
	literal := map[ast.Expr]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					e = kv.Value
				}
				literal[e] = true
			}
		case *ast.CallExpr:
			fn := n.Fun
			if index, ok := fn.(*ast.IndexExpr); ok {
				fn = index.X
			}
			sel, ok := fn.(*ast.SelectorExpr)
			switch {
			case !ok:
			case sel.Sel.Name == "Peek" && len(n.Args) == 0:
				c.report(n, "Peek is for reports, and the explorer does not see it: use Get")
			case isFrom(sel, "machine", "CellOf") && !literal[n]:
				c.report(n, "CellOf is for a composite literal; the explorer does not see that it overwrites a Cell: use Set")
			}
		}
		return true
	})
}

// findStructs finds the structs of the package, and which of them are shared:
// parts, and what is in their fields.
func (c *checker) findStructs() {
	c.structs, c.shared = map[*types.TypeName]*ast.StructType{}, map[*types.TypeName]bool{}
	for _, f := range c.files {
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			name, _ := c.info.Defs[spec.Name].(*types.TypeName)
			if st, ok := spec.Type.(*ast.StructType); ok && name != nil {
				c.structs[name] = st
			}
			return true
		})
	}
	for name, st := range c.structs {
		for _, field := range st.Fields.List {
			if isSched(field.Type) {
				c.share(name)
			}
		}
	}
}

// isSched reports whether a type is *gmp.Sched.
func isSched(e ast.Expr) bool {
	star, ok := e.(*ast.StarExpr)
	return ok && isFrom(star.X, "gmp", "Sched")
}

// isFrom reports whether a type is pkg.name, or one of that package if no name
// is given.
func isFrom(e ast.Expr, pkg, name string) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && x.Name == pkg && (name == "" || sel.Sel.Name == name)
}

// share marks a struct and what its fields hold. The arguments of generic types
// of other packages have no types here, so what is behind gmp.PerP and
// machine.Cell is not marked.
func (c *checker) share(name *types.TypeName) {
	st := c.structs[name]
	if st == nil || c.shared[name] {
		return
	}
	c.shared[name] = true
	for _, field := range st.Fields.List {
		ast.Inspect(field.Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if t, ok := c.info.Uses[id].(*types.TypeName); ok {
					c.share(t)
				}
			}
			return true
		})
	}
}

// packageVars refuses variables whose very type is for sharing. Others are
// refused where they are changed.
func (c *checker) packageVars(d *ast.GenDecl) {
	for _, s := range d.Specs {
		spec := s.(*ast.ValueSpec)
		for i, name := range spec.Names {
			t := spec.Type
			if t == nil && i < len(spec.Values) {
				t = literalType(spec.Values[i])
			}
			if name.Name != "_" && t != nil && holdsShared(t) {
				c.report(name, "the package variable %s is shared by all schedulers of the process: make it a field of the part", name.Name)
			}
		}
	}
}

// literalType is the type of a composite literal or of its address.
func literalType(e ast.Expr) ast.Expr {
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = u.X
	}
	if lit, ok := e.(*ast.CompositeLit); ok {
		return lit.Type
	}
	return nil
}

// holdsShared reports whether a type, as it is written, has something in it that
// is for threads, or a map or channel.
func holdsShared(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			return false
		case *ast.ChanType:
			found = true
		case *ast.SelectorExpr:
			found = found || isFrom(n, "machine", "") || isFrom(n, "sync", "") || isFrom(n, "atomic", "") ||
				isFrom(n, "gmp", "PerP") || isFrom(n, "gmp", "PerM")
		}
		return true
	})
	return found
}
