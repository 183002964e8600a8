package grade

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"gosched/autograder/gen"
	"gosched/autograder/jail"
	"gosched/chapters"
	"gosched/chapters/check"
	"gosched/chapters/machine/explore"
)

// When the checks are run a second time, on the student's own stack.
type OwnStack int

const (
	OwnNever     OwnStack = iota
	OwnIfPassing          // of a chapter whose parts pass among reference parts
	OwnAlways             // of a chapter whose parts are all written
)

// When the checks of kind stress that pass are run once more under the race detector.
type Race int

const (
	RaceNever     Race = iota
	RaceIfPassing      // in a chapter whose parts pass otherwise
	RaceAlways
)

// A Grader grades one tree. The zero values of its optional fields are fine.
type Grader struct {
	Root     string             // of the repository
	Of       string             // Exercises or Solutions
	All      []chapters.Chapter // the course
	Chapters []string           // the IDs to grade; nil: all that are written
	Checks   []string           // the names of the checks to run; nil: all
	Own      OwnStack
	Overlay  Overlay      // files to build in place of those in the tree
	Race     Race         // when checks of kind stress run once more under the race detector
	Raced    []string     // the IDs of the chapters in which they may; nil: in all
	Tree     string       // the folder in whose exercises the checks run; "": Root
	Bin      string       // the folder for the child binaries; "": in .gosched
	Env      []string     // the environment of the go command; nil: that of this process
	Level    jail.Level   // how strictly checks are kept
	Compiler *jail.Limits // of each process of the go command, with what a build needs to read and write; nil: it is run as it is
	Replay   string       // run one schedule of the model of a check, instead of all: see explore.ReplayEnv

	// Course returns a hash of the course's code. If it is set, what is known to pass since
	// nothing has changed that it depends on does not run again: checks of what the student
	// writes beside the parts.
	Course func() (string, error)

	// Patience is how long the checks of a chapter may still take when one of
	// them hangs, since most of the others will hang, too; then they are given
	// up. 0: as long as their deadlines.
	Patience time.Duration

	// Progress, if not nil, is told what is going on. Any goroutine may call it.
	Progress func(event Event)

	// Judged, if not nil, is called when all checks are through among reference parts, if more
	// is to follow: the race detector, or the student's own stack. Each Chapter says what.
	// The report is the receiver's own. Nothing else goes on meanwhile.
	Judged func(report *Report)
}

// An Event is a step of a grading.
type Event struct {
	Building string // what is being built: the ID of a chapter, "18 chapters" or "own stack"
	Done     int    // checks that are through
	Total    int    // of so many
}

// binDir is where the child binaries are kept, from the root. What has not changed is not
// linked again.
const binDir = ".gosched/bin"

// Grade builds and runs. The error says why there are no results at all; what is
// wrong with an exercise is in the report.
func (g *Grader) Grade(ctx context.Context) (*Report, error) {
	goVersion, err := g.toolchain(ctx)
	if err != nil {
		return nil, err
	}
	run := &grading{Grader: g, slots: semaphore.NewWeighted(capacity), report: &Report{Schema: Schema, Of: g.Of, Go: goVersion}}
	for _, ch := range g.All {
		if ch.Suite != nil && (g.Chapters == nil || slices.Contains(g.Chapters, ch.ID)) {
			run.chapters = append(run.chapters, ch)
			run.report.Chapters = append(run.report.Chapters, g.empty(ch))
		}
	}
	for i := range run.report.Chapters {
		run.total += len(run.report.Chapters[i].Checks)
		run.runs = append(run.runs, make([]child, len(run.report.Chapters[i].Checks)))
	}
	if err := os.MkdirAll(g.bin(), 0o755); err != nil {
		return nil, fmt.Errorf("there is no folder for the binaries of the checks: %w", err)
	}
	if g.Course != nil {
		run.course = sync.OnceValues(g.Course)
		go run.course() // while the compiler is at work
	}
	dir, err := os.MkdirTemp("", "gosched-joined-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if run.joint, err = run.join(ctx, dir); err != nil {
		return nil, err
	}
	all, groupCtx := errgroup.WithContext(ctx)
	for i := range run.chapters {
		all.Go(func() error { return run.chapter(groupCtx, i) })
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	run.report.add()
	if err := run.rest(ctx); err != nil {
		return nil, err
	}
	run.report.add()
	return run.report, nil
}

// rest is what follows the verdicts among reference parts. It may take as long as all before
// it, so they are told first.
func (g *grading) rest(ctx context.Context) error {
	raced, own := g.toRace(), g.toOwn()
	if len(raced)+len(own) == 0 {
		return nil
	}
	if g.Judged != nil {
		judged := g.report.clone()
		for _, i := range raced {
			judged.Chapters[i].RaceFollows = true
		}
		for _, i := range own {
			judged.Chapters[i].OwnFollows = true
		}
		g.Judged(judged)
	}
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() error { return g.races(ctx, raced) })
	both.Go(func() error { return g.ownStacks(ctx, own) })
	return both.Wait()
}

