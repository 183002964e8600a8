package bench

import (
	"io"
	"os"
	"os/exec"
	"runtime"
)

// This file is how the command ours and this process agree on the moment at which a program
// begins. A process that was not asked to begins at once.

// readyEnv asks the command ours to close its descriptor 3 when it is ready, and then to wait
// until descriptor 4 ends.
const readyEnv = "GOSCHED_BENCH_READY"

// startReady starts the command ours, and returns when its program begins.
func startReady(cmd *exec.Cmd, begin *Begin) error {
	if runtime.GOOS == "windows" { // it has no such descriptors
		begin.Wait()
		return cmd.Start()
	}
	ready, isReady, err := os.Pipe()
	if err != nil {
		return err
	}
	defer ready.Close()
	defer isReady.Close()
	mayBegin, start, err := os.Pipe()
	if err != nil {
		return err
	}
	defer mayBegin.Close()
	defer start.Close()
	cmd.Env = append(os.Environ(), readyEnv+"=1")
	cmd.ExtraFiles = []*os.File{isReady, mayBegin}
	if err := startOn(begin.CPU, cmd); err != nil {
		return err
	}
	isReady.Close()
	io.Copy(io.Discard, ready) // it ends at the latest with the process
	begin.Wait()
	return nil
}

// Ready is for the command ours: it returns when its program may begin.
func Ready() {
	if os.Getenv(readyEnv) == "" {
		return
	}
	os.NewFile(3, "ready").Close()
	io.Copy(io.Discard, os.NewFile(4, "start"))
}
