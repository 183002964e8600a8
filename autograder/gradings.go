package main

import (
	"context"
	"fmt"
	"time"

	"gosched/autograder/grade"
	"gosched/autograder/jail"
	"gosched/autograder/screen"
	"gosched/chapters/check"
)

// A tally counts gradings of right code. A grading is that of one chapter.
type tally struct {
	gradings, checks int
	failures         []string // of checks, with the number of the round
}

// add counts what a round has graded.
func (t *tally) add(round int, level jail.Level, report *grade.Report) {
	for _, ch := range report.Chapters {
		t.gradings++
		for _, c := range ch.Checks {
			t.checks++
			if c.Status != check.Pass {
				t.failures = append(t.failures, fmt.Sprintf("round %d, level %v: %s: %s: %s", round, level, c.ID, c.Status, c.Message))
			}
		}
	}
}

func (t *tally) String() string {
	return fmt.Sprintf("%d gradings of right code, %d checks, %d failures", t.gradings, t.checks, len(t.failures))
}

// gradings grades the solutions round by round until so many chapters have been graded, in turn
// without a jail and in the strictest one that there is, and says how many checks failed. The
// seeds are those of the suites, the same in each round; threads, deadlines and the jail are not.
func (a *app) gradings(ctx context.Context, n int) error {
	s, err := a.submissionsAt(ctx, trustedRun{level: highest}, nil) // it builds what starts checks in jail
	if err != nil {
		return err
	}
	level := s.level
	start := now()
	progress := &screen.Progress{Screen: a.err, Lines: true}
	var t tally
	told := time.Now()
	for round := 1; t.gradings < n; round++ {
		at := jail.Process
		if round%2 == 0 {
			at = level
		}
		g := grade.Grader{Root: a.root, Of: grade.Solutions, All: a.course, Level: at}
		report, err := g.Grade(ctx)
		if err != nil {
			return fmt.Errorf("round %d, after %v: %w", round, &t, err)
		}
		t.add(round, at, report)
		if round == 1 || time.Since(told) > time.Minute {
			progress.Stage("%v of %d", &t, n)
			told = time.Now()
		}
	}
	progress.Clear()
	a.out.Println(fmt.Sprintf("%v (levels %v and %v, the seeds of the suites; %v)", &t, jail.Process, level, now().since(start)))
	for _, f := range t.failures {
		a.out.Println("  " + f)
	}
	if len(t.failures) > 0 {
		return failed
	}
	return nil
}
