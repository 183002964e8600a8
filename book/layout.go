package book

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/yuin/goldmark/ast"

	"gosched/chapters/machine/explore"
	"gosched/timeline"
)

//go:embed assets/page.html assets/book.css assets/book.js assets/plot.css assets/live.js assets/icon.svg
var assets embed.FS

var layoutTemplate = template.Must(template.ParseFS(assets, "assets/page.html"))

// layoutIDs are the ids that every page has from the template.
var layoutIDs = []string{"text", "pages", "search", "results", "facts"}

// A view is what the template shows.
type view struct {
	Lang, Title string
	File        string
	Description string // the first paragraph, or so much of it as a search engine shows
	Words       words
	Cover       bool
	Front       []entry
	Written     []entry // the chapters that have a page, and what more pages they have
	NotYet      []entry // and those that do not, in the course's order
	Back        []entry
	Body        template.HTML
	Facts       string
	Evidence    []evidence
	Source      string // the address of the page's own text, "" if it has none
	Previous    *entry
	Next        *entry
	Timeline    bool
	Failure     bool // a counterexample
	Plot        bool
	Live        bool
}

// An entry is a page in the list of pages.
type entry struct {
	Number   int // of a chapter, else 0
	Title    string
	File     string
	Current  bool
	Sections []heading
}

func (h heading) ID() string   { return h.id }
func (h heading) Text() string { return h.text }

// layout puts the text of the i-th page into the frame of the book.
func (b *builder) layout(i int, body string) ([]byte, error) {
	p := b.pages[i]
	v := view{
		Lang: b.Lang, Title: b.fullTitle(p), File: p.name + ".html", Description: p.description(), Words: b.words, Body: template.HTML(body),
		Cover: p.name == "index", Timeline: p.timelines > 0, Failure: p.counterexamples > 0, Plot: p.plots > 0, Live: b.live,
		Source: b.address(p.file),
	}
	for _, name := range front {
		if to := b.byName[name]; to != nil {
			v.Front = append(v.Front, *b.entry(to, to == p))
		}
	}
	for n, c := range b.Chapters {
		if to := b.pageOf(c); to != nil {
			for _, q := range b.pages {
				if q == to || q.after == to {
					v.Written = append(v.Written, *b.entry(q, q == p))
				}
			}
		} else {
			v.NotYet = append(v.NotYet, entry{Number: n + 1, Title: c.Title})
		}
	}
	for _, name := range back {
		if to := b.byName[name]; to != nil {
			v.Back = append(v.Back, *b.entry(to, to == p))
		}
	}
	if i > 0 {
		v.Previous = b.entry(b.pages[i-1], false)
	}
	if i+1 < len(b.pages) {
		v.Next = b.entry(b.pages[i+1], false)
	}
	switch {
	case p.facts.skipped > 0:
		v.Facts = fmt.Sprintf(b.words.FactsSkipped, Release)
	case p.facts.checked > 0:
		v.Facts, v.Evidence = fmt.Sprintf(b.words.FactsChecked, b.goroot.version), p.facts.evidence
	}
	var out bytes.Buffer
	err := layoutTemplate.Execute(&out, v)
	return out.Bytes(), err
}

// description is the beginning of the first paragraph of p, at the end of a word.
func (p *page) description() string {
	const most = 160
	for n := p.doc.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() != ast.KindParagraph {
			continue
		}
		text := p.text(n)
		if len(text) <= most {
			return text
		}
		if at := strings.LastIndexByte(text[:most], ' '); at > 0 {
			return text[:at] + " …"
		}
	}
	return ""
}

// entry lists p; of the current page it lists the sections too.
func (b *builder) entry(p *page, current bool) *entry {
	e := &entry{Number: p.number, Title: p.title, File: p.name + ".html", Current: current}
	if !current {
		return e
	}
	for _, h := range p.headings {
		if h.level == 2 {
			e.Sections = append(e.Sections, h)
		}
	}
	return e
}

// fullTitle is the title of p with the number of its chapter.
func (b *builder) fullTitle(p *page) string {
	if n := p.chapterNumber(); n != 0 {
		return fmt.Sprintf(b.words.Title, n, p.title)
	}
	return p.title
}

// addAssets adds the style and the scripts that pages refer to, and returns site.
func addAssets(site Site) Site {
	for _, name := range []string{"book.css", "book.js", "plot.css", "live.js", "icon.svg"} {
		text, err := assets.ReadFile("assets/" + name)
		if err != nil {
			panic(err) // it is embedded
		}
		site[name] = text
	}
	site["timeline.css"] = []byte(timeline.Style())
	site["timeline.js"] = []byte(timeline.Script())
	site["failure.css"] = []byte(explore.Style())
	site["failure.js"] = []byte(explore.Script())
	return site
}
