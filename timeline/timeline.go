// Package timeline draws a log of package trace as a page in which a reader
// steps through the run: one scheduling decision at a time, with a sentence
// about it, the state after it, and the picture of the run so far.
//
// Fold makes the steps; the script in assets only draws them. Fragment gives
// an element to be put into a page that has Style and Script once, Render a
// page of its own that opens from disk and needs no network.
package timeline

import (
	_ "embed"
	"fmt"
	"html"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"

	"gosched/chapters/trace"
	"gosched/chapters/webpage"
)

//go:embed assets/timeline.css
var style string

//go:embed assets/timeline.js
var script string

// Style returns the style sheet of all timelines on a page.
func Style() string { return style }

// Script returns the script of all timelines on a page, which shows the given words,
// those of their Options. It draws the timelines that are there when the page is loaded;
// for one that is added later, call goschedTimeline(element).
func Script(w Words) string { return orEnglish(w).script() + script }

// DefaultSteps is how many steps are kept if Options do not say.
const DefaultSteps = 2000

// Options of a timeline. The zero value is good for a page with one timeline.
type Options struct {
	// Title stands above the timeline; if it is empty, the name of the
	// program's file does, or the Go version.
	Title string
	// Link is the address of the program; if it is there, the title leads to it.
	Link string
	// ID names the timeline in the page's address (#ID=8 is its step 8). It is
	// "s" if empty, must be unique on the page, and consists of letters, digits
	// and hyphens after a letter.
	ID string
	// Start is the step shown first, from 1; 0 means 1.
	Start int
	// Steps bounds the steps that are kept; 0 means DefaultSteps. The reader is
	// told how many there are.
	Steps int
	// HideSource leaves out the program, as where it stands next to the timeline.
	HideSource bool
	// Words are those of the page's language; none means English.
	Words Words
}

// Render writes a self-contained HTML page, in English, with the timeline of log.
func Render(w io.Writer, log *trace.Log, opt Options) error {
	id, err := checkID(opt.ID)
	if err != nil {
		return err
	}
	opt.Words = English
	element, err := fragment(log, opt, id, "h1")
	if err != nil {
		return err
	}
	return Page(w, title(log, opt), element)
}

// Page writes a self-contained HTML page, in English, with the given fragments. The arrow
// keys move the first of them even when nothing has the focus.
func Page(w io.Writer, title string, fragments ...string) error {
	err := webpage.Page{Title: title, Style: style, Class: "tl-page", Body: strings.Join(fragments, "\n"), Script: Script(English)}.Write(w)
	if err != nil {
		return fmt.Errorf("timeline: write the page: %w", err)
	}
	return nil
}

// Fragment returns the timeline of log as an HTML element. The page around it
// must have Style in its head and Script behind its last timeline.
func Fragment(log *trace.Log, opt Options) (string, error) {
	id, err := checkID(opt.ID)
	if err != nil {
		return "", err
	}
	return fragment(log, opt, id, "p")
}

// fragment returns the element; its title is an HTML element of the name tag.
func fragment(log *trace.Log, opt Options, id, tag string) (string, error) {
	opt.Words = orEnglish(opt.Words)
	story := Fold(log, orDefault(opt.Steps))
	data, err := encode(story, opt)
	if err != nil {
		return "", fmt.Errorf("timeline: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<section class=\"tl\" id=\"tl-%s\" data-key=\"%s\" aria-label=\"%s\">\n", id, id, html.EscapeString(fill(opt.Words.Timeline, title(log, opt))))
	name := html.EscapeString(title(log, opt))
	if opt.Link != "" {
		name = fmt.Sprintf(`<a href="%s">%s</a>`, html.EscapeString(opt.Link), name)
	}
	fmt.Fprintf(&b, "<header class=\"tl-title\"><%[1]s class=\"tl-name\">%[2]s</%[1]s><p class=\"tl-about\">%[3]s</p></header>\n", tag, name, html.EscapeString(about(story, opt.Words)))
	if len(story.Steps) == 0 {
		fmt.Fprintf(&b, "<p>%s</p>\n</section>\n", html.EscapeString(opt.Words.NoEvents))
		return b.String(), nil
	}
	b.WriteString("<noscript>\n")
	if !opt.HideSource {
		writeListing(&b, opt.Words.Program, log.Header.Source)
	}
	writeListing(&b, opt.Words.Output, output(story))
	writeSteps(&b, story)
	b.WriteString("</noscript>\n")
	fmt.Fprintf(&b, "<script type=\"application/json\">%s</script>\n</section>\n", data)
	return b.String(), nil
}

// orDefault is the bound on the steps, DefaultSteps if none is given.
func orDefault(steps int) int {
	if steps <= 0 {
		return DefaultSteps
	}
	return steps
}

var validID = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]*$`)

func checkID(id string) (string, error) {
	if id == "" {
		return "s", nil
	}
	if !validID.MatchString(id) {
		return "", fmt.Errorf("timeline: the ID is %q; it must be a letter followed by letters, digits and hyphens", id)
	}
	return id, nil
}

func title(log *trace.Log, opt Options) string {
	switch {
	case opt.Title != "":
		return opt.Title
	case log.Header.File != "":
		return path.Base(strings.ReplaceAll(log.Header.File, `\`, "/"))
	}
	return fill(opt.Words.Version, log.Header.Go)
}

// about says in one line what ran, and whether steps were left out.
func about(s *Story, w Words) string {
	h := s.Header
	parts := []string{fill(w.Version, h.Go)}
	if s.ByM {
		parts = append(parts, number(s.Rows, w.OneM, w.Ms))
	} else {
		parts = append(parts, number(s.Rows, w.OneP, w.Ps))
	}
	if h.Seed != 0 {
		parts = append(parts, fill(w.Seed, strconv.FormatInt(int64(h.Seed), 10)))
	}
	if len(s.Steps) < s.Total {
		parts = append(parts, fill(w.FirstSteps, thousands(int64(len(s.Steps))), thousands(int64(s.Total))))
	} else {
		parts = append(parts, number(s.Total, w.OneStep, w.Steps))
	}
	return strings.Join(parts, " · ")
}
