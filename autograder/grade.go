package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gosched/autograder/grade"
	"gosched/autograder/jail"
	"gosched/autograder/screen"
	"gosched/chapters"
)

func (a *app) gradeCommand() *cobra.Command {
	var of, format string
	var outs []string
	requireFull := false
	from := ""
	var run trustedRun
	cmd := &cobra.Command{
		Use:   "grade [flags] [chapter...]",
		Short: "grade the exercises, for people or for programs",
		Long: `Runs all checks of all chapters that are written, or of the named ones, and
reports the points. A chapter that does not compile or crashes gets the points for
what still works; it never keeps the others from being graded.

A chapter's own stack says whether its checks also pass on the student's own
parts of that chapter and of all chapters before it. It gives no points, and takes as
long as all that does.

Forms of the report:
` + formHelp() + `
One run gives as many as are wanted: --format names the one that is printed, and
each --out names one more, with its file.

With --submission it grades, with this course, what is in another folder: a student's
repository, or only its exercises. Of that it takes the student's files, and names all
else that differs. What could turn the grading is refused before anything is built, with
the place: package policy lists it. The checks run at an isolation level: 0 any system;
1 Linux, with Landlock and seccomp; 2 with bubblewrap; 3 and 4 in a container or a pod of
ours. It is in the result; without --isolation it is the highest that there is. A result is
kept, and comes at once when the same submission is graded again by the same course.
The own stack is run only with --own-stack; without it the report says "not run".

With --extra there are further checks, those of a folder of the instructor's own; students
never get it. They have points apart from the course's, and a total is the sum of both. Each
check says what students are shown of it: the form json has all, and is for the instructor;
all others have what may be shown. The solution must pass them, which --of solutions tells
as well. The book's page "How to use this course" shows how to write one.

If the grading itself fails for a check, the status is 2, the reports say so, and
gradescope and classroom50, which could only say that it gets 0 points, are not
written.`,
		Example: `  go run ./autograder grade
  go run ./autograder grade --format json > result.json
  go run ./autograder grade --format github --out json=result.json --out junit=report.xml
  go run ./autograder grade --submission ../ann --require-isolation 1 --out json=ann.json
  go run ./autograder grade --submission ../ann --extra ../hidden --out student-json=ann.json
  go run ./autograder grade --of solutions --require-full`,
		Annotations: exitHelp("  0 graded, 1 not all points and --require-full, 2 it could not be graded"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range []string{"isolation", "require-isolation", "own-stack", "fresh"} {
				if from == "" && cmd.Flags().Changed(name) {
					return usagef("--%s is for --submission DIR", name)
				}
			}
			if run.extra != "" && from == "" && of != grade.Solutions {
				return usagef("--extra is for --submission DIR, and for --of solutions")
			}
			return a.grade(cmd.Context(), args, of, from, run, format, outs, requireFull)
		},
	}
	cmd.Flags().StringVar(&of, "of", grade.Exercises, "the `tree` to grade: exercises or solutions")
	cmd.Flags().StringVar(&from, "submission", "", "grade the submission in the folder `DIR`, in a trusted run")
	run.flags(cmd.Flags())
	cmd.Flags().BoolVar(&run.fresh, "fresh", false, "grade the submission even if its result is kept from before")
	cmd.Flags().StringVar(&format, "format", "text", "the `form` of the report, one of those above")
	cmd.Flags().StringArrayVar(&outs, "out", nil, "also write the report to a file, as `FORM=FILE`; may be repeated")
	cmd.Flags().BoolVar(&requireFull, "require-full", false, "fail unless every check passes")
	cmd.MarkFlagsMutuallyExclusive("of", "submission")
	return cmd
}

// writable returns an error if a file that a flag asks for cannot be written: that is told before
// minutes are spent on what is written there.
func writable(flag, file string) error {
	dir := filepath.Dir(file)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return usagef("%s: there is no folder %s", flag, dir)
	}
	before, err := os.Stat(file)
	switch {
	case err == nil && before.IsDir():
		return usagef("%s: %s is a folder; name a file", flag, file)
	case err == nil && !before.Mode().IsRegular():
		return nil // such as /dev/null or a pipe, which to open could take its reader's patience
	}
	f, openErr := os.OpenFile(file, os.O_WRONLY|os.O_CREATE, 0o666)
	if openErr != nil {
		return usagef("%s: it cannot be written: %v", flag, openErr)
	}
	f.Close()
	if err != nil {
		os.Remove(file) // there was none
	}
	return nil
}

