package book

import (
	"fmt"
	"html"
	"path"
	"slices"
	"strings"
)

// resolveElement sets the HTML around the children of e.
func (b *builder) resolveElement(p *page, e *element) {
	line := p.line(e)
	if e.name == "" {
		b.fail(p, line, "::: ends nothing here: an element begins with its name, ::: note")
		return
	}
	kind, ok := elements[e.name]
	if !ok {
		b.fail(p, line, "unknown element ::: %s: there are %s", e.name, strings.Join(sortedKeys(elements), ", "))
		return
	}
	if !e.closed && e.name != answer {
		b.fail(p, line, "::: %s is not closed: a line ::: is missing", e.name)
		return
	}
	if outer := enclosing(e); outer != nil && !kind.inside(outer.name) {
		b.fail(p, line, "::: %s cannot stand inside ::: %s (line %d)", e.name, outer.name, p.line(outer))
		return
	}
	args, err := parseArguments(e.args)
	if err == nil {
		err = kind.resolve(b, p, e, args)
	}
	if err == nil {
		err = args.rest()
	}
	if err != nil {
		b.fail(p, line, "::: %s: %v", e.name, err)
	}
}

// An elementKind is an element of the source language.
type elementKind struct {
	// box elements hold text and figures; the others are figures, whose
	// children are a caption.
	box     bool
	resolve func(b *builder, p *page, e *element, args *arguments) error
}

var elements map[string]elementKind

func init() {
	elements = map[string]elementKind{
		"snippet":        {false, (*builder).snippet},
		"timeline":       {false, (*builder).timeline},
		"output":         {false, (*builder).output},
		"compare":        {false, (*builder).compare},
		"versions":       {false, (*builder).versions},
		"speeds":         {false, (*builder).speeds},
		"disasm":         {false, (*builder).disasm},
		"counterexample": {false, (*builder).counterexample},
		"chapters":       {false, (*builder).chapters},
		"mechanisms":     {false, (*builder).mechanisms},
		"map":            {false, (*builder).drawMap},
		"question":       {true, (*builder).question},
		"predict":        {true, (*builder).question},
		answer:           {true, (*builder).answer},
		"exercise":       {true, (*builder).exercise},
		"note":           {true, (*builder).note},
		"history":        {true, (*builder).history},
		"wrong":          {true, (*builder).wrong},
	}
}

// isFigure reports whether e is a figure, which may take time to make.
func (b *builder) isFigure(e *element) bool {
	kind, ok := elements[e.name]
	return ok && !kind.box
}

// inside reports whether the element may stand directly inside one of that name.
func (k elementKind) inside(outer string) bool {
	return elements[outer].box && !k.box
}

// enclosing returns the element around e, or nil. An answer belongs to its
// question.
func enclosing(e *element) *element {
	for n := e.Parent(); n != nil; n = n.Parent() {
		if outer, ok := n.(*element); ok {
			if e.name == answer && (outer.name == "question" || outer.name == "predict") {
				return nil
			}
			return outer
		}
	}
	return nil
}

func (b *builder) question(p *page, e *element, args *arguments) error {
	answers := 0
	for n := e.FirstChild(); n != nil; n = n.NextSibling() {
		if a, ok := n.(*element); ok && a.name == answer {
			answers++
		}
	}
	if answers != 1 {
		return fmt.Errorf("it has %d answers, and needs one: a line ::: answer, then the text", answers)
	}
	label := b.words.Question
	if e.name == "predict" {
		label = b.words.Predict
	}
	e.before = fmt.Sprintf(`<section class="box question" id="question-%d"><p class="label">%s %d</p>`+"\n", e.number, esc(label), e.number)
	e.after = "</section>\n"
	return nil
}

func (b *builder) answer(p *page, e *element, args *arguments) error {
	if outer, ok := e.Parent().(*element); !ok || outer.name != "question" && outer.name != "predict" {
		return fmt.Errorf("it stands outside of a question: put it between ::: question and its closing :::")
	}
	if !e.HasChildren() {
		return fmt.Errorf("it is empty")
	}
	e.before = `<details><summary>` + esc(b.words.Answer) + "</summary>\n<div class=\"answer\">\n"
	e.after = "</div></details>\n"
	return nil
}

func (b *builder) note(p *page, e *element, args *arguments) error {
	label := b.words.apostrophes(args.word())
	if label == "" {
		label = b.words.Note
	}
	return box(e, "note", label)
}

