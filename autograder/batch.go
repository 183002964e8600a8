package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"gosched/autograder/class"
	"gosched/autograder/content"
	"gosched/autograder/screen"
	"gosched/chapters/sample"
)

func (a *app) batchCommand() *cobra.Command {
	var roster, out, shard string
	workers := 0
	var run trustedRun
	cmd := &cobra.Command{
		Use:   "batch --roster FILE --out DIR [flags] [chapter...]",
		Short: "grade a class, on one machine or on many",
		Long: `Grades the submissions of a class: all chapters that are written, or the named
ones. The folder then has the table class.csv, the page class.html, which shows the
checks of each student, and the results from which both are made.

The roster is a CSV file whose first line names its columns:

  student   as the table names the student; unique
  source    a folder, from the roster's if it is relative, or the address of a
            repository, https://... or file:///...
  name      for people (may be left out, as may the columns below)
  commit    a commit of 40 digits, a branch or a tag; the source is a repository then
  due       a time as in 2026-03-01T23:59:59+01:00

A commit that was made after the time is graded and marked as late, and the last one
before it is named; but the time is that of the student's computer. A folder has no
time. Repositories are fetched without any credentials of yours; clone those that need
some, and name the folders.

A batch can be ended at any moment, in any way, and started again: what has a result is
not graded again unless the submission or the course has changed. What could not be
graded for a reason that is not the student's is tried three times and then reported as
such; it never counts as 0 points. With --shard 3/20 only a twentieth of the class is
graded, by the hash of the student; batch merge joins what the twenty have made.

Each is a trusted run, as grade --submission makes it: see there. So what a chapter does
on the student's own stack is not run either, unless --own-stack asks for it.

With --extra there are further checks, those of a folder of the instructor's own: "help
grade" says more. The table, the page and the evidence have what students may be shown of
them; extra.csv and the results have all, and are for the instructor.`,
		Example: `  go run ./autograder batch --roster roster.csv --out results
  go run ./autograder batch --roster roster.csv --out results-3 --shard 3/20
  go run ./autograder batch merge results-* --out results
  go run ./autograder batch plan --roster roster.csv --shards 20 --out plan`,
		Annotations: exitHelp("  0 every submission has a result, 1 some could not be graded, 2 wrong usage or no grading is possible"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, arg := range args {
				if near := didYouMean(arg, commandNames(cmd)); near != "" {
					return usagef("batch has no command %q%s", arg, near)
				}
			}
			if roster == "" || out == "" {
				return usagef("batch needs --roster FILE and --out DIR")
			}
			if workers < 1 && cmd.Flags().Changed("workers") {
				return usagef("--workers takes 1 or more, not %d", workers)
			}
			b := &class.Batch{Out: out, Workers: workers}
			if shard != "" {
				var err error
				if b.Shard, err = class.ParseShard(shard); err != nil {
					return usagef("--shard %s: %v", shard, err)
				}
			}
			return a.batch(cmd.Context(), b, roster, run, args)
		},
	}
	cmd.Flags().StringVar(&roster, "roster", "", "the CSV `FILE` that names the students and their submissions")
	cmd.Flags().StringVar(&out, "out", "", "the folder `DIR` for the results")
	cmd.Flags().StringVar(&shard, "shard", "", "grade only part `I/N` of the class, such as 3/20")
	run.flags(cmd.Flags())
	cmd.Flags().IntVar(&workers, "workers", 0, "`N` submissions are in work at once (default the number of CPUs)")
	cmd.AddGroup(&cobra.Group{ID: "shards", Title: "For the whole class:"})
	for _, sub := range []*cobra.Command{a.batchFetchCommand(), a.batchMergeCommand(), a.batchReportCommand(), a.batchPlanCommand(), a.batchRehearseCommand()} {
		sub.DisableFlagsInUseLine, sub.GroupID = true, "shards"
		cmd.AddCommand(sub)
	}
	return cmd
}

