package grade

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"gosched/autograder/jail"
	"gosched/chapters/check"
	"gosched/chapters/machine/explore"
	"gosched/chapters/trace"
)

const (
	defaultDeadline = 10 * time.Second // of a check that sets none; package check has the same

	// grace is how much longer than a check may take its process may live. The
	// suite gives up first, with evidence; this is for what it cannot stop.
	grace = 5 * time.Second

	// dumpTime is how long a process may take to write its goroutines.
	dumpTime = 2 * time.Second

	// memoryLimit keeps a loop that allocates from taking the whole computer
	// with it, where the system lets us set one. No check needs a tenth of it.
	memoryLimit = 2 << 30

	maxThreads    = 1000     // of a check's process; chapter 5 has a check with a hundred
	outputLimit   = 16 << 10 // bytes kept of what a child prints, at each end
	evidenceLimit = 64 << 10 // bytes kept of the evidence of a check
	resultsLimit  = 64 << 20 // bytes that a file of results may have: an end may hold the log of a program
)

// collecting has a child collect garbage less often than Go does of itself: a check has little
// that lives long, and collecting took a third of its time. What takes much memory is collected
// as usual.
var collecting = []string{"GOGC=1000", "GOMEMLIMIT=512MiB"}

// A child is a test binary that runs one check.
type child struct {
	binary   string
	dir      string // its working directory, that of the package as under go test
	pkg      string // its package, a path from the root; "" on the own stack
	pattern  string // for -test.run
	id       string // "ch01/status-edges"
	deadline time.Duration
	testFile string // the file that should start the check: for the message if it does not
	env      []string
	joined   bool // binary is that of the joint
	level    jail.Level
	order    check.Order // where sources are; run adds the rest
	noLimit  bool        // on memory: the race detector reserves more than there is
	read     []string    // what it may read above level 0, absolute
	write    []string    // and write
}

// A verdict is what came of it.
type verdict struct {
	status   check.Status
	message  string
	evidence string
	story    *explore.Story
	log      *trace.Log
}

// run runs the child to its end and judges what it left.
func (c child) run(ctx context.Context) verdict {
	return c.process(ctx, c.judge).cleaned()
}

// cleaned is the verdict as it is reported: with evidence within the limit, and none for a pass.
func (v verdict) cleaned() verdict {
	v.message = plainSpaces.Replace(v.message)
	v.evidence = clip(plainSpaces.Replace(v.evidence), evidenceLimit)
	if v.status == check.Pass {
		v.evidence = ""
	}
	return v
}

// process runs the child to its end and has it judged by its records, which are gone afterwards,
// and by how it ended.
func (c child) process(ctx context.Context, judge func(order check.Order, end processEnd) verdict) verdict {
	results, err := os.CreateTemp("", "gosched-results-*.jsonl")
	if err != nil {
		return internal("there is no room for results: %v", err)
	}
	results.Close()
	defer os.Remove(results.Name())
	order := c.order
	order.Results, order.Nonce = results.Name(), rand.Text()
	orderText, err := json.Marshal(order)
	if err != nil {
		return internal("the order cannot be written: %v", err)
	}

	deadline := cmp.Or(c.deadline, defaultDeadline)
	limited, cancel := context.WithTimeout(ctx, check.Longest*deadline+grace)
	defer cancel()
	limits := jail.Limits{Memory: memoryLimit, Read: c.read, Write: append(slices.Clone(c.write), results.Name())}
	if c.noLimit {
		limits.Memory = 0
	}
	if c.level > jail.Process { // these are looked at again and again, which takes time
		limits.FileSize, limits.Disk, limits.Threads = 2*resultsLimit, 2*resultsLimit, maxThreads
	}
	output := clipped{limit: outputLimit}
	ended, err := jail.Child{
		Level:  c.level,
		Limits: limits,
		Path:   c.binary,
		Args:   []string{"-test.run=" + c.pattern, "-test.paniconexit0", "-test.timeout=0"},
		Dir:    c.dir,
		Env:    slices.Concat([]string{check.OrderEnv + "=1"}, collecting, c.env),
		Input:  bytes.NewReader(orderText),
		Output: &output,
		Dump:   dumpTime,
	}.Run(limited)
	if ctx.Err() != nil {
		return interrupted
	}
	if err != nil && limited.Err() == nil {
		return internal("the check could not be started: %v", err) // never for a reason of its code
	}
	return judge(order, processEnd{End: ended, late: limited.Err() != nil, deadline: deadline, output: output.String()})
}

