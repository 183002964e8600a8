package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gosched/chapters"
	"gosched/chapters/check"
)

func (a *app) hintCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "hint [chapter] [check]",
		Short: "say what to think about when a check fails",
		Long: `Prints the hint of a check and where the book explains it. Without a check it
takes the first that failed when the checks were run last, else the first that is
not started.`,
		Example: `  go run ./autograder hint
  go run ./autograder hint ch01 status-edges`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.hint(args) },
	}
}

func (a *app) hint(args []string) error {
	s := a.loadState()
	current, err := a.current(s)
	if err != nil {
		return err
	}
	sel, err := a.selectChecks(args, current)
	if err != nil {
		return err
	}
	ch := sel.chapters[0]
	var c *check.Check
	switch {
	case len(sel.chapters) > 1 || len(sel.checks) > 1:
		return usagef("one hint at a time")
	case len(sel.checks) == 1:
		c = ch.Suite.Check(sel.checks[0])
	default:
		c = firstOpen(ch, s[ch.ID])
	}
	if c == nil {
		a.out.Wrapped(0, fmt.Sprintf("All checks of chapter %s passed when they were run last. Name a check to see its hint.", number(ch)))
		return nil
	}
	a.out.Println(ch.ID + "/" + c.Name)
	a.out.Println()
	a.out.Wrapped(2, c.Property)
	a.out.Println()
	a.out.Wrapped(2, c.Hint)
	a.out.Println()
	if len(c.Methods) > 0 {
		a.out.Labeled(2, labelColumn, "methods", strings.Join(c.Methods, ", "))
	}
	if c.Book != "" {
		a.out.Command(2, labelColumn, "book", fmt.Sprintf("%s.html#%s (%s book)", strings.TrimPrefix(ch.Dir, "ch"), c.Book, invocation))
	}
	return nil
}

// firstOpen is the first check that failed in the last run, else the first that
// did not pass, nil if all did.
func firstOpen(ch chapters.Chapter, st *chapterState) *check.Check {
	var open *check.Check
	for i := range ch.Suite.Checks {
		c := &ch.Suite.Checks[i]
		status := check.Todo
		if st != nil && st.Checks[c.Name] != "" {
			status = st.Checks[c.Name]
		}
		switch status {
		case check.Pass:
		case check.Todo:
			if open == nil {
				open = c
			}
		default:
			return c
		}
	}
	return open
}
