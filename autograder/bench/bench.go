// Package bench measures programs on the course's scheduler and on Go's own, from
// the same source. It never grades: the numbers are the computer's as much as the
// scheduler's.
//
// A program takes a count as its argument and does its work so often. It is run with few and
// with many, and the difference, divided by their difference, is what one piece of work costs:
// compiling, starting and ending fall out.
//
// Costs are measured in pairs, ours and Go's next to each other, each run in a process of
// its own; compare says how. Pairs that were disturbed are dropped; undisturbed says which
// those are. What is reported is the median of the pairs' ratios and an interval in which
// the true one lies; estimate says how it is found. There are as many pairs as it needs to be
// narrow, or as a Limit allows.
//
// With one P a cost is the time of the CPU, which counts nothing of what else the
// computer does meanwhile; with more it is the time on the clock, since Ps that wait
// for each other use no CPU.
//
// What a program's goroutines need of memory is measured in the same way, as what
// is in use, without garbage, when all of them exist. A latency is what the program has
// measured itself. A program with connections to outside finds their other ends in this
// process.
package bench

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"gosched/chapters/cputime"
	"gosched/chapters/gmp"
	"gosched/chapters/gotool"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
)

//go:embed programs/*.go
var programs embed.FS

// A Program is something to measure.
type Program struct {
	Name   string
	Source string
	N      int      // its argument, unless compare balances it
	Whole  bool     // its cost is that of all n, since it does not grow evenly with n
	Prints bool     // it prints what it has measured itself, in nanoseconds
	Memory bool     // its cost is memory, not time
	OneP   bool     // more than one P makes no difference
	ManyPs bool     // it needs more than one thread, so it is not measured with one P
	Args   []string // further arguments
	Since  string   // the first version of Go on which it ends, "" if it does on all

	Rounds  int   // the most pairs, if it takes long; 0 for as many as the others
	Bytes   int64 // the machine's memory; 0 for what it has by default
	Outside bool  // it makes so many connections to the address that is its last argument
}

// Programs are what bench measures, in the order of the table.
func Programs() []Program {
	list := []Program{
		{Name: "yield", N: 200_000},
		{Name: "pingpong", N: 60_000},
		{Name: "spawn", N: 60_000},
		{Name: "select", N: 80_000},
		{Name: "buffered", N: 300_000},
		{Name: "sieve", N: 500, Whole: true},
		{Name: "tree", N: 100},
		{Name: "alloc", N: 40},
		{Name: "mutex", N: 30_000},
		{Name: "syscall", N: 200_000, OneP: true},
		{Name: "blocking", N: 1_000, ManyPs: true},
		{Name: "echo", N: 10_000},
		{Name: "locked", N: 2_000},
		{Name: "idle", N: 10_000, Memory: true, OneP: true, Outside: true, Rounds: fewest},
		{Name: "stw", N: 1_000, ManyPs: true},
		{Name: "pause p50", N: 1_000, Args: []string{"50"}, Prints: true, ManyPs: true, Since: "1.2"},
		{Name: "pause p99", N: 1_000, Args: []string{"99"}, Prints: true, ManyPs: true, Since: "1.2"},
		{Name: "timerstop", N: 300_000, OneP: true},
		{Name: "timerfire", N: 50_000, OneP: true},
		{Name: "timers", N: 500_000, Memory: true, OneP: true, Rounds: fewest, Bytes: 256 << 20},
		{Name: "timers set", N: 500_000, OneP: true, Rounds: fewest, Bytes: 256 << 20},
		{Name: "stack", N: 2_000, OneP: true},
		{Name: "preempt p50", N: 20, Args: []string{"50"}, Prints: true, OneP: true, Since: "1.14"},
		{Name: "preempt p99", N: 100, Args: []string{"99"}, Prints: true, OneP: true, Since: "1.14"},
		{Name: "parked", N: 10_000, Memory: true, OneP: true},
		{Name: "fib", N: 60, OneP: true},
		{Name: "loop", N: 3_000, OneP: true},
	}
	for i := range list {
		file, _, _ := strings.Cut(list[i].Name, " ")
		text, err := programs.ReadFile("programs/" + file + ".go")
		if err != nil {
			panic(err) // it is embedded
		}
		list[i].Source = string(text)
	}
	return list
}

