// Package submission takes from a folder what a student has written, and nothing else.
//
// Whoever grades a submission builds the course, with the student's files in the place of the
// exercises. So the suites, the module files, the tests and whatever else a submission has may
// be as they like: they are named, and ignored. What is taken is copied when it is looked at,
// and read through an os.Root, so neither a link nor a file that changes later brings in
// anything from elsewhere.
//
// What a file may not be or do is a finding. It is refused as a whole with what it is built
// with: of a chapter's parts all, if something is wrong with one, and of the files beside them
// that one. In their place stands the exercise as it was given, so that nothing is built that
// was refused, and the other chapters do not notice.
package submission

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"gosched/autograder/gen"
	"gosched/autograder/grade"
	"gosched/autograder/policy"
	"gosched/chapters"
)

// Files are what was taken of a submission. Names are slash paths from the root of the course.
type Files struct {
	// Overlay has every file of the exercises: the student's, and, where there is none or it
	// was refused, that which the course gives. What else the course's own folder has in its
	// exercises it leaves out.
	Overlay grade.Overlay
	// Dir is a temporary folder with the files of the Overlay by their names. A check that
	// reads the source of the parts runs in Dir/exercises/ch07_runq.
	Dir string

	Taken    []string         // the student's files that were read, refused or not
	Ignored  []string         // what differs from the course and was not looked at; folders end in a slash
	Findings []policy.Finding // why files were refused

	// Sum is a sum of what was taken, refused or ignored: two submissions with the same one
	// have the same report.
	Sum string
}

// Remove removes the temporary folder.
func (f *Files) Remove() error { return os.RemoveAll(f.Dir) }

// Read reads the submission in the folder dir, which is a student's repository or only its
// exercises, for the course in the folder course. The error is about the course, or that there
// is no room; what is wrong with a submission is in Findings. The caller removes the Files.
func Read(dir, course string) (*Files, error) {
	c, err := Open(course, chapters.All)
	if err != nil {
		return nil, err
	}
	return c.Read(dir)
}

// A Course is what submissions are compared with. Several goroutines may use it at once.
type Course struct {
	// Env is the environment of the go command that compiles what students import; nil is that
	// of this process. It is set before the first Read.
	Env []string

	root   string
	all    []chapters.Chapter // those that are written
	given  map[string][]byte  // the exercises, as they are given
	solved map[string][]byte  // the same, with the solutions in them

	mu       sync.Mutex
	handouts map[string]map[string][]byte // the files of the handouts that were asked for, by their options

	asking   sync.Mutex
	exported map[string]string // see exports; under asking
}

// Open reads a course, which takes about a second. Not its exercises: in a clone they may be
// somebody's own. They are made anew from the solutions.
func Open(root string, all []chapters.Chapter) (*Course, error) {
	c := &Course{root: root, given: map[string][]byte{}, solved: map[string][]byte{}}
	c.all = slices.DeleteFunc(slices.Clone(all), func(ch chapters.Chapter) bool { return ch.Suite == nil })
	files, err := gen.Exercises(root, c.all, false)
	if err != nil {
		return nil, err
	}
	for name, text := range files {
		c.given[path.Join(grade.Exercises, name)] = text
	}
	for _, ch := range c.all {
		files, err := gen.Solution(root, ch)
		if err != nil {
			return nil, err
		}
		for name, text := range files {
			c.solved[path.Join(grade.Exercises, ch.Dir, name)] = text
		}
	}
	return c, nil
}

// Read is the function Read for an open course.
func (c *Course) Read(dir string) (*Files, error) {
	t := &taking{Course: c, taken: map[string][]byte{}}
	if err := t.open(dir); err != nil {
		return nil, err
	}
	defer t.close()
	t.handed = t.handout()
	t.exercises()
	if err := t.judge(); err != nil {
		return nil, err
	}
	t.others()
	files := &Files{Overlay: grade.Overlay{}, Taken: slices.Sorted(maps.Keys(t.taken)), Ignored: t.sortedIgnored(), Findings: t.findings, Sum: t.sum()}
	return files, t.write(files)
}

