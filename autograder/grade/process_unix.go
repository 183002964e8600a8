//go:build unix

package grade

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup puts the process and its children into a process group of their own.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// askForDump ends a Go process in the way that makes it write the stacks of its
// goroutines. (If it does not obey, exec.Cmd kills it after WaitDelay.)
func askForDump(p *os.Process) error { return p.Signal(syscall.SIGQUIT) }

// endGroup kills what the process may have left behind.
func endGroup(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL) // there is mostly nothing left to kill
}

// signalOf is the signal that ended a process, "" if none did.
func signalOf(s *os.ProcessState) string {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return ws.Signal().String()
	}
	return ""
}
