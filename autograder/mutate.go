package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gosched/autograder/diff"
	"gosched/autograder/screen"
	"gosched/solutions/mutation"
)

// mutateOptions are the flags of mutate.
type mutateOptions struct {
	list      bool
	only      string
	survivors bool
	sample    int
	seed      uint64
	jobs      int
	repeat    int
	show      string
}

func (a *app) mutateCommand() *cobra.Command {
	var o mutateOptions
	cmd := &cobra.Command{
		Use:   "mutate [chapter ...] [flags]",
		Short: "change the solutions in every small way, and see what the checks miss",
		Long: `Makes every small mistake in the solution of a chapter that can be made by changing
its syntax tree, and runs the checks on each: a statement forgotten or on the
wrong side of an Unlock, a condition the wrong way round, the wrong one of two
queues. A mistake that no check sees is shown as a diff of the function. Either a
check is missing, or the mistake changes nothing that anything may rely on; then it
is listed with the reason in testdata/equivalent.txt of the solution.

Checks with real threads are left out: what they find is not determined.`,
		Example: `  go run ./autograder mutate ch03                  the survivors of chapter 3
  go run ./autograder mutate ch03 --survivors      those of the last run again
  go run ./autograder mutate ch03 --show Dequeue   what kills each mutation of Dequeue
  go run ./autograder mutate --sample 50 --seed 7  some of all chapters`,
		Annotations: exitHelp("  0 all are killed or listed, 1 some survive, 2 wrong usage"),
		RunE:        func(cmd *cobra.Command, args []string) error { return a.mutate(cmd.Context(), args, o) },
	}
	f := cmd.Flags()
	f.BoolVar(&o.list, "list", false, "list the names of the mutations and run none")
	f.StringVar(&o.only, "only", "", "only mutations whose name matches the `regexp`")
	f.BoolVar(&o.survivors, "survivors", false, "only those that survived the last run")
	f.IntVar(&o.sample, "sample", 0, "only this `many`, chosen at random")
	f.Uint64Var(&o.seed, "seed", 1, "the `seed` that chooses them")
	f.IntVar(&o.jobs, "jobs", 2, "how `many` processes run at a time")
	f.IntVar(&o.repeat, "repeat", 0, "run each check that kills a mutation this `many` more times; one that passes once has not killed it")
	f.StringVar(&o.show, "show", "", "show mutations whose name matches the `regexp`, and what kills them")
	return cmd
}

// mutate runs the mutations of some chapters, or of all.
func (a *app) mutate(ctx context.Context, names []string, o mutateOptions) error {
	dirs, err := a.mutated(names)
	if err != nil {
		return err
	}
	pick, err := a.picker(o)
	if err != nil {
		return err
	}
	progress := &screen.Progress{Screen: a.err}
	defer progress.Clear()
	progress.Stage("reading the solutions …")
	r, err := newMutationRun(a.root, dirs)
	if err != nil {
		return err
	}
	r.pick(pick)
	r.choose(o.sample, o.seed)
	if o.list {
		progress.Clear()
		a.listMutations(r)
		return nil
	}
	if err := r.run(ctx, mutation.Options{Jobs: o.jobs, Repeat: o.repeat, Stage: progress.Stage}, o.show != ""); err != nil {
		return err
	}
	progress.Clear()
	if err := a.saveSurvivors(r); err != nil {
		return err
	}
	if o.show != "" {
		a.showMutations(r)
		return nil
	}
	return a.showSurvivors(r)
}

// mutated returns the folders of the chapters with these names, of all without names.
func (a *app) mutated(names []string) ([]string, error) {
	var dirs []string
	for _, name := range names {
		ch, err := a.chapter(name)
		if err != nil {
			return nil, err
		}
		dirs = append(dirs, ch.Dir)
	}
	if len(names) == 0 {
		for _, ch := range a.written() {
			dirs = append(dirs, ch.Dir)
		}
	}
	return dirs, nil
}

// picker returns which mutations the flags ask for.
func (a *app) picker(o mutateOptions) (func(m *mutation.Mutation) bool, error) {
	var patterns []*regexp.Regexp
	for flag, text := range map[string]string{"--only": o.only, "--show": o.show} {
		p, err := regexp.Compile(text)
		if err != nil {
			return nil, usagef("%s: %v", flag, err)
		}
		patterns = append(patterns, p)
	}
	if o.jobs < 1 || o.repeat < 0 || o.sample < 0 {
		return nil, usagef("--jobs takes 1 or more, --repeat and --sample no less than 0")
	}
	last := a.loadSurvivors()
	return func(m *mutation.Mutation) bool {
		for _, p := range patterns {
			if !p.MatchString(m.Name) {
				return false
			}
		}
		if o.survivors {
			known, ran := last[m.Chapter]
			return !ran || slices.Contains(known, m.Name)
		}
		return true
	}, nil
}

