//go:build !unix

package main

import (
	"errors"
	"os"
	"os/exec"
)

// become runs the program in binary in place of the process. Ctrl-C reaches both; the program ends
// with it, and the process with the program.
func become(binary string, args []string) error {
	cmd := exec.Command(binary, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if status, ok := errors.AsType[*exec.ExitError](err); ok && status.ExitCode() > 0 {
		return exited(status.ExitCode())
	}
	return err
}
