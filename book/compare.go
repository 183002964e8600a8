package book

import (
	"errors"
	"fmt"
	"html"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"gosched/timeline"
)

// A contest is several programs, each on several versions of Go.
type contest struct {
	programs []string
	versions []string
	args     RunArgs // but for the version
	results  map[[2]string]RunResult
}

// contest reads the programs and versions of an element and runs them all.
func (b *builder) contest(e *element, args *arguments) (contest, error) {
	c := contest{results: map[[2]string]RunResult{}}
	for program := args.word(); program != ""; program = args.word() {
		c.programs = append(c.programs, program)
	}
	c.versions = strings.Fields(args.get("go"))
	var err error
	if c.args, err = runArgs(args); err != nil {
		return c, err
	}
	if len(c.programs) == 0 || len(c.versions) < 2 || c.args.Procs == 0 {
		return c, fmt.Errorf(`which programs, on which versions and how many CPUs? write ::: %s FILE.go go="1.0 1.1" procs=4`, e.name)
	}
	for _, program := range c.programs {
		for _, version := range c.versions {
			r := c.args
			r.Go = version
			result, err := b.play(program, r)
			if err == nil {
				err = wantStatus(result, "")
			}
			if err == nil && (result.Log == nil || result.Figures == nil) {
				err = errors.New("the run left no log")
			}
			if err != nil {
				return c, fmt.Errorf("%s on Go %s: %w", program, version, err)
			}
			c.results[[2]string{program, version}] = result
		}
	}
	return c, nil
}

// command is what a reader types to compare two versions on the first program.
func (c contest) command(left, right string) string {
	r := c.args
	r.Go = left
	return r.command(c.programs[0]) + " --against " + right + " --trace both.html"
}

// short is how a program is called on the page.
func short(program string) string { return strings.TrimSuffix(path.Base(program), ".go") }

// compare shows two runs next to each other, which the reader chooses.
func (b *builder) compare(p *page, e *element, args *arguments) error {
	c, err := b.contest(e, args)
	if err != nil {
		return err
	}
	left, right := args.get("left"), args.get("right")
	if left == "" && right == "" {
		left, right = c.versions[0], c.versions[1]
	}
	at := 0 // in µs
	if s := args.get("at"); s != "" {
		if at, err = strconv.Atoi(s); err != nil || at < 0 {
			return fmt.Errorf("at=%s is not a time in µs", s)
		}
	}
	var runs []timeline.Run
	for _, program := range c.programs {
		for _, version := range c.versions {
			runs = append(runs, timeline.Run{Program: short(program), Go: version, Log: c.results[[2]string{program, version}].Log})
		}
	}
	p.timelines++
	drawn, err := timeline.Compare(runs, timeline.CompareOptions{
		Title: args.get("title"), ID: fmt.Sprintf("run%d", p.timelines), Left: left, Right: right,
		At: (time.Duration(at) * time.Microsecond).Nanoseconds(), Words: b.words.Timeline,
	})
	if err != nil {
		return err
	}
	figure(e, "timeline", b.command(c.command(left, right), c.programs[0]), drawn)
	return nil
}

// versions is a table of how programs did on versions of Go.
func (b *builder) versions(p *page, e *element, args *arguments) error {
	c, err := b.contest(e, args)
	if err != nil {
		return err
	}
	w := b.words
	var s strings.Builder
	fmt.Fprintf(&s, `<div class="scroll"><table class="versions"><thead><tr><th>%s</th><th class="number">%s</th><th class="number">%s</th><th class="number">%s</th><th class="number">%s</th></tr></thead>`+"\n",
		esc(w.ChapterGo), esc(w.Makespan), fmt.Sprintf(esc(w.LockWait), code("sched.lock")), esc(w.Threads), esc(w.IdleBeside))
	for _, program := range c.programs {
		longest := time.Duration(1)
		for _, version := range c.versions {
			longest = max(longest, c.results[[2]string{program, version}].Figures.Makespan)
		}
		// A program has a line of its own, so that the columns fit a phone.
		fmt.Fprintf(&s, `<tbody><tr><th scope="rowgroup" colspan="5">%s</th></tr>`+"\n", b.sourceLink(program, code(short(program))))
		for _, version := range c.versions {
			f := c.results[[2]string{program, version}].Figures
			fmt.Fprintf(&s, `<tr><td>%s</td><td class="number span" style="--part:%.1f%%">%s</td><td class="number">%s</td><td class="number">%d</td><td class="number">%.1f%%</td></tr>`+"\n",
				html.EscapeString(version), 100*float64(f.Makespan)/float64(longest), microseconds(f.Makespan), microseconds(f.LockWait), f.Ms, 100*f.Idle)
		}
		s.WriteString("</tbody>\n")
	}
	s.WriteString("</table></div>\n")
	if args.get("plot") == "" {
		figure(e, "plain", "", s.String())
		return nil
	}
	if kind := args.get("plot"); kind != "dots" {
		return fmt.Errorf("unknown plot=%s: versions are drawn as dots", kind)
	}
	d, err := c.makespans(w)
	if err != nil {
		return err
	}
	seen := tags.ReplaceAllString(s.String(), " ")
	for _, n := range d.panels[0].all() {
		seen += n.text + "\n"
	}
	return b.show(p, e, args, d, seen, s.String())
}

var tags = regexp.MustCompile(`<[^>]*>`)

// makespans draws how long the programs took on the other versions, when that on the first
// one is 1: in µs one long program would hide what becomes of the others.
func (c contest) makespans(w words) (*rows, error) {
	span := func(program, version string) float64 {
		return float64(c.results[[2]string{program, version}].Figures.Makespan)
	}
	first := c.versions[0]
	p := panel{title: fmt.Sprintf(w.MakespanBeside, first)}
	for _, version := range c.versions[1:] {
		s := series{label: w.ChapterGo + " " + version}
		for _, program := range c.programs {
			ratio := span(program, version) / span(program, first)
			s.numbers = append(s.numbers, cell{text: strconv.FormatFloat(ratio, 'f', 2, 64), value: ratio})
		}
		p.series = append(p.series, s)
	}
	var names []string
	for _, program := range c.programs {
		names = append(names, short(program))
	}
	r, err := newRows(names, []panel{p}, false, w, (*rows).dot)
	if err == nil {
		r.base, r.origin = 1, w.ChapterGo+" "+first
	}
	return r, err
}

// microseconds writes d with a comma between groups of three digits: "7,051 µs".
func microseconds(d time.Duration) string {
	digits := strconv.FormatInt(d.Round(time.Microsecond).Microseconds(), 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits + " µs"
}