// tokenEnv names the variable with a token for repositories that are not public.
const tokenEnv = "GOSCHED_TOKEN"

func (a *app) batchFetchCommand() *cobra.Command {
	roster, out := "", ""
	cmd := &cobra.Command{
		Use:   "fetch --roster FILE --out DIR",
		Short: "fetch the submissions of a class, to be graded where there is no network",
		Long: `Fetches what the roster names by an address or a commit, and writes the files of each
submission into the folder, with a new roster, roster.csv, that names them there. The
dates stay, and the commits and their times are noted in it, so that batch grades it as it
would have graded the first one; it needs neither git nor a network for that. The folder can
be taken to another computer. Sources that are folders are named where they are; those
in DIR are taken along with it.

Repositories at https://github.com that are not public are read with the token that is in
the environment variable ` + tokenEnv + `. Nothing of a submission is run.`,
		Example: `  go run ./autograder batch fetch --roster roster.csv --out class
  go run ./autograder batch --roster class/roster.csv --out results`,
		Annotations: exitHelp("  0 all are there, or have none, 1 some could not be fetched, 2 wrong usage"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := noArgs(cmd, args); err != nil {
				return err
			}
			if roster == "" || out == "" {
				return usagef("batch fetch needs --roster FILE and --out DIR")
			}
			return a.batchFetch(cmd.Context(), roster, out)
		},
	}
	cmd.Flags().StringVar(&roster, "roster", "", "the CSV `FILE` that names the students and their submissions")
	cmd.Flags().StringVar(&out, "out", "", "the folder `DIR` for the submissions and the new roster")
	return cmd
}

// batchFetch fetches what a roster names.
func (a *app) batchFetch(ctx context.Context, roster, out string) error {
	rows, err := readRoster(roster)
	if err != nil {
		return err
	}
	progress := &screen.Progress{Screen: a.err}
	b := &class.Bringing{Rows: rows, Base: filepath.Dir(roster), Out: out, Token: os.Getenv(tokenEnv)}
	b.Progress = func(done, total int) { progress.Stage("%d of %d students", done, total) }
	failed, err := b.Run(ctx)
	progress.Clear()
	if err != nil {
		return err
	}
	a.out.Println("the roster is in " + filepath.Join(out, class.RosterFile))
	if len(failed) > 0 {
		return exit{exitFailed, "could not be fetched: " + strings.Join(failed, ", ") + "; start it once more"}
	}
	return nil
}

func (a *app) batchMergeCommand() *cobra.Command {
	out := ""
	cmd := &cobra.Command{
		Use:   "merge DIR... --out DIR",
		Short: "join the results of the shards of a class",
		Long: `Joins folders that batch --shard has made in one, with the table and the page that
one batch over the whole class would have made, and says who is missing. The shards must
be of the same roster and graded by the same course.`,
		Annotations: exitHelp("  0 every student has a result, 1 some are missing or could not be graded, 2 the shards do not fit"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || out == "" {
				return usagef("batch merge needs the folders of the shards, and --out DIR")
			}
			c, err := class.Merge(args, out)
			if err != nil {
				return err
			}
			return a.showClass(c, out)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "the folder `DIR` for all results")
	return cmd
}

func (a *app) batchReportCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "report DIR",
		Short:       "write the table and the page of a class once more",
		Long:        `Makes class.csv and class.html from the results in a folder, even while a class is only half graded.`,
		Annotations: exitHelp("  0 every student has a result, 1 some are missing or could not be graded, 2 there are no results"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("batch report needs the folder of a class")
			}
			c, err := class.Read(args[0])
			if err == nil {
				err = c.Write(args[0])
			}
			if err != nil {
				return err
			}
			return a.showClass(c, args[0])
		},
	}
}

