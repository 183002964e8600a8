package trusted

import (
	"context"

	"gosched/autograder/submission"
	"gosched/chapters"
)

// Open opens the course in the folder root for submissions that are graded in trusted runs: what
// students import is compiled as it is for their grading.
func Open(ctx context.Context, root string, all []chapters.Chapter) (*submission.Course, error) {
	course, err := submission.Open(root, all)
	if err != nil {
		return nil, err
	}
	tools, err := findToolchain(ctx, root)
	if err != nil {
		return nil, err
	}
	course.Env = tools.environment()
	return course, nil
}
