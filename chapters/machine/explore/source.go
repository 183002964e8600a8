package explore

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"

	"gosched/chapters/machine"
)

// sources finds the text of calls in source files, if these can be read.
type sources struct {
	files map[string]*source
	lines map[lineOf]*lineCalls
}

type source struct {
	text []byte
	fset *token.FileSet
	file *ast.File
}

// A lineOf is a line, and the name of a method that is called there.
type lineOf struct {
	file   string
	line   int
	method string
}

// lineCalls are the calls of one method in one line. Which of them a thread is at,
// only the address in the code tells; the source does not say which address is
// whose. But calls of a line are made in their order, so a new address is that of
// the next call, unless its variable is known already.
type lineCalls struct {
	texts []string
	next  int
	at    map[address]int
	about map[machine.ID]int
}

// moved is where sources are looked for whose names begin with from; see SourcesAt.
var moved struct{ from, to string }

// SourcesAt says that sources which were compiled below the folder from are below the folder to.
// It is called before the first exploration.
func SourcesAt(from, to string) { moved.from, moved.to = from, to }

// sourceFile is where the source is that was compiled as name.
func sourceFile(name string) string {
	if rest, ok := strings.CutPrefix(name, moved.from); ok && moved.from != "" {
		return moved.to + rest
	}
	return name
}

func (s *sources) open(name string) *source {
	if src, ok := s.files[name]; ok {
		return src
	}
	var src *source
	if text, err := os.ReadFile(sourceFile(name)); err == nil {
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

// call returns the text of the call p, which is about the variable of that id.
// If the source is not there it is only the name of the method.
func (s *sources) call(p callSite, id machine.ID) string {
	line := lineOf{p.file, p.line, p.method}
	calls, ok := s.lines[line]
	if !ok {
		if s.lines == nil {
			s.lines = map[lineOf]*lineCalls{}
		}
		calls = &lineCalls{texts: s.find(line), at: map[address]int{}, about: map[machine.ID]int{}}
		s.lines[line] = calls
	}
	if len(calls.texts) == 0 {
		return p.method
	}
	return calls.texts[calls.which(p.at, id)]
}

// which returns the index of the call at that address.
func (c *lineCalls) which(at address, id machine.ID) int {
	i, ok := c.at[at]
	if ok {
		return i
	}
	if i, ok = c.about[id]; !ok {
		i = c.next
		c.next = (c.next + 1) % len(c.texts)
		c.about[id] = i
	}
	c.at[at] = i
	return i
}

// find returns the calls of a line in the order in which they are made: an
// operand before what it is an operand of.
func (s *sources) find(at lineOf) []string {
	src := s.open(at.file)
	if src == nil {
		return nil
	}
	var found []*ast.CallExpr
	ast.Inspect(src.file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if ok && sel.Sel.Name == at.method && (src.line(sel.Sel.Pos()) == at.line || src.line(call.Rparen) == at.line) {
				found = append(found, call)
			}
		}
		return true
	})
	slices.SortFunc(found, func(a, b *ast.CallExpr) int { return cmp.Compare(a.End(), b.End()) })
	var texts []string
	for _, call := range found {
		texts = append(texts, shorten(src.slice(call.Pos(), call.End()), maxCode))
	}
	return texts
}

func (s *source) line(p token.Pos) int { return s.fset.Position(p).Line }

func (s *source) slice(from, to token.Pos) string {
	return string(s.text[s.fset.Position(from).Offset:s.fset.Position(to).Offset])
}

// maxCode is how much of a call is kept, maxNote in a note, and maxValue of a
// value.
const (
	maxCode  = 120
	maxNote  = 60
	maxValue = 32
	maxName  = 24 // of a variable with its index
)

// shorten puts text on one line of at most n characters.
func shorten(text string, n int) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > n {
		return string(r[:max(n-1, 0)]) + "…"
	}
	return text
}

// receiver is what a method is called on: "q.tail" of "q.tail.Store(t + 1)".
func receiver(code string) string {
	if i := methodDot(code); i >= 0 {
		return code[:i]
	}
	return code
}

// withoutArguments is the call with its arguments left out, if it has any.
func withoutArguments(code string) string {
	i := max(methodDot(code), 0)
	if open := strings.IndexByte(code[i:], '('); open >= 0 && !strings.HasSuffix(code, "()") {
		return code[:i+open] + "(…)"
	}
	return code
}

// withoutIndex is the name of an element of an array with what is between its brackets left
// out, if it ends with them.
func withoutIndex(name string) string {
	if !strings.HasSuffix(name, "]") {
		return name
	}
	for i, depth := len(name)-1, 0; i >= 0; i-- {
		switch name[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				return name[:i] + "[…]"
			}
		}
	}
	return name
}

// methodDot is where the dot before the name of the method is, -1 if there is
// none. The end of the code may be missing.
func methodDot(code string) int {
	dot, depth := -1, 0
	for i := range len(code) {
		switch code[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '.':
			if depth == 0 {
				dot = i
			}
		}
	}
	return dot
}

// shortName keeps the last two parts of a name: "s.Npidle" of "p.s.Npidle". A Get or a Look
// between them says no more than the name: "P.Schedtick" of "mp.P.Get().Schedtick".
func shortName(name string) string {
	name = strings.NewReplacer(".Get()", "", ".Look()", "").Replace(name)
	if i := methodDot(name); i >= 0 {
		if j := methodDot(name[:i]); j >= 0 {
			return name[j+1:]
		}
	}
	return name
}
