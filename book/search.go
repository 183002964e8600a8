package book

import (
	"bytes"
	"encoding/json"

	"github.com/yuin/goldmark/ast"
)

// A section is an entry of the search index.
type section struct {
	Page    string `json:"p"` // title of the page, with its chapter's number
	Section string `json:"s"` // title of the section, "" before the first
	URL     string `json:"u"`
	Text    string `json:"t"`
}

// searchIndexName is the file of the search index.
const searchIndexName = "search.js"

// searchIndex makes a script that sets the index. A page loads it as a script
// and not as data, because a page opened from disk may not fetch files.
func (b *builder) searchIndex() []byte {
	var all []section
	for _, p := range b.pages {
		all = append(all, b.sections(p)...)
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // strings always marshal
	}
	return bytes.Join([][]byte{[]byte("window.goschedSearch="), text, []byte(";\n")}, nil)
}

// sections cuts the text of a page at its headings.
func (b *builder) sections(p *page) []section {
	var all []section
	title := b.fullTitle(p)
	current := section{Page: title, URL: p.name + ".html"}
	var nodes []ast.Node
	flush := func() {
		for _, n := range nodes {
			if t := p.text(n); t != "" {
				current.Text += t + " "
			}
		}
		nodes = nil
		if current.Text != "" || current.Section != "" {
			all = append(all, current)
		}
	}
	for n := p.doc.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			nodes = append(nodes, n)
			continue
		}
		if h.Level == 1 {
			continue
		}
		flush()
		id, _ := h.AttributeString("id")
		current = section{Page: title, Section: p.titleOf(h), URL: p.name + ".html#" + string(id.([]byte))}
	}
	flush()
	return all
}

// titleOf is the text of a heading, without the link that resolve has added.
func (p *page) titleOf(h *ast.Heading) string {
	for _, known := range p.headings {
		if known.node == h {
			return known.text
		}
	}
	return ""
}
