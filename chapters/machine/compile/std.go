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
	syntax []*ast.File

	once sync.Once // checks it
	pkg  *types.Package
	info *types.Info
}

// stdPackages are all of them, parsed once for all programs, and checked when the first
// program needs them. They are never changed afterwards.
type stdPackages struct {
	byPath map[string]*stdPackage
	fset   *token.FileSet
	files  []*token.File
}

// stdPaths are the packages, in the order in which their files have positions.
var stdPaths = []string{
	"errors", "runtime", "runtime/debug", "sync/atomic", "io", "io/fs", "syscall", "internal/oserror", "os", "fmt", "strconv", "sort", "flag",
	"container/heap", "container/ring", "sync", "time", "context", "strings", "bytes", "bufio", "internal/poll", "net", "internal/sentinel",
}

// std returns the embedded packages.
var std = sync.OnceValue(func() *stdPackages {
	s := &stdPackages{byPath: map[string]*stdPackage{}, fset: token.NewFileSet()}
	for _, path := range stdPaths {
		s.byPath[path] = &stdPackage{syntax: s.parse(path)}
	}
	s.fset.Iterate(func(f *token.File) bool {
		s.files = append(s.files, f)
		return true
	})
	return s
})

// parse parses one package.
func (s *stdPackages) parse(name string) (syntax []*ast.File) {
	dir := path.Join("std", name)
	entries, err := stdFS.ReadDir(dir)
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		src, err := stdFS.ReadFile(path.Join(dir, e.Name()))
		if err != nil {
			panic(err)
		}
		f, err := parser.ParseFile(s.fset, path.Join(name, e.Name()), src, parser.SkipObjectResolution)
		if err != nil {
			panic(err)
		}
		syntax = append(syntax, f)
	}
	return syntax
}

// load returns a package, checked, and nil if there is none of that name. Before it, those are
// checked that it imports.
func (s *stdPackages) load(name string) *stdPackage {
	p := s.byPath[name]
	if p == nil {
		return nil
	}
	p.once.Do(func() {
		p.info = newInfo()
		config := types.Config{GoVersion: goVersion, Sizes: sizes, Importer: s}
		// Functions without a body are errors to the type checker, but no others.
		config.Error = func(err error) {
			if !strings.Contains(err.Error(), "missing function body") {
				panic(err)
			}
		}
		p.pkg, _ = config.Check(name, s.fset, p.syntax, p.info)
	})
	return p
}

// Import implements types.Importer.
func (s *stdPackages) Import(path string) (*types.Package, error) {
	if p := s.load(path); p != nil {
		return p.pkg, nil
	}
	return nil, fmt.Errorf("package %s is not supported yet", path)
}

// sentinels lets pkg import package internal/sentinel, if it uses anything that the latter
// names. Other programs do without: to set a variable takes time, also in io and os, which
// many programs import for something else.
func (s *stdPackages) sentinels(pkg *types.Package, info *types.Info) {
	p := s.load("internal/sentinel")
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
				all = append(all, s.load(q.Path()))
			}
		}
	}
	visit(pkg)
	if p := s.load("runtime"); !seen[p.pkg] {
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
