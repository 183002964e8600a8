package book

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// An element is a block of a page between "::: name arguments" and ":::". Its
// children are what stands between. The parser only finds it; a page's resolve
// then sets before and after, the HTML around the children.
type element struct {
	ast.BaseBlock
	name          string
	args          string
	closed        bool
	number        int    // of a question or counterexample on its page, from 1
	title         string // words of its own that a reader sees, for the search
	before, after string
}

var kindElement = ast.NewNodeKind("Element")

func (e *element) Kind() ast.NodeKind            { return kindElement }
func (e *element) Dump(source []byte, level int) { ast.DumpHelper(e, source, level, nil, nil) }

// answer is the name of the element that begins the folded part of a question.
// It is the only one without a closing line of its own.
const answer = "answer"

var fence = []byte(":::")

// elementParser is the block parser of elements.
type elementParser struct{}

func (elementParser) Trigger() []byte { return fence[:1] }

func (elementParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(line, " "), fence)
	if !ok {
		return nil, parser.NoChildren
	}
	reader.AdvanceToEOL()
	name, args, _ := strings.Cut(strings.TrimSpace(string(rest)), " ")
	return &element{name: name, args: args}, parser.HasChildren
}

func (elementParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	line, _ := reader.PeekLine()
	e := node.(*element)
	if e.name == "" || e.closed {
		return parser.Close
	}
	if bytes.Equal(bytes.TrimSpace(line), fence) && isInnermost(e, pc) {
		e.closed = true
		reader.AdvanceToEOL()
		return parser.Close
	}
	return parser.Continue | parser.HasChildren
}

// isInnermost reports whether ":::" in the current line closes e: no element
// is open inside it, and the line is not part of a block of code.
func isInnermost(e *element, pc parser.Context) bool {
	if e.name == answer {
		return false
	}
	inside := false
	for _, b := range pc.OpenedBlocks() {
		switch n := b.Node.(type) {
		case *ast.FencedCodeBlock:
			return false
		case *element:
			if inside && n.name != answer {
				return false
			}
			inside = inside || n == e
		}
	}
	return true
}

func (elementParser) Close(node ast.Node, reader text.Reader, pc parser.Context) {}
func (elementParser) CanInterruptParagraph() bool                                { return true }
func (elementParser) CanAcceptIndentedLine() bool                                { return false }

// A directive is {{name rest}} inside a line. Resolve sets html, and text, the
// words in it for the search.
type directive struct {
	ast.BaseInline
	name       string
	rest       string
	html, text string
}

var kindDirective = ast.NewNodeKind("Directive")

func (d *directive) Kind() ast.NodeKind            { return kindDirective }
func (d *directive) Dump(source []byte, level int) { ast.DumpHelper(d, source, level, nil, nil) }

// directiveParser is the inline parser of directives.
type directiveParser struct{}

func (directiveParser) Trigger() []byte { return []byte{'{'} }

func (directiveParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if !bytes.HasPrefix(line, []byte("{{")) {
		return nil
	}
	end := bytes.Index(line, []byte("}}"))
	d := &directive{}
	d.SetPos(segment.Start)
	if end < 0 {
		block.Advance(len("{{"))
		return d
	}
	block.Advance(end + len("}}"))
	d.name, d.rest, _ = strings.Cut(strings.TrimSpace(string(line[2:end])), " ")
	d.rest = strings.TrimSpace(d.rest)
	return d
}

// elementRenderer writes what resolve has prepared.
type elementRenderer struct{}

func (elementRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(kindElement, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		e := n.(*element)
		if entering {
			_, err := w.WriteString(e.before)
			return ast.WalkContinue, err
		}
		_, err := w.WriteString(e.after)
		return ast.WalkContinue, err
	})
	reg.Register(kindDirective, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		_, err := w.WriteString(n.(*directive).html)
		return ast.WalkSkipChildren, err
	})
	reg.Register(ast.KindCodeSpan, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		var text strings.Builder
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			text.Write(c.(*ast.Text).Segment.Value(source))
		}
		_, err := w.WriteString(codeSpan(strings.ReplaceAll(text.String(), "\n", " ")))
		return ast.WalkSkipChildren, err
	})
	reg.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		block := n.(*ast.FencedCodeBlock)
		_, err := w.WriteString(highlight(string(block.Language(source)), string(block.Lines().Value(source))))
		return ast.WalkSkipChildren, err
	})
}

// arguments are the words of an element's first line.
type arguments struct {
	words []string
	named map[string]string
	used  map[string]bool
}

// parseArguments splits words at spaces. key=value has a name; double quotes
// keep spaces together, in a word or a value.
func parseArguments(s string) (*arguments, error) {
	a := &arguments{named: map[string]string{}, used: map[string]bool{}}
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		word, key := "", ""
		quoted := false
		i := 0
		for ; i < len(s) && (quoted || s[i] != ' '); i++ {
			switch {
			case s[i] == '"':
				quoted = !quoted
			case s[i] == '=' && !quoted && key == "" && word != "" && !strings.HasPrefix(s, `"`):
				key, word = word, ""
			default:
				word += s[i : i+1]
			}
		}
		if quoted {
			return nil, fmt.Errorf(`a quotation mark without its partner in %q`, s)
		}
		s = s[i:]
		if key == "" {
			a.words = append(a.words, word)
			continue
		}
		if _, twice := a.named[key]; twice {
			return nil, fmt.Errorf("%s= is given twice", key)
		}
		a.named[key] = word
	}
	return a, nil
}

// get returns the value of key=value, "" if it is absent.
func (a *arguments) get(key string) string {
	a.used[key] = true
	return a.named[key]
}

// flag reports whether the word stands among the arguments, and takes it out.
func (a *arguments) flag(word string) bool {
	for i, w := range a.words {
		if w == word {
			a.words = append(a.words[:i:i], a.words[i+1:]...)
			return true
		}
	}
	return false
}

// word takes the first word out, "" if there is none.
func (a *arguments) word() string {
	if len(a.words) == 0 {
		return ""
	}
	w := a.words[0]
	a.words = a.words[1:]
	return w
}

// rest is an error if there are arguments that nobody asked for.
func (a *arguments) rest() error {
	if len(a.words) > 0 {
		return fmt.Errorf("unexpected argument %q", a.words[0])
	}
	for _, key := range sortedKeys(a.named) {
		if !a.used[key] {
			return fmt.Errorf("unknown option %s=", key)
		}
	}
	return nil
}