// toolchain asks for the version of Go, and thereby whether there is one.
func (g *Grader) toolchain(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOVERSION")
	cmd.Dir, cmd.Env = g.Root, g.Env
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("cannot run the go command, which the course needs: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// empty is the result of a chapter before anything is known.
func (g *Grader) empty(ch chapters.Chapter) Chapter {
	result := Chapter{ID: ch.ID, Dir: ch.Dir, Title: ch.Title, OwnStack: OwnNA}
	if g.Of == Exercises && g.Own == OwnNever {
		result.OwnStack = OwnNotRun
	}
	for _, c := range ch.Suite.Checks {
		if g.Checks != nil && !slices.Contains(g.Checks, c.Name) {
			continue
		}
		result.Checks = append(result.Checks, Check{
			ID: ch.ID + "/" + c.Name, Name: c.Name, Kind: c.Kind, Points: c.Points, Property: c.Property, Hint: c.Hint, methods: c.Methods,
		})
	}
	return result
}

// capacity is how many units of work run side by side. It is never one: a check
// that hangs must not keep all others waiting.
var capacity = int64(max(2, runtime.GOMAXPROCS(0)))

// weight is how much of the capacity a check takes: one that uses real threads
// has the computer to itself.
func weight(k check.Kind) int64 {
	if k == check.Stress || k == check.Bench {
		return capacity
	}
	return 1
}

// A grading is one call of Grade.
type grading struct {
	*Grader
	slots    *semaphore.Weighted
	chapters []chapters.Chapter
	report   *Report
	runs     [][]child              // of report.Chapters, how each check was run
	course   func() (string, error) // Grader.Course, called once
	joint    *joint                 // nil: each chapter has a binary of its own

	mu     sync.Mutex
	done   int
	total  int
	broken map[string]bool // chapters that do not compile
}

func (g *grading) tell(building string, done int) {
	g.mu.Lock()
	g.done += done
	e := Event{building, g.done, g.total}
	g.mu.Unlock()
	if g.Progress != nil {
		g.Progress(e)
	}
}

// chapter builds one chapter and runs its checks.
func (g *grading) chapter(ctx context.Context, i int) error {
	ch, result := g.chapters[i], &g.report.Chapters[i]
	binary := g.binary(ch.ID)
	pkg := path.Join(g.Of, ch.Dir)
	testFile := path.Join(pkg, ch.ID+"_test.go")
	joined := g.joint.has(ch.ID)

	var besides map[string]*BuildError
	var err error
	if joined {
		binary = g.binary(g.joint.name())
	} else {
		if err := g.slots.Acquire(ctx, 1); err != nil {
			return err
		}
		g.tell(ch.ID, 0)
		besides, err = g.buildChapter(ctx, pkg, binary)
		g.slots.Release(1)
	}
	if broken, ok := errors.AsType[*BuildError](err); ok {
		g.mu.Lock()
		if g.broken == nil {
			g.broken = map[string]bool{}
		}
		g.broken[ch.ID] = true
		g.mu.Unlock()
		for j := range result.Checks {
			result.Checks[j].set(buildVerdict(broken))
		}
		g.tell("", len(result.Checks))
		return nil
	}
	if err != nil {
		return err
	}

	known := g.known(ch)
	times := g.times(ch)
	var units []unit
	for _, j := range times.order(result.Checks) {
		c := &result.Checks[j]
		if c.Kind.Written() && known.passed(c) {
			c.set(verdict{status: check.Pass})
			g.tell("", 1)
			continue
		}
		if broken := besides[c.Kind.File()]; broken != nil {
			c.set(buildVerdict(broken))
			g.tell("", 1)
			continue
		}
		run := &g.runs[i][j]
		*run = child{id: c.ID, binary: binary, dir: g.dir(pkg), pkg: pkg, pattern: c.Kind.Pattern(c.Name), testFile: testFile, deadline: ch.Suite.Check(c.Name).Deadline, level: g.Level, read: g.readable(), order: g.sources()}
		if file := c.Kind.File(); file != "" {
			run.testFile = path.Join(pkg, file)
		}
		if joined {
			run.joined, run.pattern = true, g.joint.pattern(ch.ID, run.pattern)
		}
		if g.Replay != "" {
			run.env = []string{explore.ReplayEnv + "=" + g.Replay}
		}
		units = append(units, unit{c, *run})
	}
	err = g.runUnits(ctx, units, g.forgets(ch))
	known.keep(result.Checks)
	if err == nil {
		times.keep(result.Checks)
	}
	return err
}

// buildChapter compiles the test binary of a chapter. Of the files that the student writes
// beside the parts (check.Kind.File) one that does not compile is left out: the rest is
// graded without it, and besides has what the compiler said, by name of file.
func (g *grading) buildChapter(ctx context.Context, pkg, binary string) (besides map[string]*BuildError, err error) {
	overlay := g.Overlay
	besides = map[string]*BuildError{}
	stack := g.standIns()
	for {
		err := g.buildTest(ctx, pkg, binary, overlay)
		broken, ok := errors.AsType[*BuildError](err)
		if !ok {
			return besides, err
		}
		if others := slices.DeleteFunc(slices.Clone(stack), func(ch chapters.Chapter) bool {
			return path.Join(g.Of, ch.Dir) != pkg && broken.mentions(path.Join(g.Of, ch.Dir))
		}); len(others) < len(stack) {
			stack = others // what does not compile cannot stand in
			without, clean, err := g.ownFiles(stack)
			if err != nil {
				return nil, err
			}
			defer clean()
			overlay = overlay.with(without)
			continue
		}
		in := broken.files()
		for name := range in {
			if file := path.Base(name); path.Dir(name) != pkg || !slices.Contains(check.WrittenFiles, file) || besides[file] != nil {
				return nil, err
			}
		}
		if len(in) == 0 {
			return nil, err
		}
		for name, lines := range in {
			besides[path.Base(name)] = &BuildError{Lines: lines}
			overlay = overlay.with(Overlay{name: ""})
		}
	}
}

// standIns are the chapters of which the student's parts stand in for the reference's where that
// is withheld: none, if all of it is there.
func (g *grading) standIns() []chapters.Chapter {
	if g.Of != Exercises || len(gen.WithheldIn(g.Root)) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(g.All), func(ch chapters.Chapter) bool { return ch.Suite == nil })
}

func buildVerdict(e *BuildError) verdict {
	message := "it does not compile: " + e.Lines[0]
	if more := len(e.Lines) - 1; more > 0 {
		message += fmt.Sprintf(" (and %d more)", more)
	}
	return verdict{status: check.BuildError, message: message, evidence: strings.Join(e.Lines, "\n") + "\n"}
}

// start waits until there is room for a check, and reports whether there is: no more checks
// are begun when the patience is exhausted.
func (g *grading) start(p *patience, c *Check) bool {
	return g.slots.Acquire(p.ctx, weight(c.Kind)) == nil
}

// readable is what a check may read besides its binary: the sources that are in its stories, and
// what the student has written beside the parts. The reference parts are among them: without
// their sources the same failure would be told in other words than in a student's own run.
func (g *grading) readable() []string {
	read := []string{filepath.Join(g.tree(), g.Of), filepath.Join(g.Root, "chapters")}
	if g.Of != Solutions {
		read = append(read, filepath.Join(g.Root, Solutions))
	}
	return read
}

// sources is where a child finds the sources of the tree that is graded: not where the binaries
// say, if that tree is not where the course is.
func (g *Grader) sources() check.Order {
	if g.Tree == "" {
		return check.Order{}
	}
	return check.Order{Root: filepath.Join(g.Root, g.Of), Tree: filepath.Join(g.Tree, g.Of)}
}

// tree is the folder that has the tree that is graded.
func (g *Grader) tree() string { return cmp.Or(g.Tree, g.Root) }

// one runs one check for which there is room, if it was started.
func (g *grading) one(p *patience, c *Check, run child, started bool) error {
	defer g.tell("", 1)
	switch x := p.hangs(c); {
	case x != "":
		if started {
			g.slots.Release(weight(c.Kind))
		}
		c.set(verdict{status: check.Blocked, message: x})
		return p.whole.Err() // it has not hung itself, so it takes no other one with it
	case started:
		began := time.Now()
		c.set(run.run(p.ctx))
		c.Took = time.Since(began)
		g.slots.Release(weight(c.Kind))
	}
	return p.ended(c)
}

// A patience is the context of the checks of a chapter. It is cancelled some
// time after one of them has hung.
type patience struct {
	whole  context.Context // of the grading; it outlasts the patience
	ctx    context.Context
	cancel context.CancelCauseFunc
	left   time.Duration // 0: unlimited

	mu   sync.Mutex
	hung []*Check // those that were run and hung, in the order in which that was found out
}

// impatience is why the context of a patience was cancelled: the name of the
// check that hangs.
type impatience string

func (i impatience) Error() string { return string(i) }

func newPatience(ctx context.Context, left time.Duration) *patience {
	p := &patience{whole: ctx, left: left}
	p.ctx, p.cancel = context.WithCancelCause(ctx)
	return p
}

// ended takes note of a check that has ended, or was not begun, at any moment: one that
// hangs begins to use up the patience, one without a verdict of its own was given up if the
// patience is exhausted. The error says that the whole grading ends, whatever became of the
// patience. Any goroutine may call it.
func (p *patience) ended(c *Check) error {
	if c.Status == check.Timeout && p.left > 0 {
		p.note(c)
	}
	if err := p.whole.Err(); err != nil {
		return err
	}
	hung, over := errors.AsType[impatience](context.Cause(p.ctx))
	if over && (c.Status == "" || c.Status == check.Blocked) {
		c.set(verdict{status: check.Blocked, message: "not run: " + string(hung) + " hung already; fix that first"})
	}
	return nil
}

// note takes note of a check that hangs.
func (p *patience) note(c *Check) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hung = append(p.hung, c); len(p.hung) == 1 {
		time.AfterFunc(p.left, func() { p.cancel(impatience(c.Name)) })
	}
}

