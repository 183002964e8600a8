package policy

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
)

// Given says where a file beside the parts is no longer what the course gave: these files also
// have declarations that hand the student's work to the suite, and reach the right parts to do
// so. stub is the file as it is given, solution the same with all that is to be written. What
// both have in common must be unchanged, but for comments. New functions are welcome in
// mine_test.go alone: a part is mended where it stands, and there, too, the right method is not
// called more often than before.
func Given(name string, text, stub, solution []byte) []Finding {
	c := &checker{name: name, fset: token.NewFileSet()}
	has, err := c.declarations(text)
	if err != nil {
		return nil // the compiler will say it
	}
	stubs, err := c.declarations(stub)
	solved, solvedErr := c.declarations(solution)
	if err != nil || solvedErr != nil {
		return []Finding{{name, 0, "the course's own file does not parse", "tell whoever runs the course"}}
	}
	for _, key := range stubs.order {
		want := stubs.by[key]
		now, there := has.by[key]
		switch {
		case solved.by[key].text == want.text && !there:
			c.report(0, key+", which was given, is gone", c.back(""))
		case solved.by[key].text == want.text && now.text != want.text:
			c.at(now.decl.Pos(), key+", which was given, has changed", c.back(key))
		case there:
			c.shortcut(key, now, want)
		}
	}
	for _, key := range has.order {
		if d := has.by[key]; stubs.by[key].decl == nil && !strings.HasSuffix(name, "mine_test.go") {
			c.at(d.decl.Pos(), key+" is new", "write in the functions that were given")
		} else if d.again {
			c.at(d.decl.Pos(), key+" is declared twice", "keep one of them")
		}
	}
	return c.findings
}

// back says how a declaration is had back as it was given; "" stands for one that is not there.
func (c *checker) back(key string) string {
	chapter, _, _ := strings.Cut(path.Base(path.Dir(c.name)), "_")
	if kind, name, _ := strings.Cut(key, " "); kind == "function" || kind == "method" {
		return fmt.Sprintf("go run ./autograder reset %s %s gives it back", chapter, name)
	}
	return fmt.Sprintf("write it as it was given: go run ./autograder reset %s %s gives the file back, and keeps a copy of yours", chapter, path.Base(c.name))
}

// Parts refuses to put other parts into a version than those of the chapter, which are the names
// of interfaces of package gmp: the others are the course's, and stay so where points are made.
func Parts(name string, text []byte, own []string) []Finding {
	c := &checker{name: name, fset: token.NewFileSet()}
	file, err := parser.ParseFile(c.fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	c.imported = importNames(file)
	literals := map[ast.Expr]bool{} // the types of literals
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Version" && !literals[sel] {
			if c.of(sel.X) == gmpPath {
				c.at(sel.Pos(), "it uses gmp.Version", "write the parts of the chapter as gmp.Version{…}")
			}
		}
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		if sel, ok := lit.Type.(*ast.SelectorExpr); !ok || sel.Sel.Name != "Version" {
			return true
		}
		literals[lit.Type] = true
		for _, e := range lit.Elts {
			key := "a part without its name"
			if e, ok := e.(*ast.KeyValueExpr); ok {
				if id, ok := e.Key.(*ast.Ident); ok {
					key = id.Name
				}
			}
			if !slices.Contains(own, key) {
				c.at(e.Pos(), "its version has "+key, "this chapter is about "+strings.Join(own, ", "))
			}
		}
		return true
	})
	return c.findings
}

// shortcut refuses to leave the work of a method to another one of its name.
func (c *checker) shortcut(key string, now, before declaration) {
	fn, ok := now.decl.(*ast.FuncDecl)
	if !ok || fn.Recv == nil {
		return
	}
	count := func(d ast.Decl) (n int) {
		ast.Inspect(d, func(node ast.Node) bool {
			if sel, ok := node.(*ast.SelectorExpr); ok && sel.Sel.Name == fn.Name.Name {
				n++
			}
			return true
		})
		return n
	}
	if count(now.decl) > count(before.decl) {
		c.at(fn.Pos(), fmt.Sprintf("%s leaves the work to another %s", key, fn.Name.Name), "mend this one")
	}
}

// A declaration is one of a file, without its comments.
type declaration struct {
	decl  ast.Decl
	text  string
	again bool // there is another one of the same name
}

// declarations are those of a file, by what they are called: "type right", "method
// right.Runqput", "function TestMends". Imports are left out.
type declarations struct {
	by    map[string]declaration
	order []string
}

func (c *checker) declarations(text []byte) (declarations, error) {
	all := declarations{by: map[string]declaration{}}
	file, err := parser.ParseFile(c.fset, c.name, text, parser.SkipObjectResolution)
	if err != nil {
		return all, err
	}
	for _, d := range file.Decls {
		key := called(d)
		if key == "" {
			continue
		}
		var b bytes.Buffer
		if err := format.Node(&b, token.NewFileSet(), d); err != nil {
			return all, err
		}
		_, again := all.by[key]
		all.by[key] = declaration{d, b.String(), again}
		all.order = append(all.order, key)
	}
	return all, nil
}

// called is what a declaration is called, "" for one without a name.
func called(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return "function " + d.Name.Name
		}
		return "method " + receiver(d) + "." + d.Name.Name
	case *ast.GenDecl:
		var names []string
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					names = append(names, id.Name)
				}
			}
		}
		if names = slices.DeleteFunc(names, func(name string) bool { return name == "_" }); len(names) > 0 {
			return d.Tok.String() + " " + strings.Join(slices.Compact(names), ", ")
		}
	}
	return ""
}

// receiver is the name of the type of a method.
func receiver(d *ast.FuncDecl) string {
	if len(d.Recv.List) == 0 {
		return "?"
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return "?"
		}
	}
}
