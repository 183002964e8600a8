package book

import (
	"fmt"
	"html"
	"strings"

	"gosched/autograder/bench"
)

// speeds is the table of what programs cost on versions of the course, as ratio to Go. It was
// measured earlier, by bench --history: a build of the book measures nothing.
func (b *builder) speeds(p *page, e *element, args *arguments) error {
	const command = "go run ./autograder bench --history"
	file := args.word()
	text, err := b.readFile(file)
	if err != nil {
		return fmt.Errorf("%w; %s writes %s", err, command, bench.HistoryFile)
	}
	h, err := bench.ReadHistory([]byte(text))
	if err != nil {
		return fmt.Errorf("%s is not what %s writes: %w", file, command, err)
	}
	var s strings.Builder
	fmt.Fprintf(&s, `<div class="scroll"><table class="speeds"><thead><tr><th>%s</th>`, esc(b.words.ChapterGo))
	for _, version := range h.Versions {
		fmt.Fprintf(&s, `<th class="number">%s</th>`, html.EscapeString(version))
	}
	s.WriteString("</tr></thead><tbody>\n")
	for i, r := range h.Ratios {
		if i%len(h.Versions) == 0 {
			fmt.Fprintf(&s, `<tr><th scope="row">%s</th>`, code(r.Program))
		}
		fmt.Fprintf(&s, `<td class="number">%.2f<br><small>%.2f–%.2f</small></td>`, r.Ratio, r.Low, r.High)
		if i%len(h.Versions) == len(h.Versions)-1 {
			s.WriteString("</tr>\n")
		}
	}
	s.WriteString("</tbody></table></div>\n")
	figure(e, "plain", b.command(command, file), s.String())
	e.after = `<p class="measured">` + esc(fmt.Sprintf(b.words.MeasuredAt, h.Date, h.Commit, h.Go, h.System, h.CPU)) + "</p>" + e.after
	return nil
}
