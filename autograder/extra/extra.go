// Package extra adds checks of an instructor's own to the suites of the course, from a folder that
// students never get.
//
// The folder has a subfolder for each chapter with such checks, named as in chapters/. Its Go files
// are of the suite's package, and are compiled into it; its folder programs has Go programs for
// Play and Simulate. The course itself is not changed: all of it is an overlay. A file adds checks
// in its init:
//
//	func init() {
//		Suite.Extra(check.Hidden,
//			check.Check{Name: "three-laps", Kind: check.Unit, Points: 4, …, Run: threeLaps},
//			Suite.Again("random", 2, 20260301),
//		)
//	}
//
// Which checks there are is found out before any submission is looked at, by a command that is
// built with the suites and nothing of a student's. Then the solution must pass them: a check that
// it does not pass says nothing of a student.
//
// Extra checks are built and run apart from those of the course. So the points of the course are
// the same with them and without, and no check whose messages students are shown runs in a process
// that has the text of a hidden one.
package extra

import (
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gosched/autograder/grade"
	"gosched/chapters"
	"gosched/chapters/check"
)

// Checks are the checks of a folder, which the solution is known to pass.
type Checks struct {
	// Sum is a content address of the folder's files.
	Sum string

	chapters []chapters.Chapter // those with extra checks, and nothing else in their suites
	show     map[string]check.Shown
	overlay  grade.Overlay
}

// Grade grades what the grader would grade, by these checks alone: its chapters and the options
// that are about them are replaced.
func (c *Checks) Grade(ctx context.Context, g grade.Grader) (*grade.Extra, error) {
	g.All, g.Checks, g.Own, g.Raced, g.Course, g.Judged = c.chapters, nil, grade.OwnNever, nil, nil, nil
	g.Overlay = maps.Clone(g.Overlay)
	if g.Overlay == nil {
		g.Overlay = grade.Overlay{}
	}
	maps.Copy(g.Overlay, c.overlay)
	if g.Bin != "" {
		g.Bin = filepath.Join(g.Bin, "extra")
	}
	if g.Of == grade.Exercises {
		for _, ch := range c.chapters { // what is written beside the parts is not what they are about
			for _, name := range check.WrittenFiles {
				g.Overlay[path.Join(g.Of, ch.Dir, name)] = ""
			}
		}
	}
	if !slices.ContainsFunc(c.chapters, func(ch chapters.Chapter) bool { return g.Chapters == nil || slices.Contains(g.Chapters, ch.ID) }) {
		return grade.NewExtra(c.Sum, &grade.Report{}, nil), nil
	}
	report, err := g.Grade(ctx)
	if err != nil {
		return nil, err
	}
	return grade.NewExtra(c.Sum, report, c.show), nil
}

// prove grades the solution, which must pass.
func (c *Checks) prove(ctx context.Context, g grade.Grader) error {
	g.Of, g.Chapters, g.Tree, g.Race = grade.Solutions, nil, "", grade.RaceNever
	result, err := c.Grade(ctx, g)
	if err != nil {
		return err
	}
	var wrong []string
	for _, r := range result.Checks {
		if r.Status != check.Pass {
			wrong = append(wrong, fmt.Sprintf("the solution does not pass %s (%s): %s", r.ID, r.Status, strings.TrimSpace(r.Message)))
		}
	}
	if len(wrong) > 0 {
		return Unusable(strings.Join(wrong, "\n"))
	}
	return nil
}

// An Unusable error says what is wrong with a folder.
type Unusable string

func (u Unusable) Error() string { return string(u) }

func unusable(format string, args ...any) error { return Unusable(fmt.Sprintf(format, args...)) }
