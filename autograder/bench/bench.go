// Package bench measures programs on the course's scheduler and on Go's own, from
// the same source. It never grades: the numbers are the computer's as much as the
// scheduler's.
//
// A program takes a count as its argument and does its work so often. Each
// measurement runs it with n and with 2n, and the difference, divided by n, is
// what one piece of work costs: compiling, starting and ending fall out. Ours and
// Go's alternate within each round, so that a slow moment of the computer meets
// both, and the median of the rounds is reported.
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

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
)

//go:embed programs/*.go
var programs embed.FS

// A Program is something to measure.
type Program struct {
	Name   string
	Source string
	N      int  // its argument for one measurement
	Whole  bool // its cost is that of all n, since it does not grow evenly with n
}

// Programs are what bench measures, in the order of the table.
func Programs() []Program {
	list := []Program{
		{Name: "yield", N: 200_000},
		{Name: "pingpong", N: 60_000},
		{Name: "spawn", N: 60_000},
		{Name: "select", N: 60_000},
		{Name: "buffered", N: 200_000},
		{Name: "sieve", N: 150, Whole: true},
		{Name: "stack", N: 1_000},
		{Name: "fib", N: 50},
		{Name: "loop", N: 1_000},
	}
	for i := range list {
		text, err := programs.ReadFile("programs/" + list[i].Name + ".go")
		if err != nil {
			panic(err) // it is embedded
		}
		list[i].Source = string(text)
	}
	return list
}

// Schema names the version of the format of a Report as JSON.
const Schema = "gosched/bench/v1"

// A Report is the result of a measuring.
type Report struct {
	Schema  string    `json:"schema"`
	Rows    []Row     `json:"rows"`
	Skipped []Skipped `json:"skipped,omitempty"`
}

// A Row is what one piece of a program's work costs, in nanoseconds.
type Row struct {
	Name  string  `json:"name"`
	Procs int     `json:"procs"`
	Ours  float64 `json:"ours_ns"`
	Go    float64 `json:"go_ns"`
	Ratio float64 `json:"ratio"` // Ours / Go
}

// A Skipped is a program that was not measured.
type Skipped struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// WriteJSON writes the report as one JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// A Runner runs a program with an argument and says how long that took.
type Runner func(ctx context.Context, n int) (time.Duration, error)

// Measure measures the programs in so many rounds. make returns the two runners
// of a program, or why it cannot be measured.
func Measure(ctx context.Context, list []Program, rounds int, make func(ctx context.Context, p Program) (ours, golang Runner, err error)) (*Report, error) {
	report := &Report{Schema: Schema}
	for _, p := range list {
		row, err := measure(ctx, p, rounds, make)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			report.Skipped = append(report.Skipped, Skipped{p.Name, err.Error()})
			continue
		}
		report.Rows = append(report.Rows, row)
	}
	return report, nil
}

func measure(ctx context.Context, p Program, rounds int, make func(ctx context.Context, p Program) (ours, golang Runner, err error)) (Row, error) {
	ours, golang, err := make(ctx, p)
	if err != nil {
		return Row{}, err
	}
	var times [2][]float64
	for range rounds {
		for i, run := range []Runner{ours, golang} {
			once, err := run(ctx, p.N)
			if err != nil {
				return Row{}, err
			}
			twice, err := run(ctx, 2*p.N)
			if err != nil {
				return Row{}, err
			}
			cost := float64(twice - once)
			if !p.Whole {
				cost /= float64(p.N)
			}
			times[i] = append(times[i], cost)
		}
	}
	row := Row{Name: p.Name, Procs: 1, Ours: median(times[0]), Go: median(times[1])}
	if row.Ours <= 0 || row.Go <= 0 {
		return Row{}, errors.New("the computer is too busy: twice the work took no longer")
	}
	row.Ratio = math.Round(1000*row.Ours/row.Go) / 1000
	return row, nil
}

// median returns the middle one of the values, of an even number the lower one of
// the two, to a tenth.
func median(values []float64) float64 {
	slices.Sort(values)
	return math.Round(10*values[(len(values)-1)/2]) / 10
}

// Ours runs a program on a version of the course's scheduler, in this process,
// without trace and without watching the parts. It is compiled once, and the time
// is that of the run alone.
func Ours(p Program, version gmp.Version) (Runner, error) {
	prog, err := compile.Compile([]machine.File{{Name: p.Name + ".go", Source: p.Source}})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, n int) (time.Duration, error) {
		var output bytes.Buffer
		s, err := gmp.New(version, prog, gmp.Options{Machine: machine.Options{Stdout: &output, Stderr: &output, Args: []string{p.Name, strconv.Itoa(n)}}, Seed: 1})
		if err != nil {
			return 0, err
		}
		runtime.GC() // what the run before has left is not this one's to clear away
		start := time.Now()
		result := s.Main()
		took := time.Since(start)
		if result.Err != nil {
			return 0, result.Err
		}
		if result.Status != 0 {
			return 0, fmt.Errorf("it ended with status %d: %s", result.Status, strings.TrimSpace(output.String()))
		}
		return took, ctx.Err()
	}, nil
}

// Go builds a program with the installed Go, as a binary in dir, and runs it on
// one P. The time is that of the process.
func Go(ctx context.Context, p Program, dir string) (Runner, error) {
	source := filepath.Join(dir, "bench-"+p.Name+".go")
	binary := strings.TrimSuffix(source, ".go")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(source, []byte(p.Source), 0o644); err != nil {
		return nil, err
	}
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", binary, source).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, bytes.TrimSpace(out))
	}
	return func(ctx context.Context, n int) (time.Duration, error) {
		cmd := exec.CommandContext(ctx, binary, strconv.Itoa(n))
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
		start := time.Now()
		out, err := cmd.CombinedOutput()
		if err != nil {
			return 0, fmt.Errorf("under Go: %w\n%s", err, bytes.TrimSpace(out))
		}
		return time.Since(start), nil
	}, nil
}
