package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"gosched/autograder/bench"
	"gosched/autograder/screen"
)

// oursSource is the command that bench runs, in every commit that has it.
const oursSource = "autograder/bench/ours/main.go"

// measuredAgainst compares the tree with one of its commits.
func (a *app) measuredAgainst(ctx context.Context, rev string, list []bench.Program, settings []bench.Setting) (*bench.Report, error) {
	commit, err := a.benchCommit(ctx, rev)
	if err != nil {
		return nil, err
	}
	if a.changed(ctx) {
		a.err.Println("The tree has changes that are not committed; they are measured with it.")
	}
	progress := &screen.Progress{Screen: a.err}
	defer progress.Clear()
	progress.Stage("building …")
	ours, err := a.buildOurs(ctx, a.root, "ours")
	if err != nil {
		return nil, err
	}
	progress.Stage("building %s …", rev)
	old, err := a.buildCommit(ctx, commit)
	if err != nil {
		return nil, fmt.Errorf("commit %s cannot be built: %w", rev, err)
	}
	report, err := bench.Measure(ctx, list, settings, finer, func(ctx context.Context, p bench.Program, version string, procs int) (a, b bench.Runner, err error) {
		progress.Stage("measuring %s on Go %s, %s …", p.Name, version, psOf(procs))
		return bench.Child(ours, p, version, procs), bench.Child(old, p, version, procs), nil
	})
	if err != nil {
		return nil, err
	}
	report.IsAgainst(commit)
	return report, nil
}

// benchCommit returns the hash of a commit that bench can run.
func (a *app) benchCommit(ctx context.Context, rev string) (string, error) {
	if _, err := a.git(ctx, "rev-parse", "--git-dir"); err != nil {
		return "", usagef("--against needs git and a course that is one of its repositories, and %s is none: %v", a.root, err)
	}
	commit, err := a.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return "", usagef("--against: this repository has no commit %q", rev)
	}
	if _, err := a.git(ctx, "cat-file", "-e", commit+":./"+oursSource); err != nil {
		return "", usagef("--against: commit %s cannot be measured, since it has no %s", rev, oursSource)
	}
	return commit, nil
}

// buildCommit builds the command ours of a commit, in a worktree that is removed again. It
// measures as this tree does, with its programs; a commit in which that cannot be compiled
// measures as it did itself.
func (a *app) buildCommit(ctx context.Context, commit string) (binary string, err error) {
	dir, err := os.MkdirTemp("", "gosched-bench-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	tree := filepath.Join(dir, "tree")
	defer func() {
		cleanup := context.WithoutCancel(ctx) // also after an interrupt; git locks a tree that it has not finished
		a.git(cleanup, "worktree", "remove", "--force", "--force", tree)
		a.git(cleanup, "worktree", "prune")
	}()
	if _, err := a.git(ctx, "worktree", "add", "--detach", tree, commit); err != nil {
		return "", err
	}
	prefix, err := a.git(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return "", err
	}
	root := filepath.Join(tree, filepath.FromSlash(prefix))
	measure := filepath.Join(root, "autograder", "bench")
	if err := os.RemoveAll(measure); err != nil {
		return "", err
	}
	if err := os.CopyFS(measure, os.DirFS(a.path("autograder", "bench"))); err != nil {
		return "", err
	}
	if binary, err = a.buildOurs(ctx, root, "ours-old"); err == nil || ctx.Err() != nil {
		return binary, err
	}
	for _, args := range [][]string{{"clean", "-dfq"}, {"checkout", "--force", "--detach", commit}} {
		if _, err := a.git(ctx, append([]string{"-C", tree}, args...)...); err != nil {
			return "", err
		}
	}
	return a.buildOurs(ctx, root, "ours-old")
}
