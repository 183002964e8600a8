package gen

import (
	"fmt"
	"strings"

	"gosched/chapters"
)

// Own generates the files that join the exercises of these chapters to one
// scheduler: the package exercises, the test of the student's own stack and the
// program behind "play --parts exercises". Keys are slash paths below exercises/.
// In a course of which solutions are withheld the student's parts stand in for those.
func Own(written []chapters.Chapter, withheld Withheld) map[string][]byte {
	var imports, suites, sources, parts, tests strings.Builder
	for _, ch := range written {
		fmt.Fprintf(&imports, "\t%s %q\n", ch.ID, module+"/exercises/"+ch.Dir)
		fmt.Fprintf(&suites, "\tsuite%s %q\n", ch.ID[2:], module+"/chapters/"+ch.Dir)
		fmt.Fprintf(&sources, " %s/*.go", ch.Dir)
		fmt.Fprintf(&parts, "\t%q: %s.Parts,\n", ch.ID, ch.ID)
		fmt.Fprintf(&tests, "\tt.Run(%q, func(t *testing.T) { suite%s.Suite.TestOwn(t, Own(%q)) })\n",
			ch.ID, ch.ID[2:], ch.ID)
	}
	own, more := ownGo, ""
	if len(withheld) > 0 {
		own, more = fmt.Sprintf(standInGo, []string(withheld)), "\t\"slices\"\n"
	}
	return map[string][]byte{
		"exercises.go": []byte(fmt.Sprintf(exercisesGo, more, imports.String(), parts.String(), sources.String()) + own + upToGo),
		"own_test.go":  []byte(fmt.Sprintf(ownTestGo, suites.String(), tests.String())),
		"play/main.go": []byte(playGo),
	}
}

const exercisesGo = `// Package exercises is your own scheduler: the parts of all chapters that you
// write, in one list. There is nothing to write in this file.
package exercises

import (
	"embed"
%s	"sync"

	"gosched/chapters/gmp"
%s	"gosched/solutions"
)

// Parts are your parts, chapter by chapter.
var Parts = map[string]gmp.Version{
%s}

//go:embed%s
var sources embed.FS

// written returns your parts that are complete, and the others, in which a method is still
// to be written: until it is, the reference's parts take their place.
var written = sync.OnceValues(func() (map[string]gmp.Version, gmp.Unwritten) { return gmp.Written(Parts, sources) })

// Unwritten returns those in which a method is still to be written.
func Unwritten() gmp.Unwritten {
	_, unwritten := written()
	return unwritten
}

// Go returns a version of Go's scheduler made of your parts, and of the
// reference's where you have none, or have not written them yet.
func Go(release string) (gmp.Version, error) {
	if _, err := solutions.Go(release); err != nil {
		return gmp.Version{}, err
	}
	if _, ok := Parts[release]; ok {
		return solutions.AssembleBase(release, upTo("ch99")), nil
	}
	return gmp.Assemble(release, upTo("ch99"))
}
`

const ownGo = `
// Own returns the version on which the checks of a chapter run to see whether
// your parts work together: your parts of that chapter, written or not, and those
// of the chapters before it that are written.
func Own(chapter string) gmp.Version {
	return solutions.AssembleBase(chapter, upTo(chapter)).With(Parts[chapter])
}
`

const upToGo = `
// upTo provides your written parts of the chapters up to last.
func upTo(last string) func(form string) (gmp.Version, bool) {
	complete, _ := written()
	return func(form string) (gmp.Version, bool) {
		v, ok := solutions.Form(form)
		if own := gmp.OwnForm(form); own <= last {
			v = v.With(complete[own])
		}
		return v, ok
	}
}
`

// standInGo takes the place of ownGo where solutions are withheld.
const standInGo = `
// withheld are the chapters whose reference is not in this repository.
var withheld = %#v

// Base returns the version among whose parts those of a chapter are checked: the reference's
// where they are in this repository, and where they are not, yours, as far as they are written.
func Base(chapter string) gmp.Version {
	complete, _ := written()
	return solutions.AssembleBase(chapter, func(form string) (gmp.Version, bool) {
		v, ok := solutions.Form(form)
		if own := gmp.OwnForm(form); slices.Contains(withheld, own) {
			v = v.With(complete[own])
		}
		return v, ok
	})
}

// Own is the same with your parts of that chapter, written or not.
func Own(chapter string) gmp.Version { return Base(chapter).With(Parts[chapter]) }
`

const ownTestGo = `package exercises

import (
	"testing"

%s)

// TestOwn runs the checks of each chapter on your own stack: your parts of that
// chapter and of those before it, as far as they are written.
func TestOwn(t *testing.T) {
%s}
`

const playGo = `// Play runs a Go program on your own scheduler. The autograder builds and calls
// it: go run ./autograder play FILE.go --parts exercises
package main

import (
	"gosched/autograder/play"
	"gosched/exercises"
)

func main() { play.Main(exercises.Go, exercises.Unwritten()) }
`