// Findings are what a trusted run would refuse of the exercises of these chapters in the course
// itself, for the student who writes them there. If the solutions are gone, files are not
// compared with what was given.
func Findings(root string, all []chapters.Chapter) ([]policy.Finding, error) {
	c, err := Open(root, all)
	if err != nil {
		c = &Course{root: root, all: all}
	}
	t := &taking{Course: c, taken: map[string][]byte{}}
	if err := t.open(root); err != nil {
		return nil, err
	}
	defer t.close()
	t.exercises()
	_ = t.judge() // if the course's own packages do not compile, the compiler says it, and names are not looked at
	return t.findings, nil
}

// judge asks the policy about what was taken. An error is about the course.
func (t *taking) judge() error {
	for _, name := range slices.Sorted(maps.Keys(t.taken)) {
		text := t.taken[name]
		t.findings = append(t.findings, policy.Check(name, text)...)
		stub, given := t.given[name]
		switch {
		case given && policy.Written(name):
			t.findings = append(t.findings, policy.Given(name, text, stub, t.solved[name])...)
		case !policy.Written(name):
			t.findings = append(t.findings, policy.Parts(name, text, t.partsOf(name))...)
		}
	}
	err := t.inspect(context.Background())
	slices.SortStableFunc(t.findings, func(a, b policy.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return err
}

// partsOf are the names of the parts of the chapter that a file belongs to.
func (t *taking) partsOf(name string) []string {
	for _, ch := range t.all {
		if ch.Dir == path.Base(path.Dir(name)) {
			return ch.Suite.Parts
		}
	}
	return nil
}

// Unit is what a file is refused with: itself, if it is one of those beside the parts, else the
// folder of its chapter.
func Unit(name string) string {
	if policy.Written(name) {
		return name
	}
	parts := strings.SplitN(name, "/", 3)
	return strings.Join(parts[:min(2, len(parts))], "/")
}

// sum is Files.Sum.
func (t *taking) sum() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(t.taken)) {
		fmt.Fprintf(h, "%s %d\n%s", name, len(t.taken[name]), t.taken[name])
	}
	for _, f := range t.findings {
		fmt.Fprintf(h, "%q\n", f.String())
	}
	for _, name := range t.sortedIgnored() {
		fmt.Fprintf(h, "ignored %q\n", name)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// write writes the files that are built to a temporary folder.
func (t *taking) write(files *Files) (err error) {
	if files.Dir, err = os.MkdirTemp("", "gosched-submission-"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, files.Remove())
		}
	}()
	built := t.built()
	for name, text := range built {
		file := filepath.Join(files.Dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
		files.Overlay[name] = file
	}
	for dir := range t.givenFolders() {
		entries, err := os.ReadDir(filepath.Join(t.root, filepath.FromSlash(dir)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, e := range entries {
			if name := path.Join(dir, e.Name()); built[name] == nil && name != sums && !e.IsDir() {
				files.Overlay[name] = ""
			}
		}
	}
	return nil
}

// sums is a file in which gen keeps what it has written, which an older one has done otherwise.
const sums = grade.Exercises + "/generated.sum"

// givenFolders are the folders of the exercises.
func (c *Course) givenFolders() map[string]bool {
	folders := map[string]bool{}
	for name := range c.given {
		folders[path.Dir(name)] = true
	}
	return folders
}

// built are the files of the exercises as they are graded.
func (t *taking) built() map[string][]byte {
	refused := map[string]bool{}
	for _, f := range t.findings {
		refused[Unit(f.File)] = true
	}
	built := maps.Clone(t.given)
	for name, text := range t.taken {
		if refused[Unit(name)] {
			continue
		}
		if !policy.Parses(text) {
			// The policy has not seen all of it, so no compiler may take it, however it reads it.
			text = append(slices.Clip(text), "\n)\n"...)
		}
		built[name] = text
	}
	return built
}