func (b *builder) history(p *page, e *element, args *arguments) error {
	version, title := args.word(), args.word()
	if version == "" {
		return fmt.Errorf("which version? write ::: history 1.14")
	}
	label := fmt.Sprintf(b.words.History, version)
	if title != "" {
		label += " · " + b.words.apostrophes(title)
	}
	return box(e, "history", label)
}

func (b *builder) wrong(p *page, e *element, args *arguments) error {
	claim := b.words.apostrophes(args.word())
	if claim == "" {
		return fmt.Errorf(`what do the notes say? write ::: wrong "The claim."`)
	}
	if err := box(e, "wrong", b.words.Wrong); err != nil {
		return err
	}
	e.title = claim
	e.before += `<p class="claim">` + esc(claim) + `</p><p class="label">` + esc(b.words.True) + "</p>\n"
	return nil
}

func box(e *element, class, label string) error {
	if !e.HasChildren() {
		return fmt.Errorf("it is empty")
	}
	e.title = label
	e.before = `<aside class="box ` + class + `"><p class="label">` + esc(label) + "</p>\n"
	e.after = "</aside>\n"
	return nil
}

// exercise shows the text, then what the chapter's suite says of the task.
func (b *builder) exercise(p *page, e *element, args *arguments) error {
	if p.chapter == nil {
		return fmt.Errorf("it stands only on the page of a chapter")
	}
	if len(p.chapter.Checks) == 0 {
		return fmt.Errorf("%s has no suite yet", p.chapter.Dir)
	}
	id, _, _ := strings.Cut(p.chapter.Dir, "_")
	e.before = `<section class="box exercise"><p class="label">` + esc(b.words.Exercise) + "</p>\n"

	var s strings.Builder
	s.WriteString("<dl class=\"task\">\n")
	define := func(term, value string) {
		if value != "" {
			fmt.Fprintf(&s, "<dt>%s</dt><dd>%s</dd>\n", esc(term), value)
		}
	}
	define(b.words.ExerciseFile, b.sourceLink("exercises/"+p.chapter.Dir, code("exercises/"+p.chapter.Dir)))
	define(b.words.ExerciseParts, codes(p.chapter.Parts))
	define(b.words.ExerciseMethods, codes(methods(p.chapter)))
	define(b.words.ExerciseRun, "<code data-copy>go run ./autograder test "+esc(id)+"</code>")
	s.WriteString("</dl>\n")

	fmt.Fprintf(&s, `<details class="reference" open><summary>%s</summary><div class="scroll"><table class="checks"><thead><tr><th>%s</th><th>%s</th><th class="number">%s</th></tr></thead><tbody>`+"\n",
		esc(b.words.Checks), esc(b.words.CheckName), esc(b.words.CheckProperty), esc(b.words.Points))
	for _, c := range p.chapter.Checks {
		name := code(c.Name)
		if c.Book != "" {
			name = `<a href="#` + esc(c.Book) + `">` + name + `</a>`
		}
		fmt.Fprintf(&s, `<tr><td>%s<br><span class="kind" title="%s">%s</span></td><td>%s</td><td class="number">%d</td></tr>`+"\n",
			name, esc(b.words.CheckKinds[c.Kind]), esc(c.Kind), esc(c.Property), c.Points)
	}
	s.WriteString("</tbody></table></div></details>\n</section>\n")
	e.after = s.String()
	return nil
}

// methods lists the methods that the checks of a chapter grade, each once. The
// student's own test, which a check of kind mine grades, is none.
func methods(c *Chapter) []string {
	var names []string
	for _, check := range c.Checks {
		if check.Kind == "mine" {
			continue
		}
		for _, m := range check.Methods {
			if !slices.Contains(names, m) {
				names = append(names, m)
			}
		}
	}
	return names
}

func codes(names []string) string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = code(n)
	}
	return strings.Join(all, " ")
}

// chapters is the table of the course.
func (b *builder) chapters(p *page, e *element, args *arguments) error {
	var s strings.Builder
	fmt.Fprintf(&s, `<div class="scroll"><table class="course"><thead><tr><td></td><th>%s</th><th>%s</th></tr></thead><tbody>`+"\n",
		esc(b.words.ChapterTitle), esc(b.words.ChapterGo))
	for i, c := range b.Chapters {
		title, class := esc(c.Title), ` class="notyet"`
		if to := b.pageOf(c); to != nil {
			title, class = `<a href="`+esc(to.name)+`.html">`+esc(to.title)+`</a>`, ""
		}
		fmt.Fprintf(&s, `<tr%s><td class="number">%d</td><td>%s</td><td>%s</td></tr>`+"\n", class, i+1, title, esc(c.Go))
	}
	s.WriteString("</tbody></table></div>\n")
	e.before = `<figure class="plain">` + s.String()
	e.after = "</figure>\n"
	if e.HasChildren() {
		e.before += "<figcaption>\n"
		e.after = "</figcaption></figure>\n"
	}
	return nil
}

