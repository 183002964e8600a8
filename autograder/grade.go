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
	"gosched/autograder/screen"
	"gosched/chapters"
)

func (a *app) gradeCommand() *cobra.Command {
	var of, format string
	var outs []string
	requireFull := false
	var from string
	var level isolation
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
ours. It is in the result; without --isolation it is the highest that there is. The own
stack is run only with --own-stack; without it the report says "not run".

If the grading itself fails for a check, the status is 2, the reports say so, and
gradescope and classroom50, which could only say that it gets 0 points, are not
written.`,
		Example: `  go run ./autograder grade
  go run ./autograder grade --format json > result.json
  go run ./autograder grade --format github --out json=result.json --out junit=report.xml
  go run ./autograder grade --submission ../ann --require-isolation 1 --out json=ann.json
  go run ./autograder grade --of solutions --require-full`,
		Annotations: exitHelp("  0 graded, 1 not all points and --require-full, 2 it could not be graded"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if from == "" && slices.ContainsFunc([]string{"isolation", "require-isolation", "own-stack"}, cmd.Flags().Changed) {
				return usagef("--isolation, --require-isolation and --own-stack are for --submission DIR")
			}
			return a.grade(cmd.Context(), args, of, from, level, format, outs, requireFull)
		},
	}
	cmd.Flags().StringVar(&of, "of", grade.Exercises, "the `tree` to grade: exercises or solutions")
	cmd.Flags().StringVar(&from, "submission", "", "grade the submission in the folder `DIR`, in a trusted run")
	level.flags(cmd.Flags())
	cmd.Flags().StringVar(&format, "format", "text", "the `form` of the report, one of those above")
	cmd.Flags().StringArrayVar(&outs, "out", nil, "also write the report to a file, as `FORM=FILE`; may be repeated")
	cmd.Flags().BoolVar(&requireFull, "require-full", false, "fail unless every check passes")
	cmd.MarkFlagsMutuallyExclusive("of", "submission")
	return cmd
}

// writable returns an error if there is no folder for a file that a flag asks for: that is
// told before minutes are spent on what is written there.
func writable(flag, file string) error {
	dir := filepath.Dir(file)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return usagef("%s: there is no folder %s", flag, dir)
	}
	return nil
}

func (a *app) grade(ctx context.Context, args []string, of, from string, level isolation, format string, outs []string, requireFull bool) error {
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
	reports, err := readForms(ctx, format, outs)
	if err != nil {
		return err
	}
	run := a.graded
	if of == grade.Exercises {
		run = a.checked
	}
	var report *grade.Report
	if from != "" {
		report, err = a.gradeSubmission(ctx, from, level, grader.Chapters)
	} else {
		report, err = run(ctx, grader)
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

// showGrades prints the report for people.
func (a *app) showGrades(report *grade.Report) {
	a.out.Ends(screen.Bold, fmt.Sprintf("Graded %s with %s", report.Of, report.Go), report.Total())
	for i := range report.Chapters {
		ch := &report.Chapters[i]
		chapter, _ := a.findChapter(ch.ID)
		a.out.Println()
		a.out.Ends(screen.Plain, fmt.Sprintf("%2s  %s", number(chapter), ch.Title), fmt.Sprintf("%d/%d", ch.Score, ch.MaxScore))
		a.out.Wrapped(4, counts(ch)+"; own stack: "+ch.OwnStack)
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
	first, _, _ := strings.Cut(grade.Inert(grade.Printable(c.Message, firstLineText)), "\n")
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
