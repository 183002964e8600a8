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
	Progress func(grade.Event) // if not nil, is told what is going on

	// Course is grade.Grader.Course: what another submission has written in the same way is not run again.
	Course func() (string, error)
}

// Grade grades what was taken of a submission. An error says that it could not be graded for a
// reason that lies outside of it; whatever is wrong with a submission is in the report. Several
// goroutines may call it at once.
func (g *Grading) Grade(ctx context.Context, files *submission.Files) (*grade.Report, error) {
	env, err := environment(ctx, g.Root)
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
		Overlay: files.Overlay, Tree: files.Dir, Bin: bin, Env: env, Level: g.Level, Progress: g.Progress, Course: g.Course,
	}
	report, err := grader.Grade(ctx)
	if err != nil {
		return nil, err
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

// environment is that of the go command. Nothing in it, and no file of settings, makes it build
// anything but the course with its own modules, or load anything from a network.
func environment(ctx context.Context, root string) ([]string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOROOT", "GOCACHE", "GOMODCACHE", "CC")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("cannot run the go command, which the course needs: %w", err)
	}
	var set map[string]string
	if err := json.Unmarshal(out, &set); err != nil {
		return nil, fmt.Errorf("go env says what is no JSON: %w", err)
	}
	env := []string{"GOENV=off", "GOWORK=off", "GOTOOLCHAIN=local", "GOFLAGS=-mod=readonly", "GOPROXY=off", "CGO_ENABLED=0"}
	for name, value := range set {
		env = append(env, name+"="+value)
	}
	for _, name := range kept {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	slices.Sort(env)
	return env, nil
}
