package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"gosched/autograder/grade"
	"gosched/autograder/screen"
	"gosched/autograder/submission"
	"gosched/chapters"
	"gosched/chapters/check"
	"gosched/chapters/machine/explore"
)

func (a *app) testCommand() *cobra.Command {
	all, replay, page := false, "", ""
	cmd := &cobra.Command{
		Use:   "test [--all] [--html FILE] [--replay STRING] [chapter...] [check...]",
		Short: "run the checks of a chapter and explain what fails",
		Long: `Runs checks on the exercises, each in a process of its own, and explains the
first one that fails. Without a chapter it takes the one you are at: the first
that does not pass. A chapter can be named ch01, 1 or goroutine.

When a check hangs, the others have a little time left. What is not run then says so; checks
of a method that has hung have failed. "grade" runs them all.

When the parts of a chapter pass, that is said first. Then the checks on real threads
run once more under the race detector, and all of them on your own stack: with your
parts of the chapters before.

A check of kind model tries all interleavings, and shows one that goes wrong with a
string that stands for it. With --replay the check runs only that one.

With --html all checks that fail are also on a page: the schedules of models to be gone
through step by step, and the timelines of programs.`,
		Example: `  go run ./autograder test                     the chapter that you are at
  go run ./autograder test ch01                chapter 1
  go run ./autograder test ch01 status-edges   one check of it
  go run ./autograder test ch07 race-get --replay 1:a4b6
  go run ./autograder test ch07 --html failures.html`,
		Annotations: exitHelp("  0 all pass, 1 some do not, 2 wrong usage or nothing could be run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if page != "" {
				if err := writable("--html "+page, page); err != nil {
					return err
				}
			}
			if replay != "" {
				return a.replay(cmd.Context(), args, replay, page)
			}
			return a.test(cmd.Context(), args, all, page)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "explain all checks that fail, not just the first")
	cmd.Flags().StringVar(&page, "html", "", "write what fails to `FILE`, as a page to step through")
	cmd.Flags().StringVar(&replay, "replay", "", "run one schedule of the model of one check: the `STRING` of its report")
	return cmd
}

// patience is how long the checks of a chapter may go on when one hangs.
const patience = 2 * time.Second

// test runs checks and shows the results. page is the file for a page of them, "" for none.
func (a *app) test(ctx context.Context, args []string, all bool, page string) error {
	sel, err := a.selected(args)
	if err != nil {
		return err
	}
	grader := &grade.Grader{Root: a.root, Of: grade.Exercises, All: a.course, Checks: sel.checks, Own: grade.OwnIfPassing, Patience: patience, Race: grade.RaceIfPassing, Course: a.courseCode}
	if sel.checks != nil {
		grader.Own, all = grade.OwnNever, true
	}
	for _, ch := range sel.chapters {
		grader.Chapters = append(grader.Chapters, ch.ID)
	}
	var judged *grade.Report
	grader.Judged = func(report *grade.Report) {
		judged = report
		a.showChapters(report, all)
	}
	report, err := a.checked(ctx, grader)
	if err != nil {
		return err
	}
	if judged == nil {
		a.showChapters(report, all)
	} else {
		a.showRest(judged, report)
	}
	if err := a.writePage(report, page); err != nil {
		return err
	}
	a.warn(a.out, sel.chapters)
	if !report.Passes() {
		return failed
	}
	return nil
}

// warn says what of these chapters a grading of the submission would refuse, whatever its checks
// say here: nobody should learn it when the time is over.
func (a *app) warn(to *screen.Screen, of []chapters.Chapter) {
	found, err := submission.Findings(a.root, of)
	if err != nil || len(found) == 0 {
		return
	}
	title := "Submitted as it is, this will be refused:"
	if len(found) > 2 {
		title = fmt.Sprintf("Submitted as it is, this will be refused, for %d reasons; the first two:", len(found))
	}
	to.Println()
	to.Println(to.Paint(screen.Yellow, to.Cut("  "+title, to.Width)))
	for _, f := range found[:min(len(found), 2)] {
		to.Println("    " + to.Cut(f.Place()+": "+f.What, to.Width-4))
		to.Println("      " + to.Cut(f.Instead, to.Width-6))
	}
}

