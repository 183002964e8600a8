package mutation

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Solution is the package with the parts of a chapter.
type Solution struct {
	Chapter   string      // "ch03"
	Dir       string      // "ch03_park"
	Mutations []*Mutation // all of them, also those that are equivalent by a rule

	name      string // of the package
	fset      *token.FileSet
	files     []*file
	functions []*function
	importer  types.Importer
}

// A file is one of the solution's, without its comments.
type file struct {
	name   string // a path below the root of the module, with slashes
	fset   *token.FileSet
	src    string
	syntax *ast.File
}

// A function is one that is changed.
type function struct {
	*file
	decl *ast.FuncDecl
	name string // "Enqueue", "order.next"
	info *types.Info
}

func (f *file) offset(p token.Pos) int        { return f.fset.Position(p).Offset }
func (f *file) between(a, b token.Pos) string { return f.src[f.offset(a):f.offset(b)] }
func (f *file) text(n ast.Node) string        { return f.between(n.Pos(), n.End()) }
func (f *file) line(n ast.Node) string        { return strings.Join(strings.Fields(f.text(n)), " ") }

// notParts are the files of a solution that hold no parts.
func notParts(name string) bool {
	return strings.HasSuffix(name, "_test.go") || name == "mutants.go" || strings.HasPrefix(name, "alternatives")
}

// read reads the solution in folder, a path below root, and makes its mutations.
func read(root, folder, chapter string, importer types.Importer) (*Solution, error) {
	s := &Solution{Chapter: chapter, Dir: path.Base(folder), fset: token.NewFileSet(), importer: importer}
	if err := s.parse(root, folder); err != nil {
		return nil, err
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	var syntax []*ast.File
	for _, f := range s.files {
		syntax = append(syntax, f.syntax)
	}
	conf := types.Config{Importer: importer}
	pkg, err := conf.Check("gosched/"+folder, s.fset, syntax, info)
	if err != nil {
		return nil, fmt.Errorf("%s does not compile: %w", folder, err)
	}
	s.name = pkg.Name()
	s.functions = s.reached(info)
	if len(s.functions) == 0 {
		return nil, fmt.Errorf("%s has no variable Parts with constructors, so no parts to change", folder)
	}
	calculations := map[types.Object]bool{}
	for _, fn := range s.functions {
		calculations[info.Defs[fn.decl.Name]] = fn.calculates()
	}
	for _, fn := range s.functions {
		m := &maker{function: fn, calculations: calculations}
		m.make()
		s.Mutations = append(s.Mutations, m.found...)
	}
	s.Mutations = distinct(s.Mutations)
	if err := s.dropUncompilable(); err != nil {
		return nil, err
	}
	s.Mutations = distinct(s.Mutations)
	number(s.Mutations)
	for _, m := range s.Mutations {
		m.Chapter = chapter
	}
	return s, nil
}

// make makes all mutations of a function.
func (m *maker) make() {
	m.statements()
	m.expressions()
}

// parse reads all files of the package, those without parts too, since it must compile.
func (s *Solution) parse(root, folder string) error {
	names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f := &file{name: path.Join(folder, filepath.Base(name)), fset: s.fset}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if f.src, err = uncommented(name, text); err != nil {
			return err
		}
		if f.syntax, err = parser.ParseFile(s.fset, f.name, f.src, parser.SkipObjectResolution); err != nil {
			return err
		}
		s.files = append(s.files, f)
	}
	return nil
}

// uncommented is a Go file without its comments: a comment that stays where it was when
// its statement moves says the wrong thing.
func uncommented(name string, text []byte) (string, error) {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := format.Node(&b, fset, syntax); err != nil {
		return "", err
	}
	return b.String(), nil
}

// reached returns the methods of the types that the constructors in the variable Parts
// make, and all functions and methods of the package that these use. The constructors
// are not among them.
func (s *Solution) reached(info *types.Info) []*function {
	all := map[types.Object]*function{}
	var order []*function
	constructors := map[types.Object]bool{}
	for _, f := range s.files {
		for _, decl := range f.syntax.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Body != nil && decl.Type.TypeParams == nil && !notParts(path.Base(f.name)) {
					fn := &function{file: f, decl: decl, info: info}
					all[info.Defs[decl.Name]] = fn
					order = append(order, fn)
				}
			case *ast.GenDecl:
				s.constructors(decl, info, constructors)
			}
		}
	}
	used := map[*function]bool{}
	var use func(fn *function)
	use = func(fn *function) {
		if fn == nil || used[fn] {
			return
		}
		used[fn] = true
		ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				use(all[info.Uses[id]])
			}
			return true
		})
	}
	for _, fn := range order {
		if r := receiver(info, fn.decl); r != nil && s.made(r, constructors, all) {
			use(fn)
		}
	}
	order = slices.DeleteFunc(order, func(fn *function) bool {
		return !used[fn] || constructors[info.Defs[fn.decl.Name]]
	})
	s.named(order, constructors, all)
	return order
}

// constructors notes the functions that a declaration of the variable Parts names.
func (s *Solution) constructors(decl *ast.GenDecl, info *types.Info, found map[types.Object]bool) {
	for _, spec := range decl.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok || len(v.Names) != 1 || v.Names[0].Name != "Parts" || len(v.Values) != 1 {
			continue
		}
		ast.Inspect(v.Values[0], func(n ast.Node) bool {
			if pair, ok := n.(*ast.KeyValueExpr); ok {
				if id, ok := pair.Value.(*ast.Ident); ok {
					found[info.Uses[id]] = true
				}
			}
			return true
		})
	}
}

// made reports whether a constructor makes values of that type.
func (s *Solution) made(t types.Object, constructors map[types.Object]bool, all map[types.Object]*function) bool {
	for c := range constructors {
		fn := all[c]
		if fn == nil {
			continue
		}
		found := false
		ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
			if lit, ok := n.(*ast.CompositeLit); ok {
				if id, ok := lit.Type.(*ast.Ident); ok && fn.info.Uses[id] == t {
					found = true
				}
			}
			return true
		})
		if found {
			return true
		}
	}
	return false
}

// named names the functions. A method of a part is called by its name alone, one of
// another type by both, and so is one whose name is there twice.
func (s *Solution) named(order []*function, constructors map[types.Object]bool, all map[types.Object]*function) {
	count := map[string]int{}
	for _, fn := range order {
		count[fn.decl.Name.Name]++
	}
	for _, fn := range order {
		fn.name = fn.decl.Name.Name
		if r := receiver(fn.info, fn.decl); r != nil && (count[fn.name] > 1 || !s.made(r, constructors, all)) {
			fn.name = r.Name() + "." + fn.name
		}
	}
}

// receiver is the type whose method a function is, nil if it is none.
func receiver(info *types.Info, fn *ast.FuncDecl) types.Object {
	if fn.Recv == nil {
		return nil
	}
	t := fn.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return info.Uses[id]
	}
	return nil
}
