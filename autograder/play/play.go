// Package play runs a Go program on a version of the scheduler, and writes what
// happened to a file.
package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"gosched/autograder/interrupt"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
	"gosched/timeline"
)

// Failed is the exit status of a run that the program did not end itself: it
// panicked, it does not compile, or the scheduler failed.
const Failed = 2

// Options say how to run a program.
type Options struct {
	// Version makes a version of Go's scheduler, or says why it cannot.
	Version func(release string) (gmp.Version, error)
	Go      string   // the version to run: "0.x"; "" for the newest that can be played
	Seed    uint64   // of the scheduler's random choices
	Args    []string // the program's arguments
	Against string   // another version that runs the program, too, to be compared with Go; "" for none
	Trace   string   // the file for the log of the run, "" for none; see Formats
	Log     bool     // keep the log of the run in its result, even without Trace
	Budget  int64    // instructions after which the run is given up, 0 for never
	Own     bool     // the parts are a student's: watch over them
	Ask     int64    // ask a goroutine to stop after so many instructions, 0 for never; see gmp.Options
	Signal  int64    // the same, and send its thread a signal
	NoAsync bool     // send no signals, gmp.Options.AsyncPreemptOff
	Mem     int64    // the machine's memory in MiB, 0 for machine.DefaultMemBytes
	Sched   int64    // print the state of the scheduler each so many ms, 0 for never; see gmp.Options.Schedtrace
	Detail  bool     // and that of each P, M and G
	Net     string   // where the program's sockets are: "host" or "sim", the machine's own; "" for the host's if it can be
	Sim     bool     // run on simulated CPUs, and report on Stderr how that went
	Procs   int      // how many goroutines may run at once, GOMAXPROCS; with Sim also how many CPUs there are

	Stdin          io.Reader // the program's standard input, nil if it is empty; not with Against: two runs cannot both read it
	Stdout, Stderr io.Writer
}

// Standard is o with the process's standard input, output and error. From then on a pipe that
// nobody reads does not end the process, but the run.
func (o Options) Standard() Options {
	o.Stdin, o.Stdout, o.Stderr = os.Stdin, interrupt.Output(os.Stdout), interrupt.Output(os.Stderr)
	return o
}

// DefaultSeed is used where nothing is said.
const DefaultSeed = 1

// AddFlags adds the flags that set o, with their defaults.
func (o *Options) AddFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.Go, "go", "", "the `version` of Go whose scheduler runs the program (default the newest; of your own parts, the newest that they have reached)")
	flags.StringVar(&o.Against, "against", "", "also run it on another `version`, and compare; with --sim, and --trace FILE.html for the two timelines")
	flags.Uint64Var(&o.Seed, "seed", DefaultSeed, "the `number` that all random choices come from")
	flags.BoolVar(&o.Sim, "sim", false, "run on simulated CPUs in virtual time, and report on them")
	flags.IntVar(&o.Procs, "procs", 1, "how many goroutines may run at once (from Go 1.0 on), and how many CPUs --sim simulates")
	flags.Int64Var(&o.Ask, "ask", 0, "ask a goroutine to stop after so many `instructions`; from Go 1.2 on it does so at its next call (default never)")
	flags.Int64Var(&o.Signal, "signal", 0, "ask a goroutine to stop after so many `instructions`, and send its thread a signal; from Go 1.14 on it does so where it stands (default never)")
	flags.BoolVar(&o.NoAsync, "asyncpreemptoff", false, "send no signals, as GODEBUG=asyncpreemptoff=1: a goroutine stops at its calls alone")
	flags.Int64Var(&o.Mem, "mem", machine.DefaultMemBytes>>20, "the memory of the machine in `MiB`; a stack gets a quarter of it at most, and 1 GB")
	flags.Int64Var(&o.Sched, "schedtrace", 0, "print the state of the scheduler each so many `ms`, as GODEBUG=schedtrace does; from Go 1.1 on, whose monitor does so (default never)")
	flags.BoolVar(&o.Detail, "scheddetail", false, "with --schedtrace: also that of each P, M and G")
	flags.StringVar(&o.Net, "net", "", "the `network` of the program: host, which processes outside can reach, or sim, a simulated one of its own (default host where that is possible; with --sim it is sim)")
	flags.StringVar(&o.Trace, "trace", "", "write what happened to `FILE`: .html, .json or .jsonl")
}

// formats write a log, by the ending of the file.
var formats = map[string]func(w io.Writer, log *trace.Log) error{
	".html":  func(w io.Writer, log *trace.Log) error { return timeline.Render(w, log, timeline.Options{}) },
	".json":  trace.WriteChrome,
	".jsonl": func(w io.Writer, log *trace.Log) error { _, err := log.WriteTo(w); return err },
}

