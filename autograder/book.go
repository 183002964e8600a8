package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gosched/autograder/handout"
	"gosched/autograder/play"
	"gosched/book"
	"gosched/book/coverage"
	"gosched/book/whole"
	"gosched/chapters"
	"gosched/chapters/check"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
	"gosched/solutions"
	"gosched/timeline"
)

// defaultAddr is where the book is served; if the port is taken, another one is.
const defaultAddr = "127.0.0.1:2009"

func (a *app) bookCommand() *cobra.Command {
	var out, addr, lang, source string
	cmd := &cobra.Command{
		Use:   "book [flags] [chapter]",
		Short: "read the book in a browser",
		Long: `Serves the book to this computer; open the address that it prints:
that of a chapter's page if one is named, else that of the first page.
With --out it writes the pages instead; they can be opened from disk.

Files that the pages name, and the pages' own sources, are linked to where the repository
was cloned from, if that is GitHub, GitLab or Bitbucket; --source names another place, or
none.`,
		Example: `  go run ./autograder book
  go run ./autograder book ch01
  go run ./autograder book --out /tmp/book`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opt := a.bookOptions()
			opt.Lang = lang
			var err error
			if opt.Source, err = a.source(cmd.Context(), source); err != nil {
				return err
			}
			page, err := a.page(args)
			if err != nil {
				return err
			}
			if handout.Is(a.root) {
				return a.madeBook(cmd.Context(), out, addr, page)
			}
			if out != "" {
				built := make(chan error, 1)
				go func() { built <- book.Build(opt, out) }()
				select {
				case err := <-built:
					if err != nil {
						return err
					}
				case <-cmd.Context().Done(): // the programs of the book need not be waited for
					return untilEnd(cmd.Context())
				}
				if page == "" {
					page = "index.html"
				}
				a.out.Println("the book is in " + out + "; open " + page + " there")
				return nil
			}
			return a.serve(cmd.Context(), book.Handler(opt), addr, page)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write the pages to the folder `DIR`")
	cmd.Flags().StringVar(&addr, "addr", defaultAddr, "serve at `ADDRESS`")
	cmd.Flags().StringVar(&source, "source", fromOrigin, "link each file to `URL`/PATH; origin stands for git's remote, \"\" for no links")
	cmd.Flags().StringVar(&lang, "lang", "en", "the `language` of the book")
	return cmd
}

// madeBook serves the pages that came with a handout, which has not what they are made of.
func (a *app) madeBook(ctx context.Context, out, addr, page string) error {
	pages := a.path(filepath.FromSlash(handout.Pages))
	if _, err := os.Stat(pages); err != nil {
		return usagef("the pages of the book did not come with this repository: ask your instructor where they are")
	}
	if out != "" {
		return usagef("the pages are already made: open %s", filepath.Join(pages, "index.html"))
	}
	return a.serve(ctx, http.FileServer(http.Dir(pages)), addr, page)
}

// page is the file of the book that the arguments name, "" for the first page.
func (a *app) page(args []string) (string, error) {
	switch len(args) {
	case 0:
		return "", nil
	case 1:
		ch, err := a.chapter(args[0])
		return pageOf(ch), err
	}
	return "", usagef("one chapter at a time, or none for the first page")
}

// pageOf is the file of a chapter's page in the book.
func pageOf(ch chapters.Chapter) string { return strings.TrimPrefix(ch.Dir, "ch") + ".html" }

// serve serves until it is interrupted, and tells the address of the page.
func (a *app) serve(ctx context.Context, handler http.Handler, addr, page string) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil && addr == defaultAddr {
		listener, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return fmt.Errorf("the book cannot be served at %s: %w", addr, err)
	}
	a.out.Println("The book is at http://" + listener.Addr().String() + "/" + page + " (end with Ctrl-C)")
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		_ = server.Close() // Serve returns then
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return untilEnd(ctx)
}

// bookBudget is how many instructions a program in the book may execute.
const bookBudget = 1_000_000_000

