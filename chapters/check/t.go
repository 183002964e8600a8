package check

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"gosched/chapters/check/assertion"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/machine/explore"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

// TB is what the functions of testify's assert need, and what a student's own
// test gets. A *T is one.
type TB interface {
	Errorf(format string, args ...any)
	FailNow()
	Helper()
	Logf(format string, args ...any)
}

// A T is given to a check: it makes schedulers of the version under test and
// collects what is wrong. Failures may be reported from the goroutine of the
// check only.
type T struct {
	suite    *Suite
	version  gmp.Version
	failures []string
	helpers  map[string]bool // functions that called Helper
	evidence bytes.Buffer
	explored bool             // Explore was called
	failure  *explore.Failure // of its model
	seed     uint64           // of Again; 0: the check is run as the course has it
	drawn    bool             // Seed was called

	lastLog   *trace.Log // of the last program that was played
	failedLog *trace.Log // of the last one before the first failure
}

// stop ends a check from within, after a failure that makes the rest
// meaningless.
type stop struct{}

// Helper marks the calling function as a helper: a failure in it is reported at
// the line that called it.
func (t *T) Helper() {
	pc, _, _, _ := runtime.Caller(1)
	if t.helpers == nil {
		t.helpers = map[string]bool{}
	}
	t.helpers[runtime.FuncForPC(pc).Name()] = true
}

// Logf adds a line to the evidence of the check.
func (t *T) Logf(format string, args ...any) {
	fmt.Fprintf(&t.evidence, format+"\n", args...)
}

// Forget drops the evidence so far, for a check with many runs: those in which nothing is
// wrong are none.
func (t *T) Forget() {
	t.evidence.Reset()
	t.lastLog = nil
}

// Errorf reports a failure with the place in the suite that found it. The check
// goes on. The messages of testify's assert are cut to what a student needs.
func (t *T) Errorf(format string, args ...any) {
	msg := assertion.Tidy(fmt.Sprintf(format, args...))
	if at := t.caller(); at != "" {
		msg = at + ": " + msg
	}
	t.fail(msg)
}

// fail adds a failure.
func (t *T) fail(msg string) {
	if !t.Failed() {
		t.failedLog = t.lastLog
	}
	t.failures = append(t.failures, msg)
}

// Fatalf is Errorf and the end of the check.
func (t *T) Fatalf(format string, args ...any) {
	t.Errorf(format, args...)
	t.FailNow()
}

// FailNow ends the check.
func (t *T) FailNow() { panic(stop{}) }

// Failed reports whether a failure was reported.
func (t *T) Failed() bool { return len(t.failures) > 0 }

// Version is the version under test.
func (t *T) Version() gmp.Version { return t.version }

// The size of the machine's memory in a check, in bytes: with a program, and
// without one, when it holds nothing but stacks.
const (
	playMemory = 4 << 20
	unitMemory = 4 << 20
)

// Sched returns a scheduler of the version under test without a program, and
// its first M.
func (t *T) Sched() (*gmp.Sched, *gmp.M) { return t.SchedOf(unitMemory) }

// SchedOf is Sched with so many bytes of memory, for a check that makes many: to clear
// them takes longer than what it does in them.
func (t *T) SchedOf(bytes int64) (*gmp.Sched, *gmp.M) {
	s, err := gmp.New(t.version, nil, gmp.Options{Log: &t.evidence, Machine: machine.Options{MemBytes: bytes}})
	if err != nil {
		panic(err)
	}
	return s, s.NewM(0)
}

// A Run is a finished run of a program.
type Run struct {
	gmp.Result
	Stdout string
	Stderr string
	Sched  *gmp.Sched
	Sim    sim.Report // of a run on simulated CPUs
}

// playBudget is how many instructions a program in a check may execute unless
// the check says otherwise: some seconds' worth.
const playBudget = 200_000_000

// Play runs one of the suite's programs on the version under test, traced and
// watched over. If the scheduler fails, rather than the program, that is a
// failure of the check, which ends. opt may be nil.
func (t *T) Play(name string, opt func(*gmp.Options)) Run {
	file, err := readProgram(t.suite.Programs, name)
	if err != nil {
		panic(err)
	}
	return t.play(file, opt, nil)
}

