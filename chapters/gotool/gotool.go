// Package gotool calls the go command.
package gotool

import (
	"context"
	"os/exec"
	"time"
)

// Command is the go command with these arguments. When ctx ends it is interrupted, and all that
// it has started: the compiler, and tests. It removes what it has in the folder for temporary
// files then, for which it has a few seconds; exec.CommandContext would kill it, and what it
// has started would go on.
func Command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	interruptible(cmd)
	cmd.WaitDelay = 10 * time.Second
	return cmd
}
