package mutation

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"gosched/solutions/mutation/kill"
)

// A Verdict is what became of a mutation.
type Verdict struct {
	Check    string // the first check that fails, "" if none does
	Message  string // what it says
	Unsteady bool   // it passed when it was run once more
}

// Killed reports whether a check fails, each time.
func (v Verdict) Killed() bool { return v.Check != "" && !v.Unsteady }

// Load reads the solutions of chapters, given by their folders ("ch03_park"), in a
// repository, and makes their mutations.
func Load(root string, dirs []string) ([]*Solution, error) {
	var packages []string
	for _, dir := range dirs {
		packages = append(packages, "./solutions/"+dir)
	}
	importer, err := newImporter(root, packages)
	if err != nil {
		return nil, err
	}
	var all []*Solution
	for _, dir := range dirs {
		chapter, _, _ := strings.Cut(dir, "_")
		s, err := read(root, "solutions/"+dir, chapter, importer)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// Options are how mutations are run.
type Options struct {
	Jobs   int // processes at a time
	Repeat int // how often the check that kills a mutation is run once more
	// Stage is told what is being done now.
	Stage func(format string, args ...any)
}

// Run runs the checks on mutations, which are of these solutions.
func Run(ctx context.Context, root string, solutions []*Solution, mutations []*Mutation, opt Options) (map[*Mutation]Verdict, error) {
	root, err := filepath.Abs(root) // an overlay knows files by their whole paths
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "gosched-mutations-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	solutions = slices.DeleteFunc(slices.Clone(solutions), func(s *Solution) bool {
		return !slices.ContainsFunc(mutations, func(m *Mutation) bool { return m.Chapter == s.Chapter })
	})
	opt.Stage("building a program with %d mutations …", len(mutations))
	r := &runner{Options: opt, costs: map[string][]kill.Cost{}, total: len(mutations), folders: map[string]string{}, verdicts: map[*Mutation]Verdict{}}
	for _, s := range solutions {
		r.folders[s.Chapter] = filepath.Join(root, "solutions", s.Dir)
	}
	if r.binary, err = build(ctx, root, dir, solutions, mutations); err != nil {
		return nil, err
	}
	if err := r.measureAll(ctx, solutions); err != nil {
		return nil, err
	}
	return r.verdicts, r.runAll(ctx, solutions, mutations)
}

// A runner runs a program.
type runner struct {
	Options
	binary string
	costs  map[string][]kill.Cost // of each chapter's checks, the cheapest first
	total  int
	// folders are those of the solutions, by chapter.
	folders map[string]string

	mu       sync.Mutex
	verdicts map[*Mutation]Verdict
	alive    int
}

// measureAll measures all checks on the right solutions.
func (r *runner) measureAll(ctx context.Context, solutions []*Solution) error {
	for _, s := range solutions {
		r.Stage("%s: running all checks on the right solution …", s.Chapter)
		lines, err := r.process(ctx, kill.Job{Chapter: s.Chapter})
		if err != nil {
			return fmt.Errorf("%s: the right solution: %w", s.Chapter, err)
		}
		var costs []kill.Cost
		for _, l := range lines {
			if l.Cost == nil {
				continue
			}
			if l.Cost.Fails != "" {
				return fmt.Errorf("%s: the solution itself does not pass %s: %s", s.Chapter, l.Cost.Check, l.Cost.Fails)
			}
			costs = append(costs, *l.Cost)
		}
		slices.SortStableFunc(costs, func(a, b kill.Cost) int { return cmp.Compare(a.CPU, b.CPU) })
		r.costs[s.Chapter] = costs
	}
	return nil
}

// runAll runs all mutations, several at a time.
func (r *runner) runAll(ctx context.Context, solutions []*Solution, mutations []*Mutation) error {
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(max(1, r.Jobs))
	for _, m := range mutations {
		all.Go(func() error {
			v, err := r.verdict(ctx, m, checksOf(m, solutions, r.costs[m.Chapter]))
			if err != nil {
				return fmt.Errorf("%s: %s: %w", m.Chapter, m.Name, err)
			}
			r.note(m, v)
			return nil
		})
	}
	return all.Wait()
}

// note keeps a verdict.
func (r *runner) note(m *Mutation, v Verdict) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.verdicts[m] = v
	if !v.Killed() {
		r.alive++
	}
	r.Stage("%d of %d mutations, %d alive: %s %s …", len(r.verdicts), r.total, r.alive, m.Chapter, m.in.name)
}

// checksOf returns the checks that call the function of m. No other one can tell it from
// the right one.
func checksOf(m *Mutation, solutions []*Solution, costs []kill.Cost) []kill.Cost {
	id := -1
	for _, s := range solutions {
		if s.Chapter == m.Chapter {
			id = slices.Index(s.functions, m.in)
		}
	}
	var checks []kill.Cost
	for _, c := range costs {
		if slices.Contains(c.Reached, id) {
			c.Reached = nil
			checks = append(checks, c)
		}
	}
	return checks
}

// verdict runs checks on a mutation, and the one that kills it as often as is asked for.
func (r *runner) verdict(ctx context.Context, m *Mutation, checks []kill.Cost) (Verdict, error) {
	v, err := r.once(ctx, m, checks)
	if err != nil || v.Check == "" {
		return v, err
	}
	again := slices.DeleteFunc(checks, func(c kill.Cost) bool { return c.Check != v.Check })
	for range r.Repeat {
		w, err := r.once(ctx, m, again)
		if err != nil {
			return v, err
		}
		v.Unsteady = v.Unsteady || w.Check == ""
	}
	return v, nil
}

// once runs checks on a mutation, in a process of its own.
func (r *runner) once(ctx context.Context, m *Mutation, checks []kill.Cost) (Verdict, error) {
	if len(checks) == 0 {
		return Verdict{}, nil
	}
	lines, err := r.process(ctx, kill.Job{Chapter: m.Chapter, Mutation: m.n, Checks: checks})
	if ctx.Err() != nil {
		return Verdict{}, ctx.Err()
	}
	begun := ""
	for _, l := range lines {
		if l.Result != nil {
			return Verdict{Check: l.Result.Check, Message: l.Result.Message}, nil
		}
		begun = cmp.Or(l.Begin, begun)
	}
	if begun == "" {
		return Verdict{}, err
	}
	return Verdict{Check: begun, Message: fmt.Sprint("the process died: ", err)}, nil
}

// patience is after how long even a process that does not watch itself any more is ended.
const patience = 10 * time.Minute

// process runs a job and returns the lines that it prints.
func (r *runner) process(ctx context.Context, job kill.Job) ([]kill.Line, error) {
	arg, err := json.Marshal(job)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.binary, string(arg))
	cmd.Dir = r.folders[job.Chapter] // some checks look at the source of the part
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err = cmd.Run(); err != nil {
		err = fmt.Errorf("%w: %s", err, firstLine(stderr.String()))
	}
	var lines []kill.Line
	scanner := bufio.NewScanner(&stdout)
	scanner.Buffer(nil, 64<<20)
	for scanner.Scan() {
		var l kill.Line
		if json.Unmarshal(scanner.Bytes(), &l) == nil {
			lines = append(lines, l)
		}
	}
	return lines, err
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
