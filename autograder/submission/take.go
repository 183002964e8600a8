package submission

import (
	"bytes"
	"errors"
	"fmt"
	"go/build"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gosched/autograder/grade"
	"gosched/autograder/policy"
	"gosched/chapters"
	"gosched/chapters/check"
)

// Limits of a submission.
const (
	maxParts   = 64    // Go files of a student in a chapter
	maxFolder  = 1000  // entries of a folder that are looked at
	maxEntries = 20000 // entries in all that are compared with the course
	maxIgnored = 500   // of them that are named
)

// A taking is the reading of one submission.
type taking struct {
	*Course
	folder   *os.Root          // nil if there is no such folder
	whole    bool              // it is a repository, and not only its exercises
	handed   map[string][]byte // what the course gives in a handout as the submission says it is one; nil if it is none
	taken    map[string][]byte
	ignored  []string
	seen     int // entries that were compared with the course
	findings []policy.Finding
}

// refuse adds a finding about a file as a whole.
func (t *taking) refuse(name, what, instead string) {
	t.findings = append(t.findings, policy.Finding{File: name, What: what, Instead: instead})
}

// ignore notes that something is not looked at.
func (t *taking) ignore(name string) { t.ignored = append(t.ignored, shown(name)) }

// shown is a name as it is told: quoted if it has something in it that is not seen.
func shown(name string) string {
	for _, r := range name {
		if r < ' ' || r == '\\' || r == '"' || r > '~' {
			return fmt.Sprintf("%+q", name)
		}
	}
	return name
}

// open opens the submission. Where a folder has only one other in it, as archives have it, that may
// be the submission.
func (t *taking) open(dir string) error {
	folder, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	for range 2 {
		if _, err := folder.Lstat(grade.Exercises); err == nil {
			t.folder, t.whole = folder, true
			return nil
		}
		if slices.ContainsFunc(t.all, func(ch chapters.Chapter) bool {
			_, err := folder.Lstat(ch.Dir)
			return err == nil
		}) {
			t.folder = folder
			return nil
		}
		inner := onlyFolder(folder)
		if inner == nil {
			break
		}
		folder.Close()
		folder = inner
	}
	t.refuse(grade.Exercises, "there is no such folder", "submit the repository, or its folder exercises")
	return folder.Close()
}

// onlyFolder opens the folder in another one that has a single one, nil if it has not.
func onlyFolder(folder *os.Root) *os.Root {
	entries, _, err := list(folder, ".")
	if err != nil {
		return nil
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !e.IsDir() || strings.HasPrefix(e.Name(), ".") })
	if len(entries) != 1 {
		return nil
	}
	inner, err := folder.OpenRoot(entries[0].Name())
	if err != nil {
		return nil
	}
	return inner
}

func (t *taking) close() {
	if t.folder != nil {
		t.folder.Close()
	}
}

// in is the name in the submission of what has this name in a course.
func (t *taking) in(name string) string {
	if !t.whole {
		if name == grade.Exercises {
			return "."
		}
		name = strings.TrimPrefix(name, grade.Exercises+"/")
	}
	return filepath.FromSlash(name)
}