// hangs reports whether the program does not end on a version of Go.
func (p Program) hangs(version string) bool {
	return slices.Index(gmp.Releases, version) < slices.Index(gmp.Releases, p.Since)
}

// measures reports whether the program calls measure, when all is there whose memory may be
// measured.
func (p Program) measures() bool { return strings.Contains(p.Source, "\tmeasure()\n") }

// args are the program's arguments for the count n.
func (p Program) args(n int) []string { return append([]string{strconv.Itoa(n)}, p.Args...) }

// Schema names the version of the format of a Report as JSON.
const Schema = "gosched/bench/v2"

// A Report is the result of a measuring.
type Report struct {
	Schema    string     `json:"schema"`
	Against   string     `json:"against,omitempty"` // the commit that is compared, instead of Go
	Rows      []Row      `json:"rows"`
	Skipped   []Skipped  `json:"skipped,omitempty"`
	Notes     []Note     `json:"notes,omitempty"`
	Simulator *Simulator `json:"simulator,omitempty"`
	Explorer  *Explorer  `json:"explorer,omitempty"`
}

// A Row is what one piece of a program's work costs, nanoseconds or bytes: A is ours. B is
// Go's, or ours in another commit.
type Row struct {
	Name    string
	Version string // of Go, whose scheduler of the course this is
	Procs   int
	Memory  bool
	Against bool // B is ours in another commit
	Comparison
}

// MarshalJSON names the unit in the keys.
func (r Row) MarshalJSON() ([]byte, error) {
	row := struct {
		Name    string  `json:"name"`
		Version string  `json:"version"`
		Procs   int     `json:"procs"`
		OurNS   float64 `json:"ours_ns,omitempty"`
		GoNS    float64 `json:"go_ns,omitempty"`
		OldNS   float64 `json:"old_ns,omitempty"`
		OurB    float64 `json:"ours_bytes,omitempty"`
		GoB     float64 `json:"go_bytes,omitempty"`
		OldB    float64 `json:"old_bytes,omitempty"`
		Ratio   float64 `json:"ratio"`
		Low     float64 `json:"low"` // of the interval of 95 %
		High    float64 `json:"high"`
		Pairs   int     `json:"pairs"`
		Dropped int     `json:"dropped"`
		Verdict Verdict `json:"verdict,omitempty"`
	}{Name: r.Name, Version: r.Version, Procs: r.Procs, Ratio: thousandth(r.Ratio), Low: thousandth(r.Low), High: thousandth(r.High), Pairs: r.Pairs, Dropped: r.Dropped}
	ours, golang, old := &row.OurNS, &row.GoNS, &row.OldNS
	if r.Memory {
		ours, golang, old = &row.OurB, &row.GoB, &row.OldB
	}
	*ours = tenth(r.A)
	if r.Against {
		*old, row.Verdict = tenth(r.B), r.Verdict()
	} else {
		*golang = tenth(r.B)
	}
	return json.Marshal(row)
}

// NoProgram is what the command ours says of a program that its commit does not have.
const NoProgram = "bench has no program %q"

// A Skipped is a program that was not measured.
type Skipped struct {
	Name   string `json:"name"`
	Procs  int    `json:"procs"`
	Reason string `json:"reason"`
}

// A Note says what is different here from what was to be measured.
type Note struct {
	Name  string `json:"name"`
	Procs int    `json:"procs"`
	Text  string `json:"text"`
}

// WriteJSON writes the report as one JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// A Setting is how many Ps there are, and the versions that can have so many.
type Setting struct {
	Procs    int
	Versions []string
}