func (a *app) batchPlanCommand() *cobra.Command {
	var p class.Plan
	out := ""
	cmd := &cobra.Command{
		Use:   "plan --roster FILE --out DIR [--shards N] [--image IMAGE] [chapter...]",
		Short: "write what GitHub Actions or Kubernetes need to grade a class in shards",
		Long: `Writes a workflow for GitHub Actions, grade-class.yml, whose jobs grade a shard each
and whose last one joins them, and kubernetes-class.yaml, which does the same with an
Indexed Job without a network. What they need is said in the files.

The roster is named as it is there: by its path in the repository, or on the volume
that has the submissions.`,
		Example:     `  go run ./autograder batch plan --roster class/roster.csv --shards 20 --out plan`,
		Annotations: exitHelp("  0 written, 2 wrong usage"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if p.Roster == "" || out == "" {
				return usagef("batch plan needs --roster FILE and --out DIR")
			}
			for _, arg := range args {
				ch, err := a.chapter(arg)
				if err != nil {
					return err
				}
				p.Chapters = append(p.Chapters, ch.ID)
			}
			names, err := p.Write(out)
			if err != nil {
				return err
			}
			a.out.Println(strings.Join(names, "\n"))
			return nil
		},
	}
	cmd.Flags().StringVar(&p.Roster, "roster", "", "the path of the roster, the `FILE` in the repository or on the volume")
	cmd.Flags().StringVar(&out, "out", "", "the folder `DIR` for the files")
	cmd.Flags().StringVar(&p.Extra, "extra", "", "the path of the folder `DIR` of extra checks, where the roster's is")
	cmd.Flags().IntVar(&p.Shards, "shards", 20, "grade the class in `N` parts")
	cmd.Flags().StringVar(&p.Image, "image", "gosched-grade:latest", "the container `IMAGE` of classroom/Dockerfile")
	return cmd
}

// batch grades what the roster names.
func (a *app) batch(ctx context.Context, b *class.Batch, roster string, run trustedRun, args []string) error {
	var err error
	if b.Rows, err = readRoster(roster); err != nil {
		return err
	}
	b.Base = filepath.Dir(roster)
	for _, arg := range args {
		ch, err := a.chapter(arg)
		if err != nil {
			return err
		}
		b.Conditions.Chapters = append(b.Conditions.Chapters, ch.ID)
	}
	s, err := a.submissionsAt(ctx, run, b.Conditions.Chapters)
	if err != nil {
		return err
	}
	b.Conditions, b.Sum, b.Grade = s.conditions, s.sum, s.grade
	progress := &screen.Progress{Screen: a.err, Lines: true}
	b.Progress = a.batchProgress(progress)
	err = b.Run(ctx)
	progress.Clear()
	if err != nil {
		return err
	}
	c, err := class.Read(b.Out)
	if err == nil {
		err = c.Write(b.Out)
	}
	if err != nil {
		return err
	}
	if b.Shard.Of == 0 {
		return a.showClass(c, b.Out)
	}
	c.Students = slices.DeleteFunc(c.Students, func(s class.Student) bool { return !b.Shard.Has(s.Row.Student) })
	a.out.Println(fmt.Sprintf("shard %d of %d: %s", b.Shard.Number, b.Shard.Of, c.Summary()))
	return ifBroken(c)
}

// readRoster reads the roster in a file.
func readRoster(name string) ([]class.Row, error) {
	switch info, err := os.Stat(name); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usagef("--roster %s: there is no such file", name)
	case err == nil && info.IsDir():
		return nil, usagef("--roster %s: this is a folder; name the CSV file in it", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, usagef("--roster: %v", err)
	}
	defer f.Close()
	rows, err := class.ReadRoster(f)
	if err != nil {
		return nil, usagef("%s: %s", name, strings.ReplaceAll(err.Error(), "\n", "\n  "))
	}
	return rows, nil
}

