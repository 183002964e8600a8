package explore

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
)

// sources finds the text of calls in source files, if these can be read.
type sources struct {
	files map[string]*source
	calls map[callAt]string
}

// A callAt is a call of a method in a line.
type callAt struct {
	file   string
	line   int
	method string
}

type source struct {
	text []byte
	fset *token.FileSet
	file *ast.File
}

func (s *sources) open(name string) *source {
	if src, ok := s.files[name]; ok {
		return src
	}
	var src *source
	if text, err := os.ReadFile(name); err == nil {
		fset := token.NewFileSet()
		if file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution); err == nil {
			src = &source{text, fset, file}
		}
	}
	if s.files == nil {
		s.files = map[string]*source{}
	}
	s.files[name] = src
	return src
}

// maxCode is how much of a call is shown.
const maxCode = 60

// call returns the call of one of the methods that stands at p. If the source is
// not there it is only the name of the method; if there are several such calls
// in the line, it is the line.
func (s *sources) call(p place, methods []string) string {
	at := callAt{p.file, p.line, methods[0]}
	text, ok := s.calls[at]
	if !ok {
		if s.calls == nil {
			s.calls = map[callAt]string{}
		}
		text = s.find(p, methods)
		s.calls[at] = text
	}
	return text
}

func (s *sources) find(p place, methods []string) string {
	src := s.open(p.file)
	if src == nil {
		return methods[0]
	}
	var found []string
	ast.Inspect(src.file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if ok && slices.Contains(methods, sel.Sel.Name) && (src.line(sel.Sel.Pos()) == p.line || src.line(call.Rparen) == p.line) {
			found = append(found, src.slice(call.Pos(), call.End()))
		}
		return true
	})
	switch len(found) {
	case 0:
		return methods[0]
	case 1:
		return shorten(found[0])
	}
	return shorten(strings.TrimSpace(strings.Split(string(src.text), "\n")[p.line-1]))
}

func (s *source) line(p token.Pos) int { return s.fset.Position(p).Line }

func (s *source) slice(from, to token.Pos) string {
	return string(s.text[s.fset.Position(from).Offset:s.fset.Position(to).Offset])
}

// shorten puts code on one line of limited length.
func shorten(code string) string {
	code = strings.Join(strings.Fields(code), " ")
	if r := []rune(code); len(r) > maxCode {
		return string(r[:maxCode-1]) + "…"
	}
	return code
}