// Measure compares the programs, each in each version of each setting, until the limit is
// reached for each.
func Measure(ctx context.Context, list []Program, settings []Setting, limit Limit, make Maker) (*Report, error) {
	report := &Report{Schema: Schema}
	for _, at := range settings {
		for _, p := range list {
			if p.OneP && at.Procs > 1 || p.ManyPs && at.Procs == 1 {
				continue
			}
			p, note, done, err := p.prepared()
			for _, version := range at.Versions {
				if err != nil {
					break
				}
				if p.hangs(version) {
					continue
				}
				var a, b Runner
				if a, b, err = make(ctx, p, version, at.Procs); err != nil {
					break
				}
				var c Comparison
				if c, err = compare(ctx, p, at.Procs, limit, a, b); err == nil {
					report.add(Row{Name: p.Name, Version: version, Procs: at.Procs, Memory: p.Memory, Comparison: c})
				}
			}
			if done != nil {
				done()
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				report.Skipped = append(report.Skipped, Skipped{p.Name, at.Procs, err.Error()})
			}
			if note != "" {
				report.Notes = append(report.Notes, Note{p.Name, at.Procs, note})
			}
		}
	}
	return report, nil
}

// add adds a row, and says so if it is a doubtful one.
func (r *Report) add(row Row) {
	r.Rows = append(r.Rows, row)
	if row.Disturbed() {
		r.Notes = append(r.Notes, Note{row.Name, row.Procs,
			fmt.Sprintf("on Go %s %d of %d pairs were disturbed: measure once more when the computer is less busy", row.Version, row.Dropped, row.Pairs+row.Dropped)})
	}
}

// IsAgainst says that what was measured is this tree and one of its commits.
func (r *Report) IsAgainst(commit string) {
	r.Against = commit
	for i := range r.Rows {
		r.Rows[i].Against = true
	}
}

// A Maker returns the runners of a program on a version with so many Ps, and of what it is
// compared with; or why it cannot be measured.
type Maker func(ctx context.Context, p Program, version string, procs int) (a, b Runner, err error)

// tenth rounds to a tenth.
func tenth(v float64) float64 { return math.Round(10*v) / 10 }

// thousandth rounds to a thousandth.
func thousandth(v float64) float64 { return math.Round(1000*v) / 1000 }

// Ours runs a program on a version of the course's scheduler with so many Ps, in
// this process, without trace and without watching the parts. It is compiled once;
// the time is that of the run alone, the memory what the scheduler, the program's
// objects and its stacks need at its end, without garbage: what Go counts as HeapAlloc and
// StackInuse. It calls begin when everything is ready but the program.
func Ours(p Program, version gmp.Version, procs int, begin func()) (func(ctx context.Context, n int) (cost float64, err error), error) {
	files := []machine.File{{Name: p.Name + ".go", Source: p.Source}}
	switch {
	case p.Memory:
		files = append(files, machine.File{Name: measureFile, Source: collect})
	case p.measures():
		files = append(files, machine.File{Name: measureFile, Source: nothing})
	}
	prog, err := compile.Compile(files)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, n int) (float64, error) {
		var output bytes.Buffer
		before := heap()
		s, err := gmp.New(version, prog, gmp.Options{Machine: machine.Options{
			MemBytes: p.Bytes, Files: maxFiles, Stdout: &output, Stderr: &output, Args: append([]string{p.Name}, p.args(n)...),
		}, Procs: procs, Seed: 1})
		if err != nil {
			return 0, err
		}
		runtime.GC() // the machine's memory would set it off, and it would run beside us
		begin()
		started, used := time.Now(), cputime.Own()
		result := s.Main()
		took := time.Since(started)
		if procs == 1 && cputime.Known {
			took = cputime.Own() - used
		}
		if result.Err != nil {
			return 0, result.Err
		}
		if result.Status != 0 {
			return 0, fmt.Errorf("it ended with status %d: %s", result.Status, strings.TrimSpace(output.String()))
		}
		if p.Memory {
			m := s.Machine
			used := heap() - before - float64(m.Size()) + float64(m.HeapBytes()) + float64(m.StackBytes())
			runtime.KeepAlive(s)
			return used, ctx.Err()
		}
		if p.Prints {
			return strconv.ParseFloat(strings.TrimSpace(output.String()), 64)
		}
		return float64(took), ctx.Err()
	}, nil
}