// writePage writes the page of what fails, if one is asked for, and says where it is. One from
// before is replaced even if nothing fails any more.
func (a *app) writePage(report *grade.Report, page string) error {
	if page == "" {
		return nil
	}
	f, err := os.Create(page)
	if err != nil {
		return err
	}
	if err := errors.Join(report.WriteHTML(f), f.Close()); err != nil {
		return err
	}
	a.out.Println()
	a.out.Wrapped(2, "What fails is shown in "+page+"; open it in a browser.")
	return nil
}

// selected reads the arguments of test. Without a chapter they are about the one that
// the student is at.
func (a *app) selected(args []string) (selection, error) {
	current, err := a.current(a.loadState())
	if err != nil {
		return selection{}, err
	}
	return a.selectChecks(args, current)
}

// replay runs the model of one check in one schedule. That it passes there says
// little, so it is not kept.
func (a *app) replay(ctx context.Context, args []string, schedule, page string) error {
	sel, err := a.selected(args)
	if err != nil {
		return err
	}
	if len(sel.chapters) != 1 || len(sel.checks) != 1 {
		return usagef("--replay is for one check: %s test ch07 race-get --replay %s", invocation, schedule)
	}
	ch, name := sel.chapters[0], sel.checks[0]
	if k := ch.Suite.Check(name).Kind; k != check.Model {
		return usagef("%s is a check of kind %s; only those of kind model have schedules to replay", name, k)
	}
	report, err := a.graded(ctx, &grade.Grader{Root: a.root, Of: grade.Exercises, All: a.course, Chapters: []string{ch.ID}, Checks: sel.checks, Replay: schedule})
	if err != nil {
		return err
	}
	result := &report.Chapters[0]
	if len(result.Failing()) == 0 && result.Count(check.Todo) == 0 {
		a.out.Wrapped(0, fmt.Sprintf("In this schedule nothing goes wrong (any more). To run all the others: %s test %s %s", invocation, ch.ID, name))
		return nil
	}
	if strings.Contains(result.Checks[0].Message, string(explore.BadReplay)+":") {
		return usagef("the string %s does not fit, so nothing was checked: it was recorded with another version of the code, or for another check", schedule)
	}
	a.showChapter(result, true)
	if err := a.writePage(report, page); err != nil {
		return err
	}
	return failed
}

// checked grades exercises and keeps the results for the map.
func (a *app) checked(ctx context.Context, g *grade.Grader) (*grade.Report, error) {
	var unsaved error
	if judged := g.Judged; judged != nil {
		g.Judged = func(report *grade.Report) { // what it shows names the files
			unsaved = a.saveEvidence(report)
			judged(report)
		}
	}
	report, err := a.graded(ctx, g)
	if err == nil {
		err = errors.Join(unsaved, a.saveEvidence(report))
	}
	if err != nil {
		return nil, err
	}
	return report, a.saveState(a.loadState(), report)
}

func (a *app) saveEvidence(report *grade.Report) error {
	return report.SaveEvidence(a.path(local, "evidence"))
}

// graded runs a grader and shows its progress.
func (a *app) graded(ctx context.Context, g *grade.Grader) (*grade.Report, error) {
	progress := &screen.Progress{Screen: a.err}
	defer progress.Clear()
	g.Progress = a.eventsTo(progress)
	if judged := g.Judged; judged != nil {
		g.Judged = func(report *grade.Report) {
			progress.Clear()
			judged(report)
		}
	}
	return g.Grade(ctx)
}

// eventsTo returns what shows the events of a grading as progress.
func (a *app) eventsTo(progress *screen.Progress) func(grade.Event) {
	building := a.building(progress)
	return func(e grade.Event) {
		switch {
		case e.Building != "":
			building(e.Building)
		default:
			progress.Stage("%d of %d checks", e.Done, e.Total)
		}
	}
}

// building returns what tells of builds: on a terminal as progress. The first one in a
// course compiles all of it, which takes so long that it is told everywhere, in one line.
// Any goroutine may call it.
func (a *app) building(progress *screen.Progress) func(what string) {
	if _, err := os.Stat(a.path(local, "bin")); !errors.Is(err, fs.ErrNotExist) {
		return func(what string) { progress.Stage("building %s …", what) }
	}
	const first = "building the checks for the first time, which may take a minute"
	if a.err.Terminal {
		return func(what string) { progress.Stage("%s: %s …", first, what) }
	}
	var once sync.Once
	return func(string) { once.Do(func() { a.err.Println("autograder: " + first + " …") }) }
}

