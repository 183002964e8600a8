package main

import (
	"context"
	"errors"
	"fmt"
	"go/format"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gosched/autograder/gen"
	"gosched/autograder/grade"
	"gosched/autograder/screen"
	"gosched/book"
	"gosched/chapters"
	"gosched/chapters/check"
	"gosched/chapters/gotool"
	"gosched/chapters/sample"
	"gosched/solutions"
	"gosched/solutions/mutation"
)

func (a *app) verifyCommand() *cobra.Command {
	quick, gradings := false, 0
	cmd := &cobra.Command{
		Use:   "verify [--quick] [--gradings N]",
		Short: "prove that the course is in order; these are its tests",
		Long: `Runs everything that proves the course: formatting, go vet and the tests of all
packages; that the solutions pass every check; that untouched exercises, freshly
generated, fail every check as not started; that each mutant is killed by the
check that names it, and so are some mutations of the solutions (mutate runs all);
that other correct solutions pass; that every check has its property and hint; and
that the book builds and its links and facts hold.

It prints what each step has cost. What repeats one idea many times is sampled,
unless GOSCHED_WHOLE=1 is set; every night everything is run.

What is in exercises/ is left out, so it also succeeds in a student's clone.

With --gradings it only grades the solutions, again and again, half of the time in jail,
until it has graded so many chapters, and says how many checks of right code failed.`,
		Example: `  go run ./autograder verify
  go run ./autograder verify --quick
  go run ./autograder verify --gradings 2000`,
		Annotations: exitHelp("  0 all is well, 1 something is not, 2 it could not be run"),
		Args:        cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("gradings") {
				if gradings < 1 {
					return usagef("--gradings takes 1 or more, not %d", gradings)
				}
				return a.gradings(cmd.Context(), gradings)
			}
			return a.verify(cmd.Context(), quick)
		},
	}
	cmd.Flags().BoolVar(&quick, "quick", false, "leave out the long tests (go test -short)")
	cmd.Flags().IntVar(&gradings, "gradings", 0, "grade the solutions, so `many` chapters in all, and count failures")
	cmd.MarkFlagsMutuallyExclusive("quick", "gradings")
	return cmd
}

// What each chapter must have.
const (
	minMutants      = 10
	minAlternatives = 7
)

// minMends is how many parts to mend a chapter must have: three where threads meet.
func minMends(ch chapters.Chapter) int {
	switch {
	case ch.ID < "ch03":
		return 0
	case ch.ID < "ch05":
		return 1
	}
	return 3
}

// A step of verify returns what it has to say, or what is wrong.
type step struct {
	name string
	run  func(ctx context.Context) (summary string, err error)
}

func (a *app) verify(ctx context.Context, quick bool) error {
	v := &verification{app: a, quick: quick}
	steps := []step{
		{"format", v.format},
		{"vet", v.vet},
		{"tests", v.tests},
		{"race", v.race},
		{"mutants", v.mutants},
		{"mutations", v.mutations},
		{"alternatives", v.alternatives},
		{"checks", v.checks},
		{"solutions", v.solutions},
		{"exercises", v.exercises},
		{"book", v.book},
	}
	if os.Getenv("GOGC") == "" { // memory for time: tests and checks make much garbage
		if err := os.Setenv("GOGC", "400"); err != nil {
			return err
		}
	}
	// No debugger looks at what is linked here, sixty test binaries and more: that takes a
	// quarter less without tables for one.
	if err := os.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" -ldflags=-w")); err != nil {
		return err
	}
	start := now()
	progress := &screen.Progress{Screen: a.err, Lines: true}
	var wrong []string
	for i, s := range steps {
		progress.Stage("%d of %d: %s …", i+1, len(steps), s.name)
		before := now()
		summary, err := s.run(ctx)
		spent := now().since(before)
		progress.Clear()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			a.out.Println(a.out.Paint(screen.Green, "  pass ") + screen.Pad(s.name, 14) + screen.Pad(spent.String(), 22) + summary)
			continue
		}
		wrong = append(wrong, s.name)
		a.out.Println(a.out.Paint(screen.Red, "  FAIL ") + screen.Pad(s.name, 14) + spent.String())
		for _, line := range strings.Split(strings.TrimRight(err.Error(), "\n"), "\n") {
			a.out.Println("       " + line)
		}
	}
	spent := now().since(start)
	v.tellDearest()
	if budget := budgetOf(len(a.written())); spent.cpu > budget && !sample.Whole() {
		a.out.Println()
		a.out.Println(fmt.Sprintf("This is more CPU time than the %v that it should cost; CONTRIBUTING.md, \"What verify costs\".", budget.Round(time.Second)))
	}
	a.out.Println()
	if len(wrong) > 0 {
		a.out.Println(fmt.Sprintf("Not in order: %s (%v).", strings.Join(wrong, ", "), spent))
		return failed
	}
	a.out.Println(fmt.Sprintf("The course is in order (%v).", spent))
	return nil
}

