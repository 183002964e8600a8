// Package rehearsal makes a class of invented students, so that an instructor can go through an
// afternoon of grading before a real class comes, and so that the course's own tests have a class
// to grade.
//
// Of each student it is known beforehand what must come of the grading: full points for the
// solution, none for a file that does not compile, a check that fails for a solution with a
// mistake in it, a refusal for a cheat. What is made depends on nothing but the course: each
// time it is the same, to the byte.
//
//	students.go      who is in the class
//	mutations.go     solutions with a small mistake, and the check that sees it
//	write.go         the class as folders, repositories and a roster
//	expected.go      what must come of it, and whether it has
package rehearsal

import (
	"fmt"
	"maps"
	"path"
	"slices"

	"gosched/autograder/gen"
	"gosched/autograder/grade"
	"gosched/chapters"
)

// A Student is one who was invented.
type Student struct {
	Name string // "student-001"
	Kind Kind
	What string // what was handed in, in a few words

	// Work is what was handed in, nil for nothing at all. If it was committed, there are
	// versions of it, the oldest first, and Ref names the one to grade.
	Work    []Version
	Commits bool
	Ref     string // a branch, or, with hashOf before it, the place in Work of the commit whose hash it is
	Due     string // as in a roster
	Expected
}

// A Kind says in which way a submission is as it is.
type Kind string

const (
	Solution   Kind = "solution"
	Unfinished Kind = "unfinished"
	Broken     Kind = "broken"
	Mutation   Kind = "mutation"
	Repository Kind = "repository"
	Nothing    Kind = "nothing"
	Cheat      Kind = "cheat"
)

// A Version is the content of a submission: files by slash path from its folder.
type Version struct {
	Files map[string][]byte
	Link  func(dir string) error // if not nil, makes in the folder what is no file
	Time  string                 // of the commit, as in a roster
}

// A course is what submissions are made from: the exercises of the chapters that are graded,
// by slash path from the root.
type course struct {
	root     string
	chapters []chapters.Chapter
	given    map[string][]byte // as they are given
	solved   map[string][]byte // with the solutions in them
}

// open reads the chapters of the course in the folder root.
func open(root string, of []chapters.Chapter) (*course, error) {
	c := &course{root: root, chapters: of, given: map[string][]byte{}, solved: map[string][]byte{}}
	for _, ch := range of {
		given, err := gen.Exercises(root, []chapters.Chapter{ch}, false)
		if err != nil {
			return nil, err
		}
		solved, err := gen.Solution(root, ch)
		if err != nil {
			return nil, err
		}
		for name, text := range given {
			if path.Dir(name) == ch.Dir {
				c.given[path.Join(grade.Exercises, name)] = text
			}
		}
		for name, text := range solved {
			c.solved[path.Join(grade.Exercises, ch.Dir, name)] = text
		}
	}
	for name, text := range c.given {
		if _, ok := c.solved[name]; !ok {
			c.solved[name] = text
		}
	}
	return c, nil
}

// with is files with one changed.
func with(files map[string][]byte, name string, text []byte) map[string][]byte {
	files = maps.Clone(files)
	files[name] = text
	return files
}

// Make makes a class of so many students for the course in the folder root, to be graded in
// these chapters. With 0 each case is there once, and of each chapter eight mistakes, which are
// a hundred students in two chapters. In a smaller class only some of the cases are, of each
// kind as many; in a larger one there are more mistakes, and then the solution again and again,
// since real classes have that, too. Without chapter 1 there are no cheats: they are all in
// that one.
func Make(root string, of []chapters.Chapter, students int) ([]Student, error) {
	c, err := open(root, of)
	if err != nil {
		return nil, err
	}
	cast := c.honest()
	cheats, err := c.cheats()
	if err != nil {
		return nil, err
	}
	mutations, err := c.mutations(mistakes(students, len(cast)+len(cheats), len(of)))
	if err != nil {
		return nil, err
	}
	all := slices.Concat(cast, mutations, cheats)
	if students > 0 {
		all = thin(all, students)
	}
	for students > len(all) {
		all = append(all, c.again())
	}
	for i := range all {
		all[i].Name = fmt.Sprintf("student-%03d", i+1)
	}
	return all, nil
}

// mistakes is how many mutations of each chapter there are in a class of so many students.
func mistakes(students, others, chapters int) int {
	switch {
	case students == 0:
		return mutationsOfEach
	case students <= others+chapters:
		return 1
	}
	return (students - others) / chapters
}

// thin leaves n of the students if there are more: in turn one of each kind, as long as there
// are any. They stay in their order.
func thin(all []Student, n int) []Student {
	if n >= len(all) {
		return all
	}
	var kinds []Kind
	at := map[Kind][]int{}
	for i, s := range all {
		if at[s.Kind] == nil {
			kinds = append(kinds, s.Kind)
		}
		at[s.Kind] = append(at[s.Kind], i)
	}
	var kept []int
	for i := 0; len(kept) < n; i = (i + 1) % len(kinds) {
		if left := at[kinds[i]]; len(left) > 0 {
			kept, at[kinds[i]] = append(kept, left[0]), left[1:]
		}
	}
	slices.Sort(kept)
	var some []Student
	for _, i := range kept {
		some = append(some, all[i])
	}
	return some
}
