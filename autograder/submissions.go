package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"gosched/autograder/class"
	"gosched/autograder/grade"
	"gosched/autograder/jail"
	"gosched/autograder/policy"
	"gosched/autograder/screen"
	"gosched/autograder/submission"
	"gosched/autograder/trusted"
)

// A submissions grades submissions with this course, in trusted runs.
type submissions struct {
	*app
	level jail.Level
	own   grade.OwnStack
	open  func() (*submission.Course, error) // reads the course, once
	one   sync.Mutex                         // held by the one that is graded: its checks take all CPUs
}

// submissionsAt returns what grades submissions at that level.
func (a *app) submissionsAt(ctx context.Context, level jail.Level, own grade.OwnStack) (*submissions, error) {
	s := &submissions{app: a, level: level, own: own}
	s.open = sync.OnceValues(func() (*submission.Course, error) { return submission.Open(a.root, a.course) })
	if level > jail.Process {
		jail.Launcher = a.path(local, "bin", "launch")
		if err := grade.BuildCommand(ctx, a.root, "./autograder/jail/launch", jail.Launcher, nil); err != nil {
			return nil, fmt.Errorf("what starts checks in jail cannot be built: %w", err)
		}
	}
	return s, nil
}

// read takes a submission from a folder; the caller removes it. The error is a class.Unusable if
// there is none.
func (s *submissions) read(dir string) (*submission.Files, error) {
	course, err := s.open()
	if err != nil {
		return nil, err
	}
	files, err := course.Read(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range files.Findings {
		if f.File == grade.Exercises {
			files.Remove()
			return nil, class.Unusable("there is no folder " + grade.Exercises)
		}
	}
	return files, nil
}

// sum is a class.Sum.
func (s *submissions) sum(dir string) (string, error) {
	files, err := s.read(dir)
	if err != nil {
		return "", err
	}
	return files.Sum, files.Remove()
}

// grade is a class.Grade.
func (s *submissions) grade(ctx context.Context, dir string, chapters []string) (*grade.Report, error) {
	s.one.Lock()
	defer s.one.Unlock()
	return s.gradeFolder(ctx, dir, chapters, nil)
}

func (s *submissions) gradeFolder(ctx context.Context, dir string, chapters []string, progress func(grade.Event)) (*grade.Report, error) {
	files, err := s.read(dir)
	if err != nil {
		return nil, err
	}
	defer files.Remove()
	g := &trusted.Grading{Root: s.root, All: s.course, Chapters: chapters, Level: s.level, Own: s.own, Race: grade.RaceAlways, Progress: progress, Course: s.courseCode}
	return g.Grade(ctx, files)
}

// An isolation is what the flags of a trusted run say.
type isolation struct {
	level, require int
	ownStack       bool
}

// highest stands for the highest level that this system has.
const highest = -1

func (i *isolation) flags(flags *pflag.FlagSet) {
	flags.IntVar(&i.level, "isolation", highest, "the `level` at which checks run (default the highest that there is)")
	flags.Lookup("isolation").DefValue = "0" // so that help does not name a level that is none
	flags.IntVar(&i.require, "require-isolation", 0, "refuse to grade at less than this `level`")
	flags.BoolVar(&i.ownStack, "own-stack", false, "also say how a chapter does on the student's own parts of the chapters before it")
}

// own says when the checks are run on the student's own stack.
func (i *isolation) own() grade.OwnStack {
	if i.ownStack {
		return grade.OwnAlways
	}
	return grade.OwnNever
}

// choose returns the level to grade at, and says which it is.
func (i *isolation) choose(ctx context.Context, a *app) (jail.Level, error) {
	there, why := jail.Highest(ctx)
	reasons := ""
	if len(why) > 0 {
		reasons = ":\n  " + strings.Join(why, "\n  ")
	}
	level := there
	switch {
	case i.level > int(there):
		return 0, usagef("--isolation %d: this system has no level above %v%s", i.level, there, reasons)
	case i.level >= 0:
		level = jail.Level(i.level)
	}
	if int(level) < i.require {
		return 0, usagef("--require-isolation %d: checks would run at level %v%s", i.require, level, reasons)
	}
	a.err.Println(fmt.Sprintf("isolation: level %v", level))
	if level == jail.Process && runtime.GOOS == "linux" && i.level == highest {
		a.err.Println(strings.TrimPrefix(reasons, ":\n"))
	}
	return level, nil
}

// gradeSubmission grades what was submitted in a folder, with this course.
func (a *app) gradeSubmission(ctx context.Context, dir string, i isolation, chapters []string) (*grade.Report, error) {
	level, err := i.choose(ctx, a)
	if err != nil {
		return nil, err
	}
	s, err := a.submissionsAt(ctx, level, i.own())
	if err != nil {
		return nil, err
	}
	progress := &screen.Progress{Screen: a.err}
	defer progress.Clear()
	report, err := s.gradeFolder(ctx, dir, chapters, a.eventsTo(progress))
	if why, ok := err.(class.Unusable); ok {
		return nil, usagef("--submission %s: %v", dir, why)
	}
	return report, err
}

// showSubmission says what a trusted run did not take.
func (a *app) showSubmission(s *grade.Submission) {
	if s == nil {
		return
	}
	a.out.Println()
	a.out.Println(fmt.Sprintf("Submission %.12s, %d files, graded at isolation level %v", s.Sum, len(s.Taken), jail.Level(s.Isolation)))
	list := func(what string, names []string) {
		if len(names) > 0 {
			a.out.Wrapped(2, what+": "+strings.Join(names, ", "))
		}
	}
	list("refused", places(s.Findings))
	list("ignored", s.Ignored)
}

// places are where findings are.
func places(findings []policy.Finding) []string {
	var at []string
	for _, f := range findings {
		at = append(at, f.Place())
	}
	return at
}