// tellDearest prints which tests took longest. How much of the CPU each has used nobody
// knows, since the tests of a package share a process; as two packages or so run side by
// side, it is about so much.
func (v *verification) tellDearest() {
	dearest := v.ran.dearest(10)
	if len(dearest) == 0 {
		return
	}
	v.out.Println()
	v.out.Println("The tests that took longest, on the clock, several at a time:")
	for _, t := range dearest {
		v.out.Println(fmt.Sprintf("  %6.1f s  %s", t.took.Seconds(), t.name))
	}
}

// A verification is one call of verify.
type verification struct {
	*app
	quick bool
	ran   testRun // set by tests
}

// patterns are the packages of the project without the exercises: a folder of
// the root each.
func (v *verification) patterns() ([]string, error) {
	entries, err := os.ReadDir(v.root)
	if err != nil {
		return nil, err
	}
	var patterns []string
	for _, e := range entries {
		if !e.IsDir() || e.Name() == grade.Exercises || strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_") {
			continue
		}
		if names, _ := goFiles(v.path(e.Name())); len(names) > 0 {
			patterns = append(patterns, "./"+e.Name()+"/...")
		}
	}
	return patterns, nil
}

// goFiles returns the Go files below dir without those in testdata.
func goFiles(dir string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "testdata" {
			return filepath.SkipDir
		}
		if !d.IsDir() && filepath.Ext(p) == ".go" {
			names = append(names, p)
		}
		return nil
	})
	return names, err
}

// format checks that gofmt has nothing to change.
func (v *verification) format(context.Context) (string, error) {
	patterns, err := v.patterns()
	if err != nil {
		return "", err
	}
	count := 0
	var wrong []string
	for _, pattern := range patterns {
		names, err := goFiles(v.path(strings.TrimSuffix(pattern, "/...")))
		if err != nil {
			return "", err
		}
		for _, name := range names {
			src, err := os.ReadFile(name)
			if err != nil {
				return "", err
			}
			count++
			shown, _ := filepath.Rel(v.root, name)
			if formatted, err := format.Source(src); err != nil {
				wrong = append(wrong, fmt.Sprintf("%s: %v", shown, err))
			} else if string(formatted) != string(src) {
				wrong = append(wrong, shown+" is not as gofmt writes it")
			}
		}
	}
	return fmt.Sprintf("%d files", count), listed(wrong)
}

// listed is the error that consists of these lines, nil if there are none.
func listed(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	return errors.New(strings.Join(lines, "\n"))
}

func (v *verification) vet(ctx context.Context) (string, error) {
	patterns, err := v.patterns()
	if err != nil {
		return "", err
	}
	return strings.Join(patterns, " "), v.goCommand(ctx, append([]string{"vet"}, patterns...)...)
}

// goCommand runs the go command; what it prints is the error.
func (v *verification) goCommand(ctx context.Context, args ...string) error {
	cmd := gotool.Command(ctx, args...)
	cmd.Dir = v.root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", args[0], err, out)
	}
	return nil
}

// testTimeout ends the tests of a package that hang. It is also for computers that are slow
// and busy, and for those who run everything.
const testTimeout = "30m"