// hangs returns why a check need not be run, "" if it must: one of a method that it grades, too,
// has hung, in a check that asks no more of it.
func (p *patience) hangs(c *Check) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, h := range p.hung {
		for _, method := range c.methods {
			if h != c && !c.Kind.Simpler(h.Kind) && slices.Contains(h.methods, method) {
				return fmt.Sprintf("not run: %s hung already, which calls %s, too; fix that first", h.Name, method)
			}
		}
	}
	return ""
}

func (p *patience) end() { p.cancel(nil) }

func (c *Check) set(v verdict) {
	c.Status, c.Message, c.Evidence, c.Story, c.Log = v.status, v.message, v.evidence, v.story, v.log
	if c.Replay = ""; c.Story != nil {
		c.Replay = c.Story.Replay
	}
}

// dir is the working directory of a check: that of its package, if it is there
// on disk.
func (g *grading) dir(pkg string) string {
	dir := filepath.Join(g.tree(), filepath.FromSlash(pkg))
	if _, err := os.Stat(dir); err != nil {
		return g.Root
	}
	return dir
}

// binary is the file of a child binary.
func (g *Grader) binary(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(g.bin(), name)
}

// bin is the folder for the child binaries.
func (g *Grader) bin() string {
	if g.Bin != "" {
		return g.Bin
	}
	return filepath.Join(g.Root, filepath.FromSlash(binDir), g.Of)
}

