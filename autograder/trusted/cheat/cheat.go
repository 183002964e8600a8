// Package cheat reads the submissions in autograder/trusted/testdata/cheats, none of which is
// honest: the tests of package trusted grade them, and so does an instructor who rehearses.
//
// Each is an archive. It changes the exercises as they are given, which have no points. Its
// comment says in the first line what it tries, and then, word by word, what comes of it:
//
//	refused: FILE    the file is refused by the policy
//	ignored: NAME    it is named as ignored
//	fails: CHECK     it is built, and the check does not pass
//	link: NAME TO    a link that is no file of an archive
//
// Names of files are in the folder of chapter 1; with a slash before them, in the repository.
package cheat

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
)

// Dir is the folder of the archives, from the root of the course.
const Dir = "autograder/trusted/testdata/cheats"

// Chapter is the folder in which most cheats are, of a chapter whose parts and tests are small.
const Chapter = "exercises/ch01_goroutine"

// A Cheat is what a submission that is not honest has besides the exercises as they are given.
type Cheat struct {
	Name  string
	What  string            // what it tries
	Files map[string][]byte // by slash path from the root of the repository
	Wants map[string]string // by word: refused, ignored, fails, link
}

// Read reads the archives of the course in the folder root, in the order of their names.
func Read(root string) (all []Cheat, err error) {
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(Dir), "*.txt"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			return nil, err
		}
		c := Cheat{Name: strings.TrimSuffix(filepath.Base(file), ".txt"), Files: map[string][]byte{}, Wants: map[string]string{}}
		what, comment, _ := strings.Cut(string(archive.Comment), "\n")
		c.What = what
		for line := range strings.Lines(comment) {
			if word, rest, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); ok {
				c.Wants[word] = rest
			}
		}
		for _, f := range archive.Files {
			c.Files[at(f.Name)] = f.Data
		}
		all = append(all, c)
	}
	if all == nil {
		return nil, fmt.Errorf("there are no cheats in %s", filepath.Join(root, filepath.FromSlash(Dir)))
	}
	return all, nil
}

// at is the place of a file of an archive, from the root of the repository.
func at(name string) string {
	if rest, ok := strings.CutPrefix(name, "/"); ok {
		return rest
	}
	return path.Join(Chapter, name)
}

// Link makes the link of a cheat in its submission, the folder dir, if it has one.
func (c *Cheat) Link(dir string) error {
	name, to, ok := strings.Cut(c.Wants["link"], " ")
	if !ok {
		return nil
	}
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.RemoveAll(name); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.Symlink(to, name)
}
