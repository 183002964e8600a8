package explore

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"

	"gosched/chapters/webpage"
)

//go:embed assets/failure.css
var style string

//go:embed assets/failure.js
var script string

// maxHTMLSteps bounds the steps of a page.
const maxHTMLSteps = 2000

// WriteHTML writes the failure as a page in which a reader goes through the
// schedule step by step and sees what the shared variables hold. It needs no
// network and no other file. The title names the model.
func (f *Failure) WriteHTML(w io.Writer, title string) error {
	data, err := json.Marshal(f.page(title))
	if err != nil {
		return fmt.Errorf("explore: the page of a failure: %w", err)
	}
	err = webpage.Page{
		Title: title, Style: style, Script: script,
		Body: fmt.Sprintf(`<main id="failure"><noscript><pre>%s</pre></noscript></main>
<script type="application/json" id="data">%s</script>`, html.EscapeString(f.String()), data),
	}.Write(w)
	if err != nil {
		return fmt.Errorf("explore: write the page of a failure: %w", err)
	}
	return nil
}

// page is what the script reads.
type page struct {
	Title   string     `json:"title"`
	Kind    Kind       `json:"kind"`
	Message []string   `json:"message"`
	Replay  string     `json:"replay"`
	Summary string     `json:"summary"`
	Threads []string   `json:"threads"`
	Objects []pageName `json:"objects"`
	Steps   []pageStep `json:"steps"`
	Total   int        `json:"total"`
}

// A pageName is a variable and what it holds at first.
type pageName struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type pageStep struct {
	Number int    `json:"n,omitempty"`
	Thread int    `json:"t"`
	Text   string `json:"s"`
	Effect string `json:"e,omitempty"`
	Write  bool   `json:"w,omitempty"`
	Here   bool   `json:"h,omitempty"`
	Note   bool   `json:"note,omitempty"`
	Place  string `json:"p,omitempty"`
	Func   string `json:"f,omitempty"`
	Why    Switch `json:"why,omitempty"` // why another thread ran before
	From   int    `json:"from"`          // which
	Object int    `json:"o"`             // index in Objects, -1 if none
	Value  string `json:"v,omitempty"`
}

func (f *Failure) page(title string) page {
	p := page{
		Title: title, Kind: f.Kind, Message: strings.Split(f.Message, "\n"), Replay: f.Replay,
		Summary: f.summary(), Threads: f.Threads, Objects: []pageName{}, Steps: []pageStep{}, Total: len(f.Steps),
	}
	index := map[int]int{}
	names := map[string]int{}
	last := 0
	for _, s := range f.Steps[:min(len(f.Steps), maxHTMLSteps)] {
		ps := pageStep{
			Number: s.Number, Thread: s.Thread, Text: s.Code, Effect: s.Effect, Write: s.Write, Here: s.Here,
			Func: s.Func, Why: s.Switch, From: last, Object: -1, Value: s.Value,
		}
		if s.Note != "" {
			ps.Text, ps.Note = s.Note, true
		}
		if s.File != "" {
			ps.Place = fmt.Sprintf("%s:%d", s.File, s.Line)
		}
		if s.Object > 0 {
			i, ok := index[s.Object]
			if !ok {
				i = len(p.Objects)
				index[s.Object] = i
				p.Objects = append(p.Objects, pageName{uniqueName(cmp.Or(s.Name, receiver(s.Code)), names), s.Old})
			}
			ps.Object = i
		}
		last = max(s.Thread, 0)
		p.Steps = append(p.Steps, ps)
	}
	return p
}

// uniqueName numbers the variables that stand under one name in the source, such
// as the elements of an array.
func uniqueName(name string, names map[string]int) string {
	names[name]++
	if n := names[name]; n > 1 {
		return fmt.Sprintf("%s, the %s", name, ordinal(n))
	}
	return name
}

func ordinal(n int) string {
	suffix := "th"
	if n/10%10 != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprintf("%d%s", n, suffix)
}
