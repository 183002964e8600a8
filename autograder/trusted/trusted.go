// Package trusted grades a submission in a run that its author does not control.
//
// Of the submission only what students write is taken (package submission); all else is that of
// the course, from a copy that no student can write to. Code that could turn the process in which
// it is judged is refused before anything is built (package policy). What is built runs in a jail
// (package jail), and the verdicts are made here, from records that only the suite can write
// (package grade, check.Order).
package trusted

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"

	"gosched/autograder/extra"
	"gosched/autograder/grade"
	"gosched/autograder/jail"
	"gosched/autograder/policy"
	"gosched/autograder/submission"
	"gosched/chapters"
)

// A Grading is how submissions are graded. Its fields are not changed while one is.
type Grading struct {
	Root     string             // of the course, which nobody changes meanwhile
	All      []chapters.Chapter // the course
	Chapters []string           // the IDs to grade; nil: all that are written
	Checks   []string           // the names of the checks to run; nil: all
	Level    jail.Level         // how strictly the checks are kept
	Own      grade.OwnStack     // it gives no points, and takes as long as all that does
	Race     grade.Race
	Extra    *extra.Checks     // further checks, of the instructor's own; nil: none
	Progress func(grade.Event) // if not nil, is told what is going on

	// Course is grade.Grader.Course: what another submission has written in the same way is not
	// run again.
	Course func() (string, error)
}

// Grade grades what was taken of a submission. An error says that it could not be graded for a
// reason that lies outside of it; whatever is wrong with a submission is in the report. Several
// goroutines may call it at once.
func (g *Grading) Grade(ctx context.Context, files *submission.Files) (*grade.Report, error) {
	tools, err := findToolchain(ctx, g.Root)
	if err != nil {
		return nil, err
	}
	limits, err := tools.limits(g.Root)
	if err != nil {
		return nil, err
	}
	bin, err := os.MkdirTemp("", "gosched-trusted-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(bin)
	grader := &grade.Grader{
		Root: g.Root, Of: grade.Exercises, All: g.All, Chapters: g.Chapters, Checks: g.Checks, Own: g.Own, Race: g.Race,
		Overlay: files.Overlay, Tree: files.Dir, Bin: bin, Env: tools.environment(), Level: g.Level, Compiler: limits, Progress: g.Progress, Course: g.Course,
	}
	report, err := grader.Grade(ctx)
	if err != nil {
		return nil, err
	}
	if g.Extra != nil {
		if report.Extra, err = g.Extra.Grade(ctx, *grader); err != nil {
			return nil, err
		}
	}
	report.Refuse(refusals(files.Findings))
	report.Submission = &grade.Submission{
		Sum: files.Sum, Isolation: int(g.Level), Taken: files.Taken, Ignored: files.Ignored, Findings: files.Findings,
	}
	return report, nil
}

// refusals are the findings by what is refused for them: a folder of parts, or a file beside
// them, as slash paths from the root.
func refusals(findings []policy.Finding) map[string][]policy.Finding {
	by := map[string][]policy.Finding{}
	for _, f := range findings {
		unit := submission.Unit(f.File)
		by[unit] = append(by[unit], f)
	}
	return by
}

// kept are the variables of the environment that the go command gets: where its files are.
var kept = []string{"PATH", "HOME", "TMPDIR", "TMP", "TEMP", "USERPROFILE", "LOCALAPPDATA", "SYSTEMROOT", "COMSPEC"}

// A toolchain is Go, as it is used for submissions.
type toolchain struct {
	set map[string]string // what go env says
}

func findToolchain(ctx context.Context, root string) (toolchain, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOROOT", "GOCACHE", "GOMODCACHE", "CC")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return toolchain{}, fmt.Errorf("cannot run the go command, which the course needs: %w", err)
	}
	var t toolchain
	if err := json.Unmarshal(out, &t.set); err != nil {
		return toolchain{}, fmt.Errorf("go env says what is no JSON: %w", err)
	}
	return t, nil
}

// environment is that of the go command. Nothing in it, and no file of settings, makes it build
// anything but the course with its own modules, or load anything from a network.
func (t toolchain) environment() []string {
	env := []string{
		"GOENV=off", "GOWORK=off", "GOTOOLCHAIN=local", "GOFLAGS=-mod=readonly", "GOPROXY=off", "CGO_ENABLED=0",
		"XDG_CONFIG_HOME=" + os.DevNull, // so that the go command finds no room for telemetry, and starts no process for it
	}
	for name, value := range t.set {
		env = append(env, name+"="+value)
	}
	for _, name := range kept {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	slices.Sort(env)
	return env
}

// systemFolders have what the C compiler needs, without which there is no race detector on Linux.
var systemFolders = []string{"/usr", "/bin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/ld.so.cache"}

// limits are those of the go command and of the compilers that it starts. Above level 0 they can
// write nothing but Go's build cache and what they are told to make.
//
// That one cache is for all submissions, and no submission can leave anything in it for another
// one: the compiler runs nothing of what it compiles, and an entry has the name of a hash of all
// that it is made of, sources, flags and compiler. A check's process could write to it at level 0
// only.
func (t toolchain) limits(root string) (*jail.Limits, error) {
	limits := grade.CompilerLimits
	limits.Write = []string{t.set["GOCACHE"]}
	limits.Read = []string{root}
	limits.Programs = []string{t.set["GOROOT"]}
	if err := os.MkdirAll(t.set["GOCACHE"], 0o755); err != nil {
		return nil, fmt.Errorf("there is no folder for what Go builds: %w", err)
	}
	add := func(to *[]string, name string) {
		if _, err := os.Stat(name); err == nil && name != "" {
			*to = append(*to, name)
		}
	}
	add(&limits.Read, t.set["GOMODCACHE"])
	for _, name := range systemFolders {
		add(&limits.Programs, name)
	}
	return &limits, nil
}
