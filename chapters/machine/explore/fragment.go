package explore

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"strings"
)

//go:embed assets/failure.css
var style string

//go:embed assets/failure.js
var script string

// Style returns the style sheet of all fragments on a page. Its colours and fonts are
// variables of the page: --bg, --soft, --line, --fg, --muted, --accent, --warn, --mono and
// --sans, and for the threads --string, --past, --keyword and --number.
func Style() string { return style }

// Script returns the script of all fragments on a page. It makes the steppers of those
// that are there when it runs. They open when a reader asks for it; on a page about nothing
// but failures, whose body has the class fail-page, they are open.
func Script() string { return script }

// Words are what a fragment says beside the story.
type Words struct {
	Check     string `json:"check"`     // the model's own code, where a thread's name stands
	Replay    string `json:"replay"`    // before the replay string, behind another sentence
	Open      string `json:"open"`      // opens the stepper
	Controls  string `json:"controls"`  // names the stepper to a screen reader; %: the title of the story
	First     string `json:"first"`     // buttons
	Back      string `json:"back"`      //
	Step      string `json:"step"`      //
	Turn      string `json:"turn"`      // goes to where another thread runs
	Last      string `json:"last"`      //
	Line      string `json:"line"`      // names the slider
	Position  string `json:"position"`  // %: a line; %: how many there are
	Number    string `json:"number"`    // %: the number of a step
	Start     string `json:"start"`     // before the first line
	Variables string `json:"variables"` // heads the shared variables
	Schedule  string `json:"schedule"`  // heads the lanes
	Cut       string `json:"cut"`       // %: the number of lines shown; %: of all
}

// English are the words of a fragment in English.
var English = Words{
	Check:     "the check",
	Replay:    "replay",
	Open:      "Step through it",
	Controls:  "Stepper: %",
	First:     "First",
	Back:      "Back",
	Step:      "Step",
	Turn:      "Next switch",
	Last:      "Last",
	Line:      "Line",
	Position:  "Line % of %",
	Number:    "step %",
	Start:     "Before the first step.",
	Variables: "Shared variables",
	Schedule:  "Schedule",
	Cut:       "The first % of % lines.",
}

// FragmentOptions say how a story stands on a page.
type FragmentOptions struct {
	// ID is the id of the element. It must be unique on the page, and consists of letters,
	// digits and hyphens after a letter.
	ID    string
	Words Words
}

var validID = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]*$`)

// Fragment returns the story as an HTML element: what is wrong and the schedule, which need
// no script, and the data of a stepper. The page around it must have Style in its head and
// Script behind its last fragment.
func (s Story) Fragment(opt FragmentOptions) (string, error) {
	if !validID.MatchString(opt.ID) {
		return "", fmt.Errorf("explore: the ID is %q; it must be a letter followed by letters, digits and hyphens", opt.ID)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<div class=\"fail\" id=\"%s\">\n", opt.ID)
	for i, m := range s.Message {
		kind := ""
		if i == 0 {
			kind = `<b>` + html.EscapeString(string(s.Kind)) + `:</b> `
		}
		fmt.Fprintf(&b, "<p class=\"fail-wrong\">%s%s</p>\n", kind, html.EscapeString(m))
	}
	if s.Replay != "" {
		data, err := s.data(opt.Words)
		if err != nil {
			return "", fmt.Errorf("explore: the data of a stepper: %w", err)
		}
		s.writeLanes(&b)
		s.writeRows(&b, opt.Words)
		fmt.Fprintf(&b, "<p class=\"fail-about\">%s; %s: <code>%s</code></p>\n",
			html.EscapeString(s.Summary), html.EscapeString(opt.Words.Replay), html.EscapeString(s.Replay))
		fmt.Fprintf(&b, "<script type=\"application/json\">%s</script>\n", data)
	}
	b.WriteString("</div>\n")
	return b.String(), nil
}

// writeLanes writes the schedule for a page that is wide enough. Each block is an element,
// so that paper need not break inside one.
func (s Story) writeLanes(b *strings.Builder) {
	b.WriteString(`<pre class="fail-lanes"><samp>`)
	for _, block := range s.Lanes {
		b.WriteString("<span>" + html.EscapeString(block) + "</span>")
	}
	b.WriteString("</samp></pre>\n")
}

// writeRows writes the schedule for a narrow page. A list that is drawn without bullets is a
// list to some screen readers only if its role says so.
func (s Story) writeRows(b *strings.Builder, w Words) {
	b.WriteString("<ol class=\"fail-rows\" role=\"list\">\n")
	for _, r := range s.Rows {
		if r.Why != "" {
			fmt.Fprintf(b, "<li class=\"fail-why\">%s</li>\n", html.EscapeString(r.Why))
		}
		class, who := "fail-row", w.Check
		if r.Here {
			class += " fail-here"
		}
		if r.Thread >= 0 {
			who = s.Threads[r.Thread]
		}
		place := ""
		if r.Place != "" {
			place = ` <span class="fail-place">` + html.EscapeString(r.Place) + `</span>`
		}
		fmt.Fprintf(b, "<li class=\"%s\"><span class=\"fail-no\">%s</span> <span class=\"fail-what\"><b class=\"fail-who\" data-thread=\"%d\">%s</b> %s</span>%s</li>\n",
			class, r.Number, threadColour(r.Thread), html.EscapeString(who), r.html(), place)
	}
	b.WriteString("</ol>\n")
}

// breaks are where a line of code may be broken, and where not: behind the names and
// parentheses in it, and not around the arrow of a change. It is for text that is escaped.
var breaks = strings.NewReplacer("(…", "(…", "()", "()", "(", "(<wbr>", ".", ".<wbr>", " → ", "\u00a0→\u00a0")

// html is the text of the row.
func (r StoryRow) html() string {
	text := html.EscapeString(r.Text)
	if r.Prose {
		return "<i>" + text + "</i>"
	}
	return "<code>" + breaks.Replace(text) + "</code>"
}

// colours is how many threads differ in colour. All have names.
const colours = 5

// threadColour is the number of a thread's colour, -1 for the model's own code.
func threadColour(thread int) int {
	if thread < 0 {
		return -1
	}
	return thread % colours
}

// data is what the script reads. A list without elements is a list there, and not null.
func (s Story) data(w Words) ([]byte, error) {
	return json.Marshal(struct {
		Words     Words        `json:"words"`
		Title     string       `json:"title"`
		Kind      Kind         `json:"kind"`
		Message   []string     `json:"message"`
		Threads   []string     `json:"threads"`
		Variables []StoryValue `json:"variables"`
		Steps     []StoryStep  `json:"steps"`
		Total     int          `json:"total"`
		Colours   int          `json:"colours"`
	}{w, s.Title, s.Kind, s.Message, s.Threads, append([]StoryValue{}, s.Variables...), s.Steps, s.Total, colours})
}