// toOwn returns which chapters have come far enough for the student's own stack.
func (g *grading) toOwn() (ready []int) {
	if g.Of != Exercises || g.Own == OwnNever || len(g.standIns()) > 0 { // there all is the own stack
		return nil
	}
	for i := range g.report.Chapters {
		ch := &g.report.Chapters[i]
		if !g.broken[ch.ID] && (g.Own == OwnAlways && !ch.partsHave(check.Todo) || ch.partsPass()) {
			ready = append(ready, i)
		}
	}
	return ready
}

// ownStacks runs the checks of these chapters on the student's own stack. The parts of a
// chapter that does not compile are left out, so a chapter before it still gets its answer.
func (g *grading) ownStacks(ctx context.Context, ready []int) error {
	if len(ready) == 0 {
		return nil
	}
	last := g.chapters[ready[len(ready)-1]].ID
	binary, upTo := "", last
	if g.joint.hasOwn(last) {
		binary = g.binary(g.joint.name())
	} else {
		g.tell("own stack", 0)
		binary = g.binary("own")
		var err error
		if upTo, err = g.buildOwn(ctx, binary, last); err != nil {
			return err
		}
	}
	for _, i := range ready {
		if ch := g.chapters[i]; ch.ID <= upTo {
			if err := g.ownStack(ctx, ch, &g.report.Chapters[i], binary); err != nil {
				return err
			}
		}
	}
	return nil
}

