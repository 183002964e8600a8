package grade

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gosched/chapters/check"
)

// races runs the stress checks of a chapter that have passed under the race detector, if they
// are to. runs has how each check was run.
func (g *grading) races(ctx context.Context, ch *Chapter, runs []child) error {
	if g.Race == RaceNever || g.Race == RaceIfPassing && !ch.partsPass() || g.Raced != nil && !slices.Contains(g.Raced, ch.ID) {
		return nil
	}
	for i := range ch.Checks {
		c := &ch.Checks[i]
		if c.Kind != check.Stress || c.Status != check.Pass {
			continue
		}
		if err := g.slots.Acquire(ctx, capacity); err != nil {
			return err
		}
		g.race(ctx, c, runs[i])
		g.slots.Release(capacity)
	}
	return nil
}

// race runs a check that has passed once more under the race detector, where one
// can be had: on Linux it needs a C compiler. What it finds fails the check.
func (g *grading) race(ctx context.Context, c *Check, run child) {
	if run.joined && len(g.joint.in) == 1 { // the own stack in it is not for the race detector
		run.joined, run.pattern = false, c.Kind.Pattern(c.Name)
	}
	var err error
	run.binary, err = g.buildRace(ctx, c, run)
	if ctx.Err() != nil {
		c.set(interrupted)
		return
	}
	if broken, ok := errors.AsType[*BuildError](err); ok {
		// Without -race it compiles.
		c.Race = "skipped: go test -race does not work here: " + broken.Lines[0]
		return
	}
	var dir string
	if err == nil {
		dir, err = os.MkdirTemp("", "gosched-race-")
	}
	if err != nil {
		c.Race = "skipped: " + err.Error()
		return
	}
	defer os.RemoveAll(dir)
	run.noLimit = true
	run.write = append(slices.Clone(run.write), dir)
	run.env = append(slices.Clone(run.env), "GORACE=halt_on_error=1 log_path="+filepath.Join(dir, "race"))
	v := run.run(ctx)
	if ctx.Err() != nil {
		c.set(interrupted)
		return
	}
	reports, _ := filepath.Glob(filepath.Join(dir, "race.*"))
	if len(reports) > 0 {
		text, err := os.ReadFile(reports[0])
		if err != nil {
			v = internal("the report of the race detector cannot be read: %v", err)
		} else {
			v = raceVerdict(string(text))
		}
	}
	c.Race = string(v.status)
	if v.status != check.Pass {
		c.set(v)
	}
}

// buildRace builds the binary of a check for the race detector. The joint is built once.
func (g *grading) buildRace(ctx context.Context, c *Check, run child) (binary string, err error) {
	build := func(pkg, what string, overlay Overlay) error {
		binary = g.binary(path.Base(pkg) + "-race")
		g.tell(what+" for the race detector", 0)
		return buildTest(ctx, g.Root, "./"+pkg, binary, overlay, "-race")
	}
	if !run.joined {
		chapter, _, _ := strings.Cut(c.ID, "/")
		return binary, build(run.pkg, chapter, g.Overlay)
	}
	j := g.joint
	j.raced.Do(func() { j.raceErr = build(j.pkg, j.what(), j.overlay) })
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