// plainSpaces undoes the no-break spaces that go-cmp strews into its differences
// so that nobody depends on their exact form.
var plainSpaces = strings.NewReplacer("\u00a0", " ")

// interrupted is the verdict on a check that was not left to end.
var interrupted = verdict{status: check.Blocked, message: "the grading was interrupted"}

func internal(format string, args ...any) verdict {
	return verdict{status: check.InternalError, message: fmt.Sprintf(format, args...)}
}

// A processEnd is how a child's process ended.
type processEnd struct {
	jail.End
	late     bool // it was ended, being past its deadline
	deadline time.Duration
	output   string // standard output and standard error
}

func (e processEnd) ok() bool { return !e.late && e.OK() }

// judge reads the records of the check and compares them with the end of the
// process.
func (c child) judge(order check.Order, end processEnd) verdict {
	starts, ends, err := recordsOf(order, c.id)
	switch {
	case err != nil:
		return failure(end, "the results of the check cannot be trusted: %v", err)
	case starts == 1 && len(ends) == 1:
		return reconcile(ends[0], end)
	case starts > 1 || len(ends) > starts:
		return failure(end, "the results of the check cannot be trusted: they hold %d starts and %d ends of it, and must hold one of each", starts, len(ends))
	case end.late && starts == 1:
		return timeout(end, "it did not end within %v, and could not be given up; its process was ended", end.deadline)
	case starts == 0 && end.ok():
		return failure(end, "the check was never started: %s should run it and does not", c.testFile)
	}
	return failure(end, "%s", end.describe(" before the check did"))
}

func failure(end processEnd, format string, args ...any) verdict {
	return verdict{status: check.Fail, message: fmt.Sprintf(format, args...), evidence: end.output}
}

func timeout(end processEnd, format string, args ...any) verdict {
	return verdict{status: check.Timeout, message: fmt.Sprintf(format, args...), evidence: end.output}
}

// verdictOf is what the suite says of a check.
func verdictOf(r check.Record) verdict {
	return verdict{r.Status, r.Message, r.Evidence, r.Story, r.Log}
}

// reconcile makes sure that a verdict goes with how the process ended.
func reconcile(r check.Record, end processEnd) verdict {
	v := verdictOf(r)
	switch r.Status {
	case check.Pass:
		if end.late {
			return timeout(end, "the check had finished, but its process did not end within %v", end.deadline)
		}
		if !end.ok() {
			return failure(end, "the check had finished, but then %s", end.describe(""))
		}
	case check.Fail, check.Todo, check.Timeout, check.Blocked, check.InternalError:
	default:
		return failure(end, "the results of the check cannot be trusted: they hold the unknown status %q", r.Status)
	}
	return v
}

// describe says in plain words how the process ended, with the line of its
// output that tells why and the first place in the code of the course.
func (e processEnd) describe(when string) string {
	how := fmt.Sprintf("the process ended with exit status %d", e.Code)
	switch {
	case e.Excess != "":
		how = "the process was ended, having used too much: " + e.Excess
	case e.Signal != "":
		how = fmt.Sprintf("the process was ended by the signal %q", e.Signal)
	}
	how += when
	if reason := crashReason(e.output); reason != "" {
		how += ": " + reason
	}
	return how
}

// lastWords begin the line in which Go says why a process dies. With cgo it is C that starts the
// threads: if there is no memory for one, that is said, and the process aborts without a fatal error.
// And where the runtime itself finds no memory, it may fault: then the line is only the signal's.
var lastWords = []string{"panic: ", "fatal error: ", "runtime: out of memory", "runtime/cgo: ", "SIGSEGV: ", "SIGBUS: "}

