//go:build !linux

package jail

import (
	"context"
	"fmt"
	"runtime"
)

// Launch is called first by the main function of a program that starts children.
func Launch() {}

func (c Child) launch(context.Context, string) (*running, error) {
	return nil, fmt.Errorf("there is no level %v on %s", c.Level, runtime.GOOS)
}

func limit(int, Limits) {}

func threads(int) int { return 0 }

func removed(int) int64 { return 0 }

// Highest returns the highest level that this system has, and why it has no higher one.
func Highest(context.Context) (Level, []string) {
	return Process, []string{fmt.Sprintf("levels above 0 need Linux; this is %s", runtime.GOOS)}
}
