// Package gen makes the exercises from the solutions.
//
// A solution is an ordinary Go package with directives. A function with
// //course:exercise in its doc comment loses its body: the student writes it. Lines in
// the body say what the stub says and what the hints are: //course:holds is what must
// hold, and //course:question what is to be thought of; both stand in the stub, below the
// contract. //course:lead, //course:step and, made of the code, its shape are the
// rungs of a ladder of hints. A method with //course:mend and the name of a mutant is the
// student's with that mistake in it. What has //course:omit, a declaration, a spec, a
// field or, above the package clause, a whole file, stays out of the exercise.
//
// What gen has written once belongs to the student. It knows an edited file by
// the list of checksums beside the exercises, and does not touch it.
package gen

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gosched/chapters"
)

const module = "gosched"

// solutionOnly are the files of a solution that no exercise has; and those that begin with
// "alternatives".
var solutionOnly = []string{"mutants.go", "mutants_test.go", "bench_test.go", "mends.go"}

// Exercises generates all exercises from the tree at root. With guided set the stubs have
// the steps. Keys are slash paths below exercises/.
func Exercises(root string, all []chapters.Chapter, guided bool) (map[string][]byte, error) {
	files, withheld := map[string][]byte{}, WithheldIn(root)
	var written []chapters.Chapter
	for _, ch := range all {
		if ch.Suite == nil {
			continue
		}
		if err := errors.Join(chapterFiles(root, ch, guided, files), withheld.StandIn(files, path.Join(ch.Dir, ch.ID+"_test.go"))); err != nil {
			return nil, err
		}
		written = append(written, ch)
	}
	for name, text := range Own(written, withheld) {
		files[name] = text
	}
	return files, nil
}

// chapterFiles generates the folder of one chapter.
func chapterFiles(root string, ch chapters.Chapter, guided bool, files map[string][]byte) error {
	if given, err := readGiven(root, ch.Dir); given != nil || err != nil {
		given.files(ch.Dir, guided, files)
		return err
	}
	solution, err := readSolution(root, ch, guided)
	if err != nil {
		return err
	}
	var tasks []todo
	for _, f := range solution {
		files[path.Join(ch.Dir, f.name)] = append([]byte(f.header), f.stub.Source...)
		for _, name := range f.stub.Functions {
			tasks = append(tasks, todo{name, f.name})
		}
	}
	task, err := os.ReadFile(filepath.Join(root, "chapters", ch.Dir, "task.md"))
	if err != nil {
		return fmt.Errorf("%s has no task: %w", ch.ID, err)
	}
	files[path.Join(ch.Dir, "README.md")] = readme(ch, string(task), tasks)
	return nil
}

// A solutionFile is a file of a solution that the exercise has, too.
type solutionFile struct {
	name   string
	src    []byte
	stub   *Stub
	header string // what stands above the stub in the exercise
}

// readSolution reads the files of a chapter's solution that its exercise has.
func readSolution(root string, ch chapters.Chapter, guided bool) ([]solutionFile, error) {
	if given, err := readGiven(root, ch.Dir); given != nil || err != nil {
		return nil, cmp.Or(err, error(ErrWithheld))
	}
	names, err := filepath.Glob(filepath.Join(root, "solutions", ch.Dir, "*.go"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has a suite, but there is no Go file in solutions/%s", ch.ID, ch.Dir)
	}
	maker := &Maker{PackageName: packageNames(root), Interleaving: interleaving(root, ch.Dir), Guided: guided}
	if maker.Contracts, err = contracts(root, ch); err != nil {
		return nil, err
	}
	if maker.Mutants, err = os.ReadFile(filepath.Join(root, "solutions", ch.Dir, "mutants.go")); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	var files []solutionFile
	for _, name := range names {
		f := solutionFile{name: filepath.Base(name)}
		if slices.Contains(solutionOnly, f.name) || strings.HasPrefix(f.name, "alternatives") {
			continue
		}
		shown := path.Join("solutions", ch.Dir, f.name)
		if f.src, err = os.ReadFile(name); err != nil {
			return nil, err
		}
		if f.stub, err = maker.Stub(shown, f.src); err != nil {
			return nil, err
		}
		if f.stub.Omit {
			continue
		}
		if f.stub.Source, err = elsewhere(ch, f.stub.Source); err != nil {
			return nil, fmt.Errorf("%s: %w", shown, err)
		}
		f.header = header(ch, f.name, f.stub)
		files = append(files, f)
	}
	return files, nil
}

// elsewhere is a file of a solution that imports the exercise in its place.
func elsewhere(ch chapters.Chapter, src []byte) ([]byte, error) {
	moved := bytes.ReplaceAll(src, []byte(module+"/solutions/"+ch.Dir+`"`), []byte(module+"/exercises/"+ch.Dir+`"`))
	return format.Source(moved) // the imports are in another order now
}

// header is the comment at the top of a file of an exercise.
func header(ch chapters.Chapter, base string, stub *Stub) string {
	if strings.HasSuffix(base, "_test.go") && len(stub.Functions) == 0 {
		return fmt.Sprintf("// This file runs the checks of chapter %s on your code. There is nothing to\n"+
			"// write in it; the checks themselves are in chapters/%s.\n\n", number(ch), ch.Dir)
	}
	return fmt.Sprintf("// This file is yours: what you write in it is kept. The task is in README.md\n"+
		"// beside it, and this command checks your code:\n"+
		"//\n//\tgo run ./autograder test %s\n\n", ch.ID)
}

// number is the chapter's number as people say it: "7".
func number(ch chapters.Chapter) string {
	return strings.TrimLeft(strings.TrimPrefix(ch.ID, "ch"), "0")
}

// A todo is a function to write, and its file.
type todo struct {
	function string
	file     string
}

// readme is the text of the task with what the suite knows.
func readme(ch chapters.Chapter, text string, tasks []todo) []byte {
	var b strings.Builder
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "# ") {
		fmt.Fprintf(&b, "# Chapter %s: %s\n\n", number(ch), ch.Title)
	}
	b.WriteString(text)
	b.WriteString("\n\n## To write\n\n| File | Functions |\n|--|--|\n")
	for len(tasks) > 0 {
		file := tasks[0].file
		var names []string
		for len(tasks) > 0 && tasks[0].file == file {
			names = append(names, "`"+tasks[0].function+"`")
			tasks = tasks[1:]
		}
		fmt.Fprintf(&b, "| [%s](%s) | %s |\n", file, file, strings.Join(names, ", "))
	}
	fmt.Fprintf(&b, "\n## Checks\n\n`go run ./autograder test %s` runs them all; with a check's name after it, just that one.\n\n", ch.ID)
	b.WriteString("| Check | Points | What holds |\n|--|--:|--|\n")
	for _, c := range ch.Suite.Checks {
		fmt.Fprintf(&b, "| %s | %d | %s |\n", c.Name, c.Points, strings.ReplaceAll(c.Property, "|", `\|`))
	}
	return []byte(b.String())
}

// packageNames returns a function that tells the name of the package with an
// import path: for a package of this module, what its files say, else what the
// path says.
func packageNames(root string) func(string) string {
	return func(importPath string) string {
		if rest, ok := strings.CutPrefix(importPath, module+"/"); ok {
			names, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(rest), "*.go"))
			for _, name := range names {
				if strings.HasSuffix(name, "_test.go") {
					continue
				}
				if f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly); err == nil {
					return f.Name.Name
				}
			}
		}
		base := path.Base(importPath)
		if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
			base = path.Base(path.Dir(importPath))
		}
		return base
	}
}
