package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"gosched/autograder/bench"
	"gosched/solutions"
)

// historic is how long the table of the book goes on with a program on a version: 56 of them
// take less than 6 minutes together.
var historic = bench.Limit{Share: 0.04, Pairs: 41, Time: 5 * time.Second}

// writeHistory measures the table of the book and writes it where the book reads it.
func (a *app) writeHistory(ctx context.Context) error {
	list, err := benchPrograms(bench.HistoryPrograms)
	if err != nil {
		return err
	}
	commit, err := a.git(ctx, "rev-parse", "--short=10", "HEAD")
	if err != nil {
		return fmt.Errorf("the table names the commit, and git cannot tell it: %w", err)
	}
	if a.changed(ctx) {
		commit += "+"
	}
	setting := []bench.Setting{{Procs: 1, Versions: solutions.Versions()}}
	report, err := a.measured(ctx, list, setting, historic, false)
	if err != nil {
		return err
	}
	a.showBench(report, setting)
	h := bench.History{
		Date: time.Now().UTC().Format(time.DateOnly), Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, CPU: cpuName(),
		Commit: commit, Versions: setting[0].Versions,
	}
	for _, p := range list {
		h.Programs = append(h.Programs, p.Name)
	}
	if err := h.SetRatios(report); err != nil {
		return fmt.Errorf("%s is left as it was: %w", bench.HistoryFile, err)
	}
	var text bytes.Buffer
	if err := h.WriteJSON(&text); err != nil {
		return err
	}
	return os.WriteFile(a.path(bench.HistoryFile), text.Bytes(), 0o644)
}

// changed reports whether files of the tree are not as in its commit.
func (a *app) changed(ctx context.Context) bool {
	status, err := a.git(ctx, "status", "--porcelain", "--untracked-files=no")
	return err == nil && status != ""
}

// cpuName is the name that Linux gives to the CPU, elsewhere its architecture.
func cpuName() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
