package grade

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gosched/chapters/check"
)

// StatusWords are the statuses in the order in which they are counted, and how
// they are called.
var StatusWords = []struct {
	Status check.Status
	Words  string
}{
	{check.Pass, "pass"},
	{check.Fail, "fail"},
	{check.Timeout, "hang"},
	{check.BuildError, "do not compile"},
	{check.Refused, "refused"},
	{check.Blocked, "not run"},
	{check.InternalError, "broken by the course itself"},
	{check.Todo, "not started"},
}

// What GitHub shows of a step. An annotation beyond these is not shown, and a summary that is
// too long is not shown at all.
//   - "GitHub Actions are limited to 10 warning annotations and 10 error annotations per step",
//     and a message to 64 KB: docs.github.com/rest/checks/runs.
//   - "each step is restricted to a maximum size of 1MiB": docs.github.com, Workflow commands
//     for GitHub Actions, Step isolation and limits.
const (
	maxAnnotations = 10      // of errors, and as many of warnings
	annotationText = 4 << 10 // bytes of one, of which a margin shows the first lines
	summaryText    = 16 << 10
	MaxSummary     = 1 << 20
)

// A remark is a check that does not pass, as an annotation has it.
type remark struct {
	level   string // "error" or "warning"
	chapter *Chapter
	check   Check
}

// remarks are what there is to remark on: first where the grading itself failed. A check that
// was not run is a warning, and so is one that fails on the student's own stack.
func (r *Report) remarks() []remark {
	var broken, errors, warnings []remark
	for i := range r.Chapters {
		ch := &r.Chapters[i]
		failing := ch.Failing()
		if ch.Broken() {
			failing = failing[:1] // they all say the same
			failing[0].Name = "it does not compile"
		}
		for _, c := range failing {
			switch c.Status {
			case check.InternalError:
				broken = append(broken, remark{"error", ch, c})
			case check.Blocked:
				warnings = append(warnings, remark{"warning", ch, c})
			default:
				errors = append(errors, remark{"error", ch, c})
			}
		}
		for _, c := range ch.OwnFails {
			c.Name = c.name() + ", on your own stack"
			warnings = append(warnings, remark{"warning", ch, c})
		}
	}
	return slices.Concat(broken, errors, warnings)
}

// annotated divides the remarks into those that GitHub shows as annotations, and the others.
func (r *Report) annotated() (shown, left []remark) {
	count := map[string]int{}
	for _, m := range r.remarks() {
		if count[m.level]++; count[m.level] <= maxAnnotations {
			shown = append(shown, m)
		} else {
			left = append(left, m)
		}
	}
	return shown, left
}

// WriteAnnotations writes a workflow command of GitHub Actions for each check that fails, at
// the place in the exercise that it is about, as many as GitHub shows. root is where the
// exercises are looked into for that.
func (r *Report) WriteAnnotations(w io.Writer, root string) error {
	r = r.Shown()
	shown, left := r.annotated()
	for _, m := range shown {
		c := m.check
		place := ""
		if file, line := r.place(root, m.chapter, c); file != "" {
			place = fmt.Sprintf("file=%s,line=%s,", property.Replace(file), line)
		}
		title := fmt.Sprintf("chapter %s: %s", m.chapter.number(), c.name())
		if m.chapter.ID == ExtraID {
			title = "extra check: " + c.name()
		}
		text := strings.TrimSpace(Printable(c.Message, annotationText))
		switch {
		case c.Status == check.InternalError:
			text = c.told(annotationText)
		case c.Property != "" && c.Status != check.BuildError:
			text = c.Property + "\n" + text
		}
		if _, err := fmt.Fprintf(w, "::%s %stitle=%s::%s\n", m.level, place, property.Replace(title), data.Replace(text)); err != nil {
			return err
		}
	}
	if len(left) > 0 {
		_, err := fmt.Fprintln(w, unannotated(left))
		return err
	}
	return nil
}

// unannotated says that there are remarks without an annotation.
func unannotated(left []remark) string {
	return fmt.Sprintf("GitHub shows %d errors and %d warnings of a step as annotations; %d more are in the summary.", maxAnnotations, maxAnnotations, len(left))
}

// How workflow commands escape what stands in them.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// place finds the file and line that a failure is about: one that its message
// or evidence names, else the declaration of the first method that it grades.
func (r *Report) place(root string, ch *Chapter, c Check) (file, line string) {
	dir := path.Join(r.Of, ch.Dir)
	named := regexp.MustCompile(regexp.QuoteMeta(dir) + `/[\w.]{1,100}\.go:\d{1,6}\b`)
	for _, text := range []string{c.Message, c.Evidence} {
		if found := named.FindString(text[:min(len(text), summaryText)]); found != "" {
			file, line, _ = strings.Cut(found, ":")
			return file, line
		}
	}
	for _, method := range c.methods {
		if file, line := declaration(root, dir, method); file != "" {
			return file, fmt.Sprint(line)
		}
	}
	return "", ""
}

