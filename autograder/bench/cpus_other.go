//go:build !linux

package bench

import "os/exec"

// cpus returns none: a process cannot be kept on one CPU here.
func cpus() []int { return nil }

// startOn starts a command; cpu is -1.
func startOn(cpu int, cmd *exec.Cmd) error { return cmd.Start() }
