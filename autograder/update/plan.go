package update

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// SumsName is a file that lists the files of the course outside of the exercises with their sums:
// an update writes it, so that the next one knows them, and a handout has it.
const SumsName = "course.sum"

// Pages is the folder in which a handout has the pages of the book, if it has them.
const Pages = "book/pages"

const (
	exercises = "exercises/"
	given     = "exercises/generated.sum"
)

// A planning is one call of New.
type planning struct {
	Options
	*Plan
	repo *repository
	old  map[string][]byte // the course's files as they were given
	next map[string][]byte // and as they are to be
	runs map[string]bool   // which of these are programs
}

// check returns an error if the new version is no course.
func (p *planning) check() error {
	if line, _, _ := strings.Cut(string(p.next["go.mod"]), "\n"); strings.TrimSpace(line) != "module gosched" {
		return Unusable(fmt.Sprintf("--from %s has no course: its go.mod does not begin with module gosched", p.From))
	}
	if p.next[given] == nil {
		return Unusable(fmt.Sprintf("--from %s has no %s, so it cannot be told what is given", p.From, given))
	}
	return nil
}

// current is the text of a file as it is now, and whether there is one.
func (p *planning) current(name string) (text []byte, there bool, err error) {
	text, err = os.ReadFile(filepath.Join(p.Root, filepath.FromSlash(name)))
	if errors.Is(err, os.ErrNotExist) {
		return nil, false, nil
	}
	return text, true, err
}

func (p *planning) write(name string, text []byte) {
	p.Steps = append(p.Steps, Step{Name: name, Text: text, Runs: p.runs[name]})
}

func (p *planning) remove(name string) {
	p.Steps = append(p.Steps, Step{Name: name, Remove: true})
}

// course plans what becomes of the files outside of the exercises.
func (p *planning) course() error {
	sums, err := p.sums()
	if err != nil {
		return err
	}
	wasGiven := func(name string, text []byte) bool {
		old, ok := p.old[name]
		return sums[name] == sum(text) || ok && alike(old, text)
	}
	names := map[string]bool{}
	for _, files := range []map[string][]byte{p.old, p.next} {
		for name := range files {
			names[name] = true
		}
	}
	for name := range sums {
		names[name] = true
	}
	isPage := func(name string) bool { return strings.HasPrefix(name, Pages+"/") }
	pages := slices.ContainsFunc(slices.Collect(maps.Keys(p.next)), isPage)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if strings.HasPrefix(name, exercises) || name == SumsName || isPage(name) && !pages {
			continue // a new version without pages leaves those that are there
		}
		if err := p.courseFile(name, wasGiven, sums[name] != "" || p.old[name] != nil); err != nil {
			return err
		}
	}
	if len(p.Steps) > 0 {
		p.write(SumsName, Sums(p.next))
	}
	return nil
}

// Sums is the text of the file SumsName for the files of a course.
func Sums(files map[string][]byte) []byte {
	var list bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasPrefix(name, exercises) && name != SumsName {
			fmt.Fprintf(&list, "%s  %s\n", sum(files[name]), name)
		}
	}
	return list.Bytes()
}

// courseFile plans what becomes of one of them; had says that the course had it before.
func (p *planning) courseFile(name string, wasGiven func(string, []byte) bool, had bool) error {
	now, there, err := p.current(name)
	if err != nil {
		return err
	}
	next, comes := p.next[name]
	switch {
	case comes && there && alike(now, next) && p.runsAsIt(name), !comes && !there:
	case comes && (!there || alike(now, next)):
		p.write(name, next)
	case comes && wasGiven(name, now):
		p.write(name, next)
	case comes:
		p.write(name, next)
		what := "You have changed " + name
		if !had {
			what = "You have a file " + name + ", and now the course has one"
		}
		p.Look = append(p.Look, what+": the course's is there now, and yours on the branch that is named below.")
	case wasGiven(name, now):
		p.remove(name)
	case had:
		p.Look = append(p.Look, "The course no longer has "+name+"; you have changed it, so it is still there.")
	}
	return nil
}

