package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"gosched/autograder/class"
	"gosched/autograder/class/rehearsal"
	"gosched/chapters"
)

// rehearsed is how many chapters a rehearsal is of if none is named: enough to see all that there
// is to see, and an afternoon is long enough for it.
const rehearsed = 2

func (a *app) batchRehearseCommand() *cobra.Command {
	var out, results string
	students := 0
	cmd := &cobra.Command{
		Use:   "rehearse --out DIR [--students N] [chapter...]",
		Short: "make a class of invented students, to try all of this before a real one comes",
		Long: `Makes submissions of invented students, and a roster: solutions, unfinished and broken
ones, solutions with a small mistake, repositories with commits in time and late, nothing
at all, and all cheats that the course knows. Without --students each case is there once,
which is more than a hundred students; without chapters it is a class of the first two.

What must come of each student is in expected.csv: the status, the points by chapter, and
a check that does not pass. When the class has been graded, --results compares.`,
		Example: `  go run ./autograder batch rehearse --out class
  go run ./autograder batch --roster class/roster.csv --out results ch01 ch02
  go run ./autograder batch rehearse --out class --results results`,
		Annotations: exitHelp("  0 made, or all is as expected; 1 some results are not; 2 wrong usage"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case out == "":
				return usagef("batch rehearse needs --out DIR")
			case results != "" && (len(args) > 0 || cmd.Flags().Changed("students")):
				return usagef("with --results nothing is made, so neither --students nor chapters can be named")
			case results != "":
				return a.compareRehearsal(out, results)
			case students < 0 || cmd.Flags().Changed("students") && students == 0:
				return usagef("--students takes 1 or more, not %d", students)
			}
			of, err := a.toRehearse(args)
			if err != nil {
				return err
			}
			return a.rehearse(out, students, of)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "the folder `DIR` for the submissions and the roster")
	cmd.Flags().IntVar(&students, "students", 0, "make `N` students (default each case once)")
	cmd.Flags().StringVar(&results, "results", "", "compare the results in the folder `DIR` with what is expected, and make nothing")
	return cmd
}

// toRehearse returns the chapters with these names, without names the first ones, in their order.
func (a *app) toRehearse(args []string) ([]chapters.Chapter, error) {
	if len(args) == 0 {
		written := a.written()
		return written[:min(rehearsed, len(written))], nil
	}
	named := map[string]bool{}
	for _, arg := range args {
		ch, err := a.chapter(arg)
		if err != nil {
			return nil, err
		}
		named[ch.ID] = true
	}
	var of []chapters.Chapter
	for _, ch := range a.written() {
		if named[ch.ID] {
			of = append(of, ch)
		}
	}
	return of, nil
}

// rehearse makes a class and says how it is graded.
func (a *app) rehearse(out string, students int, of []chapters.Chapter) error {
	all, err := rehearsal.Make(a.root, of, students)
	if err != nil {
		return err
	}
	if err := rehearsal.Write(out, all, of); err != nil {
		return err
	}
	kinds, order := map[rehearsal.Kind]int{}, []string{}
	for _, s := range all {
		if kinds[s.Kind]++; kinds[s.Kind] == 1 {
			order = append(order, string(s.Kind))
		}
	}
	for i, kind := range order {
		order[i] = fmt.Sprintf("%d %s", kinds[rehearsal.Kind(kind)], kind)
	}
	var ids []string
	for _, ch := range of {
		ids = append(ids, ch.ID)
	}
	a.out.Wrapped(0, fmt.Sprintf("%d students: %s", len(all), strings.Join(order, ", ")))
	a.out.Println("grade them:  go run ./autograder batch --roster " + filepath.Join(out, rehearsal.RosterFile) + " --out RESULTS " + strings.Join(ids, " "))
	a.out.Println("and compare: go run ./autograder batch rehearse --out " + out + " --results RESULTS")
	return nil
}

// compareRehearsal says which results are not as expected.
func (a *app) compareRehearsal(dir, results string) error {
	expected, err := rehearsal.ReadExpected(dir)
	if err != nil {
		return err
	}
	c, err := class.Read(results)
	if err != nil {
		return err
	}
	wrong := rehearsal.Compare(expected, c)
	for _, line := range wrong {
		a.out.Wrapped(0, line)
	}
	if len(wrong) > 0 {
		return failed
	}
	a.out.Println(fmt.Sprintf("%d students, each with the result that is expected", len(expected)))
	return nil
}
