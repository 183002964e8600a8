//go:build unix

package gotool

import (
	"os/exec"
	"syscall"
)

// interruptible puts the process into a group of its own, to which Ctrl-C at the terminal does
// not go: it is told once.
func interruptible(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
}