// A mutationRun is a run of the mutations of some chapters.
type mutationRun struct {
	root      string
	solutions []*mutation.Solution
	listed    map[string]map[string]string // by chapter and name: the reason
	picked    []*mutation.Mutation
	verdicts  map[*mutation.Mutation]mutation.Verdict
}

func newMutationRun(root string, dirs []string) (*mutationRun, error) {
	solutions, err := mutation.Load(root, dirs)
	if err != nil {
		return nil, err
	}
	r := &mutationRun{root: root, solutions: solutions, listed: map[string]map[string]string{}}
	for _, s := range solutions {
		if r.listed[s.Chapter], err = mutation.Equivalent(root, s.Dir); err != nil {
			return nil, err
		}
	}
	r.pick(func(*mutation.Mutation) bool { return true })
	return r, nil
}

// pick leaves those mutations to be run for which yes is true.
func (r *mutationRun) pick(yes func(m *mutation.Mutation) bool) {
	r.picked = nil
	for _, s := range r.solutions {
		for _, m := range s.Mutations {
			if yes(m) {
				r.picked = append(r.picked, m)
			}
		}
	}
}

// choose leaves n of those that are picked and can be killed; all if n is 0.
func (r *mutationRun) choose(n int, seed uint64) {
	if n == 0 {
		return
	}
	r.picked = slices.DeleteFunc(r.picked, func(m *mutation.Mutation) bool { return m.Rule != "" || r.reason(m) != "" })
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(r.picked), func(i, j int) { r.picked[i], r.picked[j] = r.picked[j], r.picked[i] })
	r.picked = r.picked[:min(n, len(r.picked))]
}

// reason is why a mutation is listed as equivalent, "" if it is not.
func (r *mutationRun) reason(m *mutation.Mutation) string { return r.listed[m.Chapter][m.Name] }

// run runs those that are picked, except those that are equivalent by a rule.
func (r *mutationRun) run(ctx context.Context, opt mutation.Options, withRules bool) error {
	torun := slices.DeleteFunc(slices.Clone(r.picked), func(m *mutation.Mutation) bool { return m.Rule != "" && !withRules })
	if len(torun) == 0 {
		r.verdicts = map[*mutation.Mutation]mutation.Verdict{}
		return nil
	}
	var err error
	r.verdicts, err = mutation.Run(ctx, r.root, r.solutions, torun, opt)
	return err
}

// alive reports whether a mutation was run and survived, and is not excused.
func (r *mutationRun) alive(m *mutation.Mutation) bool {
	v, ran := r.verdicts[m]
	return ran && !v.Killed() && m.Rule == "" && r.reason(m) == ""
}

// wrongLists says what is wrong with the lists of equivalent mutations: entries that name
// none, or one that a check has killed or a rule excuses.
func (r *mutationRun) wrongLists() []string {
	var wrong []string
	for _, s := range r.solutions {
		byName := map[string]*mutation.Mutation{}
		for _, m := range s.Mutations {
			byName[m.Name] = m
		}
		for _, name := range slices.Sorted(maps.Keys(r.listed[s.Chapter])) {
			m := byName[name]
			switch {
			case m == nil:
				wrong = append(wrong, fmt.Sprintf("%s lists %q, and there is no such mutation; has the solution changed?", s.Chapter, name))
			case m.Rule != "":
				wrong = append(wrong, fmt.Sprintf("%s lists %q, which is equivalent by a rule: %s", s.Chapter, name, m.Rule))
			case r.verdicts[m].Killed():
				wrong = append(wrong, fmt.Sprintf("%s lists %q, but %s fails: %s", s.Chapter, name, r.verdicts[m].Check, r.verdicts[m].Message))
			}
		}
	}
	return wrong
}

// listMutations prints the names of those that are picked.
func (a *app) listMutations(r *mutationRun) {
	for _, m := range r.picked {
		line := m.Chapter + "  " + m.Name
		switch {
		case m.Rule != "":
			line += a.out.Paint(screen.Dim, "  [equivalent by rule: "+m.Rule+"]")
		case r.reason(m) != "":
			line += a.out.Paint(screen.Dim, "  [listed]")
		}
		a.out.Println(line)
	}
	a.out.Println(fmt.Sprintf("%d mutations", len(r.picked)))
}

