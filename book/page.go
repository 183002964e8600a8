package book

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	xast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// front are the pages before the chapters, and back those behind them, in order.
var (
	front = []string{"index", "howto", "machine"}
	back  = []string{"versions", "mechanisms"}
)

// A page is one file of the book.
type page struct {
	name    string // "02_onethread"
	file    string // "book/en/02_onethread.md"
	chapter *Chapter
	number  int   // of the chapter, from 1
	after   *page // the chapter's page that it follows, as one more of that chapter; nil for all others

	source   []byte
	doc      ast.Node
	title    string
	headings []heading
	ids      map[string]int // all ids of the page, with their lines

	figures []*element // that are still to be made

	questions, timelines, plots, counterexamples int // how many the page has so far
	facts                                        facts
}

// chapterNumber is the number of the chapter that p is about, 0 if it is about none.
func (p *page) chapterNumber() int {
	if p.after != nil {
		return p.after.number
	}
	return p.number
}

// A heading is a section of a page.
type heading struct {
	level int
	id    string
	text  string
	node  *ast.Heading
}

// findPages lists the pages in the order of the book and reads them.
func (b *builder) findPages() error {
	dir := path.Join("book", b.Lang)
	files, err := fs.Glob(b.files, path.Join(dir, "*.md"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("there are no pages in %s", dir)
	}
	add := func(name string) *page {
		file := path.Join(dir, name+".md")
		if !slices.Contains(files, file) {
			return nil
		}
		p := &page{name: name, file: file, ids: map[string]int{}}
		b.pages = append(b.pages, p)
		b.byName[name] = p
		return p
	}
	for _, name := range front {
		add(name)
	}
	for i := range b.Chapters {
		name := strings.TrimPrefix(b.Chapters[i].Dir, "ch")
		p := add(name)
		if p == nil {
			continue
		}
		p.chapter = &b.Chapters[i]
		p.number = i + 1
		for _, file := range files {
			if more := strings.TrimSuffix(path.Base(file), ".md"); strings.HasPrefix(more, name+"_") {
				add(more).after = p
			}
		}
	}
	for _, name := range back {
		add(name)
	}
	for _, file := range files {
		if b.byName[strings.TrimSuffix(path.Base(file), ".md")] == nil {
			b.problems = append(b.problems, Problem{File: file, What: "the name is neither one of " +
				strings.Join(slices.Concat(front, back), ", ") + " nor that of a chapter (NN_name.md for the folder chNN_name, NN_name_more.md for one more page of it)"})
		}
	}
	for _, p := range b.pages {
		b.used.LoadOrStore(p.file, stamp(b.files, p.file))
		source, err := fs.ReadFile(b.files, p.file)
		if err != nil {
			return err
		}
		source = bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n"))
		p.source = append(bytes.TrimRight(source, "\n"), '\n')
	}
	return nil
}

// newMarkdown makes the source language. Straight quotation marks become those of
// the book's language.
func newMarkdown(w words) goldmark.Markdown {
	quotes := extension.WithTypographicSubstitutions(extension.TypographicSubstitutions{
		extension.LeftDoubleQuote:  []byte(w.Quotes[0]),
		extension.RightDoubleQuote: []byte(w.Quotes[1]),
		extension.LeftSingleQuote:  []byte(w.Quotes[2]),
		extension.RightSingleQuote: []byte(w.Quotes[3]),
		extension.Apostrophe:       []byte(w.Quotes[3]),
		extension.EnDash:           nil,
		extension.EmDash:           nil,
		extension.Ellipsis:         nil,
		extension.LeftAngleQuote:   nil,
		extension.RightAngleQuote:  nil,
	})
	return goldmark.New(
		goldmark.WithExtensions(
			extension.Table, extension.Footnote, extension.DefinitionList,
			extension.NewTypographer(quotes),
			extension.NewCJK(extension.WithEscapedSpace()), // line breaks: see checkText
		),
		goldmark.WithParserOptions(
			parser.WithAutoHeadingID(), parser.WithAttribute(),
			parser.WithBlockParsers(util.Prioritized(elementParser{}, 50)),
			parser.WithInlineParsers(util.Prioritized(directiveParser{}, 50)),
		),
		goldmark.WithRendererOptions(
			renderer.WithNodeRenderers(util.Prioritized(elementRenderer{}, 50)),
		),
	)
}

// parse makes the tree of a page and notes its sections.
func (b *builder) parse(p *page) {
	ctx := parser.NewContext(parser.WithIDs(sectionIDs{}))
	p.doc = b.markdown.Parser().Parse(text.NewReader(p.source), parser.WithContext(ctx))
	for _, id := range layoutIDs {
		p.ids[id] = 0
	}
	ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			b.addHeading(p, n)
		case *element:
			switch n.name {
			case "question", "predict":
				p.questions++
				n.number = p.questions
				b.addID(p, p.line(n), fmt.Sprintf("question-%d", n.number))
			case "counterexample":
				p.counterexamples++
				n.number = p.counterexamples
				b.addID(p, p.line(n), counterexampleID(n))
			case "map":
				b.addID(p, p.line(n), mapID)
			case "mechanisms":
				for i := range b.Mechanisms {
					b.addID(p, p.line(n), mechanismID(i+1))
				}
			}
		}
		return ast.WalkContinue, nil
	})
	if p.title == "" {
		b.fail(p, 1, "a page begins with its title: a line that begins with a single #")
	}
}

