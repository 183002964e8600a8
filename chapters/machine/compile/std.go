package compile

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"path"
	"strings"
	"sync"
)

// goVersion is the version of the language.
const goVersion = "go1.26"

//go:embed std
var stdFS embed.FS

// A stdPackage is one of the packages that a program may import.
type stdPackage struct {
	pkg    *types.Package
	syntax []*ast.File
	info   *types.Info
}

// stdPackages are all of them, parsed and checked once for all programs.
// They are never changed afterwards.
type stdPackages struct {
	byPath map[string]*stdPackage
	files  []*token.File
}

// stdPaths are the packages in an order in which each comes after those that it
// imports.
var stdPaths = []string{
	"errors", "runtime", "runtime/debug", "sync/atomic", "io", "io/fs", "syscall", "internal/oserror", "os", "fmt", "strconv", "sort", "flag",
	"container/heap", "container/ring", "sync", "time", "context", "strings", "bytes", "bufio", "internal/poll", "net", "internal/sentinel",
}

// std returns the embedded packages.
var std = sync.OnceValue(func() *stdPackages {
	s := &stdPackages{byPath: map[string]*stdPackage{}}
	fset := token.NewFileSet()
	for _, path := range stdPaths {
		s.load(fset, path)
	}
	fset.Iterate(func(f *token.File) bool {
		s.files = append(s.files, f)
		return true
	})
	return s
})

// load parses and checks one package.
func (s *stdPackages) load(fset *token.FileSet, name string) {
	dir := path.Join("std", name)
	entries, err := stdFS.ReadDir(dir)
	if err != nil {
		panic(err)
	}
	p := &stdPackage{info: newInfo()}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		src, err := stdFS.ReadFile(path.Join(dir, e.Name()))
		if err != nil {
			panic(err)
		}
		f, err := parser.ParseFile(fset, path.Join(name, e.Name()), src, parser.SkipObjectResolution)
		if err != nil {
			panic(err)
		}
		p.syntax = append(p.syntax, f)
	}
	config := types.Config{GoVersion: goVersion, Sizes: sizes, Importer: s}
	// Functions without a body are errors to the type checker, but no others.
	config.Error = func(err error) {
		if !strings.Contains(err.Error(), "missing function body") {
			panic(err)
		}
	}
	p.pkg, _ = config.Check(name, fset, p.syntax, p.info)
	s.byPath[name] = p
}

// Import implements types.Importer.
func (s *stdPackages) Import(path string) (*types.Package, error) {
	if p := s.byPath[path]; p != nil {
		return p.pkg, nil
	}
	return nil, fmt.Errorf("package %s is not supported yet", path)
}

// sentinels lets pkg import package internal/sentinel, if it uses anything that the latter
// names. Other programs do without: to set a variable takes time, also in io and os, which
// many programs import for something else.
func (s *stdPackages) sentinels(pkg *types.Package, info *types.Info) {
	p := s.byPath["internal/sentinel"]
	named := map[types.Object]bool{}
	for _, obj := range p.info.Uses {
		named[obj] = true
	}
	for _, obj := range info.Uses {
		if named[obj] {
			pkg.SetImports(append(pkg.Imports(), p.pkg))
			return
		}
	}
}

// needed returns the packages that pkg imports, directly or not, each after
// those it imports itself, and runtime.
func (s *stdPackages) needed(pkg *types.Package) []*stdPackage {
	var all []*stdPackage
	seen := map[*types.Package]bool{}
	var visit func(p *types.Package)
	visit = func(p *types.Package) {
		for _, q := range p.Imports() {
			if !seen[q] {
				seen[q] = true
				visit(q)
				all = append(all, s.byPath[q.Path()])
			}
		}
	}
	visit(pkg)
	if p := s.byPath["runtime"]; !seen[p.pkg] {
		all = append(all, p)
	}
	return all
}

func newInfo() *types.Info {
	return &types.Info{
		Types:        map[ast.Expr]types.TypeAndValue{},
		Instances:    map[*ast.Ident]types.Instance{},
		Defs:         map[*ast.Ident]types.Object{},
		Uses:         map[*ast.Ident]types.Object{},
		Implicits:    map[ast.Node]types.Object{},
		Selections:   map[*ast.SelectorExpr]*types.Selection{},
		Scopes:       map[ast.Node]*types.Scope{},
		FileVersions: map[*ast.File]string{},
	}
}

func errorList(err error) (scanner.ErrorList, bool) {
	list, ok := err.(scanner.ErrorList)
	return list, ok
}
