package grade

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gosched/autograder/content"
	"gosched/autograder/policy"
	"gosched/chapters"
	"gosched/chapters/check"
	"gosched/chapters/sample"
)

// What a student writes beside the parts, a test, a mended method or a prediction, is judged
// on parts of the course. An edit of the student's own parts changes nothing there, but these
// checks take as long as all others together. So it is kept which of them have passed, with a
// sum of everything that the verdict depends on. In a class many write the same.

// knownDir is where it is kept, from the root: an empty file for each check that has passed, with
// the sum as its name.
const knownDir = ".gosched/passed"

// A knowledge is what is known of the checks of a chapter, without running them.
type knowledge struct {
	dir  string
	sums map[string]string // of what the verdicts depend on, by what the student writes; none: nothing is known, or kept
}

// known returns what is known of a chapter of the joint.
func (g *grading) known(ch chapters.Chapter) knowledge {
	k := knowledge{dir: filepath.Join(g.Root, filepath.FromSlash(knownDir), ch.ID)}
	if g.course == nil || !g.joint.has(ch.ID) || !g.independent(ch) {
		return k
	}
	course, err := g.course()
	if err != nil {
		return k
	}
	texts := map[string]string{}
	for _, name := range testFiles(ch) {
		text, err := g.read(path.Join(g.Of, ch.Dir, name))
		if err != nil {
			return k
		}
		texts[name] = string(text)
	}
	k.sums = map[string]string{}
	for name := range texts {
		h := sha256.New()
		fmt.Fprintln(h, g.report.Go, sample.Whole(), course)
		for _, n := range slices.Sorted(maps.Keys(texts)) {
			if n == name || !standsAlone(name, texts) {
				fmt.Fprintf(h, "%s %d\n%s", n, len(texts[n]), texts[n])
			}
		}
		k.sums[name] = fmt.Sprintf("%x", h.Sum(nil))
	}
	return k
}

// standsAlone reports whether a file names nothing that the others of its package declare, so
// that it does the same beside any others.
func standsAlone(name string, texts map[string]string) bool {
	declared := map[string]bool{}
	named := map[string]bool{}
	for n, text := range texts {
		f, err := parser.ParseFile(token.NewFileSet(), n, text, parser.SkipObjectResolution)
		if err != nil {
			return false
		}
		if n == name {
			ast.Inspect(f, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					named[id.Name] = true
				}
				return true
			})
			continue
		}
		for _, d := range policy.Declared(f) {
			declared[d.Name] = true
		}
	}
	for d := range declared {
		if named[d] && d != "_" {
			return false
		}
	}
	return true
}

// file is where it is kept that a check has passed, "" if it is not.
func (k knowledge) file(c *Check) string {
	if sum := k.sums[c.Kind.File()]; sum != "" {
		return filepath.Join(k.dir, c.Name+"-"+sum)
	}
	return ""
}

// passed reports whether a check is known to pass.
func (k knowledge) passed(c *Check) bool {
	file := k.file(c)
	return file != "" && content.Used(file)
}

// keep keeps which checks of the chapter have passed. If it cannot, they will run once more.
func (k knowledge) keep(checks []Check) {
	for i := range checks {
		c := &checks[i]
		if !c.Kind.Written() || c.Status != check.Pass {
			continue
		}
		if file := k.file(c); file != "" && !content.Used(file) && os.MkdirAll(k.dir, 0o755) == nil {
			_ = os.WriteFile(file, nil, 0o644)
		}
	}
	content.Trim(k.dir)
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
