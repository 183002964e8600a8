package main

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"gosched/autograder/class"
	"gosched/autograder/content"
	"gosched/autograder/extra"
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
	level      jail.Level
	own        grade.OwnStack
	extra      *extra.Checks // nil: none but the course's
	conditions class.Conditions
	open       func() (*submission.Course, error) // reads the course, once
	one        sync.Mutex                         // held by the one that is graded: its checks take all CPUs

	// trusted grades what was taken of a submission.
	trusted func(ctx context.Context, files *submission.Files, progress func(grade.Event)) (*grade.Report, error)
}

// submissionsAt returns what grades these chapters of submissions, or all, as the flags say.
func (a *app) submissionsAt(ctx context.Context, run trustedRun, chapters []string) (*submissions, error) {
	s := &submissions{app: a, own: run.own()}
	s.open = sync.OnceValues(func() (*submission.Course, error) { return trusted.Open(ctx, a.root, a.course) })
	s.trusted, s.conditions.Chapters = s.gradeFiles, chapters
	if err := a.conditions(ctx, &s.conditions); err != nil {
		return nil, err
	}
	if run.level != 0 {
		if err := a.findLauncher(ctx, s.conditions.Toolchain); err != nil {
			return nil, err
		}
	}
	var err error
	if s.level, err = run.choose(ctx, a); err != nil {
		return nil, err
	}
	s.conditions.Flags = append(s.conditions.Flags, fmt.Sprint("isolation=", int(s.level)), fmt.Sprint("own=", run.ownStack))
	if s.extra, err = a.extraChecks(ctx, run.extra, s.level); err != nil {
		return nil, err
	}
	if s.extra != nil {
		s.conditions.Extra = s.extra.Sum
	}
	return s, nil
}

