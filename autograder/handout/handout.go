// Package handout makes the repository that students get, of which the solution is withheld.
//
// It has all that is needed to work on the exercises: the machine, the suites, the command. In
// the place of a withheld chapter's solution stands a skeleton, whose methods only say that they
// are not there, and a file with the exercise and the hints, which are made from the solution
// otherwise. So everything compiles, and a check that also runs a withheld method says so: it is
// not run there, and the instructor's course, which has the solution, grades it.
//
// What is made depends on the course and the Options alone, so the instructor's course can tell
// what a student has changed in a handout from what is as it was handed out.
package handout

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gosched/autograder/update"
	"gosched/chapters"
)

// Mark is the file that says that a repository is a handout, and with which Options it was made.
const Mark = "handout.json"

// Pages is the folder with the pages of the book.
const Pages = update.Pages

// mutations names the mistakes of which rehearsals are made, with the statements of the solutions.
const mutations = "autograder/class/rehearsal/mutations.txt"

// Options say what is handed out. Chapters are named by their IDs.
type Options struct {
	Chapters []string `json:"chapters"` // the exercises
	Solved   []string `json:"solved"`   // of the course's chapters those whose solutions are there, too
}

// check returns an error for options that the course cannot fulfil.
func (o Options) check(all []chapters.Chapter) error {
	for _, id := range slices.Concat(o.Chapters, o.Solved) {
		if !slices.ContainsFunc(all, func(ch chapters.Chapter) bool { return ch.ID == id && ch.Suite != nil }) {
			return fmt.Errorf("the course has no chapter %q", id)
		}
	}
	if len(o.Chapters) == 0 {
		return errors.New("no chapter is handed out")
	}
	return nil
}

// maxMark is more than any Mark has.
const maxMark = 4 << 10

// Read returns the options of the handout in a folder, and whether it is one. A folder whose Mark
// cannot be read is none.
func Read(folder fs.FS) (Options, bool) {
	f, err := folder.Open(Mark)
	if err != nil {
		return Options{}, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxMark {
		return Options{}, false
	}
	text := make([]byte, maxMark)
	n, _ := f.Read(text)
	var o Options
	return o, json.Unmarshal(text[:n], &o) == nil
}

// Is reports whether the course in the folder root is a handout.
func Is(root string) bool {
	_, err := os.Lstat(filepath.Join(root, Mark))
	return err == nil
}

// A Handout is what students get. Names are slash paths.
type Handout struct {
	Files    map[string][]byte
	Left     []Left   // what was left out
	Readable []string // what of the solutions can be read all the same, a sentence each
}

// A Left is what was left out, and why.
type Left struct {
	What  string
	Why   string
	Files int
}

// Make makes the handout of the course in the folder root.
func Make(root string, all []chapters.Chapter, o Options) (*Handout, error) {
	if err := o.check(all); err != nil {
		return nil, err
	}
	m := &making{root: root, all: all, Options: o, left: map[*rule]int{}, Handout: &Handout{Files: map[string][]byte{}}}
	names, err := courseFiles(root)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := m.take(name); err != nil {
			return nil, err
		}
	}
	m.Files[mutations] = []byte{} // the command embeds it, and only rehearsals read it
	m.Left = append(m.Left, Left{"the list of mistakes for rehearsals", "it quotes the solutions; an empty one is in its place", 1})
	for _, generate := range []func() error{m.solutions, m.exercises, m.list, m.workflow, m.readme, m.mark} {
		if err := generate(); err != nil {
			return nil, err
		}
	}
	m.Files[update.SumsName] = update.Sums(m.Files)
	return m.Handout, m.account()
}

// A making is one call of Make.
type making struct {
	Options
	*Handout
	root string
	all  []chapters.Chapter
	left map[*rule]int // how many files each rule has left out

	forms []string // files of withheld solutions that are not withheld
}

// A rule leaves files out.
type rule struct {
	names     *regexp.Regexp
	what, why string
}

// rules are tried in this order. What none of them names is handed out as it is.
var rules = []*rule{
	{regexp.MustCompile(`^exercises/`), "", ""},                                                                // made anew
	{regexp.MustCompile(`^(README\.md|\.github/workflows/classroom\.yml|handout\.json|course\.sum)$`), "", ""}, // the handout has its own
	{regexp.MustCompile(`^solutions/ch`), "", ""},                                                              // see solutions
	{regexp.MustCompile(`^solutions/testdata/`), "testdata of the solutions", "expected runs and lists of mistakes tell of the solutions"},
	{regexp.MustCompile(`^(.*/)?testdata/|_test\.go$`), "the course's own tests, with their testdata", "they prove the course, and need the solutions"},
	{regexp.MustCompile(`^book/(en|zh|figures)/`), "sources and figures of the book", "they are made with the solutions"},
	{regexp.MustCompile(`^(\.ci/|\.github/|classroom/|autograder/gradescope/|CONTRIBUTING\.md$)`), "workflows, containers and texts for instructors and authors", "students have no use for them"},
}

// take takes a file as it is, unless a rule leaves it out.
func (m *making) take(name string) error {
	for _, r := range rules {
		if r.names.MatchString(name) {
			m.left[r]++
			return nil
		}
	}
	text, err := os.ReadFile(filepath.Join(m.root, filepath.FromSlash(name)))
	m.Files[name] = text
	return err
}

// account says what was left out, and what can be read all the same.
func (m *making) account() error {
	for _, r := range rules {
		if r.what != "" && m.left[r] > 0 {
			m.Left = append(m.Left, Left{r.what, r.why, m.left[r]})
		}
	}
	if len(m.forms) > 0 {
		m.Readable = append(m.Readable, "Forms of parts that chapters or versions before theirs have: "+strings.Join(m.forms, ", ")+".")
	}
	m.Readable = append(m.Readable, "The mend_test.go of an exercise has methods that are right but for one mistake.")
	m.Readable = append(m.Readable, "The last rung of the hints shows the shape of the code, and the book some lines of it.")
	if len(m.Solved) > 0 {
		m.Readable = append(m.Readable, "The solutions of "+listed(m.Solved)+" are there, as you asked.")
	}
	again, err := m.again()
	m.Readable = append(m.Readable, again...)
	return err
}

// listed names chapters: "ch01 to ch03, ch05".
func listed(ids []string) string {
	var parts []string
	for i := 0; i < len(ids); {
		j := i
		for j+1 < len(ids) && numberOf(ids[j+1]) == numberOf(ids[j])+1 {
			j++
		}
		switch j - i {
		case 0:
			parts = append(parts, ids[i])
		case 1:
			parts = append(parts, ids[i], ids[j])
		default:
			parts = append(parts, ids[i]+" to "+ids[j])
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}

func numberOf(id string) (n int) {
	fmt.Sscanf(id, "ch%d", &n)
	return n
}

// Write writes the handout to the folder dir, which must be empty or not there.
func (h *Handout) Write(dir string) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is a file; name a folder that is empty or not there", dir)
	}
	switch entries, err := os.ReadDir(dir); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty", dir)
	}
	for name, text := range h.Files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// folder is the folder of a chapter among the solutions.
func folder(ch chapters.Chapter) string { return path.Join("solutions", ch.Dir) }
