package rehearsal

import (
	_ "embed"
	"fmt"
	"path"
	"strings"

	"gosched/autograder/gen"
	"gosched/autograder/grade"
	"gosched/chapters"
	"gosched/solutions/mutation"
)

// mutationsOfEach is how many mutations of a chapter there are in a class that has each case.
const mutationsOfEach = 8

// list has mutations of the solutions that a check is known to see, each time: a line has the
// check and the name of the mutation, and those of a chapter stand together. They were drawn by
// lot; TestMutations draws them anew with GOSCHED_UPDATE=1.
//
//go:embed mutations.txt
var list string

// A Mutant is a solution with a mutation.
type Mutant struct {
	Chapter string // "ch03"
	Check   string // which does not pass: "ch03/park-order"
	Name    string // of the mutation
	File    string // that has it, as a slash path from the root
	Text    []byte
}

// listed are the mutations of a chapter in the list, without their files.
func listed(chapter string) (all []Mutant) {
	for line := range strings.Lines(list) {
		checked, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if ok && strings.HasPrefix(checked, chapter+"/") {
			all = append(all, Mutant{Chapter: chapter, Check: checked, Name: name})
		}
	}
	return all
}

// Mutants returns the listed mutations of a chapter of the course in the folder root, at most so
// many.
func Mutants(root string, ch chapters.Chapter, most int) ([]Mutant, error) {
	all := listed(ch.ID)
	all = all[:min(most, len(all))]
	if len(all) == 0 {
		return nil, nil
	}
	loaded, err := mutation.Load(root, []string{ch.Dir})
	if err != nil {
		return nil, err
	}
	solved, err := gen.Solution(root, ch)
	if err != nil {
		return nil, err
	}
	by := map[string]*mutation.Mutation{}
	for _, m := range loaded[0].Mutations {
		by[m.Name] = m
	}
	for i := range all {
		m := by[all[i].Name]
		if m == nil {
			return nil, fmt.Errorf("autograder/class/rehearsal/mutations.txt: %s has no mutation %q; has the solution changed?", ch.ID, all[i].Name)
		}
		if all[i], err = mutant(root, ch, solved, m, all[i].Check); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// mutant is the solution of a chapter, whose files are solved, with a mutation that the check sees.
func mutant(root string, ch chapters.Chapter, solved map[string][]byte, m *mutation.Mutation, seenBy string) (Mutant, error) {
	name := path.Base(m.File())
	changed := []byte("package p\n\n" + m.Source + "\n")
	functions := gen.Functions(name, changed)
	if len(functions) != 1 || solved[name] == nil {
		return Mutant{}, fmt.Errorf("%s: %s: it is not one function of an exercise", ch.ID, m.Name)
	}
	text, err := gen.ResetFunction(root, name, functions[0], solved[name], changed)
	return Mutant{ch.ID, seenBy, m.Name, path.Join(grade.Exercises, ch.Dir, name), text}, err
}

// mutations are students whose solution has a mistake, so many of each chapter if there are.
func (c *course) mutations(most int) ([]Student, error) {
	var all []Student
	for _, ch := range c.chapters {
		mutants, err := Mutants(c.root, ch, most)
		if err != nil {
			return nil, err
		}
		for _, m := range mutants {
			expected := graded(c.but(All, ch, NotAll))
			expected.Check = m.Check
			all = append(all, student(Mutation, ch.ID+": "+m.Name, with(c.solved, m.File, m.Text), expected))
		}
	}
	return all, nil
}
