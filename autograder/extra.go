package main

import (
	"context"
	"errors"

	"gosched/autograder/class"
	"gosched/autograder/extra"
	"gosched/autograder/grade"
	"gosched/autograder/jail"
)

// extraChecks are the checks in the folder that --extra names, nil if it names none. The
// solution, at that level, passes them.
func (a *app) extraChecks(ctx context.Context, dir string, level jail.Level) (*extra.Checks, error) {
	if dir == "" {
		return nil, nil
	}
	folder, err := extra.Read(dir, a.root, a.course)
	if err != nil {
		return nil, ofExtra(dir, err)
	}
	conditions := class.Conditions{Extra: folder.Sum}
	if err := a.conditions(ctx, &conditions); err != nil {
		return nil, err
	}
	a.err.Println("extra checks: " + dir)
	grader := grade.Grader{Root: a.root, All: a.course, Bin: a.path(local, "bin", grade.Solutions), Level: level}
	checks, err := folder.Checks(ctx, grader, a.path(local, "extra"), conditions.Key(folder.Sum))
	return checks, ofExtra(dir, err)
}

// ofExtra is the error of a command if something is wrong with the folder of --extra.
func ofExtra(dir string, err error) error {
	if why, ok := errors.AsType[extra.Unusable](err); ok {
		return usagef("--extra %s: %v", dir, why)
	}
	return err
}