// declaration finds the function or method of that name in a folder.
func declaration(root, dir, name string) (string, int) {
	files, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.go"))
	for _, file := range files {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, decl := range f.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok && decl.Name.Name == name {
				return path.Join(dir, filepath.Base(file)), fset.Position(decl.Pos()).Line
			}
		}
	}
	return "", 0
}

// WriteMarkdown writes the report as Markdown: the summary of a step, of at most limit bytes.
// What does not fit is named at its end. The error says that not even the points fit.
func (r *Report) WriteMarkdown(w io.Writer, limit int) error {
	r = r.Shown()
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", capital(r.Total()))
	if err := r.Whole(); err != nil {
		fmt.Fprintf(&b, "**%s.**\n\n", capital(err.Error()))
	}
	b.WriteString("| Chapter | Points | Checks that pass | Own stack |\n|--|--:|--:|--|\n")
	for i := range r.Chapters {
		ch := &r.Chapters[i]
		fmt.Fprintf(&b, "| %s | %d/%d | %d/%d | %s |\n", ch.heading(),
			ch.Score, ch.MaxScore, ch.Count(check.Pass), len(ch.Checks), ch.OwnStack)
	}
	end := "\nGraded with " + r.Go + ".\n"
	if _, left := r.annotated(); len(left) > 0 {
		end = "\n" + strings.Replace(unannotated(left), "in the summary", "only here", 1) + "\n" + end
	}
	sections := r.sections()
	last := len(end) // bytes to keep for what stands at the end
	if b.Len()+sizeOf(sections)+last > limit {
		last += longestLeftOut(sections)
	}
	if b.Len()+last > limit {
		return fmt.Errorf("the summary of this step has room for %d bytes, and needs %d", max(limit, 0), b.Len()+last)
	}
	var left []section
	chapter := ""
	for _, s := range sections {
		text := s.text
		if s.chapter != chapter {
			text = "\n### " + s.chapter + "\n" + text
		}
		if b.Len()+len(text)+last > limit {
			left = append(left, s)
			continue
		}
		chapter = s.chapter
		b.WriteString(text)
	}
	if len(left) > 0 {
		b.WriteString(leftOut(left))
	}
	b.WriteString(end)
	_, err := io.WriteString(w, b.String())
	return err
}

// A section of the summary is about one check, or a chapter that does not compile.
type section struct{ id, chapter, text string }

// sections are about what fails.
func (r *Report) sections() (all []section) {
	for i := range r.Chapters {
		ch := &r.Chapters[i]
		for _, c := range ch.Failing() {
			if ch.Broken() {
				all = append(all, section{ch.ID, ch.Title, "\nIt does not compile.\n\n" + fenced(c.told(summaryText))})
				break
			}
			text := fmt.Sprintf("\n**%s** (%d points): %s\n\n%s", c.name(), c.Points, c.Property, fenced(c.told(summaryText)))
			if c.Hint != "" {
				text += "\nHint: " + c.Hint + "\n"
			}
			all = append(all, section{c.ID, ch.Title, text})
		}
		for _, c := range ch.OwnFails {
			text := fmt.Sprintf("\n**%s**, on your own stack: %s\n\n%s", c.name(), c.Property, fenced(c.told(summaryText)))
			all = append(all, section{c.ID + " on the own stack", ch.Title, text})
		}
	}
	return all
}

// sizeOf is how many bytes the sections take, each with the heading of its chapter.
func sizeOf(sections []section) (size int) {
	for _, s := range sections {
		size += len("\n### \n") + len(s.chapter) + len(s.text)
	}
	return size
}

// The most names in what leftOut says.
const namedLeftOut = 20

// leftOut says which sections are not in the summary.
func leftOut(left []section) string {
	var names []string
	for _, s := range left[:min(len(left), namedLeftOut)] {
		names = append(names, s.id)
	}
	if more := len(left) - namedLeftOut; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("\n### Left out\n\nGitHub shows 1 MiB of the summary of a step. The messages of %d failures are not here for that: %s. The result as JSON has them.\n",
		len(left), strings.Join(names, ", "))
}

// longestLeftOut is the length of the longest that leftOut can say of some of the sections.
func longestLeftOut(sections []section) int {
	if len(sections) == 0 {
		return 0
	}
	longest := slices.MaxFunc(sections, func(a, b section) int { return len(a.id) - len(b.id) })
	return len(leftOut(slices.Repeat([]section{longest}, len(sections))))
}

// capital is text as a sentence begins.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// fenced is text as a block of code, whatever fences it holds itself.
func fenced(text string) string {
	longest := 2
	for _, run := range backticks.FindAllString(text, -1) {
		longest = max(longest, len(run))
	}
	fence := strings.Repeat("`", longest+1)
	return fence + "text\n" + strings.TrimRight(Inert(text), "\n") + "\n" + fence + "\n"
}

var backticks = regexp.MustCompile("`+")
