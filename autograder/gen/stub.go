package gen

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The directives. Each is a line comment of its own, like any directive of Go.
const (
	directive         = "//course:"
	directiveExercise = "//course:exercise"
	directiveHolds    = "//course:holds"
	directiveQuestion = "//course:question"
	directiveLead     = "//course:lead"
	directiveStep     = "//course:step"
	directiveMend     = "//course:mend"
	directiveOmit     = "//course:omit"
	directiveAll      = "//course:exercise, holds, question, lead, step, mend and omit"
)

// texts are the directives that have a text and stand in the body of an exercise.
var texts = []string{directiveHolds, directiveQuestion, directiveLead, directiveStep}

// The packages whose TODO marks what is to be written. A stub takes one that its solution
// imports, so that the import is of use when nothing is left to do.
const (
	gmpPath   = "gosched/chapters/gmp"
	checkPath = "gosched/chapters/check"
)

// A Stub is what gen makes of one file of a solution.
type Stub struct {
	Source    []byte
	Functions []string // what the student writes or mends, in the order of the file: "RunQueue.Runqput", "mine"
	Omit      bool     // the whole file stays out of the exercise
}

// A Maker makes stubs.
type Maker struct {
	// PackageName tells the name of the package with an import path.
	PackageName func(importPath string) string
	// Contracts has the doc comment of each method of a part, by name, and of each
	// interface: a stub has that in place of the solution's own. Nil: none.
	Contracts map[string]string
	// Mutants is the file with the mutants of the chapter, for //course:mend; Interleaving
	// is what the check of one says. Nil: there are none.
	Mutants      []byte
	Interleaving func(mutant string) (string, error)
	Guided       bool            // a stub has the steps, too
	Withheld     bool            // a stub stands for the solution, which is withheld, and not for an exercise
	Keep         map[string]bool // functions that are not left out of such a stub
}

// Stub turns a file of a solution into a file of the exercise. Name is used in errors.
//
// The text is spliced at the offsets that go/parser reports and never printed
// from the syntax tree, so that every comment stays where its author put it.
func (m *Maker) Stub(name string, src []byte) (*Stub, error) {
	f, err := parse(name, src, m.PackageName)
	if err != nil {
		return nil, err
	}
	f.maker = m
	stub := &Stub{}
	if f.take(f.syntax.Doc, directiveOmit) {
		stub.Omit = true
		return stub, nil
	}
	made := f.constructed()
	for _, decl := range f.syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			name, err := f.function(decl)
			if err != nil {
				return nil, err
			}
			if name != "" {
				stub.Functions = append(stub.Functions, name)
			}
		case *ast.GenDecl:
			f.declaration(decl)
			f.rules(decl, made)
		}
	}
	if err := f.leftover(); err != nil {
		return nil, err
	}
	stub.Source, err = f.finish()
	return stub, err
}

// Strip returns a file of a solution without its directives: what diff shows.
func Strip(name string, src []byte) ([]byte, error) {
	f, err := parse(name, src, path.Base)
	if err != nil {
		return nil, err
	}
	for _, group := range f.syntax.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, directive) {
				f.dropDirective(group, c)
			}
		}
	}
	return format.Source(f.splice())
}

// A file is a file of a solution, and the edits that make it another.
type file struct {
	src         []byte
	fset        *token.FileSet
	syntax      *ast.File
	packageName func(string) string
	maker       *Maker          // of a stub
	used        map[string]bool // import paths in use before the edits
	taken       map[*ast.Comment]bool
	edits       []edit
}

// An edit replaces src[from:to] by text.
type edit struct {
	from, to int
	text     string
}