// networks are the values of Options.Net.
var networks = map[string]machine.Network{"": machine.AnyNetwork, "host": machine.HostNetwork, "sim": machine.OwnNetwork}

// Check says what is wrong with the options, before anything is run.
func (o *Options) Check() error {
	if o.Trace != "" && formats[filepath.Ext(o.Trace)] == nil {
		return fmt.Errorf("the ending of %s is unknown: --trace takes FILE.html (a timeline), FILE.json (for Perfetto) or FILE.jsonl (the log)", o.Trace)
	}
	if o.Against != "" && !o.Sim {
		return errors.New("--against compares times, and only those of simulated CPUs can be compared: add --sim")
	}
	if o.Against != "" && o.Against == o.Go {
		return fmt.Errorf("Go %s cannot be shown next to itself: --against takes another version", o.Against)
	}
	if o.Against != "" && o.Trace != "" && filepath.Ext(o.Trace) != ".html" {
		return fmt.Errorf("--against writes two timelines next to each other: --trace takes FILE.html with it, not %s", o.Trace)
	}
	if _, ok := networks[o.Net]; !ok {
		return fmt.Errorf("--net takes host or sim, not %q", o.Net)
	}
	if o.Sim && o.Net == "host" {
		return errors.New("--sim has a network in virtual time, which nobody outside can reach: --net host does not go with it")
	}
	if o.Ask < 0 || o.Signal < 0 {
		return fmt.Errorf("--ask and --signal take a number of instructions, not %d", min(o.Ask, o.Signal))
	}
	if o.Ask > 0 && o.Signal > 0 {
		return errors.New("--signal asks as --ask does: take one of them")
	}
	if o.Sched < 0 {
		return fmt.Errorf("--schedtrace takes a number of ms, not %d", o.Sched)
	}
	if o.Detail && o.Sched == 0 {
		return errors.New("--scheddetail adds to what --schedtrace prints: say also how often, --schedtrace 10")
	}
	if least, most := int64(1), int64(machine.MaxMemBytes>>20); o.Mem != 0 && (o.Mem < least || o.Mem > most) {
		return fmt.Errorf("--mem takes %d to %d MiB, not %d", least, most, o.Mem)
	}
	if o.Procs < 1 || o.Procs > sim.MaxCPUs {
		return fmt.Errorf("--procs takes 1 to %d, not %d", sim.MaxCPUs, o.Procs)
	}
	return nil
}

// newest is the newest version that can be played, "" if none can.
func (o *Options) newest() string {
	for _, release := range slices.Backward(gmp.Releases) {
		if _, err := o.Version(release); err == nil {
			return release
		}
	}
	return ""
}

// A Result is what a run gave. Sim is what the simulation reports, nil without one.
type Result struct {
	gmp.Result
	Sim *sim.Report
}

// Run compiles the program in file and runs it. The error is one of compiling or
// of the version; how the run ended is in the result. o.Trace only asks for a
// log here, and o.Against for nothing.
//
// The run ends early with ctx; if the cause is a gmp.Ending it tells where everything
// stands, and the result has the status of that.
func Run(ctx context.Context, file machine.File, o Options) (Result, error) {
	version, err := o.Version(o.Go)
	if err != nil {
		return Result{}, err
	}
	if o.Sched > 0 && version.Monitor == nil {
		return Result{}, fmt.Errorf("it is the monitor that prints the lines of --schedtrace, and Go %s has none: take --go 1.1 or later", o.Go)
	}
	prog, err := compile.Compile([]machine.File{file})
	if err != nil {
		return Result{}, err
	}
	s, err := gmp.New(version, prog, gmp.Options{
		Machine: machine.Options{
			Stdin: o.Stdin, Stdout: o.Stdout, Stderr: o.Stderr,
			Args: append([]string{file.Name}, o.Args...), MemBytes: o.Mem << 20,
			Network: networks[o.Net],
		},
		Log:    o.Stderr,
		Trace:  o.Log || o.Trace != "",
		Check:  o.Own,
		Procs:  o.Procs,
		Seed:   o.Seed,
		Budget: o.Budget,
		Ask:    o.Ask,
		Signal: o.Signal,

		AsyncPreemptOff: o.NoAsync,

		Schedtrace: o.Sched * 1e6, Scheddetail: o.Detail,
	})
	if err != nil {
		return Result{}, err
	}
	if o.Sim {
		return simulate(ctx, s, o), nil
	}
	return Result{Result: s.MainUntil(ctx, nil)}, nil
}

