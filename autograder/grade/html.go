package grade

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/machine/explore"
	"gosched/chapters/webpage"
	"gosched/timeline"
)

//go:embed assets/failures.css
var failuresStyle string

// failuresPage is the body. Of a check whose model fails the schedule says all that its
// message does; only where a model is run on behalf of something else, such as the student's
// own test, does the message begin with a sentence of its own.
var failuresPage = template.Must(template.New("").Parse(`<main>
<h1>What fails</h1>
{{- range .}}
<article>
<h2>{{.Name}}</h2>
<p class="of">Chapter {{.Chapter}}{{with .Note}}, {{.}}{{end}}</p>
<p>{{.Property}}</p>
{{- with .Message}}
<pre class="message">{{.}}</pre>
{{- end}}
{{.Schedule}}
{{- with .Hint}}
<details class="hint"><summary>Hint</summary><p>{{.}}</p></details>
{{- end}}
{{.Timeline}}
</article>
{{- else}}
<p>Nothing.</p>
{{- end}}
</main>`))

// A failed check, as its page shows it.
type failed struct {
	Name, Chapter, Note, Property, Message, Hint string
	Schedule, Timeline                           template.HTML
}

// WriteHTML writes a self-contained page about the checks that fail. It has the
// counterexamples of models, to be gone through step by step, and the timelines of programs.
// It needs no network and no other file.
func (r *Report) WriteHTML(w io.Writer) error {
	var all []failed
	add := func(ch *Chapter, c Check, note string) error {
		f, err := show(c, len(all)+1)
		if err != nil {
			return fmt.Errorf("the page of %s: %w", c.ID, err)
		}
		f.Chapter, f.Note = ch.number()+": "+ch.Title, note
		all = append(all, f)
		return nil
	}
	for i := range r.Chapters {
		ch := &r.Chapters[i]
		failing := ch.Failing()
		if ch.Broken() {
			failing = failing[:1] // all say the same
			failing[0].Name, failing[0].Property, failing[0].Hint = "It does not compile", "None of its checks was run.", ""
		}
		for _, c := range failing {
			if err := add(ch, c, ""); err != nil {
				return err
			}
		}
		for _, c := range ch.OwnFails {
			if err := add(ch, c, "on your own stack"); err != nil {
				return err
			}
		}
	}
	var body strings.Builder
	if err := failuresPage.Execute(&body, all); err != nil {
		return err
	}
	return webpage.Page{
		Title: "What fails", Class: "fail-page", Body: body.String(),
		Style: failuresStyle + explore.Style() + timeline.Style(), Script: explore.Script() + timeline.Script(timeline.English),
	}.Write(w)
}

// pageMessage is a message as the page has it, of at most about 64 KiB.
func pageMessage(text string) string { return strings.TrimSpace(Printable(text, 64<<10)) }

// show is check number n of the page.
func show(c Check, n int) (f failed, err error) {
	f = failed{Name: c.Name, Property: c.Property, Message: pageMessage(c.Message), Hint: c.Hint}
	if c.Status == check.BuildError {
		f.Message = pageMessage(c.Evidence)
	}
	if c.Story != nil {
		story := *c.Story
		story.Title = c.Name
		schedule, err := story.Fragment(explore.FragmentOptions{ID: fmt.Sprintf("schedule-%d", n), Words: explore.English})
		if err != nil {
			return f, err
		}
		f.Schedule = template.HTML(schedule)
		if f.Message, _, _ = strings.Cut(f.Message, "\n"); c.Kind == check.Model {
			f.Message = ""
		}
	}
	if c.Log != nil {
		run, err := timeline.Fragment(c.Log, timeline.Options{ID: fmt.Sprintf("run-%d", n)})
		if err != nil {
			return f, err
		}
		f.Timeline = template.HTML(run)
	}
	return f, nil
}
