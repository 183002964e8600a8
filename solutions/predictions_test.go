package solutions_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters"
	"gosched/chapters/check"
	"gosched/solutions"
)

// optionLine is one of the answers to choose from in the doc comment of a prediction: "  - race-lap: …".
var optionLine = regexp.MustCompile(`(?m)^ +- ([\w-]+):`)

// TestPredictions: of the answers that a prediction offers just one is right. Those that are
// not taken by the solution name checks that pass with the change.
func TestPredictions(t *testing.T) {
	for _, ch := range chapters.All {
		name := filepath.Join(ch.Dir, "predict_test.go")
		if _, err := os.Stat(name); err != nil {
			continue
		}
		parts := map[string]check.Mutant{}
		for _, m := range append(solutions.Harmless(ch.ID), solutions.Mutants(ch.ID)...) {
			parts[m.Name] = m
		}
		for _, p := range predictions(t, name) {
			t.Run(ch.ID+"/"+p.function, func(t *testing.T) {
				assert.Len(t, p.options, 3, "%s: answers to choose from", p.function)
				assert.Contains(t, p.options, p.answer, "%s: the answer is one of those offered", p.function)
				for _, option := range p.options {
					if option == p.answer || option == check.Nothing {
						continue
					}
					c := ch.Suite.Check(option)
					require.NotNil(t, c, "%s: there is no check %s", p.function, option)
					out := ch.Suite.Run(c, solutions.Base(ch.ID).With(parts[p.change].Parts))
					assert.Equal(t, check.Pass, out.Status, "%s: %s is offered as a wrong answer, and fails with %s: %s", p.function, option, p.change, out.Message)
				}
			})
		}
	}
}

// A prediction is a function of a predict_test.go.
type prediction struct {
	function, change, answer string
	options                  []string
}

// predictions reads those of a file.
func predictions(t *testing.T, name string) []prediction {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	change := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok && len(lit.Elts) == 2 {
			first, second := lit.Elts[0].(*ast.KeyValueExpr), lit.Elts[1].(*ast.KeyValueExpr)
			change[second.Value.(*ast.Ident).Name], _ = strconv.Unquote(first.Value.(*ast.BasicLit).Value)
		}
		return true
	})
	var all []prediction
	for _, decl := range file.Decls {
		decl, ok := decl.(*ast.FuncDecl)
		if !ok || change[decl.Name.Name] == "" {
			continue
		}
		p := prediction{function: decl.Name.Name, change: change[decl.Name.Name], answer: check.Nothing}
		for _, m := range optionLine.FindAllStringSubmatch(decl.Doc.Text(), -1) {
			p.options = append(p.options, m[1])
		}
		for _, s := range decl.Body.List {
			if s, ok := s.(*ast.ReturnStmt); ok {
				if lit, ok := s.Results[0].(*ast.BasicLit); ok {
					p.answer, _ = strconv.Unquote(lit.Value)
				}
			}
		}
		all = append(all, p)
	}
	return all
}
