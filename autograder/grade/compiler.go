package grade

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"gosched/autograder/jail"
	"gosched/chapters/check"
	"gosched/chapters/gotool"
)

// A submission of a few lines can make the compiler work for days, or fill the memory: with types
// that double from one to the next, a constant text that does, a huge array. So in a trusted run
// each process of the go command has limits. Over them the package does not compile, which is a
// build failure like any other: it costs its chapter, and the others are built without it.

// CompilerLimits are what each process of the go command may use in a trusted run. No package of
// the course needs a fifth of it, on a computer that is five times slower than usual.
var CompilerLimits = jail.Limits{Memory: 2 << 30, CPU: time.Minute, FileSize: 512 << 20, Disk: 4 << 30}

// A compiler is how the go command is run.
type compiler struct {
	root   string
	env    []string     // nil: that of this process
	limits *jail.Limits // nil: it is run as it is
	level  jail.Level   // if there are limits
}

// buildTime is how long a build may take that has limits, beyond which something is wrong with
// the system; and, where the system has no limits for a process, with what is built.
func (c compiler) buildTime() time.Duration {
	if runtime.GOOS == "linux" {
		return 20 * c.limits.CPU
	}
	return 5 * c.limits.CPU
}

// build runs the go command with arguments that take build flags. An error that is no
// *BuildError lies outside of what is built.
func (c compiler) build(ctx context.Context, overlay Overlay, args ...string) error {
	if len(overlay) > 0 {
		name, err := writeOverlay(c.root, overlay)
		if err != nil {
			return err
		}
		defer os.Remove(name)
		args = append([]string{args[0], "-overlay", name}, args[1:]...)
	}
	if c.limits != nil {
		return c.inJail(ctx, overlay, args)
	}
	cmd := gotool.Command(ctx, args...)
	cmd.Dir, cmd.Env = c.root, c.env
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if !errors.As(err, &exit) {
		return fmt.Errorf("cannot run the go command, which the course needs: %w", err)
	}
	return &BuildError{compilerLines(c.root, overlay.named(c.root, out))}
}

// maxSaid is how much is kept of what the go command says, at each end. It stops after a few
// errors of a package.
const maxSaid = 512 << 10

// inJail runs the go command with limits, and above level 0 without a network and with no more
// files than it needs: level 1 is enough for a program that is not a student's.
func (c compiler) inJail(ctx context.Context, overlay Overlay, args []string) error {
	limited, cancel := context.WithTimeout(ctx, c.buildTime())
	defer cancel()
	said := clipped{limit: maxSaid}
	var used time.Duration
	end, err := jail.Child{
		Level:  min(c.level, jail.Restricted),
		Limits: c.with(overlay, args),
		Path:   c.program(),
		Args:   args,
		Dir:    c.root,
		Env:    slices.DeleteFunc(slices.Clone(c.env), func(v string) bool { return jail.Sets(v) }),
		Output: &said,
		Used:   &used,
	}.Run(limited)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("cannot run the go command, which the course needs: %w", err)
	case limited.Err() != nil && runtime.GOOS == "linux":
		return fmt.Errorf("the go command did not end within %v; is the computer overloaded?", c.buildTime())
	case limited.Err() != nil:
		return &BuildError{[]string{fmt.Sprintf("the go command did not end within %v; %s", c.buildTime(), tooMuch)}}
	case end.Excess != "":
		return &BuildError{[]string{fmt.Sprintf("what the go command writes is too much: %s; %s", end.Excess, tooMuch)}}
	case end.OK():
		return nil
	}
	lines, err := c.excesses(overlay.named(c.root, []byte(said.String())), used)
	if err != nil {
		return err
	}
	return &BuildError{lines}
}

// program is the file of the go command: that of the GOROOT that the environment names.
func (c compiler) program() string {
	for _, v := range c.env {
		if root, ok := strings.CutPrefix(v, "GOROOT="); ok {
			name := "go"
			if runtime.GOOS == "windows" {
				name += ".exe"
			}
			return filepath.Join(root, "bin", name)
		}
	}
	name, _ := exec.LookPath("go") // "" cannot be run, and says so
	return name
}

// with is the limits, and what this build reads and writes besides: the files of the overlay,
// and the folder for what it makes.
func (c compiler) with(overlay Overlay, args []string) jail.Limits {
	limits := *c.limits
	folders := map[string]bool{}
	for _, file := range overlay {
		if file != "" {
			folders[filepath.Dir(file)] = true
		}
	}
	limits.Read = slices.Clone(limits.Read)
	for folder := range folders {
		limits.Read = append(limits.Read, folder)
	}
	if len(overlay) > 0 {
		limits.Read = append(limits.Read, args[slices.Index(args, "-overlay")+1])
	}
	if i := slices.Index(args, "-o"); i >= 0 {
		limits.Write = append(slices.Clone(limits.Write), filepath.Dir(args[i+1]))
	}
	return limits
}

