package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gosched/autograder/gen"
	"gosched/chapters"
	"gosched/chapters/check"
)

func (a *app) hintCommand() *cobra.Command {
	again := false
	cmd := &cobra.Command{
		Use:   "hint [--again] [chapter] [check or function]",
		Short: "help a little: what to think about, then more",
		Long: `Prints the hint for a check and where the book explains it. Without a name it takes the
first check that failed when the checks were last run, else the first that is not
started.

For a function that you write there is a ladder of hints: a question, then the steps, then
the shape of the code. Each call shows one more rung,
and after the last says so. What you have reached without the
steps is shown separately by test and on the map; it is never graded.`,
		Example: `  go run ./autograder hint
  go run ./autograder hint ch01 status-edges
  go run ./autograder hint ch07 Runqput
  go run ./autograder hint --again ch07 Runqput`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 2 {
				return usagef("one hint at a time: hint ch07 Runqput")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.hint(args, again) },
	}
	cmd.Flags().BoolVar(&again, "again", false, "show what was shown before, and nothing new")
	return cmd
}

func (a *app) hint(args []string, again bool) error {
	s := a.loadState()
	ch, name, err := a.hintFor(args, s)
	if err != nil {
		return err
	}
	c := ch.Suite.Check(name)
	if name == "" {
		if c = firstOpen(ch, s[ch.ID]); c == nil {
			a.out.Wrapped(0, fmt.Sprintf("All checks of chapter %s passed when they were last run. Name a check to see its hint.", number(ch)))
			return nil
		}
		name = c.Name
	}
	function := a.functionOf(ch, name)
	if c == nil && function == "" {
		return a.noHint(ch, name)
	}
	if c != nil {
		a.checkHint(ch, c)
	}
	if function == "" {
		return nil
	}
	return a.ladder(s, ch, function, c != nil, again)
}

// hintFor reads the arguments of hint: a chapter, the current one if none is named, and what
// the hint is for, "" if that is not said.
func (a *app) hintFor(args []string, s state) (ch chapters.Chapter, name string, err error) {
	if len(args) == 1 {
		if id, check, ok := strings.Cut(args[0], "/"); ok {
			if _, found := a.findChapter(id); found {
				args = []string{id, check}
			}
		}
	}
	if len(args) > 0 {
		if _, ok := a.findChapter(args[0]); ok || len(args) == 2 {
			ch, err = a.chapter(args[0])
			return ch, strings.Join(args[1:], ""), err
		}
	}
	ch, err = a.current(s)
	return ch, strings.Join(args, ""), err
}

// functionOf is the function to write that has this name, in any case of letters; "" if
// there is none.
func (a *app) functionOf(ch chapters.Chapter, name string) string {
	for _, function := range a.functions(ch) {
		_, method, _ := strings.Cut(function, ".")
		if strings.EqualFold(function, name) || strings.EqualFold(method, name) {
			return strings.TrimPrefix(function[strings.LastIndex(function, ".")+1:], ".")
		}
	}
	return ""
}

// functions are those that the student writes in a chapter, methods as "runQueue.Runqput".
func (a *app) functions(ch chapters.Chapter) []string {
	names, err := gen.ToWrite(a.root, ch)
	if err != nil {
		return nil // the solution is gone; hints of checks are left
	}
	return names
}

// noHint is the error for a name that is neither a check nor a function of the chapter.
func (a *app) noHint(ch chapters.Chapter, name string) error {
	var names []string
	for _, c := range ch.Suite.Checks {
		names = append(names, c.Name)
	}
	for _, function := range a.functions(ch) {
		names = append(names, function[strings.LastIndex(function, ".")+1:])
	}
	for _, other := range a.written() {
		if other.Suite.Check(name) != nil || a.functionOf(other, name) != "" {
			return usagef("%s belongs to %s: hint %s %s", name, other.ID, other.ID, name)
		}
	}
	return usagef("%q is neither a check nor a function of %s%s", name, ch.ID, didYouMean(name, names))
}

// checkHint prints what there is to think about when a check fails.
func (a *app) checkHint(ch chapters.Chapter, c *check.Check) {
	a.out.Println(ch.ID + "/" + c.Name)
	a.out.Println()
	a.out.Wrapped(2, c.Property)
	a.out.Println()
	a.out.Wrapped(2, c.Hint)
	a.out.Println()
	if c.Book != "" {
		a.out.Command(2, labelColumn, "book", fmt.Sprintf("%s.html#%s (%s book)", strings.TrimPrefix(ch.Dir, "ch"), c.Book, invocation))
	}
	for i, method := range c.Methods {
		label := ""
		if i == 0 {
			label = "more"
		}
		a.out.Command(2, labelColumn, label, fmt.Sprintf("%s hint %s %s", invocation, ch.ID, method))
	}
}

// ladder prints the rungs of the help for a function up to the first that was not shown
// before, and remembers that. below: something stands above it.
func (a *app) ladder(s state, ch chapters.Chapter, function string, below, again bool) error {
	rungs, err := gen.Ladder(a.root, ch, function)
	if errors.Is(err, gen.ErrNoFunction) {
		return nil // to mend, not to write: the check has said it all
	}
	if err != nil {
		return err
	}
	opened := s.chapter(ch).Opened[function]
	last := opened == len(rungs)
	if !again {
		opened = min(opened+1, len(rungs))
		s.chapter(ch).open(function, opened)
		if err := a.writeState(s); err != nil {
			return err
		}
	}
	if opened == 0 {
		return usagef("nothing has been shown of %s yet: leave out --again", function)
	}
	if below {
		a.out.Println()
	}
	a.out.Println(ch.ID + "/" + function)
	for i, rung := range rungs[:opened] {
		a.out.Println()
		a.out.Println(fmt.Sprintf("  %d of %d: %s", i+1, len(rungs), rung.Title))
		a.out.Println()
		for _, line := range rung.Lines {
			if rung.Code {
				a.out.Println("    " + line)
			} else {
				a.out.Wrapped(4, line)
			}
		}
	}
	if opened < len(rungs) {
		a.out.Println()
		a.out.Command(2, labelColumn, "more", fmt.Sprintf("%s hint %s %s (%s)", invocation, ch.ID, function, rungs[opened].Title))
	} else if last {
		a.out.Println()
		a.out.Wrapped(2, fmt.Sprintf("That was the last hint for %s: there are no more.", function))
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

// aided reports whether the steps of a function that the check grades were opened.
func (st *chapterState) aided(c check.Check) bool {
	opened := func(function string) bool { return st.Opened[function] >= gen.StepsRung }
	return opened(c.Name) || slices.ContainsFunc(c.Methods, opened)
}