// bookOptions joins the book to the rest of the course.
func (a *app) bookOptions() book.Options {
	opt := book.Options{
		Root: a.root,
		Lang: "en",
		Run:  a.bookRun,

		Counterexample: a.counterexample,
		Map:            func() (book.Map, error) { return whole.Map(os.DirFS(a.root)) },
		Standing:       a.standing,
		Warn:           func(p book.Problem) { a.err.Println("warning: " + p.String()) },
	}
	if code, err := a.courseCode(); err == nil {
		opt.Kept, opt.Code = a.path(local, "book"), code
	}
	for _, ch := range a.course {
		entry := book.Chapter{Dir: ch.Dir, Title: ch.Title, Go: ch.Go}
		if ch.Suite != nil {
			entry.Parts = ch.Suite.Parts
			for _, c := range ch.Suite.Checks {
				entry.Checks = append(entry.Checks, book.Check{
					Name: c.Name, Kind: string(c.Kind), Points: c.Points, Methods: c.Methods, Property: c.Property, Book: c.Book,
				})
			}
		}
		opt.Chapters = append(opt.Chapters, entry)
	}
	course := coverage.Course{Files: os.DirFS(a.root), Chapters: a.course}
	for _, m := range coverage.Mechanisms {
		entry := book.Mechanism{Subject: m.Subject, Methods: m.Methods, Checks: m.Checks, Sections: m.Sections, Programs: m.Programs}
		if course.ToCome(m) {
			entry.Coming, _ = strconv.Atoi(coverage.Chapter(m.Coming))
		}
		opt.Mechanisms = append(opt.Mechanisms, entry)
	}
	return opt
}

// standing is what the last runs of the checks have shown, of the chapters that were begun.
func (a *app) standing() map[string]book.Standing {
	all, s := map[string]book.Standing{}, a.loadState()
	for _, ch := range a.written() {
		if st := s[ch.ID]; !st.untouched(ch) {
			all[ch.Dir] = book.Standing{Passed: st.count(ch, check.Pass), Checks: len(ch.Suite.Checks)}
		}
	}
	return all
}

// courseCode is a hash of the code from which the results in the book come, and on which depends
// what checks find that do without the student's parts: all of the course, but for its tests, and
// the modules that it is built with.
func (a *app) courseCode() (string, error) {
	names := []string{"go.sum", "chapters", "solutions", "timeline", "autograder/play"}
	if !handout.Is(a.root) { // which has no book to be made
		names = append(names, "book/figures")
	}
	return a.codeSum(names...)
}

// counterexample runs the check that names a mutant on it. It shows no places in the source:
// they are in files of the course that a reader knows nothing of.
func (a *app) counterexample(chapter, name string) (book.Counterexample, error) {
	ch, err := a.chapter(chapter)
	if err != nil {
		return book.Counterexample{}, err
	}
	all := solutions.Mutants(ch.ID)
	i := slices.IndexFunc(all, func(m check.Mutant) bool { return m.Name == name })
	if i < 0 {
		return book.Counterexample{}, fmt.Errorf("%s has no mutant %q", ch.ID, name)
	}
	m := all[i]
	out := ch.Suite.Run(ch.Suite.Check(m.Check), solutions.Base(ch.ID).With(m.Parts))
	if out.Failure == nil {
		return book.Counterexample{}, fmt.Errorf("the check %s, which sees %s, is not a model", m.Check, name)
	}
	failure := withoutPlaces(out.Failure)
	return book.Counterexample{What: m.What, Check: m.Check, Text: failure.String(), Story: failure.Story(m.What)}, nil
}

// withoutPlaces is a failure whose steps do not say where they are.
func withoutPlaces(f *explore.Failure) *explore.Failure {
	bare := *f
	bare.Steps = slices.Clone(f.Steps)
	for i := range bare.Steps {
		bare.Steps[i].File, bare.Steps[i].Line = "", 0
	}
	return &bare
}

// bookRun runs a program of the book on the reference's parts.
func (a *app) bookRun(program string, args book.RunArgs) (book.RunResult, error) {
	text, err := os.ReadFile(a.path(program))
	if err != nil {
		return book.RunResult{}, err
	}
	var output bytes.Buffer
	o := play.Options{
		Version: solutions.Go, Go: args.Go, Seed: args.Seed, Args: args.Args, Ask: args.Ask,
		Log: true, Budget: bookBudget, Stdout: &output, Stderr: &output,
		Sim: args.Procs > 0, Procs: max(1, args.Procs),
	}
	if o.Seed == 0 {
		o.Seed = play.DefaultSeed
	}
	result, err := play.Run(context.Background(), machine.File{Name: program, Source: string(text)}, o)
	if err == nil {
		err = result.Err
	}
	r := book.RunResult{Log: result.Log, Output: output.String(), Status: result.Status}
	if err == nil && result.Sim != nil {
		f := timeline.FiguresOf(result.Log, result.Sim)
		r.Figures = &f
	}
	return r, err
}