// tooMuch says what to do about a package that cannot be compiled within the limits.
const tooMuch = "look for huge arrays, literals or constants, and for types or functions that double from one to the next"

// ended is what the go command says of a tool that a signal has ended.
var ended = regexp.MustCompile(`^(\S+)(?: \[\S+\])?: \S*(?:compile|link|asm|cgo)(?:\.exe)?: signal: (.*)$`)

// noFault is what the go command says if it could not do its work. What is wrong with a package
// has a place, or a heading.
var noFault = regexp.MustCompile(`^go: |: fork/exec \S+: |: no space left on device$`)

// broken is how a Go program begins to say that it has crashed at a memory access.
var broken = regexp.MustCompile(`^(SIG\w+: |signal: segmentation|signal: bus|unexpected fault address)`)

// excesses returns what the go command said, as compilerLines does. Where a tool has crashed,
// having used up its limits or for another reason, there is one line instead of its stacks. An
// error is that it was not the fault of what is built. used is the CPU time of all tools: one that
// was killed has used up its own, or the system was short of memory.
func (c compiler) excesses(said []byte, used time.Duration) (lines []string, err error) {
	var rest bytes.Buffer // what is not of a crash
	at, crashed := "", false
	for line := range strings.Lines(string(said)) {
		text := strings.TrimRight(line, "\r\n")
		if heading, ok := strings.CutPrefix(text, "# "); ok {
			at, _, _ = strings.Cut(heading, " ")
			crashed = false
		}
		pkg, what := at, c.crash(text)
		if found := ended.FindStringSubmatch(text); found != nil {
			pkg, what = found[1], c.crash("signal: "+found[2])
		}
		switch {
		case noFault.MatchString(text), strings.HasSuffix(text, ": signal: killed") && used < c.limits.CPU:
			return nil, fmt.Errorf("the system did not let the compiler work: %s", text)
		case what != "" && !crashed:
			more, err := c.blame(pkg, what)
			if err != nil {
				return nil, err
			}
			lines, crashed = append(lines, more...), pkg == at
		case !crashed:
			rest.WriteString(line)
		}
	}
	if lines = append(lines, spoken(c.root, rest.Bytes())...); len(lines) == 0 {
		lines = compilerLines(c.root, said)
	}
	return lines, nil
}

// crash says what it means that a tool wrote a line, "" if it means nothing.
func (c compiler) crash(line string) string {
	fatal := strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "runtime: ") || strings.HasPrefix(line, "runtime/cgo: ")
	switch {
	case fatal && (strings.Contains(line, "memory") || strings.Contains(line, "new OS thread") || strings.Contains(line, "cannot map pages")):
		return fmt.Sprintf("the compiler used up its %d MiB of memory; %s", c.limits.Memory>>20, tooMuch)
	case line == "signal: killed", line == "signal: CPU time limit exceeded":
		return fmt.Sprintf("the compiler used up its %v of CPU time; %s", c.limits.CPU, tooMuch)
	case line == "signal: file size limit exceeded", strings.HasSuffix(line, ": file too large"):
		return fmt.Sprintf("what the compiler makes of it is larger than %d MiB; %s", c.limits.FileSize>>20, tooMuch)
	case broken.MatchString(line): // without memory, Go's runtime may do that, too
		return fmt.Sprintf("the compiler crashed, for a reason of its own or because it used up its %d MiB of memory (%s); %s", c.limits.Memory>>20, line, tooMuch)
	case fatal, strings.HasPrefix(line, "panic: "), strings.HasPrefix(line, "signal: "):
		return "the compiler crashed: " + line
	}
	return ""
}

// blame returns the lines that say of a package that it cannot be compiled. That of a chapter's
// tests is made of all that the student has written beside the parts, and each file is told of. If
// it is none of those that are graded, the error says that.
func (c compiler) blame(pkg, what string) (lines []string, err error) {
	dir := strings.TrimSuffix(strings.TrimPrefix(pkg, "gosched/"), ".test")
	if tree, _, _ := strings.Cut(dir, "/"); tree != Exercises && tree != Solutions {
		return nil, fmt.Errorf("%s, which is not graded: %s", cmp.Or(dir, "the go command"), what)
	}
	of, tests := strings.CutSuffix(dir, "_test")
	if !tests {
		return []string{dir + ": " + what}, nil
	}
	for _, name := range check.WrittenFiles {
		lines = append(lines, path.Join(of, name)+": compiled with the other tests of the chapter: "+what)
	}
	return lines, nil
}
