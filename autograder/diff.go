package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gosched/autograder/diff"
	"gosched/autograder/gen"
	"gosched/autograder/grade"
	"gosched/autograder/handout"
	"gosched/autograder/screen"
	"gosched/chapters"
	"gosched/chapters/check"
)

func (a *app) diffCommand() *cobra.Command {
	anyway, comments := false, false
	cmd := &cobra.Command{
		Use:   "diff [--anyway] [--comments] chapter",
		Short: "compare a chapter that passes with the solution",
		Long: `Shows the differences between the code in your files and in the solution's; comments
are left out, and where only they differ it says so. --comments compares them, too. It does so once all
checks of the chapter have passed, but for those that only your instructor's run
grades; there are many correct solutions.`,
		Example:     `  go run ./autograder diff ch01`,
		Annotations: exitHelp("  0 shown, 1 the chapter has not passed yet, 2 wrong usage"),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("one chapter at a time")
			}
			return oneOf("which chapter? diff ch01")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.diff(args[0], anyway, comments) },
	}
	cmd.Flags().BoolVar(&anyway, "anyway", false, "show it even if the chapter does not pass yet")
	cmd.Flags().BoolVar(&comments, "comments", false, "compare the comments, too")
	return cmd
}

// oneOf wants at least one argument, and says what is missing otherwise.
func oneOf(question string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("%s", question)
		}
		return nil
	}
}

func (a *app) diff(name string, anyway, comments bool) error {
	ch, err := a.chapter(name)
	if err != nil {
		return err
	}
	if _, err := gen.Solution(a.root, ch); errors.Is(err, gen.ErrWithheld) {
		return err // there is nothing to wait for
	}
	if st := a.loadState()[ch.ID]; !anyway && !st.done(ch, handout.Is(a.root)) {
		return exit{exitFailed, fmt.Sprintf("chapter %s has not passed yet (%d of %d checks); the solution is shown once it has, or with --anyway",
			number(ch), st.count(ch, check.Pass), len(ch.Suite.Checks))}
	}
	return a.showDiff(ch, comments)
}

func (a *app) showDiff(ch chapters.Chapter, comments bool) error {
	solution, err := gen.Solution(a.root, ch)
	if err != nil {
		return err
	}
	var commented []string // files of which only the comments differ
	for _, name := range slices.Sorted(maps.Keys(solution)) {
		mine, err := os.ReadFile(a.path(grade.Exercises, ch.Dir, name))
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		theirs := solution[name]
		if comments || bytes.Equal(mine, theirs) {
			a.printDiff(diff.Unified(path.Join(grade.Exercises, ch.Dir, name), path.Join(grade.Solutions, ch.Dir, name), string(mine), string(theirs)))
			continue
		}
		text := diff.Unified(path.Join(grade.Exercises, ch.Dir, name), path.Join(grade.Solutions, ch.Dir, name), diff.Code(mine), diff.Code(theirs))
		if text == "" {
			commented = append(commented, name)
		}
		a.printDiff(text)
	}
	if len(commented) > 0 {
		a.out.Wrapped(0, fmt.Sprintf("In %s only comments differ; --comments shows them.", strings.Join(commented, ", ")))
	}
	return nil
}

// printDiff prints a diff in colours.
func (a *app) printDiff(text string) {
	for _, line := range strings.SplitAfter(text, "\n") {
		body := strings.TrimSuffix(line, "\n")
		a.out.Printf("%s%s", a.out.Paint(diffStyle(body), body), line[len(body):])
	}
}

func diffStyle(line string) screen.Style {
	switch {
	case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
		return screen.Bold
	case strings.HasPrefix(line, "@@"):
		return screen.Cyan
	case strings.HasPrefix(line, "-"):
		return screen.Red
	case strings.HasPrefix(line, "+"):
		return screen.Green
	}
	return screen.Plain
}
