package main

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gosched/autograder/update"
	"gosched/chapters"
)

// commandSource has the text from which the command was built.
//
//go:embed *.go */*.go
var commandSource embed.FS

// built is the course that the command was built from: what it says of chapters and their checks,
// and how it makes their exercises, holds there and nowhere else. By the folders.
var built = map[string]fs.FS{"chapters": chapters.Source, "autograder": commandSource}

// sameCourse refuses to work on another course than the one that the command was built from: an
// update would take the exercises of one version for those of the other, a grading would ask for
// checks that are not there. Help works everywhere, the doctor says so itself, and an
// update that was interrupted, which leaves files of two versions, must be finished.
func (a *app) sameCourse(cmd *cobra.Command) error {
	if cmd.Name() == "doctor" {
		return nil
	}
	if cmd.Name() == "update" {
		if plan, err := update.Pending(a.root); plan != nil || err != nil {
			return nil
		}
	}
	name, err := a.otherThanBuilt()
	if err != nil || name == "" {
		return err
	}
	return usagef("%s; nothing was done", a.otherCourse(name))
}

// otherCourse says that the command is of another course, and what to do.
func (a *app) otherCourse(name string) string {
	here, err := os.Getwd()
	if err != nil {
		here = ""
	}
	return fmt.Sprintf("this command was built from another version of the course than the one in %s, where %s is different: call the command of that course, %s ./autograder, or build yours there again",
		a.root, name, calledGo("run", here, a.root))
}

// otherThanBuilt returns the first file that decides what the command does and that the course has
// otherwise than the one that the command was built from, "" if there is none.
func (a *app) otherThanBuilt() (string, error) {
	for _, folder := range slices.Sorted(maps.Keys(a.built)) {
		was, err := sourceTexts(a.built[folder])
		if err != nil {
			return "", err
		}
		is, err := sourceTexts(os.DirFS(a.path(folder)))
		if err != nil {
			return "", err
		}
		names := slices.Concat(slices.Collect(maps.Keys(was)), slices.Collect(maps.Keys(is)))
		slices.Sort(names)
		for _, name := range names {
			if text, ok := is[name]; !ok || was[name] == nil || !bytes.Equal(text, was[name]) {
				return filepath.Join(folder, filepath.FromSlash(name)), nil
			}
		}
	}
	return "", nil
}

// sourceTexts returns the files that are compiled, and the tasks, in a folder and in those in it.
// How lines end is git's business.
func sourceTexts(folder fs.FS) (map[string][]byte, error) {
	texts := map[string][]byte{}
	for _, pattern := range []string{"*.go", "*/*.go", "*/task.md"} {
		names, err := fs.Glob(folder, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") || path.Dir(name) == "testdata" || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
				continue
			}
			text, err := fs.ReadFile(folder, name)
			if err != nil {
				return nil, err
			}
			texts[name] = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		}
	}
	return texts, nil
}
