package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gosched/autograder/grade"
	"gosched/autograder/screen"
)

// A form is a way to write the report of a grading. What flags, help and tests know of forms is
// in the table.
type form struct {
	name  string
	about []string // the lines of help
	// ready says why the form cannot be written here, before minutes are spent on a grading;
	// nil: it always can.
	// from is the folder of the submission, "" if it is here.
	ready func(ctx context.Context, from string) error
	write func(ctx context.Context, a *app, report *grade.Report, from string) error // to a.out
}

var forms = []form{
	{name: "text", about: []string{"a table, and the first line of each failure"},
		write: func(_ context.Context, a *app, r *grade.Report, _ string) error { a.showGrades(r); return nil }},
	{name: "json", about: []string{"one JSON object, schema " + grade.Schema + ", and nothing else;", "autograder/grade/result.schema.json says what is in it"},
		write: func(_ context.Context, a *app, r *grade.Report, _ string) error { return r.WriteJSON(a.out) }},
	{name: "student-json", about: []string{"the same without what students are not shown of extra checks"},
		write: func(_ context.Context, a *app, r *grade.Report, _ string) error {
			return r.ForStudents().WriteJSON(a.out)
		}},
	{name: "github", about: []string{"annotations for GitHub Actions; the summary goes to the file named by", "GITHUB_STEP_SUMMARY, or follows if there is none"},
		write: func(_ context.Context, a *app, r *grade.Report, _ string) error { return a.writeGitHub(r) }},
	{name: "junit", about: []string{"JUnit XML, which CI servers show: a suite for each chapter"},
		write: func(_ context.Context, a *app, r *grade.Report, _ string) error { return r.WriteJUnit(a.out) }},
	{name: "gradescope", about: []string{"Gradescope's results.json; autograder/gradescope is what is uploaded"},
		write: func(_ context.Context, a *app, r *grade.Report, _ string) error { return r.WriteGradescope(a.out) }},
	{name: "classroom50", about: []string{"Classroom 50's result.json, by the variables that its runner sets"},
		ready: func(ctx context.Context, from string) error { _, err := classroom50(ctx, from); return err },
		write: func(ctx context.Context, a *app, r *grade.Report, from string) error {
			of, err := classroom50(ctx, from)
			if err != nil {
				return err
			}
			return r.WriteClassroom50(a.out, of)
		}},
}

// findForm returns the form of that name, or nil.
func findForm(name string) *form {
	if i := slices.IndexFunc(forms, func(f form) bool { return f.name == name }); i >= 0 {
		return &forms[i]
	}
	return nil
}

// formNames lists the names: "text, json or github".
func formNames() string {
	var names []string
	for _, f := range forms {
		names = append(names, f.name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// formHelp is what help says about the forms.
func formHelp() string {
	var b strings.Builder
	for _, f := range forms {
		fmt.Fprintf(&b, "  %-12s %s\n", f.name, strings.Join(f.about, "\n"+strings.Repeat(" ", 15)))
	}
	return b.String()
}

// A reportFile is a form of the report and the file for it, "" for standard output.
type reportFile struct {
	*form
	file string
	from string // the folder of the submission, "" if it is here
}

// readForms reads the values of --format and --out, for the submission in the folder from. All that can be said against them is said
// now. A file of before is removed, so that it is never taken for the result of a grading that
// failed.
func readForms(ctx context.Context, from, format string, outs []string) ([]reportFile, error) {
	reports := []reportFile{{findForm(format), "", from}}
	if reports[0].form == nil {
		return nil, usagef("--format takes %s, not %q", formNames(), format)
	}
	for _, out := range outs {
		name, file, _ := strings.Cut(out, "=")
		f := findForm(name)
		if f == nil || file == "" {
			return nil, usagef("--out takes FORM=FILE, where FORM is %s; not %q", formNames(), out)
		}
		if err := writable("--out "+out, file); err != nil {
			return nil, err
		}
		for _, r := range reports[1:] {
			if filepath.Clean(r.file) == filepath.Clean(file) && file != os.DevNull {
				return nil, usagef("--out %s: %s is in that file already", out, r.name)
			}
		}
		reports = append(reports, reportFile{f, file, from})
	}
	for _, r := range reports {
		if r.ready != nil {
			if err := r.ready(ctx, from); err != nil {
				return nil, usagef("%s: %v", r.name, err)
			}
		}
	}
	for _, r := range reports {
		if info, err := os.Stat(r.file); err == nil && info.Mode().IsRegular() {
			if err := os.Remove(r.file); err != nil {
				return nil, err
			}
		}
	}
	return reports, nil
}

// writeReports writes a report in these forms. The error is also that it is not whole, and then
// says which forms were not written for that.
func (a *app) writeReports(ctx context.Context, report *grade.Report, reports []reportFile) error {
	var failed error
	var not []string
	for _, r := range reports {
		err := a.writeReport(ctx, report, r)
		if _, ok := errors.AsType[*grade.Ungraded](err); ok {
			not = append(not, strings.TrimSuffix(r.name+" in "+r.file, " in "))
			continue
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", r.name, err))
		}
	}
	if failed != nil {
		return failed
	}
	err := report.Whole()
	if err != nil && len(not) > 0 {
		return fmt.Errorf("%w; not written: %s", err, strings.Join(not, ", "))
	}
	return err
}

// writeReport writes one form of the report to where it belongs. There is no file if that fails.
func (a *app) writeReport(ctx context.Context, report *grade.Report, r reportFile) error {
	if r.file == "" {
		return r.write(ctx, a, report, r.from)
	}
	f, err := os.Create(r.file)
	if err != nil {
		return err
	}
	to := *a
	to.out = screen.New(f)
	if err := errors.Join(r.write(ctx, &to, report, r.from), f.Close()); err != nil {
		if info, statErr := os.Stat(r.file); statErr == nil && info.Mode().IsRegular() {
			os.Remove(r.file)
		}
		return err
	}
	return nil
}

// writeGitHub writes annotations to the output and the summary to its file.
func (a *app) writeGitHub(report *grade.Report) error {
	if err := report.WriteAnnotations(a.out, a.root); err != nil {
		return err
	}
	name := os.Getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return report.WriteMarkdown(a.out, grade.MaxSummary)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	before, err := f.Stat() // the step may have written something else
	if err == nil {
		err = report.WriteMarkdown(f, grade.MaxSummary-int(before.Size()))
	}
	return errors.Join(err, f.Close())
}

// classroom50 is what Classroom 50 wants to know of the submission: what its runner says, and
// when the commit was made that is graded: GITHUB_SHA, else the last one, in the folder from or, if
// that is "", where the runner calls us.
func classroom50(ctx context.Context, from string) (grade.Classroom50, error) {
	of, err := grade.ReadClassroom50(os.Getenv)
	if err != nil {
		return of, err
	}
	commit := os.Getenv("GITHUB_SHA")
	if commit == "" {
		commit = "HEAD"
	}
	// In a container the files may be another user's, which git would refuse.
	show := func(dir string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, "git", "-c", "safe.directory=*", "show", "--no-patch", "--format=%cI", "--end-of-options", commit)
		cmd.Dir = dir
		return cmd.Output()
	}
	out, err := show(from)
	if err != nil && commit != "HEAD" {
		out, err = show("") // of the repository here, the folder may have the files alone
	}
	if err != nil {
		return of, fmt.Errorf("git does not say when %s was committed: %w", commit, err)
	}
	of.Time, err = time.Parse(time.RFC3339, strings.TrimSpace(string(out)))
	return of, err
}