// batchProgress tells of each student on a terminal, elsewhere of each twentieth of the class.
func (a *app) batchProgress(progress *screen.Progress) func(class.Progress) {
	told := -1
	return func(p class.Progress) {
		if part := 20 * p.Done / p.Total; part != told || a.err.Terminal {
			told = part
			progress.Stage("%s", progressLine(p))
		}
	}
}

// progressLine is "120 of 500 students, 100 of them graded now, about 12m left".
func progressLine(p class.Progress) string {
	text := fmt.Sprintf("%d of %d students", p.Done, p.Total)
	if p.Graded < p.Done {
		text += fmt.Sprintf(", %d of them graded now", p.Graded)
	}
	if p.Failed > 0 {
		text += fmt.Sprintf(", %d to be tried again", p.Failed)
	}
	if p.Left > 0 && p.Done < p.Total {
		text += ", about " + roughly(p.Left) + " left"
	}
	return text
}

// roughly is a time in the unit that people would use.
func roughly(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds())+1)
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes())+1)
	}
	return fmt.Sprintf("%d h", int(d.Hours())+1)
}

// showClass says what became of a class, whose results are in dir, and where to look.
func (a *app) showClass(c *class.Class, dir string) error {
	a.out.Println(c.Summary())
	a.out.Println("the table is in " + filepath.Join(dir, class.TableFile) + ", the page in " + filepath.Join(dir, class.PageFile))
	if missing := c.With(class.Missing); len(missing) > 0 {
		a.out.Wrapped(0, "missing: "+strings.Join(missing, ", "))
		a.out.Wrapped(0, "They have no result yet: start batch again, or the shards that are missing and then merge.")
		return failed
	}
	return ifBroken(c)
}

// ifBroken is an error if a submission could not be graded.
func ifBroken(c *class.Class) error {
	if broken := c.With(class.InternalError); len(broken) > 0 {
		return exit{exitFailed, "could not be graded: " + strings.Join(broken, ", ") + "; start it once more"}
	}
	return nil
}

// conditions finds out what results depend on besides the submissions: the same on each machine
// with the same course and the same Go.
func (a *app) conditions(ctx context.Context, c *class.Conditions) error {
	sums, ctx := errgroup.WithContext(ctx)
	sums.Go(func() (err error) {
		c.Suites, err = a.codeSum("go.mod", "go.sum", "chapters", "solutions", "timeline")
		return err
	})
	sums.Go(func() (err error) {
		c.Grader, err = a.codeSum("autograder/extra", "autograder/grade", "autograder/gen", "autograder/jail", "autograder/policy", "autograder/submission", "autograder/trusted")
		return err
	})
	cmd := exec.CommandContext(ctx, "go", "env", "GOVERSION", "GOOS", "GOARCH", "CC")
	cmd.Dir = a.root
	out, err := cmd.Output()
	if summing := sums.Wait(); summing != nil {
		return summing
	}
	if err != nil {
		return fmt.Errorf("cannot run the go command, which the course needs: %w", err)
	}
	said := append(strings.Split(strings.TrimSpace(string(out)), "\n"), "")
	c.Toolchain = strings.TrimSpace(strings.Join(said[:3], " "))
	c.Flags = []string{"race=always"}
	if cc, _, _ := strings.Cut(said[3], " "); !found(cc) {
		c.Flags = append(c.Flags, "no C compiler") // and no race detector, on most systems
	}
	if sample.Whole() {
		c.Flags = append(c.Flags, "whole")
	}
	return nil
}

// found reports whether a program is there.
func found(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// sumsDir is where content addresses are kept that were found out before.
const sumsDir = "sums"

// codeSum is the content address of files and folders of the course, but for its tests. Those of
// the solutions count: the tests of the exercises are made from them.
func (a *app) codeSum(names ...string) (string, error) {
	return content.Files{Root: a.root, Names: names, Leave: func(name string, folder bool) bool {
		if folder {
			return path.Base(name) == "testdata"
		}
		return strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, "solutions/")
	}}.KeptSum(a.path(local, sumsDir))
}