// runsAsIt reports whether a file is a program if it is one in the new version. Windows has no bits
// to tell that by.
func (p *planning) runsAsIt(name string) bool {
	info, err := os.Stat(filepath.Join(p.Root, filepath.FromSlash(name)))
	return runtime.GOOS == "windows" || err == nil && info.Mode()&0o100 != 0 == p.runs[name]
}

// sums reads the file that the last update wrote.
func (p *planning) sums() (map[string]string, error) {
	text, _, err := p.current(SumsName)
	sums := map[string]string{}
	for line := range strings.Lines(string(plain(text))) {
		if hash, name, ok := strings.Cut(strings.TrimSpace(line), "  "); ok {
			sums[name] = hash
		}
	}
	return sums, err
}

// exercises plans what becomes of the exercises.
func (p *planning) exercises(ctx context.Context) error {
	names := map[string]bool{}
	for name := range p.next {
		if strings.HasPrefix(name, exercises) && name != given {
			names[name] = true
		}
	}
	for name := range p.Given {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if err := p.exercise(ctx, name); err != nil {
			return err
		}
	}
	now, _, err := p.current(given)
	if err == nil && !alike(now, p.next[given]) {
		p.write(given, p.next[given])
	}
	return err
}

// exercise plans what becomes of one file.
func (p *planning) exercise(ctx context.Context, name string) error {
	mine, there, err := p.current(name)
	if err != nil {
		return err
	}
	was, had := p.Given[name]
	next, comes := p.next[name]
	if comes && there && (alike(mine, next) || had && alike(mine, was)) {
		if err := p.noLongerBeside(name, next); err != nil {
			return err
		}
	}
	switch {
	case comes && had && alike(was, next), comes && there && alike(mine, next), !comes && !there:
		return nil // it is the student's, or as it should be
	case comes && !there && had:
		p.Look = append(p.Look, fmt.Sprintf("%s was changed by the course; you have removed it, so it is not there.", name))
		return nil
	case comes && !there, comes && had && alike(mine, was):
		p.write(name, next)
		return nil
	case !comes && alike(mine, was):
		p.remove(name)
		return nil
	case !comes:
		p.Look = append(p.Look, fmt.Sprintf("The course no longer has %s; you have written in it, so it is still there. If the chapter no longer compiles, move what you need elsewhere.", name))
		return nil
	case !had:
		return p.beside(name, next, fmt.Sprintf("You have a file %s, and now the course has one", name))
	}
	merged, ok, err := p.repo.merge(ctx, mine, was, next)
	if err != nil {
		return err
	}
	if ok && p.sound(name, merged, mine) {
		p.write(name, merged)
		p.Merged = append(p.Merged, name+": your code, with what the course has changed around it.")
		return nil
	}
	return p.beside(name, next, fmt.Sprintf("You and the course have changed the same lines of %s", name))
}

// beside keeps the student's file, and puts the course's beside it.
func (p *planning) beside(name string, next []byte, why string) error {
	p.Look = append(p.Look, fmt.Sprintf("%s: yours is kept, and the course's is in %s.new. Take over what you need, and remove that.", why, path.Base(name)))
	if now, there, err := p.current(name + ".new"); err != nil || there && alike(now, next) {
		return err
	}
	p.write(name+".new", next)
	return nil
}

// noLongerBeside removes what an earlier update has put beside a file that is, or becomes, the same.
func (p *planning) noLongerBeside(name string, next []byte) error {
	beside := name + ".new"
	now, there, err := p.current(beside)
	if err == nil && there && alike(now, next) {
		p.remove(beside)
	}
	return err
}

// sound reports whether what was merged is still Go, with each function once, if the student's was.
func (p *planning) sound(name string, merged, mine []byte) bool {
	if path.Ext(name) != ".go" {
		return true
	}
	parses := func(text []byte) bool {
		_, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		return err == nil
	}
	functions := p.Functions(name, merged)
	slices.Sort(functions)
	twice := len(slices.Compact(slices.Clone(functions))) < len(functions)
	return !twice && (parses(merged) || !parses(mine))
}
