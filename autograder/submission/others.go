package submission

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gosched/autograder/grade"
	"gosched/autograder/handout"
	"gosched/autograder/update"
	"gosched/chapters"
)

// others names what a submission has beside the student's files that is not as in the course:
// suites that were changed, another go.mod, a vendor folder. It only looks into folders that
// the course has, and names another one as a whole. What is missing is not named: the course
// has it.
func (t *taking) others() {
	if t.folder == nil {
		return
	}
	top := "."
	if !t.whole {
		top = grade.Exercises
	}
	t.compareFolder(top)
	if t.seen > maxEntries {
		t.ignored = append(t.ignored, fmt.Sprintf("… and what comes after %d files and folders", maxEntries))
	}
}

// unseen are folders of which nothing is told: those in which git and the autograder keep what
// they need.
var unseen = []string{".git", ".gosched"}

func (t *taking) compareFolder(dir string) {
	entries, more, err := list(t.folder, t.in(dir))
	if err != nil {
		t.ignore(dir + "/")
		return
	}
	for _, e := range entries {
		if t.seen++; t.seen > maxEntries {
			return
		}
		name := path.Join(dir, e.Name())
		switch {
		case slices.Contains(unseen, e.Name()) || t.isChapter(name):
		case t.given[name] != nil || t.handed[name] != nil:
			t.compareGiven(name, e)
		case t.handed != nil && name == handout.Pages && e.IsDir(): // nothing is run of them
		case e.IsDir() && t.courseHasFolder(name):
			t.compareFolder(name)
		case e.IsDir():
			t.ignore(name + "/")
		case name == sums, name == update.SumsName: // what an older version has given
		case !e.Type().IsRegular() || !t.asInCourse(name):
			t.ignore(name)
		}
	}
	if more {
		t.ignored = append(t.ignored, shown(dir)+"/…")
	}
}

// handout returns the files of the handout that a submission says it was made from: what a student
// has as it was handed out is not a change of the student's. They are made once for all submissions
// of a class.
func (t *taking) handout() map[string][]byte {
	if t.folder == nil || !t.whole {
		return nil
	}
	options, ok := handout.Read(t.folder.FS())
	if !ok {
		return nil
	}
	c := t.Course
	c.mu.Lock()
	defer c.mu.Unlock()
	key := fmt.Sprintf("%q", options)
	if files, known := c.handouts[key]; known {
		return files
	}
	if len(c.handouts) == maxHandouts {
		return nil
	}
	var files map[string][]byte
	if h, err := handout.Make(c.root, c.all, options); err == nil {
		files = h.Files
	}
	if c.handouts == nil {
		c.handouts = map[string]map[string][]byte{}
	}
	c.handouts[key] = files
	return files
}

// maxHandouts is how many handouts are kept: a class has a few, and a submission may claim any.
const maxHandouts = 8

// isChapter reports whether a name is that of a chapter's exercise, which was looked at.
func (t *taking) isChapter(name string) bool {
	dir, base := path.Split(name)
	return dir == grade.Exercises+"/" && slices.ContainsFunc(t.all, func(ch chapters.Chapter) bool { return ch.Dir == base })
}

// courseHasFolder reports whether the course has a folder. Of the exercises it asks what is given:
// those in a clone may be somebody's own.
func (t *taking) courseHasFolder(name string) bool {
	if strings.HasPrefix(name+"/", grade.Exercises+"/") {
		return t.givenFolders()[name]
	}
	info, err := os.Lstat(filepath.Join(t.root, filepath.FromSlash(name)))
	return err == nil && info.IsDir()
}

// asInCourse reports whether a file is the course's.
func (t *taking) asInCourse(name string) bool {
	if strings.HasPrefix(name, grade.Exercises+"/") {
		return false
	}
	own := filepath.Join(t.root, filepath.FromSlash(name))
	want, err := os.Lstat(own)
	if err != nil || !want.Mode().IsRegular() {
		return false
	}
	f, err := t.folder.OpenFile(t.in(name), os.O_RDONLY|noWait, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	has, err := f.Stat()
	switch {
	case err != nil || !has.Mode().IsRegular() || has.Size() > 2*want.Size():
		return false
	case os.SameFile(has, want):
		return true
	}
	text, err := io.ReadAll(io.LimitReader(f, has.Size()+1))
	wanted, wantedErr := os.ReadFile(own)
	return errors.Join(err, wantedErr) == nil && alike(text, wanted)
}

// sortedIgnored is Files.Ignored.
func (t *taking) sortedIgnored() []string {
	slices.Sort(t.ignored)
	names := slices.Compact(t.ignored)
	if more := len(names) - maxIgnored; more > 0 {
		names = append(names[:maxIgnored:maxIgnored], fmt.Sprintf("… and %d more", more))
	}
	return names
}