func parse(name string, src []byte, packageName func(string) string) (*file, error) {
	f := &file{src: src, fset: token.NewFileSet(), packageName: packageName, taken: map[*ast.Comment]bool{}}
	var err error
	f.syntax, err = parser.ParseFile(f.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f.used = usedImports(f.syntax, packageName)
	return f, nil
}

func (f *file) offset(p token.Pos) int { return f.fset.Position(p).Offset }

func (f *file) errorf(p token.Pos, format string, args ...any) error {
	return fmt.Errorf("%s: %s", f.fset.Position(p), fmt.Sprintf(format, args...))
}

// take reports whether the group has the directive, and marks it as seen.
func (f *file) take(group *ast.CommentGroup, want string) bool {
	if group == nil {
		return false
	}
	for _, c := range group.List {
		if c.Text == want {
			f.taken[c] = true
			return true
		}
	}
	return false
}

// argument returns what stands behind a directive with an argument, "" if the group has
// none, and marks it as seen.
func (f *file) argument(group *ast.CommentGroup, want string) string {
	if group == nil {
		return ""
	}
	for _, c := range group.List {
		if text, ok := strings.CutPrefix(c.Text, want+" "); ok {
			f.taken[c] = true
			return strings.TrimSpace(text)
		}
	}
	return ""
}

// function edits a function: it leaves it out, makes it an exercise and returns
// its name, or keeps it.
func (f *file) function(decl *ast.FuncDecl) (string, error) {
	if f.take(decl.Doc, directiveOmit) {
		if !f.maker.Keep[functionName(decl)] {
			f.remove(decl.Doc, decl.Pos(), decl.End())
		}
		return "", nil
	}
	if mutant := f.argument(decl.Doc, directiveMend); mutant != "" {
		return functionName(decl), f.mend(decl, mutant)
	}
	if !f.take(decl.Doc, directiveExercise) {
		return "", nil
	}
	if decl.Body == nil {
		return "", f.errorf(decl.Pos(), "%s needs a function with a body", directiveExercise)
	}
	todo := cmp.Or(f.importName(gmpPath), f.importName(checkPath))
	if todo == "" {
		return "", f.errorf(decl.Pos(), "a file with %s must import %q or %q", directiveExercise, gmpPath, checkPath)
	}
	f.contract(decl)
	var body strings.Builder
	for _, text := range f.texts(decl.Body, directiveHolds) {
		writeComment(&body, "Holds: ", text)
	}
	for _, text := range f.texts(decl.Body, directiveQuestion) {
		writeComment(&body, "Question: ", text)
	}
	f.texts(decl.Body, directiveLead)
	for i, step := range f.texts(decl.Body, directiveStep) {
		if f.maker.Guided {
			writeComment(&body, fmt.Sprintf("%d. ", i+1), step)
		}
	}
	says := "TODO"
	if f.maker.Withheld {
		says = "Withheld"
	}
	fmt.Fprintf(&body, "\tpanic(%s.%s(%q))\n", todo, says, decl.Name.Name)
	f.edits = append(f.edits, edit{f.offset(decl.Body.Lbrace) + 1, f.offset(decl.Body.Rbrace), "\n" + body.String()})
	return functionName(decl), nil
}

// constructed returns the interfaces of package gmp that types of the file are made for: a
// constructor returns the one and makes the other.
func (f *file) constructed() map[string]string {
	made := map[string]string{}
	for _, decl := range f.syntax.Decls {
		decl, ok := decl.(*ast.FuncDecl)
		if !ok || decl.Recv != nil || decl.Type.Results == nil || len(decl.Type.Results.List) != 1 || decl.Body == nil {
			continue
		}
		part, ok := decl.Type.Results.List[0].Type.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		ast.Inspect(decl.Body, func(n ast.Node) bool {
			if lit, ok := n.(*ast.CompositeLit); ok {
				if id, ok := lit.Type.(*ast.Ident); ok {
					made[id.Name] = part.Sel.Name
				}
			}
			return true
		})
	}
	return made
}

// rules adds to the doc comment of a type what the contract says of its interface as a
// whole, behind the first sentence.
func (f *file) rules(decl *ast.GenDecl, made map[string]string) {
	if decl.Tok != token.TYPE || decl.Doc == nil || len(decl.Specs) != 1 {
		return
	}
	text := f.maker.Contracts[made[decl.Specs[0].(*ast.TypeSpec).Name.Name]]
	if strings.Count(text, "\n") > 1 {
		f.edits = append(f.edits, edit{f.offset(decl.Doc.End()), f.offset(decl.Doc.End()), "\n//\n" + strings.TrimSuffix(commented(text), "\n")})
	}
}

// contract gives a method the contract for its doc comment, if there is one, and drops the
// directive.
func (f *file) contract(decl *ast.FuncDecl) {
	text := f.maker.Contracts[decl.Name.Name]
	if decl.Recv == nil || text == "" {
		for _, c := range decl.Doc.List {
			if c.Text == directiveExercise {
				f.dropDirective(decl.Doc, c)
			}
		}
		return
	}
	f.edits = append(f.edits, edit{f.offset(decl.Doc.Pos()), f.offset(decl.Pos()), commented(text)})
}

// commented is a text as a comment of lines.
func commented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line != "" && line[0] != '\t' {
			line = " " + line
		}
		b.WriteString("//" + line + "\n")
	}
	return b.String()
}