// tests runs the tests of all packages, and keeps what became of each.
func (v *verification) tests(ctx context.Context) (string, error) {
	patterns, err := v.patterns()
	if err != nil {
		return "", err
	}
	// go vet has run, and the step solutions runs the checks on the solutions.
	args := append([]string{"-vet=off", "-skip", "^(Test|TestMine|TestMends|TestPredict)$", "-timeout", testTimeout}, patterns...)
	if v.quick {
		args = append([]string{"-short"}, args...)
	}
	if v.ran, err = runTests(ctx, v.root, v.out, args); err != nil {
		return "", err
	}
	summary := fmt.Sprintf("%d pass in %d packages", v.ran.passed, v.ran.packages)
	if v.ran.skipped > 0 {
		summary += fmt.Sprintf(", %d skipped", v.ran.skipped)
	}
	return summary, listed(v.ran.failures)
}

// raced are the tests that run once more under the race detector: of programs on real
// threads, in the first version that has Ps, undisturbed.
const raced = `^TestCorpus$/^1\.1$|^TestGOROOTChan$//^1\.1$/procs$/^0$`

// race runs programs under the race detector, where one can be had. It is for the nightly:
// in the step solutions checks on real threads run under it, with programs, too.
func (v *verification) race(ctx context.Context) (string, error) {
	if v.quick || !sample.Whole() {
		return "left to the nightly", nil
	}
	if f := raceFinding(ctx, goTool(v.root)); f.verdict != well {
		return "skipped: " + f.text, nil
	}
	run, err := runTests(ctx, v.root, v.out, []string{"-race", "-vet=off", "./solutions", "-run", raced})
	if err != nil {
		return "", err
	}
	return "the corpus and Go's channel programs, on real threads", listed(run.failures)
}

// mutants checks that each chapter has enough mutants and that the tests have
// killed each of them.
func (v *verification) mutants(context.Context) (string, error) {
	count := 0
	var wrong []string
	for _, ch := range v.written() {
		all := solutions.Mutants(ch.ID)
		count += len(all)
		if len(all) < minMutants {
			wrong = append(wrong, fmt.Sprintf("%s has %d mutants, and should have %d", ch.ID, len(all), minMutants))
		}
		if !v.ran.passes("solutions/" + ch.Dir) {
			wrong = append(wrong, fmt.Sprintf("the tests of solutions/%s do not pass", ch.Dir))
			continue
		}
		killed := v.ran.subtests("solutions/"+ch.Dir, "TestMutants")
		for _, m := range all {
			if !slices.Contains(killed, m.Name) {
				wrong = append(wrong, fmt.Sprintf("%s: no test shows that %s is killed by %s", ch.ID, m.Name, m.Check))
			}
		}
	}
	return fmt.Sprintf("%d, each killed by the check that names it", count), listed(wrong)
}

// proven are the chapters of which no mutation survives; a chapter joins when its last one
// is killed or listed.
var proven = []string{"ch01", "ch02", "ch03", "ch04", "ch05", "ch06", "ch07", "ch08", "ch09", "ch10", "ch11", "ch12", "ch13", "ch14", "ch15", "ch16", "ch17", "ch18"}

// How many mutations of the proven chapters verify runs, always the same.
const (
	sampledMutations = 60
	sampleSeed       = 1
	sampleJobs       = 2
)

// mutations checks the lists of equivalent mutations of all chapters, and runs some
// mutations of those that are proven.
func (v *verification) mutations(ctx context.Context) (string, error) {
	dirs, err := v.mutated(nil)
	if err != nil {
		return "", err
	}
	r, err := newMutationRun(v.root, dirs)
	if err != nil {
		return "", err
	}
	count := len(r.picked)
	if wrong := r.wrongLists(); len(wrong) > 0 {
		return "", listed(wrong)
	}
	r.pick(func(m *mutation.Mutation) bool { return slices.Contains(proven, m.Chapter) })
	r.choose(sampledMutations, sampleSeed)
	if v.quick || len(r.picked) == 0 {
		return fmt.Sprintf("%d in all, none run", count), nil
	}
	silent := func(string, ...any) {}
	if err := r.run(ctx, mutation.Options{Jobs: sampleJobs, Stage: silent}, false); err != nil {
		return "", err
	}
	var wrong []string
	for _, m := range r.picked {
		if r.alive(m) {
			wrong = append(wrong, fmt.Sprintf("%s: no check sees the mutation %q; mutate %s --show shows it", m.Chapter, m.Name, m.Chapter))
		}
	}
	return fmt.Sprintf("%d of %d, each seen by a check", len(r.picked), count), listed(wrong)
}

