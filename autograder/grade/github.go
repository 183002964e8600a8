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

// WriteAnnotations writes a workflow command of GitHub Actions for each check
// that fails: an error at the place in the exercise that it is about. root is
// where the exercises are looked into for that.
func (r *Report) WriteAnnotations(w io.Writer, root string) error {
	for i := range r.Chapters {
		ch := &r.Chapters[i]
		failing := ch.Failing()
		if ch.Broken() {
			failing = failing[:1] // they all say the same
			failing[0].Name = "it does not compile"
		}
		for _, c := range failing {
			place := ""
			if file, line := r.place(root, ch, c); file != "" {
				place = fmt.Sprintf("file=%s,line=%s,", property.Replace(file), line)
			}
			title := fmt.Sprintf("chapter %s: %s", strings.TrimLeft(ch.ID[2:], "0"), c.Name)
			text := c.Message
			if c.Property != "" && c.Status != check.BuildError {
				text = c.Property + "\n" + text
			}
			if _, err := fmt.Fprintf(w, "::error %stitle=%s::%s\n", place, property.Replace(title), data.Replace(text)); err != nil {
				return err
			}
		}
	}
	return nil
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
	named := regexp.MustCompile(regexp.QuoteMeta(dir) + `/[\w.]+\.go:\d+`)
	for _, text := range []string{c.Message, c.Evidence} {
		if found := named.FindString(text); found != "" {
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

// WriteMarkdown writes the report as Markdown: the summary of a job.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %d of %d points\n\n", r.Score, r.MaxScore)
	b.WriteString("| Chapter | Points | Checks that pass | Own stack |\n|--|--:|--:|--|\n")
	for i := range r.Chapters {
		ch := &r.Chapters[i]
		fmt.Fprintf(&b, "| %s. %s | %d/%d | %d/%d | %s |\n", strings.TrimLeft(ch.ID[2:], "0"), ch.Title,
			ch.Score, ch.MaxScore, ch.Count(check.Pass), len(ch.Checks), ch.OwnStack)
	}
	for i := range r.Chapters {
		ch := &r.Chapters[i]
		failing := ch.Failing()
		if len(failing) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n### %s\n", ch.Title)
		if ch.Broken() {
			fmt.Fprintf(&b, "\nIt does not compile.\n\n%s", fenced(failing[0].Evidence))
			continue
		}
		for _, c := range failing {
			fmt.Fprintf(&b, "\n**%s** (%d points): %s\n\n%s\nHint: %s\n", c.Name, c.Points, c.Property, fenced(c.Message), c.Hint)
		}
	}
	b.WriteString("\nGraded with " + r.Go + ".\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// fenced is text as a block of code, whatever fences it holds itself.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "text\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n"
}
