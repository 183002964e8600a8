package grade

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An Overlay replaces files of the module in a build: keys are slash paths from
// the root, values files on disk, "" for a file that is to be left out. It is
// how exercises are built that are not, or not in this form, in the tree.
type Overlay map[string]string

// with returns o and more.
func (o Overlay) with(more Overlay) Overlay {
	all := Overlay{}
	for _, m := range []Overlay{o, more} {
		for k, v := range m {
			all[k] = v
		}
	}
	return all
}

// A BuildError is a failure of the compiler.
type BuildError struct {
	Lines []string // what it said, paths from the root
}

func (e *BuildError) Error() string { return strings.Join(e.Lines, "\n") }

// files returns what the compiler said, by the file that it is about, a slash path from the
// root. A line that goes on with the one before belongs to the same file.
func (e *BuildError) files() map[string][]string {
	by, at := map[string][]string{}, ""
	for _, line := range e.Lines {
		if strings.HasPrefix(line, "too many errors") {
			continue
		}
		if !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, " ") {
			at, _, _ = strings.Cut(line, ":")
		}
		by[at] = append(by[at], line)
	}
	return by
}

// buildTest compiles the test binary of a package of the module to out. It has no tables for
// a debugger, which go test makes itself: without them it takes two thirds of the time to link.
func (g *Grader) buildTest(ctx context.Context, pkg, out string, overlay Overlay, flags ...string) error {
	args := append([]string{"test", "-c", "-vet=off", "-ldflags=-w", asWritten}, flags...)
	env := g.Env
	if env != nil && slices.Contains(flags, "-race") {
		env = append(slices.Clone(env), "CGO_ENABLED=1") // the race detector is in C on some systems
	}
	return compiler{g.Root, env, g.Compiler, g.Level}.build(ctx, overlay, append(args, "-o", out, "./"+pkg)...)
}

// asWritten compiles the exercises without optimizing them, so that a stack
// names the very line that a student's code loops or fails in, and a debugger
// finds every variable.
const asWritten = "-gcflags=gosched/exercises/...=-N -l"

// BuildCommand compiles a command of the module to out, with more flags of go build.
func BuildCommand(ctx context.Context, root, pkg, out string, overlay Overlay, flags ...string) error {
	args := append([]string{"build"}, flags...)
	return compiler{root: root}.build(ctx, overlay, append(args, "-o", out, pkg)...)
}

// Vet runs go vet, which also compiles the tests, on packages of the module. What they import
// it compiles as a grading does, so that none of it is compiled twice.
func Vet(ctx context.Context, root, pattern string, overlay Overlay) error {
	return compiler{root: root}.build(ctx, overlay, "vet", asWritten, pattern)
}

// named gives the files of the overlay in what the go command said the names that they have in
// the module. It does so itself, except where a file cannot be parsed.
func (o Overlay) named(root string, said []byte) []byte {
	var names []string
	for name, file := range o {
		if file == "" {
			continue
		}
		names = append(names, file+":", name+":")
		if short, err := filepath.Rel(root, file); err == nil {
			names = append(names, short+":", name+":")
		}
	}
	return []byte(strings.NewReplacer(names...).Replace(string(said)))
}

// writeOverlay writes the file that go build -overlay wants.
func writeOverlay(root string, overlay Overlay) (string, error) {
	replace := map[string]string{}
	for name, by := range overlay {
		replace[filepath.Join(root, filepath.FromSlash(name))] = by
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp("", "gosched-overlay-*.json")
	if err != nil {
		return "", err
	}
	if _, err := f.Write(text); err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

// compilerLines returns what the compiler said, or that it said nothing.
func compilerLines(root string, out []byte) []string {
	if lines := spoken(root, out); len(lines) > 0 {
		return lines
	}
	return []string{"the build failed, and the go command did not say why"}
}

// spoken returns what the compiler said, paths from the root, without the headings that the
// go command puts around it.
func spoken(root string, out []byte) (lines []string) {
	for _, line := range strings.Split(string(bytes.TrimSpace(out)), "\n") {
		line = strings.TrimRight(line, " \t\r")
		if line == "" || line == "FAIL" || strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "FAIL\t") {
			continue
		}
		line = strings.ReplaceAll(line, root+string(filepath.Separator), "")
		lines = append(lines, strings.TrimPrefix(line, "./"))
	}
	return lines
}
