package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"gosched/chapters/gotool"
)

// A testRun is what became of the tests of some packages.
type testRun struct {
	passed   int // tests without subtests of their own counted
	skipped  int
	packages int
	failures []string            // one for each failed test or package: its output
	ok       map[string][]string // the subtests that passed, by "package TestName"
	failed   map[string]bool     // the packages that did not pass
	tests    []testTime          // those without the subtests
}

// A testTime is how long a test took, on the clock.
type testTime struct {
	name string // "solutions TestCorpus"
	took time.Duration
}

// dearest returns the n tests that took longest.
func (r testRun) dearest(n int) []testTime {
	slices.SortStableFunc(r.tests, func(a, b testTime) int { return cmp.Compare(b.took, a.took) })
	return r.tests[:min(n, len(r.tests))]
}

// passes reports whether a package, a path below the module, has not failed.
func (r testRun) passes(pkg string) bool { return !r.failed["gosched/"+pkg] }

// subtests returns the names of the direct subtests of a test that passed. pkg
// is a path below the module.
func (r testRun) subtests(pkg, test string) []string { return r.ok["gosched/"+pkg+" "+test] }

// A testEvent is a line of go test -json.
type testEvent struct {
	Action      string
	Package     string
	ImportPath  string // of a build event
	Test        string
	Output      string
	FailedBuild string
	Elapsed     float64 // seconds
}

// runTests runs go test and prints its line for each package to w, as they come.
func runTests(ctx context.Context, root string, w io.Writer, args []string) (testRun, error) {
	cmd := gotool.Command(ctx, append([]string{"test", "-json"}, args...)...)
	cmd.Dir = root
	out, err := cmd.StdoutPipe()
	if err != nil {
		return testRun{}, err
	}
	var errors strings.Builder
	cmd.Stderr = &errors
	if err := cmd.Start(); err != nil {
		return testRun{}, err
	}
	run, err := readTests(out, w)
	if waitErr := cmd.Wait(); err == nil && waitErr != nil && len(run.failures) == 0 {
		err = fmt.Errorf("go test: %w\n%s", waitErr, errors.String())
	}
	return run, err
}

// readTests reads the events of go test -json.
func readTests(r io.Reader, w io.Writer) (testRun, error) {
	run := testRun{ok: map[string][]string{}, failed: map[string]bool{}}
	output := map[string]*strings.Builder{} // of a test or package until it ends
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return run, nil
		}
		if err != nil {
			return run, err
		}
		var e testEvent
		if err := json.Unmarshal(line, &e); err != nil {
			return run, fmt.Errorf("go test -json: %w: %s", err, line)
		}
		run.add(e, output, w)
	}
}

// add takes in one event.
func (r *testRun) add(e testEvent, output map[string]*strings.Builder, w io.Writer) {
	id := strings.TrimSpace(e.Package + e.ImportPath + " " + e.Test)
	if (e.Action == "pass" || e.Action == "fail") && e.Test != "" && !strings.Contains(e.Test, "/") {
		took := time.Duration(e.Elapsed * float64(time.Second))
		r.tests = append(r.tests, testTime{strings.TrimPrefix(id, "gosched/"), took})
	}
	switch e.Action {
	case "output", "build-output":
		isResult := strings.HasPrefix(e.Output, "ok  \t") || strings.HasPrefix(e.Output, "FAIL\t")
		if e.Test == "" && isResult {
			fmt.Fprint(w, e.Output)
		}
		if output[id] == nil {
			output[id] = &strings.Builder{}
		}
		output[id].WriteString(e.Output)
	case "pass":
		switch test, subtest, nested := strings.Cut(e.Test, "/"); {
		case e.Test == "":
			r.packages++
		case nested:
			if !strings.Contains(subtest, "/") {
				key := e.Package + " " + test
				r.ok[key] = append(r.ok[key], subtest)
			}
		default:
			r.passed++
		}
		delete(output, id)
	case "skip":
		if e.Test != "" {
			r.skipped++
		}
	case "fail", "build-fail":
		if e.Test == "" && e.Package != "" {
			r.failed[e.Package] = true
		}
		text := ""
		if b := output[id]; b != nil {
			text = b.String()
		}
		// A package that fails has a test that did, and a test a subtest; to say
		// it once is enough. A package may also fail without any, by exiting.
		said := slices.ContainsFunc(r.failures, func(f string) bool { return strings.HasPrefix(f, id+" ") || strings.HasPrefix(f, id+"/") })
		if e.FailedBuild == "" && !said {
			r.failures = append(r.failures, strings.TrimSpace(id+"\n"+withoutNoise(text)))
		}
	}
}

// failureLines is how many lines of a failed test are shown.
const failureLines = 40

// withoutNoise leaves out the lines in which go test only says what it does, and
// what is too much.
func withoutNoise(output string) string {
	var kept []string
	for _, line := range strings.Split(strings.TrimSpace(output), "\n") {
		if !strings.HasPrefix(line, "=== ") {
			kept = append(kept, line)
		}
	}
	if more := len(kept) - failureLines; more > 0 {
		kept = append(kept[:failureLines], fmt.Sprintf("… %d more lines", more))
	}
	return strings.Join(kept, "\n")
}