// Child is Ours in a process of its own: binary is the command ours, built without what
// watches over threads, and version the name of a version of Go.
func Child(binary string, p Program, version string, procs int) Runner {
	return func(ctx context.Context, n int, begin *Begin) (Run, error) {
		cmd := exec.CommandContext(ctx, binary, append([]string{p.Name, version, strconv.Itoa(procs), strconv.Itoa(n)}, p.Args...)...)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := startReady(cmd, begin); err != nil {
			return Run{}, err
		}
		if err := cmd.Wait(); err != nil {
			if text := bytes.TrimSpace(stderr.Bytes()); len(text) > 0 {
				err = errors.New(string(text))
			}
			return Run{}, err
		}
		cost, err := readCost(stdout.String())
		return runOf(cmd, cost), err
	}
}

// readCost reads the number that a process prints.
func readCost(output string) (float64, error) {
	cost, err := strconv.ParseFloat(strings.TrimSpace(output), 64)
	if err != nil {
		return 0, fmt.Errorf("a program should print what it cost, a single number, and printed %q", output)
	}
	return cost, nil
}

// runOf is the run of a process that has ended.
func runOf(cmd *exec.Cmd, cost float64) Run {
	state := cmd.ProcessState
	return Run{Cost: cost, CPU: state.UserTime() + state.SystemTime(), Faults: faults(state)}
}

// maxFiles is how many descriptors a program may have that is measured: what sets a limit is
// the host, as it does for Go.
const maxFiles = 1 << 20

// heap returns the bytes of this process's heap that are in use.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// collect is measureFile for ours: what the program has in use is counted when it has ended.
const collect = `package main

import "runtime"

func measure() { runtime.GC() }
`

// nothing is measureFile of a program whose time is measured.
const nothing = `package main

func measure() {}
`

// measureFile is the second file of a program whose memory is measured: for Go,
// its function measure prints how many bytes are in use.
const measureFile = "measure.go"

// Go builds a program with the installed Go, as a binary in dir, and runs it with so
// many Ps. The time is that of the process.
func Go(ctx context.Context, p Program, procs int, dir string) (Runner, error) {
	files := map[string]string{p.Name + ".go": p.Source}
	switch {
	case p.Memory:
		text, err := programs.ReadFile("programs/" + measureFile)
		if err != nil {
			panic(err) // it is embedded
		}
		files[measureFile] = string(text)
	case p.measures():
		files[measureFile] = nothing
	}
	binary := filepath.Join(dir, "bench-"+p.Name)
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	build := []string{"build", "-o", binary}
	for name, text := range files {
		file := filepath.Join(dir, p.Name, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return nil, err
		}
		build = append(build, file)
	}
	if out, err := gotool.Command(ctx, build...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, bytes.TrimSpace(out))
	}
	return func(ctx context.Context, n int, begin *Begin) (Run, error) {
		cmd := exec.CommandContext(ctx, binary, p.args(n)...)
		cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(procs))
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		begin.Wait()
		started := time.Now()
		err := startOn(begin.CPU, cmd)
		if err == nil {
			err = cmd.Wait()
		}
		took := time.Since(started)
		if err != nil {
			return Run{}, fmt.Errorf("under Go: %w\n%s", err, bytes.TrimSpace(out.Bytes()))
		}
		run := runOf(cmd, float64(took))
		switch {
		case p.Memory, p.Prints:
			run.Cost, err = readCost(out.String())
		case procs == 1 && cputime.Known:
			run.Cost = float64(run.CPU)
		}
		return run, err
	}, nil
}
