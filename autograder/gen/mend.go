package gen

import (
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"strings"

	"gosched/chapters/check"
)

// mend puts the mistake of a mutant into a method of the solution that mends it: the student
// gets the mutant's method of that name, and what its check says of it. The type of the
// mutant has its name: tailBeforeSlot for tail-before-slot.
func (f *file) mend(decl *ast.FuncDecl, mutant string) error {
	wrong, err := parse("mutants.go", f.maker.Mutants, f.packageName)
	if err != nil {
		return err
	}
	name := check.MutantType(mutant) + "." + decl.Name.Name
	from := wrong.find(name)
	if from == nil || decl.Recv == nil {
		return f.errorf(decl.Pos(), "%s %s: there is no method %s in mutants.go", directiveMend, mutant, name)
	}
	report, err := f.maker.Interleaving(mutant)
	if err != nil {
		return f.errorf(decl.Pos(), "%s %s: %v", directiveMend, mutant, err)
	}
	for _, c := range decl.Doc.List {
		if strings.HasPrefix(c.Text, directiveMend) {
			f.dropDirective(decl.Doc, c)
		}
	}
	f.edits = append(f.edits, edit{f.offset(decl.Pos()), f.offset(decl.Pos()), "//\n" + commented(indented(check.Rows(report)))})
	receiver, named := decl.Recv.List[0].Names, from.Recv.List[0].Names
	if len(receiver) == 1 && len(named) == 1 {
		f.edits = append(f.edits, edit{f.offset(receiver[0].Pos()), f.offset(receiver[0].End()), named[0].Name})
	}
	text := wrong.src[wrong.offset(from.Type.Params.Pos()):wrong.offset(from.End())]
	f.edits = append(f.edits, edit{f.offset(decl.Type.Params.Pos()), f.offset(decl.End()), string(text)})
	return nil
}

// indented has a tab before each line that is not empty.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			b.WriteByte('\t')
		}
		b.WriteString(line)
	}
	return b.String()
}

// interleaving returns a function that finds what the check of a mutant says, in the file in
// which the tests of the mutants keep it.
func interleaving(root, dir string) func(string) (string, error) {
	return func(mutant string) (string, error) {
		name := filepath.Join(root, "solutions", dir, "testdata", "mutants.golden")
		text, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		_, rest, ok := strings.Cut("\n"+string(text), "\n=== "+mutant+" fails ")
		if !ok {
			return "", fmt.Errorf("mutants.golden has no message of it")
		}
		rest, _, _ = strings.Cut(rest, "\n=== ")
		_, message, _ := strings.Cut(rest, "\n")
		return message, nil
	}
}