// Simulate is Play on simulated CPUs; as many Gs may run at once. With the same seed
// (see Seed) the same happens. That all threads sleep for ever, that they are at work for
// longer than limit, or that they do more than programMost, is a failure.
func (t *T) Simulate(name string, cpus int, seed uint64, limit sim.Time, opt func(*gmp.Options)) Run {
	file, err := readProgram(t.suite.Programs, name)
	if err != nil {
		panic(err)
	}
	seed = t.Seed(seed)
	return t.play(file, func(o *gmp.Options) {
		o.Procs, o.Seed = cpus, seed
		if opt != nil {
			opt(o)
		}
	}, &sim.Options{CPUs: cpus, Seed: seed, Limit: limit, Most: programMost})
}

// PlaySource is Play for a program given as text.
func (t *T) PlaySource(name, source string, opt func(*gmp.Options)) Run {
	return t.play(machine.File{Name: name, Source: source}, opt, nil)
}

// play runs a program, on real threads or, if computer is not nil, on a simulated
// one.
func (t *T) play(file machine.File, opt func(*gmp.Options), computer *sim.Options) Run {
	o := gmp.Options{
		Machine: machine.Options{MemBytes: playMemory},
		Log:     &t.evidence,
		Trace:   true,
		Check:   true,
		Budget:  playBudget,
	}
	if opt != nil {
		opt(&o)
	}
	run, err := runOn(t.version, file, o, computer)
	if err != nil {
		panic(err)
	}
	t.noteRun(file.Name, run)
	if todo, ok := run.Err.(gmp.Todo); ok {
		panic(todo)
	}
	if run.Err != nil {
		t.Fatalf("%s: %v", file.Name, run.Err)
	}
	return run
}

// runOn compiles a program and runs it on v. The error is of the program or of
// the options; how the run ended is in the Run.
func runOn(v gmp.Version, file machine.File, o gmp.Options, computer *sim.Options) (Run, error) {
	prog, err := compiled(file)
	if err != nil {
		return Run{}, err
	}
	var stdout, stderr bytes.Buffer
	o.Machine.Stdout, o.Machine.Stderr = &stdout, &stderr
	s, err := gmp.New(v, prog, o)
	if err != nil {
		return Run{}, err
	}
	run := Run{Sched: s}
	if computer == nil {
		run.Result = s.Main()
	} else {
		var failed error
		run.Sim, failed = sim.Run(*computer, func() { run.Result = s.Main() })
		if failed != nil {
			run.Err = failed
		}
	}
	run.Stdout, run.Stderr = stdout.String(), stderr.String()
	return run, nil
}

// programs are those that compiled has compiled, by their machine.File: a check runs the
// same one many times, and a test of a suite runs the check on many parts.
var programs sync.Map

// compiled compiles a program; the same one only once.
func compiled(file machine.File) (*machine.Program, error) {
	if prog, ok := programs.Load(file); ok {
		return prog.(*machine.Program), nil
	}
	prog, err := compile.Compile([]machine.File{file})
	if err == nil {
		programs.Store(file, prog)
	}
	return prog, err
}

// noteRun keeps a run as evidence.
func (t *T) noteRun(name string, run Run) {
	t.lastLog = run.Log
	t.Logf("--- %s: exit status %d, %d instructions", name, run.Status, run.Instructions)
	section := func(title, text string) {
		if text != "" {
			t.Logf("%s:\n%s", title, strings.TrimRight(text, "\n"))
		}
	}
	section("standard output", run.Stdout)
	section("standard error", run.Stderr)
	if run.Log != nil {
		var b bytes.Buffer
		log := *run.Log
		log.Header.Source = "" // it stands in programs/
		if _, err := log.WriteTo(&b); err == nil {
			section("trace", b.String())
		}
	}
}

// On lets the programs that the check plays from now on run on v, which is Version with
// something around its parts.
func (t *T) On(v gmp.Version) { t.version = v }

// Throws calls fn and returns the message with which it throws, "" if it does
// not. Any other panic goes on.
func (t *T) Throws(fn func()) (msg string) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case gmp.Fatal:
			msg = v.Msg
		default:
			panic(v)
		}
	}()
	fn()
	return ""
}

// caller finds the line of the suite that reports a failure: the innermost
// frame in a chapter, or in the student's own test, that is not in a helper.
func (t *T) caller() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		if inChapter(f.Function) && !t.helpers[f.Function] {
			return fmt.Sprintf("%s:%d", gmp.ShortFile(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}

// inChapter reports whether a function belongs to a suite or to a test of a
// part, rather than to the machinery around them.
func inChapter(function string) bool {
	for _, prefix := range []string{"gosched/chapters/ch", "gosched/exercises/", "gosched/solutions/"} {
		if strings.HasPrefix(function, prefix) && !strings.HasPrefix(function, "gosched/chapters/check.") {
			return true
		}
	}
	return false
}
