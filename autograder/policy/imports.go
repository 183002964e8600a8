package policy

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

const (
	gmpPath       = "gosched/chapters/gmp"
	machinePath   = "gosched/chapters/machine"
	explorePath   = "gosched/chapters/machine/explore"
	checkPath     = "gosched/chapters/check"
	solutionsPath = "gosched/solutions"
	assertPath    = "github.com/stretchr/testify/assert"
	requirePath   = "github.com/stretchr/testify/require"
)

// Always are the packages whose names Names looks at, whether a file imports them or not.
var Always = []string{gmpPath, machinePath}

// pure are the packages of the standard library that any file may import: they compute, and
// reach nothing outside of the program. Package reflect, which some are made of, does not come
// out of them.
var pure = []string{
	"cmp", "container/heap", "container/list", "container/ring", "errors", "fmt", "iter", "maps", "math", "math/bits",
	"math/cmplx", "math/rand/v2", "slices", "sort", "strconv", "strings", "unicode", "unicode/utf8",
}

// besides are what the files beside the parts import as well, and its suite.
var besides = []string{"testing", explorePath, checkPath, solutionsPath, assertPath, requirePath}

// insteads say what to do where an import is refused that a student is likely to think of.
var insteads = map[string]string{
	"bytes":              "use package strings, or slices of bytes",
	"context":            "a part is stopped by the scheduler; nothing else cancels it",
	"log":                "print with s.Printf, which stands in the evidence of a check",
	"math/rand":          "take random numbers from mp.Cheaprand, so that a run can be repeated",
	"os":                 "print with s.Printf, which stands in the evidence of a check; a part needs nothing else of the system",
	"runtime":            "the scheduler is yours: threads are made with s.Newosproc, and yield with machine.Osyield",
	"sync":               "use machine.Mutex, machine.Note, and the atomic types and cells of package machine: an exploration sees no others, so no check would",
	"testing":            "write tests in mine_test.go",
	"time":               "the clock is s.Nanotime, and a thread sleeps on a machine.Note",
	"unsafe":             "the parts are Go without unsafe: the memory of the program is s.Machine",
	"C":                  "the parts are Go",
	"embed":              "write what you need in Go",
	"reflect":            "name the types that you mean",
	checkPath:            "a part does not know how it is checked; TODO is also in package gmp",
	solutionsPath:        "call the other parts through s",
	"gosched/exercises/": "call the other parts through s",
	"gosched/solutions/": "call the other parts through s",
	"gosched/chapters/":  "a part needs packages gmp and machine alone",
}

// Imports are the packages that a file imports, of those that it may: what an importer for Names
// must know, besides gmp and machine.
func Imports(name string, text []byte) []string {
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
	if err != nil {
		return nil
	}
	c := newChecker(name)
	paths := slices.Collect(maps.Values(importNames(file)))
	return slices.DeleteFunc(paths, func(p string) bool { return !slices.Contains(c.allowed(), p) })
}

// allowed are the packages that the file may import.
func (c *checker) allowed() []string {
	allowed := slices.Concat(Always, pure)
	if c.written {
		allowed = slices.Concat(allowed, besides, []string{c.suite()})
	}
	return allowed
}

// imports refuses what a file may not import, and keeps what it imports by name.
func (c *checker) imports(file *ast.File) {
	c.imported = importNames(file)
	allowed := c.allowed()
	for _, spec := range file.Imports {
		p, name := imported(spec)
		switch {
		case c.mine && p == "fmt":
			c.at(spec.Pos(), `it imports "fmt"`, "format with t.Errorf and t.Logf: a test looks at what a part does, not at how its type is printed")
		case !slices.Contains(allowed, p):
			c.at(spec.Pos(), fmt.Sprintf("it imports %q", p), instead(p))
		case name == "." || name == "_":
			c.at(spec.Pos(), fmt.Sprintf("it imports %q as %s", p, name), "import it by its name")
		case name != nameOf(p) && (types.Universe.Lookup(name) != nil || slices.ContainsFunc(allowed, func(other string) bool { return other != p && nameOf(other) == name })):
			c.at(spec.Pos(), fmt.Sprintf("it imports %q under the name %s, which means something else", p, name), "import it by its own name")
		}
	}
}

// importNames are the paths of the packages that a file imports, by their names in it.
func importNames(file *ast.File) map[string]string {
	paths := map[string]string{}
	for _, spec := range file.Imports {
		p, name := imported(spec)
		paths[name] = p
	}
	return paths
}

// imported is what a file imports, and by which name.
func imported(spec *ast.ImportSpec) (importPath, name string) {
	importPath, _ = strconv.Unquote(spec.Path.Value)
	if spec.Name != nil {
		return importPath, spec.Name.Name
	}
	return importPath, nameOf(importPath)
}

// instead says what to do without an import.
func instead(importPath string) string {
	for p := importPath; p != "."; p = path.Dir(p) {
		for _, key := range []string{p, p + "/"} {
			if text := insteads[key]; text != "" {
				return text
			}
		}
		if p == "/" {
			break
		}
	}
	return "a part imports gmp, machine and packages that only compute: " + strings.Join(pure[:10], ", ") + " and the like"
}

// nameOf is the name of a package with an import path.
func nameOf(importPath string) string {
	switch base := path.Base(importPath); base {
	case "v2":
		return path.Base(path.Dir(importPath))
	default:
		return base
	}
}

// declares refuses declarations that change what the names in a file mean.
func (c *checker) declares(file *ast.File) {
	for _, id := range Declared(file) {
		if types.Universe.Lookup(id.Name) != nil && id.Name != "min" && id.Name != "max" {
			c.at(id.Pos(), "it declares "+id.Name+", which is Go's own", "give it another name")
		}
	}
	if !c.written {
		return
	}
	if id := file.Name; !strings.HasSuffix(id.Name, "_test") {
		c.at(id.Pos(), "it belongs to package "+id.Name, "write package "+id.Name+"_test, as it was given: it does the same beside any parts")
	}
	for _, spec := range variables(file) {
		for _, id := range spec.Names {
			if id.Name != "_" {
				c.at(id.Pos(), "it has the package variable "+id.Name, "use a constant or a local variable: each call must do the same")
			}
		}
	}
}

// suite is the import path of the suite of the file's chapter.
func (c *checker) suite() string { return "gosched/chapters/" + path.Base(path.Dir(c.name)) }

// of is the path of the package that an expression names, "" if it is anything else, such as a
// variable of that name.
func (c *checker) of(x ast.Expr) string {
	id, ok := x.(*ast.Ident)
	if !ok {
		return ""
	}
	switch obj := c.info.Uses[id].(type) {
	case nil:
		return c.imported[id.Name]
	case *types.PkgName:
		return obj.Imported().Path()
	}
	return ""
}