// showMutations prints each one that is picked with what became of it.
func (a *app) showMutations(r *mutationRun) {
	for _, m := range r.picked {
		a.showMutation(m)
		switch v := r.verdicts[m]; {
		case m.Rule != "":
			a.out.Wrapped(2, "equivalent by rule: "+m.Rule)
			fallthrough
		case v.Check == "" && r.reason(m) != "":
			if reason := r.reason(m); reason != "" {
				a.out.Wrapped(2, "listed as equivalent: "+reason)
			}
		case v.Unsteady:
			a.out.Wrapped(2, "alive: "+v.Check+" kills it only sometimes")
		case v.Check == "":
			a.out.Println("  alive")
		default:
			a.out.Println("  killed by " + v.Check + ":")
			for line := range strings.Lines(v.Message) {
				a.out.Println("    " + strings.TrimRight(line, "\n"))
			}
		}
		a.out.Println()
	}
}

// showMutation prints a mutation as a diff of its function.
func (a *app) showMutation(m *mutation.Mutation) {
	a.out.Println(a.out.Paint(screen.Bold, m.Chapter+"  "+m.Name))
	a.printDiff(diff.Unified(m.File(), m.File(), m.Original()+"\n", m.Source+"\n"))
}

// showSurvivors prints what survives, what is wrong with the lists, and a summary.
func (a *app) showSurvivors(r *mutationRun) error {
	alive := 0
	for _, m := range r.picked {
		if !r.alive(m) {
			continue
		}
		alive++
		a.showMutation(m)
		if v := r.verdicts[m]; v.Unsteady {
			a.out.Println("  " + v.Check + " kills it only sometimes")
		}
		a.out.Println()
	}
	wrong := r.wrongLists()
	for _, line := range wrong {
		a.out.Println(line)
	}
	if len(wrong) > 0 {
		a.out.Println()
	}
	a.mutationTable(r)
	if alive > 0 || len(wrong) > 0 {
		return failed
	}
	return nil
}

// mutationTable prints a line for each chapter, and one for all.
func (a *app) mutationTable(r *mutationRun) {
	const form = "%-8s%10v%8v%9v%8v%7v%9s"
	a.out.Println(a.out.Paint(screen.Bold, fmt.Sprintf(form, "chapter", "mutations", "killed", "by rule", "listed", "alive", "listed")))
	var sum mutationCount
	for _, s := range r.solutions {
		var c mutationCount
		for _, m := range r.picked {
			if m.Chapter == s.Chapter {
				c.add(r, m)
			}
		}
		a.out.Println(c.row(form, s.Chapter))
		sum.plus(c)
	}
	if len(r.solutions) > 1 {
		a.out.Println(sum.row(form, "all"))
	}
}

// A mutationCount is how many mutations met which fate.
type mutationCount struct{ all, killed, byRule, listed, alive int }

func (c *mutationCount) add(r *mutationRun, m *mutation.Mutation) {
	c.all++
	switch v := r.verdicts[m]; {
	case m.Rule != "":
		c.byRule++
	case v.Killed():
		c.killed++
	case r.reason(m) != "":
		c.listed++
	default:
		c.alive++
	}
}

func (c *mutationCount) plus(d mutationCount) {
	c.all += d.all
	c.killed += d.killed
	c.byRule += d.byRule
	c.listed += d.listed
	c.alive += d.alive
}

func (c *mutationCount) row(form, name string) string {
	percent := 0.0
	if c.all > 0 {
		percent = 100 * float64(c.listed) / float64(c.all)
	}
	return fmt.Sprintf(form, name, c.all, c.killed, c.byRule, c.listed, c.alive, fmt.Sprintf("%.1f%%", percent))
}

// survivorsFile holds the names of those that survived the last run, by chapter.
const survivorsFile = "survivors.json"

// loadSurvivors reads them. A file that cannot be read is as good as none.
func (a *app) loadSurvivors() map[string][]string {
	last := map[string][]string{}
	text, err := os.ReadFile(a.path(local, survivorsFile))
	if err != nil || json.Unmarshal(text, &last) != nil {
		return map[string][]string{}
	}
	return last
}

// saveSurvivors notes what has survived. Of mutations that were not run, nothing changes.
func (a *app) saveSurvivors(r *mutationRun) error {
	last := a.loadSurvivors()
	for _, s := range r.solutions {
		before, known := last[s.Chapter]
		alive := []string{}
		for _, m := range s.Mutations {
			_, ran := r.verdicts[m]
			if r.alive(m) || !ran && (!known || slices.Contains(before, m.Name)) && m.Rule == "" {
				alive = append(alive, m.Name)
			}
		}
		last[s.Chapter] = alive
	}
	text, err := json.MarshalIndent(last, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(a.path(local), 0o755); err != nil {
		return err
	}
	return os.WriteFile(a.path(local, survivorsFile), append(text, '\n'), 0o644)
}