// partsHave reports whether a check of the chapter's parts has the status. What the
// student writes beside them is not about them.
func (c *Chapter) partsHave(s check.Status) bool {
	return slices.ContainsFunc(c.Checks, func(c Check) bool { return !c.Kind.Written() && c.Status == s })
}

// partsPass reports whether all checks of the chapter's parts pass.
func (c *Chapter) partsPass() bool {
	return !slices.ContainsFunc(c.Checks, func(c Check) bool { return !c.Kind.Written() && c.Status != check.Pass })
}

// buildOwn builds the test of the student's own stack for the chapters up to
// last, or as far as they compile, and returns the ID of the last one in it, ""
// if there is none.
func (g *grading) buildOwn(ctx context.Context, binary, last string) (upTo string, err error) {
	var stack []chapters.Chapter
	for _, ch := range g.All {
		if ch.Suite == nil || ch.ID > last {
			continue
		}
		if g.broken[ch.ID] {
			break
		}
		stack = append(stack, ch)
	}
	for ; len(stack) > 0; stack = stack[:len(stack)-1] {
		overlay, clean, err := g.ownFiles(stack)
		if err != nil {
			return "", err
		}
		err = g.buildTest(ctx, Exercises, binary, g.Overlay.with(overlay))
		clean()
		if err == nil {
			return stack[len(stack)-1].ID, nil
		}
		if _, ok := errors.AsType[*BuildError](err); !ok {
			return "", err
		}
		// A chapter that was not graded now does not compile. The last one may
		// be it; what comes before it may still be right.
	}
	return "", nil
}

// ownFiles writes the files that join these chapters, as an overlay, so that the
// ones in the tree, which join all of them, need not compile.
func (g *grading) ownFiles(stack []chapters.Chapter) (overlay Overlay, clean func(), err error) {
	dir, err := os.MkdirTemp("", "gosched-own-")
	if err != nil {
		return nil, nil, err
	}
	clean = func() { os.RemoveAll(dir) }
	overlay = Overlay{}
	for name, text := range gen.Own(stack, gen.WithheldIn(g.Root)) {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(file, text, 0o644); err != nil {
			clean()
			return nil, nil, err
		}
		overlay[path.Join(Exercises, name)] = file
	}
	return overlay, clean, nil
}

// ownStack runs the checks of one chapter on the student's own stack.
func (g *grading) ownStack(ctx context.Context, ch chapters.Chapter, result *Chapter, binary string) error {
	var own []Check
	for _, c := range g.empty(ch).Checks {
		if !c.Kind.Written() {
			own = append(own, c)
		}
	}
	g.mu.Lock()
	g.total += len(own)
	g.mu.Unlock()
	var units []unit
	for _, j := range g.times(ch).order(own) {
		c := &own[j]
		units = append(units, unit{c, child{
			id:       c.ID,
			binary:   binary,
			dir:      g.dir(Exercises),
			pattern:  "^TestOwn$/^" + ch.ID + "$/^" + c.Name + "$",
			testFile: Exercises + "/own_test.go",
			deadline: ch.Suite.Check(c.Name).Deadline,
			level:    g.Level,
			read:     g.readable(),
			order:    g.sources(),
		}})
	}
	forget := !slices.ContainsFunc(g.stackUpTo(ch.ID), func(ch chapters.Chapter) bool { return !g.forgets(ch) })
	if err := g.runUnits(ctx, units, forget); err != nil {
		return err
	}
	result.OwnStack = OwnPass
	for _, c := range own {
		switch c.Status {
		case check.Pass:
		case check.Todo:
			result.OwnStack, result.OwnFails = OwnNA, nil
			return nil
		default:
			result.OwnStack = OwnFail
			result.OwnFails = append(result.OwnFails, c)
		}
	}
	return nil
}
