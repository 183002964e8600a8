package gen

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gosched/chapters"
)

// GivenFile is beside the reference of a chapter that is withheld, and has what would otherwise be
// made from it.
const GivenFile = "given.json"

// ErrWithheld is the error of Solution for a chapter whose solution is not there.
var ErrWithheld = errors.New("the solution is not in this repository; your instructor has it")

// A given is all that is made from the solution of a chapter, for a repository without that.
type given struct {
	Exercise map[string]string `json:"exercise"` // the text of each file
	Guided   map[string]string `json:"guided"`   // of those that are others with the steps in them
	Ladders  []ladder          `json:"ladders"`
}

// A ladder is the help for one function.
type ladder struct {
	Function string `json:"function"` // "runQueue.Runqput"
	Rungs    []Rung `json:"rungs"`
}

// Withheld are the IDs of the chapters of which the solution is withheld.
type Withheld []string

// WithheldIn returns those in the course in the folder root: none, but in a repository that
// students get.
func WithheldIn(root string) Withheld {
	names, _ := filepath.Glob(filepath.Join(root, "solutions", "*", GivenFile))
	var ids Withheld
	for _, name := range names {
		id, _, _ := strings.Cut(filepath.Base(filepath.Dir(name)), "_")
		ids = append(ids, id)
	}
	return ids
}

// StandIn changes the test of a chapter's exercise, which has this name among these files, to what
// it is in a course of which solutions are withheld: the student's parts of other
// chapters stand in for the reference's.
func (w Withheld) StandIn(files map[string][]byte, name string) error {
	if len(w) == 0 || files[name] == nil {
		return nil
	}
	moved := bytes.ReplaceAll(files[name], []byte("solutions.Base("), []byte("exercises.Base("))
	moved = bytes.ReplaceAll(moved, []byte(`"gosched/solutions"`), []byte(`"gosched/exercises"`))
	var err error
	files[name], err = format.Source(moved) // the imports are in another order now
	return err
}

// readGiven returns what is given of a chapter, nil if its solution is there.
func readGiven(root, dir string) (*given, error) {
	name := filepath.Join(root, "solutions", dir, GivenFile)
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	g := new(given)
	if err == nil {
		err = json.Unmarshal(text, g)
	}
	if err != nil {
		return nil, fmt.Errorf("what is given of a chapter cannot be read: %s: %w", name, err)
	}
	return g, nil
}

// files adds the files of the exercise.
func (g *given) files(dir string, guided bool, files map[string][]byte) {
	if g == nil {
		return
	}
	for name, text := range g.Exercise {
		files[path.Join(dir, name)] = []byte(text)
	}
	if guided {
		for name, text := range g.Guided {
			files[path.Join(dir, name)] = []byte(text)
		}
	}
}

func (g *given) toWrite() (names []string) {
	if g == nil {
		return nil
	}
	for _, l := range g.Ladders {
		names = append(names, l.Function)
	}
	return names
}

func (g *given) ladder(function string) ([]Rung, error) {
	for _, l := range g.Ladders {
		if _, method, _ := strings.Cut(l.Function, "."); l.Function == function || method == function {
			return l.Rungs, nil
		}
	}
	return nil, ErrNoFunction
}

// Given is the text of the file that stands for a chapter's solution where that is withheld: the
// exercise, and the hints.
func Given(root string, ch chapters.Chapter) (text []byte, err error) {
	g := given{Exercise: map[string]string{}, Guided: map[string]string{}}
	for _, guided := range []bool{false, true} {
		files := map[string][]byte{}
		if err := chapterFiles(root, ch, guided, files); err != nil {
			return nil, err
		}
		for name, text := range files {
			name := path.Base(name)
			switch {
			case !guided:
				g.Exercise[name] = string(text)
			case g.Exercise[name] != string(text):
				g.Guided[name] = string(text)
			}
		}
	}
	names, err := ToWrite(root, ch)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		rungs, err := Ladder(root, ch, name)
		if err != nil {
			return nil, err
		}
		g.Ladders = append(g.Ladders, ladder{name, rungs})
	}
	text, err = json.MarshalIndent(g, "", "\t")
	return append(text, '\n'), err
}

// Skeleton is what stands for a chapter's solution where that is withheld, in its folder: its
// types and constructors, whose methods say that they are withheld, and the files named in
// keep, which are forms of the parts of other versions, with the functions that these call. It
// has neither mutants nor what is to be mended.
func Skeleton(root string, ch chapters.Chapter, keep []string) (map[string][]byte, error) {
	names, err := filepath.Glob(filepath.Join(root, "solutions", ch.Dir, "*.go"))
	if err != nil {
		return nil, err
	}
	maker := &Maker{PackageName: packageNames(root), Withheld: true, Keep: map[string]bool{}}
	files := map[string][]byte{"withheld.go": fmt.Appendf(nil, withheldGo, ch.ID)}
	for _, base := range keep {
		src, err := os.ReadFile(filepath.Join(root, "solutions", ch.Dir, base))
		if err != nil {
			return nil, err
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), base, src, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(syntax, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				maker.Keep[id.Name] = true
			}
			return true
		})
	}
	for _, name := range names {
		base := filepath.Base(name)
		if strings.HasSuffix(base, "_test.go") || slices.Contains(solutionOnly, base) || strings.HasPrefix(base, "alternatives") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		stub, err := maker.Stub(path.Join("solutions", ch.Dir, base), src)
		if err != nil {
			return nil, err
		}
		text := stub.Source
		if stub.Omit {
			if !slices.Contains(keep, base) {
				continue
			}
			text = src
		}
		if files[base], err = Strip(base, text); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// Checksums is the file beside the exercises that tells an edited one from one that is as it was
// given: its name, and its text for these files.
func Checksums(files map[string][]byte) (name string, text []byte) { return sumsFile, sums(files) }

// SolutionFiles are the names of the Go files in a chapter's solution that its exercise has, too.
func SolutionFiles(root string, ch chapters.Chapter) ([]string, error) {
	files, err := Solution(root, ch)
	return slices.Sorted(maps.Keys(files)), err
}

const withheldGo = `package %s

import "gosched/chapters/check"

// The wrong solutions of the chapter, and what is to be mended in it, are withheld with its
// solution.
var (
	Mutants  []check.Mutant
	Mends    check.Mends
	Harmless []check.Mutant
)
`
