package book

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/machine/explore"
	"gosched/chapters/trace"
	"gosched/timeline"
)

// runArgs reads the options that say how to run.
func runArgs(args *arguments) (RunArgs, error) {
	r := RunArgs{Go: args.get("go"), Args: strings.Fields(args.get("args"))}
	var err error
	if s := args.get("seed"); s != "" {
		if r.Seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			return r, fmt.Errorf("seed=%s is not a number", s)
		}
	}
	if n := args.get("procs"); n != "" {
		if r.Procs, err = strconv.Atoi(n); err != nil || r.Procs < 1 {
			return r, fmt.Errorf("procs=%s is not a number of CPUs", n)
		}
	}
	if n := args.get("ask"); n != "" {
		if r.Ask, err = strconv.ParseInt(n, 10, 64); err != nil || r.Ask < 1 {
			return r, fmt.Errorf("ask=%s is not a number of instructions", n)
		}
	}
	return r, nil
}

// command is what a reader types to repeat the run.
func (r RunArgs) command(program string) string {
	s := "go run ./autograder play " + program + " --go " + r.Go
	if r.Seed != 0 {
		s += " --seed " + strconv.FormatUint(r.Seed, 10)
	}
	if r.Procs != 0 {
		s += " --sim --procs " + strconv.Itoa(r.Procs)
	}
	if r.Ask != 0 {
		s += " --ask " + strconv.FormatInt(r.Ask, 10)
	}
	if len(r.Args) > 0 {
		s += " -- " + strings.Join(r.Args, " ")
	}
	return s
}

// play runs a program on the course's scheduler.
func (b *builder) play(program string, r RunArgs) (RunResult, error) {
	if r.Go == "" {
		return RunResult{}, errors.New("which version of Go? write go=0.x")
	}
	if b.Run == nil {
		return RunResult{}, errors.New("this build cannot run programs")
	}
	return b.once(r.command(program), program, "", func() (RunResult, error) { return b.Run(program, r) })
}

// once runs a program that is in file, or finds what it gave before. holds is what a real
// run was repeated for, else "".
func (b *builder) once(command, file, holds string, run func() (RunResult, error)) (RunResult, error) {
	source, err := b.readFile(file)
	if err != nil {
		return RunResult{}, err
	}
	return kept(b, command+"\n"+holds, source, run)
}

// realLimit is how long a program may take with the installed Go. It only ends
// programs that hang.
const realLimit = 2 * time.Minute

// realProgram returns what go run takes for a program, which is a file or the folder of a
// package, and the file that must be there.
func realProgram(program string) (arg, file string) {
	if path.Ext(program) != "" {
		return program, program
	}
	return "./" + program, program + "/main.go"
}

// buildReal builds a program with the installed Go, in a folder of its own, unless that
// was done for another run of it. See clean.
func (b *builder) buildReal(program string) (binary string, err error) {
	if binary, ok := b.binaries[program]; ok {
		return binary, nil
	}
	dir, err := os.MkdirTemp("", "gosched-book")
	if err != nil {
		return "", err
	}
	binary = filepath.Join(dir, "program.exe")
	build := exec.Command("go", "build", "-o", binary, filepath.FromSlash(program))
	build.Dir = b.Root
	if out, err := build.CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		return "", fmt.Errorf("go build %s: %w\n%s", program, err, bytes.TrimSpace(out))
	}
	b.binaries[program] = binary
	return binary, nil
}

// clean removes what buildReal has built.
func (b *builder) clean() {
	for _, binary := range b.binaries {
		os.RemoveAll(filepath.Dir(binary))
	}
	clear(b.binaries)
}

