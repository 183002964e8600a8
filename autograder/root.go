package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// rootEnv is the environment variable that names a folder of the course, for those who
// work elsewhere.
const rootEnv = "GOSCHED_ROOT"

// invocation and goTest are how people call the command, and the tests of the course, from
// the folder in which they are.
var (
	invocation = "go run ./autograder"
	goTest     = "go test"
)

// findCourse sets the root: of the course that -C names, else GOSCHED_ROOT, else of the one
// around the current folder, else around one of the others.
func (a *app) findCourse(others ...string) error {
	if a.root != "" {
		return nil
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	var folders []string
	switch {
	case a.named != "":
		folders = []string{a.named}
	case os.Getenv(rootEnv) != "":
		folders = []string{os.Getenv(rootEnv)}
	default:
		folders = append([]string{here}, others...)
	}
	for _, dir := range folders {
		dir, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		if a.root = rootAround(dir); a.root != "" {
			if a.program != "" {
				invocation = a.called(here)
				goTest = calledGo("test", here, a.root)
			}
			return nil
		}
	}
	switch {
	case a.named != "":
		return usagef("-C %s: the course is neither there nor in a folder above it", a.named)
	case os.Getenv(rootEnv) != "":
		return usagef("%s is %s: the course is neither there nor in a folder above it", rootEnv, os.Getenv(rootEnv))
	}
	return usagef("%s is not in the folder of the course; go there, or name it: -C DIR, or %s in the environment", here, rootEnv)
}

// rootAround returns the root of the course that dir is in, "" if it is in none.
func rootAround(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		text, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if line, _, _ := strings.Cut(string(text), "\n"); err == nil && strings.TrimSpace(line) == "module gosched" {
			return at
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

// ofGoRun are the paths of programs that go run has built: in a folder that it deletes
// afterwards, or in the build cache, wherever that is, by the sum of what they were made of.
var ofGoRun = regexp.MustCompile(`/go-build|/[0-9a-f]{64}-d/[^/]+$`)

// called returns how to call this command once more in the folder here, for the same
// course: as a program, if it was built, else with go run.
func (a *app) called(here string) string {
	command := a.program
	if ofGoRun.MatchString(filepath.ToSlash(command)) {
		switch rel, err := filepath.Rel(a.root, here); {
		case a.named != "":
			command = "go run gosched/autograder" // it is called in another copy of the course
		case rel != "." && err == nil && filepath.IsLocal(rel):
			command = "go run gosched/autograder"
		default:
			command = calledGo("run", here, a.root) + " ./autograder"
		}
	}
	if a.named != "" {
		command += fmt.Sprintf(" -C %s", a.named)
	}
	return command
}

// calledGo returns how to call a go command on packages of the course in the folder here.
func calledGo(verb, here, root string) string {
	if here == root {
		return "go " + verb
	}
	dir, err := filepath.Rel(here, root)
	if err != nil {
		dir = root
	}
	return fmt.Sprintf("go %s -C %s", verb, dir)
}