// receiver is the name of a receiver's type, without its star and type parameters.
func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// texts returns the texts of the lines with a directive in a body.
func (f *file) texts(body *ast.BlockStmt, directive string) []string {
	var found []string
	for _, group := range f.syntax.Comments {
		if group.Pos() < body.Lbrace || group.End() > body.Rbrace {
			continue
		}
		for _, c := range group.List {
			if text, ok := strings.CutPrefix(c.Text, directive+" "); ok {
				f.taken[c] = true
				found = append(found, strings.TrimSpace(text))
			}
		}
	}
	return found
}

// commentWidth is how wide a comment may get, in a body that is indented by a tab of
// four columns.
const commentWidth = 76

// writeComment writes a text behind its label as a comment, wrapped.
func writeComment(b *strings.Builder, label, text string) {
	prefix := "\t// " + label
	indent := "\t//" + strings.Repeat(" ", len(prefix)-len("\t//"))
	b.WriteString(prefix)
	column := len(prefix)
	for i, word := range strings.Fields(text) {
		width := utf8.RuneCountInString(word)
		if i > 0 {
			if column+1+width > commentWidth {
				b.WriteString("\n" + indent)
				column = len(indent)
			} else {
				b.WriteByte(' ')
				column++
			}
		}
		b.WriteString(word)
		column += width
	}
	b.WriteByte('\n')
}

// declaration leaves out a declaration with //course:omit, or those of its
// specs and struct fields that have it.
func (f *file) declaration(decl *ast.GenDecl) {
	if f.take(decl.Doc, directiveOmit) {
		f.remove(decl.Doc, decl.Pos(), decl.End())
		return
	}
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			if f.take(spec.Doc, directiveOmit) {
				f.remove(spec.Doc, spec.Pos(), spec.End())
			}
		case *ast.TypeSpec:
			if f.take(spec.Doc, directiveOmit) {
				f.remove(spec.Doc, spec.Pos(), spec.End())
				continue
			}
			if s, ok := spec.Type.(*ast.StructType); ok {
				for _, field := range s.Fields.List {
					if f.take(field.Doc, directiveOmit) {
						f.remove(field.Doc, field.Pos(), field.End())
					}
				}
			}
		}
	}
}

// remove takes out a node with its doc comment, and what follows it on its line.
func (f *file) remove(doc *ast.CommentGroup, from, to token.Pos) {
	start := f.offset(from)
	if doc != nil {
		start = f.offset(doc.Pos())
	}
	end := f.offset(to)
	if i := bytes.IndexByte(f.src[end:], '\n'); i >= 0 {
		end += i + 1
	} else {
		end = len(f.src)
	}
	f.edits = append(f.edits, edit{start, end, ""})
	for _, group := range f.syntax.Comments {
		for _, c := range group.List {
			if o := f.offset(c.Pos()); start <= o && o < end {
				f.taken[c] = true
			}
		}
	}
}

