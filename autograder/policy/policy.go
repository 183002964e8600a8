// Package policy says what the Go files of a student may do where their points are made.
//
// The parts run in the process that checks them. So that nothing in it can be turned, they
// must be what they seem: Go without package unsafe, with packages that only compute, and of
// the course's own packages what a scheduler needs, not what a check needs. What they may do
// beyond that, such as to loop for ever or to take all memory, ends their process and no other.
//
// Check looks at the syntax of one file, and works on what does not compile, too. Packages.Names
// looks at what the names of a package mean. Given compares a file with what the course gave of
// it. The package reads nothing but what it is handed.
package policy

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"gosched/chapters/check"
)

// A Finding is something that a file may not do.
type Finding struct {
	File    string `json:"file"`           // a slash path from the root: "exercises/ch07_runq/runq.go"
	Line    int    `json:"line,omitempty"` // from 1; 0 if it is about the file as a whole
	What    string `json:"what"`           // "it imports \"os\""
	Instead string `json:"instead"`        // what to do, as a sentence without a full stop
}

// String is the finding in a line.
func (f Finding) String() string { return f.Place() + ": " + f.What + "; " + f.Instead }

// Place is the file and, if there is one, the line: "exercises/ch07_runq/runq.go:12".
func (f Finding) Place() string {
	if f.Line == 0 {
		return f.File
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

// Limits of a file. The longest of the course's own has 36 KB, and lines of 350 bytes.
const (
	MaxFile  = 1 << 20 // bytes
	MaxLine  = 4096    // bytes
	MaxDepth = 200     // how deep the syntax may be nested
)

// Written reports whether a file is one that students write beside the parts: mine_test.go,
// mend_test.go or predict_test.go.
func Written(name string) bool { return slices.Contains(check.WrittenFiles, path.Base(name)) }

// Check says what a file of a student may not do: a file of a chapter's parts, or one that is
// Written. name is its slash path from the root. A file that does not parse is only looked at
// as a text: the compiler will say more, and must not be made to accept it.
func Check(name string, text []byte) []Finding {
	c := newChecker(name)
	if strings.HasSuffix(name, "_test.go") && !c.written {
		c.report(0, "it is a test that is not the course's", "write your own test in mine_test.go: no other is run")
		return c.findings
	}
	if c.text(text) {
		c.parse(text)
	}
	return c.sorted()
}

// sorted are the findings, each once, by their lines.
func (c *checker) sorted() []Finding {
	slices.SortStableFunc(c.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), strings.Compare(a.What, b.What))
	})
	return slices.Compact(c.findings)
}

// Parses reports whether a text is a Go file, so that Check has seen all of it.
func Parses(text []byte) bool {
	_, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ParseComments|parser.SkipObjectResolution)
	return err == nil
}

// A checker looks through one file.
type checker struct {
	name     string
	written  bool // it is one of those beside the parts
	mine     bool // mine_test.go
	mend     bool // mend_test.go
	fset     *token.FileSet
	file     *ast.File
	imported map[string]string // the paths of the imports by the names that they have in the file
	findings []Finding

	// What the names of the file mean, as far as it compiles; the zero values where nobody knows.
	packages *Packages
	info     types.Info
	pkg      *types.Package
}

func newChecker(name string) *checker {
	base := path.Base(name)
	return &checker{name: name, written: Written(name), mine: base == "mine_test.go", mend: base == "mend_test.go"}
}

// report adds a finding in a line.
func (c *checker) report(line int, what, instead string) {
	c.findings = append(c.findings, Finding{c.name, line, what, instead})
}

// at adds a finding at a place of the syntax. Where a line directive says that it is does not
// matter.
func (c *checker) at(pos token.Pos, what, instead string) {
	c.report(c.fset.PositionFor(pos, false).Line, what, instead)
}

func (c *checker) parse(text []byte) {
	c.fset = token.NewFileSet()
	file, err := parser.ParseFile(c.fset, c.name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return
	}
	if pos := tooDeep(file); pos.IsValid() {
		c.at(pos, fmt.Sprintf("it is nested more than %d deep", MaxDepth), "divide it into functions, or into statements")
		return
	}
	c.file = file
	c.directives(file)
	c.imports(file)
	c.starts(file)
	c.declares(file)
	c.identifiers(file)
}

// tooDeep returns where the syntax is nested too deep, token.NoPos if it is nowhere.
func tooDeep(file *ast.File) token.Pos {
	depth, found := 0, token.NoPos
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			depth--
			return false
		}
		if depth++; depth > MaxDepth && !found.IsValid() {
			found = n.Pos()
		}
		return true
	})
	return found
}