func (b *builder) addHeading(p *page, h *ast.Heading) {
	line := p.line(h)
	id := ""
	if v, ok := h.AttributeString("id"); ok {
		id = string(v.([]byte))
	}
	words := p.text(h)
	if h.Parent() != p.doc {
		b.fail(p, line, "the section %q begins inside a box or list: end that first", words)
		return
	}
	if id == "" {
		b.fail(p, line, "the section %q needs an id: write {#id} after its title", words)
		return
	}
	b.addID(p, line, id)
	switch {
	case h.Level == 1 && p.title != "":
		b.fail(p, line, "a page has one title; begin a section with ##")
	case h.Level == 1:
		p.title = words
	}
	p.headings = append(p.headings, heading{h.Level, id, words, h})
}

func (b *builder) addID(p *page, line int, id string) {
	if first, ok := p.ids[id]; ok {
		where := fmt.Sprintf("the one of line %d", first)
		if first == 0 {
			where = "a part of every page"
		}
		b.fail(p, line, "the id %q is also that of %s: write another {#id} after the title", id, where)
		return
	}
	p.ids[id] = line
}

// sectionIDs makes ids of the words of a heading, in any script. Duplicates are
// an error, noted by addID, and not changed here: a link must not depend on the
// order of the sections.
type sectionIDs struct{}

func (sectionIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	var id []rune
	for _, r := range strings.ToLower(string(value)) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_':
			id = append(id, r)
		case (r == ' ' || r == '-') && len(id) > 0 && id[len(id)-1] != '-':
			id = append(id, '-')
		}
	}
	return []byte(strings.TrimRight(string(id), "-"))
}

func (sectionIDs) Put([]byte) {}

// line is the line of the page on which n begins.
func (p *page) line(n ast.Node) int {
	for ; n != nil; n = n.Parent() {
		if n.Kind() != ast.KindDocument && n.Pos() >= 0 {
			return 1 + bytes.Count(p.source[:min(n.Pos(), len(p.source))], []byte("\n"))
		}
	}
	return 1
}

// text is the text of n as a reader sees it, without the mark-up.
func (p *page) text(n ast.Node) string {
	var s strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				s.Write(util.UnescapePunctuations(n.Segment.Value(p.source)))
				if n.SoftLineBreak() || n.HardLineBreak() {
					s.WriteByte('\n')
				}
			}
		case *ast.String:
			if entering {
				s.Write(n.Value)
			}
		case *directive:
			if entering {
				s.WriteString(n.text)
			}
		case *element:
			if entering {
				s.WriteString(n.title + "\n")
			} else {
				s.WriteByte('\n')
			}
		case *xast.TableCell:
			if !entering {
				s.WriteByte(' ')
			}
		default:
			if !entering && n.Type() == ast.TypeBlock {
				s.WriteByte('\n')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(joinLines(s.String()))
}

// joinLines puts the lines of a text into one: a line break is a space, except
// between two characters of a script that is written without spaces.
func joinLines(s string) string {
	var out strings.Builder
	var last rune
	gap := ""
	for _, r := range s {
		if unicode.IsSpace(r) {
			gap += string(r)
			continue
		}
		closeUp := strings.Trim(gap, "\n") == "" && isWide(last) && isWide(r)
		if gap != "" && out.Len() > 0 && !closeUp {
			out.WriteByte(' ')
		}
		out.WriteRune(r)
		last, gap = r, ""
	}
	return out.String()
}