// simulate is s.MainUntil on simulated CPUs. That the simulation ended before it is a
// failure of the scheduler: its threads sleep for ever, or one panicked.
func simulate(ctx context.Context, s *gmp.Sched, o Options) Result {
	var report sim.Report
	var err error
	result := s.MainUntil(ctx, func(main func(), stop <-chan struct{}) int64 {
		report, err = sim.Run(sim.Options{CPUs: o.Procs, Seed: o.Seed, Stop: stop}, main)
		return int64(report.Elapsed)
	})
	switch {
	case result.Ended != "":
		return Result{Result: result} // the simulation perhaps still waits for somebody
	case err != nil:
		return Result{Result: gmp.Result{Status: Failed, Err: err, Log: result.Log}, Sim: &report}
	default:
		fmt.Fprintf(o.Stderr, "simulated: %s", report)
	}
	return Result{Result: result, Sim: &report}
}

// Status runs the program until it ends, or ctx does, writes the trace, tells on o.Stderr what
// went wrong and returns the exit status: the program's own, or Failed.
func Status(ctx context.Context, file string, o Options) int {
	o.Go = cmp.Or(o.Go, o.newest())
	if err := o.Check(); err != nil {
		fmt.Fprintln(o.Stderr, err)
		return Failed
	}
	text, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(o.Stderr, err)
		return Failed
	}
	program := machine.File{Name: file, Source: string(text)}
	if o.Against != "" {
		o.Stdin = nil
		return compare(ctx, program, o)
	}
	result, ok := run(ctx, program, o)
	if ok && o.Trace != "" {
		write := formats[filepath.Ext(o.Trace)]
		if err := writeTrace(o.Trace, func(w io.Writer) error { return write(w, result.Log) }); err != nil {
			fmt.Fprintf(o.Stderr, "the trace was not written: %v\n", err)
			return Failed
		}
	}
	return result.Status
}

// run is Run that tells on o.Stderr what went wrong; ok if there was a run.
func run(ctx context.Context, program machine.File, o Options) (result Result, ok bool) {
	result, err := Run(ctx, program, o)
	if err != nil {
		fmt.Fprintln(o.Stderr, err)
		result.Status = Failed
		return result, false
	}
	if result.Err != nil {
		fmt.Fprint(o.Stderr, explain(result.Err, o.Own))
	}
	return result, true
}

// explain tells how the scheduler failed, rather than the program.
func explain(err error, own bool) string {
	whose := "the scheduler"
	if own {
		whose = "your scheduler"
	}
	if todo, ok := errors.AsType[gmp.Todo](err); ok {
		return fmt.Sprintf("%s is not complete: %v\n", whose, todo)
	}
	text := fmt.Sprintf("%s failed: %v\n", whose, err)
	if p, ok := errors.AsType[*gmp.PartPanic](err); ok && len(p.Stack) > 0 {
		text += "  " + strings.Join(p.Stack, "\n  ") + "\n"
	}
	return text
}

func writeTrace(name string, write func(w io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer interrupt.Unfinished(name)()
	return errors.Join(write(f), f.Close())
}

// Main is the whole of a command that plays programs on a student's parts:
// exercises/play. If no version is named it takes the one that the parts have reached, and
// says so unless it is the newest. Then it says which parts are not theirs, because they
// are unwritten.
func Main(version func(release string) (gmp.Version, error), unwritten gmp.Unwritten) {
	ctx := interrupt.Context()
	o := Options{Version: version, Own: true}.Standard()
	flags := pflag.NewFlagSet("play", pflag.ExitOnError)
	o.AddFlags(flags)
	_ = flags.Parse(os.Args[1:]) // ExitOnError
	if flags.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "play: which program? play [flags] FILE.go [arguments]")
		os.Exit(Failed)
	}
	o.Args = flags.Args()[1:]
	if o.Go == "" {
		if o.Go = unwritten.Reached(); o.Go != o.newest() {
			fmt.Fprintf(o.Stderr, "play: Go %s, as far as your finished chapters go; --go takes another version\n", o.Go)
		}
	}
	if err := o.Check(); err != nil {
		fmt.Fprintf(os.Stderr, "play: %v\n", err)
		os.Exit(Failed)
	}
	if parts := unwritten.In(o.Go, o.Against); len(parts) > 0 {
		fmt.Fprintf(o.Stderr, "play: not written yet, so the reference's parts are used: %s\n", strings.Join(parts, "; "))
	}
	os.Exit(Status(ctx, flags.Arg(0), o))
}
