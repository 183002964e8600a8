package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"gosched/autograder/grade"
	"gosched/autograder/handout"
	"gosched/book"
	"gosched/chapters"
)

func (a *app) exportCommand() *cobra.Command {
	var out, handed, solved string
	noBook := false
	cmd := &cobra.Command{
		Use:   "export --out DIR [flags]",
		Short: "make the repository that students get, without the solutions",
		Long: `Writes a folder that is ready for git init: the exercises of the chapters that are
handed out, the suites, the machine, the command, the book's pages and a workflow that
grades each push. The solutions and the wrong solutions are left out, but for those of
the chapters named with --solved: those whose time is over. It says what it left out, and
what of the solutions can be read all the same.

Where a check also runs parts that are left out, a student sees that it was not run and
why. "grade --submission" and "batch", in this course, run it.

Later, export once more, with more chapters, and give that to students: "update" brings
their repository to it, and keeps their files.`,
		Example: `  go run ./autograder export --out ../students --chapters 1-7
  go run ./autograder export --out ../students2 --chapters 1-9 --solved 1-4`,
		Annotations: exitHelp("  0 written, 2 it could not be"),
		Args:        noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return usagef("export where to? --out DIR")
			}
			options, err := a.handoutOptions(handed, solved)
			if err != nil {
				return err
			}
			return a.export(out, options, noBook)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "the folder `DIR` to write; it must be empty, or not there")
	cmd.Flags().StringVar(&handed, "chapters", "", "the `CHAPTERS` to hand out, as 1-4,6 (default all)")
	cmd.Flags().StringVar(&solved, "solved", "", "the `CHAPTERS` whose solutions are handed out, too (default none)")
	cmd.Flags().BoolVar(&noBook, "no-book", false, "leave out the book's pages, which take a few minutes to make for the first time")
	return cmd
}

// handoutOptions reads the chapters of the flags.
func (a *app) handoutOptions(handed, solved string) (o handout.Options, err error) {
	if o.Chapters, err = a.chapterRanges("--chapters", handed); err != nil {
		return o, err
	}
	if handed == "" {
		for _, ch := range a.written() {
			o.Chapters = append(o.Chapters, ch.ID)
		}
	}
	o.Solved, err = a.chapterRanges("--solved", solved)
	return o, err
}

// chapterRanges reads "1-4,6", and returns the IDs of the chapters in order.
func (a *app) chapterRanges(flag, text string) ([]string, error) {
	picked := map[string]bool{}
	for part := range strings.SplitSeq(text, ",") {
		if text == "" {
			break
		}
		first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			last = first
		}
		from, err := a.chapter(first)
		if err != nil {
			return nil, usagef("%s %s: %v", flag, text, err)
		}
		to, err := a.chapter(last)
		if err != nil {
			return nil, usagef("%s %s: %v", flag, text, err)
		}
		if to.ID < from.ID {
			return nil, usagef("%s %s: %s is a range that ends before it begins", flag, text, part)
		}
		for _, ch := range a.written() {
			if ch.ID >= from.ID && ch.ID <= to.ID {
				picked[ch.ID] = true
			}
		}
	}
	var ids []string
	for _, ch := range a.written() {
		if picked[ch.ID] {
			ids = append(ids, ch.ID)
		}
	}
	return ids, nil
}

func (a *app) export(out string, options handout.Options, noBook bool) error {
	h, err := handout.Make(a.root, a.course, options)
	if err != nil {
		return err
	}
	if err := h.Write(out); err != nil {
		return usagef("--out %s: %v", out, err)
	}
	if !noBook {
		opt := a.bookOptions()
		opt.Lang = "en"
		if err := book.Build(opt, filepath.Join(out, filepath.FromSlash(handout.Pages))); err != nil {
			return fmt.Errorf("the pages of the book could not be made (the rest is in %s): %w", out, err)
		}
	}
	pages := " and the pages of the book"
	if noBook {
		pages = ""
	}
	a.out.Println(fmt.Sprintf("%s has %d files%s, for %s.", out, len(h.Files), pages, ranges(options.Chapters)))
	a.out.Println()
	a.out.Println("Left out:")
	for _, l := range h.Left {
		count := ""
		switch {
		case l.Files == 1:
			count = " (1 file)"
		case l.Files > 1:
			count = " (" + strconv.Itoa(l.Files) + " files)"
		}
		a.out.Wrapped(2, l.What+count+": "+l.Why)
	}
	if noBook {
		a.out.Wrapped(2, "the pages of the book: as you asked, with --no-book")
	}
	a.out.Println()
	a.out.Println("What of the solutions a student can still read:")
	for _, text := range h.Readable {
		a.out.Wrapped(2, text)
	}
	a.out.Println()
	a.out.Command(0, 7, "next", fmt.Sprintf("cd %s && git init -b main && git add . && git commit -m \"The course\"", out))
	return nil
}

// ranges names chapters by their numbers: "chapters 1, 2, 3", "chapter 5".
func ranges(ids []string) string {
	var numbers []string
	for _, id := range ids {
		numbers = append(numbers, number(chapters.Chapter{ID: id}))
	}
	if len(numbers) == 1 {
		return "chapter " + numbers[0]
	}
	return "chapters " + strings.Join(slices.Compact(numbers), ", ")
}

// forInstructors refuses a command that needs the solutions in a repository that has none.
func (a *app) forInstructors(cmd *cobra.Command) error {
	if !handout.Is(a.root) {
		return nil
	}
	for cmd.HasParent() && cmd.Parent().HasParent() {
		cmd = cmd.Parent()
	}
	of, submission := cmd.Flag("of"), cmd.Flag("submission")
	switch {
	case cmd.Name() == "grade" && of.Changed && of.Value.String() != grade.Exercises:
		return usagef("grade --of %s needs the solutions, which are not in this repository: your instructor has them", of.Value)
	case cmd.Name() == "grade" && submission.Changed:
		return usagef("grade --submission needs the solutions, which are not in this repository: your instructor has them")
	case cmd.GroupID == "author" && cmd.Name() != "grade":
		return usagef("%s needs the solutions, which are not in this repository: your instructor has them", cmd.Name())
	}
	return nil
}
