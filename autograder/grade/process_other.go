//go:build !unix

package grade

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

func askForDump(p *os.Process) error { return p.Kill() }

func endGroup(*os.Process) {}

func signalOf(*os.ProcessState) string { return "" }
