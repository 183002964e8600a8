// Package exercises is your own scheduler: the parts of all chapters that you
// write, in one list. There is nothing to write in this file.
package exercises

import (
	"gosched/chapters/gmp"
	ch01 "gosched/exercises/ch01_goroutine"
	ch02 "gosched/exercises/ch02_onethread"
	ch03 "gosched/exercises/ch03_park"
	"gosched/solutions"
)

// Parts are your parts, chapter by chapter.
var Parts = map[string]gmp.Version{
	"ch01": ch01.Parts,
	"ch02": ch02.Parts,
	"ch03": ch03.Parts,
}

// Go returns a version of Go's scheduler made of your parts, and of the
// reference's where you have none to write.
func Go(release string) (gmp.Version, error) {
	if _, err := solutions.Go(release); err != nil {
		return gmp.Version{}, err
	}
	return assemble(release, "ch99")
}

// Own returns the version on which the checks of a chapter run to see whether
// your parts go together: your parts of that chapter and of those before it.
func Own(chapter string) gmp.Version {
	v, err := assemble(solutions.Base(chapter).Name, chapter)
	if err != nil {
		panic(err)
	}
	return v.With(Parts[chapter])
}

// assemble makes a release of your parts of the chapters up to last.
func assemble(release, last string) (gmp.Version, error) {
	return gmp.Assemble(release, func(form string) (gmp.Version, bool) {
		if v, ok := Parts[form]; ok && form <= last {
			return v, true
		}
		return solutions.Form(form)
	})
}
