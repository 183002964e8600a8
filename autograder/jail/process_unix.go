//go:build unix

package jail

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
func askForDump(pid int) error { return syscall.Kill(pid, syscall.SIGQUIT) }

// endGroup kills a process, and what it may have left behind.
func endGroup(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL) // there is mostly nothing left to kill
}

// endOf says how a process ended. Bubblewrap says of its child that a signal ended it by a
// status above 128, as a shell does.
func endOf(s *os.ProcessState, l Level) End {
	end := End{Code: s.ExitCode()}
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		end.Signal = ws.Signal().String()
	}
	if l == Bubble && end.Code > 128 {
		end = End{Code: -1, Signal: syscall.Signal(end.Code - 128).String()}
	}
	return end
}
