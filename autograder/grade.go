package main

import (
	"context"
	"errors"
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
	cmd := &cobra.Command{
		Use:   "grade [flags] [chapter...]",
		Short: "grade the exercises, for people or for programs",
		Long: `Runs all checks of all chapters that are written, or of the named ones, and
reports the points. A chapter that does not compile or crashes gets the points for
what still works; it never keeps the others from being graded.

A chapter's own stack says whether its checks also pass on the student's own
parts of that chapter and of all chapters before it. It gives no points.

Forms of the report:
  text     a table, and the first line of each failure
  json     one JSON object, schema gosched/result/v1, and nothing else
  github   annotations for GitHub Actions; the summary goes to the file named by
           GITHUB_STEP_SUMMARY, or follows if there is none

One run gives as many as are wanted: --format names the one that is printed, and
each --out names one more, with its file.`,
		Example: `  go run ./autograder grade
  go run ./autograder grade --format json > result.json
  go run ./autograder grade --format github --out json=result.json
  go run ./autograder grade --of solutions --require-full`,
		Annotations: exitHelp("  0 graded, 1 not all points and --require-full, 2 it could not be graded"),
		RunE: func(cmd *cobra.Command, args []string) error {
			reports, err := readOuts(outs)
			if err != nil {
				return err
			}
			return a.grade(cmd.Context(), args, of, append([]reportFile{{form: format}}, reports...), requireFull)
		},
	}
	cmd.Flags().StringVar(&of, "of", grade.Exercises, "the `tree` to grade: exercises or solutions")
	cmd.Flags().StringVar(&format, "format", "text", "the `form` of the report: text, json or github")
	cmd.Flags().StringArrayVar(&outs, "out", nil, "also write the report to a file, as `FORM=FILE`; may be repeated")
	cmd.Flags().BoolVar(&requireFull, "require-full", false, "fail unless every check passes")
	return cmd
}

// A reportFile is a form of the report and the file for it, "" for standard output.
type reportFile struct{ form, file string }

// readOuts reads the values of --out.
func readOuts(outs []string) ([]reportFile, error) {
	var reports []reportFile
	for _, out := range outs {
		form, file, ok := strings.Cut(out, "=")
		if !ok || !slices.Contains(reportForms, form) || file == "" {
			return nil, usagef("--out takes text=FILE, json=FILE or github=FILE, not %q", out)
		}
		if err := writable("--out "+out, file); err != nil {
			return nil, err
		}
		reports = append(reports, reportFile{form, file})
	}
	return reports, nil
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

var reportForms = []string{"text", "json", "github"}

func (a *app) grade(ctx context.Context, args []string, of string, reports []reportFile, requireFull bool) error {
	if of != grade.Exercises && of != grade.Solutions {
		return usagef("--of takes exercises or solutions, not %q", of)
	}
	for _, r := range reports {
		if !slices.Contains(reportForms, r.form) {
			return usagef("--format takes text, json or github, not %q", r.form)
		}
	}
	grader := &grade.Grader{Root: a.root, Of: of, All: a.course, Own: grade.OwnAlways, Race: grade.RaceAlways}
	for _, arg := range args {
		ch, err := a.chapter(arg)
		if err != nil {
			return err
		}
		grader.Chapters = append(grader.Chapters, ch.ID)
	}
	run := a.graded
	if of == grade.Exercises {
		run = a.checked
	}
	report, err := run(ctx, grader)
	if err != nil {
		return err
	}
	for _, r := range reports {
		err = errors.Join(err, a.writeReport(report, r))
	}
	if err != nil {
		return err
	}
	if of == grade.Exercises {
		a.warn(a.err, slices.DeleteFunc(a.written(), func(ch chapters.Chapter) bool {
			return grader.Chapters != nil && !slices.Contains(grader.Chapters, ch.ID)
		}))
	}
	if requireFull && !report.Passes() {
		return failed
	}
	return nil
}

// writeReport writes one form of the report to where it belongs.
func (a *app) writeReport(report *grade.Report, r reportFile) error {
	if r.file == "" {
		return a.printReport(report, r.form)
	}
	f, err := os.Create(r.file)
	if err != nil {
		return err
	}
	to := *a
	to.out = screen.New(f)
	return errors.Join(to.printReport(report, r.form), f.Close())
}

func (a *app) printReport(report *grade.Report, form string) error {
	switch form {
	case "json":
		return report.WriteJSON(a.out)
	case "github":
		return a.writeGitHub(report)
	}
	a.showGrades(report)
	return nil
}

// writeGitHub writes annotations to the output and the summary to its file.
func (a *app) writeGitHub(report *grade.Report) error {
	if err := report.WriteAnnotations(a.out, a.root); err != nil {
		return err
	}
	name := os.Getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return report.WriteMarkdown(a.out)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	return report.WriteMarkdown(f)
}

// showGrades prints the report for people.
func (a *app) showGrades(report *grade.Report) {
	a.out.Ends(screen.Bold, fmt.Sprintf("Graded %s with %s", report.Of, report.Go), fmt.Sprintf("%d of %d points", report.Score, report.MaxScore))
	for i := range report.Chapters {
		ch := &report.Chapters[i]
		chapter, _ := a.findChapter(ch.ID)
		a.out.Println()
		a.out.Ends(screen.Plain, fmt.Sprintf("%2s  %s", number(chapter), ch.Title), fmt.Sprintf("%d/%d", ch.Score, ch.MaxScore))
		a.out.Wrapped(4, counts(ch)+"; own stack: "+ch.OwnStack)
		if ch.Broken() {
			a.compilerLines(ch.Checks[0])
			continue
		}
		for _, c := range ch.Failing() {
			a.firstLine(c, "")
		}
		for _, c := range ch.OwnFails {
			a.firstLine(c, ", on the own stack")
		}
	}
}

// firstLine prints a failed check and the first line of its message.
func (a *app) firstLine(c grade.Check, where string) {
	first, _, _ := strings.Cut(c.Message, "\n")
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