// alternatives checks that each chapter has enough other right solutions, which
// the tests have found to pass.
func (v *verification) alternatives(context.Context) (string, error) {
	count := 0
	var wrong []string
	for _, ch := range v.written() {
		n := len(v.ran.subtests("solutions/"+ch.Dir, "TestAlternatives"))
		count += n
		if !v.ran.passes("solutions/" + ch.Dir) {
			wrong = append(wrong, fmt.Sprintf("the tests of solutions/%s do not pass", ch.Dir))
			continue
		}
		if n < minAlternatives {
			wrong = append(wrong, fmt.Sprintf("%s has %d alternative solutions that pass, and should have %d", ch.ID, n, minAlternatives))
		}
	}
	return fmt.Sprintf("%d pass", count), listed(wrong)
}

// checkName is what the name of a check looks like.
var checkName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// checks checks that each check has all that a student is shown of it.
func (v *verification) checks(context.Context) (string, error) {
	count := 0
	var wrong []string
	for _, ch := range v.written() {
		seen := map[string]bool{}
		kinds := map[check.Kind]int{}
		for _, c := range ch.Suite.Checks {
			count++
			must := func(ok bool, what string) {
				if !ok {
					wrong = append(wrong, fmt.Sprintf("%s/%s %s", ch.ID, c.Name, what))
				}
			}
			must(checkName.MatchString(c.Name), "must be named in small letters with hyphens")
			must(!seen[c.Name], "is there twice")
			must(c.Property != "", "has no property")
			must(c.Hint != "", "has no hint")
			must(c.Book != "", "names no section of the book")
			must(len(c.Methods) > 0 || c.Kind.Written(), "names no methods that it grades")
			must((c.Points > 0) == (c.Kind != check.Bench), "must have points, unless it is a bench")
			seen[c.Name] = true
			kinds[c.Kind]++
		}
		if n := kinds[check.Mine]; n != 1 {
			wrong = append(wrong, fmt.Sprintf("%s has %d checks of the student's own test, and should have one", ch.ID, n))
		}
		if n := kinds[check.Predict]; n != 1 {
			wrong = append(wrong, fmt.Sprintf("%s has %d checks of predictions, and should have one", ch.ID, n))
		}
		if n := kinds[check.Mended]; n < minMends(ch) {
			wrong = append(wrong, fmt.Sprintf("%s has %d parts to mend, and should have %d", ch.ID, n, minMends(ch)))
		}
		for _, m := range solutions.Mutants(ch.ID) {
			if !seen[m.Check] {
				wrong = append(wrong, fmt.Sprintf("%s: the mutant %s names the check %q, which is not there", ch.ID, m.Name, m.Check))
			}
		}
	}
	return fmt.Sprintf("%d in %d chapters, with property, hint and points", count, len(v.written())), listed(wrong)
}

// racedChapters are those whose checks on real threads run once more under the race detector;
// in the nightly all do. One has the queue that needs no lock, the other the newest of every
// part.
var racedChapters = []string{"ch07", "ch10"}

// solutions checks that the solutions pass everything.
func (v *verification) solutions(ctx context.Context) (string, error) {
	grader := grade.Grader{Root: v.root, Of: grade.Solutions, All: v.course, Race: grade.RaceAlways, Raced: racedChapters}
	if v.quick {
		grader.Race = grade.RaceNever
	}
	if sample.Whole() {
		grader.Raced = nil
	}
	report, err := grader.Grade(ctx)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d of %d points", report.Score, report.MaxScore), expect(report, check.Pass)
}

