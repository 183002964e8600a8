package handout

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gosched/autograder/gen"
	"gosched/autograder/grade"
	"gosched/chapters"
)

// solutions adds, for each chapter, its solution or what stands for it.
func (m *making) solutions() error {
	forms, err := m.formsOfVersions()
	if err != nil {
		return err
	}
	var withheld []string
	for _, ch := range m.all {
		switch {
		case ch.Suite == nil:
			continue
		case slices.Contains(m.Solved, ch.ID):
			err = m.solved(ch)
		default:
			withheld = append(withheld, ch.ID)
			err = m.withheld(ch, forms[ch.Dir])
		}
		if err != nil {
			return err
		}
	}
	if len(withheld) > 0 {
		m.Left = append([]Left{{"the solutions of " + listed(withheld), "withheld, with their wrong solutions, so a check that needs them is left to your own run", 0}}, m.Left...)
	}
	return nil
}

// solved adds the solution of a chapter, and what its exercise is made of.
func (m *making) solved(ch chapters.Chapter) error {
	dir := filepath.Join(m.root, filepath.FromSlash(folder(ch)))
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	inExercise, err := gen.SolutionFiles(m.root, ch)
	if err != nil {
		return err
	}
	names = append(names, filepath.Join(dir, "testdata", "mutants.golden"))
	for _, name := range names {
		base := filepath.Base(name)
		if strings.HasSuffix(base, "_test.go") && !slices.Contains(inExercise, base) {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		m.Files[path.Join(folder(ch), filepath.ToSlash(rel))] = text
	}
	return nil
}

// withheld adds the skeleton of a chapter's solution, in which the named forms of its parts are
// what they are, and, if it is handed out, its exercise.
func (m *making) withheld(ch chapters.Chapter, forms []string) error {
	keep, err := m.declaring(ch, forms)
	if err != nil {
		return err
	}
	files, err := gen.Skeleton(m.root, ch, keep)
	if err != nil {
		return err
	}
	for name, text := range files {
		m.Files[path.Join(folder(ch), name)] = text
	}
	for _, name := range keep {
		m.forms = append(m.forms, path.Join(folder(ch), name))
	}
	if !slices.Contains(m.Chapters, ch.ID) {
		return nil
	}
	m.Files[path.Join(folder(ch), gen.GivenFile)], err = gen.Given(m.root, ch)
	return err
}

// always are what every chapter's solution declares.
var always = []string{"Parts", "Mutants", "Mends", "Harmless"}

// formsOfVersions returns what the versions of Go are made of besides the parts of each chapter, by its
// folder: "Given".
func (m *making) formsOfVersions() (map[string][]string, error) {
	name := filepath.Join(m.root, "solutions", "solutions.go")
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	dirs := map[string]string{} // by the name of the package
	for _, ch := range m.all {
		dirs[ch.ID] = ch.Dir
	}
	forms := map[string][]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if x, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := x.X.(*ast.Ident); ok && dirs[pkg.Name] != "" && !slices.Contains(always, x.Sel.Name) {
				forms[dirs[pkg.Name]] = append(forms[dirs[pkg.Name]], x.Sel.Name)
			}
		}
		return true
	})
	return forms, nil
}

// declaring returns the files of a chapter's solution that declare variables of these names.
func (m *making) declaring(ch chapters.Chapter, variables []string) ([]string, error) {
	dir := filepath.Join(m.root, filepath.FromSlash(folder(ch)))
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && slices.ContainsFunc(spec.Names, func(id *ast.Ident) bool { return slices.Contains(variables, id.Name) }) {
				names = append(names, filepath.Base(name))
			}
			_, isFunc := n.(*ast.FuncDecl)
			return !isFunc
		})
	}
	return names, nil
}

// exercises adds the exercises, untouched.
func (m *making) exercises() error {
	handed := m.handedOut()
	files, err := gen.Exercises(m.root, handed, false)
	if err != nil {
		return err
	}
	var withheld gen.Withheld
	for _, ch := range handed {
		if !slices.Contains(m.Solved, ch.ID) {
			withheld = append(withheld, ch.ID)
		}
	}
	for _, ch := range handed {
		if err := withheld.StandIn(files, path.Join(ch.Dir, ch.ID+"_test.go")); err != nil {
			return err
		}
	}
	maps.Copy(files, gen.Own(handed, withheld))
	for name, text := range files {
		m.Files[path.Join(grade.Exercises, name)] = text
	}
	name, text := gen.Checksums(files)
	m.Files[path.Join(grade.Exercises, name)] = text
	return nil
}

// handedOut are the chapters whose exercises are handed out.
func (m *making) handedOut() []chapters.Chapter {
	return slices.DeleteFunc(slices.Clone(m.all), func(ch chapters.Chapter) bool { return !slices.Contains(m.Chapters, ch.ID) })
}

// list takes the suites of the chapters that are not handed out out of the list of chapters: the
// command then takes them for chapters that are not there yet.
func (m *making) list() error {
	const name = "chapters/chapters.go"
	text := string(m.Files[name])
	for _, ch := range m.all {
		if ch.Suite == nil || slices.Contains(m.Chapters, ch.ID) {
			continue
		}
		suite, imported := fmt.Sprintf(", Suite: %s.Suite}", ch.ID), fmt.Sprintf("\t\"gosched/chapters/%s\"\n", ch.Dir)
		if !strings.Contains(text, suite) || !strings.Contains(text, imported) {
			return fmt.Errorf("%s has no line of chapter %s as it is expected: %s", name, ch.ID, suite)
		}
		text = strings.Replace(strings.Replace(text, suite, "}", 1), imported, "", 1)
	}
	m.Files[name] = []byte(text)
	return nil
}

// names are the names of the files, in order.
func (h *Handout) names() []string { return slices.Sorted(maps.Keys(h.Files)) }
