package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gosched/autograder/screen"
	"gosched/book/coverage"
)

func (a *app) coverageCommand() *cobra.Command {
	var row int
	cmd := &cobra.Command{
		Use:   "coverage [flags]",
		Short: "show where each mechanism of the scheduler is",
		Long: `Lists what the scheduler of Go does, and for each mechanism the chapters in which
checks and programs show it, how many of both there are, and what is still to come.
With --row it names all places of one: the methods, what each check demands, the
sections of the book, and the programs. A place that does not exist is reported, and
so is a mechanism that has none.`,
		Example: `  go run ./autograder coverage
  go run ./autograder coverage --row 13`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			all := coverage.Mechanisms
			course := coverage.Course{Files: os.DirFS(a.root), Chapters: a.course}
			if cmd.Flags().Changed("row") {
				if row < 1 || row > len(all) {
					return usagef("--row takes 1 to %d, not %d", len(all), row)
				}
				a.showMechanism(course, all[row-1])
				all = all[row-1 : row]
			} else {
				a.showCoverage(course, all)
			}
			return a.reportCoverage(course, all)
		},
	}
	cmd.Flags().IntVar(&row, "row", 0, "show all places of the mechanism with this `number`")
	cmd.Annotations = exitHelp("  0  each mechanism has its places\n  1  one of them has none, or a place does not exist\n  2  wrong usage")
	return cmd
}

// showCoverage prints a line for each mechanism.
func (a *app) showCoverage(course coverage.Course, all []coverage.Mechanism) {
	const numbers = 6 // "checks"
	chaptersOf := func(m coverage.Mechanism) string {
		var list []string
		for _, ch := range a.course {
			in := func(place string) bool { return coverage.Chapter(place) == number(ch) }
			switch {
			case ch.ID == m.Coming && course.ToCome(m):
				list = append(list, "("+number(ch)+")")
			case slices.ContainsFunc(m.Checks, in) || slices.ContainsFunc(m.Sections, in):
				list = append(list, number(ch))
			}
		}
		return strings.Join(list, ", ")
	}
	most := len("chapters")
	for _, m := range all {
		most = max(most, len(chaptersOf(m)))
	}
	right := func(chapters, checks, runs string) string {
		return fmt.Sprintf("%s  %*s  %*s", screen.Pad(chapters, most), numbers, checks, numbers-2, runs)
	}
	a.out.Ends(screen.Dim, "     mechanism", right("chapters", "checks", "runs"))
	coming := 0
	for _, m := range all {
		if course.ToCome(m) {
			coming++
		}
		a.out.Ends(screen.Plain, fmt.Sprintf(" %2d  %s", m.Number, m.Subject), right(chaptersOf(m), fmt.Sprint(exist(course, m.Checks)), fmt.Sprint(len(m.Programs))))
	}
	a.out.Println()
	a.out.Wrapped(0, fmt.Sprintf("%d mechanisms. Of %d a part is still to come, with the chapter in parentheses. All places of one:", len(all), coming))
	a.out.Command(2, 0, "", invocation+" coverage --row N")
}

// exist is how many of the checks exist.
func exist(course coverage.Course, checks []string) int {
	n := 0
	for _, place := range checks {
		if course.Lookup(place) != nil {
			n++
		}
	}
	return n
}

// showMechanism prints all places of one mechanism.
func (a *app) showMechanism(course coverage.Course, m coverage.Mechanism) {
	const column = 10
	a.out.Println(a.out.Paint(screen.Bold, fmt.Sprintf("%d. %s", m.Number, m.Subject)))
	a.out.Println()
	for _, method := range m.Methods {
		a.out.Labeled(2, column, "write", method)
	}
	for _, place := range m.Checks {
		if c := course.Lookup(place); c != nil {
			a.out.Labeled(2, column, "check", place+": "+c.Property)
		}
	}
	for _, section := range m.Sections {
		if page, id, _ := strings.Cut(section, "#"); course.HasPage(page) {
			a.out.Command(2, column, "read", page+".html#"+id)
		}
	}
	for _, program := range m.Programs {
		a.out.Command(2, column, "program", program)
	}
	if course.ToCome(m) {
		a.out.Labeled(2, column, "to come", "chapter "+coverage.Chapter(m.Coming))
	}
}

// reportCoverage says what is wrong with the places of mechanisms.
func (a *app) reportCoverage(course coverage.Course, all []coverage.Mechanism) error {
	var problems []string
	for _, m := range all {
		problems = append(problems, course.Check(m)...)
	}
	if len(problems) == 0 {
		return nil
	}
	a.out.Println()
	for _, p := range problems {
		a.out.Wrapped(0, p)
	}
	return failed
}
