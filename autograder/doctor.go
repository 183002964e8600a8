package main

import (
	"context"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"gosched/autograder/gen"
	"gosched/autograder/grade"
	"gosched/autograder/screen"
	"gosched/chapters/gotool"
)

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "check whether this computer has what the course needs",
		Long: `Checks the installed Go, the folders that the course writes to and the
exercises, and says on one line for each what it found and, if something is
missing, what that is needed for and what to do.`,
		Annotations: exitHelp("  0 everything needed is there, 2 something needed is missing"),
		Args:        noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.showFindings(a.examine(cmd.Context(), goTool(a.root)))
		},
	}
}

// A finding is what the doctor has to say of one thing.
type finding struct {
	verdict verdict
	thing   string // "Go"
	text    string // what was found; if it is not well, what to do
}

// A verdict is how it stands with a thing.
type verdict int

const (
	well    verdict = iota
	wanting         // the course works without it, with a loss that the text names
	missing         // the course needs it
)

// A goCommand runs the go command and returns its output, spaces trimmed.
type goCommand func(ctx context.Context, args ...string) (string, error)

// goTool is the installed go command, run in dir.
func goTool(dir string) goCommand {
	return func(ctx context.Context, args ...string) (string, error) {
		cmd := gotool.Command(ctx, args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
}

// examine looks at everything.
func (a *app) examine(ctx context.Context, run goCommand) []finding {
	findings := []finding{a.toolchainFinding(ctx, run)}
	if findings[0].verdict == well {
		findings = append(findings, gorootFinding(ctx, run), cacheFinding(ctx, run), raceFinding(ctx, run))
	}
	return append(findings,
		a.commandFinding(),
		writableFinding(local, a.path(local), "results, evidence and binaries are kept there"),
		a.exercisesFinding())
}

// toolchainFinding compares the installed Go with what go.mod asks for.
func (a *app) toolchainFinding(ctx context.Context, run goCommand) finding {
	want, err := moduleGo(a.path("go.mod"))
	if err != nil {
		return finding{missing, "Go", err.Error()}
	}
	have, err := run(ctx, "env", "GOVERSION")
	switch {
	case err != nil:
		return finding{missing, "Go", fmt.Sprintf("the go command does not run: %v. Install Go %s or later from https://go.dev/dl/; all chapters need it", err, want)}
	case version.IsValid(have) && version.Compare(have, "go"+want) < 0:
		return finding{missing, "Go", fmt.Sprintf("%s is too old for go.mod, which asks for go%s. Install that or a later one from https://go.dev/dl/; all chapters need it", have, want)}
	}
	return finding{well, "Go", fmt.Sprintf("%s; go.mod asks for go%s", have, want)}
}

// moduleGo is the version in the go line of a go.mod.
func moduleGo(name string) (string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) >= 2 && fields[0] == "go" {
			return fields[1], nil
		}
	}
	return "", fmt.Errorf("%s has no go line; restore the file", filepath.Base(name))
}

// gorootFinding looks for the sources of the runtime, which the book quotes.
func gorootFinding(ctx context.Context, run goCommand) finding {
	const thing = "Go's sources"
	root, err := run(ctx, "env", "GOROOT")
	if err != nil {
		return finding{missing, thing, fmt.Sprintf("go env GOROOT fails: %v. Reinstall Go", err)}
	}
	file := filepath.Join(root, "src", "runtime", "proc.go")
	if _, err := os.Stat(file); err != nil {
		return finding{wanting, thing, fmt.Sprintf("there is no %s. The book shows pieces of the runtime from there. Install Go from https://go.dev/dl/, which brings its sources", file)}
	}
	return finding{well, thing, filepath.Join(root, "src")}
}

