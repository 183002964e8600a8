// Package bench measures programs on the course's scheduler and on Go's own, from
// the same source. It never grades: the numbers are the computer's as much as the
// scheduler's.
//
// A program takes a count as its argument and does its work so often. Each
// measurement runs it with n and with 2n, and the difference, divided by n, is
// what one piece of work costs: compiling, starting and ending fall out. Ours and
// Go's alternate within each round, so that a slow moment of the computer meets
// both, and the median of the rounds is reported.
//
// What a program's goroutines need of memory is measured in the same way, as what
// is in use, without garbage, when all of them exist.
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
	Memory bool // its cost is memory, not time
}

// Programs are what bench measures, in the order of the table.
func Programs() []Program {
	list := []Program{
		{Name: "yield", N: 500_000},
		{Name: "pingpong", N: 150_000},
		{Name: "spawn", N: 150_000},
		{Name: "select", N: 150_000},
		{Name: "buffered", N: 500_000},
		{Name: "sieve", N: 400, Whole: true},
		{Name: "stack", N: 3_000},
		{Name: "parked", N: 10_000, Memory: true},
		{Name: "fib", N: 100},
		{Name: "loop", N: 4_000},
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
	Schema    string     `json:"schema"`
	Rows      []Row      `json:"rows"`
	Skipped   []Skipped  `json:"skipped,omitempty"`
	Simulator *Simulator `json:"simulator,omitempty"`
}

// A Row is what one piece of a program's work costs: nanoseconds, or bytes.
type Row struct {
	Name     string
	Procs    int
	Memory   bool
	Ours, Go float64
	Ratio    float64 // Ours / Go
}

// MarshalJSON names the unit in the keys.
func (r Row) MarshalJSON() ([]byte, error) {
	row := struct {
		Name  string  `json:"name"`
		Procs int     `json:"procs"`
		OurNS float64 `json:"ours_ns,omitempty"`
		GoNS  float64 `json:"go_ns,omitempty"`
		OurB  float64 `json:"ours_bytes,omitempty"`
		GoB   float64 `json:"go_bytes,omitempty"`
		Ratio float64 `json:"ratio"`
	}{Name: r.Name, Procs: r.Procs, Ratio: r.Ratio}
	if r.Memory {
		row.OurB, row.GoB = r.Ours, r.Go
	} else {
		row.OurNS, row.GoNS = r.Ours, r.Go
	}
	return json.Marshal(row)
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

// A Runner runs a program with an argument and says what that cost: nanoseconds,
// or bytes.
type Runner func(ctx context.Context, n int) (float64, error)

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
			cost := twice - once
			if !p.Whole {
				cost /= float64(p.N)
			}
			times[i] = append(times[i], cost)
		}
	}
	row := Row{Name: p.Name, Procs: 1, Memory: p.Memory, Ours: median(times[0]), Go: median(times[1])}
	if row.Ours <= 0 || row.Go <= 0 {
		return Row{}, errors.New("the computer is too busy: twice the work cost no more")
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
// without trace and without watching the parts. It is compiled once; the time is
// that of the run alone, the memory what the scheduler and the machine still have
// in use at its end, which is all they ever had, since nothing but stacks is freed.
func Ours(p Program, version gmp.Version) (Runner, error) {
	files := []machine.File{{Name: p.Name + ".go", Source: p.Source}}
	if p.Memory {
		files = append(files, machine.File{Name: measureFile, Source: "package main\n\nfunc measure() {}\n"})
	}
	prog, err := compile.Compile(files)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, n int) (float64, error) {
		var output bytes.Buffer
		before := heap() // and what the run before has left is not this one's to clear away
		s, err := gmp.New(version, prog, gmp.Options{Machine: machine.Options{Stdout: &output, Stderr: &output, Args: []string{p.Name, strconv.Itoa(n)}}, Seed: 1})
		if err != nil {
			return 0, err
		}
		start := time.Now()
		result := s.Main()
		took := time.Since(start)
		if result.Err != nil {
			return 0, result.Err
		}
		if result.Status != 0 {
			return 0, fmt.Errorf("it ended with status %d: %s", result.Status, strings.TrimSpace(output.String()))
		}
		if p.Memory {
			used := heap() - before - float64(s.Machine.Size()) + float64(s.Machine.InUse())
			runtime.KeepAlive(s)
			return used, ctx.Err()
		}
		return float64(took), ctx.Err()
	}, nil
}

// heap returns the bytes of this process's heap that are in use.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// measureFile is the second file of a program whose memory is measured: for Go,
// its function measure prints how many bytes are in use.
const measureFile = "measure.go"

// Go builds a program with the installed Go, as a binary in dir, and runs it on
// one P. The time is that of the process.
func Go(ctx context.Context, p Program, dir string) (Runner, error) {
	files := map[string]string{p.Name + ".go": p.Source}
	if p.Memory {
		text, err := programs.ReadFile("programs/" + measureFile)
		if err != nil {
			panic(err) // it is embedded
		}
		files[measureFile] = string(text)
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
	if out, err := exec.CommandContext(ctx, "go", build...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, bytes.TrimSpace(out))
	}
	return func(ctx context.Context, n int) (float64, error) {
		cmd := exec.CommandContext(ctx, binary, strconv.Itoa(n))
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
		start := time.Now()
		out, err := cmd.CombinedOutput()
		took := time.Since(start)
		if err != nil {
			return 0, fmt.Errorf("under Go: %w\n%s", err, bytes.TrimSpace(out))
		}
		if p.Memory {
			return strconv.ParseFloat(string(bytes.TrimSpace(out)), 64)
		}
		return float64(took), nil
	}, nil
}
