package grade

import (
	"context"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gosched/chapters/check"
)

// toRace returns the chapters with stress checks that have passed and are to run under the
// race detector.
func (g *grading) toRace() (ready []int) {
	for i := range g.report.Chapters {
		ch := &g.report.Chapters[i]
		wanted := g.Race == RaceAlways || g.Race == RaceIfPassing && ch.partsPass()
		if wanted && (g.Raced == nil || slices.Contains(g.Raced, ch.ID)) && slices.ContainsFunc(ch.Checks, raceable) {
			ready = append(ready, i)
		}
	}
	return ready
}

// raceable reports whether a check has passed that may run under the race detector.
func raceable(c Check) bool { return c.Kind == check.Stress && c.Status == check.Pass }

// races runs the stress checks of these chapters that have passed under the race detector.
func (g *grading) races(ctx context.Context, ready []int) error {
	for _, i := range ready {
		if ch := g.chapters[i]; g.joint.has(ch.ID) {
			g.joint.racing = append(g.joint.racing, ch)
		}
	}
	for _, i := range ready {
		checks := g.report.Chapters[i].Checks
		for j := range checks {
			if raceable(checks[j]) {
				if err := g.race(ctx, &checks[j], g.runs[i][j]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// race runs a check that has passed once more under the race detector, where one can be had:
// on Linux it needs a C compiler. What it finds fails the check. The error is that of ctx.
func (g *grading) race(ctx context.Context, c *Check, run child) error {
	if run.joined && len(g.joint.in) == 1 { // the own stack in it is not for the race detector
		run.joined, run.pattern = false, c.Kind.Pattern(c.Name)
	}
	err := g.within(ctx, 1, func() (err error) {
		run.binary, err = g.buildRace(ctx, c, run)
		return err
	})
	if ctx.Err() != nil {
		c.set(interrupted)
		return ctx.Err()
	}
	if broken, ok := errors.AsType[*BuildError](err); ok {
		// Without -race it compiles.
		c.Race = "skipped: go test -race does not work here: " + broken.Lines[0]
		return nil
	}
	var dir string
	if err == nil {
		dir, err = os.MkdirTemp("", "gosched-race-")
	}
	if err != nil {
		c.Race = "skipped: " + err.Error()
		return nil
	}
	defer os.RemoveAll(dir)
	run.noLimit = true
	run.write = append(slices.Clone(run.write), dir)
	run.env = append(slices.Clone(run.env), "GORACE="+raceOptions+" log_path="+filepath.Join(dir, "race"))
	var v verdict
	err = g.within(ctx, weight(c.Kind), func() error {
		v = run.run(ctx)
		return ctx.Err()
	})
	if err != nil {
		c.set(interrupted)
		return err
	}
	if report, found := raceReport(dir); found {
		v = raceVerdict(report)
	}
	c.Race = string(v.status)
	if v.status != check.Pass {
		c.set(v)
	}
	return nil
}

// raceReport reads the first report of the race detector in a folder. What is graded can write
// there, too: of what is no plain file nothing is read, and of a long one the beginning.
func raceReport(dir string) (report string, found bool) {
	names, _ := filepath.Glob(filepath.Join(dir, "race.*"))
	for _, name := range names {
		if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(f, evidenceLimit))
		if f.Close(); err == nil {
			return string(text), true
		}
	}
	return "", len(names) > 0
}

// raceOptions end the process at the first report, and when the check has ended: of themselves
// it would wait for another second.
const raceOptions = "halt_on_error=1 atexit_sleep_ms=0"

// within does some work when there is room for it.
func (g *grading) within(ctx context.Context, weight int64, work func() error) error {
	if err := g.slots.Acquire(ctx, weight); err != nil {
		return err
	}
	defer g.slots.Release(weight)
	return work()
}

// buildRace builds the binary of a check for the race detector. That of chapters in the joint is
// built once, and has no others.
func (g *grading) buildRace(ctx context.Context, c *Check, run child) (binary string, err error) {
	build := func(pkg, what string, overlay Overlay) error {
		binary = g.binary(path.Base(pkg) + "-race")
		g.tell(what+" for the race detector", 0)
		return g.buildTest(ctx, pkg, binary, overlay, "-race")
	}
	if !run.joined {
		chapter, _, _ := strings.Cut(c.ID, "/")
		return binary, build(run.pkg, chapter, g.Overlay)
	}
	j := g.joint
	j.raced.Do(func() {
		var raced *joint
		if raced, j.raceErr = g.jointOf(j.dir, j.racing, nil); j.raceErr == nil {
			j.raceErr = build(raced.pkg, raced.what(), raced.overlay)
		}
	})
	return g.binary(j.name() + "-race"), j.raceErr
}

// racePlace is a line of the student's in a report of the race detector.
var racePlace = regexp.MustCompile(`(?m)^\s+\S*/((?:exercises|solutions)/[\w/]+\.go:\d+)`)

// raceVerdict is the verdict on a check in which the race detector found one.
func raceVerdict(report string) verdict {
	message := "the race detector finds that two threads use the same plain memory, and nothing keeps them apart"
	var places []string
	for _, stack := range strings.Split(report, "\n\n") {
		access := strings.Contains(stack, "rite at 0x") || strings.Contains(stack, "ead at 0x")
		if found := racePlace.FindStringSubmatch(stack); access && found != nil && !slices.Contains(places, found[1]) {
			places = append(places, found[1])
		}
	}
	if len(places) > 0 {
		message += ", at " + strings.Join(places, " and ")
	}
	return verdict{status: check.Fail, message: message, evidence: report}
}