// cacheFinding looks whether builds can be kept.
func cacheFinding(ctx context.Context, run goCommand) finding {
	dir, err := run(ctx, "env", "GOCACHE")
	if err != nil || dir == "" || dir == "off" {
		return finding{missing, "build cache", "there is none, and go build needs one. Set GOCACHE to a folder that you can write to"}
	}
	f := writableFinding("build cache", dir, "go build needs it")
	if f.verdict != well {
		f.text += ", or set GOCACHE to a folder that you can write to"
	}
	return f
}

// raceFinding looks for what go test -race needs. Checks of kind stress are run under
// it once more; without it they are not.
func raceFinding(ctx context.Context, run goCommand) finding {
	const thing = "C compiler"
	const loss = "Only go test -race needs it; without it the checks of real threads, from chapter 5 on, run without the race detector"
	out, err := run(ctx, "env", "CGO_ENABLED", "CC")
	enabled, cc, _ := strings.Cut(out, "\n")
	words := strings.Fields(cc)
	if err != nil || len(words) == 0 {
		return finding{wanting, thing, "go env names none. " + loss}
	}
	name, err := exec.LookPath(words[0])
	switch {
	case err != nil:
		return finding{wanting, thing, fmt.Sprintf("%s is not there. %s. Install gcc or clang", words[0], loss)}
	case strings.TrimSpace(enabled) != "1":
		return finding{wanting, thing, fmt.Sprintf("%s is there, but CGO_ENABLED is not 1. %s. Set CGO_ENABLED=1", name, loss)}
	}
	return finding{well, thing, name + "; go test -race works"}
}

// writableFinding tries to write to a folder, which is made if it is not there.
func writableFinding(thing, dir, why string) finding {
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(dir, "doctor-*"); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		return finding{missing, thing, fmt.Sprintf("cannot be written: %v; %s. Give yourself write permission for it", err, why)}
	}
	return finding{well, thing, "can be written"}
}

// commandFinding compares the course with the one that the command was built from.
func (a *app) commandFinding() finding {
	const thing = "command"
	name, err := a.otherThanBuilt()
	switch {
	case err != nil:
		return finding{missing, thing, fmt.Sprintf("the course cannot be read: %v", err)}
	case name != "":
		return finding{missing, thing, a.otherCourse(name)}
	}
	return finding{well, thing, "built from this course"}
}

// exercisesFinding looks whether each file that gen makes is there.
func (a *app) exercisesFinding() finding {
	files, err := gen.Exercises(a.root, a.course, false)
	if err != nil {
		return finding{missing, grade.Exercises, fmt.Sprintf("the solutions cannot be read: %v", err)}
	}
	report, err := gen.Compare(a.path(grade.Exercises), files)
	if err != nil {
		return finding{missing, grade.Exercises, fmt.Sprintf("cannot be read: %v", err)}
	}
	var absent []string
	for _, f := range report {
		if f.Change == gen.Missing {
			absent = append(absent, f.Name)
		}
	}
	if len(absent) > 0 {
		return finding{missing, grade.Exercises, fmt.Sprintf("files missing: %d (%s). Run %s gen, which keeps what you have written", len(absent), strings.Join(absent, ", "), invocation)}
	}
	return finding{well, grade.Exercises, "all files are there"}
}

// verdictWords are how a verdict is shown.
var verdictWords = map[verdict]struct {
	word  string
	style screen.Style
}{
	well:    {"ok", screen.Green},
	wanting: {"note", screen.Yellow},
	missing: {"MISSING", screen.Red},
}

// showFindings prints a line for each finding. The error says whether something
// that is needed is missing.
func (a *app) showFindings(findings []finding) error {
	lacks := 0
	for _, f := range findings {
		w := verdictWords[f.verdict]
		a.out.Println(fmt.Sprintf("%s %s  %s", a.out.Paint(w.style, screen.Pad(w.word, 7)), screen.Pad(f.thing, 12), f.text))
		if f.verdict == missing {
			lacks++
		}
	}
	if lacks > 0 {
		return exit{exitUsage, fmt.Sprintf("%d of these things must be fixed before the course works", lacks)}
	}
	return nil
}