// runReal builds and runs a program with the installed Go.
func (b *builder) runReal(program string, args []string) (RunResult, error) {
	binary, err := b.buildReal(program)
	if err != nil {
		return RunResult{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), realLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir = filepath.Dir(binary)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if ctx.Err() != nil {
		return RunResult{}, fmt.Errorf("%s did not end within %v", program, realLimit)
	}
	if err != nil && !errors.As(err, &exit) {
		return RunResult{}, err
	}
	return RunResult{Output: string(out), Status: cmd.ProcessState.ExitCode()}, nil
}

// realTries is how often a real program is run at most until its output is as the page says.
const realTries = 5

// undisturbed is runReal, again if the output is not as the page says: the page tells of a
// run that nothing disturbs, and on a busy computer the real scheduler interrupts a goroutine
// that was only kept waiting for its CPU.
func (b *builder) undisturbed(program string, args []string, holds string) (result RunResult, err error) {
	for range realTries {
		result, err = b.runReal(program, args)
		if err != nil || prints(result.Output, holds) == nil {
			break
		}
	}
	return result, err
}

// output shows what a program prints.
func (b *builder) output(p *page, e *element, args *arguments) error {
	isReal, measured := args.flag("real"), args.flag("measured")
	program := args.word()
	if program == "" {
		return errors.New("which program? write ::: output FILE.go go=0.x")
	}
	r, err := runArgs(args)
	if err != nil {
		return err
	}
	var result RunResult
	var command string
	if isReal {
		if r.Go != "" {
			return errors.New("a real run is one of the installed Go: leave go= out")
		}
		arg, file := realProgram(program)
		command = strings.Join(append([]string{"go run", arg}, r.Args...), " ")
		result, err = b.once(command, file, args.get("holds"), func() (RunResult, error) { return b.undisturbed(arg, r.Args, args.get("holds")) })
	} else {
		command = r.command(program)
		result, err = b.play(program, r)
	}
	if err != nil {
		return err
	}
	if err := wantStatus(result, args.get("status")); err != nil {
		return err
	}
	if err := prints(result.Output, args.get("holds")); err != nil {
		return err
	}
	text, err := firstLines(result.Output, args.get("lines"), b.words.OutputMore)
	if err != nil {
		return err
	}
	if result.Status != 0 {
		text += fmt.Sprintf(b.words.OutputStatus, result.Status) + "\n"
	}
	if measured {
		defer func() {
			note := fmt.Sprintf(b.words.Measured, runtime.GOOS+"/"+runtime.GOARCH+", "+b.goroot.version)
			e.after = `<p class="measured">` + esc(note) + "</p>" + e.after
		}()
	}
	head, body := b.command(command, program), printout(text)
	if args.get("plot") != "" {
		return b.plot(p, e, args, result.Output, headed(head, body))
	}
	figure(e, "output", head, body)
	return nil
}

func wantStatus(result RunResult, status string) error {
	want := 0
	if status != "" {
		var err error
		if want, err = strconv.Atoi(status); err != nil {
			return fmt.Errorf("status=%s is not a number", status)
		}
	}
	if result.Status != want {
		return fmt.Errorf("the program ended with status %d, not %d; it printed:\n%s", result.Status, want, strings.TrimSpace(result.Output))
	}
	return nil
}

// prints checks that an output has the texts in want: "563 µs; 1040 µs".
func prints(output, want string) error {
	for _, w := range strings.Split(want, ";") {
		if w = strings.TrimSpace(w); !strings.Contains(output, w) {
			return fmt.Errorf("the page says that the output has %q, and it has not; it is:\n%s", w, strings.TrimSpace(output))
		}
	}
	return nil
}

// firstLines cuts an output after that many lines and says how many follow.
func firstLines(output, lines, more string) (string, error) {
	if lines == "" {
		return output, nil
	}
	n, err := strconv.Atoi(lines)
	if err != nil || n < 1 {
		return "", fmt.Errorf("lines=%s is not a number of lines", lines)
	}
	all := strings.SplitAfter(output, "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	if len(all) <= n {
		return output, nil
	}
	return strings.Join(all[:n], "") + fmt.Sprintf(more, len(all)-n) + "\n", nil
}

// disasm shows the machine's instructions of a function.
func (b *builder) disasm(p *page, e *element, args *arguments) error {
	file, function, ok := strings.Cut(args.word(), "#")
	if !ok || function == "" {
		return errors.New("which function? write ::: disasm FILE.go#main.f")
	}
	source, err := b.readFile(file)
	if err != nil {
		return err
	}
	program, err := compile.Compile([]machine.File{{Name: file, Source: source}})
	if err != nil {
		return err
	}
	for i := range program.Funcs {
		if f := &program.Funcs[i]; f.Name == function {
			figure(e, "code", esc(b.words.Disasm)+" "+code(function)+" · "+b.sourceLink(file, code(file)), highlight("", program.Disasm(f)))
			return nil
		}
	}
	return fmt.Errorf("%s has no function %s: write it with its package, main.f", file, function)
}

// counterexample shows how a model fails on a wrong solution.
func (b *builder) counterexample(p *page, e *element, args *arguments) error {
	chapter, mutant := args.word(), args.word()
	if mutant == "" {
		return errors.New("of which wrong solution? write ::: counterexample ch07 NAME")
	}
	if b.Counterexample == nil {
		return errors.New("this build cannot run checks")
	}
	c, err := kept(b, "counterexample "+chapter+" "+mutant, "", func() (Counterexample, error) {
		return b.Counterexample(chapter, mutant)
	})
	if err != nil {
		return err
	}
	if err := prints(c.Text, args.get("holds")); err != nil {
		return err
	}
	fragment, err := c.Story.Fragment(explore.FragmentOptions{ID: counterexampleID(e), Words: b.words.Stepper})
	if err != nil {
		return err
	}
	figure(e, "counterexample", esc(b.words.apostrophes(fmt.Sprintf(b.words.Mutant, c.What, c.Check))),
		fragment)
	return nil
}

// counterexampleID is the id of a counterexample on its page.
func counterexampleID(e *element) string { return fmt.Sprintf("counterexample-%d", e.number) }

// timeline shows a run to step through.
func (b *builder) timeline(p *page, e *element, args *arguments) error {
	program := args.word()
	if program == "" {
		return errors.New("which program? write ::: timeline FILE.go go=0.x")
	}
	r, err := runArgs(args)
	if err != nil {
		return err
	}
	step := 0
	if s := args.get("step"); s != "" {
		if step, err = strconv.Atoi(s); err != nil || step < 1 {
			return fmt.Errorf("step=%s is not the number of a step", s)
		}
	}
	result, err := b.play(program, r)
	if err != nil {
		return err
	}
	if result.Log == nil {
		return errors.New("the run left no log")
	}
	if err := wantStatus(result, args.get("status")); err != nil {
		return err
	}
	if err := holds(result.Log, args.get("holds")); err != nil {
		return err
	}
	if err := shows(result.Log, step, args.get("shows")); err != nil {
		return err
	}
	p.timelines++
	drawn, err := timeline.Fragment(result.Log, timeline.Options{
		Title: args.get("title"), ID: fmt.Sprintf("run%d", p.timelines), Start: step, Link: b.address(program), Words: b.words.Timeline,
	})
	if err != nil {
		return err
	}
	figure(e, "timeline", "", drawn)
	return nil
}

// shows checks that the step at which a timeline opens is the one that the page means: its
// sentence must contain want.
func shows(log *trace.Log, step int, want string) error {
	if want == "" {
		return nil
	}
	steps := timeline.Fold(log, timeline.DefaultSteps).Steps
	if step = max(1, step); step > len(steps) {
		return fmt.Errorf("the run has %d steps, and the page opens it at step %d", len(steps), step)
	}
	got := steps[step-1].Text
	if strings.Contains(got, want) {
		return nil
	}
	others := ""
	if i := slices.IndexFunc(steps, func(s timeline.Step) bool { return strings.Contains(s.Text, want) }); i >= 0 {
		others = fmt.Sprintf("; step %d shows it", i+1)
	}
	return fmt.Errorf("the page says that step %d shows %q, and it is: %s%s", step, want, got, others)
}

// holds checks that a log has events of the kinds in want: "steal yield>=3 exit=2".
func holds(log *trace.Log, want string) error {
	count := map[string]int{}
	for _, e := range log.Events {
		count[string(e.Kind)]++
	}
	for _, w := range strings.Fields(want) {
		kind, number, least := strings.Cut(w, ">=")
		exact := false
		if !least {
			kind, number, exact = strings.Cut(w, "=")
		}
		n := 1
		if least || exact {
			var err error
			if n, err = strconv.Atoi(number); err != nil {
				return fmt.Errorf("holds: %q is not KIND, KIND=N or KIND>=N", w)
			}
		}
		got := count[kind]
		switch {
		case exact && got != n:
			return fmt.Errorf("the run has %d events %q, and the page says %d", got, kind, n)
		case got < n:
			return fmt.Errorf("the run has %d events %q, and the page says at least %d", got, kind, n)
		}
	}
	return nil
}