// expect is an error for each check with another status.
func expect(report *grade.Report, want check.Status) error {
	var wrong []string
	for _, ch := range report.Chapters {
		if ch.Broken() {
			wrong = append(wrong, fmt.Sprintf("%s does not compile:\n%s", ch.ID, ch.Checks[0].Evidence))
			continue
		}
		for _, c := range ch.Checks {
			if c.Status != want {
				wrong = append(wrong, fmt.Sprintf("%s: %s, not %s: %s", c.ID, c.Status, want, c.Message))
			}
		}
	}
	return listed(wrong)
}

// exercises checks untouched exercises: they compile, and every check of them is
// not started. They are built in place of those in the tree, which may be edited.
func (v *verification) exercises(ctx context.Context) (string, error) {
	fresh, err := gen.Exercises(v.root, v.course, false)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "gosched-exercises-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if _, err := gen.Write(dir, fresh, false, ""); err != nil {
		return "", err
	}
	overlay := grade.Overlay{}
	present, err := goFiles(v.path(grade.Exercises))
	if err != nil && !os.IsNotExist(err) {
		return "", err
	}
	for _, name := range present {
		rel, err := filepath.Rel(v.root, name)
		if err != nil {
			return "", err
		}
		overlay[filepath.ToSlash(rel)] = ""
	}
	for _, name := range slices.Sorted(maps.Keys(fresh)) {
		if path.Ext(name) == ".go" {
			overlay[path.Join(grade.Exercises, name)] = filepath.Join(dir, filepath.FromSlash(name))
		}
	}
	if err := grade.Vet(ctx, v.root, "./"+grade.Exercises+"/...", overlay); err != nil {
		return "", err
	}
	report, err := (&grade.Grader{Root: v.root, Of: grade.Exercises, All: v.course, Overlay: overlay}).Grade(ctx)
	if err != nil {
		return "", err
	}
	count := 0
	for _, ch := range report.Chapters {
		count += len(ch.Checks)
	}
	return fmt.Sprintf("untouched they compile, and all %d checks are todo", count), expect(report, check.Todo)
}

// book builds the book in memory, and opens pages of it in a browser.
func (v *verification) book(ctx context.Context) (string, error) {
	opt := v.bookOptions()
	warnings := 0
	opt.Warn = func(book.Problem) { warnings++ }
	site, err := book.Render(opt)
	if err != nil {
		return "", err
	}
	pages := 0
	for name := range site {
		if path.Ext(name) == ".html" {
			pages++
		}
	}
	summary := fmt.Sprintf("%d pages", pages)
	if warnings > 0 {
		summary += fmt.Sprintf(", %d warnings (the book command shows them)", warnings)
	}
	opened, err := v.inBrowser(ctx, site)
	return summary + opened, err
}

// openedPages are those that are opened in a browser; in the nightly all are. Together they
// have timelines, a comparison, plots and counterexamples.
var openedPages = []string{"05_threads.html", "07_runq.html", "versions.html"}

// inBrowser opens pages of the book in a browser, if there is one, and says how many.
func (v *verification) inBrowser(ctx context.Context, site book.Site) (string, error) {
	if v.quick {
		return "", nil
	}
	dir, err := os.MkdirTemp("", "gosched-book")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	for name, content := range site {
		if path.Ext(name) == ".html" && !sample.Whole() && !slices.Contains(openedPages, name) {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			return "", err
		}
	}
	run, err := runTests(ctx, v.root, io.Discard, []string{"-vet=off", "./book", "-run", "^TestPagesInBrowser$", "-args", "-book", dir})
	switch opened := len(run.subtests("book", "TestPagesInBrowser")); {
	case err != nil:
		return "", err
	case len(run.failures) > 0:
		return "", listed(run.failures)
	case opened == 0:
		return "; no Chromium is installed, so none was opened in a browser", nil
	default:
		return fmt.Sprintf("; %d opened in a browser", opened), nil
	}
}
