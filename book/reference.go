package book

import (
	"regexp"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// sourceLink makes html, which names a file or folder of the repository, a link to it, if
// the repository has an address.
func (b *builder) sourceLink(file, html string) string {
	address := b.address(file)
	if address == "" {
		return html
	}
	return `<a href="` + esc(address) + `">` + html + "</a>"
}

// address is that of a file of the repository, "" if it has none.
func (b *builder) address(file string) string {
	if b.Source == "" {
		return ""
	}
	return b.Source + file
}

// A reference is a way to name an issue or a change of Go in a text.
type reference struct {
	form    *regexp.Regexp
	address string // $1 is what the form has in parentheses
}

var references = []reference{
	{regexp.MustCompile(`^golang/go(?:#| issue )(\d+)\b`), "https://go.dev/issue/$1"},
	{regexp.MustCompile(`^golang/go(?:@| commit )([0-9a-f]{7,40})\b`), "https://github.com/golang/go/commit/$1"},
	{regexp.MustCompile(`^(go\.dev/(?:cl|issue)/\d+)\b`), "https://$1"},
}

// referenceStart finds where one of them may begin.
var referenceStart = regexp.MustCompile(`\b(?:golang/go|go\.dev/)`)

// linkReferences makes links of the issues and changes of Go that a text names. What is
// code, or a link already, is left alone.
func linkReferences(p *page, n *ast.Text) {
	for around := n.Parent(); around != nil; around = around.Parent() {
		if k := around.Kind(); k == ast.KindCodeSpan || k == ast.KindLink {
			return
		}
	}
	parent := n.Parent()
	for from := n.Segment.Start; ; {
		at, end, address := findReference(p.source[from:n.Segment.Stop])
		if address == "" {
			return
		}
		if at > 0 {
			parent.InsertBefore(parent, n, ast.NewTextSegment(text.NewSegment(from, from+at)))
		}
		link := ast.NewLink()
		link.Destination = []byte(address)
		link.AppendChild(link, ast.NewTextSegment(text.NewSegment(from+at, from+end)))
		parent.InsertBefore(parent, n, link)
		from += end
		n.Segment = n.Segment.WithStart(from) // the rest of the line, and its end
	}
}

// joinText takes into n the texts that follow it in its line: the parser ends one wherever
// a mark could begin.
func joinText(n *ast.Text) {
	for !n.SoftLineBreak() && !n.HardLineBreak() {
		next, ok := n.NextSibling().(*ast.Text)
		if !ok || next.Segment.Start != n.Segment.Stop {
			return
		}
		n.Segment = n.Segment.WithStop(next.Segment.Stop)
		n.SetSoftLineBreak(next.SoftLineBreak())
		n.SetHardLineBreak(next.HardLineBreak())
		n.Parent().RemoveChild(n.Parent(), next)
	}
}

// findReference finds the first reference in a text, and its address, "" if there is none.
func findReference(text []byte) (start, end int, address string) {
	for _, at := range referenceStart.FindAllIndex(text, -1) {
		for _, r := range references {
			if m := r.form.FindSubmatchIndex(text[at[0]:]); m != nil {
				return at[0], at[0] + m[1], string(r.form.Expand(nil, []byte(r.address), text[at[0]:], m))
			}
		}
	}
	return 0, 0, ""
}