// findLauncher sees to it that there is what starts checks in jail. It is built once for all
// gradings with the same sources and the same Go.
func (a *app) findLauncher(ctx context.Context, toolchain string) error {
	const pkg = "autograder/jail"
	if runtime.GOOS != "linux" {
		return nil // there is nothing above level 0
	}
	sum, err := a.codeSum("go.mod", "go.sum", pkg)
	if err != nil {
		return err
	}
	jail.Launcher = a.path(local, "bin", "launch-"+content.Of(sum, toolchain))
	if _, err := os.Stat(jail.Launcher); err == nil {
		return nil
	}
	if err := grade.BuildCommand(ctx, a.root, "./"+pkg+"/launch", jail.Launcher, nil); err != nil {
		return fmt.Errorf("what starts checks in jail cannot be built: %w", err)
	}
	return nil
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
			return nil, class.Unusable("it has no folder " + grade.Exercises)
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
func (s *submissions) grade(ctx context.Context, dir string, _ []string) (*grade.Report, error) {
	files, err := s.read(dir)
	if err != nil {
		return nil, err
	}
	defer files.Remove()
	s.one.Lock()
	defer s.one.Unlock()
	return s.trusted(ctx, files, nil)
}

func (s *submissions) gradeFiles(ctx context.Context, files *submission.Files, progress func(grade.Event)) (*grade.Report, error) {
	g := &trusted.Grading{Root: s.root, All: s.course, Chapters: s.conditions.Chapters, Level: s.level, Own: s.own, Race: grade.RaceAlways, Extra: s.extra, Progress: progress, Course: s.courseCode}
	return g.Grade(ctx, files)
}

// A trustedRun is what the flags of trusted runs say, of one submission or of a class.
type trustedRun struct {
	level, require int    // of isolation
	extra          string // the folder of extra checks; "": none but the course's
	ownStack       bool   // run it, too
	fresh          bool   // whatever is kept from before
}

// highest stands for the highest level that this system has.
const highest = -1

func (r *trustedRun) flags(flags *pflag.FlagSet) {
	flags.IntVar(&r.level, "isolation", highest, "the `level` at which checks run (default the highest that there is)")
	flags.Lookup("isolation").DefValue = "0" // so that help does not name a level that is none
	flags.IntVar(&r.require, "require-isolation", 0, "refuse to grade at less than this `level`")
	flags.StringVar(&r.extra, "extra", "", "also run the checks of the instructor's own in the folder `DIR`")
	flags.BoolVar(&r.ownStack, "own-stack", false, "also say how a chapter does on the student's own parts of the chapters before it")
}

// own says when the checks are run on the student's own stack.
func (r *trustedRun) own() grade.OwnStack {
	if r.ownStack {
		return grade.OwnAlways
	}
	return grade.OwnNever
}

// choose returns the level to grade at, and says which it is.
func (r *trustedRun) choose(ctx context.Context, a *app) (jail.Level, error) {
	there, why := jail.Highest(ctx)
	reasons := ""
	if len(why) > 0 {
		reasons = ":\n  " + strings.Join(why, "\n  ")
	}
	level := there
	switch {
	case r.level > int(jail.Pod) || r.level < highest:
		return 0, usagef("--isolation takes a level from 0 to %d, not %d", int(jail.Pod), r.level)
	case r.require > int(jail.Pod) || r.require < 0:
		return 0, usagef("--require-isolation takes a level from 0 to %d, not %d", int(jail.Pod), r.require)
	case r.level > int(there):
		return 0, usagef("--isolation %d: this system has no level above %v%s", r.level, there, reasons)
	case r.level >= 0 && r.level < r.require:
		return 0, usagef("--isolation %d is less than --require-isolation %d; leave it out, and the highest level is taken", r.level, r.require)
	case r.level >= 0:
		level = jail.Level(r.level)
	}
	if int(level) < r.require {
		return 0, usagef("--require-isolation %d: checks would run at level %v%s", r.require, level, reasons)
	}
	a.err.Println(fmt.Sprintf("isolation: level %v", level))
	if level == jail.Process && runtime.GOOS == "linux" && r.level == highest {
		a.err.Println(strings.TrimPrefix(reasons, ":\n"))
	}
	return level, nil
}

// keptDir is where results of submissions are kept that were graded one by one.
const keptDir = "graded"

// gradeSubmission grades what was submitted in a folder, with this course, or takes the result of
// before, if nothing has changed that it depends on and it is not to be made afresh.
func (a *app) gradeSubmission(ctx context.Context, dir string, run trustedRun, chapters []string) (*grade.Report, error) {
	switch info, err := os.Stat(dir); {
	case err == nil && !info.IsDir():
		return nil, usagef("--submission %s: this is a file; name the folder of a student's repository", dir)
	case err != nil:
		return nil, usagef("--submission %s: there is no such folder", dir)
	}
	s, err := a.submissionsAt(ctx, run, chapters)
	if err != nil {
		return nil, err
	}
	report, err := s.result(ctx, dir, run.fresh)
	if why, ok := err.(class.Unusable); ok {
		return nil, usagef("--submission %s: %v", dir, why)
	}
	return report, err
}

// result returns the result of the submission in a folder.
func (s *submissions) result(ctx context.Context, dir string, fresh bool) (*grade.Report, error) {
	kept, err := class.OpenKept(s.path(local, keptDir))
	if err != nil {
		return nil, err
	}
	if s.conditions.Flags, err = s.withProgram(s.conditions.Flags); err != nil {
		return nil, err
	}
	note := s.noteOf(dir)
	sum := ""
	var files *submission.Files
	if note == "" || !kept.Note(note, &sum) {
		if files, err = s.read(dir); err != nil {
			return nil, err
		}
		defer files.Remove()
		sum = files.Sum
		if note != "" && s.noteOf(dir) == note { // it is as it was before it was read
			if err := kept.Take(note, sum); err != nil {
				return nil, err
			}
		}
	}
	key := s.conditions.Key(sum)
	if report, when := kept.Result(key); report != nil && !fresh {
		report.Complete(s.course)
		s.err.Println("kept from " + when.Format("2006-01-02 15:04:05") + ": the same submission was graded then, by the same course; --fresh grades it again")
		return report, nil
	}
	if files == nil {
		if files, err = s.read(dir); err != nil {
			return nil, err
		}
		defer files.Remove()
		key = s.conditions.Key(files.Sum)
	}
	progress := &screen.Progress{Screen: s.err}
	defer progress.Clear()
	report, err := s.trusted(ctx, files, s.eventsTo(progress))
	if err != nil {
		return nil, err
	}
	return report, kept.Keep(key, report)
}

// withProgram adds this program, which makes the verdicts, to what a result depends on: it may
// have been built from other sources than those that are there now. (A batch goes by the sources,
// since its shards may be graded by programs that were built on several machines.)
func (a *app) withProgram(flags []string) ([]string, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	sum, err := content.Files{Root: filepath.Dir(program), Names: []string{filepath.Base(program)}}.KeptSum(a.path(local, sumsDir))
	return append(slices.Clone(flags), "program="+sum), err
}

// noteOf is the name under which it is noted what a submission is, by the state of its files and
// of the course's, with which it is compared; "" if that does not tell whether they have changed.
func (s *submissions) noteOf(dir string) string {
	hidden := func(name string, folder bool) bool {
		return folder && (path.Base(name) == ".git" || path.Base(name) == local)
	}
	theirs, err := content.Files{Root: dir, Names: []string{"."}, Leave: hidden}.State()
	if err != nil {
		return ""
	}
	ours, err := content.Files{Root: s.root, Names: []string{"."}, Leave: func(name string, folder bool) bool {
		return hidden(name, folder) || name == grade.Exercises
	}}.State()
	if err != nil {
		return ""
	}
	return content.Of(theirs, ours, s.conditions.Key(""))
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