// dropDirective takes out a directive's line, and the empty comment line that
// gofmt puts between a doc comment and its directives.
func (f *file) dropDirective(group *ast.CommentGroup, c *ast.Comment) {
	start := bytes.LastIndexByte(f.src[:f.offset(c.Pos())], '\n') + 1
	end := f.offset(c.End())
	if end < len(f.src) {
		end++ // the newline
	}
	if i := slices.Index(group.List, c); i > 0 && i == len(group.List)-1 && group.List[i-1].Text == "//" {
		start = bytes.LastIndexByte(f.src[:f.offset(group.List[i-1].Pos())], '\n') + 1
	}
	f.edits = append(f.edits, edit{start, end, ""})
}

// leftover is an error if there is a directive that had no effect.
func (f *file) leftover() error {
	for _, group := range f.syntax.Comments {
		for _, c := range group.List {
			if !strings.HasPrefix(c.Text, directive) || f.taken[c] {
				continue
			}
			word, text, _ := strings.Cut(c.Text, " ")
			switch {
			case slices.Contains(texts, word) && text == "":
				return f.errorf(c.Pos(), "%s needs a text", word)
			case slices.Contains(texts, word):
				return f.errorf(c.Pos(), "%s stands outside of a function with %s", word, directiveExercise)
			case word == directiveExercise || word == directiveOmit || word == directiveMend:
				return f.errorf(c.Pos(), "%s must stand alone in the comment directly above a declaration", word)
			}
			return f.errorf(c.Pos(), "unknown directive %s; there are %s", word, directiveAll)
		}
	}
	return nil
}

// finish applies the edits, drops the imports that were used before them and
// are not any more, and formats the result.
func (f *file) finish() ([]byte, error) {
	name := f.fset.Position(f.syntax.Pos()).Filename
	after, err := parse(name, f.splice(), f.packageName)
	if err != nil {
		return nil, fmt.Errorf("the exercise would not parse: %w", err)
	}
	for _, decl := range after.syntax.Decls {
		decl, ok := decl.(*ast.GenDecl)
		if !ok || decl.Tok != token.IMPORT {
			continue
		}
		kept := 0
		for _, spec := range decl.Specs {
			spec := spec.(*ast.ImportSpec)
			if p := importPath(spec); f.used[p] && !after.used[p] {
				after.remove(spec.Doc, spec.Pos(), spec.End())
			} else {
				kept++
			}
		}
		if kept == 0 {
			after.edits = after.edits[:len(after.edits)-len(decl.Specs)]
			after.remove(decl.Doc, decl.Pos(), decl.End())
		}
	}
	return format.Source(after.splice())
}

// splice returns the source with the edits applied. An edit inside another one
// has no effect.
func (f *file) splice() []byte {
	slices.SortStableFunc(f.edits, func(a, b edit) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return b.to - a.to
	})
	var out []byte
	at := 0
	for _, e := range f.edits {
		if e.from < at {
			continue
		}
		out = append(out, f.src[at:e.from]...)
		out = append(out, e.text...)
		at = e.to
	}
	return append(out, f.src[at:]...)
}

func importPath(spec *ast.ImportSpec) string {
	p, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
	return p
}

// importName is the name by which the file calls a package, "" if it does not
// import it.
func (f *file) importName(importedPath string) string {
	for _, spec := range f.syntax.Imports {
		if importPath(spec) == importedPath {
			return nameOf(spec, f.packageName)
		}
	}
	return ""
}

func nameOf(spec *ast.ImportSpec, packageName func(string) string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	return packageName(importPath(spec))
}

// usedImports returns the import paths that the file refers to by a qualified
// name. (A local variable with the name of a package hides it; such a file
// keeps an import too many, and the compiler says so.)
func usedImports(f *ast.File, packageName func(string) string) map[string]bool {
	paths := map[string]string{}
	for _, spec := range f.Imports {
		paths[nameOf(spec, packageName)] = importPath(spec)
	}
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && paths[x.Name] != "" {
				used[paths[x.Name]] = true
			}
		}
		return true
	})
	return used
}
