//go:build unix

package main

import (
	"os"
	"syscall"
)

// become replaces the process by the program in binary. It returns only if that fails.
func become(binary string, args []string) error {
	return syscall.Exec(binary, append([]string{binary}, args...), os.Environ())
}