func (a *app) grade(ctx context.Context, args []string, of, from string, run trustedRun, format string, outs []string, requireFull bool) error {
	if of != grade.Exercises && of != grade.Solutions {
		return usagef("--of takes exercises or solutions, not %q", of)
	}
	grader := &grade.Grader{Root: a.root, Of: of, All: a.course, Own: grade.OwnAlways, Race: grade.RaceAlways}
	for _, arg := range args {
		ch, err := a.chapter(arg)
		if err != nil {
			return err
		}
		grader.Chapters = append(grader.Chapters, ch.ID)
	}
	reports, err := readForms(ctx, from, format, outs)
	if err != nil {
		return err
	}
	var report *grade.Report
	if from != "" {
		report, err = a.gradeSubmission(ctx, from, run, grader.Chapters)
	} else {
		report, err = a.gradeTree(ctx, grader, run.extra)
	}
	if err != nil {
		return err
	}
	if err := a.writeReports(ctx, report, reports); err != nil {
		return err
	}
	if of == grade.Exercises && from == "" {
		a.warn(a.err, slices.DeleteFunc(a.written(), func(ch chapters.Chapter) bool {
			return grader.Chapters != nil && !slices.Contains(grader.Chapters, ch.ID)
		}))
	}
	if requireFull && !report.Passes() {
		return failed
	}
	return nil
}

// gradeTree grades the tree of a grader, also by the extra checks of the folder further, if that
// is not "".
func (a *app) gradeTree(ctx context.Context, grader *grade.Grader, further string) (*grade.Report, error) {
	checks, err := a.extraChecks(ctx, further, jail.Process)
	if err != nil {
		return nil, err
	}
	run := a.graded
	if grader.Of == grade.Exercises {
		run = a.checked
	}
	report, err := run(ctx, grader)
	if err == nil && checks != nil {
		report.Extra, err = checks.Grade(ctx, *grader)
	}
	return report, err
}

// showGrades prints the report for people.
func (a *app) showGrades(report *grade.Report) {
	report = report.Shown()
	a.out.Ends(screen.Bold, fmt.Sprintf("Graded %s with %s", report.Of, report.Go), report.Total())
	for i := range report.Chapters {
		ch := &report.Chapters[i]
		chapter, _ := a.findChapter(ch.ID)
		a.out.Println()
		a.out.Ends(screen.Plain, fmt.Sprintf("%2s  %s", number(chapter), ch.Title), fmt.Sprintf("%d/%d", ch.Score, ch.MaxScore))
		about := counts(ch)
		if ch.OwnStack != "" {
			about += "; own stack: " + ch.OwnStack
		}
		a.out.Wrapped(4, about)
		if ch.Broken() {
			first := ch.Checks[0]
			first.Evidence = grade.Inert(grade.Printable(first.Evidence, 8*firstLineText))
			a.compilerLines(first)
			continue
		}
		for _, c := range ch.Failing() {
			a.firstLine(c, "")
		}
		for _, c := range ch.OwnFails {
			a.firstLine(c, ", on the own stack")
		}
	}
	a.showSubmission(report.Submission)
}

// firstLineText is how many bytes of a message are shown.
const firstLineText = 1 << 10

// firstLine prints a failed check and the first line of its message.
func (a *app) firstLine(c grade.Check, where string) {
	first := grade.FirstLine(grade.Inert(grade.Printable(c.Message, firstLineText)))
	a.out.Println(fmt.Sprintf("    %s %s%s", a.status(c.Status), c.Name, where))
	if first != "" {
		a.out.Wrapped(10, first)
	}
}

// counts says how many checks came out how.
func counts(ch *grade.Chapter) string {
	var parts []string
	for _, w := range grade.StatusWords {
		if n := ch.Count(w.Status); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, w.Words))
		}
	}
	return strings.Join(parts, ", ")
}