// mechanisms is the table of what the scheduler does and where that is in the course.
func (b *builder) mechanisms(p *page, e *element, args *arguments) error {
	if len(b.Mechanisms) == 0 {
		return fmt.Errorf("this build was given none")
	}
	var s strings.Builder
	fmt.Fprintf(&s, `<table class="mechanisms"><thead><tr><td></td><th>%s</th><th>%s</th><th>%s</th></tr></thead><tbody>`+"\n",
		esc(b.words.Mechanism), esc(b.words.ExerciseMethods), esc(b.words.MechanismSeen))
	for i, m := range b.Mechanisms {
		explained := b.sectionLinks(m.Sections)
		if m.Coming > 0 {
			explained = append(explained, `<span class="notyet">`+esc(fmt.Sprintf(b.words.MechanismComing, m.Coming))+`</span>`)
		}
		fmt.Fprintf(&s, `<tr id="%s"><td class="number">%d</td><td><b>%s</b><br><small>%s</small></td><td>%s</td><td>%s</td></tr>`+"\n",
			mechanismID(i+1), i+1, esc(b.words.apostrophes(m.Subject)), strings.Join(explained, "; "), codes(m.Methods),
			strings.Join(append(b.checkLinks(m.Checks), b.programLinks(m.Programs)...), " "))
	}
	s.WriteString("</tbody></table>\n")
	figure(e, "plain", "", s.String())
	return nil
}

// mechanismID is the id of a row of the table of mechanisms.
func mechanismID(number int) string { return fmt.Sprintf("mechanism-%d", number) }

// sectionLinks are links to sections, such as "07_runq#runnext", that say the chapter and
// the title. Those on pages that are not written yet are left out.
func (b *builder) sectionLinks(sections []string) []string {
	var links []string
	for _, section := range sections {
		name, id, _ := strings.Cut(section, "#")
		p := b.byName[name]
		if p == nil {
			continue
		}
		i := slices.IndexFunc(p.headings, func(h heading) bool { return h.id == id })
		if i < 0 {
			continue
		}
		title := p.headings[i].text
		if n := p.chapterNumber(); n > 0 {
			title = fmt.Sprintf(b.words.Title, n, title)
		}
		links = append(links, `<a href="`+esc(name)+`.html#`+esc(id)+`">`+esc(title)+`</a>`)
	}
	return links
}

// checkLinks are the names of checks, "ch07/put-next", with links to what they are about.
// Those that are not written yet are left out.
func (b *builder) checkLinks(checks []string) []string {
	var links []string
	for _, place := range checks {
		id, name, _ := strings.Cut(place, "/")
		for _, c := range b.Chapters {
			chapter, _, _ := strings.Cut(c.Dir, "_")
			i := slices.IndexFunc(c.Checks, func(k Check) bool { return k.Name == name })
			if chapter != id || i < 0 {
				continue
			}
			link := code(place)
			if to := b.pageOf(c); to != nil && c.Checks[i].Book != "" {
				link = `<a href="` + esc(to.name) + `.html#` + esc(c.Checks[i].Book) + `">` + link + `</a>`
			}
			links = append(links, link)
		}
	}
	return links
}

// programLinks are the names of programs, with links to their sources. A program named
// main.go is called by its folder.
func (b *builder) programLinks(programs []string) []string {
	var links []string
	for _, file := range programs {
		name := path.Base(file)
		if name == "main.go" {
			name = path.Base(path.Dir(file)) + "/" + name
		}
		links = append(links, b.sourceLink(file, code(name)))
	}
	return links
}

func (b *builder) pageOf(c Chapter) *page {
	return b.byName[strings.TrimPrefix(c.Dir, "ch")]
}

func esc(s string) string { return html.EscapeString(s) }

// headed is a body below its head line, if it has one.
func headed(head, body string) string {
	if head == "" {
		return body
	}
	return `<div class="head">` + head + "</div>" + body
}

// figure sets the HTML of a figure with a head line, a body and the children
// as its caption.
func figure(e *element, class, head, body string) {
	e.before = `<figure class="` + class + `">` + headed(head, body) + "\n"
	e.after = "</figure>\n"
	if e.HasChildren() {
		e.before += "<figcaption>\n"
		e.after = "</figcaption></figure>\n"
	}
}
