package extra

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gosched/autograder/content"
	"gosched/autograder/grade"
	"gosched/chapters"
)

// A Folder is the files of a folder with extra checks, as they were when it was read.
type Folder struct {
	Sum string // a content address of the files

	dir   string            // where they are, for messages
	files map[string][]byte // by slash paths below dir
}

// Read reads the folder dir for the course in root. An Unusable error says what should not be
// there. What is no Go file is not looked at.
func Read(dir, root string, all []chapters.Chapter) (*Folder, error) {
	f := &Folder{dir: dir, files: map[string][]byte{}}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, unusable("there is no such folder")
	}
	if err != nil {
		return nil, unusable("%s cannot be read: %v", dir, err)
	}
	for _, e := range entries {
		name := e.Name()
		isChapter := slices.ContainsFunc(all, func(ch chapters.Chapter) bool { return ch.Dir == name && ch.Suite != nil })
		switch {
		case strings.HasPrefix(name, "."):
		case isChapter:
			if err := f.chapter(name, root); err != nil {
				return nil, err
			}
		case e.IsDir():
			return nil, unusable("%s is no chapter with checks; name the folder as in chapters/, such as %s", filepath.Join(dir, name), all[0].Dir)
		case path.Ext(name) == ".go":
			return nil, unusable("%s belongs in the folder of a chapter, such as %s", filepath.Join(dir, name), filepath.Join(dir, all[0].Dir))
		}
	}
	if len(f.files) == 0 {
		return nil, unusable("%s has no Go files; put them in the folder of a chapter, such as %s", dir, filepath.Join(dir, all[0].Dir))
	}
	f.Sum = f.sum()
	return f, nil
}

// chapter reads the Go files of a chapter, and its programs.
func (f *Folder) chapter(chapter, root string) error {
	for _, in := range []string{chapter, path.Join(chapter, programs)} {
		entries, err := os.ReadDir(f.at(in))
		if os.IsNotExist(err) && in != chapter {
			continue
		}
		if err != nil {
			return unusable("%v", err)
		}
		for _, e := range entries {
			name := path.Join(in, e.Name())
			switch {
			case e.IsDir() && name == path.Join(chapter, programs):
			case e.IsDir():
				return unusable("%s is a folder; beside the files of a chapter there is only one, %s", f.at(name), programs)
			case path.Ext(name) == ".go":
				if err := f.file(chapter, name, root); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// programs is the folder of a chapter's programs.
const programs = "programs"

// file reads one file of a chapter.
func (f *Folder) file(chapter, name, root string) error {
	if strings.HasSuffix(name, "_test.go") {
		return unusable("%s is a test, which nothing would run; checks are in files that are none", f.at(name))
	}
	course := path.Join("chapters", name)
	if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(course))); err == nil {
		return unusable("%s has the name of a file of the course, %s; give yours another one", f.at(name), course)
	}
	text, err := os.ReadFile(f.at(name))
	if err != nil {
		return unusable("%v", err)
	}
	id, _, _ := strings.Cut(chapter, "_")
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.PackageClauseOnly)
	if err == nil && path.Dir(name) == chapter && file.Name.Name != id { // of what does not parse the compiler says more
		return unusable("%s is of package %s; the files of this chapter are of package %s", f.at(name), file.Name.Name, id)
	}
	f.files[name] = text
	return nil
}

// at is where a file of the folder is, for people.
func (f *Folder) at(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

func (f *Folder) sum() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(f.files)) {
		fmt.Fprintf(h, "%s %d\n%s", name, len(f.files[name]), f.files[name])
	}
	return fmt.Sprintf("%x", h.Sum(nil))[:32]
}

// overlay writes the files to a folder, so that later edits change nothing, and returns where
// they are in the course. If they are there they are not written again: others may read them.
func (f *Folder) overlay(to string) (grade.Overlay, error) {
	to, err := filepath.Abs(to)
	if err != nil {
		return nil, err
	}
	overlay := grade.Overlay{}
	for name, text := range f.files {
		file := filepath.Join(to, filepath.FromSlash(name))
		if there, err := os.ReadFile(file); err != nil || !bytes.Equal(there, text) || !content.Used(file) {
			if err := writeWhole(file, text); err != nil {
				return nil, err
			}
		}
		overlay[path.Join("chapters", name)] = file
	}
	return overlay, nil
}

// writeWhole writes a file so that whoever reads it meanwhile sees all of it, or what was there
// before.
func writeWhole(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	if _, err = temp.Write(text); err == nil {
		err = temp.Chmod(fs.FileMode(0o644))
	}
	if closing := temp.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), name)
}

// named gives the files of the folder their names in what the go command says of the course.
func (f *Folder) named(said string) string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(f.files)) {
		names = append(names, "chapters/"+name+":", f.at(name)+":")
	}
	return strings.NewReplacer(names...).Replace(said)
}
