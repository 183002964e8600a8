package policy

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// Packages says what the names in a student's packages mean. It is not for two goroutines at
// once.
type Packages struct {
	importer types.Importer
	owners   map[*types.Var]string    // the fields of the structs of gmp and machine: "gmp.P"
	shown    map[string]*types.Struct // those of shown
}

// NewPackages returns Packages for students who import what the importer knows.
func NewPackages(importer types.Importer) *Packages {
	p := &Packages{importer: importer, owners: map[*types.Var]string{}, shown: map[string]*types.Struct{}}
	for _, path := range Always {
		if pkg, err := importer.Import(path); err == nil {
			p.own(pkg)
		}
	}
	return p
}

// own notes the fields of a package's structs.
func (p *Packages) own(pkg *types.Package) {
	for _, name := range pkg.Scope().Names() {
		obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() {
			continue
		}
		if s, ok := obj.Type().Underlying().(*types.Struct); ok {
			full := pkg.Name() + "." + name
			for f := range s.Fields() {
				p.owners[f] = full
			}
			if slices.Contains(shown, full) {
				p.shown[full] = s
			}
		}
	}
}

// Names says which names a package of a student's may not use: the files of a chapter's parts,
// or one that is Written, by their slash paths from the root, which Check finds nothing in. What
// a name means it knows as the compiler does. Where the files do not compile it goes by the name
// alone, and may refuse what would be right; nothing of them runs.
//
// A hostile file can make this take all time and memory, as it can the compiler: see Inspect.
func (p *Packages) Names(files map[string][]byte) []Finding {
	fset := token.NewFileSet()
	var checkers []*checker
	var syntax []*ast.File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file, err := parser.ParseFile(fset, name, files[name], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || tooDeep(file).IsValid() {
			continue // the compiler, or Check, will say it
		}
		c := newChecker(name)
		c.fset, c.file, c.imported = fset, file, importNames(file)
		checkers, syntax = append(checkers, c), append(syntax, file)
	}
	info := types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Instances: map[*ast.Ident]types.Instance{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	config := types.Config{Importer: p.importer, Error: func(error) {}}
	pkg, _ := config.Check("student", fset, syntax, &info) // the compiler says it, too
	var findings []Finding
	for _, c := range checkers {
		c.packages, c.info, c.pkg = p, info, pkg
		c.names()
		findings = append(findings, c.sorted()...)
	}
	return findings
}

// owner is the struct of package gmp or machine that a field is of, such as "gmp.P", "" if it is
// of another one, or no field. A struct of the student's with the same fields as one of shown
// counts as that: the one converts to the other.
func (c *checker) owner(sel *ast.SelectorExpr) string {
	v, ok := c.info.Uses[sel.Sel].(*types.Var)
	if !ok || c.packages == nil {
		return ""
	}
	if owner := c.packages.owners[v.Origin()]; owner != "" {
		return owner
	}
	if s := c.info.Selections[sel]; s != nil {
		of := structOf(s.Recv())
		for _, i := range s.Index()[:len(s.Index())-1] {
			of = structOf(of.Field(i).Type())
		}
		for name, known := range c.packages.shown {
			if of != nil && types.Identical(of, known) {
				return name
			}
		}
	}
	return ""
}

// structOf is the struct that a field is selected of.
func structOf(t types.Type) *types.Struct {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, _ := t.Underlying().(*types.Struct)
	return s
}

// harmless reports whether what is selected is known to be none of the course's: a method or a
// field of the student's, or of the standard library. A method of an interface may be anybody's;
// and so may a field, if a struct of the course has the same, since one struct converts to
// another with the same fields.
func (c *checker) harmless(sel *ast.SelectorExpr) bool {
	obj := c.info.Uses[sel.Sel]
	if obj == nil || obj.Pkg() == nil || strings.HasPrefix(obj.Pkg().Path(), "gosched/") {
		return false
	}
	switch obj := obj.(type) {
	case *types.Func:
		recv := obj.Signature().Recv()
		return recv == nil || !types.IsInterface(recv.Type())
	case *types.Var:
		for f := range c.packages.owners {
			if f.Name() == obj.Name() && types.Identical(f.Type(), obj.Type()) {
				return false
			}
		}
	}
	return true
}

// reads refuses to read the fields of a program, which a part could change, or recognise it by,
// and of what belongs to it the slices and maps, whose elements could be changed by another name.
// A test of the student's makes programs.
func (c *checker) reads(sel *ast.SelectorExpr) {
	name, owner := sel.Sel.Name, c.owner(sel)
	switch {
	case c.mine || !slices.Contains(shown, owner) || watching[name] != "":
	case owner == "machine.Program" && name != "Goexit":
		c.at(sel.Sel.Pos(), "it uses "+name+" of the program", "a part does the same for every program")
	case owner != "machine.Program" && isTableType(c.info.TypeOf(sel)):
		c.at(sel.Sel.Pos(), fmt.Sprintf("it uses %s of %s", name, owner), "ask its methods, such as IsPointer and LineAt: it is there to be looked at")
	}
}

// isTableType reports whether who has a value of the type can change elements of another one.
func isTableType(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// recovering are the methods that package fmt calls, and recovers from what they throw.
var recovering = []string{"String", "Error", "GoString"}

// swallows refuses such a method where it can reach a part, or the scheduler: who wants to recover
// could throw in one and have the value printed. It can reach nothing but what its receiver has
// and the variables of its package.
func (c *checker) swallows(fn *ast.FuncDecl) {
	if c.mine || fn.Recv == nil || len(fn.Recv.List) != 1 || !slices.Contains(recovering, fn.Name.Name) {
		return
	}
	const instead = "package fmt recovers from what such a method throws: keep but those in the type, or give the method another name, such as describe, and call it where you print"
	if t := c.info.TypeOf(fn.Recv.List[0].Type); t == nil || !c.isData(t, nil) {
		c.at(fn.Pos(), "it has a method "+fn.Name.Name+" of a type that has more than numbers and words", instead)
		return
	}
	for _, obj := range c.info.Uses {
		if v, ok := obj.(*types.Var); ok && v.Parent() == c.pkg.Scope() && !c.isData(v.Type(), nil) {
			c.at(fn.Pos(), "it has a method "+fn.Name.Name+", and uses the package variable "+v.Name()+", which has more than numbers and words", instead)
			return
		}
	}
}

// isData reports whether values of a type have no function, interface or channel in them, and
// nothing of the course's but numbers. in are the types that it is in.
func (c *checker) isData(t types.Type, in []types.Type) bool {
	if slices.ContainsFunc(in, func(outer types.Type) bool { return types.Identical(outer, t) }) {
		return true
	}
	if len(in) > MaxDepth { // one that contains itself, and each time in another form
		return false
	}
	in = append(slices.Clip(in), t)
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != c.pkg {
		_, basic := t.Underlying().(*types.Basic)
		return basic
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() != types.Invalid
	case *types.Pointer:
		return c.isData(t.Elem(), in)
	case *types.Array:
		return c.isData(t.Elem(), in)
	case *types.Slice:
		return c.isData(t.Elem(), in)
	case *types.Map:
		return c.isData(t.Key(), in) && c.isData(t.Elem(), in)
	case *types.Struct:
		for f := range t.Fields() {
			if !c.isData(f.Type(), in) {
				return false
			}
		}
		return true
	}
	return false
}

// isWhole reports whether a type of that name is one of whole. A test of the student's makes programs.
func (c *checker) isWhole(name string) bool {
	return slices.Contains(whole, name) && !(c.mine && name == "machine.Program")
}

// declaresType reports whether what is in those nodes is, but for parentheses, a type that is
// declared, and not as another name of the same one.
func declaresType(above []ast.Node) bool {
	for _, outer := range slices.Backward(above) {
		switch outer := outer.(type) {
		case *ast.ParenExpr:
			continue
		case *ast.TypeSpec:
			return !outer.Assign.IsValid()
		}
		return false
	}
	return false
}

// isWholeType reports whether a type is one of whole.
func (c *checker) isWholeType(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	obj := named.Obj()
	return c.isWhole(obj.Pkg().Name()+"."+obj.Name()) && strings.HasPrefix(obj.Pkg().Path(), "gosched/")
}

// copies refuses a whole value that nobody names: "*s" copies a scheduler, and as a type argument
// it can be copied where its type is not seen.
func (c *checker) copies(x ast.Expr, above []ast.Node) {
	const instead = "use the pointer that a part is given"
	if id, ok := x.(*ast.Ident); ok {
		if args := c.info.Instances[id].TypeArgs; args != nil {
			for t := range args.Types() {
				if c.isWholeType(t) {
					c.at(x.Pos(), "it has a "+shortType(t)+" as a type argument", instead)
				}
			}
		}
	}
	tv, ok := c.info.Types[x]
	if _, paren := x.(*ast.ParenExpr); !ok || paren || !tv.IsValue() || !c.isWholeType(tv.Type) {
		return
	}
	for i := len(above) - 1; i >= 0; i-- {
		switch outer := above[i].(type) {
		case *ast.ParenExpr:
			continue
		case *ast.SelectorExpr:
			if outer.Sel == x {
				return // it is looked at as what is selected
			}
			if s := c.info.Selections[outer]; s != nil {
				return
			}
		}
		break
	}
	c.at(x.Pos(), "it has a "+shortType(tv.Type)+" as a value", instead)
}

// shortType is a type of the course as a file writes it.
func shortType(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// plain reports whether a type is known to be one that a value may be asked for: Go's own, one
// of gmp or machine, or one of the student's that is no interface.
func (c *checker) plain(t types.Type) bool {
	for {
		p, ok := types.Unalias(t).(*types.Pointer)
		if !ok {
			break
		}
		t = p.Elem()
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		pkg := t.Obj().Pkg()
		switch {
		case pkg == nil, pkg.Path() == gmpPath, pkg.Path() == machinePath:
			return true
		case pkg == c.pkg:
			return !types.IsInterface(t)
		}
		return false
	case *types.Interface:
		return t == types.Universe.Lookup("any").Type().Underlying()
	case *types.TypeParam:
		return false
	case *types.Basic:
		return t.Kind() != types.Invalid
	}
	return true
}
