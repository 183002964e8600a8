package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"gosched/autograder/gen"
	"gosched/autograder/grade"
	"gosched/autograder/update"
)

func (a *app) updateCommand() *cobra.Command {
	var from, ref string
	cmd := &cobra.Command{
		Use:   "update --from DIR|URL [--ref REF]",
		Short: "bring the course's files to a new version, and keep yours",
		Long: `Brings the course's files in this repository to the version that is in another folder
or repository. Your files stay: an exercise that the course has not changed is not
touched; one that both you and the course have changed is merged, or, if both have
changed the same lines, yours is kept and the course's is put beside it, as FILE.new.

Before it changes anything, it saves all that is there, committed or not, on a branch
which it names. It commits nothing else. An update that was interrupted is finished by
calling it again.`,
		Example: `  go run ./autograder update --from https://example.com/course.git
  go run ./autograder update --from ../handout2`,
		Annotations: exitHelp("  0 up to date, 1 done, and files of yours need a look, 2 nothing was changed"),
		Args:        noArgs,
		RunE:        func(cmd *cobra.Command, args []string) error { return a.update(cmd.Context(), from, ref) },
	}
	cmd.Flags().StringVar(&from, "from", "", "the new version: `DIR` or a URL")
	cmd.Flags().StringVar(&ref, "ref", "", "the `branch`, tag or commit there (default its HEAD)")
	return cmd
}

func (a *app) update(ctx context.Context, from, ref string) error {
	plan, err := update.Pending(a.root)
	if err != nil {
		return err
	}
	if plan != nil {
		a.out.Wrapped(0, "An update was interrupted; it is finished now. What was there when it began is on the branch "+plan.Backups[0]+".")
	} else {
		if from == "" {
			return usagef("update from where? --from DIR, or --from URL")
		}
		if plan, err = a.planUpdate(ctx, from, ref); err != nil {
			return err
		}
		if len(plan.Steps) == 0 {
			a.out.Println("nothing to do: the course is as it is there")
			return nil
		}
	}
	command, err := plan.KeepCommand()
	if err == nil {
		err = plan.Save(ctx)
	}
	if err != nil {
		return fmt.Errorf("nothing was changed: %w", err)
	}
	a.err.Println("All that is here is saved on the branch " + plan.Backups[len(plan.Backups)-1] + ".")
	if err := plan.Do(ctx); err != nil {
		return usagef("the update was interrupted (%v); %s update finishes it", err, filepath.Join(a.root, command))
	}
	return a.tellUpdate(plan)
}

// planUpdate plans an update of this course.
func (a *app) planUpdate(ctx context.Context, from, ref string) (*update.Plan, error) {
	exercises, err := gen.Exercises(a.root, a.course, false)
	if err != nil {
		return nil, err
	}
	given := map[string][]byte{}
	for name, text := range exercises {
		given[path.Join(grade.Exercises, name)] = text
	}
	plan, err := update.New(ctx, update.Options{Root: a.root, From: from, Ref: ref, Given: given, Functions: gen.Functions})
	if why, ok := errors.AsType[update.Unusable](err); ok {
		return nil, usagef("%v", why)
	}
	return plan, err
}

// tellUpdate says what an update has brought.
func (a *app) tellUpdate(plan *update.Plan) error {
	list := func(title string, lines []string) {
		if len(lines) == 0 {
			return
		}
		a.out.Println(title)
		for _, line := range lines {
			a.out.Wrapped(2, line)
		}
		a.out.Println()
	}
	list("New:", plan.News)
	list("Merged:", plan.Merged)
	list("To look at:", plan.Look)
	for i, branch := range plan.Backups {
		label := "before"
		if i > 0 {
			label = "between"
		}
		a.out.Command(0, labelColumn, label, "branch "+branch)
	}
	a.out.Command(0, labelColumn, "look", "git diff")
	a.out.Command(0, labelColumn, "keep", "git add --all && git commit -m \"Update of the course\"")
	if len(plan.Look) > 0 {
		return failed
	}
	return nil
}
