// Package compile makes programs for the machine out of Go source.
//
// The front is Go's own: go/parser, go/types, and the SSA form of
// golang.org/x/tools/go/ssa. From there each function is compiled by itself:
// analyze.go decides which SSA values need slots of the frame and place.go
// gives them some; lower.go, and instr.go with the files beside it, choose
// instructions; asm.go resolves them. inline.go puts the code of small functions in
// place of their calls, link.go puts the functions together.
//
// The packages that a program may import are small stand-ins embedded here
// (std/), so no GOROOT is needed. What the compiler does not support is refused
// with its place in the source. Nothing is guessed: a program that compiles
// means here what it means under the go command.
package compile

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"gosched/chapters/machine"
)

// An Error is what is wrong with a program, and where. Line and Col count from
// 1, Col in bytes; they are 0 if no place is to blame.
type Error struct {
	File string
	Line int
	Col  int
	Msg  string
}

func (e Error) Error() string {
	if e.Line == 0 {
		if e.File == "" {
			return e.Msg
		}
		return e.File + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// Errors are all errors found, in the order of their places.
type Errors []Error

func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Compile compiles the files of a main package. The error is of type Errors.
// It may be called from several goroutines at once.
func Compile(files []machine.File) (*machine.Program, error) {
	return newCompiler(files).compile()
}

func newCompiler(files []machine.File) *compiler {
	return &compiler{files: files, fset: token.NewFileSet(), maxInlined: 10}
}

func (c *compiler) compile() (prog *machine.Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			prog, err = nil, c.recovered(r)
		}
	}()
	syntax := c.parse()
	c.stopIfErrors()
	c.checkImports(syntax)
	c.stopIfErrors()
	pkg, info := c.check(syntax)
	c.stopIfErrors()
	c.refuseUnsupported(syntax, info)
	c.checkMain(pkg)
	c.stopIfErrors()
	imports := pkg.Imports()
	main := c.buildSSA(pkg, syntax, info)
	prog = c.program(main)
	c.stopIfErrors()
	for _, p := range imports {
		prog.Imports = append(prog.Imports, p.Path())
	}
	return prog, nil
}

// A compiler compiles one program.
type compiler struct {
	files  []machine.File
	fset   *token.FileSet
	errs   Errors
	at     ssa.Instruction // being compiled, for internal errors
	fn     *ssa.Function
	fileNo map[string]int

	// addressOf has the places of selectors and indexes in &x.f and &x[i].
	addressOf map[token.Pos]bool

	fixed map[ssa.Value]bool // see byValue

	// How many SSA instructions a function may have whose code stands in place of a call, and
	// whether it may be one that the program declares; see inline.go.
	maxInlined int
	inlinesOwn bool

	ssa   *ssa.Program
	types typeTable
	data  dataSegment
	linker
}

// A stop is the panic by which the compiler gives up after errors.
type stop struct{}

func (c *compiler) stopIfErrors() {
	if len(c.errs) > 0 {
		panic(stop{})
	}
}

// recovered makes an error of the panic r.
func (c *compiler) recovered(r any) error {
	if _, ok := r.(stop); !ok {
		pos := token.NoPos
		if c.fn != nil {
			pos = c.fn.Pos()
		}
		if c.at != nil && c.at.Pos().IsValid() {
			pos = c.at.Pos()
		}
		c.errorf(pos, "internal compiler error: %v", r)
	}
	slices.SortStableFunc(c.errs, func(a, b Error) int {
		return cmp.Or(cmp.Compare(c.fileNo[a.File], c.fileNo[b.File]), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return slices.Compact(c.errs)
}

// errorf notes an error.
func (c *compiler) errorf(pos token.Pos, format string, args ...any) {
	p := c.fset.Position(pos)
	c.errs = append(c.errs, Error{p.Filename, p.Line, p.Column, fmt.Sprintf(format, args...)})
}

// refuse gives up the current function because of something that is not
// supported.
func (c *compiler) refuse(pos token.Pos, format string, args ...any) {
	if !pos.IsValid() && c.at != nil {
		pos = c.at.Pos()
	}
	if !pos.IsValid() && c.fn != nil {
		pos = c.fn.Pos()
	}
	c.errorf(pos, format, args...)
	panic(stop{})
}

// bug reports a mistake of the compiler.
func (c *compiler) bug(format string, args ...any) {
	panic(fmt.Errorf(format, args...))
}

// parse parses all files.
func (c *compiler) parse() []*ast.File {
	if len(c.files) == 0 {
		c.errorf(token.NoPos, "no Go files")
		return nil
	}
	c.fset.AddExistingFiles(std().files...)
	c.fileNo = map[string]int{}
	var syntax []*ast.File
	for i, file := range c.files {
		c.fileNo[file.Name] = i
		f, err := parser.ParseFile(c.fset, file.Name, file.Source, parser.SkipObjectResolution)
		if list, ok := errorList(err); ok {
			for _, e := range list {
				c.errs = append(c.errs, Error{e.Pos.Filename, e.Pos.Line, e.Pos.Column, "syntax error: " + e.Msg})
			}
		} else if err != nil {
			c.errs = append(c.errs, Error{File: file.Name, Msg: err.Error()})
		}
		syntax = append(syntax, f)
	}
	return syntax
}

// check type-checks the program. Errors have the words of go/types, which are
// those of the go command.
func (c *compiler) check(syntax []*ast.File) (*types.Package, *types.Info) {
	info := newInfo()
	config := types.Config{
		GoVersion: goVersion,
		Sizes:     sizes,
		Importer:  std(),
		Error: func(err error) {
			var e types.Error
			if errors.As(err, &e) {
				c.errorf(e.Pos, "%s", strings.TrimPrefix(e.Msg, "\t"))
			}
		},
	}
	pkg, _ := config.Check("main", c.fset, syntax, info)
	return pkg, info
}

// checkMain refuses a package that is not a program.
func (c *compiler) checkMain(pkg *types.Package) {
	file := Error{File: c.files[0].Name}
	if pkg.Name() != "main" {
		file.Msg = fmt.Sprintf("package %s is not a main package", pkg.Name())
		c.errs = append(c.errs, file)
		return
	}
	if _, ok := pkg.Scope().Lookup("main").(*types.Func); !ok {
		file.Msg = "function main is undeclared in the main package"
		c.errs = append(c.errs, file)
	}
}

// buildSSA makes the SSA form of the program and of the packages it may import.
func (c *compiler) buildSSA(pkg *types.Package, syntax []*ast.File, info *types.Info) *ssa.Package {
	std().sentinels(pkg, info)
	c.ssa = ssa.NewProgram(c.fset, ssa.InstantiateGenerics|ssa.BuildSerially)
	for _, p := range std().needed(pkg) {
		c.ssa.CreatePackage(p.pkg, p.syntax, p.info, true)
	}
	main := c.ssa.CreatePackage(pkg, syntax, info, false)
	c.ssa.Build()
	return main
}