// crashReason finds the line in which Go says why a process dies, and the
// innermost place in an exercise or a solution on the first stack below it.
func crashReason(output string) string {
	lines := strings.Split(output, "\n")
	for i, line := range lines {
		if !slices.ContainsFunc(lastWords, func(words string) bool { return strings.HasPrefix(line, words) }) {
			continue
		}
		reason := strings.TrimSpace(line)
		for _, frame := range lines[i+1:] {
			if place := coursePlace(frame); place != "" {
				return reason + ", at " + place
			}
		}
		return reason
	}
	return ""
}

// coursePlace returns "exercises/ch01_goroutine/goroutine.go:31" if a line of a
// stack trace is a place there.
func coursePlace(frame string) string {
	if !strings.HasPrefix(frame, "\t") {
		return ""
	}
	place, _, _ := strings.Cut(strings.TrimSpace(frame), " ")
	for _, tree := range []string{"/exercises/", "/solutions/"} {
		if i := strings.LastIndex(place, tree); i >= 0 {
			return place[i+1:]
		}
	}
	return ""
}

// recordsOf returns how many starts of the check a file of results has, and
// its ends. A record of another check, or one that the suite has not written, is an error.
func recordsOf(order check.Order, id string) (starts int, ends []check.Record, err error) {
	records, err := readRecords(order)
	if err != nil {
		return 0, nil, err
	}
	for _, r := range records {
		if r.Check != id {
			return 0, nil, fmt.Errorf("they hold a record of %q", clip(r.Check, 80))
		}
		switch {
		case r.Event == "start":
			starts++
		case r.Event == "end" && starts == 0:
			return 0, nil, errors.New("they hold an end of it before its start")
		case r.Event == "end":
			ends = append(ends, r)
		default:
			return 0, nil, fmt.Errorf("they hold the unknown event %q", clip(r.Event, 80))
		}
	}
	return starts, ends, nil
}

// readRecords returns the records of a file of results. One that the suite has not written is
// an error.
func readRecords(order check.Order) ([]check.Record, error) {
	if info, err := os.Lstat(order.Results); err != nil || !info.Mode().IsRegular() {
		return nil, errors.New("the file that should hold them is gone, or is no longer a plain file")
	}
	f, err := os.Open(order.Results)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, resultsLimit+1))
	if err != nil {
		return nil, err
	}
	if len(text) > resultsLimit {
		return nil, fmt.Errorf("they are longer than %d MiB", resultsLimit>>20)
	}
	var records []check.Record
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		text, ok := order.Unseal(line)
		if !ok {
			return nil, errors.New("they hold a line that its suite has not written")
		}
		var r check.Record
		if err := json.Unmarshal(text, &r); err != nil {
			return nil, fmt.Errorf("they hold the line %q", clip(string(text), 80))
		}
		records = append(records, r)
	}
	return records, nil
}

// clipped keeps the beginning and the end of what is written to it.
type clipped struct {
	limit      int // bytes of each
	head, tail []byte
	dropped    int
}

func (c *clipped) Write(p []byte) (int, error) {
	n := len(p)
	if room := c.limit - len(c.head); room > 0 {
		k := min(room, len(p))
		c.head = append(c.head, p[:k]...)
		p = p[k:]
	}
	c.tail = append(c.tail, p...)
	if over := len(c.tail) - c.limit; over > c.limit {
		c.dropped += over
		c.tail = append(c.tail[:0], c.tail[over:]...)
	}
	return n, nil
}

func (c *clipped) String() string {
	if c.dropped == 0 {
		return string(c.head) + string(c.tail)
	}
	return fmt.Sprintf("%s\n… %d bytes left out …\n%s", c.head, c.dropped, c.tail)
}

// clip cuts text after so many bytes, at the end of a line if there is one.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	cut := text[:limit]
	if i := strings.LastIndexByte(cut, '\n'); i > 0 {
		cut = cut[:i]
	}
	return strings.ToValidUTF8(cut, "") + "\n…"
}