// resolve does what a page asks for, but for its figures: it checks facts and links, and
// makes the boxes. It leaves the HTML in the elements and directives.
func (b *builder) resolve(p *page) {
	// Nodes are collected first, because resolving changes the tree.
	var nodes []ast.Node
	ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if t, ok := n.(*ast.Text); ok {
			joinText(t)
		}
		nodes = append(nodes, n)
		return ast.WalkContinue, nil
	})
	for _, n := range nodes {
		switch n := n.(type) {
		case *element:
			if b.isFigure(n) {
				p.figures = append(p.figures, n)
			} else {
				b.resolveElement(p, n)
			}
		case *directive:
			b.resolveDirective(p, n)
		case *ast.Link:
			b.resolveLink(p, n)
		case *ast.Image:
			b.fail(p, p.line(n), "images are not supported: pictures in this book come from runs (timeline)")
		case *ast.HTMLBlock, *ast.RawHTML:
			b.fail(p, p.line(n), "HTML is not supported: write Markdown")
		case *ast.FencedCodeBlock:
			if string(n.Language(p.source)) == "go" {
				b.fail(p, p.line(n), "Go code comes from a compiled file: use ::: snippet FILE#NAME")
			}
		case *ast.Text:
			b.checkText(p, n)
			linkReferences(p, n)
		case *ast.Heading:
			b.addNumber(p, n)
			b.addSectionLink(p, n)
		case *xast.Table:
			wrap(n, `<div class="scroll">`, "</div>\n")
		case *xast.TableCell:
			if n.Parent().Kind() == xast.KindTableHeader && !n.HasChildren() { // a header without text heads nothing
				n.Parent().ReplaceChild(n.Parent(), n, &directive{html: "<td></td>\n"})
			}
		}
	}
}

// drawFigures makes the figures of a page: it runs programs and cuts out code.
func (b *builder) drawFigures(p *page) {
	for i, e := range p.figures {
		if b.progress != nil {
			what, _, _ := strings.Cut(e.args, " plot=") // how it is drawn takes no time
			b.progress(Progress{i, len(p.figures), e.name + " " + what})
		}
		b.resolveElement(p, e)
	}
	p.figures = nil
}

// checkText takes out a line break between two characters that are written
// without spaces, and refuses ** that the rules of Markdown left as text: they
// stand between a letter and a punctuation mark, as happens in Chinese.
func (b *builder) checkText(p *page, n *ast.Text) {
	value := n.Segment.Value(p.source)
	if bytes.Contains(value, []byte("**")) && n.Parent().Kind() != ast.KindCodeSpan {
		b.fail(p, p.line(n), "this ** neither begins nor ends bold text: put \"\\ \" (a backslash and a space, which is not shown) outside of it, or \\*\\* for two stars")
	}
	if n.SoftLineBreak() && n.NextSibling() != nil {
		before, _ := utf8.DecodeLastRuneInString(p.text(n))
		if len(value) == 0 && n.PreviousSibling() != nil {
			before, _ = utf8.DecodeLastRuneInString(p.text(n.PreviousSibling()))
		}
		after, _ := utf8.DecodeRuneInString(p.text(n.NextSibling()))
		n.SetSoftLineBreak(!isWide(before) || !isWide(after))
	}
}

// isWide reports whether r belongs to a script that is written without spaces,
// or is its punctuation.
func isWide(r rune) bool {
	return util.IsEastAsianWideRune(r) && !unicode.Is(unicode.Hangul, r) ||
		r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef || strings.ContainsRune("“”‘’…—", r)
}

// wrap puts HTML around n.
func wrap(n ast.Node, before, after string) {
	w := &element{before: before, after: after, closed: true}
	n.Parent().ReplaceChild(n.Parent(), n, w)
	w.AppendChild(w, n)
}

// addNumber puts the number of its chapter before the title of a page.
func (b *builder) addNumber(p *page, h *ast.Heading) {
	if n := p.chapterNumber(); h.Level == 1 && n != 0 {
		h.InsertBefore(h, h.FirstChild(), &directive{html: fmt.Sprintf(`<span class="n">%d</span> `, n)})
	}
}