// list returns the entries of a folder, and whether there are more than are looked at.
func list(folder *os.Root, name string) (entries []fs.DirEntry, more bool, err error) {
	f, err := folder.Open(name)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	entries, err = f.ReadDir(maxFolder + 1)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if more = len(entries) > maxFolder; more {
		entries = entries[:maxFolder]
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, more, err
}

// isFolder reports whether a folder of the exercises is there and is one; if it is anything
// else that is refused.
func (t *taking) isFolder(name string) bool {
	info, err := t.folder.Lstat(t.in(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false
	case err != nil:
		t.refuse(name, "it cannot be read", "submit it with rights to read it")
		return false
	case !info.IsDir():
		t.refuse(name, "it is "+kindOf(info.Mode())+" and no folder", "submit the folder itself")
		return false
	}
	return true
}

// exercises takes the student's files.
func (t *taking) exercises() {
	if t.folder == nil || !t.isFolder(grade.Exercises) {
		return
	}
	for _, ch := range t.all {
		if dir := path.Join(grade.Exercises, ch.Dir); t.isFolder(dir) {
			t.chapter(ch, dir)
		}
	}
}

// chapter takes the student's files of one chapter, and names what else there is.
func (t *taking) chapter(ch chapters.Chapter, dir string) {
	entries, more, err := list(t.folder, t.in(dir))
	if err != nil {
		t.refuse(dir, "it cannot be read", "submit it with rights to read it")
		return
	}
	parts := 0
	for _, e := range entries {
		if t.theirs(ch, e.Name()) {
			parts++
		}
	}
	if more || parts > maxParts { // which are seen of more depends on the file system
		t.refuse(dir, fmt.Sprintf("it has more than %d Go files, or than %d of any kind", maxParts, maxFolder), "submit what the chapter needs")
		return
	}
	names := map[string]string{}
	for name := range t.given {
		if path.Dir(name) == dir {
			names[strings.ToLower(path.Base(name))] = path.Base(name)
		}
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if !t.theirs(ch, e.Name()) {
			t.compareGiven(name, e)
			continue
		}
		if !plain.MatchString(e.Name()) {
			t.refuse(dir, fmt.Sprintf("the name of the file %+q has other characters than ASCII letters, digits, _, - and ., or does not begin with a letter or a digit", e.Name()), "give it a plain name")
			continue
		}
		if other, ok := names[strings.ToLower(e.Name())]; ok && other != e.Name() {
			t.refuse(name, "its name differs from "+other+" in capital letters alone", "give it another name: some systems take both for one")
			continue
		}
		names[strings.ToLower(e.Name())] = e.Name()
		t.take(name)
	}
}

// theirs reports whether a file is for the student to write: a part, or one beside the parts.
// Other tests are not: the course runs none of them.
func (t *taking) theirs(ch chapters.Chapter, base string) bool {
	if !strings.EqualFold(path.Ext(base), ".go") {
		return false
	}
	return policy.Written(base) && t.hasWritten(ch, base) || !strings.HasSuffix(base, "_test.go")
}

// hasWritten reports whether the exercise of a chapter has the file beside the parts.
func (t *taking) hasWritten(ch chapters.Chapter, base string) bool {
	return slices.ContainsFunc(ch.Suite.Checks, func(c check.Check) bool { return c.Kind.File() == base })
}

// plain are names of files that every system and every tool reads alike.
var plain = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]*\.go$`)

// take takes one file of a student.
func (t *taking) take(name string) {
	if special(path.Base(name)) {
		t.refuse(name, "by its name Go builds it on some systems alone", "give it a name with another end")
		return
	}
	text, what, instead := t.read(name)
	if what != "" {
		t.refuse(name, what, instead)
		return
	}
	t.taken[name] = text
}

// special reports whether the go command does not build a file of that name everywhere.
func special(base string) bool {
	nowhere := build.Context{GOOS: "nowhere", GOARCH: "nothing", Compiler: "gc",
		OpenFile: func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("package p\n")), nil }}
	match, err := nowhere.MatchFile("", base)
	return err != nil || !match
}

// read returns the text of a file of the submission, or what is wrong with the file, and what
// to do.
func (t *taking) read(name string) (text []byte, what, instead string) {
	info, err := t.folder.Lstat(t.in(name))
	if err != nil {
		return nil, "it cannot be read", "submit it with rights to read it"
	}
	if !info.Mode().IsRegular() {
		return nil, "it is " + kindOf(info.Mode()), "submit the file itself"
	}
	f, err := t.folder.OpenFile(t.in(name), os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, "it cannot be read", "submit it with rights to read it"
	}
	defer f.Close()
	now, err := f.Stat()
	if err != nil || !os.SameFile(info, now) {
		return nil, "it has changed while it was read", "submit it once more"
	}
	if links(now) > 1 {
		return nil, "it has other names, too, by hard links", "submit a copy of it"
	}
	text, err = io.ReadAll(io.LimitReader(f, policy.MaxFile+1))
	switch {
	case err != nil:
		return nil, "it cannot be read", "submit it with rights to read it"
	case len(text) > policy.MaxFile:
		return nil, fmt.Sprintf("it has more than %d bytes", policy.MaxFile), "write less, or in several files"
	}
	return text, "", ""
}

// kindOf is what a file is that is no plain one.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	case mode.IsRegular():
		return "a file"
	}
	return "no plain file"
}

// compareGiven names an entry of a chapter's folder that is not the student's, if it is not as
// it was given.
func (t *taking) compareGiven(name string, e fs.DirEntry) {
	if e.IsDir() {
		t.ignore(name + "/")
		return
	}
	if e.Type().IsRegular() {
		for _, given := range []map[string][]byte{t.given, t.handed} {
			want, ok := given[name]
			if text, what, _ := t.read(name); ok && what == "" && alike(text, want) {
				return
			}
		}
	}
	t.ignore(name)
}

// alike reports whether two texts are equal, whichever way their lines end.
func alike(a, b []byte) bool {
	return bytes.Equal(a, b) || bytes.Equal(bytes.ReplaceAll(a, []byte("\r\n"), []byte("\n")), bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")))
}
