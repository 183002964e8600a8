package timeline

import (
	"fmt"
	"html"
	"strings"
)

// Where there are no scripts, a run is told: its program, its output and its steps in words.

// writeListing writes a text in lines under a heading, if there is one.
func writeListing(b *strings.Builder, heading, text string) {
	if text != "" {
		fmt.Fprintf(b, "<p class=\"tl-h\">%s</p>\n<pre class=\"tl-code tl-out\">%s</pre>\n", html.EscapeString(heading), html.EscapeString(text))
	}
}

// writeSteps writes the sentences of a run as a list.
func writeSteps(b *strings.Builder, story *Story) {
	b.WriteString("<ol class=\"tl-told\">\n")
	for _, step := range story.Steps {
		fmt.Fprintf(b, "<li>%s</li>\n", html.EscapeString(step.Text))
	}
	b.WriteString("</ol>\n")
}

// output is what the program of a run has written.
func output(story *Story) string {
	var out strings.Builder
	for _, step := range story.Steps {
		for _, o := range step.Output {
			out.WriteString(o.Text)
		}
	}
	return out.String()
}
