package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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

	"gosched/autograder/class"
	"gosched/autograder/gen"
	"gosched/autograder/grade"
	"gosched/chapters/check"
)

// maxFile is the size of a file that a submission may have, in bytes. Nobody writes so much.
const maxFile = 1 << 20

// A submissions grades the submissions of a class with this course. Of a submission it takes the
// student's files: those of the exercises that gen makes, and new Go files beside them. All
// others of the exercises are freshly made, so it does not matter what is in this tree.
type submissions struct {
	*app
	fresh func() (grade.Overlay, error) // the exercises as gen makes them, in the folder temp
	temp  string
	one   sync.Mutex // held by the one that is graded: all build to the same folder
}

func newSubmissions(a *app) *submissions {
	s := &submissions{app: a}
	s.fresh = sync.OnceValues(s.generate)
	return s
}

func (s *submissions) close() { os.RemoveAll(s.temp) }

// generate writes the exercises to the folder temp.
func (s *submissions) generate() (grade.Overlay, error) {
	files, err := gen.Exercises(s.root, s.course, false)
	if err != nil {
		return nil, err
	}
	if s.temp, err = os.MkdirTemp("", "gosched-exercises-"); err != nil {
		return nil, err
	}
	overlay := grade.Overlay{}
	for name, text := range files {
		file := filepath.Join(s.temp, filepath.FromSlash(name))
		if err := writeFile(file, text); err != nil {
			return nil, err
		}
		if strings.HasSuffix(name, ".go") {
			overlay[path.Join(grade.Exercises, name)] = file
		}
	}
	return overlay, nil
}

// overlay returns the exercises with the student's files in place of the fresh ones. What is in
// this tree's exercises besides is left out.
func (s *submissions) overlay(dir string) (grade.Overlay, error) {
	fresh, err := s.fresh()
	if err != nil {
		return nil, err
	}
	if info, err := os.Lstat(filepath.Join(dir, grade.Exercises)); err != nil || !info.IsDir() {
		return nil, class.Unusable("there is no folder " + grade.Exercises)
	}
	overlay := maps.Clone(fresh)
	for _, ch := range s.written() {
		at := path.Join(grade.Exercises, ch.Dir)
		here, err := plainGoFiles(s.path(filepath.FromSlash(at)))
		if err != nil {
			return nil, err
		}
		for _, name := range here {
			if file := path.Join(at, name); fresh[file] == "" {
				overlay[file] = ""
			}
		}
		theirs, err := plainGoFiles(filepath.Join(dir, filepath.FromSlash(at)))
		if err != nil {
			return nil, err
		}
		for _, name := range theirs {
			if !strings.HasSuffix(name, "_test.go") || slices.Contains(check.WrittenFiles, name) {
				overlay[path.Join(at, name)] = filepath.Join(dir, filepath.FromSlash(at), name)
			}
		}
	}
	return overlay, nil
}

// plainGoFiles are the names of the Go files in a folder, none if there is no folder: plain files, and
// not larger than anybody would write.
func plainGoFiles(dir string) ([]string, error) {
	if info, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.Size() <= maxFile && strings.HasSuffix(e.Name(), ".go") {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// sum is a class.Sum: the hash of what is built.
func (s *submissions) sum(dir string) (string, error) {
	overlay, err := s.overlay(dir)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(overlay)) {
		if overlay[name] == "" {
			continue
		}
		text, err := os.ReadFile(overlay[name])
		if err != nil {
			return "", err
		}
		fmt.Fprintf(hash, "%s %d\n%s", name, len(text), text)
	}
	return hex.EncodeToString(hash.Sum(nil))[:32], nil
}

// grade is a class.Grade. The checks of one submission take all CPUs, so there is nothing to win
// by grading two at once.
func (s *submissions) grade(ctx context.Context, dir string, chapters []string) (*grade.Report, error) {
	overlay, err := s.overlay(dir)
	if err != nil {
		return nil, err
	}
	s.one.Lock()
	defer s.one.Unlock()
	g := &grade.Grader{Root: s.root, Of: grade.Exercises, All: s.course, Chapters: chapters, Overlay: overlay, Own: grade.OwnAlways, Race: grade.RaceAlways}
	return g.Grade(ctx)
}
