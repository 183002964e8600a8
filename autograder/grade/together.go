package grade

import (
	"cmp"
	"context"
	"maps"
	"path"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"gosched/autograder/policy"
	"gosched/chapters"
	"gosched/chapters/check"
)

// To start a process takes longer than most checks do. So one process runs many checks of a
// chapter, one after the other, where that cannot change a verdict. The rule:
//
//   - The code under test keeps nothing from one check to the next: package policy finds nothing
//     in it, so it starts no goroutine and reaches nothing outside, and it has no package
//     variables. Where that is not so, each check has a process of its own.
//   - Checks that need all CPUs, and those of what is written beside the parts, always have one.
//   - The suite has sealed a start and an end of each check, one after the other. If there is
//     anything else in the file of results, nothing of it counts.
//   - Only a pass counts, or that a check was not started because of a TODO; and that only if the
//     suite has gone on to the next check, or the process has ended well. Alone, the process
//     would have had nothing more to do. That a check hangs counts, too, since it takes long to
//     find out: before it there was nothing but checks that are over, and it hangs alone as well.
//   - What comes after a check that has left threads does not count.
//   - Any other check is run again, alone, and that verdict counts: one that fails, one in which
//     the process ended, one that was not reached. Package check ends a process in which a check
//     hangs, so those after it do not suffer.
//
// Where there is a patience, checks are not begun any more that grade a method that has hung.

// A unit is a check that is to be run, with its child.
type unit struct {
	check *Check
	run   child
}

// runUnits runs checks of a chapter, in this order as far as each has a process of its own. forget
// says that their code keeps nothing between them.
func (g *grading) runUnits(ctx context.Context, units []unit, forget bool) error {
	checks, ctx := errgroup.WithContext(ctx)
	patient := newPatience(ctx, g.Patience)
	defer patient.end()
	for _, set := range g.sets(units, forget) {
		g.runSet(checks, patient, set)
	}
	return checks.Wait()
}

// sets deals units to processes. There are so many to share that all CPUs are at work, if no
// other chapter needs them.
func (g *grading) sets(units []unit, forget bool) [][]unit {
	var sets [][]unit
	var shared []int // of sets, those to share
	width, dealt := max(1, int(capacity)/len(g.chapters)), 0
	for _, u := range units {
		alone := !forget || weight(u.check.Kind) > 1 || u.check.Kind.Written() || g.Replay != ""
		switch {
		case alone:
			sets = append(sets, []unit{u})
		case len(shared) < width:
			shared = append(shared, len(sets))
			sets = append(sets, []unit{u})
		default:
			at := shared[dealt%width]
			sets[at] = append(sets[at], u)
			dealt++
		}
	}
	return sets
}

// runSet runs units in one process when there is room, and those that have no verdict then once
// more, each in its own.
func (g *grading) runSet(checks *errgroup.Group, p *patience, set []unit) {
	started := g.start(p, set[0].check)
	checks.Go(func() error {
		if len(set) == 1 || !started {
			for _, u := range set {
				if err := g.one(p, u.check, u.run, started); err != nil {
					return err
				}
			}
			return nil
		}
		rest := runTogether(p.ctx, set)
		g.slots.Release(weight(set[0].check.Kind))
		g.tell("", len(set)-len(rest))
		for _, u := range set {
			if u.check.Status == check.Timeout {
				if err := p.ended(u.check); err != nil {
					return err
				}
			}
		}
		for _, u := range rest {
			g.runSet(checks, p, []unit{u})
		}
		return p.whole.Err()
	})
}

// runTogether runs units in one process and returns those that have no verdict of it.
func runTogether(ctx context.Context, set []unit) (rest []unit) {
	together := set[0].run
	var names []string
	for _, u := range set {
		names = append(names, u.check.Name)
		together.deadline = max(together.deadline, cmp.Or(u.run.deadline, defaultDeadline))
	}
	at := strings.LastIndex(together.pattern, "/")
	together.pattern = together.pattern[:at] + "/^(" + strings.Join(names, "|") + ")$"
	var ended map[string]ending
	together.process(ctx, func(order check.Order, end processEnd) verdict {
		ended = endings(order, end, set)
		return verdict{}
	})
	for _, u := range set {
		if e, ok := ended[u.run.id]; ok {
			u.check.set(e.verdict)
			u.check.Took = e.took
		} else {
			rest = append(rest, u)
		}
	}
	return rest
}

// An ending is a verdict that counts although the process had others to make.
type ending struct {
	verdict
	took time.Duration
}

// endings reads the records of the process of a set, and returns the verdicts that count by the
// IDs of the checks.
func endings(order check.Order, end processEnd, set []unit) map[string]ending {
	records, err := readRecords(order)
	if err != nil {
		return nil
	}
	due := map[string]bool{} // what may still be started
	for _, u := range set {
		due[u.run.id] = true
	}
	ended := map[string]ending{}
	left := false // a check has left threads
	for i, r := range records {
		starts := i%2 == 0
		switch {
		case starts && r.Event == "start" && due[r.Check]:
			delete(due, r.Check)
		case !starts && r.Event == "end" && r.Check == records[i-1].Check:
			if !left {
				ended[r.Check] = ending{verdictOf(r).cleaned(), r.Took}
			}
			left = left || r.Left
		default:
			return nil
		}
	}
	if n := len(records); n > 0 && n%2 == 0 && !end.ok() && records[n-1].Status != check.Timeout {
		delete(ended, records[n-1].Check)
	}
	maps.DeleteFunc(ended, func(_ string, e ending) bool {
		return e.status != check.Pass && e.status != check.Todo && e.status != check.Timeout
	})
	return ended
}

// forgets reports whether the parts of a chapter keep nothing from one check to the next. Those
// of the course do not.
func (g *grading) forgets(ch chapters.Chapter) bool {
	if g.Of == Solutions {
		return true
	}
	var texts [][]byte
	for _, name := range g.goFiles(path.Join(g.Of, ch.Dir)) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		name = path.Join(g.Of, ch.Dir, name)
		text, err := g.read(name)
		if err != nil || len(policy.Check(name, text)) > 0 {
			return false
		}
		texts = append(texts, text)
	}
	return policy.Forgets(texts...)
}
