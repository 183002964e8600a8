package timeline

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"gosched/chapters/trace"
)

// A Run is a run of a program on a version of Go, to be compared with others.
type Run struct {
	Program string // the name under which the reader chooses it
	Go      string // the version
	Log     *trace.Log
}

// CompareOptions of a comparison. Left and Right are versions of Go.
type CompareOptions struct {
	Title       string // stands above it; may be empty
	ID          string // as in Options
	Left, Right string // the versions that are shown first
	At          int64  // the time shown first, in the unit of the logs, since the first event
	Steps       int    // bounds the steps of each run, as in Options
	Words       Words  // as in Options
}

// Compare returns two of the runs next to each other, as one HTML element; the reader
// chooses which two versions, and of which program. There must be a run of each program
// on each version; the first program is shown first.
//
// Both are drawn in true time, on one axis, and a step of the reader's leads to the next
// moment at which something happens in either. The steps of two runs have nothing to do
// with each other: the 20th decision of the one may fall into the time of the 50th of
// the other. What can be compared is how far each is at a moment. So the clocks of all
// runs begin at their first events, and must be in one unit.
func Compare(runs []Run, opt CompareOptions) (string, error) {
	id, err := checkID(opt.ID)
	if err != nil {
		return "", err
	}
	if err := checkRuns(runs, opt); err != nil {
		return "", err
	}
	opt.Words = orEnglish(opt.Words)
	var b strings.Builder
	fmt.Fprintf(&b, "<section class=\"tl-compare\" id=\"tl-%[1]s\" data-key=\"%[1]s\" data-left=\"%[2]s\" data-right=\"%[3]s\" data-at=\"%[4]d\" aria-label=\"%[5]s\">\n",
		id, html.EscapeString(opt.Left), html.EscapeString(opt.Right), opt.At, html.EscapeString(fill(opt.Words.Comparison, opt.Title)))
	if opt.Title != "" {
		fmt.Fprintf(&b, "<p class=\"tl-name\">%s</p>\n", html.EscapeString(opt.Title))
	}
	var plain strings.Builder // the runs without a script, each of which folds
	told := map[string]bool{} // programs whose source is there
	for _, r := range runs {
		story := Fold(fromZero(r.Log), orDefault(opt.Steps))
		if !told[r.Program] {
			writeListing(&plain, r.Program, r.Log.Header.Source)
		}
		fmt.Fprintf(&plain, "<details class=\"tl-all\"><summary>%s, %s</summary>\n", html.EscapeString(r.Program), html.EscapeString(about(story, opt.Words)))
		writeSteps(&plain, story)
		plain.WriteString("</details>\n")
		data, err := encode(story, Options{HideSource: told[r.Program], Words: opt.Words})
		if err != nil {
			return "", fmt.Errorf("timeline: %w", err)
		}
		told[r.Program] = true
		fmt.Fprintf(&b, "<script type=\"application/json\" data-program=\"%s\" data-go=\"%s\" data-about=\"%s\">%s</script>\n",
			html.EscapeString(r.Program), html.EscapeString(r.Go), html.EscapeString(about(story, opt.Words)), data)
	}
	fmt.Fprintf(&b, "<noscript>\n%s</noscript>\n</section>\n", plain.String())
	return b.String(), nil
}

// checkRuns says what is wrong with the runs, or with the two that are shown first.
func checkRuns(runs []Run, opt CompareOptions) error {
	var programs, versions []string
	have := map[[2]string]bool{}
	for _, r := range runs {
		if len(r.Log.Events) == 0 {
			return fmt.Errorf("timeline: the log of %s on Go %s has no events", r.Program, r.Go)
		}
		if unit := runs[0].Log.Header.Unit; r.Log.Header.Unit != unit {
			return fmt.Errorf("timeline: the times of %s on Go %s are in %s, those of the first run in %s", r.Program, r.Go, r.Log.Header.Unit, unit)
		}
		if !slices.Contains(programs, r.Program) {
			programs = append(programs, r.Program)
		}
		if !slices.Contains(versions, r.Go) {
			versions = append(versions, r.Go)
		}
		have[[2]string{r.Program, r.Go}] = true
	}
	for _, program := range programs {
		for _, version := range versions {
			if !have[[2]string{program, version}] {
				return fmt.Errorf("timeline: there is no run of %s on Go %s", program, version)
			}
		}
	}
	if opt.Left == opt.Right || !slices.Contains(versions, opt.Left) || !slices.Contains(versions, opt.Right) {
		return fmt.Errorf("timeline: Go %q and Go %q cannot be shown next to each other: two of %v can", opt.Left, opt.Right, versions)
	}
	return nil
}

// fromZero returns the log with its clock beginning at the first event.
func fromZero(log *trace.Log) *trace.Log {
	shifted := &trace.Log{Header: log.Header, Events: slices.Clone(log.Events)}
	for i := range shifted.Events {
		shifted.Events[i].T -= log.Events[0].T
	}
	return shifted
}