func (b *builder) addSectionLink(p *page, h *ast.Heading) {
	id, ok := h.AttributeString("id")
	if h.Level == 1 || !ok {
		return
	}
	label := fmt.Sprintf(b.words.SectionLink, p.text(h))
	h.AppendChild(h, &directive{html: ` <a class="section-link" href="#` + esc(string(id.([]byte))) +
		`" aria-label="` + esc(label) + `">#</a>`})
}

// resolveLink checks a link to a page or section and makes its address that of
// the built page.
func (b *builder) resolveLink(p *page, n *ast.Link) {
	line := p.line(n)
	to, err := url.Parse(string(n.Destination))
	if err != nil {
		b.fail(p, line, "the link %q is no address", n.Destination)
		return
	}
	if to.Scheme == "http" || to.Scheme == "https" || to.Scheme == "mailto" {
		return
	}
	target := p
	if to.Path != "" {
		name, ok := strings.CutSuffix(to.Path, ".md")
		if !ok || to.Scheme != "" || to.Host != "" {
			b.fail(p, line, "the link %q does not lead to a page: link to NAME.md or NAME.md#id, and write other files as code", n.Destination)
			return
		}
		if target = b.byName[name]; target == nil {
			b.fail(p, line, "the link %q leads to a page that does not exist", n.Destination)
			return
		}
	}
	if to.Fragment != "" && !target.hasID(to.Fragment) {
		b.fail(p, line, "the link %q: %s has no section with that id", n.Destination, target.file)
		return
	}
	address := ""
	if to.Path != "" {
		address = target.name + ".html"
	}
	if to.Fragment != "" {
		address += "#" + to.Fragment
	}
	n.Destination = []byte(address)
}

func (p *page) hasID(id string) bool {
	_, ok := p.ids[id]
	return ok
}

// resolveDirective sets the HTML of {{name rest}}.
func (b *builder) resolveDirective(p *page, d *directive) {
	line := p.line(d)
	switch d.name {
	case "goroot":
		d.html, d.text = b.fact(p, line, d.rest)
	case "chapter":
		d.html, d.text = b.chapterLink(p, line, d.rest, p.beginsSentence(d))
	case "go":
		if d.rest == "" {
			b.fail(p, line, "which version? {{go 1.14}}")
		}
		d.text = "Go " + d.rest
		d.html = `<span class="version">` + esc(d.text) + `</span>`
	case "":
		b.fail(p, line, "{{ without a directive or without }} on the same line; write `{{` as code if it is meant as such")
	default:
		b.fail(p, line, "unknown directive {{%s}}: there are goroot, chapter and go", d.name)
	}
}

// beginsSentence reports whether no words of the sentence stand before n.
func (p *page) beginsSentence(n ast.Node) bool {
	before := n.PreviousSibling()
	if before == nil {
		return true
	}
	text, ok := before.(*ast.Text)
	return ok && strings.HasSuffix(strings.TrimRight(string(text.Segment.Value(p.source)), " "), ".")
}

// chapterLink is a link to a chapter, or its words if it has no page yet. first: a sentence
// begins with it.
func (b *builder) chapterLink(p *page, line int, number string, first bool) (html, text string) {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(b.Chapters) {
		b.fail(p, line, "there is no chapter %q: write {{chapter 07}}", number)
		return "", ""
	}
	text = fmt.Sprintf(b.words.Chapter, n)
	if first {
		r, size := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(r)) + text[size:]
	}
	if to := b.pageOf(b.Chapters[n-1]); to != nil {
		return `<a href="` + esc(to.name) + `.html">` + esc(text) + `</a>`, text
	}
	return esc(text), text
}

// checkBookOfChecks checks that the section which a check names exists.
func (b *builder) checkBookOfChecks() {
	for _, p := range b.pages {
		if p.chapter == nil {
			continue
		}
		for _, c := range p.chapter.Checks {
			if c.Book != "" && !p.hasID(c.Book) {
				b.fail(p, 0, "the check %s refers to the section %q, which this page does not have", c.Name, c.Book)
			}
		}
	}
}

// render makes the HTML of a page's text.
func (b *builder) render(p *page) (string, error) {
	var out bytes.Buffer
	err := b.markdown.Renderer().Render(&out, p.source, p.doc)
	return out.String(), err
}
