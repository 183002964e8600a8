package grade

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gosched/chapters"
	"gosched/chapters/sample"
)

// What a student writes beside the parts, a test, a mended method or a prediction, is judged
// on parts of the course. An edit of the student's own parts changes nothing there, but these
// checks take as long as all others together. So it is kept which of them have passed, with a
// sum of everything that the verdict depends on.

// knownDir is where it is kept, from the root: a file for each check, with the sum.
const knownDir = ".gosched/passed"

// A knowledge is what is known of the checks of a chapter, without running them.
type knowledge struct {
	dir string
	sum string // of what the verdicts depend on; "": nothing is known of them, or kept
}

// known returns what is known of a chapter of the joint.
func (g *grading) known(ch chapters.Chapter) knowledge {
	k := knowledge{dir: filepath.Join(g.Root, filepath.FromSlash(knownDir), ch.ID)}
	if g.course != nil && g.joint.has(ch.ID) && g.independent(ch) {
		course, err := g.course()
		if err != nil {
			return k
		}
		h := sha256.New()
		fmt.Fprintln(h, g.report.Go, sample.Whole(), course)
		for _, name := range testFiles(ch) {
			text, err := g.read(path.Join(g.Of, ch.Dir, name))
			if err != nil {
				return k
			}
			fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
		}
		k.sum = fmt.Sprintf("%x", h.Sum(nil))
	}
	return k
}

// passed reports whether a check is known to pass.
func (k knowledge) passed(c *Check) bool {
	text, err := os.ReadFile(filepath.Join(k.dir, c.Name))
	return err == nil && k.sum != "" && string(text) == k.sum
}

// keep keeps that a check has passed. If it cannot, the check will run once more.
func (k knowledge) keep(c *Check) {
	if k.sum != "" && os.MkdirAll(k.dir, 0o755) == nil {
		_ = os.WriteFile(filepath.Join(k.dir, c.Name), []byte(k.sum), 0o644)
	}
}

// independent reports whether what the student writes beside the parts does without them: only
// the file that hands the parts to the suite imports them.
func (g *grading) independent(ch chapters.Chapter) bool {
	for _, name := range testFiles(ch)[1:] {
		text, err := g.read(path.Join(g.Of, ch.Dir, name))
		if err != nil {
			return false
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil || slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool {
			p, _ := strconv.Unquote(i.Path.Value)
			return strings.HasPrefix(p+"/", "gosched/"+Exercises+"/")
		}) {
			return false
		}
	}
	return true
}
