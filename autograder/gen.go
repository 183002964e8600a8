package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"gosched/autograder/gen"
	"gosched/autograder/grade"
	"gosched/autograder/screen"
)

func (a *app) genCommand() *cobra.Command {
	var check, force bool
	var to string
	cmd := &cobra.Command{
		Use:   "gen [flags]",
		Short: "make the exercises from the solutions",
		Long: `Writes the exercises: files that are missing, and files that are still as an
earlier gen left them. A file that was edited is kept. With --force it is
overwritten, too, after it has been copied to .gosched/backup.`,
		Example: `  go run ./autograder gen
  go run ./autograder gen --check`,
		Annotations: exitHelp("  0 done, 1 --check found differences, 2 the solutions cannot be read"),
		Args:        noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if check {
				return a.genCheck()
			}
			return a.gen(to, force)
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; list how the exercises differ from fresh ones")
	cmd.Flags().BoolVar(&force, "force", false, "overwrite edited files, too")
	cmd.Flags().StringVar(&to, "to", "", "write to the folder `DIR` instead of exercises")
	return cmd
}

func (a *app) gen(to string, force bool) error {
	files, err := gen.Exercises(a.root, a.course, false)
	if err != nil {
		return err
	}
	if to == "" {
		to = a.path(grade.Exercises)
	}
	backup := a.backup()
	report, err := gen.Write(to, files, force, a.path(backup))
	replaced := 0
	for _, f := range report {
		a.out.Println(fmt.Sprintf("%s %s", screen.Pad(string(f.Change), 8), f.Name))
		if f.Change == gen.Replaced {
			replaced++
		}
	}
	if replaced > 0 {
		a.out.Println("what was there is in " + backup)
	}
	if err == nil && len(report) == 0 {
		a.out.Println("nothing to do")
	}
	return err
}

func (a *app) genCheck() error {
	files, err := gen.Exercises(a.root, a.course, false)
	if err != nil {
		return err
	}
	report, err := gen.Compare(a.path(grade.Exercises), files)
	if err != nil {
		return err
	}
	for _, f := range report {
		a.out.Println(fmt.Sprintf("%s %s", screen.Pad(string(f.Change), 8), filepath.Join(grade.Exercises, f.Name)))
	}
	if len(report) > 0 {
		return exit{exitFailed, "the exercises are not as the solutions make them: run " + invocation + " gen"}
	}
	a.out.Println("the exercises are as the solutions make them")
	return nil
}
