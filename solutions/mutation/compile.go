package mutation

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// newImporter returns an importer of all that the packages need, from what the compiler
// has made of it.
func newImporter(root string, packages []string) (types.Importer, error) {
	cmd := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}, packages...)...)
	cmd.Dir = root
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.String())
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, export, _ := strings.Cut(strings.TrimSpace(line), "\t")
		exports[name] = export
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(name string) (io.ReadCloser, error) {
		if exports[name] == "" {
			return nil, fmt.Errorf("no export data of %q", name)
		}
		return os.Open(exports[name])
	}), nil
}

// rounds is how often mutations that do not compile are mended or dropped: once for each
// variable that is used no more, and once to see that all is well.
const rounds = 8

// dropUncompilable drops the mutations that do not compile. A variable that is used no
// more is mended by a line that uses it.
func (s *Solution) dropUncompilable() error {
	for range rounds {
		for i, m := range s.Mutations {
			m.n = i + 1
		}
		wrong, err := s.compile()
		if err != nil {
			return err
		}
		if len(wrong) == 0 {
			return nil
		}
		s.Mutations = slices.DeleteFunc(s.Mutations, func(m *Mutation) bool {
			problems, is := wrong[m]
			return is && !m.mend(problems)
		})
	}
	wrong, err := s.compile()
	s.Mutations = slices.DeleteFunc(s.Mutations, func(m *Mutation) bool { return wrong[m] != nil })
	return err
}

// A problem is an error of the type checker, at a place in a mutation's Source.
type problem struct {
	text string
	at   int
}

// compile looks at the package with all mutations, and returns the problems of each one
// that has any.
func (s *Solution) compile() (map[*Mutation][]problem, error) {
	fset := token.NewFileSet()
	mutants := map[string]*Mutation{}
	for _, m := range s.Mutations {
		mutants[m.symbol()] = m
	}
	var syntax []*ast.File
	for name, text := range s.generate(s.Mutations) {
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		syntax = append(syntax, f)
	}
	wrong := map[*Mutation][]problem{}
	var others []error
	conf := types.Config{Importer: s.importer, Error: func(err error) {
		e := err.(types.Error)
		fn := around(syntax, e.Pos)
		if fn == nil || mutants[fn.Name.Name] == nil {
			others = append(others, err)
			return
		}
		m := mutants[fn.Name.Name]
		longer := len(fn.Name.Name) - len(m.in.decl.Name.Name)
		wrong[m] = append(wrong[m], problem{e.Msg, int(e.Pos-fn.Pos()) - longer})
	}}
	conf.Check("gosched/solutions/"+s.Dir, fset, syntax, nil)
	if len(others) > 0 {
		return nil, fmt.Errorf("the program with the mutations of %s does not compile: %w", s.Chapter, others[0])
	}
	return wrong, nil
}

// around is the function that a place is in.
func around(files []*ast.File, p token.Pos) *ast.FuncDecl {
	for _, f := range files {
		if p < f.FileStart || p >= f.FileEnd {
			continue
		}
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Pos() <= p && p < fn.End() {
				return fn
			}
		}
	}
	return nil
}

const unused = "declared and not used: "

// mend uses the first variable that is used no more, if there is no other problem.
func (m *Mutation) mend(problems []problem) bool {
	for _, p := range problems {
		if !strings.HasPrefix(p.text, unused) {
			return false
		}
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", packageClause+m.Source, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	p := problems[0]
	declared := f.FileStart + token.Pos(len(packageClause)+p.at)
	behind := useAt(f, declared)
	if behind == token.NoPos {
		return false
	}
	at := int(behind-f.FileStart) - len(packageClause)
	rest := strings.TrimPrefix(m.Source[at:], "\n")
	source, ok := formatted(m.Source[:at] + "\n_ = " + strings.TrimPrefix(p.text, unused) + "\n" + rest)
	m.Source = source
	return ok
}

// useAt is the first place at which a variable that is declared at p can be used.
func useAt(f *ast.File, p token.Pos) token.Pos {
	at := token.NoPos
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil || p < n.Pos() || n.End() <= p {
			return false
		}
		switch n := n.(type) {
		case *ast.AssignStmt, *ast.DeclStmt:
			if !at.IsValid() || at < n.Pos() {
				at = n.End()
			}
		case *ast.IfStmt:
			if n.Init != nil && p < n.Init.End() {
				at = n.Body.Lbrace + 1
				return false
			}
		case *ast.ForStmt:
			if n.Init != nil && p < n.Init.End() {
				at = n.Body.Lbrace + 1
				return false
			}
		case *ast.RangeStmt:
			if p < n.Body.Pos() {
				at = n.Body.Lbrace + 1
				return false
			}
		}
		return true
	})
	return at
}