// words are how a status is shown: a word of at most five letters, and its style.
var words = map[check.Status]struct {
	word  string
	style screen.Style
}{
	check.Pass:          {"pass", screen.Green},
	check.Fail:          {"FAIL", screen.Red},
	check.Todo:          {"todo", screen.Dim},
	check.Timeout:       {"HANGS", screen.Red},
	check.BuildError:    {"BUILD", screen.Red},
	check.Refused:       {"STOP", screen.Red},
	check.Blocked:       {"skip", screen.Yellow},
	check.InternalError: {"ERROR", screen.Yellow},
}

func (a *app) status(s check.Status) string {
	w := words[s]
	return a.out.Paint(w.style, screen.Pad(w.word, 5))
}

// showChapters shows the chapters of a report, all as far as they are known.
func (a *app) showChapters(report *grade.Report, all bool) {
	for i := range report.Chapters {
		if i > 0 {
			a.out.Println()
		}
		a.showChapter(&report.Chapters[i], all)
	}
}

// showRest shows what has come of the chapters in judged that something follows.
func (a *app) showRest(judged, report *grade.Report) {
	for i := range judged.Chapters {
		if before := &judged.Chapters[i]; before.Follows() {
			a.out.Println()
			a.showFollowed(before, &report.Chapters[i])
		}
	}
}

// showFollowed shows what the race detector and the own stack have said of a chapter; before is
// what has been shown of it.
func (a *app) showFollowed(before, ch *grade.Chapter) {
	var failing []grade.Check
	for i, c := range ch.Checks {
		if c.Status != before.Checks[i].Status {
			failing = append(failing, c)
		}
	}
	if len(failing) > 0 {
		a.chapterTitle(ch)
		for _, c := range failing {
			a.explain(ch, c)
			a.out.Println()
		}
		a.summary(ch, failing, true)
		return
	}
	a.raceNotes(ch)
	chapter, _ := a.findChapter(ch.ID)
	if a.passesWhole(ch) {
		a.passed(ch, chapter)
	} else {
		a.ownStack(ch, chapter)
	}
}

// showChapter prints a line for each check, then explains failures, then says
// what to do next.
func (a *app) showChapter(ch *grade.Chapter, all bool) {
	a.chapterTitle(ch)
	if ch.Broken() {
		a.showBuildError(ch)
		return
	}
	names, points := 0, 0
	for _, c := range ch.Checks {
		names = max(names, len(c.Name))
		points = max(points, len(fmt.Sprint(c.Points)))
	}
	for _, c := range ch.Checks {
		line := fmt.Sprintf("  %s %s", a.status(c.Status), screen.Pad(c.Name, names))
		used := 2 + 5 + 1 + names
		if used+2+points <= a.out.Width || !a.out.Terminal {
			line += fmt.Sprintf("  %*d", points, c.Points)
			used += 2 + points
		}
		if room := a.out.Width - used - 2; room >= 24 || !a.out.Terminal {
			text := c.Property
			if c.Status == check.Todo || c.Status == check.Blocked {
				text = c.Message
			}
			line += "  " + a.out.Paint(screen.Dim, a.out.Cut(text, room))
		}
		a.out.Println(line)
	}
	a.concludeSoFar(ch, all)
}

// concludeSoFar says what has come of the checks of a chapter, and what is next.
func (a *app) concludeSoFar(ch *grade.Chapter, all bool) {
	a.out.Println()
	a.raceNotes(ch)
	if ch.Follows() && a.passesWhole(ch) {
		a.out.Println(a.out.Paint(screen.Green, "  Every check passes."))
	} else {
		a.conclude(ch, all)
	}
	switch {
	case !ch.Follows():
	case !ch.RaceFollows:
		a.out.Wrapped(2, "What follows: the same checks on your own stack.")
	case !ch.OwnFollows:
		a.out.Wrapped(2, "What follows: the race detector.")
	default:
		a.out.Wrapped(2, "What follows: the race detector, and the same checks on your own stack.")
	}
}

// raceNotes says which checks have passed under the race detector, and why one was not run
// there that should have been.
func (a *app) raceNotes(ch *grade.Chapter) {
	for _, c := range ch.Checks {
		if why, skipped := strings.CutPrefix(c.Race, "skipped: "); skipped {
			a.out.Wrapped(2, fmt.Sprintf("%s passes; under the race detector it was skipped: %s", c.Name, why))
			a.out.Println()
		} else if c.Race == string(check.Pass) {
			a.out.Wrapped(2, fmt.Sprintf("%s passes under the race detector, too.", c.Name))
			a.out.Println()
		}
	}
}

