// Package ch14 has the programs that figures of chapter 14 run both on schedulers of the course
// and under the installed Go.
package ch14

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Spin computes for ever beside main, Calls sleeps in system calls, and Late measures how long
// main waits for its turn.
var (
	//go:embed spin.go
	Spin string
	//go:embed calls.go
	Calls string
	//go:embed late.go
	Late string
)

// Build builds a program with the installed Go, in a folder of its own, which remove deletes.
func Build(source string) (binary string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "gosched-figure")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	file := filepath.Join(dir, "main.go")
	binary = filepath.Join(dir, "program.exe")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		remove()
		return "", nil, err
	}
	if out, err := exec.Command("go", "build", "-o", binary, file).CombinedOutput(); err != nil {
		remove()
		return "", nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return binary, remove, nil
}