// chapterTitle prints the title of a chapter and its points.
func (a *app) chapterTitle(ch *grade.Chapter) {
	chapter, _ := a.findChapter(ch.ID)
	a.out.Ends(screen.Bold, fmt.Sprintf("Chapter %s  %s", number(chapter), ch.Title), fmt.Sprintf("%d of %d points", ch.Score, ch.MaxScore))
	a.out.Println()
}

// conclude explains failures, or the first one, then says what to do next.
func (a *app) conclude(ch *grade.Chapter, all bool) {
	failing := ch.Failing()
	for i, c := range failing {
		if i > 0 && (!all || c.Status == check.Blocked) {
			break
		}
		a.explain(ch, c)
		a.out.Println()
	}
	a.summary(ch, failing, all)
}

// passesWhole reports whether all checks of a chapter were run, and pass.
func (a *app) passesWhole(ch *grade.Chapter) bool {
	chapter, _ := a.findChapter(ch.ID)
	return ch.Passes() && len(ch.Checks) == len(chapter.Suite.Checks)
}

// labelColumn is the width of the labels in an explanation.
const labelColumn = 10

// explain tells all about a check that failed.
func (a *app) explain(ch *grade.Chapter, c grade.Check) {
	a.out.Println(a.out.Paint(screen.Red, "  "+strings.TrimSpace(words[c.Status].word)+" "+c.Name))
	a.out.Println()
	label := func(label, text string) { a.out.Labeled(4, labelColumn, label, text) }
	label("property", c.Property)
	a.out.Println()
	if c.Status == check.BuildError {
		a.compilerLines(c)
	} else {
		a.message(c.Message)
	}
	a.out.Println()
	a.evidence(ch, c)
	command := func(label, text string) { a.out.Command(4, labelColumn, label, text) }
	if c.Hint != "" {
		command("hint", fmt.Sprintf("%s hint %s %s", invocation, ch.ID, c.Name))
	}
	if c.Replay != "" {
		command("replay", fmt.Sprintf("%s test %s %s --replay %s", invocation, ch.ID, c.Name, c.Replay))
		command("step", fmt.Sprintf("%s test %s %s --html failures.html", invocation, ch.ID, c.Name))
	}
	command("again", fmt.Sprintf("%s test %s %s", invocation, ch.ID, c.Name))
	command("go test", fmt.Sprintf("%s ./%s/%s -run '%s'", goTest, grade.Exercises, ch.Dir, c.Kind.Pattern(c.Name)))
}

// messageLines is how much of a message is shown; the file of evidence has all. A
// counterexample of a model fits in.
const messageLines = 40

// message prints a message. Lines that are laid out already, a difference or a
// table, are kept as they are, the others are wrapped.
func (a *app) message(text string) {
	var lines []string
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") || strings.Contains(line, "  ") || strings.Contains(line, "\t") {
			lines = append(lines, strings.ReplaceAll(strings.TrimRight(line, " \t"), "\t", "    "))
			continue
		}
		lines = append(lines, screen.Wrap(line, a.out.Width-4)...)
	}
	for _, line := range lines[:min(len(lines), messageLines)] {
		a.out.Println(strings.TrimRight("    "+line, " "))
	}
	if more := len(lines) - messageLines; more > 0 {
		a.out.Println(fmt.Sprintf("    … %d more lines", more))
	}
}

// evidenceLines is how much evidence is shown at once; the file has all.
const evidenceLines = 8

// evidence prints the beginning of the evidence and where the rest is.
func (a *app) evidence(ch *grade.Chapter, c grade.Check) {
	text := strings.TrimRight(c.Evidence, "\n")
	file := filepath.Join(local, "evidence", grade.EvidenceFile(ch.ID, c.Name))
	if text == "" || c.Status == check.BuildError {
		a.out.Command(4, labelColumn, "evidence", file)
		return
	}
	lines := strings.Split(text, "\n")
	for _, line := range lines[:min(len(lines), evidenceLines)] {
		line = strings.ReplaceAll(strings.TrimRight(line, " \t"), "\t", "    ")
		a.out.Println(a.out.Paint(screen.Dim, strings.TrimRight("    | "+a.out.Cut(line, a.out.Width-6), " ")))
	}
	if more := len(lines) - evidenceLines; more > 0 {
		a.out.Println(a.out.Paint(screen.Dim, fmt.Sprintf("    | … %d more lines", more)))
	}
	a.out.Println()
	a.out.Command(4, labelColumn, "evidence", file)
}

// compilerLinesShown is how many lines of the compiler are shown.
const compilerLinesShown = 10

// showBuildError prints what the compiler said: no check of the chapter was run.
func (a *app) showBuildError(ch *grade.Chapter) {
	a.out.Println(a.out.Paint(screen.Red, "  It does not compile:"))
	a.out.Println()
	a.compilerLines(ch.Checks[0])
	a.out.Println()
	a.out.Wrapped(2, fmt.Sprintf("None of its %d checks was run.", len(ch.Checks)))
}

// compilerLines prints what the compiler said, which is the evidence.
func (a *app) compilerLines(c grade.Check) {
	lines := strings.Split(strings.TrimRight(c.Evidence, "\n"), "\n")
	for _, line := range lines[:min(len(lines), compilerLinesShown)] {
		a.out.Println("    " + strings.ReplaceAll(line, "\t", "    "))
	}
	if more := len(lines) - compilerLinesShown; more > 0 {
		a.out.Println(fmt.Sprintf("    … %d more lines", more))
	}
}

// summary counts, and says what is next.
func (a *app) summary(ch *grade.Chapter, failing []grade.Check, all bool) {
	if a.passesWhole(ch) {
		chapter, _ := a.findChapter(ch.ID)
		a.passed(ch, chapter)
		return
	}
	text := counts(ch) + "."
	if hidden := len(failing) - 1 - ch.Count(check.Blocked); hidden > 0 && !all {
		text += " --all explains the other failures, too."
	}
	a.out.Wrapped(2, text)
	if len(failing) == 0 && ch.Count(check.Todo) > 0 {
		first := ch.Checks[slices.IndexFunc(ch.Checks, func(c grade.Check) bool { return c.Status == check.Todo })]
		a.out.Wrapped(2, fmt.Sprintf("Next: %s. %s.", first.Name, first.Message))
	}
}

// begunBefore reports whether something passes in a chapter before this one.
func (a *app) begunBefore(chapter chapters.Chapter) bool {
	s := a.loadState()
	return slices.ContainsFunc(a.written(), func(ch chapters.Chapter) bool { return ch.ID < chapter.ID && s[ch.ID].score(ch) > 0 })
}

// ownStack says whether a chapter whose parts pass goes together with those before it.
func (a *app) ownStack(ch *grade.Chapter, chapter chapters.Chapter) {
	switch {
	case ch.OwnStack == grade.OwnPass && a.begunBefore(chapter):
		a.out.Wrapped(2, "On your own stack the checks pass, too: with your parts of the chapters before it, as far as they are written.")
	case ch.OwnStack == grade.OwnPass:
		a.out.Wrapped(2, "On your own stack the checks pass, too.")
	case ch.OwnStack == grade.OwnFail:
		a.out.Wrapped(2, "But on your own stack, with your parts of the chapters before it, these checks fail:")
		for _, c := range ch.OwnFails {
			a.out.Println()
			a.out.Println("    " + a.out.Paint(screen.Red, c.Name))
			a.message(c.Message)
			a.out.Command(4, labelColumn, "go test", fmt.Sprintf("%s ./%s -run '^TestOwn$/^%s$/^%s$'", goTest, grade.Exercises, ch.ID, c.Name))
		}
	}
}

// passed says that a chapter passes, whether it goes together with those before
// it, and what is next.
func (a *app) passed(ch *grade.Chapter, chapter chapters.Chapter) {
	a.out.Println(a.out.Paint(screen.Green, fmt.Sprintf("  Chapter %s passes.", number(chapter))))
	if alone := a.loadState().chapter(chapter).alone(chapter); 0 < alone && alone < ch.Score {
		a.out.Wrapped(2, fmt.Sprintf("%d of its points came without the steps of the hints.", alone))
	} else if alone > 0 {
		a.out.Wrapped(2, "You have opened none of the steps of the hints.")
	}
	a.ownStack(ch, chapter)
	a.out.Println()
	a.out.Command(2, labelColumn, "compare", fmt.Sprintf("%s diff %s", invocation, ch.ID))
	if i := slices.IndexFunc(a.course, func(c chapters.Chapter) bool { return c.ID == ch.ID }); i+1 < len(a.course) && a.course[i+1].Suite != nil {
		a.out.Labeled(2, labelColumn, "next", fmt.Sprintf("chapter %s, %s", number(a.course[i+1]), a.course[i+1].Title))
	}
}
